"""A plain pane for whatever a view brings along: the stack of a search, a population, a list."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.puzzle import SYMBOLS, cell_name
from engine.view import ListPanel, Pair, Panel, PopulationPanel, Sections, StackPanel
from tui.glyphs import Glyphs
from tui.i18n import _
from tui.theme import Role
from tui.widgets import panel_tables  # noqa: F401  (it registers the lines of its panels)
from tui.widgets.pane import HeadedPane
from tui.widgets.panel_base import Lines, grounded, nothing, panel_lines
from tui.widgets.panel_room import stacked
from tui.widgets.rows import Rows, Space, Span, row, rows

WIDE = 40
"""Columns from which on a choice of a search is told at length."""


@panel_lines.register
def _stack(panel: StackPanel, n: int, space: Space) -> Lines:
    """The deepest choice first: its depth, the cell, the value tried now between those tried and those left."""
    wide = space.width >= WIDE
    if not panel.frames:
        return nothing()
    lines: Lines = [[(f"{_('depth'):>7}  {_('cell'):<8}{_('value'):>5}  {_('choices')}", "muted")]] if wide else []
    for depth, (cell, value, tried, left) in reversed(list(enumerate(panel.frames, 1))):
        newest = depth == len(panel.frames)
        now, name = SYMBOLS[value] if value else space.glyphs.empty, cell_name(cell, n)
        head: Span = (f" {depth:>6}  {name:<8}{now:>3}    " if wide else f"{depth:>3}  {name:<7}", "text")
        choice: list[Span] = [*_choices(tried, "muted"), (f"[{now}]", "strong"), *_choices(left, "text", " ")]
        if wide and value and not tried and not left:
            choice.append(("   " + _("forced"), "muted"))
        spans = [head, *choice]
        if (cell, value) == space.picked:
            lines.append(grounded(space, spans, "selected"))
        else:
            lines.append(grounded(space, spans, "now") if newest else spans)
    return lines


def _choices(values: tuple[int, ...], role: Role, before: str = "") -> list[Span]:
    listed = " ".join(SYMBOLS[each] for each in values)
    return [(before + listed + ("" if before else " "), role)] if values else []


@panel_lines.register
def _population(panel: PopulationPanel, n: int, space: Space) -> Lines:
    """The errors of the individuals in their order, as many in a line as fit."""
    each = max((len(str(energy)) for energy in panel.energies), default=1) + 2
    across = max(1, space.width // each)
    lines: Lines = []
    for start in range(0, len(panel.energies), across):
        places = range(start, min(start + across, len(panel.energies)))
        lines.append([_individual(panel, place, each) for place in places])
    return lines


def _individual(panel: PopulationPanel, place: int, width: int) -> Span:
    text = f"{panel.energies[place]:>{width - 1}} "
    if place == panel.current:
        return text, "now"
    return text, "data_strong" if place in panel.parents else "text"


@panel_lines.register
def _list(panel: ListPanel, n: int, space: Space) -> Lines:
    return [[(line, "text" if place else "strong")] for place, line in enumerate(panel.lines)] or nothing()


def panel_rows(panel: Panel | None, n: int, space: Space, heading: bool = True) -> Rows:
    """The panel under its title, or the parts of one under theirs."""
    if panel is None:
        return rows((), space)
    several = isinstance(panel, Sections)
    parts = panel.parts if isinstance(panel, Sections) else (panel,)
    lines = stacked(parts, n, space, heading or several)
    return rows([row(_spelled(line, space.glyphs), space.width) for line in lines], space)


def _spelled(line: Sequence[Span], glyphs: Glyphs) -> list[Span]:
    return [(glyphs.text(text), role) for text, role in line]


class PanelPane(HeadedPane):
    """Shows the panel of a view."""

    def __init__(self, n: int = 9, *, heading: bool = True, id: str | None = None) -> None:
        super().__init__(heading=heading, id=id)
        self._n = n
        self.panel: Panel | None = None
        self.picked: Pair | None = None
        """The choice that the learner has picked."""

    def show(self, panel: Panel | None) -> None:
        """Show this from now on."""
        self.panel = panel
        self.repaint()

    def pick(self, choice: Pair | None) -> None:
        """Have this choice marked from now on."""
        if choice != self.picked:
            self.picked = choice
            self.repaint()

    def draw(self, space: Space) -> Rows:
        return panel_rows(self.panel, self._n, replace(space, picked=self.picked), self.heading)
