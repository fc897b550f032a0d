"""Shared fixtures: an annealing run that never ends, as the kernels take it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import state as states
from engine.puzzle import Puzzle
from engine.solver import NEVER
from engine.solvers.annealing import packed_kernel, state
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.anneal import SOLVER
from engine.solvers.annealing.parameters import HAPPENED
from engine.solvers.annealing.state import keys

UNSOLVABLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4.....9"
"""SPEC's first hard puzzle with one given too many: no clash, but no solution, so that a run never ends."""
CHUNK = 2**16
"""Steps that a call of the kernel makes."""
CASES = {"boxes": {}, "rows": {"neighbourhood": "row-swap", "T_min": 0.4}}
"""Parameters of `anneal` on top of *strong*, which is measured with both states."""


class Endless:
    """A run of `anneal` on the unsolvable puzzle; each call of `work` makes it again from its first step."""

    def __init__(self, values: dict[str, Any], steps: int, logging: bool = False) -> None:
        solver = SOLVER
        params = solver.make_params(None, {**values, "max_steps": 10**12})
        self.steps = steps
        self.first = solver.init(Puzzle.from_line(UNSOLVABLE), params, 3)
        self.config = solver.config(self.first, params)
        board = state.board_of_state(self.first)
        words = packed_kernel.words_of(board, bool(self.first.now["boxes"]))
        self.layout = (board, words, keys(self.first.seed))
        self.happened = np.zeros(2048, HAPPENED)
        log = np.zeros(CHUNK, np.uint32), np.zeros(CHUNK, packed_kernel.TRAIL)
        self.log = log if logging else packed_kernel.NO_LOG
        self.state = states.copy(self.first)

    def work(self) -> int:
        """Make the steps; returns how many."""
        self.state = states.copy(self.first)
        records = (self.config, codes.watch(NEVER), self.happened)
        grids = (self.state.grids, self.state.scalars)
        while (left := self.steps - int(self.state.now["step"])) > 0:
            packed_kernel.run(grids, records, self.layout, self.log, min(CHUNK, left))
        return self.steps
