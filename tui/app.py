"""The application: wiring between the terminal, the look, and the screens."""

from __future__ import annotations

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
from engine.puzzles.formats import PuzzleRecord
from engine.view import Sentence
from tui import PROGRAM, garbage, messages
from tui.background import threads
from tui.config.settings import Appearance, Theme
from tui.look.theme import PALETTES, other_contrast, other_ground, textual_theme
from tui.playback import commands
from tui.playback.loading import PendingRun, pending_run
from tui.requests import AppRequest, AutomataRequest, BenchRequest, HomeRequest, NewRun, ResumeSession
from tui.screens.base import AppScreen
from tui.storage.library import Library
from tui.storage.puzzle_files import is_run, of_kiosk, puzzles_of
from tui.storage.sessions import Session
from tui.terminal.capabilities import Capabilities
from tui.terminal.compositor import LeanApp
from tui.terminal.driver import steadfast
from tui.terminal.frame_rate import FAST, ByteMeter, LineCapacity
from tui.terminal.key_queue import KeyQueue
from tui.terminal.pacing import Pacer
from tui.terminal.signals import SignalGuard

if TYPE_CHECKING:
    from tui.screens.home.screen import Home
    from tui.screens.run.screen import RunScreen



def metered(driver: type[Driver], meter: ByteMeter) -> type[Driver]:
    """The driver, counting what it writes."""

    class Metered(driver):  # type: ignore[misc, valid-type]
        def write(self, data: str) -> None:
            meter.sent += len(data) if data.isascii() else len(data.encode())
            super().write(data)

    return Metered


def chosen_appearance(request: AppRequest, kept: Appearance | None) -> Appearance:
    """The look to begin with: what the command line says, else the configuration, else what was chosen last."""
    config, last = request.config, kept or Appearance()
    theme = config.settings.theme if "theme" in config.given or kept is None else last.theme
    ascii = config.settings.ascii if "ascii" in config.given or kept is None else last.ascii
    return Appearance(request.theme or theme, ascii if request.ascii is None else request.ascii)


