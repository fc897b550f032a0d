"""The order of hints from board to board."""

from __future__ import annotations

import threading

from engine.puzzles import packs
from engine.techniques.hint import Hint
from tests.patience import PATIENCE, eventually
from tui.screens.hints import HintWorker

PUZZLE = packs.pack("hard")[0].puzzle


class Asker:
    """Asks for hints and waits for each answer."""

    def __init__(self) -> None:
        self._answered = threading.Event()
        self.worker = HintWorker(self._answered.set)

    def hint(self, cells: tuple[int, ...]) -> Hint | None:
        """The next hint for a board, revealed."""
        for shown in (False, True):
            self._answered.clear()
            self.worker.ask(PUZZLE, cells, shown)
            assert self._answered.wait(PATIENCE)
            eventually(lambda: not self.worker.is_alive, lambda: "the thread of the hints runs on")
        return self.worker.hint


def wrong(count: int) -> tuple[int, ...]:
    """The givens, and the same value in the first free cells."""
    free = PUZZLE.free_cells[:count]
    return tuple(1 if cell in free else value for cell, value in enumerate(PUZZLE.givens))


def test_on_another_board_with_wrong_values_the_hints_begin_with_the_first() -> None:
    first, later = Asker().hint(wrong(2)), Asker()
    assert first is not None
    assert first.grid == PUZZLE.givens
    second = [later.hint(wrong(3)) for _press in range(2)][1]
    assert second is not None
    assert second.grid != PUZZLE.givens
    assert later.hint(wrong(2)) == first
