"""Breakpoints: where playing halts. A run keeps a list of them; several are watched for at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from msgspec import Struct

from engine.solver import Stop


class Breakpoint(Struct, frozen=True):
    """A Stop in a list of them, which can be switched off without being forgotten."""

    stop: Stop
    on: bool = True


def merged(stops: Iterable[Stop]) -> tuple[Stop, ...]:
    """As few Stops as halt wherever one of these does. Kinds go into one; energies and cells take one each."""
    kinds: set[str] = set()
    energies: set[int] = set()
    cells: set[int] = set()
    for stop in stops:
        kinds |= stop.kinds
        energies |= set() if stop.energy is None else {stop.energy}
        cells |= set() if stop.cell is None else {stop.cell}
    pairs = list(zip_longest(sorted(energies), sorted(cells))) or ([(None, None)] if kinds else [])
    return tuple(Stop(frozenset() if place else frozenset(kinds), energy, cell)
                 for place, (energy, cell) in enumerate(pairs))


def watched(breakpoints: Iterable[Breakpoint]) -> tuple[Stop, ...]:
    """What to halt at: the breakpoints that are switched on, merged."""
    return merged(each.stop for each in breakpoints if each.on)
