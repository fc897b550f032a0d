"""What every annealer does alike: proposals one by one, the kernel, the view.

A solver of the family adds its parameters, how they become a record of CONFIG, and its program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

import numpy as np

from engine.errors import ParameterError
from engine.events import Event, SwapJudged
from engine.params import Params
from engine.puzzle import Puzzle, Variant, refuse_clashes
from engine.solver import NEVER, Advanced, Knob, Outcome, Solver, Stop
from engine.solvers.annealing import kernel, packed_kernel, replay
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing import state as start
from engine.solvers.annealing import view as showing
from engine.solvers.annealing import view as telling
from engine.solvers.annealing.kernel import after_proposal, book
from engine.solvers.annealing.neighbourhood import NO_CELL, REACH, Frame, delta, limit, propose, recount
from engine.solvers.annealing.parameters import CALIBRATE, HAPPENED, RUNNING, SEARCH, Config
from engine.solvers.annealing.state import AnnealState
from engine.view import Channel, Sentence, View

P = TypeVar("P", bound=Params)

BUFFER = 64
"""Rare events that one call of a kernel may bring back."""

TEMPERATURE = Knob("T", "T", "the temperature of the next proposal; the schedule goes on from there", 1e-4, 100.0)
ENERGY_CHANNELS = (Channel("E", "E", "energy"), Channel("best", "best", "best"))
CHANNELS = (*ENERGY_CHANNELS, Channel("T", "T", "temperature", "log"), Channel("acc", "accepted", "share"))
LINEAR_CHANNELS = (*ENERGY_CHANNELS, Channel("T", "T", "temperature"), Channel("acc", "accepted", "share"))
"""For a schedule that goes down in equal steps: on a linear axis it is a straight line."""


class Annealer(Solver[AnnealState, P]):
    """The family's common part."""

    family = "annealing"
    energy_counts = ("k − 1 for every value that stands k > 1 times in a unit that moves do not keep right: rows and "
                     "columns for box moves, columns and boxes for row moves, all for extended ones")
    step_word = "proposal"
    period_word = "plateau"
    period_kind = "cooled"
    channels: ClassVar[tuple[Channel, ...]] = CHANNELS
    knobs: ClassVar[tuple[Knob, ...]] = (TEMPERATURE,)
    kinds: ClassVar[tuple[str, ...]] = (
        "uphill", "best", "cooled", "restart", "improved", "equal", "rejected", "accepted", "swap", "solved",
        "gave_up", "done")
    checkpoint_stride = 4096
    has_temperature: ClassVar[bool] = True
    line_of_verdict: ClassVar[Mapping[str, str]] = telling.LINE_OF_VERDICT
    """The pseudo-code line of each verdict; during a calibration it is `calibrate`."""

    # What a solver of the family says

    def values(self, params: P, n: int) -> Mapping[str, float]:
        """The fields of CONFIG that these parameters give on an n x n board."""
        raise TypeError(f"{self.name} does not say what its parameters mean")

    def layout(self, params: P) -> tuple[str, bool]:
        """(neighbourhood, whether boxes rather than rows are kept as permutations)."""
        neighbourhood: str = params.neighbourhood  # type: ignore[attr-defined]
        boxes = neighbourhood == "box-swap" or (
            neighbourhood == "conflict-swap" and params.representation == "box")  # type: ignore[attr-defined]
        return neighbourhood, boxes

    # The contract

    def channels_for(self, params: P) -> tuple[Channel, ...]:
        linear = self.has_temperature and getattr(params, "schedule", "") == "linear"
        return LINEAR_CHANNELS if linear else self.channels

    def init(self, puzzle: Puzzle, params: P, seed: int) -> AnnealState:
        """A random state that respects the givens. Raises PuzzleError if givens contradict each other."""
        refuse_clashes(puzzle)
        neighbourhood, boxes = self.layout(params)
        state = start.new_state(puzzle, seed, codes.NEIGHBOURHOODS.index(neighbourhood), boxes)
        record = self.config(state, params)[0]
        state.now["phase"] = CALIBRATE if record["walk"] else SEARCH
        start.first_attempt(state, float(record["t0"]))
        return state

    def jumps(self, params: P) -> frozenset[str]:
        means = codes.config(self.values(params, 9))[0]
        again = means["at_floor"] == codes.AT_FLOOR_RESTART or means["patience"] or means["max_reheats"]
        can = {"best": True, "uphill": self.has_temperature, "reheat": means["stagnation"] > 0,
               "sweep": means["at_floor"] == codes.AT_FLOOR_SWEEP, "restart": means["attempts"] != 1 and again,
               "minimum": means["patience"] > 0}
        return frozenset(kind for kind, possible in can.items() if possible)

    def config(self, state: AnnealState, params: P) -> Config:
        return codes.config(self.values(params, state.puzzle.n))

    def steps(self, state: AnnealState, params: P) -> Iterator[tuple[Event, ...]]:
        frame = make_frame(state, self.config(state, params))
        happened = np.zeros(1, HAPPENED)
        while state.now["status"] == RUNNING:
            move, draw = propose(frame)
            change = delta(frame, move)
            chance = limit(frame.s, frame.c, change)
            taken = draw < chance
            judged = self._judged(state, frame, (move, change, taken), (draw, chance))
            book(frame, move, change, taken)
            after_proposal(frame, happened[0])
            state.sync()
            yield (judged, *self._happenings(happened[0], state, frame))

    def _judged(self, state: AnnealState, frame: Any, judged: tuple[int, int, bool], drawn: tuple[int, int]) -> Event:
        """The event of a proposal that is judged and not yet made."""
        move, change, taken = judged
        cells = cells_of(frame.board, move)
        cooling = self.has_temperature and state.now["phase"] == SEARCH
        T = float(state.now["temperature"]) if cooling else None
        p = u = None
        if T is not None and telling.is_drawn(int(frame.c["judge"]), change, T):
            u, p = drawn[0] / 2**32, drawn[1] / 2**32
        verdict = "rejected" if not taken else "improved" if change < 0 else "equal" if change == 0 else "uphill"
        values = tuple(state.cells[list(cells)].tolist())
        line = "calibrate" if state.now["phase"] == CALIBRATE else self.line_of_verdict[verdict]
        return SwapJudged(state.step + 1, line, cells, values, change,
                          state.energy + change * taken, taken, T, p, u)

    def _happenings(self, h: Any, state: AnnealState, frame: Any) -> tuple[Event, ...]:
        return telling.happenings(h, state, int(frame.c["attempts"]), self.outcome(state))

    def advance(self, state: AnnealState, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        before, record = state.step, self.config(state, params)
        happened = np.zeros(BUFFER, HAPPENED)
        written, halted = self._run(state, (record, codes.watch(stop, scans=bool(record[0]["steepest"])), happened), n)
        state.sync()
        outcome = self.outcome(state)
        events = [event for h in happened[:written]
                  for event in telling.happenings(h, state, int(record[0]["attempts"]), outcome)]
        return Advanced(state.step - before, "done" if outcome else "stop" if halted else "steps",
                        tuple(event for event in events if event.RARE))

    def _run(self, state: AnnealState, records: tuple[Any, Any, Any], n: int) -> tuple[int, bool]:
        """Up to n steps by a kernel: (rare records written, whether the stop was hit)."""
        if state.now["status"] != RUNNING:
            return 0, False
        arrays, board = (state.grids, state.scalars), start.board_of_state(state)
        if packed_kernel.suits(state.puzzle, state.scalars, records[0]):
            layout = (board, packed_kernel.words_of(board, bool(state.now["boxes"])), start.keys(state.seed))
            written, halted, _ = packed_kernel.run(arrays, records, layout, packed_kernel.NO_LOG, n)
        else:
            written, halted = kernel.run(arrays, records, board, start.keys(state.seed), n)
        return int(written), bool(halted)

    def events(self, state: AnnealState, params: P, n: int) -> Iterator[tuple[Event, ...]]:
        return replay.events(self, state, params, n)

    def outcome(self, state: AnnealState) -> Outcome | None:
        return telling.outcome_of(state)

    def best(self, state: AnnealState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), int(state.now["best"])

    def view(self, state: AnnealState, params: P, events: tuple[Event, ...]) -> View:
        return showing.view(state, self.config(state, params)[0], events, self.has_temperature)

    def sample(self, state: AnnealState, params: P) -> tuple[float, ...]:
        now = state.now
        share = now["last_accepted"] / now["last_moves"] if now["last_moves"] else math.nan
        T = float(now["temperature"]) if now["phase"] == SEARCH else math.nan
        return float(now["energy"]), float(now["best"]), T, float(share)

    def intervene(self, state: AnnealState, params: P, name: str, value: object) -> P:
        if name == TEMPERATURE.name and self.has_temperature:
            set_temperature(state, value)
            return params
        changed = super().intervene(state, params, name, value)
        if name == "schedule" and state.now["phase"] == SEARCH:
            rebase(state, float(state.now["temperature"]))
        return changed

    def explain(self, event: Event, n: int = 9) -> Sentence:
        told = super().explain(event, n)
        if isinstance(event, SwapJudged) and event.line == "calibrate":
            return Sentence(told.badge, told.template + "   a random walk takes every move", told.fields)
        return told

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        chosen = self.make_params() if params is None else params
        if puzzle is not None:
            self._warm(puzzle.box, puzzle.variant, chosen, NEVER)
            return
        for box in (2, 3):  # either kernel
            for stop in (NEVER, Stop(energy=0)):
                self._warm(box, "classic", chosen, stop)
            for _ in self.events(self.init(Puzzle((0,) * box**4, box), chosen, 0), chosen, 200):
                pass

    def _warm(self, box: int, variant: Variant, params: P, stop: Stop) -> None:
        """Advance and step on an empty board: beyond the longest calibration that is usual, into the search."""
        state = self.init(Puzzle((0,) * box**4, box, variant), params, 0)
        for _ in range(2):
            self.advance(state, params, 200, stop)
        next(iter(self.steps(self.init(state.puzzle, params, 0), params)), None)


def cells_of(board: Any, move: int) -> tuple[int, ...]:
    """The two or three cells of a move."""
    return tuple(cell for cell in board.moves[move].tolist() if cell != NO_CELL)


def make_frame(state: AnnealState, config: Config) -> Any:
    """A Frame over the state itself, its count table filled, for calls of the primitives one by one."""
    board = start.board_of_state(state)
    frame = Frame(state.grids, state.cells, state.now, config[0], codes.watch(NEVER)[0], board, start.keys(state.seed),
                  np.zeros(board.size, np.uint8), np.zeros(2 * REACH + 1, np.uint64))
    recount(frame)
    return frame


def set_temperature(state: AnnealState, value: object) -> None:
    """Set T and let the schedule go on from it. Raises ParameterError for what is no temperature, or has no effect."""
    low, high = TEMPERATURE.minimum, TEMPERATURE.maximum
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ParameterError(f"T = {value}: expected a number from {low:g} to {high:g}")
    now = state.now
    if now["phase"] != SEARCH:
        raise ParameterError("T cannot be set yet: the search itself has not begun")
    rebase(state, float(value))


def rebase(state: AnnealState, T: float) -> None:
    """Let the schedule go on from T, as `rules.rebase` does."""
    now = state.now
    now["temperature"] = now["base"] = T
    now["base_step"], now["level"] = now["step"], 0
    if now["moves"] == 0:
        now["plateau_temperature"] = T
