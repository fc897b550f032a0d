"""The Laboratory: one run on the screen, played forwards and backwards.

The screen knows no solver: panes, marks and gauges come from the view, curves from the channels. It sends commands to
the player's thread and draws the newest snapshot that comes back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Region, Size
from textual.message import Message

from engine import params as parameters
from engine import text
from engine.errors import BadInput
from engine.params import Value
from engine.puzzle import Puzzle, cell_name
from engine.puzzles.formats import PuzzleRecord
from engine.solver import AnySolver, InnerRun
from engine.view import Pair, Sentence, View, choices_of, stack_in
from tui import messages
from tui.config import paths
from tui.i18n import _
from tui.keys.default_keys import FINDS, RUN_KEYS
from tui.keys.footer_hints import RUN_HINTS
from tui.look.theme import Look
from tui.playback import breakpoint_syntax, commands
from tui.playback.loading import PendingRun, inner_run
from tui.playback.snapshot import ENDED, Snapshot
from tui.playback.snapshots import Clock
from tui.playback.thread import PlayerThread
from tui.requests import AutomataRequest, HomeRequest, NewRun
from tui.screens.base import VerdictScreen
from tui.screens.dialogs.prompt import PromptDialog
from tui.screens.hints import HintWorker, hint_position, hint_view
from tui.screens.navigation import navigator
from tui.screens.run import presenter
from tui.screens.run.layout import PENCILLED, POPULATION_TAB, SMALLEST, Needs, PaneName, Plan, plan
from tui.screens.run.population import PopulationBrowser, next_stop
from tui.storage.autosave import Autosave, RunFileSaver, SessionSaver
from tui.storage.sessions import Session
from tui.terminal.compositor import Lean
from tui.terminal.frame_rate import ByteMeter, Governor
from tui.widgets.board.board import Board, step_cell
from tui.widgets.board.cell_line import CellLine
from tui.widgets.board.layout import LARGEST_LINE_BOX
from tui.widgets.chance import ChanceBar
from tui.widgets.footer import Footer
from tui.widgets.gauges import Gauges
from tui.widgets.header import Header
from tui.widgets.log import Log
from tui.widgets.pane import HeadedPane, Pane
from tui.widgets.panels.panel import PanelPane
from tui.widgets.parameters import ParameterPane, items
from tui.widgets.program import Program
from tui.widgets.tabs import Tabs
from tui.widgets.timeline.timeline import Timeline
from tui.widgets.verdict import VerdictLayout

if TYPE_CHECKING:
    from engine.run.run import Run
    from engine.teaching.hands_on import AnsweredQuestions
    from engine.techniques.hint import Hint
    from tui.screens.dialogs.command_palette import Command
    from tui.screens.dialogs.pager import PageMaker

TITLES = ("Gauges", "Code", "Log", "Setup")
"""The tabs; the panel of a view, if there is one, takes the last."""


class RunScreen(Lean, VerdictScreen[PaneName]):
    """The Laboratory on one run."""

    KEYS = RUN_KEYS
    FOOTER_HINTS = RUN_HINTS
    LEAST_SIZE = SMALLEST
    TOO_SMALL = "The window is {w} x {h}; the laboratory needs {W} x {H}."

    class SnapshotReady(Message):
        """A snapshot is in the mailbox."""

    class HintReady(Message):
        """The search for a hint is over."""

    class InnerRunReady(Message):
        """The answer to `commands.Inside`."""

        def __init__(self, inner: InnerRun | None, step: int) -> None:
            super().__init__()
            self.inner, self.step = inner, step

    class ChartReady(Message):
        """plotext is loaded."""

    cursor: int | None = None
    """The cell under the cell cursor."""
    _looked_at: int | None = None
    """The step at which the cursor was moved last."""
    tab = 1
    _picked_choice: Pair | None = None
    _arranged_for: Needs | None = None

    def __init__(self, pending: PendingRun, play: bool = False, fps: int | None = None,
                 clock: Clock = time.monotonic, meter: ByteMeter | None = None, session: Session | None = None) -> None:
        """`fps`: snapshots per second; None: as many as the connection carries. `session`: where to save the session;
        None: nowhere."""
        super().__init__(VerdictLayout())
        self._clock = clock
        self._governor = Governor(meter or ByteMeter(), fps)
        self.pending = pending
        self.snapshot = pending.snapshot
        """The snapshot on the screen."""
        self.plan = Plan("none", {})
        self._about_panes: Sentence | None = None
        """The last message about the panes that have room."""
        name, enabled = pending.puzzle_name, pending.autosave
        self.session_saver = None if session is None else SessionSaver(session, name, clock, enabled=enabled)
        if self.session_saver is not None:
            self.session_saver.come_to_front()
        self._run_file_saver = RunFileSaver(name, clock, enabled=enabled, in_file=pending.in_file)
        autosave = Autosave(self._run_file_saver, self.session_saver)
        self.worker = PlayerThread(pending.snapshot, pending.loader, self._poster(self.SnapshotReady), clock,
                                   self._load_plotext, autosave, pending.accelerates)
        self.hinter = HintWorker(self._poster(self.HintReady), over_step=True)
        self._answered: AnsweredQuestions = set()
        self._when_at_rest: Callable[[], object] | None = None
        """What a key asked for while the run played, or was loaded."""

        solver = pending.solver
        # without candidates there is room for the chance bar and the chart, unless the user asks for candidates
        self.marks = not solver.has_chance
        self.header, self.board, self.cell = Header(), Board(), CellLine()
        self.tabs = Tabs(TITLES)
        self.chance, self.gauges, self.parameters = ChanceBar(), Gauges(), ParameterPane()
        self.panel, self.program, self.log_pane = PanelPane(pending.puzzle.n), Program(), Log()
        self.timeline = Timeline(solver, pending.snapshot, self.worker.send)
        self.footer = Footer()
        self.population = PopulationBrowser(self.panel, pending.snapshot, self.worker.send, self._announce_panes,
                                            self._population_changed, lambda: self._has_tabs)
        if solver.has_individuals:
            self.tab = POPULATION_TAB
        self._send_pace()
        if play:
            self.worker.send(commands.Toggle())

    @property
    def solver(self) -> AnySolver:
        return self.pending.solver

    @property
    def puzzle(self) -> Puzzle:
        return self.pending.puzzle

    @property
    def panes(self) -> dict[PaneName, Pane]:
        """The panes by their names in the plan, but for those of the timeline."""
        return {
            "header": self.header, "verdict": self.verdict, "board": self.board, "cell": self.cell, "tabs": self.tabs,
            "chance": self.chance, "gauges": self.gauges, "parameters": self.parameters, "panel": self.panel,
            "program": self.program, "log": self.log_pane, "footer": self.footer,
        }

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield self.timeline

    # The player's thread

    def _poster(self, message: type[Message]) -> Callable[[], None]:
        """A function that posts a message. Safe in any thread; without effect once the screen is closed."""
        def post() -> None:
            self.post_message(message())

        return post

    def _load_plotext(self) -> None:
        """Import plotext in the player's thread, because that takes long and no key waits for this thread."""
        import plotext  # noqa: F401

        self.post_message(self.ChartReady())

    def on_mount(self) -> None:
        self.program.load(self.solver.program_for(self.snapshot.params))
        self.panel.scroll_key = self.program.scroll_key = self.table.shown("panel-down")
        self.parameters.edit_key = self.table.shown("parameters")
        self.board.keys = self.table.join_keys(("cell-left", "cell-down", "cell-up", "cell-right"))
        self.show(self.snapshot)
        self._mounted = self._clock()
        self.call_after_refresh(self.worker.start)
        self._waiting = self.set_interval(1.0, self._show_waiting)

    def on_screen_resume(self) -> None:
        """Save this run as the session to resume, also if another run was in front of it."""
        if self.session_saver is not None and not self.session_saver.is_in_front:
            self.session_saver.come_to_front()
            self._send_pace()  # wakes the player, which saves

    def on_unmount(self) -> None:
        self.worker.stop()
        if self.worker.farewell is not None:
            navigator(self).say_on_exit(self.worker.farewell.text)

    def _show_waiting(self) -> None:
        """Count the seconds until the run is loaded, as a sign of life."""
        waited = self._waited()
        if waited is not None:
            self.show_sentence(self.table.resolve_keys(waited), "bar_strong")

    def _waited(self) -> Sentence | None:
        """The message of a run that is being loaded, and for how long; None once it is loaded."""
        notice = self.snapshot.notice if self.snapshot.state in presenter.NO_RUN else None
        return None if notice is None else messages.with_seconds(notice, self._clock() - self._mounted)

    @on(SnapshotReady)
    def _show_newest(self) -> None:
        snapshot = self.worker.mailbox.take()
        if snapshot is None:
            return
        self._waiting.stop()
        was_loaded = self.snapshot.state not in presenter.NO_RUN
        self.show(snapshot)
        if not was_loaded:
            self.renew_help()
        if snapshot.busy and self._governor.note(self._clock()):
            self._send_pace()

    def _send_pace(self) -> None:
        capacity = self._governor.capacity
        self.timeline.snapshots_per_second = self._governor.fps
        self.worker.send(commands.Pace(self._governor.fps, capacity.text, capacity.charts, capacity.chart_rate,
                                       capacity.log))

    @on(HintReady)
    def _show_hint(self) -> None:
        """Show what the search for a hint says, unless the run has left the step that it was asked about."""
        if self.hinter.about == (self.puzzle, self.snapshot.view.grid) and not self._plays:
            self.announce_here(self.hinter.notice)

    @on(ChartReady)
    def _show_curves(self) -> None:
        self.timeline.chart_ready()

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.timeline.show_text(self.snapshot)  # its legends are made of glyphs

    def announce(self, notice: Sentence) -> None:
        self.worker.send(commands.Announce(notice))

    def announce_here(self, notice: Sentence) -> None:
        """Show a message about the step on the screen, unless the run goes on before it is shown."""
        self.worker.send(commands.Announce(notice, None if self._plays else self.snapshot.playhead))

    @property
    def _plays(self) -> bool:
        return self.snapshot.state in ("RUNNING", "REWINDING")

    # Showing

    def show(self, snapshot: Snapshot) -> None:
        """Show a snapshot. Panes whose values are unchanged draw nothing."""
        before, self.snapshot = self.snapshot, snapshot
        self.population.snapshot = snapshot
        has_ended = before.busy and snapshot.state in ENDED.values()
        with self.painted_at_once():
            self._show_all_but_charts(before)
            if not snapshot.busy and not has_ended:  # the answer to a key: it does not wait for the charts
                self.paint_now()
            self.timeline.show_charts()
        if self._needs != self._arranged_for:
            self.place_panes(self.size)
        if self._when_at_rest is not None and not snapshot.busy:
            action, self._when_at_rest = self._when_at_rest, None
            if self.app.screen is self:  # the user may have gone elsewhere while the run was prepared
                action()

    def _show_all_but_charts(self, before: Snapshot) -> None:
        snapshot = self.snapshot
        self._show_header()
        self._show_verdict()
        self.show_board()
        self.chance.show(presenter.chance(snapshot))
        if snapshot.readout is not before.readout or not self.gauges.gauges:
            self._show_readout()
        if (snapshot.params is not before.params or snapshot.breakpoints != before.breakpoints
                or not self.parameters.items):
            self.parameters.show(items(snapshot.params), presenter.active_breakpoints(snapshot))
            self.program.load(self.solver.program_for(snapshot.params))
        self.timeline.show_text(snapshot)

    def _show_header(self) -> None:
        self.header.show(presenter.title(self.pending, self.snapshot, "transport" not in self.regions))

    @property
    def _verdict(self) -> tuple[Sentence | None, presenter.VerdictKind]:
        """The sentence of the verdict line, with the keys in force, and its kind."""
        sentence, kind = presenter.verdict(self.snapshot, self.population.parent_shown, self.population.related)
        return None if sentence is None else self.table.resolve_keys(sentence), kind

    def _show_verdict(self) -> None:
        sentence, kind = self._verdict
        self.show_sentence(sentence, "now" if kind == "step" else "bar_strong", whole=kind == "message",
                           because=self.snapshot.readout.because if kind == "step" else None,
                           passing=self.snapshot.tempo == "watch")

    def show_board(self) -> None:
        """Show the board and the line about the cell under the cursor."""
        hint, view = self._hint_shown, self._view_shown
        self.board.show(presenter.position(self.puzzle, replace(self.snapshot, view=view), self.cursor, self.marks)
                        if hint is None
                        else hint_position(self.puzzle, hint, self.hinter.revealed, self.cursor, self.marks))
        self.cell.show(self.puzzle, replace(view, marks=presenter.marks_shown(self.snapshot, view)), self.cursor,
                       self.population.other_grid if hint is None else "")
        self.panel.pick(self.choice)
        self.show_footer()  # some hints need a cell under the cursor
        if self._needs != self._arranged_for:
            self.place_panes(self.size)

    @property
    def _hint_shown(self) -> Hint | None:
        """The hint on the board."""
        return self.hinter.hint if self._shows_hint else None

    @property
    def _view_shown(self) -> View:
        """The view on the board: of a hint, of another grid, or of the step."""
        hint = self._hint_shown
        return self.population.view if hint is None else hint_view(self.puzzle, hint, self.hinter.revealed)

    def _show_readout(self) -> None:
        """Show the panes of text."""
        readout = self.snapshot.readout
        self._show_panel()
        self._show_tabs()
        self.gauges.show(presenter.gauges(self.snapshot, self.solver.channels))
        self.program.note(() if self.gauges.display else readout.gauges)
        self.program.show(readout.line, readout.live, readout.profile)
        self.log_pane.show(presenter.log_lines(readout.log, self.solver, self.puzzle.n), readout.log_waits)

    def _show_panel(self) -> None:
        self.panel.show(self.snapshot.view.panel, self.population.selection(self.table.shown("sort")))

    def _show_tabs(self) -> None:
        panel = self.snapshot.view.panel
        last = panel.title if panel is not None else _("Panel") if self._needs.panel else TITLES[-1]
        self.tabs.show(self.tab, (*TITLES[:-1], last))

    def _population_changed(self) -> None:
        self._show_panel()
        self.show_footer()

    # Layout

    @property
    def _needs(self) -> Needs:
        looked = self.cursor is not None and self._looked_at == self.snapshot.playhead
        return presenter.needs(self.pending, self.snapshot.view, self.marks, looked)

    def regions_for(self, width: int, height: int) -> Mapping[PaneName, Region]:
        self._arranged_for = self._needs
        self.plan = plan(width, height, self._arranged_for, self.tab)
        return self.plan.regions

    def place_panes(self, size: Size) -> None:
        before = self.plan
        super().place_panes(size)
        if self.plan != before and self.snapshot.notice is not None and self.snapshot.notice == self._about_panes:
            self.worker.send(commands.Announce(None))  # it was about another arrangement
        self.timeline.place(self.regions.get)
        for pane in self.panes.values():
            if isinstance(pane, HeadedPane):
                pane.set_heading(self.plan.mode != "tabs")
        self._show_header()
        self._show_verdict()
        self.program.note(() if self.gauges.display else self.snapshot.readout.gauges)
        self._show_tabs()
        self._population_changed()

    def on_key(self, event: events.Key) -> None:
        """Say what the digits do that have no binding."""
        if event.key.isdigit() and event.key not in self._bindings.key_to_bindings:
            self._announce_tabs()

    # Mouse

    @on(Board.Picked)
    def _pick_cell(self, event: Board.Picked) -> None:
        self._look_at(event.cell)

    @on(PanelPane.Picked)
    def _pick_individual(self, event: PanelPane.Picked) -> None:
        self.population.click(event.individual)

    @on(Tabs.Picked)
    def _pick_tab(self, event: Tabs.Picked) -> None:
        self.action_tab(event.tab)

    # Footer and help

    def conditions(self) -> dict[str, bool]:
        return {
            **presenter.conditions(self.snapshot, self.pending), **self.population.conditions(),
            "pencils": self._pencilled, "chosen": self.choice is not None,
            "choices": bool(choices_of(self.snapshot.view.panel)) and (self.tabs.display or self.panel.display),
            "causes": self.cursor is not None and (
                self.snapshot.view.causes is not None or
                not {"parent_a", "parent_b"}.isdisjoint(self.snapshot.view.marks)),
            "inner": self._holds_inner_run,
        }

    def placeholders(self) -> dict[str, str]:
        return presenter.placeholders(self.solver)

    def idle_actions(self) -> frozenset[str]:
        return presenter.idle_actions(self.snapshot, self.solver)

    def help_title(self) -> str:
        return " · ".join((_("Laboratory"), _(self.solver.title), self.pending.puzzle_name)).removesuffix(" · ")

    def help_now(self) -> list[str]:
        tab = self.tabs.titles[self.tab - 1] if self.tabs.display else None
        related = "" if self.population.related is None else self.population.other_grid
        other = "hint" if self._hint_shown is not None else related
        picked = self.cursor is not None and not self.population.focused
        return [*presenter.help_now(self.snapshot, self.table, picked, tab, other,
                                      self.panel.mark_on_board()),
                *self.population.help_now(self.table)]

    def help_about(self) -> list[str]:
        return presenter.about(self.solver)

    def _explained(self) -> dict[PaneName, tuple[str, PageMaker]]:
        """Title and pages of the explanation of each pane."""
        from tui.screens.run import pane_help

        snapshot = self.snapshot
        sentence, kind = self._verdict
        layout = self.board.layout_for(*self.board.size)
        moment = pane_help.Moment(
            snapshot, self.solver, self.puzzle, sentence, presenter.gauges(snapshot, self.solver.channels),
            presenter.chance(snapshot), self._view_shown, kind, hint=self._hint_shown is not None,
            pencilled=layout is not None and layout.kind == "pencil",
            letters=layout is not None and layout.digits == 1 and layout.n > 9,
            other_grid=self.population.other_grid, mark=self.panel.mark_on_board(), help_key=self.table.shown("help"))
        return {name: (each.title, partial(pane_help.pages, each, snapshot.playhead))
                for name, each in pane_help.explained(moment).items()}

    def help_panes(self) -> list[tuple[str, PageMaker]]:
        return list(self._explained().values())

    @on(HeadedPane.HeadingClicked)
    def _explain_pane(self, event: HeadedPane.HeadingClicked) -> None:
        """Explain the pane whose heading was clicked; that of the parameters opens their form, which explains them."""
        from tui.screens.dialogs.help import PaneHelp

        event.stop()
        if event.pane is self.parameters:
            self.action_parameters()
            return
        headed: dict[PaneName, Pane] = {**self.panes, "heading": self.timeline.heading}
        explained = self._explained()
        clicked = [digit for digit, name in enumerate(explained, 1) if headed[name] is event.pane]
        if clicked:
            self.app.push_screen(PaneHelp(list(explained.values()), clicked[0]))

    def file_title(self) -> str:
        pending = self.pending
        puzzle = pending.puzzle_name[:40]  # a line of a file may be long
        return f"{pending.solver.title} {puzzle} seed {pending.seed} step {self.snapshot.playhead}"

    # Actions: time

    def action_play(self, direction: int) -> None:
        self.worker.send(commands.Toggle(direction))

    def action_step(self, steps: int) -> None:
        self.worker.send(commands.Step(steps))

    def action_period(self, direction: int) -> None:
        self.worker.send(commands.Period(direction))

    def action_home(self) -> None:
        self.worker.send(commands.Seek(0))

    def action_end(self) -> None:
        self.worker.send(commands.ToEnd())

    def action_goto(self) -> None:
        def answered(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self.worker.send(commands.parse_step(typed)))

        self.app.push_screen(PromptDialog(_("Go to step"), "5 000   5k   +100"), answered)

    def action_faster(self, direction: int) -> None:
        self.worker.send(commands.Faster(direction))

    def action_flat_out(self) -> None:
        self.worker.send(commands.FlatOut())

    def action_zoom(self, direction: int) -> None:
        self.worker.send(commands.Zoom(direction))

    def action_find(self, target: str, direction: int) -> None:
        """Find the next or previous event; `target` is a key of `FINDS`."""
        kinds, word = FINDS[target]
        if target == "reheat":
            word = presenter.turning_point(self.solver, self.snapshot.params) or word
        elif target == "better":
            word = presenter.improvement(self.solver) or word
        self.worker.send(commands.Find(kinds, direction, _(word)))

    def action_hint(self) -> None:
        """Ask for a hint about the step on the screen."""
        self._pause_and(lambda: self.hinter.ask(self.puzzle, self.snapshot.view.grid, self._shows_hint,
                                                self.snapshot.view.candidates is not None))

    def _pause_and(self, action: Callable[[], object]) -> None:
        """Do what is about one step; a run that plays is paused first."""
        if self._plays:
            self._when_at_rest = action
            self.worker.send(commands.Halt())
        else:
            action()

    @property
    def _shows_hint(self) -> bool:
        return self.snapshot.notice == self.hinter.notice and not self.snapshot.busy

    # Actions: interventions, breakpoints, branches

    def action_turn(self, direction: int) -> None:
        self.worker.send(commands.Turn(direction))

    def action_parameters(self) -> None:
        """Open the form of all parameters and knobs, once the run is loaded."""
        if self.snapshot.recipe is None:
            self._when_at_rest = self.action_parameters
            return

        from tui.screens.run.parameter_form import ParameterForm, fields

        def answered(answer: tuple[str, Value] | None) -> None:
            if answer is not None:
                self.worker.send(commands.Intervene(*answer))

        def open_form() -> None:
            rows = fields(self.solver, self.snapshot.params, self.snapshot.knobs)
            self.app.push_screen(ParameterForm(rows, self.snapshot.params), answered)

        self._pause_and(open_form)

    def action_set_one(self, name: str) -> None:
        """Ask for a new value of this parameter or knob."""
        def answered(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self._change(typed))

        self.app.push_screen(PromptDialog(_("Set"), _("name = value"), f"{name} = "), answered)

    def _change(self, typed: str) -> None:
        """Set the parameter or knob typed as `name = value`. Raises BadInput."""
        from tui.screens.run.parameter_form import parse_change

        self.worker.send(commands.Intervene(*parse_change(typed, self.solver, self.snapshot.params)))

    def action_undo(self) -> None:
        """Undo the last change; without one, return from the search inside a step to its outer run."""
        if self.pending.outer is not None and not self.snapshot.can_undo:
            self.worker.send(commands.Halt())
            navigator(self).back()
        else:
            self.worker.send(commands.Undo())

    def action_redo(self) -> None:
        self.worker.send(commands.Redo())

    def action_breakpoints(self) -> None:
        """Open the list of breakpoints; each change takes effect at once."""
        if self.snapshot.recipe is None:
            self._when_at_rest = self.action_breakpoints
            return
        from tui.screens.run.dialogs import BreakpointList

        kinds = breakpoint_syntax.offered(self.solver, self.snapshot.params)
        self.app.push_screen(BreakpointList(self.snapshot.breakpoints, kinds, self.cursor, self.puzzle.n,
                                            lambda changed: self.worker.send(commands.Break(changed)), self.solver,
                                            breakpoint_syntax.fixed_cells(self.solver, self.puzzle)))

    def action_branches(self) -> None:
        """Open the list of branches."""
        def answered(number: int | None) -> None:
            if number is not None:
                self.worker.send(commands.Show(number))

        def listed() -> None:
            if self.snapshot.recipe is None:
                self._when_at_rest = listed
            elif self.snapshot.branches:
                from tui.screens.run.dialogs import BranchList

                self.app.push_screen(BranchList(self.snapshot.branches, self.pending.outer is not None), answered)

        self._pause_and(listed)

    def action_switch(self, direction: int) -> None:
        self.worker.send(commands.Switch(direction))

    # Actions: cell cursor, candidates, choices of a search

    def action_cursor(self, down: int, right: int) -> None:
        """Move the cell cursor, which wraps at the edges; it starts in the middle of the board."""
        if self.population.focused:
            self.population.pick(down, right)
            return
        n = self.puzzle.n
        self._look_at(n // 2 * n + n // 2 if self.cursor is None else step_cell(self.cursor, n, down, right))

    def _look_at(self, cell: int) -> None:
        """Put the cell cursor on a cell. Until the next step its line may take the place of the reason."""
        from tui.screens.run.explain import no_cell

        self.cursor, self._looked_at = cell, self.snapshot.playhead
        if self.snapshot.notice in (no_cell(True), no_cell(False), messages.no_choice_selected()):
            self.worker.send(commands.Announce(None))  # it asked for a cell
        self.show_board()

    @property
    def _has_candidates(self) -> bool:
        """There are candidates at this step, or room is reserved for those of other steps."""
        reserved = self.marks and "candidates" in self.solver.gives
        return reserved or self.snapshot.view.candidates is not None

    @property
    def _pencilled(self) -> bool:
        """There are candidates, and room to pencil them in."""
        roomy = self.size.width >= PENCILLED[0] and self.size.height >= PENCILLED[1]
        return roomy and self.puzzle.box <= LARGEST_LINE_BOX and self._has_candidates

    def action_marks(self) -> None:
        """Show or hide the candidates."""
        if not self._has_candidates:
            self.announce_here(messages.no_candidates("cell" in self.plan.regions))
            return
        if not self._pencilled:
            self.announce(messages.no_room_for_candidates(*PENCILLED, "cell" in self.plan.regions))
            return
        self.marks = not self.marks
        self.place_panes(self.size)
        self.show_board()

    def action_explain(self) -> None:
        """Explain the eliminations from the cell under the cursor: in the verdict line or, if too long, on a page."""
        from tui.screens.dialogs.pager import Pager
        from tui.screens.run import explain

        if self.cursor is None:
            self.announce(explain.no_cell(self.population.focused))
            return
        view = self.snapshot.view
        notice = explain.explanation(self.puzzle, view, self.cursor)
        if self.fits(notice):
            self.announce_here(notice)
        else:
            self.app.push_screen(Pager(partial(explain.explanation_pages, self.puzzle, view, self.cursor,
                                              self.snapshot.playhead)))

    @property
    def choice(self) -> Pair | None:
        """The selected choice of a search: of the cell under the cursor, if it has one."""
        found = [pair for pair in choices_of(self.snapshot.view.panel) if pair[0] == self.cursor]
        return self._picked_choice if self._picked_choice in found else next(iter(found), None)

    def action_choice(self, direction: int) -> None:
        """Select the next choice of the search, the newest first, and its cell; or the next individual."""
        choices = choices_of(self.snapshot.view.panel)
        if self.population.population is not None:
            self.population.pick(direction, 0)
            return
        if not choices:
            self._announce_no_choices()
            return
        if self.tabs.display:
            self.action_tab(len(self.tabs.titles))
        place = 0 if self.choice is None else choices.index(self.choice) + direction
        self._picked_choice = choices[max(0, min(place, len(choices) - 1))]
        self._look_at(self._picked_choice[0])

    def _announce_no_choices(self) -> None:
        makes_some = "guess" in self.solver.kinds or stack_in(self.snapshot.view.panel) is not None
        self.announce_here(messages.no_choices() if makes_some else messages.makes_no_choices())

    @property
    def _holds_inner_run(self) -> bool:
        """The step on the screen holds a search, and no other individual is selected."""
        kind, browser = self.solver.inner_kind, self.population
        other = browser.focused and browser.picked is not None and browser.picked != self._stepped
        return bool(kind) and not other and any(kind in event.kinds for event in self.snapshot.events)

    @property
    def _stepped(self) -> int | None:
        """The individual that the step is about; unknown while the user has opened another one."""
        panel = self.population.population
        return None if panel is None or self.snapshot.opened is not None else panel.current

    @on(InnerRunReady)
    def _show_inner_run(self, event: InnerRunReady) -> None:
        if event.inner is None:
            self.announce(messages.nothing_inside())
        elif self.is_current:
            navigator(self).push_inner_run(inner_run(self.pending, event.inner, event.step))

    def action_go_there(self) -> None:
        """Go to the step that made the selected choice; open the search inside this step, or the selected
        individual."""
        if self._holds_inner_run:
            if self.snapshot.busy:
                self.worker.send(commands.Halt())
            self.worker.send(commands.Inside(lambda inner, step: self.post_message(self.InnerRunReady(inner, step))))
        elif self.population.population is not None:
            self.population.toggle_open()
        elif not choices_of(self.snapshot.view.panel):
            self._announce_no_choices()
        elif self.choice is None:
            self.announce_here(messages.no_choice_selected())
        else:
            cell, value = self.choice
            tried = f" {'=' if value > 0 else '≠'} {abs(value)}" if value else ""
            self.worker.send(commands.FindChoice(cell, value, f"{cell_name(cell, self.puzzle.n)}{tried}"))

    def action_hands_on(self) -> None:
        """Put the next steps to the learner; leaving it shows the step that was reached."""
        from tui.screens.hands_on import HandsOnScreen

        snapshot = self.snapshot
        if snapshot.state in ENDED.values():
            self.announce(messages.run_ended(snapshot.outcome, snapshot.recorded, snapshot.individuals))
        elif snapshot.state != "FAILED":  # the verdict line has the reason
            self.app.push_screen(HandsOnScreen(self.pending, self.worker.send, self._answered, self._waited))

    # Actions: population, tabs

    def action_parents(self) -> None:
        self.population.next_parent()
        self._show_verdict()
        self.show_board()
        self._show_panel()

    def action_scroll(self, direction: int) -> None:
        """Scroll the lists of the panel, else the program."""
        if not any(pane.display and pane.scroll_page(direction) for pane in (self.panel, self.program)):
            has_log = self.log_pane.display and self.snapshot.playhead > 0
            self._announce_panes(messages.no_tabs(0, room=False) if self._hides_panes else
                                 messages.scrolled_to_the_end(has_log))

    def action_sort(self) -> None:
        self.population.toggle_sort()

    @property
    def _has_tabs(self) -> bool:
        return bool(self.tabs.display) or (self.plan.mode == "panes" and self._needs.population)

    @property
    def _hides_panes(self) -> bool:
        """Whether the window has room neither for all panes nor for tabs."""
        return not self.tabs.display and self.plan.mode in ("bare", "tabs")

    def _announce_tabs(self) -> None:
        """Say which tabs there are, or why there are none."""
        self._announce_panes(messages.two_views() if self._has_tabs and not self.tabs.display else self._no_tabs())

    def _announce_panes(self, notice: Sentence) -> None:
        """Show a message that holds for the present arrangement of the panes only."""
        self._about_panes = notice
        self.announce(notice)

    def _no_tabs(self) -> Sentence:
        tabs = len(self.tabs.titles) if self.tabs.display else 0
        optional: Mapping[PaneName, str] = {"gauges": "Gauges", "parameters": "Setup", "log": "Log"}
        hidden = [] if self._needs.population else [
            title for name, title in optional.items() if name not in self.plan.regions]
        return messages.no_tabs(tabs, not self._hides_panes, hidden, self._pencilled and self.marks)

    def action_tab(self, tab: int) -> None:
        """Open a tab; where all panes are visible, say so."""
        if not self._has_tabs:
            self._announce_tabs()
            return
        self.tab, self.population.wants_focus = tab, False
        self.place_panes(self.size)

    def action_next_tab(self, direction: int) -> None:
        """Open the next tab; a population takes two stops, its tab and its individuals."""
        browser = self.population
        if not self._has_tabs and (browser.population is None or self._hides_panes):
            self._announce_tabs()
            return
        if browser.population is None:
            self.action_tab((self.tab - 1 + direction) % len(self.tabs.titles) + 1)
            return
        self.tab, browser.wants_focus = next_stop(self.plan.mode, (self.tab, browser.wants_focus), direction)
        self.place_panes(self.size)
        if browser.wants_focus and browser.picked is None:
            browser.pick(0, 0)

    # Actions: files, other screens

    def action_save(self) -> None:
        """Save the run in the user's data folder, under a name made from its recipe."""
        if self.pending.outer is not None:
            self.announce(messages.belongs_to_a_step(self.snapshot.can_undo))
            return
        name = f"{self.solver.name} {self.pending.puzzle_name[:40]} seed {self.pending.seed}"
        self.worker.send(commands.Save(paths.saved_runs(), text.file_name(name)))

    def action_recipe(self) -> None:
        """Copy the run as one line, and show it for terminals without a clipboard."""
        from engine.run import recipe
        from tui.screens.dialogs.pager import Pager, recipe_pages

        if self.snapshot.recipe is None:
            self._when_at_rest = self.action_recipe
            return
        if self.pending.outer is not None:
            self.announce(messages.belongs_to_a_step(self.snapshot.can_undo))
            return
        try:
            line = recipe.line(self.snapshot.recipe, self.snapshot.playhead)
        except BadInput as error:
            self.announce(messages.refused(error))
            return
        self.app.copy_to_clipboard(line)
        self.app.push_screen(Pager(partial(recipe_pages, line)))

    @property
    def _record(self) -> PuzzleRecord:
        return PuzzleRecord(puzzle=self.puzzle, name=self.pending.puzzle_name)

    def home_request(self) -> HomeRequest:
        origin = self._origin
        params = self.snapshot.params if origin is self.pending else origin.params
        return HomeRequest(self._record, origin.solver.name, params, origin.seed)

    @property
    def _origin(self) -> PendingRun:
        """The run that others are made from: this one, or the one whose step this is."""
        return self.pending.outer or self.pending

    def action_new_run(self) -> None:
        """Open Home with the parts of this run selected. It lists this run, too, which is saved first."""
        runs_changed = navigator(self).open_home(self.home_request())

        def save(run: Run) -> None:
            failure = self._run_file_saver.save(run)
            if failure is not None:
                self.announce(failure)
            runs_changed()

        self.worker.send(commands.OnRun(save))

    @property
    def _replays(self) -> bool:
        """Whether a run file or the steps of a recipe are being replayed."""
        notice = self.snapshot.notice
        return self.snapshot.state in ("PREPARING", "OPENING") and notice is not None and notice.badge == _("OPENING")

    def _pause_behind(self) -> None:
        """Pause the run, which another screen is about to cover; the loading of one goes on."""
        if self.snapshot.state not in presenter.NO_RUN:
            self.worker.send(commands.Halt())

    def action_edit(self) -> None:
        self._pause_behind()
        navigator(self).open_editor(self._record, self.home_request())

    def action_automata(self) -> None:
        """Open the automata of the present board."""
        self._pause_behind()
        navigator(self).open_automata(AutomataRequest(self._record, self.snapshot.view.grid, cursor=self.cursor))

    def action_back(self) -> None:
        """Undo one thing at a time: pause, put the hint away, close the opened individual, drop the selection. It
        leaves the laboratory only for the bench behind it."""
        if self.snapshot.state in ("RUNNING", "REWINDING", "SEARCHING") or self._replays:
            self.worker.send(commands.Halt())
        elif self._shows_hint:
            self.worker.send(commands.Halt())  # any command takes its message away
        elif self.population.related is not None:
            self.population.close_related()
            self._show_verdict()
            self.show_board()
            self._show_panel()
        elif self.snapshot.opened is not None:
            self.population.open(None)
        elif self.population.focused:
            self.population.leave()
        elif self.cursor is not None:
            self.cursor = None
            self.show_board()
        elif self.pending.outer is not None:
            self.announce(messages.leaves_by_undo(self.snapshot.can_undo))
        elif len(self.app.screen_stack) > 1:  # in front of the bench
            self.worker.send(commands.Halt())
            navigator(self).back()
        else:
            self.announce(messages.nothing_open())

    # Command palette

    def commands(self) -> Iterator[Command]:
        from engine.puzzles import packs
        from tui.screens.dialogs.command_palette import Command

        yield from super().commands()
        for knob in self.solver.knobs:
            yield Command(f"set {knob.name}", knob.help, partial(self.action_set_one, knob.name))
        for each in parameters.describe(self.solver.Params):
            if each.live:
                about = f"{_(each.unit)}: {_(each.help)}" if each.unit else each.help
                yield Command(f"set {each.name}", about, partial(self.action_set_one, each.name))
        for name in packs.pack_names():
            for number, record in enumerate(packs.pack(name), 1):
                yield Command(f"open {name}:{number}", record.name, partial(self._open_puzzle, record))

    def typed_command(self, typed: str) -> Command | None:
        from tui.screens.dialogs.command_palette import Command
        from tui.screens.run.parameter_form import with_equals

        typed = with_equals(typed, self.solver, self.snapshot.params)
        if "=" not in typed:
            return None
        return Command(typed, _("set a parameter or a knob"), lambda: self.attempt(lambda: self._change(typed)))

    def _open_puzzle(self, record: PuzzleRecord) -> None:
        """Start a run of the same solver on another puzzle."""
        pending = self._origin
        navigator(self).open_run(NewRun(record.puzzle, record.name, pending.solver.name, pending.params, pending.seed))
