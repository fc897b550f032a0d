"""`backtrack`: plain depth-first search, the baseline of every cleverer exact solver; and the base of its variants.

Cells are filled in a fixed order, values tried in ascending order; where nothing fits, the last assignment is retracted
(Golomb & Baumert, "Backtrack Programming", JACM 1965). The search is iterative: its stack is the cells in the order in
which they were filled, and the value that was retracted last. `cell_choice` has the choice of the next cell.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeVar

import numpy as np
from msgspec import structs

from engine import state as states
from engine import text
from engine.compiled.bits import bit_index, lowest_bit
from engine.compiled.kernel import Int, kernel
from engine.energy import full_energy
from engine.events import Assigned, Contradiction, Event, Retracted
from engine.events.because import reason
from engine.params import About, Params
from engine.puzzle import Puzzle, cell_name
from engine.questions import Moment
from engine.questions.searches import Searching
from engine.solvers.exact.board import (
    Cells,
    Order,
    candidates,
    cell_order,
    cell_words,
    holders,
    open_values,
    peer_table,
    unit_table,
    values_of,
)
from engine.solvers.exact.cell_choice import IN_ORDER, RULE, Board, FreeCells, candidates_of, choose_cell
from engine.solvers.exact.search import (
    BUDGET_LIMIT,
    STEP_LIMIT,
    Counts,
    Ending,
    Limits,
    MaxSteps,
    Run,
    Search,
    SearchState,
    marks,
    stop_hit,
)
from engine.view import Channel, Gauge, Line, Sentence, StackPanel, View

Frame = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""An entry of the stack: cell, value (0: retracted), values refuted, values left."""

# Indices of `counts`
DEPTH: Final = 0  # free cells filled now
TRIED: Final = 1  # the value last retracted from the next cell, 0 when it is entered for the first time
NODES: Final = 2  # assignments made
DEAD_ENDS: Final = 3  # cells entered that no value fitted
DEEPEST: Final = 4  # the greatest depth so far
STATUS: Final = 5  # 0 while the search goes on, then the flag of its ending
COUNTS: Final = 6

# Flags of a step
HAS_ASSIGNED: Final = 1
HAS_RETRACTED: Final = 2
AT_DEAD_END: Final = 4  # no value fitted a cell that was entered for the first time
SOLVED: Final = 8
NO_SOLUTION: Final = 16
GAVE_UP: Final = 32
HAS_GUESSED: Final = 64  # the value assigned was not the only one left for its cell
END: Final = SOLVED | NO_SOLUTION | GAVE_UP


