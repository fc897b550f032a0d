"""Questions about children and generations: textbook crossovers of what is shown give what is right."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import pytest

from engine.events.population import NEITHER, SECOND, Bred, GenerationEnded
from engine.puzzle import SYMBOLS, Puzzle, cell_name
from engine.questions import Choice, Mark, Values
from tests.engine.questions import asking
from tests.engine.questions.asking import EASY, Moment, the

SIXTEEN = Puzzle((0,) * 256, 4)
INSIDE = [("ga-rows", {"crossover": "order", "mutation": "swap"}), ("ga-ordered", {"crossover": "pmx"}),
          ("ga-ordered", {"crossover": "order", "unit": "box", "selection": "tournament"}),
          ("ga-memetic", {"crossover": "pmx", "proposals": 20})]
BLOCKS = [("ga-cells", {}), ("ga-cells", {"crossover": "cut"}), ("ga-cells", {"crossover": "box"}),
          ("ga-rows", {"mutation": "swap"}), ("ga-rows", {"crossover": "cut", "mutation": "swap"}), ("ga-ordered", {}),
          ("ga-memetic", {"proposals": 20})]

def asked(name: str, steps: int, values: dict[str, object], puzzle: Puzzle = EASY) -> Iterator[Moment]:
    """Some steps of a small population and the questions about each."""
    return asking.asked(name, steps, puzzle, seed=5, **{"size": 40, **values})


def shown(question: Values) -> tuple[list[int], list[int], int, int]:
    """(values of A, of B, the segment's begin and end) as the facts have them."""
    facts = dict(question.given)
    words = facts["parent A"].replace("[", " [ ").replace("]", " ] ").split()
    begin, end = words.index("["), words.index("]") - 1
    second = [int(word) for word in facts["parent B"].split()]
    return [int(word) for word in words if word.isdigit()], second, begin, end


def pmx(a: list[int], b: list[int], begin: int, end: int) -> list[int]:
    """Goldberg and Lingle: exchange the values of B, one pair of the mapping after the other, to match the segment."""
    child = list(b)
    for place in range(begin, end):
        other = child.index(a[place])
        child[place], child[other] = child[other], child[place]
    return child


def order(a: list[int], b: list[int], begin: int, end: int) -> list[int]:
    """Davis: rotate both to the end of the segment, strike its values out of B."""
    left = [value for value in b[end:] + b[:end] if value not in a[begin:end]]
    tail = len(a) - end
    return left[tail:] + a[begin:end] + left[:tail]


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize(("name", "values"), INSIDE)
def test_a_textbook_crossover_of_the_facts_is_right(name: str, values: dict[str, object]) -> None:
    seen = 0
    for _before, after, events, questions in asked(name, 300, values):
        if "child-values" not in questions:
            continue
        question = the(Values, questions["child-values"])
        a, b, begin, end = shown(question)
        child = (pmx if values["crossover"] == "pmx" else order)(a, b, begin, end)
        assert question.judge(question.read(" ".join(map(str, child)))).right
        assert question.judge(question.read("".join(map(str, child)))).right
        if name != "ga-memetic":  # whose children are refined before they are kept
            assert [after.grid_at(events[0].child)[cell] for cell in question.marked] == child
        assert child not in (a, b), "copying a parent would be right"
        plain = (*b[:begin], *a[begin:end], *b[end:])
        assert plain == tuple(child) or "permutation" in question.judge(plain).misconception
        assert question.individual == events[0].parents[0]
        seen += 1
    assert seen > 60


def test_what_pmx_repairs_is_what_it_takes_from_neither_parent() -> None:
    seen = several = 0
    for before, _after, events, questions in asked("ga-ordered", 300, {"crossover": "pmx"}):
        if "broken" not in questions:
            continue
        question, event = the(Mark, questions["broken"]), events[0]
        assert question.rights == {frozenset(cell for cell in question.marked if event.mask[cell] == NEITHER)}
        values = Counter(question.grid[cell] for cell in question.marked)
        repeated = {cell for cell in question.marked if values[question.grid[cell]] > 1}
        assert question.model < repeated
        assert "The segment stays" in question.judge(frozenset(repeated) - question.model).misconception
        elsewhere = set(range(81)) - set(question.marked)
        first = before.grid_at(event.parents[0])
        assert all(question.grid[cell] == first[cell] for cell in elsewhere)
        cell = min(question.model)
        [kept] = [other for other in repeated - question.model if question.grid[other] == question.grid[cell]]
        assert question.why.startswith(
            f"{cell_name(cell, 9)} has {question.grid[cell]}, which the segment has in {cell_name(kept, 9)}")
        several += len(question.model) > 1
        seen += 1
    assert seen > 60
    assert several


@pytest.mark.parametrize(("name", "values"), BLOCKS)
def test_the_mask_and_the_parents_give_the_child(name: str, values: dict[str, object]) -> None:
    seen = 0
    for _before, after, events, questions in asked(name, 200, values):
        if "child-values" not in questions:
            continue
        question, event = the(Values, questions["child-values"]), events[0]
        facts = dict(question.given)
        a, b = ([int(word) for word in facts[f"parent {letter}"].split()] for letter in "AB")
        if "cut" in facts:
            cut = facts["cut"].removesuffix(": A before, B behind")
            after_row = cut.startswith("after row")
            last = int(cut.removeprefix("after row ")) * 9 - 1 if after_row else (
                (int(cut[7]) - 1) * 9 + int(cut[9]) - 1)
            letters = ["A" if cell <= last else "B" for cell in question.marked]
        else:
            letters = facts["mask"].split()
            assert letters == ["B" if event.mask[cell] == SECOND else "A" for cell in question.marked]
        child = [x if letter == "A" else y for x, y, letter in zip(a, b, letters, strict=True)]
        assert question.judge(question.read(" ".join(map(str, child)))).right
        assert "A alone" in question.judge(tuple(a)).misconception
        assert "B alone" in question.judge(tuple(b)).misconception
        place = next(place for place, value in enumerate(a) if value != b[place])
        origin = f"{cell_name(question.marked[place], 9)} gets {child[place]} from {letters[place]}, since its mask is"
        assert "cut" in facts or question.why == f"{origin} {letters[place]}."
        for alone in (a, b):
            place = next(place for place, value in enumerate(child) if value != alone[place])
            judgement = question.judge(tuple(alone))
            assert f"{cell_name(question.marked[place], 9)} gets {child[place]} from {letters[place]}, since it" in (
                f"{judgement.misconception} {judgement.why}")
        if name != "ga-memetic":
            assert [after.grid_at(event.child)[cell] for cell in question.marked] == child
        seen += 1
    assert seen > 30


def test_broken_cells_of_a_child_are_those_whose_value_its_row_repeats() -> None:
    seen = 0
    for _before, after, events, questions in asked("ga-cells", 100, {}):
        if "broken" not in questions:
            continue
        question = the(Mark, questions["broken"])
        child = after.grid_at(events[0].child)
        assert question.grid == child
        assert question.hides_conflicts
        row = [child[cell] for cell in question.marked]
        assert question.rights == {frozenset(cell for cell in question.marked if row.count(child[cell]) > 1)}
        seen += 1
    assert seen > 30


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("name", "values"), [("ga-rows", {}), ("ga-ordered", {"elite": 5}), ("ga-cells", {}),
                                              ("ga-ordered", {"unit": "box", "selection": "tournament", "elite": 9}),
                                              ("ga-ordered", {"size": 40, "elite": 39, "patience": 10_000}),
                                              ("ga-ordered", {"size": 40, "elite": 1})])
