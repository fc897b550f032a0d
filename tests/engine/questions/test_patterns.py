"""Questions about patterns: what the right one strikes, and what is wrong with other cells, recounted on the board."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from random import Random

import pytest

from engine.events.search import Found
from engine.puzzles import packs
from engine.questions import Mark
from engine.questions.forms import MOST_TEXT
from engine.run.run import Run
from engine.techniques.board import Board
from engine.techniques.finding import Finding
from engine.techniques.order import TECHNIQUES
from tests.engine.questions.asking import the

IDLE = "a pattern too, but it strikes no candidate."
EXTREME = packs.find("extreme:3").puzzle


@pytest.fixture(scope="module")
def pair() -> Mark:
    """A naked pair: 4 and 9 in r9c6 and r9c7."""
    run = Run.start("human", EXTREME)
    run.advance(37)
    return the(Mark, next(question for question in run.ask() if question.kind == "pattern"))  # type: ignore[no-any-return]


def test_two_values_of_the_same_cells_are_two_patterns() -> None:
    run = Run.start("human", packs.find("hard:1").puzzle)
    run.advance(3)
    why = next(question.why for question in run.ask() if question.kind == "technique")
    assert why == "Pointing: 8 patterns here, and nothing easier finds any."


def test_a_pattern_that_strikes_nothing_is_told_so(pair: Mark) -> None:
    assert pair.given == (("pattern", "only one that strikes a candidate"),)
    judgement = pair.judge(pair.read("r8c4 r9c6"))
    assert not judgement.right
    assert judgement.misconception == f"4 and 9 in box 8: {IDLE}"
    assert judgement.why == "4 and 9 in row 9; it strikes 9 in r9c1, r9c3 and r9c8, 4 in r9c3 and r9c8."


@pytest.mark.parametrize(("cells", "said"), [
    ("r9c6", "Right as far as it goes: 1 of 2 cells."),
    ("r9c1", "Naked pair: the pattern has 2 cells, not 1."),
    ("r9c1 r9c3 r9c8", "Naked pair: the pattern has 2 cells, not 3."),
    ("r9c6 r9c7 r9c8", "A pattern of 2 cells is among them; the others are no part of it."),
    ("r1c7 r9c1", "No row, column or box has all of these cells."),
    ("r1c7 r6c7", "They can hold 3 4 9: 3 values, not just 2."),
])
def test_wrong_cells_are_told_what_is_wrong_with_them(pair: Mark, cells: str, said: str) -> None:
    assert pair.judge(pair.read(cells)).misconception == said


@pytest.mark.parametrize("name", ["medium:2", "extreme:3", "diagonal:3"])
def test_the_reason_of_a_right_answer_is_about_its_cells(name: str) -> None:
    run, places = Run.start("human", packs.find(name).puzzle), 0
    for _step in range(40):
        question = next((each for each in run.ask() if each.kind == "pattern"), None)
        board = Board(run.puzzle.box, run.puzzle.variant, list(run.state.grid), list(map(int, run.state.masks)))
        run.advance(1)
        if question is None:
            continue
        mark, event = the(Mark, question), run.events[0]
        assert isinstance(event, Found)
        for cells in mark.rights - {mark.model}:
            said = mark.judge(cells).why
            assert len(said) <= MOST_TEXT
            wheres = [each.where.lower() for each in _findings(event.technique, board)
                      if frozenset(each.cells) == cells]
            assert said.lower().startswith(tuple(wheres)), (cells, said)
            assert "The solver takes" in said
            if place := re.match(r"(\d) has one place in (\w+ \w+)", said):
                places += 1
                unit = next(each for each in run.puzzle.geometry.units if each.name == place[2])
                assert {cell for cell in unit.cells if board.masks[cell] >> int(place[1]) - 1 & 1} == cells
    assert places or name != "medium:2"


@pytest.mark.parametrize("name", ["extreme:3", "extreme:5", "hard:4", "diagonal:3"])
def test_every_wrong_answer_has_a_reason_and_what_strikes_nothing_is_such_a_pattern(name: str) -> None:
    random, run, idle = Random(1), Run.start("human", packs.find(name).puzzle), 0
    for _step in range(60):
        question = next((each for each in run.ask() if each.kind == "pattern"), None)
        before = run.state
        board = Board(run.puzzle.box, run.puzzle.variant, list(before.grid), list(map(int, before.masks)))
        run.advance(1)
        if question is None:
            continue
        mark, event = the(Mark, question), run.events[0]
        assert isinstance(event, Found)
        assert len(mark.why) <= MOST_TEXT
        assert re.search(r"trikes|can be nothing else|has one place", mark.why)
        for cells in _marked(mark, random):
            said = mark.judge(cells).misconception
            assert 0 < len(said) <= MOST_TEXT
            if said.endswith(IDLE):
                idle += 1
                assert _found_elsewhere(event.technique, cells, board), (said, cells)
    assert idle or name != "extreme:3"


def _marked(mark: Mark, random: Random) -> list[frozenset[int]]:
    """Wrong answers: some at random, and those that are all places of a value in a box, or pairs of a unit."""
    free = sorted(mark.free)
    found = [frozenset(random.sample(free, min(len(free), random.randint(1, mark.most)))) for _ in range(20)]
    if len(mark.model) == 2:
        found += map(frozenset, itertools.combinations(free, 2))
    return [cells for cells in found if not mark.is_right(cells)]


def _findings(technique: str, board: Board) -> Iterator[Finding]:
    return next(each.find for each in TECHNIQUES if each.name == technique)(board)


def _found_elsewhere(technique: str, cells: frozenset[int], board: Board) -> bool:
    """Whether the technique finds these cells once some cell has all candidates: a pattern that strikes nothing."""
    for cell in range(len(board.values)):
        masks, values = [*board.masks], [*board.values]
        masks[cell], values[cell] = (1 << board.tables.n) - 1, 0
        wider = Board(board.tables.box, board.tables.variant, values, masks)
        if any(frozenset(each.cells) == cells for each in _findings(technique, wider)):
            return True
    return False
