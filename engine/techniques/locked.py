"""Locked candidates: the places of a value in one unit all lie in another."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from engine.techniques.board import Board, Tables, members
from engine.techniques.finding import Finding, pairs


@functools.lru_cache(maxsize=16)
def _crossings(t: Tables, from_boxes: bool) -> tuple[tuple[int, int], ...]:
    """Pairs of units that share two cells or more: those out of a box, or those into one."""
    units = range(len(t.units))
    return tuple((a, b) for a in units for b in units if a != b and (t.kinds[a] == "box") == from_boxes
                 and t.kinds[b] != t.kinds[a] and (t.units[a] & t.units[b]).bit_count() > 1)


def pointing(board: Board) -> Iterator[Finding]:
    """Pointing: all places of a value in a box lie in one line (or diagonal), which excludes it elsewhere in that line.
    """
    return _locked(board, "Pointing", True)


def claiming(board: Board) -> Iterator[Finding]:
    """Claiming: all places of a value in a line (or diagonal) lie in one box, which excludes it elsewhere in that box.
    """
    return _locked(board, "Claiming", False)


def _locked(board: Board, technique: str, from_boxes: bool) -> Iterator[Finding]:
    t = board.tables
    for a, b in _crossings(t, from_boxes):
        here, there = t.units[a], t.units[b]
        for value in range(1, t.n + 1):
            places, others = board.where[value] & here, board.where[value] & there & ~here
            if others and places and not places & ~there:
                yield Finding(technique, tuple(members(places)), (value,), pairs(1 << value - 1, board, others), (),
                              (a, b), f"{value} of {t.names[a]} stands in {t.names[b]}")
