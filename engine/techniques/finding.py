"""A finding of a technique, and helpers for its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from engine.puzzle import cell_name
from engine.techniques.board import Board, Pair, members


class Finding(Struct, frozen=True):
    """One application of a technique: what it rests on and what follows."""

    technique: str
    cells: tuple[int, ...]
    """The pattern, ascending."""
    values: tuple[int, ...]
    """The values that it is about, ascending."""
    struck: tuple[Pair, ...]
    """Candidates that go: (cell, value), ascending."""
    placed: tuple[Pair, ...]
    units: tuple[int, ...]
    """The units that it is about, by their places in `geometry.units`."""
    where: str
    """The subject, as a clause: `1 and 7 in row 3`."""
    length: int = 0
    """Of a chain its links, of a net its rounds; 0 for others."""


Find = Callable[[Board], Iterator[Finding]]
"""Yields every finding of its kind on a board that changes the board, in a fixed order."""


class Technique(Struct, frozen=True):
    """A technique by its established name."""

    name: str
    find: Find
    means: str
    """The pattern and what follows from it: the end of a sentence without the full stop."""
    assumes_one: bool = False
    """True if it is valid only for a puzzle with exactly one solution."""


def pairs(values: int, board: Board, cells: int) -> tuple[Pair, ...]:
    """The candidates of some cells that are in a value set: (cell, value), ascending."""
    return tuple((cell, bit + 1) for cell in members(cells) for bit in members(board.masks[cell] & values))


def listed(words: Iterable[object]) -> str:
    """`1, 5 and 7`"""
    texts = [str(word) for word in words]
    return " and ".join(texts) if len(texts) < 3 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def named(board: Board, cells: Iterable[int]) -> str:
    """`r1c1, r1c5 and r4c1`"""
    return listed(cell_name(cell, board.tables.n) for cell in cells)
