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
from engine.params import Params
from engine.puzzle import Puzzle
from engine.solver import AnySolver, Outcome, Solver
from engine.state import State
from engine.view import Channel, Sentence, View

MAX_STEPS = 50_000
MAX_BYTES = 64 * 2**20

Frame = tuple[tuple[Event, ...], State]


class Recorder(Solver[Any, Any]):
    """A solver whose steps are taped as they are made."""

    recorded = True

    def __init__(self, inner: AnySolver, initial: State | None = None, frames: list[Frame] | None = None) -> None:
        self.inner = inner
        self.initial = initial
        """The state at step 0, once it has been made; nobody changes it."""
        self.frames: list[Frame] = frames if frames is not None else []
        self._bytes = sum(states.nbytes(state) for _, state in self.frames)
        for name in ("name", "title", "family", "summary", "energy_counts", "references", "program", "Params",
                     "presets", "knobs", "kinds", "channels", "step_word", "period_word", "period_kind", "trajectory",
                     "complete", "checkpoint_stride"):
            setattr(self, name, getattr(inner, name))

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
        while state.step < len(self.frames):
            events, after = self.frames[state.step]
            _become(state, after)
            yield events
        if self.outcome(state) is None:
            yield from self._tape(state, params)

    def _tape(self, state: State, params: Params) -> Iterator[tuple[Event, ...]]:
        for events in self.inner.steps(state, params):
            if state.step == len(self.frames) + 1:
                self.frames.append((events, states.copy(state)))
                self._bytes += states.nbytes(state)
            yield events
            if self.full:
                return

    def outcome(self, state: State) -> Outcome | None:
        ended = self.inner.outcome(state)
        if ended is None and self.full and state.step >= len(self.frames):
            reason = f"the recording is full after {text.count(len(self.frames))} steps"
            return Outcome("unknown", state.grid, state.energy, reason)
        return ended

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
