"""`belief`: the probability of each value in each cell, by sum-product message passing.

The factor graph has a variable for each cell and a factor for each unit, which is 1 if its cells all differ and 0
otherwise. A unit sends each of its cells, for each value, the sum over all permutations with this value in that cell of
the products of the other cells' messages (a permanent, computed exactly); a cell sends each unit the product of the
messages of its other units (Moon & Gunther 2006). The graph has cycles, so the results are not true probabilities.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from engine import solutions, text
from engine.energy import conflicts, errors
from engine.errors import PuzzleError
from engine.events import Assigned, Contradiction, Done, Event, Status
from engine.events.because import many, reason
from engine.events.search import Passed
from engine.interrupt import asked, give_way
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.questions import Moment
from engine.questions.beliefs import Believing
from engine.solver import Outcome, Solver
from engine.solvers.inference import sum_product as compiled
from engine.solvers.inference.checked import Checked, check
from engine.state import State
from engine.view import Channel, Gauge, Line, Role, Sentence, TablePanel, View

Beliefs = NDArray[np.float64]

MOST_FREE = 16
"""Most free cells of a unit: a permanent takes 2^16 subsets, twice as many for each further cell."""
VISIBLE = 0.01
"""A value less likely than that is not shown among the candidates."""
SURE = 0.5
"""Values with a higher belief are shown on the board."""


class BeliefParams(Params, frozen=True):
    damping: Annotated[float, Meta(ge=0, lt=1), About("", "share of the old message that is kept")] = 0.3
    sweeps: Annotated[int, Meta(ge=1, le=10**6), About("sweeps", "give up after this many")] = 200
    tolerance: Annotated[float, Meta(gt=0, lt=1), About("", "settled when no message changes by as much")] = 1e-6
    decimate: Annotated[bool, About("", "fix the most certain cell and go on, instead of ending undecided")] = False
    patience: Annotated[int, Meta(ge=1, le=10**6), About("sweeps", "decimate after this many, settled or not",
                                                                  where=(("decimate", ("yes",)),))] = 20
    threshold: Annotated[float, Meta(ge=0.5, lt=1), About("", "a belief above it counts as confident")] = 0.9


@dataclass
class BeliefState(State):
    messages: Beliefs
    """float64[units, n, n]: [unit, place, value - 1], the messages of each unit to its cells."""
    beliefs: Beliefs
    """float64[n*n, n], rows sum to 1."""
    fixed: NDArray[np.int8]
    """int8[n*n]: givens and decimated cells, else 0."""
    strongest: NDArray[np.int8]
    """int8[n*n]: the value of the strongest belief, the smallest of equals; 0 where no value is left, and in every free
    cell before the first sweep."""
    best: NDArray[np.int8]
    wrong_now: int
    """Errors of `strongest`."""
    wrong_best: int
    change: float
    entropy: float
    waiting: int
    """Sweeps since a cell was fixed."""
    status: str = ""
    reason: str = ""
    marked: tuple[int, ...] = ()
    """At the end: the cells that are confidently wrong, or have no value left."""

    @property
    def grid(self) -> tuple[int, ...]:
        """The values believed with more than one half; at the end of a run that solved the puzzle, all of `strongest`.
        """
        shown = (self.beliefs.max(axis=1) > SURE) | (self.status == "solved")
        return tuple(np.where(shown, self.strongest, 0).tolist())

    @property
    def energy(self) -> int:
        return self.wrong_now

    @property
    def decimated(self) -> int:
        return int(np.count_nonzero(self.fixed)) - sum(1 for given in self.puzzle.givens if given)

    @property
    def sure(self) -> int:
        """Free cells whose strongest belief is above one half."""
        return sum(1 for cell in self.puzzle.free_cells if self.beliefs[cell].max() > SURE)


class Sweep(Struct, frozen=True):
    """The result of one sweep, before it is written to the state."""

    messages: Beliefs
    beliefs: Beliefs
    strongest: NDArray[np.int8]
    errors: int
    change: float
    entropy: float
    empty: int
    """A cell without a value, -1 if there is none."""


class End(Struct, frozen=True):
    status: Status
    line: str
    reason: str
    check: Checked | None = None


@functools.lru_cache(maxsize=8)
def factor_graph(puzzle: Puzzle) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The cells of each unit, int16[u, n], and (unit, place) of each cell in its units, int16[n*n, 3 or 5, 2] with -1
    where a cell has fewer; both read-only."""
    g = puzzle.geometry
    units = np.array([unit.cells for unit in g.units], dtype=np.int16)
    places = np.full((puzzle.n**2, 5 if g.diagonals else 3, 2), -1, dtype=np.int16)
    number = {unit: k for k, unit in enumerate(g.units)}
    for cell, of_cell in enumerate(g.units_of):
        places[cell, : len(of_cell)] = [(number[unit], unit.cells.index(cell)) for unit in of_cell]
    units.flags.writeable = places.flags.writeable = False
    return units, places


