"""The annealer: one proposal a step, as a generator of events; and what the solvers of the family have in common.

`steps` makes single steps to be watched, `advance` runs the same loop compiled (`kernel`) for many steps at once,
and `events` decodes steps that the kernel has recorded (`replay`). Tests hold the three to the same events. A solver of
the family adds its parameters, their translation to a Config, and its pseudo-code.
"""

from __future__ import annotations

import functools
import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, TypeVar, cast

import numpy as np
from msgspec import structs

from engine import state as states
from engine.breakpoints import NEVER, Stop
from engine.errors import ParameterError
from engine.events import Cooled, Event, LocalMinimum, Reheated, Restarted, SwapJudged, Swept
from engine.events.because import reheated
from engine.events.explain import UNDRAWN
from engine.params import Params
from engine.puzzle import Puzzle, Variant, refuse_clashes
from engine.questions import Moment
from engine.questions.swaps import kinds_of
from engine.solver import Advanced, Knob, Outcome, Reason, Solver
from engine.solvers.annealing import because, kernel, laws, parameters, replay, view
from engine.solvers.annealing.acceptance import SCALE, acceptance_threshold, uses_chance
from engine.solvers.annealing.by_hand import MOVE, move_by_hand
from engine.solvers.annealing.energy_delta import delta
from engine.solvers.annealing.neighbourhood import UNREACHED, propose, scan
from engine.solvers.annealing.parameters import (
    CALIBRATE,
    NEIGHBOURHOODS,
    RUNNING,
    SEARCH,
    Config,
    LogRecord,
    Records,
    make_config,
    make_log,
    make_watch,
)
from engine.solvers.annealing.rules import after_proposal, commit
from engine.solvers.annealing.state import AnnealState, counted_units, first_attempt, new_state, workspace_of
from engine.solvers.annealing.workspace import NO_CELL, Board, Workspace, recount
from engine.view import Channel, Line, Sentence, View

P = TypeVar("P", bound=Params)

LOG_SIZE = 64
"""Steps with rare events that one call of the kernel can report."""

TEMPERATURE = Knob("T", "T", "the temperature of the next proposal; the schedule continues from there", 1e-4, 100.0)
ENERGY_CHANNELS = (Channel("E", "E", "energy"), Channel("best", "best", "best"))
ACCEPTED = Channel("acc", "accepted", "share", window="of the last plateau")
CHANNELS = (*ENERGY_CHANNELS, Channel("T", "T", "temperature", "log"), ACCEPTED)
LINEAR_CHANNELS = (*ENERGY_CHANNELS, Channel("T", "T", "temperature"), ACCEPTED)
"""For the linear schedule, which is a straight line on a linear axis."""
WITHOUT_FLOOR = {"  T ≤ T_min: restart": "  T constant: no floor",
                 "  T_min or spent: restart": "  reheats spent: restart",
                 "  after T = 0: T ← T₀, keep s": "  T constant: no floor"}
"""Lines of programs about the floor of T, and what they are where T is constant and comes to none."""
HELD = {"  T ≤ T_min: restart": "    but not below T_min",
        "  T_min or spent: restart": "  T_min: hold; spent: restart"}
"""The same where T is held at its floor, the first as the end of the line that cools."""


