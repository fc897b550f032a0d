"""The base of `ac3` and `mac`: a network of binary constraints, made consistent arc by arc.

A Sudoku as a constraint network (Mackworth, "Consistency in Networks of Relations", Artificial Intelligence 8, 1977):
a variable for each cell, and between any two peers the constraint that their values differ. An arc (x, y) is consistent
if every candidate of x is supported by a different candidate of y. Support is missing only where y has one candidate
left and x still holds it.

Arcs wait in a queue. A step revises one, guesses a cell, or retracts a guess. Candidates eliminated after a guess are
kept on a trail, so that they can be restored. The weight of an arc counts the cells that it wiped out (Boussemart et
al. 2004). Read the kernels from `revise` to `one_step`, then the class `ArcSolver`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from engine import text
from engine.compiled.bits import bit_index, popcount
from engine.compiled.kernel import Int, kernel
from engine.energy import errors
from engine.events import Assigned, Contradiction, Eliminated, Event, Retracted
from engine.events.because import first_fitting, reason
from engine.events.search import Revised
from engine.params import Params
from engine.puzzle import Puzzle, cell_name
from engine.questions import Moment
from engine.questions.arcs import Revising
from engine.solvers.exact.search import (
    BUDGET_LIMIT,
    FIRST_RULE,
    STEP_LIMIT,
    Counts,
    Ending,
    Limits,
    Run,
    Search,
    SearchState,
    stop_hit,
)
from engine.view import Line, Sentence

P = TypeVar("P", bound=Params)

Queued = Literal["all", "decided"]
"""The arcs that a change of a cell queues: all that may have lost support, or only those against a decided cell, the
only ones that can lose any."""

# Indices of `counts`
HEAD: Final = 0  # index in the ring of the next arc of the queue
WAITING: Final = 1  # arcs in the queue
OPEN: Final = 2  # candidates beyond one for each cell; an empty cell counts 1
DEPTH: Final = 3  # guesses on the stack
TRAIL: Final = 4  # candidates eliminated since the first guess on the stack
WIPED: Final = 5  # 1 + the cell whose last candidate was just eliminated; 0: none
ELIMINATED: Final = 6  # candidates eliminated over the whole run
GUESSES: Final = 7  # guesses made
DEAD_ENDS: Final = 8  # cells wiped out
STATUS: Final = 9  # 0 while the run goes on, then the flag of its ending
COUNTS: Final = 10

# Indices of `stack[k]`
CELL: Final = 0
VALUE: Final = 1
MASK: Final = 2  # the candidates that the cell had when it was guessed
MARK: Final = 3  # the length of the trail before the guess
FRAME: Final = 4

# Flags of a step
HAS_REVISED: Final = 1
HAS_ELIMINATED: Final = 2
HAS_ASSIGNED: Final = 4  # a cell was left with one candidate
HAS_GUESSED: Final = 8
HAS_RETRACTED: Final = 16
AT_DEAD_END: Final = 32
SOLVED: Final = 64
NO_SOLUTION: Final = 128
FIXPOINT: Final = 256  # every arc is consistent, and cells are open
GAVE_UP: Final = 512
END: Final = SOLVED | NO_SOLUTION | FIXPOINT | GAVE_UP

# Values of `causes`, besides 0 (not eliminated) and 1 + the cell that eliminated the candidate
BY_GUESS: Final = -1  # another value was guessed for the cell
REFUTED: Final = -2  # the value was guessed, and a cell was wiped out

# Rules: how the cell to guess is chosen, and which arcs are queued
CHOICE: Final = FIRST_RULE
QUEUES_ALL: Final = FIRST_RULE + 1

NO_SEARCH: Final = 0  # nothing is guessed
ROWS: Final = 1
MRV: Final = 2
DOM_DEG: Final = 3
DOM_WDEG: Final = 4
CHOICES: Final = {"rows": ROWS, "mrv": MRV, "dom/deg": DOM_DEG, "dom/wdeg": DOM_WDEG}


@dataclass
class ArcState(SearchState):
    """A network of c = n*n cells and a arcs. Trail, stack and weights are empty without a search."""

    domains: NDArray[np.int32]
    """int32[c]: the candidates of each cell, bit v - 1 for value v."""
    causes: NDArray[np.int16]
    """int16[c*n], at cell * n + value - 1: the cause of an elimination, 0 for a candidate."""
    queue: NDArray[np.uint16]
    """uint16[a]: a ring of arcs, counts[WAITING] of them from counts[HEAD]."""
    trail: NDArray[np.int16]
    """int16[c*n]: indices into `causes`, in the order of elimination; counts[TRAIL] of them."""
    stack: NDArray[np.int32]
    """int32[c, 4]: the guesses, indexed by CELL ... MARK; counts[DEPTH] of them."""
    weights: NDArray[np.int32]
    """int32[a]: 1 + the number of cells that the arc, or its reverse, wiped out."""
    counts: Counts

    @property
    def grid(self) -> tuple[int, ...]:
        return grid_of(self.domains)

    @property
    def energy(self) -> int:
        """Candidates beyond one for each cell, an empty cell counting 1; 1 while only arcs are left to be checked."""
        left = int(self.counts[OPEN])
        return left or int(self.counts[STATUS] != SOLVED)


def grid_of(domains: NDArray[np.int32]) -> tuple[int, ...]:
    """The single candidates, 0 for the other cells."""
    return tuple(mask.bit_length() if mask & (mask - 1) == 0 else 0 for mask in domains.tolist())


class Arcs(NamedTuple):
    """The a arcs of a board, read-only. Those of cell x are first[x] ... first[x + 1] - 1, by ascending peer."""

    owner: NDArray[np.uint16]
    """uint16[a]: the cell that an arc revises."""
    against: NDArray[np.uint16]
    """uint16[a]: the peer that must support its candidates."""
    reverse: NDArray[np.uint16]
    """uint16[a]: the arc of the same pair the other way round."""
    first: NDArray[np.int32]
    """int32[c + 1]"""


Step: TypeAlias = tuple[int, Int, Int, Int]
"""The effect of a step: flags, cell, value (0: none), and the peer that an arc was revised against (-1: none)."""


class Network(NamedTuple):
    """The arrays of a state, changed in place by the kernels, and the arcs of its board."""

    domains: NDArray[np.int32]
    causes: NDArray[np.int16]
    queue: NDArray[np.uint16]
    waiting: NDArray[np.bool_]  # [a]: true for the arcs in the queue
    trail: NDArray[np.int16]
    stack: NDArray[np.int32]
    weights: NDArray[np.int32]
    counts: Counts
    best: NDArray[np.int32]  # [c]: the domains when E was lowest; [0] without a search, where E never rises
    arcs: Arcs


@functools.lru_cache(maxsize=8)
def arcs_of(puzzle: Puzzle) -> Arcs:
    """The arcs of a puzzle's board; its givens do not matter."""
    peers = puzzle.geometry.peers
    first = np.cumsum([0, *map(len, peers)]).astype(np.int32)
    owner = np.repeat(np.arange(len(peers)), np.diff(first)).astype(np.uint16)
    against = np.array([peer for cells in peers for peer in cells], dtype=np.uint16)
    reverse = np.lexsort((owner, against)).astype(np.uint16)  # the k-th pair by (against, owner) reverses arc k
    arcs = Arcs(owner, against, reverse, first)
    for array in arcs:
        array.flags.writeable = False
    return arcs


