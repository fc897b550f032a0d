"""Textual's driver for Unix terminals, made steadfast: it survives being stopped and continued from outside, however
often, and bytes that are no text."""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import termios
import time
from functools import partial
from types import FrameType
from typing import Any

from textual.driver import Driver
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver
from textual.events import CursorPosition
from textual.message import Message

from tui.terminal.line import QUESTION

HEARING = 1.0
"""Seconds that the last answers have to come, before the terminal is given back."""


def _forgiving(encoding: str) -> Any:
    """A decoder that takes what cannot be decoded for a character like any other."""
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")


def steadfast(driver: type[Driver]) -> type[Driver]:
    """The driver, where it is the one for Unix terminals, with what it lacks. Others stay what they are."""
    if not issubclass(driver, LinuxDriver):
        return driver

    class Steadfast(driver):  # type: ignore[misc, valid-type]
        _away = _returning = False
        _asked = _answered = 0
        """Questions where the cursor is, and answers to them."""
        _owed: list[Any] | None = None
        """The modes of the terminal that it is to have back."""

        def write(self, data: str) -> None:
            self._asked += data.count(QUESTION)
            super().write(data)

        def process_message(self, message: Message) -> None:
            if isinstance(message, CursorPosition):
                self._answered += 1
            super().process_message(message)

        def _hear_answers(self) -> None:
            """What is still to be answered would be taken for keys by whoever has the terminal next."""
            end = time.monotonic() + HEARING
            hung_up = select.poll()
            hung_up.register(self.fileno, 0)
            while self._answered < self._asked and time.monotonic() < end and not hung_up.poll(10):
                pass
            self._answered = self._asked

        def stop_application_mode(self) -> None:
            """A ctrl+s must not hold up what is still to be written: whoever waits for that would wait for ever."""
            self._hear_answers()
            before: Any = vars(self)["attrs_before"]
            if before is not None:
                self.attrs_before, self._owed = [before[0] & ~termios.IXON, *before[1:]], before
            super().stop_application_mode()
            self.attrs_before = before

        def close(self) -> None:
            super().close()
            owed, self._owed = self._owed, None
            if owed is not None:
                with contextlib.suppress(termios.error):
                    termios.tcsetattr(self.fileno, termios.TCSANOW, owed)

        def suspend_application_mode(self) -> None:
            self._away = True
            super().suspend_application_mode()

        def resume_application_mode(self) -> None:
            self._away = False
            super().resume_application_mode()

        def _sigtstp_application(self, *_given: int | FrameType | None) -> None:
            """To be stopped. Textual would give the terminal back in the handler of the signal, which may have come
            in the midst of a writing that holds the very lock that this needs: it would wait for itself."""
            try:
                self._app._loop.call_soon_threadsafe(super()._sigtstp_application)
            except RuntimeError:  # the loop has ended, and the terminal has been given back
                os.kill(os.getpid(), signal.SIGSTOP)

        def _sigcont_application(self, *_given: int | FrameType | None) -> None:
            """Continued. Textual would begin a second time where it was not told to stop before; and in the handler
            of a signal, which the next one may interrupt."""
            if self._auto_restart and not self._returning:
                self._returning = True
                with contextlib.suppress(RuntimeError):  # the loop has ended, and with it all of this
                    self._app._loop.call_soon_threadsafe(self._come_back)

        def _come_back(self) -> None:
            """Whoever had the terminal meanwhile may have changed anything about it."""
            self._returning = False
            if self._app._exit:
                return
            if not self._away:
                self.suspend_application_mode()
            self.resume_application_mode()
            self._app.action_redraw()

        def run_input_thread(self) -> None:
            vars(linux_driver)["getincrementaldecoder"] = _forgiving
            super().run_input_thread()

    return Steadfast