def strongest_values(beliefs: Beliefs) -> NDArray[np.int8]:
    return np.where(beliefs.max(axis=1) > 0, beliefs.argmax(axis=1) + 1, 0).astype(np.int8)


class Belief(Solver[BeliefState, BeliefParams]):
    name = "belief"
    title = "Belief propagation"
    family = "inference"
    summary = ("Sends messages between cells and units until the probability of each value settles. It may settle "
               "undecided, never settle, or be confidently wrong, and says so at its end; only a cell that is left "
               "without values is a proof that there is no solution. A message that is not 0 is at least 2^-60.")
    energy_counts = "errors of the grid of strongest beliefs, cells without one included"
    references = (
        "T. K. Moon, J. H. Gunther: Multiple constraint satisfaction by belief propagation: an example using Sudoku. "
        "IEEE Mountain Workshop on Adaptive and Learning Systems, 2006",
        "H. J. Ryser: Combinatorial Mathematics, 1963 (permanents); here by subsets, as Bellman, Held and Karp do",
        "M. Mézard, A. Montanari: Information, Physics, and Computation, 2009 (sum-product, damping, decimation)",
    )
    program = (
        Line("pass", "for each unit, cell, value:"),
        Line("sum", "  m ← Σ over permutations:"),
        Line("product", "    Π what other cells say"),
        Line("damp", "  m ← (1−d)·m + d·old m"),
        Line("belief", "b(cell) ← Π of messages"),
        Line("solved", "strongest b solve it: return"),
        Line("empty", "no value left: return"),
        Line("settled", "nothing changes any more:"),
        Line("fix", "  decimate: fix surest cell"),
        Line("check", "giving up: check b exactly"),
    )
    Params = BeliefParams
    presets: ClassVar = {"plain": {}, "undamped": {"damping": 0.0}, "decimate": {"decimate": True, "sweeps": 2000}}
    channels = (
        Channel("energy", "errors", "energy"),
        Channel("best", "fewest errors", "best"),
        Channel("entropy", "entropy", "share"),
    )
    mark_words: ClassVar = {
        "core": "At the end: beliefs above the threshold that are unlike the solution, and cells without a value."}
    glossary: ClassVar = {
        "fixed": "the cells fixed by decimation, the surest belief first",
        "errors": "the errors of the grid of strongest beliefs, of equal ones the lowest value; the board shows only "
                  "beliefs above one half",
        **dict.fromkeys(("fewest", "fewest errors"), "the fewest errors so far; before the first sweep no value is the "
                        "strongest, so each free cell is an error"),
        "change": "the largest change of a message in this sweep; 0 means that the beliefs have settled. A message of "
                  "0 is a proof and is not damped, so that a change may exceed 1−d",
    }
    kinds = ("passed", "assigned", "guess", "contradiction", "confidently_wrong", "checked", "solved", "no_solution",
             "gave_up", "done")
    step_word = "sweep"
    speed = 5.0
    trajectory = 2
    interruptible = True
    gives = frozenset({"candidates", "panel"})

    def init(self, puzzle: Puzzle, params: BeliefParams, seed: int) -> BeliefState:
        """All values equally likely in each free cell. Raises PuzzleError where a unit has more than 16 free cells."""
        for unit in puzzle.geometry.units:
            free = sum(1 for cell in unit.cells if not puzzle.givens[cell])
            if free > MOST_FREE:
                raise PuzzleError(f"belief takes units of at most {MOST_FREE} free cells, and {unit.name} has {free}: "
                                  f"the sum over its permutations takes 2^{free} terms")
        fixed, n = np.array(puzzle.givens, dtype=np.int8), puzzle.n
        beliefs = np.full((n * n, n), 1.0 / n)
        beliefs[fixed != 0] = np.eye(n)[fixed[fixed != 0] - 1]
        strongest = fixed.copy()  # all values are equally likely: none is the strongest yet
        wrong = errors(puzzle, puzzle.givens)
        messages = np.full((len(puzzle.geometry.units), n, n), 1.0 / n)
        state = BeliefState(puzzle, seed, 0, messages, beliefs, fixed, strongest, strongest.copy(), wrong, wrong,
                            1.0, 1.0 if puzzle.free_cells else 0.0, 0)
        if puzzle.clashes():
            clash = puzzle.clashes()[0]
            state.status, state.reason = "no_solution", f"{clash.unit.name} is given {clash.value} more than once"
        elif wrong == 0:
            state.status, state.reason = "solved", "the givens leave no cell free"
        return state

    def steps(self, state: BeliefState, params: BeliefParams) -> Iterator[tuple[Event, ...]]:
        while not state.status:
            swept = _sweep(state, params)
            end = _end(state, swept, params)
            yield tuple(_take(state, swept, end, params))

    def outcome(self, state: BeliefState) -> Outcome | None:
        if not state.status:
            return None
        status: Status = state.status  # type: ignore[assignment]
        return Outcome(status, *self.best(state), state.reason)

    def best(self, state: BeliefState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), state.wrong_best

    def sample(self, state: BeliefState, params: BeliefParams) -> tuple[float, ...]:
        return float(state.energy), float(state.wrong_best), state.entropy

    def view(self, state: BeliefState, params: BeliefParams, events: tuple[Event, ...]) -> View:
        beliefs: list[list[float]] = state.beliefs.tolist()
        fixed: list[int] = state.fixed.tolist()
        masks = tuple(0 if fixed[cell] else sum(1 << v for v, p in enumerate(row) if p >= VISIBLE)
                      for cell, row in enumerate(beliefs))
        heat = tuple(float("nan") if given else min(1.0, max(row))
                     for given, row in zip(state.puzzle.givens, beliefs, strict=True))
        weights = tuple(min(1.0, p) for row in beliefs for p in row)
        return View(state.grid, _marks(state, events), masks, _gauges(state), _live(state, params),
                    _panel(state, beliefs, fixed), heat=heat, weights=weights)

    def moment(self, before: BeliefState, params: BeliefParams, events: tuple[Event, ...]) -> Moment:
        units, places = before.puzzle.geometry.units, factor_graph(before.puzzle)[1]
        messages = _sweep(before, params).messages
        told = {cell: tuple((units[unit].name, tuple(messages[unit, place].tolist()))
                            for unit, place in places[cell].tolist() if unit >= 0)
                for cell in before.puzzle.free_cells if not before.fixed[cell]}
        return structs.replace(super().moment(before, params, events), facts=Believing(told))

    def because(self, event: Event, state: BeliefState, params: BeliefParams) -> Sentence:
        match event:
            case Assigned():
                return reason("No open cell is surer than {cell}, so {value} is fixed there and messages go on.",
                              cell=cell_name(event.cell, state.puzzle.n), value=str(event.value))
            case Contradiction(cells=(cell, *_)):
                return reason("No permutation of its units leaves {cell} a value.",
                              cell=cell_name(cell, state.puzzle.n))
        return super().because(event, state, params)

    def because_in(self, event: Event, events: tuple[Event, ...], before: Callable[[], BeliefState], state: BeliefState,
                   params: BeliefParams) -> Sentence:
        compared = next((each for each in events if isinstance(each, Checked)), None)
        if isinstance(event, Done) and compared is not None:
            return compared.as_reason(state.puzzle.n)
        return super().because_in(event, events, before, state, params)

    def warm_up(self, puzzle: Puzzle | None = None, params: BeliefParams | None = None) -> None:
        chosen = self.make_params()
        small = Puzzle((0,) * 16, 2)
        next(self.steps(self.init(small, chosen, 0), chosen))
        solutions.count(puzzle if puzzle is not None else small)


