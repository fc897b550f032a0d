"""Hill climbing, the search that annealing improves on: it only ever goes down, and shows where that ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from engine.events import Event, Scanned
from engine.params import About, Budget, Meta, Params
from engine.solver import Knob
from engine.solvers.annealing import parameters
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.annealer import ENERGY_CHANNELS, Annealer, cells_of, make_frame
from engine.solvers.annealing.kernel import after_proposal, book
from engine.solvers.annealing.neighbourhood import best_move, limit
from engine.solvers.annealing.parameters import HAPPENED, RUNNING
from engine.solvers.annealing.state import AnnealState, board_of_state
from engine.view import Channel, Line


class ClimbParams(Params, frozen=True):
    """Strict random descent from one random state."""

    neighbourhood: parameters.Neighbourhood = "row-swap"
    scan: Annotated[Literal["random", "steepest"], About(
        "", "judge one random move a step, or weigh the whole neighbourhood and take the best", live=False)
    ] = "random"
    accept: Annotated[Literal["strict", "sideways"], About(
        "", "take only what makes E fall, or also what leaves it as it is")] = "strict"
    patience: Annotated[int, Meta(ge=1, le=10**9), About(
        "steps", "stop after so many steps without a better grid", "N")] = 10_000
    restarts: parameters.Restarts = 0
    representation: parameters.Representation = "box"
    max_steps: Budget = 10**9


class HillClimb(Annealer[ClimbParams]):
    name = "hill-climb"
    title = "Hill climbing"
    kinds = ("best", "minimum", "restart", "improved", "equal", "rejected", "accepted", "swap", "scan", "solved",
             "gave_up", "done")
    summary = ("Only moves that lower E are made, so it ends in the first local minimum, in the median at E = 11 on "
               "easy puzzles and 14 on hard ones, and says how it looks there. Of seven puzzles it solved one, with "
               "6 of 20 seeds; 100 restarts hardly help.")
    references = ("S. Russell, P. Norvig: Artificial Intelligence: A Modern Approach, 4th ed., section 4.1",)
    program = (
        Line("start", "s ← random fill"),
        Line("propose", "repeat: draw a move (or best)"),
        Line("delta", "  ΔE ← E(moved s) − E(s)"),
        Line("accept", "  if ΔE < 0 (or = 0): accept"),
        Line("reject", "  else: reject"),
        Line("best", "  if E < best: best ← E"),
        Line("solved", "  if E = 0: return s"),
        Line("stuck", "  N steps idle: stuck"),
        Line("restart", "    if any left: restart"),
        Line("give_up", "all spent: return the best"),
    )
    Params = ClimbParams
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {},
        "sideways": {"accept": "sideways"},
        "steepest": {"scan": "steepest"},
        "restarts": {"restarts": 100},
    }
    knobs: ClassVar[tuple[Knob, ...]] = ()
    channels = (*ENERGY_CHANNELS, Channel("acc", "accepted", "share"))
    period_word = ""
    period_kind = ""
    has_temperature = False

    def values(self, params: ClimbParams, n: int) -> Mapping[str, float]:
        return {
            "judge": codes.STRICT if params.accept == "strict" else codes.SIDEWAYS, "patience": params.patience,
            "steepest": int(params.scan == "steepest"), "attempts": params.restarts + 1, "moves": 1, "levels": 1,
            "max_steps": params.max_steps,
        }

    def evaluations(self, state: AnnealState, params: ClimbParams) -> int:
        return state.step * self.most_evaluations(state, params)

    def most_evaluations(self, state: AnnealState, params: ClimbParams) -> int:
        return max(1, len(board_of_state(state).moves)) if params.scan == "steepest" else 1

    def steps(self, state: AnnealState, params: ClimbParams) -> Iterator[tuple[Event, ...]]:
        return self._scans(state, params) if params.scan == "steepest" else super().steps(state, params)

    def _scans(self, state: AnnealState, params: ClimbParams) -> Iterator[tuple[Event, ...]]:
        frame = make_frame(state, self.config(state, params))
        happened = np.zeros(1, HAPPENED)
        while state.now["status"] == RUNNING:
            move, change = best_move(frame, happened[0])
            taken = limit(frame.s, frame.c, change) > 0
            scanned = _scanned(state, frame, (move, change, taken), happened[0])
            book(frame, move, change, taken)
            after_proposal(frame, happened[0])
            state.sync()
            yield (scanned, *self._happenings(happened[0], state, frame))

    def sample(self, state: AnnealState, params: ClimbParams) -> tuple[float, ...]:
        now = state.now
        share = float(now["total_accepted"] / now["step"]) if now["step"] else math.nan
        return float(now["energy"]), float(now["best"]), share


def _scanned(state: AnnealState, frame: Any, judged: tuple[int, int, bool], h: Any) -> Scanned:
    """The event of a scan whose best move is judged and not yet made."""
    move, change, taken = judged
    cells = cells_of(frame.board, move)
    values = tuple(state.cells[list(cells)].tolist())
    return Scanned(state.step + 1, "accept" if taken else "reject", cells, values, change,
                   state.energy + change * taken, taken, int(h["better"]), int(h["equal"]), int(h["worse"]))


SOLVER = HillClimb()
