"""Laws of the end of a run, and of unusual puzzles."""

from __future__ import annotations

from engine import state as states
from engine.breakpoints import NEVER, Stop
from engine.conformance import cases
from engine.conformance import cases as trial
from engine.conformance.cases import require
from engine.conformance.views import check_view
from engine.energy import errors
from engine.errors import BadInput
from engine.events import Done, Event
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solver import AnySolver, Outcome


def outcome_comes_with_the_last_step(solver: AnySolver) -> None:
    """The outcome is None exactly while steps follow; the last step has a Done; a solution solves the puzzle."""
    for puzzle in (trial.FOUR, trial.FOUR_DIAGONAL):
        case = trial.case_of(solver, puzzle)
        if case is None:
            continue
        state = case.init(solver)
        last: tuple[Event, ...] = ()
        for last in trial.take(_watched(solver, state, case), trial.PATIENCE):
            ended = solver.outcome(state) is not None
            said = [event for event in last if isinstance(event, Done)]
            require(bool(said) == ended and len(said) <= 1,
                    f"{case}, step {state.step}: {len(said)} Done, but the run has {'' if ended else 'not '}ended")
        outcome = solver.outcome(state)
        if outcome is not None:
            _check_end(solver, case, state, outcome, last)


def _watched(solver: AnySolver, state: states.State, case: trial.Case) -> trial.Steps:
    """The steps up to the first with an outcome."""
    for events in solver.steps(state, case.params):
        yield events
        if solver.outcome(state) is not None:
            break


def _check_end(solver: AnySolver, case: trial.Case, state: states.State, outcome: Outcome,
               last: tuple[Event, ...]) -> None:
    """The outcome is well-formed, and no step follows."""
    before = states.digest(state)
    require(next(iter(solver.steps(state, case.params)), None) is None, f"{case}: steps follow after the end")
    for stop in (NEVER, Stop(frozenset({"done"}))):
        result = solver.advance(state, case.params, 10, stop)
        require((result.steps, result.reason, result.rare) == (0, "done", ()),
                f"{case}: advance makes steps after the end")
    require(states.digest(state) == before, f"{case}: a call after the end changed the state")
    require(bool(outcome.reason), f"{case}: the outcome has no reason")
    require(all(type(value) is int for value in outcome.grid), f"{case}: the returned grid is not plain")
    require(type(outcome.energy) is int and type(outcome.restarts) is int, f"{case}: the outcome is not plain")
    for event in last:
        if isinstance(event, Done):
            same = (event.status, event.energy, event.reason) == (outcome.status, outcome.energy, outcome.reason)
            require(same, f"{case}: Done and the outcome differ")
    _check_status(case.puzzle, outcome, str(case))


def _check_status(puzzle: Puzzle, outcome: Outcome, where: str) -> None:
    """`solved` means solved; a puzzle with a solution has no `no_solution`."""
    require(outcome.status in ("solved", "no_solution", "gave_up", "unknown"), f"{where}: status {outcome.status!r}")
    require(len(outcome.grid) == puzzle.n**2, f"{where}: the returned grid has {len(outcome.grid)} cells")
    if outcome.status == "solved":
        require(outcome.energy == 0, f"{where}: solved at E = {outcome.energy}")
        require(errors(puzzle, outcome.grid) == 0, f"{where}: solved, but its grid has errors")
    elif puzzle in cases.SOLVABLE:
        require(outcome.status != "no_solution", f"{where}: no_solution, but there is one")


def best_is_the_lowest(solver: AnySolver) -> None:
    """The energy of the best grid is at most the lowest E of the steps so far."""
    for log in trial.logs(solver):
        state, lowest = log.begin(), log.energies[0]
        for _events in trial.take(log.solver.steps(state, log.case.params), log.length):
            lowest, best = min(lowest, state.energy), log.solver.best(state)[1]
            require(best <= lowest, f"{log}, step {state.step}: the best E is {best}, but E was {lowest}")


