"""Many steps at once, each with all that can be said of it: how a window of a run is decoded for the screen.

Either kernel leaves a log: an entry for each proposal, a trail of temperatures, and a record of all that happened (see
`packed.run`). `decode` replays the log from a copy of the state it began at and writes one RECORD for each proposal;
`events` makes of these what the generator of the solver would have yielded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from engine import state as states
from engine.compiled.kernel import kernel, low_bits, word_at
from engine.events import Event, SwapJudged
from engine.solver import NEVER, Outcome
from engine.solvers.annealing import packed_kernel, view
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing import state as start
from engine.solvers.annealing.acceptance import SCALE
from engine.solvers.annealing.kernel import book, fill_limits, settle, turn
from engine.solvers.annealing.neighbourhood import NO_CELL, REACH, Frame, delta, fill, limit, propose, recount
from engine.solvers.annealing.packed_kernel import TRAIL
from engine.solvers.annealing.parameters import CALIBRATE, GRID_BITS, HAPPENED, PROPAGATE, RESTART, RUNNING, Config
from engine.solvers.annealing.state import AnnealState

RECORD: Final = np.dtype([
    ("step", "<i8"),
    ("a", "<u2"), ("b", "<u2"), ("c", "<u2"),  # the cells; c is NO_CELL where two are exchanged
    ("at_a", "u1"), ("at_b", "u1"), ("at_c", "u1"),  # the values that stood there before
    ("accepted", "?"),
    ("delta", "<i8"),
    ("energy", "<i8"),  # after the verdict
    ("temperature", "<f8"),  # NO_TEMPERATURE during a calibration
    ("threshold", "<i8"),  # p · 2^32
    ("draw", "<i8"),  # u · 2^32
])
"""One proposal."""

NO_TEMPERATURE: Final = -1.0
CHUNK: Final = 4096
"""Steps that are decoded at once."""
HAPPENINGS: Final = 1024
"""Room for what happens in that many of them; a window ends early where it is full."""

Records = npt.NDArray[np.void]


class Window(NamedTuple):
    """Consecutive steps of a run, decoded."""

    records: Records
    """RECORD[k], one for each step."""
    happened: Records
    """HAPPENED[j], in order: one for each step after whose proposal something happened."""


@kernel
def log_steps(state: Any, records: Any, layout: Any, log: Any, n: int) -> Any:
    """The log of up to n steps as `packed.run` writes it, proposal by proposal, for every kind of proposal that draws
    one move; same arguments (the Words may be anything) and result."""
    s, c, happened, entries, trail = state[1][0], records[0][0], records[2], log[0], log[1]
    board, keys = layout[0], layout[2]
    f = Frame(state[0], state[0][0], s, c, records[1][0], board, keys, np.zeros(board.size, np.uint8),
              np.zeros(2 * REACH + 1, np.uint64))
    recount(f)
    begun, noted = s.step, NO_TEMPERATURE - 1.0
    written: Any = 0
    trailed: Any = 0
    while s.step < begun + n and s.status == RUNNING and written < len(happened):
        T = NO_TEMPERATURE if s.phase == CALIBRATE else s.temperature
        if noted != T:
            noted = T
            trailed += packed_kernel.note(trail[trailed], s.step, T)
        move, draw = propose(f)
        change = delta(f, move)
        taken = draw < limit(s, c, change)
        entries[s.step - begun] = packed_kernel.entry(move, change + REACH, taken)
        book(f, move, change, taken)
        bits = turn(s, c, happened[written])
        if bits & GRID_BITS:
            bits = settle(f, happened[written])
        written += np.int64(bits != 0)
    return written, False, trailed


@kernel
def decode(state: Any, records: Any, layout: Any, log: Any, out: Any) -> None:
    """Write a RECORD for each entry of the log.

    state = (grids, scalars) as it was where the log begins: it is moved on, as far as this takes. records, layout and
    log are those of the call that wrote the log, `happened`, entries and trail cut to what was written.
    """
    s, c, happened, entries, trail = state[1][0], records[0][0], records[2], log[0], log[1]
    board, keys, limits = layout[0], layout[2], np.zeros(2 * REACH + 1, np.uint64)
    f = Frame(state[0], state[0][0], s, c, records[1][0], board, keys, np.zeros(board.size, np.uint8), limits)
    noted = told = 0
    for i in range(len(entries)):
        if noted < len(trail) and trail[noted].step == s.step:
            s.temperature = trail[noted].temperature
            fill_limits(limits, s, c)
            noted += 1
        s.step += 1
        _decode_one(f.cells, board.moves, entries[i], s, out[i])
        out[i].threshold = np.int64(limits[out[i].delta + REACH])
        out[i].draw = np.int64(low_bits(word_at(keys.move, np.uint64(s.step), np.uint64(0))))
        if told < len(happened) and happened[told].step == s.step:
            if happened[told].bits & RESTART:
                fill(f)
                s.energy = happened[told].fresh_energy
            told += 1


@kernel
def _decode_one(cells: Any, moves: Any, entry: Any, s: Any, r: Any) -> None:
    """Read one entry and make its move if it was accepted."""
    move = np.uint64(entry) >> packed_kernel.MOVE_AT
    a, b, c = moves[move, 0], moves[move, 1], moves[move, 2]
    r.step, r.a, r.b, r.c = s.step, a, b, c
    r.at_a, r.at_b, r.at_c = cells[a], cells[b], 0
    if c != NO_CELL:
        r.at_c = cells[c]
    r.delta = np.int64((entry >> packed_kernel.DELTA_AT) & packed_kernel.DELTA_MASK) - REACH
    r.accepted = (entry & 1) != 0
    r.temperature = s.temperature
    if r.accepted:
        s.energy += r.delta
        cells[b] = r.at_a
        cells[a] = r.at_b
        if c != NO_CELL:
            cells[c] = r.at_b
            cells[a] = r.at_c
    r.energy = s.energy


def decodable(state: AnnealState, config: Config) -> bool:
    """Whether the next steps are proposals of one move each."""
    return bool(state.now["phase"] != PROPAGATE and not config[0]["steepest"])


def window(state: AnnealState, config: Config, n: int) -> Window:
    """Make up to n steps, `state` being moved on, and decode them; fewer where the run ends or HAPPENINGS are used up.

    Raises ValueError for a state that is not `decodable`.
    """
    if not decodable(state, config):
        raise ValueError("only steps that propose one move each are logged")
    before = states.copy(state)
    happened, log = np.zeros(HAPPENINGS, HAPPENED), (np.zeros(n, np.uint32), np.zeros(n, TRAIL))
    board, w = start.board_of_state(state), codes.watch(NEVER)
    fast = packed_kernel.suits(state.puzzle, state.scalars, config)
    words = packed_kernel.words_of(board, bool(state.now["boxes"])) if fast else None
    layout = (board, words, start.keys(state.seed))
    run = packed_kernel.run if fast else log_steps
    written, _, trailed = run((state.grids, state.scalars), (config, w, happened), layout, log, n)
    state.sync()
    made = state.step - before.step
    out, happened = np.zeros(made, RECORD), happened[:written]
    decode((before.grids, before.scalars), (config, w, happened), (board, None, layout[2]),
           (log[0][:made], log[1][:trailed]), out)
    return Window(out, happened)


class Teller(Protocol):
    """What a solver of the family says of its events."""

    line_of_verdict: ClassVar[Mapping[str, str]]
    has_temperature: ClassVar[bool]

    def config(self, state: AnnealState, params: Any) -> Config: ...

    def steps(self, state: AnnealState, params: Any) -> Iterator[tuple[Event, ...]]: ...

    def outcome(self, state: AnnealState) -> Outcome | None: ...


def swaps(records: Records, solver: Teller, judge: int) -> list[SwapJudged]:
    """One event for each record; `judge` is the CONFIG's."""
    lines, with_T, made = solver.line_of_verdict, solver.has_temperature, []
    for step, a, b, c, at_a, at_b, at_c, accepted, change, energy, T, below, draw in records.tolist():
        cells, values = ((a, b), (at_a, at_b)) if c == NO_CELL else ((a, b, c), (at_a, at_b, at_c))
        verdict = "rejected" if not accepted else "improved" if change < 0 else "equal" if change == 0 else "uphill"
        searching = T != NO_TEMPERATURE
        line = lines[verdict] if searching else "calibrate"
        known = T if with_T and searching else None
        p = u = None
        if known is not None and view.is_drawn(judge, change, T):
            p, u = below / SCALE, draw / SCALE
        made.append(SwapJudged(step, line, cells, values, change, energy, accepted, known, p, u))
    return made


