"""Breakpoints: the conditions at which playing halts, tested after every step."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from msgspec import Struct

from engine.events import Event


class Stop(Struct, frozen=True):
    """A condition at which `advance` halts early. An empty Stop never halts."""

    kinds: frozenset[str] = frozenset()
    """Halt after a step with an event of one of these kinds."""
    energy: int | None = None
    """Halt after the step at which E falls to this value or below."""
    cell: int | None = None
    """Halt after a step that touched this cell."""

    def hit(self, events: tuple[Event, ...], before: int, after: int) -> bool:
        """True if a step with these events, from energy `before` to energy `after`, meets the condition."""
        if self.energy is not None and after <= self.energy < before:
            return True
        if self.cell is not None and any(self.cell in event.touched for event in events):
            return True
        return bool(self.kinds) and any(not self.kinds.isdisjoint(event.kinds) for event in events)

    def __bool__(self) -> bool:
        return bool(self.kinds) or self.energy is not None or self.cell is not None


NEVER = Stop()
"""The Stop that never halts."""


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
