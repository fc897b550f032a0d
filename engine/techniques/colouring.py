"""Simple colouring: chains of places of one value, alternately true and false, in which neighbours are the only two
places of a unit."""

from __future__ import annotations

from collections.abc import Iterator

from engine.techniques.board import Board, members
from engine.techniques.finding import Finding, named, pairs


def simple_colouring(board: Board) -> Iterator[Finding]:
    """For each value and each cluster of linked places: a colour that sees itself is false; a place that sees both
    colours is false."""
    for value in range(1, board.tables.n + 1):
        for colours in _clusters(board, value):
            yield from _wrap(board, value, colours)
            yield from _trap(board, value, colours)


def _links(board: Board, value: int) -> list[tuple[int, int]]:
    """Cells that share a unit in which they are the only two places of a value."""
    links = []
    for unit in board.tables.units:
        places = board.where[value] & unit
        if places.bit_count() == 2:
            a, b = members(places)
            links.append((a, b))
    return links


def _clusters(board: Board, value: int) -> Iterator[tuple[int, int]]:
    """Connected links as two colours, each a cell set; clusters in the order of their first cells."""
    beside: dict[int, int] = {}
    for a, b in _links(board, value):
        beside[a] = beside.get(a, 0) | 1 << b
        beside[b] = beside.get(b, 0) | 1 << a
    left = sorted(beside)
    while left:
        colours, fresh, turn = [1 << left[0], 0], 1 << left[0], 0
        while fresh:
            turn = 1 - turn
            reached = 0
            for cell in members(fresh):
                reached |= beside[cell]
            fresh = reached & ~colours[turn]
            colours[turn] |= reached
        yield colours[0], colours[1]
        left = [cell for cell in left if not (colours[0] | colours[1]) >> cell & 1]


def _wrap(board: Board, value: int, colours: tuple[int, int]) -> Iterator[Finding]:
    for colour in colours:
        clash = next(((cell, other) for cell in members(colour)
                      for other in members(board.tables.peers[cell] & colour)), None)
        if clash:
            struck = pairs(1 << value - 1, board, colour)
            yield Finding("Simple colouring", tuple(members(colours[0] | colours[1])), (value,), struck, (), (),
                          f"{value}: {named(board, clash)} would both hold it")


def _trap(board: Board, value: int, colours: tuple[int, int]) -> Iterator[Finding]:
    one, other = colours
    victims = 0
    for cell in members(board.where[value] & ~(one | other)):
        if board.tables.peers[cell] & one and board.tables.peers[cell] & other:
            victims |= 1 << cell
    if victims and not one & other:
        yield Finding("Simple colouring", tuple(members(one | other)), (value,), pairs(1 << value - 1, board, victims),
                      (), (), f"{value} stands in one or the other colour of {(one | other).bit_count()} cells, "
                      "both are seen")
