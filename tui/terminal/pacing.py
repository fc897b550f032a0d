"""When a frame may be written, so that no more of them are on their way than the line carries.

A slow line does not show in the writing: sshd and the kernel take many seconds of frames, and a key has its effect
only behind all of them. So each frame ends with the question where the cursor is. A terminal answers when it has read
all that came before, and the time until then says how much lies on the way.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tui.config.settings import Pacing
from tui.terminal.cells import PendingPieces, ScreenCells
from tui.terminal.frame_rate import FAST, SLOW, UNKNOWN, LineCapacity
from tui.terminal.sequences import Piece, shortest

CEILING, BURST = 30.0, 4.0
"""Frames a second on any line; so many may follow one another at once after a rest, as a key draws more than one."""
BLIND_FPS, BLIND_BURST = 5.0, 2.0
"""The same where nothing answers."""
ROUNDING = 1e-6
"""Of a frame, so that whoever has waited as long as was said may send."""
SILENCE = 3.0
"""Seconds after which no answer is expected any more."""
MOST, FIRST = 12.0, 2.0
"""Frames on the way, at most and at first."""
LATE_FACTOR, LATE_SECONDS = 1.5, 0.06
"""A round trip is late that takes so many times the least, and so many seconds more."""
AGING = 1.002
"""What the least round trip is multiplied by at every answer: a line may become another one."""
NARROW = 16_000.0
"""Bytes a second below which a line is slow."""
TWICE = 5.0
"""Seconds within which a line must be late twice to count as slow: anything may be late once."""
DOUBT, LONGEST_DOUBT = 30.0, 480.0
"""Seconds for which a slow line is not tried with more; twice as many every time that it proves slow again."""
MARKS = 60
"""Questions that can be told apart by where the cursor stands; no window is narrower than so many columns."""

Line = Literal["none", "asked", "mute"]
"""What there is between the program and its terminal: nothing, a line whose terminal can be asked, a line with
something in between that would answer for it."""


@dataclass(slots=True)
class _Sent:
    """A frame that was not answered yet."""

    at: float
    ahead: int
    """Bytes on the way, its own among them."""
    full: bool
    """Whether as many frames as may be were on their way."""


class Pacer:
    """Knows what is on the way. Times are seconds of the clock that it is given."""

    def __init__(self, clock: Callable[[], float], line: Line = "asked", ceiling: float = CEILING) -> None:
        self._clock, self._line, self._ceiling = clock, line, ceiling
        self._on_way: dict[int, _Sent] = {}
        self._sizes: dict[int, int] = {}
        self._mark = -1
        self._window = FIRST
        self._least = math.inf
        self._credit, self._credited = math.inf, clock()
        self._last = self._late = -math.inf
        self._slow_until, self._doubt = -math.inf, DOUBT

    @property
    def window(self) -> float:
        """So many frames may be on their way; their whole number counts."""
        return self._window

    @property
    def answers(self) -> bool:
        """Whether the terminal has ever answered."""
        return self._least < math.inf

    @property
    def capacity(self) -> LineCapacity:
        """What the line is known to carry."""
        if self._line == "none":
            return FAST
        if not self.answers:
            return UNKNOWN
        return SLOW if self._clock() < self._slow_until else FAST

    def may_send(self) -> bool:
        return self.wait() <= 0

    def wait(self) -> float:
        """Seconds until a frame may be sent if nothing is answered meanwhile; 0: now."""
        now = self._clock()
        missing = 1 - self._credit_at(now)
        due = missing / self._rate if missing > ROUNDING else 0.0
        if not self.answers:
            return due
        if self._silent(now):  # one frame at a time to ask anew
            return max(due, self._last + SILENCE - now)
        if len(self._on_way) >= int(self._window):
            return max(due, self._oldest + SILENCE - now)
        return due

    def sent(self, size: int) -> int | None:
        """A frame of so many bytes is sent. The mark that it must ask with, 0 up to MARKS; None: it does not ask."""
        now = self._clock()
        self._credit = max(0.0, self._credit_at(now) - 1)
        self._credited = self._last = now
        if self._line != "asked" or (self._silent(now) and now - self._newest < SILENCE):
            return None
        if len(self._on_way) == MARKS:
            self._forget_up_to(next(iter(self._on_way)))
        self._mark = (self._mark + 1) % MARKS
        self._sizes[self._mark] = size
        ahead = sum(self._sizes.values())
        self._on_way[self._mark] = _Sent(now, ahead, len(self._on_way) + 1 >= int(self._window))
        return self._mark

    def answered(self, mark: int, at: float | None = None) -> bool:
        """The terminal has answered, now or at another time. False: that was not asked."""
        if mark not in self._on_way:
            return False
        now = self._clock() if at is None else at
        frame = self._on_way[mark]
        self._forget_up_to(mark)
        self._learn(frame, max(0.0, now - frame.at), now)
        return True

    def lost(self) -> None:
        """Whatever was on its way is not to be waited for."""
        self._on_way.clear()
        self._sizes.clear()

    def _learn(self, frame: _Sent, took: float, now: float) -> None:
        if took >= SILENCE:  # whoever answers so late was away: that says nothing of the line
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
        """Answers come in the order of the questions: what was asked before has been answered, or never will be."""
        while True:
            first = next(iter(self._on_way))
            del self._on_way[first], self._sizes[first]
            if first == mark:
                return

    def _silent(self, now: float) -> bool:
        return bool(self._on_way) and now - self._oldest >= SILENCE

    @property
    def _oldest(self) -> float:
        return next(iter(self._on_way.values())).at

    @property
    def _newest(self) -> float:
        return next(reversed(self._on_way.values())).at

    @property
    def _knows(self) -> bool:
        """Whether there is no line, or the terminal says what it carries."""
        return self._line == "none" or self.answers

    @property
    def _rate(self) -> float:
        return self._ceiling if self._knows else BLIND_FPS

    def _credit_at(self, now: float) -> float:
        """Frames that may be sent at once."""
        burst = BURST if self._knows else BLIND_BURST
        return min(burst, self._credit + (now - self._credited) * self._rate)


# Whether there is a line between the program and its terminal that may be slow, and whether it can be asked.


QUESTION = "\x1b[6n"
OF_A_LINE = ("SSH_CONNECTION", "SSH_TTY", "TMUX", "STY")
"""The variables that tell of a line, and of what is in between."""
ROW = 2
"""Where the cursor stands when it is asked for: an answer from the first row would be a key, shift+f3."""


def remote(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is at the other end of an SSH connection."""
    return bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))


