"""`backtrack-mrv`: depth-first search that fills first the cell that has the fewest values left.

The choice, `cell_choice.choose_cell`, is the "fail first" rule of Haralick & Elliott, "Increasing tree search
efficiency for constraint satisfaction problems", Artificial Intelligence 14, 1980 (Bitner & Reingold's "Backtrack
programming techniques", CACM 1975, has it already); the tie-break by degree is Brélaz', "New methods to color the
vertices of a graph", CACM 1979. Everything else is `backtrack`, whose kernel serves both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

import numpy as np
from msgspec import structs

from engine.errors import ParameterError
from engine.events import Assigned, Event
from engine.events.because import reason
from engine.params import About, Params
from engine.puzzle import CELL_NAME, Puzzle, cell_name
from engine.questions import Moment
from engine.solvers.exact.backtrack import (
    DEEPEST,
    DEPTH,
    HAS_GUESSED,
    NODES,
    STATUS,
    TRIED,
    Backtracking,
    BacktrackState,
)
from engine.solvers.exact.board import candidates, cell_order, holders, peer_table, values_of
from engine.solvers.exact.cell_choice import FEWEST_CANDIDATES, FEWEST_THEN_DEGREE, FreeCells
from engine.solvers.exact.search import MaxSteps
from engine.view import Line, Sentence

Ties = Literal["first", "degree"]
FILL: Final = "fill"
"""The name of the intervention that fills a cell by hand; its value names the cell, `r5c7`."""


class MrvParams(Params, frozen=True):
    ties: Annotated[Ties, About("", "among cells with the fewest values: the first, or the one with most empty peers")
                    ] = "degree"
    max_steps: MaxSteps = 10**9


@dataclass
class MrvState(BacktrackState):
    order: FreeCells
    """After a retraction the first of the empty cells is the one that was emptied."""


class BacktrackMrv(Backtracking[MrvState, MrvParams]):
    name = "backtrack-mrv"
    title = "Backtracking, fewest first"
    kinds = ("contradiction", "guess", "assigned", "retracted", "solved", "no_solution", "gave_up", "done")
    summary = ("Backtracking that always fills the cell with the fewest values left, of these one with most empty "
               "peers, so that it meets dead ends early. It finds a solution or proves that there is none; hard 9x9 "
               "puzzles take some hundred assignments in the median, 16x16 ones can take many millions.")
    references = (
        "R. M. Haralick, G. L. Elliott: Increasing tree search efficiency for constraint satisfaction problems. "
        "Artificial Intelligence 14, 1980",
        "J. R. Bitner, E. M. Reingold: Backtrack programming techniques. Communications of the ACM 18(11), 1975",
        "D. Brélaz: New methods to color the vertices of a graph. Communications of the ACM 22(4), 1979",
    )
    program = (
        Line("solve", "solve(board):"),
        Line("cell", "  cell ← fewest values left"),
        Line("ties", "    ties: the first, or degree"),
        Line("solved", "  none: return solved"),
        Line("values", "  for v that fits its units:"),
        Line("place", "    place v in cell"),
        Line("deeper", "    if solve(board): return"),
        Line("remove", "    remove v from cell"),
        Line("budget", "    budget spent: give up"),
        Line("dead_end", "  return dead end"),
    )
    Params = MrvParams
    presets: ClassVar = {"degree": {}, "first": {"ties": "first"}}
    trajectory = 2
    flags: ClassVar = {**Backtracking.flags, "guess": HAS_GUESSED}
    by_hand = (FILL,)

    def init(self, puzzle: Puzzle, params: MrvParams, seed: int) -> MrvState:
        cells, counts, surplus = self.start(puzzle)
        return MrvState(puzzle, seed, 0, cells, cells.copy(), counts, surplus, cell_order(puzzle, "rows").copy())

    def order_of(self, state: MrvState, params: MrvParams) -> FreeCells:
        return state.order

    def next_cells(self, state: MrvState, params: MrvParams) -> tuple[frozenset[int], str]:
        left = {cell: int(mask).bit_count() for cell, mask in enumerate(candidates(state.puzzle, state.cells).tolist())
                if not state.cells[cell]}
        fewest = min(left.values())
        return frozenset(cell for cell, count in left.items() if count == fewest), "the fewest values left"

    def ties(self, params: MrvParams) -> str:
        return "the one with most empty peers, or the first of these" if params.ties == "degree" else "the first"

    def moment(self, before: MrvState, params: MrvParams, events: tuple[Event, ...]) -> Moment:
        return structs.replace(super().moment(before, params, events), by_hand=FILL)

    def intervene(self, state: MrvState, params: MrvParams, name: str, value: object) -> MrvParams:
        if name != FILL:
            return super().intervene(state, params, name, value)
        fill_by_hand(state, str(value))
        return params

    def rules(self, params: MrvParams) -> tuple[int, ...]:
        return (FEWEST_THEN_DEGREE if params.ties == "degree" else FEWEST_CANDIDATES,)

    def assignment(self, state: MrvState, params: MrvParams, cell: int, flags: int, tried: int) -> Assigned:
        value, depth, several = int(state.cells[cell]), int(state.counts[DEPTH]), bool(flags & HAS_GUESSED)
        if tried:
            reason = "next value that fits" if several else "last value that fits"
        elif several:
            reason = f"the first of {self._choices(state, cell)} that fit"
            if params.ties == "degree":
                peers = empty_peers(state, cell)
                reason = f"{reason}, {peers} empty {'peer' if peers == 1 else 'peers'}"
        else:
            reason = "the only value that fits"
        return Assigned(state.step, "place", cell, value, reason, depth, several)

    def choice_because(self, event: Assigned, state: MrvState, params: MrvParams) -> Sentence:
        fields = {"cell": cell_name(event.cell, state.puzzle.n), "value": str(event.value)}
        if event.reason == "next value that fits":
            return reason("A smaller value led to a dead end; {value} is the next that fits {cell}.", **fields)
        if event.reason == "last value that fits":
            return reason("{value} is the last value that fits {cell}: the others led to dead ends.", **fields)
        if not event.guess:
            return reason("{value} is the only value that fits {cell}, so there is nothing to choose.", **fields)
        return reason("No empty cell has fewer values left than {cell}, {left}; {value} is the first.",
                      left=self._choices(state, event.cell), **fields)

    def _choices(self, state: MrvState, cell: int) -> int:
        """The number of values that fitted a cell just before it was filled."""
        before = state.cells.copy()
        before[cell] = 0
        return len(values_of(int(candidates(state.puzzle, before)[cell])))

    def core(self, state: MrvState, cell: int) -> tuple[int, ...]:
        """The cell, and for each value a peer that holds it."""
        cells = state.cells.copy()
        if state.counts[TRIED]:  # the last assignment is retracted already
            cells[state.order[int(state.counts[DEPTH])]] = state.counts[TRIED]
        holding = holders(state.puzzle, cells)[cell].tolist()
        return tuple(dict.fromkeys((cell, *(each for each in holding if each >= 0))))


def fill_by_hand(state: MrvState, written: str) -> None:
    """Fill a cell of the learner's choice next, with the smallest value that fits it. It is no step. The search stays
    complete: what leads back to the cell tries its larger values. Raises ParameterError, with nothing changed, where
    no cell is chosen next, and for a cell that cannot be."""
    counts, n = state.counts, state.puzzle.n
    depth, found = int(counts[DEPTH]), CELL_NAME.fullmatch(written.strip())
    cell = (int(found[1]) - 1) * n + int(found[2]) - 1 if found and int(found[2]) <= n else -1
    place = next((place for place in range(depth, state.order.size) if state.order[place] == cell), None)
    if place is None:
        left = state.order[depth:]
        example = f"as {cell_name(int(left.min()), n)}" if left.size else "and there is none"
        raise ParameterError(f"{FILL} = {written}: expected an empty cell, {example}")
    if counts[STATUS] or counts[TRIED]:
        raise ParameterError("no cell can be filled by hand now: "
                             + ("the search is over" if counts[STATUS] else "the search goes back to another one"))
    fits = values_of(int(candidates(state.puzzle, state.cells)[cell]))
    if not fits:
        raise ParameterError(f"{FILL} = {written}: no value fits there")
    if depth + 1 == state.order.size:
        raise ParameterError(f"{FILL} = {written}: it is the last empty cell, and the last value is the solver's")
    state.order[place], state.order[depth] = state.order[depth], cell
    state.cells[cell] = fits[0]
    counts[DEPTH], counts[NODES] = depth + 1, counts[NODES] + 1
    if depth + 1 > counts[DEEPEST]:
        counts[DEEPEST] = depth + 1
        state.best[:] = state.cells


def empty_peers(state: MrvState, cell: int) -> int:
    """The number of empty peers of a cell."""
    peers = peer_table(state.puzzle)[cell]
    return int(np.count_nonzero(state.cells[peers[peers >= 0]] == 0))


SOLVER = BacktrackMrv()
