"""Genetic algorithms: the same children and generations as a plain version in Python makes, rows and boxes that stay
permutations, a mask that is correct, doublings, ends, bad parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import energy, registry
from engine.breakpoints import Stop
from engine.errors import ParameterError, PuzzleError
from engine.events import Done, NewBest, Restarted
from engine.events.population import FIRST, NEITHER, SECOND, Bred, GenerationEnded, Outgrown, Refined
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solver import AnySolver
from engine.solvers.population.genetic.state import GeneticState
from engine.view import population_in
from tests.engine.solvers.annealing.boards import EASY, HARD, sparse
from tests.engine.solvers.population.plain import Plain, order, pmx

CELLS = [{"crossover": crossover, "selection": selection, "mutation": mutation, "elite": elite}
         for crossover, selection, mutation, elite in (
             ("uniform", "neighbours", "anew", 0), ("row", "tournament", "swap", 2), ("box", "neighbours", "swap", 5),
             ("cut", "tournament", "anew", 0))]
ROWS = [{"crossover": crossover, "selection": selection, "mutation": mutation, "elite": elite}
        for crossover, selection, mutation, elite in (
            ("uniform", "neighbours", "anew", 0), ("cut", "tournament", "swap", 1), ("pmx", "neighbours", "swap", 3),
            ("order", "tournament", "anew", 0))]
ORDERED = [{"unit": "box", "crossover": "whole", "selection": "tournament"},
           {"unit": "box", "crossover": "pmx", "selection": "neighbours"},
           {"unit": "row", "crossover": "order", "mutation": "anew"}, {"unit": "box", "crossover": "cut", "rivals": 1}]
KINDS = [*(("ga-cells", each) for each in CELLS), *(("ga-rows", each) for each in ROWS),
         *(("ga-ordered", each) for each in ORDERED)]
BOARDS = [EASY, sparse(2, "diagonal"), sparse(4)]


def small(name: str, **values: Any) -> tuple[AnySolver, Any]:
    solver = registry.solver(name)
    return solver, solver.make_params(None, {"size": 24, "elite": 1, **values})


def begin(name: str, puzzle: Puzzle, seed: int = 5, **values: Any) -> tuple[AnySolver, Any, GeneticState]:
    solver, params = small(name, **values)
    return solver, params, solver.init(puzzle, params, seed)


@pytest.mark.sweep(keep=19)
@pytest.mark.parametrize("board", BOARDS, ids=["9x9", "4x4 diagonal", "16x16"])
@pytest.mark.parametrize(("name", "values"), KINDS, ids=str)
def test_the_children_are_those_of_the_plain_version(name: str, values: dict[str, Any], board: Puzzle) -> None:
    solver, params, state = begin(name, board, mutation_rate=0.2, **values)
    genes = {"ga-cells": "cells", "ga-rows": "rows"}.get(name, "boxes" if values.get("unit") == "box" else "rows")
    plain = Plain(board, params, 5, genes)
    assert [list(state.grid_at(k)) for k in range(24)] == [grid for _, grid in plain.people]
    for _ in range(2 if board.n > 9 else 3):
        for child in plain.turn():
            if state.status:
                return
            solver.advance(state, params, 1)
            made = state.made - 1
            assert list(state.grid_at(24 + made)) == child.grid
            assert (int(state.bred[made]), tuple(state.parents[made].tolist())) == (child.energy, child.parents)
        if state.status:
            return
        solver.advance(state, params, 1)
        assert list(zip(state.energies.tolist(), state.genes.tolist(), strict=True)) == plain.people


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(1, 8)), st.permutations(range(1, 8)), st.integers(0, 7), st.integers(0, 7))
def test_the_plain_crossovers_give_permutations_that_keep_the_part(
        a: list[int], b: list[int], i: int, j: int) -> None:
    begin, end = min(i, j), max(i, j)
    for make in (pmx, order):
        made = make(a, b, begin, end)
        assert sorted(made) == sorted(a)
        assert made[begin:end] == a[begin:end]
    assert pmx(a, a, begin, end) == order(a, a, begin, end) == a


@pytest.mark.parametrize(("name", "values"), KINDS, ids=str)
def test_masks_are_correct_and_genes_stay_permutations(name: str, values: dict[str, Any]) -> None:
    solver, params, state = begin(name, EASY, **values)
    geometry = EASY.geometry
    kept = {"ga-cells": (), "ga-rows": geometry.rows}.get(
        name, geometry.boxes if values.get("unit") == "box" else geometry.rows)
    older = state.genes.copy()
    for events in solver.steps(state, params):
        if isinstance(events[0], GenerationEnded):
            break
        event = events[0]
        assert isinstance(event, Bred)
        grid, (a, b) = state.grid_at(event.child), (older[place] for place in event.parents)
        assert all(value in (0, got) for value, got in zip(EASY.givens, grid, strict=True))
        assert all(sorted(grid[cell] for cell in unit.cells) == list(range(1, 10)) for unit in kept)
        for cell in range(81):
            if cell in event.mutated:
                assert event.mask[cell] == NEITHER
            elif event.mask[cell] != NEITHER:
                assert grid[cell] == (a if event.mask[cell] == FIRST else b)[cell]
            assert event.mask[cell] in (FIRST, SECOND, NEITHER)


def test_energies_are_those_of_the_obvious_definition() -> None:
    for name, count in (("ga-cells", energy.full_energy), ("ga-rows", energy.row_state_energy),
                        ("ga-ordered", energy.row_state_energy), ("ga-memetic", energy.box_state_energy)):
        solver, params, state = begin(name, EASY)
        solver.advance(state, params, 60)
        for place in range(solver.individuals(state)):
            found = int(state.energies[place] if place < 24 else state.child_energies[place - 24])
            assert found == count(EASY, state.grid_at(place))


def test_a_population_whose_best_does_not_move_doubles_and_restarts() -> None:
    solver, params, state = begin("ga-cells", HARD, size=4, most=16, elite=0, patience=3, mutation_rate=1.0)
    sizes, reported = [4], []
    while len(reported) < 4:
        for event in solver.advance(state, params, 200).rare:
            if isinstance(event, Outgrown | Restarted):
                reported.append(event)
        sizes.append(state.size)
    assert [type(event) for event in reported[:3]] == [Outgrown, Outgrown, Restarted]
    assert isinstance(reported[0], Outgrown)
    assert (reported[0].before, reported[0].after, reported[0].stagnation) == (4, 8, 3)
    assert max(sizes) == 16
    assert state.best == energy.full_energy(HARD, solver.best(state)[0])


def test_the_step_that_doubles_shows_the_generations_that_led_to_it() -> None:
    solver, params, state = begin("ga-cells", HARD, size=4, most=8, elite=0, patience=3, mutation_rate=1.0)
    seen = []
    for events in solver.steps(state, params):
        if found := [event for event in events if isinstance(event, Outgrown | Restarted)]:
            seen.append((type(found[0]), solver.view(state, params, events).live["double"]))
            if len(seen) == 2:
                break
    assert seen == [(Outgrown, "idle 3 of 3"), (Restarted, "idle 3 of 3")]
    assert solver.view(state, params, next(solver.steps(state, params))).live["double"] == "idle 0 of 3"


def test_a_refinement_that_solves_makes_no_more_proposals() -> None:
    solver, params, state = begin("ga-memetic", EASY)
    refined = [event for events in solver.steps(state, params) for event in events if isinstance(event, Refined)]
    assert refined[-1].after == 0
    assert 0 < refined[-1].proposals < params.proposals
    assert all(event.proposals == params.proposals for event in refined[:-1])


def test_two_threads_make_the_same_children_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    solver, params, state = begin("ga-rows", EASY, size=300, elite=0)
    other = solver.init(EASY, params, 5)
    solver.advance(state, params, 500)
    monkeypatch.setattr("engine.solvers.population.genetic.breeding.PARALLEL", 10)
    solver.advance(other, params, 500)
    assert np.array_equal(state.genes, other.genes)
    assert np.array_equal(state.children, other.children)


def test_children_bred_before_a_change_of_rate_have_no_marks() -> None:
    solver, params = small("ga-cells")
    run = Run.start(solver, EASY, params, 3)
    run.advance(6)
    assert "parent_a" in solver.view_of(run.state, run.params, (), 24 + 5).marks
    run = run.intervene("mutation_rate", 0.9)
    run.advance(2)
    assert "parent_a" not in solver.view_of(run.state, run.params, (), 24 + 5).marks
    moved = solver.view_of(run.state, run.params, (), 24 + 7).marks["moved"]
    assert len(moved) > 20


@pytest.mark.parametrize("name", ["ga-cells", "ga-memetic"])
def test_a_change_after_a_birth_leaves_its_parents_and_the_origin_of_its_cells(name: str) -> None:
    solver, params = small(name)
    run = Run.start(solver, EASY, params, 3)
    run.advance(6)
    for individual in (None, 24 + 5):
        before = run.view(individual)
        after = run.intervene("mutation_rate", 0.9).view(individual)
        assert {"parent_a", "parent_b"} < before.marks.keys()
        assert after.marks == before.marks
        for view in (before, after):
            panel = population_in(view.panel)
            assert panel is not None
            assert len(panel.parents) == 2


def test_a_refined_child_is_as_good_as_before_or_better() -> None:
    solver, params, state = begin("ga-memetic", HARD, proposals=300)
    for events, _ in zip(solver.steps(state, params), range(15), strict=False):
        bred, refined = events[0], events[1]
        assert isinstance(bred, Bred)
        assert isinstance(refined, Refined)
        assert refined.before == bred.energy >= refined.after
        assert 0 < refined.accepted <= refined.proposals == 300
        assert solver.view(state, params, events).live["judge"] == f"E = {refined.after}"
    assert state.grid_at(24 + 14) != solver.init(HARD, params, 5).grid


@pytest.mark.parametrize(("puzzle", "values"), [
    (EASY, {"size": 8, "proposals": 300}), (Puzzle.from_line("1..............."), {"size": 4, "proposals": 7}),
    (HARD, {"size": 6, "patience": 1, "most": 24, "proposals": 3})])
def test_annealing_counts_as_evaluations(puzzle: Puzzle, values: dict[str, Any]) -> None:
    solver = registry.solver("ga-memetic")
    params = solver.make_params(None, {**values, "elite": 0})
    state = solver.init(puzzle, params, 3)
    made = 0
    for events, _ in zip(solver.steps(state, params), range(400), strict=False):
        made += 1 + sum(event.proposals for event in events if isinstance(event, Refined))
        assert solver.evaluations(state, params) == made
    assert (solver.outcome(state) is not None) is (puzzle is not HARD)


def test_solved_at_once_and_never() -> None:
    full = Puzzle.from_line("1234341221434321")
    for name in ("ga-cells", "ga-rows", "ga-ordered", "ga-memetic"):
        solver, params, state = begin(name, full)
        outcome = solver.outcome(state)
        assert outcome is not None
        assert (outcome.status, outcome.grid) == ("solved", full.givens)
        with pytest.raises(PuzzleError, match="contradict"):
            solver.init(Puzzle.from_line("11.............."), params, 0)


def test_a_budget_that_is_spent_is_the_reason() -> None:
    for name in ("ga-rows", "ga-ordered"):
        solver, params, state = begin(name, HARD, max_steps=40)
        result = solver.advance(state, params, 10**6)
        assert (result.steps, result.reason) == (40, "done")
        ends = [event for event in result.rare if isinstance(event, Done)]
        assert [event.reason for event in ends] == ["the budget is spent at step 40"]


def test_a_tournament_of_one_is_a_draw() -> None:
    solver, params = small("ga-ordered", unit="box", crossover="pmx", selection="tournament", rivals=1)
    run, told = Run.start(solver, HARD, params, 1), set()
    for _step in range(100):
        run.advance(1)
        told |= {run.because(event).text for event in run.events}
    assert "Each parent is drawn at random; the child joins the next generation." in told
    assert not any("best of 1" in sentence for sentence in told)


def test_where_nothing_can_vary_it_gives_up_at_once() -> None:
    solver, _, state = begin("ga-rows", Puzzle.from_line("123.34.221.4432."))
    outcome = solver.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.reason) == ("gave_up", "no gene has two free cells: all individuals are alike")


@pytest.mark.parametrize("name", ["ga-cells", "ga-rows", "ga-ordered", "ga-memetic"])
@pytest.mark.parametrize(("values", "said"), [
    ({"size": 0}, "size = 0"), ({"mutation_rate": 1.5}, "mutation_rate = 1.5"), ({"cross_rate": -0.1}, "cross_rate"),
    ({"size": 200_000}, "size"), ({"size": 30, "elite": 30}, "elite = 30"), ({"size": 2000, "most": 1000}, "size"),
    ({"selection": "lottery"}, "selection"), ({"crossover": "zip"}, "crossover")])
def test_bad_parameters_are_refused_with_a_sentence(name: str, values: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        registry.solver(name).make_params(None, values)


def test_crossovers_that_cannot_work_are_not_offered() -> None:
    with pytest.raises(ParameterError, match="expected one of uniform, row, box, cut"):
        registry.solver("ga-cells").make_params(None, {"crossover": "pmx"})
    with pytest.raises(ParameterError, match="expected one of uniform, cut, pmx, order"):
        registry.solver("ga-rows").make_params(None, {"crossover": "box"})


@pytest.mark.sweep
def test_new_bests_have_their_steps_in_batches_too() -> None:
    solver, params, state = begin("ga-ordered", EASY, size=200)
    one, other = state, solver.init(EASY, params, 5)
    singly = [event for events, _ in zip(solver.steps(one, params), range(900), strict=False) for event in events
              if isinstance(event, NewBest)]
    bulk = [event for event in solver.advance(other, params, 900).rare if isinstance(event, NewBest)]
    assert singly == bulk != []
    assert solver.advance(solver.init(EASY, params, 5), params, 900, Stop(frozenset({"best"}))).steps == singly[0].step


@pytest.mark.parametrize(("name", "values", "said"), [
    ("ga-cells", {}, "uniform"), ("ga-cells", {"crossover": "box"}, "box by box"), ("ga-rows", {"crossover": "pmx"},
                                                                                    "PMX in each row"),
    ("ga-ordered", {}, "row by row"), ("ga-ordered", {"unit": "box", "crossover": "order"}, "order in each box")])
def test_a_crossover_has_a_short_description(name: str, values: dict[str, Any], said: str) -> None:
    solver, params, state = begin(name, EASY, cross_rate=1.0, **values)
    events = next(iter(solver.steps(state, params)))
    assert isinstance(events[0], Bred)
    assert events[0].how == said


def test_a_cut_is_described_with_its_place() -> None:
    for name, where in (("ga-cells", "cut after r"), ("ga-rows", "cut after row ")):
        solver, params, state = begin(name, EASY, cross_rate=1.0, mutation_rate=0.0, crossover="cut")
        bred = next(iter(solver.steps(state, params)))[0]
        assert isinstance(bred, Bred)
        assert bred.how.startswith(where)
        first = bred.mask.index(SECOND)
        assert bred.how == (f"cut after r{(first - 1) // 9 + 1}c{(first - 1) % 9 + 1}" if name == "ga-cells"
                            else f"cut after row {first // 9}")


def test_a_population_that_may_not_grow_to_eight_is_compiled_for() -> None:
    solver = registry.solver("ga-ordered")
    params = solver.make_params(None, {"size": 6, "most": 6})
    solver.warm_up(EASY, params)
    assert solver.advance(solver.init(EASY, params, 1), params, 20).steps == 20
