"""Random input: `python -m tests.terminal.mash --seconds 60 --seed 1` presses keys at random for a minute.

Afterwards the program must still answer, end when asked to, and leave the terminal as it was, without a traceback or an
unexpected exit code.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import signal
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator

from tests.patience import PATIENCE
from tests.terminal.session import Session

ENDING = b"qQ\x03\x11\x1a\x1c"
"""Keys that end it, or might one day, and what stops it."""
PRINTABLE = bytes(code for code in range(32, 127) if code not in ENDING)
ESC = b"\x1b[27u"
SEQUENCES = tuple(b"\x1b" + each for each in (
    b"[A", b"[B", b"[C", b"[D",
    b"[H", b"[F", b"[Z", b"[2~", b"[3~", b"[5~", b"[6~", b"OP", b"OQ", b"OR", b"OS", b"[15~",
    b"[24~", b"[1;2C", b"[1;2D", b"[1;5C", b"[1;3A", b"[9;5u", b"[27u", b"[57441u", b"[I", b"[O", b"[200~", b"[201~",
    b"[?2026;2$y", b"[?2048;0$y", b"[12;40R", b"]11;rgb:0000/0000/0000\x1b\\", b"P+r\x1b\\", b"[", b"", b"O"))
SIZES = ((1, 1), (2, 1), (1, 30), (20, 5), (44, 17), (80, 24), (120, 36), (200, 60), (300, 100))
PASTED = 100_000


class Masher:
    """Chooses the next acts for a session, from a seed."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session, self.rng = session, random.Random(seed)
        self.alive = True
        self.acts: tuple[Callable[[], None], ...] = (
            self.keys, self.keys, self.sequences, self.alt, self.controls, self.answer, self.noise, self.snippet,
            self.clicks, self.drag, self.wheel, self.resize, self.stop)

    def pour(self, data: bytes) -> None:
        """Write all of it, taking in what comes meanwhile: neither side may wait for the other."""
        fd, end = self.session.child.child_fd, time.monotonic() + PATIENCE
        while data and self.alive:
            assert time.monotonic() < end, "it takes in no more keys"
            ready, free, _ = select.select([fd], [fd], [], 1.0)
            if free:
                data = data[os.write(fd, data[:512]):]
            if ready:
                self._take()

    def listen(self, seconds: float) -> None:
        """Take in what comes for so long."""
        end = time.monotonic() + seconds
        while self.alive and (left := end - time.monotonic()) > 0:
            if select.select([self.session.child.child_fd], [], [], left)[0]:
                self._take()

    def _take(self) -> None:
        try:
            data = os.read(self.session.child.child_fd, 65536)
        except OSError:
            data = b""
        self.alive = bool(data)
        self.session.output += data

    def some(self, choices: bytes, most: int) -> bytes:
        return bytes(self.rng.choices(choices, k=self.rng.randint(1, most)))

    def keys(self) -> None:
        self.pour(self.some(PRINTABLE, 30))

    def sequences(self) -> None:
        self.pour(b"".join(self.rng.choices(SEQUENCES, k=self.rng.randint(1, 12))))

    def alt(self) -> None:
        self.pour(b"".join(b"\x1b" + bytes([code]) for code in self.some(PRINTABLE, 8)))

    def controls(self) -> None:
        self.pour(self.some(bytes(code for code in range(32) if code not in ENDING), 8))

    def answer(self) -> None:
        """A question, and an answer of sorts."""
        self.pour(self.rng.choice((b"g", b"p", b"?", b"/", b":")) + self.some(PRINTABLE, 20)
                  + self.rng.choice((b"\r", ESC, b"\r\r", b"\r" + ESC)))

    def noise(self) -> None:
        raw = bytes(code for code in self.rng.randbytes(60) if code not in ENDING)
        self.pour(raw + b"\x00\xff\xfe\xc3(" + ESC)

    def paste(self, size: int = PASTED) -> None:
        self.pour(b"\x1b[200~" + bytes(self.rng.choices(PRINTABLE + b"\r\t", k=size)) + b"\x1b[201~")

    def snippet(self) -> None:
        self.paste(self.rng.randint(1, 3000))

    def clicks(self) -> None:
        for _ in range(20):
            button, x, y = self.rng.choice((0, 0, 1, 2, 4, 8, 16)), *self._place()
            self.pour(b"\x1b[<%d;%d;%dM\x1b[<%d;%d;%dm" % (button, x, y, button, x, y))

    def drag(self) -> None:
        self.pour(b"\x1b[<0;%d;%dM" % self._place())
        for _ in range(30):
            self.pour(b"\x1b[<%d;%d;%dM" % (self.rng.choice((32, 35)), *self._place()))
        if self.rng.random() < 0.7:
            self.pour(b"\x1b[<0;%d;%dm" % self._place())

    def wheel(self) -> None:
        for _ in range(20):
            self.pour(b"\x1b[<%d;%d;%dM" % (self.rng.choice((64, 65, 66, 67)), *self._place()))

    def _place(self) -> tuple[int, int]:
        return self.rng.randint(0, 130), self.rng.randint(0, 40)

    def resize(self) -> None:
        for _ in range(self.rng.randint(1, 5)):
            columns, rows = self.rng.choice(SIZES)
            self.session.child.setwinsize(rows, columns)
            self.listen(self.rng.choice((0.0, 0.02)))

    def stop(self) -> None:
        for _ in range(self.rng.randint(1, 2)):
            self.session.child.kill(signal.SIGSTOP)
            self.session.child.kill(signal.SIGCONT)

    def mash(self, acts: int) -> Iterator[str]:
        """Perform the given number of acts; returns their names."""
        for _ in range(acts):
            if not self.alive:
                return
            act = self.rng.choice(self.acts)
            act()
            self.listen(self.rng.choice((0.0, 0.0, 0.05)))
            yield act.__name__

    def leave(self) -> int:
        """Out of whatever is open, and away; the exit status. Raises AssertionError when it does not go.

        Where something has been typed, the first esc takes that back and only the second closes; a `q` after one alone
        would be typed there, again and again.
        """
        self.session.child.setwinsize(36, 120)
        end = time.monotonic() + PATIENCE
        while self.alive:
            self.pour(b"\x1b[201~" + ESC + ESC + b"q")
            self.listen(0.5)
            assert time.monotonic() < end, "it answers no more"
        return self.session.ended()

    def assert_ends_well(self) -> None:
        """Leave, and assert that the end was orderly."""
        left_open = os.dup(self.session.child.child_fd)
        status = self.leave()
        modes = termios.tcgetattr(left_open)
        os.close(left_open)
        assert_unharmed(self.session, status, modes)


