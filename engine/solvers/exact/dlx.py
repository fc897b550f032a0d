"""`dlx`: Sudoku as an exact cover, searched with dancing links.

Source: D. E. Knuth, "Dancing Links", in: Millennial Perspectives in Computer Science, 2000 (arXiv cs/0011047), his
algorithm X on lists linked both ways: what is taken out of a list still knows where it stood, and dances back. The
recursion is replaced by the stack of the chosen nodes; givens are choices taken before the first step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.energy import full_energy
from engine.events import Contradiction, Done, Event, Status
from engine.events.search import Covered, Uncovered
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.exact import exact_cover
from engine.solvers.exact.board import flags_of, steps_left
from engine.solvers.exact.dlx_kernel import run, take_givens
from engine.solvers.exact.dlx_view import view_of
from engine.solvers.exact.exact_cover import (
    BEST,
    COUNTS,
    COVERED,
    DEPTH,
    END,
    GAVE_UP,
    KINDS,
    NO_SOLUTION,
    OPEN,
    SIZE,
    SOLVED,
    STATUS,
    STUCK,
    STUCK_AT,
    TRIED,
    UNCOVERED,
    DlxState,
)
from engine.view import Channel, Line, View

Branch = Literal["smallest", "first"]

STATUSES: dict[int, Status] = {SOLVED: "solved", NO_SOLUTION: "no_solution", GAVE_UP: "gave_up"}


class DlxParams(Params, frozen=True):
    column: Annotated[Branch, About("", "the column to branch on: one with the fewest choices left, or the first")] = (
        "smallest")
    max_steps: Annotated[int, Meta(ge=0), About("steps", "give up after so many; 0: never")] = 10**9


class Dlx(Solver[DlxState, DlxParams]):
    name = "dlx"
    title = "Dancing links"
    kinds = ("contradiction", "guess", "covered", "assigned", "uncovered", "retracted", "solved", "no_solution",
             "gave_up", "done")
    family = "exact"
    summary = ("Puts Sudoku as an exact cover: every cell needs one value, every unit every value once. It takes a "
               "choice of the column that has the fewest, and takes it back at a dead end. It finds a solution or "
               "proves that there is none.")
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
    presets = {"smallest": {}, "first": {"column": "first"}}  # noqa: RUF012  (a mapping nobody changes)
    channels = (
        Channel("energy", "columns left", "energy"),
        Channel("best", "fewest columns left", "best"),
        Channel("depth", "depth", "depth"),
    )
    speed = 20.0
    step_word = "choice"
    checkpoint_stride = 1024
    period_word = "dead end"
    period_kind = "contradiction"
    gives = frozenset({"candidates", "panel"})
    complete = True

    def init(self, puzzle: Puzzle, params: DlxParams, seed: int) -> DlxState:
        """The givens, covered. Contradictory ones are taken: that there is no solution is then known at step 0."""
        start = exact_cover.empty(puzzle.box, puzzle.variant)
        cells, counts = np.zeros(puzzle.n**2, dtype=np.int8), np.zeros(COUNTS, dtype=np.int64)
        counts[OPEN] = start.heads.shape[1] - 1
        state = DlxState(puzzle, seed, 0, cells, cells.copy(), np.zeros(cells.size, dtype=np.int32),
                         start.heads.copy(), start.links.copy(), counts)
        take_givens(state.cover, start.matrix, np.array(puzzle.givens, dtype=np.int8))
        state.best[:] = cells
        counts[BEST] = counts[OPEN]
        if full_energy(puzzle, puzzle.givens):
            counts[STATUS] = NO_SOLUTION
        elif not counts[OPEN]:
            counts[STATUS] = SOLVED
        return state

    def steps(self, state: DlxState, params: DlxParams) -> Iterator[tuple[Event, ...]]:
        while not state.counts[STATUS]:
            _, flags, _ = run(state.cover, state.matrix, _limits(state, params, 1, NEVER))
            state.step += 1
            yield _events(state, int(flags))

    def advance(self, state: DlxState, params: DlxParams, n: int, stop: Stop = NEVER) -> Advanced:
        done, _, hit = run(state.cover, state.matrix, _limits(state, params, n, stop))
        state.step += int(done)
        over = bool(state.counts[STATUS])
        rare = (_done(state),) if over and done else ()
        return Advanced(int(done), "done" if over else "stop" if hit else "steps", rare)

    def outcome(self, state: DlxState) -> Outcome | None:
        status = int(state.counts[STATUS])
        if not status:
            return None
        return Outcome(STATUSES[status], *self.best(state), _reason(state))

    def best(self, state: DlxState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), int(state.counts[BEST])

    def sample(self, state: DlxState, params: DlxParams) -> tuple[float, ...]:
        return float(state.energy), float(state.counts[BEST]), float(state.counts[DEPTH])

    def view(self, state: DlxState, params: DlxParams, events: tuple[Event, ...]) -> View:
        return view_of(state, params.column == "smallest", events)

    def warm_up(self, puzzle: Puzzle | None = None, params: DlxParams | None = None) -> None:
        chosen = self.make_params()
        state = self.init(Puzzle((0,) * 16, 2), chosen, 0)
        next(self.steps(state, chosen))
        self.view(state, chosen, ())


def _limits(state: DlxState, params: DlxParams, n: int, stop: Stop) -> NDArray[np.int64]:
    """What the compiled loop is to stop at; int64[6]."""
    left = steps_left(params.max_steps, state.step)
    flags = flags_of(stop, KINDS)
    return np.array([n, left, flags, -1 if stop.energy is None else stop.energy,
                     -1 if stop.cell is None else stop.cell, params.column == "smallest"], dtype=np.int64)


def _events(state: DlxState, flags: int) -> tuple[Event, ...]:
    """The events of the step just made."""
    step, depth, g = state.step, int(state.counts[DEPTH]), state.puzzle.geometry
    events: list[Event] = []
    if flags & STUCK:
        column = int(state.counts[STUCK_AT])
        before = taken_back(state)
        cells = tuple(cell for cell in exact_cover.cells_of(column, g) if not state.cells[cell] and cell != before)
        events.append(Contradiction(step, "choose", cells, exact_cover.lacks(column, g)))
    if flags & COVERED:
        node = int(state.chosen[depth - 1])
        column, (cell, value) = int(state.matrix.column_of[node]), choice_at(state, node)
        size = int(state.heads[SIZE, column])
        events.append(Covered(step, "cover", cell, value, exact_cover.needs(column, g), size, depth))
    if flags & UNCOVERED:
        events.append(Uncovered(step, "uncover", *choice_at(state, int(state.counts[TRIED])), depth))
    if flags & END:
        events.append(_done(state))
    return tuple(events)


def choice_at(state: DlxState, node: int) -> tuple[int, int]:
    """The cell and the value of a node's choice."""
    cell, value = divmod(int(state.matrix.choice_of[node]), state.puzzle.n)
    return cell, value + 1


def taken_back(state: DlxState) -> int | None:
    """The cell of the choice that was taken back last, while its column is not done with."""
    tried = int(state.counts[TRIED])
    return choice_at(state, tried)[0] if tried else None


def _done(state: DlxState) -> Done:
    status = STATUSES[int(state.counts[STATUS])]
    line = {"solved": "solved", "no_solution": "dead_end"}.get(status, "budget")
    return Done(state.step, line, status, int(state.counts[BEST]), _reason(state))


def _reason(state: DlxState) -> str:
    """Why the run ended, as a clause."""
    status, n = int(state.counts[STATUS]), state.puzzle.n
    if status == SOLVED:
        return "every column is covered once" if state.step else "the givens leave no cell free"
    if status == GAVE_UP:
        return f"the budget of {text.count(state.step)} steps is spent"
    clashes = state.puzzle.clashes()
    if clashes:
        where = " ".join(cell_name(cell, n) for cell in clashes[0].cells)
        return f"{clashes[0].unit.name} is given {clashes[0].value} more than once: {where}"
    return "every choice leads to a dead end"


SOLVER = Dlx()
