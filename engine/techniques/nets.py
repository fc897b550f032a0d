"""Forcing nets: assume a candidate, place singles round by round, until something has no candidate left.

Unlike in a chain, several things follow from an assumption at once, more than most readers can keep in mind.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import Int, kernel
from engine.interrupt import give_way
from engine.puzzle import cell_name
from engine.techniques.board import Board, Pair, Tables, members
from engine.techniques.chains import MOST
from engine.techniques.finding import Finding
from engine.techniques.singles import hidden_singles, naked_singles

Masks = NDArray[np.uint32]
"""[n*n]: for each cell a set of values, bit v - 1 for value v."""
Table = NDArray[np.int16]
"""Cells: [units, n] of each unit, or [n*n, k] the peers of each cell, -1 beyond the last."""
Levels = NDArray[np.int16]
"""[n]: rounds, for each value."""

_0, _1 = np.uint32(0), np.uint32(1)


@kernel
def rounds_to_contradiction(masks: Masks, placed: Masks, units: Table, peers: Table, chosen: Masks,
                            deepest: Int) -> int:
    """The rounds of singles until an open cell or a value of a unit has no candidate; -1 if `deepest` rounds lead to
    none.

    masks: the candidates of open cells, placed: the placed values; both are changed. chosen: scratch.
    """
    full = (_1 << np.uint32(units.shape[1])) - _1
    for depth in range(deepest + 1):
        if not _singles(masks, placed, units, chosen, full):
            return depth
        if not _place(masks, placed, peers, chosen):
            return -1
    return -1


@kernel
def _singles(masks: Masks, placed: Masks, units: Table, chosen: Masks, full: np.uint32) -> bool:
    """Write the singles of this moment into `chosen`. False if something is contradicted."""
    for cell in range(masks.size):
        mask = masks[cell]
        if mask == _0 and placed[cell] == _0:
            return False
        chosen[cell] = mask if mask & (mask - _1) == _0 else _0
    for unit in range(units.shape[0]):
        once, twice, there = _0, _0, _0
        for at in range(units.shape[1]):
            cell = units[unit, at]
            twice |= once & masks[cell]
            once |= masks[cell]
            there |= placed[cell]
        if once | there != full:
            return False
        alone = once & ~twice
        if alone:
            for at in range(units.shape[1]):
                cell = units[unit, at]
                if masks[cell] & alone and chosen[cell] == _0:
                    chosen[cell] = masks[cell] & alone & (~(masks[cell] & alone) + _1)
    return True


@kernel
def _place(masks: Masks, placed: Masks, peers: Table, chosen: Masks) -> bool:
    """Place the chosen values. False if there were none."""
    any_placed = False
    for cell in range(masks.size):
        if masks[cell] & chosen[cell]:
            put(masks, placed, peers, cell, chosen[cell])
            any_placed = True
    return any_placed


@kernel
def put(masks: Masks, placed: Masks, peers: Table, cell: Int, bit: np.uint32) -> None:
    """Put a value into a cell and strike it from the peers."""
    masks[cell] = _0
    placed[cell] = bit
    for at in range(peers.shape[1]):
        peer = peers[cell, at]
        if peer >= 0:
            masks[peer] &= ~bit


@kernel
def probe(board: Masks, units: Table, peers: Table, scratch: Masks, cell: Int, levels: Levels, deepest: Int) -> None:
    """For each candidate of a cell the rounds until assuming it leads to a contradiction, or -1, into `levels`.

    board: [2, n*n], candidates and placed values; scratch: [3, n*n].
    """
    masks, placed = scratch[0], scratch[1]
    for value in range(levels.size):
        levels[value] = -1
        bit = _1 << np.uint32(value)
        if board[0, cell] & bit:
            for at in range(masks.size):
                masks[at], placed[at] = board[0, at], board[1, at]
            put(masks, placed, peers, cell, bit)
            levels[value] = rounds_to_contradiction(masks, placed, units, peers, scratch[2], deepest)


DEEPEST = 40
"""The largest number of rounds."""


def forcing_nets(board: Board) -> Iterator[Finding]:
    """The candidates whose assumption is contradicted after the fewest rounds of singles."""
    fewest, found = DEEPEST, list[Pair]()
    if board.candidates > MOST or board.dead_cells():
        return
    for cell, levels in _probes(board, found):
        for bit, level in enumerate(levels):
            if 0 <= level <= fewest:
                if level < fewest:
                    fewest = level
                    found.clear()
                found.append((cell, bit + 1))
    for cell, value in found:
        yield _finding(board, cell, value)


def _probes(board: Board, found: list[Pair]) -> Iterator[tuple[int, list[int]]]:
    """For each open cell the rounds until each of its candidates is contradicted, -1 where none is; not searched deeper
    than the fewest found so far."""
    n, (units, peers) = board.tables.n, _arrays(board.tables)
    placed = [1 << value >> 1 for value in board.values]
    arrays = np.array([board.masks, placed], np.uint32)
    scratch, levels = np.empty((3, n * n), np.uint32), np.empty(n, np.int16)
    deepest = DEEPEST
    for cell in members(board.open):
        give_way()
        probe(arrays, units, peers, scratch, cell, levels, deepest)
        known = [level for level in levels.tolist() if level >= 0]
        deepest = min(known, default=deepest)
        yield cell, levels.tolist()


@functools.lru_cache(maxsize=16)
def _arrays(t: Tables) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The units, int16[units, n], and the peers of each cell, int16[n*n, k], -1 beyond the last."""
    peers = [list(members(each)) for each in t.peers]
    width = max(map(len, peers))
    return np.array(t.cells, np.int16), np.array([each + [-1] * (width - len(each)) for each in peers], np.int16)


