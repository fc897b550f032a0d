"""What determines every event of a run: puzzle, solver, parameters, seed, interventions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Annotated, Any, NamedTuple

import msgspec

from engine.errors import ParameterError
from engine.params import Value
from engine.puzzle import Puzzle
from engine.rng import MAX_SEED


class Intervention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A knob turned or a parameter changed between step `step` and the next."""

    step: Annotated[int, msgspec.Meta(ge=0)]
    name: str
    value: Value


class Change(NamedTuple):
    """What one or several interventions after the same step came to."""

    step: int
    name: str
    before: Value | None
    after: Value


def plain_value(value: object) -> Value:
    """A value as a recipe keeps it. Raises ParameterError for what is no number and no text."""
    for kind in (bool, int, float, str):  # one of numpy's floats is a float too, but no file takes it
        if isinstance(value, kind):
            return kind(value)
    raise ParameterError(f"{value!r}: expected a number, a text, or yes or no")


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run in a nutshell. `params` holds every parameter of the solver, also those left at their defaults."""

    puzzle: Puzzle
    solver: str
    params: dict[str, Any]
    seed: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEED)]
    interventions: tuple[Intervention, ...] = ()
    """In order of their steps; those after one step in the order they were made."""

    def made_after(self, step: int) -> tuple[Intervention, ...]:
        """The interventions made after just this step."""
        first = bisect_left(self.interventions, step, key=lambda each: each.step)
        return self.interventions[first:bisect_right(self.interventions, step, key=lambda each: each.step)]

    def until(self, step: int) -> tuple[Intervention, ...]:
        """The interventions made after `step` or before."""
        return tuple(each for each in self.interventions if each.step <= step)
