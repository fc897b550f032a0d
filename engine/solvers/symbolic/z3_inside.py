"""`z3-inside`: one search of Z3, observed from inside, one callback a step.

A Boolean for each candidate, pseudo-Boolean `exactly one` constraints, and a user propagator that receives every
literal that Z3 fixes or decides and every level that it backtracks: conflict-driven search (J. Marques-Silva, K.
Sakallah: GRASP, IEEE Transactions on Computers 48(5), 1999) as implemented in a current solver. See `z3_search`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from engine import state as states
from engine import text
from engine.automata.formula import Instance, formula_panel
from engine.energy import conflicts, full_energy
from engine.errors import BadInput
from engine.events import Assigned, Contradiction, Done, Event, Status
from engine.events.because import reason
from engine.events.search import Asked, Backjumped, Decided, Propagated
from engine.interrupt import asked
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.questions import Moment
from engine.questions.symbolic import Trailing
from engine.solver import Outcome, Solver
from engine.solvers.exact.board import clash_reason
from engine.solvers.symbolic.z3_search import COUNTERS, Ended, Fixed, Popped, Search, Seen
from engine.state import State
from engine.view import Channel, Gauge, Line, ListPanel, PencilRole, Role, Sections, Sentence, TablePanel, View

Phase = Literal["caching", "false", "true", "random"]

LARGEST = 16
WAIT = 0.01
"""Seconds between two checks for a request to interrupt the step."""
KEPT = 12
"""Decisions in the state: the deepest ones."""
PHASES: dict[Phase, int] = {"false": 0, "true": 1, "caching": 3, "random": 5}
"""Z3's numbers for its parameter phase_selection."""
_NOT_SHOWN = TablePanel("Not shown by Z3", (), (("reasons, lemmas, restarts",), ("what it does before it begins",)),
                        about="What Z3 does not tell to those who observe it.")


class InsideParams(Params, frozen=True):
    phase: Annotated[Phase, About("", "what Z3 tries first of a literal it decides", live=False)] = "caching"
    max_conflicts: Annotated[int, Meta(ge=0, le=10**9),
                             About("conflicts", "conflicts after which Z3 gives up; 0: no limit", live=False)] = 0


@dataclass
class InsideState(State):
    """The observed part of Z3's state. The search itself is inside Z3 and cannot continue from a copy of this."""

    holds: NDArray[np.uint16]
    """For each cell the values that hold, as bits: one or none, but for a moment before a conflict."""
    open: NDArray[np.uint16]
    """For each cell the values that are not struck, as bits."""
    decisions: NDArray[np.int16]
    """The deepest decisions on the trail, the last one last: literal + 1, negative if the value is ruled out; 0: none.
    """
    best: NDArray[np.uint16]
    """`holds` when E was lowest."""
    counters: NDArray[np.int64]
    """Z3's COUNTERS at the last query for them."""
    level: int
    deepest: int
    fixed: int
    """Literals that have a value."""
    surplus: int
    """The share of contradictory givens in E."""
    status: Status | Literal[""]
    reason: str

    @property
    def grid(self) -> tuple[int, ...]:
        return _grid(self.holds)

    @property
    def energy(self) -> int:
        """Empty cells and clashes of givens; 1 while Z3 has not confirmed a full grid."""
        return self._energy(self.holds)

    @property
    def best_energy(self) -> int:
        return self._energy(self.best)

    def keep_best(self) -> None:
        """Keep the grid if its E is the lowest."""
        if self.energy < self.best_energy:
            self.best = self.holds.copy()

    def _energy(self, holds: NDArray[np.uint16]) -> int:
        left = int(holds.size - np.count_nonzero(holds)) + self.surplus
        return left or int(self.status != "solved")


def _grid(holds: NDArray[np.uint16]) -> tuple[int, ...]:
    return tuple((mask & -mask).bit_length() for mask in holds.tolist())


