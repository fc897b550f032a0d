"""The compiled part of `ac3` and `mac`: the loop over their steps. One at a time gives the events, many the speed.

The arrays, for a board of c = n*n cells with a arcs:

    domains  int32[c]      the candidates of each cell, bit v - 1 for value v
    causes   int16[c*n]    what struck each candidate, see `arcs_codes`; 0 where nothing has
    queue    uint16[a]     a ring of arcs, counts[WAITING] of them from counts[HEAD]
    waiting  bool[a]       whether an arc is in the queue (derived from it)
    trail    int16[c*n]    places in `causes` of what was struck since the first guess; empty without a search
    stack    int32[c, 4]   the guesses, see `arcs_codes`; empty without a search
    weights  int32[a]      how often each arc, or its reverse, wiped a cell out, and 1; empty without a search
    counts   int64[10]     indexed by HEAD ... STATUS
    limits   int64[7]      where to stop and how to search

Arc k holds owner[k] against against[k]; those of cell x are first[x] ... first[x + 1] - 1, by ascending cell, and
reverse[k] is the same pair the other way round.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.compiled.kernel import kernel
from engine.solutions.words import count_bits, place_of
from engine.solvers.exact.board import CELL_LIMIT, FLAG_LIMIT, LEFT_LIMIT, STEP_LIMIT

# What the compiled and the readable part of `ac3` and `mac` call things: array positions, flags, causes.


HEAD: Final = 0
"""counts[HEAD]: where in the ring the next arc of the queue stands."""
WAITING: Final = 1
"""counts[WAITING]: arcs in the queue."""
OPEN: Final = 2
"""counts[OPEN]: candidates beyond one for each cell; an empty cell counts 1."""
DEPTH: Final = 3
"""counts[DEPTH]: guesses on the stack."""
TRAIL: Final = 4
"""counts[TRAIL]: candidates struck since the first guess on the stack."""
WIPED: Final = 5
"""counts[WIPED]: one more than the cell whose last candidate has just gone; 0: none."""
STRUCK: Final = 6
"""counts[STRUCK]: candidates struck over the whole run."""
GUESSES: Final = 7
"""counts[GUESSES]: guesses made."""
DEAD_ENDS: Final = 8
"""counts[DEAD_ENDS]: cells whose candidates were wiped out."""
STATUS: Final = 9
"""counts[STATUS]: 0 while the run goes on, then the flag of how it ended."""
COUNTS: Final = 10

CELL: Final = 0
VALUE: Final = 1
MASK: Final = 2
"""stack[k, MASK]: the candidates that the cell had when it was guessed."""
MARK: Final = 3
"""stack[k, MARK]: the length of the trail when the guess was made."""
FRAME: Final = 4

REVISED: Final = 1
ELIMINATED: Final = 2
ASSIGNED: Final = 4
GUESSED: Final = 8
RETRACTED: Final = 16
DEAD_END: Final = 32
SOLVED: Final = 64
NO_SOLUTION: Final = 128
FIXPOINT: Final = 256
"""Every arc is consistent, and cells are open."""
GAVE_UP: Final = 512
END: Final = SOLVED | NO_SOLUTION | FIXPOINT | GAVE_UP

KINDS: Final = {
    "revised": REVISED,
    "eliminated": ELIMINATED,
    "assigned": ASSIGNED | GUESSED,
    "guess": GUESSED,
    "retracted": RETRACTED,
    "contradiction": DEAD_END,
    "solved": SOLVED,
    "no_solution": NO_SOLUTION,
    "gave_up": FIXPOINT | GAVE_UP,
    "done": END,
}
"""The flags of steps that have an event of the kind."""

BY_GUESS: Final = -1
"""causes[...]: another value was guessed for the cell."""
REFUTED: Final = -2
"""causes[...]: the value was guessed, and led to a wipe-out. Above 0: one more than the cell that struck it."""

NO_SEARCH: Final = 0
ROWS: Final = 1
MRV: Final = 2
DOM_DEG: Final = 3
DOM_WDEG: Final = 4
CHOICES: Final = {"rows": ROWS, "mrv": MRV, "dom/deg": DOM_DEG, "dom/wdeg": DOM_WDEG}

ENERGY_LIMIT: Final = 3
"""limits[ENERGY_LIMIT]: stop when E falls to it; -1: nowhere."""
CHOICE: Final = 5
"""limits[CHOICE]: how the next cell to guess is chosen; NO_SEARCH: nothing is guessed."""
EAGER: Final = 6
"""limits[EAGER]: 1 where every change of a cell queues its arcs, 0 where only a decided cell does."""


class Board(NamedTuple):
    """What a run changes; see the module."""

    domains: Any
    causes: Any
    queue: Any
    waiting: Any
    trail: Any
    stack: Any
    weights: Any
    counts: Any


class Arcs(NamedTuple):
    """The arcs of a board; see the module."""

    owner: Any
    against: Any
    reverse: Any
    first: Any


@kernel
def enqueue(b: Any, arc: Any) -> None:
    """The arc at the end of the queue, unless it waits there already."""
    if b.waiting[arc]:
        return
    place = b.counts[HEAD] + b.counts[WAITING]
    if place >= b.queue.size:
        place -= b.queue.size
    b.queue[place] = arc
    b.waiting[arc] = True
    b.counts[WAITING] += 1


@kernel
def enqueue_neighbours(b: Any, a: Any, cell: Any, but: Any) -> None:
    """The arcs of all peers of a cell against it, `but` one: they may have lost their support."""
    for k in range(a.first[cell], a.first[cell + 1]):
        if a.against[k] != but:
            enqueue(b, np.int64(a.reverse[k]))


@kernel
def dequeue(b: Any) -> Any:
    """The arc that waits longest."""
    arc = np.int64(b.queue[b.counts[HEAD]])
    b.counts[HEAD] += 1
    if b.counts[HEAD] == b.queue.size:
        b.counts[HEAD] = 0
    b.counts[WAITING] -= 1
    b.waiting[arc] = False
    return arc


@kernel
def strike(b: Any, cell: Any, value: Any, cause: Any) -> None:
    """Take a candidate from a cell; under a guess it goes on the trail."""
    n = b.causes.size // b.domains.size
    place = cell * n + value - 1
    b.domains[cell] &= ~(1 << (value - 1))
    b.causes[place] = cause
    b.counts[STRUCK] += 1
    b.counts[OPEN] += 1 if b.domains[cell] == 0 else -1
    if b.counts[DEPTH] > 0:
        b.trail[b.counts[TRAIL]] = place
        b.counts[TRAIL] += 1


@kernel
def restore(b: Any, mark: Any) -> None:
    """Give back what was struck since the trail was `mark` long."""
    n = b.causes.size // b.domains.size
    while b.counts[TRAIL] > mark:
        b.counts[TRAIL] -= 1
        place = np.int64(b.trail[b.counts[TRAIL]])
        cell = place // n
        b.counts[OPEN] += -1 if b.domains[cell] == 0 else 1
        b.domains[cell] |= 1 << (place - cell * n)
        b.causes[place] = 0


@kernel
def settled(b: Any, a: Any, cell: Any, but: Any, eager: Any) -> Any:
    """What a candidate less comes to: arcs in the queue. Whether one is left, or none, as a flag."""
    left = np.int64(b.domains[cell])
    if left == 0:
        b.counts[WIPED] = cell + 1
        b.counts[DEAD_ENDS] += 1
        return DEAD_END
    decided = left & (left - 1) == 0
    if decided or eager:
        enqueue_neighbours(b, a, cell, but)
    return ASSIGNED if decided else 0


@kernel
def revise(b: Any, a: Any, eager: Any) -> Any:
    """Mackworth's REVISE of the next arc: of two different values one always supports the other, so that a value
    lacks support only where the other cell has no other value. Returns flags, cell, value struck (0: none), other."""
    arc = dequeue(b)
    cell, against = np.int64(a.owner[arc]), np.int64(a.against[arc])
    other = np.int64(b.domains[against])
    if other & (other - 1) != 0 or np.int64(b.domains[cell]) & other == 0:
        return REVISED, cell, np.int64(0), against
    value = place_of(other) + 1
    strike(b, cell, value, against + 1)
    flags = REVISED | ELIMINATED | settled(b, a, cell, against, eager)
    if flags & DEAD_END and b.weights.size > 0:
        b.weights[arc] += 1
        b.weights[a.reverse[arc]] += 1
    return flags, cell, np.int64(value), against


@kernel
def better(size: Any, degree: Any, least: Any, degree_of_least: Any) -> Any:
    """Whether size / degree is smaller; a degree of 0 makes it infinite."""
    return size * degree_of_least < least * degree


@kernel
def open_peers(b: Any, a: Any, cell: Any) -> Any:
    """How many peers of a cell have several candidates."""
    found = np.int64(0)
    for k in range(a.first[cell], a.first[cell + 1]):
        peer = np.int64(b.domains[a.against[k]])
        if peer & (peer - 1) != 0:
            found += 1
    return found


@kernel
def weighted_degree(b: Any, a: Any, cell: Any) -> Any:
    """The weights of a cell's arcs against peers that have several candidates."""
    found = np.int64(0)
    for k in range(a.first[cell], a.first[cell + 1]):
        peer = np.int64(b.domains[a.against[k]])
        if peer & (peer - 1) != 0:
            found += b.weights[k]
    return found


