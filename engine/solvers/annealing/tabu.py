"""Tabu search: the best swap that is not forbidden, even uphill; what a swap undid is forbidden for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from engine import text
from engine.compiled.kernel import below, kernel, word_at
from engine.errors import ParameterError
from engine.events import Event, Scanned
from engine.events.explain import explain
from engine.params import About, Budget, Meta, Params
from engine.puzzle import SYMBOLS, Puzzle, cell_name
from engine.solver import NEVER, Advanced, Knob, Stop
from engine.solvers.annealing import parameters
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing import state as start
from engine.solvers.annealing import view as showing
from engine.solvers.annealing import view as telling
from engine.solvers.annealing.annealer import BUFFER, ENERGY_CHANNELS, Annealer, cells_of, make_frame
from engine.solvers.annealing.cooling import restart
from engine.solvers.annealing.kernel import close_record, count, crossed, halts, open_record, settle, verdict_bit
from engine.solvers.annealing.neighbourhood import REACH, UNREACHED, Frame, apply, neighbours, recount, weigh_all
from engine.solvers.annealing.parameters import GRID_BITS, HAPPENED, RARE, RESTART, RUNNING, SOLVED
from engine.solvers.annealing.state import AnnealState
from engine.view import Channel, Gauge, Line, Role, Sentence, TablePanel, View

# Tabu search, compiled: weigh every swap, take the best that is not forbidden, forbid what it undid. A swap of
# cells a and b with the values v and w is tabu while both a may not get w back and b may not get v back. It is made
# all the same if it leads below the lowest E of the attempt (aspiration). Ties are drawn from the step's word of
# the stream MOVE, the tenure from its next one.


ASPIRED, FORCED = 1, 2
"""How a move that is tabu came to be made: it leads below the lowest E; nothing else was left."""


@kernel
def tabu(until: Any, cells: Any, moves: Any, move: Any, step: Any) -> Any:
    """Whether a swap would bring both of its cells a value that is still forbidden to them at this step."""
    a, b = moves[move, 0], moves[move, 1]
    return until[a, cells[b]] >= step and until[b, cells[a]] >= step


@kernel
def choose(f: Any, until: Any, changes: Any, h: Any) -> Any:
    """(move, ΔE, 0 or ASPIRED or FORCED, moves that are tabu) of the next step; `changes` (int8[m]) gets every ΔE,
    h counts the neighbours."""
    s, cells, moves = f.s, f.cells, f.board.moves
    step = s.step + 1
    weigh_all(f, changes)
    h.better, h.equal, h.worse = neighbours(changes)
    least: Any = np.int64(UNREACHED)
    ties, forbidden = 0, 0
    for move in range(len(changes)):
        change = np.int64(changes[move])
        banned = tabu(until, cells, moves, move, step)
        forbidden += banned
        if (not banned or s.energy + change < s.lowest) and change <= least:
            ties = 1 if change < least else ties + 1
            least = change
    word = word_at(f.keys.move, np.uint64(step), np.uint64(0))
    if ties == 0:
        drawn = np.int64(below(word, np.uint64(len(changes))))
        return drawn, np.int64(changes[drawn]), FORCED, forbidden
    left = np.int64(below(word, np.uint64(ties)))
    for move in range(len(changes)):
        banned = tabu(until, cells, moves, move, step)
        if changes[move] == least and (not banned or s.energy + least < s.lowest):
            if left == 0:
                return np.int64(move), least, ASPIRED if banned else 0, forbidden
            left -= 1
    return np.int64(0), least, 0, forbidden


@kernel
def tenure(f: Any, rule: Any, energy: Any) -> Any:
    """Steps for which the values just left are forbidden; rule = (fixed, drawn, per conflict)."""
    word = word_at(f.keys.move, np.uint64(f.s.step + 1), np.uint64(1))
    return np.int64(rule[0]) + np.int64(below(word, np.uint64(rule[1] + 1))) + np.int64(rule[2] * np.float64(energy))


@kernel
def make(f: Any, until: Any, chosen: Any, term: Any, h: Any) -> Any:
    """Make the chosen move, forbid what it undid for `term` steps, apply the rules; the bits of what happened."""
    move, change = chosen[0], chosen[1]
    s, moves, cells = f.s, f.board.moves, f.cells
    a, b = moves[move, 0], moves[move, 1]
    until[a, cells[a]] = s.step + 1 + term
    until[b, cells[b]] = s.step + 1 + term
    s.before = s.energy
    apply(f, move)
    energy = s.energy + change
    count(s, f.c, 1, (np.int64(1), np.int64(change > 0), energy), energy)
    bits = _turn(s, f.c, h)
    if bits & GRID_BITS:
        bits = settle(f, h)
    if bits & RESTART:
        until[:, :] = 0
    return bits


@kernel
def _turn(s: Any, c: Any, h: Any) -> Any:
    """The rules after a move: a new best, the end of the patience, the end of the budget."""
    open_record(s, h)
    if s.energy < s.lowest:
        s.lowest = s.energy
        s.since_better = 0
    if s.energy == 0:
        s.status = SOLVED
    elif s.since_better >= c.patience:
        restart(s, c, h)
    close_record(s, c, h)
    return h.bits


@kernel
def run(arrays: Any, records: Any, board: Any, keys: Any, rule: Any, n: int) -> Any:
    """Up to n steps, in place; (rare records written, whether the stop was hit).

    arrays = (grids, scalars, until), records = (config, watch, happened); rule = (fixed, drawn, per conflict, 1 to
    halt at an aspiration).
    """
    grids, s, until, c, w, happened = arrays[0], arrays[1][0], arrays[2], records[0][0], records[1][0], records[2]
    f = Frame(grids, grids[0], s, c, w, board, keys, np.zeros(board.size, np.uint8),
              np.zeros(2 * REACH + 1, np.uint64))
    recount(f)
    changes = np.empty(len(board.moves), np.int8)
    last, halted = s.step + n, False
    written: Any = 0
    while s.step < last and s.status == RUNNING and written < len(happened) and not halted:
        h = happened[written]
        chosen = choose(f, until, changes, h)
        term = tenure(f, rule, s.energy + chosen[1])
        bits = make(f, until, chosen, term, h)
        halted = (halts(w, board.moves, np.uint64(chosen[0]), verdict_bit(chosen[1], True))
                  or (bits & w.happened) != 0 or crossed(w, s.before, s.energy)
                  or (rule[3] > 0.0 and chosen[2] == ASPIRED))
        written += np.int64((bits & RARE) != 0)
    return written, halted


TENURE, DRAWN, PER_CONFLICT = 2, 9, 0.6
LISTED = 60
"""Lines of the tabu list that are shown at most."""


class TabuParams(Params, frozen=True):
    """The tenure is that of Galinier & Hao's colouring of graphs: a part that is drawn, and a share of E."""

    representation: Annotated[Literal["box", "row"], About(
        "", "which units are kept as permutations: a move is a swap inside one of them", live=False)] = "box"
    tenure: Annotated[int, Meta(ge=0, le=10**6), About(
        "steps", "a value that a cell has left may not come back for so long, ...")] = TENURE
    drawn: Annotated[int, Meta(ge=0, le=10**6), About("steps", "... and for 0 to so many more, ...")] = DRAWN
    per_conflict: Annotated[float, Meta(ge=0, le=1000), About("steps", "... and for so many more a unit of E")] = (
        PER_CONFLICT)
    patience: Annotated[int, Meta(ge=1, le=10**9), About(
        "steps", "restart after so many steps without a lower E in this attempt")] = 50_000
    restarts: parameters.Restarts = 1000
    max_steps: Budget = 10**9


