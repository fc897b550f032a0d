"""Hints: found in a thread, shown as a sentence and on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from engine.events.explain import explain
from engine.events.search import Found
from engine.puzzle import Puzzle
from engine.techniques.hint import Hint, hints, rightly_filled
from engine.view import Sentence
from tui import messages
from tui.background.threads import BackgroundThread
from tui.i18n import _
from tui.widgets.board.board import Position
from tui.widgets.board.overlays import Hints

Board = tuple[Puzzle, tuple[int, ...]]
"""A puzzle and the n*n values on its board."""


class HintWorker(BackgroundThread):
    """Finds the next hint for a board; after the last one the first again."""

    name = "hints"

    def __init__(self, done: Callable[[], object]) -> None:
        """`done` is called in the thread when there is an answer."""
        super().__init__()
        self.hint: Hint | None = None
        self.notice: Sentence = messages.message("", "")
        """The hint as a sentence, or the reason for its absence."""
        self.about: Board | None = None
        """The board of the answer."""
        self._done = done
        self._asked: Board | None = None
        self._filled: Board | None = None
        self._coming: Iterator[Hint] = iter(())

    def ask(self, puzzle: Puzzle, cells: tuple[int, ...]) -> None:
        """Find the next hint for a board of n*n values, unless a search runs."""
        if not self.is_alive:
            self._asked = puzzle, cells
            self.start()

    # In the thread, which ends with each answer

    def run(self) -> None:
        if self._asked is None:
            return
        puzzle, cells = self._asked
        filled = rightly_filled(puzzle, cells)
        if self._filled != (puzzle, filled):
            self._filled, self._coming = (puzzle, filled), hints(puzzle, filled)
        self.hint, self.about = next(self._coming, None), self._asked
        if self.hint is None:
            self._filled = None  # the next call begins with the first hint
        self.notice = _none_left(puzzle, filled) if self.hint is None else sentence(puzzle, self.hint)
        self._done()

    def failed(self, why: str) -> None:
        self.hint, self.about = None, self._asked
        self.notice = messages.message(_("ERROR"), why)
        self._done()


def sentence(puzzle: Puzzle, hint: Hint) -> Sentence:
    """A hint as a sentence."""
    found = hint.finding
    event = Found(0, "", found.technique, found.cells, found.values, found.struck, found.placed, found.where)
    return replace(explain(event, puzzle.n), badge=_("HINT"))


def _none_left(puzzle: Puzzle, filled: tuple[int, ...]) -> Sentence:
    if puzzle.clashes():
        return messages.message(_("NO HINT"), _("the givens contradict each other"))
    if all(filled):
        return messages.message(_("NO HINT"), _("every cell is filled correctly"))
    return messages.message(_("NO HINT"), _("the techniques find nothing more on this board"))


def hint_position(puzzle: Puzzle, hint: Hint, cursor: int | None, marks: bool) -> Position:
    """The board with a hint: its pattern, and the values that it eliminates or places. `marks`: with candidates."""
    found, grid = hint.finding, list(hint.grid)
    for cell, value in found.placed:
        grid[cell] = value
    moved = tuple(cell for cell, _value in found.placed)
    victims = tuple(dict.fromkeys(cell for cell, _value in found.struck))
    pattern = tuple(cell for cell in found.cells if cell not in moved)
    support = tuple((cell, value) for cell in pattern for value in found.values
                    if hint.candidates[cell] >> value - 1 & 1 and (cell, value) not in found.struck)
    return Position(puzzle, tuple(grid), {"moved": moved, "partner": victims, "reach": pattern}, cursor,
                    hint.candidates if marks else None, moved or pattern,
                    Hints(pencils={"struck": found.struck, "support": support}, units=found.units))
