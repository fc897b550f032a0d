"""The state of `z3`, apart from its session so that importing the solver does not import Z3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.automata.formula import Pair
from engine.events import Status
from engine.state import State

KEPT = 24
"""Questions that a state keeps, the newest first."""

SECOND_SOLUTION = "a second solution"
"""The question whether there is one, as logged."""

Logged = tuple[str, str, int, int]
"""(question, answer, items of the core, work)"""


@dataclass
class Z3State(State):
    """The placed values, the refused ones, and the last query with its answer."""

    cells: NDArray[np.int8]
    known: NDArray[np.int8]
    """A completion that Z3 has found; 0 where it has found none."""
    refused: NDArray[np.uint32]
    """For each cell the values that Z3 refused, as bits."""
    unclear: NDArray[np.uint32]
    """For each cell the values that Z3 had no answer for."""
    surplus: int
    """The share of contradictory givens in E."""
    topic: str
    """The next query: solution, second, value."""
    log: list[Logged]
    work: int = 0
    accepted: int = 0
    denied: int = 0
    asked: Pair | None = None
    """The cell and the value of the last question."""
    answer: str = ""
    core_units: tuple[int, ...] = ()
    core_placed: tuple[Pair, ...] = ()
    because: str = ""
    explained: tuple[int, int, tuple[int, ...]] | None = None
    """The unit and the value that has no place in it, and the board at that point, if a refusal has such an
    explanation."""
    counts: tuple[tuple[str, int], ...] = ()
    status: Status | Literal[""] = ""
    reason: str = ""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Empty cells and clashes of givens."""
        return int(self.cells.size - np.count_nonzero(self.cells)) + self.surplus
