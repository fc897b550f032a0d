"""Tabu search (Glover 1989): make the best swap that is not tabu, even uphill, then ban what it replaced for a while.

A swap of cells a and b with the values v and w is tabu while w is banned from a and v from b. One ban alone does not
make it tabu, so a banned value can return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from msgspec import structs

from engine import text
from engine.breakpoints import NEVER, Stop
from engine.compiled.kernel import below, kernel, word_at
from engine.events import Event, Restarted, Scanned
from engine.events.because import because, by_number, reason
from engine.events.explain import explain
from engine.params import About, Budget, Meta, Params
from engine.puzzle import Puzzle, cell_name
from engine.questions import Moment
from engine.questions.moment import ask
from engine.questions.tabu import about_a_tabu_move
from engine.solver import Advanced, Knob
from engine.solvers.annealing import parameters, view
from engine.solvers.annealing.annealer import ENERGY_CHANNELS, LOG_SIZE, Annealer, begin_steps, cells_of
from engine.solvers.annealing.energy_delta import apply
from engine.solvers.annealing.neighbourhood import UNREACHED, count_neighbours, scan
from engine.solvers.annealing.parameters import (
    GRID_EVENTS,
    RARE_EVENTS,
    RESTART,
    RUNNING,
    SOLVED,
    Config,
    LogRecord,
    SearchState,
    make_log,
    make_watch,
)
from engine.solvers.annealing.rules import (
    close_record,
    count_proposals,
    crosses,
    halts,
    open_record,
    restart,
    update_grids,
    verdict_bit,
)
from engine.solvers.annealing.state import AnnealState, board_of_state, workspace_of
from engine.solvers.annealing.workspace import Board, Cells, Deltas, Moves, Workspace, recount
from engine.view import Channel, Gauge, Line, Role, Sentence, TablePanel, View

Until = npt.NDArray[np.int64]
"""[n*n, n + 1]: the tabu list. Value v is banned from a cell before the step after until[cell, v]."""
Tenure = tuple[float, float, float]
"""(fixed part, largest random part, part a unit of E), in steps."""

ASPIRED, FORCED = 1, 2
"""Reasons for making a tabu move: it leads below the lowest E of the attempt; every move is tabu."""


@kernel
def is_tabu(until: Until, cells: Cells, moves: Moves, move: int, step: int) -> bool:
    """True if a swap would return to both of its cells a value that is still banned there at this step."""
    a, b = moves[move, 0], moves[move, 1]
    return bool(until[a, cells[b]] >= step and until[b, cells[a]] >= step)


@kernel
def choose(workspace: Workspace, until: Until, deltas: Deltas, log: LogRecord) -> tuple[int, int, int, int]:
    """(move, ΔE, 0 or ASPIRED or FORCED, number of tabu moves) of the next step.

    The best move that is not tabu, or that leads below the lowest E of the attempt (aspiration). Ties are broken, and a
    forced move is drawn, by the step's word of the stream MOVE. `deltas` gets every ΔE, `log` the counts.
    """
    state, cells, moves = workspace.state, workspace.cells, workspace.board.moves
    step = state.step + 1
    scan(workspace, deltas)
    log.better, log.equal, log.worse = count_neighbours(deltas)
    least = np.int64(UNREACHED)
    ties, forbidden = 0, 0
    for move in range(len(deltas)):
        delta = np.int64(deltas[move])
        tabu = is_tabu(until, cells, moves, move, step)
        forbidden += tabu
        if (not tabu or state.energy + delta < state.lowest) and delta <= least:
            ties = 1 if delta < least else ties + 1
            least = delta
    word = word_at(workspace.keys.move, np.uint64(step), np.uint64(0))
    if ties == 0:
        drawn = int(np.int64(below(word, np.uint64(len(deltas)))))
        return drawn, int(np.int64(deltas[drawn])), FORCED, forbidden
    left = np.int64(below(word, np.uint64(ties)))
    for move in range(len(deltas)):
        tabu = is_tabu(until, cells, moves, move, step)
        if deltas[move] == least and (not tabu or state.energy + least < state.lowest):
            if left == 0:
                return move, int(least), ASPIRED if tabu else 0, forbidden
            left -= 1
    return 0, int(least), 0, forbidden


@kernel
def draw_tenure(workspace: Workspace, tenure: Tenure, energy: int) -> int:
    """Steps for which the values just replaced are banned, with the step's second word of the stream MOVE."""
    word = word_at(workspace.keys.move, np.uint64(workspace.state.step + 1), np.uint64(1))
    drawn = np.int64(below(word, np.uint64(tenure[1] + 1)))
    return int(np.int64(tenure[0]) + drawn + np.int64(tenure[2] * np.float64(energy)))