def answers_itself(environ: Mapping[str, str]) -> bool:
    """Whether there is a tmux or screen in between, which answers at once and knows nothing of the line behind it."""
    term = environ.get("TERM", "").lower()
    return bool(environ.get("TMUX") or environ.get("STY")) or term.startswith(("tmux", "screen"))


def pacer_for(environ: Mapping[str, str], pacing: Pacing = "auto", ceiling: float = CEILING,
              clock: Callable[[], float] = time.monotonic) -> Pacer:
    """What paces the frames to this terminal."""
    if pacing == "off" or (pacing == "auto" and not remote(environ)):
        return Pacer(clock, "none", ceiling)
    return Pacer(clock, "mute" if answers_itself(environ) else "asked", ceiling)


def question(mark: int) -> str:
    """What asks the terminal where the cursor is, having put it where the mark says."""
    return f"\x1b[{ROW};{mark + 1}H{QUESTION}"


def mark_of(x: int, y: int) -> int | None:
    """The mark that an answer tells of, as column and row counted from 0; None: it is no answer to us."""
    return x if y == ROW - 1 else None


# Frames for a terminal: what is painted while none may be sent goes into the next one.


class Frames:
    """Makes a frame of what differs from what stands on the terminal, when the pacer lets it."""

    def __init__(self, pacer: Pacer, cells: ScreenCells, send: Callable[[str], None]) -> None:
        """`send` writes a frame to the terminal."""
        self._pacer, self._cells, self._send = pacer, cells, send
        self._pending = PendingPieces()

    def draw(self, pieces: list[Piece]) -> float | None:
        """Have these pieces on the terminal, at once or later; as `go_on`."""
        cannot_wait = any(piece.raw for piece in pieces)
        if cannot_wait or (not self._pending and self._pacer.may_send()):
            self._frame(self._pending.take())
            self._frame(pieces)
        else:
            self._pending.add(pieces)
        return self.go_on()

    def go_on(self) -> float | None:
        """Send what is held if that may be. Else the seconds until it may, should nothing be answered; None: nothing is
        held."""
        if not self._pending:
            return None
        wait = self._pacer.wait()
        if wait > 0:
            return wait
        self._frame(self._pending.take())
        return None

    def answered(self, x: int, y: int, at: float) -> bool:
        """The terminal has said, at some time, that its cursor is there. Whether that was asked."""
        mark = mark_of(x, y)
        return mark is not None and self._pacer.answered(mark, at)

    def forget(self) -> None:
        """All will be drawn anew."""
        self._pending.clear()

    def lost(self) -> None:
        """Another program has had the terminal, and maybe the answers."""
        self._pacer.lost()

    def _frame(self, pieces: list[Piece]) -> None:
        sequence = shortest(self._cells.differing(pieces)) if pieces else ""
        if sequence:
            mark = self._pacer.sent(len(sequence.encode()))
            self._send(sequence if mark is None else sequence + question(mark))
