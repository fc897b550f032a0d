"""Questions about the flights of particles: swaps tried on the grid, and shares counted over many flights."""

from __future__ import annotations

import pytest

from engine.questions import Choice, Number
from tests.engine.questions.asking import asked, play_by_chance, the
from tests.engine.questions.test_tabu import cells_of


def alike(grid: list[int], target: list[int]) -> set[int]:
    return {cell for cell in range(81) if grid[cell] == target[cell]}


def factors(question: Number) -> tuple[float, float]:
    """The constant and the random number of a pull, as the facts have them."""
    _best, (_c, c), (_r, r) = question.given
    assert r.endswith("drawn in [0, 1)")
    return float(c.split(",")[0]), float(r.split(",")[0])


@pytest.mark.sweep
def test_the_right_swap_puts_a_cell_onto_its_value_and_no_other_does() -> None:
    towards = set()
    for before, _after, events, questions in asked("swarm-velocity", 400, size=20):
        if "towards" not in questions:
            continue
        question = the(Choice, questions["towards"])
        particle = events[0].particle  # type: ignore[attr-defined]
        name = next(each for each in ("pBest", "gBest") if each in question.text)
        target = before.own[particle if name == "pBest" else int(before.now["guide"])].tolist()
        x = before.genes[particle].tolist()
        assert question.individual == particle
        facts = dict(question.given)
        assert facts["particle"].replace(" ", "") == "".join(str(x[cell]) for cell in question.marked)
        means = {"pBest": "its best grid in this attempt", "gBest": "the best grid of all in this attempt"}
        assert facts[f"{name} is"] == means[name]
        assert facts[name].replace(" ", "") == "".join(str(target[cell]) for cell in question.marked)
        for place, option in enumerate(question.options):
            a, b = cells_of(option)
            moved = list(x)
            moved[a], moved[b] = moved[b], moved[a]
            assert {a, b} <= set(question.marked)
            judged = question.judge(place)
            assert judged.right is bool(alike(moved, target) - alike(x, target))
            assert bool(judged.misconception) is not judged.right
        towards.add(name)
    assert towards == {"pBest", "gBest"}


@pytest.mark.sweep
def test_the_share_of_swaps_that_is_taken_is_the_one_asked_for() -> None:
    """Of p ⊖ x, one swap for each cell that a walk through the boxes must correct, that share is in the velocity."""
    expected = taken = 0.0
    asked_about = 0
    for before, _after, events, questions in asked("swarm-velocity", 2000, size=20, length=500):
        if "pull" not in questions:
            continue
        event, question = events[0], the(Number, questions["pull"])
        own = "towards pBest" in question.text
        place = event.particle if own else int(before.now["guide"])  # type: ignore[attr-defined]
        x, target = before.genes[event.particle].tolist(), before.own[place].tolist()  # type: ignore[attr-defined]
        swaps = 0
        for box in before.puzzle.geometry.boxes:
            for cell in box.cells:
                if x[cell] != target[cell]:
                    other = next(each for each in box.cells if x[each] == target[cell])
                    x[cell], x[other] = x[other], x[cell]
                    swaps += 1
        expected += question.value * swaps
        taken += event.own if own else event.towards  # type: ignore[attr-defined]
        c, r = factors(question)
        assert question.judge(min(1.0, c * r)).right
        assert (question.low, question.high) == (0, 1)
        asked_about += 1
    assert asked_about > 300
    assert taken == pytest.approx(expected, rel=0.05)


@pytest.mark.sweep
def test_known_mistakes_about_the_share_are_named() -> None:
    said = set()
    for _before, _after, _events, questions in asked("swarm-velocity", 400, size=20):
        if "pull" in questions:
            question = the(Number, questions["pull"])
            _c, r = factors(question)
            said.add(question.judge(r).misconception)
    assert said == {"", "It is multiplied by c₁.", "It is multiplied by c₂."}


@pytest.mark.sweep
def test_a_robot_is_always_right_and_a_guess_as_often_as_chance_says() -> None:
    play_by_chance(asked("swarm-velocity", 600, size=30), {"towards"}, least=300)
