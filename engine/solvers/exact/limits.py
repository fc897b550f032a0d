"""What the compiled searches are told of where to stop: the places of their array `limits` that all of them share."""

from __future__ import annotations

from typing import Final

STEP_LIMIT: Final = 0
"""limits[STEP_LIMIT]: make at most so many steps."""
LEFT_LIMIT: Final = 1
"""limits[LEFT_LIMIT]: steps left in the budget of the whole run."""
FLAG_LIMIT: Final = 2
"""limits[FLAG_LIMIT]: stop after a step with one of these flags. Place 3 is each search's own."""
CELL_LIMIT: Final = 4
"""limits[CELL_LIMIT]: stop when something changes in this cell; -1: none."""

NO_BUDGET: Final = 2**62
