"""Fish: k rows whose places of a value lie in k columns, or the other way round."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from engine.techniques.board import Board, members
from engine.techniques.finding import Find, Finding, listed, pairs
from engine.techniques.subsets import tight

NAMES = {2: "X-wing", 3: "Swordfish", 4: "Jellyfish"}


def fish(k: int) -> Find:
    """Finds k lines whose places of a value all lie in k crossing lines: the value is struck elsewhere in these."""
    return functools.partial(_fish, k)


def _fish(k: int, board: Board) -> Iterator[Finding]:
    n, units = board.tables.n, board.tables.units
    for value in range(1, n + 1):
        where = board.where[value]
        for base, cover, word in ((0, n, "rows"), (n, 0, "columns")):
            for lines, crossing in tight(_places(where, n, word), k):
                bases = tuple(base + line for line in lines)
                covers = tuple(cover + line for line in members(crossing))
                inside = sum(units[unit] for unit in bases)
                struck = where & ~inside & sum(units[unit] for unit in covers)
                if struck:
                    yield Finding(NAMES[k], tuple(members(where & inside)), (value,),
                                  pairs(1 << value - 1, board, struck), (), tuple(sorted(bases + covers)),
                                  f"{value} in {word} {listed(line + 1 for line in lines)}")


def _places(where: int, n: int, word: str) -> list[int]:
    """For each row (or column) the numbers of the crossing lines where the cell set has a cell in it."""
    full = (1 << n) - 1
    rows = [where >> n * row & full for row in range(n)]
    if word == "rows":
        return rows
    columns = [0] * n
    for row, places in enumerate(rows):
        for column in members(places):
            columns[column] |= 1 << row
    return columns
