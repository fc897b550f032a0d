"""Forcing chains: an assumption about a candidate leads, link by link, to a contradiction.

A chain from "it holds" to "it does not hold" eliminates the candidate: X-chains, XY-chains and alternating inference
chains have this form. What follows from every candidate of a cell, or from every place of a value in a unit, holds in
any case.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import and_

from engine.interrupt import give_way
from engine.puzzle import cell_name
from engine.techniques.board import Board, members
from engine.techniques.finding import Finding, listed
from engine.techniques.links import Links, Node, Reach

LONGEST = 12
"""The longest chain that is searched for, in pairs of links."""
MOST = 2500
"""Boards with more candidates are skipped: nearly empty ones of 16x16 and 25x25, where hardly anything follows."""
SAID = 7
"""Members of a chain that a sentence lists."""


def forcing_chains(board: Board) -> Iterator[Finding]:
    """The candidates from which a chain leads to their own opposite; only the shortest chains of all."""
    if board.candidates > MOST:
        return
    links = Links(board)
    reach = Reach(links)
    for _length in range(LONGEST):
        give_way()
        if not reach.grow():
            return
        found = [each for each in links.ids if reach.off[each] >> each & 1]
        if found:
            yield from (_opposite(links, each) for each in found)
            return


def _opposite(links: Links, each: int) -> Finding:
    chain = links.chain((each, True), (each, False))
    cell, bit = divmod(each, links.n)
    return Finding("Forcing chain", _cells(links, chain), _values(links, chain), ((cell, bit + 1),), (), (),
                   _said(links, chain), len(chain) - 1)


def forcing_sets(board: Board) -> Iterator[Finding]:
    """Candidates that no choice in some cell, or for some value of a unit, leaves; only by the shortest chains."""
    if board.candidates > MOST:
        return
    links = Links(board)
    reach = Reach(links)
    sources = tuple(_sources(board))
    for _length in range(LONGEST):
        give_way()
        if not reach.grow():
            return
        found: dict[int, tuple[tuple[int, ...], str, tuple[int, ...]]] = {}
        for source in sources:
            for victim in members(reduce(and_, (reach.off[each] for each in source[0]))):
                found.setdefault(victim, source)
        if found:
            yield from (_whichever(links, victim, *found[victim]) for victim in sorted(found))
            return


def _sources(board: Board) -> Iterator[tuple[tuple[int, ...], str, tuple[int, ...]]]:
    """Sets of candidates of which one must hold, with their description and unit, if any: those of a cell, those of a
    unit."""
    t = board.tables
    for cell in members(board.open):
        if board.masks[cell]:
            values = listed(bit + 1 for bit in members(board.masks[cell]))
            yield (tuple(cell * t.n + bit for bit in members(board.masks[cell])),
                   f"{cell_name(cell, t.n)} is one of {values}", ())
    for unit, cells in enumerate(t.units):
        for value in range(1, t.n + 1):
            if places := board.where[value] & cells:
                yield (tuple(cell * t.n + value - 1 for cell in members(places)),
                       f"wherever {value} stands in {t.names[unit]}", (unit,))


def _whichever(links: Links, victim: int, source: tuple[int, ...], said: str, units: tuple[int, ...]) -> Finding:
    chains = [links.chain((each, True), (victim, False)) for each in source]
    cell, bit = divmod(victim, links.n)
    cells = sorted({cell for chain in chains for cell in _cells(links, chain[:-1])})
    values = sorted({value for chain in chains for value in _values(links, chain)})
    return Finding("Forcing set", tuple(cells), tuple(values), ((cell, bit + 1),), (), units,
                   f"{said}: each leads to {links.name((victim, False))}", max(map(len, chains)) - 1)


def _cells(links: Links, chain: tuple[Node, ...]) -> tuple[int, ...]:
    return tuple(sorted({each // links.n for each, _holds in chain}))


def _values(links: Links, chain: tuple[Node, ...]) -> tuple[int, ...]:
    return tuple(sorted({each % links.n + 1 for each, _holds in chain}))


def _said(links: Links, chain: tuple[Node, ...]) -> str:
    """`r1c1=5 → r3c1=2 → r1c1≠5`: what holds on the way, and the end."""
    names = [links.name(node) for node in chain if node[1]] + [links.name(chain[-1])]
    if len(names) > SAID:
        names = [*names[:SAID - 3], f"… {len(names) - SAID + 1} more …", *names[-2:]]
    return " → ".join(names)
