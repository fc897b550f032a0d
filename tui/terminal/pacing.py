"""Pacing: no more frames are in flight than the line can carry.

A slow line does not show while writing: sshd and the kernel buffer many seconds of frames, and a key takes effect only
behind all of them. Therefore each frame ends with a request for the cursor position. The terminal answers after it has
read everything before it, so the round-trip time shows how much is in flight.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tui.config.settings import Pacing
from tui.terminal.cells import PendingPieces, ScreenCells
from tui.terminal.frame_rate import FAST, LOCAL, SLOW, UNKNOWN, LineCapacity
from tui.terminal.sequences import Piece, shortest

CEILING, BURST = 30.0, 4.0
"""Frames per second on any line; also the burst allowed after a rest, as one key may draw several frames."""
BLIND_FPS, BLIND_BURST = 5.0, 2.0
"""The same for a terminal that does not answer."""
ROUNDING = 1e-6
"""Tolerance of the frame interval, so that a caller that waited the announced time may send."""
SILENCE = 3.0
"""Seconds after which no answer is expected any more."""
MOST, FIRST = 12.0, 2.0
"""Frames in flight, at most and initially."""
LATE_FACTOR, LATE_SECONDS = 1.5, 0.06
"""A round trip is late if it exceeds this multiple of the shortest one, plus this many seconds."""
AGING = 1.002
"""Growth of the shortest round trip with every answer, as the line may change."""
NARROW = 16_000.0
"""Bytes per second below which a line is slow."""
TWICE = 5.0
"""Seconds within which a line must be late twice to count as slow; a single delay proves nothing."""
DOUBT, LONGEST_DOUBT = 30.0, 480.0
"""Seconds before a slow line is tried with more frames; doubled each time it proves slow again."""
QUESTION = "\x1b[6n"
"""The request for the cursor position."""
ROW = 2
"""The row of the cursor for a request: an answer from the first row would read as the key shift+f3."""
MARKS = 60
"""Number of distinguishable requests, by cursor column; every window has at least this many columns."""
OF_A_LINE = ("SSH_CONNECTION", "SSH_TTY", "TMUX", "STY")
"""Environment variables that reveal a line, and a multiplexer."""

Line = Literal["none", "asked", "mute"]
"""The connection between program and terminal: direct, a line whose terminal can be queried, or a line with a
multiplexer that would answer in its place."""


def remote(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is at the other end of an SSH connection."""
    return bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))


def answers_itself(environ: Mapping[str, str]) -> bool:
    """Whether tmux or screen is in between, which answers at once, whatever the line behind it."""
    term = environ.get("TERM", "").lower()
    return bool(environ.get("TMUX") or environ.get("STY")) or term.startswith(("tmux", "screen"))


def question(mark: int) -> str:
    """The request for the cursor position, after moving the cursor to the mark."""
    return f"\x1b[{ROW};{mark + 1}H{QUESTION}"


def mark_of(x: int, y: int) -> int | None:
    """The mark of an answer, given column and row from 0; None if it is not an answer to a request."""
    return x if y == ROW - 1 else None


@dataclass(slots=True)
class _Sent:
    """A frame without an answer."""

    at: float
    ahead: int
    """Bytes in flight, including its own."""
    full: bool
    """Whether the maximum number of frames was in flight."""


