"""Decoding many steps at once for the screen: the events of `Annealer.steps`, without running it.

The kernel leaves a Trace (an entry for each proposal, the temperatures) and a log of events. `decode` replays the trace
from a copy of the state at its start and writes one Proposal record for each step; `events` makes the event objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import numpy as np

from engine import state as states
from engine.compiled.kernel import kernel, low_bits, word_at
from engine.events import Event, SwapJudged
from engine.solver import Outcome
from engine.solvers.annealing import view
from engine.solvers.annealing.acceptance import SCALE, acceptance_table, uses_chance
from engine.solvers.annealing.kernel import DELTA_MASK, DELTA_SHIFT, MOVE_SHIFT, Trace, make_trace, run
from engine.solvers.annealing.parameters import (
    CALIBRATE,
    NO_TEMPERATURE,
    PROPAGATE,
    RESTART,
    SEARCH,
    Config,
    LogRecord,
    Record,
    Records,
    SearchState,
    make_log,
)
from engine.solvers.annealing.state import AnnealState, workspace_of
from engine.solvers.annealing.workspace import NO_CELL, REACH, Cells, Moves, Workspace, fill

CHUNK: Final = 4096
"""Steps decoded at once."""
LOG_SIZE: Final = 1024
"""Steps with events that a window can hold; it ends early when they are used up."""


class Proposal(Record):
    """One proposal, decoded."""

    step: int
    a: int  # the cells; c is NO_CELL in a swap
    b: int
    c: int
    at_a: int  # their values before the proposal
    at_b: int
    at_c: int
    accepted: bool
    delta: int
    energy: int  # after the proposal
    temperature: float  # NO_TEMPERATURE during a calibration
    threshold: int  # p · 2^32
    draw: int  # u · 2^32


PROPOSAL_DTYPE: Final = np.dtype([
    ("step", "<i8"), ("a", "<u2"), ("b", "<u2"), ("c", "<u2"), ("at_a", "u1"), ("at_b", "u1"), ("at_c", "u1"),
    ("accepted", "?"), ("delta", "<i8"), ("energy", "<i8"), ("temperature", "<f8"), ("threshold", "<i8"),
    ("draw", "<i8"),
])


class Window(NamedTuple):
    """Consecutive steps of a run, decoded."""

    proposals: Records
    """Proposal[k], one for each step."""
    log: Records
    """LogRecord[j], one for each step with an event after its proposal."""


class Annealing(Protocol):
    """The part of an annealer that its events depend on."""

    line_of_verdict: ClassVar[Mapping[str, str]]
    has_temperature: ClassVar[bool]

    def config(self, state: AnnealState, params: Any) -> Config: ...

    def steps(self, state: AnnealState, params: Any) -> Iterator[tuple[Event, ...]]: ...

    def events_of(self, state: AnnealState, config: Config, log: LogRecord) -> tuple[Event, ...]: ...

    def outcome(self, state: AnnealState) -> Outcome | None: ...


def events(solver: Annealing, state: AnnealState, params: Any, n: int) -> Iterator[tuple[Event, ...]]:
    """The events of `solver.steps` for up to n steps. `state` advances a chunk at a time."""
    config, last = solver.config(state, params), state.step + n
    yield from _one_by_one(solver, state, params, last)
    while state.step < last and solver.outcome(state) is None:
        proposals, log = window(state, config, min(CHUNK, last - state.step))
        followed = {int(record["step"]): record for record in log}
        for event in swap_events(proposals, solver, int(config["rule"])):
            record = followed.get(event.step)
            yield (event,) if record is None else (event, *solver.events_of(state, config, record))


def _one_by_one(solver: Annealing, state: AnnealState, params: Any, last: int) -> Iterator[tuple[Event, ...]]:
    """The steps that cannot be decoded, up to the step `last`, from the generator."""
    config = solver.config(state, params)
    if state.step < last and not decodable(state, config):
        for each in solver.steps(state, params):
            yield each
            if state.step == last or decodable(state, config):
                return


def decodable(state: AnnealState, config: Config) -> bool:
    """True if the next steps are proposals of one move each."""
    return bool(state.now["phase"] != PROPAGATE and not config["steepest"])


def window(state: AnnealState, config: Config, n: int) -> Window:
    """Make up to n steps, advancing `state`, and decode them; fewer where the run ends or LOG_SIZE is used up.

    Raises ValueError for a state that is not `decodable`.
    """
    if not decodable(state, config):
        raise ValueError("only steps that propose one move each are logged")
    before, log, trace = states.copy(state), make_log(LOG_SIZE), make_trace(n)
    written, _, noted = run(workspace_of(state, config, log=log), n, trace)
    state.sync()
    made = state.step - before.step
    proposals = np.zeros(made, PROPOSAL_DTYPE)
    decode(workspace_of(before, config, log=log[:written]),
           Trace(trace.proposals[:made], trace.temperatures[:noted]), proposals)
    return Window(proposals, log[:written])


@kernel
def decode(workspace: Workspace, trace: Trace, proposals: Records) -> None:
    """Write a Proposal for each entry of the trace.

    The workspace holds the state at the start of the trace, and the log written with it. Its state advances as far as
    decoding needs.
    """
    state, log, table = workspace.state, workspace.log, workspace.table
    moves, key = workspace.board.moves, workspace.keys.move
    noted = logged = 0
    for i in range(len(trace.proposals)):
        if noted < len(trace.temperatures) and trace.temperatures[noted].step == state.step:
            state.temperature = trace.temperatures[noted].temperature
            state.phase = CALIBRATE if state.temperature == NO_TEMPERATURE else SEARCH
            acceptance_table(table, state, workspace.config)
            noted += 1
        state.step += 1
        proposal = proposals[i]
        _decode_one(workspace.cells, moves, trace.proposals[i], state, proposal)
        proposal.threshold = int(np.int64(table[proposal.delta + REACH]))
        proposal.draw = np.int64(low_bits(word_at(key, np.uint64(state.step), np.uint64(0))))
        if logged < len(log) and log[logged].step == state.step:
            if log[logged].events & RESTART:
                fill(workspace)
                state.energy = log[logged].fresh_energy
            logged += 1


@kernel
def _decode_one(cells: Cells, moves: Moves, entry: np.uint32, state: SearchState, proposal: Proposal) -> None:
    """Decode one entry, and make its move if it was accepted."""
    move = np.uint64(entry) >> MOVE_SHIFT
    a, b, c = moves[move, 0], moves[move, 1], moves[move, 2]
    proposal.step, proposal.a, proposal.b, proposal.c = state.step, a, b, c
    proposal.at_a, proposal.at_b, proposal.at_c = cells[a], cells[b], 0
    if c != NO_CELL:
        proposal.at_c = cells[c]
    proposal.delta = int(np.int64((entry >> DELTA_SHIFT) & DELTA_MASK)) - REACH
    proposal.accepted = (entry & 1) != 0
    proposal.temperature = state.temperature
    if proposal.accepted:
        state.energy += proposal.delta
        cells[b] = proposal.at_a
        cells[a] = proposal.at_b
        if c != NO_CELL:
            cells[c] = proposal.at_b
            cells[a] = proposal.at_c
    proposal.energy = state.energy


def swap_events(proposals: Records, solver: Annealing, rule: int) -> list[SwapJudged]:
    """One event for each proposal; `rule` is the acceptance rule."""
    lines, with_T, made = solver.line_of_verdict, solver.has_temperature, []
    for step, a, b, c, at_a, at_b, at_c, accepted, delta, energy, T, threshold, draw in proposals.tolist():
        cells, values = ((a, b), (at_a, at_b)) if c == NO_CELL else ((a, b, c), (at_a, at_b, at_c))
        searching = T != NO_TEMPERATURE
        line = lines[view.verdict(delta, accepted)] if searching else "calibrate"
        shown = T if with_T and searching else None
        p = u = None
        if shown is not None and uses_chance(rule, delta, T):
            p, u = threshold / SCALE, draw / SCALE
        made.append(SwapJudged(step, line, cells, values, delta, energy, accepted, shown, p, u))
    return made
