"""A cursor moves a solver forward: a state, the parameters in force, and the interventions still to come."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from engine import state as states
from engine.breakpoints import NEVER, Stop
from engine.events import Event
from engine.interrupt import Interrupted
from engine.params import Params
from engine.run.recipe import Intervention
from engine.solver import Advanced, AnySolver, Outcome, Solver
from engine.state import State


class Cursor:
    """Moves a solver forward from a state, which the cursor owns and changes in place.

    An intervention made after step k is part of the state at k: it is applied on arrival. Interventions are ordered
    by step; there may be thousands of them.
    """

    def __init__(self, solver: AnySolver, state: State, params: Params,
                 interventions: Sequence[Intervention] = ()) -> None:
        self.solver = solver
        self.state = state
        self.params: Any = params
        self._interventions = interventions
        self._stepper: Iterator[tuple[Event, ...]] | None = None
        self._made: tuple[int, int] | None = None
        """(step, E) before the last interventions."""

    @property
    def step(self) -> int:
        return self.state.step

    @property
    def energy(self) -> int:
        """E as the step made it, before the interventions after it."""
        return self._made[1] if self._made is not None and self._made[0] == self.step else self.state.energy

    @property
    def outcome(self) -> Outcome | None:
        return self.solver.outcome(self.state)

    def best(self) -> tuple[tuple[int, ...], int]:
        """The best grid so far and its energy."""
        return self.solver.best(self.state)

    def copy(self) -> Cursor:
        return Cursor(self.solver, states.copy(self.state), self.params, self._interventions)

    def arrive(self) -> None:
        """Apply the interventions made after the current step."""
        here, made = self.step, self._interventions
        place = bisect_left(made, here, key=_step_of)
        if place < len(made) and made[place].step == here:
            self._made = here, self.state.energy
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
        """The running generator; a new one if there is none."""
        if self._stepper is None:
            self._stepper = self.solver.steps(self.state, self.params)
        return self._stepper

    def advance(self, n: int, stop: Stop = NEVER) -> Advanced:
        """Make up to n steps, halting at `stop`; fewer if one is interrupted. Raises Interrupted if it is the first."""
        made = 0
        rare: list[Event] = []
        while made < n:
            wanted = min(n - made, self._until_intervention())
            try:
                result = self._advance_solver(wanted, stop)
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
            if result.steps < wanted and self._stepper is None and self._has_no_kernel:
                break
        return Advanced(made, "steps", tuple(rare))

    def replay(self, step: int) -> None:
        """Make the steps up to one that was made before. Raises Interrupted if one of them is interrupted."""
        while self.step < step and self.advance(step - self.step).reason == "steps":
            pass

    def events(self, n: int) -> Iterator[tuple[Event, ...]]:
        """The events of up to n steps, step by step, decoded in bulk if the solver can. The cursor moves meanwhile; its
        position is defined again when the iterator is exhausted."""
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

    def _advance_solver(self, n: int, stop: Stop) -> Advanced:
        """Up to n steps, none of which reaches beyond the next intervention."""
        if self._has_no_kernel:
            result = self.solver.advance_steps(self.state, self._steps(), n, stop)
            if result.reason == "steps" and result.steps < n:  # interrupted, which ends a generator
                self._stepper = None
            return result
        self._stepper = None
        return self.solver.advance(self.state, self.params, n, stop)

    @property
    def _has_no_kernel(self) -> bool:
        """True if advancing iterates over `steps`. The generator is then kept from call to call, and fewer steps than
        wanted are made only if one is interrupted."""
        return type(self.solver).advance is Solver.advance

    def _until_intervention(self) -> int:
        place = bisect_right(self._interventions, self.step, key=_step_of)
        return self._interventions[place].step - self.step if place < len(self._interventions) else 2**62


def _step_of(each: Intervention) -> int:
    return each.step
