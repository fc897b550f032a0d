"""A pane of the bench for any of its charts."""

from __future__ import annotations

from msgspec import Struct

from engine.lab.tables import HeatMap
from tui.digester import Digest
from tui.i18n import _
from tui.widgets.bench_curves import chart_rows, convergence_chart, phase_chart, times_chart
from tui.widgets.bench_map import map_rows
from tui.widgets.pane import Pane
from tui.widgets.rows import Rows, Space, rows


class Pictured(Struct, frozen=True):
    """What a chart shows."""

    picture: str
    digest: Digest | None
    """None: nothing is worked out yet."""
    chosen: int
    """The contender of the chosen row; -1: none."""
    map: HeatMap | None = None


def picture_rows(shown: Pictured, space: Space, plain: bool = False) -> Rows:
    """The chart. `plain`: there are no grounds to tell shares by."""
    found = shown.digest
    if found is None:
        return rows(((( _("Charts"), "strong"),), ((_("nothing yet"), "muted"),)), space)
    if shown.picture == "map" and shown.map is not None:
        return map_rows(shown.map, space, plain)
    if shown.picture == "phase":
        return chart_rows(phase_chart(found.phases, shown.chosen), space)
    group, several = found.wanted.group, len(found.comparison.groups) > 1
    where = f", {group}" if group is not None else ", " + _("all groups") if several else ""
    if shown.picture == "convergence":
        return chart_rows(convergence_chart(found.convergence, shown.chosen, where), space)
    return chart_rows(times_chart(found.times, shown.chosen, found.comparison.measure, where), space)


class BenchChart(Pane):
    """Shows a chart; what was drawn is kept until what it shows has changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown = Pictured("times", None, -1)

    def show(self, shown: Pictured) -> None:
        """Show this from now on."""
        before, self.shown = self.shown, shown
        same = (before.digest is shown.digest and before.map is shown.map
                and (before.picture, before.chosen) == (shown.picture, shown.chosen))
        if not same:
            self.repaint()

    def draw(self, space: Space) -> Rows:
        return picture_rows(self.shown, space, self.look.palette.native)
