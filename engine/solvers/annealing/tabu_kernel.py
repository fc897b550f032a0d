"""Tabu search, compiled: weigh every swap, take the best that is not forbidden, forbid what it undid.

A swap of cells a and b with the values v and w is tabu while both a may not get w back and b may not get v back. It is
made all the same if it leads below the lowest E of the attempt (aspiration). Ties are drawn from the step's word of the
stream MOVE, the tenure from its next one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.kernel import below, kernel, word_at
from engine.solvers.annealing.happened import GRID_BITS, RARE, RESTART
from engine.solvers.annealing.moves import REACH, UNREACHED, Frame, apply, neighbours, recount, weigh_all
from engine.solvers.annealing.plateaus import restart
from engine.solvers.annealing.rules import close_record, count, open_record, settle
from engine.solvers.annealing.state import RUNNING, SOLVED
from engine.solvers.annealing.tables import crossed, halts, verdict_bit

ASPIRED, FORCED = 1, 2
"""How a move that is tabu came to be made: it leads below the lowest E; nothing else was left."""


@kernel
def tabu(until: Any, cells: Any, moves: Any, move: Any, step: Any) -> Any:
    """Whether a swap would bring both of its cells a value that is still forbidden to them at this step."""
    a, b = moves[move, 0], moves[move, 1]
    return until[a, cells[b]] >= step and until[b, cells[a]] >= step


@kernel
def choose(f: Any, until: Any, changes: Any, h: Any) -> Any:
    """(move, ΔE, 0 or ASPIRED or FORCED, moves that are tabu) of the next step; `changes` (int8[m]) gets every ΔE,
    h counts the neighbours."""
    s, cells, moves = f.s, f.cells, f.board.moves
    step = s.step + 1
    weigh_all(f, changes)
    h.better, h.equal, h.worse = neighbours(changes)
    least: Any = np.int64(UNREACHED)
    ties, forbidden = 0, 0
    for move in range(len(changes)):
        change = np.int64(changes[move])
        banned = tabu(until, cells, moves, move, step)
        forbidden += banned
        if (not banned or s.energy + change < s.lowest) and change <= least:
            ties = 1 if change < least else ties + 1
            least = change
    word = word_at(f.keys.move, np.uint64(step), np.uint64(0))
    if ties == 0:
        drawn = np.int64(below(word, np.uint64(len(changes))))
        return drawn, np.int64(changes[drawn]), FORCED, forbidden
    left = np.int64(below(word, np.uint64(ties)))
    for move in range(len(changes)):
        banned = tabu(until, cells, moves, move, step)
        if changes[move] == least and (not banned or s.energy + least < s.lowest):
            if left == 0:
                return np.int64(move), least, ASPIRED if banned else 0, forbidden
            left -= 1
    return np.int64(0), least, 0, forbidden


@kernel
def tenure(f: Any, rule: Any, energy: Any) -> Any:
    """Steps for which the values just left are forbidden; rule = (fixed, drawn, per conflict)."""
    word = word_at(f.keys.move, np.uint64(f.s.step + 1), np.uint64(1))
    return np.int64(rule[0]) + np.int64(below(word, np.uint64(rule[1] + 1))) + np.int64(rule[2] * np.float64(energy))


@kernel
def make(f: Any, until: Any, chosen: Any, term: Any, h: Any) -> Any:
    """Make the chosen move, forbid what it undid for `term` steps, apply the rules; the bits of what happened."""
    move, change = chosen[0], chosen[1]
    s, moves, cells = f.s, f.board.moves, f.cells
    a, b = moves[move, 0], moves[move, 1]
    until[a, cells[a]] = s.step + 1 + term
    until[b, cells[b]] = s.step + 1 + term
    s.before = s.energy
    apply(f, move)
    energy = s.energy + change
    count(s, f.c, 1, (np.int64(1), np.int64(change > 0), energy), energy)
    bits = _turn(s, f.c, h)
    if bits & GRID_BITS:
        bits = settle(f, h)
    if bits & RESTART:
        until[:, :] = 0
    return bits


@kernel
def _turn(s: Any, c: Any, h: Any) -> Any:
    """The rules after a move: a new best, the end of the patience, the end of the budget."""
    open_record(s, h)
    if s.energy < s.lowest:
        s.lowest = s.energy
        s.since_better = 0
    if s.energy == 0:
        s.status = SOLVED
    elif s.since_better >= c.patience:
        restart(s, c, h)
    close_record(s, c, h)
    return h.bits


@kernel
def run(arrays: Any, records: Any, board: Any, keys: Any, rule: Any, n: int) -> Any:
    """Up to n steps, in place; (rare records written, whether the stop was hit).

    arrays = (grids, scalars, until), records = (config, watch, happened); rule = (fixed, drawn, per conflict, 1 to
    halt at an aspiration).
    """
    grids, s, until, c, w, happened = arrays[0], arrays[1][0], arrays[2], records[0][0], records[1][0], records[2]
    f = Frame(grids, grids[0], s, c, w, board, keys, np.zeros(board.size, np.uint8),
              np.zeros(2 * REACH + 1, np.uint64))
    recount(f)
    changes = np.empty(len(board.moves), np.int8)
    last, halted = s.step + n, False
    written: Any = 0
    while s.step < last and s.status == RUNNING and written < len(happened) and not halted:
        h = happened[written]
        chosen = choose(f, until, changes, h)
        term = tenure(f, rule, s.energy + chosen[1])
        bits = make(f, until, chosen, term, h)
        halted = (halts(w, board.moves, np.uint64(chosen[0]), verdict_bit(chosen[1], True))
                  or (bits & w.happened) != 0 or crossed(w, s.before, s.energy)
                  or (rule[3] > 0.0 and chosen[2] == ASPIRED))
        written += np.int64((bits & RARE) != 0)
    return written, halted
