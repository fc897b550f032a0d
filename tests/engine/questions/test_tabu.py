"""Questions about tabu search, against a tabu list kept here and every E counted over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from engine import energy
from engine.events import Restarted
from engine.questions import Choice, Question
from tests.engine.questions.asking import EASY, asked, play_by_chance, the

PAIRS = [(a, b) for box in EASY.geometry.boxes
         for a, b in combinations([cell for cell in box.cells if not EASY.givens[cell]], 2)]


def e_after(grid: tuple[int, ...], swap: tuple[int, int]) -> int:
    cells = list(grid)
    cells[swap[0]], cells[swap[1]] = cells[swap[1]], cells[swap[0]]
    return energy.box_state_energy(EASY, cells)


Told = tuple[Any, Any, int, dict[tuple[int, int], int], dict[str, Question]]


def told(steps: int, seed: int = 7, **values: object) -> Iterator[Told]:
    """(state before, event, lowest E of the attempt, steps left of each tabu swap, questions)."""
    until: dict[tuple[int, int], int] = {}
    lowest = 10**6
    for before, _after, events, questions in asked("tabu", steps, seed=seed, **values):
        event: Any = events[0]
        lowest = min(lowest, before.energy)
        left = {(a, b): min(until.get((a, before.grid[b]), 0), until.get((b, before.grid[a]), 0)) - before.step
                for a, b in PAIRS}
        yield before, event, lowest, {swap: steps for swap, steps in left.items() if steps > 0}, questions
        a, b = event.cells
        until |= {(a, before.grid[a]): event.step + event.tenure, (b, before.grid[b]): event.step + event.tenure}
        if any(isinstance(other, Restarted) for other in events):
            until, lowest = {}, 10**6


def cells_of(option: str) -> tuple[int, int]:
    """The cells of `b r2c3 ↔ r3c1`."""
    a, b = sorted((int(word[1]) - 1) * 9 + int(word[3]) - 1 for word in option[2:].split(" ↔ "))
    return a, b


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("values", [{}, {"tenure": 20, "drawn": 20}, {"tenure": 0, "drawn": 0, "per_conflict": 0.0}])
def test_the_best_allowed_moves_are_right_and_the_facts_true(values: dict[str, object]) -> None:
    asked_about = barred = left_out = 0
    for before, event, lowest, banned, questions in told(120, **values):
        after = {swap: e_after(before.grid, swap) for swap in PAIRS}
        allowed = {swap for swap in PAIRS if swap not in banned or after[swap] < lowest}
        if "tabu-move" not in questions:
            assert event.step % 8 == 4 or not allowed or len({after[swap] for swap in allowed}) == 1
            continue
        question, least = the(Choice, questions["tabu-move"]), min(after[swap] for swap in allowed)
        facts = dict(question.given)
        assert facts["E"] == f"{before.energy}, attempt's lowest {lowest}"
        for place, option in enumerate(question.options):
            swap = cells_of(option)
            assert question.judge(place).right is (swap in allowed and after[swap] == least)
            change = after[swap] - before.energy
            written = f"ΔE {change:+d}".replace("-", "−") if change else "ΔE 0"
            if set(swap) == set(question.marked):
                written = "ΔE = ?"
                left_out += 1
            steps = banned.get(swap)
            assert facts[option[0]] == written + (f", tabu {steps}" if steps else "")
            barred += swap in banned
        assert tuple(sorted(event.cells)) == cells_of(question.options[question.model]), "of equal moves the one made"
        asked_about += 1
    assert asked_about > 80
    assert left_out == asked_about
    assert barred > 20 or "per_conflict" in values


@pytest.mark.sweep
def test_aspiration_applies_where_e_falls_below_the_lowest() -> None:
    answers = []
    for before, event, lowest, banned, questions in (each for seed in range(3) for each in told(
            400, seed=seed, tenure=20, drawn=20)):
        if "aspiration" not in questions:
            if event.aspired:
                assert event.energy in [e_after(before.grid, swap) for swap in PAIRS if swap not in banned]
            continue
        after = {swap: e_after(before.grid, swap) for swap in banned}
        question = the(Choice, questions["aspiration"])
        a, b = sorted(question.marked)
        applies = after[a, b] < lowest
        assert question.judge(question.read("yes" if applies else "no")).right
        assert not question.judge(question.read("no" if applies else "yes")).right
        assert after[a, b] == min(after.values())
        assert applies or not event.aspired
        answers.append(applies)
    assert 0.2 < sum(answers) / len(answers) < 0.8
    assert len(answers) > 5


def test_a_robot_is_always_right_and_a_guess_as_often_as_chance_says() -> None:
    play_by_chance(asked("tabu", 500), {"tabu-move"}, least=300)


def test_the_reason_names_all_moves_that_are_right() -> None:
    tied = 0
    for _before, _after, _events, questions in asked("tabu", 120):
        question = questions.get("tabu-move")
        if question is not None and len(question.rights) > 1 and " is tabu" not in question.why:
            letters = " and ".join(question.options[place][0] for place in sorted(question.rights))
            assert question.why.startswith(f"{letters} have the lowest ΔE")
            tied += 1
    assert tied > 3


def test_a_better_neighbour_is_asked_for_now_and_then() -> None:
    steps = [events[0].step for _before, _after, events, questions in asked("tabu", 40)
             if "better-neighbour" in questions]
    assert steps == [4, 12, 20, 28, 36]


def test_no_question_of_a_step_answers_another_one() -> None:
    """The reason of a better neighbour names the best move, and the facts of a tabu move its ΔE."""
    both = {"better-neighbour", "tabu-move"}
    assert not any(both <= questions.keys() for _before, _after, _events, questions in asked("tabu", 200))


def test_the_reason_tells_the_change_that_was_left_out() -> None:
    told_of = 0
    for before, _event, _lowest, _banned, questions in told(40):
        if "tabu-move" in questions:
            question = the(Choice, questions["tabu-move"])
            a, b = question.marked
            place = next(place for place, option in enumerate(question.options) if cells_of(option) == (a, b))
            change = e_after(before.grid, (a, b)) - before.energy
            written = f"{change:+d}".replace("-", "−") if change else "0"
            assert written in question.why or " is tabu" in question.why
            told_of += 1
            if place not in question.rights and "It is tabu" not in question.misconception(place):
                assert question.misconception(place).startswith(f"Its ΔE is {written}; ")
    assert told_of > 20


def test_the_unknown_move_and_the_lowest_that_is_shown_are_right_about_as_often() -> None:
    count = unknown_wins = shown_wins = 0
    for _before, _event, _lowest, _banned, questions in told(240):
        if "tabu-move" not in questions:
            continue
        question = the(Choice, questions["tabu-move"])
        facts = [dict(question.given)[option[0]] for option in question.options]
        unknown = facts.index("ΔE = ?") if "ΔE = ?" in facts else None
        shown = {place: int(fact.split()[1].replace("−", "-")) for place, fact in enumerate(facts)
                 if "?" not in fact and "tabu" not in fact}
        if not shown:
            continue
        count += 1
        unknown_wins += unknown in question.rights
        shown_wins += min(shown, key=shown.__getitem__) in question.rights
    assert count > 100
    assert 0.35 < unknown_wins / count < 0.65
    assert 0.35 < shown_wins / count < 0.65


def test_the_unknown_move_is_one_that_is_allowed() -> None:
    for _before, _event, _lowest, _banned, questions in told(120):
        if "tabu-move" in questions:
            question = the(Choice, questions["tabu-move"])
            for place, option in enumerate(question.options):
                barred = dict(question.given)[option[0]].startswith("ΔE = ?, tabu")
                assert not barred or place in question.rights  # aspiration