@kernel
def enqueue(net: Network, arc: Int) -> None:
    """Append an arc to the queue, unless it is there already."""
    if net.waiting[arc]:
        return
    place = net.counts[HEAD] + net.counts[WAITING]
    if place >= net.queue.size:
        place -= net.queue.size
    net.queue[place] = arc
    net.waiting[arc] = True
    net.counts[WAITING] += 1


@kernel
def enqueue_neighbours(net: Network, cell: Int, but: Int) -> None:
    """Queue the arcs of all peers of a cell against it, except `but`: they may have lost support."""
    for k in range(net.arcs.first[cell], net.arcs.first[cell + 1]):
        if net.arcs.against[k] != but:
            enqueue(net, np.int64(net.arcs.reverse[k]))


@kernel
def dequeue(net: Network) -> np.int64:
    """Remove and return the oldest arc of the queue."""
    arc = np.int64(net.queue[net.counts[HEAD]])
    net.counts[HEAD] += 1
    if net.counts[HEAD] == net.queue.size:
        net.counts[HEAD] = 0
    net.counts[WAITING] -= 1
    net.waiting[arc] = False
    return arc


@kernel
def eliminate(net: Network, cell: Int, value: Int, cause: Int) -> None:
    """Remove a candidate from a cell; after a guess, note it on the trail."""
    n = net.causes.size // net.domains.size
    place = cell * n + value - 1
    net.domains[cell] &= ~(1 << (value - 1))
    net.causes[place] = cause
    net.counts[ELIMINATED] += 1
    net.counts[OPEN] += 1 if net.domains[cell] == 0 else -1
    if net.counts[DEPTH] > 0:
        net.trail[net.counts[TRAIL]] = place
        net.counts[TRAIL] += 1