def energy_is_zero_where_it_is_solved(solver: AnySolver) -> None:
    """E is 0 exactly when the run has ended as solved, and then the grid solves the puzzle."""
    for log in trial.logs(solver):
        state = log.begin()
        _check_zero(log.solver, log.case.puzzle, state, str(log))
        for _ in trial.take(log.solver.steps(state, log.case.params), log.length):
            _check_zero(log.solver, log.case.puzzle, state, str(log))
    for label, puzzle in trial.ODD_PUZZLES:
        case = trial.case_of(solver, puzzle)
        if case is not None:
            state = case.init(solver)
            _check_zero(solver, puzzle, state, label)
            solver.advance(state, case.params, 1)
            _check_zero(solver, puzzle, state, label)


def _check_zero(solver: AnySolver, puzzle: Puzzle, state: states.State, where: str) -> None:
    outcome = solver.outcome(state)
    solved = outcome is not None and outcome.status == "solved"
    ending = "solved" if solved else "not solved"
    require((state.energy == 0) == solved, f"{where}, step {state.step}: E = {state.energy}, but {ending}")
    require(not solved or errors(puzzle, state.grid) == 0,
            f"{where}, step {state.step}: solved, but its grid has errors")


def no_solution_is_proven_or_not_claimed(solver: AnySolver) -> None:
    """On an unsolvable puzzle a complete solver ends with no_solution; no solver ends as solved."""
    case = trial.case_of(solver, trial.UNSOLVABLE)
    if case is None:
        require(not solver.complete, "a complete solver refuses an unsolvable puzzle")
        return
    state = case.init(solver)
    for _ in range(100):
        if solver.outcome(state) is not None:
            break
        solver.advance(state, case.params, 10_000 if solver.complete else 50)
    outcome = solver.outcome(state)
    require(outcome is None or outcome.status != "solved", f"{case}: solved, but there is no solution")
    if solver.complete:
        require(outcome is not None and outcome.status == "no_solution",
                f"{case}: a complete solver does not prove that there is no solution")


def complete_solvers_decide(solver: AnySolver) -> None:
    """A complete solver solves puzzles with one or many solutions and proves others unsolvable; its grids contain the
    givens."""
    for label, puzzle, solutions in cases.DECIDED if solver.complete else ():
        case = trial.case_of(solver, puzzle)
        if case is None:
            continue
        run = Run.start(solver, puzzle, case.params, trial.SEED)
        run.advance(cases.DECIDING)
        require(run.outcome is not None, f"{label}: no end within {cases.DECIDING} steps")
        assert run.outcome is not None
        wanted = "solved" if solutions else "no_solution"
        require(run.outcome.status == wanted, f"{label}: {run.outcome.status} ({run.outcome.reason}), not {wanted}")
        _check_status(puzzle, run.outcome, label)
        kept = all(value in (0, got) for value, got in zip(puzzle.givens, run.outcome.grid, strict=True))
        require(kept or not solutions, f"{label}: the returned grid changes a given")


def any_puzzle_is_taken_or_refused(solver: AnySolver) -> None:
    """Contradictory, full, empty, large and diagonal puzzles are accepted or refused with one sentence (BadInput)."""
    for label, puzzle in trial.ODD_PUZZLES:
        params = solver.make_params()
        try:
            state = solver.init(puzzle, params, trial.SEED)
        except BadInput as error:
            text = str(error)
            require(bool(text) and "\n" not in text, f"{label}: refused without a sentence")
            continue
        for _ in trial.take(solver.steps(state, params), 3):
            pass
        require(len(state.grid) == puzzle.n**2, f"{label}: the grid has {len(state.grid)} cells")
        check_view(solver.view(state, params, ()), solver, puzzle, label)
        outcome = solver.outcome(state)
        if outcome is not None:
            _check_status(puzzle, outcome, label)
        if puzzle.clashes():
            require(outcome is None or outcome.status != "solved",
                    f"{label}: solved, but the givens contradict each other")


CHECKS = (
    outcome_comes_with_the_last_step, best_is_the_lowest, energy_is_zero_where_it_is_solved,
    no_solution_is_proven_or_not_claimed, complete_solvers_decide, any_puzzle_is_taken_or_refused,
)