@kernel
def next_cell(b: Any, a: Any, choice: Any) -> Any:
    """The open cell to guess next, the first among equals."""
    chosen, least, most = np.int64(-1), np.int64(0), np.int64(0)
    for cell in range(b.domains.size):
        mask = np.int64(b.domains[cell])
        if mask & (mask - 1) == 0:
            continue
        size, degree = np.int64(count_bits(mask)), np.int64(1)
        if choice == DOM_DEG:
            degree = open_peers(b, a, cell)
        elif choice == DOM_WDEG:
            degree = weighted_degree(b, a, cell)
        if chosen < 0 or (choice >= MRV and better(size, degree, least, most)):
            chosen, least, most = np.int64(cell), size, degree
    return chosen


@kernel
def guess(b: Any, a: Any, choice: Any) -> Any:
    """The smallest candidate of the next cell, on the stack. Returns flags, cell, value, -1."""
    cell = next_cell(b, a, choice)
    mask = np.int64(b.domains[cell])
    value = place_of(mask & -mask) + 1
    frame = b.stack[b.counts[DEPTH]]
    frame[CELL], frame[VALUE], frame[MASK], frame[MARK] = cell, value, mask, b.counts[TRAIL]
    b.counts[DEPTH] += 1
    b.counts[GUESSES] += 1
    mask &= mask - 1
    while mask != 0:
        strike(b, cell, place_of(mask & -mask) + 1, BY_GUESS)
        mask &= mask - 1
    enqueue_neighbours(b, a, cell, np.int64(-1))
    return GUESSED, cell, np.int64(value), np.int64(-1)


