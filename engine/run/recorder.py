"""Recording: what makes a run rewindable that cannot be re-executed.

`Recorder` wraps a solver whose steps depend on more than the recipe (a time limit, an outside engine). Each step it
makes is kept with its events and the state after it; going over the same step again plays it from the tape. To
everything else it is a solver like any other, and a deterministic one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from engine import state as states
from engine import text
from engine.events import Event
from engine.interrupt import Interrupted
from engine.params import Params
from engine.puzzle import Puzzle
from engine.solver import AnySolver, Outcome, Solver
from engine.state import State

MAX_STEPS = 50_000
MAX_BYTES = 64 * 2**20

Frame = tuple[tuple[Event, ...], State]


class Recorder(Solver[Any, Any]):
    """A solver whose steps are taped as they are made.

    Everything public that this class does not define is the inner solver's own: its declarations, views, counts and
    interventions. Only the steps, and what goes over them, pass through the recording.

    The inner generator may yield (): it was interrupted before it finished a step. Nothing is recorded then, and the
    generator is kept.
    """

    recorded = True
    advance, drain, events = Solver.advance, Solver.drain, Solver.events
    """Over the recorded steps, whatever the inner solver has for its own."""

    def __init__(self, inner: AnySolver, initial: State | None = None, frames: list[Frame] | None = None) -> None:
        self.inner = inner
        self.initial = initial
        """The state at step 0, once it has been made; nobody changes it."""
        self.frames: list[Frame] = frames if frames is not None else []
        self._bytes = sum(states.nbytes(state) for _, state in self.frames)
        self._live: tuple[Iterator[tuple[Event, ...]], State, Params] | None = None
        """The steps under way at the end of the tape, their state and parameters: whoever comes there goes on with
        them, so that a foreign engine is begun once and not at every look back."""

    def __getattribute__(self, name: str) -> Any:
        """Looks up what is private or the recorder's own here, everything else in the inner solver. (`__getattr__`
        would not do: the defaults of `Solver` would be found first.)"""
        if name.startswith("_") or name in vars(self) or name in vars(type(self)):
            return super().__getattribute__(name)
        return getattr(self.inner, name)

    @property
    def full(self) -> bool:
        return len(self.frames) >= MAX_STEPS or self._bytes >= MAX_BYTES

    def until(self, step: int) -> Recorder:
        """A recorder with the first `step` steps of this one: what a branch begins with."""
        return Recorder(self.inner, self.initial, self.frames[:step])

    def init(self, puzzle: Puzzle, params: Params, seed: int) -> State:
        if self.initial is None:
            self.initial = self.inner.init(puzzle, params, seed)
        return states.copy(self.initial)

    def steps(self, state: State, params: Params) -> Iterator[tuple[Event, ...]]:
        while state.step < len(self.frames) or self._tape_one(state, params):
            events, after = self.frames[state.step]
            _become(state, after)
            yield events

    def _tape_one(self, state: State, params: Params) -> bool:
        """Make the step after the last of the tape, whose state this is; False when there is none."""
        if self.outcome(state) is not None:
            return False
        steps, own = self._under_way(state, params)
        try:
            events = next(steps, None)
        except BaseException:
            self._live = None  # a generator that has raised is at its end
            raise
        if events is None:
            return False
        if not events:
            raise Interrupted
        self.frames.append((events, states.copy(own)))
        self._bytes += states.nbytes(own)
        return True

    def _under_way(self, state: State, params: Params) -> tuple[Iterator[tuple[Event, ...]], State]:
        """The steps that go on from the end of the tape, begun here if there are none."""
        if self._live is None or self._live[1].step != len(self.frames) or self._live[2] is not params:
            own = states.copy(state)
            self._live = self.inner.steps(own, params), own, params
        return self._live[:2]

    def outcome(self, state: State) -> Outcome | None:
        ended = self.inner.outcome(state)
        if ended is None and state.step >= len(self.frames):
            reason = self._cannot_go_on()
            return None if reason is None else Outcome("unknown", *self.inner.best(state), reason)
        return ended

    def _cannot_go_on(self) -> str | None:
        """Why there is no step after the last of the tape, if nothing but the recording is to blame."""
        steps = text.count(len(self.frames))
        if self.full:
            return f"the recording is full after {steps} steps"
        if self.frames and self._live is None and not self.resumable:
            return f"the recording ends after {steps} steps, and {self.name} cannot go on in the middle"
        return None


def _become(state: State, other: State) -> None:
    """Make `state` equal to `other`, in place and independent of it."""
    twin = states.copy(other)
    for field in dataclasses.fields(state):
        setattr(state, field.name, getattr(twin, field.name))
