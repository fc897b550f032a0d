"""A solver whose steps take for ever unless they are broken off: a foreign engine asked something hard."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from engine.events import Done, Event
from engine.events.search import Asked
from engine.interrupt import interruptible
from engine.params import Params
from engine.puzzle import Puzzle
from engine.solver import Outcome, Solver
from engine.state import State
from engine.view import Channel, Line, View

PUZZLE = Puzzle((0,) * 16, 2)
SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
HARD = 4
"""The question that takes long."""


class Engine:
    """Answers at once; hard questions only when released, or not at all when stopped."""

    def __init__(self) -> None:
        self.begun, self.answers = threading.Event(), threading.Event()
        self.stopped = 0
        self.asked = 0

    def ask(self, number: int) -> None:
        self.asked += 1
        if number == HARD:
            self.begun.set()
            self.answers.wait()

    def stop(self) -> None:
        self.stopped += 1
        self.answers.set()


class SlowParams(Params, frozen=True):
    pass


@dataclass
class SlowState(State):
    filled: int = 0

    @property
    def grid(self) -> tuple[int, ...]:
        return SOLUTION[: self.filled] + (0,) * (16 - self.filled)

    @property
    def energy(self) -> int:
        return 16 - self.filled


class ToySlow(Solver[SlowState, SlowParams]):
    name = "toy-slow"
    title = "Slow engine"
    family = "symbolic"
    summary = "Asks an engine that takes its time."
    program = (Line("ask", "ask"), Line("end", "the end"))
    Params = SlowParams
    presets: ClassVar = {"default": {}}
    channels = (Channel("E", "empty", "energy"),)
    kinds = ("sat", "solved", "asked", "done")
    step_word = "question"
    recorded = True
    interruptible = True

    def __init__(self) -> None:
        self.engine = Engine()

    def init(self, puzzle: Puzzle, params: SlowParams, seed: int) -> SlowState:
        return SlowState(puzzle, seed, 0)

    def steps(self, state: SlowState, params: SlowParams) -> Iterator[tuple[Event, ...]]:
        while state.filled < 16:
            with interruptible(self.engine.stop):
                self.engine.ask(state.step + 1)
            state.step += 1
            state.filled += 1
            asked = Asked(state.step, "ask", f"cell {state.filled}", "sat")
            outcome = self.outcome(state)
            yield (asked, Done(state.step, "end", "solved", 0, outcome.reason)) if outcome else (asked,)

    def outcome(self, state: SlowState) -> Outcome | None:
        return Outcome("solved", state.grid, 0, "every question is answered") if state.filled == 16 else None

    def view(self, state: SlowState, params: SlowParams, events: tuple[Event, ...]) -> View:
        return View(state.grid)

    def sample(self, state: SlowState, params: SlowParams) -> tuple[float, ...]:
        return (float(state.energy),)
