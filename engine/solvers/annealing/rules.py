"""Rules that follow a proposal: counting it, new bests, calibration, local minima, restarts, the end of a run.

The generator calls `commit` and `after_proposal` for every proposal. A kernel counts many at once with
`count_proposals`: it makes up to `steps_until_rules` proposals, and halts at the first E below `best_so_far`; no rule
applies in between. `apply_rules` then works on the records alone, and `update_grids`, which takes a Workspace, is
called only after one of GRID_EVENTS, because passing a Workspace at the end of every plateau would cost as much as the
plateau itself.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.kernel import kernel
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.calibration import calibrate
from engine.solvers.annealing.cooling import begin_attempt, cool, logarithmic, rebase, start_temperature
from engine.solvers.annealing.energy_delta import apply
from engine.solvers.annealing.neighbourhood import count_conflicts, count_neighbours, scan
from engine.solvers.annealing.parameters import (
    ATTEMPTS_SPENT,
    BEST,
    BUDGET_SPENT,
    CALIBRATE,
    DONE,
    FRESH_BEST,
    GRID_EVENTS,
    LOCAL_MINIMUM,
    MINIMUM,
    NO_MOVES,
    NOTHING_TO_PROPOSE,
    REJECTED,
    RESTART,
    RUNNING,
    SEARCH,
    SOLVED,
    STUCK,
    SWEEP,
    Config,
    LogRecord,
    SearchState,
    Watch,
)
from engine.solvers.annealing.reheat import count_stagnation, reheat
from engine.solvers.annealing.workspace import Moves, Workspace, counted_energy, fill, recount


@kernel
def commit(workspace: Workspace, move: int, delta: int, accepted: bool) -> None:
    """Make the proposed move if it was accepted, and count the proposal."""
    state = workspace.state
    state.before = state.energy
    energy = state.energy
    if accepted:
        apply(workspace, move)
        energy += delta
    taken = (int(accepted), int(accepted and delta > 0), energy)
    count_proposals(state, workspace.config, 1, taken, energy)
    if state.neighbourhood == codes.CONFLICT_SWAP and energy > 0 and count_conflicts(workspace) == 0:
        state.status = NOTHING_TO_PROPOSE


@kernel
def count_proposals(state: SearchState, config: Config, steps: int, taken: tuple[int, int, int], energy: int) -> None:
    """Count proposals that ended at `energy`; taken = (accepted, accepted uphill, lowest E met)."""
    state.step += steps
    state.moves += steps
    state.since_better += steps
    state.accepted += taken[0]
    state.total_accepted += taken[0]
    state.total_uphill += taken[1]
    state.minimum = min(state.minimum, taken[2])
    state.energy = energy
    if config.schedule == codes.LOGARITHMIC and state.phase == SEARCH:
        state.temperature = logarithmic(state, config, state.step - state.base_step)


@kernel
def after_proposal(workspace: Workspace, log: LogRecord) -> int:
    """Apply the rules after one counted proposal; `log` gets the events. Returns their bits."""
    events = apply_rules(workspace.state, workspace.config, log)
    return update_grids(workspace, log) if events & GRID_EVENTS else events


@kernel
def apply_rules(state: SearchState, config: Config, log: LogRecord) -> int:
    """Apply the rules that need no grid. Returns the bits of the events; GRID_EVENTS require `update_grids`."""
    open_record(state, log)
    if state.energy == 0:
        state.status = SOLVED
    elif state.status == RUNNING:
        if state.phase == CALIBRATE:
            calibrate(state, config, log)
        elif config.patience > 0:
            _climb(state, config, log)
        elif state.moves >= config.moves:  # the plateau is complete
            end_plateau(state, config, log)
    close_record(state, config, log)
    return log.events


@kernel
def update_grids(workspace: Workspace, log: LogRecord) -> int:
    """Keep the best grid, report a local minimum, restart. Returns the bits of all events."""
    state = workspace.state
    if log.events & BEST:
        keep_best(workspace)
    if log.events & MINIMUM:
        deltas = np.empty(len(workspace.board.moves), np.int8)
        recount(workspace)
        scan(workspace, deltas)
        log.better, log.equal, log.worse = count_neighbours(deltas)
    if log.events & RESTART:
        random_restart(workspace)
        log.fresh_energy = state.energy
        if log.fresh_energy < log.best:
            log.events |= FRESH_BEST
    if state.status != RUNNING:
        log.events |= DONE
    return log.events


@kernel
def open_record(state: SearchState, log: LogRecord) -> None:
    """Begin the record of a step: E after the proposal, and a new best if it is one."""
    log.step, log.events, log.energy, log.best_before = state.step, 0, state.energy, state.best
    if state.energy < state.best:
        state.best = state.energy
        log.events |= BEST
    log.best = state.best


@kernel
def close_record(state: SearchState, config: Config, log: LogRecord) -> None:
    """Complete the record: check the budget, and note the end of the run."""
    if state.status == RUNNING and state.step >= config.max_steps:
        state.status = BUDGET_SPENT
    if state.status != RUNNING:
        log.events |= DONE


@kernel
def keep_best(workspace: Workspace) -> None:
    """Copy the cells to the best grid. (Slice assignment would compile an error message for unequal shapes.)"""
    for cell in range(len(workspace.cells)):
        workspace.grids[1, cell] = workspace.cells[cell]


@kernel
def random_restart(workspace: Workspace) -> None:
    """Fill the free cells at random and begin an attempt. `state.first_attempt` is the same in Python."""
    state = workspace.state
    fill(workspace)
    recount(workspace)
    state.energy = counted_energy(workspace.counts)
    if state.energy < state.best:
        state.best = state.energy
        keep_best(workspace)
    begin_attempt(state, workspace.config)
    if state.energy == 0:
        state.status = SOLVED
    elif len(workspace.board.moves) == 0:
        state.status = NO_MOVES
    elif state.neighbourhood == codes.CONFLICT_SWAP and count_conflicts(workspace) == 0:
        state.status = NOTHING_TO_PROPOSE


@kernel
def _climb(state: SearchState, config: Config, log: LogRecord) -> None:
    """hill-climb: stuck when the patience is spent, or when a scan finds no acceptable move."""
    if state.energy < state.lowest:
        state.lowest = state.energy
        state.since_better = 0
    nothing = config.steepest == 1 and log.better == 0 and (log.equal == 0 or config.rule == codes.STRICT)
    if nothing or state.since_better >= config.patience:
        log.events |= MINIMUM
        restart(state, config, log)
        if state.status == ATTEMPTS_SPENT and config.attempts == 1:
            state.status = LOCAL_MINIMUM if nothing else STUCK


@kernel
def end_plateau(state: SearchState, config: Config, log: LogRecord) -> None:
    """Cool, then restart or sweep again at the floor, or reheat after too many plateaus without progress."""
    count_stagnation(state, config)
    at_floor = cool(state, config, log)
    if at_floor and config.at_floor == codes.AT_FLOOR_RESTART:
        restart(state, config, log)
    elif at_floor and config.at_floor == codes.AT_FLOOR_SWEEP:
        state.sweep += 1
        log.sweep = state.sweep
        rebase(state, start_temperature(state, config))
        log.events |= SWEEP
    elif config.stagnation > 0 and state.stagnation >= config.stagnation:
        if config.max_reheats > 0 and state.reheats >= config.max_reheats:
            restart(state, config, log)
        else:
            reheat(state, config, log)


@kernel
def restart(state: SearchState, config: Config, log: LogRecord) -> None:
    """Request the next attempt, or end the run if none is left. `random_restart` makes the new grid."""
    if config.attempts > 0 and state.attempt >= config.attempts:
        state.status = ATTEMPTS_SPENT
    else:
        state.attempt += 1
        log.attempt = state.attempt
        log.events |= RESTART


# The facts that a kernel needs between two calls of the rules.


@kernel
def steps_until_rules(state: SearchState, config: Config) -> int:
    """The number of proposals, at least 1, that can be made before a rule may apply (a new best aside)."""
    if state.phase == CALIBRATE or config.steepest == 1:
        return 1
    left = config.patience - state.since_better if config.patience > 0 else config.moves - state.moves
    return max(1, min(left, config.max_steps - state.step))


@kernel
def best_so_far(state: SearchState, config: Config) -> int:
    """The record to beat: a kernel must call the rules as soon as E falls below it."""
    return state.lowest if config.patience > 0 else state.best


@kernel
def verdict_bit(delta: int, accepted: bool) -> int:
    """The verdict on a proposal, as in `watch.verdicts`."""
    if not accepted:
        return codes.REJECTED
    return codes.IMPROVED if delta < 0 else codes.EQUAL if delta == 0 else codes.UPHILL


@kernel
def halts(watch: Watch, moves: Moves, move: np.uint64, verdict: int) -> bool:
    """True if the breakpoint is hit by the verdict, or by an accepted move of the watched cell."""
    touched = False
    if verdict != REJECTED and watch.cell >= 0:
        for j in range(3):
            touched = touched or np.int64(moves[move, j]) == watch.cell
    return touched or (verdict & watch.verdicts) != 0


@kernel
def crosses(watch: Watch, before: int, after: int) -> bool:
    """True if E fell to the watched value or below."""
    return after <= watch.energy < before
