"""Weak and strong links between candidates, and what can be reached along them.

Weak: if a candidate holds, the candidates it sees do not. Strong: if it does not hold, the only other candidate of its
cell, or of its value in a unit, does. Candidates are bits at cell * n + value - 1, so that a set of them is one number.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from engine.puzzle import cell_name
from engine.techniques.board import Board, Tables, members, set_of

Node = tuple[int, bool]
"""(candidate, whether it holds)"""


class Links:
    """The links of a board."""

    def __init__(self, board: Board) -> None:
        self.n = n = board.tables.n
        self.ids = [cell * n + bit for cell in members(board.open) for bit in members(board.masks[cell])]
        """Every candidate, ascending."""
        spread = [_spread(where, n) for where in board.where]
        peers = _peers(board.tables)
        self.weak: list[int] = [0] * (n * n * n)
        """weak[c]: the candidates that do not hold if c does, as bits."""
        self.strong: list[int] = [0] * (n * n * n)
        """strong[c]: the candidates that hold if c does not, as bits."""
        for each in self.ids:
            cell, bit = divmod(each, n)
            others = board.masks[cell] & ~(1 << bit)
            self.weak[each] = others << cell * n | (spread[bit + 1] & peers[cell]) << bit
        for a, b in _alternatives(board):
            self.strong[a] |= 1 << b
            self.strong[b] |= 1 << a

    def chain(self, start: Node, end: Node) -> tuple[Node, ...]:
        """A shortest chain from one to the other, both included; empty where there is none."""
        before: dict[Node, Node | None] = {start: None}
        front = [start]
        while front:
            front = [node for last in front for node in self._next(last, before)]
            if end in front:
                return self._back(end, before)
        return ()

    def _next(self, last: Node, before: dict[Node, Node | None]) -> Iterator[Node]:
        candidate, holds = last
        for each in members(self.weak[candidate] if holds else self.strong[candidate]):
            node = (each, not holds)
            if node not in before:
                before[node] = last
                yield node

    @staticmethod
    def _back(end: Node, before: dict[Node, Node | None]) -> tuple[Node, ...]:
        chain, at = [end], before[end]
        while at is not None:
            chain.append(at)
            at = before[at]
        return tuple(reversed(chain))

    def name(self, node: Node) -> str:
        """`r1c1=5`, `r1c1≠5`"""
        cell, bit = divmod(node[0], self.n)
        return f"{cell_name(cell, self.n)}{'=' if node[1] else '≠'}{bit + 1}"


class Reach:
    """The consequences of each candidate, one pair of links further with every `grow`."""

    def __init__(self, links: Links) -> None:
        self.off = dict.fromkeys(links.ids, 0)
        """For each candidate those that cannot hold if it does."""
        self._links = links
        self._on = {each: 1 << each for each in links.ids}
        self._fresh = dict(self._on)

    def grow(self) -> bool:
        """Extend every set of consequences by one pair of links. Returns False if nothing was added."""
        weak, strong, fresh = self._links.weak, self._links.strong, {}
        for each, front in self._fresh.items():
            news = union(weak, front) & ~self.off[each]
            self.off[each] |= news
            further = union(strong, news) & ~self._on[each]
            if further:
                self._on[each] |= further
                fresh[each] = further
        grown = bool(self._fresh)
        self._fresh = fresh
        return grown


def union(sets: Sequence[int], chosen: int) -> int:
    """The union of some of the sets."""
    found = 0
    while chosen:
        low = chosen & -chosen
        found |= sets[low.bit_length() - 1]
        chosen ^= low
    return found


def _alternatives(board: Board) -> Iterator[tuple[int, int]]:
    """Candidates of which one must hold: the two of a cell, the two places of a value in a unit."""
    n = board.tables.n
    for cell in members(board.open):
        if board.masks[cell].bit_count() == 2:
            a, b = members(board.masks[cell])
            yield cell * n + a, cell * n + b
    for value in range(1, n + 1):
        for unit in board.tables.units:
            places = board.where[value] & unit
            if places.bit_count() == 2:
                a, b = members(places)
                yield a * n + value - 1, b * n + value - 1


def _spread(cells: int, n: int) -> int:
    """A cell set with n places a cell: bit cell * n."""
    return set_of(cell * n for cell in members(cells))


@functools.lru_cache(maxsize=16)
def _peers(t: Tables) -> tuple[int, ...]:
    """For each cell its peers with n places a cell."""
    return tuple(_spread(peers, t.n) for peers in t.peers)
