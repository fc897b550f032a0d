"""Hill climbing, the search that annealing improves on: it accepts no uphill move, and ends in a local minimum."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import structs

from engine.events import Event, Restarted, Scanned
from engine.params import About, Budget, Meta, Params
from engine.solver import Knob
from engine.solvers.annealing import parameters
from engine.solvers.annealing.acceptance import acceptance_threshold
from engine.solvers.annealing.annealer import ENERGY_CHANNELS, Annealer, begin_steps, cells_of
from engine.solvers.annealing.neighbourhood import best_move
from engine.solvers.annealing.parameters import RUNNING, LogRecord
from engine.solvers.annealing.rules import after_proposal, commit
from engine.solvers.annealing.state import AnnealState, board_of_state
from engine.solvers.annealing.workspace import Board
from engine.view import Channel, Line


class ClimbParams(Params, frozen=True):
    """Parameters of `hill-climb`; the defaults are strict random descent from one random grid."""

    neighbourhood: parameters.Neighbourhood = "row-swap"
    draw: parameters.Draw = "pairs"
    scan: Annotated[Literal["random", "steepest"], About(
        "", "test one random move a step, or scan the whole neighbourhood and take the best", live=False)
    ] = "random"
    accept: Annotated[Literal["strict", "sideways"], About(
        "", "accept only moves that lower E, or also those that leave it unchanged")] = "strict"
    patience: Annotated[int, Meta(ge=1, le=10**9), About(
        "steps", "stop after this many steps without a better grid", "N")] = 10_000
    restarts: parameters.Restarts = 0
    representation: parameters.Representation = "box"
    max_steps: Budget = 10**9


class HillClimb(Annealer[ClimbParams]):
    name = "hill-climb"
    title = "Hill climbing"
    kinds = ("best", "minimum", "restart", "improved", "equal", "rejected", "accepted", "swap", "scan", "solved",
             "gave_up", "done")
    other_steps = "or with scan = steepest all moves at once"
    summary = ("By default accepts only moves that lower E, so it ends in the first local minimum, in the median at E "
               "= 11 on four easy puzzles and 14 on three hard ones, and counts the neighbours there. Of these seven "
               "it solved one, with 6 of 20 seeds; 100 restarts help little.")
    references = ("S. Russell, P. Norvig: Artificial Intelligence: A Modern Approach, 4th ed., section 4.1",)
    program = (
        Line("start", "s ← random fill"),
        Line("propose", "repeat: draw a move (or best)"),
        Line("delta", "  ΔE ← E(moved s) − E(s)"),
        Line("accept", "  if ΔE < 0 (or = 0): accept"),
        Line("reject", "  else: reject"),
        Line("best", "  if E < best: best ← E"),
        Line("solved", "  if E = 0: return s"),
        Line("stuck", "  N idle, or none left: stuck"),
        Line("restart", "    if any left: restart"),
        Line("give_up", "all spent: return the best"),
    )
    Params = ClimbParams
    presets: ClassVar = {
        "default": {},
        "course": {"draw": "group"},
        "sideways": {"accept": "sideways"},
        "steepest": {"scan": "steepest"},
        "restarts": {"restarts": 100},
    }
    knobs: ClassVar[tuple[Knob, ...]] = ()
    channels = (*ENERGY_CHANNELS, Channel("acc", "accepted", "share", window="of all proposals"))
    glossary: ClassVar = {
        "stuck": "the steps since a better grid; after N of them the climb is over",
        "accept": "the share of all proposals accepted", "accepted": "the share of all proposals accepted",
    }
    period_word = ""
    period_kind = ""
    has_temperature = False

    def values(self, params: ClimbParams, n: int) -> Mapping[str, float]:
        return {
            "rule": parameters.STRICT if params.accept == "strict" else parameters.SIDEWAYS,
            "patience": params.patience, "steepest": int(params.scan == "steepest"),
            "grouped": params.draw == "group", "attempts": params.restarts + 1, "moves": 1, "levels": 1,
            "max_steps": params.max_steps,
        }

    def evaluations(self, state: AnnealState, params: ClimbParams) -> int:
        return state.step * self.most_evaluations(state, params)

    def most_evaluations(self, state: AnnealState, params: ClimbParams) -> int:
        return max(1, len(board_of_state(state).moves)) if params.scan == "steepest" else 1

    def steps(self, state: AnnealState, params: ClimbParams) -> Iterator[tuple[Event, ...]]:
        return self._scans(state, params) if params.scan == "steepest" else super().steps(state, params)

    def _scans(self, state: AnnealState, params: ClimbParams) -> Iterator[tuple[Event, ...]]:
        """The steps of steepest descent: each scans the whole neighbourhood."""
        workspace, log = begin_steps(state, self.config(state, params))
        while state.now["status"] == RUNNING:
            move, delta = best_move(workspace, log)
            accepted = acceptance_threshold(workspace.state, workspace.config, delta) > 0
            scanned = _scanned(state, workspace.board, (move, delta, accepted), log)
            commit(workspace, move, delta, accepted)
            after_proposal(workspace, log)
            state.sync()
            yield (scanned, *self.events_of(state, workspace.config, log))

    def judged(self, state: AnnealState, before: Callable[[], AnnealState], params: ClimbParams,
               events: tuple[Event, ...]) -> AnnealState | None:
        """The local minimum in which an attempt ended, before the next attempt began in the same step."""
        if not any(isinstance(event, Restarted) for event in events):
            return None
        state = before()
        last = structs.replace(params, restarts=int(state.now["attempt"]) - 1)  # so that no attempt follows
        next(self.steps(state, last))
        state.now["status"] = RUNNING
        return state

    def sample(self, state: AnnealState, params: ClimbParams) -> tuple[float, ...]:
        now = state.now
        share = float(now["total_accepted"] / now["step"]) if now["step"] else math.nan
        return float(now["energy"]), float(now["best"]), share


def _scanned(state: AnnealState, board: Board, proposal: tuple[int, int, bool], log: LogRecord) -> Scanned:
    """The event of a scan, before its best move is made; proposal = (move, ΔE, accepted)."""
    move, delta, accepted = proposal
    cells = cells_of(board, move)
    values = tuple(state.cells[list(cells)].tolist())
    return Scanned(state.step + 1, "accept" if accepted else "reject", cells, values, delta,
                   state.energy + delta * accepted, accepted, int(log["better"]), int(log["equal"]), int(log["worse"]))


SOLVER = HillClimb()
