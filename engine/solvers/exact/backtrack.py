"""`backtrack`: plain depth-first search, the measure of every cleverer exact solver.

Cells are filled in a fixed order, values tried in ascending order; where nothing fits, the last assignment is taken
back (Golomb & Baumert, "Backtrack Programming", JACM 1965).
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from engine.params import About, Meta, Params
from engine.puzzle import Puzzle
from engine.solvers.exact.backtracking import Backtracking, SearchState
from engine.solvers.exact.board import Order, cell_order
from engine.view import Line


class BacktrackParams(Params, frozen=True):
    order: Annotated[Order, About("", "the order in which the free cells are filled", live=False)] = "rows"
    max_steps: Annotated[int, Meta(ge=0), About("steps", "give up after so many; 0: never")] = 10**9


class Backtrack(Backtracking[SearchState, BacktrackParams]):
    name = "backtrack"
    title = "Backtracking"
    kinds = ("contradiction", "assigned", "retracted", "solved", "no_solution", "gave_up", "done")
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
    presets = {"plain": {}}  # noqa: RUF012  (a mapping nobody changes)

    def init(self, puzzle: Puzzle, params: BacktrackParams, seed: int) -> SearchState:
        cells, counts, surplus = self.blank(puzzle)
        return SearchState(puzzle, seed, 0, cells, cells.copy(), counts, surplus)

    def order_of(self, state: SearchState, params: BacktrackParams) -> NDArray[np.int16]:
        return cell_order(state.puzzle, params.order).copy()

    def max_steps(self, params: BacktrackParams) -> int:
        return params.max_steps

    def warm_up(self, puzzle: Puzzle | None = None, params: BacktrackParams | None = None) -> None:
        self.warm(self.make_params())


SOLVER = Backtrack()
