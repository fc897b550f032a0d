"""`human`: the easiest human technique that finds anything, one finding a step.

The order is roughly that of Sukaku Explainer's ratings. A finding places values or eliminates candidates and never
guesses; the run gives up where no technique finds anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.energy import conflicts, full_energy
from engine.events import Contradiction, Done, Event, Status
from engine.events.because import reason
from engine.events.search import Found
from engine.params import About, Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import Outcome, Solver
from engine.solvers.exact.board import clash_reason
from engine.state import State
from engine.techniques.board import Board, members
from engine.techniques.finding import Finding, Technique
from engine.techniques.nets import forcing_nets
from engine.techniques.order import CHAINS, TECHNIQUES, apply, next_finding
from engine.view import Channel, Gauge, Line, ListPanel, PencilRole, Role, Sentence, View

OPEN, SOLVED, DEAD, STUCK = range(4)
NAMES = tuple(technique.name for technique in TECHNIQUES)
LISTED = 60
"""Findings listed in the panel."""


class HumanParams(Params, frozen=True):
    chains: Annotated[bool, About("", "also forcing chains, sets and nets")] = True
    uniqueness: Annotated[bool, About("", "also techniques that are valid only for a unique solution")] = True


@dataclass
class HumanState(State):
    cells: NDArray[np.int8]
    masks: NDArray[np.uint32]
    """Candidates of the open cells as bits, 0 for a filled cell: uint32[n*n]."""
    causes: NDArray[np.int16]
    """The cause of each elimination: 0 none, 1 + a cell, or -1 - the index of a technique: int16[n*n*n]."""
    said: list[str]
    """A line for each of the last findings, the newest last."""
    status: int
    assumed: bool
    """True if an elimination is valid only for a puzzle with exactly one solution."""
    surplus: int
    """The share of contradictory givens in E."""

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(self.cells.tolist())

    @property
    def energy(self) -> int:
        """Candidates of the open cells, 1 for an open cell without any, plus the share of clashing givens."""
        counts = [mask.bit_count() or 1 for mask, cell in zip(self.masks.tolist(), self.cells.tolist(), strict=True)
                  if not cell]
        return sum(counts) + self.surplus

    @property
    def open(self) -> int:
        return int(self.cells.size - np.count_nonzero(self.cells))


def board_of(state: HumanState) -> Board:
    """The Board of a state, for the techniques."""
    return Board(state.puzzle.box, state.puzzle.variant, state.cells.tolist(), state.masks.tolist())


class Human(Solver[HumanState, HumanParams]):
    name = "human"
    title = "Human techniques"
    family = "human"
    summary = ("Looks for named techniques, from singles to forcing nets, and applies the easiest that finds anything. "
               "It never guesses, and gives up where none of them finds more.")
    energy_counts = "candidates of the open cells, one for a cell that has none"
    references = (
        "N. Juillerat: Sukaku Explainer, a rating by named techniques, 2006",
        "B. Hobiger: HoDoKu, Solving Techniques, 2008",
    )
    program = (
        Line("start", "candidates ← what givens allow"),
        Line("easiest", "for technique, easiest first:"),
        Line("look", "  look for it on the board"),
        Line("found", "  found: place, strike"),
        Line("again", "    and begin again"),
        Line("dead", "  no candidates: contradiction"),
        Line("solved", "no cell open: solved"),
        Line("stuck", "nothing found: give up"),
    )
    Params = HumanParams
    presets: ClassVar = {"all": {}, "plain": {"chains": False}, "sound": {"uniqueness": False}}
    channels = (Channel("energy", "candidates", "energy"), Channel("solved", "solved", "share"))
    kinds = ("contradiction", "solved", "no_solution", "gave_up",
             *(name.lower().replace(" ", "_") for name in NAMES), "found", "eliminated", "assigned", "done")
    step_word = "finding"
    period_word = "finding"
    period_kind = "found"
    speed = 2.0
    interruptible = True
    gives = frozenset({"candidates", "panel"})
    mark_words: ClassVar = {
        "moved": "The cells that this step fills.", "reach": "The cells of the pattern that the technique found.",
        "core": "Cells that no value fits, or in which a value finds no place."}
    glossary: ClassVar = {technique.name: technique.means for technique in TECHNIQUES}

    def init(self, puzzle: Puzzle, params: HumanParams, seed: int) -> HumanState:
        """The givens, and for the other cells every candidate that no given rules out."""
        board = Board.of(puzzle)
        causes = np.zeros(puzzle.n**3, np.int16)
        for cell in members(board.open):
            for peer in puzzle.geometry.peers[cell]:
                if puzzle.givens[peer]:
                    at = cell * puzzle.n + puzzle.givens[peer] - 1
                    causes[at] = causes[at] or 1 + peer
        state = HumanState(puzzle, seed, 0, np.array(board.values, np.int8), np.array(board.masks, np.uint32), causes,
                           [], OPEN, False, full_energy(puzzle, puzzle.givens) if puzzle.clashes() else 0)
        state.status = _status(board)
        return state

    def steps(self, state: HumanState, params: HumanParams) -> Iterator[tuple[Event, ...]]:
        while not state.status:
            board = board_of(state)
            finding = next_finding(board, _techniques(params))
            state.step += 1
            events: list[Event] = []
            if finding is None:
                state.status = STUCK
            else:
                events.append(_found(state, finding))
                _apply(state, board, finding)
                state.status = _status(board)
            events += self._end(state, board)
            yield tuple(events)

    def _end(self, state: HumanState, board: Board) -> Iterator[Event]:
        found = board.contradiction() if state.status == DEAD else None
        if found:
            yield Contradiction(state.step, "dead", *found)
        outcome = self.outcome(state)
        if outcome:
            line = ("", "solved", "dead", "stuck")[state.status]
            yield Done(state.step, line, outcome.status, outcome.energy, outcome.reason)

    def because(self, event: Event, state: HumanState, params: HumanParams) -> Sentence:
        found = board_of(state).contradiction() if state.status == DEAD else None
        if found and isinstance(event, Done | Contradiction):
            follows = "there is not exactly one solution" if state.assumed else "no grid fits these givens"
            return reason("Since {dead}, " + follows + ".", dead=found[1])
        return super().because(event, state, params)

    def outcome(self, state: HumanState) -> Outcome | None:
        if not state.status:
            return None
        status, reason = _verdict(state)
        return Outcome(status, state.grid, state.energy, reason)

    def sample(self, state: HumanState, params: HumanParams) -> tuple[float, ...]:
        return float(state.energy), 1 - state.open / state.cells.size

    def warm_up(self, puzzle: Puzzle | None = None, params: HumanParams | None = None) -> None:
        """Compile the kernels of forcing nets, for any puzzle."""
        next(forcing_nets(Board.of(Puzzle((0,) * 16, 2))), None)

    def view(self, state: HumanState, params: HumanParams, events: tuple[Event, ...]) -> View:
        found = next((event for event in events if isinstance(event, Found)), None)
        marks: dict[Role, tuple[int, ...]] = {}
        pencils: dict[PencilRole, tuple[tuple[int, int], ...]] = {}
        masks = tuple(state.masks.tolist())
        if found:
            moved = tuple(cell for cell, _value in found.placed)
            marks = {"moved": moved, "reach": tuple(cell for cell in found.cells if cell not in moved)}
            support = tuple((cell, value) for cell in found.cells for value in found.values
                            if masks[cell] >> value - 1 & 1 and (cell, value) not in found.struck)
            pencils = {"struck": found.struck, "support": support}
        if state.status == DEAD:
            marks["core"] = board_of(state).dead_cells()
        if state.surplus:
            marks["conflict"] = conflicts(state.puzzle, state.grid)
        findings = ListPanel("Findings", _newest(state), about=(
            f"What was found and applied, the newest first, at most {LISTED}; earlier ones are in the earlier steps."))
        return View(state.grid, marks, masks, _gauges(state), _live(found), findings,
                    pencils=pencils, units=found.units if found else (), causes=_causes(state))


def _techniques(params: HumanParams) -> Sequence[Technique]:
    return tuple(each for each in TECHNIQUES
                 if (params.chains or each.name not in CHAINS) and (params.uniqueness or not each.assumes_one))


def _status(board: Board) -> int:
    if board.dead_cells():
        return DEAD
    return OPEN if board.open else SOLVED


def _found(state: HumanState, finding: Finding) -> Found:
    return Found(state.step, "found", finding.technique, finding.cells, finding.values, finding.struck, finding.placed,
                 finding.where, finding.units)


def _apply(state: HumanState, board: Board, finding: Finding) -> None:
    """Apply a finding to board and state, and store the cause of each elimination."""
    n, technique = state.puzzle.n, NAMES.index(finding.technique)
    for cell, value in finding.placed:
        for peer in members(board.where[value] & board.tables.peers[cell]):
            state.causes[peer * n + value - 1] = 1 + cell
        for bit in members(board.masks[cell] & ~(1 << value - 1)):
            state.causes[cell * n + bit] = 1 + cell
    for cell, value in finding.struck:
        state.causes[cell * n + value - 1] = -1 - technique
    apply(board, finding)
    state.cells[:], state.masks[:] = board.values, board.masks
    state.assumed = state.assumed or TECHNIQUES[technique].assumes_one
    state.said = [*state.said[1 - LISTED:], f"{finding.technique}  {finding.where}"]


def _verdict(state: HumanState) -> tuple[Status, str]:
    """The ending of the run, and its reason as a clause."""
    if state.status == SOLVED:
        return "solved", "every cell is placed" if state.step else "the givens leave no cell free"
    if state.status == STUCK:
        cells = "1 cell is open" if state.open == 1 else f"{state.open} cells are open"
        return "gave_up", f"the techniques find nothing more, {cells}"
    if state.assumed:
        return "gave_up", "a unique rectangle was used, but the puzzle does not have exactly one solution"
    if state.surplus:
        return "no_solution", clash_reason(state.puzzle)
    return "no_solution", "a cell or a value is left without a place"


def _newest(state: HumanState) -> tuple[str, ...]:
    earlier = ("earlier ones are in the earlier steps",) if state.step > LISTED == len(state.said) else ()
    return (*reversed(state.said), *earlier)


def _gauges(state: HumanState) -> tuple[Gauge, ...]:
    size = state.cells.size
    return (Gauge("solved", f"{size - state.open}", 1 - state.open / size),
            Gauge("open", str(state.open), state.open / size),
            Gauge("cands", text.count(state.energy - state.surplus)))


def _live(found: Found | None) -> dict[str, str]:
    return {"look": found.technique} if found else {}


def _causes(state: HumanState) -> tuple[str, ...]:
    n = state.puzzle.n
    words = {code: cell_name(code - 1, n) if code > 0 else NAMES[-1 - code] if code else ""
             for code in np.unique(state.causes).tolist()}
    return tuple(words[code] for code in state.causes.tolist())


SOLVER = Human()