def events(solver: Teller, state: AnnealState, params: Any, n: int) -> Iterator[tuple[Event, ...]]:
    """What `solver.steps` would yield in up to n steps, decoded in bulk; `state` is moved on, a chunk at a time."""
    config, last = solver.config(state, params), state.step + n
    yield from _undecodable(solver, state, params, last)
    while state.step < last and solver.outcome(state) is None:
        part = window(state, config, min(CHUNK, last - state.step))
        yield from _told(solver, state, config, part)


def _undecodable(solver: Teller, state: AnnealState, params: Any, last: int) -> Iterator[tuple[Event, ...]]:
    """The steps that must be made one by one, up to the step `last`."""
    config = solver.config(state, params)
    if state.step < last and not decodable(state, config):
        for each in solver.steps(state, params):
            yield each
            if state.step == last or decodable(state, config):
                return


def _told(solver: Teller, state: AnnealState, config: Config, part: Window) -> Iterator[tuple[Event, ...]]:
    """The events of a window, step by step."""
    attempts, outcome, judge = int(config[0]["attempts"]), solver.outcome(state), int(config[0]["judge"])
    happened = {int(h["step"]): h for h in part.happened}
    for swap in swaps(part.records, solver, judge):
        h = happened.get(swap.step)
        yield (swap,) if h is None else (swap, *view.happenings(h, state, attempts, outcome))