@kernel
def make_tabu(workspace: Workspace, until: Until, chosen: tuple[int, int, int, int], term: int, log: LogRecord) -> int:
    """Make the chosen move, ban the values it replaced for `term` steps, apply the rules. Returns the events."""
    move, delta = chosen[0], chosen[1]
    state, moves, cells = workspace.state, workspace.board.moves, workspace.cells
    a, b = moves[move, 0], moves[move, 1]
    until[a, cells[a]] = state.step + 1 + term
    until[b, cells[b]] = state.step + 1 + term
    state.before = state.energy
    apply(workspace, move)
    energy = state.energy + delta
    count_proposals(state, workspace.config, 1, (1, int(delta > 0), energy), energy)
    events = _apply_rules(state, workspace.config, log)
    if events & GRID_EVENTS:
        events = update_grids(workspace, log)
    if events & RESTART:
        until[:, :] = 0
    return events


@kernel
def _apply_rules(state: SearchState, config: Config, log: LogRecord) -> int:
    """The rules after a move: a new best, the end of the patience, the end of the budget."""
    open_record(state, log)
    if state.energy < state.lowest:
        state.lowest = state.energy
        state.since_better = 0
    if state.energy == 0:
        state.status = SOLVED
    elif state.since_better >= config.patience:
        restart(state, config, log)
    close_record(state, config, log)
    return log.events


@kernel
def run(workspace: Workspace, until: Until, tenure: Tenure, halt_at_aspiration: bool, n: int) -> tuple[int, bool]:
    """Make up to n steps in place: (records written to the log, True if the breakpoint was hit)."""
    state, watch, moves = workspace.state, workspace.watch, workspace.board.moves
    recount(workspace)
    deltas = np.empty(len(moves), np.int8)
    last, halted = state.step + n, False
    written = 0
    while state.step < last and state.status == RUNNING and written < len(workspace.log) and not halted:
        log = workspace.log[written]
        chosen = choose(workspace, until, deltas, log)
        term = draw_tenure(workspace, tenure, state.energy + chosen[1])
        events = make_tabu(workspace, until, chosen, term, log)
        halted = (halts(watch, moves, np.uint64(chosen[0]), verdict_bit(chosen[1], True))
                  or (events & watch.events) != 0 or crosses(watch, state.before, state.energy)
                  or (halt_at_aspiration and chosen[2] == ASPIRED))
        written += int((events & RARE_EVENTS) != 0)
    return written, halted


TENURE, DRAWN, PER_CONFLICT = 2, 9, 0.6
LISTED = 60
"""Most lines of the tabu list that are shown."""


class TabuParams(Params, frozen=True):
    """Parameters of `tabu`. The tenure is that of Galinier & Hao's graph colouring: a random part and a share of E."""

    representation: Annotated[Literal["box", "row"], About(
        "", "which units are kept as permutations: a move is a swap inside one of them", live=False)] = "box"
    tenure: Annotated[int, Meta(ge=0, le=10**6), About(
        "steps", "a value that a swap replaced is banned from its cell for this long, at least")] = TENURE
    drawn: Annotated[int, Meta(ge=0, le=10**6), About(
        "steps", "added to a ban: a random number of steps up to this")] = DRAWN
    per_conflict: Annotated[float, Meta(ge=0, le=1000), About(
        "steps", "added to a ban: this many steps a unit of E; a swap is tabu if both its values are banned where they "
                 "would go")] = PER_CONFLICT
    patience: Annotated[int, Meta(ge=1, le=10**9), About(
        "steps", "restart after this many steps without a lower E in this attempt")] = 50_000
    restarts: parameters.Restarts = 1000
    max_steps: Budget = 10**9


