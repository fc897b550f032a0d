"""The view of `z3`: the query on the board, its core, the rejecting automaton, the queries so far."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from engine import text
from engine.automata.explanation import board_of
from engine.automata.formula import Instance, formula_panel
from engine.automata.transitions import value_panel
from engine.events.search import MOST_IN_CORE
from engine.puzzle import SYMBOLS, Puzzle, cell_name
from engine.solvers.exact.board import candidates, cell_words, holders
from engine.solvers.symbolic.z3_state import KEPT, SECOND_SOLUTION, Z3State
from engine.view import AutomatonPanel, Gauge, ListPanel, Part, PencilRole, Role, Sections, TablePanel, View

if TYPE_CHECKING:
    from engine.automata.encodings import EncodingName


IN_A_LINE = 3
"""Cells of a core in one line of its table."""
LINE = 24
"""Letters of its units in one line."""
PLURALS = {"row": "rows", "column": "columns", "box": "boxes", "diagonal": "diagonals"}
ANSWERS = {"sat": "sat", "unsat": "unsat", "unknown": "unknown"}


def view_of(state: Z3State, encoding: EncodingName) -> View:
    """The view after the last question."""
    masks = candidates(state.puzzle, state.cells) & ~state.refused
    shown = _shown(state)
    pencils: dict[PencilRole, tuple[tuple[int, int], ...]] = {}
    marks: dict[Role, tuple[int, ...]] = {}
    if state.asked is not None and state.answer == "sat":
        marks["moved"] = (state.asked[0],)
    elif state.asked is not None and state.answer == "unsat":
        pencils["struck"] = (state.asked,)
    elif state.asked is not None:
        marks["partner"] = (state.asked[0],)
    if shown and state.core_placed:  # the value asked about is one of its core, in a cell that is empty
        marks["core"] = tuple(cell for cell, value in state.core_placed
                              if state.cells[cell] or (cell, value) == state.asked)
    panel = Sections("Z3", _parts(state, encoding))
    return View(state.grid, marks, tuple(masks.tolist()), _gauges(state), _live(state), panel,
                pencils=pencils, units=state.core_units if shown else (), causes=_causes(state))


def _size(state: Z3State) -> int:
    return len(state.core_units) + len(state.core_placed)


def _shown(state: Z3State) -> bool:
    """True if the core is small enough to show."""
    return 0 < _size(state) <= MOST_IN_CORE


def _gauges(state: Z3State) -> tuple[Gauge, ...]:
    empty, cells = state.energy - state.surplus, state.cells.size
    return (
        Gauge("empty", str(empty), empty / cells),
        Gauge("sat", text.count(state.accepted)),
        Gauge("unsat", text.count(state.denied)),
        Gauge("core", str(_size(state)) if _size(state) else text.NONE),
        Gauge("work", _short(state.work)),
    )


def _short(work: int) -> str:
    """A count in at most seven columns."""
    return text.count(work) if work < 10**6 else f"{work / 10**6:.1f} M"


def _live(state: Z3State) -> dict[str, str]:
    if state.asked is None:
        return {}
    return {"ask": f"{cell_name(state.asked[0], state.puzzle.n)} = {state.asked[1]}"}


def _causes(state: Z3State) -> tuple[str, ...]:
    """The reason against each value: a peer that holds it, or Z3."""
    n = state.puzzle.n
    words = list(cell_words(holders(state.puzzle, state.cells).ravel().tolist(), n))
    for cell in np.flatnonzero(state.refused).tolist():
        for value in range(n):
            if state.refused[cell] >> value & 1:
                words[cell * n + value] = "Z3"
    return tuple(words)


_QUESTIONS = ("The questions, the newest first. core: how many rules and values Z3 needed to refute the value. work: "
              "the effort for this question; the gauge has that for all.")
_BEFORE = ("The questions before these, in the same columns. The lists keep the newest "
           f"{KEPT} questions; earlier ones are in the earlier steps.")
_CORE = "The units and values that contradict each other: the rest of the grid is not needed to refute the value."

_CORE_SEEN = ("The units and values that contradict each other are too many to list. seen: what a person sees instead. "
              "A round of logic applies the easiest technique that finds something, wherever it does; the values that "
              "it places are not on the board.")


def _parts(state: Z3State, encoding: EncodingName) -> tuple[Part, ...]:
    """The newest questions, then the result of the last one, the formula and Z3's counters."""
    rows = tuple((question, ANSWERS[answer], str(core) if core else text.NONE, text.count(work))
                 for question, answer, core, work in state.log)
    few = rows[:4] if _size(state) else rows[:8]
    asked = TablePanel("Questions", ("question", "answer", "core", "work"), few, 0 if rows else None, about=_QUESTIONS)
    core = (_core(state),) if _size(state) else ()
    counted = (TablePanel("Counted by Z3", (), tuple((name, text.count(many)) for name, many in state.counts),
                          about="Counters of Z3 by its own names, for all questions so far."),)
    earlier = state.step - len(rows)
    end = ((f"{text.count(earlier)} earlier", "", "", ""),) if earlier > 0 and rows else ()
    older = (TablePanel("Before", (), (*rows[len(few):], *end), about=_BEFORE),)
    return (asked, *core, *_automaton(state), *(counted if state.counts else ()), _formula(state, encoding),
            *(older if rows[len(few):] else ()))


