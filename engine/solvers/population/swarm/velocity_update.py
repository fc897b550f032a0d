"""The steps of particle swarm optimisation on permutations, compiled: a particle's flight, the end of an epoch.

A step of a particle is that of Kennedy and Eberhart (1995),

    v ← w·v ⊕ c₁·r₁·(pBest ⊖ x) ⊕ c₂·r₂·(gBest ⊖ x)        `update_velocity`
    x ← x ⊕ v                                               `fly`

where pBest is the best grid that the particle has met, gBest the best of all in this attempt (that of the particle
`guide`), and r₁, r₂ are random in [0, 1). As in Kennedy and Eberhart's discrete version (1997), chance decides
component by component. Positions are grids and velocities are lists of swaps (Clerc 2004): p ⊖ x is the list that turns
x into p, box by box and cell by cell; a factor k keeps each swap of a list with probability min(1, k); ⊕ joins lists,
and applies a list to a grid.
A flight draws from the stream MOVE: r₁, r₂, then one word for each swap that a factor keeps or drops, in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import Int, below, kernel, low_bits, word_at
from engine.solvers.annealing.workspace import count_cells, counted_energy, fill_cells
from engine.solvers.population.swarm.state import (
    ATTEMPTS_SPENT,
    EPOCH,
    EQUAL,
    FLIGHT,
    IMPROVED,
    RARE,
    RESTART,
    RUNNING,
    UPHILL,
    Config,
    Energies,
    Grid,
    Grids,
    Layout,
    Log,
    Record,
    StopCodes,
    SwarmNumbers,
)
from engine.solvers.population.swarm.workers import (
    close_step,
    fill_zobrist,
    fingerprint,
    first_best,
    last_worst,
    set_energy,
    share_of_distinct,
)

FIRST_SWAPS = 10
"""Random swaps in the velocity of a fresh particle."""
SWAPS_AT = np.uint64(60_000)
"""The position of their words in the particle's own stream."""
_SCALE = 4294967296.0


class Workspace(NamedTuple):
    """The arguments of a step: the state, the parameters, and scratch arrays."""

    genes: Grids
    energies: Energies
    own: Grids
    """pBest of each particle."""
    own_energies: Energies
    velocities: npt.NDArray[np.uint16]
    """[size, most, 2]: the swaps of each particle, ..."""
    lengths: npt.NDArray[np.int32]
    """[size]: ... of which the first `lengths` count."""
    best: Grid
    now: SwarmNumbers
    config: Config
    moves: npt.NDArray[np.uint16]
    """moves, units of a Board."""
    units: npt.NDArray[np.uint16]
    layout: Layout
    counts: npt.NDArray[np.uint8]
    """[Board.size], scratch, as are swaps[most + 2 n*n, 2] and there[n*n]."""
    swaps: npt.NDArray[np.uint16]
    there: Grid
    fill_keys: npt.NDArray[np.uint64]
    """[size]: keys of the streams of fresh grids."""
    move_key: np.uint64


@kernel
def update_velocity(work: Workspace, k: Int, log: Log) -> tuple[Int, Int]:
    """v ← w·v ⊕ c₁·r₁·(pBest ⊖ x) ⊕ c₂·r₂·(gBest ⊖ x) of particle k, written to swaps[first:last]: (first, last).

    If it is longer than a velocity may be, the oldest swaps are dropped.
    """
    now, config = work.now, work.config
    w, c1, c2 = config.inertia, config.own_pull, config.best_pull
    r1, r2 = random_fraction(work, 0), random_fraction(work, 1)
    x, p_best, g_best = work.genes[k], work.own[k], work.own[now.guide]
    kept, word = append_kept(work, k, w, (0, 2))  # kept, own, length: swaps written so far
    own, word = append_difference(work, p_best, x, c1 * r1, (kept, word))
    length, _ = append_difference(work, g_best, x, c2 * r2, (own, word))
    first = max(0, length - work.velocities.shape[1])
    log.kept = max(0, kept - first)
    log.own = max(0, own - max(kept, first))
    log.towards = length - first - log.kept - log.own
    return first, length


@kernel
def append_kept(work: Workspace, k: Int, factor: float, at: tuple[Int, Int]) -> tuple[Int, Int]:
    """factor·v: append the swaps of the velocity that are kept. at = (length, position of the next word), before and
    after."""
    length, position = at
    limit = chance(factor)
    for i in range(work.lengths[k]):
        if random_bits(work, position) < limit:
            work.swaps[length, 0], work.swaps[length, 1] = work.velocities[k, i, 0], work.velocities[k, i, 1]
            length += 1
        position += 1
    return length, position


@kernel
def append_difference(work: Workspace, target: Grid, x: Grid, factor: float, at: tuple[Int, Int]) -> tuple[Int, Int]:
    """factor·(target ⊖ x): append the swaps that are kept. at = (length, position of the next word), before and after.
    """
    length, position = at
    limit = chance(factor)
    starts, free, _ = work.layout
    there = work.there
    there[:] = x
    for box in range(len(starts) - 1):
        for i in range(starts[box], starts[box + 1]):
            cell = free[i]
            if there[cell] != target[cell]:
                j = i + 1
                while there[free[j]] != target[cell]:
                    j += 1
                other = free[j]
                there[cell], there[other] = there[other], there[cell]  # the way to the target, also if it is dropped
                if random_bits(work, position) < limit:
                    work.swaps[length, 0], work.swaps[length, 1] = cell, other
                    length += 1
                position += 1
    return length, position


