"""The list of solvers, grouped by family; the first eight have a number key."""

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
    """A solver in the list."""

    name: str
    title: str
    family: str
    missing: str = ""
    """The reason that it cannot run, as a sentence; empty if it can."""


def by_family(solvers: Sequence[ListedSolver]) -> tuple[ListedSolver, ...]:
    """The solvers grouped by family, in the order of each family's first."""
    families = list(dict.fromkeys(each.family for each in solvers))
    return tuple(each for family in families for each in solvers if each.family == family)


def solver_rows(solvers: Sequence[ListedSolver], selected: int, first: int, space: Space) -> Rows:
    """The heading, then a solver a row, with the family beside its first one in view."""
    heading: list[Span] = [(_("Open a puzzle with"), "strong")]
    drawn = [row(heading, space.width)]
    room = space.height - 1
    for index, solver in enumerate(solvers[first : first + room], first):
        key = f" {index + 1} " if index < NUMBERED else "   "
        here = index == selected
        left: list[Span] = [(key, "selected" if here and key.strip() else "strong"),
                            (f" {space.glyphs.text(_(solver.title))}", "data_strong" if here else
                             "muted" if solver.missing else "text")]
        if here and not key.strip():
            left[0] = (f" {space.glyphs.current} ", "selected")
        named = index == first or solvers[index - 1].family != solver.family
        drawn.append(spread(left, _beside(solver, named), space.width))
    left_over = len(solvers) - first - room
    if left_over > 0 or first:
        drawn[0] = spread(heading, [(f"{selected + 1} / {len(solvers)}", "muted")], space.width)
    return rows(drawn, space)


def _beside(solver: ListedSolver, named: bool) -> list[Span]:
    """That a solver is not installed, else the family if it is `named` here."""
    if solver.missing:
        return [(_("not installed"), "muted")]
    return [(_(solver.family), "muted")] if named else []


class SolverList(Pane):
    """The list of solvers. A click or the wheel selects one."""

    class Selected(Message):
        """A solver was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    solvers: tuple[ListedSolver, ...] = ()
    selected = 0
    _first = 0

    def show(self, solvers: Sequence[ListedSolver], selected: int) -> None:
        """Show these solvers, with the selected one in view."""
        self.solvers, self.selected = tuple(solvers), selected
        self.repaint()

    def draw(self, space: Space) -> Rows:
        self._first = window(self._first, self.selected, 1, max(space.height - 1, 1), len(self.solvers))
        return solver_rows(self.solvers, self.selected, self._first, space)

    def _scroll_by(self, rows: int) -> None:
        index = max(0, min(self.selected + rows, len(self.solvers) - 1))
        if index != self.selected:
            self.post_message(self.Selected(index))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._scroll_by(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._scroll_by(-1)

    def on_click(self, event: events.Click) -> None:
        index = self._first + event.y - 1
        if event.y >= 1 and index < len(self.solvers):
            self.post_message(self.Selected(index))
