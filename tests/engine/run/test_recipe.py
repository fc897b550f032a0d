"""Recipes as one line: reading restores what was written, and an invalid line is refused with one sentence."""

from __future__ import annotations

import re
import shlex
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.errors import BadInput
from engine.params import describe, to_dict
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.rng import MAX_SEED
from engine.run.recipe import LAST_STEP, OWN, Intervention, Recipe, RecipeLine, line, looks_like_one, parse
from engine.run.run import Run
from engine.state import digest

GRID = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
PUZZLE = Puzzle.from_line(GRID)
ALL = [registry.solver(name) for name in registry.names()]
SOLVERS = [solver for solver in ALL if not solver.recorded]


def values(parameter):
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.type is bool:
        return st.booleans()
    if parameter.type is int:
        return st.integers(int(parameter.minimum or 0), int(parameter.maximum or 10**9))
    return st.floats(parameter.minimum, parameter.maximum, exclude_min=parameter.exclusive_minimum,
                     exclude_max=parameter.exclusive_maximum, allow_nan=False, allow_infinity=False)


@st.composite
def recipes(draw):
    solver = draw(st.sampled_from(SOLVERS))
    box = draw(st.sampled_from((2, 3, 4, 5)))
    random = Random(draw(st.integers(0, 2**32)))
    givens = [random.randint(0, box * box) for _cell in range(box**4)]
    puzzle = Puzzle(tuple(givens), box, draw(st.sampled_from(("classic", "diagonal"))))
    declared = describe(solver.Params)
    params = to_dict(solver.make_params())
    for each in draw(st.lists(st.sampled_from(declared), unique_by=lambda each: each.name)) if declared else ():
        params[each.name] = draw(values(each))
    try:
        solver.make_params(None, params)
    except BadInput:  # a rule between several parameters
        params = to_dict(solver.make_params())
    made = [Intervention(step, knob.name, draw(st.floats(knob.minimum, knob.maximum)))
            for knob in solver.knobs for step in sorted(draw(st.lists(st.integers(0, LAST_STEP), max_size=3)))]
    recipe = Recipe(puzzle, solver.name, params, draw(st.integers(0, MAX_SEED)), tuple(made))
    return RecipeLine(recipe, draw(st.integers(0, LAST_STEP)))


@given(recipes())
def test_a_written_recipe_is_read_unchanged(found):
    written = line(found.recipe, found.step)
    assert parse(written) == found
    assert looks_like_one(written)
    assert written.isascii()
    assert written.isprintable()
    assert shlex.split(f"'{written}'") == [written]


def test_a_line_has_no_more_than_it_needs():
    solver = registry.solver("anneal")
    recipe = Recipe(PUZZLE, "anneal", to_dict(solver.make_params(None, {"alpha": 0.99})), 7,
                    (Intervention(1200, "T", 0.5),))
    assert line(recipe, 410496) == f"{GRID}?solver=anneal&seed=7&alpha=0.99&at=1200:T=0.5&step=410496"


@pytest.mark.parametrize(("solver", "preset", "begins"), [
    ("anneal", "strong", "solver=anneal&seed=7"), ("anneal", "easy", "solver=anneal&trajectory=2&seed=7&"),
    ("swarm", "course", "solver=swarm&trajectory=2&seed=7"), ("swarm", "standard", "solver=swarm&trajectory=2&seed=7&"),
    ("swarm-anneal", "default", "solver=swarm-anneal&trajectory=2&seed=7"),
    ("swarm-anneal", "constant", "solver=swarm-anneal&seed=7")])
def test_a_line_names_the_oldest_version_in_which_the_run_is_the_same(solver, preset, begins):
    recipe = Recipe(PUZZLE, solver, to_dict(registry.solver(solver).make_params(preset)), 7, ())
    written = line(recipe)
    assert written.removeprefix(f"{GRID}?").startswith(begins)
    assert parse(written).recipe == recipe
    if "trajectory" not in begins:
        assert "draw" not in written