class TabuMoved(Scanned, frozen=True, tag="tabu"):
    """The whole neighbourhood was scanned and the best move that is not tabu was made."""

    forbidden: int
    """Moves that were tabu."""
    tenure: int
    """Steps for which the values replaced are banned from their cells."""
    aspired: bool
    """It was tabu, but leads below the lowest E of the attempt."""
    forced: bool
    """Every move was tabu: this one was drawn at random."""

    @property
    def kinds(self) -> tuple[str, ...]:
        return (*super().kinds, "aspiration") if self.aspired else super().kinds


@explain.register
def _tabu_moved(event: TabuMoved, n: int = 9) -> Sentence:
    fields = {"cells": " ↔ ".join(cell_name(cell, n) for cell in event.cells),
              "delta": f"{text.signed(event.delta):>2}", "allowed": str(event.better + event.equal + event.worse
                                                                        - event.forbidden),
              "tabu": str(event.forbidden), "tenure": str(event.tenure), "before": str(event.energy - event.delta),
              "E": str(event.energy)}
    badge = {"improved": "IMPROVED", "equal": "EQUAL", "uphill": "ACCEPTED UPHILL"}[event.kinds[0]]
    why, briefly = "best of {allowed}, {tabu} tabu", "{tabu} tabu"
    if event.aspired:
        badge, why, briefly = "ASPIRATION", "tabu, but lower than ever in this attempt", "though tabu"
    elif event.forced:
        why, briefly = by_number(event.forbidden, "the only move, though tabu", "all {tabu} are tabu: drawn"), (
            by_number(event.forbidden, "though tabu", "all {tabu} tabu"))
    move, result = "swap {cells}   ΔE = {delta}   ", "   tenure {tenure}   E {before} → {E}"
    return Sentence(badge, move + why + result, fields, move + briefly + result)


@because.register
def _why_tabu(event: TabuMoved, n: int = 9) -> Sentence:
    if event.forced:
        return reason(by_number(event.forbidden, "The only move is tabu, and is made in spite of it.",
                                "All {tabu} moves are tabu, so one of them is drawn at random."), tabu=event.forbidden)
    if event.aspired:
        return reason("It is tabu, but it leads to the lowest E of this attempt, which lifts the ban.")
    allowed = event.better + event.equal + event.worse - event.forbidden
    if event.delta < 0:
        return reason(by_number(allowed, "Only this move is not tabu, and it lowers E.",
                                "Of {allowed} moves that are not tabu none lowers E more."), allowed=allowed)
    return reason(by_number(allowed, "Only this move is not tabu, so it is made although it does not lower E.",
                            "None of {allowed} moves that are not tabu lowers E, so the best of them is made."),
                  allowed=allowed)


ask.register(TabuMoved, about_a_tabu_move)


@dataclass
class TabuState(AnnealState):
    """An AnnealState and the tabu list."""

    until: Until


