"""`z3`: fill in a puzzle by asking Z3, question by question.

A question is a transition of the network of automata in `engine.automata`: a value for a cell, assumed and not
asserted (Een & Sorensson, "Temporal Induction by Incremental SAT Solving", ENTCS 89(4), 2003). It is accepted and
written down, or answered unsat with a core: the units and cells that rule it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.automata.explanation import UNEXPLAINED
from engine.energy import full_energy
from engine.events import Assigned, Done, Event
from engine.events.because import first_fitting, reason
from engine.events.search import MOST_IN_CORE, Asked
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import Outcome, Solver
from engine.solvers.exact.board import candidates, values_of
from engine.solvers.symbolic.z3_state import KEPT, SECOND_SOLUTION, Z3State
from engine.solvers.symbolic.z3_view import view_of
from engine.view import Channel, Line, Sentence, View

if TYPE_CHECKING:
    from engine.solvers.symbolic.z3_session import Question, Reply

Pair = tuple[int, int]


class Z3Params(Params, frozen=True):
    encoding: Annotated[Literal["one-hot", "int-distinct", "finite-domain", "bit-vectors"],
                        About("", "how the puzzle is written for Z3", live=False)] = "one-hot"
    cells: Annotated[Literal["asked", "read"],
                     About("", "how cells are filled: by a question about each value, or all at once from the first "
                               "solution, which is one solve() of the automaton", live=False)] = "asked"
    order: Annotated[Literal["rows", "fewest"],
                     About("", "the cell asked about next: the first open one, or one with the fewest values left to "
                               "ask about",
                           where=(("cells", ("asked",)),))] = (
        "rows")
    values: Annotated[Literal["candidates", "every"],
                      About("", "the values asked about: those that no peer holds, or every one",
                            where=(("cells", ("asked",)),))] = "candidates"
    minimise: Annotated[bool, About("", "minimise cores, at the cost of one query per item")] = (
        True)
    timeout: Annotated[float, Meta(gt=0, le=3600), About("s", "how long Z3 may take over a question")] = 5.0


class Z3(Solver[Z3State, Z3Params]):
    name = "z3"
    title = "Z3, question by question"
    family = "symbolic"
    summary = ("Asks Z3 whether the puzzle can still be solved with a value in a cell, and why not. It finds a "
               "solution or proves that none exists. Z3 has a whole solution after its first answer; how it found it "
               "stays opaque.")
    energy_counts = "empty cells"
    references = (
        "L. de Moura, N. Bjørner: Z3: An Efficient SMT Solver. TACAS 2008",
        "L. D'Antoni, M. Veanes: The Power of Symbolic Automata and Transducers. CAV 2017",
        "N. Eén, N. Sörensson: Temporal Induction by Incremental SAT Solving. ENTCS 89(4), 2003",
    )
    program = (
        Line("solution", "is there a solution?"),
        Line("read", "  one solve(): copy it, end"),
        Line("second", "is there a second one?"),
        Line("cell", "for each open cell:"),
        Line("ask", "  can it hold v?"),
        Line("write", "    sat: cell ← v"),
        Line("core", "    unsat: strike v, see why"),
        Line("unclear", "    unknown: next v"),
        Line("end", "the end"),
    )
    Params = Z3Params
    presets: ClassVar = {
        "one-hot": {},
        "every-value": {"values": "every"},
        "fewest-first": {"order": "fewest"},
        "textbook": {"encoding": "int-distinct", "minimise": False},
        "one-solve": {"cells": "read", "minimise": False},
        "one-solve-textbook": {"encoding": "int-distinct", "cells": "read", "minimise": False},
    }
    channels = (Channel("energy", "empty cells", "energy"), Channel("work", "work of the question", "depth"))
    mark_words: ClassVar = {
        "moved": "The cell of the question; the answer is sat.", "partner": "The cell of a question without an answer.",
        "core": "Their values are in the last core, the proof of an UNSAT."}
    glossary: ClassVar = {
        "decisions": "the literals that Z3 decided, in all questions so far",
        "propagations": "the literals that Z3 derived, in all questions so far",
        "conflicts": "the conflicts that Z3 met, in all questions so far: a constraint that the literals fixed so far "
                     "already violate",
    }
    kinds = ("unsat", "sat", "no_answer", "assigned", "asked", "solved", "no_solution", "unknown", "done")
    step_word = "question"
    period_word = "UNSAT"
    period_kind = "unsat"
    speed = 5.0
    recorded = True
    interruptible = True
    complete = True
    gives = frozenset({"candidates", "panel"})
    loads = "Z3"

    def init(self, puzzle: Puzzle, params: Z3Params, seed: int) -> Z3State:
        """The givens. Contradictory givens are accepted: the first query explains the contradiction."""
        cells = np.array(puzzle.givens, dtype=np.int8)
        nothing = np.zeros(cells.size, dtype=np.uint32)
        state = Z3State(puzzle, seed, 0, cells, np.zeros_like(cells), nothing, nothing.copy(),
                        full_energy(puzzle, puzzle.givens), "solution", [])
        if state.energy == 0:
            state.status, state.reason = "solved", "the givens leave no cell free"
        return state

    def steps(self, state: Z3State, params: Z3Params) -> Iterator[tuple[Event, ...]]:
        from engine.solvers.symbolic.z3_session import Session, session_of
        while not state.status:
            # One solve() is one step from nothing: with the network of an earlier run it would be faster.
            session = (Session if params.cells == "read" else session_of)(state.puzzle, params.encoding)
            question = next_question(state, params)
            limits = (params.timeout, params.minimise)
            reply = session.put(question, state.cells.tolist(), state.known.tolist(), limits)
            state.step += 1
            yield _take(state, params, question, reply)

    def outcome(self, state: Z3State) -> Outcome | None:
        return Outcome(state.status, state.grid, state.energy, state.reason) if state.status else None

    def sample(self, state: Z3State, params: Z3Params) -> tuple[float, ...]:
        return float(state.energy), float(state.log[0][3] if state.log else 0)

    def view(self, state: Z3State, params: Z3Params, events: tuple[Event, ...]) -> View:
        return view_of(state, params.encoding)

    def because(self, event: Event, state: Z3State, params: Z3Params) -> Sentence:
        match event:
            case Asked(answer="sat"):
                return _possible_because(event)
            case Asked(answer="unsat"):
                return first_fitting(*_refused_because(event), super().because(event, state, params))
            case Assigned():
                return reason("Z3 filled the whole grid with {value} in {cell}.", value=str(event.value),
                              cell=cell_name(event.cell, state.puzzle.n))
        return super().because(event, state, params)

    def warm_up(self, puzzle: Puzzle | None = None, params: Z3Params | None = None) -> None:
        """Load Z3."""
        import engine.solvers.symbolic.z3_session  # noqa: F401


def _possible_because(event: Asked) -> Sentence:
    """The reason of the answer sat."""
    if event.line == "solution":
        return reason("Z3 found a grid that satisfies every unit and every given.")
    if event.line == "second":
        return reason("Z3 found a grid that differs from its first: the puzzle has several solutions.")
    if event.line == "read":
        return reason("Z3 filled the whole grid in one solve(), and the grid is copied.")
    return reason("Z3 filled the whole grid with {asked}, so the value is written down.", asked=event.question)


def _refused_because(event: Asked) -> Iterator[Sentence]:
    """Reasons why the answer is unsat, the most telling first; none if the core itself tells most."""
    if event.line == "second":
        yield reason("With the grid that it found forbidden, Z3 finds no other: one solution.")
    elif event.because not in ("", UNEXPLAINED):
        yield (reason("With {asked}, {why}.", asked=event.question, why=event.because) if event.cells else
               reason("The givens have no solution: {why}.", why=event.because))
        _rounds, _colon, seen = event.because.partition(": ")
        if event.cells and seen:
            yield reason("With {asked}, logic shows that {seen}.", asked=event.question, seen=seen)
    if event.cells and len(event.core) > MOST_IN_CORE:
        yield reason("Z3 proved that no grid has {asked}; the core is too large to show.", asked=event.question)


def left_to_ask(state: Z3State, params: Z3Params) -> NDArray[np.uint32]:
    """For each open cell the values that are still to be asked about, as bits."""
    fits, every = candidates(state.puzzle, state.cells), np.uint32((1 << state.puzzle.n) - 1)
    if params.values == "every":
        fits[:] = every
    fits[fits == 0] = every
    fits[state.cells != 0] = 0
    return fits & ~(state.refused | state.unclear)


def next_question(state: Z3State, params: Z3Params) -> Question:
    from engine.solvers.symbolic.z3_session import Question
    if state.topic == "solution":
        return Question("solution")
    if state.topic == "second":
        return Question("second")
    left = left_to_ask(state, params).tolist()
    open_ = [cell for cell, mask in enumerate(left) if mask]
    cell = open_[0] if params.order == "rows" else min(open_, key=lambda each: left[each].bit_count())
    return Question("value", cell, values_of(left[cell])[0])


def _take(state: Z3State, params: Z3Params, question: Question, reply: Reply) -> tuple[Event, ...]:
    """Store the answer in the state. Returns the events of the step."""
    _note(state, question, reply)
    answer, line = reply.answer, _line(question, reply, params)
    cells: tuple[int, ...] = (question.cell,) if question.topic == "value" else ()
    if line == "read" and reply.grid is not None:
        cells = state.puzzle.free_cells
        state.cells = np.array(reply.grid, dtype=np.int8)
    core = answer.core.texts(state.puzzle.geometry) if answer.core else ()
    events: list[Event] = [Asked(state.step, line, state.log[0][0], answer.result, cells, core, state.because,
                                 reply.work)]
    if question.topic == "value" and answer.result == "sat":
        state.cells[question.cell] = question.value
        events.append(Assigned(state.step, "write", question.cell, question.value, "Z3 finds a completion"))
    _end(state, params, question, reply)
    if state.status:
        events.append(Done(state.step, "end", state.status, state.energy, state.reason))
    return tuple(events)


def _line(question: Question, reply: Reply, params: Z3Params) -> str:
    if params.cells == "read" and reply.answer.result == "sat":
        return "read"
    if question.topic != "value":
        return question.topic
    return {"sat": "write", "unsat": "core", "unknown": "unclear"}[reply.answer.result]


def _note(state: Z3State, question: Question, reply: Reply) -> None:
    """Store the query and its result in the state, for the view."""
    answer, explanation, n = reply.answer, reply.explanation, state.puzzle.n
    words = {"solution": "a solution", "second": SECOND_SOLUTION,
             "value": f"{cell_name(question.cell, n)} = {question.value}"}
    state.asked = (question.cell, question.value) if question.topic == "value" else None
    state.answer = answer.result
    state.core_units = answer.core.units if answer.core else ()
    state.core_placed = answer.core.placed if answer.core else ()
    size = len(state.core_units) + len(state.core_placed)
    state.explained = None
    if explanation and explanation.unit is not None:
        state.explained = (explanation.unit, explanation.value, explanation.values)
    state.because = explanation.because if explanation else UNEXPLAINED if size > MOST_IN_CORE else answer.reason
    if question.topic == "second" and answer.result != "unknown":
        state.because = "the puzzle has exactly one" if answer.result == "unsat" else "the puzzle has several"
    if reply.grid is not None:
        state.known = np.array(reply.grid, dtype=np.int8)
    state.work += reply.work
    state.accepted += answer.result == "sat"
    state.denied += answer.result == "unsat"
    state.counts = reply.counts
    state.log = [(words[question.topic], answer.result, size, reply.work), *state.log[: KEPT - 1]]


def _end(state: Z3State, params: Z3Params, question: Question, reply: Reply) -> None:
    """Apply the result: choose the next query, or end the run."""
    result = reply.answer.result
    if question.topic == "value":
        bit = np.uint32(1 << question.value - 1)
        masks = {"unsat": state.refused, "unknown": state.unclear}.get(result)
        if masks is not None:
            masks[question.cell] |= bit
            if not left_to_ask(state, params)[question.cell]:
                _exhausted(state, question.cell)
    elif question.topic == "solution" and result == "unsat":
        state.status = "no_solution"
        rounds, colon, seen = state.because.partition(": ")
        steps = rounds.replace(" of logic", "")
        because = f"by logic {seen}, {steps}" if colon else state.because  # the result first: the end may be cut
        state.reason = f"Z3 proves it: {because}" if because else "Z3 proves it"
    else:
        state.topic = "second" if question.topic == "solution" and result == "sat" else "value"
    if params.cells == "read" and result == "unknown":
        state.status, state.reason = "unknown", f"Z3 had no answer: {reply.answer.reason}"
    if state.energy == 0:
        questions = "one question" if state.step == 1 else f"{text.count(state.step)} questions"
        state.status, state.reason = "solved", f"every cell is filled after {questions}"


def _exhausted(state: Z3State, cell: int) -> None:
    """Every value of a cell was asked about and none accepted."""
    name = cell_name(cell, state.puzzle.n)
    if state.unclear[cell]:
        state.status, state.reason = "unknown", f"Z3 had no answer in time for a value of {name}"
    else:
        state.status, state.reason = "no_solution", f"Z3 refuses every value of {name}"


SOLVER = Z3()
