"""Naked and hidden subsets: k cells of a unit share k values between them."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from engine.techniques.board import Board, members, set_of, values_of
from engine.techniques.finding import Find, Finding, listed, pairs

# Sets that are tight: k of them with k members between them. Subsets and fish are both this.


def tight(sets: Sequence[int], k: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every choice of k of some sets (numbers; bits are members) whose union has exactly k members, in order of their
    places: (places, union). Sets that are empty, have one member or more than k are left out."""
    usable = [(place, each) for place, each in enumerate(sets) if 2 <= each.bit_count() <= k]
    if len(usable) < k:
        return
    stack: list[tuple[int, tuple[int, ...], int]] = [(0, (), 0)]
    while stack:
        start, chosen, union = stack.pop()
        if len(chosen) == k:
            if union.bit_count() == k:
                yield chosen, union
            continue
        last = len(usable) - (k - len(chosen)) + 1
        for at in range(last - 1, start - 1, -1):
            place, each = usable[at]
            if (union | each).bit_count() <= k:
                stack.append((at + 1, (*chosen, place), union | each))


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