class Tabu(Annealer[TabuParams]):
    name = "tabu"
    title = "Tabu search"
    kinds = ("uphill", "best", "aspiration", "restart", "improved", "equal", "accepted", "scan", "solved", "gave_up",
             "done")
    summary = ("Scans every swap and makes the best, even uphill. A swap that would return both of its values to cells "
               "they left some steps ago is tabu, so that the search climbs out of a local minimum instead of falling "
               "back. Solved four easy puzzles (median some 140 moves) and three hard ones (some 83 000) with 20 of 20 "
               "seeds; it proves nothing.")
    references = ("F. Glover: Tabu search, part I. ORSA Journal on Computing 1, 1989",
                  "P. Galinier, J.-K. Hao: Hybrid evolutionary algorithms for graph coloring. J. Comb. Optim. 3, 1999")
    program = (
        Line("start", "s ← random fill; no bans yet"),
        Line("scan", "repeat: weigh every swap of s"),
        Line("accept", "  make best allowed, else any"),
        Line("uphill", "  even if ΔE > 0"),
        Line("aspire", "  (a tabu one, if E < lowest)"),
        Line("forbid", "  ban old values for a while"),
        Line("best", "  if E < best: best ← E"),
        Line("solved", "  if E = 0: return s"),
        Line("restart", "  patience over: restart"),
        Line("give_up", "all spent: return the best"),
    )
    Params = TabuParams
    presets: ClassVar = {
        "default": {},
        "short": {"tenure": 0, "drawn": 0, "per_conflict": 0.0},
        "long": {"tenure": 20, "drawn": 20},
        "rows": {"representation": "row"},
    }
    knobs: ClassVar[tuple[Knob, ...]] = ()
    channels = (*ENERGY_CHANNELS, Channel("tabu", "bans", "share"))
    glossary: ClassVar = {"stuck": "the steps since a lower E in this attempt; after enough of them it restarts, "
                                   "and has those that led to it then"}
    step_word = "move"
    period_word = ""
    period_kind = ""
    gives = frozenset({"panel"})
    checkpoint_stride = 64
    speed = 20.0
    has_temperature = False

    def layout(self, params: TabuParams) -> tuple[str, bool]:
        boxes = params.representation == "box"
        return "box-swap" if boxes else "row-swap", boxes

    def values(self, params: TabuParams, n: int) -> Mapping[str, float]:
        return {"patience": params.patience, "attempts": params.restarts + 1, "moves": 1, "levels": 1,
                "max_steps": params.max_steps}

    def jumps(self, params: TabuParams) -> frozenset[str]:
        return frozenset({"uphill", "best"} | ({"restart"} if params.restarts else set()))

    def init(self, puzzle: Puzzle, params: TabuParams, seed: int) -> TabuState:
        """A random state that respects the givens. Raises PuzzleError if givens contradict each other."""
        made = super().init(puzzle, params, seed)
        known = {field.name: getattr(made, field.name) for field in fields(AnnealState)}
        return TabuState(**known, until=np.zeros((puzzle.n**2, puzzle.n + 1), np.int64))

    def evaluations(self, state: AnnealState, params: TabuParams) -> int:
        return state.step * self.most_evaluations(state, params)

    def most_evaluations(self, state: AnnealState, params: TabuParams) -> int:
        return max(1, len(board_of_state(state).moves))

    def steps(self, state: AnnealState, params: TabuParams) -> Iterator[tuple[Event, ...]]:
        (workspace, log), until = begin_steps(state, self.config(state, params)), _until(state)
        deltas = np.empty(len(workspace.board.moves), np.int8)
        while state.now["status"] == RUNNING:
            chosen = choose(workspace, until, deltas, log)
            term = draw_tenure(workspace, _tenure(params), state.energy + chosen[1])
            event = _moved(state, workspace.board, chosen, int(term), log)
            make_tabu(workspace, until, chosen, term, log)
            state.sync()
            yield (event, *self.events_of(state, workspace.config, log))

    def events(self, state: AnnealState, params: TabuParams, n: int) -> Iterator[tuple[Event, ...]]:
        steps = self.steps(state, params)
        for _ in range(n):
            made = next(steps, None)
            if made is None:
                return
            yield made

    def advance(self, state: AnnealState, params: TabuParams, n: int, stop: Stop = NEVER) -> Advanced:
        before, config, log = state.step, self.config(state, params), make_log(LOG_SIZE)
        written, halted = 0, False
        if state.now["status"] == RUNNING:
            workspace = workspace_of(state, config, make_watch(stop, scans=True), log)
            written, halted = run(workspace, _until(state), _tenure(params), "aspiration" in stop.kinds, n)
        return self._advanced(state, config, before, log[:written], bool(halted))

    def moment(self, before: AnnealState, params: TabuParams, events: tuple[Event, ...]) -> Moment:
        return structs.replace(super().moment(before, params, events), bans=lambda: bans_of(before),
                               lowest=int(before.now["lowest"]))

    def view(self, state: AnnealState, params: TabuParams, events: tuple[Event, ...]) -> View:
        left = (_until(state) - state.step).clip(min=0)
        cells, waits = state.grid, left.max(axis=1)
        marks: dict[Role, tuple[int, ...]] = view.marks(state, cells, events)
        marks["tabu"] = tuple(np.flatnonzero(waits).tolist())
        longest = max(1, int(waits.max(initial=1)))
        heat = tuple(wait / longest if wait else float("nan") for wait in waits.tolist())
        config = self.config(state, params)
        restarts = any(isinstance(event, Restarted) for event in events)  # and the count of the new attempt begins at 0
        waited = params.patience if restarts else int(state.now["since_better"])
        live = {"best": str(state.now["best"]), "restart": text.count(waited)}
        for event in events:
            if isinstance(event, TabuMoved):
                live |= {"scan": f"{event.better + event.equal + event.worse} swaps",
                         "accept": f"ΔE = {text.signed(event.delta)}", "forbid": f"{event.tenure} steps"}
        share = self.sample(state, params)[2]
        gauges = (Gauge("bans", text.share(share), share),
                  Gauge("stuck", text.count(waited), min(1.0, waited / params.patience)),
                  *view.energy_gauges(state), *view.attempt_gauge(state, config))
        return View(cells, marks, gauges=gauges, live=live, panel=_panel(left, state.puzzle.n), heat=heat)

    def sample(self, state: AnnealState, params: TabuParams) -> tuple[float, ...]:
        free = max(1, int((state.fixed == 0).sum()))
        held = int((_until(state).max(axis=1) > state.step).sum())
        return float(state.now["energy"]), float(state.now["best"]), held / free

    def warm_up(self, puzzle: Puzzle | None = None, params: TabuParams | None = None) -> None:
        chosen = self.make_params() if params is None else params
        state = self.init(Puzzle((0,) * 16, 2) if puzzle is None else puzzle, chosen, 0)
        self.advance(state, chosen, 2)
        next(self.steps(state, chosen), None)