class Trail:
    """The assignments of each level, to be undone on backtracking. It belongs to the running search."""

    def __init__(self) -> None:
        self._levels: list[list[tuple[int, int, bool]]] = [[]]
        """(cell, bit, holds) of what a literal changed."""
        self._decisions: list[int] = [0]
        self._fixed = [0]

    @property
    def level(self) -> int:
        return len(self._levels) - 1

    def fix(self, state: InsideState, seen: Fixed) -> None:
        cell, value = divmod(seen.literal, state.puzzle.n)
        bit = 1 << value
        for _ in range(seen.opened):
            self._levels.append([])
            self._decisions.append(0)
            self._fixed.append(0)
        if seen.decided:
            self._decisions[-1] = seen.literal + 1 if seen.holds else -seen.literal - 1
        self._fixed[-1] += 1
        masks = state.holds if seen.holds else state.open
        if bool(masks[cell] & bit) != seen.holds:
            masks[cell] ^= bit
            self._levels[-1].append((cell, bit, seen.holds))

    def give_up(self, state: InsideState, levels: int) -> None:
        for _ in range(min(levels, self.level)):
            for cell, bit, holds in reversed(self._levels.pop()):
                (state.holds if holds else state.open)[cell] ^= bit
            self._decisions.pop()
            self._fixed.pop()

    def write(self, state: InsideState) -> None:
        """The numbers of the state that follow from the trail."""
        last = [each for each in self._decisions if each][-KEPT:]
        state.decisions = np.array([0] * (KEPT - len(last)) + last, dtype=np.int16)
        state.level, state.fixed = self.level, sum(self._fixed)
        state.deepest = max(state.deepest, state.level)


class Z3Inside(Solver[InsideState, InsideParams]):
    name = "z3-inside"
    title = "Z3 from inside"
    family = "symbolic"
    summary = ("One search of Z3: its decisions, propagations and backjumps. It finds a solution or proves that none "
               "exists. Opaque stay the reasons of a propagation, the lemmas that Z3 learns from a conflict, its "
               "restarts and its preprocessing.")
    energy_counts = "empty cells, and 1 while Z3 has not confirmed a full grid"
    references = (
        "J. Marques-Silva, K. Sakallah: GRASP: A Search Algorithm for Propositional Satisfiability. IEEE Transactions "
        "on Computers 48(5), 1999",
        "N. Bjørner, C. Eisenhofer, L. Kovács: Satisfiability Modulo Custom Theories in Z3. VMCAI 2023",
    )
    program = (
        Line("search", "search:"),
        Line("propagate", "  propagate what must follow"),
        Line("conflict", "  conflict:"),
        Line("unsat", "    at level 0: no solution"),
        Line("learn", "    learn a lemma (not shown)"),
        Line("backjump", "    jump back to a lower level"),
        Line("solved", "  nothing open: solution"),
        Line("decide", "  decide a literal: level + 1"),
    )
    Params = InsideParams
    presets: ClassVar = {"z3": {}, "values-first": {"phase": "true"}}
    channels = (Channel("energy", "E", "energy"), Channel("level", "level", "depth"))
    kinds = ("contradiction", "decided", "guess", "backjump", "propagated", "assigned", "sat", "unsat", "no_answer",
             "asked", "solved", "no_solution", "gave_up", "unknown", "done")
    glossary: ClassVar = {
        "decided": "the literals that Z3 decided, each at a new level",
        "conflicts": "Z3's count of the conflicts: a constraint that the literals fixed so far already violate",
        "propagations": "Z3's count of the literals that clauses fixed; nearly all of them before the first step",
        "pb propagations": "Z3's count of the literals that a constraint 'exactly one of these is true' fixed "
                           "(pseudo-Boolean): every rule of a unit is one",
        "mk clause": "the clauses that Z3 made: those of the formula, and lemmas",
        "rlimit count": "Z3's measure of its work, the same on every machine",
    }
    step_word = "callback"
    speed = 20.0
    period_word = "decision"
    period_kind = "decided"
    gives = frozenset({"candidates", "panel"})
    touches_givens = True
    loads = "Z3"
    recorded = True
    resumable = False
    interruptible = True
    complete = True
    trajectory = 3
    earlier: ClassVar = {1: {}, 2: {}}

    def init(self, puzzle: Puzzle, params: InsideParams, seed: int) -> InsideState:
        """The givens, and every candidate open elsewhere. Raises BadInput for boards above 16x16."""
        n = puzzle.n
        if n > LARGEST:
            raise BadInput(f"{self.name} takes boards up to {LARGEST}x{LARGEST}, this one is {n}x{n}")
        holds = np.array([1 << value - 1 if value else 0 for value in puzzle.givens], dtype=np.uint16)
        open_ = np.where(holds, holds, (1 << n) - 1).astype(np.uint16)
        surplus = full_energy(puzzle, puzzle.givens)
        status: Status | Literal[""] = "no_solution" if surplus else "solved" if all(puzzle.givens) else ""
        reason = clash_reason(puzzle) if surplus else "the givens leave no cell free" if status else ""
        return InsideState(puzzle, seed, 0, holds, open_, np.zeros(KEPT, np.int16), holds.copy(),
                           np.zeros(len(COUNTERS), np.int64), 0, 0, 0, surplus, status, reason)

    def steps(self, state: InsideState, params: InsideParams) -> Iterator[tuple[Event, ...]]:
        """Steps from the start only: in the middle there is no search to continue, and no step is made."""
        if state.status or state.step:
            return
        search, trail = Search(state.puzzle, _options(params, state.seed)), Trail()
        try:
            while not state.status:
                seen = search.next(WAIT)
                if seen is not None:
                    state.step += 1
                    yield _heard(state, params, trail, seen)
                elif asked():
                    yield ()
        finally:
            search.close()

    def outcome(self, state: InsideState) -> Outcome | None:
        if not state.status:
            return None
        return Outcome(state.status, *self.best(state), state.reason)

    def best(self, state: InsideState) -> tuple[tuple[int, ...], int]:
        return _grid(state.best), state.best_energy

    def sample(self, state: InsideState, params: InsideParams) -> tuple[float, ...]:
        return float(state.energy), float(state.level)

    def view(self, state: InsideState, params: InsideParams, events: tuple[Event, ...]) -> View:
        panel = Sections("Inside Z3", (_statistics(state, events), _NOT_SHOWN, _decisions(state),
                                       _formula(state.puzzle)))
        return View(state.grid, _marks(state, events), tuple(state.open.tolist()), _gauges(state),
                    {"decide": f"level {state.level}"}, panel, pencils=_pencils(events))

    def moment(self, before: InsideState, params: InsideParams, events: tuple[Event, ...]) -> Moment:
        return structs.replace(super().moment(before, params, events), facts=Trailing(dead_end=""))

    def because(self, event: Event, state: InsideState, params: InsideParams) -> Sentence:
        match event:
            case Assigned(guess=True):
                return reason("Z3 decides to try it; it does not report why this cell and this value.")
            case Assigned():
                return reason("It follows from what holds already; Z3 does not report how.")
            case Contradiction() if not state.level and event.cells:
                return reason("Since {dead}, no grid fits these givens.", dead=event.reason)
            case Contradiction(cells=()):
                return reason("What Z3 decided contradicts the givens; the grid is that before the jump back.")
            case Done():
                return reason("Z3's search is over; its lemmas, restarts and preprocessing are not shown.")
        return super().because(event, state, params)

    def judged(self, state: InsideState, before: Callable[[], InsideState], params: InsideParams,
               events: tuple[Event, ...]) -> InsideState | None:
        """The dead end, before the jump back in the same step."""
        kinds = {kind for event in events for kind in event.kinds}
        if not {"contradiction", "backjump"} <= kinds:
            return None
        dead = states.copy(before())
        dead.step, dead.counters = state.step, state.counters.copy()
        return dead

    def warm_up(self, puzzle: Puzzle | None = None, params: InsideParams | None = None) -> None:
        import z3  # noqa: F401


