"""The question of what a unit adds to E, against a search over all sets of its cells."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from engine.errors import BadInput
from engine.events import SwapJudged
from engine.puzzle import Puzzle, cell_name
from engine.questions import Mark
from tests.engine.questions.asking import EASY, asked, the

DIAGONAL = Puzzle((0,) * 81, 3, "diagonal")
SOLVERS = (("anneal", EASY, {}), ("anneal", EASY, {"neighbourhood": "row-swap"}), ("tabu", EASY, {}),
           ("hill-climb", EASY, {"scan": "steepest"}), ("anneal", DIAGONAL, {"neighbourhood": "extended"}))


def fewest(grid: tuple[int, ...], cells: tuple[int, ...], free: frozenset[int]) -> set[frozenset[int]]:
    """All smallest sets of free cells without which no value is repeated."""
    for size in range(len(cells)):
        found = {frozenset(chosen) for chosen in combinations([cell for cell in cells if cell in free], size)
                 if len({grid[cell] for cell in cells if cell not in chosen}) == len(cells) - size}
        if found:
            return found
    raise AssertionError


@pytest.mark.parametrize(("name", "puzzle", "values"), SOLVERS)
def test_the_fewest_cells_are_right_and_as_many_as_the_unit_adds_to_e(
        name: str, puzzle: Puzzle, values: dict[str, object]) -> None:
    seen = 0
    for before, _after, _events, questions in asked(name, 200, puzzle, **values):
        if "unit-energy" not in questions:
            continue
        question = the(Mark, questions["unit-energy"])
        assert question.rights == fewest(before.grid, question.marked, frozenset(puzzle.free_cells))
        surplus = 9 - len({before.grid[cell] for cell in question.marked})
        assert {len(cells) for cells in question.rights} == {surplus}
        assert question.why.endswith((f" {surplus} to E.", f"= {surplus} to E."))
        seen += 1
    assert seen > 2


def test_it_is_asked_about_every_eighth_step_and_about_one_unit_after_the_other() -> None:
    steps, units = [], []
    for _before, _after, events, questions in asked("anneal", 200):
        if "unit-energy" in questions:
            steps.append(events[0].step)
            units.append(questions["unit-energy"].text)
    assert steps == list(range(1, 200, 8))
    assert len(set(units)) > 8


def test_a_unit_of_e_is_a_cell_too_many() -> None:
    too_many = 0
    for _before, _after, _events, questions in asked("anneal", 40):
        if "unit-energy" in questions:
            question = the(Mark, questions["unit-energy"])
            repeated = frozenset().union(*question.rights)
            if repeated not in question.rights:  # else a given stays of each value
                assert "k equal values add k − 1" in question.judge(repeated).misconception
                too_many += 1
            one = min(question.rights, key=sorted)
            wrong = question.judge(one - {min(one)})
            assert not wrong.right
            assert wrong.correct.endswith(", or others") == (len(question.rights) > 1)
            givens = [cell_name(cell, 9) for cell in question.marked if cell not in question.free]
            assert question.given == ((("givens", f"{' '.join(givens)}: they stay"),) if givens else ())
            last = max(question.rights, key=sorted)
            assert question.judge(last).correct == question.write(last)  # any is right, and the learner's own is named
            for cells in question.rights:
                part = frozenset(sorted(cells)[1:])
                assert part < question.nearest(part)
                assert question.judge(part).correct.startswith(question.write(question.nearest(part)))
    assert too_many


def test_cells_outside_the_unit_are_refused() -> None:
    question = next(questions["unit-energy"] for _before, _after, _events, questions in asked("anneal", 1))
    outside = next(cell for cell in range(81) if cell not in question.marked)
    with pytest.raises(BadInput, match=r"is outside: expected some of r\dc\d"):
        question.read(question.write(frozenset({outside, question.marked[0]})))


def test_of_three_equal_values_two_are_too_many() -> None:
    found = [question for _before, _after, _events, questions in asked("anneal", 800, Puzzle((0,) * 81, 3))
             if (question := questions.get("unit-energy")) and "three times" in question.why]
    assert found
    for question in found:
        three = the(Mark, question)
        one_each = [cells for cells in three.faults if "only one cell stays" in three.faults[cells]]
        assert one_each
        assert all(len(cells) < len(three.model) for cells in one_each)


@pytest.mark.sweep
def test_a_robot_is_always_right_and_a_guess_as_often_as_chance_says() -> None:
    drawn, told, right, expected, variance = random.Random(1), 0, 0, 0.0, 0.0
    count = 0
    for _before, _after, events, questions in asked("anneal", 3200, T0=0.6):
        assert isinstance(events[0], SwapJudged)
        if "unit-energy" in questions:
            question = the(Mark, questions["unit-energy"])
            count += 1
            told += question.judge(question.read(question.write(question.model))).right
            right += question.judge(frozenset(drawn.sample(question.marked, len(question.model)))).right
            expected += question.chance
            variance += question.chance * (1 - question.chance)
    assert count == told == 400
    assert abs(right - expected) < 4 * variance ** 0.5
