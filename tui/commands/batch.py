"""Running a command over many puzzles: interrupts, a progress line, one result after another."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tui import output
from tui.commands.sources import SourcePuzzle, source_puzzles
from tui.i18n import _

if TYPE_CHECKING:
    from engine.puzzle import Puzzle
    from engine.solver import AnySolver

INTERRUPTED = 130
"""Exit code of a command that was interrupted."""
POLL = 0.02
"""Seconds between two looks for an interrupt."""
INTERVAL = 0.2
"""Seconds between two updates of the progress line."""
TRACK = 24
"""Characters of the progress bar."""


class Interrupt:
    """Context manager in which the first ctrl-C only sets `asked`, and the second raises KeyboardInterrupt.

    It changes nothing where SIGINT is ignored (a background job) or outside the main thread.
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


def finished(work: Callable[[], None], asked: Callable[[], bool]) -> bool:
    """Do work that cannot be interrupted, such as compiling. Returns False on an interrupt; the work then continues in
    a daemon thread."""
    raised: list[BaseException] = []

    def worker() -> None:
        try:
            work()
        except BaseException as error:  # raised in the calling thread
            raised.append(error)

    thread = threading.Thread(target=worker, name="work", daemon=True)
    thread.start()
    while thread.is_alive():
        if asked():
            return False
        thread.join(POLL)
    if raised:
        raise raised[0]
    return True


def warm_up(solver: AnySolver, puzzle: Puzzle, params: Any) -> None:
    """Load or compile the kernels of a run. Raises KeyboardInterrupt."""
    compiled(lambda: solver.warm_up(puzzle, params))


def compiled(work: Callable[[], None]) -> None:
    """Load or compile kernels in a thread. In the main thread an interrupt could end in a callback of LLVM, which drops
    it. Raises KeyboardInterrupt."""
    with Interrupt() as asked:
        if not finished(work, asked):
            raise KeyboardInterrupt


class Progress:
    """A progress line on stderr. Does nothing if stderr is not a terminal."""

    def __init__(self, enabled: bool | None = None) -> None:
        self.enabled = _is_terminal() if enabled is None else enabled
        self._drawn = 0.0
        self._visible = False

    @property
    def due(self) -> bool:
        """Whether an update is due."""
        return self.enabled and time.monotonic() - self._drawn >= INTERVAL

    def draw(self, share: float | None, text: str) -> None:
        """Show the share done (0..1; None: unknown) and a text, cut to the width of the terminal."""
        if not self.enabled:
            return
        line = text if share is None else f"{bar(share)} {text}"
        self._put("\r\x1b[K" + line[: _width() - 1])
        self._drawn, self._visible = time.monotonic(), True

    def clear(self) -> None:
        """Remove the line, before other output."""
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


class Result(Protocol):
    """The result for one puzzle."""

    @property
    def status(self) -> str:
        """A key of the exit codes."""

    @property
    def error(self) -> str:
        """The error message; empty if there is none."""


ResultType = TypeVar("ResultType", bound=Result)


def for_each_puzzle(sources: tuple[str, ...], process: Callable[[SourcePuzzle, Interrupt, Progress], ResultType],
               write: Callable[[ResultType], None], codes: Mapping[str, int]) -> int:
    """Process and write the puzzles of all sources. Returns the highest exit code; that of a status which is not in
    `codes` is 1."""
    asked, progress = Interrupt(), Progress()
    code = done = 0
    for given in source_puzzles(sources):
        with asked:
            result = process(given, asked, progress)
        if asked():
            break
        progress.clear()
        write(result)
        output.flush()
        if result.error:
            output.say(result.error)
        code = max(code, codes.get(result.status, 1))
        done += 1
    progress.clear()
    if asked():
        from engine.text import count

        output.say(_("interrupted after {count} puzzles").format(count=count(done)))
        return INTERRUPTED
    return code
