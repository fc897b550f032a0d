"""Unsatisfiable cores: the rules and values that contradict each other, and the search for a minimal one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from engine.automata.encodings import Pair, value_name
from engine.puzzle import Geometry


class Core(Struct, frozen=True):
    """An unsatisfiable core: unit rules and placed values that contradict each other."""

    units: tuple[int, ...]
    """Indices into `geometry.units`, ascending."""
    placed: tuple[Pair, ...]
    """(cell, value), ascending."""

    @property
    def size(self) -> int:
        return len(self.units) + len(self.placed)

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(cell for cell, _value in self.placed)

    def texts(self, geometry: Geometry) -> tuple[str, ...]:
        """`row 3`, `r4c2 = 2`: the units, then the cells."""
        named = (geometry.units[place].name for place in self.units)
        return (*named, *(value_name(cell, value, geometry.n) for cell, value in self.placed))


Refute: TypeAlias = Callable[[Sequence[int] | None, Sequence[Pair]], Core | None]
"""Asks for a core of these units (None: all) and placed values; None if they can be satisfied or Z3 has no
answer."""


def minimise(core: Core, refute: Refute, within: Sequence[int] | None = None) -> Core:
    """A minimal unsatisfiable core, by the deletion filter: drop each item if the rest is still unsatisfiable.

    Chinneck & Dravnieks, "Locating Minimal Infeasible Constraint Sets in Linear Programs", ORSA J. Computing 3(2),
    1991. Cells are dropped first, while the units `within` (None: all) hold, which is fastest; then units.
    """
    for pair in reversed(core.placed):
        if pair in core.placed:
            core = refute(within, [each for each in core.placed if each != pair]) or core
    for unit in core.units:
        if unit in core.units:
            core = refute([each for each in core.units if each != unit], core.placed) or core
    return core