@dataclass
class BacktrackState(SearchState):
    """The stack is `cells` read in the order in which they were filled, counts[DEPTH] of them."""

    cells: Cells
    best: Cells
    """The fullest grid so far."""
    counts: Counts
    surplus: int
    """The share of contradictory givens in E; 0 for a puzzle that can have a solution."""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Errors of the grid: its empty cells, and the clashes of its givens."""
        return int(self.cells.size - np.count_nonzero(self.cells)) + self.surplus

    @property
    def best_energy(self) -> int:
        return int(self.best.size - np.count_nonzero(self.best)) + self.surplus


_1 = np.uint32(1)


@kernel
def one_step(board: Board, depth: Int, tried: Int) -> tuple[Int, Int, int, Int]:
    """Assign the next value that fits the cell at a depth, or retract the assignment before it.

    `tried` is the value last retracted from the cell. Returns the new depth and `tried`, flags, and the cell that
    changed (-1: none).
    """
    cells, units = board.cells, board.units
    cell = np.int64(board.order[depth])
    fits = candidates_of(board, cell)
    fits = np.uint32((fits >> np.uint32(tried)) << np.uint32(tried))  # those above `tried`
    if fits:
        bit = lowest_bit(fits)
        cells[cell] = bit_index(bit) + 1
        for k in range(units.shape[1]):
            board.open_values[units[cell, k]] &= ~bit
        flags = HAS_ASSIGNED if fits == bit else HAS_ASSIGNED | HAS_GUESSED
        return depth + 1, np.int64(0), flags | SOLVED if depth + 1 == board.order.size else flags, cell
    flags = 0 if tried else AT_DEAD_END
    if depth == 0:
        return depth, tried, flags | NO_SOLUTION, np.int64(-1)
    cell = np.int64(board.order[depth - 1])
    value = np.int64(cells[cell])
    cells[cell] = 0
    for k in range(units.shape[1]):
        board.open_values[units[cell, k]] |= np.uint32(_1 << np.uint32(value - 1))
    return depth - 1, value, flags | HAS_RETRACTED, cell


@kernel
def run(board: Board, limits: Limits) -> tuple[int, int, bool]:
    """Make steps until a limit is reached or the search is over: (steps made, flags of the last, stop hit)."""
    counts = board.counts
    depth: Int = counts[DEPTH]
    tried: Int = counts[TRIED]
    deepest: Int = counts[DEEPEST]
    nodes, dead_ends, status = counts[NODES], counts[DEAD_ENDS], counts[STATUS]
    made, flags, hit, free = 0, 0, False, board.order.size
    while made < limits[STEP_LIMIT] and status == 0 and not hit:
        if tried == 0 and limits[RULE] != IN_ORDER:
            choose_cell(board, depth, limits[RULE])
        before = depth
        depth, tried, flags, cell = one_step(board, depth, tried)
        made += 1
        if flags & HAS_ASSIGNED:
            nodes += 1
        if flags & AT_DEAD_END:
            dead_ends += 1
        if depth > deepest:
            deepest = depth
            board.best[:] = board.cells
        if made == limits[BUDGET_LIMIT] and not flags & END:
            flags |= GAVE_UP
        status = flags & END
        hit = stop_hit(limits, flags, cell, (free - before, free - depth))
    counts[DEPTH], counts[TRIED], counts[DEEPEST] = depth, tried, deepest
    counts[NODES], counts[DEAD_ENDS], counts[STATUS] = nodes, dead_ends, status
    return made, flags, hit


S = TypeVar("S", bound=BacktrackState)
P = TypeVar("P", bound=Params)


class Backtracking(Search[S, P]):
    """Base of the variants: each names its order of the cells, and the rule that chooses the next."""

    energy_counts = "empty cells"
    channels = (
        Channel("energy", "empty cells", "energy"),
        Channel("best", "fewest empty", "best"),
        Channel("depth", "depth", "depth"),
    )
    kinds: ClassVar[tuple[str, ...]] = ("contradiction", "assigned", "retracted", "solved", "no_solution", "gave_up",
                                        "done")
    checkpoint_stride = 4096
    step_word = "assignment"
    other_steps = "or the retraction of one"
    speed = 20.0
    period_word = "dead end"
    period_kind = "contradiction"
    complete = True

    status_index = STATUS
    endings: ClassVar = {
        SOLVED: Ending("solved", "solved"),
        NO_SOLUTION: Ending("no_solution", "dead_end"),
        GAVE_UP: Ending("gave_up", "budget"),
    }
    flags: ClassVar = {
        "assigned": HAS_ASSIGNED, "retracted": HAS_RETRACTED, "contradiction": AT_DEAD_END,
    }
    solved_reason = "every free cell is filled"

    # The choices of a variant

    @abstractmethod
    def order_of(self, state: S, params: P) -> FreeCells:
        """The free cells, those filled first."""

    def assignment(self, state: S, params: P, cell: int, flags: int, tried: int) -> Assigned:
        """The event of an assignment just made; `tried` is the value retracted from the cell before, or 0."""
        reason = "next value that fits" if tried else "first value that fits"
        return Assigned(state.step, "place", cell, int(state.cells[cell]), reason, int(state.counts[DEPTH]))

    def choice_because(self, event: Assigned, state: S, params: P) -> Sentence:
        """The reason for this cell and this value."""
        fields = {"cell": cell_name(event.cell, state.puzzle.n), "value": str(event.value)}
        if event.reason == "next value that fits":
            return reason("A smaller value led to a dead end; {value} is the next that fits {cell}.", **fields)
        return reason("{cell} is the next empty cell, and {value} the smallest value that fits there.", **fields)

    def core(self, state: S, cell: int) -> tuple[int, ...]:
        """The cells that leave a cell without a value."""
        return (cell,)

    def next_cells(self, state: S, params: P) -> tuple[frozenset[int], str]:
        """The cells that the rule allows next, and the rule as a clause; a cell is entered for the first time."""
        order = self.order_of(state, params)
        return frozenset({int(order[int(state.counts[DEPTH])])}), "the next empty cell in the order of the cells"

    def ties(self, params: P) -> str:
        """The cell that is taken of several that the rule allows, as a phrase; empty if it allows only one."""
        return ""

    def way(self, params: P) -> str:
        """The order of the cells as a phrase; empty where each step chooses the next."""
        return ""

    def moment(self, before: S, params: P, events: tuple[Event, ...]) -> Moment:
        depth, tried, order = int(before.counts[DEPTH]), int(before.counts[TRIED]), self.order_of(before, params)
        facts = Searching(stack=tuple(order[:depth].tolist()), tried=tried, order=self.way(params),
                          entered=int(order[depth]) if tried else -1)
        found = structs.replace(super().moment(before, params, events), facts=facts)
        if tried or before.counts[STATUS]:
            return found
        cells, rule = self.next_cells(before, params)
        return structs.replace(found, next_cells=cells, next_rule=rule,
                               facts=structs.replace(facts, ties=self.ties(params)))

    # The search

    def start(self, puzzle: Puzzle) -> tuple[Cells, Counts, int]:
        """The givens, the counters and the surplus of the givens. Contradictory givens are accepted, and end the run
        at step 0."""
        cells = np.array(puzzle.givens, dtype=np.int8)
        counts = np.zeros(COUNTS, dtype=np.int64)
        surplus = full_energy(puzzle, puzzle.givens)
        if surplus:
            counts[STATUS] = NO_SOLUTION
        elif all(puzzle.givens):
            counts[STATUS] = SOLVED
        return cells, counts, surplus

    def kernel_of(self, state: S, params: P) -> Run:
        puzzle = state.puzzle
        board = Board(state.cells, state.best, state.counts, open_values(puzzle, state.cells),
                      self.order_of(state, params), unit_table(puzzle), peer_table(puzzle))
        return lambda limits: run(board, limits)

    def events_of(self, state: S, params: P, flags: int, before: Counts, *details: int) -> Iterator[Event]:
        step, depth, order = state.step, int(state.counts[DEPTH]), self.order_of(state, params)
        if flags & HAS_ASSIGNED:
            yield self.assignment(state, params, int(order[depth - 1]), flags, int(before[TRIED]))
        if flags & AT_DEAD_END:
            stuck = int(order[depth + 1 if flags & HAS_RETRACTED else depth])
            reason = f"no value fits into {cell_name(stuck, state.puzzle.n)}"
            yield Contradiction(step, "dead_end", self.core(state, stuck), reason)
        if flags & HAS_RETRACTED:
            yield Retracted(step, "remove", int(order[depth]), int(state.counts[TRIED]), depth)

    def because(self, event: Event, state: S, params: P) -> Sentence:
        n = state.puzzle.n
        match event:
            case Assigned():
                return self.choice_because(event, state, params)
            case Contradiction(cells=(cell, *_)):
                return reason("The peers of {cell} hold all {n} values, so a value on the board is wrong.",
                              cell=cell_name(cell, n), n=n)
            case Retracted():
                return reason("Nothing is left to try in the cell after it, so {value} is taken out of {cell}.",
                              cell=cell_name(event.cell, n), value=str(event.value))
        return super().because(event, state, params)

    def best(self, state: S) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), state.best_energy

    def sample(self, state: S, params: P) -> tuple[float, ...]:
        return float(state.energy), float(state.best_energy), float(state.counts[DEPTH])

    def view(self, state: S, params: P, events: tuple[Event, ...]) -> View:
        fits = tuple(candidates(state.puzzle, state.cells).tolist())
        causes = cell_words(holders(state.puzzle, state.cells).ravel().tolist(), state.puzzle.n)
        return View(state.grid, marks(state.puzzle, events), fits, _gauges(state), _live(state, events),
                    StackPanel("Stack", _stack(state, self.order_of(state, params))), causes=causes)

    def judged(self, state: S, before: Callable[[], S], params: P, events: tuple[Event, ...]) -> S | None:
        """The dead end, before the retraction in the same step."""
        kinds = {kind for event in events for kind in event.kinds}
        if not {"contradiction", "retracted"} <= kinds:
            return None
        dead = states.copy(state)
        depth, tried = int(state.counts[DEPTH]), int(state.counts[TRIED])
        dead.cells[self.order_of(state, params)[depth]] = tried
        dead.counts[DEPTH], dead.counts[TRIED] = depth + 1, 0
        return dead


def _live(state: BacktrackState, events: tuple[Event, ...]) -> dict[str, str]:
    """Beside the program: the cell of the step, and the values that were left for it."""
    for event in events:
        match event:
            case Contradiction(line="dead_end"):
                return {"cell": cell_name(event.cells[0], state.puzzle.n), "values": "none left"}
            case Assigned() | Retracted():
                cells = state.cells.copy()
                cells[event.cell] = 0
                least = event.value + isinstance(event, Retracted)
                fits = values_of(int(candidates(state.puzzle, cells)[event.cell]))
                left = " ".join(str(v) for v in fits if v >= least)
                return {"cell": cell_name(event.cell, state.puzzle.n), "values": left or "none left"}
    return {}


def _stack(state: BacktrackState, order: FreeCells) -> tuple[Frame, ...]:
    """The assignments, and the one just retracted, with the values that fitted then, found by refilling the grid."""
    if state.surplus:
        return ()
    units: list[list[int]] = unit_table(state.puzzle).tolist()
    unit_values: list[int] = open_values(state.puzzle, np.array(state.puzzle.givens, dtype=np.int8)).tolist()
    depth, tried = int(state.counts[DEPTH]), int(state.counts[TRIED])
    frames = []
    for place, cell in enumerate(order[:depth + bool(tried)].tolist()):
        fits = values_of(functools.reduce(lambda mask, unit: mask & unit_values[unit], units[cell], -1))
        if place == depth:
            frames.append((cell, 0, tuple(v for v in fits if v <= tried), tuple(v for v in fits if v > tried)))
            break
        value = int(state.cells[cell])
        frames.append((cell, value, tuple(v for v in fits if v < value), tuple(v for v in fits if v > value)))
        for unit in units[cell]:
            unit_values[unit] &= ~(1 << value - 1)
    return tuple(frames)


def _gauges(state: BacktrackState) -> tuple[Gauge, ...]:
    depth, deepest, empty = int(state.counts[DEPTH]), int(state.counts[DEEPEST]), state.energy - state.surplus
    free = max(1, depth + empty)
    return (
        Gauge("depth", str(depth), depth / free),
        Gauge("empty", str(empty), empty / free),
        Gauge("deepest", str(deepest), deepest / free, "best"),
        Gauge("nodes", text.count(int(state.counts[NODES]))),
        Gauge("dead", text.count(int(state.counts[DEAD_ENDS]))),
    )


class BacktrackParams(Params, frozen=True):
    order: Annotated[Order, About("", "the order in which the free cells are filled", live=False)] = "rows"
    max_steps: MaxSteps = 10**9


WAYS: Mapping[Order, str] = {"rows": "row by row", "columns": "column by column", "boxes": "box by box"}


class Backtrack(Backtracking[BacktrackState, BacktrackParams]):
    name = "backtrack"
    title = "Backtracking"
    summary = ("Fills the cells in a fixed order with the first value that fits and takes the last one back where "
               "nothing does. It finds a solution or proves that there is none, but may need very many steps.")
    references = ("S. Golomb, L. Baumert: Backtrack Programming. Journal of the ACM 12(4), 1965",)
    program = (
        Line("solve", "solve(board):"),
        Line("cell", "  cell ← next empty cell"),
        Line("solved", "  none: return solved"),
        Line("values", "  for v in 1 … n:"),
        Line("fits", "    if v fits its units:"),
        Line("place", "      place v in cell"),
        Line("deeper", "      if solve(board): return"),
        Line("remove", "      remove v from cell"),
        Line("budget", "      budget spent: give up"),
        Line("dead_end", "  return dead end"),
    )
    Params = BacktrackParams
    presets: ClassVar = {"plain": {}}

    def init(self, puzzle: Puzzle, params: BacktrackParams, seed: int) -> BacktrackState:
        cells, counts, surplus = self.start(puzzle)
        return BacktrackState(puzzle, seed, 0, cells, cells.copy(), counts, surplus)

    def rules(self, params: BacktrackParams) -> tuple[int, ...]:
        return (IN_ORDER,)

    def order_of(self, state: BacktrackState, params: BacktrackParams) -> FreeCells:
        return cell_order(state.puzzle, params.order).copy()

    def next_cells(self, state: BacktrackState, params: BacktrackParams) -> tuple[frozenset[int], str]:
        cells, _rule = super().next_cells(state, params)
        return cells, self.way(params)

    def way(self, params: BacktrackParams) -> str:
        return WAYS[params.order]


SOLVER = Backtrack()
