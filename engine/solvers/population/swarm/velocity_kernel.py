"""What a step of a swarm with velocities is made of, compiled: a flight, the end of an epoch; and many of them.

A velocity is a list of swaps. The difference p ⊖ x is the list that turns x into p, box by box and cell by cell; a
factor k keeps each swap of a list with probability min(1, k); ⊕ joins lists, and applies one to a grid. A flight draws
from the stream MOVE: r₁, r₂, then one word for each swap that is asked about, in order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.compiled.kernel import below, kernel, low_bits, word_at
from engine.solvers.annealing.neighbourhood import count_cells, counted_energy, fill_cells
from engine.solvers.population.swarm import state as codes
from engine.solvers.population.swarm.kernel import distinct, fill_marks, fingerprint, judge, lead, least, most

FIRST_SWAPS = 10
"""Random swaps in the velocity of a fresh particle."""
SWAPS_AT = np.uint64(60_000)
"""Their words in the particle's own stream begin here."""
_SCALE = 4294967296.0


class Flight(NamedTuple):
    """All that the primitives work with."""

    genes: Any
    energies: Any
    own: Any
    """uint8[size, n*n] and int32[size]: the best grid of each particle, and its E."""
    own_energies: Any
    velocities: Any
    """uint16[size, most, 2] and int32[size]: the swaps of each, the first `lengths` of them."""
    lengths: Any
    best: Any
    s: Any
    c: Any
    moves: Any
    units: Any
    layout: Any
    counts: Any
    """uint8[Board.size], scratch, as are swaps uint16[most + 2 n*n, 2] and there uint8[n*n]."""
    swaps: Any
    there: Any
    fills: Any
    move_key: Any


@kernel
def energy_of(f: Any, cells: Any) -> Any:
    count_cells(f.counts, cells, f.units)
    return np.int64(counted_energy(f.counts))


@kernel
def chance(factor: float) -> Any:
    """What 32 drawn bits must be below for a swap to be kept."""
    return np.int64(min(1.0, factor) * _SCALE)


@kernel
def drawn(f: Any, position: int) -> Any:
    return np.int64(low_bits(word_at(f.move_key, np.uint64(f.s.step), np.uint64(position))))


@kernel
def pull(f: Any, towards: Any, limit: Any, at: Any) -> Any:
    """Append the swaps of (towards ⊖ there) that are kept; at = (length, position), both as they are after it."""
    length, position = at
    starts, free, _ = f.layout
    there = f.there
    for box in range(len(starts) - 1):
        for i in range(starts[box], starts[box + 1]):
            cell = free[i]
            if there[cell] != towards[cell]:
                j = i + 1
                while there[free[j]] != towards[cell]:
                    j += 1
                other = free[j]
                there[cell], there[other] = there[other], there[cell]
                if drawn(f, position) < limit:
                    f.swaps[length, 0], f.swaps[length, 1] = cell, other
                    length += 1
                position += 1
    return length, position


@kernel
def gather(f: Any, k: int, h: Any) -> Any:
    """Write the new velocity of particle k into the scratch: (its first swap, one after its last)."""
    c, cells = f.c, f.genes[k]
    length, position, limit = 0, 2, chance(c.inertia)
    for i in range(f.lengths[k]):
        if drawn(f, position) < limit:
            f.swaps[length, 0], f.swaps[length, 1] = f.velocities[k, i, 0], f.velocities[k, i, 1]
            length += 1
        position += 1
    kept = length
    f.there[:] = cells
    limit = chance(c.own_pull * (np.float64(drawn(f, 0)) / _SCALE))
    length, position = pull(f, f.own[k], limit, (length, position))
    own = length - kept
    f.there[:] = cells
    limit = chance(c.best_pull * (np.float64(drawn(f, 1)) / _SCALE))
    length, position = pull(f, f.own[f.s.guide], limit, (length, position))
    h.towards = length - kept - own
    first = max(0, length - f.velocities.shape[1])
    h.kept = max(0, kept - first)
    h.own = max(0, own - max(0, first - kept))
    h.towards = length - first - h.kept - h.own
    return first, length


