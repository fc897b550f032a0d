"""The order of hints from board to board."""

from __future__ import annotations

import threading
from string import Formatter

import pytest

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import count
from engine.techniques.hint import Hint
from tests.patience import PATIENCE, eventually
from tui.look.glyphs import UNICODE
from tui.screens import hints
from tui.screens.hints import HintWorker
from tui.widgets.rows import Space, plain
from tui.widgets.verdict import VerdictLayout, verdict_rows

PUZZLE = packs.pack("hard")[0].puzzle


class Asker:
    """Asks for hints and waits for each answer."""

    def __init__(self, puzzle: Puzzle = PUZZLE) -> None:
        self._puzzle = puzzle
        self._answered = threading.Event()
        self.worker = HintWorker(self._answered.set)

    def hint(self, cells: tuple[int, ...]) -> Hint | None:
        """The next hint for a board, revealed."""
        for shown in (False, True):
            self.ask(cells, shown)
        return self.worker.hint

    def ask(self, cells: tuple[int, ...], shown: bool) -> str:
        """The sentence of one press of the key."""
        self._answered.clear()
        self.worker.ask(self._puzzle, cells, shown)
        assert self._answered.wait(PATIENCE)
        eventually(lambda: not self.worker.is_alive, lambda: "the thread of the hints runs on")
        return self.worker.notice.text


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


def test_a_contradiction_in_the_givens_is_the_reason_for_no_hint() -> None:
    givens = list(packs.find("easy:1").puzzle.givens)
    givens[40] = 5
    said = Asker(Puzzle(tuple(givens))).ask(tuple(givens), True)
    assert said == "the puzzle has no solution: no 5 fits in row 8"


def test_after_the_last_hint_a_puzzle_without_a_solution_is_named_as_such() -> None:
    puzzle = packs.find("dead-end").puzzle
    asker, hints = Asker(puzzle), 0
    said = asker.ask(puzzle.givens, True)
    while asker.worker.hint is not None and hints < 500:
        hints += not asker.worker.revealed
        said = asker.ask(puzzle.givens, True)
    assert hints
    assert said == "the puzzle has no solution"


def test_of_a_puzzle_without_a_solution_no_value_is_called_wrong() -> None:
    puzzle = packs.find("dead-end").puzzle
    first = next(hints.hints(puzzle, puzzle.givens)).finding
    cells = list(puzzle.givens)
    for cell, value in first.placed:
        cells[cell] = value
    cells[cells.index(0)] = 1
    said = Asker(puzzle).ask(tuple(cells), True)
    assert said.endswith("from the givens alone: the puzzle has no solution")


def test_with_several_solutions_the_techniques_find_nothing() -> None:
    blank = packs.find("blank").puzzle
    assert Asker(blank).ask(blank.givens, True) == "the techniques find nothing more on this board"


def test_a_hint_keeps_its_reason_the_way_back_and_the_warning_where_there_is_little_room() -> None:
    worker = HintWorker(lambda: None, over_step=True)
    finding = next(each for each in hints.hints(PUZZLE, PUZZLE.givens) if each.finding.struck)
    said = worker._sentence(PUZZLE, finding, right=False, revealed=True)
    assert said.text.endswith("from the givens alone: the grid has wrong values   esc closes the hint")
    names = [each[1] for each in Formatter().parse(said.template)]
    assert [each[1] for each in Formatter().parse(said.brief)] == names
    assert said.brief.endswith("givens only: the grid has wrong values   {key_leave} closes it")
    above, below = plain(verdict_rows(said, Space(80, 2, UNICODE), VerdictLayout()))
    for piece in (finding.finding.where, "≠", "esc", "the grid has wrong values"):
        assert piece in above + below


def test_a_right_grid_of_a_puzzle_with_several_solutions_is_not_called_wrong() -> None:
    puzzle = packs.find("traps:2").puzzle
    solved = count(puzzle, 2).examples[1]
    assert Asker(puzzle).ask(solved, True) == "every cell is filled correctly"
    partly = tuple(solved[cell] if cell == puzzle.free_cells[0] else value for cell, value in enumerate(puzzle.givens))
    assert "wrong" not in Asker(puzzle).ask(partly, True)


def test_a_hint_beside_candidates_says_that_it_rests_on_the_values_alone() -> None:
    said, answered = [], threading.Event()

    def done() -> None:
        said.append(worker.notice.text)
        answered.set()

    worker = HintWorker(done)
    for has_candidates in (True, False):
        worker.ask(PUZZLE, PUZZLE.givens, False, has_candidates)
        assert answered.wait(PATIENCE)
        answered.clear()
    assert ["from the digits alone, not the solver's candidates" in each for each in said] == [True, False]


def test_a_search_that_takes_long_shows_that_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    waited, answered = threading.Event(), threading.Event()

    def slow(puzzle: Puzzle, cells: tuple[int, ...]) -> bool:
        assert waited.wait(PATIENCE)
        return True

    def done() -> None:
        said.append(worker.notice.badge)
        (answered if worker.hint is not None else waited).set()

    monkeypatch.setattr(hints, "SILENT", 0.0)
    monkeypatch.setattr(hints, "completes", slow)
    worker = HintWorker(done)
    worker.ask(PUZZLE, PUZZLE.givens, shown=False)
    assert answered.wait(PATIENCE)
    assert said == ["SEARCHING", "HINT"]


def test_the_next_press_is_obeyed_though_the_thread_of_the_answer_has_not_ended() -> None:
    answers: list[str] = []
    finished = threading.Event()

    def done() -> None:
        answers.append(worker.notice.text)
        if len(answers) == 1:
            presser = threading.Thread(target=press)
            presser.start()
            assert pressed.wait(PATIENCE)
        elif len(answers) == 2:
            finished.set()

    def press() -> None:
        pressed.set()
        worker.ask(PUZZLE, wrong(1), shown=False)

    pressed = threading.Event()
    worker = HintWorker(done)
    worker.ask(PUZZLE, PUZZLE.givens, shown=False)
    assert finished.wait(PATIENCE)
    assert len(answers) == 2
