"""Naked and hidden subsets: k cells of a unit share k values between them."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from engine.human.board import Board, members, set_of, values_of
from engine.human.finding import Find, Finding, listed, pairs
from engine.human.groups import tight

SIZES = {2: "pair", 3: "triple", 4: "quad"}


def _naked(k: int, board: Board) -> Iterator[Finding]:
    t = board.tables
    for unit, cells in enumerate(t.cells):
        for places, values in tight([board.masks[cell] for cell in cells], k):
            pattern = set_of(cells[place] for place in places)
            struck = pairs(values, board, t.units[unit] & ~pattern)
            if struck:
                yield Finding(f"Naked {SIZES[k]}", tuple(members(pattern)), values_of(values), struck, (), (unit,),
                              f"{listed(values_of(values))} in {t.names[unit]}")


def _hidden(k: int, board: Board) -> Iterator[Finding]:
    t = board.tables
    full = (1 << t.n) - 1
    for unit, cells in enumerate(t.units):
        for places, pattern in tight([where & cells for where in board.where], k):
            values = set_of(value - 1 for value in places)
            struck = pairs(full & ~values, board, pattern)
            if struck:
                yield Finding(f"Hidden {SIZES[k]}", tuple(members(pattern)), values_of(values), struck, (), (unit,),
                              f"{listed(values_of(values))} have {k} places in {t.names[unit]}")


def naked(k: int) -> Find:
    """Finds k cells of a unit that have k candidates between them: no other cell of the unit holds these."""
    return functools.partial(_naked, k)


def hidden(k: int) -> Find:
    """Finds k values that have k places in a unit between them: these cells hold nothing else."""
    return functools.partial(_hidden, k)