@kernel
def chance(factor: float) -> np.int64:
    """The threshold that 32 random bits must be below for a swap to be kept."""
    return np.int64(min(1.0, factor) * _SCALE)


@kernel
def random_bits(work: Workspace, position: Int) -> np.int64:
    """32 random bits of this step, as int64."""
    return np.int64(low_bits(word_at(work.move_key, np.uint64(work.now.step), np.uint64(position))))


@kernel
def random_fraction(work: Workspace, position: Int) -> float:
    """A random number in [0, 1) of this step."""
    return np.float64(random_bits(work, position)) / _SCALE


@kernel
def energy_of(work: Workspace, cells: Grid) -> np.int64:
    """E of a grid."""
    count_cells(work.counts, cells, work.units)
    return np.int64(counted_energy(work.counts))


@kernel
def fly(work: Workspace, k: Int, log: Log) -> int:
    """One step of particle k: a new velocity v, then x ← x ⊕ v; pBest and gBest follow. Returns the bits."""
    now, cells = work.now, work.genes[k]
    first, last = update_velocity(work, k, log)
    for i in range(first, last):
        a, b = work.swaps[i, 0], work.swaps[i, 1]
        work.velocities[k, i - first, 0], work.velocities[k, i - first, 1] = a, b
        cells[a], cells[b] = cells[b], cells[a]
    work.lengths[k] = last - first
    log.who, log.before = k, work.energies[k]
    set_energy(now, work.energies, k, energy_of(work, cells))
    log.energy = work.energies[k]
    if log.energy < work.own_energies[k]:
        work.own_energies[k] = log.energy
        for cell in range(len(cells)):
            work.own[k, cell] = cells[cell]
        if log.energy < work.own_energies[now.guide]:
            now.guide = k
    log.own_best = work.own_energies[k]
    if log.energy < log.before:
        return FLIGHT | IMPROVED
    return FLIGHT | (EQUAL if log.energy == log.before else UPHILL)


@kernel
def reset_particle(work: Workspace, k: Int) -> None:
    """A random grid and velocity, and the grid as pBest, from the words of this step."""
    now, cells = work.now, work.genes[k]
    fill_cells(cells, work.layout, work.fill_keys[k], np.uint64(now.step))
    set_energy(now, work.energies, k, energy_of(work, cells))
    for cell in range(len(cells)):
        work.own[k, cell] = cells[cell]
    work.own_energies[k] = work.energies[k]
    work.lengths[k] = min(FIRST_SWAPS, work.velocities.shape[1])
    for i in range(work.lengths[k]):
        word = word_at(work.fill_keys[k], np.uint64(now.step), SWAPS_AT + np.uint64(i))
        move = below(word, np.uint64(len(work.moves)))
        work.velocities[k, i, 0], work.velocities[k, i, 1] = work.moves[move, 0], work.moves[move, 1]


@kernel
def diversity_of(work: Workspace) -> float:
    """Distinct particles / all."""
    zobrist, fingerprints = np.zeros((work.genes.shape[1], 26), np.uint64), np.zeros(len(work.genes), np.uint64)
    fill_zobrist(zobrist)
    for k in range(len(work.genes)):
        fingerprints[k] = fingerprint(work.genes[k], zobrist)
    return share_of_distinct(fingerprints)


@kernel
def close_epoch(work: Workspace, log: Log) -> int:
    """End the epoch: statistics, and the next attempt if the epochs are spent. Returns the bits."""
    now, config, size = work.now, work.config, len(work.genes)
    now.epoch += 1
    now.epochs += 1
    now.diversity = diversity_of(work)
    log.lowest, log.total, log.diversity, log.epochs = now.lowest, now.total, now.diversity, now.epochs
    log.worst = work.energies[last_worst(work.energies, size)]
    if now.epoch < config.epochs:
        return EPOCH
    if now.attempt >= config.attempts:
        now.status = ATTEMPTS_SPENT
        return EPOCH
    now.attempt += 1
    now.epoch = 0
    for k in range(size):
        reset_particle(work, k)
    now.guide, now.diversity = first_best(work.own_energies, 0, size), diversity_of(work)
    log.attempt, log.fresh_best = now.attempt, now.lowest
    return EPOCH | RESTART


@kernel
def make_step(work: Workspace, log: Log) -> Int:
    """One step: a flight, or the end of the epoch. Returns the bits."""
    now, config = work.now, work.config
    now.step += 1
    if now.place < config.size:
        bits = fly(work, now.place, log)
        now.place += 1
    else:
        bits = close_epoch(work, log)
        now.place = 0
    return close_step((work.genes, work.best), (now, config, log), bits)


@kernel
def moved(work: Workspace, k: Int, cell: int) -> bool:
    """True if the last flight of particle k changed this cell."""
    found = False
    for i in range(work.lengths[k]):
        found = found or work.velocities[k, i, 0] == cell or work.velocities[k, i, 1] == cell
    return found


@kernel
def run(work: Workspace, logs: Record, stop: StopCodes, n: Int) -> tuple[Int, bool]:
    """Up to n steps, in place; (rare records written, whether the stop was hit).

    logs: LOG[m].
    """
    now = work.now
    last, written, halted = now.step + n, 0, False
    while now.step < last and now.status == RUNNING and written < len(logs) and not halted:
        before = now.lowest
        bits = make_step(work, logs[written])
        halted = bool((bits & stop[0]) != 0 or now.lowest <= stop[1] < before)
        if stop[2] >= 0 and bits & FLIGHT:
            halted = halted or moved(work, logs[written].who, stop[2])
        written += (bits & RARE) != 0
    return written, halted
