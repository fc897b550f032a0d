"""`dlx`: Sudoku as an exact cover, searched with dancing links.

`exact_cover` is the problem, `dancing_links` the algorithm; here are the solver, its events and its view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from engine import state as states
from engine import text
from engine.energy import full_energy
from engine.events import Contradiction, Event
from engine.events.because import reason
from engine.events.search import Covered, Uncovered
from engine.params import About, Params
from engine.puzzle import Puzzle, cell_name
from engine.questions import Moment
from engine.questions.covers import Covering
from engine.solvers.exact import exact_cover
from engine.solvers.exact.dancing_links import (
    AT_DEAD_END,
    BEST,
    CHOICES,
    COUNTS,
    DEAD_ENDS,
    DEPTH,
    GAVE_UP,
    HAS_COVERED,
    HAS_GUESSED,
    HAS_UNCOVERED,
    NO_SOLUTION,
    OPEN,
    SOLVED,
    STATUS,
    STUCK_AT,
    TRIED,
    DlxState,
    choose,
    choose_givens,
    run,
)
from engine.solvers.exact.exact_cover import DOWN, LEFT, RIGHT, SIZE, UP
from engine.solvers.exact.search import Counts, Ending, MaxSteps, Run, Search, marks
from engine.view import Block, Channel, CountsPanel, Gauge, Line, Sections, Sentence, TablePanel, View

Branch = Literal["smallest", "first"]


class DlxParams(Params, frozen=True):
    column: Annotated[Branch, About("", "the column to branch on: one with the fewest choices left, or the first")] = (
        "smallest")
    max_steps: MaxSteps = 10**9


class Dlx(Search[DlxState, DlxParams]):
    name = "dlx"
    title = "Dancing links"
    kinds = ("contradiction", "guess", "covered", "assigned", "uncovered", "retracted", "solved", "no_solution",
             "gave_up", "done")
    summary = ("Treats Sudoku as an exact cover: every cell needs one value, every unit every value once. It tries a "
               "choice from a column, by default that with the fewest, and undoes it at a dead end. It finds a "
               "solution or proves that there is none.")
    energy_counts = "columns of the exact cover that no choice covers yet"
    references = ("D. E. Knuth: Dancing Links. Millennial Perspectives in Computer Science, 2000, 187-214",)
    program = (
        Line("search", "search(columns):"),
        Line("solved", "  no column left: return solved"),
        Line("choose", "  c ← a column, by the rule"),
        Line("each", "  for each choice r of c:"),
        Line("cover", "    cover the columns of r"),
        Line("deeper", "    if search(columns): return"),
        Line("uncover", "    uncover the columns of r"),
        Line("budget", "    budget spent: give up"),
        Line("dead_end", "  return dead end"),
    )
    Params = DlxParams
    presets: ClassVar = {"smallest": {}, "first": {"column": "first"}}
    channels = (
        Channel("energy", "columns left", "energy"),
        Channel("best", "fewest left", "best"),
        Channel("depth", "depth", "depth"),
    )
    speed = 20.0
    trajectory = 2
    earlier: ClassVar = {1: {}}
    step_word = "choice"
    other_steps = "or the retraction of one"
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
        "covered": HAS_COVERED, "assigned": HAS_COVERED, "guess": HAS_GUESSED, "uncovered": HAS_UNCOVERED,
        "retracted": HAS_UNCOVERED, "contradiction": AT_DEAD_END,
    }
    solved_reason = "every column is covered once"

    def init(self, puzzle: Puzzle, params: DlxParams, seed: int) -> DlxState:
        """The givens, covered. Contradictory givens are accepted, and end the run at step 0."""
        board = exact_cover.empty_board(puzzle.box, puzzle.variant)
        cells, counts = np.zeros(puzzle.n**2, dtype=np.int8), np.zeros(COUNTS, dtype=np.int64)
        counts[OPEN] = board.heads.shape[1] - 1
        state = DlxState(puzzle, seed, 0, cells, cells.copy(), np.zeros(cells.size, dtype=np.int32),
                         board.heads.copy(), board.links.copy(), counts)
        choose_givens(state.cover, board.matrix, np.array(puzzle.givens, dtype=np.int8))
        state.best[:] = cells
        counts[BEST] = counts[OPEN]
        if full_energy(puzzle, puzzle.givens):
            counts[STATUS] = NO_SOLUTION
        elif not counts[OPEN]:
            counts[STATUS] = SOLVED
        return state

    def rules(self, params: DlxParams) -> tuple[int, ...]:
        return (params.column == "smallest",)

    def kernel_of(self, state: DlxState, params: DlxParams) -> Run:
        cover, matrix = state.cover, state.matrix
        return lambda limits: run(cover, matrix, limits)

    def events_of(self, state: DlxState, params: DlxParams, flags: int, before: Counts,
                  *details: int) -> Iterator[Event]:
        step, depth, g = state.step, int(state.counts[DEPTH]), state.puzzle.geometry
        if flags & AT_DEAD_END:
            column, undone = int(state.counts[STUCK_AT]), cell_undone(state)
            cells = tuple(cell for cell in exact_cover.cells_of(column, g) if not state.cells[cell] and cell != undone)
            yield Contradiction(step, "dead_end", cells, exact_cover.lacks(column, g))
        if flags & HAS_COVERED:
            node = int(state.chosen[depth - 1])
            column, (cell, value) = int(state.matrix.column_of[node]), choice_at(state, node)
            size = int(state.heads[SIZE, column])
            yield Covered(step, "cover", cell, value, exact_cover.needs(column, g), size, depth)
        if flags & HAS_UNCOVERED:
            yield Uncovered(step, "uncover", *choice_at(state, int(state.counts[TRIED])), depth)

    def moment(self, before: DlxState, params: DlxParams, events: tuple[Event, ...]) -> Moment:
        found = super().moment(before, params, events)
        stack = tuple(choice_at(before, node)[0] for node in before.chosen[:before.counts[DEPTH]].tolist())
        facts = Covering(dead_end="place", stack=stack, is_fewest=params.column == "smallest")
        for event in events:
            if isinstance(event, Covered):
                facts = _covering(before, event, facts)
        rule = "the fewest choices left" if facts.is_fewest else "the first one left"
        return structs.replace(found, next_rule=rule, facts=facts)

    def because(self, event: Event, state: DlxState, params: DlxParams) -> Sentence:
        if not isinstance(event, Covered) or event.size == 1:
            return super().because(event, state, params)
        node = int(state.chosen[int(state.counts[DEPTH]) - 1])
        place = _place(state, node, int(state.matrix.column_of[node]))
        fields = {"column": event.column, "place": place, "size": event.size}
        if place > 1:
            return reason("{column}: choice {place} of {size}, as those before it led to dead ends.", **fields)
        if params.column == "first":
            return reason("{column}, the first column that is left; choice 1 of {size} is tried.", **fields)
        return reason("{column}; no column has fewer choices. The first of {size} is tried.", **fields)

    def best(self, state: DlxState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), int(state.counts[BEST])

    def sample(self, state: DlxState, params: DlxParams) -> tuple[float, ...]:
        return float(state.energy), float(state.counts[BEST]), float(state.counts[DEPTH])

    def view(self, state: DlxState, params: DlxParams, events: tuple[Event, ...]) -> View:
        columns = _step_columns(state, events)
        linked, n = linked_of(state), state.puzzle.n
        units = [exact_cover.unit_of(column, n) for column in columns[:1]]
        heat = tuple(math.nan if count < 0 else min(1.0, 1 - (count - 1) / (n - 1)) for count in linked.counts[:n * n])
        panel = Sections("Exact cover", (_columns(state, linked, columns), _stack(state, events)))
        return View(state.grid, marks(state.puzzle, events), linked.masks, _gauges(state, linked),
                    _live(state, columns, events), panel, heat=heat,
                    units=tuple(unit for unit in units if unit is not None))

    def judged(self, state: DlxState, before: Callable[[], DlxState], params: DlxParams,
               events: tuple[Event, ...]) -> DlxState | None:
        """The dead end, before the choice was undone in the same step."""
        kinds = {kind for event in events for kind in event.kinds}
        if not {"contradiction", "retracted"} <= kinds:
            return None
        dead, node = states.copy(state), int(state.counts[TRIED])
        dead.chosen[state.counts[DEPTH]] = node
        dead.counts[DEPTH] += 1
        dead.counts[TRIED] = 0
        choose(dead.cover, dead.matrix, node)
        return dead


def choice_at(state: DlxState, node: int) -> tuple[int, int]:
    """The cell and the value of a node's choice."""
    cell, value = divmod(int(state.matrix.choice_of[node]), state.puzzle.n)
    return cell, value + 1


