"""Naked and hidden singles: the two techniques that place values."""

from __future__ import annotations

from collections.abc import Iterator

from engine.puzzle import cell_name
from engine.techniques.board import Board, members
from engine.techniques.finding import Finding


def hidden_singles(board: Board) -> Iterator[Finding]:
    """Hidden single: a value with one place left in a unit. Units with few open cells come first: they are searched
    first on paper."""
    t, seen = board.tables, set()
    order = sorted(range(len(t.units)), key=lambda unit: (board.open & t.units[unit]).bit_count())
    for unit in order:
        cells = t.units[unit]
        if not board.open & cells:
            continue
        for value in range(1, t.n + 1):
            place = board.where[value] & cells
            if place and not place & (place - 1):
                cell = place.bit_length() - 1
                if cell not in seen:
                    seen.add(cell)
                    yield Finding("Hidden single", (cell,), (value,), (), ((cell, value),), (unit,),
                                  f"{value} has one place in {t.names[unit]}")


def naked_singles(board: Board) -> Iterator[Finding]:
    """A cell with one candidate left holds it."""
    for cell in members(board.open):
        mask = board.masks[cell]
        if mask and not mask & (mask - 1):
            value = mask.bit_length()
            yield Finding("Naked single", (cell,), (value,), (), ((cell, value),), (),
                          f"{cell_name(cell, board.tables.n)} can be nothing else")
