"""The timeline of a run: heading, chart, lanes, scrubber and transport row over one time axis, as one widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Region
from textual.timer import Timer
from textual.widget import Widget

from engine.solver import AnySolver
from tui.playback import commands
from tui.playback.snapshot import ENDED, FREQUENT, Snapshot
from tui.widgets.pane import Pane
from tui.widgets.timeline.axis import Axis
from tui.widgets.timeline.chart import Chart, Curves
from tui.widgets.timeline.heading import LANES, RIVAL, Entry, Heading, Reading, curves, read_column, told_apart
from tui.widgets.timeline.lanes import NARROW, PERIODS, EventLane, Lane, LaneEvents
from tui.widgets.timeline.pane import TimePane, TimePosition
from tui.widgets.timeline.temperature import TemperatureLane
from tui.widgets.timeline.transport import Button, Scrubber, Transport, TransportRow

TimelinePart = Literal["heading", "chart", "temperature", "lane", "lane2", "events", "scrubber", "transport"]

BUTTON_COMMANDS: Mapping[Button, commands.Command] = {
    "far_back": commands.Step(-1000), "back": commands.Step(-1), "toggle": commands.Toggle(),
    "forward": commands.Step(1), "far_forward": commands.Step(1000),
}
SEEKS_PER_SNAPSHOT = 3
"""Seeks that a drag sends at most in the time between two snapshots of a running run."""


class Timeline(Widget):
    """Draws snapshots over a time axis, and sends the commands that the mouse gives.

    A click or drag seeks, the wheel zooms, the buttons play and step; the values under the pointer are shown in the
    heading or, without one, in the transport row.
    """

    DEFAULT_CSS = """
    Timeline { overflow: hidden; }
    Timeline > * { position: absolute; }
    """
    can_focus = False

    def __init__(self, solver: AnySolver, snapshot: Snapshot, send: Callable[[commands.Command], object]) -> None:
        super().__init__()
        channels = solver.channels_for(snapshot.params)
        self.heading, self.chart = Heading(channels, solver.kind_words), Chart(channels)
        self.temperature = TemperatureLane(channels)
        self.lane, self.lane2 = Lane(solver.channels), Lane(solver.channels, 1)
        self.events, self.scrubber, self.transport = EventLane(), Scrubber(), TransportRow()
        self.snapshots_per_second = 1.0
        """The present rate while running; it bounds the seeks of a drag."""
        self.pointed: int | None = None
        """Column of the axis under the pointer."""
        self._pointed_from: int | None = None
        """The playhead when the pointer last moved."""
        self._solver, self._snapshot, self.send = solver, snapshot, send
        self._region: Region | None = None
        self._picked: int | None = None
        """The step of a drag that is yet to be sought."""
        self._seeking: Timer | None = None
        """Runs for a while after each seek of a drag."""

    @property
    def panes(self) -> dict[TimelinePart, Pane]:
        return {"heading": self.heading, "chart": self.chart, "temperature": self.temperature, "lane": self.lane,
                "lane2": self.lane2, "events": self.events, "scrubber": self.scrubber, "transport": self.transport}

    def compose(self) -> ComposeResult:
        yield from self.panes.values()

    def place(self, region_of: Callable[[TimelinePart], Region | None]) -> None:
        """Move the parts to their regions of the screen, and hide those without one."""
        own = {name: region for name in self.panes if (region := region_of(name)) is not None}
        self.display = bool(own)
        if not own:
            return
        outer = Region.from_union(list(own.values()))
        if outer != self._region:
            self._region = outer
            self.styles.offset = outer.offset
            self.styles.width, self.styles.height = outer.size
        for name, pane in self.panes.items():
            pane.place(own[name].translate(-outer.offset) if name in own else None)
        self.heading.lanes = tuple(name for name in LANES if name in own)
        self.chart.with_temperature = "temperature" not in own
        self.show_text(self._snapshot)  # what the heading shows is elsewhere without it

    # Showing

    def show_text(self, snapshot: Snapshot) -> None:
        """Show the heading, the transport row and the numbers of the lanes."""
        if snapshot.params is not self._snapshot.params:
            channels = self._solver.channels_for(snapshot.params)
            self.heading.channels = self.chart.channels = self.temperature.channels = channels
        self._snapshot = snapshot
        now, reading = _position(snapshot), self._reading(self.pointed)
        zoomed = snapshot.window.span < now.total
        self.heading.show(self._kinds(snapshot), snapshot.window if zoomed else None, reading,
                          self._charted.has_doubled, snapshot.rival_number)
        for lane in (self.temperature, self.lane, self.lane2):
            lane.say(snapshot.sample)
        bare = not self.heading.display  # the transport row shows what the heading would
        rests = snapshot.playhead == self._pointed_from  # else its own step is of more use than the pointer's
        self.transport.show(Transport(now, snapshot.speed, reading if bare and rests else None,
                                      sum(each.on for each in snapshot.breakpoints),
                                      self._curves if bare and self.chart.display else ()))

    def show_charts(self) -> None:
        """Show chart, lanes and scrubber of the snapshot, as of its last redraw of the charts."""
        snapshot = self._snapshot
        now, charted = _position(snapshot), self._charted
        shown = snapshot.zoomed or snapshot.history
        whole = snapshot.history if snapshot.window.span < now.total else None
        self.chart.show(charted, Curves(shown, whole, snapshot.rival))
        self.temperature.show(charted, shown, snapshot.sample)
        self.lane.show(charted, shown, snapshot.sample)
        self.lane2.show(charted, shown, snapshot.sample)
        marks = {**shown.marks, "hand": snapshot.history.marks.get("hand", ())}
        self.events.show(charted, LaneEvents(marks, snapshot.events if now == charted else ()))
        self.scrubber.show(charted if snapshot.busy else now)  # one playhead, in one column, on all of the timeline

    @property
    def _curves(self) -> tuple[Entry, ...]:
        """The legend of the curves alone."""
        return tuple(curves(told_apart(self.chart.channels, self.chart.look), self.chart.glyphs,
                            self._snapshot.rival is not None, self.chart.with_temperature,
                            self._snapshot.rival_number))

    def chart_ready(self) -> None:
        """Draw the curves too: plotext is loaded."""
        self.chart.ready = True
        self.chart.repaint()

    @property
    def _charted(self) -> TimePosition:
        return TimePosition(*self._snapshot.charted, self._snapshot.window)

    def _kinds(self, snapshot: Snapshot) -> set[str]:
        """The kinds of events in the lane, for the legend; `RIVAL` while another branch is drawn."""
        close = {} if snapshot.zoomed is None else snapshot.zoomed.marks
        frequent = FREQUENT if self._axis.steps_per_column <= NARROW else ()  # elsewhere the lane has none
        kinds = {*snapshot.history.marks,
                 *(kind for kind, steps in close.items() if steps and kind in (*PERIODS, *frequent))}
        if not snapshot.busy:  # the mark at the playhead is drawn even where others of its kind are too many
            kinds |= {kind for event in snapshot.events for kind in event.kinds} & {*PERIODS, *FREQUENT}
        if "uphill" in self._solver.jumps(snapshot.params) and snapshot.state not in ENDED.values():
            kinds.add("uphill")  # at the playhead they are marked at every zoom
        return kinds if snapshot.rival is None else kinds | {RIVAL}

    @property
    def _axis(self) -> Axis:
        return self._charted.axis(self.scrubber.size.width)

    def _reading(self, column: int | None) -> Reading | None:
        """The values in a column of the axis."""
        if column is None:
            return None
        snapshot = self._snapshot
        return read_column(snapshot.zoomed or snapshot.history, self._solver.channels, self._axis, column)

    # Mouse

    @on(TimePane.Picked)
    def _pick(self, event: TimePane.Picked) -> None:
        """Seek the step that the heading shows for the column, at once, but during a drag no more often than can be
        drawn; its last step is always sought."""
        event.stop()
        reading = self._reading(event.column)
        is_there = reading is not None and self._axis.column(reading.step) == event.column
        self._picked = reading.step if reading is not None and is_there else event.step
        if self._seeking is None:
            self._seek_picked()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Seek the last step of a drag before the commands of later keys."""
        if self._picked is not None and self._seeking is not None:
            self._seeking.stop()
            self._seek_picked()

    def _seek_picked(self) -> None:
        step, self._picked = self._picked, None
        pause = 1 / (SEEKS_PER_SNAPSHOT * self.snapshots_per_second)
        self._seeking = None if step is None else self.set_timer(pause, self._seek_picked)
        if step is not None:
            self.send(commands.Seek(step))

    @on(TimePane.Zoomed)
    def _zoom(self, event: TimePane.Zoomed) -> None:
        event.stop()
        self.send(commands.Zoom(event.direction, quiet=True))

    @on(TimePane.Pointed)
    def _point(self, event: TimePane.Pointed) -> None:
        event.stop()
        self.pointed, self._pointed_from = event.column, self._snapshot.playhead
        self.show_text(self._snapshot)

    @on(TransportRow.Pressed)
    def _press(self, event: TransportRow.Pressed) -> None:
        event.stop()
        self.send(BUTTON_COMMANDS[event.button])


def _position(snapshot: Snapshot) -> TimePosition:
    return TimePosition(snapshot.playhead, snapshot.recorded, snapshot.window)


