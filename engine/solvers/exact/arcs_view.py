"""How `ac3` and `mac` look: marks, pencil marks, causes, gauges, the queue and the stack."""

from __future__ import annotations

import functools

import numpy as np

from engine import text
from engine.energy import conflicts
from engine.events import Assigned, Contradiction, Eliminated, Event, Retracted
from engine.events.search import Revised
from engine.puzzle import Puzzle, cell_name
from engine.solvers.exact import arcs_kernel as codes
from engine.solvers.exact.arcs import ArcState, arc_table, waiting_arcs
from engine.view import Gauge, ListPanel, Pair, PencilRole, Role, StackPanel

QUEUE_SHOWN = 2000
"""Arcs of the queue that are written out: all of them on boards up to 9x9."""


@functools.lru_cache(maxsize=8)
def _words(n: int) -> tuple[str, ...]:
    """The word of each cause, so that codes below 0 count from the end."""
    return ("", *(cell_name(cell, n) for cell in range(n * n)), "refuted", "guess")


def causes(state: ArcState) -> tuple[str, ...]:
    """For every candidate what struck it: a cell, `guess` or `refuted`."""
    words = _words(state.puzzle.n)
    return tuple([words[code] for code in state.causes.tolist()])


@functools.lru_cache(maxsize=8)
def _clashing(puzzle: Puzzle) -> tuple[int, ...]:
    return conflicts(puzzle, puzzle.givens)


def marks(state: ArcState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The cells of this step's arc, guess or contradiction; givens that contradict each other."""
    out: dict[Role, tuple[int, ...]] = {}
    for event in events:
        match event:
            case Revised(cell=cell, against=against):
                out |= {"reach": (cell,), "partner": (against,)}
            case Assigned(cell=cell) | Retracted(cell=cell):
                out["moved"] = (cell,)
            case Contradiction(cells=cells):
                out["core"] = cells
    if out.get("moved") == out.get("reach"):
        out.pop("reach", None)
    clashing = _clashing(state.puzzle)
    return {**out, "conflict": clashing} if clashing else out


def pencils(events: tuple[Event, ...]) -> dict[PencilRole, tuple[Pair, ...]]:
    """The candidates that this step struck, and the value that they fell to."""
    out: dict[PencilRole, tuple[Pair, ...]] = {}
    for event in events:
        match event:
            case Revised(cell=cell, against=against, struck=(value,)):
                out = {"struck": ((cell, value),), "support": ((against, value),)}
            case Eliminated(cell=cell, value=value):
                out = {"struck": ((cell, value),)}
    return out


def gauges(state: ArcState) -> tuple[Gauge, ...]:
    """Open candidates and the queue."""
    counts, puzzle = state.counts, state.puzzle
    most = max(1, (puzzle.n - 1) * len(puzzle.free_cells))
    waiting, open_ = int(counts[codes.WAITING]), int(counts[codes.OPEN])
    decided = sum(mask & (mask - 1) == 0 != mask for mask in state.domains.tolist())
    return (
        Gauge("open", text.count(open_), min(1.0, open_ / most)),
        Gauge("queue", text.count(waiting), waiting / state.queue.size),
        Gauge("decided", str(decided), decided / puzzle.n**2),
        Gauge("struck", text.count(int(counts[codes.STRUCK]))),
    )


def search_gauges(state: ArcState) -> tuple[Gauge, ...]:
    """Depth, guesses and dead ends of a search."""
    counts = state.counts
    return (
        Gauge("depth", str(int(counts[codes.DEPTH]))),
        Gauge("guesses", text.count(int(counts[codes.GUESSES]))),
        Gauge("dead", text.count(int(counts[codes.DEAD_ENDS]))),
    )


def trouble(state: ArcState) -> tuple[float, ...]:
    """For every open cell how often its arcs wiped a cell out, as a share of the cell with most; nan for others."""
    _, _, _, first = arc_table(state.puzzle)
    wiped = np.add.reduceat(state.weights - 1, first[:-1])
    shares = np.where(state.domains & (state.domains - 1) != 0, wiped / max(1, wiped.max()), np.nan)
    return tuple(shares.tolist())


def queue(state: ArcState) -> ListPanel:
    """The arcs that wait, the next one first."""
    return ListPanel("Queue", _arcs(state, QUEUE_SHOWN))


def live(state: ArcState) -> dict[str, str]:
    """Beside the program: the arc that is revised next, where one is waiting."""
    return dict(zip(("take",), _arcs(state, 1), strict=False))


def _arcs(state: ArcState, most: int) -> tuple[str, ...]:
    """The first arcs of the queue: `r1c1 against r1c3`."""
    owner, against, _, _ = arc_table(state.puzzle)
    names, shown = _words(state.puzzle.n)[1:], waiting_arcs(state, most)
    pairs = zip(owner[shown].tolist(), against[shown].tolist(), strict=True)
    return tuple([f"{names[cell]} against {names[other]}" for cell, other in pairs])


def stack(state: ArcState) -> StackPanel:
    """The guesses that stand, with the values that were refuted at the same cell before, and those that are left."""
    n, frames = state.puzzle.n, []
    for cell, value, mask, _ in state.stack[: state.counts[codes.DEPTH]].tolist():
        refuted = [v for v in range(1, n + 1) if state.causes[cell * n + v - 1] == codes.REFUTED]
        left = [v for v in range(1, n + 1) if mask >> v - 1 & 1 and v != value]
        frames.append((cell, value, tuple(refuted), tuple(left)))
    return StackPanel("Stack", tuple(frames))
