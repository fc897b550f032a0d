"""The kernel: the loop of `Annealer.steps`, compiled, for millions of proposals a second.

It makes the same proposals, decisions and events as the generator, with the same functions, but calls the rules only
where one may apply and reads the acceptance threshold from a table. The loop is written once and compiled with four
flags, whose branches disappear from the machine code:

grouped   draw = group: a move is drawn by its row or box
packed    swaps at 9x9 by the bit arithmetic of `packed_kernel`; otherwise count tables, for every size, variant,
          neighbourhood and schedule
traced    record every proposal and temperature in a Trace, from which `replay` decodes events
watched   look for a breakpoint after every proposal
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.solvers.annealing.acceptance import acceptance_table, acceptance_threshold, rule_threshold
from engine.solvers.annealing.cooling import logarithmic
from engine.solvers.annealing.energy_delta import make_move, move_delta
from engine.solvers.annealing.neighbourhood import (
    best_move,
    conflict_swap,
    count_conflicts,
    draws_group,
    group_swap,
)
from engine.solvers.annealing.packed_kernel import pack, packed_delta, suits, words_of
from engine.solvers.annealing.parameters import (
    CALIBRATE,
    CONFLICT_SWAP,
    GRID_EVENTS,
    LOGARITHMIC,
    NO_TEMPERATURE,
    NOTE_DTYPE,
    NOTHING_TO_PROPOSE,
    RARE_EVENTS,
    RUNNING,
    LogRecord,
    Records,
    TemperatureNote,
)
from engine.solvers.annealing.rules import (
    apply_rules,
    best_so_far,
    commit,
    count_proposals,
    crosses,
    halts,
    steps_until_rules,
    update_grids,
    verdict_bit,
)
from engine.solvers.annealing.workspace import REACH, Workspace, recount


class Trace(NamedTuple):
    """A record of every proposal; filled if it has room for the steps asked for."""

    proposals: npt.NDArray[np.uint32]
    """[n]: an `entry` for each step."""
    temperatures: Records
    """TemperatureNote[n]: one for each change of temperature."""


NO_TRACE: Final = Trace(np.zeros(0, np.uint32), np.zeros(0, NOTE_DTYPE))
MOVE_SHIFT, DELTA_SHIFT, DELTA_MASK = np.uint64(6), np.uint64(1), np.uint64(31)
"""Fields of an entry, from the lowest bit: 1 if accepted, ΔE + REACH in 5 bits, the index of the move in 26."""
_0, _1 = np.uint64(0), np.uint64(1)
_ALL_EVENTS: Final = -1


class Progress(NamedTuple):
    """Result of `run`."""

    written: int
    """Records written to the log."""
    halted: bool
    """True if the breakpoint was hit."""
    noted: int
    """Temperatures written to the trace."""


def make_trace(n: int) -> Trace:
    """A Trace with room for n steps."""
    return Trace(np.zeros(n, np.uint32), np.zeros(n, NOTE_DTYPE))


def run(workspace: Workspace, n: int, trace: Trace = NO_TRACE) -> Progress:
    """Make up to n steps in place, with the fastest kernel that can make them.

    Ends early when the run is over, when the breakpoint is hit or when the log is full. The log gets the steps with
    rare events; with a trace, which rules out a breakpoint, the steps with any event.
    """
    packed = suits(workspace)
    words = words_of(workspace.board, bool(workspace.state["boxes"])) if packed else None
    watch = workspace.watch
    watched = not packed or bool(watch["verdicts"]) or watch["cell"] >= 0 or watch["energy"] >= 0
    traced = len(trace.proposals) > 0
    grouped = bool(draws_group(workspace.state, workspace.config))
    loop = compiled_loop(packed, traced, watched and not traced, grouped)
    written, halted, noted = loop(workspace, words, trace, n)
    return Progress(int(written), bool(halted), int(noted))


@functools.cache
def compiled_loop(  # noqa: PLR0915
        packed: bool, traced: bool, watched: bool, grouped: bool) -> Callable[..., tuple[int, bool, int]]:
    """The loop for one set of flags; arguments and result as in `run`, with the Words of a packed kernel, else None."""
    logged = _ALL_EVENTS if traced else RARE_EVENTS

    @kernel
    def loop(  # noqa: PLR0912, PLR0915 - in one piece: each plateau would pay for the references of a call
            workspace: Workspace, words: Any, trace: Trace, n: int) -> tuple[int, bool, int]:
        state, config, watch, board, keys = (workspace.state, workspace.config, workspace.watch, workspace.board,
                                             workspace.keys)
        cells, table, moves = workspace.cells, workspace.table, board.moves
        if packed:
            counts: Any = np.zeros(10, np.uint64)
            pairs, present = words.pairs, words.present
            firsts, seconds, changes = words.first, words.second, words.change
            pack(counts, cells, words)
        else:
            counts, pairs, units = workspace.counts, board.pairs, board.units
            recount(workspace)
        conflict = state.neighbourhood == CONFLICT_SWAP
        drifting = config.schedule == LOGARITHMIC  # T changes with every proposal
        watching = watch.verdicts != 0 or watch.cell >= 0 or watch.energy >= 0
        begun, bound, shown, halted = state.step, np.uint64(len(moves)), NO_TEMPERATURE - 1.0, False
        written = noted = 0
        while state.step < begun + n and state.status == RUNNING and written < len(workspace.log) and not halted:
            # How many proposals can be made before a rule may apply, and at which T.
            log = workspace.log[written]
            most = min(begun + n - state.step, steps_until_rules(state, config))
            T = NO_TEMPERATURE if state.phase == CALIBRATE else state.temperature
            if shown != T:
                shown = T
                acceptance_table(table, state, config)
                if traced:
                    noted += note(trace.temperatures[noted], state.step, T)
            if traced and drifting:
                most = 1
            if not packed and config.steepest == 1:
                most = 0
                halted = scan_step(workspace, log)
            # `propose`, `delta` and the acceptance test of `Annealer.steps`, for that many proposals.
            key = keys.walk if state.phase == CALIBRATE else keys.move
            record, start, offset = best_so_far(state, config), np.uint64(state.step), np.uint64(state.step - begun - 1)
            before = energy = state.energy
            least, accepted, uphill, made = state.minimum, 0, 0, 0
            while made < most and energy >= record and not halted:
                made += 1
                word = word_at(key, start + np.uint64(made), _0)
                if grouped:
                    second_word = word_at(key, start + np.uint64(made), _1)
                    move = np.uint64(group_swap(board.group_starts, word, second_word))
                else:
                    move = below(word, bound)
                if packed:
                    a, b, change = np.uint64(firsts[move]), np.uint64(seconds[move]), changes[move]
                    v, w = np.uint64(cells[a]), np.uint64(cells[b])
                    delta = packed_delta((counts[v], counts[w]), change, pairs, present)
                else:
                    if conflict:
                        move = np.uint64(conflict_swap(workspace, word, word_at(key, start + np.uint64(made), _1)))
                    delta = move_delta(cells, counts, moves, pairs, units, move)
                threshold = table[np.uint64(delta + REACH)]
                if not packed and drifting and shown != NO_TEMPERATURE:
                    cooled = logarithmic(state, config, state.step + made - 1 - state.base_step)
                    threshold = np.uint64(rule_threshold(config.rule, delta, cooled))
                before = energy
                taken = bool(low_bits(word) < threshold)
                if traced:
                    trace.proposals[offset + np.uint64(made)] = entry(move, delta, taken)
                if taken:
                    if packed:
                        counts[v] += change
                        counts[w] -= change
                        cells[a], cells[b] = w, v
                    else:
                        make_move(cells, counts, moves, pairs, units, move)
                    energy += delta
                    accepted += 1
                    uphill += delta > 0
                    least = min(least, energy)
                    if not packed and conflict and energy > 0 and count_conflicts(workspace) == 0:
                        state.status = NOTHING_TO_PROPOSE
                        break
                if watched and watching:
                    halted = halts(watch, moves, move, verdict_bit(delta, taken))
                    if crosses(watch, before, energy):  # halts below, unless a restart raises E again
                        break
            # `commit` for all of them at once, then `after_proposal`.
            if most > 0:
                state.before = before
                count_proposals(state, config, made, (accepted, uphill, least), energy)
            events = apply_rules(state, config, log)
            if events & GRID_EVENTS:
                events = update_grids(workspace, log)
                if packed:
                    pack(counts, cells, words)
            halted = halted or (events & watch.events) != 0 or crosses(watch, state.before, state.energy)
            written += int((events & logged) != 0)
        return written, halted, noted

    return loop


@kernel
def scan_step(workspace: Workspace, log: LogRecord) -> bool:
    """One step of steepest descent. True if the breakpoint is hit."""
    move, delta = best_move(workspace, log)
    accepted = acceptance_threshold(workspace.state, workspace.config, delta) > 0
    commit(workspace, move, delta, accepted)
    return halts(workspace.watch, workspace.board.moves, np.uint64(move), verdict_bit(delta, accepted))


@kernel
def entry(move: np.uint64, delta: int, accepted: bool) -> np.uint32:
    """The entry of a proposal in a Trace."""
    return np.uint32((np.uint64(move) << MOVE_SHIFT) | (np.uint64(delta + REACH) << DELTA_SHIFT) | np.uint64(accepted))


@kernel
def note(record: TemperatureNote, step: int, temperature: float) -> int:
    """Fill a record of the trace. Returns 1, the number of records filled."""
    record.step = step
    record.temperature = temperature
    return 1
