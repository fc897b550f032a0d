"""ctrl-C while something is being computed: the first asks for an end at the next good place, the second insists."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

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
