"""What the compiled searches are told of where to stop: the places of their array `limits` that all of them share."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from typing import Final

from engine.solver import Stop

STEP_LIMIT: Final = 0
"""limits[STEP_LIMIT]: make at most so many steps."""
LEFT_LIMIT: Final = 1
"""limits[LEFT_LIMIT]: steps left in the budget of the whole run."""
FLAG_LIMIT: Final = 2
"""limits[FLAG_LIMIT]: stop after a step with one of these flags. Place 3 is each search's own."""
CELL_LIMIT: Final = 4
"""limits[CELL_LIMIT]: stop when something changes in this cell; -1: none."""

NO_BUDGET: Final = 2**62


def flags_of(stop: Stop, flag_of: Mapping[str, int]) -> int:
    """The flags of the steps that have an event of one of the kinds of a stop."""
    return functools.reduce(operator.or_, (flag_of.get(kind, 0) for kind in stop.kinds), 0)


def steps_left(budget: int, step: int) -> int:
    """Steps left in a budget (0: none is set), at least the next one, which tells that it is spent."""
    return max(1, budget - step) if budget else NO_BUDGET