@pytest.mark.parametrize(("query", "draw"), [
    ("solver=swarm&seed=7", "pairs"), ("solver=swarm&seed=7&trajectory=1", "pairs"),
    ("solver=swarm&seed=7&trajectory=2", "group"), ("solver=swarm&seed=7&preset=course", "group"),
    ("solver=swarm&seed=7&preset=standard", "group"), ("solver=swarm&seed=7&draw=group", "group"),
    ("solver=swarm&seed=7&trajectory=1&size=100&epochs=2000&attempts=5", "pairs"),
    ("solver=swarm&seed=7&trajectory=3", "group"),
    ("solver=anneal&seed=7&neighbourhood=row-swap", "pairs"), ("seed=7&preset=medium", "group"),
    ("seed=7&preset=medium&trajectory=1", "pairs")])
def test_a_line_of_an_earlier_version_is_the_run_that_it_was_then(query, draw):
    """Version 1 drew all pairs alike and had no parameter for it; the presets of the sheets draw by box since then."""
    assert parse(f"{GRID}?{query}").recipe.params["draw"] == draw


def test_people_may_write_less_and_name_presets_and_puzzles():
    found = parse("hard:1?preset=easy&seed=3", lambda name: packs.find(name).puzzle)
    assert found.recipe.puzzle == packs.find("hard:1").puzzle
    assert found.recipe.params == to_dict(registry.solver("anneal").make_params("easy"))
    assert (found.recipe.seed, found.step, found.recipe.interventions) == (3, 0, ())


@given(recipes(), st.lists(st.integers(1, 400), max_size=4))
def test_a_line_that_was_copied_from_a_screen_in_pieces_is_read(found, places):
    written = line(found.recipe, found.step)
    for place in sorted(places, reverse=True):
        written = f"{written[:place]}  \n   {written[place:]}"
    assert looks_like_one(written)
    assert parse(written) == found


def test_the_run_is_the_same_run():
    begun = Run.start("anneal", PUZZLE, registry.solver("anneal").make_params("easy"), 3)
    begun.advance(50)
    begun = begun.intervene("T", 0.25)
    begun.advance(50)
    found = parse(line(begun.recipe, begun.playhead))
    solver = registry.solver(found.recipe.solver)
    again = Run.start(solver, found.recipe.puzzle, solver.make_params(None, found.recipe.params), found.recipe.seed,
                      found.recipe.interventions)
    again.advance(found.step)
    assert (again.playhead, digest(again.state)) == (100, digest(begun.state))


@pytest.mark.parametrize("solver", [each for each in ALL if each.recorded], ids=lambda solver: solver.name)
def test_a_run_that_does_not_follow_from_its_recipe_has_no_line(solver):
    with pytest.raises(BadInput, match="save it as a file instead"):
        line(Recipe(PUZZLE, solver.name, to_dict(solver.make_params()), 1, ()))


@pytest.mark.parametrize("solver", ALL, ids=lambda solver: solver.name)
def test_no_parameter_has_a_name_of_ours(solver):
    assert not {each.name for each in describe(solver.Params)}.intersection(OWN)


@pytest.mark.parametrize(("text", "said"), [
    (GRID, "expected a recipe, as GRID?solver=anneal&seed=7"),
    ("?seed=1", "expected a recipe"),
    (f"{GRID}?seed", "seed in the recipe: expected NAME=VALUE"),
    (f"{GRID}?=3", "=3 in the recipe: expected NAME=VALUE"),
    (f"{GRID}?seed=x", "seed=x in the recipe: expected a whole number from 0 to 9223372036854775807"),
    (f"{GRID}?seed=-1", "seed=-1 in the recipe: expected a whole number"),
    (f"{GRID}?seed=1&seed=2", "seed in the recipe: expected it only once"),
    (f"{GRID}?step=1e3", "step=1e3 in the recipe: expected a whole number"),
    (f"{GRID}?step={'9' * 30}", "in the recipe: expected a whole number"),
    (f"{GRID}?solver=magic", "no solver 'magic'"),
    (f"{GRID}?preset=magic", "anneal has no preset 'magic'"),
    (f"{GRID}?beta=1", "no parameter 'beta'"),
    (f"{GRID}?alpha=2", "alpha = 2: expected a number above 0 and below 1"),
    (f"{GRID}?variant=round", "variant=round in the recipe: expected classic or diagonal"),
    (f"{GRID}?trajectory=99", "version 99 of anneal's trajectory"),
    (f"{GRID}?solver=mac", "its steps would not be the same; if you wrote it yourself, add trajectory=3"),
    (f"{GRID}?at=5", "at=5 in the recipe: expected STEP:NAME=VALUE"),
    (f"{GRID}?at=5:T", "at=5:T in the recipe: expected STEP:NAME=VALUE"),
    (f"{GRID}?at=x:T=1", "at=x in the recipe: expected a whole number"),
    (f"{GRID}?at=5:T=hot", "at=5:T=hot in the recipe: expected T from 0.0001 to 100"),
    (f"{GRID}?at=5:T=1e9", "expected T from 0.0001 to 100"),
    (f"{GRID}?at=5:alpha=7", "alpha = 7"),
    (f"{GRID}?at=5:beta=7", "beta in the recipe: expected what can change while anneal runs, one of T, "),
    (f"{GRID[1:]}?seed=1", "a line of 80 symbols: expected 16, 81, 256 or 625"),
    (f"{GRID}?%0a=1", "no parameter '\\n'"),
])
def test_an_invalid_recipe_is_refused_with_one_sentence(text, said):
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=80), st.text(max_size=20))
def test_nonsense_is_refused_and_nothing_else_happens(query, value):
    with pytest.raises(BadInput):
        parse(f"{GRID}?{query}&alpha=x{value}")


