"""What `ac3` and `mac` share: the network of binary constraints, candidates with what struck them, a queue of arcs.

A Sudoku as a constraint network (Mackworth, "Consistency in Networks of Relations", Artificial Intelligence 8, 1977):
a variable a cell, and between any two peers the constraint that their values differ. An arc (x, y) is consistent when
every candidate of x has a candidate of y to stand beside it; that fails only where y has a single candidate left.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine import text
from engine.energy import errors
from engine.events import Assigned, Contradiction, Done, Eliminated, Event, Retracted, Status
from engine.events.search import Revised
from engine.params import Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.exact import arcs_kernel as codes
from engine.solvers.exact.arcs_kernel import Arcs, Board, run
from engine.solvers.exact.board import flags_of, steps_left
from engine.state import State

P = TypeVar("P", bound=Params)

Queued = Literal["all", "decided"]
"""Which arcs are put into the queue: all that may have lost support, or only those against decided cells, the only
ones that can lose any."""

STATUSES: dict[int, Status] = {codes.SOLVED: "solved", codes.NO_SOLUTION: "no_solution",
                               codes.FIXPOINT: "gave_up", codes.GAVE_UP: "gave_up"}


@dataclass
class ArcState(State):
    """Candidates, what struck them, the queue, and the guesses with the trail that takes them back."""

    domains: NDArray[np.int32]
    causes: NDArray[np.int16]
    queue: NDArray[np.uint16]
    trail: NDArray[np.int16]
    stack: NDArray[np.int32]
    weights: NDArray[np.int32]
    counts: NDArray[np.int64]
    """int64[10], see `arcs_codes`; the other arrays are described in `arcs_kernel`."""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(mask.bit_length() if mask & (mask - 1) == 0 else 0 for mask in self.domains.tolist())

    @property
    def energy(self) -> int:
        """Candidates beyond one for each cell, an empty cell counting 1; 1 where nothing but arcs is left to be
        checked."""
        left = int(self.counts[codes.OPEN])
        return left or int(self.counts[codes.STATUS] != codes.SOLVED)


class Setup(Struct, frozen=True):
    """What the parameters of a solver come to for the compiled loop."""

    choice: int
    """How the next cell to guess is chosen, see `arcs_codes`."""
    queued: Queued
    max_steps: int = 0
    """0: no limit."""


@functools.lru_cache(maxsize=8)
def arc_table(puzzle: Puzzle) -> tuple[NDArray[Any], ...]:
    """owner, against, reverse (uint16[a]) and first (int32[n*n + 1]) of the board's arcs, read-only: see
    `arcs_kernel`. Only the shape of the puzzle matters."""
    peers = puzzle.geometry.peers
    first = np.cumsum([0, *map(len, peers)]).astype(np.int32)
    owner = np.repeat(np.arange(len(peers)), np.diff(first)).astype(np.uint16)
    against = np.array([peer for cells in peers for peer in cells], dtype=np.uint16)
    reverse = np.lexsort((owner, against)).astype(np.uint16)  # the k-th pair by (against, owner) is arc k turned round
    table = (owner, against, reverse, first)
    for array in table:
        array.flags.writeable = False
    return table


def first_state(puzzle: Puzzle, queued: Queued, searches: bool) -> ArcState:
    """The givens decided, every other cell open, and the arcs to begin with in the queue, by ascending cells."""
    cells, full = puzzle.n**2, (1 << puzzle.n) - 1
    owner, against, _, _ = arc_table(puzzle)
    domains = np.array([1 << value - 1 if value else full for value in puzzle.givens], dtype=np.int32)
    waiting = np.arange(owner.size)
    if queued == "decided":
        waiting = waiting[np.array(puzzle.givens)[against] != 0]
    counts = np.zeros(codes.COUNTS, dtype=np.int64)
    counts[codes.OPEN] = (puzzle.n - 1) * len(puzzle.free_cells)
    counts[codes.WAITING] = waiting.size
    if not puzzle.free_cells and errors(puzzle, puzzle.givens) == 0:
        counts[codes.STATUS] = codes.SOLVED
    elif not searches and not waiting.size:
        counts[codes.STATUS] = codes.FIXPOINT
    queue = np.zeros(owner.size, dtype=np.uint16)
    queue[: waiting.size] = waiting
    return ArcState(puzzle, 0, 0, domains, np.zeros(cells * puzzle.n, dtype=np.int16), queue,
                    np.zeros(cells * puzzle.n if searches else 0, dtype=np.int16),
                    np.zeros((cells if searches else 0, codes.FRAME), dtype=np.int32),
                    np.ones(owner.size if searches else 0, dtype=np.int32), counts)


def waiting_arcs(state: ArcState, most: int | None = None) -> NDArray[np.uint16]:
    """The arcs in the queue, the next one first: uint16[counts[WAITING]], or the first `most` of them."""
    head, waiting = int(state.counts[codes.HEAD]), int(state.counts[codes.WAITING])
    wanted = waiting if most is None else min(most, waiting)
    return state.queue[np.arange(head, head + wanted) % state.queue.size]


def open_arcs(state: ArcState, cell: int) -> NDArray[np.int32]:
    """The weights of a cell's arcs, 0 for those against cells that have no choice left: int32[peers]."""
    _, against, _, first = arc_table(state.puzzle)
    own = slice(first[cell], first[cell + 1])
    others = state.domains[against[own]]
    return np.where(others & (others - 1) != 0, state.weights[own], 0)


