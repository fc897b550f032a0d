"""The laws of the contract as checks, for built-in solvers and for yours.

    from engine.conformance import check_solver
    check_solver(MY_SOLVER)

or, with pytest, one test per law:

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_law(check):
        check(MY_SOLVER)

A check raises Nonconformance with one sentence: the law, the puzzle, the step. The solver object must be a global of
its module (`SOLVER`, or an item of `SOLVERS`), so that a new process finds it. The checks cache the runs of a solver
object: after a change to its class, start a new process.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.conformance.cases import Nonconformance
from engine.conformance.declared import (
    channels_and_knobs_are_declared,
    kinds_are_declared,
    names_and_texts,
    parameters_are_declared,
    program_is_readable,
)
from engine.conformance.ends import (
    any_puzzle_is_taken_or_refused,
    complete_solvers_decide,
    energy_is_zero_where_it_is_solved,
    no_solution_is_proven_or_not_claimed,
    outcome_comes_with_the_last_step,
)
from engine.conformance.runs import (
    bad_interventions_change_nothing,
    interventions_replay,
    run_files_replay,
    run_finds,
    run_halts,
    run_seeks,
)
from engine.conformance.steps import (
    advance_equals_steps,
    copies_are_independent,
    evaluations_are_counted,
    events_are_explained,
    events_are_small_and_plain,
    events_equal_steps,
    fresh_process_agrees,
    generator_can_be_dropped,
    individuals_can_be_picked,
    init_is_deterministic,
    jumps_are_declared,
    random_state_is_untouched,
    rare_events_are_marked,
    recordings_say_the_same,
    samples_fit_the_channels,
    states_can_be_packed,
    steps_have_events,
    stops_halt_at_the_first_step,
    views_are_well_shaped,
)
from engine.solver import AnySolver

__all__ = ["CHECKS", "Check", "Nonconformance", "check_solver"]

Check = Callable[[AnySolver], None]

CHECKS: tuple[Check, ...] = (
    names_and_texts,
    program_is_readable,
    parameters_are_declared,
    channels_and_knobs_are_declared,
    kinds_are_declared,
    init_is_deterministic,
    steps_have_events,
    evaluations_are_counted,
    events_are_small_and_plain,
    rare_events_are_marked,
    jumps_are_declared,
    events_are_explained,
    views_are_well_shaped,
    individuals_can_be_picked,
    samples_fit_the_channels,
    recordings_say_the_same,
    advance_equals_steps,
    stops_halt_at_the_first_step,
    generator_can_be_dropped,
    events_equal_steps,
    copies_are_independent,
    states_can_be_packed,
    random_state_is_untouched,
    fresh_process_agrees,
    outcome_comes_with_the_last_step,
    energy_is_zero_where_it_is_solved,
    no_solution_is_proven_or_not_claimed,
    complete_solvers_decide,
    any_puzzle_is_taken_or_refused,
    run_seeks,
    run_finds,
    run_halts,
    run_files_replay,
    interventions_replay,
    bad_interventions_change_nothing,
)
"""All laws; the simplest first."""


def check_solver(solver: AnySolver) -> None:
    """Check a solver against every law. Raises Nonconformance at the first broken one, naming law, puzzle and step."""
    for check in CHECKS:
        try:
            check(solver)
        except Nonconformance as broken:
            raise Nonconformance(f"{solver.name} breaks the law {check.__name__}: {broken}") from None
