"""Frames for a terminal: what is painted while none may be sent goes into the next one."""

from __future__ import annotations

from collections.abc import Callable

from tui.terminal.held import Held
from tui.terminal.line import mark_of, question
from tui.terminal.pacer import Pacer
from tui.terminal.pieces import Piece, shortest
from tui.terminal.standing import Standing


class Frames:
    """Makes a frame of what differs from what stands on the terminal, when the pacer lets it."""

    def __init__(self, pacer: Pacer, standing: Standing, send: Callable[[str], None]) -> None:
        """`send` writes a frame to the terminal."""
        self._pacer, self._standing, self._send = pacer, standing, send
        self._held = Held()

    def draw(self, pieces: list[Piece]) -> float | None:
        """Have these pieces on the terminal, at once or later; as `go_on`."""
        cannot_wait = any(piece.raw for piece in pieces)
        if cannot_wait or (not self._held and self._pacer.may_send()):
            self._frame(self._held.take())
            self._frame(pieces)
        else:
            self._held.add(pieces)
        return self.go_on()

    def go_on(self) -> float | None:
        """Send what is held if that may be. Else the seconds until it may, should nothing be answered; None: nothing is
        held."""
        if not self._held:
            return None
        wait = self._pacer.wait()
        if wait > 0:
            return wait
        self._frame(self._held.take())
        return None

    def answered(self, x: int, y: int, at: float) -> bool:
        """The terminal has said, at some time, that its cursor is there. Whether that was asked."""
        mark = mark_of(x, y)
        return mark is not None and self._pacer.answered(mark, at)

    def forget(self) -> None:
        """All will be drawn anew."""
        self._held.clear()

    def lost(self) -> None:
        """Another program has had the terminal, and maybe the answers."""
        self._pacer.lost()

    def _frame(self, pieces: list[Piece]) -> None:
        sequence = shortest(self._standing.differing(pieces)) if pieces else ""
        if sequence:
            mark = self._pacer.sent(len(sequence.encode()))
            self._send(sequence if mark is None else sequence + question(mark))