def assert_unharmed(session: Session, status: int, modes: list[object]) -> None:
    """Assert exit code 0, no traceback, and a restored terminal. `modes` are those of the terminal after it."""
    assert b"Traceback" not in session.output, session.output[-4000:].decode(errors="replace")
    assert status == 0, session.output[-4000:].decode(errors="replace")
    assert session.output.rfind(b"\x1b[?1049l") > session.output.rfind(b"\x1b[?1049h")
    assert session.output.rfind(b"\x1b[?25h") > session.output.rfind(b"\x1b[?25l")
    assert modes == session.before


def mashed(session: Session, seed: int, until: Callable[[int], bool]) -> int:
    """Mash a session until `until` holds for the number of acts, then assert that it ends well; returns that number."""
    masher = Masher(session, seed)
    done = 0
    while masher.alive and not until(done):
        done += sum(1 for _ in masher.mash(1))
    masher.assert_ends_well()
    return done


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.terminal.mash", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("arguments", nargs="*", help="of sudoku-tui, after --")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(*(given.arguments or ["hard:1", "--play"]), columns=120, rows=36, XDG_DATA_HOME=folder,
                          XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
        end = time.monotonic() + given.seconds
        try:
            done = mashed(session, given.seed, lambda _done: time.monotonic() > end)
        finally:
            session.kill()
    print(f"{done} acts, {len(session.output)} bytes drawn: unharmed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
