"""Takes snapshots of a run, each part of them no more often than the eye can follow while it runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from engine.params import Value
from engine.run.run import Run
from engine.view import MOST_SHOWN, Sentence, View, population_in
from tui.playback.commands import Pace
from tui.playback.snapshot import (
    ENDED,
    MARKED,
    BranchSummary,
    History,
    LogStep,
    Readout,
    RunState,
    Snapshot,
    most_telling,
)
from tui.playback.window import Window, total_for
from tui.playback.zoom import ZoomWindow

LOG_STEPS = 16
REMEMBERED = 64
"""Steps before and after the playhead whose lines in the log are remembered."""
FPS = 10.0
TEXT_RATE = 2.0
"""Changes per second, while running, of what is to be read: log, program line, gauges."""
CHART_RATE = 1.0
FOLLOWED = 20.0
"""Steps a second up to which a population's board shows whomever each step is about. Beyond, nobody could follow that,
and it shows the best, who changes seldom."""
MOST_BY_HAND = 1000
"""So many interventions have a mark, the last ones."""

Clock = Callable[[], float]


class Charts(NamedTuple):
    """What a snapshot says of the timeline; the fields are the snapshot's."""

    history: History
    charted: tuple[int, int]
    window: Window
    close: History | None


class SnapshotBuilder:
    """Builds the snapshots of one run after another."""

    def __init__(self, clock: Clock, first: Snapshot) -> None:
        self.fps, self.text = FPS, TEXT_RATE
        self.charts = True
        self._clock = clock
        self._frame = self._texted = self._chart = -math.inf
        self._last = first
        self._run: Run | None = None
        """What the last snapshot is of."""
        self._zoom = ZoomWindow(clock)
        self._zoom.span = first.span
        self._asked = False
        self._logbook = Logbook()
        self._history_of: tuple[object, ...] = ()
        self.rival: Run | None = None
        """The branch that the present one is compared with; nobody goes on with it meanwhile."""
        self.branches: tuple[BranchSummary, ...] = ()
        """The runs of the session, as they are listed."""
        self.opened: tuple[Run, int, int] | None = None
        """(run, step, individual) that was put on the board by hand: it stays there until the next step."""
        self._rival_of: Run | None = None
        self._rival_history: History | None = None

    def pace(self, wanted: Pace) -> None:
        """Build snapshots, and refresh text and charts, this often while running."""
        self.fps, self.text, self.charts = max(wanted.fps, 0.5), wanted.text, wanted.charts

    def due(self) -> float:
        """Seconds until the next snapshot is wanted while running; 0 or less when it is."""
        return self._frame + 1 / self.fps - self._clock()

    def take(self, run: Run, state: RunState, speed: float, notice: Sentence | None = None) -> Snapshot:
        """The snapshot at the playhead. While it is running, its slow parts and charts may be those of before."""
        now = self._clock()
        running = state in ("RUNNING", "REWINDING")
        if state == "PAUSED" and run.at_end and run.outcome is not None:
            state = ENDED[run.outcome.status]
        opened, events = self._opened(run), run.events
        fast = running and speed > self.text
        early = fast and now - self._texted < 1 / self.text
        if early and opened is None and self._all_others(run):
            view = self._last.view
        else:
            place = opened if opened is not None or not running or speed <= FOLLOWED else _best(run)
            view = run.view() if place is None else run.solver.view_of(run.state, run.params, events, place)
        charts = self._charts(run, now, fast)
        readout = self._last.readout if early else self._slow(run, now, fast, view)
        self._frame, self._run = now, run
        self._last = Snapshot(run.playhead, run.recorded, state, view, run.params, speed, events=events,
                            sentences=run.sentences(), readout=readout, rival=self._rivals(), outcome=run.outcome,
                            notice=notice, recipe=run.recipe, knobs=_knobs(run),
                            breakpoints=tuple(run.breakpoints), branches=self.branches,
                            individuals=run.solver.individuals(run.state), opened=opened, **charts._asdict())
        return self._last

    def _all_others(self, run: Run) -> bool:
        """Whether a population has come so far since the last snapshot that everybody on the screen is somebody else.
        Whoever is the best is then another one at each look: the board and the panel are most of what a frame costs,
        and nobody could follow them. They change as often as what is to be read."""
        shown = min(run.solver.individuals(run.state), MOST_SHOWN)
        return 0 < shown < abs(run.playhead - self._last.playhead) and run is self._run

    def _opened(self, run: Run) -> int | None:
        if self.opened is None or self.opened[:2] != (run, run.playhead):
            self.opened = None
            return None
        place = self.opened[2]
        return place if 0 <= place < run.solver.individuals(run.state) else None

    def again(self, run: Run, state: RunState, notice: Sentence) -> Snapshot:
        """The last snapshot once more, with how far the run has come; the playhead stays where it was seen last."""
        self._frame = now = self._clock()
        charts = self._charts(run, now, fast=True)
        charts = charts._replace(charted=(self._last.playhead, charts.charted[1]))
        self._last = replace(self._last, recorded=run.recorded, state=state, notice=notice, **charts._asdict())
        return self._last

    def meanwhile(self, notice: Sentence) -> Snapshot:
        """The last snapshot once more, while the run is still being made."""
        self._frame = self._clock()
        self._last = replace(self._last, notice=notice)
        return self._last

    def waiting(self, notice: Sentence) -> Snapshot:
        """The last snapshot with a notice, while a step takes long. Changes nothing: any thread may take it."""
        return replace(self._last, state="RUNNING", notice=notice)

    def failed(self, notice: Sentence) -> Snapshot:
        """The last snapshot once more, when there is no run to go on with."""
        self._last = replace(self._last, state="FAILED", notice=notice)
        return self._last

    def _slow(self, run: Run, now: float, fast: bool, view: View) -> Readout:
        """What is to be read; `fast`: steps follow one another faster than they can be read."""
        self._texted = now
        place = None if fast else most_telling(run.events)
        line = None if place is None else run.events[place].line
        return Readout(self._logbook.read(run), line, view.live, view.gauges)

    # Charts

    def zoom(self, direction: int, run: Run) -> None:
        """The charts so many times twice as close, from the next snapshot on."""
        self._zoom.zoom(direction, run.recorded)
        self._asked = True

    @property
    def span(self) -> int | None:
        """The steps that the charts were chosen to show; None: all that there are."""
        return self._zoom.span

    @property
    def unfinished(self) -> bool:
        """Whether the charts would show more after a longer look."""
        return self._zoom.unfinished

    def study(self, seconds: float) -> None:
        """Look on for so long; the next snapshot that is not running shows what was seen."""
        self._zoom.study(seconds)

    def _charts(self, run: Run, now: float, fast: bool) -> Charts:
        """Samples and marks, and where the playhead is in them; those of before when it is too early to look again.
        A history is the same object as long as nothing was recorded."""
        last = self._last
        of = (id(run), run.recorded, len(run.recipe.interventions))
        grown = total_for(run.recorded) != total_for(last.charted[1])
        early = fast and (now - self._chart < 1 / CHART_RATE or not self.charts)
        if early and not grown and not self._asked and self._history_of[:1] == of[:1]:
            return Charts(last.history, last.charted, last.window, last.close)
        self._chart, self._asked = now, False
        history = last.history if self._history_of == of else _history(run)
        self._history_of = of
        close = self._zoom.look(run, history)
        return Charts(history, (run.playhead, run.recorded), self._zoom.window, close)

    def _rivals(self) -> History | None:
        """The history of the branch that this one is compared with: the same object as long as it is the same one."""
        if self.rival is not self._rival_of:
            self._rival_of = self.rival
            self._rival_history = None if self.rival is None else _history(self.rival)
        if self.rival is None or self._rival_history is None:
            return None
        return self._zoom.beside(self.rival, self._rival_history)


