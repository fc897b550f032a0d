"""Builds snapshots of runs. All parts belong to one step, except the log and the charts, which say which they show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from engine import text
from engine.energy import conflicts
from engine.events import Event
from engine.params import Value
from engine.run.recipe import Change
from engine.run.run import Run
from engine.view import Channel, Role, Sentence, View, population_in, with_population
from tui import messages
from tui.i18n import _
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
    Tempo,
    decisive,
    energy_gauges,
    rarest,
    tempo_at,
)
from tui.playback.window import Window, total_for
from tui.playback.zoom import ZoomWindow

LOG_STEPS = 16
CACHED_LOG_STEPS = 64
"""Steps before and after the playhead whose log is cached."""
FPS = 10.0
TEXT_RATE = 2.0
"""Refreshes per second, while running, of the log and of the profile, which re-execute the last steps."""
PROFILED, LEAST_PROFILED, PROFILED_STRIDES = 1000, 16, 4
"""Steps that a profile is made of, at most and at least; between the two, as many as this many strides of checkpoints,
which are re-executed in a few ms."""
FOLLOWED = 100
"""Steps by which a profile follows the playhead from one snapshot to the next, at most."""
UPHILL = "uphill"
"""The kind of an accepted move to a worse grid."""
MOST_BY_HAND = 1000
"""Interventions that are marked, the last ones."""

Clock = Callable[[], float]


def _by_hand(run: Run) -> Sentence | None:
    """The changes by hand after the step of the playhead, whose sentence does not tell them; None without one."""
    changes = run.changes(run.playhead) if run.playhead else ()
    if not changes:
        return None
    energies = _changed_by_hand(run, run.playhead)
    return messages.changed_by_hand([messages.changed(run.solver, change) for change in changes],
                                    None if energies is None else energies[1])


def _changed_by_hand(run: Run, step: int) -> tuple[int, int] | None:
    """E before and after the changes by hand after a step; None if they did not change it."""
    after = run.state.energy if step == run.playhead else run.state_at(step).energy
    before = run.as_made(step)[0].energy
    return (before, after) if before != after else None


class Charts(NamedTuple):
    """The chart fields of a snapshot, under the same names."""

    history: History
    charted: tuple[int, int]
    window: Window
    zoomed: History | None


class SnapshotBuilder:
    """Builds the snapshots of a session, and remembers the last one."""

    def __init__(self, clock: Clock, first: Snapshot) -> None:
        self.fps, self.text = FPS, TEXT_RATE
        self.charts, self.chart_rate = True, 1.0
        """Whether charts are refreshed while running, and how often per second."""
        self.log_follows = False
        """Whether the log is refreshed with each snapshot at the tempo `watch`."""
        self.rival: Run | None = None
        """The branch that the shown one is compared with; it must not advance meanwhile."""
        self.rival_number: int | None = None
        """The number of that branch, if there are several others."""
        self.branches: tuple[BranchSummary, ...] = ()
        self.can_undo = False
        """Whether the shown run has an intervention that can be undone."""
        self.opened: tuple[Run, int, int] | None = None
        """(run, step, individual) that the user has opened on the board, until the next step."""
        self._clock = clock
        self._built = self._text_refreshed = self._charts_refreshed = -math.inf
        self._last = first
        self._run: Run | None = None
        """The run of the last snapshot."""
        self._zoom = ZoomWindow(clock)
        self._zoom.span = first.span
        self._zoom_changed = False
        self._log = LogCache()
        self._profile = Profile()
        self.rare_events: Callable[[Run], Sequence[Event]] = lambda run: run.rare_events(LOG_STEPS)
        """The last rare events of a run up to its playhead, in order of their steps, and maybe some after it."""
        self._rare_log = RareLog()
        self._history_key: tuple[object, ...] = ()
        self._rival_history: tuple[Run, History] | None = None

    def pace(self, wanted: Pace) -> None:
        """Build snapshots, and refresh text and charts, this often while running."""
        self.fps, self.text, self.charts = max(wanted.fps, 0.5), wanted.text, wanted.charts
        self.chart_rate, self.log_follows = wanted.chart_rate, wanted.log

    def due(self) -> float:
        """Seconds until the next snapshot while running; 0 or less if it is due."""
        return self._built + 1 / self.fps - self._clock()

    def take(self, run: Run, state: RunState, speed: float, notice: Sentence | None = None) -> Snapshot:
        """The snapshot at the playhead. While running, readout and charts may be those of the last one."""
        now = self._clock()
        running = state in ("RUNNING", "REWINDING")
        if state == "PAUSED" and run.at_end and run.outcome is not None:
            state = ENDED[run.outcome.status]
        tempo = tempo_at(speed) if running else "slow"
        opened, events = self._opened(run), run.events
        # In a fast run the board shows the best individual: that of each step would be a flicker.
        place = _best(run) if opened is None and tempo == "fast" else opened
        view = run.view(place)
        returned = None if opened is not None else _returned(run, view)
        view = returned or view
        charts = self._charts(run, now, running and speed > self.text)
        readout = self._readout(run, now, tempo, speed, view, returned is not None, state == "REWINDING")
        self._built, self._run = now, run
        self._last = Snapshot(run.playhead, run.recorded, state, view, run.params, speed, events=events,
                              sentences=run.sentences(), readout=readout, tempo=tempo,
                              sample=run.solver.sample(run.judged, run.params),
                              rival=self._rival(), rival_number=self.rival_number,
                              outcome=run.outcome, notice=notice, recipe=run.recipe,
                              knobs=_knobs(run),
                              breakpoints=tuple(run.breakpoints), branches=self.branches,
                              can_undo=self.can_undo,
                              individuals=run.solver.individuals(run.state), returns=returned is not None,
                              opened=opened, **charts._asdict())
        return self._last

    def _opened(self, run: Run) -> int | None:
        if self.opened is None or self.opened[:2] != (run, run.playhead):
            self.opened = None
            return None
        place = self.opened[2]
        return place if 0 <= place < run.solver.individuals(run.state) else None

    def again(self, run: Run, state: RunState, notice: Sentence) -> Snapshot:
        """The last snapshot with what has been recorded since; the playhead stays."""
        self._built = now = self._clock()
        charts = self._charts(run, now, fast=True)
        charts = charts._replace(charted=(self._last.playhead, charts.charted[1]))
        self._last = replace(self._last, recorded=run.recorded, state=state, notice=notice, **charts._asdict())
        return self._last

    def loading(self, notice: Sentence) -> Snapshot:
        """The last snapshot with a message, while the run is being loaded or recorded."""
        self._built = self._clock()
        self._last = replace(self._last, notice=notice)
        return self._last

    def waiting(self, notice: Sentence) -> Snapshot:
        """The last snapshot with a message, during a slow step. Changes nothing; safe to call from any thread."""
        return replace(self._last, state="RUNNING", notice=notice)

    def failed(self, notice: Sentence) -> Snapshot:
        """The last snapshot with a message, when the run could not be loaded."""
        self._last = replace(self._last, state="FAILED", notice=notice)
        return self._last

    def _readout(self, run: Run, now: float, tempo: Tempo, speed: float, view: View, returns: bool,
                 backwards: bool) -> Readout:
        waits = tempo == "fast" or (tempo == "watch" and not self.log_follows)
        early = waits and run is self._run and now - self._text_refreshed < 1 / self.text
        if not early:
            self._text_refreshed = now
        if tempo == "fast":
            if backwards:
                self._profile = Profile()  # it would be of the steps that the run went back over
            elif not early or not self._profile.steps or not self._profile.follow(run):
                self._profile = Profile.of(run)
            passed = max(now - self._built, 1 / self.fps)
            measured = abs(run.playhead - self._last.playhead) / passed
            as_chosen = passed >= 1 or speed / 2 <= measured <= speed * 2  # else steps take long, or it goes to a step
            rate = speed if as_chosen and math.isfinite(speed) else measured
            log = self._rare_log.read(run, self.rare_events(run))
            return Readout(log, gauges=view.gauges, profile=self._profile.shares,
                           summary=_summary(run, rate, self._profile))
        self._profile = Profile()
        place = -1 if returns else rarest(run.events)
        line = None if place is None else run.events[place].line
        log = self._last.readout.log if early else self._log.read(run)
        readout = Readout(log, bool(log) and log[0].step != run.playhead, line, view.live, view.gauges)
        event = run.events[-1] if returns else decisive(run.events)
        reason = None if event is None else run.because(event)
        if returns and not energy_gauges(view, run.solver.channels):
            reason = Sentence("", _("The board is the result, the best grid; the other panes show the last state."))
        return replace(readout, because=_by_hand(run) or reason)

    # Charts

    def zoom(self, direction: int, run: Run) -> bool:
        """Zoom the charts in by `direction` powers of two, or (negative) out, from the next snapshot on. Returns False
        where they are as close or as far as they can be."""
        changed = self._zoom.zoom(direction, run.recorded)
        self._zoom_changed |= changed
        return changed

    @property
    def span(self) -> int | None:
        """The chosen width of the charts in steps; None: the whole run."""
        return self._zoom.span

    @property
    def unfinished(self) -> bool:
        """Whether the zoomed charts are still incomplete."""
        return self._zoom.unfinished

    def study(self, seconds: float) -> None:
        """Spend this many seconds on completing the zoomed charts."""
        self._zoom.study(seconds)

    def _charts(self, run: Run, now: float, fast: bool) -> Charts:
        """The charts, or those of the last snapshot if it is too early to refresh them. A history is the same object
        as long as nothing was recorded."""
        last = self._last
        key = (id(run), run.recorded, len(run.recipe.interventions))
        grown = total_for(run.recorded) != total_for(last.charted[1])
        early = fast and (now - self._charts_refreshed < 1 / self.chart_rate or not self.charts)
        if early and not grown and not self._zoom_changed and self._history_key[:1] == key[:1]:
            return Charts(last.history, last.charted, last.window, last.zoomed)
        self._charts_refreshed, self._zoom_changed = now, False
        history = last.history if self._history_key == key else _history(run)
        self._history_key = key
        zoomed = self._zoom.look(run, history)
        return Charts(history, (run.playhead, run.recorded), self._zoom.window, zoomed)

    def _rival(self) -> History | None:
        """The history of the rival branch; the same object as long as it is the same run."""
        if self.rival is None:
            self._rival_history = None
            return None
        if self._rival_history is None or self._rival_history[0] is not self.rival:
            self._rival_history = self.rival, _history(self.rival)
        return self._zoom.beside(*self._rival_history)


def _summary(run: Run, rate: float, profile: Profile) -> Sentence:
    """The speed, the values of the channels at the playhead, and of the profiled steps, which may end before it, the
    share of uphill moves and the range of E, which contains that at the playhead. `rate`: steps per second."""
    solver = run.solver
    channels, sample = solver.channels_for(run.params), solver.sample(run.judged, run.params)
    averaged = solver.individuals(run.state) > 0
    figures: list[tuple[str, str]] = []
    of_profile: list[tuple[str, str]] = []
    windows = {channel.label: channel.window for channel in channels}
    for channel, value in zip(channels, sample, strict=True):
        if not math.isnan(value):
            figures.append((channel.label, _figure(channel, value, averaged)))
    if not profile.steps:
        return messages.playing(rate, figures, None, (), windows)
    if UPHILL in solver.jumps(run.params):
        of_profile.append((_("uphill"), text.share(profile.share(UPHILL))))
    energy = next((channel.label for channel in channels if channel.role == "energy"), None)
    if energy is not None and profile.energies is not None and not averaged:
        of_profile.append((energy, _span(*profile.energies)))  # that of a population is a mean
    return messages.playing(rate, figures, (profile.last - profile.steps + 1, profile.last), of_profile, windows)


def _span(low: int, high: int) -> str:
    return text.count(low) if low == high else f"{text.count(low)}…{text.count(high)}"


def _figure(channel: Channel, value: float, averaged: bool) -> str:
    """A number as its gauge shows it. `averaged`: an energy is the mean of a population."""
    if channel.role == "share":
        return text.share(value)
    whole = channel.role != "temperature" and not (averaged and channel.role == "energy")
    return text.count(int(value)) if whole and value.is_integer() else text.significant(value)


def _returned(run: Run, view: View) -> View | None:
    """The view of the best grid at the end of a run that gave up with another one on the board, worse or not; else
    None."""
    outcome = run.outcome
    if not run.at_end or outcome is None or outcome.status != "gave_up" or outcome.grid == view.grid:
        return None
    labels, panel, population = energy_gauges(view, run.solver.channels), view.panel, population_in(view.panel)
    if population is not None:
        place = _best(run)
        kept = None if place is None else run.view(place)
        if kept is not None and kept.grid == outcome.grid:
            view, panel = kept, kept.panel
        else:  # no individual has this grid any more
            panel = with_population(panel, replace(population, current=None, current_energy=None, parents=()))
    gauges = tuple(replace(gauge, text=text.count(outcome.energy)) if gauge.label in labels else gauge
                   for gauge in view.gauges)
    marks: dict[Role, tuple[int, ...]] = {"conflict": conflicts(run.puzzle, outcome.grid)}
    if core := tuple(cell for cell in view.marks.get("core", ()) if outcome.grid[cell] == view.grid[cell]):
        marks["core"] = core
    return View(outcome.grid, marks, gauges=gauges, live=view.live, panel=panel)


def _best(run: Run) -> int | None:
    """One of the best individuals; None if there are none, or it is not known which they are."""
    if not run.solver.individuals(run.state):
        return None
    shown = population_in(run.view().panel)
    if shown is None or (shown.each > 1 and not shown.best):
        return None
    entry = shown.energies.index(min(shown.energies))
    return shown.best[entry] if shown.each > 1 else entry


def _knobs(run: Run) -> tuple[Value | None, ...]:
    return tuple(run.solver.reading(run.state, run.params, knob.name) for knob in run.solver.knobs)


def _history(run: Run) -> History:
    """The history of a whole run."""
    steps, values = run.series.arrays()
    marks = {kind: tuple(run.index.steps(kind, 0, run.recorded)) for kind in MARKED if kind in run.index}
    for kind in ENDED.keys() & marks.keys():  # the index has the first step of the bin, perhaps of an end that is gone
        del marks[kind]
        if run.outcome is not None:
            marks[run.outcome.status] = (run.recorded,)
    by_hand = dict.fromkeys(each.step for each in run.recipe.interventions[-MOST_BY_HAND:])
    return History(steps, values, {**marks, "hand": tuple(by_hand)} if by_hand else marks)


class LogCache:
    """The log of the last steps of a run, cached because steps may be slow to re-execute."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._steps: dict[int, LogStep] = {}

    def read(self, run: Run) -> tuple[LogStep, ...]:
        """The last `LOG_STEPS` steps up to the playhead, newest first; the start is one of them if it was changed
        by hand. The playhead ends where it began."""
        key = (run, run.solver, run.recipe.interventions)
        end = run.playhead
        first = max(0 if any(not each.step for each in run.recipe.interventions) else 1, end - LOG_STEPS + 1)
        if self._key != key:
            self._key, self._steps = key, {}
        self._steps = {step: entry for step, entry in self._steps.items() if abs(step - end) <= CACHED_LOG_STEPS}
        if end >= first:
            self._steps[end] = _log_step(run)
        missing = next((step for step in range(first, end) if step not in self._steps), end)
        if missing < end:
            run.seek(missing)
            self._steps[missing] = _log_step(run)
        while run.playhead < end:
            run.advance(1)
            self._steps[run.playhead] = _log_step(run)
        return tuple(self._steps[step] for step in range(end, first - 1, -1))


