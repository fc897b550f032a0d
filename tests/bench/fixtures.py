"""Shared fixtures: an annealing run that never ends, as the kernels take it."""

from __future__ import annotations

from typing import Any

from engine import state as states
from engine.puzzle import Puzzle
from engine.solvers.annealing import kernel
from engine.solvers.annealing.anneal import SOLVER
from engine.solvers.annealing.parameters import make_log
from engine.solvers.annealing.state import AnnealState, workspace_of
from engine.solvers.annealing.workspace import Workspace

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
        self.log = make_log(2048)
        self.trace = kernel.make_trace(CHUNK) if logging else kernel.NO_TRACE
        self.state = states.copy(self.first)

    def workspace(self, state: AnnealState) -> Workspace:
        """What the kernel takes, over this state."""
        return workspace_of(state, self.config, log=self.log)

    def work(self) -> int:
        """Make the steps; returns how many."""
        self.state = states.copy(self.first)
        workspace = self.workspace(self.state)
        while (left := self.steps - int(self.state.now["step"])) > 0:
            kernel.run(workspace, min(CHUNK, left), self.trace)
        return self.steps