def _best(run: Run) -> int | None:
    """The first of the best individuals; None where there are none, or they are not known one by one."""
    if not run.solver.individuals(run.state):
        return None
    shown = population_in(run.view().panel)
    return None if shown is None or shown.each > 1 else shown.energies.index(min(shown.energies))


def _knobs(run: Run) -> tuple[Value | None, ...]:
    """Where the knobs stand."""
    return tuple(run.solver.reading(run.state, run.params, knob.name) for knob in run.solver.knobs)


def _history(run: Run) -> History:
    """The history of a whole run."""
    steps, values = run.series.arrays()
    marks = {kind: tuple(run.index.steps(kind, 0, run.recorded)) for kind in MARKED if kind in run.index}
    by_hand = dict.fromkeys(each.step for each in run.recipe.interventions[-MOST_BY_HAND:])
    return History(steps, values, {**marks, "hand": tuple(by_hand)} if by_hand else marks)


class Logbook:
    """Tells the last steps of a run, and remembers them: steps may take long to make again."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._kept: dict[int, LogStep] = {}

    def read(self, run: Run) -> tuple[LogStep, ...]:
        """The steps up to the playhead, the newest first; the playhead comes back to where it was."""
        of = (run, run.solver, run.recipe.interventions)
        end = run.playhead
        first = max(1, end - LOG_STEPS + 1)
        if self._of != of:
            self._of, self._kept = of, {}
        self._kept = {step: told for step, told in self._kept.items() if abs(step - end) <= REMEMBERED}
        if end:
            self._kept[end] = _told(run)
        missing = next((step for step in range(first, end) if step not in self._kept), end)
        if missing < end:
            run.seek(missing)
            self._kept[missing] = _told(run)
        while run.playhead < end:
            run.advance(1)
            self._kept[run.playhead] = _told(run)
        return tuple(self._kept[step] for step in range(end, first - 1, -1)) if end else ()


def _told(run: Run) -> LogStep:
    return LogStep(run.playhead, run.events, run.sentences(), run.changes(run.playhead))
