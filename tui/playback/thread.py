"""The player's thread. The screen puts commands into the inbox and takes the newest snapshot out of the mailbox."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine.view import Sentence
from tui import messages
from tui.background.threads import BackgroundThread
from tui.i18n import _
from tui.playback.commands import Command, Inbox
from tui.playback.loading import RunLoader
from tui.playback.player import Player
from tui.playback.snapshot import Snapshot
from tui.playback.snapshots import Clock
from tui.storage.autosave import Autosave

SAVE_SECONDS = 1.5
"""Time to wait for the last save when the screen is left."""
DRAWN_SECONDS = 0.06
"""Time that the screen has to draw a snapshot before zoomed charts are completed: two threads that compute take turns,
and each makes the other late."""


class Mailbox:
    """Holds the newest snapshot only. `ring` is called, in the player's thread, when it stops being empty."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self.put_at = 0.0
        """The time of the newest snapshot, in seconds of `time.monotonic`."""

    def put(self, snapshot: Snapshot) -> None:
        with self._lock:
            empty = self._snapshot is None
            self._snapshot, self.put_at = snapshot, time.monotonic()
        if empty:
            self._ring()

    def take(self) -> Snapshot | None:
        """The newest snapshot, unless it has been taken before."""
        with self._lock:
            snapshot, self._snapshot = self._snapshot, None
        return snapshot


class PlayerThread(BackgroundThread):
    """The thread of a player."""

    name = "player"

    def __init__(self, first: Snapshot, loader: RunLoader, ring: Callable[[], None], clock: Clock,
                 loaded: Callable[[], None] = lambda: None, autosave: Autosave | None = None,
                 accelerates: bool = False) -> None:
        """`loaded` is called in the thread when the run has been loaded, before the first command is obeyed."""
        super().__init__()
        self.inbox = Inbox()
        self.mailbox = Mailbox(ring)
        self.farewell: Sentence | None = None
        """A message about the last save, if it failed."""
        self._loader, self._loaded = loader, loaded
        self._player = Player(self.inbox, self.mailbox.put, clock, first, autosave, accelerates)

    def send(self, command: Command) -> None:
        self.inbox.put(command)

    def close(self) -> None:
        """Ask the thread to save the run and to end. May be called from any thread, and more than once."""
        self.inbox.close()

    def stop(self, seconds: float = SAVE_SECONDS) -> None:
        """Close, and wait for the last save. While the run is being loaded there is nothing to save."""
        self.close()
        if self._thread is not None and self._player.run is not None:
            self._thread.join(seconds)

    def run(self) -> None:
        with self.inbox.breaker.watching():
            self._player.open(self._loader)
            self._loaded()
            while not self.inbox.closed:
                due = self._player.turn()
                if self._player.studies:
                    due = max(0.0, self.mailbox.put_at + DRAWN_SECONDS - time.monotonic())
                self.inbox.wait(due)
        self.farewell = self._player.close()

    def failed(self, why: str) -> None:
        self.mailbox.put(self._player.builder.failed(messages.message(_("ERROR"), why)))
