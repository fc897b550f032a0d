"""The counters of a search by either engine, int64[3]."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Counters: TypeAlias = NDArray[np.int64]
"""int64[3]: indexed by DEPTH, FOUND and GUESSES."""

DEPTH: Final = 0  # the position on top of the stack; -1: the search is complete
FOUND: Final = 1  # solutions found
GUESSES: Final = 2  # guesses made
COUNTERS: Final = 3

EXAMPLES: Final = 2
"""Solutions at which a search pauses, so that they can be read; the others are only counted."""
