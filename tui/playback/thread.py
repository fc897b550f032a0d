"""The player's thread. The screen puts commands into the inbox and takes the newest snapshot out of the mailbox."""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine.view import Sentence
from tui.playback.commands import Command, Inbox
from tui.playback.player import Player
from tui.playback.snapshot import RunLoader, Snapshot
from tui.playback.snapshots import Clock
from tui.storage.autosave import Autosave

KEEPING = 1.5
"""Seconds that the writing of a run may take when the laboratory is left."""


class Mailbox:
    """Holds the newest snapshot only. `ring` is called, from the player's thread, when it stops being empty."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None

    def put(self, snapshot: Snapshot) -> None:
        with self._lock:
            empty = self._snapshot is None
            self._snapshot = snapshot
        if empty:
            self._ring()

    def take(self) -> Snapshot | None:
        """The newest snapshot that nobody has taken yet."""
        with self._lock:
            snapshot, self._snapshot = self._snapshot, None
        return snapshot


class PlayerThread:
    """Runs a player in one thread of its own."""

    def __init__(self, first: Snapshot, loader: RunLoader, ring: Callable[[], None], clock: Clock,
                 opened: Callable[[], None] = lambda: None, autosave: Autosave | None = None) -> None:
        """`opened` is called in the thread once the run has been made, before the first command is obeyed."""
        self.inbox = Inbox()
        self.mailbox = Mailbox(ring)
        self.farewell: Sentence | None = None
        """Why the run could not be kept, once that was tried for the last time."""
        self._loader, self._opened = loader, opened
        self._player = Player(self.inbox, self.mailbox.put, clock, first, autosave)
        self._thread = threading.Thread(target=self._work, name="player", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def send(self, command: Command) -> None:
        self.inbox.put(command)

    def close(self) -> None:
        """Ask the thread to keep the run and to end. May be called from any thread, and more than once."""
        self.inbox.close()

    def stop(self, seconds: float = KEEPING) -> None:
        """Close, and wait until the run is kept. While it is still being made there is nothing to wait for."""
        self.close()
        if self._thread.is_alive() and self._player.run is not None:
            self._thread.join(seconds)

    @property
    def is_busy(self) -> bool:
        """Whether the thread goes on although it was closed: it compiles, which nothing can interrupt."""
        return self._thread.is_alive()

    def _work(self) -> None:
        with self.inbox.breaker.watching():
            self._player.open(self._loader)
            self._opened()
            while not self.inbox.closed:
                self.inbox.wait(self._player.turn())
        self.farewell = self._player.close()
