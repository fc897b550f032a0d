"""What a step of a swarm is made of, compiled: a turn, a merge, the end of an epoch.

The generator that a learner follows and the kernel call the same functions. The turn of a worker uses one word of the
stream MOVE, as a proposal of an annealer does: the high 32 bits pick the swap, the low 32 decide. A fresh grid of
organism k is drawn from its own stream, a merge from CHOICE, one word a box.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.compiled.kernel import below, kernel, low_bits, mix64, word_at
from engine.solvers.annealing.neighbourhood import count_cells, counted_energy, fill_cells, swap, swap_delta
from engine.solvers.population.swarm import state as codes

_0 = np.uint64(0)


class Swarm(NamedTuple):
    """All that the primitives work with: the state, the parameters, and what is derived from them."""

    genes: Any
    """uint8[size, n*n]"""
    energies: Any
    ages: Any
    """int32[size]"""
    best: Any
    """uint8[n*n]"""
    elite: Any
    """int32[elite]"""
    s: Any
    """The record of SWARM; c the one of CONFIG."""
    c: Any
    moves: Any
    """moves, pairs, units of a Board."""
    pairs: Any
    units: Any
    layout: Any
    """(starts, free, missing) of it."""
    box_of: Any
    """int64[n*n]"""
    counts: Any
    """uint8[size, Board.size]: the count table of every organism."""
    prints: Any
    """uint64[size]: a fingerprint of every grid; marks uint64[n*n, n + 1] are what they are made of."""
    marks: Any
    fills: Any
    """uint64[size]: keys of the streams of fresh grids."""
    move_key: Any
    choice_key: Any


@kernel
def fill_marks(marks: Any) -> None:
    """A random word for every value in every cell (Zobrist hashing)."""
    for cell in range(marks.shape[0]):
        for value in range(marks.shape[1]):
            marks[cell, value] = mix64(np.uint64(cell * 64 + value + 1))


@kernel
def fingerprint(cells: Any, marks: Any) -> Any:
    total = _0
    for cell in range(len(cells)):
        total ^= marks[cell, cells[cell]]
    return total


@kernel
def derive(w: Any) -> None:
    """Fill counts and prints from the grids."""
    fill_marks(w.marks)
    for k in range(len(w.genes)):
        count_cells(w.counts[k], w.genes[k], w.units)
        w.prints[k] = fingerprint(w.genes[k], w.marks)


@kernel
def least(energies: Any, first: int, last: int) -> Any:
    """The first of the organisms first to last - 1 with the least E. (numpy's search takes long to compile.)"""
    found = first
    for k in range(first + 1, last):
        if energies[k] < energies[found]:
            found = k
    return found


@kernel
def most(energies: Any, last: int) -> Any:
    """The last of the organisms before `last` with the most E."""
    found = 0
    for k in range(1, last):
        if energies[k] >= energies[found]:
            found = k
    return found


@kernel
def lead(s: Any, energies: Any, k: int, energy: Any) -> None:
    """Give organism k its new E, and keep the sum and the leader right."""
    s.total += energy - energies[k]
    energies[k] = energy
    if energy < s.lowest:
        s.lowest, s.leader = energy, k
    elif k == s.leader and energy > s.lowest:
        s.leader = least(energies, 0, len(energies))
        s.lowest = energies[s.leader]


@kernel
def fill_anew(w: Any, k: int) -> None:
    """A fresh random grid for organism k, from the words of this step."""
    cells, counts = w.genes[k], w.counts[k]
    fill_cells(cells, w.layout, w.fills[k], np.uint64(w.s.step))
    count_cells(counts, cells, w.units)
    w.prints[k] = fingerprint(cells, w.marks)
    w.ages[k] = 0
    lead(w.s, w.energies, k, np.int64(counted_energy(counts)))


@kernel
def turn(w: Any, k: int, h: Any) -> Any:
    """The turn of organism k; its bits."""
    s, c = w.s, w.c
    h.who, h.before, h.draw, h.a, h.b = k, w.energies[k], -1, 0, 0
    if k >= s.workers:
        fill_anew(w, k)
        h.energy, h.age = w.energies[k], 0
        return codes.FRESH | codes.EXPLORER
    cells, counts = w.genes[k], w.counts[k]
    word = word_at(w.move_key, np.uint64(s.step), _0)
    move = below(word, np.uint64(len(w.moves)))
    a, b = w.moves[move, 0], w.moves[move, 1]
    v, u = cells[a], cells[b]
    change = swap_delta(cells, counts, w.moves, w.pairs, move)
    h.a, h.b, h.at_a, h.at_b, h.delta = a, b, v, u, change
    bits = codes.IMPROVED
    if change >= 0:
        h.draw = np.int64(low_bits(word))
        bits = codes.LUCK if h.draw < c.luck else codes.REFUSED
    if bits == codes.REFUSED:
        w.ages[k] += 1
        if w.ages[k] > c.patience:
            bits = codes.FRESH
            fill_anew(w, k)
            s.fresh += 1
    else:
        swap(cells, counts, w.moves, w.pairs, move)
        w.prints[k] ^= w.marks[a, v] ^ w.marks[a, u] ^ w.marks[b, u] ^ w.marks[b, v]
        if change < 0:
            w.ages[k] = 0
        lead(s, w.energies, k, w.energies[k] + change)
    h.energy, h.age = w.energies[k], w.ages[k]
    return bits | codes.WORKER


@kernel
def merge(w: Any, h: Any) -> Any:
    """The best worker and the best explorer, box by box, in the place of the worst worker (the last of them)."""
    s, energies = w.s, w.energies
    first, second = least(energies, 0, s.workers), least(energies, s.workers, len(energies))
    into = most(energies, s.workers)
    h.who, h.first, h.second, h.before = into, first, second, energies[into]
    h.first_energy, h.second_energy, h.boxes = energies[first], energies[second], 0
    n = w.marks.shape[1] - 1
    for box in range(n):
        h.boxes |= np.int64(below(word_at(w.choice_key, np.uint64(s.step), np.uint64(box)), np.uint64(2))) << box
    cells = w.genes[into]
    for cell in range(len(cells)):
        cells[cell] = w.genes[second if (h.boxes >> w.box_of[cell]) & 1 else first, cell]
    count_cells(w.counts[into], cells, w.units)
    w.prints[into] = fingerprint(cells, w.marks)
    w.ages[into] = 0
    lead(s, energies, into, np.int64(counted_energy(w.counts[into])))
    h.energy = energies[into]
    return codes.MERGED


@kernel
def distinct(prints: Any) -> Any:
    """The share of different grids, by a hash table."""
    size = 1
    while size < 2 * len(prints):
        size *= 2
    table, taken, found = np.zeros(size, np.uint64), np.zeros(size, np.uint8), 0
    for each in prints:
        place = np.int64(each & np.uint64(size - 1))
        while taken[place] and table[place] != each:
            place = (place + 1) & (size - 1)
        found += taken[place] == 0
        table[place], taken[place] = each, 1
    return found / np.float64(len(prints))


@kernel
def choose(elite: Any, energies: Any, workers: int) -> Any:
    """Write the best workers, best first and those with the lower number first, to the end of `elite`; how many."""
    chosen = min(len(elite), workers)
    taken = np.zeros(len(energies), np.uint8)
    for i in range(len(elite) - chosen, len(elite)):
        found = -1
        for k in range(workers):
            if not taken[k] and (found < 0 or energies[k] < energies[found]):
                found = k
        taken[found] = 1
        elite[i] = found
    return chosen


@kernel
def end_epoch(w: Any, h: Any) -> Any:
    """Close the epoch: statistics, the share of workers, the next phase, the next attempt; its bits."""
    s, c = w.s, w.c
    s.epoch += 1
    s.epochs += 1
    s.diversity = distinct(w.prints)
    h.lowest, h.total, h.diversity, h.epochs = s.lowest, s.total, s.diversity, s.epochs
    h.worst = w.energies[most(w.energies, len(w.energies))]
    bits = codes.EPOCH | _share(s, c, h)
    if s.epoch >= c.epochs:
        return bits | _next_attempt(w, h)
    if c.every > 0 and s.epoch % c.every == 0:
        s.refining = choose(w.elite, w.energies, s.workers)
    return bits


@kernel
def _share(s: Any, c: Any, h: Any) -> Any:
    """The workers of the next epoch: fewer while the best of the attempt does not fall, all of them when it does."""
    wanted = s.workers if c.stagnation > 0 else c.workers
    if s.lowest < s.mark:
        s.mark, s.stagnation, wanted = s.lowest, 0, c.workers
    else:
        s.stagnation += 1
    h.workers_before, h.stagnation = s.workers, s.stagnation
    if c.stagnation > 0 and s.stagnation >= c.stagnation:
        wanted = max(min(s.workers, c.floor), s.workers - c.drop)
        s.stagnation = 0
    s.workers = wanted
    h.workers = s.workers
    return codes.SHIFTED if h.workers != h.workers_before and c.stagnation > 0 else 0


@kernel
def _next_attempt(w: Any, h: Any) -> Any:
    """A fresh swarm, if an attempt is left."""
    s, c = w.s, w.c
    if s.attempt >= c.attempts:
        s.status = codes.ATTEMPTS_SPENT
        return 0
    s.attempt += 1
    s.epoch, s.stagnation, s.workers = 0, 0, c.workers
    for k in range(len(w.genes)):
        fill_anew(w, k)
    s.mark = s.lowest
    h.attempt, h.fresh_best = s.attempt, s.lowest
    return codes.RESTART


@kernel
def judge(grids: Any, records: Any, bits: Any) -> Any:
    """What a step led to: a new best, the end; all of its bits. grids = (genes, best), records = those of the state,
    of the parameters and of what happens."""
    genes, best = grids
    s, c, h = records
    h.step = s.step
    h.best_before = h.best = s.best
    if s.lowest < s.best:
        s.best = s.lowest
        h.best = s.best
        for cell in range(len(best)):
            best[cell] = genes[s.leader, cell]
        bits |= codes.BEST
        if s.best == 0:
            s.status = codes.SOLVED
    if s.status == codes.RUNNING and s.step >= c.max_steps:
        s.status = codes.BUDGET_SPENT
    if s.status != codes.RUNNING:
        bits |= codes.DONE
    h.bits = bits
    return bits


@kernel
def advance_place(s: Any, c: Any) -> None:
    """Go on to the next organism; a merge without a pair makes no step."""
    size = c.size
    s.place += 1
    if s.place == size and s.workers in (0, size):
        s.place += 1
    if s.place > size + 1:
        s.place = 0


@kernel
def make_step(w: Any, h: Any) -> Any:
    """One step of a swarm whose next organism is not to be annealed; its bits."""
    s, c = w.s, w.c
    s.step += 1
    if s.place < c.size:
        bits = turn(w, s.place, h)
    elif s.place == c.size:
        bits = merge(w, h)
    else:
        bits = end_epoch(w, h)
    advance_place(s, c)
    return judge((w.genes, w.best), (s, c, h), bits)


# Many steps of a swarm at once. `burst` makes the turns of workers after which nothing but their own grid, E and
# age is different; every other step is made as the generator makes it. Both draw the same words and call the same
# primitives for a swap.


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