class TabuMoved(Scanned, frozen=True, tag="tabu"):
    """The whole neighbourhood was weighed and the best move that is allowed was made."""

    forbidden: int
    """Moves that were tabu."""
    tenure: int
    """Steps for which the values that were left may not come back."""
    aspired: bool
    """It was tabu, and made because it leads lower than the attempt has been."""
    forced: bool
    """Every move was tabu: this one was drawn."""

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
    why = "best of {allowed} allowed, {tabu} tabu"
    if event.aspired:
        badge, why = "ASPIRATION", "tabu, but lower than ever in this attempt"
    elif event.forced:
        why = "all {tabu} are tabu: drawn"
    return Sentence(badge, "swap {cells}   ΔE = {delta}   " + why + "   tenure {tenure}   E {before} → {E}", fields)


@dataclass
class TabuState(AnnealState):
    """An AnnealState and the tabu list."""

    until: npt.NDArray[np.int64]
    """int64[n*n, n + 1]: value v may not come back to a cell before the step after until[cell, v]."""


class Tabu(Annealer[TabuParams]):
    name = "tabu"
    title = "Tabu search"
    kinds = ("uphill", "best", "aspiration", "restart", "improved", "equal", "accepted", "scan", "solved", "gave_up",
             "done")
    summary = ("Weighs every swap and makes the best, even if it is uphill; what was undone may not come back for some "
               "steps, so that it climbs out of a local minimum instead of falling back. Solved four easy puzzles "
               "(median some 200 moves) and three hard ones (160 000) with 20 of 20 seeds; it can prove nothing.")
    references = ("F. Glover: Tabu search, part I. ORSA Journal on Computing 1, 1989",
                  "P. Galinier, J.-K. Hao: Hybrid evolutionary algorithms for graph coloring. J. Comb. Optim. 3, 1999")
    program = (
        Line("start", "s ← random fill, list ← ∅"),
        Line("scan", "repeat: weigh every swap of s"),
        Line("accept", "  make the best allowed one,"),
        Line("uphill", "  even if ΔE > 0"),
        Line("aspire", "  (a tabu one, if E < lowest)"),
        Line("forbid", "  old values: tabu for a while"),
        Line("best", "  if E < best: best ← E"),
        Line("solved", "  if E = 0: return s"),
        Line("restart", "  patience over: restart"),
        Line("give_up", "all spent: return the best"),
    )
    Params = TabuParams
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {},
        "short": {"tenure": 0, "drawn": 0, "per_conflict": 0.0},
        "long": {"tenure": 20, "drawn": 20},
        "rows": {"representation": "row"},
    }
    knobs: ClassVar[tuple[Knob, ...]] = ()
    channels = (*ENERGY_CHANNELS, Channel("tabu", "tabu", "share"))
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
        return {"judge": codes.METROPOLIS, "patience": params.patience, "attempts": params.restarts + 1, "moves": 1,
                "levels": 1, "max_steps": params.max_steps}

    def jumps(self, params: TabuParams) -> frozenset[str]:
        return frozenset({"uphill", "best"} | ({"restart"} if params.restarts else set()))

    def init(self, puzzle: Puzzle, params: TabuParams, seed: int) -> TabuState:
        """A random state that respects the givens. Raises PuzzleError if givens contradict each other, ParameterError
        if the tenure is beyond the neighbourhood."""
        made = super().init(puzzle, params, seed)
        _check_tenure(made, params.tenure)
        known = {field.name: getattr(made, field.name) for field in fields(AnnealState)}
        return TabuState(**known, until=np.zeros((puzzle.n**2, puzzle.n + 1), np.int64))

    def intervene(self, state: AnnealState, params: TabuParams, name: str, value: object) -> TabuParams:
        changed = super().intervene(state, params, name, value)
        _check_tenure(state, changed.tenure)
        return changed

    def evaluations(self, state: AnnealState, params: TabuParams) -> int:
        return state.step * self.most_evaluations(state, params)

    def most_evaluations(self, state: AnnealState, params: TabuParams) -> int:
        return max(1, len(start.board_of_state(state).moves))

    def steps(self, state: AnnealState, params: TabuParams) -> Iterator[tuple[Event, ...]]:
        frame, until = make_frame(state, self.config(state, params)), _until(state)
        changes, happened = np.empty(len(frame.board.moves), np.int8), np.zeros(1, HAPPENED)
        while state.now["status"] == RUNNING:
            chosen = choose(frame, until, changes, happened[0])
            term = tenure(frame, _rule(params), int(frame.s["energy"]) + chosen[1])
            moved = _moved(state, frame, chosen, int(term), happened[0])
            make(frame, until, chosen, term, happened[0])
            state.sync()
            yield (moved, *self._happenings(happened[0], state, frame))

    def events(self, state: AnnealState, params: TabuParams, n: int) -> Iterator[tuple[Event, ...]]:
        steps = self.steps(state, params)
        for _ in range(n):
            made = next(steps, None)
            if made is None:
                return
            yield made

    def advance(self, state: AnnealState, params: TabuParams, n: int, stop: Stop = NEVER) -> Advanced:
        before, record, happened = state.step, self.config(state, params), np.zeros(BUFFER, HAPPENED)
        written, halted = 0, False
        if state.now["status"] == RUNNING:
            rule = (*_rule(params), 1.0 if "aspiration" in stop.kinds else 0.0)
            written, halted = run((state.grids, state.scalars, _until(state)),
                                  (record, codes.watch(stop, scans=True), happened), start.board_of_state(state),
                                  start.keys(state.seed), rule, n)
        state.sync()
        outcome = self.outcome(state)
        rare = [event for h in happened[:written]
                for event in telling.happenings(h, state, params.restarts + 1, outcome) if event.RARE]
        return Advanced(state.step - before, "done" if outcome else "stop" if halted else "steps", tuple(rare))

    def view(self, state: AnnealState, params: TabuParams, events: tuple[Event, ...]) -> View:
        left = (_until(state) - state.step).clip(min=0)
        cells, waits = state.grid, left.max(axis=1)
        marks: dict[Role, tuple[int, ...]] = showing.marks(state, cells, events)
        marks["tabu"] = tuple(cell for cell in np.flatnonzero(waits).tolist() if cell not in marks.get("moved", ()))
        longest = max(1, int(waits.max(initial=1)))
        heat = tuple(wait / longest if wait else float("nan") for wait in waits.tolist())
        record = self.config(state, params)[0]
        live = {"best": str(state.now["best"]), "restart": text.count(int(state.now["since_better"]))}
        for event in events:
            if isinstance(event, TabuMoved):
                live |= {"scan": f"{event.better + event.equal + event.worse} swaps",
                         "accept": f"ΔE = {text.signed(event.delta)}", "forbid": f"{event.tenure} steps"}
        share, waited = self.sample(state, params)[2], int(state.now["since_better"])
        gauges = (Gauge("tabu", text.share(share), share),
                  Gauge("stuck", text.count(waited), min(1.0, waited / params.patience)),
                  *showing.energy_gauges(state), *showing.attempt_gauge(state, record))
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


