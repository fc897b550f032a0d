"""One Z3 solver of a board: written bit by bit, asked under limits, broken off at any time.

Z3 takes in what was asserted when it is asked the next time, all of it in one go, and looks at no interrupt meanwhile:
on a 25x25 board 0.14 s (bit-vectors) to 0.9 s (finite-domain). So it is asked something trivial after every bit. Left
are its longest inner steps, mostly of 1 or 2 ms of processor time. The longest seen: 90 ms where `finite-domain`
simplifies its clauses (without that it finds no solutions), 105 ms with `bit-vectors` at 25x25, 35 ms otherwise.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import z3

from engine.automata import encodings
from engine.automata.encodings import Encoding
from engine.interrupt import Interrupted, give_way, interruptible

FOREVER = 2**32 - 1
"""What Z3 takes for no limit, in ms."""


class Deadline:
    """How long something may take, all in all."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.end = None if seconds is None else time.monotonic() + seconds
        """The time of `time.monotonic`."""

    def left(self) -> float | None:
        """Seconds, None without a limit, 0 when it is over."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    @property
    def reason(self) -> str:
        return f"the limit of {self.seconds:g} s is reached"


class Prover:
    """A solver of one board. For one thread at a time."""

    def __init__(self, encoding: Encoding, parts: Iterator[Sequence[z3.BoolRef]]) -> None:
        """`parts`: the formulas it knows, to be written when it is asked first."""
        self.solver = encoding.bare()
        self._encoding = encoding
        self._parts: Iterator[Sequence[z3.BoolRef]] | None = parts
        self._never: Any = None
        self._limit = FOREVER

    def write(self) -> None:
        """Write what is not written yet. Raises Interrupted where it is to give way; it then goes on another time."""
        while self._parts is not None:
            give_way()
            part = next(self._parts, None)
            if part is None:
                self._parts = None
            elif part:
                self.add(part)
                self._take_in()

    def check(self, assumed: Sequence[z3.BoolRef], deadline: Deadline | None) -> Any:
        """Z3's own result. Raises Interrupted where it is broken off."""
        self.write()
        give_way()
        left = None if deadline is None else deadline.left()
        self._limit_to(FOREVER if left is None else max(1, round(left * 1000)))
        try:
            with interruptible(self._encoding.context.interrupt):
                return self._checked(assumed)
        except Interrupted:
            self._take_in()  # an interrupt that comes as Z3 ends lasts until it is asked again, and spoils `push`
            raise

    def _checked(self, assumed: Sequence[z3.BoolRef]) -> Any:
        """`solver.check(*assumed)`, which takes longer to look at its arguments than Z3 to answer."""
        array = (z3.Ast * len(assumed))(*(each.ast for each in assumed))
        context = self._encoding.context.ref()
        return z3.Z3_solver_check_assumptions(context, self.solver.solver, len(assumed), array)

    def add(self, part: Sequence[z3.BoolRef]) -> None:
        """`solver.add(part)`, which takes as long to look at its arguments."""
        context = self._encoding.context.ref()
        for each in part:
            z3.Z3_solver_assert(context, self.solver.solver, each.ast)

    def _take_in(self) -> None:
        """Ask whether what is false can be true: the answer costs nothing."""
        if self._never is None:
            self._never = encodings.boolean("never", self._encoding.context)
            self.add([z3.Not(self._never)])
        self._checked([self._never])

    def _limit_to(self, limit: int) -> None:
        if limit != self._limit:
            self.solver.set("timeout", limit)
            self._limit = limit