@kernel
def restore(net: Network, mark: Int) -> None:
    """Undo the eliminations made since the trail had the length `mark`."""
    n = net.causes.size // net.domains.size
    while net.counts[TRAIL] > mark:
        net.counts[TRAIL] -= 1
        place = np.int64(net.trail[net.counts[TRAIL]])
        cell = place // n
        net.counts[OPEN] += -1 if net.domains[cell] == 0 else 1
        net.domains[cell] |= 1 << (place - cell * n)
        net.causes[place] = 0


@kernel
def propagate(net: Network, cell: Int, but: Int, queues_all: bool) -> int:
    """Queue the arcs that an elimination in a cell may have left without support, except that of `but`.

    Returns AT_DEAD_END if the cell has no candidate left, HAS_ASSIGNED if it has one, else 0.
    """
    left = np.int64(net.domains[cell])
    if left == 0:
        net.counts[WIPED] = cell + 1
        net.counts[DEAD_ENDS] += 1
        return AT_DEAD_END
    decided = left & (left - 1) == 0
    if decided or queues_all:
        enqueue_neighbours(net, cell, but)
    return HAS_ASSIGNED if decided else 0


@kernel
def revise(net: Network, queues_all: bool) -> Step:
    """Mackworth's REVISE of the next arc. Different values support each other, so a value lacks support only if it is
    the single candidate of the other cell."""
    arc = dequeue(net)
    cell, against = np.int64(net.arcs.owner[arc]), np.int64(net.arcs.against[arc])
    other = np.int64(net.domains[against])
    if other & (other - 1) != 0 or np.int64(net.domains[cell]) & other == 0:
        return HAS_REVISED, cell, np.int64(0), against
    value = bit_index(other) + 1
    eliminate(net, cell, value, against + 1)
    flags = HAS_REVISED | HAS_ELIMINATED | propagate(net, cell, against, queues_all)
    if flags & AT_DEAD_END and net.weights.size > 0:
        net.weights[arc] += 1
        net.weights[net.arcs.reverse[arc]] += 1
    return flags, cell, np.int64(value), against


@kernel
def is_less(size: Int, degree: Int, least: Int, degree_of_least: Int) -> bool:
    """True if size / degree < least / degree_of_least; a degree of 0 makes a quotient infinite."""
    return bool(size * degree_of_least < least * degree)


@kernel
def open_peers(net: Network, cell: Int) -> np.int64:
    """The number of peers of a cell that have several candidates."""
    found = np.int64(0)
    for k in range(net.arcs.first[cell], net.arcs.first[cell + 1]):
        peer = np.int64(net.domains[net.arcs.against[k]])
        if peer & (peer - 1) != 0:
            found += 1
    return found


@kernel
def weighted_degree(net: Network, cell: Int) -> np.int64:
    """The sum of the weights of a cell's arcs against peers that have several candidates."""
    found = np.int64(0)
    for k in range(net.arcs.first[cell], net.arcs.first[cell + 1]):
        peer = np.int64(net.domains[net.arcs.against[k]])
        if peer & (peer - 1) != 0:
            found += net.weights[k]
    return found


@kernel
def next_cell(net: Network, choice: Int) -> np.int64:
    """The open cell to guess, by the rule `choice`; the first among equals."""
    chosen, least, most = np.int64(-1), np.int64(0), np.int64(0)
    for cell in range(net.domains.size):
        mask = np.int64(net.domains[cell])
        if mask & (mask - 1) == 0:
            continue
        size, degree = popcount(mask), np.int64(1)
        if choice == DOM_DEG:
            degree = open_peers(net, cell)
        elif choice == DOM_WDEG:
            degree = weighted_degree(net, cell)
        if chosen < 0 or (choice >= MRV and is_less(size, degree, least, most)):
            chosen, least, most = np.int64(cell), size, degree
    return chosen