@kernel
def fly(f: Any, k: int, h: Any) -> Any:
    """Particle k changes its velocity and moves by it; the bits of that."""
    s, cells = f.s, f.genes[k]
    first, last = gather(f, k, h)
    for i in range(first, last):
        a, b = f.swaps[i, 0], f.swaps[i, 1]
        f.velocities[k, i - first, 0], f.velocities[k, i - first, 1] = a, b
        cells[a], cells[b] = cells[b], cells[a]
    f.lengths[k] = last - first
    h.who, h.before = k, f.energies[k]
    lead(s, f.energies, k, energy_of(f, cells))
    h.energy = f.energies[k]
    if h.energy < f.own_energies[k]:
        f.own_energies[k] = h.energy
        for cell in range(len(cells)):
            f.own[k, cell] = cells[cell]
        if h.energy < f.own_energies[s.guide]:
            s.guide = k
    h.own_best = f.own_energies[k]
    if h.energy < h.before:
        return codes.FLIGHT | codes.IMPROVED
    return codes.FLIGHT | (codes.EQUAL if h.energy == h.before else codes.UPHILL)


@kernel
def begin_anew(f: Any, k: int) -> None:
    """A fresh grid, a fresh velocity, and no past, from the words of this step."""
    s, cells = f.s, f.genes[k]
    fill_cells(cells, f.layout, f.fills[k], np.uint64(s.step))
    lead(s, f.energies, k, energy_of(f, cells))
    for cell in range(len(cells)):
        f.own[k, cell] = cells[cell]
    f.own_energies[k] = f.energies[k]
    f.lengths[k] = min(FIRST_SWAPS, f.velocities.shape[1])
    for i in range(f.lengths[k]):
        word = word_at(f.fills[k], np.uint64(s.step), SWAPS_AT + np.uint64(i))
        move = below(word, np.uint64(len(f.moves)))
        f.velocities[k, i, 0], f.velocities[k, i, 1] = f.moves[move, 0], f.moves[move, 1]


@kernel
def close_epoch(f: Any, h: Any) -> Any:
    """Statistics, and the next attempt where the epochs are spent; the bits of that."""
    s, c, size = f.s, f.c, len(f.genes)
    marks, prints = np.zeros((f.genes.shape[1], 26), np.uint64), np.zeros(size, np.uint64)
    fill_marks(marks)
    for k in range(size):
        prints[k] = fingerprint(f.genes[k], marks)
    s.epoch += 1
    s.epochs += 1
    s.diversity = distinct(prints)
    h.lowest, h.total, h.diversity, h.epochs = s.lowest, s.total, s.diversity, s.epochs
    h.worst = f.energies[most(f.energies, size)]
    if s.epoch < c.epochs:
        return codes.EPOCH
    if s.attempt >= c.attempts:
        s.status = codes.ATTEMPTS_SPENT
        return codes.EPOCH
    s.attempt += 1
    s.epoch = 0
    for k in range(size):
        begin_anew(f, k)
    s.guide = least(f.own_energies, 0, size)
    h.attempt, h.fresh_best = s.attempt, s.lowest
    return codes.EPOCH | codes.RESTART


@kernel
def make_flight(f: Any, h: Any) -> Any:
    """One step; its bits."""
    s, c = f.s, f.c
    s.step += 1
    if s.place < c.size:
        bits = fly(f, s.place, h)
        s.place += 1
    else:
        bits = close_epoch(f, h)
        s.place = 0
    return judge((f.genes, f.best), (s, c, h), bits)


@kernel
def moves(f: Any, k: int, cell: int) -> Any:
    """Whether the last flight of particle k exchanged a cell."""
    found = False
    for i in range(f.lengths[k]):
        found = found or f.velocities[k, i, 0] == cell or f.velocities[k, i, 1] == cell
    return found


@kernel
def run(f: Any, happened: Any, stop: Any, n: int) -> Any:
    """Up to n steps, in place; (rare records written, whether the stop was hit). stop = (bits, E, cell or -1)."""
    s = f.s
    last, written, halted = s.step + n, 0, False
    while s.step < last and s.status == codes.RUNNING and written < len(happened) and not halted:
        before = s.lowest
        bits = make_flight(f, happened[written])
        halted = (bits & stop[0]) != 0 or s.lowest <= stop[1] < before
        if stop[2] >= 0 and bits & codes.FLIGHT:
            halted = halted or moves(f, happened[written].who, stop[2])
        written += (bits & codes.RARE) != 0
    return written, halted