def _formula(state: Z3State, encoding: EncodingName) -> ListPanel:
    """The formula of the last question, with its core; a question about the whole grid assumes the givens only."""
    cells = state.puzzle.givens if state.asked is None else state.grid
    blocked = 1 if state.log and state.log[0][0] == SECOND_SOLUTION else 0
    return formula_panel(
        Instance(state.puzzle, cells, encoding, state.asked, state.core_units, state.core_placed, blocked))


def _core(state: Z3State) -> TablePanel:
    """The items of the core by kind; for a core that is too large to show, the explanation instead."""
    if not _shown(state):
        return TablePanel("Core", (), (("seen", state.because),), about=_CORE_SEEN, whole=True)
    units, n = state.puzzle.geometry.units, state.puzzle.n
    kinds: dict[str, list[str]] = {}
    for place in state.core_units:
        kinds.setdefault(units[place].kind, []).append(str(units[place].number))
    listed = ", ".join(" ".join((kind if len(numbers) == 1 else PLURALS[kind], *numbers))
                       for kind, numbers in kinds.items())
    named = [f"{cell_name(cell, n)}={value}" for cell, value in state.core_placed]
    lines = [" ".join(named[k : k + IN_A_LINE]) for k in range(0, len(named), IN_A_LINE)]
    rows = [("units" if not k else "", line) for k, line in enumerate(wrap(listed, LINE))]
    rows += [("cells" if not k else "", line) for k, line in enumerate(lines)]
    return TablePanel("Core", (), tuple(rows), core=tuple(range(len(rows))), about=_CORE, whole=True)


def _automaton(state: Z3State) -> tuple[Part, ...]:
    """The unit that has no place for a value, read by the automaton that waits for that value; or the row of what was
    accepted, read by its own."""
    if state.answer == "unsat" and state.explained is not None:
        unit, value, values = state.explained
        return (value_panel(state.puzzle, unit, value, values, _premises(state), state.core_units, _shown(state)),)
    if state.answer == "sat" and state.asked is not None:
        return (_reading(state.puzzle, state.asked[0], state.grid),)
    return ()


def _premises(state: Z3State) -> list[int]:
    """The board that the explanation begins from: the values of the core, or of a core that is too large to show all
    values and the one asked about. n*n, 0 = open."""
    if _shown(state):
        return board_of(state.puzzle, state.core_placed)
    known = list(state.grid)
    if state.asked is not None:
        known[state.asked[0]] = state.asked[1]
    return known


def _reading(puzzle: Puzzle, cell: int, grid: tuple[int, ...]) -> AutomatonPanel:
    """The row of a cell: how many different values have been read."""
    row = puzzle.geometry.rows[cell // puzzle.n]
    values = [grid[each] for each in row.cells]
    states = [f"({sum(1 for each in values[:k] if each)})" for k in range(puzzle.n + 1)]
    because = tuple("given" if puzzle.givens[each] else "accepted" if grid[each] else "open" for each in row.cells)
    return AutomatonPanel(f"Every value in {row.name}", tuple(cell_name(each, puzzle.n) for each in row.cells),
                          tuple(str(value) if value else SYMBOLS[0] for value in values), because, tuple(states),
                          True if all(values) else None, row.cells.index(cell))
