"""Breakpoints: the conditions at which playing halts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from msgspec import Struct

from engine.solver import Stop


class Breakpoint(Struct, frozen=True):
    """A Stop that can be switched off without being deleted."""

    stop: Stop
    on: bool = True


def merged(stops: Iterable[Stop]) -> tuple[Stop, ...]:
    """The fewest Stops that halt wherever one of `stops` does. A Stop holds any kinds, but one energy and one cell."""
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
    """The breakpoints that are switched on, as merged Stops."""
    return merged(each.stop for each in breakpoints if each.on)
