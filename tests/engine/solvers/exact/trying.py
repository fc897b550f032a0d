"""Solutions by trying every value in one empty cell after the other: slow, and obviously right."""

from __future__ import annotations

from engine.puzzle import Puzzle


def solutions(puzzle: Puzzle, limit: int) -> list[tuple[int, ...]]:
    """The first solutions of a puzzle, at most `limit`."""
    if puzzle.clashes():
        return []
    peers, found = puzzle.geometry.peers, []

    def fits(cells: list[int], cell: int) -> list[int]:
        return [value for value in range(1, puzzle.n + 1) if all(cells[peer] != value for peer in peers[cell])]

    def go_on(cells: list[int]) -> None:
        if 0 not in cells:
            found.append(tuple(cells))
            return
        cell = min((cell for cell, value in enumerate(cells) if not value), key=lambda cell: len(fits(cells, cell)))
        for value in fits(cells, cell):
            if len(found) < limit:
                go_on([*cells[:cell], value, *cells[cell + 1:]])

    go_on(list(puzzle.givens))
    return found
