"""A solver small enough to be known by heart, with everything that a screen can show: it cools, finds bests, goes
uphill, reheats, restarts and ends. It searches nothing; its numbers follow from the step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from engine.errors import ParameterError
from engine.events import Cooled, Done, Event, NewBest, Reheated, Restarted, SwapJudged
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle
from engine.solver import Knob, Outcome, Solver
from engine.state import State
from engine.view import Channel, Gauge, Line, View

PUZZLE = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
SOLUTION = tuple(map(int, "417369825632158947958724316825437169791586432346912758289643571573291684164875293"))
PLATEAU, REHEAT, RESTART, END = 20, 500, 1500, 2000


class SmallParams(Params, frozen=True):
    alpha: Annotated[float, Meta(gt=0, lt=1), About("", "T is multiplied by this", "α")] = 0.9
    length: Annotated[int, Meta(ge=1), About("steps", "length of the run", "L", live=False)] = END


@dataclass
class SmallState(State):
    E: int
    best: int
    T: float
    uphill: int = 0

    @property
    def grid(self) -> tuple[int, ...]:
        free = [cell for cell, given in enumerate(self.puzzle.givens) if not given]
        wrong = set(free[: self.E])
        return tuple(value % 9 + 1 if cell in wrong else value for cell, value in enumerate(SOLUTION))

    @property
    def energy(self) -> int:
        return self.E


class Small(Solver[SmallState, SmallParams]):
    name = "small"
    title = "Small annealing"
    family = "annealing"
    summary = "It pretends to anneal."
    program = (Line("start", "T ← T₀"), Line("try", "  swap two cells"), Line("cool", "  T ← α·T"))
    Params = SmallParams
    knobs = (Knob("temperature", "T", "the temperature", 0.01, 10.0),)
    channels = (Channel("E", "E", "energy"), Channel("best", "best", "best"),
                Channel("T", "T", "temperature", "log"), Channel("acc", "accept", "share"))
    period_word = "plateau"
    period_kind = "cooled"
    presets: ClassVar = {"default": {}}

    def init(self, puzzle: Puzzle, params: SmallParams, seed: int) -> SmallState:
        return SmallState(puzzle, seed, 0, 40, 40, 1.0)

    def steps(self, state: SmallState, params: SmallParams) -> Iterator[tuple[Event, ...]]:
        while state.step < params.length:
            state.step += 1
            yield tuple(self._events(state, params))

    def _events(self, state: SmallState, params: SmallParams) -> Iterator[Event]:
        step = state.step
        last = step == params.length
        target = 0 if last else 1 + 30 * (params.length - step) // params.length + step * 7 % 5
        delta, state.E = target - state.E, target
        cells = (step % 9, 9 + step % 9)
        up = delta > 0
        state.uphill += up
        p, u = (0.25, 0.125) if up else (None, None)
        yield SwapJudged(step, "try", cells, (1, 2), delta, state.E, True, state.T, p, u)
        if state.best > state.E:
            yield NewBest(step, "try", state.E, state.best)
            state.best = state.E
        if step % PLATEAU == 0:
            before, state.T = state.T, max(0.01, state.T * params.alpha)
            yield Cooled(step, "cool", before, state.T, step // PLATEAU, 10, PLATEAU)
        if step % REHEAT == 0 and not last:
            before, state.T = state.T, 0.5
            yield Reheated(step, "cool", before, 0.5, 0.5, step // REHEAT, 3, 1)
        if step == RESTART:
            state.T = 1.0
            yield Restarted(step, "start", 2, 2, state.E, state.best)
        if last:
            yield Done(step, "try", "solved", 0, "every cell fits")

    def outcome(self, state: SmallState) -> Outcome | None:
        return None if state.E else Outcome("solved", state.grid, 0, "every cell fits")

    def view(self, state: SmallState, params: SmallParams, events: tuple[Event, ...]) -> View:
        moved = next((event.cells for event in events if isinstance(event, SwapJudged)), ())
        wrong = tuple(cell for cell, value in enumerate(state.grid) if value != SOLUTION[cell])
        gauges = (Gauge("T", f"{state.T:.3f}", state.T, "knob"), Gauge("E", str(state.E), state.E / 40),
                  Gauge("best", str(state.best), state.best / 40, "best"))
        return View(state.grid, {"moved": moved, "conflict": wrong}, gauges=gauges, live={"cool": f"T = {state.T:.3f}"})

    def sample(self, state: SmallState, params: SmallParams) -> tuple[float, ...]:
        return float(state.E), float(state.best), state.T, state.uphill / max(state.step, 1)

    def intervene(self, state: SmallState, params: SmallParams, name: str, value: object) -> SmallParams:
        if name != "temperature":
            return super().intervene(state, params, name, value)
        if not isinstance(value, float) or value <= 0:
            raise ParameterError(f"temperature = {value}: expected a number above 0")
        state.T = value
        return params


SMALL = Small()