@kernel
def retract(b: Any, a: Any, eager: Any) -> Any:
    """Take the last guess back and strike it, since it led to a wipe-out. Returns flags, cell, value, -1."""
    while b.counts[WAITING] > 0:
        dequeue(b)
    b.counts[WIPED] = 0
    b.counts[DEPTH] -= 1
    frame = b.stack[b.counts[DEPTH]]
    cell, value = np.int64(frame[CELL]), np.int64(frame[VALUE])
    restore(b, np.int64(frame[MARK]))
    strike(b, cell, value, REFUTED)
    flags = RETRACTED | ELIMINATED | settled(b, a, cell, np.int64(-1), eager)
    return flags, cell, value, np.int64(-1)


@kernel
def one_step(b: Any, a: Any, choice: Any, eager: Any) -> Any:
    """An arc revised, a cell guessed, or a guess taken back: flags, cell, value (0: none), the other cell or -1."""
    if b.counts[WIPED] > 0:
        flags, cell, value, other = retract(b, a, eager)
    elif b.counts[WAITING] > 0:
        flags, cell, value, other = revise(b, a, eager)
    else:
        flags, cell, value, other = guess(b, a, choice)
    if b.counts[WIPED] > 0:
        if b.counts[DEPTH] == 0:
            flags |= NO_SOLUTION
    elif b.counts[WAITING] == 0:
        if b.counts[OPEN] == 0:
            flags |= SOLVED
        elif choice == NO_SEARCH:
            flags |= FIXPOINT
    return flags, cell, value, other


@kernel
def energy_of(b: Any) -> Any:
    """E: the open candidates; 1 while no cell is open and arcs still wait."""
    still_waiting = b.counts[OPEN] == 0 and b.counts[STATUS] != SOLVED
    return np.int64(1) if still_waiting else b.counts[OPEN]


@kernel
def run(b: Any, a: Any, limits: Any) -> Any:
    """Steps until one of the limits is met or the run is over.

    Returns how many steps were made, whether a stop was hit, and of the last step: flags, cell, value, other cell.
    """
    done, hit = np.int64(0), False
    flags, cell, value, other = 0, np.int64(-1), np.int64(0), np.int64(-1)
    while done < limits[STEP_LIMIT] and b.counts[STATUS] == 0 and not hit:
        before = energy_of(b)
        flags, cell, value, other = one_step(b, a, limits[CHOICE], limits[EAGER] != 0)
        done += 1
        if done == limits[LEFT_LIMIT] and not flags & END:
            flags |= GAVE_UP
        b.counts[STATUS] = flags & END
        touched = value > 0 and cell == limits[CELL_LIMIT]
        fell = energy_of(b) <= limits[ENERGY_LIMIT] < before
        hit = flags & limits[FLAG_LIMIT] != 0 or touched or fell
    return done, hit, flags, cell, value, other