class RareLog:
    """The log of a fast run: its last steps with rare events or interventions."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._changes: dict[int, tuple[tuple[Change, ...], tuple[int, int] | None]] = {}
        """Those after the steps that were shown, and what they did to E; they may be slow to find."""

    def read(self, run: Run, rare: Iterable[Event]) -> tuple[LogStep, ...]:
        """The last `LOG_STEPS` of these steps up to the playhead, newest first."""
        key = (run, run.recipe.interventions)
        if self._key != key:
            self._key, self._changes = key, {}
        found: dict[int, list[Event]] = {each.step: [] for each in run.recipe.interventions}
        for event in rare:
            found.setdefault(event.step, []).append(event)
        steps = sorted((step for step in found if step <= run.playhead), reverse=True)
        return tuple(LogStep(step, tuple(found[step]), (), *self._changes_after(run, step))
                     for step in steps[:LOG_STEPS])

    def _changes_after(self, run: Run, step: int) -> tuple[tuple[Change, ...], tuple[int, int] | None]:
        if step not in self._changes:
            changes = run.changes(step)
            self._changes[step] = changes, _changed_by_hand(run, step) if changes else None
        return self._changes[step]


class Profile:
    """The shares of the last steps that came to each program line and that had events of a kind."""

    def __init__(self) -> None:
        self.steps = 0
        self.last = 0
        """The last of these steps."""
        self.energies: tuple[int, int] | None = None
        """The lowest and the highest energy after an event of these steps; None if their events have none."""
        self._lines: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()

    @classmethod
    def of(cls, run: Run) -> Profile:
        """The profile of the last steps up to the playhead, which are re-executed."""
        found = cls()
        found.last = run.playhead
        wanted = min(PROFILED, max(LEAST_PROFILED, PROFILED_STRIDES * run.solver.checkpoint_stride), run.playhead)
        found._count(run, run.playhead - wanted, wanted)
        return found

    def follow(self, run: Run) -> bool:
        """Extend the profile to the playhead if that takes a few steps; else keep it as it is. False if it is outdated:
        the playhead has gone back, or the energy there is outside the range."""
        ahead = run.playhead - self.last
        if ahead < 0:
            return False
        if self.energies is None or run.solver.individuals(run.state):
            return True
        if ahead <= FOLLOWED:
            self._count(run, self.last, ahead)
            self.last = run.playhead
            return True
        low, high = self.energies
        return bool(low <= run.judged.energy <= high)

    def _count(self, run: Run, after: int, steps: int) -> None:
        """Add this many steps after a step."""
        for events in run.cursor_at(after).events(steps):
            self.steps += 1
            self._lines.update({event.line for event in events})
            self._kinds.update({kind for event in events for kind in event.kinds})
            for event in events:
                if event.energy_after is not None:
                    low, high = self.energies or (event.energy_after, event.energy_after)
                    self.energies = min(low, event.energy_after), max(high, event.energy_after)

    @property
    def shares(self) -> dict[str, float]:
        """Shares by line id."""
        return {line: times / self.steps for line, times in self._lines.items()}

    def share(self, kind: str) -> float:
        """The share of the steps with an event of a kind."""
        return self._kinds[kind] / max(1, self.steps)


def _log_step(run: Run) -> LogStep:
    changes = run.changes(run.playhead)
    return LogStep(run.playhead, run.events, run.sentences(), changes,
                   _changed_by_hand(run, run.playhead) if changes else None)
