"""Breakpoints as text: parsed and displayed."""

from __future__ import annotations

import pytest

from engine import registry
from engine.breakpoints import Stop
from engine.errors import ParameterError
from engine.puzzle import cell_name
from engine.puzzles import packs
from engine.run.cursor import Cursor
from tests.engine.strangers.toy_population import ToyPopulation
from tui.playback import breakpoint_syntax

EPOCH = {"generation": "epoch"}


def test_a_solver_brings_its_own_words() -> None:
    stop = Stop(frozenset({"generation"}))
    assert breakpoint_syntax.words(stop, 9, registry.solver("ga-rows")) == "generation"
    assert breakpoint_syntax.words(stop, 9, registry.solver("swarm")) == "epoch"
    assert breakpoint_syntax.parse(" Epoch ", 9, ("best", "generation"), EPOCH) == stop
    with pytest.raises(ParameterError, match=r"or one of new best, epoch$"):
        breakpoint_syntax.parse("nothing", 9, ("best", "generation"), EPOCH)


def test_the_end_of_a_generation_is_called_the_same_where_one_goes_to_it_and_where_one_halts() -> None:
    """`< > epoch` in the last row and `generation` in the list of breakpoints once were the same thing."""
    solvers = [registry.solver(name) for name in registry.names() if name != "cp-sat"]
    found = {(each.period_word, breakpoint_syntax.kind_word("generation", each.kind_words))
             for each in solvers if each.period_kind == "generation"}
    assert found == {("generation", "generation"), ("epoch", "epoch")}


def test_an_energy_of_a_population_is_that_of_its_best() -> None:
    stop = Stop(energy=5)
    assert breakpoint_syntax.words(stop, 9, registry.solver("anneal")) == "E ≤ 5"
    assert breakpoint_syntax.words(stop, 9, registry.solver("swarm")) == "best E now ≤ 5"


@pytest.mark.parametrize(("typed", "energy"), [
    ("E <= 5", 5), ("e≤5", 5), ("best E <= 5", 5), ("best E now ≤ 5", 5), ("5", 5), ("E 5", 5), ("E<30", 29),
    ("< 1", 0)])
def test_less_than_an_energy_is_one_less(typed: str, energy: int) -> None:
    assert breakpoint_syntax.parse(typed, 9, ()) == Stop(energy=energy)


@pytest.mark.parametrize("typed", ["E=7", "= 7", "E < 0", "E>3", "E <= 0.5"])
def test_an_energy_is_compared_by_at_most_only(typed: str) -> None:
    with pytest.raises(ParameterError, match="expected E <= 5, a cell from r1c1"):
        breakpoint_syntax.parse(typed, 9, ())


def test_a_given_is_refused_where_no_step_touches_it() -> None:
    puzzle = packs.find("easy:1").puzzle
    fixed = breakpoint_syntax.fixed_cells(registry.solver("anneal"), puzzle)
    assert fixed == {cell for cell in range(81) if puzzle.givens[cell]}
    with pytest.raises(ParameterError, match=r"^r1c3 is a given and never changes: expected a free cell$"):
        breakpoint_syntax.parse("R1C3", 9, (), fixed=fixed)
    assert breakpoint_syntax.parse("r1c1", 9, (), fixed=fixed) == Stop(cell=0)


def test_a_solver_from_elsewhere_declares_that_it_touches_givens() -> None:
    class Reporting(ToyPopulation):
        touches_givens = True

    puzzle = packs.find("4x4:2").puzzle
    given = next(cell for cell, value in enumerate(puzzle.givens) if value)
    assert given in breakpoint_syntax.fixed_cells(ToyPopulation(), puzzle)
    fixed = breakpoint_syntax.fixed_cells(Reporting(), puzzle)
    assert breakpoint_syntax.parse(cell_name(given, 4), 4, (), fixed=fixed) == Stop(cell=given)


def test_a_kind_named_propagated_says_nothing_about_givens() -> None:
    class Propagating(ToyPopulation):
        kinds = (*ToyPopulation.kinds, "propagated")

    puzzle = packs.find("4x4:2").puzzle
    assert breakpoint_syntax.fixed_cells(Propagating(), puzzle)


@pytest.mark.parametrize("name", [name for name in registry.names() if registry.solver(name).missing() is None])
def test_no_step_touches_a_fixed_cell(name: str) -> None:
    solver, puzzle = registry.solver(name), packs.find("4x4:2").puzzle
    params = solver.make_params(None)
    cursor = Cursor(solver, solver.init(puzzle, params, 0), params)
    touched = {cell for events in cursor.events(60) for event in events for cell in event.touched}
    assert not touched & breakpoint_syntax.fixed_cells(solver, puzzle)