def test_a_parameter_with_the_name_of_another_entry_is_written_with_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.run.recipe.OWN", (*OWN, "alpha"))
    recipe = Recipe(PUZZLE, "anneal", to_dict(registry.solver("anneal").make_params(None, {"alpha": 0.99})), 7)
    assert line(recipe) == f"{GRID}?solver=anneal&seed=7&param.alpha=0.99"
    assert parse(line(recipe)).recipe == recipe


def test_the_bounds_of_a_knob_and_of_the_steps_are_inside() -> None:
    made = parse(f"{GRID}?at=0:T=0.0001&at=1000000000000000000:T=100&step=1000000000000000000")
    assert [(each.step, each.value) for each in made.recipe.interventions] == [(0, 0.0001), (10**18, 100.0)]
    assert made.step == 10**18
    for beyond in ("at=5:T=0.00009", "at=5:T=100.1", "at=1000000000000000001:T=1", "step=1000000000000000001"):
        with pytest.raises(BadInput, match="expected"):
            parse(f"{GRID}?{beyond}")


@pytest.mark.parametrize(("entry", "shown"), [("a" * 40, "a" * 40), ("a" * 41, "a" * 39 + "…")])
def test_a_refusal_shortens_an_entry_of_more_than_40_characters(entry: str, shown: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(f"{GRID}?{entry}")
    assert str(caught.value) == f"{shown} in the recipe: expected NAME=VALUE"


@pytest.mark.parametrize(("text", "meant"), [
    (f"{GRID}?seed=1", True), ("hard:1?solver=anneal", True), ("hard:1", False), ("what?", False), ("?a=1", False),
    ("file?.sdk", False)])
def test_a_recipe_is_recognised(text, meant):
    assert looks_like_one(text) is meant


@given(st.text(alphabet=" \t\n\r\x0babc"))
def test_line_ends_of_a_recipe_and_the_blanks_around_them_do_not_count(text: str) -> None:
    sources: list[str] = []

    def puzzle_of(source: str) -> Puzzle:
        sources.append(source)
        return Puzzle.from_line(GRID)

    parse(f"1{text}2?seed=1", puzzle_of)
    assert sources == [re.sub(r"[^\S\n]*\n\s*", "", f"1{text}2")]


def test_blanks_by_the_thousand_take_no_longer_than_other_characters() -> None:
    """A regular expression that tries each blank as the first would make some billion comparisons here."""
    assert not looks_like_one(" " * 100_000 + "x")
    assert not looks_like_one(f"{GRID}{' ' * 100_000}")


def test_interventions_are_sorted_by_step_and_keep_their_order_within_one() -> None:
    made = parse(f"{GRID}?at=30:T=0.5&at=10:T=0.7&at=30:T=0.6").recipe.interventions
    assert [(each.step, each.value) for each in made] == [(10, 0.7), (30, 0.5), (30, 0.6)]


def test_interventions_are_selected_by_step() -> None:
    recipe = parse(f"{GRID}?at=10:T=0.7&at=30:T=0.5&at=30:T=0.6&at=31:T=0.8").recipe
    assert [each.value for each in recipe.made_after(30)] == [0.5, 0.6]
    assert recipe.made_after(29) == ()
    assert [each.step for each in recipe.until(30)] == [10, 30, 30]
