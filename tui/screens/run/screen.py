"""The laboratory: one run on the screen, with a playhead that goes both ways.

The screen does not know which solver it shows: panes, marks and gauges come from the view, curves from the channels.
It sends commands to the player's thread and draws the newest snapshot that comes back.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer

from engine.view import Sentence
from tui import messages
from tui.i18n import _
from tui.playback import commands
from tui.playback.loading import PendingRun
from tui.playback.snapshot import ENDED, Snapshot
from tui.playback.snapshots import Clock
from tui.playback.thread import PlayerThread
from tui.screens.base import TooSmall, put_panes
from tui.screens.hints import HintWorker, hint_position
from tui.screens.navigation import navigator
from tui.screens.run import presenter
from tui.screens.run.actions import LabActions
from tui.screens.run.layout import POPULATION_TAB, SMALLEST, Needs, PaneName, Plan, plan
from tui.storage.autosave import Autosave, RunFileSaver, SessionSaver
from tui.storage.sessions import Session
from tui.terminal.compositor import Lean
from tui.terminal.frame_rate import ByteMeter, Governor
from tui.widgets.board.board import Board
from tui.widgets.board.cell_line import CellLine
from tui.widgets.chance import ChanceBar
from tui.widgets.footer import Footer
from tui.widgets.gauges import Gauges
from tui.widgets.header import Header
from tui.widgets.log import Log
from tui.widgets.pane import HeadedPane, Pane
from tui.widgets.panels.panel import PanelPane
from tui.widgets.parameters import Setup, items
from tui.widgets.program import Program
from tui.widgets.rows import Space
from tui.widgets.tabs import Tabs
from tui.widgets.text import MessagePane
from tui.widgets.timeline.chart import Chart, Curves
from tui.widgets.timeline.heading import Heading, Reading, reading
from tui.widgets.timeline.lanes import EventLane, Happenings, Lane
from tui.widgets.timeline.pane import Frame, TimePane
from tui.widgets.timeline.transport import Scrubber, Transport, TransportRow
from tui.widgets.verdict.verdict import Verdict, is_cut

PRESSES: dict[str, commands.Command] = {
    "far_back": commands.Step(-1000), "back": commands.Step(-1), "toggle": commands.Toggle(),
    "forward": commands.Step(1),
    "far_forward": commands.Step(1000),
}


TITLES = ("Gauges", "Code", "Log", "Setup")
"""The titles of the tabs; a panel has the place of the last one."""

SEEKS = 3
"""Steps that a drag seeks for each snapshot that is wanted of a run."""


class Lab(Lean, LabActions):
    """The laboratory on one run. What its keys do is in `LabActions`."""

    class Arrived(Message):
        """There is a snapshot in the mailbox."""

    class Hinted(Message):
        """A hint was found, or that there is none."""

    class ChartReady(Message):
        """plotext is loaded."""

    def __init__(self, pending: PendingRun, play: bool = False, fps: int | None = None,
                 clock: Clock = time.monotonic, meter: ByteMeter | None = None, session: Session | None = None) -> None:
        """What goes to the terminal is kept in bounds unless `fps` is given. `session`: where it stands is kept
        there."""
        super().__init__()
        self._clock = clock
        self._governor = Governor(meter or ByteMeter(), fps)
        self.pending = pending
        self.snapshot = pending.snapshot
        """What is on the screen."""
        self.arranged = Plan("none", {})
        channels, n = pending.solver.channels, pending.puzzle.n
        self.marks = not presenter.has_test(channels)  # room for the chance bar and the chart, unless it is asked for
        self.header, self.verdict, self.board, self.cell = Header(), Verdict(), Board(), CellLine()
        self.tabs = Tabs(TITLES)
        self.chance, self.gauges, self.setup, self.panel = ChanceBar(), Gauges(), Setup(), PanelPane(n)
        self.program, self.log_pane = Program(), Log()
        self.heading = Heading(channels, pending.solver.kind_words)
        self.chart, self.lane, self.lane2 = Chart(channels), Lane(channels), Lane(channels, 1)
        self.events_lane, self.scrubber, self.transport, self.footer = EventLane(), Scrubber(), TransportRow(), Footer()
        self.message = MessagePane()
        """What the program says, where the verdict line has no room for it."""
        self.too_small = TooSmall(_("The window is {w} x {h}; the laboratory needs {W} x {H}."), SMALLEST)
        name, enabled = pending.puzzle_name, pending.autosave
        self.session_saver = None if session is None else SessionSaver(session, name, clock, enabled=enabled)
        if self.session_saver is not None:
            self.session_saver.come_to_front()
        self.worker = PlayerThread(pending.snapshot, pending.loader, self._ring(self.Arrived), clock, self._load_chart,
                             Autosave(RunFileSaver(name, clock, enabled=enabled), self.session_saver))
        self.hinter = HintWorker(self._ring(self.Hinted))
        self._send_pace()
        if pending.solver.has_individuals:
            self.tab = POPULATION_TAB
        if play:
            self.worker.send(commands.Toggle())

    @property
    def panes(self) -> dict[PaneName, Pane]:
        """The panes by their names in the plan."""
        return {
            "header": self.header, "verdict": self.verdict, "board": self.board, "cell": self.cell, "tabs": self.tabs,
            "chance": self.chance, "gauges": self.gauges, "setup": self.setup, "panel": self.panel,
            "program": self.program, "log": self.log_pane, "heading": self.heading, "chart": self.chart,
            "lane": self.lane, "lane2": self.lane2, "events": self.events_lane, "scrubber": self.scrubber,
            "transport": self.transport, "footer": self.footer,
        }

    def compose(self) -> ComposeResult:
        yield from self.panes.values()
        yield self.message
        yield self.too_small

    # The player's thread

    def _ring(self, message: type[Message]) -> Callable[[], None]:
        """What the player's thread calls: posting is safe from any thread, and without effect once all is over."""
        def ring() -> None:
            self.post_message(message())

        return ring

    def _load_chart(self) -> None:
        import plotext  # noqa: F401  (slow to load: here, in the player's thread, nobody waits for it)

        self.post_message(self.ChartReady())

    def on_mount(self) -> None:
        self.program.load(self.pending.solver.program)
        self.board.keys = self.table.abreast(("cell-left", "cell-down", "cell-up", "cell-right"))
        self.show(self.snapshot)
        self._mounted = self._clock()
        self.call_after_refresh(self.worker.start)
        self._waiting = self.set_interval(1.0, self._show_waiting)

    def on_screen_resume(self) -> None:
        """Its run is the one to go on with, whatever was in front of it."""
        if self.session_saver is not None and not self.session_saver.is_in_front:
            self.session_saver.come_to_front()
            self._send_pace()  # so that the player looks up

    def on_unmount(self) -> None:
        self.worker.stop()
        if self.worker.farewell is not None:
            navigator(self).say_on_exit(self.worker.farewell.text)

    def _show_waiting(self) -> None:
        """Until the run is there, how long that has taken, so that it is seen to be alive."""
        if self.snapshot.notice is not None:
            waited = messages.with_seconds(self.snapshot.notice, self._clock() - self._mounted)
            self._say_verdict(self.table.spelled(waited), False)

    def on_lab_arrived(self) -> None:
        snapshot = self.worker.mailbox.take()
        if snapshot is None:
            return
        self._waiting.stop()
        self.show(snapshot)
        if snapshot.busy and self._governor.note(self._clock()):
            self._send_pace()

    def _send_pace(self) -> None:
        capacity = self._governor.capacity
        self.worker.send(commands.Pace(self._governor.fps, capacity.text, capacity.charts))

    def on_lab_hinted(self) -> None:
        self.announce(self.hinter.notice)

    def on_lab_chart_ready(self) -> None:
        self.chart.ready = True
        self.chart.repaint()

    # Showing

    def show(self, snapshot: Snapshot) -> None:
        """Show a snapshot; panes whose values are the same draw nothing."""
        before, self.snapshot = self.snapshot, snapshot
        came_to_its_end = before.busy and snapshot.state in ENDED.values()
        with self.painted_at_once():
            self._show_but_curves(before)
            if not snapshot.busy and not came_to_its_end:  # a key did this: its effect shall not wait for the charts
                self.paint_now()
            self._show_timeline()
        if self._needs != self._arranged_for:
            self.place_panes(self.size)

    def _show_but_curves(self, before: Snapshot) -> None:
        snapshot = self.snapshot
        self._show_header()
        self._show_verdict()
        self.show_board()
        self.chance.show(presenter.chance(snapshot.events))
        if snapshot.readout is not before.readout or not self.gauges.gauges:
            self._show_slow()
        if snapshot.params is not before.params or snapshot.breakpoints != before.breakpoints or not self.setup.items:
            self.setup.show(items(snapshot.params), presenter.watching(snapshot))
            self.heading.channels = self.chart.channels = self.pending.solver.channels_for(snapshot.params)
        self._show_words()

    def _show_verdict(self) -> None:
        sentence, of_this_step = presenter.verdict(self.snapshot, self.kin)
        self._say_verdict(sentence if sentence is None else self.table.spelled(sentence), of_this_step)

    def _say_verdict(self, sentence: Sentence | None, of_this_step: bool) -> None:
        self.verdict.verdict_style.ground = "now" if of_this_step else "bar_strong"
        self.verdict.show(sentence)
        where = self.arranged.regions.get("verdict")
        overlong = sentence is not None and not of_this_step and not self.fits(sentence)
        if overlong and sentence is not None and where is not None:
            self.message.styles.offset, self.message.styles.width = (0, where.y), self.size.width
            self.message.say(sentence.badge, messages.one_sentence(sentence))
        self.message.display = overlong

    def fits(self, notice: Sentence) -> bool:
        where = self.arranged.regions.get("verdict")
        return where is None or not is_cut(notice, Space(*where.size, self.verdict.glyphs))

    def _show_header(self) -> None:
        self.header.show(presenter.title(self.pending, self.snapshot, "transport" not in self.arranged.regions))

    def show_board(self) -> None:
        puzzle, view = self.pending.puzzle, self.snapshot.view
        hint = self.hinter.hint if self.snapshot.notice == self.hinter.notice and not self.snapshot.busy else None
        self.board.show(presenter.position(puzzle, self.snapshot, self.cursor, self.marks) if hint is None
                        else hint_position(puzzle, hint, self.cursor, self.marks))
        self.cell.show(puzzle, view, self.cursor)
        self.panel.pick(self.choice)
        self.show_footer()  # some keys are of use only where a cell is picked
        if self._needs != self._arranged_for:
            self.place_panes(self.size)

    def _show_slow(self) -> None:
        snapshot, readout = self.snapshot, self.snapshot.readout
        self.show_panel()
        self._show_tabs()
        self.gauges.show(presenter.gauges(snapshot, self.pending.solver.channels))
        self.program.note(() if self.gauges.display else readout.gauges)
        self.program.show(readout.line, readout.live)
        self.log_pane.show(presenter.log_lines(readout.log, self.pending.solver, self.pending.puzzle.n))

    def _show_timeline(self) -> None:
        snapshot = self.snapshot
        frame = Frame(snapshot.playhead, snapshot.recorded, snapshot.window)
        charted = Frame(*snapshot.charted, snapshot.window)
        shown = snapshot.close or snapshot.history
        whole = snapshot.history if snapshot.window.span < frame.total else None
        self.chart.show(charted, Curves(shown, whole, snapshot.rival))
        self.lane.show(charted, shown)
        self.lane2.show(charted, shown)
        marks = {**shown.marks, "hand": snapshot.history.marks.get("hand", ())}
        self.events_lane.show(charted, Happenings(marks, snapshot.events if frame == charted else ()))
        self.scrubber.show(charted if snapshot.busy else frame)  # one playhead, in one column, over all of the timeline

    def _show_words(self) -> None:
        """The rows of the timeline that are words: the heading over it and the transport row under it."""
        snapshot, solver = self.snapshot, self.pending.solver
        frame = Frame(snapshot.playhead, snapshot.recorded, snapshot.window)
        read = self._reading()
        headed = "heading" in self.arranged.regions
        kinds = {*snapshot.history.marks, *presenter.told(snapshot)}
        self.heading.show(kinds, None if snapshot.window.span == frame.total else snapshot.window, read)
        self.transport.show(Transport(frame, snapshot.speed, solver.step_word, None if headed else read,
                                      presenter.watching(snapshot)))

    def _reading(self) -> Reading | None:
        """What the mouse points at in the timeline."""
        if self.pointed is None:
            return None
        snapshot = self.snapshot
        axis = Frame(*snapshot.charted, snapshot.window).axis(self.scrubber.size.width)
        return reading(snapshot.close or snapshot.history, self.pending.solver.channels, axis, self.pointed)

    # Arranging

    _arranged_for: Needs | None = None
    _picked: int | None = None
    """The step of the timeline that was picked and not yet sought."""
    _seeking: Timer | None = None
    """Runs while a step was sought a moment ago."""
    pointed: int | None = None
    """The column of the timeline that the mouse points at."""

    @property
    def _needs(self) -> Needs:
        return presenter.needs(self.pending, self.snapshot.view, self.marks, self.cursor is not None)

    def on_resize(self, event: events.Resize) -> None:
        self.place_panes(event.size)

    def place_panes(self, size: Size) -> None:
        """Put every pane where the plan has it."""
        self._arranged_for = self._needs
        before, self.arranged = self.arranged, plan(size.width, size.height, self._arranged_for, self.tab)
        put_panes(self.panes, self.arranged.regions, before.regions)
        for pane in self.panes.values():
            if isinstance(pane, HeadedPane):
                pane.set_heading(self.arranged.mode != "tabs")
        self.too_small.show_if(self.arranged.mode == "none", size)
        self._show_header()
        self._show_verdict()
        self.program.note(() if self.gauges.display else self.snapshot.readout.gauges)
        self._show_tabs()
        self.show_panel()
        self.show_footer()

    def _show_tabs(self) -> None:
        panel = self.snapshot.view.panel
        self.tabs.show(self.tab, TITLES if panel is None else (*TITLES[:-1], panel.title))

    # Mouse

    def on_time_pane_picked(self, event: TimePane.Picked) -> None:
        """A click seeks at once; of a drag no more than can be drawn, and always its last step."""
        self._picked = event.step
        if self._seeking is None:
            self._seek_picked()

    def on_mouse_up(self) -> None:
        """The last step of a drag is sought before any key that comes after it."""
        if self._picked is not None and self._seeking is not None:
            self._seeking.stop()
            self._seek_picked()

    def _seek_picked(self) -> None:
        step, self._picked = self._picked, None
        self._seeking = None if step is None else self.set_timer(1 / (SEEKS * self._governor.fps), self._seek_picked)
        if step is not None:
            self.worker.send(commands.Seek(step))

    def on_time_pane_zoomed(self, event: TimePane.Zoomed) -> None:
        self.worker.send(commands.Zoom(event.direction))

    def on_time_pane_pointed(self, event: TimePane.Pointed) -> None:
        self.pointed = event.column
        self._show_words()

    def on_transport_row_pressed(self, event: TransportRow.Pressed) -> None:
        self.worker.send(PRESSES[event.press])

    def on_board_picked(self, event: Board.Picked) -> None:
        self.cursor = event.cell
        self.show_board()

    def on_panel_pane_picked(self, event: PanelPane.Picked) -> None:
        self.crowd, self.at_panel = replace(self.crowd, picked=event.individual), True
        self.show_panel()
        self.open_individual(event.individual)

    def on_tabs_picked(self, event: Tabs.Picked) -> None:
        self.action_tab(event.tab)
