"""`cp-sat`: the constraint solver of Google's OR-Tools, with its log, its solutions and its statistics as steps.

Lazy clause generation: integers and all-different constraints are searched as a SAT problem, with clauses learned from
conflicts (Perron & Furnon; Stuckey 2010). The search itself is opaque. `cp_sat_engine` runs it in a thread and yields
what it reports; here are the solver, its state, its events and its view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.energy import conflicts, errors
from engine.events import Done, Event, Status
from engine.events.because import because, reason
from engine.events.explain import explain
from engine.events.search import Asked, answered
from engine.interrupt import asked
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle
from engine.solver import Outcome, Solver
from engine.solvers.exact.cp_sat_engine import Counts, End, Engine, Item, Model, SearchSettings, Solution, load
from engine.state import State
from engine.view import Channel, Gauge, Line, ListPanel, Role, Sections, Sentence, TablePanel, View

KEPT = 60
"""Reports kept in the state."""
SHOWN = 12
"""Reports listed in the panel, which leaves room for the statistics below."""
LONGEST = 120
"""Characters of a report; the longest of the log have more."""
LINES = {"engine": "model", "model": "model", "presolve": "presolve", "symmetry": "presolve",
         "presolved": "presolve", "search": "search"}


class Reported(Event, frozen=True, tag="reported"):
    """A line of the engine's log."""

    stage: str
    """Its subject: also the kind of the event."""
    text: str

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.stage, "reported")


@explain.register
def _reported(event: Reported, n: int = 9) -> Sentence:
    return Sentence(event.stage.upper(), "{text}", {"text": event.text})


@because.register
def _why_reported(event: Reported, n: int = 9) -> Sentence:
    return reason("CP-SAT wrote this into its log; what it decides inside stays opaque.")


class CpSatParams(Params, frozen=True):
    model: Annotated[Model, About("", "an integer a cell and all-different, or a literal a candidate",
                                  live=False)] = "integers"
    presolve: Annotated[bool, About("", "let it rewrite the model first, which solves easy puzzles", live=False)] = True
    solutions: Annotated[int, Meta(ge=1, le=10_000), About("solutions", "end after this many; 2 decides whether "
                                                           "there is another", live=False)] = 1
    limit: Annotated[float, Meta(ge=0), About("", "give up after so much work, in the engine's own measure; 0: never",
                                              live=False)] = 0.0