def _covering(state: DlxState, event: Covered, facts: Covering) -> Covering:
    """The facts of the exact cover before a choice."""
    g, n = state.puzzle.geometry, state.puzzle.n
    sizes = _sizes(state)
    first = int(state.heads[RIGHT, 0])
    fewest = min(sizes.values())
    allowed = {column for column in sizes if (sizes[column] == fewest if facts.is_fewest else column == first)}
    choice = event.cell * n + event.value - 1
    nodes = range(int(state.matrix.starts[choice]), int(state.matrix.starts[choice + 1]))
    own = [int(state.matrix.column_of[node]) for node in nodes]
    after = states.copy(state)
    node = next(node for node in nodes if exact_cover.needs(int(state.matrix.column_of[node]), g) == event.column)
    choose(after.cover, after.matrix, node)
    units = {exact_cover.unit_of(column, n) for column in own[1:]}
    alike = [column for column in sizes if column not in own and (
        exact_cover.unit_of(column, n) in units or (column - 1) % n == event.value - 1 if column > n * n
        else column - 1 in g.peers[event.cell])]
    names = {column: exact_cover.needs(column, g) for column in {*sizes, *own}}
    return structs.replace(facts, columns={names[column]: size for column, size in sizes.items()},
                           after={names[column]: size for column, size in _sizes(after).items()},
                           covered=tuple(names[column] for column in own), alike=tuple(names[each] for each in alike),
                           allowed=frozenset() if state.counts[TRIED] else frozenset(names[each] for each in allowed))