def _options(params: InsideParams, seed: int) -> dict[str, int]:
    """Z3's own parameters."""
    options = {"random_seed": seed % 2**31, "phase_selection": PHASES[params.phase]}
    if params.max_conflicts:
        options["max_conflicts"] = params.max_conflicts - 1  # the number that Z3 goes beyond before it gives up
    return options


def _heard(state: InsideState, params: InsideParams, trail: Trail, seen: Seen) -> tuple[Event, ...]:
    """Update the state after a report of Z3. Returns the events of the step."""
    before = state.counters
    if seen.counters is not None:
        state.counters = np.array(seen.counters, dtype=np.int64)
    match seen:
        case Fixed():
            trail.fix(state, seen)
            trail.write(state)
            state.keep_best()
            return _fixed(state, seen)
        case Popped(levels=levels):
            trail.give_up(state, levels)
            trail.write(state)
            return _popped(state, levels, _count(before, "conflicts"))
        case Ended():
            return _ended(state, params, seen)


def _count(counters: NDArray[np.int64], name: str) -> int:
    return int(counters[COUNTERS.index(name)])


def _fixed(state: InsideState, seen: Fixed) -> tuple[Event, ...]:
    cell, value = divmod(seen.literal, state.puzzle.n)
    kind, line = (Decided, "decide") if seen.decided else (Propagated, "propagate")
    events: list[Event] = [kind(state.step, line, cell, value + 1, seen.holds, state.level)]
    if seen.holds and not state.puzzle.givens[cell]:
        reason = "Z3 tries it" if seen.decided else "it follows"
        events.append(Assigned(state.step, line, cell, value + 1, reason, state.level, seen.decided))
    if not state.open[cell]:
        reason = f"no value is left for {cell_name(cell, state.puzzle.n)}"
        events.append(Contradiction(state.step, "conflict", (cell,), reason))
    return tuple(events)