class Assumption:
    """The consequences of one candidate, round by round, with the reason of each."""

    def __init__(self, board: Board, cell: int, value: int) -> None:
        self._before = board
        self._after = board.copy()
        self._cause: dict[Pair, int] = {}
        """The cell whose value struck a candidate."""
        self._rests: dict[int, frozenset[int]] = {cell: frozenset()}
        """For each cell that got a value the cells that this rests on."""
        self._put(cell, value)
        self.rounds = 0

    def contradicted(self) -> tuple[str, list[Pair]] | None:
        """The contradiction as a clause, and the candidates involved; None if there is none."""
        before, after, t = self._before, self._after, self._before.tables
        for cell in members(after.open):
            if not after.masks[cell]:
                return (f"{cell_name(cell, t.n)} has no candidate left",
                        [(cell, bit + 1) for bit in members(before.masks[cell])])
        for unit, cells in enumerate(t.units):
            placed = {after.values[cell] for cell in t.cells[unit]}
            for value in range(1, t.n + 1):
                if value not in placed and not after.where[value] & cells:
                    return (f"{value} has no place left in {t.names[unit]}",
                            [(cell, value) for cell in members(before.where[value] & cells)])
        return None

    def go_on(self) -> bool:
        """Place every single of this moment. False if there is none."""
        self.rounds += 1
        before, after, t = self._before, self._after, self._before.tables
        singles = [*naked_singles(after), *hidden_singles(after)]
        for single in singles:
            (cell, value), = single.placed
            if not after.masks[cell] >> value - 1 & 1:
                continue
            if single.units:
                gone = [(other, value) for other in members(before.where[value] & t.units[single.units[0]])]
            else:
                gone = [(cell, bit + 1) for bit in members(before.masks[cell])]
            self._rests[cell] = self.causes([pair for pair in gone if pair != (cell, value)])
            self._put(cell, value)
        return bool(singles)

    def causes(self, gone: list[Pair]) -> frozenset[int]:
        """The cells whose values struck some candidates."""
        return frozenset(self._cause[pair] for pair in gone)

    def roots(self, cells: frozenset[int]) -> tuple[int, ...]:
        """These cells and all that they rest on, ascending."""
        needed, fresh = set[int](), set(cells)
        while fresh:
            needed |= fresh
            fresh = {root for cell in fresh for root in self._rests[cell]} - needed
        return tuple(sorted(needed))

    def _put(self, cell: int, value: int) -> None:
        after = self._after
        gone = [(other, value) for other in members(after.where[value] & after.tables.peers[cell])]
        gone += [(cell, bit + 1) for bit in members(after.masks[cell]) if bit + 1 != value]
        for pair in gone:
            self._cause.setdefault(pair, cell)
        after.place(cell, value)


def _finding(board: Board, cell: int, value: int) -> Finding:
    assumed = Assumption(board, cell, value)
    while not (dead := assumed.contradicted()) and assumed.go_on():
        pass
    assert dead is not None  # the kernel, which follows the same rules, has seen it
    said, gone = dead
    cells = set(assumed.roots(assumed.causes(gone))) | {cell}
    depth = f"{assumed.rounds} rounds of singles" if assumed.rounds != 1 else "1 round of singles"
    after = f"after {depth} " if assumed.rounds else ""
    return Finding("Forcing net", tuple(sorted(cells)), (value,), ((cell, value),), (), (),
                   f"if {cell_name(cell, board.tables.n)} were {value}, {after}{said}", assumed.rounds)
