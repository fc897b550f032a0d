"""The process behind a tab of a browser."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from tui import WEB_DRIVER
from tui.terminal.capabilities import unicode_locale
from tui.terminal.pacing import OF_A_LINE

GRACE = 1.5
"""Seconds for a process to save its run when its tab is closed."""
KEPT = 4096
"""Bytes of the errors of a process that are kept."""
MOST_SAID = 120
"""Bytes of a reason at the end of a connection (RFC 6455, 5.5.1: 123 at most)."""
NOT_OF_A_BROWSER = ("NO_COLOR", "LINES", "TEXTUAL_FPS", *OF_A_LINE)
"""Variables of the terminal of the server, which do not apply to a browser."""


def environment(own: Mapping[str, str], width: int, height: int) -> dict[str, str]:
    """The environment of a process: a terminal with all colours and glyphs and the given size, and no slow line (the
    browser draws what has arrived)."""
    kept = {name: value for name, value in own.items() if name not in NOT_OF_A_BROWSER}
    kept |= {"TEXTUAL_DRIVER": WEB_DRIVER, "TEXTUAL_COLOR_SYSTEM": "truecolor", "TERM": "xterm-256color",
             "COLORTERM": "truecolor", "COLUMNS": str(width), "ROWS": str(height)}
    return kept if unicode_locale(kept) else kept | {"LC_ALL": "C.UTF-8"}


class Overheard:
    """A stream of errors whose end is kept."""

    def __init__(self, stream: asyncio.StreamReader) -> None:
        self._stream, self._end = stream, b""

    async def read(self, size: int) -> bytes:
        data = await self._stream.read(size)
        self._end = (self._end + data)[-KEPT:]
        return data

    async def rest(self) -> None:
        """Read up to the end of the stream."""
        while await self.read(KEPT):
            pass

    @property
    def last_line(self) -> str:
        return (self._end.decode(errors="replace").strip().splitlines() or [""])[-1]


class Tab(AppService):  # type: ignore[misc]
    """Passes input of the browser to its process, and the output of the process to the browser."""

    def __init__(self, command: Sequence[str], write: Callable[[bytes], Awaitable[None]],
                 tell: Callable[[str], Awaitable[None]], close: Callable[[], Awaitable[Any]],
                 also: Mapping[str, str]) -> None:
        """`write`, `tell`: send to the browser; `also`: more of the environment."""
        self._task: asyncio.Task[None] | None = None
        super().__init__(" ".join(command), write_bytes=write, write_str=tell, close=close,
                         download_manager=DownloadManager())
        self._words, self._also = command, also
        self._errors: Overheard | None = None

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Start without a shell, in a session that the ctrl-C for the server does not reach."""
        self._process = await asyncio.create_subprocess_exec(
            *self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True,
            env=environment({**os.environ, **self._also}, width, height))
        self._stdin = self._process.stdin
        assert self._process.stderr is not None
        self._errors = Overheard(self._process.stderr)
        self._process.stderr = cast(asyncio.StreamReader, self._errors)
        return self._process

    async def run(self) -> None:
        """Run until the process ends, then tell the browser."""
        try:
            await super().run()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise  # else the process ended before its errors were read, and the library cancelled their reader
        finally:
            with contextlib.suppress(Exception):
                assert self._process is not None
                assert self._errors is not None
                await asyncio.wait_for(self._process.wait(), GRACE)  # for the exit code
                await asyncio.wait_for(self._errors.rest(), GRACE)
            with contextlib.suppress(Exception):
                await self.remote_close()

    @property
    def failure(self) -> str:
        """The error with which the process ended, cut to MOST_SAID bytes; empty if it did not fail."""
        if self._process is None or not self._process.returncode or self._errors is None:
            return ""
        said = self._errors.last_line
        while len(said.encode()) > MOST_SAID:
            said = said.rstrip("…").rpartition(" ")[0] + "…"
        return said

    async def stop(self) -> None:
        """Hang up the process of a closed tab, and kill it if it does not end."""
        task, self._task = self._task, None
        process = self._process
        if task is None or process is None:
            return
        for number in (signal.SIGHUP, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)
            with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
                await asyncio.wait_for(process.wait(), GRACE)
                break
        await asyncio.wait({task}, timeout=GRACE)
        task.cancel()
