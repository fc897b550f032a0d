"""Workers and explorers, compiled: the turn of each, the merge into the worst worker, the end of an epoch.

An epoch is a turn of every organism, one merge, and its end. The generator and `run` call the same functions.
The turn of a worker uses one word of the stream MOVE: the high 32 bits pick the swap, the low 32 decide. With `draw =
group` they pick a box, and a second word one of its swaps. A fresh grid of organism k is drawn from its own stream, a
merge from CHOICE, one word a box.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.compiled.kernel import Int, below, kernel, low_bits, mix64, word_at
from engine.solvers.annealing.energy_delta import swap, swap_delta
from engine.solvers.annealing.neighbourhood import group_swap
from engine.solvers.annealing.workspace import count_cells, counted_energy, fill_cells
from engine.solvers.population.swarm.state import (
    ATTEMPTS_SPENT,
    BEST,
    BUDGET_SPENT,
    DONE,
    EPOCH,
    EXPLORER,
    FRESH,
    IMPROVED,
    LUCK,
    MERGED,
    RARE,
    REFUSED,
    RESTART,
    RUNNING,
    SHIFTED,
    SOLVED,
    UPHILL,
    WORKER,
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

Zobrist = npt.NDArray[np.uint64]
"""[n*n, n + 1]: a random word for every value in every cell."""

_0, _1 = np.uint64(0), np.uint64(1)
_TAKEN = IMPROVED | LUCK
_TURN = _TAKEN | UPHILL | REFUSED | WORKER


class Workspace(NamedTuple):
    """The arguments of a step: the state, the parameters, and tables derived from them."""

    genes: Grids
    energies: Energies
    ages: Energies
    best: Grid
    elite: Energies
    now: SwarmNumbers
    config: Config
    moves: npt.NDArray[np.uint16]
    """moves, pairs, units, group_starts of a Board."""
    pairs: npt.NDArray[np.uint16]
    units: npt.NDArray[np.uint16]
    group_starts: npt.NDArray[np.int32]
    layout: Layout
    box_of: npt.NDArray[np.int64]
    """[n*n]: the box of each cell."""
    counts: npt.NDArray[np.uint8]
    """[size, Board.size]: the count table of every organism."""
    fingerprints: npt.NDArray[np.uint64]
    """[size]: of every grid, by Zobrist hashing."""
    zobrist: Zobrist
    fill_keys: npt.NDArray[np.uint64]
    """[size]: keys of the streams of fresh grids."""
    move_key: np.uint64
    choice_key: np.uint64


@kernel
def fill_zobrist(zobrist: Zobrist) -> None:
    """A random word for every value in every cell."""
    for cell in range(zobrist.shape[0]):
        for value in range(zobrist.shape[1]):
            zobrist[cell, value] = mix64(np.uint64(cell * 64 + value + 1))


@kernel
def fingerprint(cells: Grid, zobrist: Zobrist) -> np.uint64:
    """A uint64 that is the same for equal grids (Zobrist hashing)."""
    total = _0
    for cell in range(len(cells)):
        total ^= zobrist[cell, cells[cell]]
    return total


@kernel
def derive_tables(work: Workspace) -> None:
    """Fill count tables and fingerprints from the grids."""
    fill_zobrist(work.zobrist)
    for k in range(len(work.genes)):
        count_cells(work.counts[k], work.genes[k], work.units)
        work.fingerprints[k] = fingerprint(work.genes[k], work.zobrist)


@kernel
def first_best(energies: Energies, first: Int, last: Int) -> Int:
    """The first organism with the least E among first <= k < last. (np.argmin takes long to compile.)"""
    found = first
    for k in range(first + 1, last):
        if energies[k] < energies[found]:
            found = k
    return found


@kernel
def last_worst(energies: Energies, last: Int) -> Int:
    """The last organism with the highest E among k < last."""
    found = 0
    for k in range(1, last):
        if energies[k] >= energies[found]:
            found = k
    return found


@kernel
def set_energy(now: SwarmNumbers, energies: Energies, k: Int, energy: Int) -> None:
    """Set E of organism k, and update the sum and the leader."""
    now.total += energy - energies[k]
    energies[k] = energy
    if energy < now.lowest:
        now.lowest, now.leader = energy, k
    elif k == now.leader and energy > now.lowest:
        now.leader = first_best(energies, 0, len(energies))
        now.lowest = energies[now.leader]


@kernel
def refill(work: Workspace, k: Int) -> None:
    """A random grid for organism k, from the words of this step."""
    cells, counts = work.genes[k], work.counts[k]
    fill_cells(cells, work.layout, work.fill_keys[k], np.uint64(work.now.step))
    count_cells(counts, cells, work.units)
    work.fingerprints[k] = fingerprint(cells, work.zobrist)
    work.ages[k] = 0
    set_energy(work.now, work.energies, k, np.int64(counted_energy(counts)))


@kernel
def turn(work: Workspace, k: Int, log: Log) -> int:
    """The turn of organism k: a worker judges a random swap in a box, an explorer is refilled. Returns the bits."""
    now, config = work.now, work.config
    log.who, log.before, log.draw, log.a, log.b = k, work.energies[k], -1, 0, 0
    if k >= now.workers:
        refill(work, k)
        log.energy, log.age = work.energies[k], 0
        return FRESH | EXPLORER
    cells, counts = work.genes[k], work.counts[k]
    word = word_at(work.move_key, np.uint64(now.step), _0)
    move = below(word, np.uint64(len(work.moves)))
    if config.grouped == 1:
        move = np.uint64(group_swap(work.group_starts, word, word_at(work.move_key, np.uint64(now.step), _1)))
    a, b = work.moves[move, 0], work.moves[move, 1]
    v, u = cells[a], cells[b]
    change = swap_delta(cells, counts, work.moves, work.pairs, move)
    log.a, log.b, log.at_a, log.at_b, log.delta = a, b, v, u, change
    bits = IMPROVED
    if change >= 0:
        log.draw = np.int64(low_bits(word))
        bits = LUCK | (UPHILL if change > 0 else 0) if log.draw < config.luck else REFUSED
    if bits == REFUSED:
        work.ages[k] += 1
        if work.ages[k] > config.patience:
            bits = FRESH
            refill(work, k)
            now.fresh += 1
    else:
        swap(cells, counts, work.moves, work.pairs, move)
        work.fingerprints[k] ^= work.zobrist[a, v] ^ work.zobrist[a, u] ^ work.zobrist[b, u] ^ work.zobrist[b, v]
        if change < 0:
            work.ages[k] = 0
        set_energy(now, work.energies, k, work.energies[k] + change)
    log.energy, log.age = work.energies[k], work.ages[k]
    return bits | WORKER


@kernel
def merge(work: Workspace, log: Log) -> int:
    """Replace the worst worker by a child of the best worker and the best explorer, each box from either of them.
    Returns the bits."""
    now, energies = work.now, work.energies
    first, second = first_best(energies, 0, now.workers), first_best(energies, now.workers, len(energies))
    into = last_worst(energies, now.workers)
    log.who, log.first, log.second, log.before = into, first, second, energies[into]
    log.first_energy, log.second_energy, log.boxes = energies[first], energies[second], 0
    n = work.zobrist.shape[1] - 1
    for box in range(n):
        word = word_at(work.choice_key, np.uint64(now.step), np.uint64(box))
        log.boxes |= np.int64(below(word, np.uint64(2))) << box
    cells = work.genes[into]
    for cell in range(len(cells)):
        cells[cell] = work.genes[second if (log.boxes >> work.box_of[cell]) & 1 else first, cell]
    count_cells(work.counts[into], cells, work.units)
    work.fingerprints[into] = fingerprint(cells, work.zobrist)
    work.ages[into] = 0
    set_energy(now, energies, into, np.int64(counted_energy(work.counts[into])))
    log.energy = energies[into]
    return MERGED


@kernel
def share_of_distinct(fingerprints: npt.NDArray[np.uint64]) -> float:
    """The diversity: distinct fingerprints / all, by a hash table with open addressing."""
    size = 1
    while size < 2 * len(fingerprints):
        size *= 2
    table, taken, found = np.zeros(size, np.uint64), np.zeros(size, np.uint8), 0
    for each in fingerprints:
        place = np.int64(each & np.uint64(size - 1))
        while taken[place] and table[place] != each:
            place = (place + 1) & (size - 1)
        found += taken[place] == 0
        table[place], taken[place] = each, 1
    return found / np.float64(len(fingerprints))


@kernel
def choose_elite(elite: Energies, energies: Energies, workers: Int) -> Int:
    """Write the best workers to the end of `elite`, best first, lower numbers first on ties. Returns how many."""
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
def end_epoch(work: Workspace, log: Log) -> int:
    """End the epoch: statistics, the share of workers, the next annealing, the next attempt. Returns the bits."""
    now, config = work.now, work.config
    now.epoch += 1
    now.epochs += 1
    now.diversity = share_of_distinct(work.fingerprints)
    log.lowest, log.total, log.diversity, log.epochs = now.lowest, now.total, now.diversity, now.epochs
    log.worst = work.energies[last_worst(work.energies, len(work.energies))]
    bits = EPOCH | set_workers(now, config, log)
    if now.epoch >= config.epochs:
        return bits | next_attempt(work, log)
    if config.every > 0 and now.epoch % config.every == 0:
        now.refining = choose_elite(work.elite, work.energies, now.workers)
    return bits


@kernel
def set_workers(now: SwarmNumbers, config: Config, log: Log) -> int:
    """The workers of the next epoch: fewer while the best E of the attempt does not fall, all when it does."""
    wanted = now.workers if config.stagnation > 0 else config.workers
    if now.lowest < now.mark:
        now.mark, now.stagnation, wanted = now.lowest, 0, config.workers
    else:
        now.stagnation += 1
    log.workers_before, log.stagnation = now.workers, now.stagnation
    if config.stagnation > 0 and now.stagnation >= config.stagnation:
        wanted = max(min(now.workers, config.floor), now.workers - config.drop)
        now.stagnation = 0
    now.workers = wanted
    log.workers = now.workers
    return SHIFTED if log.workers != log.workers_before and config.stagnation > 0 else 0


@kernel
def next_attempt(work: Workspace, log: Log) -> int:
    """Refill the swarm, if an attempt is left. Returns the bits."""
    now, config = work.now, work.config
    if now.attempt >= config.attempts:
        now.status = ATTEMPTS_SPENT
        return 0
    now.attempt += 1
    now.epoch, now.stagnation, now.workers = 0, 0, config.workers
    for k in range(len(work.genes)):
        refill(work, k)
    now.mark, now.diversity = now.lowest, share_of_distinct(work.fingerprints)
    log.attempt, log.fresh_best = now.attempt, now.lowest
    return RESTART


@kernel
def close_step(grids: tuple[Grids, Grid], records: tuple[SwarmNumbers, Config, Log], bits: Int) -> Int:
    """The end of a step with these bits: a new best, the end of the run. Returns all bits. grids = (genes, best)."""
    genes, best = grids
    now, config, log = records
    log.step = now.step
    log.best_before = log.best = now.best
    if now.lowest < now.best:
        now.best = now.lowest
        log.best = now.best
        for cell in range(len(best)):
            best[cell] = genes[now.leader, cell]
        bits |= BEST
        if now.best == 0:
            now.status = SOLVED
    if now.status == RUNNING and now.step >= config.max_steps:
        now.status = BUDGET_SPENT
    if now.status != RUNNING:
        bits |= DONE
    log.bits = bits
    return bits


@kernel
def next_place(now: SwarmNumbers, config: Config) -> None:
    """Move on to the next organism. Without workers or without explorers the merge is left out."""
    size = config.size
    now.place += 1
    if now.place == size and now.workers in (0, size):
        now.place += 1
    if now.place > size + 1:
        now.place = 0


@kernel
def make_step(work: Workspace, log: Log) -> Int:
    """One step, which is no annealing. Returns the bits."""
    now, config = work.now, work.config
    now.step += 1
    if now.place < config.size:
        bits = turn(work, now.place, log)
    elif now.place == config.size:
        bits = merge(work, log)
    else:
        bits = end_epoch(work, log)
    next_place(now, config)
    return close_step((work.genes, work.best), (now, config, log), bits)


@kernel
def burst(work: Workspace, most: Int) -> None:
    """Up to `most` turns of workers that change nothing but their own grid, E and age: the fast path of `run`.

    Stops before a turn that would change the leader, and before the refusal that refills a worker. Draws the same words
    and calls the same primitives as `turn`; the fields of the workspace are read once, for speed.
    """
    now, config = work.now, work.config
    genes, energies, ages, all_counts = work.genes, work.energies, work.ages, work.counts
    prints, marks = work.fingerprints, work.zobrist
    moves, pairs, key, bound = work.moves, work.pairs, work.move_key, np.uint64(len(work.moves))
    grouped, group_starts = config.grouped == 1, work.group_starts
    first, leader, lowest, luck, patience = now.place, now.leader, now.lowest, config.luck, config.patience
    step, total = np.uint64(now.step), now.total
    for k in range(first, min(now.workers, config.size - 1, first + most)):
        step += np.uint64(1)
        word = word_at(key, step, np.uint64(0))
        move = below(word, bound)
        if grouped:
            move = np.uint64(group_swap(group_starts, word, word_at(key, step, _1)))
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
        now.place = k + 1
    now.total = total
    now.step += now.place - first


@kernel
def run(work: Workspace, logs: Record, stop: StopCodes, n: Int) -> tuple[Int, bool]:
    """Up to n steps, in place; (rare records written, whether the stop was hit).

    logs: LOG[m]. Ends early when the run is over, when the stop is hit, before an organism is annealed, and when the
    log is full.
    """
    now, config = work.now, work.config
    derive_tables(work)
    last, written, halted, quiet = now.step + n, 0, False, (stop[0] & _TURN) == 0 and stop[2] < 0
    while now.step < last and now.status == RUNNING and now.refining == 0 and written < len(logs) and not halted:
        if quiet and now.place < now.workers:
            burst(work, min(last, config.max_steps) - 1 - now.step)
        before = now.lowest
        log = logs[written]
        bits = make_step(work, log)
        halted = bool((bits & stop[0]) != 0 or now.lowest <= stop[1] < before)
        halted = halted or bool((bits & _TAKEN) != 0 and stop[2] in (log.a, log.b))
        written += (bits & RARE) != 0
    return written, halted
