"""The immutable state of a run that the player hands to the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.breakpoints import Breakpoint
from engine.events import Event, Status
from engine.params import Params, Value
from engine.run.recipe import Change, Recipe
from engine.solver import Outcome
from engine.view import Channel, Gauge, Sentence, View, population_in
from tui.i18n import GAP, _
from tui.playback.window import FIRST_WINDOW, Window, total_for

RunState = Literal["PREPARING", "OPENING", "PAUSED", "RUNNING", "REWINDING", "SEARCHING", "SOLVED", "NO SOLUTION",
                   "GAVE UP", "UNKNOWN", "FAILED"]

Tempo = Literal["slow", "watch", "fast"]
"""The parts that can be read while a run plays. `slow`, also when it does not play: everything. `watch`: the same, but
over SSH the log waits. `fast`: a summary, shares of the program lines, and rare events."""
SLOWEST_WATCH, FASTEST_WATCH = 3.0, 30.0
"""Steps per second above which a run is watched, and up to which."""

ENDED: Mapping[Status, RunState] = {
    "solved": "SOLVED", "no_solution": "NO SOLUTION", "gave_up": "GAVE UP", "unknown": "UNKNOWN",
}

BUSY: frozenset[RunState] = frozenset({"PREPARING", "OPENING", "RUNNING", "REWINDING", "SEARCHING"})

MARKED = ("best", "reheat", "restart", "sweep", "doubled", "shifted", *get_args(Status))
"""Kinds of rare events that are marked in the event lane, the end of the run among them."""
FREQUENT = ("uphill", "contradiction", "unsat", "backjump")
"""Kinds that are marked only where single steps are visible."""

_RANKS = {
    "minimum": 10, "done": 9, "restart": 8, "doubled": 8, "reheat": 7, "sweep": 6, "shifted": 6, "calibrated": 6,
    "filled": 6,
    "contradiction": 5, "unsat": 5, "generation": 4, "not_raised": 4,
    "cooled": 3, "best": 2, "passed": -1,
}
"""The rarer a kind of event, the higher; others have rank 0. A sweep of messages gives way to what follows from it."""
MOST_DIGITS = 6
"""Digits of the accepted moves and the moves of a plateau that fit beside its last move on 80 columns."""
AFTER_ENERGIES = 2
"""Pieces of the sentence of a child up to its E: on one row of 80 columns those after it may be cut."""


class History(Struct, frozen=True):
    """The data of the charts: samples of the solver's channels and the steps of rare events."""

    steps: NDArray[np.int64]
    """int64[k], ascending."""
    values: NDArray[np.float64]
    """float64[k, channels]; nan where a channel has no value."""
    marks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Steps by event kind, exact to within a bin of the run's index."""


class LogStep(Struct, frozen=True):
    """A step of the log: its events and their sentences."""

    step: int
    events: tuple[Event, ...]
    sentences: tuple[Sentence, ...]
    changes: tuple[Change, ...] = ()
    """Interventions after this step."""
    energies: tuple[int, int] | None = None
    """E before and after them, if they changed it."""


class BranchSummary(Struct, frozen=True):
    """A row of the list of branches."""

    number: int
    began: int | None
    """The step after which it left another branch; None for the original run."""
    words: str
    """The intervention there; for the original run that it is that, or the interventions made in it."""
    recorded: int
    best: int
    """The best E so far."""
    status: Status | None
    """The way it ended; None if it has not."""
    shown: bool
    """Whether it is the one on the screen."""


class Readout(Struct, frozen=True):
    """The texts of a step."""

    log: tuple[LogStep, ...] = ()
    """The last steps up to the playhead, newest first; at the tempo `fast` those with rare events."""
    log_waits: bool = False
    """Whether the log is one of earlier steps, because the run is too fast for it to be read."""
    line: str | None = None
    """Id of the program line of the playhead's step; None at the tempo `fast`."""
    live: Mapping[str, str] = field(default_factory=dict)
    """Values beside the program lines, by line id; none at the tempo `fast`."""
    gauges: tuple[Gauge, ...] = ()
    profile: Mapping[str, float] = field(default_factory=dict)
    """At the tempo `fast`: the share of the last steps that came to each program line, by line id."""
    summary: Sentence | None = None
    """At the tempo `fast`: the numbers of the playhead's step in one sentence, in place of that of its events."""
    because: Sentence | None = None
    """The reason of the step; none at the tempo `fast`."""


class Snapshot(Struct, frozen=True):
    """A run at its playhead."""

    playhead: int
    recorded: int
    state: RunState
    view: View
    params: Params
    speed: float
    """Steps per second; infinite when flat out."""
    history: History
    events: tuple[Event, ...] = ()
    """The events of the playhead's step."""
    sentences: tuple[Sentence, ...] = ()
    """The sentences of `events`, one for one."""
    readout: Readout = Readout()
    tempo: Tempo = "slow"
    charted: tuple[int, int] = (0, 0)
    """(playhead, recorded) when the charts were last refreshed."""
    sample: tuple[float, ...] = ()
    """One number for each channel, at the playhead."""
    window: Window = FIRST_WINDOW
    """The part of the run in the charts."""
    span: int | None = None
    """The width of the charts when the run is loaded, in steps; None: the whole run."""
    zoomed: History | None = None
    """The history of the window in detail, where `history` is too coarse for it."""
    rival: History | None = None
    """The history of the branch that this one is compared with."""
    rival_number: int | None = None
    """The number of that branch, if there are several others."""
    outcome: Outcome | None = None
    """The end of the run, once it is recorded."""
    notice: Sentence | None = None
    """A message of the program, shown in place of the event's sentence."""
    recipe: Recipe | None = None
    """The recipe of the run, once it is loaded."""
    knobs: tuple[Value | None, ...] = ()
    """The values of the solver's knobs."""
    breakpoints: tuple[Breakpoint, ...] = ()
    branches: tuple[BranchSummary, ...] = ()
    """All runs of the session, this one included."""
    can_undo: bool = False
    """The run has an intervention that can be undone."""
    individuals: int = 0
    """Number of individuals that can be opened."""
    returns: bool = False
    """The run gave up here, and `view` is of the best grid, which it returns, instead of the last one."""
    opened: int | None = None
    """The individual that the user has opened on the board, of which `view` is."""

    @property
    def total(self) -> int:
        """The end of the time axis."""
        return total_for(self.recorded)

    @property
    def busy(self) -> bool:
        """Whether more snapshots follow without a key press."""
        return self.state in BUSY


