"""One Z3 solver of a board: built in small parts, queried under a deadline, interruptible at any time.

Z3 processes new assertions at the next query, all at once, and ignores interrupts meanwhile: on a 25x25 board that
takes 0.14 s (bit-vectors) to 0.9 s (finite-domain). A trivial query after every part avoids it. What remains are Z3's
own uninterruptible steps, usually 1 or 2 ms of processor time; the longest measured are 90 ms where `finite-domain`
simplifies its clauses (without that it finds no solutions), 105 ms with `bit-vectors` at 25x25, and 35 ms otherwise.
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
"""Z3's value for "no timeout", in milliseconds."""


class Deadline:
    """A time limit for an operation of several queries."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.end = None if seconds is None else time.monotonic() + seconds
        """In terms of `time.monotonic`."""

    def left(self) -> float | None:
        """Seconds left, at least 0; None without a limit."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    @property
    def reason(self) -> str:
        return f"the limit of {self.seconds:g} s is reached"


class Prover:
    """A solver of one board. Not thread-safe."""

    def __init__(self, encoding: Encoding, parts: Iterator[Sequence[z3.BoolRef]]) -> None:
        """`parts`: the formulas to assert before the first query."""
        self.solver = encoding.bare()
        self._encoding = encoding
        self._parts: Iterator[Sequence[z3.BoolRef]] | None = parts
        self._never: Any = None
        self._limit = FOREVER

    def write(self) -> None:
        """Assert the remaining parts. Raises Interrupted on a request to give way; the next call continues."""
        while self._parts is not None:
            give_way()
            part = next(self._parts, None)
            if part is None:
                self._parts = None
            elif part:
                self.add(part)
                self._take_in()

    def check(self, assumed: Sequence[z3.BoolRef], deadline: Deadline | None) -> Any:
        """Z3's raw result. Raises Interrupted if the query is interrupted."""
        self.write()
        give_way()
        left = None if deadline is None else deadline.left()
        self._limit_to(FOREVER if left is None else max(1, round(left * 1000)))
        try:
            with interruptible(self._encoding.context.interrupt):
                return self._checked(assumed)
        except Interrupted:
            self._take_in()  # an interrupt that arrives as Z3 returns stays pending and breaks `push`
            raise

    def _checked(self, assumed: Sequence[z3.BoolRef]) -> Any:
        """`solver.check(*assumed)` without its checks of the arguments, which take longer than the answer."""
        array = (z3.Ast * len(assumed))(*(each.ast for each in assumed))
        context = self._encoding.context.ref()
        return z3.Z3_solver_check_assumptions(context, self.solver.solver, len(assumed), array)

    def add(self, part: Sequence[z3.BoolRef]) -> None:
        """`solver.add(part)` without its checks of the arguments."""
        context = self._encoding.context.ref()
        for each in part:
            z3.Z3_solver_assert(context, self.solver.solver, each.ast)

    def _take_in(self) -> None:
        """Make Z3 process new assertions: query a literal that is asserted to be false, which costs nothing."""
        if self._never is None:
            self._never = encodings.boolean("never", self._encoding.context)
            self.add([z3.Not(self._never)])
        self._checked([self._never])

    def _limit_to(self, limit: int) -> None:
        if limit != self._limit:
            self.solver.set("timeout", limit)
            self._limit = limit