def _sizes(state: DlxState) -> dict[int, int]:
    """The choices left of each column that is not covered."""
    return {column: size for column, size in enumerate(linked_of(state).counts, 1) if size >= 0}


def cell_undone(state: DlxState) -> int | None:
    """The cell of the choice undone last, while its column has others to be tried."""
    tried = int(state.counts[TRIED])
    return choice_at(state, tried)[0] if tried else None


class Linked(NamedTuple):
    """The columns and choices that are linked now."""

    counts: list[int]
    """For every column, from 1, the number of its choices; -1 where it is covered."""
    masks: tuple[int, ...]
    """For every cell the values of its choices, bit v - 1 for value v; 0 where it is covered."""
    choices: int


def linked_of(state: DlxState) -> Linked:
    heads, n = state.heads, state.puzzle.n
    is_linked = heads[RIGHT, heads[LEFT]] == np.arange(heads.shape[1])
    counts = np.where(is_linked, heads[SIZE], -1)
    first = state.matrix.starts[:-1]
    is_left = (state.links[DOWN, state.links[UP, first]] == first) & np.repeat(is_linked[1:n * n + 1], n)
    bits: NDArray[np.int64] = is_left.reshape(n * n, n) @ (1 << np.arange(n, dtype=np.int64))
    return Linked(counts[1:].tolist(), tuple(bits.tolist()), int(is_left.sum()))


def _step_columns(state: DlxState, events: tuple[Event, ...]) -> tuple[int, ...]:
    """The columns of this step's choice or dead end, the deciding one first."""
    for event in events:
        match event:
            case Contradiction():
                return (int(state.counts[STUCK_AT]),)
            case Covered():
                return _of_choice(state, int(state.chosen[state.counts[DEPTH] - 1]))
            case Uncovered():
                return _of_choice(state, int(state.counts[TRIED]))
    return ()