def tempo_at(speed: float) -> Tempo:
    """The tempo of playing at a speed in steps per second."""
    return "slow" if speed <= SLOWEST_WATCH else "watch" if speed <= FASTEST_WATCH else "fast"


def energy_gauges(view: View, channels: Sequence[Channel]) -> set[str]:
    """The labels of the gauges that have the E of the grid on the board."""
    labels = {channel.label for channel in channels if channel.role == "energy"}
    if population_in(view.panel) is not None:
        labels = {"E"}  # that of the individual on the board; the channel is the mean
    return labels.intersection(gauge.label for gauge in view.gauges)


def rarest(events: Sequence[Event]) -> int | None:
    """The place of the event that represents a step: the rarest, else the first. None if there are no events."""
    ranks = [max((_RANKS.get(kind, 0) for kind in event.kinds), default=0) for event in events]
    return ranks.index(max(ranks)) if ranks else None


def decisive(events: Sequence[Event]) -> Event | None:
    """The event whose reason is that of a step: the one of its headline; for a new best the move that led to it; for a
    child its annealing, if it has one."""
    place = rarest(events)
    if place is None:
        return None
    found = events[0] if "best" in events[place].kinds else events[place]
    refined = (event for event in events if "refined" in event.kinds)
    return next(refined, found) if "kept" in found.kinds else found


def headline(events: Sequence[Event], sentences: Sequence[Sentence], returns: bool = False) -> Sentence | None:
    """The sentence of a step; `returns`: that of the end of the run, which is its last event.

    A new best keeps the sentence of the move that led to it, under its own badge. To the end of a plateau is added an
    uphill move or a new best that the plateau ended with; to a dead end the retraction that followed, before the cells
    that caused it, which are marked on the board and may be many; to a child the result of its annealing.
    """
    place = rarest(events)
    if place is None or returns:
        return None if place is None else sentences[-1]
    sentence = sentences[place]
    if "best" in events[place].kinds and place > 0:
        sentence = replace(sentences[0], badge=sentence.badge)
    if "cooled" in events[place].kinds:
        return _with_last_move(sentence, events, sentences)
    if "contradiction" in events[place].kinds:
        back = [each for event, each in zip(events, sentences, strict=True) if "retracted" in event.kinds]
        if not back or not {"cell", "value"} <= back[0].fields.keys():
            return sentence
        undone = {"undone_cell": back[0].fields["cell"], "undone_value": back[0].fields["value"]}
        return _joined(sentence, Sentence("", _("then {undone_cell} = {undone_value} is taken back"), undone,
                                          _("{undone_cell} = {undone_value} undone")), 1)
    refined = [each for event, each in zip(events[1:], sentences[1:], strict=True) if "refined" in event.kinds]
    if refined and events[0].kinds[0] == "kept" and sentence.fields == sentences[0].fields:
        return _joined(sentence, Sentence("", _("annealed to E = {after}"), {"after": refined[0].fields["after"]},
                                          _("annealed {after}")), AFTER_ENERGIES)
    return sentence


def _with_last_move(ended: Sentence, events: Sequence[Event], sentences: Sequence[Sentence]) -> Sentence:
    """The sentence of the end of a plateau, with its last move if keys lead to that: a new best or an uphill move. In
    brief without the number of the plateau, and without that of accepted moves if it is long."""
    best = "best" in {kind for event in events for kind in event.kinds}
    if not {"before", "after"} <= sentences[0].fields.keys() or not (best or "uphill" in events[0].kinds):
        return ended
    fields = {"E_before": sentences[0].fields["before"], "E": sentences[0].fields["after"]}
    cooling, _plateau, accepted = ended.template.split(GAP)
    also = (_("new best E {E_before} → {E}"), _("best E {E_before} → {E}")) if best else (
        _("uphill E {E_before} → {E}"),) * 2
    few = len(ended.fields["accepted"] + ended.fields["moves"]) <= MOST_DIGITS
    return Sentence(ended.badge, GAP.join((ended.template, also[0])), {**ended.fields, **fields},
                    GAP.join((cooling, *(accepted,) * few, also[1])))


def _joined(first: Sentence, then: Sentence, place: int | None = None) -> Sentence:
    """Two sentences under the badge of the first, the second after that many pieces of it, None for all; only the first
    if their fields share a name."""
    if not first.fields.keys().isdisjoint(then.fields):
        return first
    return Sentence(first.badge, _with_piece(first.template, then.template, place), {**first.fields, **then.fields},
                    _with_piece(first.brief or first.template, then.brief, place))


def _with_piece(template: str, piece: str, place: int | None) -> str:
    pieces = template.split(GAP)
    place = len(pieces) if place is None else place
    return GAP.join((*pieces[:place], piece, *pieces[place:]))