class SudokuApp(LeanApp[int]):
    """One laboratory at a time, and Home and the editor in front of it. Raises BadInput when the request asks for
    what does not exist."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True),
                                           Binding("ctrl+l", "redraw", show=False)]
    TITLE = PROGRAM

    def __init__(self, request: AppRequest, capabilities: Capabilities, *, guarded: bool = True,
                 kept: Appearance | None = None, keep: Callable[[Appearance], None] = lambda appearance: None,
                 pacer: Pacer | None = None, session: Session | None = None) -> None:
        """`guarded`: watch the terminal and the signals (not under test, where there is no terminal). `kept`: the look
        of the last time; `keep` is told every look that the learner chooses. `pacer`: says when frames may be sent.
        `session`: where the laboratory stands is kept there."""
        super().__init__(ansi_color=capabilities.native, pacer=pacer)
        self._pacer = pacer
        self._session = session or Session()
        self._key_queue = KeyQueue(self, super().on_event)
        self._meter = ByteMeter(capacity=self._capacity_of_line)
        self.driver_class = metered(steadfast(self.driver_class), self._meter)
        self._capabilities = capabilities
        self._keep = keep
        self._appearance = chosen_appearance(request, kept)
        self.look = capabilities.look(self._appearance.theme, self._appearance.ascii)
        self.settings = request.config.settings
        self.key_changes = request.config.keys
        self.mistake = request.config.mistake
        self._request = request
        self._library = Library(of_kiosk())
        self.farewells: list[str] = []
        """What is to be said once the screen is gone."""
        self._lab: RunScreen | None = None
        self._behind: RunScreen | None = None
        """The laboratory behind the bench, where another one is in front of it."""
        self._former: list[RunScreen] = []
        if not isinstance(request.run_source, HomeRequest | AutomataRequest | BenchRequest):
            self._lab = self._new_lab(request)
        watched = sys.__stdin__ if guarded else None
        self._guard = None if watched is None else SignalGuard(self._leave, watched.fileno(), urgent=self._close_labs)
        for palette in PALETTES.values():
            self.register_theme(textual_theme(palette))
        self.theme = textual_theme(self.look.palette).name

    @property
    def lab(self) -> RunScreen:
        """The laboratory that is open."""
        if self._lab is None:
            raise LookupError("no laboratory is open")
        return self._lab

    @property
    def code(self) -> int:
        """The exit code: 0, or what the signal says that ended it."""
        return self._guard.code if self._guard is not None else 0

    def _capacity_of_line(self) -> LineCapacity:
        """What the line to the terminal carries, as far as the learner wants it."""
        capacity = FAST if self._pacer is None else self._pacer.capacity
        charts = self.settings.charts
        return capacity if charts == "auto" else replace(capacity, charts=charts == "on")

    def get_default_screen(self) -> Screen[Any]:
        wish = self._request.run_source
        if isinstance(wish, HomeRequest):
            return self._new_home(wish, messages.config_error(self.mistake) if self.mistake else None)
        if isinstance(wish, AutomataRequest):
            from tui.screens.automata.screen import Automata

            return Automata(wish)
        if isinstance(wish, BenchRequest):
            return self._new_bench(wish) if wish.name or wish.parts else self._new_home(HomeRequest())
        return self.lab

    def _new_lab(self, request: AppRequest) -> RunScreen:
        if isinstance(request.run_source, ResumeSession):
            return self._continued(request, request.run_source.path)
        return self._lab_on(pending_run(request), request)

    def _lab_on(self, begun: PendingRun, request: AppRequest) -> RunScreen:
        from tui.screens.run.screen import RunScreen  # Home is there sooner without it

        return RunScreen(begun, request.play, request.fps, meter=self._meter, session=self._session)

    def _continued(self, request: AppRequest, path: Path | None) -> RunScreen:
        """A laboratory where a session was left: that one, or the first of all that nobody else has taken."""
        claimed = self._session.claim_first() if path is None else self._session.claim(path)
        try:
            return self._lab_on(pending_run(replace(request, run_source=ResumeSession(claimed))), request)
        except BadInput:
            self._session.give_back()
            raise

    def _new_home(self, wish: HomeRequest, notice: Sentence | None = None) -> Home:
        from tui.screens.home.screen import Home  # and the laboratory without Home

        return Home(wish, notice)

    def _new_bench(self, wish: BenchRequest) -> Screen[Any]:
        from tui.screens.bench.screen import Bench

        return Bench(wish)

    # From one screen to another; see `tui.screens.navigation`

    @property
    def library(self) -> Library:
        return self._library

    @property
    def has_run(self) -> bool:
        return self._lab is not None

    @property
    def client(self) -> str:
        return self._session.client

    def open_run(self, source: NewRun | Path | ResumeSession) -> None:
        request = replace(self._request, run_source=source, play=False)
        if isinstance(source, ResumeSession):  # at the speed that it had
            request = replace(request, speed=None)
        new = self._new_lab(request)
        self._former = [each for each in self._labs() if each.worker.is_alive]
        self._lab = new
        self._begin_with(new)

    def open_home(self, wish: HomeRequest) -> None:
        self.push_screen(self._new_home(wish))

    def open_editor(self, record: PuzzleRecord, wish: HomeRequest) -> None:
        from tui.screens.editor.screen import Editor

        self.push_screen(Editor(record, wish))

    def open_automata(self, wish: AutomataRequest) -> None:
        from tui.screens.automata.screen import Automata

        self.push_screen(Automata(wish))

    def open_bench(self, wish: BenchRequest) -> None:
        new = self._new_bench(wish)
        if isinstance(self.screen, type(new)):
            self._instead(new)
        else:
            self.push_screen(new)

    def push_run(self, source: NewRun) -> None:
        new = self._new_lab(replace(self._request, run_source=source, play=False))
        self._former = [each for each in self._labs() if each.worker.is_alive]
        self._behind, self._lab = self._lab, new
        self.push_screen(new)

    def open_file(self, path: Path, wish: HomeRequest) -> None:
        if is_run(path):
            self.open_run(path)
            return
        opened, wrong = puzzles_of(path)
        self._library.add(opened)
        home = self._new_home(replace(wish, record=opened.records[0]), messages.left_out(wrong) if wrong else None)
        if self._lab is None:
            self._begin_with(home)
        else:
            self._leave_all_in_front()
            self.push_screen(home)

    def say_on_exit(self, why: str) -> None:
        self.farewells.append(why)

    def back(self) -> None:
        if len(self.screen_stack) > 1:  # a click or a key may come twice before the screen is gone
            if self.screen is self._lab:
                self._former = [each for each in self._labs() if each.worker.is_alive]
                self._lab, self._behind = self._behind, None
            self.pop_screen()

    def _leave_all_in_front(self) -> None:
        """Leave every screen but the first."""
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def _begin_with(self, new: Screen[Any]) -> None:
        """Have this screen and no other one."""
        self._leave_all_in_front()
        self._instead(new)

    def _instead(self, new: Screen[Any]) -> None:
        """Have this screen in the place of the one in front."""
        first = self.screen
        if not first._result_callbacks:  # the one that Textual began with was never pushed, and it minds
            first._push_result_callback(first, None)
        self.switch_screen(new)

    def on_mount(self) -> None:
        if self._request.run_source == BenchRequest():
            self.call_after_refresh(self.screen.run_action, "bench")
        if self._guard is not None:
            self._guard.start()
            self.call_after_refresh(garbage.release)
        if self.mistake and self._lab is not None:
            self._lab.worker.send(commands.Announce(messages.config_error(self.mistake)))

    def on_unmount(self) -> None:
        if self._guard is not None:
            self._guard.stop()

    def _fatal_error(self) -> None:
        """A defect: what can be kept is kept, and the command line says it in one sentence. Textual would print where
        it was."""
        self._close_messages_no_wait()

    @property
    def defect(self) -> Exception | None:
        """What ended it, if that was a defect."""
        return self._exception

    def on_run_screen_chart_ready(self) -> None:
        """All is loaded that a laboratory needs."""
        if self._guard is not None:
            garbage.release()

    async def on_event(self, event: events.Event) -> None:
        """Whoever types faster than screens come and go is still understood."""
        if isinstance(event, events.InputEvent) and not event.is_forwarded:
            await self._key_queue.take(event)
        else:
            await super().on_event(event)

    def _close_labs(self) -> None:
        """Have the runs kept at once. Called from another thread."""
        for each in self._labs():
            each.worker.close()

    def _labs(self) -> list[RunScreen]:
        """The laboratory that is open, and those before it whose threads have not ended."""
        return [*self._former, *([] if self._lab is None else [self._lab])]

    @property
    def is_busy(self) -> bool:
        """Whether something goes on that nothing can interrupt, although the screen was left."""
        return threads.is_busy()

    def _leave(self) -> None:
        self.exit()

    def set_theme(self, theme: Theme) -> None:
        self.set_appearance(theme, self._appearance.ascii)

    def toggle_light(self) -> None:
        self.set_appearance(other_ground(self._appearance.theme), self._appearance.ascii)

    def toggle_contrast(self) -> None:
        self.set_appearance(other_contrast(self._appearance.theme), self._appearance.ascii)

    def toggle_ascii(self) -> None:
        self.set_appearance(self._appearance.theme, not self._appearance.ascii)

    def set_appearance(self, theme: Theme, ascii: bool) -> None:
        """Have this look from now on, and the next time too."""
        self._appearance = Appearance(theme, ascii)
        self._keep(self._appearance)
        self.look = self._capabilities.look(theme, ascii)
        self.theme = textual_theme(self.look.palette).name
        for screen in self.screen_stack:
            if isinstance(screen, AppScreen):
                screen.set_look(self.look)
