"""A search by either engine: the stack of its positions and its counters."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from engine.puzzle import Puzzle, Variant, geometry
from engine.solutions import bitboard, masks
from engine.solutions.search_counters import COUNTERS, DEPTH, FOUND, GUESSES, Counters

Tables = tuple[NDArray[np.int32], NDArray[np.int32]]


class Stack(ABC):
    """The positions of a search that are still to be examined."""

    positions: NDArray[np.int32]
    counters: Counters

    @property
    def is_empty(self) -> bool:
        return bool(self.counters[DEPTH] < 0)

    @property
    def found(self) -> int:
        return int(self.counters[FOUND])

    @property
    def guesses(self) -> int:
        return int(self.counters[GUESSES])

    @abstractmethod
    def search(self, limit: int, guesses: int) -> tuple[int, ...] | None:
        """Search until one of the first solutions is found, and return it.

        Returns None when the search is complete, when `limit` solutions are found, or when `guesses` guesses are made.
        """


class BitboardStack(Stack):
    """A search of a classic 9x9 puzzle with bitboards."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.positions, self.counters = bitboard_arrays()
        bitboard.set_up(self.positions, np.array(puzzle.givens, dtype=np.uint8))

    def search(self, limit: int, guesses: int) -> tuple[int, ...] | None:
        at = bitboard.search(self.positions, self.counters, limit, guesses)
        if at < 0:
            return None
        cells = np.zeros(81, np.uint8)
        bitboard.write(self.positions, at, cells)
        return tuple(cells.tolist())


class MaskStack(Stack):
    """A search of any puzzle with masks. With a key other than 0 the guesses are random: those of this stream."""

    def __init__(self, puzzle: Puzzle, key: int = 0) -> None:
        units_of, cells_of = tables(puzzle.box, puzzle.variant)
        cells, places = len(units_of), cells_of.size
        self.positions = np.empty((cells + 1, cells + places + masks.TAIL), np.int32)
        self.counters = np.zeros(COUNTERS, np.int64)
        self._tables = (units_of, cells_of, np.empty(2 + cells + places, np.int32))
        self._key = np.uint64(key)
        if not masks.set_up(self.positions[0], np.array(puzzle.givens, dtype=np.uint8), *self._tables):
            self.counters[DEPTH] = -1

    def search(self, limit: int, guesses: int) -> tuple[int, ...] | None:
        at = masks.search(self.positions, self.counters, self._tables, limit, guesses, self._key)
        if at < 0:
            return None
        cells = np.zeros(len(self._tables[0]), np.uint8)
        masks.write(self.positions[at], cells)
        return tuple(cells.tolist())


def stack_of(puzzle: Puzzle) -> Stack:
    """A new search, by the faster engine for the puzzle."""
    return BitboardStack(puzzle) if is_banded(puzzle) else MaskStack(puzzle)


def is_banded(puzzle: Puzzle) -> bool:
    return puzzle.box == 3 and puzzle.variant == "classic"


def bitboard_arrays() -> tuple[NDArray[np.int32], Counters]:
    """The stack and the counters of the bitboard kernels."""
    return np.zeros((bitboard.LEVELS, bitboard.SIZE), np.int32), np.zeros(COUNTERS, np.int64)


@functools.cache
def tables(box: int, variant: Variant) -> Tables:
    """The units of each cell, -1 where it has fewer than others, and the cells of each unit."""
    g = geometry(box, variant)
    number = {unit: k for k, unit in enumerate(g.units)}
    width = max(map(len, g.units_of))
    units_of = [[number[unit] for unit in units] + [-1] * (width - len(units)) for units in g.units_of]
    return np.array(units_of, np.int32), np.array([unit.cells for unit in g.units], np.int32)
