"""The solvers to choose from, grouped by family; the first eight have a number for a key."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual import events
from textual.message import Message

from tui.i18n import _
from tui.widgets.board.layout import window
from tui.widgets.pane import Pane
from tui.widgets.rows import Rows, Space, Span, row, rows, spread

NUMBERED = 8


class ListedSolver(Struct, frozen=True):
    """A solver as the list shows it."""

    name: str
    title: str
    family: str
    missing: str = ""
    """Why it cannot run here, as a sentence; empty if it can."""


def by_family(solvers: Sequence[ListedSolver]) -> tuple[ListedSolver, ...]:
    """The solvers with families together, families and their solvers in the order in which they come."""
    families = list(dict.fromkeys(each.family for each in solvers))
    return tuple(each for family in families for each in solvers if each.family == family)


def solver_rows(solvers: Sequence[ListedSolver], chosen: int, first: int, space: Space) -> Rows:
    """The heading, then a solver a row; the family is named beside its first solver that is in view."""
    drawn = [row([(_("Open with"), "strong")], space.width)]
    room = space.height - 1
    for place, solver in enumerate(solvers[first : first + room], first):
        key = f" {place + 1} " if place < NUMBERED else "   "
        picked = place == chosen
        left: list[Span] = [(key, "selected" if picked and key.strip() else "strong"),
                            (f" {space.glyphs.text(_(solver.title))}", "data_strong" if picked else
                             "muted" if solver.missing else "text")]
        if picked and not key.strip():
            left[0] = (f" {space.glyphs.current} ", "selected")
        named = place == first or solvers[place - 1].family != solver.family
        drawn.append(spread(left, _beside(solver, named), space.width))
    left_over = len(solvers) - first - room
    if left_over > 0 or first:
        drawn[0] = spread([(_("Open with"), "strong")],
                          [(f"{chosen + 1} / {len(solvers)}", "muted")], space.width)
    return rows(drawn, space)


def _beside(solver: ListedSolver, named: bool) -> list[Span]:
    """That a solver cannot run here comes before the name of its family."""
    if solver.missing:
        return [(_("not installed"), "muted")]
    return [(_(solver.family), "muted")] if named else []


class SolverList(Pane):
    """Shows the solvers; a click picks one."""

    class Picked(Message):
        """A solver was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.solvers: tuple[ListedSolver, ...] = ()
        self.chosen = 0
        self._first = 0

    def show(self, solvers: Sequence[ListedSolver], chosen: int) -> None:
        """Show these from now on, the chosen one in view."""
        self.solvers, self.chosen = tuple(solvers), chosen
        self.repaint()

    def draw(self, space: Space) -> Rows:
        self._first = window(self._first, self.chosen, 1, max(space.height - 1, 1), len(self.solvers))
        return solver_rows(self.solvers, self.chosen, self._first, space)

    def _scroll_by(self, rows: int) -> None:
        place = max(0, min(self.chosen + rows, len(self.solvers) - 1))
        if place != self.chosen:
            self.post_message(self.Picked(place))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._scroll_by(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._scroll_by(-1)

    def on_click(self, event: events.Click) -> None:
        place = self._first + event.y - 1
        if event.y >= 1 and place < len(self.solvers):
            self.post_message(self.Picked(place))