def test_who_is_left_out_is_not_in_the_next_generation(name: str, values: dict[str, object]) -> None:
    seen = 0
    for before, after, events, questions in asked(name, 700, values):
        if not isinstance(events[0], GenerationEnded):
            assert "left-out" not in questions
            continue
        question = the(Choice, questions["left-out"])
        facts = dict(question.given)
        kept = int(facts["places"]) - int(facts["children"])
        chosen = [*before.genes[:kept].tolist(), *before.children[:before.made].tolist()]
        assert Counter(map(tuple, chosen)) == Counter(map(tuple, after.genes.tolist()))
        *individuals, all_stay = question.options
        assert all_stay == "all of these are"
        left_out = 0
        for place, option in enumerate(individuals):
            number = int(option.split("#")[1].split()[0]) - 1
            assert option.startswith("child ") is (number >= before.size)
            assert question.judge(place).right is (kept <= number < before.size)
            left_out += question.judge(place).right
        assert left_out <= 1
        assert not re.search(r"\b1 (children|places)", f"{question.why} {question.mistakes}")
        assert question.judge(len(individuals)).right is not bool(left_out)
        parents = [option.split("E ")[1] for option in individuals if not option.startswith("child ")]
        assert ("equal E" in facts) is (len(set(parents)) < len(parents))
        seen += 1
    assert seen > 5


def test_a_bad_child_stays_and_that_is_a_known_mistake() -> None:
    for _before, _after, _events, questions in asked("ga-cells", 300, {}):
        if "left-out" in questions:
            question = the(Choice, questions["left-out"])
            worst = max(range(len(question.options) - 1), key=lambda place: int(question.options[place].split("E ")[1]))
            if question.options[worst].startswith("child"):
                assert "whatever its E is" in question.judge(worst).misconception
                return
    raise AssertionError


