"""A board of candidates as the techniques read it: sets of cells and sets of values are whole numbers.

A cell set has bit `cell`, a value set bit `value - 1`. Python's integers have any length, so that the same code serves
every board size.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.puzzle import Puzzle, Variant, cell_name, geometry

Pair = tuple[int, int]
"""(cell, value)"""


class Tables(NamedTuple):
    """Cell sets of a board size and variant."""

    n: int
    box: int
    variant: Variant
    units: tuple[int, ...]
    """The cells of each unit, in the order of `geometry.units`."""
    cells: tuple[tuple[int, ...], ...]
    """The same as tuples."""
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    peers: tuple[int, ...]
    """For each cell the others that share a unit with it."""
    units_of: tuple[tuple[int, ...], ...]
    """For each cell its units, ascending."""


@functools.cache
def tables(box: int, variant: Variant) -> Tables:
    """The tables of boards with box x box boxes; the same object at every call."""
    g = geometry(box, variant)
    number = {unit: place for place, unit in enumerate(g.units)}
    return Tables(g.n, box, variant, tuple(set_of(unit.cells) for unit in g.units), tuple(u.cells for u in g.units),
                  tuple(unit.name for unit in g.units), tuple(unit.kind for unit in g.units),
                  tuple(set_of(peers) for peers in g.peers),
                  tuple(tuple(number[unit] for unit in units) for units in g.units_of))


def within(tables: Tables, units: Iterable[int]) -> Tables:
    """The tables where only some units (places in `geometry.units`) have rules: the others have no cells in `units` and
    nothing to do with `peers`. Not for fish, which read rows and columns without `units`."""
    kept = set(units)
    sets = tuple(cells if place in kept else 0 for place, cells in enumerate(tables.units))
    peers = []
    for cell, places in enumerate(tables.units_of):
        seen = 0
        for place in places:
            seen |= sets[place]
        peers.append(seen & ~(1 << cell))
    return tables._replace(units=sets, peers=tuple(peers),
                           units_of=tuple(tuple(place for place in places if place in kept)
                                          for places in tables.units_of))


def set_of(members: Iterable[int]) -> int:
    """The set of some cells as a number."""
    found = 0
    for member in members:
        found |= 1 << member
    return found


def members(some: int) -> Iterator[int]:
    """The cells of a set, ascending."""
    while some:
        low = some & -some
        yield low.bit_length() - 1
        some ^= low


def values_of(mask: int) -> tuple[int, ...]:
    """The values of a value set, ascending."""
    return tuple(bit + 1 for bit in members(mask))


class Board:
    """The values, and the candidates of the open cells. Placing a value and eliminating a candidate change it."""

    __slots__ = ("masks", "open", "tables", "values", "where")

    def __init__(self, box: int, variant: Variant, values: Sequence[int], masks: Sequence[int]) -> None:
        """`values`: n*n, 0 = open; `masks`: n*n value sets, 0 for a filled cell."""
        self.tables = tables(box, variant)
        self.values = list(values)
        self.masks = list(masks)
        self.open = set_of(cell for cell, value in enumerate(values) if not value)
        self.where = [0] * (self.tables.n + 1)
        """where[v]: the open cells that have v as a candidate; where[0] is not used."""
        for cell, mask in enumerate(masks):
            for bit in members(mask):
                self.where[bit + 1] |= 1 << cell

    @classmethod
    def of(cls, puzzle: Puzzle, values: Sequence[int] | None = None, units: Iterable[int] | None = None) -> Board:
        """The board of a puzzle, or of `values` (n*n, 0 = open) on it, with every candidate that no value rules out.
        `units`: see `within`; None for all."""
        cells = list(puzzle.givens if values is None else values)
        full = (1 << puzzle.n) - 1
        board = cls(puzzle.box, puzzle.variant, cells, [0 if value else full for value in cells])
        if units is not None:
            board.tables = within(board.tables, units)
        for cell, value in enumerate(cells):
            if value:
                board._strike_set(value, board.tables.peers[cell])
        return board

    def copy(self) -> Board:
        """An independent copy."""
        board = Board(self.tables.box, self.tables.variant, self.values, self.masks)
        board.tables = self.tables
        return board

    def place(self, cell: int, value: int) -> None:
        """Put a value into an open cell; it is struck from the peers."""
        for bit in members(self.masks[cell]):
            self.where[bit + 1] &= ~(1 << cell)
        self.masks[cell] = 0
        self.values[cell] = value
        self.open &= ~(1 << cell)
        self._strike_set(value, self.tables.peers[cell])

    def strike(self, cell: int, value: int) -> None:
        """Remove a candidate from a cell; does nothing if it is none."""
        self.masks[cell] &= ~(1 << value - 1)
        self.where[value] &= ~(1 << cell)

    def _strike_set(self, value: int, cells: int) -> None:
        for cell in members(self.where[value] & cells):
            self.masks[cell] &= ~(1 << value - 1)
        self.where[value] &= ~cells

    def seen_by_all(self, cells: int) -> int:
        """The cells that share a unit with every one of some cells."""
        seen = -1
        for cell in members(cells):
            seen &= self.tables.peers[cell]
        return seen

    @property
    def candidates(self) -> int:
        """The number of candidates of the open cells."""
        return sum(mask.bit_count() for mask in self.masks)

    def dead_cells(self) -> tuple[int, ...]:
        """The cells of `contradiction`; empty if there is none."""
        found = self.contradiction()
        return found[0] if found else ()

    def contradiction(self) -> tuple[tuple[int, ...], str] | None:
        """The cells of a contradiction, and what is wrong as a clause: an open cell without a candidate, else the open
        cells of the first unit that has no place for a value, else equal values in a unit; None if there is none."""
        empty = next((cell for cell in members(self.open) if not self.masks[cell]), None)
        if empty is not None:
            return (empty,), f"{cell_name(empty, self.tables.n)} has no candidate left"
        for unit, cells, name in zip(self.tables.units, self.tables.cells, self.tables.names, strict=True):
            placed = [self.values[cell] for cell in cells if self.values[cell]]
            twice = {value for value in placed if placed.count(value) > 1}
            if twice:
                return (tuple(cell for cell in cells if self.values[cell] in twice),
                        f"{name} has {min(twice)} more than once")
            unplaced = next((v for v in range(1, self.tables.n + 1)
                             if v not in placed and not self.where[v] & unit), None)
            if unplaced is not None:
                return (tuple(cell for cell in cells if not self.values[cell]),
                        f"no {unplaced} fits in {name}")
        return None
