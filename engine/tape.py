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
from engine.view import Channel, Sentence, View

MAX_STEPS = 50_000
MAX_BYTES = 64 * 2**20

Frame = tuple[tuple[Event, ...], State]


class Recorder(Solver[Any, Any]):
    """A solver whose steps are taped as they are made.

    Steps of the inner solver may be empty: nothing has happened yet and somebody asks to break off. No step was made
    then, and the steps under way are kept.
    """

    recorded = True

    def __init__(self, inner: AnySolver, initial: State | None = None, frames: list[Frame] | None = None) -> None:
        self.inner = inner
        self.initial = initial
        """The state at step 0, once it has been made; nobody changes it."""
        self.frames: list[Frame] = frames if frames is not None else []
        self._bytes = sum(states.nbytes(state) for _, state in self.frames)
        for name in ("name", "title", "family", "summary", "energy_counts", "references", "program", "Params",
                     "presets", "knobs", "kinds", "kind_words", "channels", "step_word", "speed", "period_word",
                     "period_kind", "trajectory", "complete", "checkpoint_stride", "gives", "interruptible",
                     "resumable", "extra"):
            setattr(self, name, getattr(inner, name))
        self._live: tuple[Iterator[tuple[Event, ...]], State, Params] | None = None
        """The steps under way at the end of the tape, their state and parameters: whoever comes there goes on with
        them, so that a foreign engine is begun once and not at every look back."""

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

    def jumps(self, params: Params) -> frozenset[str]:
        return self.inner.jumps(params)

    def reading(self, state: State, params: Params, name: str) -> float | int | str | bool | None:
        return self.inner.reading(state, params, name)

    def channels_for(self, params: Params) -> tuple[Channel, ...]:
        return self.inner.channels_for(params)

    def best(self, state: State) -> tuple[tuple[int, ...], int]:
        return self.inner.best(state)

    def view(self, state: State, params: Params, events: tuple[Event, ...]) -> View:
        return self.inner.view(state, params, events)

    def sample(self, state: State, params: Params) -> tuple[float, ...]:
        return self.inner.sample(state, params)

    def explain(self, event: Event, n: int = 9) -> Sentence:
        return self.inner.explain(event, n)

    def intervene(self, state: State, params: Params, name: str, value: object) -> Params:
        changed: Params = self.inner.intervene(state, params, name, value)
        return changed

    def warm_up(self, puzzle: Puzzle | None = None, params: Params | None = None) -> None:
        self.inner.warm_up(puzzle, params)


def _become(state: State, other: State) -> None:
    """Make `state` equal to `other`, in place and independent of it."""
    twin = states.copy(other)
    for field in dataclasses.fields(state):
        setattr(state, field.name, getattr(twin, field.name))