def _sweep(state: BeliefState, params: BeliefParams) -> Sweep:
    """One sweep of all messages, computed from those of the sweep before. Raises Interrupted on a request to give way.
    """
    units, places = factor_graph(state.puzzle)
    fresh, beliefs = np.empty_like(state.messages), np.empty_like(state.beliefs)
    fresh[:] = state.messages
    change = 0.0
    for unit in range(len(units)):
        give_way()
        change = max(change, float(
            compiled.from_unit(state.messages, fresh, state.fixed, units, places, unit, params.damping)))
    empty = int(compiled.marginals(fresh, state.fixed, places, beliefs))
    free = np.array(state.puzzle.free_cells, dtype=np.int64)
    strongest = strongest_values(beliefs)
    return Sweep(fresh, beliefs, strongest, errors(state.puzzle, strongest.tolist()), change,
                 float(compiled.entropy(beliefs, free)), empty)


def _end(state: BeliefState, swept: Sweep, params: BeliefParams) -> End | None:
    """The outcome if the run ends with this sweep: solved, proven unsolvable, or the comparison of the beliefs with the
    exact engine. Changes nothing."""
    if swept.errors == 0:
        return End("solved", "solved", "the strongest beliefs solve it")
    if swept.empty >= 0 and not state.decimated:
        where = cell_name(swept.empty, state.puzzle.n)
        return End("no_solution", "empty", f"a proof: no permutation of its units leaves {where} a value")
    why = _why_ended(state, swept, params)
    if why is None:
        return None
    compared = check(state.step + 1, state.puzzle, swept.beliefs, params.threshold, asked)
    give_way()
    return End("gave_up", "check", f"{why}: {compared.clause(state.puzzle.n)}", compared)


