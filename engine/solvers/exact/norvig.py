"""`norvig`: constraint propagation first, search where it stops.

The algorithm of Peter Norvig's essay "Solving Every Sudoku Puzzle" (2006): what is placed is struck from all peers;
a cell with one candidate, and a value with one place in a unit, are placed; where neither is found the values of the
cell with the fewest candidates are tried in turn. What a guess struck is kept in order, so that taking it back needs
no copy of the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.energy import conflicts, full_energy
from engine.events import Assigned, Contradiction, Done, Eliminated, Event, Retracted, Status
from engine.params import About, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.exact import norvig_kernel as at
from engine.solvers.exact.board import (
    candidates,
    cell_words,
    clash_reason,
    flags_of,
    holders,
    peer_table,
    steps_left,
    unit_cells,
    values_of,
)
from engine.solvers.exact.norvig_kernel import run
from engine.state import State
from engine.view import Channel, Gauge, Line, PencilRole, Role, StackPanel, View

STATUSES: dict[int, Status] = {at.SOLVED: "solved", at.NO_SOLUTION: "no_solution", at.GAVE_UP: "gave_up"}


class NorvigParams(Params, frozen=True):
    max_steps: Annotated[int, Meta(ge=0), About("steps", "give up after so many; 0: never")] = 10**8


@dataclass
class NorvigState(State):
    """The arrays are those of `norvig_codes.Board`."""

    cells: NDArray[np.int8]
    best: NDArray[np.int8]
    masks: NDArray[np.uint32]
    causes: NDArray[np.int16]
    struck: NDArray[np.int16]
    filled: NDArray[np.int16]
    frames: NDArray[np.int32]
    counts: NDArray[np.int64]
    surplus: int
    """What contradictory givens add to E; 0 for a puzzle that can have a solution."""

    @property
    def grid(self) -> tuple[int, ...]:
        """What is placed; a cell with one candidate that was not placed yet is open."""
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """The candidates of the open cells, one for a cell that has none, and the clashes of the givens."""
        opened = (max(1, mask.bit_count()) for mask in self.masks[self.cells == 0].tolist())
        return int(sum(opened)) + self.surplus

    @property
    def board(self) -> at.Board:
        return at.Board(self.cells, self.best, self.masks, self.causes, self.struck, self.filled, self.frames,
                        self.counts)


class Norvig(Solver[NorvigState, NorvigParams]):
    name = "norvig"
    title = "Propagation and search"
    family = "exact"
    summary = ("Strikes what is placed from all peers, places what is left alone in a cell or a unit, and guesses only "
               "where neither helps. It finds a solution or proves that there is none; nine rows take milliseconds.")
    energy_counts = ("candidates of the open cells, one for a cell that has none, and every value that stands too "
                     "often in a unit of contradictory givens")
    references = ("P. Norvig: Solving Every Sudoku Puzzle. norvig.com/sudoku.html, 2006",)
    program = (
        Line("solved", "repeat; no cell open: solved"),
        Line("naked", "  v alone in a cell: place v"),
        Line("hidden", "  v has one place in a unit:"),
        Line("hidden_place", "    place v there"),
        Line("guess", "  else guess: fewest candidates"),
        Line("strike", "  strike v from all peers"),
        Line("empty", "  cell or unit left empty:"),
        Line("none", "    no guess: no solution"),
        Line("remove", "    take the last guess back"),
        Line("budget", "  budget spent: give up"),
    )
    Params = NorvigParams
    presets = {"plain": {}}  # noqa: RUF012  (a mapping nobody changes)
    channels = (Channel("energy", "candidates", "energy"), Channel("depth", "depth", "depth"))
    kinds = ("contradiction", "guess", "assigned", "retracted", "eliminated", "solved", "no_solution", "gave_up",
             "done")
    step_word = "assignment"
    speed = 10.0
    period_word = "guess"
    period_kind = "guess"
    checkpoint_stride = 1024
    gives = frozenset({"candidates", "panel"})
    complete = True

    def init(self, puzzle: Puzzle, params: NorvigParams, seed: int) -> NorvigState:
        """The givens, and what they strike. Contradictory ones are taken: that there is no solution is then known at
        step 0."""
        cells = np.array(puzzle.givens, dtype=np.int8)
        masks = candidates(puzzle, cells)
        given = np.flatnonzero(cells)
        masks[given] = 1 << cells[given].astype(np.uint32) - np.uint32(1)
        causes = holders(puzzle, cells) + np.int16(1)
        causes[given] = 0
        free, n = cells.size - given.size, puzzle.n
        state = NorvigState(
            puzzle, seed, 0, cells, cells.copy(), masks, causes.reshape(-1), np.zeros(n**3, dtype=np.int16),
            np.zeros(free, dtype=np.int16), np.zeros((free, at.FRAME), dtype=np.int32),
            np.zeros(at.COUNTS, dtype=np.int64), full_energy(puzzle, puzzle.givens))
        state.counts[at.UNIT] = -1
        state.counts[at.BEST] = state.energy
        state.counts[at.STATUS] = at.NO_SOLUTION if state.surplus else 0 if free else at.SOLVED
        return state

    def steps(self, state: NorvigState, params: NorvigParams) -> Iterator[tuple[Event, ...]]:
        board, tables = state.board, _tables(state.puzzle)
        while not state.counts[at.STATUS]:
            struck = int(state.counts[at.STRUCK])
            _, flags, _ = run(board, tables, _limits(state, params, 1, NEVER))
            state.step += 1
            yield tuple(_events(state, int(flags), struck))

    def advance(self, state: NorvigState, params: NorvigParams, n: int, stop: Stop = NEVER) -> Advanced:
        done, _, hit = run(state.board, _tables(state.puzzle), _limits(state, params, n, stop))
        state.step += int(done)
        over = bool(state.counts[at.STATUS])
        rare = (_done(state),) if over and done else ()
        return Advanced(int(done), "done" if over else "stop" if hit else "steps", rare)

    def outcome(self, state: NorvigState) -> Outcome | None:
        status = int(state.counts[at.STATUS])
        return Outcome(STATUSES[status], *self.best(state), _reason(state)) if status else None

    def best(self, state: NorvigState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), int(state.counts[at.BEST])

    def sample(self, state: NorvigState, params: NorvigParams) -> tuple[float, ...]:
        return float(state.energy), float(state.counts[at.DEPTH])

    def view(self, state: NorvigState, params: NorvigParams, events: tuple[Event, ...]) -> View:
        codes = state.causes.reshape(-1, state.puzzle.n) - np.int16(1)
        codes[state.cells != 0] = -1
        struck = tuple((each.cell, each.value) for each in events
                       if isinstance(each, Eliminated) and not state.cells[each.cell])
        pencils: dict[PencilRole, tuple[tuple[int, int], ...]] = {"struck": struck} if struck else {}
        return View(state.grid, _marks(state, events), tuple(state.masks.tolist()), _gauges(state),
                    {"strike": f"{len(struck)} struck"} if struck else {}, StackPanel("Guesses", _stack(state)),
                    pencils=pencils, units=_units(state) if events else (),
                    causes=cell_words(codes.ravel().tolist(), state.puzzle.n))

    def warm_up(self, puzzle: Puzzle | None = None, params: NorvigParams | None = None) -> None:
        chosen = self.make_params()
        self.advance(self.init(Puzzle((0,) * 16, 2), chosen, 0), chosen, 1)


def _tables(puzzle: Puzzle) -> at.Tables:
    return at.Tables(peer_table(puzzle), unit_cells(puzzle))


def _limits(state: NorvigState, params: NorvigParams, n: int, stop: Stop) -> NDArray[np.int64]:
    """What the compiled loop is to stop at; int64[5]."""
    flags = flags_of(stop, at.KINDS)
    left = steps_left(params.max_steps, state.step)
    wanted = -1 if stop.energy is None else stop.energy
    return np.array([n, left, flags, wanted, -1 if stop.cell is None else stop.cell], dtype=np.int64)


def _events(state: NorvigState, flags: int, before: int) -> Iterator[Event]:
    """The events of the step just made; `before` is how many candidates had been struck before it."""
    depth = int(state.counts[at.DEPTH])
    if flags & at.PLACED:
        yield _placed(state, flags)
        yield from _strikes(state, before)
    if flags & at.STUCK:
        yield Contradiction(state.step, "empty", _core(state), _emptiness(state))
    if flags & at.REMOVED:
        yield Retracted(state.step, "remove", int(state.frames[depth, at.CELL]), int(state.counts[at.TRIED]), depth)
    if flags & at.END:
        yield _done(state)


def _placed(state: NorvigState, flags: int) -> Assigned:
    cell = int(state.filled[state.counts[at.FILLED] - 1])
    value, depth, unit = int(state.cells[cell]), int(state.counts[at.DEPTH]), int(state.counts[at.UNIT])
    if flags & at.TRIAL:
        number = int(state.frames[depth - 1, at.MASK]).bit_count()
        reason = f"a guess among {number}" if flags & at.GUESS else f"the last of {number}"
        return Assigned(state.step, "guess", cell, value, reason, depth, bool(flags & at.GUESS))
    if unit >= 0:
        where = state.puzzle.geometry.units[unit].name
        return Assigned(state.step, "hidden_place", cell, value, f"hidden single in {where}", depth)
    return Assigned(state.step, "naked", cell, value, "naked single", depth)


def _strikes(state: NorvigState, before: int) -> Iterator[Eliminated]:
    """An event for each candidate struck in this step."""
    for code in state.struck[before:state.counts[at.STRUCK]].tolist():
        cell, value = code // state.puzzle.n, code % state.puzzle.n + 1
        cause = int(state.causes[code]) - 1
        reason = f"the cell holds {int(state.cells[cell])}" if cause == cell else "a peer holds it"
        yield Eliminated(state.step, "strike", cell, value, (cause,), reason)


def _core(state: NorvigState) -> tuple[int, ...]:
    """The cells that leave a cell without a candidate, or a unit without a place for a value."""
    n, where, value = state.puzzle.n, int(state.counts[at.WHERE]), int(state.counts[at.VALUE])
    if state.counts[at.DEAD] == at.A_CELL:
        cells: tuple[int, ...] = (where,)
        codes = [where * n + k for k in range(n)]
    else:
        cells = ()
        codes = [cell * n + value - 1 for cell in state.puzzle.geometry.units[where].cells]
    # A given has no candidates that could be struck: it stands for itself.
    holding = (int(state.causes[code]) - 1 if state.causes[code] else code // n for code in codes)
    return tuple(dict.fromkeys((*cells, *holding)))


def _emptiness(state: NorvigState) -> str:
    """What a contradiction is about, as a clause."""
    if state.counts[at.DEAD] == at.A_CELL:
        return f"{cell_name(int(state.counts[at.WHERE]), state.puzzle.n)} has no candidate left"
    unit = state.puzzle.geometry.units[int(state.counts[at.WHERE])]
    return f"{unit.name} has no place left for {int(state.counts[at.VALUE])}"


def _done(state: NorvigState) -> Done:
    status = STATUSES[int(state.counts[at.STATUS])]
    line = {"solved": "solved", "no_solution": "none"}.get(status, "budget")
    return Done(state.step, line, status, int(state.counts[at.BEST]), _reason(state))


def _reason(state: NorvigState) -> str:
    """Why the run ended, as a clause."""
    status = int(state.counts[at.STATUS])
    if status == at.SOLVED:
        return "every cell has its value" if state.step else "the givens leave no cell free"
    if status == at.GAVE_UP:
        return f"the budget of {text.count(state.step)} steps is spent"
    if state.surplus:
        return clash_reason(state.puzzle)
    return _emptiness(state) if state.counts[at.DEAD] else "every guess leads to a contradiction"


def _units(state: NorvigState) -> tuple[int, ...]:
    """The unit that the step is about."""
    if state.counts[at.DEAD] == at.A_UNIT:
        return (int(state.counts[at.WHERE]),)
    unit = int(state.counts[at.UNIT])
    return (unit,) if unit >= 0 else ()


def _marks(state: NorvigState, events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    marks: dict[Role, tuple[int, ...]] = {}
    for event in events:
        match event:
            case Assigned(cell=cell) | Retracted(cell=cell):
                marks["moved"] = (cell,)
            case Contradiction(cells=cells):
                marks["core"] = cells
    if state.surplus:
        marks["conflict"] = conflicts(state.puzzle, state.grid)
    return marks


def _stack(state: NorvigState) -> tuple[tuple[int, int, tuple[int, ...], tuple[int, ...]], ...]:
    """The guesses that stand, and the one whose value was just taken back."""
    depth, tried = int(state.counts[at.DEPTH]), int(state.counts[at.TRIED])
    frames = []
    for place, (cell, value, mask, *_) in enumerate(state.frames[:depth + bool(tried)].tolist()):
        fits, back = values_of(mask), place == depth
        here = fits.index(value)
        frames.append((cell, 0 if back else value, fits[:here + back], fits[here + 1:]))
    return tuple(frames)


def _gauges(state: NorvigState) -> tuple[Gauge, ...]:
    opened = int(np.count_nonzero(state.cells == 0))
    everything = max(1, opened * state.puzzle.n)
    left, free = state.energy - state.surplus, max(1, state.filled.size)
    return (
        Gauge("open", str(opened), opened / free),
        Gauge("cands", str(left), min(1.0, left / everything)),
        Gauge("depth", str(int(state.counts[at.DEPTH])), int(state.counts[at.DEPTH]) / free),
        Gauge("guesses", text.count(int(state.counts[at.NODES]))),
        Gauge("dead", text.count(int(state.counts[at.DEAD_ENDS]))),
    )



SOLVER = Norvig()