def board_of(state: ArcState) -> Board:
    """The state's arrays for the compiled loop, which changes them in place."""
    waiting = np.zeros(state.queue.size, dtype=np.bool_)
    waiting[waiting_arcs(state)] = True
    return Board(state.domains, state.causes, state.queue, waiting, state.trail, state.stack, state.weights,
                 state.counts)


def limits_of(state: ArcState, setup: Setup, n: int, stop: Stop) -> NDArray[np.int64]:
    """What the compiled loop is to stop at, and how it searches; int64[7]."""
    flags = flags_of(stop, codes.KINDS)
    left = steps_left(setup.max_steps, state.step)
    energy, cell = (-1 if each is None else each for each in (stop.energy, stop.cell))
    return np.array([n, left, flags, energy, cell, setup.choice, setup.queued == "all"], dtype=np.int64)


class ArcSolver(Solver[ArcState, P]):
    """A solver that makes arcs consistent one by one. A subclass says what its parameters come to, tells why a cell
    was guessed, and draws."""

    family = "exact"
    energy_counts = ("candidates beyond one in each cell, and one for a cell that has none; it is 1 where nothing but "
                     "arcs is left to be checked")
    step_word = "arc"
    speed = 50.0
    checkpoint_stride = 1024
    gives = frozenset({"candidates", "panel"})

    def setup(self, params: P) -> Setup:
        """What the parameters come to."""
        raise TypeError(f"{self.name} has no setup")

    def why(self, state: ArcState, params: P, cell: int, candidates: int) -> str:
        """Why this cell was guessed, which had so many candidates."""
        raise TypeError(f"{self.name} never guesses")

    def init(self, puzzle: Puzzle, params: P, seed: int) -> ArcState:
        """The givens and the first arcs; that givens contradict each other is found by their arcs."""
        setup = self.setup(params)
        state = first_state(puzzle, setup.queued, setup.choice != codes.NO_SEARCH)
        state.seed = seed
        return state

    def steps(self, state: ArcState, params: P) -> Iterator[tuple[Event, ...]]:
        setup = self.setup(params)
        board, arcs = board_of(state), Arcs(*arc_table(state.puzzle))
        while not state.counts[codes.STATUS]:
            _, _, flags, cell, value, other = run(board, arcs, limits_of(state, setup, 1, NEVER))
            state.step += 1
            yield self._events(state, params, int(flags), int(cell), int(value), int(other))

    def advance(self, state: ArcState, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        limits = limits_of(state, self.setup(params), n, stop)
        done, hit, *_ = run(board_of(state), Arcs(*arc_table(state.puzzle)), limits)
        state.step += int(done)
        over = bool(state.counts[codes.STATUS])
        rare = (self._done(state),) if over and done else ()
        return Advanced(int(done), "done" if over else "stop" if hit else "steps", rare)

    def outcome(self, state: ArcState) -> Outcome | None:
        status = int(state.counts[codes.STATUS])
        return Outcome(STATUSES[status], state.grid, state.energy, reason_of(state)) if status else None

    def sample(self, state: ArcState, params: P) -> tuple[float, ...]:
        return float(state.energy), float(state.counts[codes.WAITING])

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        chosen = self.make_params()
        state = self.init(Puzzle((1, *(0,) * 15), 2), chosen, 0)
        next(self.steps(state, chosen))
        self.advance(state, chosen, 1)

    def _events(self, state: ArcState, params: P, flags: int, cell: int, value: int,
                other: int) -> tuple[Event, ...]:
        """The events of the step just made; `other` is the cell that an arc was held against."""
        step, depth, left = state.step, int(state.counts[codes.DEPTH]), int(state.domains[cell])
        events: list[Event] = []
        if flags & codes.REVISED:
            struck = (value,) if value else ()
            waiting = int(state.counts[codes.WAITING])
            line = "strike" if struck else "revise"
            events.append(Revised(step, line, cell, other, struck, left.bit_count(), waiting))
        if flags & codes.GUESSED:
            candidates = int(state.stack[depth - 1, codes.MASK]).bit_count()
            reason = self.why(state, params, cell, candidates)
            events.append(Assigned(step, "guess", cell, value, reason, depth, True))
        if flags & codes.RETRACTED:
            events.append(Retracted(step, "retract", cell, value, depth))
            events.append(Eliminated(step, "refute", cell, value, (), "its arcs wiped out a cell"))
        if flags & codes.ASSIGNED:
            line = "refute" if flags & codes.RETRACTED else "strike"
            events.append(Assigned(step, line, cell, left.bit_length(), "the last candidate", depth))
        if flags & codes.DEAD_END:
            reason = f"no value is left for {cell_name(cell, state.puzzle.n)}"
            events.append(Contradiction(step, "empty", core_of(state, cell), reason))
        if flags & codes.END:
            events.append(self._done(state))
        return tuple(events)

    def _done(self, state: ArcState) -> Done:
        status = int(state.counts[codes.STATUS])
        line = {codes.SOLVED: "solved", codes.NO_SOLUTION: "none", codes.FIXPOINT: "open"}.get(status, "budget")
        return Done(state.step, line, STATUSES[status], state.energy, reason_of(state))


def core_of(state: ArcState, cell: int) -> tuple[int, ...]:
    """A cell without candidates, and the cells that struck them."""
    n = state.puzzle.n
    struck_by = state.causes[cell * n : cell * n + n].tolist()
    return (cell, *sorted({code - 1 for code in struck_by if code > 0}))


def reason_of(state: ArcState) -> str:
    """Why a run that is over ended, as a clause."""
    status, n = int(state.counts[codes.STATUS]), state.puzzle.n
    left_open = sum(mask & (mask - 1) != 0 for mask in state.domains.tolist())
    if status == codes.SOLVED:
        return "every cell has one value that its arcs allow" if state.step else "the givens leave no cell free"
    if status == codes.FIXPOINT:
        return f"arc consistency alone leaves {text.count(left_open)} {'cell' if left_open == 1 else 'cells'} open"
    if status == codes.GAVE_UP:
        return f"the budget of {text.count(state.step)} steps is spent"
    if state.counts[codes.GUESSES]:
        return "every guess leads to a cell without values"
    return f"{cell_name(int(state.counts[codes.WIPED]) - 1, n)} has no value left"
