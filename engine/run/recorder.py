"""The recorder: it makes a run rewindable that cannot be re-executed.

A `Recorder` wraps a solver whose steps depend on more than the recipe (a time limit, a foreign engine). It records each
step with its events and the state after it, and plays the recording when the same step is made again. To all other
code it is a deterministic solver.
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
from engine.view import View

MAX_STEPS = 50_000
MAX_BYTES = 64 * 2**20

Frame = tuple[tuple[Event, ...], State]


class Recorder(Solver[Any, Any]):
    """A solver that records the steps of another.

    Every public attribute that this class does not define is the inner solver's: declarations, views, counts,
    interventions. Only the methods that make steps use the recording.

    The inner generator may yield (): it was interrupted before finishing a step. Nothing is recorded and the generator
    is kept.
    """

    recorded = True
    advance, advance_steps, events = Solver.advance, Solver.advance_steps, Solver.events
    """These iterate over the recorded steps, also when the inner solver has a kernel."""

    def __init__(self, inner: AnySolver, initial: State | None = None, frames: list[Frame] | None = None) -> None:
        self.inner = inner
        self.initial = initial
        """The state at step 0, once it has been made; never changed."""
        self.frames: list[Frame] = frames if frames is not None else []
        self._bytes = sum(states.nbytes(state) for _, state in self.frames)
        self._live: tuple[Iterator[tuple[Event, ...]], State, Params] | None = None
        """The running generator at the end of the recording, with its state and parameters. It is kept while the
        playhead is elsewhere, so that a foreign engine is started once."""

    def __getattribute__(self, name: str) -> Any:
        """Private attributes and the recorder's own are looked up here, all others in the inner solver."""
        # not __getattr__: it would find the defaults of `Solver` first
        if name.startswith("_") or name in vars(self) or name in vars(type(self)):
            return super().__getattribute__(name)
        return getattr(self.inner, name)

    @property
    def full(self) -> bool:
        """True if the recording has reached its limit of steps or bytes."""
        return len(self.frames) >= MAX_STEPS or self._bytes >= MAX_BYTES

    def until(self, step: int) -> Recorder:
        """A recorder with the first `step` steps of this one, for a branch."""
        return Recorder(self.inner, self.initial, self.frames[:step])

    def init(self, puzzle: Puzzle, params: Params, seed: int) -> State:
        if self.initial is None:
            self.initial = self.inner.init(puzzle, params, seed)
        return states.copy(self.initial)

    def steps(self, state: State, params: Params) -> Iterator[tuple[Event, ...]]:
        while state.step < len(self.frames) or self._record_one(state, params):
            events, after = self.frames[state.step]
            _become(state, after)
            yield events

    def _record_one(self, state: State, params: Params) -> bool:
        """Make and record the step after `state`, the last recorded one; False when there is none."""
        if self.outcome(state) is not None:
            return False
        steps, own = self._under_way(state, params)
        try:
            events = next(steps, None)
        except BaseException:
            self._live = None  # a generator that has raised has ended
            raise
        if events is None:
            return False
        if not events:
            raise Interrupted
        self.frames.append((events, states.copy(own)))
        self._bytes += states.nbytes(own)
        return True

    def _under_way(self, state: State, params: Params) -> tuple[Iterator[tuple[Event, ...]], State]:
        """The generator at the end of the recording, started here if there is none, and its state."""
        if self._live is None or self._live[1].step != len(self.frames) or self._live[2] is not params:
            own = states.copy(state)
            self._live = self.inner.steps(own, params), own, params
        return self._live[:2]

    def outcome(self, state: State) -> Outcome | None:
        ended = self.inner.outcome(state)
        if ended is None and state.step >= len(self.frames):
            reason = self._reason_to_end()
            return None if reason is None else Outcome("unknown", *self.inner.best(state), reason)
        return ended

    def view(self, state: State, params: Params, events: tuple[Event, ...]) -> View:
        return self.inner.view(state, params, events)

    def sample(self, state: State, params: Params) -> tuple[float, ...]:
        return self.inner.sample(state, params)

    def _reason_to_end(self) -> str | None:
        """The reason that no step can follow the recording although the solver has not ended; None if one can."""
        steps = text.count(len(self.frames))
        if self.full:
            return f"the recording is full after {steps} steps"
        if self.frames and self._live is None and not self.resumable:
            return f"the recording ends after {steps} steps, and {self.name} cannot continue in the middle"
        return None


def _become(state: State, other: State) -> None:
    """Make `state` a copy of `other`, in place."""
    twin = states.copy(other)
    for field in dataclasses.fields(state):
        setattr(state, field.name, getattr(twin, field.name))
