"""The fast kernel: two free cells of a box or of a row exchanged, at n = 9, in the classic variant.

One uint64 for each value holds how often it stands in every unit of the two families that a swap can disturb. A count
is at most 3 where the family crosses the permuted groups three at a time: two bits. The columns of the row state can
hold a value up to 9 times: five bits, biased by 15, so that the top bit says "at least once". As every value stands
nine times in the grid, the surplus of a family is the number of its units without that value; so E changes by what
four popcounts say, and the words change by one precomputed word, added for one value and subtracted for the other.

    box state   bits 0-17   rows, two bits each      bits 18-35  columns, two bits each
    row state   bits 0-17   boxes, two bits each     bits 18-62  columns, five bits each

The draws, verdicts and rules are those of `moves`, `rules` and `tables`, and so is every event. The words are rebuilt
from the cells at each call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.puzzle import Puzzle
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.kernel import bar, count, crossed, fill_limits, quiet_steps, settle, turn, verdict_bit
from engine.solvers.annealing.neighbourhood import REACH, Board, Frame
from engine.solvers.annealing.parameters import GRID_BITS, RARE, RUNNING, SEARCH, Config
from engine.solvers.annealing.state import Scalars

TRAIL: Final = np.dtype([("step", "<i8"), ("temperature", "<f8")])
"""The temperature of the proposals after `step`, until the next record."""

NO_LOG: Final = (np.zeros(0, np.uint32), np.zeros(0, TRAIL))
"""What `run` takes where nothing is to be logged."""
DELTA_AT, MOVE_AT, DELTA_MASK = np.uint64(1), np.uint64(6), np.uint64(31)
"""An entry of the log is, from the lowest bit: 1 if accepted, ΔE + REACH in 5 bits, the index of the move in 26."""
ANYTHING: Final = -1
"""Of what happens, the bits that a log keeps: all."""

_0, _1, _2, _4, _56 = (np.uint64(k) for k in (0, 1, 2, 4, 56))
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_REACH = np.uint64(REACH)
_NONE: Any = 0
_LOW = sum(1 << 2 * i for i in range(9))


class Words(NamedTuple):
    """What the packed kernel needs beside a Board; never written."""

    first: npt.NDArray[np.uint8]
    second: npt.NDArray[np.uint8]
    """[m]: the two cells of each move, in the order of board.moves."""
    change: npt.NDArray[np.uint64]
    """[m]: added to the word of the first cell's value and subtracted from that of the second's."""
    of_cell: npt.NDArray[np.uint64]
    """[81]: what a value in that cell adds to its word."""
    none: Any
    """The word of a value that stands nowhere."""
    pairs: Any
    """The lower bit of every field of two bits."""
    present: Any
    """The bits that say of each unit that it holds the value, once the fields of two bits are folded."""


def suits(puzzle: Puzzle, scalars: Scalars, config: Config) -> bool:
    """Whether this kernel can make the next step: the others are made by `tables.run`."""
    s, c = scalars[0], config[0]
    return bool(puzzle.n == 9 and puzzle.variant == "classic" and s["phase"] == SEARCH and not c["steepest"]
                and s["neighbourhood"] in (codes.ROW_SWAP, codes.BOX_SWAP) and c["schedule"] != codes.LOGARITHMIC)


def words_of(board: Board, boxes: bool) -> Words:
    """The Words of a Board with n = 9 whose moves are swaps; the same object as long as the moves are the same."""
    return _words(board.moves.tobytes(), boxes)


@functools.lru_cache(maxsize=32)
def _words(moves: bytes, boxes: bool) -> Words:
    ends = np.frombuffer(moves, np.uint16).reshape(-1, 3)
    first, second = ends[:, 0].astype(np.uint8), ends[:, 1].astype(np.uint8)
    of_cell = np.array([_unit_bits(cell, boxes) for cell in range(81)], np.uint64)
    none = 0 if boxes else sum(15 << 18 + 5 * column for column in range(9))
    pairs = _LOW | (_LOW << 18 if boxes else 0)
    present = pairs if boxes else _LOW | sum(16 << 18 + 5 * column for column in range(9))
    return Words(first, second, of_cell[second] - of_cell[first], of_cell,
                 np.uint64(none), np.uint64(pairs), np.uint64(present))


def _unit_bits(cell: int, boxes: bool) -> int:
    row, column = divmod(cell, 9)
    if boxes:
        return (1 << 2 * row) + (1 << 18 + 2 * column)
    return (1 << 2 * (row // 3 * 3 + column // 3)) + (1 << 18 + 5 * column)


@kernel
def popcount(x: Any) -> Any:
    """The number of bits set in a uint64; the compiler makes one instruction of it."""
    x -= (x >> _1) & _ODD
    x = (x & _PAIRS) + ((x >> _2) & _PAIRS)
    return (((x + (x >> _4)) & _NIBBLES) * _BYTES) >> _56


@kernel
def _held(word: Any, pairs: Any, present: Any) -> Any:
    """How many units hold the value of this word."""
    return popcount((word | ((word >> _1) & pairs)) & present)


@kernel
def pack(words: Any, cells: Any, p: Any) -> None:
    """Fill the words (uint64[10], by value) from the cells."""
    words[:] = p.none
    for cell in range(81):
        words[cells[cell]] += p.of_cell[cell]


@kernel
def entry(move: Any, delta: Any, accepted: Any) -> Any:
    """An entry of the log; delta is ΔE + REACH."""
    return np.uint32((np.uint64(move) << MOVE_AT) | (np.uint64(delta) << DELTA_AT) | np.uint64(accepted))


@kernel
def note(record: Any, step: int, temperature: float) -> int:
    """Fill a record of the trail; returns 1, the number of records filled."""
    record.step = step
    record.temperature = temperature
    return 1


@kernel
def _delta(old: Any, new: Any, pairs: Any, present: Any) -> Any:
    """ΔE + REACH, from the words of the two values before and after the swap."""
    held = _held(old[0], pairs, present) + _held(old[1], pairs, present)
    return _REACH + held - _held(new[0], pairs, present) - _held(new[1], pairs, present)


@kernel
def _halts(w: Any, ends: Any, change: Any) -> Any:
    """Whether an accepted proposal is one to halt at: by its verdict or its cells."""
    touched = np.int64(ends[0]) == w.cell or np.int64(ends[1]) == w.cell
    return touched or (verdict_bit(change, True) & w.verdicts) != 0


def _make_run(logging: bool, watching: bool) -> Callable[..., Any]:
    """The kernel, with two questions answered when it is compiled.

    Its inner loop is not a function of its own: numba would count a dozen references for it at every plateau, which
    costs as much as the plateau.
    """
    kept = ANYTHING if logging else RARE

    @kernel
    def run(state: Any, records: Any, layout: Any, log: Any, n: int) -> Any:
        board, p, keys = layout
        s, c, w, happened, entries, trail = state[1][0], records[0][0], records[1][0], records[2], log[0], log[1]
        cells, limits, words = state[0][0], np.zeros(2 * REACH + 1, np.uint64), np.zeros(10, np.uint64)
        f = Frame(state[0], cells, s, c, w, board, keys, np.zeros(board.size, np.uint8), limits)
        first, second, changes, pairs, present = p.first, p.second, p.change, p.pairs, p.present
        pack(words, cells, p)
        key, bound, begun, filled, halted = keys.move, np.uint64(len(changes)), s.step, -1.0, False
        written = trailed = _NONE
        while s.step < begun + n and s.status == RUNNING and written < len(happened) and not halted:
            if s.temperature != filled:
                filled = s.temperature
                fill_limits(limits, s, c)
                if logging:
                    trailed += note(trail[trailed], s.step, filled)
            most, floor, start = min(begun + n - s.step, quiet_steps(s, c)), bar(s, c), np.uint64(s.step)
            energy, taken, offset = s.energy, (_NONE, _NONE, s.minimum), np.uint64(s.step - begun - 1)
            made = change = changed_at = _NONE
            while made < most and energy >= floor and not halted:
                made += 1
                word = word_at(key, start + np.uint64(made), _0)
                move = below(word, bound)
                a, b, added = np.uint64(first[move]), np.uint64(second[move]), changes[move]
                v, u = np.uint64(cells[a]), np.uint64(cells[b])
                old, new = (words[v], words[u]), (words[v] + added, words[u] - added)
                delta = _delta(old, new, pairs, present)
                if low_bits(word) < limits[delta]:
                    words[v], words[u], cells[a], cells[b] = new[0], new[1], u, v
                    change, changed_at = np.int64(delta) - REACH, made
                    energy += change
                    taken = (taken[0] + 1, taken[1] + (change > 0), min(taken[2], energy))
                    if logging:
                        entries[offset + np.uint64(made)] = entry(move, delta, _1)
                    halted = watching and _halts(w, (a, b), change)
                    if watching and crossed(w, energy - change, energy):  # a halt, unless a restart lifts E again
                        break
                elif logging:
                    entries[offset + np.uint64(made)] = entry(move, delta, _0)
                elif watching:
                    halted = (w.verdicts & codes.REJECTED) != 0
            s.before = energy - change if changed_at == made else energy
            count(s, c, made, taken, energy)
            bits = turn(s, c, happened[written])
            if bits & GRID_BITS:
                bits = settle(f, happened[written])
                pack(words, cells, p)
            halted = halted or (bits & w.happened) != 0 or crossed(w, s.before, s.energy)
            written += np.int64((bits & kept) != 0)
        return written, halted, trailed

    return run


_plain, _watched, _logged = _make_run(False, False), _make_run(False, True), _make_run(True, False)


def run(state: Any, records: Any, layout: Any, log: Any, n: int) -> tuple[int, bool, int]:
    """Up to n steps, in place, as `tables.run` makes them; (records written, whether the stop was hit, trail written).

    state = (grids, scalars), records = (config, watch, happened), layout = (Board, Words, Keys). Ends early when the
    run is over, when the stop is hit and when `happened` is full. With log = (uint32[>= n], TRAIL[>= n]) every
    proposal gets an entry, every temperature a record in the trail, and all that happens one in `happened`, not only
    what is rare; the watch must then be empty.
    """
    w = records[1][0]
    if len(log[0]):
        chosen = _logged
    elif w["verdicts"] or w["cell"] >= 0 or w["energy"] >= 0:
        chosen = _watched
    else:
        chosen = _plain
    written, halted, trailed = chosen(state, records, layout, log, n)
    return int(written), bool(halted), int(trailed)
