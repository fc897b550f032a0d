"""`norvig`: constraint propagation first, search where it stops.

The algorithm of Peter Norvig's essay "Solving Every Sudoku Puzzle" (2006, norvig.com/sudoku.html), with its verbs:
`assign` a value to a cell, `eliminate` it from the peers; assign a value that is alone in a cell or has one place left
in a unit; where there is none, search: try the values of the cell with the fewest candidates. Three things differ from
the essay. A step is one assignment with its eliminations, so that it can be watched. `eliminate` never calls `assign`:
the next step looks for a cell or unit with one value left. And instead of copying the board for each guess, the
eliminations are kept in order and undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from engine.compiled.bits import bit_index, lowest_bit, popcount
from engine.compiled.kernel import Int, kernel
from engine.energy import full_energy
from engine.events import Assigned, Contradiction, Eliminated, Event, Retracted
from engine.params import Params
from engine.puzzle import Puzzle
from engine.questions import Moment
from engine.solvers.exact import norvig_view
from engine.solvers.exact.board import Cells, Masks, Table, candidates, holders, peer_table, unit_cells
from engine.solvers.exact.norvig_state import (
    A_CELL,
    A_UNIT,
    ASSIGNED,
    ASSIGNED_BEFORE,
    BEST,
    CELL,
    CHOSEN,
    COUNTS,
    DEAD_ENDS,
    DEPTH,
    ELIMINATED,
    ELIMINATED_BEFORE,
    EMPTY,
    END,
    FROM_STACK,
    GAVE_UP,
    GUESS_SIZE,
    GUESSES,
    HAS_ASSIGNED,
    HAS_CONTRADICTION,
    HAS_ELIMINATED,
    HAS_GUESSED,
    HAS_UNDONE,
    MASK,
    NO_SOLUTION,
    SOLVED,
    STATUS,
    TRIED,
    UNIT,
    VALUE,
    WHERE,
    NorvigState,
)
from engine.solvers.exact.search import (
    BUDGET_LIMIT,
    CELL_LIMIT,
    STEP_LIMIT,
    Counts,
    Ending,
    Limits,
    MaxSteps,
    Run,
    Search,
    stop_hit,
)
from engine.view import Channel, Line, Sentence, View

_0, _1 = np.uint32(0), np.uint32(1)


class Board(NamedTuple):
    """The arrays of a state, changed in place by the kernels, and the tables of its puzzle."""

    cells: Cells
    best: Cells
    masks: Masks  # [n*n]: the candidates of each cell, bit v - 1 for value v
    causes: NDArray[np.int16]
    eliminated: NDArray[np.int16]
    assigned: NDArray[np.int16]
    guesses: NDArray[np.int32]
    counts: Counts
    peers: Table  # [n*n, p], padded with -1
    units: Table  # [u, n]


@kernel
def eliminate(board: Board, cell: Int, bit: np.uint32, cause: Int) -> None:
    """Remove a candidate from a cell, because of the value of the cell `cause`.

    What follows from it, a single candidate or a single place, is assigned by the next steps (`next_single`).
    """
    board.masks[cell] &= ~bit
    code = cell * board.units.shape[1] + value_of(bit) - 1
    board.causes[code] = cause + 1  # shown on the screen
    board.eliminated[board.counts[ELIMINATED]] = code  # so that a guess can be undone
    board.counts[ELIMINATED] += 1


@kernel
def assign(board: Board, cell: Int, bit: np.uint32) -> None:
    """Give a cell its value: eliminate its other candidates, and the value from its peers."""
    board.cells[cell] = value_of(bit)
    board.assigned[board.counts[ASSIGNED]] = cell  # so that a guess can be undone
    board.counts[ASSIGNED] += 1
    others = np.uint32(board.masks[cell] & ~bit)
    while others:
        eliminate(board, cell, lowest_bit(others), cell)
        others = np.uint32(others & (others - _1))
    for k in range(board.peers.shape[1]):
        peer = np.int64(board.peers[cell, k])
        if peer >= 0 and board.masks[peer] & bit:
            eliminate(board, peer, bit, cell)


@kernel
def value_of(bit: np.uint32) -> np.int64:
    """The value of a mask of one bit."""
    return bit_index(bit) + 1


@kernel
def places_in(board: Board, unit: Int) -> tuple[np.uint32, np.uint32]:
    """The values that have a place in a unit, and those that have several."""
    placed, several = _0, _0
    for k in range(board.units.shape[1]):
        mask = board.masks[board.units[unit, k]]
        several = np.uint32(several | (placed & mask))
        placed = np.uint32(placed | mask)
    return placed, several


@kernel
def find_contradiction(board: Board) -> bool:
    """True if a cell has no candidate or a unit no place for a value; notes the first in the counts."""
    counts = board.counts
    for cell in range(board.masks.size):
        if board.masks[cell] == 0:
            counts[EMPTY], counts[WHERE], counts[VALUE] = A_CELL, cell, 0
            return True
    full = np.uint32((_1 << np.uint32(board.units.shape[1])) - _1)
    for unit in range(board.units.shape[0]):
        missing = np.uint32(full & ~places_in(board, unit)[0])
        if missing:
            counts[EMPTY], counts[WHERE], counts[VALUE] = A_UNIT, unit, value_of(lowest_bit(missing))
            return True
    return False


@kernel
def next_single(board: Board) -> tuple[Int, np.uint32, int]:
    """(cell, bit, -1) of the first naked single, else (cell, bit, unit) of the first hidden single, else cell -1.

    A naked single is the only candidate of an open cell, a hidden single the only place for a value in a unit.
    """
    for cell in range(board.masks.size):
        mask = board.masks[cell]
        if board.cells[cell] == 0 and mask & (mask - _1) == 0:
            return cell, mask, -1
    for unit in range(board.units.shape[0]):
        placed, several = places_in(board, unit)
        alone = np.uint32(placed & ~several)
        for k in range(board.units.shape[1]):
            place = np.int64(board.units[unit, k])
            found = np.uint32(board.masks[place] & alone)
            if found and board.cells[place] == 0:
                return place, lowest_bit(found), unit
    return -1, _0, -1


@kernel
def fewest_candidates(board: Board) -> Int:
    """The first open cell with the fewest candidates: minimum remaining values (MRV)."""
    chosen, least = 0, np.int64(99)
    for cell in range(board.masks.size):
        left = popcount(board.masks[cell])
        if board.cells[cell] == 0 and left < least:
            chosen, least = cell, left
    return chosen


@kernel
def guess(board: Board) -> int:
    """Guess: assign the lowest value not yet tried to the cell of the guess on top of the stack. Returns flags.

    The guess is a new one unless its last value was just undone.
    """
    counts = board.counts
    top = board.guesses[counts[DEPTH]]
    if counts[TRIED] == 0:
        top[CELL] = fewest_candidates(board)
        top[MASK] = board.masks[top[CELL]]
        top[ASSIGNED_BEFORE], top[ELIMINATED_BEFORE] = counts[ASSIGNED], counts[ELIMINATED]
    tried = np.uint32(counts[TRIED])
    left = np.uint32((np.uint32(top[MASK]) >> tried) << tried)  # the values above the last one tried
    if left == 0:
        return undo_guess(board)
    bit = lowest_bit(left)
    top[CHOSEN] = value_of(bit)
    counts[DEPTH] += 1
    counts[GUESSES] += 1
    counts[TRIED] = 0
    assign(board, np.int64(top[CELL]), bit)
    return HAS_ASSIGNED | FROM_STACK if left == bit else HAS_ASSIGNED | FROM_STACK | HAS_GUESSED


@kernel
def undo_guess(board: Board) -> int:
    """Undo the last guess and all that followed from it. Flags: NO_SOLUTION if there is no guess to undo."""
    counts, n = board.counts, board.units.shape[1]
    if counts[DEPTH] == 0:
        return NO_SOLUTION
    counts[DEPTH] -= 1
    top = board.guesses[counts[DEPTH]]
    while counts[ASSIGNED] > top[ASSIGNED_BEFORE]:
        counts[ASSIGNED] -= 1
        board.cells[board.assigned[counts[ASSIGNED]]] = 0
    while counts[ELIMINATED] > top[ELIMINATED_BEFORE]:
        counts[ELIMINATED] -= 1
        code = np.int64(board.eliminated[counts[ELIMINATED]])
        board.causes[code] = 0
        board.masks[code // n] |= np.uint32(_1 << np.uint32(code % n))
    counts[TRIED], counts[EMPTY] = top[CHOSEN], 0
    return HAS_UNDONE


@kernel
def one_step(board: Board) -> int:
    """Make one assignment with its eliminations, or undo one guess. Returns flags."""
    counts = board.counts
    counts[UNIT] = -1
    if counts[EMPTY]:
        return undo_guess(board)
    before, flags = counts[ELIMINATED], 0
    if counts[TRIED]:
        flags = guess(board)
    elif counts[ASSIGNED] or not find_contradiction(board):
        cell, bit, unit = next_single(board)
        if cell < 0:
            flags = guess(board)
        else:
            counts[UNIT] = unit
            assign(board, cell, bit)
            flags = HAS_ASSIGNED
    if flags & HAS_UNDONE or flags & NO_SOLUTION:
        return flags
    if counts[ELIMINATED] > before:
        flags |= HAS_ELIMINATED
    if find_contradiction(board):
        counts[DEAD_ENDS] += 1
        return flags | HAS_CONTRADICTION if counts[DEPTH] else flags | HAS_CONTRADICTION | NO_SOLUTION
    return flags | SOLVED if counts[ASSIGNED] == board.assigned.size else flags


@kernel
def energy_of(board: Board) -> Int:
    """The candidates of the open cells; a cell that has none counts as one."""
    total: Int = 0
    for cell in range(board.masks.size):
        if board.cells[cell] == 0:
            left = popcount(board.masks[cell])
            total += left if left else 1
    return total


@kernel
def touches(board: Board, flags: Int, before: Int, wanted: Int) -> bool:
    """True if a step assigned, emptied or eliminated in a cell; `before` is counts[ELIMINATED] before the step."""
    counts, n = board.counts, board.units.shape[1]
    if flags & HAS_UNDONE:
        return bool(board.guesses[counts[DEPTH], CELL] == wanted)
    if flags & HAS_ASSIGNED and board.assigned[counts[ASSIGNED] - 1] == wanted:
        return True
    found = False
    for k in range(before, counts[ELIMINATED]):
        found |= board.eliminated[k] // n == wanted
    return found


@kernel
def run(board: Board, limits: Limits) -> tuple[int, int, bool]:
    """Make steps until a limit is reached or the search is over: (steps made, flags of the last, stop hit)."""
    counts = board.counts
    made, flags, hit, energy = 0, 0, False, energy_of(board)
    while made < limits[STEP_LIMIT] and counts[STATUS] == 0 and not hit:
        eliminated, before = counts[ELIMINATED], energy
        flags = one_step(board)
        made += 1
        energy = energy_of(board)
        if energy < counts[BEST]:
            counts[BEST] = energy
            board.best[:] = board.cells
        if made == limits[BUDGET_LIMIT] and not flags & END:
            flags |= GAVE_UP
        counts[STATUS] = flags & END
        hit = stop_hit(limits, flags, -1, (before, energy))
        if limits[CELL_LIMIT] >= 0 and not hit:
            hit = touches(board, flags, eliminated, limits[CELL_LIMIT])
    return made, flags, hit


class NorvigParams(Params, frozen=True):
    max_steps: MaxSteps = 10**8


class Norvig(Search[NorvigState, NorvigParams]):
    name = "norvig"
    title = "Propagation and search"
    summary = ("Strikes what is placed from all peers, places what is left alone in a cell or a unit, and guesses only "
               "where neither helps. It finds a solution or proves that there is none; nine rows take milliseconds.")
    energy_counts = "candidates of the open cells, one for a cell that has none"
    mark_words: ClassVar = {
        "core": "The cells of a dead end: they leave a cell no value, or a value no place."}
    references = ("P. Norvig: Solving Every Sudoku Puzzle. norvig.com/sudoku.html, 2006",)
    program = (
        Line("solved", "repeat; no cell open: solved"),
        Line("naked", "  v alone in a cell: place v"),
        Line("hidden", "  v has one place in a unit:"),
        Line("hidden_place", "    place v there"),
        Line("guess", "  or guess: fewest candidates"),
        Line("strike", "  strike v from all peers"),
        Line("empty", "  cell or unit left empty:"),
        Line("none", "    no guess: no solution"),
        Line("remove", "    take the last guess back"),
        Line("budget", "  budget spent: give up"),
    )
    Params = NorvigParams
    presets: ClassVar = {"plain": {}}
    channels = (Channel("energy", "candidates", "energy"), Channel("depth", "depth", "depth"))
    glossary: ClassVar = {"guesses": "the values tried where propagation leaves a choice; the last one left there, "
                                     "which is no guess any more, counts too"}
    kinds = ("contradiction", "guess", "assigned", "retracted", "eliminated", "solved", "no_solution", "gave_up",
             "done")
    step_word = "assignment"
    other_steps = "or the retraction of one"
    speed = 10.0
    period_word = "guess"
    period_kind = "guess"
    complete = True

    status_index = STATUS
    endings: ClassVar = {
        SOLVED: Ending("solved", "solved"),
        NO_SOLUTION: Ending("no_solution", "none"),
        GAVE_UP: Ending("gave_up", "budget"),
    }
    flags: ClassVar = {
        "assigned": HAS_ASSIGNED, "guess": HAS_GUESSED, "eliminated": HAS_ELIMINATED, "retracted": HAS_UNDONE,
        "contradiction": HAS_CONTRADICTION,
    }
    solved_reason = "every cell has its value"

    def init(self, puzzle: Puzzle, params: NorvigParams, seed: int) -> NorvigState:
        """The givens, and what they eliminate. Contradictory givens are accepted, and end the run at step 0."""
        cells = np.array(puzzle.givens, dtype=np.int8)
        given = np.flatnonzero(cells)
        masks = candidates(puzzle, cells)
        masks[given] = 1 << cells[given].astype(np.uint32) - _1
        causes = holders(puzzle, cells) + np.int16(1)
        causes[given] = 0
        free, n = cells.size - given.size, puzzle.n
        state = NorvigState(
            puzzle, seed, 0, cells, cells.copy(), masks, causes.reshape(-1), np.zeros(n**3, dtype=np.int16),
            np.zeros(free, dtype=np.int16), np.zeros((free, GUESS_SIZE), dtype=np.int32),
            np.zeros(COUNTS, dtype=np.int64), full_energy(puzzle, puzzle.givens))
        state.counts[UNIT] = -1
        state.counts[BEST] = state.energy
        state.counts[STATUS] = NO_SOLUTION if state.surplus else 0 if free else SOLVED
        return state

    def kernel_of(self, state: NorvigState, params: NorvigParams) -> Run:
        board = Board(state.cells, state.best, state.masks, state.causes, state.eliminated, state.assigned,
                      state.guesses, state.counts, peer_table(state.puzzle), unit_cells(state.puzzle))
        return lambda limits: run(board, limits)

    def events_of(self, state: NorvigState, params: NorvigParams, flags: int, before: Counts,
                  *details: int) -> Iterator[Event]:
        step, depth, n = state.step, int(state.counts[DEPTH]), state.puzzle.n
        if flags & HAS_ASSIGNED:
            yield norvig_view.assignment(state, flags)
            for code in state.eliminated[before[ELIMINATED]:state.counts[ELIMINATED]].tolist():
                cell, value, cause = code // n, code % n + 1, int(state.causes[code]) - 1
                reason = f"the cell holds {int(state.cells[cell])}" if cause == cell else "a peer holds it"
                yield Eliminated(step, "strike", cell, value, (cause,), reason)
        if flags & HAS_CONTRADICTION:
            yield Contradiction(step, "empty", norvig_view.core(state), norvig_view.contradiction(state))
        if flags & HAS_UNDONE:
            yield Retracted(step, "remove", int(state.guesses[depth, CELL]), int(state.counts[TRIED]), depth)

    def moment(self, before: NorvigState, params: NorvigParams, events: tuple[Event, ...]) -> Moment:
        found = super().moment(before, params, events)
        cells, rule = norvig_view.next_cells(before, found)
        return structs.replace(found, next_cells=cells, next_rule=rule, facts=norvig_view.searching(before, rule))

    def because(self, event: Event, state: NorvigState, params: NorvigParams) -> Sentence:
        if isinstance(event, Assigned) and event.line == "guess":
            return norvig_view.guess_because(event, state)
        return super().because(event, state, params)

    def no_solution_reason(self, state: NorvigState) -> str:
        return norvig_view.contradiction(state) if state.counts[EMPTY] else "every guess leads to a contradiction"

    def best(self, state: NorvigState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), int(state.counts[BEST])

    def sample(self, state: NorvigState, params: NorvigParams) -> tuple[float, ...]:
        return float(state.energy), float(state.counts[DEPTH])

    def view(self, state: NorvigState, params: NorvigParams, events: tuple[Event, ...]) -> View:
        return norvig_view.view(state, events)


SOLVER = Norvig()
