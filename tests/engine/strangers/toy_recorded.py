"""A solver that no recipe determines: a counter outside the run decides, as a clock or a foreign engine would."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine import rng
from engine.energy import errors
from engine.events import Assigned, Done, Event, NewBest
from engine.events.explain import explain
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import Outcome, Solver
from engine.state import State
from engine.view import Channel, Gauge, Line, ListPanel, Sentence, View

OUTSIDE = itertools.count(1)
"""A source that no recipe knows: it returns every value once in a process."""


class Answered(Event, frozen=True, tag="answered"):
    """The world outside was asked, and answered."""

    answer: int


@explain.register
def _answered(event: Answered, n: int = 9) -> Sentence:
    return Sentence("ANSWERED", "the outside says {answer}", {"answer": str(event.answer)})


class AskParams(Params, frozen=True):
    questions: Annotated[int, Meta(ge=1, le=10**6), About("questions", "give up after this many")] = 500


@dataclass
class AskState(State):
    cells: NDArray[np.int8]
    best: tuple[int, ...]
    log: list[int]

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        return errors(self.puzzle, self.grid)


class ToyRecorded(Solver[AskState, AskParams]):
    name = "toy-recorded"
    title = "Toy oracle"
    family = "symbolic"
    summary = "Writes values that a counter outside the run decides. Its runs cannot be re-executed."
    program = (Line("ask", "ask for a cell and a value"), Line("write", "write it"), Line("end", "the end"))
    Params = AskParams
    presets: ClassVar = {"default": {}}
    channels = (Channel("E", "E", "energy"), Channel("best", "best", "best"))
    step_word = "question"
    recorded = True
    gives = frozenset({"panel"})

    def init(self, puzzle: Puzzle, params: AskParams, seed: int) -> AskState:
        first = next(OUTSIDE)
        cells = np.array(puzzle.givens, dtype=np.int8)
        return AskState(puzzle, seed, 0, cells, puzzle.givens, [first])

    def steps(self, state: AskState, params: AskParams) -> Iterator[tuple[Event, ...]]:
        while self.outcome(state) is None:
            state.step += 1
            yield tuple(self._ask(state, params))

    def _ask(self, state: AskState, params: AskParams) -> Iterator[Event]:
        answer = next(OUTSIDE)
        state.log = [*state.log[-9:], answer]
        yield Answered(state.step, "ask", answer)
        free = state.puzzle.free_cells
        if free:
            cell = free[rng.below(rng.mix64(answer), len(free))]
            value = 1 + rng.below(rng.mix64(answer + 2**40), state.puzzle.n)
            before = errors(state.puzzle, state.best)
            state.cells[cell] = value
            yield Assigned(state.step, "write", cell, value, "the outside says so")
            if state.energy < before:
                state.best = state.grid
                yield NewBest(state.step, "write", state.energy, before)
        if state.step >= params.questions:
            state.log = [*state.log, -1]
        outcome = self.outcome(state)
        if outcome:
            yield Done(state.step, "end", outcome.status, outcome.energy, outcome.reason)

    def outcome(self, state: AskState) -> Outcome | None:
        left = errors(state.puzzle, state.best)
        if left == 0:
            return Outcome("solved", state.best, 0, "E = 0")
        if state.log[-1] == -1:
            return Outcome("gave_up", state.best, left, "nothing more may be asked")
        return None

    def best(self, state: AskState) -> tuple[tuple[int, ...], int]:
        return state.best, errors(state.puzzle, state.best)

    def view(self, state: AskState, params: AskParams, events: tuple[Event, ...]) -> View:
        moved = tuple(event.cell for event in events if isinstance(event, Assigned))
        lines = tuple(f"answer {answer}" for answer in reversed(state.log)) + tuple(
            cell_name(cell, state.puzzle.n) for cell in moved)
        return View(state.grid, {"moved": moved}, None, (Gauge("E", str(state.energy)),),
                    panel=ListPanel("Answers", lines, about="The answers, the newest first."))

    def sample(self, state: AskState, params: AskParams) -> tuple[float, ...]:
        return float(state.energy), float(errors(state.puzzle, state.best))


SOLVER = ToyRecorded()
