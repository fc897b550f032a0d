"""Forcing nets: assume a candidate, place singles round by round, until something has no candidate left.

Unlike in a chain, several things follow from an assumption at once, more than most people can keep in mind.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import kernel
from engine.interrupt import give_way
from engine.puzzle import cell_name
from engine.techniques.board import Board, Pair, Tables, members
from engine.techniques.chains import MOST
from engine.techniques.finding import Finding
from engine.techniques.singles import hidden_singles, naked_singles

# Following an assumption through singles, in rounds, until something contradicts it.


_0, _1 = np.uint32(0), np.uint32(1)


@kernel
def rounds_to_contradiction(masks: Any, standing: Any, units: Any, peers: Any, chosen: Any, deepest: Any) -> Any:
    """The rounds of singles until an open cell or a value of a unit has no candidate; -1 if `deepest` rounds lead to
    none.

    masks, standing: uint32[n*n], candidates of open cells and placed values, as bits; both are changed. units:
    int16[units, n]; peers: int16[n*n, k]; chosen: uint32[n*n], scratch.
    """
    full = (_1 << np.uint32(units.shape[1])) - _1
    for depth in range(deepest + 1):
        if not _singles(masks, standing, units, chosen, full):
            return depth
        if not _place(masks, standing, peers, chosen):
            return -1
    return -1


@kernel
def _singles(masks: Any, standing: Any, units: Any, chosen: Any, full: Any) -> Any:
    """The singles of this moment into `chosen`; whether nothing is contradicted."""
    for cell in range(masks.size):
        mask = masks[cell]
        if mask == _0 and standing[cell] == _0:
            return False
        chosen[cell] = mask if mask & (mask - _1) == _0 else _0
    for unit in range(units.shape[0]):
        once, twice, there = _0, _0, _0
        for at in range(units.shape[1]):
            cell = units[unit, at]
            twice |= once & masks[cell]
            once |= masks[cell]
            there |= standing[cell]
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
def _place(masks: Any, standing: Any, peers: Any, chosen: Any) -> Any:
    """Place what was chosen; whether there was anything."""
    placed = False
    for cell in range(masks.size):
        if masks[cell] & chosen[cell]:
            put(masks, standing, peers, cell, chosen[cell])
            placed = True
    return placed


@kernel
def put(masks: Any, standing: Any, peers: Any, cell: Any, bit: Any) -> Any:
    """Put a value into a cell and strike it from the peers."""
    masks[cell] = _0
    standing[cell] = bit
    for at in range(peers.shape[1]):
        peer = peers[cell, at]
        if peer >= 0:
            masks[peer] &= ~bit


@kernel
def probe(board: Any, units: Any, peers: Any, scratch: Any, cell: Any, levels: Any, deepest: Any) -> Any:
    """For each candidate of a cell the rounds until assuming it leads to a contradiction, or -1, into levels: int16[n].

    board: uint32[2, n*n], candidates and placed values as bits; scratch: uint32[3, n*n].
    """
    masks, standing = scratch[0], scratch[1]
    for value in range(levels.size):
        levels[value] = -1
        bit = _1 << np.uint32(value)
        if board[0, cell] & bit:
            for at in range(masks.size):
                masks[at], standing[at] = board[0, at], board[1, at]
            put(masks, standing, peers, cell, bit)
            levels[value] = rounds_to_contradiction(masks, standing, units, peers, scratch[2], deepest)


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
    """For each open cell the rounds until each of its candidates is contradicted, -1 where none is; rounds beyond those
    of what was found already are not looked at."""
    n, (units, peers) = board.tables.n, _arrays(board.tables)
    standing = [1 << value >> 1 for value in board.values]
    arrays = np.array([board.masks, standing], np.uint32)
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
            standing = {after.values[cell] for cell in t.cells[unit]}
            for value in range(1, t.n + 1):
                if value not in standing and not after.where[value] & cells:
                    return (f"{value} has no place left in {t.names[unit]}",
                            [(cell, value) for cell in members(before.where[value] & cells)])
        return None

    def go_on(self) -> bool:
        """Place every single of this moment; whether there was any."""
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
