"""Forcing nets: a candidate is assumed, singles are placed round by round, and something is left without a candidate.

More than one thing at once follows from an assumption here, which is more than most people can keep in mind.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.human.board import Board, Pair, Tables, members
from engine.human.chains import MOST
from engine.human.finding import Finding
from engine.human.net_kernel import probe
from engine.human.singles import hidden_singles, naked_singles
from engine.interrupt import give_way
from engine.puzzle import cell_name

DEEPEST = 40
"""Rounds beyond which nobody looks."""


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
    """What follows from one candidate, round by round, and what each step rests on."""

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
        """What is left without a candidate, as a clause, and the candidates that it had; None where nothing is."""
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