@kernel
def guess(net: Network, choice: Int) -> Step:
    """Push the lowest candidate of the next cell on the stack, and eliminate its others."""
    cell = next_cell(net, choice)
    mask = np.int64(net.domains[cell])
    value = bit_index(mask & -mask) + 1
    frame = net.stack[net.counts[DEPTH]]
    frame[CELL], frame[VALUE], frame[MASK], frame[MARK] = cell, value, mask, net.counts[TRAIL]
    net.counts[DEPTH] += 1
    net.counts[GUESSES] += 1
    mask &= mask - 1
    while mask != 0:
        eliminate(net, cell, bit_index(mask & -mask) + 1, BY_GUESS)
        mask &= mask - 1
    enqueue_neighbours(net, cell, np.int64(-1))
    return HAS_GUESSED, cell, np.int64(value), np.int64(-1)


@kernel
def retract(net: Network, queues_all: bool) -> Step:
    """Undo the last guess, which wiped a cell out, and eliminate its value."""
    while net.counts[WAITING] > 0:
        dequeue(net)
    net.counts[WIPED] = 0
    net.counts[DEPTH] -= 1
    frame = net.stack[net.counts[DEPTH]]
    cell, value = np.int64(frame[CELL]), np.int64(frame[VALUE])
    restore(net, np.int64(frame[MARK]))
    eliminate(net, cell, value, REFUTED)
    flags = HAS_RETRACTED | HAS_ELIMINATED | propagate(net, cell, np.int64(-1), queues_all)
    return flags, cell, value, np.int64(-1)


@kernel
def one_step(net: Network, choice: Int, queues_all: bool) -> Step:
    """Revise an arc, guess a cell, or retract a guess."""
    if net.counts[WIPED] > 0:
        flags, cell, value, other = retract(net, queues_all)
    elif net.counts[WAITING] > 0:
        flags, cell, value, other = revise(net, queues_all)
    else:
        flags, cell, value, other = guess(net, choice)
    if net.counts[WIPED] > 0:
        if net.counts[DEPTH] == 0:
            flags |= NO_SOLUTION
    elif net.counts[WAITING] == 0:
        if net.counts[OPEN] == 0:
            flags |= SOLVED
        elif choice == NO_SEARCH:
            flags |= FIXPOINT
    return flags, cell, value, other


@kernel
def energy_of(net: Network) -> np.int64:
    """E: the open candidates; 1 while no cell is open and arcs are left to be checked."""
    unchecked = net.counts[OPEN] == 0 and net.counts[STATUS] != SOLVED
    return np.int64(1) if unchecked else net.counts[OPEN]


@kernel
def open_candidates(domains: NDArray[np.int32]) -> np.int64:
    """The candidates beyond one for each cell, an empty cell counting 1."""
    found = np.int64(0)
    for mask in domains:
        found += abs(popcount(np.int64(mask)) - 1)
    return found


@kernel
def run(net: Network, limits: Limits) -> tuple[int, int, bool, Int, Int, Int]:
    """Make steps until a limit is reached or the run is over.

    Returns the number of steps made, the flags of the last, whether the stop was hit; cell, value and peer of the last.
    """
    made, hit = 0, False
    step: Step = (0, np.int64(-1), np.int64(0), np.int64(-1))
    flags, cell, value, peer = step
    lowest = max(np.int64(1), open_candidates(net.best))
    while made < limits[STEP_LIMIT] and net.counts[STATUS] == 0 and not hit:
        before = energy_of(net)
        flags, cell, value, peer = one_step(net, limits[CHOICE], bool(limits[QUEUES_ALL]))
        made += 1
        if made == limits[BUDGET_LIMIT] and not flags & END:
            flags |= GAVE_UP
        net.counts[STATUS] = flags & END
        after = energy_of(net)
        if net.best.size > 0 and after < lowest:
            lowest = after
            net.best[:] = net.domains
        hit = stop_hit(limits, flags, cell if value > 0 else np.int64(-1), (before, after))
    return made, flags, hit, cell, value, peer


