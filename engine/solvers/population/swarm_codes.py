"""What the compiled swarm reads and writes beside its grids: records of plain numbers, codes, bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.solver import Stop

RUNNING, SOLVED, ATTEMPTS_SPENT, BUDGET_SPENT, NO_MOVES = range(5)
"""How a run stands, or how it ended."""

SWARM: Final = np.dtype([
    ("step", "<i8"),  # steps made, the same as State.step
    ("place", "<i8"),  # whose turn is next: an organism, or size for the merge, size + 1 for the end of the epoch
    ("epoch", "<i8"),  # epochs complete in this attempt
    ("epochs", "<i8"),  # ... over the whole run
    ("attempt", "<i8"),  # counted from 1
    ("workers", "<i8"),  # organisms 0 to workers - 1 are workers, the others explore
    ("total", "<i8"),  # sum of all E
    ("leader", "<i8"),  # an organism with the least E now
    ("lowest", "<i8"),  # its E
    ("best", "<i8"),  # E of the best grid over the whole run
    ("guide", "<i8"),  # swarm-velocity: whose own best grid is the best of this attempt
    ("mark", "<i8"),  # least E in this attempt up to the end of the last epoch
    ("stagnation", "<i8"),  # epochs since it fell, or since the share of workers was changed for it
    ("refining", "<i8"),  # how many organisms are still to be annealed before the next epoch begins
    ("proposals", "<i8"),  # of annealers, over the whole run
    ("fresh", "<i8"),  # workers filled anew over the whole run
    ("diversity", "<f8"),  # at the end of the last epoch
    ("status", "<i8"),
])
"""One record of these is all that a swarm knows beside its organisms."""

CONFIG: Final = np.dtype([
    ("size", "<i8"),
    ("workers", "<i8"),  # how many organisms work (at the start, where that may change)
    ("luck", "<i8"),  # a neighbour that is not better is taken if a draw of 32 bits is below this
    ("patience", "<i8"),  # more refusals than this: filled anew
    ("epochs", "<i8"),
    ("attempts", "<i8"),
    ("max_steps", "<i8"),
    ("stagnation", "<i8"),  # epochs without a better best before workers become explorers; 0: never
    ("drop", "<i8"),  # how many do then
    ("floor", "<i8"),  # and how many workers remain at least
    ("every", "<i8"),  # epochs between two phases of annealing; 0: none
    ("elite", "<i8"),  # how many workers are annealed then
    ("inertia", "<f8"), ("own_pull", "<f8"), ("best_pull", "<f8"),  # swarm-velocity: w, c1, c2
])
"""Parameters as plain numbers."""

BEST, RESTART, SHIFTED, DONE, FRESH_BEST = 1, 2, 4, 8, 16
"""What may happen in a step, and is told by an event of its own; FRESH_BEST: a restart found a new best."""
IMPROVED, LUCK, REFUSED, FRESH, MERGED, EPOCH, REFINED = 32, 64, 128, 256, 512, 1024, 2048
"""What a step was: a turn that ended in one of four ways, a merge, the end of an epoch, an organism annealed."""
WORKER, EXPLORER = 4096, 8192
"""Whose turn it was."""
FLIGHT, EQUAL, UPHILL = 16384, 32768, 65536
"""A particle flew; its E stayed, or rose (IMPROVED: it fell)."""
RARE: Final = BEST | RESTART | SHIFTED | DONE | FRESH_BEST | REFINED

BITS: Final[dict[str, int]] = {
    "best": BEST | FRESH_BEST, "restart": RESTART, "shifted": SHIFTED, "improved": IMPROVED, "luck": LUCK,
    "refused": REFUSED, "fresh": FRESH, "accepted": IMPROVED | LUCK, "turn": IMPROVED | LUCK | REFUSED | FRESH,
    "flight": FLIGHT, "equal": EQUAL, "uphill": UPHILL,
    "worker": WORKER, "explorer": EXPLORER, "merged": MERGED, "generation": EPOCH, "refined": REFINED,
}
"""The bits of each kind of event; the end of a run halts anyway."""

HAPPENED: Final = np.dtype([
    ("step", "<i8"),
    ("bits", "<i8"),
    ("who", "<i8"),  # the organism whose turn it was, that a merge went into, that was annealed
    ("a", "<i8"), ("b", "<i8"), ("at_a", "<i8"), ("at_b", "<i8"),  # the cells of the swap and what stood there
    ("delta", "<i8"),
    ("draw", "<i8"),  # the 32 bits that decided, -1 where none did
    ("before", "<i8"), ("energy", "<i8"), ("age", "<i8"),  # of that organism
    ("first", "<i8"), ("second", "<i8"), ("first_energy", "<i8"), ("second_energy", "<i8"),  # parents of a merge
    ("boxes", "<i8"),  # ... bit b: box b is from the second
    ("kept", "<i8"), ("own", "<i8"), ("towards", "<i8"), ("own_best", "<i8"),  # a flight: where its swaps are from
    ("best_before", "<i8"), ("best", "<i8"),
    ("attempt", "<i8"), ("lowest", "<i8"), ("fresh_best", "<i8"), ("worst", "<i8"), ("total", "<i8"), ("epochs", "<i8"),
    ("workers_before", "<i8"), ("workers", "<i8"), ("stagnation", "<i8"),
    ("diversity", "<f8"),
])
"""One record tells what happened in one step."""

Record = npt.NDArray[np.void]


def watched(stop: Stop) -> tuple[int, int, int]:
    """(bits to halt at, the E to halt at or -1, the cell or -1) of a Stop."""
    bits = 0
    for kind in stop.kinds:
        bits |= BITS.get(kind, 0)
    return bits, -1 if stop.energy is None else stop.energy, -1 if stop.cell is None else stop.cell


def config(values: Mapping[str, float]) -> Record:
    """A record of CONFIG; what is not named is 0."""
    record = np.zeros(1, CONFIG)
    for name, value in values.items():
        record[0][name] = value
    return record
