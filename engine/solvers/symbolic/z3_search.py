"""One search of Z3, observed one callback at a time.

Z3 reports to a user propagator (N. Bjørner, C. Eisenhofer, L. Kovács: Satisfiability Modulo Custom Theories in Z3,
VMCAI 2023) the literals that it fixes, its decisions, and the levels that it backtracks. The search runs in a separate
thread and Z3 context, and blocks inside each callback until the next one is requested.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from engine.puzzle import Puzzle

if TYPE_CHECKING:
    import z3

OFTEN = 8
"""Z3's counters are read at the first propagation, and at each of this many after it; a read takes 0.2 ms."""

AGAIN = 0.01
"""Seconds between two attempts to interrupt Z3: an interrupt has no effect before the search begins."""

COUNTERS = ("decisions", "conflicts", "propagations", "pb propagations", "mk clause", "rlimit count")
"""The reported counters, under Z3's names; no times, no memory."""

Counters = tuple[int, ...]
"""One number for each of COUNTERS."""


class Fixed(Struct, frozen=True):
    """A literal got its value. Literal cell * n + v - 1 means that the cell holds v."""

    literal: int
    holds: bool
    opened: int
    """Levels that Z3 opened before it."""
    decided: bool
    """True if Z3 decided the literal, False if it propagated it."""
    counters: Counters | None = None
    """None where they were not asked for."""


class Popped(Struct, frozen=True):
    """Z3 gave up its last levels, and every literal fixed in them is open again."""

    levels: int
    counters: Counters


class Ended(Struct, frozen=True):
    """The search is over; `why` is Z3's word for an answer that is none."""

    answer: Literal["sat", "unsat", "unknown"]
    why: str
    counters: Counters


Seen = Fixed | Popped | Ended

_open: list[Search] = []
"""The searches whose thread may be alive: all are closed before the interpreter exits."""
_building = threading.Lock()
"""Z3's Python part numbers its propagators by a list that it does not guard."""


class Search:
    """A search that advances from callback to callback. Must be closed: its thread waits for ever otherwise."""

    def __init__(self, puzzle: Puzzle, options: dict[str, int]) -> None:
        self._puzzle = puzzle
        self._options = options
        self._seen: SimpleQueue[Seen] = SimpleQueue()
        self._go = threading.Lock()
        """Held while Z3 must wait. A plain lock and a SimpleQueue, since `close` may run inside a garbage collection at
        any point."""
        self._go.acquire()
        self._standing = False
        self._stopped = False
        self._interrupt: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name="z3-inside", daemon=True)
        _open.append(self)
        self._thread.start()

    # For the observing thread

    def next(self, timeout: float) -> Seen | None:
        """The next report of Z3; None if nothing happened within the given seconds (call again). Not to be called after
        Ended."""
        if self._standing:
            self._standing = False
            self._go.release()
        try:
            seen = self._seen.get(timeout=timeout)
        except Empty:
            return None
        self._standing = True
        return seen

    def close(self) -> None:
        """End the search and its thread. May be called repeatedly, from any thread and at any moment, also while the
        interpreter shuts down."""
        if self._stopped and not self._thread.is_alive():
            return
        self._stopped = True
        with contextlib.suppress(RuntimeError):
            self._go.release()
        if threading.current_thread() is self._thread:
            return
        while self._thread.is_alive():
            if self._interrupt is not None:
                self._interrupt()
            self._thread.join(AGAIN)
        with contextlib.suppress(ValueError):
            _open.remove(self)

    # Called in the thread of the search

    def tell(self, seen: Seen) -> None:
        """Publish a report, then block until the next one is requested."""
        if not self._stopped:
            self._seen.put(seen)
            self._go.acquire()

    @property
    def stopped(self) -> bool:
        return self._stopped

    def _run(self) -> None:
        try:
            ended = self._check()
        except Exception as error:  # the observer must learn that no report follows
            ended = Ended("unknown", " ".join(str(error).split()), (0,) * len(COUNTERS))
        self._interrupt = None
        if not self._stopped:
            self._seen.put(ended)

    def _check(self) -> Ended:
        import z3
        context = z3.Context()
        self._interrupt = context.interrupt
        solver, literals = _written(context, self._puzzle)
        for name, value in self._options.items():
            solver.set(name, value)
        with _building:
            watcher = _watcher_class()(self, solver, literals)
        try:
            answer = str(solver.check()) if not self._stopped else "unknown"
            why = solver.reason_unknown() if answer == "unknown" else ""
            return Ended(answer, why, counters_of(solver))  # type: ignore[arg-type]
        finally:
            watcher.let_go()


def _written(context: z3.Context, puzzle: Puzzle) -> tuple[z3.Solver, list[z3.BoolRef]]:
    """A solver that has the puzzle, one-hot, and the literal of each candidate."""
    from engine.automata.encodings import make
    encoding = make("one-hot", puzzle.geometry, context)
    solver = encoding.solver()
    for unit in puzzle.geometry.units:
        solver.add(encoding.rule(unit))
    solver.add([encoding.literal(cell, value) for cell, value in enumerate(puzzle.givens) if value])
    return solver, [literal for row in encoding.literals for literal in row]


def counters_of(solver: z3.Solver) -> Counters:
    """Z3's counters as they are now; it leaves out those that are 0."""
    statistics = solver.statistics()
    found = {name: statistics.get_key_value(name) for name in statistics.keys()}  # noqa: SIM118  (it is no mapping)
    return tuple(int(found.get(name, 0)) for name in COUNTERS)


@functools.cache
def _watcher_class() -> Any:
    """The propagator class, created here because its base class is Z3's. It keeps the observed search in attributes,
    which it can release; names of an enclosing function would be held by the class itself."""
    import z3

    class Watcher(z3.UserPropagateBase):  # type: ignore[misc]
        """Reports what Z3 does and never interferes."""

        def __init__(self, search: Search, solver: z3.Solver, literals: list[z3.BoolRef]) -> None:
            super().__init__(solver)
            self._search: Any = search
            self._numbers = {literal.get_id(): k for k, literal in enumerate(literals)}
            self._opened = 0
            self._wanted = -1
            self._reported = 0
            self.add_fixed(self._fixed)
            self.add_decide(self._decides)
            for literal in literals:
                self.add(literal)

        def push(self) -> None:
            self._opened += 1

        def _decides(self, term: z3.BoolRef, _bit: int, _phase: int) -> None:
            self._wanted = self._numbers.get(term.get_id(), -1)

        def _fixed(self, term: z3.BoolRef, value: z3.BoolRef) -> None:
            if self._search.stopped:
                return
            literal = self._numbers[term.get_id()]
            opened, decided = self._opened, literal == self._wanted
            self._opened, self._wanted = 0, -1
            self._reported += 1
            counters = counters_of(self.solver) if opened or self._reported % OFTEN == 1 else None
            self._search.tell(Fixed(literal, z3.is_true(value), opened, decided, counters))

        def pop(self, levels: int) -> None:
            shown = levels - self._opened
            self._opened, self._wanted = max(0, -shown), -1
            if shown > 0 and not self._search.stopped:
                self._search.tell(Popped(shown, counters_of(self.solver)))

        def let_go(self) -> None:
            """Release everything: Z3's Python part keeps every propagator until the process ends."""
            self.solver = self.fixed = self.decide = self._search = None
            self._numbers = {}

    return Watcher


def _close_all() -> None:
    for search in tuple(_open):
        search.close()


atexit.register(_close_all)