def _until(state: AnnealState) -> npt.NDArray[np.int64]:
    assert isinstance(state, TabuState)
    return state.until


def _rule(params: TabuParams) -> tuple[float, float, float]:
    return float(params.tenure), float(params.drawn), params.per_conflict


def _check_tenure(state: AnnealState, tenure: int) -> None:
    """Raises ParameterError for a tenure that would forbid the whole neighbourhood."""
    moves = len(start.board_of_state(state).moves)
    if moves and tenure > max(moves, TENURE):
        raise ParameterError(f"tenure = {tenure}: expected at most {max(moves, TENURE)}, the moves of the "
                             f"neighbourhood of this puzzle")


def _moved(state: AnnealState, frame: Any, chosen: tuple[int, int, int, int], term: int, h: Any) -> TabuMoved:
    """The event of a move that is chosen and not yet made."""
    move, change, how, forbidden = (int(each) for each in chosen)
    cells = cells_of(frame.board, move)
    line = "aspire" if how == ASPIRED else "uphill" if change > 0 else "accept"
    return TabuMoved(state.step + 1, line, cells, tuple(state.cells[list(cells)].tolist()), change,
                     state.energy + change, True, int(h["better"]), int(h["equal"]), int(h["worse"]), forbidden, term,
                     how == ASPIRED, how == FORCED)


def _panel(left: npt.NDArray[np.int64], n: int) -> TablePanel:
    """The tabu list, what is forbidden for longest first; `left` is int64[n*n, n + 1], steps."""
    held = sorted(zip(*(each.tolist() for each in np.nonzero(left)), strict=True), key=lambda at: -int(left[at]))
    rows = tuple((cell_name(cell, n), f"≠ {SYMBOLS[value]}", str(left[cell, value])) for cell, value in held[:LISTED])
    return TablePanel("Tabu list", ("cell", "value", "steps left"), rows)


SOLVER = Tabu()