def bans_of(state: AnnealState) -> dict[frozenset[int], int]:
    """The tabu moves (`is_tabu`), by their cells: the number of steps, the next one included, for which each is."""
    until, cells = _until(state), state.cells
    first, second = board_of_state(state).moves[:, :2].T
    left = np.minimum(until[first, cells[second]], until[second, cells[first]]) - state.step
    held = np.flatnonzero(left > 0)
    return {frozenset((a, b)): steps for a, b, steps in
            zip(first[held].tolist(), second[held].tolist(), left[held].tolist(), strict=True)}


def _until(state: AnnealState) -> Until:
    assert isinstance(state, TabuState)
    return state.until


def _tenure(params: TabuParams) -> Tenure:
    return float(params.tenure), float(params.drawn), params.per_conflict


def _moved(state: AnnealState, board: Board, chosen: tuple[int, int, int, int], term: int,
           log: LogRecord) -> TabuMoved:
    """The event of the chosen move, before it is made."""
    move, delta, how, forbidden = (int(each) for each in chosen)
    cells = cells_of(board, move)
    line = "aspire" if how == ASPIRED else "uphill" if delta > 0 else "accept"
    return TabuMoved(state.step + 1, line, cells, tuple(state.cells[list(cells)].tolist()), delta,
                     state.energy + delta, True, int(log["better"]), int(log["equal"]), int(log["worse"]), forbidden,
                     term, how == ASPIRED, how == FORCED)


def _panel(left: npt.NDArray[np.int64], n: int) -> TablePanel:
    """The tabu list, longest ban first; `left` (int64[n*n, n + 1]) is the number of steps left."""
    held = sorted(zip(*(each.tolist() for each in np.nonzero(left)), strict=True), key=lambda at: -int(left[at]))
    rows = tuple((cell_name(cell, n), f"≠ {value}", text.count(int(left[cell, value])))
                 for cell, value in held[:LISTED])
    if len(held) > LISTED:
        rows = (*rows, (text.count(len(held) - LISTED), "more", f"≤ {rows[-1][2]}"))
    return TablePanel("Tabu list", ("cell", "value", "steps left"), rows,
                      about="The values that are banned from a cell, and for how many more steps. A swap is tabu only "
                            "if both of its values are banned where they would go. "
                            f"The {LISTED} longest bans are listed.")


SOLVER = Tabu()
