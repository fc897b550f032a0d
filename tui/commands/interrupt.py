"""ctrl-C while something is being computed: the first asks for an end at the next good place, the second insists."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

INTERRUPTED = 130
"""Exit code of a command that was interrupted."""


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