def _popped(state: InsideState, levels: int, conflicts_before: int) -> tuple[Event, ...]:
    """A conflict counted by Z3 as an event; Z3 does not report its cause."""
    back = Backjumped(state.step, "backjump", levels, state.level)
    number = _count(state.counters, "conflicts")
    if number == conflicts_before:
        return (back,)
    reason = f"conflict {text.count(number)} of Z3   back to level {state.level}"
    return Contradiction(state.step, "conflict", (), reason), back


def _ended(state: InsideState, params: InsideParams, seen: Ended) -> tuple[Event, ...]:
    """The events of the last step. Its reason also names what Z3 does not report."""
    status: Status = "unknown"
    line, because = "search", seen.why
    if seen.answer == "sat":
        status, line, because = "solved", "solved", "Z3 found a solution"
    elif seen.answer == "unsat":
        status, line, because = "no_solution", "unsat", "Z3 has proved that there is none"
    elif "max-conflicts" in seen.why:
        budget = f"{text.count(params.max_conflicts)} conflict{'s' if params.max_conflicts > 1 else ''}"
        status, because = "gave_up", f"the budget of {budget} is spent"
    state.status, state.reason = status, because
    state.keep_best()
    question = Asked(state.step, line, "a solution", seen.answer, because=because,
                     work=_count(state.counters, "rlimit count"))
    return question, Done(state.step, line, status, state.best_energy, state.reason)


def _marks(state: InsideState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    marks: dict[Role, tuple[int, ...]] = {}
    for event in events:
        match event:
            case Assigned(cell=cell):
                marks["moved"] = (cell,)
            case Contradiction(cells=cells) if cells:
                marks["core"] = cells
    if state.surplus:
        marks["conflict"] = conflicts(state.puzzle, state.grid)
    return marks


def _pencils(events: tuple[Event, ...]) -> dict[PencilRole, tuple[tuple[int, int], ...]]:
    pencils: dict[PencilRole, tuple[tuple[int, int], ...]] = {}
    for event in events:
        match event:
            case Propagated(cell=cell, value=value, holds=False) | Decided(cell=cell, value=value, holds=False):
                pencils["struck"] = ((cell, value),)
    return pencils


def _gauges(state: InsideState) -> tuple[Gauge, ...]:
    literals = state.puzzle.n ** 3
    empty = int(np.count_nonzero(state.holds == 0))
    return (
        Gauge("level", str(state.level), state.level / max(1, state.deepest)),
        Gauge("empty", str(empty), empty / state.holds.size),
        Gauge("fixed", text.count(state.fixed), min(1.0, state.fixed / literals)),
        Gauge("decided", text.count(_count(state.counters, "decisions"))),
        Gauge("clashed", text.count(_count(state.counters, "conflicts"))),
    )


def _statistics(state: InsideState, events: tuple[Event, ...]) -> TablePanel:
    """Z3's counters by Z3's names; `now` is the one that this step increased."""
    rows = tuple((name, text.count(value)) for name, value in zip(COUNTERS, state.counters.tolist(), strict=True))
    now: Any = None
    if any(isinstance(event, Contradiction) and not event.cells for event in events):
        now = COUNTERS.index("conflicts")
    elif any(isinstance(event, Decided) for event in events):
        now = COUNTERS.index("decisions")
    return TablePanel("Z3's statistics", (), rows, now, about="Counters of Z3 by its own names.")


def _formula(puzzle: Puzzle) -> ListPanel:
    """The assertions before the search began, including the givens."""
    return formula_panel(Instance(puzzle, puzzle.givens))


def _decisions(state: InsideState) -> TablePanel:
    """The decisions on the trail, deepest first."""
    codes, n = state.decisions[state.decisions != 0].tolist()[::-1], state.puzzle.n
    level = state.level if len(codes) == KEPT else len(codes)
    rows = tuple((str(level - place), _literal(code, n)) for place, code in enumerate(codes))
    choices = tuple(((abs(code) - 1) // n, ((abs(code) - 1) % n + 1) * (1 if code > 0 else -1)) for code in codes)
    return TablePanel("Decisions", ("level", "tried"), rows, choices=choices,
                      about="The decisions that Z3 has not undone, the newest first, "
                      f"at most {KEPT}. level: their number so far.")


def _literal(code: int, n: int) -> str:
    cell, value = divmod(abs(code) - 1, n)
    return f"{cell_name(cell, n)} {'=' if code > 0 else '≠'} {value + 1}"


SOLVER = Z3Inside()