class Annealer(Solver[AnnealState, P]):
    """Base of the family: the loop of proposals, the kernel, the view."""

    family = "annealing"
    energy_counts = ("k − 1 for every value that occurs k > 1 times in a unit that moves can disturb: rows and "
                     "columns (box moves), columns and boxes (row moves) or all (extended), and diagonals")
    step_word = "proposal"
    period_word = "plateau"
    period_kind = "cooled"
    channels: ClassVar[tuple[Channel, ...]] = CHANNELS
    knobs: ClassVar[tuple[Knob, ...]] = (TEMPERATURE,)
    by_hand: ClassVar[tuple[str, ...]] = (MOVE,)
    kinds: ClassVar[tuple[str, ...]] = (
        "uphill", "best", "cooled", "restart", "improved", "equal", "rejected", "accepted", "swap", "solved",
        "gave_up", "done")
    checkpoint_stride = 4096
    has_temperature: ClassVar[bool] = True
    line_of_verdict: ClassVar[Mapping[str, str]] = view.LINE_OF_VERDICT
    """The pseudo-code line of each verdict; during a calibration it is `calibrate`."""

    # To be defined by a solver of the family.

    @abstractmethod
    def values(self, params: P, n: int) -> Mapping[str, float]:
        """The Config fields that these parameters give on an n x n board; the others are 0."""

    def layout(self, params: P) -> tuple[str, bool]:
        """(neighbourhood, True if boxes rather than rows are kept as permutations)."""
        neighbourhood: str = params.neighbourhood  # type: ignore[attr-defined]
        boxes = neighbourhood == "box-swap" or (
            neighbourhood == "conflict-swap" and params.representation == "box")  # type: ignore[attr-defined]
        return neighbourhood, boxes

    # The run.

    def init(self, puzzle: Puzzle, params: P, seed: int) -> AnnealState:
        """A random grid that respects the givens. Raises PuzzleError if givens contradict each other."""
        refuse_clashes(puzzle)
        neighbourhood, boxes = self.layout(params)
        state = new_state(puzzle, seed, NEIGHBOURHOODS.index(neighbourhood), boxes)
        config = self.config(state, params)
        state.now["phase"] = CALIBRATE if config["walk"] else SEARCH
        first_attempt(state, float(config["t0"]))
        return state

    def config(self, state: AnnealState, params: P) -> Config:
        return make_config(self.values(params, state.puzzle.n))

    def steps(self, state: AnnealState, params: P) -> Iterator[tuple[Event, ...]]:
        workspace, log = begin_steps(state, self.config(state, params))
        while state.now["status"] == RUNNING:
            move, draw = propose(workspace)
            change = delta(workspace, move)
            threshold = acceptance_threshold(workspace.state, workspace.config, change)
            accepted = draw < threshold
            event = self._judged(state, workspace, (move, change, accepted), (draw, threshold))
            commit(workspace, move, change, accepted)
            after_proposal(workspace, log)
            state.sync()
            yield (event, *self.events_of(state, workspace.config, log))

    def _judged(self, state: AnnealState, workspace: Workspace, proposal: tuple[int, int, bool],
                chance: tuple[int, int]) -> SwapJudged:
        """The event of a proposal, before it is made; proposal = (move, ΔE, accepted), chance = (draw, threshold)."""
        move, change, accepted = proposal
        cells = cells_of(workspace.board, move)
        values = tuple(state.cells[list(cells)].tolist())
        searching = state.now["phase"] == SEARCH
        T = float(state.now["temperature"]) if self.has_temperature and searching else None
        u = p = None
        if T is not None and uses_chance(int(workspace.config["rule"]), change, T):
            u, p = (each / SCALE for each in chance)
        line = self.line_of_verdict[view.verdict(change, accepted)] if searching else "calibrate"
        return SwapJudged(state.step + 1, line, cells, values, change, state.energy + change * accepted, accepted,
                          T, p, u)

    def events_of(self, state: AnnealState, config: Config, log: LogRecord) -> tuple[Event, ...]:
        """The events that followed a proposal."""
        return view.events_of(log, state, int(config["attempts"]), self.outcome(state))

    def advance(self, state: AnnealState, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        before, config, log = state.step, self.config(state, params), make_log(LOG_SIZE)
        written, halted = 0, False
        if state.now["status"] == RUNNING:
            watch = make_watch(stop, scans=bool(config["steepest"]))
            written, halted, _ = kernel.run(workspace_of(state, config, watch, log), n)
        return self._advanced(state, config, before, log[:written], halted)

    def _advanced(self, state: AnnealState, config: Config, before: int, log: Records, halted: bool) -> Advanced:
        """The result of `advance` from the step `before`, after a kernel has changed the state and written the log."""
        state.sync()
        rare = tuple(event for record in log for event in self.events_of(state, config, record) if event.RARE)
        reason: Reason = "done" if self.outcome(state) else "stop" if halted else "steps"
        return Advanced(state.step - before, reason, rare)

    def events(self, state: AnnealState, params: P, n: int) -> Iterator[tuple[Event, ...]]:
        return replay.events(self, state, params, n)

    def outcome(self, state: AnnealState) -> Outcome | None:
        return view.outcome_of(state)

    def best(self, state: AnnealState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best.tolist()), int(state.now["best"])

    # The knob, moves by hand and the live parameters.

    def intervene(self, state: AnnealState, params: P, name: str, value: object) -> P:
        if name == TEMPERATURE.name and self.has_temperature:
            set_temperature(state, value)
            return params
        if name == MOVE:
            move_by_hand(state, value)
            return params
        changed = super().intervene(state, params, name, value)
        if name == "schedule" and state.now["phase"] == SEARCH:
            _rebase(state, float(state.now["temperature"]))
        return changed

    # Display.

    @functools.cached_property
    def has_chance(self) -> bool:
        rule = make_config(self.values(self.make_params(), 9))["rule"]
        return self.has_temperature and uses_chance(int(rule), 1, 1.0)

    def channels_for(self, params: P) -> tuple[Channel, ...]:
        linear = self.has_temperature and getattr(params, "schedule", "") == "linear"
        return LINEAR_CHANNELS if linear else self.channels

    def program_for(self, params: P) -> tuple[Line, ...]:
        texts = self.texts_for(params)
        return tuple(Line(line.id, texts.get(line.id, line.text)) for line in self.program) if texts else self.program

    def texts_for(self, params: P) -> Mapping[str, str]:
        """The lines of the program that read otherwise with these parameters, by id."""
        schedule = getattr(params, "schedule", "")
        floor = WITHOUT_FLOOR if schedule == "constant" else HELD if getattr(params, "at_floor", "") == "hold" else {}
        texts = {line.id: floor[line.text] for line in self.program if line.text in floor}
        return texts | {"cool": "  after each move: T ← next(T)"} if schedule == "logarithmic" else texts

    def jumps(self, params: P) -> frozenset[str]:
        config = make_config(self.values(params, 9))
        sweeps = config["at_floor"] == parameters.AT_FLOOR_SWEEP and config["schedule"] != parameters.CONSTANT
        can = {"best": True, "uphill": self.has_temperature, "reheat": config["stagnation"] > 0, "sweep": sweeps,
               "minimum": config["patience"] > 0, "restart": config["attempts"] != 1 and view.can_restart(config)}
        return frozenset(kind for kind, possible in can.items() if possible)

    def view(self, state: AnnealState, params: P, events: tuple[Event, ...]) -> View:
        return view.view(state, self.config(state, params), events, self.has_temperature)

    def sample(self, state: AnnealState, params: P) -> tuple[float, ...]:
        now = state.now
        share = now["last_accepted"] / now["last_moves"] if now["last_moves"] else math.nan
        T = float(now["temperature"]) if now["phase"] == SEARCH else math.nan
        return float(now["energy"]), float(now["best"]), T, float(share)

    def explain(self, event: Event, n: int = 9) -> Sentence:
        sentence = super().explain(event, n)
        if isinstance(event, SwapJudged) and event.line == "calibrate":
            return structs.replace(sentence, template=sentence.template + "   a random walk takes every move",
                                   brief=sentence.template + "   random walk")
        if isinstance(event, SwapJudged) and not self.has_chance:
            fields = {name: value for name, value in sentence.fields.items() if name not in ("p", "u")}
            return Sentence(sentence.badge, sentence.template.replace(f"   {UNDRAWN}", ""), fields)
        return sentence

    def because(self, event: Event, state: AnnealState, params: P) -> Sentence:
        match event:
            case SwapJudged():
                judged = because.judged(event, self.config(state, params), self.program)
                return judged or super().because(event, state, params)
            case Cooled():
                config = self.config(state, params)
                started = float(config["t0"]) or float(state.now["calibrated"])
                return because.cooled(event, config, float(state.now["base"]), started)
            case Reheated():
                return reheated(event, start="the restart" if state.now["attempt"] > 1 else "the start")
            case LocalMinimum():
                config = self.config(state, params)
                goes_on = config["attempts"] == 0 or bool(state.now["attempt"] < config["attempts"])
                waited = int(state.now["since_better"])
                return because.local_minimum(event, config, goes_on, waited) or super().because(event, state, params)
            case Restarted():
                return because.restarted(event, self.config(state, params))
        return super().because(event, state, params)

    def because_in(self, event: Event, events: tuple[Event, ...], before: Callable[[], AnnealState],
                   state: AnnealState, params: P) -> Sentence:
        config = self.config(state, params)
        found: Sentence | None = None
        match event:
            case Cooled() if any(isinstance(other, Reheated | Restarted | Swept) for other in events):
                found = self.because(event, before(), params)  # T counts from another since
            case Reheated():
                found = because.reheated_in(event, before(), config)
            case Restarted():
                found = because.restarted_in(events, before, config)
            case Swept():
                found = because.swept_in(events, config)
        return found or super().because_in(event, events, before, state, params)

    def energy_counted(self, state: AnnealState, params: P) -> str:
        return f"k − 1 for every value that occurs k > 1 times in {kinds_of(counted_units(state), 'or')}"

    def moment(self, before: AnnealState, params: P, events: tuple[Event, ...]) -> Moment:
        config = self.config(before, params)
        return structs.replace(super().moment(before, params, events), counted=counted_units(before),
                               changes=lambda: changes_of(before, config), move=laws.moves(before),
                               verdict=laws.of_verdicts(config, self.program), law=laws.of_cooling(before, config),
                               floor=laws.floor(config),
                               knob=TEMPERATURE.name if self.has_temperature else "", by_hand=MOVE,
                               reheat=laws.of_reheats(before, config),
                               reheat_sets=bool(config["reheat_sets"]), start=laws.start_temperature(before, config))

    # Compiling ahead.

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        chosen = self.make_params() if params is None else params
        if puzzle is not None:
            self._warm_up(puzzle.box, puzzle.variant, chosen, NEVER)
            return
        for box in (2, 3):  # count tables, packed words
            for stop in (NEVER, Stop(energy=0)):
                self._warm_up(box, "classic", chosen, stop)
            for _ in self.events(self.init(Puzzle((0,) * box**4, box), chosen, 0), chosen, 200):
                pass

    def _warm_up(self, box: int, variant: Variant, params: P, stop: Stop) -> None:
        """Advance and step on an empty board, past the longest usual calibration."""
        state = self.init(Puzzle((0,) * box**4, box, variant), params, 0)
        for _ in range(2):
            self.advance(state, params, 200, stop)
        next(iter(self.steps(self.init(state.puzzle, params, 0), params)), None)


def begin_steps(state: AnnealState, config: Config) -> tuple[Workspace, LogRecord]:
    """A Workspace over the state, its count table filled, for steps made one by one; and the log of each step."""
    workspace = workspace_of(state, config)
    recount(workspace)
    return workspace, cast(LogRecord, workspace.log[0])


def cells_of(board: Board, move: int) -> tuple[int, ...]:
    """The two or three cells of a move."""
    return tuple(cell for cell in board.moves[move].tolist() if cell != NO_CELL)


def changes_of(state: AnnealState, config: Config) -> dict[frozenset[int], int]:
    """ΔE of every move that can be proposed, by its cells; of the two rotations of the same cells that with the lower.
    """
    workspace, _log = begin_steps(states.copy(state), config)
    moves = workspace.board.moves
    deltas = np.empty(len(moves), np.int8)
    scan(workspace, deltas)
    swaps, reached = moves[:, 2] == NO_CELL, deltas != UNREACHED
    pairs = moves[swaps & reached, :2].tolist()
    found: dict[frozenset[int], int] = dict(zip(map(frozenset, pairs), deltas[swaps & reached].tolist(), strict=True))
    rotated = ~swaps & reached
    for cells, change in zip(moves[rotated].tolist(), deltas[rotated].tolist(), strict=True):
        move = frozenset(cells)
        found[move] = min(change, found.get(move, change))
    return found


def set_temperature(state: AnnealState, value: object) -> None:
    """Set T; the schedule continues from there. Raises ParameterError for a bad value, or before the search begins."""
    low, high = TEMPERATURE.minimum, TEMPERATURE.maximum
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ParameterError(f"T = {value}: expected a number from {low:g} to {high:g}")
    if state.now["phase"] != SEARCH:
        raise ParameterError("T cannot be set yet: the search itself has not begun")
    _rebase(state, float(value))


def _rebase(state: AnnealState, T: float) -> None:
    """`cooling.rebase`, without compiled code."""
    now = state.now
    now["temperature"] = now["base"] = T
    now["base_step"], now["level"] = now["step"], 0
    if now["moves"] == 0:
        now["plateau_temperature"] = T
