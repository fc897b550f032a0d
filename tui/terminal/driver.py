"""Textual's driver for Unix terminals, hardened: it survives stop and continue signals, windows of any size and any
input (`terminal_input`), and gives the terminal back clean."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.events import CursorPosition, Resize
from textual.geometry import Size
from textual.message import Message

from engine.files import access
from tui.terminal.capabilities import MODERN_SEQUENCES, takes_modern_sequences
from tui.terminal.pacing import QUESTION
from tui.terminal.terminal_input import InputParser

ANSWER_SECONDS = 1.0
"""Seconds for the last answers to arrive before the terminal is given back."""
MOST_COLUMNS = MOST_ROWS = 1000
"""A larger terminal is drawn in its upper left part."""
LARGEST = 65535
"""The columns or rows that a terminal can have; a report of more is damaged."""
READ_SIZE = 4096
POLL_MILLISECONDS = 100
_CLEAR = "\x1b[H\x1b[J"


class HardenedDriver(LinuxDriver):
    """Textual's driver with changes to its input, its output, its end, and its handling of signals."""

    _asked = _answered = 0
    """Requests for the cursor position, and their answers."""
    _modes_to_restore: list[Any] | None = None
    _suspended = _resuming = False

    # Input and output

    def run_input_thread(self) -> None:
        """Read the terminal and send events until the program ends. What was typed by then is read as well."""
        parser, input_ready = InputParser(), select.poll()
        input_ready.register(self.fileno, select.POLLIN)
        ending = False
        while not ending:
            ending = self.exit_event.is_set()
            data = b""
            if input_ready.poll(0 if ending else POLL_MILLISECONDS):
                with contextlib.suppress(OSError):
                    data = os.read(self.fileno, READ_SIZE)
                if not data:  # the terminal has hung up, which `tui.terminal.signals` handles
                    return
            for event in parser.events(data):
                self.process_message(event)

    def process_message(self, message: Message) -> None:
        if isinstance(message, CursorPosition):
            self._answered += 1
        elif isinstance(message, Resize):
            if not 0 < min(message.size) <= max(message.size) <= LARGEST:
                return
            size = Size(*_drawn_size(*message.size))
            message = Resize(size, size, pixel_size=message.pixel_size)
        super().process_message(message)

    def _get_terminal_size(self) -> tuple[int, int]:
        return _drawn_size(*super()._get_terminal_size())

    def write(self, data: str) -> None:
        self._asked += data.count(QUESTION)
        super().write(data if takes_modern_sequences() else MODERN_SEQUENCES.sub("", data))

    # The end

    def stop_application_mode(self) -> None:
        """Wait for the last answers, clear the screen, and stop with flow control off.

        Answers that arrive later would be keys for the next program. A terminal without an alternate screen would keep
        the last picture with the prompt in it. A ctrl+s must not hold up the last output for ever, so `close` restores
        the modes only after it is written.
        """
        self._await_answers()
        self.write(_CLEAR)
        before: Any = vars(self)["attrs_before"]
        if before is not None:
            self.attrs_before, self._modes_to_restore = [before[0] & ~termios.IXON, *before[1:]], before
        super().stop_application_mode()
        self.attrs_before = before

    def _await_answers(self) -> None:
        end = time.monotonic() + ANSWER_SECONDS
        hung_up = select.poll()
        hung_up.register(self.fileno, 0)
        while self._answered < self._asked and time.monotonic() < end and not hung_up.poll(10):
            pass
        self._answered = self._asked

    def close(self) -> None:
        super().close()
        modes, self._modes_to_restore = self._modes_to_restore, None
        if modes is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, modes)

    # Stop and continue: handled in the event loop, as the signals may arrive at any point

    def suspend_application_mode(self) -> None:
        self._suspended = True
        super().suspend_application_mode()

    def resume_application_mode(self) -> None:
        self._suspended = False
        super().resume_application_mode()

    def _sigtstp_application(self, *_given: int | FrameType | None) -> None:
        """Stop. Textual would restore the terminal inside the signal handler, which may interrupt a write that holds
        the lock it needs, and deadlock. A kiosk does not stop, as no shell could continue it."""
        if access.kiosk() is not None:
            return
        try:
            self._call_soon(super()._sigtstp_application)
        except RuntimeError:  # the loop has ended, and the terminal has been given back
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_given: int | FrameType | None) -> None:
        """Continue. Textual would start a second time after a stop it did not handle, and would do so in a signal
        handler that the next signal may interrupt."""
        if self._auto_restart and not self._resuming:
            self._resuming = True
            with contextlib.suppress(RuntimeError):  # the loop has ended: nothing to resume
                self._call_soon(self._resume)

    def _call_soon(self, call: Callable[[], object]) -> None:
        """Call a function in the loop. Raises RuntimeError if the loop has ended."""
        app: Any = self._app
        app._loop.call_soon_threadsafe(call)

    def _resume(self) -> None:
        """Restore all modes: the program that had the terminal meanwhile may have changed any of them."""
        app: Any = self._app
        self._resuming = False
        if app._exit:
            return
        if not self._suspended:
            self.suspend_application_mode()
        self.resume_application_mode()
        app.action_redraw()


def _drawn_size(columns: int, rows: int) -> tuple[int, int]:
    """The part of a terminal that is drawn: a client may say anything, and every cell costs memory."""
    return min(max(columns, 1), MOST_COLUMNS), min(max(rows, 1), MOST_ROWS)


def hardened(driver: type[Driver]) -> type[Driver]:
    """Textual's driver with these changes if it is the one for Unix terminals; other drivers are returned unchanged."""
    return type("Hardened", (HardenedDriver, driver), {}) if issubclass(driver, LinuxDriver) else driver