@pytest.mark.sweep
def test_robots_are_always_right_and_guesses_as_often_as_chance_says() -> None:
    drawn, count, right, expected, variance = random.Random(3), Counter[str](), 0, 0.0, 0.0
    for name, values in (*INSIDE, *BLOCKS):
        for _before, _after, _events, questions in asked(name, 150, values):
            for question in questions.values():
                assert question.judge(question.read(question.write(question.model))).right
                count[question.kind] += 1
            if "child-values" in questions:
                question = the(Values, questions["child-values"])
                if math.factorial(len(question.values)) == question.ways:
                    guess = tuple(drawn.sample(question.values, len(question.values)))
                else:
                    facts = dict(question.given)
                    guess = tuple(int(drawn.choice(pair)) for pair in
                                  zip(facts["parent A"].split(), facts["parent B"].split(), strict=True))
                right += question.judge(guess).right
                expected += question.chance
                variance += question.chance * (1 - question.chance)
    assert count["child-values"] > 500
    assert min(count[kind] for kind in ("child-values", "broken", "left-out", "parent")) > 20
    assert abs(right - expected) < 4 * variance ** 0.5 + 1


def test_children_of_one_parent_have_no_crossover_to_ask_about() -> None:
    alone = 0
    for _before, _after, events, questions in asked("ga-ordered", 60, {"selection": "tournament", "cross_rate": 0.3}):
        if isinstance(events[0], Bred) and events[0].parents[0] == events[0].parents[1]:
            assert "child-values" not in questions
            alone += 1
    assert alone > 20


def test_values_of_a_larger_grid_are_numbers_and_read_as_letters_too() -> None:
    for _before, _after, _events, questions in asked("ga-ordered", 20, {"crossover": "order"}, SIXTEEN):
        if "child-values" in questions:
            question = the(Values, questions["child-values"])
            letters = "".join(SYMBOLS[value] for value in question.model)
            assert len(letters) == 16
            assert question.judge(question.read(letters.lower())).right
            assert question.judge(question.read(question.write(question.model))).right
            assert question.write(question.model) == " ".join(map(str, question.model))
            return
    raise AssertionError


def test_what_is_inherited_or_mutated_is_told_by_comparing_the_child_with_its_parents() -> None:
    seen: Counter[str] = Counter()
    for before, after, events, questions in asked("ga-ordered", 300, {}):
        event = events[0]
        for kind in ("inherited", "mutated"):
            if kind not in questions:
                continue
            question = the(Mark, questions[kind])
            a, b = (before.grid_at(place) for place in event.parents)
            child = question.grid
            assert list(child) == list(after.grid_at(event.child))
            wanted = {cell for cell in question.marked if child[cell] != a[cell]
                      and (child[cell] == b[cell]) is (kind == "inherited")}
            assert question.judge(frozenset(wanted)).right
            assert kind == "inherited" or wanted <= set(event.mutated)
            cell = min(wanted)
            assert kind == "inherited" or question.why.startswith(
                f"{cell_name(cell, 9)}: A {a[cell]}, B {b[cell]}, child {child[cell]}")
            seen[kind] += 1
    assert min(seen["inherited"], seen["mutated"]) > 20


def test_the_parent_of_a_pair_by_rank_is_its_other_half() -> None:
    seen = 0
    for _before, _after, events, questions in asked("ga-ordered", 300, {}):
        if "parent" in questions:
            first, second = events[0].parents
            assert first ^ 1 == second
            question = the(Choice, questions["parent"])
            assert question.judge(question.read(f"#{second + 1}")).right
            seen += 1
    assert seen > 20


def places(name: str, steps: int, kind: str, values: dict[str, object]) -> Counter[int]:
    """How often the right option of a choice is at which place."""
    return Counter(the(Choice, questions[kind]).model for _b, _a, _e, questions in asked(name, steps, values)
                   if kind in questions)


def test_the_place_of_the_right_option_tells_nothing() -> None:
    pairs = places("ga-ordered", 500, "parent", {})
    assert len(pairs) >= 4
    assert max(pairs.values()) < 0.6 * sum(pairs.values())
    left_out = places("ga-ordered", 1500, "left-out", {})
    assert len(left_out) >= 4
    assert max(left_out.values()) < 0.6 * sum(left_out.values())


def test_no_kind_is_asked_more_than_three_times_in_a_row_at_births() -> None:
    kinds = [kind for _b, _a, _e, questions in asked("ga-ordered", 200, {}) for kind in questions]
    assert max(len(list(run)) for _kind, run in groupby(kinds)) <= 3


def test_mates_of_a_population_larger_than_its_panel_are_offered_with_their_own_energies() -> None:
    """One entry of the panel stands for several individuals then."""
    count = 0
    for before, _after, _events, questions in asked("ga-ordered", 620, {"size": 1100}):
        if "parent" not in questions:
            continue
        count += 1
        for option in the(Choice, questions["parent"]).options:
            name, energy = option.split(" E ")
            assert int(energy) == before.energies[int(name.removeprefix("#")) - 1]
    assert count > 20