@dataclass
class CpSatState(State):
    cells: NDArray[np.int8]
    """int8[n*n]: the last solution, before it the givens."""
    reports: list[str]
    """`stage: text`, the newest last; at most KEPT."""
    found: int = 0
    booleans: int = 0
    branches: int = 0
    conflicts: int = 0
    status: str = ""
    reason: str = ""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Empty cells and clashes of givens; 1 while CP-SAT still searches with a solution on the board."""
        return errors(self.puzzle, self.grid) or int(self.status != "solved")


class CpSat(Solver[CpSatState, CpSatParams]):
    name = "cp-sat"
    title = "CP-SAT (OR-Tools)"
    family = "exact"
    summary = ("Hands the puzzle to the constraint solver of OR-Tools (an optional package), which finds solutions or "
               "proves that there is none. Its search is opaque: its log, solutions and statistics are all one sees.")
    energy_counts = "empty cells; a solution counts 1 until the search is over"
    references = (
        "L. Perron, F. Didier: CP-SAT. OR-Tools, Google, developers.google.com/optimization/cp",
        "P. J. Stuckey: Lazy clause generation: combining the power of SAT and CP (and MIP?) solving. CPAIOR 2010",
    )
    program = (
        Line("model", "model: cells, units, givens"),
        Line("presolve", "presolve: rewrite the model"),
        Line("search", "search, which is opaque:"),
        Line("inside", "  decide, propagate, learn"),
        Line("found", "  a solution: call back"),
        Line("proved", "  nothing left: proved"),
        Line("limit", "  limit reached: give up"),
    )
    Params = CpSatParams
    presets: ClassVar = {
        "plain": {}, "unique": {"solutions": 2}, "no-presolve": {"presolve": False}, "literals": {"model": "literals"},
    }
    channels = (Channel("energy", "E", "energy"), Channel("branches", "branches", "depth"))
    kinds = ("sat", "unsat", "no_answer", "asked", "engine", "model", "presolve", "symmetry", "presolved", "search",
             "reported", "solved", "no_solution", "gave_up", "unknown", "done")
    step_word = "report"
    speed = 5.0
    recorded = True
    interruptible = True
    resumable = False
    loads = "OR-Tools"
    extra = ("ortools", "ortools")
    gives = frozenset({"panel"})
    complete = True

    def init(self, puzzle: Puzzle, params: CpSatParams, seed: int) -> CpSatState:
        """The givens. Contradictory ones, and full grids, need no engine."""
        state = CpSatState(puzzle, seed, 0, np.array(puzzle.givens, dtype=np.int8), [])
        clashes = puzzle.clashes()
        if clashes:
            state.status = "no_solution"
            state.reason = f"{clashes[0].unit.name} is given {clashes[0].value} more than once"
        elif all(puzzle.givens):
            state.status, state.reason = "solved", "the givens leave no cell free"
        return state

    def steps(self, state: CpSatState, params: CpSatParams) -> Iterator[tuple[Event, ...]]:
        """The reports of CP-SAT, one a step. It cannot start in the middle: then there are no steps."""
        if state.status or state.step:
            return
        self.require()
        settings = SearchSettings(params.model, params.presolve, params.solutions, params.limit, state.seed)
        engine = Engine(state.puzzle, settings)
        try:
            while not state.status:
                item = engine.next()
                if item is None:
                    if asked():
                        yield ()
                    continue
                state.step += 1
                yield _take(state, item, params)
        finally:
            engine.close()

    def outcome(self, state: CpSatState) -> Outcome | None:
        if not state.status:
            return None
        status: Status = state.status  # type: ignore[assignment]
        return Outcome(status, state.grid, state.energy, state.reason)

    def sample(self, state: CpSatState, params: CpSatParams) -> tuple[float, ...]:
        return float(state.energy), float(state.branches)

    def view(self, state: CpSatState, params: CpSatParams, events: tuple[Event, ...]) -> View:
        marks: dict[Role, tuple[int, ...]] = {"conflict": conflicts(state.puzzle, state.grid)}
        for event in events:
            if isinstance(event, Asked):
                marks["moved"] = event.cells
        empty = sum(1 for value in state.grid if not value)
        gauges = (
            Gauge("empty", str(empty), empty / max(1, len(state.puzzle.free_cells))),
            Gauge("found", text.count(state.found)),
            Gauge("branch", text.count(state.branches)),
            Gauge("learned", text.count(state.conflicts)),
        )
        return View(state.grid, marks, None, gauges, panel=_panel(state))

    def explain(self, event: Event, n: int = 9) -> Sentence:
        return answered(event, effort="branches") if isinstance(event, Asked) else super().explain(event, n)

    def because(self, event: Event, state: CpSatState, params: CpSatParams) -> Sentence:
        match event:
            case Reported(stage="presolve" | "symmetry" | "presolved") if not params.presolve:
                return reason("Presolve is off, but CP-SAT rewrites any model as far as its search needs.")
            case Asked(answer="sat"):
                return reason("CP-SAT reports a solution; its search, which found it, is opaque.")
            case Asked(answer="unsat"):
                return reason("CP-SAT reports a proof that there is none; its search is opaque.")
            case Done(status="solved", line=line):
                return reason("CP-SAT stopped early: there may be more solutions than those found." if line == "limit"
                              else "CP-SAT's search is over: it has found all solutions, or as many as asked.")
            case Done(status="gave_up"):
                return reason("The limit is reached before CP-SAT has a solution or a proof.")
        return super().because(event, state, params)

    def warm_up(self, puzzle: Puzzle | None = None, params: CpSatParams | None = None) -> None:
        load()


def _take(state: CpSatState, item: Item, params: CpSatParams) -> tuple[Event, ...]:
    """Store an item in the state. Returns its events."""
    match item:
        case (stage, said):
            said = said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
            state.reports = [*state.reports, f"{stage}: {said}"][-KEPT:]
            return (Reported(state.step, LINES[stage], stage, said),)
        case Solution():
            return (_solution(state, item),)
        case End():
            return _ending(state, item, params)


def _count(state: CpSatState, counts: Counts) -> None:
    state.booleans, state.branches, state.conflicts = counts.booleans, counts.branches, counts.conflicts


def _solution(state: CpSatState, item: Solution) -> Asked:
    _count(state, item.counts)
    changed = tuple(cell for cell, (old, new) in enumerate(zip(state.grid, item.cells, strict=True)) if old != new)
    state.cells = np.array(item.cells, dtype=np.int8)
    state.found += 1
    question = "a solution" if state.found == 1 else f"solution {text.count(state.found)}"
    return Asked(state.step, "found", question, "sat", changed, work=state.branches)


def _ending(state: CpSatState, item: End, params: CpSatParams) -> tuple[Event, ...]:
    """The events of the ending: the last question, unless its answer is the last solution, and `done`."""
    if item.ended != "failed":
        _count(state, item.counts)
    state.status, state.reason = _verdict(state, item, params)
    question = "a solution" if not state.found else "another solution"
    answer: tuple[Event, ...] = ()
    if item.ended in ("none", "complete"):
        answer = (Asked(state.step, "proved", question, "unsat", work=state.branches),)
    elif item.ended in ("limit", "failed"):
        answer = (Asked(state.step, "limit", question, "unknown", because=state.reason, work=state.branches),)
    line = "found" if item.ended == "stopped" else answer[0].line
    return (*answer, Done(state.step, line, _status(state), state.energy, state.reason))


def _status(state: CpSatState) -> Status:
    return state.status  # type: ignore[return-value]


def _verdict(state: CpSatState, item: End, params: CpSatParams) -> tuple[Status, str]:
    found = f"{text.count(state.found)} solution{'' if state.found == 1 else 's'}"
    if item.ended == "none":
        return "no_solution", "CP-SAT proved that there is none"
    if item.ended == "failed":
        return ("solved" if state.found else "unknown"), f"CP-SAT failed: {item.why}"
    if item.ended == "limit":
        limit = f"the limit of {params.limit:g} is reached"
        return ("solved", f"{found} found, and {limit}") if state.found else ("gave_up", limit)
    if item.ended == "complete":
        return "solved", f"{found}, and CP-SAT proved that there is no other"
    return "solved", f"{found} found; whether there is another was not asked"


def _panel(state: CpSatState) -> Sections:
    counts = {"Booleans": state.booleans, "branches": state.branches, "conflicts": state.conflicts,
              "found": state.found}
    statistics = TablePanel("Statistics", (), tuple((name, text.count(number)) for name, number in counts.items()),
                            about="CP-SAT's own counters. Booleans: the variables, true or false, that the puzzle is "
                                  "translated to; branches: the guesses of their values; conflicts: those met and "
                                  "learned from; found: solutions.")
    log = tuple(each.partition(": ")[2] for each in reversed(state.reports[-SHOWN:]))
    written = ListPanel("Its log", log, about=(
        f"What CP-SAT wrote about its work, the newest first, at most {SHOWN} lines."))
    return Sections("CP-SAT", (written, statistics))


SOLVER = CpSat()
