"""Hints while a puzzle is looked at: found in a thread of its own, told as a sentence, drawn on the board."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from engine.events.explain import explain
from engine.events.search import Found
from engine.puzzle import Puzzle
from engine.techniques.hint import Hint, hints, rightly_filled
from engine.view import Sentence
from tui import messages
from tui.background import threads
from tui.i18n import _
from tui.widgets.board.drawing import Position
from tui.widgets.board.overlays import Hints

About = tuple[Puzzle, tuple[int, ...]]
"""A puzzle and the n*n values that stand on its board."""


class Hinter:
    """`ask` for the next hint; asked again on the same board, it is the one after."""

    def __init__(self, done: Callable[[], object]) -> None:
        """`done` is called in the thread when there is an answer."""
        self.hint: Hint | None = None
        self.notice: Sentence = messages.told("", "")
        """What is said of it, or why there is none."""
        self.about: About | None = None
        """What was asked about."""
        self._done = done
        self._thread: threading.Thread | None = None
        self._filled: About | None = None
        self._coming: Iterator[Hint] = iter(())

    def ask(self, puzzle: Puzzle, cells: tuple[int, ...]) -> None:
        """Look for the next hint, unless one is being looked for."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._look, args=(puzzle, cells), name="hinter", daemon=True)
            threads.follow(self._thread)
            self._thread.start()

    def _look(self, puzzle: Puzzle, cells: tuple[int, ...]) -> None:
        filled = rightly_filled(puzzle, cells)
        if self._filled != (puzzle, filled):
            self._filled, self._coming = (puzzle, filled), hints(puzzle, filled)
        self.hint, self.about = next(self._coming, None), (puzzle, cells)
        if self.hint is None:
            self._filled = None  # asked once more, they begin again
        self.notice = _none_left(puzzle, filled) if self.hint is None else said(puzzle, self.hint)
        self._done()


def said(puzzle: Puzzle, hint: Hint) -> Sentence:
    """A hint as a sentence."""
    found = hint.finding
    event = Found(0, "", found.technique, found.cells, found.values, found.struck, found.placed, found.where)
    return replace(explain(event, puzzle.n), badge=_("HINT"))


def _none_left(puzzle: Puzzle, filled: tuple[int, ...]) -> Sentence:
    if puzzle.clashes():
        return messages.told(_("NO HINT"), _("the givens contradict each other"))
    if all(filled):
        return messages.told(_("NO HINT"), _("every cell is filled rightly"))
    return messages.told(_("NO HINT"), _("the techniques find nothing more on this board"))


def hinted(puzzle: Puzzle, hint: Hint, cursor: int | None, marks: bool) -> Position:
    """The board of a hint: what stands, the pattern, and what it strikes or places. `marks`: with candidates."""
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
