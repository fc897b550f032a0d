"""The application: wiring between the terminal, the look, and the screens."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.driver import Driver
from textual.screen import Screen

from tui import memory, notices, orders
from tui.kept import Taste
from tui.opening import opening
from tui.request import LabRequest
from tui.screens.keyed import Keyed
from tui.screens.lab import Lab
from tui.settings import Theme
from tui.terminal.capabilities import Capabilities
from tui.terminal.driver import steadfast
from tui.terminal.leaving import Guard
from tui.theme import PALETTES, other_contrast, other_ground, textual_theme


@dataclass(slots=True)
class Meter:
    """Counts what goes to the terminal."""

    sent: int = 0
    """Bytes."""


def metered(driver: type[Driver], meter: Meter) -> type[Driver]:
    """The driver, counting what it writes."""

    class Metered(driver):  # type: ignore[misc, valid-type]
        def write(self, data: str) -> None:
            meter.sent += len(data) if data.isascii() else len(data.encode())
            super().write(data)

    return Metered


def chosen_taste(request: LabRequest, kept: Taste | None) -> Taste:
    """The look to begin with: what the command line says, else the configuration, else what was chosen last."""
    config, last = request.config, kept or Taste()
    theme = config.settings.theme if "theme" in config.given or kept is None else last.theme
    ascii = config.settings.ascii if "ascii" in config.given or kept is None else last.ascii
    return Taste(request.theme or theme, ascii if request.ascii is None else request.ascii)


class SudokuApp(App[int]):
    """One laboratory. Raises BadInput when the request asks for what does not exist."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []
    TITLE = "sudoku-tui"

    def __init__(self, request: LabRequest, capabilities: Capabilities, *, guarded: bool = True,
                 kept: Taste | None = None, keep: Callable[[Taste], None] = lambda taste: None) -> None:
        """`guarded`: watch the terminal and the signals (not under test, where there is no terminal). `kept`: the look
        of the last time; `keep` is told every look that the learner chooses."""
        super().__init__(ansi_color=capabilities.native)
        self._meter = Meter()
        self.driver_class = metered(steadfast(self.driver_class), self._meter)
        self._capabilities = capabilities
        self._keep = keep
        self._taste = chosen_taste(request, kept)
        self.look = capabilities.look(self._taste.theme, self._taste.ascii)
        self.settings = request.config.settings
        self.key_changes = request.config.keys
        self.mistake = request.config.mistake
        self._lab = Lab(opening(request), request.play, request.fps, sent=lambda: self._meter.sent)
        watched = sys.__stdin__ if guarded else None
        self._guard = None if watched is None else Guard(self._leave, watched.fileno(), urgent=self._close_labs)
        for palette in PALETTES.values():
            self.register_theme(textual_theme(palette))
        self.theme = textual_theme(self.look.palette).name

    @property
    def lab(self) -> Lab:
        return self._lab

    @property
    def code(self) -> int:
        """The exit code: 0, or what the signal says that ended it."""
        return self._guard.code if self._guard is not None else 0

    def get_default_screen(self) -> Screen[Any]:
        return self._lab

    def on_mount(self) -> None:
        if self._guard is not None:
            self._guard.start()
            self.call_after_refresh(memory.release)
        if self.mistake:
            self._lab.worker.send(orders.Tell(notices.mistake(self.mistake)))

    def on_unmount(self) -> None:
        if self._guard is not None:
            self._guard.stop()

    def on_lab_chart_ready(self) -> None:
        """All is loaded that a laboratory needs."""
        if self._guard is not None:
            memory.release()

    def on_key(self, event: events.Key) -> None:
        """A key that nothing took. Whoever types faster than a question appears still answers it."""
        typed = getattr(self.screen, "typed_ahead", None)
        if typed is not None and event.is_printable and event.character is not None:
            typed(event.character)

    def _close_labs(self) -> None:
        """Have the runs kept at once. Called from another thread."""
        for each in self._labs():
            each.worker.close()

    def _labs(self) -> list[Lab]:
        """The laboratories that are open."""
        return [self._lab]

    @property
    def is_busy(self) -> bool:
        """Whether something goes on that nothing can interrupt, although the screen was left."""
        return any(each.worker.is_busy for each in self._labs())

    def _leave(self) -> None:
        self.exit()

    def set_theme(self, theme: Theme) -> None:
        self.set_taste(theme, self._taste.ascii)

    def action_light(self) -> None:
        self.set_taste(other_ground(self._taste.theme), self._taste.ascii)

    def action_contrast(self) -> None:
        self.set_taste(other_contrast(self._taste.theme), self._taste.ascii)

    def action_ascii(self) -> None:
        self.set_taste(self._taste.theme, not self._taste.ascii)

    def set_taste(self, theme: Theme, ascii: bool) -> None:
        """Have this look from now on, and the next time too."""
        self._taste = Taste(theme, ascii)
        self._keep(self._taste)
        self.look = self._capabilities.look(theme, ascii)
        self.theme = textual_theme(self.look.palette).name
        for screen in self.screen_stack:
            if isinstance(screen, Keyed):
                screen.set_look(self.look)