class Pacer:
    """Tracks the frames in flight. Times are seconds of the injected clock."""

    def __init__(self, clock: Callable[[], float], line: Line = "asked", ceiling: float = CEILING) -> None:
        self._clock, self._line, self._ceiling = clock, line, ceiling
        self._in_flight: dict[int, _Sent] = {}
        self._sizes: dict[int, int] = {}
        self._mark = -1
        self._window = FIRST
        self._least = math.inf
        self._credit, self._credited = math.inf, clock()
        self._last = self._late = -math.inf
        self._slow_until, self._doubt = -math.inf, DOUBT

    @property
    def window(self) -> float:
        """Frames that may be in flight; the integer part counts."""
        return self._window

    @property
    def answers(self) -> bool:
        """Whether the terminal has ever answered."""
        return self._least < math.inf

    @property
    def capacity(self) -> LineCapacity:
        """The measured capacity of the line."""
        if self._line == "none":
            return LOCAL
        if not self.answers:
            return UNKNOWN
        return SLOW if self._clock() < self._slow_until else FAST

    def may_send(self) -> bool:
        return self.wait() <= 0

    def wait(self) -> float:
        """Seconds until a frame may be sent if no answer arrives before; 0: now."""
        now = self._clock()
        missing = 1 - self._credit_at(now)
        due = missing / self._rate if missing > ROUNDING else 0.0
        if not self.answers:
            return due
        if self._silent(now):  # one frame at a time, each with a new request
            return max(due, self._last + SILENCE - now)
        if len(self._in_flight) >= int(self._window):
            return max(due, self._oldest + SILENCE - now)
        return due

    def sent(self, size: int) -> int | None:
        """Register a frame of the given size. Returns the mark of its request, 0 to MARKS - 1, or None if it makes
        none."""
        now = self._clock()
        self._credit = max(0.0, self._credit_at(now) - 1)
        self._credited = self._last = now
        if self._line != "asked" or (self._silent(now) and now - self._newest < SILENCE):
            return None
        if len(self._in_flight) == MARKS:
            self._forget_up_to(next(iter(self._in_flight)))
        self._mark = (self._mark + 1) % MARKS
        self._sizes[self._mark] = size
        ahead = sum(self._sizes.values())
        self._in_flight[self._mark] = _Sent(now, ahead, len(self._in_flight) + 1 >= int(self._window))
        return self._mark

    def answered(self, mark: int, at: float | None = None) -> bool:
        """Register an answer, current or late. Returns False if it was not requested."""
        if mark not in self._in_flight:
            return False
        now = self._clock() if at is None else at
        frame = self._in_flight[mark]
        self._forget_up_to(mark)
        self._learn(frame, max(0.0, now - frame.at), now)
        return True

    def lost(self) -> None:
        """Stop waiting for all answers."""
        self._in_flight.clear()
        self._sizes.clear()

    def _learn(self, frame: _Sent, took: float, now: float) -> None:
        if took >= SILENCE:  # the terminal was away: that says nothing about the line
            self._window = FIRST
            return
        self._least = min(took, self._least * AGING)
        late = took - LATE_FACTOR * self._least
        if late <= LATE_SECONDS:
            if frame.full:
                self._window = min(MOST, self._window + 0.5)
            return
        self._window = max(1.0, self._window / 2)
        if frame.ahead >= NARROW * (took - self._least):
            return
        if now - self._late < TWICE and now >= self._slow_until:
            if now - self._slow_until > self._doubt:
                self._doubt = DOUBT
            self._slow_until, self._doubt = now + self._doubt, min(LONGEST_DOUBT, 2 * self._doubt)
        self._late = now

    def _forget_up_to(self, mark: int) -> None:
        """Answers arrive in order: earlier requests were answered, or never will be."""
        while True:
            first = next(iter(self._in_flight))
            del self._in_flight[first], self._sizes[first]
            if first == mark:
                return

    def _silent(self, now: float) -> bool:
        return bool(self._in_flight) and now - self._oldest >= SILENCE

    @property
    def _oldest(self) -> float:
        return next(iter(self._in_flight.values())).at

    @property
    def _newest(self) -> float:
        return next(reversed(self._in_flight.values())).at

    @property
    def _knows(self) -> bool:
        """Whether there is no line, or the terminal reports its capacity."""
        return self._line == "none" or self.answers

    @property
    def _rate(self) -> float:
        return self._ceiling if self._knows else BLIND_FPS

    def _credit_at(self, now: float) -> float:
        """Frames that may be sent at once."""
        burst = BURST if self._knows else BLIND_BURST
        return min(burst, self._credit + (now - self._credited) * self._rate)


def pacer_for(environ: Mapping[str, str], pacing: Pacing = "auto", ceiling: float = CEILING,
              clock: Callable[[], float] = time.monotonic) -> Pacer:
    """The pacer for this terminal."""
    if pacing == "off" or (pacing == "auto" and not remote(environ)):
        return Pacer(clock, "none", ceiling)
    return Pacer(clock, "mute" if answers_itself(environ) else "asked", ceiling)


class Frames:
    """Builds a frame from the pending changes when the pacer allows one."""

    def __init__(self, pacer: Pacer, cells: ScreenCells, send: Callable[[str], None]) -> None:
        """`send` writes a frame to the terminal."""
        self._pacer, self._cells, self._send = pacer, cells, send
        self._pending = PendingPieces()

    def draw(self, pieces: list[Piece]) -> float | None:
        """Draw these pieces, now or later; returns as `send_pending` does."""
        cannot_wait = any(piece.raw for piece in pieces)
        if cannot_wait or (not self._pending and self._pacer.may_send()):
            self._frame(self._pending.take())
            self._frame(pieces)
        else:
            self._pending.add(pieces)
        return self.send_pending()

    def send_pending(self) -> float | None:
        """Send the pending changes if allowed. Otherwise returns the seconds until it is, should no answer arrive
        before; None if nothing is pending."""
        if not self._pending:
            return None
        wait = self._pacer.wait()
        if wait > 0:
            return wait
        self._frame(self._pending.take())
        return None

    def answered(self, x: int, y: int, at: float) -> bool:
        """Register a reported cursor position. Returns whether it was requested."""
        mark = mark_of(x, y)
        return mark is not None and self._pacer.answered(mark, at)

    def forget(self) -> None:
        """Forget everything: all will be redrawn."""
        self._pending.clear()

    def lost(self) -> None:
        """Another program used the terminal, and may have taken the answers."""
        self._pacer.lost()

    def _frame(self, pieces: list[Piece]) -> None:
        sequence = shortest(self._cells.differing(pieces)) if pieces else ""
        if sequence:
            mark = self._pacer.sent(len(sequence.encode()))
            self._send(sequence if mark is None else sequence + question(mark))
