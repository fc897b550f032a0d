"""A solver small enough to be read at a glance: a random walk that wants to reach zero. It knows its own truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from engine import rng
from engine import state as states
from engine.errors import ParameterError
from engine.events import Done, Event, NewBest, Restarted, SwapJudged
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solver import Knob, Outcome, Solver
from engine.state import State
from engine.view import Channel, Line, View


class WalkParams(Params, frozen=True):
    up: Annotated[float, Meta(ge=0, le=1), About("share", "chance of a step away from zero")] = 0.5
    start: Annotated[int, Meta(ge=1, le=10**6), About("", "where the walk begins", live=False)] = 500


@dataclass
class WalkState(State):
    x: int = 0
    best: int = 0
    bias: float = 0.0
    trail: list[int] = field(default_factory=list)

    @property
    def grid(self) -> tuple[int, ...]:
        return self.puzzle.givens

    @property
    def energy(self) -> int:
        return self.x


class Walk(Solver[WalkState, WalkParams]):
    name = "walk"
    title = "Walk"
    family = "inference"
    summary = "A random walk."
    program = (Line("step", "x ← x ± 1"),)
    Params = WalkParams
    presets: ClassVar = {"default": {}, "downhill": {"up": 0.2}}
    knobs = (Knob("bias", "b", "pull towards zero", 0, 1),)
    channels = (Channel("x", "x", "energy"), Channel("best", "best", "best"))

    def init(self, puzzle: Puzzle, params: WalkParams, seed: int) -> WalkState:
        return WalkState(puzzle, seed, 0, params.start, params.start)

    def steps(self, state: WalkState, params: WalkParams) -> Iterator[tuple[Event, ...]]:
        while state.x > 0:
            u = rng.uniform(rng.draw(state.seed, rng.MOVE, state.step))
            delta = 1 if u < params.up - state.bias else -1
            state.step += 1
            state.x += delta
            events: list[Event] = [SwapJudged(state.step, "step", (0, 1), (1, 2), delta, state.x, True, None, None, u)]
            if state.x < state.best:
                events.append(NewBest(state.step, "step", state.x, state.best))
                state.best = state.x
            if state.step % 997 == 0:
                events.append(Restarted(state.step, "step", 1, 1, state.x, state.best))
                state.trail = [*state.trail[-3:], state.x]
            if state.x == 0:
                events.append(Done(state.step, "step", "solved", 0, "E = 0"))
            yield tuple(events)

    def outcome(self, state: WalkState) -> Outcome | None:
        return None if state.x else Outcome("solved", state.grid, 0, "E = 0")

    def intervene(self, state: WalkState, params: WalkParams, name: str, value: object) -> WalkParams:
        if name == "bias":
            if not isinstance(value, float):
                raise ParameterError(f"bias = {value}: expected a number")
            state.bias = value
            return params
        return super().intervene(state, params, name, value)

    def view(self, state: WalkState, params: WalkParams, events: tuple[Event, ...]) -> View:
        return View(state.grid)

    def sample(self, state: WalkState, params: WalkParams) -> tuple[float, ...]:
        return float(state.x), float(state.best)


WALK = Walk()
PUZZLE = Puzzle((0,) * 16, 2)


def start(preset: str | None = None, seed: int = 7) -> Run:
    return Run.start(WALK, PUZZLE, WALK.make_params(preset), seed)


def truth(steps: int, seed: int = 7) -> list[tuple[str, tuple[Event, ...]]]:
    """(digest, events) at every step, by iterating over the generator."""
    params = WALK.make_params()
    state = WALK.init(PUZZLE, params, seed)
    found: list[tuple[str, tuple[Event, ...]]] = [(states.digest(state), ())]
    for events in WALK.steps(state, params):
        found.append((states.digest(state), events))
        if state.step == steps:
            break
    return found


TRUTH = truth(6000)
