"""A place in a run that can move forward: a state, the parameters in force, and the interventions still to come."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from engine import state as states
from engine.events import Event
from engine.interrupt import Interrupted
from engine.params import Params
from engine.run.recipe import Intervention
from engine.solver import NEVER, Advanced, AnySolver, Solver, Stop
from engine.state import State


class Cursor:
    """Runs a solver forward from a state, which it owns and changes in place.

    An intervention made after step k is part of the state at k: it is applied on arrival. They are in order of their
    steps, and there may be very many of them.
    """

    def __init__(self, solver: AnySolver, state: State, params: Params,
                 interventions: Sequence[Intervention] = ()) -> None:
        self.solver = solver
        self.state = state
        self.params: Any = params
        self._interventions = interventions
        self._stepper: Iterator[tuple[Event, ...]] | None = None

    @property
    def step(self) -> int:
        return self.state.step

    def copy(self) -> Cursor:
        return Cursor(self.solver, states.copy(self.state), self.params, self._interventions)

    def arrive(self) -> None:
        """Apply the interventions made after the step that the cursor stands at."""
        here, made = self.step, self._interventions
        place = bisect_left(made, here, key=_step_of)
        while place < len(made) and made[place].step == here:
            self._stepper = None
            self.params = self.solver.intervene(self.state, self.params, made[place].name, made[place].value)
            place += 1

    def single(self) -> tuple[Event, ...] | None:
        """Make one step and return its events; None when the run is over."""
        try:
            events = next(self._steps(), None)
        except Interrupted:
            self._stepper = None
            raise
        if events is not None:
            self.arrive()
        return events

    def _steps(self) -> Iterator[tuple[Event, ...]]:
        """The steps that are under way, begun here if there are none."""
        if self._stepper is None:
            self._stepper = self.solver.steps(self.state, self.params)
        return self._stepper

    def forward(self, n: int, stop: Stop = NEVER) -> Advanced:
        """Make up to n steps, halting at `stop`. Fewer if one is broken off; Interrupted if that is the first."""
        made = 0
        rare: list[Event] = []
        while made < n:
            wanted = min(n - made, self._until_intervention())
            try:
                result = self._stretch(wanted, stop)
            except Interrupted:
                self._stepper = None
                if not made:
                    raise
                break
            made += result.steps
            rare += result.rare
            if result.steps:
                self.arrive()
            if result.reason != "steps":
                return Advanced(made, result.reason, tuple(rare))
            if not result.steps:
                raise RuntimeError(f"{self.solver.name} made no step and gave no reason")
            if result.steps < wanted and self._stepper is None and self._drains:
                break
        return Advanced(made, "steps", tuple(rare))

    def events(self, n: int) -> Iterator[tuple[Event, ...]]:
        """The events of up to n steps, step by step, decoded in bulk where the solver can. The cursor is moved on: only
        when all have been taken does it stand somewhere again."""
        last = self.step + n
        while self.step < last:
            made = 0
            for events in self._decoded(min(last - self.step, self._until_intervention())):
                made += 1
                yield events
            if not made:
                return
            self.arrive()

    def _decoded(self, n: int) -> Iterator[tuple[Event, ...]]:
        if type(self.solver).events is Solver.events:
            return islice(self._steps(), n)
        self._stepper = None
        return self.solver.events(self.state, self.params, n)

    def _stretch(self, n: int, stop: Stop) -> Advanced:
        if self._drains:
            result = self.solver.drain(self.state, self._steps(), n, stop)
            if result.reason == "steps" and result.steps < n:  # broken off: that generator has come to its end
                self._stepper = None
            return result
        self._stepper = None
        return self.solver.advance(self.state, self.params, n, stop)

    @property
    def _drains(self) -> bool:
        """Whether going forward is draining the steps, so that fewer than wanted are made only if one is broken off."""
        return type(self.solver).advance is Solver.advance

    def _until_intervention(self) -> int:
        place = bisect_right(self._interventions, self.step, key=_step_of)
        return self._interventions[place].step - self.step if place < len(self._interventions) else 2**62


def _step_of(each: Intervention) -> int:
    return each.step