def _why_ended(state: BeliefState, swept: Sweep, params: BeliefParams) -> str | None:
    if swept.empty >= 0:
        return f"{cell_name(swept.empty, state.puzzle.n)} has no value left after {many(state.decimated, 'decimation')}"
    if swept.change < params.tolerance and not params.decimate:
        return "the messages have settled"
    if state.step + 1 >= params.sweeps:
        return many(state.step + 1, "sweep") + (" is spent" if state.step == 0 else " are spent")
    return None


def _take(state: BeliefState, swept: Sweep, end: End | None, params: BeliefParams) -> Iterator[Event]:
    """Store a sweep in the state. Yields its events."""
    state.step += 1
    state.messages, state.beliefs, state.strongest = swept.messages, swept.beliefs, swept.strongest
    state.change, state.entropy, state.wrong_now = swept.change, swept.entropy, swept.errors
    state.waiting += 1
    if swept.errors < state.wrong_best:
        state.best, state.wrong_best = swept.strongest.copy(), swept.errors
    yield Passed(state.step, "pass", state.step, swept.change, swept.entropy, state.sure)
    if swept.empty >= 0:
        state.marked = (swept.empty,)
        where = cell_name(swept.empty, state.puzzle.n)
        yield Contradiction(state.step, "empty", (swept.empty,), f"no permutation leaves {where} a value")
    if end is not None:
        yield from _finish(state, end)
    elif params.decimate and (swept.change < params.tolerance or state.waiting >= params.patience):
        yield _decimate(state)


def _finish(state: BeliefState, end: End) -> Iterator[Event]:
    state.status, state.reason = end.status, end.reason
    if end.check is not None:
        state.marked += tuple(cell for cell in end.check.wrong if cell not in state.marked)
        yield end.check
    yield Done(state.step, end.line, end.status, state.wrong_best, end.reason)


def _decimate(state: BeliefState) -> Assigned:
    """Fix the open cell that is the most certain, the first of equals, at its strongest belief."""
    certain = np.where(state.fixed == 0, state.beliefs.max(axis=1), -1.0)
    cell = int(certain.argmax())
    value, belief = int(state.strongest[cell]), float(certain[cell])
    state.fixed[cell] = value
    state.waiting = 0
    return Assigned(state.step, "fix", cell, value, f"strongest belief {text.significant(belief)}", guess=True)


def _marks(state: BeliefState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    marks: dict[Role, tuple[int, ...]] = {"conflict": conflicts(state.puzzle, state.grid)}
    fixed = tuple(event.cell for event in events if isinstance(event, Assigned))
    if fixed:
        marks["moved"] = fixed
    if state.marked:
        marks["core"] = _wrong_or_empty(state)
    return marks


def _wrong_or_empty(state: BeliefState) -> tuple[int, ...]:
    """At the end: the cells that are confidently wrong, and all that have no value left."""
    empty = (int(cell) for cell in np.flatnonzero(state.strongest == 0)) if state.marked else ()
    return (*state.marked, *(cell for cell in empty if cell not in state.marked))


def _gauges(state: BeliefState) -> tuple[Gauge, ...]:
    free = max(1, len(state.puzzle.free_cells))
    return (
        Gauge("errors", str(state.energy)),
        Gauge("fewest", str(state.wrong_best), role="best"),
        Gauge("entropy", text.significant(state.entropy), state.entropy),
        Gauge("sure", str(state.sure), state.sure / free),
        Gauge("change", text.significant(state.change, 1 if state.change < 1e-6 else 3) if state.step else text.NONE),
        Gauge("fixed", str(state.decimated), state.decimated / free),
    )


def _live(state: BeliefState, params: BeliefParams) -> dict[str, str]:
    lines = {"damp": f"d {params.damping:g}"}
    if state.step:
        lines["settled"] = text.significant(state.change)
    return lines


def _panel(state: BeliefState, beliefs: list[list[float]], fixed: list[int]) -> TablePanel:
    """The open cells, the most certain first: decimation would fix the first."""
    order = [cell for cell, value in enumerate(fixed) if not value]
    order.sort(key=lambda cell: -max(beliefs[cell]))
    marked = frozenset(_wrong_or_empty(state))
    order.sort(key=lambda cell: cell not in marked)
    rows = []
    for cell in order:
        first, second = sorted(((-p, v + 1) for v, p in enumerate(beliefs[cell])))[:2]
        rows.append((cell_name(cell, state.puzzle.n), f"{first[1]} {-first[0]:.3f}", f"{second[1]} {-second[0]:.3f}"))
    core = tuple(row for row, cell in enumerate(order) if cell in marked)
    return TablePanel("Beliefs", ("cell", "strongest", "next"), tuple(rows), core=core,
                      core_means="unlike the solution, or without a value",
                      about="The open cells. strongest: the value with the largest belief, and that belief, from 0 to "
                            "1; next: the second.")


SOLVER = Belief()
