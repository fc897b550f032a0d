"""The base of the searches that a kernel steps: backtracking, `norvig`, arc consistency, `dlx`.

All progress is in the arrays of the state. A kernel makes steps on them until one of its limits is reached, and
returns how many it made and what the last one did, as a sum of flags. `steps` asks for one step at a time and turns
its flags into events; `advance` asks for many. So the code that a learner watches is the code that runs at full speed.
"""

from __future__ import annotations

import functools
import operator
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.breakpoints import NEVER, Stop
from engine.compiled.kernel import Int, kernel
from engine.events import Assigned, Contradiction, Done, Event, Retracted, Status
from engine.events.search import Covered, Uncovered
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle
from engine.solver import Advanced, Outcome, Solver
from engine.solvers.exact.board import clash_reason, clashing_givens
from engine.state import State
from engine.view import Role

MaxSteps = Annotated[int, Meta(ge=0), About("steps", "give up after this many; 0: never")]

Counts: TypeAlias = NDArray[np.int64]
"""int64[k]: the counters of a state; each solver names its indices."""
Limits: TypeAlias = NDArray[np.int64]
"""int64[5 + r]: where a kernel stops, indexed by STEP_LIMIT ... CELL_LIMIT; then the r rules of the search."""
Run: TypeAlias = Callable[[Limits], tuple[Int, ...]]
"""A kernel bound to the arrays of a state. It returns the number of steps made, the flags of the last step, whether a
limit of the stop was hit, and any details of the last step that its events need."""

STEP_LIMIT: Final = 0  # steps to make now
BUDGET_LIMIT: Final = 1  # steps left in the budget of the run
FLAG_LIMIT: Final = 2  # stop after a step with one of these flags
ENERGY_LIMIT: Final = 3  # stop when E falls to this; -1: never
CELL_LIMIT: Final = 4  # stop after a step that touches this cell; -1: never
FIRST_RULE: Final = 5  # the solver's own

NO_BUDGET: Final = 2**62


class SearchState(State):
    """A state with counters. Not a dataclass itself, so that each solver orders its own fields."""

    counts: Counts


class Ending(NamedTuple):
    """A way in which a run can end."""

    status: Status
    line: str
    """The program line of the `done` event."""


S = TypeVar("S", bound=SearchState)
P = TypeVar("P", bound=Params)


class Search(Solver[S, P]):
    """A solver whose steps are made by a kernel.

    A subclass binds its kernel to a state (`kernel_of`) and describes a step that was made (`events_of`).
    """

    family = "exact"
    checkpoint_stride = 1024
    gives = frozenset({"candidates", "panel"})

    status_index: ClassVar[int]
    """counts[status_index]: 0 while the search goes on, then the flag of its ending."""
    endings: ClassVar[Mapping[int, Ending]]
    """Flag of the last step -> how the run ended."""
    flags: ClassVar[Mapping[str, int]]
    """Kind of event, the endings aside -> flags of the steps that have such an event."""
    solved_reason: ClassVar[str]
    """The reason of a solved run, as a clause."""

    @abstractmethod
    def kernel_of(self, state: S, params: P) -> Run:
        """The kernel, to step this state in place."""

    @abstractmethod
    def events_of(self, state: S, params: P, flags: int, before: Counts, *details: int) -> Iterator[Event]:
        """The events of the step just made, except `done`; `before` are the counters before it."""

    def rules(self, params: P) -> tuple[int, ...]:
        """The rules of choice for the kernel: limits[FIRST_RULE:]."""
        return ()

    def no_solution_reason(self, state: S) -> str:
        """The reason, as a clause, if the search proves that there is no solution and no givens clash."""
        return "every choice leads to a dead end"

    # The contract of a solver

    def steps(self, state: S, params: P) -> Iterator[tuple[Event, ...]]:
        run = self.kernel_of(state, params)
        while not self.status(state):
            before = state.counts.copy()
            _, flags, _, *details = run(self.limits(state, params, 1, NEVER))
            state.step += 1
            events = self.events_of(state, params, int(flags), before, *map(int, details))
            yield (*events, self.done(state)) if self.status(state) else tuple(events)

    def advance(self, state: S, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        made, _, hit, *_ = self.kernel_of(state, params)(self.limits(state, params, n, stop))
        state.step += int(made)
        if self.status(state):
            return Advanced(int(made), "done", (self.done(state),) if made else ())
        return Advanced(int(made), "stop" if hit else "steps", ())

    def outcome(self, state: S) -> Outcome | None:
        status = self.status(state)
        return Outcome(self.endings[status].status, *self.best(state), self.reason(state)) if status else None

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        """Compile what stepping and viewing take, on any board."""
        params = self.make_params()
        state = self.init(Puzzle((1, *(0,) * 15), 2), params, 0)
        self.view(state, params, next(self.steps(state, params)))

    # The end of a run

    def status(self, state: S) -> int:
        """The flag of the ending; 0 while the search goes on."""
        return int(state.counts[self.status_index])

    def done(self, state: S) -> Done:
        status, line = self.endings[self.status(state)]
        return Done(state.step, line, status, self.best(state)[1], self.reason(state))

    def reason(self, state: S) -> str:
        """The reason of the ending, as a clause."""
        status = self.endings[self.status(state)].status
        if status == "solved":
            return self.solved_reason if state.step else "the givens leave no cell free"
        if status == "gave_up":
            return f"the budget is spent at step {text.count(state.step)}"
        return clash_reason(state.puzzle) if clashing_givens(state.puzzle) else self.no_solution_reason(state)

    def limits(self, state: S, params: P, n: int, stop: Stop) -> Limits:
        """The limits for n steps and a stop."""
        budget: int = getattr(params, "max_steps", 0)
        left = max(1, budget - state.step) if budget else NO_BUDGET  # the step that spends the budget is still made
        flags = functools.reduce(operator.or_, map(self._flags_of, stop.kinds), 0)
        energy = -1 if stop.energy is None else stop.energy
        cell = -1 if stop.cell is None else stop.cell
        return np.array([n, left, flags, energy, cell, *self.rules(params)], dtype=np.int64)

    def _flags_of(self, kind: str) -> int:
        """The flags of the steps that have an event of this kind."""
        endings = (flag for flag, ending in self.endings.items() if kind in (ending.status, "done"))
        return functools.reduce(operator.or_, endings, self.flags.get(kind, 0))


@kernel
def stop_hit(limits: Limits, flags: Int, cell: Int, energies: tuple[Int, Int]) -> bool:
    """True if a step with these flags, which touched `cell` (-1: none), hits a stop; energies = E before and after."""
    before, after = energies
    return bool(flags & limits[FLAG_LIMIT] != 0 or cell == limits[CELL_LIMIT] >= 0
                or after <= limits[ENERGY_LIMIT] < before)


def marks(puzzle: Puzzle, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The cells of a step on the board: the one that changed, those of a contradiction, and clashing givens."""
    found: dict[Role, tuple[int, ...]] = {}
    for event in events:
        match event:
            case Assigned(cell=cell) | Retracted(cell=cell) | Covered(cell=cell) | Uncovered(cell=cell):
                found["moved"] = (cell,)
            case Contradiction(cells=cells):
                found["core"] = cells
    clashing = clashing_givens(puzzle)
    return {**found, "conflict": clashing} if clashing else found
