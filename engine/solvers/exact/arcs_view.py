"""The views of `ac3` and `mac`: marks, pencil marks, causes, gauges, the queue and the stack."""

from __future__ import annotations

import functools

import numpy as np

from engine import text
from engine.energy import conflicts
from engine.events import Eliminated, Event
from engine.events.search import Revised
from engine.puzzle import cell_name
from engine.solvers.exact.arcs import (
    DEAD_ENDS,
    DEPTH,
    ELIMINATED,
    GUESSES,
    REFUTED,
    WAITING,
    ArcState,
    arcs_of,
    waiting_arcs,
)
from engine.solvers.exact.search import marks
from engine.view import Gauge, ListPanel, Pair, PencilRole, Role, StackPanel

QUEUE_SHOWN = 2000
"""Arcs of the queue that are listed at most: all of them on boards up to 9x9."""


@functools.lru_cache(maxsize=8)
def _words(n: int) -> tuple[str, ...]:
    """The word of each cause; REFUTED and BY_GUESS index from the end."""
    return ("", *(cell_name(cell, n) for cell in range(n * n)), "refuted", "guess")


def causes(state: ArcState) -> tuple[str, ...]:
    """The cause of each eliminated candidate: a cell, `guess` or `refuted`; empty for the others."""
    words = _words(state.puzzle.n)
    return tuple([words[code] for code in state.causes.tolist()])


def arc_marks(state: ArcState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The cells of this step's arc, guess or contradiction; equal values in a unit, which an arc in the queue has still
    to find."""
    found = marks(state.puzzle, events)
    if equal := conflicts(state.puzzle, state.grid):
        found["conflict"] = equal
    for event in events:
        if isinstance(event, Revised):
            found["partner"] = (event.against,)
            if found.get("moved") != (event.cell,):
                found["reach"] = (event.cell,)
    return found


def pencils(events: tuple[Event, ...]) -> dict[PencilRole, tuple[Pair, ...]]:
    """The candidate that this step eliminated, and the value of the peer that ruled it out."""
    out: dict[PencilRole, tuple[Pair, ...]] = {}
    for event in events:
        match event:
            case Revised(cell=cell, against=against, struck=(value,)):
                out = {"struck": ((cell, value),), "support": ((against, value),)}
            case Eliminated(cell=cell, value=value):
                out = {"struck": ((cell, value),)}
    return out


def gauges(state: ArcState) -> tuple[Gauge, ...]:
    """E, the queue, and the cells and candidates that are settled."""
    counts, puzzle = state.counts, state.puzzle
    most = max(1, (puzzle.n - 1) * len(puzzle.free_cells))
    waiting = int(counts[WAITING])
    decided = sum(mask & (mask - 1) == 0 != mask for mask in state.domains.tolist())
    return (
        Gauge("E", text.count(state.energy), min(1.0, state.energy / most)),
        Gauge("queue", text.count(waiting), waiting / state.queue.size),
        Gauge("decided", str(decided), decided / puzzle.n**2),
        Gauge("struck", text.count(int(counts[ELIMINATED]))),
    )


def search_gauges(state: ArcState) -> tuple[Gauge, ...]:
    """Depth, guesses and dead ends of a search."""
    counts = state.counts
    return (
        Gauge("depth", str(int(counts[DEPTH]))),
        Gauge("guesses", text.count(int(counts[GUESSES]))),
        Gauge("dead", text.count(int(counts[DEAD_ENDS]))),
    )


def trouble(state: ArcState) -> tuple[float, ...]:
    """For every open cell how often its arcs wiped a cell out, as a share of the most; nan for others."""
    wiped = np.add.reduceat(state.weights - 1, arcs_of(state.puzzle).first[:-1])
    shares = np.where(state.domains & (state.domains - 1) != 0, wiped / max(1, wiped.max()), np.nan)
    return tuple(shares.tolist())


def queue(state: ArcState) -> ListPanel:
    """The arcs in the queue, the next one first."""
    return ListPanel("Queue", _arcs(state, QUEUE_SHOWN),
                     about="The arcs that wait to be revised, the next one first. r1c1 against r1c3: the candidates of "
                           "r1c1 that leave no value for r1c3 are removed.")


def live(events: tuple[Event, ...], n: int) -> dict[str, str]:
    """Beside the program: the arc of this step, if there is one."""
    revised = next((event for event in events if isinstance(event, Revised)), None)
    return {} if revised is None else {
        "take": f"{cell_name(revised.cell, n)} against {cell_name(revised.against, n)}"}


def _arcs(state: ArcState, most: int) -> tuple[str, ...]:
    """The first arcs of the queue: `r1c1 against r1c3`."""
    owner, against, *_ = arcs_of(state.puzzle)
    names, shown = _words(state.puzzle.n)[1:], waiting_arcs(state, most)
    pairs = zip(owner[shown].tolist(), against[shown].tolist(), strict=True)
    return tuple([f"{names[cell]} against {names[other]}" for cell, other in pairs])


def stack(state: ArcState) -> StackPanel:
    """The guesses in force, with the values refuted at the same cell before, and those that are left."""
    n, frames = state.puzzle.n, []
    for cell, value, mask, _ in state.stack[: state.counts[DEPTH]].tolist():
        refuted = [v for v in range(1, n + 1) if state.causes[cell * n + v - 1] == REFUTED]
        left = [v for v in range(1, n + 1) if mask >> v - 1 & 1 and v != value]
        frames.append((cell, value, tuple(refuted), tuple(left)))
    return StackPanel("Stack", tuple(frames))
