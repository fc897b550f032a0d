"""The application: connects terminal, configuration and screens, and navigates between the screens."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual import events
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from engine.errors import BadInput
from engine.puzzle import Puzzle
from engine.puzzles.formats import PuzzleRecord
from engine.puzzles.sources import is_experiment_file
from engine.view import Sentence
from tui import PROGRAM, messages
from tui.background import threads
from tui.config.settings import Appearance
from tui.keys.keymap import INTERRUPT
from tui.look import ThemeName
from tui.look.theme import PALETTES, other_contrast, other_ground, textual_theme
from tui.playback.loading import PendingRun, pending_run
from tui.puzzle_facts import refuse_clashes
from tui.requests import AppRequest, AutomataRequest, BenchRequest, HomeRequest, NewRun, ResumeSession
from tui.screens.base import AppScreen
from tui.storage.library import Library
from tui.storage.progress import ProgressStore, learner
from tui.storage.puzzle_files import is_run_file, kiosk_files, read_puzzles
from tui.storage.sessions import Session
from tui.terminal.capabilities import Capabilities
from tui.terminal.compositor import LeanApp
from tui.terminal.driver import hardened
from tui.terminal.frame_rate import LOCAL, ByteMeter, LineCapacity
from tui.terminal.key_queue import KeyQueue
from tui.terminal.pacing import Pacer
from tui.terminal.signals import SignalGuard

if TYPE_CHECKING:
    from tui.screens.home.screen import Home
    from tui.screens.run.screen import RunScreen


def metered(driver: type[Driver], meter: ByteMeter) -> type[Driver]:
    """A driver class that counts the bytes it writes."""

    class Metered(driver):  # type: ignore[misc, valid-type]
        def write(self, data: str) -> None:
            meter.sent += len(data) if data.isascii() else len(data.encode())
            super().write(data)

    return Metered


def chosen_appearance(request: AppRequest, remembered: Appearance | None) -> Appearance:
    """The appearance at the start: from the command line, else the configuration, else the last launch."""
    config, last = request.config, remembered or Appearance()
    theme = config.settings.theme if "theme" in config.given or remembered is None else last.theme
    ascii = config.settings.ascii if "ascii" in config.given or remembered is None else last.ascii
    return Appearance(request.theme or theme, ascii if request.ascii is None else request.ascii)


class SudokuApp(LeanApp[int]):
    """The application: one run at a time, and the other screens in front of it.

    Raises BadInput if the request is for something that does not exist.
    """

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, priority=True),
                                           Binding(INTERRUPT, "interrupt", show=False, priority=True),
                                           Binding("ctrl+l", "redraw", show=False)]
    TITLE = PROGRAM

    def __init__(self, request: AppRequest, capabilities: Capabilities, *, guarded: bool = True,
                 remembered: Appearance | None = None,
                 remember: Callable[[Appearance], None] = lambda appearance: None,
                 pacer: Pacer | None = None, session: Session | None = None) -> None:
        """`guarded`: watch the terminal and the signals (not in tests, which have no terminal). `remembered`: the
        appearance of the last launch; `remember` is called with each appearance that the user chooses. `pacer`: when
        frames may be sent. `session`: where the run in front is saved."""
        super().__init__(ansi_color=capabilities.native, pacer=pacer)
        self._pacer = pacer
        self._session = session or Session()
        self._key_queue = KeyQueue(self, super().on_event)
        self._meter = ByteMeter(capacity=self._line_capacity)
        self.driver_class = metered(hardened(self.driver_class), self._meter)
        self._capabilities = capabilities
        self._remember = remember
        self._appearance = chosen_appearance(request, remembered)
        self.look = capabilities.look(self._appearance.theme, self._appearance.ascii)
        self.settings = request.config.settings
        self.key_changes = request.config.keys
        self.mistake = request.config.mistake
        self._request = request
        self._library = Library(kiosk_files())
        self._progress = ProgressStore(learner(os.environ), enabled=self.settings.autosave)
        self.farewells: list[str] = []
        """Messages to print after the app has ended."""
        self._interrupted = False
        """The last key was ctrl+c."""
        self._run: RunScreen | None = None
        """The run in front."""
        self._runs_behind: list[RunScreen | None] = []
        """The runs behind the bench or a run that is inside a step, while another one is in front; None: there was
        none."""
        self._earlier_runs: list[RunScreen] = []
        """Earlier runs whose threads have not ended."""
        if not isinstance(request.run_source, HomeRequest | AutomataRequest | BenchRequest):
            self._run = self._load(request)
        watched = sys.__stdin__ if guarded else None
        self._guard = None if watched is None else SignalGuard(self.exit, watched.fileno(), urgent=self._close_runs)
        for palette in PALETTES.values():
            self.register_theme(textual_theme(palette))
        self.theme = textual_theme(self.look.palette).name

    @property
    def run_screen(self) -> RunScreen:
        """The run in front. Raises LookupError if there is none."""
        if self._run is None:
            raise LookupError("no run is open")
        return self._run

    @property
    def code(self) -> int:
        """The exit code: 128 + the number of the signal that ended the app, else 0."""
        return self._guard.code if self._guard is not None else 0

    @property
    def defect(self) -> Exception | None:
        """The unexpected exception that ended the app, if any."""
        return self._exception

    @property
    def is_busy(self) -> bool:
        """Whether a background thread still runs after the app has ended."""
        return threads.is_busy()

    def _line_capacity(self) -> LineCapacity:
        """The capacity of the line to the terminal, with the user's setting for charts."""
        capacity = LOCAL if self._pacer is None else self._pacer.capacity
        charts = self.settings.charts
        return capacity if charts == "auto" else replace(capacity, charts=charts == "on")

    # Screens

    def get_default_screen(self) -> Screen[Any]:
        request = self._request.run_source
        if isinstance(request, HomeRequest):
            return self._home(request, messages.config_error(self.mistake) if self.mistake else None)
        if isinstance(request, AutomataRequest):
            return self._automata(request)
        if isinstance(request, BenchRequest):
            return self._bench(request) if request.name or request.parts else self._home(HomeRequest())
        return self.run_screen

    # Each screen is imported when it is opened: the first one is there sooner without the others.

    def _load(self, request: AppRequest) -> RunScreen:
        if isinstance(request.run_source, ResumeSession):
            return self._resume(request, request.run_source.path)
        return self._run_screen(pending_run(request), request)

    def _resume(self, request: AppRequest, path: Path | None) -> RunScreen:
        """The run of a session; without a path, of the first one that no other process has taken."""
        claimed = self._session.claim_first() if path is None else self._session.claim(path)
        try:
            return self._run_screen(pending_run(replace(request, run_source=ResumeSession(claimed))), request)
        except BadInput:
            self._session.give_back()
            raise

    def _run_screen(self, pending: PendingRun, request: AppRequest) -> RunScreen:
        from tui.screens.run.screen import RunScreen

        return RunScreen(pending, request.play, request.fps, meter=self._meter, session=self._session)

    def _home(self, request: HomeRequest, notice: Sentence | None = None) -> Home:
        from tui.screens.home.screen import Home

        return Home(request, notice)

    def _automata(self, request: AutomataRequest) -> Screen[Any]:
        from tui.screens.automata.screen import Automata

        return Automata(request)

    def _bench(self, request: BenchRequest) -> Screen[Any]:
        from tui.screens.bench.screen import Bench

        return Bench(request)

    # Navigation; see `tui.screens.navigation`

    @property
    def library(self) -> Library:
        return self._library

    @property
    def progress(self) -> ProgressStore:
        return self._progress

    @property
    def has_run(self) -> bool:
        return self._run is not None

    @property
    def client(self) -> str:
        return self._session.client

    def open_run(self, source: NewRun | Path | ResumeSession) -> None:
        request = replace(self._request, run_source=source, play=False)
        if isinstance(source, ResumeSession):  # at the speed of the session
            request = replace(request, speed=None)
        new = self._load(request)
        self._earlier_runs = self._alive()
        self._run, self._runs_behind = new, []
        self._replace_all(new)

    def push_run(self, source: NewRun) -> None:
        self._push_run(self._load(replace(self._request, run_source=source, play=False)))

    def push_inner_run(self, pending: PendingRun) -> None:
        from tui.screens.run.screen import RunScreen

        self._push_run(RunScreen(pending, fps=self._request.fps, meter=self._meter))

    def _push_run(self, new: RunScreen) -> None:
        self._earlier_runs = self._alive()
        self._runs_behind.append(self._run)
        self._run = new
        self.push_screen(new)

    def open_home(self, request: HomeRequest) -> Callable[[], object]:
        home = self._home(request)
        self.push_screen(home)
        return lambda: home.post_message(home.RunsChanged())

    def open_editor(self, record: PuzzleRecord, request: HomeRequest, pasted: str = "") -> None:
        from tui.screens.editor import Editor

        self.push_screen(Editor(record, request, pasted))

    def open_automata(self, request: AutomataRequest) -> None:
        self.push_screen(self._automata(request))

    def open_guess(self, puzzle: Puzzle) -> None:
        from tui.screens.guess import GuessScreen

        refuse_clashes(puzzle)
        self.push_screen(GuessScreen(puzzle))

    def open_bench(self, request: BenchRequest) -> None:
        new = self._bench(request)
        if isinstance(self.screen, type(new)):
            self._replace(new)
        else:
            self.push_screen(new)

    def open_file(self, path: Path, request: HomeRequest) -> None:
        if is_run_file(path):
            self.open_run(path)
            return
        if is_experiment_file(path) and isinstance(self.screen, AppScreen):
            from tui.screens.bench.experiment_dialogs import load_and_open

            load_and_open(self.screen, str(path))
            return
        opened, wrong = read_puzzles(path)
        self._library.add(opened)
        while self._runs_behind:
            self._run = self._runs_behind.pop()
        home = self._home(replace(request, record=opened.records[0]), messages.left_out(wrong) if wrong else None)
        if self._run is None:
            self._replace_all(home)
        else:
            self._pop_to_first()
            self.push_screen(home)

    def say_on_exit(self, why: str) -> None:
        self.farewells.append(why)

    def back(self) -> None:
        if len(self.screen_stack) > 1:  # a click or a key may come twice before the screen is gone
            if self.screen is self._run:
                self._earlier_runs = self._alive()
                self._run = self._runs_behind.pop() if self._runs_behind else None
            self.pop_screen()

    def _pop_to_first(self) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def _replace_all(self, new: Screen[Any]) -> None:
        """Replace all screens by this one."""
        self._pop_to_first()
        self._replace(new)

    def _replace(self, new: Screen[Any]) -> None:
        """Replace the screen in front."""
        first = self.screen
        if not first._result_callbacks:  # switch_screen expects one, but the default screen was never pushed
            first._push_result_callback(first, None)
        self.switch_screen(new)

    def _runs(self) -> list[RunScreen]:
        """The run in front, and earlier ones whose threads have not ended."""
        earlier = [each for each in self._earlier_runs if each is not self._run]  # one behind may be in front again
        return [*earlier, *([] if self._run is None else [self._run])]

    def _alive(self) -> list[RunScreen]:
        return [each for each in self._runs() if each.worker.is_alive]

    # Start and end

    def on_load(self) -> None:
        if self._guard is not None:  # before the terminal is changed, so that it is given back whenever a signal comes
            self._guard.start()

    def on_mount(self) -> None:
        request = self._request.run_source
        if request == BenchRequest():
            self.call_after_refresh(self.screen.run_action, "bench")
        if self._guard is not None:
            self._guard.take_signals()  # Textual's driver for browsers handles them too
            self.call_after_refresh(self.enable_garbage_collection)
        if self.mistake and isinstance(self.screen, AppScreen) and not isinstance(request, HomeRequest):
            self.call_after_refresh(self.screen.announce, messages.config_error(self.mistake))

    def on_unmount(self) -> None:
        if self._guard is not None:
            self._guard.stop()

    def on_run_screen_chart_ready(self) -> None:
        """Everything that a run screen needs is loaded."""
        if self._guard is not None:
            self.enable_garbage_collection()

    def enable_garbage_collection(self) -> None:
        """Collect only objects created from now on: what was loaded until now stays."""
        gc.freeze()
        gc.enable()

    def _fatal_error(self) -> None:
        """End in order on an unexpected exception, so that runs are saved; the command line reports it. Textual would
        print a traceback."""
        self._close_messages_no_wait()

    def _close_runs(self) -> None:
        """Save the runs at once. Called from another thread."""
        for each in self._runs():
            each.worker.close()

    async def on_event(self, event: events.Event) -> None:
        """Pass typed-ahead keys to the screen they are meant for, however fast they come."""
        if isinstance(event, events.Key) and event.key != INTERRUPT:
            self._interrupted = False
        if isinstance(event, events.InputEvent) and not event.is_forwarded:
            await self._key_queue.take(event)
        else:
            await super().on_event(event)

    def action_interrupt(self) -> None:
        """Say how to quit; pressed twice, or where a screen has no line to say it in, quit."""
        screen = self.screen
        if self._interrupted or not isinstance(screen, AppScreen) or type(screen).announce is AppScreen.announce:
            self.exit()
            return
        self._interrupted = True
        screen.announce(screen.table.resolve_keys(messages.how_to_quit("forward" in screen.table.named)))

    # Appearance

    def set_theme(self, theme: ThemeName) -> None:
        self.set_appearance(theme, self._appearance.ascii)

    def toggle_light(self) -> None:
        self.set_appearance(other_ground(self._appearance.theme), self._appearance.ascii)

    def toggle_contrast(self) -> None:
        self.set_appearance(other_contrast(self._appearance.theme), self._appearance.ascii)

    def toggle_ascii(self) -> None:
        self.set_appearance(self._appearance.theme, not self._appearance.ascii)

    def set_appearance(self, theme: ThemeName, ascii: bool) -> None:
        """Change the appearance, now and for the next launch; where the terminal has no other, say so."""
        look, chosen = self._capabilities.look(theme, ascii), Appearance(theme, ascii)
        same = look.palette.styles == self.look.palette.styles and look.glyphs == self.look.glyphs
        if same and chosen != self._appearance:
            if isinstance(self.screen, AppScreen):
                self.screen.announce(messages.same_look(ascii != self._appearance.ascii))
            return
        self._appearance = chosen
        self._remember(self._appearance)
        self.look = look
        self.theme = textual_theme(self.look.palette).name
        for screen in self.screen_stack:
            if isinstance(screen, AppScreen):
                screen.set_look(self.look)
