"""What the player hands to the screen: one snapshot of a run, complete and immutable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from engine.events import Event, Status
from engine.params import Params, Value
from engine.run.breakpoints import Breakpoint
from engine.run.recipe import Change, Recipe
from engine.run.run import Run
from engine.solver import Outcome
from engine.view import Gauge, Sentence, View
from tui.i18n import GAP, _
from tui.playback.window import AT_FIRST, Window, total_for

RunState = Literal["COMPILING", "OPENING", "PAUSED", "RUNNING", "REWINDING", "SEARCHING", "SOLVED", "NO SOLUTION",
                   "GAVE UP", "UNKNOWN", "FAILED"]

ENDED: Mapping[Status, RunState] = {
    "solved": "SOLVED", "no_solution": "NO SOLUTION", "gave_up": "GAVE UP", "unknown": "UNKNOWN",
}

BUSY: frozenset[RunState] = frozenset({"COMPILING", "OPENING", "RUNNING", "REWINDING", "SEARCHING"})

MARKED = ("best", "reheat", "restart", "sweep", "doubled", "shifted", *get_args(Status))
"""The rare events that have a place in the event lane; how the run ended is one of them."""
FREQUENT = ("uphill", "contradiction", "unsat", "backjump")
"""Those that have one where single steps can be told apart."""

_TELLING = {
    "minimum": 10, "done": 9, "restart": 8, "doubled": 8, "reheat": 7, "sweep": 6, "shifted": 6, "calibrated": 6,
    "contradiction": 5, "unsat": 5, "generation": 4, "cooled": 3, "best": 2,
}


class History(Struct, frozen=True):
    """What the charts draw: samples of the solver's channels and the places of rare events."""

    steps: NDArray[np.int64]
    """int64[k], ascending."""
    values: NDArray[np.float64]
    """float64[k, channels]; nan where a channel had no value."""
    marks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Steps by event kind, each exact to within a bin of the run's index."""


class LogStep(Struct, frozen=True):
    """A step of the log: its events and what they say."""

    step: int
    events: tuple[Event, ...]
    sentences: tuple[Sentence, ...]
    changes: tuple[Change, ...] = ()
    """What was changed by hand after this step."""


class BranchSummary(Struct, frozen=True):
    """A branch, as the list of branches tells of it."""

    number: int
    began: int | None
    """The step after which it left another; None for the first run."""
    words: str
    """What was changed there."""
    recorded: int
    best: int
    """The best E so far."""
    status: Status | None
    """How it ended, if it did."""
    shown: bool
    """Whether it is the one on the screen."""


class Readout(Struct, frozen=True):
    """What changes at most a few times a second while running, so that it can be read."""

    log: tuple[LogStep, ...] = ()
    """The last steps up to the playhead, the newest first."""
    line: str | None = None
    """The line of the program that the playhead's step came to; None while it would change too fast to be read."""
    live: Mapping[str, str] = field(default_factory=dict)
    """Values beside the lines of the program, by line id."""
    gauges: tuple[Gauge, ...] = ()


class Snapshot(Struct, frozen=True):
    """A run as it stands at its playhead."""

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
    """What `events` say, one for one."""
    readout: Readout = Readout()
    charted: tuple[int, int] = (0, 0)
    """(playhead, recorded) when the charts were drawn last."""
    window: Window = AT_FIRST
    """What part of the run they show."""
    span: int | None = None
    """The steps that they are to show from the beginning; None: all that there are."""
    close: History | None = None
    """That part more closely, where `history` is too rough for it."""
    rival: History | None = None
    """What the charts draw beside it: the branch that this one is compared with."""
    outcome: Outcome | None = None
    """How the run ended, once its end has been recorded."""
    notice: Sentence | None = None
    """What the program itself has to say; it takes the place of the event's sentence."""
    recipe: Recipe | None = None
    """What determines the run, once it is there."""
    knobs: tuple[Value | None, ...] = ()
    """Where the solver's knobs stand."""
    breakpoints: tuple[Breakpoint, ...] = ()
    """Where playing halts."""
    branches: tuple[BranchSummary, ...] = ()
    """All runs of the session, this one among them."""
    individuals: int = 0
    """How many individuals there are to be picked."""
    opened: int | None = None
    """The individual that was put on the board by hand; `view` is of it."""

    @property
    def total(self) -> int:
        """The end of the time axis."""
        return total_for(self.recorded)

    @property
    def busy(self) -> bool:
        """Whether more snapshots will come without a key being pressed."""
        return self.state in BUSY


def most_telling(events: Sequence[Event]) -> int | None:
    """Which of a step's events stands for the step: the rarest, else the first. None when there are none."""
    ranks = [max((_TELLING.get(kind, 0) for kind in event.kinds), default=0) for event in events]
    return ranks.index(max(ranks)) if ranks else None


def headline(events: Sequence[Event], sentences: Sequence[Sentence]) -> Sentence | None:
    """The sentence of a step. A new best keeps the sentence of the move that led to it, under its own badge; that of a
    dead end goes on with what was taken back for it, that of a child with what annealing made of it."""
    place = most_telling(events)
    if place is None:
        return None
    told = sentences[place]
    if "best" in events[place].kinds and place > 0:
        told = Sentence(told.badge, sentences[0].template, sentences[0].fields)
    if "contradiction" in events[place].kinds:
        back = [sentence for event, sentence in zip(events, sentences, strict=True) if "retracted" in event.kinds]
        return _joined(told, back[0]) if back else told
    refined = [sentence for event, sentence in zip(events[1:], sentences[1:], strict=True) if "refined" in event.kinds]
    if refined and events[0].kinds[0] == "kept" and told.fields == sentences[0].fields:
        return _joined(told, Sentence("", _("annealed to E = {after}"), {"after": refined[0].fields["after"]}))
    return told


def _joined(first: Sentence, then: Sentence) -> Sentence:
    """Two sentences under the badge of the first; only that one where their fields have names in common."""
    if not first.fields.keys().isdisjoint(then.fields):
        return first
    return Sentence(first.badge, first.template + GAP + then.template, {**first.fields, **then.fields})


# What whoever makes a run is given to be watched by: a place to say how far it is, and whether to give up.


class Progress(Struct, frozen=True):
    """Somebody waits."""

    say: Callable[[Callable[[], Sentence]], None] = lambda notice: None
    """Takes what makes the sentence to show; it is asked only when it is time to show one."""
    cancelled: Callable[[], bool] = lambda: False


RunLoader = Callable[[Progress], tuple[Run, Sentence | None]]
"""Makes the run, which may take seconds (compiling, replaying), and may have something to say about it.
Raises BadInput."""
