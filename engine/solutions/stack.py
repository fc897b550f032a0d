"""A search of either engine as Python holds it: the stack of positions and the books."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from engine.puzzle import Puzzle, Variant, geometry
from engine.solutions import bitboard, masks
from engine.solutions.words import BOOKS, DEPTH, FOUND, GUESSES

Tables = tuple[NDArray[np.int32], NDArray[np.int32]]


class Stack(ABC):
    """Positions that are still to be looked at."""

    positions: NDArray[np.int32]
    books: NDArray[np.int64]

    @property
    def is_empty(self) -> bool:
        return bool(self.books[DEPTH] < 0)

    @property
    def found(self) -> int:
        return int(self.books[FOUND])

    @property
    def guesses(self) -> int:
        return int(self.books[GUESSES])

    @abstractmethod
    def search(self, limit: int, guesses: int) -> tuple[int, ...] | None:
        """Go on until one of the first solutions is found; None when nothing is left, when `limit` solutions are
        found, or when so many guesses are made."""


class BandStack(Stack):
    """Classic 9x9."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.positions, self.books = band_arrays()
        bitboard.set_up(self.positions, np.array(puzzle.givens, dtype=np.uint8))

    def search(self, limit: int, guesses: int) -> tuple[int, ...] | None:
        at = bitboard.search(self.positions, self.books, limit, guesses)
        if at < 0:
            return None
        cells = np.zeros(81, np.uint8)
        bitboard.write(self.positions, at, cells)
        return tuple(cells.tolist())


class MaskStack(Stack):
    """Any size and variant. With a key other than 0 the guesses are random: those of this stream."""

    def __init__(self, puzzle: Puzzle, key: int = 0) -> None:
        units_of, cells_of = tables(puzzle.box, puzzle.variant)
        cells, places = len(units_of), cells_of.size
        self.positions = np.empty((cells + 1, cells + places + masks.TAIL), np.int32)
        self.books = np.zeros(BOOKS, np.int64)
        self._tables = (units_of, cells_of, np.empty(2 + cells + places, np.int32))
        self._key = np.uint64(key)
        if not masks.set_up(self.positions[0], np.array(puzzle.givens, dtype=np.uint8), *self._tables):
            self.books[DEPTH] = -1

    def search(self, limit: int, guesses: int) -> tuple[int, ...] | None:
        at = masks.search(self.positions, self.books, self._tables, limit, guesses, self._key)
        if at < 0:
            return None
        cells = np.zeros(len(self._tables[0]), np.uint8)
        masks.write(self.positions[at], cells)
        return tuple(cells.tolist())


def stack_of(puzzle: Puzzle) -> Stack:
    """A search that begins, by the faster engine for the puzzle."""
    return BandStack(puzzle) if is_banded(puzzle) else MaskStack(puzzle)


def is_banded(puzzle: Puzzle) -> bool:
    return puzzle.box == 3 and puzzle.variant == "classic"


def band_arrays() -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The stack and the books of the band kernels."""
    return np.zeros((bitboard.LEVELS, bitboard.SIZE), np.int32), np.zeros(BOOKS, np.int64)


@functools.cache
def tables(box: int, variant: Variant) -> Tables:
    """The units of each cell, -1 where it has fewer than others, and the cells of each unit."""
    g = geometry(box, variant)
    number = {unit: k for k, unit in enumerate(g.units)}
    width = max(map(len, g.units_of))
    units_of = [[number[unit] for unit in units] + [-1] * (width - len(units)) for units in g.units_of]
    return np.array(units_of, np.int32), np.array([unit.cells for unit in g.units], np.int32)
