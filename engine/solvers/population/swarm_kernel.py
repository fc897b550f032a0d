"""Many steps of a swarm at once.

`burst` makes the turns of workers after which nothing but their own grid, E and age is different; every other step is
made as the generator makes it. Both draw the same words and call the same primitives for a swap.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.solvers.annealing.neighbourhood import swap, swap_delta
from engine.solvers.population import swarm_codes as codes
from engine.solvers.population.swarm_moves import Swarm, derive, make_step

_TAKEN = codes.IMPROVED | codes.LUCK
_JUDGED = _TAKEN | codes.REFUSED | codes.WORKER


@kernel
def burst(w: Any, most: int) -> None:
    """Turns of workers, up to `most` of them, until one has something to tell: it is not made. Such are a turn that
    would change who leads, and one that refuses for the last time."""
    s, c = w.s, w.c
    genes, energies, ages, all_counts, prints, marks = w.genes, w.energies, w.ages, w.counts, w.prints, w.marks
    moves, pairs, key, bound = w.moves, w.pairs, w.move_key, np.uint64(len(w.moves))
    first, leader, lowest, luck, patience = s.place, s.leader, s.lowest, c.luck, c.patience
    step, total = np.uint64(s.step), s.total
    for k in range(first, min(s.workers, c.size - 1, first + most)):
        step += np.uint64(1)
        word = word_at(key, step, np.uint64(0))
        move = below(word, bound)
        cells, counts = genes[k], all_counts[k]
        change = swap_delta(cells, counts, moves, pairs, move)
        if change < 0 or np.int64(low_bits(word)) < luck:
            energy = energies[k] + change
            if energy < lowest or (k == leader and change > 0):
                break
            a, b = moves[move, 0], moves[move, 1]
            prints[k] ^= marks[a, cells[a]] ^ marks[a, cells[b]] ^ marks[b, cells[a]] ^ marks[b, cells[b]]
            swap(cells, counts, moves, pairs, move)
            energies[k] = energy
            total += change
            if change < 0:
                ages[k] = 0
        elif ages[k] >= patience:
            break
        else:
            ages[k] += 1
        s.place = k + 1
    s.total = total
    s.step += s.place - first


@kernel
def run(arrays: Any, records: Any, board: Any, keys: Any, stop: Any, n: int) -> Any:
    """Up to n steps, in place; (rare records written, whether the stop was hit).

    arrays = (genes, energies, ages, best, elite), records = (SWARM[1], CONFIG[1], HAPPENED[m]), board = (moves, pairs,
    units, (starts, free, missing), box_of, length of the count table, n), keys = (fills, move, choice), stop = (bits,
    E, cell). Ends early when the run is over, when the stop is hit, when an organism is to be annealed, and when
    HAPPENED is full.
    """
    genes, energies, ages, best, elite = arrays
    moves, pairs, units, layout, box_of, length, side = board
    s, c, happened = records[0][0], records[1][0], records[2]
    size = len(genes)
    w = Swarm(genes, energies, ages, best, elite, s, c, moves, pairs, units, layout, box_of,
              np.zeros((size, length), np.uint8), np.zeros(size, np.uint64),
              np.zeros((genes.shape[1], side + 1), np.uint64), keys[0], keys[1], keys[2])
    derive(w)
    last, written, halted, told = s.step + n, 0, False, (stop[0] & _JUDGED) == 0 and stop[2] < 0
    while s.step < last and s.status == codes.RUNNING and s.refining == 0 and written < len(happened) and not halted:
        if told and s.place < s.workers:
            burst(w, min(last, c.max_steps) - 1 - s.step)
        before = s.lowest
        h = happened[written]
        bits = make_step(w, h)
        halted = (bits & stop[0]) != 0 or s.lowest <= stop[1] < before
        halted = halted or ((bits & _TAKEN) != 0 and stop[2] in (h.a, h.b))
        written += (bits & codes.RARE) != 0
    return written, halted