def waiting_arcs(state: ArcState, most: int | None = None) -> NDArray[np.uint16]:
    """The arcs in the queue, the next one first: uint16[counts[WAITING]], or the first `most` of them."""
    head, waiting = int(state.counts[HEAD]), int(state.counts[WAITING])
    wanted = waiting if most is None else min(most, waiting)
    return state.queue[np.arange(head, head + wanted) % state.queue.size]


def open_arcs(state: ArcState, cell: int) -> NDArray[np.int32]:
    """The weights of a cell's arcs, 0 for those against peers without a choice: int32[peers]."""
    arcs = arcs_of(state.puzzle)
    own = slice(arcs.first[cell], arcs.first[cell + 1])
    others = state.domains[arcs.against[own]]
    return np.where(others & (others - 1) != 0, state.weights[own], 0)


class ArcSolver(Search[ArcState, P]):
    """A solver that makes arcs consistent one by one. A subclass sets the rules, (choice, queues all), and the view."""

    mark_words: ClassVar = {
        "reach": "The cell of this step's arc whose candidates are checked against the other end.",
        "partner": "The other end of this step's arc, against which the candidates are checked."}
    glossary: ClassVar = {
        "candidates beyond one": "the candidates that are still to be removed until each cell has one; 1 where nothing "
                                 "but arcs is left to be checked"}
    energy_counts = ("candidates beyond one in each cell, and one for a cell that has none; it is 1 where nothing but "
                     "arcs is left to be checked")
    step_word = "arc"
    speed = 50.0

    status_index = STATUS
    endings: ClassVar = {
        SOLVED: Ending("solved", "solved"),
        NO_SOLUTION: Ending("no_solution", "none"),
        FIXPOINT: Ending("gave_up", "open"),
        GAVE_UP: Ending("gave_up", "budget"),
    }
    flags: ClassVar = {
        "revised": HAS_REVISED, "eliminated": HAS_ELIMINATED, "assigned": HAS_ASSIGNED | HAS_GUESSED,
        "guess": HAS_GUESSED, "retracted": HAS_RETRACTED, "contradiction": AT_DEAD_END,
    }
    solved_reason = "every cell has one value that its arcs allow"
    queues_decided: ClassVar[Mapping[str, str]] = {}
    """The lines of the program, by id, where only arcs against decided cells are queued."""

    def program_for(self, params: P) -> tuple[Line, ...]:
        if self.rules(params)[1]:
            return self.program
        return tuple(Line(line.id, self.queues_decided.get(line.id, line.text)) for line in self.program)

    def guess_reason(self, state: ArcState, params: P, cell: int, candidates: int) -> str:
        """The reason for guessing a cell with this number of candidates, as a clause."""
        raise TypeError(f"{self.name} never guesses")

    def init(self, puzzle: Puzzle, params: P, seed: int) -> ArcState:
        """The givens decided, every other cell open, the first arcs queued. Clashing givens are found by their arcs."""
        choice, queues_all = self.rules(params)
        cells, searches, full = puzzle.n**2, choice != NO_SEARCH, (1 << puzzle.n) - 1
        arcs = arcs_of(puzzle)
        domains = np.array([1 << value - 1 if value else full for value in puzzle.givens], dtype=np.int32)
        waiting = np.arange(arcs.owner.size)
        if not queues_all:
            waiting = waiting[np.array(puzzle.givens)[arcs.against] != 0]
        queue = np.zeros(arcs.owner.size, dtype=np.uint16)
        queue[:waiting.size] = waiting
        counts = np.zeros(COUNTS, dtype=np.int64)
        counts[OPEN] = (puzzle.n - 1) * len(puzzle.free_cells)
        counts[WAITING] = waiting.size
        if not puzzle.free_cells and errors(puzzle, puzzle.givens) == 0:
            counts[STATUS] = SOLVED
        elif not searches and not waiting.size:
            counts[STATUS] = FIXPOINT
        return ArcState(puzzle, seed, 0, domains, np.zeros(cells * puzzle.n, dtype=np.int16), queue,
                        np.zeros(cells * puzzle.n if searches else 0, dtype=np.int16),
                        np.zeros((cells if searches else 0, FRAME), dtype=np.int32),
                        np.ones(arcs.owner.size if searches else 0, dtype=np.int32), counts)

    def kernel_of(self, state: ArcState, params: P) -> Run:
        is_waiting = np.zeros(state.queue.size, dtype=np.bool_)
        is_waiting[waiting_arcs(state)] = True
        network = Network(state.domains, state.causes, state.queue, is_waiting, state.trail, state.stack,
                          state.weights, state.counts, self.lowest_of(state), arcs_of(state.puzzle))
        return lambda limits: run(network, limits)

    def lowest_of(self, state: ArcState) -> NDArray[np.int32]:
        """The domains when E was lowest, to be kept up by the kernel; int32[0] where E never rises."""
        return np.zeros(0, dtype=np.int32)

    def events_of(self, state: ArcState, params: P, flags: int, before: Counts, *details: int) -> Iterator[Event]:
        cell, value, peer = details
        step, depth, left = state.step, int(state.counts[DEPTH]), int(state.domains[cell])
        if flags & HAS_REVISED:
            line, gone = ("strike", (value,)) if value else ("revise", ())
            yield Revised(step, line, cell, peer, gone, left.bit_count(), int(state.counts[WAITING]))
        if flags & HAS_GUESSED:
            candidates = int(state.stack[depth - 1, MASK]).bit_count()
            yield Assigned(step, "guess", cell, value, self.guess_reason(state, params, cell, candidates), depth, True)
        if flags & HAS_RETRACTED:
            yield Retracted(step, "retract", cell, value, depth)
            yield Eliminated(step, "refute", cell, value, (), "its arcs wiped out a cell")
        if flags & HAS_ASSIGNED:
            line = "refute" if flags & HAS_RETRACTED else "strike"
            yield Assigned(step, line, cell, left.bit_length(), "the last candidate", depth)
        if flags & AT_DEAD_END:
            reason = f"no value is left for {cell_name(cell, state.puzzle.n)}"
            yield Contradiction(step, "empty", _core(state, cell), reason)

    def moment(self, before: ArcState, params: P, events: tuple[Event, ...]) -> Moment:
        choice, queues_all = self.rules(params)
        decides = choice != NO_SEARCH and bool(before.counts[WIPED] or not before.counts[WAITING])
        stack = before.stack[:before.counts[DEPTH], CELL].tolist() if choice != NO_SEARCH else ()
        facts = Revising(queues_all=bool(queues_all), dead_end="candidate" if decides else "", stack=tuple(stack))
        found = structs.replace(super().moment(before, params, events), facts=facts)
        return self.guessing(found, facts, before, params) if decides and not before.counts[WIPED] else found

    def guessing(self, moment: Moment, facts: Revising, before: ArcState, params: P) -> Moment:
        """The moment before a guess, with the cells that the rule allows."""
        return moment

    def because(self, event: Event, state: ArcState, params: P) -> Sentence:
        match event:
            case Assigned(guess=True):
                fields = {"cell": cell_name(event.cell, state.puzzle.n), "value": str(event.value)}
                return first_fitting(
                    reason("No arc strikes more: {value} is tried in {cell}, {why}.", why=event.reason, **fields),
                    reason("No arc strikes more: {value} is tried in {cell}.", **fields))
            case Assigned():
                return reason("{value} is the only candidate left in {cell}.",
                              cell=cell_name(event.cell, state.puzzle.n), value=str(event.value))
            case Retracted():
                return reason("With {cell} = {value} a cell was left without values, so the guess is undone.",
                              cell=cell_name(event.cell, state.puzzle.n), value=str(event.value))
        return super().because(event, state, params)

    def reason(self, state: ArcState) -> str:
        status = self.status(state)
        if status == FIXPOINT:
            left_open = sum(mask & (mask - 1) != 0 for mask in state.domains.tolist())
            return f"arc consistency alone leaves {text.count(left_open)} {'cell' if left_open == 1 else 'cells'} open"
        if status == NO_SOLUTION and state.counts[GUESSES]:
            return "every guess leads to a cell without values"
        if status == NO_SOLUTION:
            return f"{cell_name(int(state.counts[WIPED]) - 1, state.puzzle.n)} has no value left"
        return super().reason(state)

    def sample(self, state: ArcState, params: P) -> tuple[float, ...]:
        return float(state.energy), float(state.counts[WAITING])


def _core(state: ArcState, cell: int) -> tuple[int, ...]:
    """A cell without candidates, and the cells that eliminated them."""
    n = state.puzzle.n
    causes = state.causes[cell * n:cell * n + n].tolist()
    return (cell, *sorted({cause - 1 for cause in causes if cause > 0}))
