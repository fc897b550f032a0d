"""Puzzles one after another: each is looked at, written, and what is wrong with it said."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import Any, Protocol, TypeVar

from tui import output
from tui.commands.sources import Given, every
from tui.i18n import _

# ctrl-C while something is being computed: the first asks for an end at the next good place, the second insists.


INTERRUPTED = 130
"""Exit code of a command that was interrupted."""
LOOK = 0.02
"""Seconds between two looks at whether somebody asks for an end."""


class Interrupt:
    """While entered, the first SIGINT only sets `asked`; a second one raises KeyboardInterrupt.

    Where SIGINT is ignored (a background job), or outside the main thread, nothing is changed.
    """

    def __init__(self) -> None:
        self.asked = False
        self._previous: Any = None

    def __call__(self) -> bool:
        return self.asked

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            now = signal.getsignal(signal.SIGINT)
            if now is signal.default_int_handler:
                self._previous = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
            self._previous = None

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


def outlasted(work: Callable[[], None], asked: Callable[[], bool]) -> bool:
    """Do what has no good place to end at, such as compiling. False if an end is asked for meanwhile: the work then
    goes on, in a thread that the end of the program does not wait for."""
    raised: list[BaseException] = []

    def worker() -> None:
        try:
            work()
        except BaseException as error:  # raised where it is waited for
            raised.append(error)

    thread = threading.Thread(target=worker, name="work", daemon=True)
    thread.start()
    while thread.is_alive():
        if asked():
            return False
        thread.join(LOOK)
    if raised:
        raise raised[0]
    return True


# A progress bar on stderr, drawn when stderr is a terminal and at most a few times a second.


INTERVAL = 0.2
TRACK = 24


class Progress:
    """One line that rewrites itself. Off a terminal every call does nothing."""

    def __init__(self, enabled: bool | None = None) -> None:
        self.enabled = _is_terminal() if enabled is None else enabled
        self._drawn = 0.0
        self._visible = False

    @property
    def due(self) -> bool:
        """Whether it is time to draw again."""
        return self.enabled and time.monotonic() - self._drawn >= INTERVAL

    def draw(self, share: float | None, text: str) -> None:
        """Show how much is done (0..1; None: not known) and a text, cut to the width of the terminal."""
        if not self.enabled:
            return
        line = text if share is None else f"{bar(share)} {text}"
        self._put("\r\x1b[K" + line[: _width() - 1])
        self._drawn, self._visible = time.monotonic(), True

    def clear(self) -> None:
        """Take the line away, so that something else can be written."""
        if self._visible:
            self._put("\r\x1b[K")
            self._visible = False

    def _put(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self.enabled = self._visible = False


def bar(share: float) -> str:
    """`[######..................]  25 %`."""
    inside = min(1.0, max(0.0, share))
    filled = int(inside * TRACK)
    return f"[{'#' * filled}{'.' * (TRACK - filled)}] {int(inside * 100):3} %"


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _width() -> int:
    try:
        return max(20, os.get_terminal_size(sys.stderr.fileno()).columns)
    except (OSError, ValueError):
        return 80


class Answer(Protocol):
    """What came of one puzzle."""

    @property
    def status(self) -> str:
        """A word for it."""

    @property
    def error(self) -> str:
        """The sentence that says what is wrong with it; "" where nothing is."""


AnswerType = TypeVar("AnswerType", bound=Answer)


def one_by_one(sources: tuple[str, ...], look: Callable[[Given, Interrupt, Progress], AnswerType],
               write: Callable[[AnswerType], None], codes: Mapping[str, int]) -> int:
    """Look at every puzzle; the worst exit code: of a status that `codes` does not have it is 1."""
    asked, progress = Interrupt(), Progress()
    code = done = 0
    for given in every(sources):
        with asked:
            answer = look(given, asked, progress)
        if asked():
            break
        progress.clear()
        write(answer)
        output.flush()
        if answer.error:
            output.say(answer.error)
        code = max(code, codes.get(answer.status, 1))
        done += 1
    progress.clear()
    if asked():
        from engine.text import count

        output.say(_("interrupted after {count} puzzles").format(count=count(done)))
        return INTERRUPTED
    return code
