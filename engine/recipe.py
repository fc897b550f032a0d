"""What determines every event of a run: puzzle, solver, parameters, seed, interventions."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from engine.puzzle import Puzzle
from engine.rng import MAX_SEED


class Intervention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A knob turned or a parameter changed between step `step` and the next."""

    step: Annotated[int, msgspec.Meta(ge=0)]
    name: str
    value: float | int | str | bool


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run in a nutshell. `params` holds every parameter of the solver, also those left at their defaults."""

    puzzle: Puzzle
    solver: str
    params: dict[str, Any]
    seed: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEED)]
    interventions: tuple[Intervention, ...] = ()
    """In order of their steps; those after one step in the order they were made."""

    def until(self, step: int) -> tuple[Intervention, ...]:
        """The interventions made after `step` or before."""
        return tuple(each for each in self.interventions if each.step <= step)