def _of_choice(state: DlxState, node: int) -> tuple[int, ...]:
    """The columns of a node's choice, the column of the node first."""
    matrix = state.matrix
    choice = matrix.choice_of[node]
    columns = matrix.column_of[matrix.starts[choice]:matrix.starts[choice + 1]].tolist()
    own = int(matrix.column_of[node])
    return own, *(column for column in columns if column != own)


def _columns(state: DlxState, linked: Linked, columns: tuple[int, ...]) -> CountsPanel:
    """A block for the cells and one for each kind of unit, with a line for each unit and a count for each value."""
    g = state.puzzle.geometry
    kinds = [("cell", g.n), ("row", g.n), ("column", g.n), ("box", g.n), ("diagonal", len(g.diagonals))]
    ends = np.cumsum([lines * g.n for _label, lines in kinds]).tolist()
    blocks = tuple(Block(label, tuple(linked.counts[end - lines * g.n:end]), g.n)
                   for (label, lines), end in zip(kinds, ends, strict=True) if lines)
    places = [next((block, column - 1 - end + kinds[block][1] * g.n) for block, end in enumerate(ends)
                   if column <= end) for column in columns]
    return CountsPanel("Choices left", blocks, tuple(places))


def _stack(state: DlxState, events: tuple[Event, ...]) -> TablePanel:
    """The choices made after the givens, the newest first, each with its place among those of its column. The newest
    one is of this step if the step made it or comes to its dead end."""
    g, depth = state.puzzle.geometry, int(state.counts[DEPTH])
    of_step = any(isinstance(event, Covered | Contradiction) for event in events)
    rows, choices = [], []
    for node in state.chosen[:depth][::-1].tolist():
        column, choice = int(state.matrix.column_of[node]), int(state.matrix.choice_of[node])
        of = f"{_place(state, node, column)} of {int(state.heads[SIZE, column])}"
        cell = cell_name(choice // g.n, g.n)
        rows.append((f"{cell} = {choice % g.n + 1}", of, exact_cover.needs(column, g)))
        choices.append((choice // g.n, choice % g.n + 1))
    return TablePanel("Stack", (), tuple(rows), 0 if rows and of_step else None, choices=tuple(choices),
                      about="The choices that are not undone, the newest first. 1 of 2: the first of the two choices "
                            "that its column has. Then the column: the need that is met.")


def _place(state: DlxState, node: int, column: int) -> int:
    """The place of a choice in its column, from 1: a covered column keeps its own list."""
    place = 0
    while node != column:
        node = int(state.links[UP, node])
        place += 1
    return place


def _gauges(state: DlxState, linked: Linked) -> tuple[Gauge, ...]:
    total, depth = state.heads.shape[1] - 1, int(state.counts[DEPTH])
    free = max(1, len(state.puzzle.free_cells))
    return (
        Gauge("depth", str(depth), depth / free),
        Gauge("columns", text.count(state.energy), state.energy / total),
        Gauge("choices", text.count(linked.choices), linked.choices / state.puzzle.n**3),
        Gauge("covers", text.count(int(state.counts[CHOICES]))),
        Gauge("dead", text.count(int(state.counts[DEAD_ENDS]))),
    )


def _live(state: DlxState, columns: tuple[int, ...], events: tuple[Event, ...]) -> dict[str, str]:
    """Beside the program: the column of the step, and the place of the choice among those of the column, or the number
    of those that are left after it is undone."""
    if not columns:
        return {}
    column, g = columns[0], state.puzzle.geometry
    unit = exact_cover.unit_of(column, g.n)
    name = cell_name(column - 1, g.n) if unit is None else f"{(column - 1) % g.n + 1} in {g.units[unit].name}"
    size = int(state.heads[SIZE, column])
    for event in events:
        match event:
            case Contradiction():
                return {"choose": name, "each": "none left"}
            case Covered():
                place = _place(state, int(state.chosen[state.counts[DEPTH] - 1]), column)
                return {"choose": name, "each": f"{place} of {size}"}
            case Uncovered():
                left = size - _place(state, int(state.counts[TRIED]), column)
                return {"choose": name, "each": f"{left or 'none'} left"}
    return {"choose": name}


SOLVER = Dlx()
