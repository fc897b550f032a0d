"""Drives a player without a thread, by a clock that the test advances."""

from __future__ import annotations

from engine import registry
from engine.run.run import Run
from tests.tui.small import PUZZLE, SMALL, Small
from tui.playback import commands
from tui.playback.loading import pending_run
from tui.playback.player import Player
from tui.playback.snapshot import Snapshot
from tui.requests import AppRequest, NewRun

STEP_LIMIT = 10_000


class PlayerDriver:
    """Commands to send, and the snapshots that come back."""

    def __init__(self, speed: str | None = "100", solver: Small = SMALL) -> None:
        """Without a speed the run accelerates to the solver's."""
        self.now, self.tick = 100.0, 0.0
        """The time, and by how much every look at the clock moves it."""
        self.snapshots: list[Snapshot] = []
        self.inbox = commands.Inbox()
        with registry.lent(solver):
            self.pending = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "small", {}, 7), speed))
        self.player = Player(self.inbox, self.snapshots.append, self._clock, self.pending.snapshot,
                             accelerates=self.pending.accelerates)
        self.player.open(self.pending.loader)

    def _clock(self) -> float:
        self.now += self.tick
        return self.now

    @property
    def last(self) -> Snapshot:
        return self.snapshots[-1]

    @property
    def run(self) -> Run:
        assert self.player.run is not None
        return self.player.run

    def send(self, *sent: commands.Command) -> Snapshot:
        """Send commands and let the player work until it wants to wait for the clock or for more commands."""
        for each in sent:
            self.inbox.put(each)
        for _ in range(STEP_LIMIT):
            wanted = self.player.turn()
            if wanted is None or wanted > 0:
                return self.last
        raise AssertionError("the player never comes to rest")

    def pass_time(self, seconds: float) -> Snapshot:
        self.now += seconds
        return self.send()

    def play_out(self) -> Snapshot:
        """Let time pass until the player is at rest."""
        for _ in range(STEP_LIMIT):
            wanted = self.player.turn()
            if wanted is None:
                return self.last
            self.now += max(wanted, 0.001)
        raise AssertionError("the player never comes to rest")
