"""All automata of a board in one Z3 context: one variable a cell, one literal a unit, one solver that lives on.

A question assumes the literals of the units whose rules are to hold and of what stands in the cells. Nothing is
asserted for it, so the solver keeps what it has learned for the next one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import z3
from msgspec import Struct

from engine.interrupt import Breaker, Interrupted, interruptible
from engine.puzzle import Geometry
from engine.symbolic import encodings
from engine.symbolic.encodings import EncodingName, value_name

Result = Literal["sat", "unsat", "unknown"]
Pair = tuple[int, int]
"""(cell, value)"""

FOREVER = 2**32 - 1
"""What Z3 takes for no limit, in ms."""


class Core(Struct, frozen=True):
    """What contradicts each other: the rules of some units, and values in some cells."""

    units: tuple[int, ...]
    """Their places in `geometry.units`, ascending."""
    placed: tuple[Pair, ...]
    """Ascending."""

    @property
    def size(self) -> int:
        return len(self.units) + len(self.placed)

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(cell for cell, _value in self.placed)

    def texts(self, geometry: Geometry) -> tuple[str, ...]:
        """`row 3`, `r4c2 = 2`: the units, then the cells."""
        named = (geometry.units[place].name for place in self.units)
        return (*named, *(value_name(cell, value, geometry.n) for cell, value in self.placed))


class Answer(Struct, frozen=True):
    """What came of a question."""

    result: Result
    core: Core | None = None
    """Where the result is unsat; `possible` leaves it out."""
    reason: str = ""
    """Why there is no answer, as a clause, where the result is unknown."""


class Deadline:
    """How long something may take, all in all."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds, None without a limit, 0 when it is over."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    @property
    def reason(self) -> str:
        return f"the limit of {self.seconds:g} s is reached"


class Network:
    """The automata of all units of a board, sharing the variables of the cells. For one thread at a time; only
    `interrupt` may be called from another."""

    def __init__(self, geometry: Geometry, encoding: EncodingName = "one-hot") -> None:
        self.geometry = geometry
        self.encoding = encodings.make(encoding, geometry)
        self.solver = self.encoding.solver()
        names = [unit.name for unit in geometry.units]
        self.rules: tuple[z3.BoolRef, ...] = tuple(encodings.boolean(name, self.encoding.context) for name in names)
        """rules[place]: the rule of that unit holds."""
        for rule, unit in zip(self.rules, geometry.units, strict=True):
            self.solver.add([z3.Implies(rule, part) for part in self.encoding.rule(unit)])
        self._unruled = tuple(z3.Not(rule) for rule in self.rules)
        self._places = {rule.get_id(): place for place, rule in enumerate(self.rules)}
        self._pairs = {literal.get_id(): (cell, value) for cell, row in enumerate(self.encoding.literals)
                       for value, literal in enumerate(row, 1)}
        self._breaker = Breaker(grace=0.0)
        self._limit = FOREVER

    # Asking

    def ask(self, placed: Iterable[Pair], units: Iterable[int] | None = None, deadline: Deadline | None = None,
            ) -> Answer:
        """Whether the values can stand in their cells and be completed so that the units (places in
        `geometry.units`; all if None) hold. Raises Interrupted if whoever watches this thread breaks it off."""
        return self._answer([*self._rules_of(units), *self._literals(placed)], deadline)

    def possible(self, placed: Iterable[Pair], deadline: Deadline | None = None) -> Answer:
        """`ask` of all units, but for the core, which takes as long to look at as the answer to find."""
        result = self._check([*self.rules, *self._literals(placed)], deadline)
        if result == z3.unknown:
            return Answer("unknown", reason=self._why(deadline))
        return Answer("sat" if result == z3.sat else "unsat")

    def grid(self) -> tuple[int, ...]:
        """The n*n values of the model behind the last answer, which was sat."""
        return self.encoding.values(self.solver.model())

    def minimised(self, core: Core, deadline: Deadline | None = None, within: Sequence[int] | None = None) -> Core:
        """A core of which nothing can be left out: each item in turn is tried without (Chinneck & Dravnieks, "Locating
        Minimal Infeasible Constraint Sets in Linear Programs", ORSA J. Computing 3(2), 1991). Where an answer fails to
        come the item stays.

        First cells are left out while all rules hold (or those of the units `within`): that shows a contradiction
        soonest. Then units."""
        rules = self.rules if within is None else [self.rules[place] for place in within]
        for pair in reversed(core.placed):
            if pair in core.placed:
                rest = [each for each in core.placed if each != pair]
                core = self._answer([*rules, *self._literals(rest)], deadline).core or core
        for place in core.units:
            if place in core.units:
                kept = [self.rules[each] for each in core.units if each != place]
                core = self._answer([*kept, *self._literals(core.placed)], deadline).core or core
        return core

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is blocked in this `with` block is forgotten at its end."""
        self.solver.push()
        try:
            yield
        finally:
            self.solver.pop()

    def block(self, values: Mapping[int, int]) -> None:
        """At least one of these cells holds another value than this one: a solution less."""
        self.solver.add(self.encoding.differs(values))

    def work(self) -> int:
        """What the engine has done since the context was made, in its own count of resources; never a time."""
        return self._counted().get("rlimit count", 0)

    def statistics(self) -> tuple[tuple[str, int], ...]:
        """Decisions, propagations, conflicts since the context was made, as far as the engine counts them."""
        found = self._counted()
        return tuple((key, found[key]) for key in ("decisions", "propagations", "conflicts") if key in found)

    def _counted(self) -> dict[str, int]:
        """Z3's own counters, those of its SAT solver by the names of the others."""
        statistics = self.solver.statistics()
        names: list[str] = statistics.keys()
        return {name.removeprefix("sat "): int(statistics.get_key_value(name)) for name in names}

    # Breaking off

    def begin(self) -> None:
        """What follows is a new operation: an interrupt that came before it is over."""
        self._breaker.clear()

    def interrupt(self) -> None:
        """End the operation that goes on, from another thread: it has then no answer."""
        self._breaker.break_off()

    # Inside

    def _answer(self, assumed: Sequence[z3.BoolRef], deadline: Deadline | None) -> Answer:
        result = self._check(assumed, deadline)
        if result == z3.sat:
            return Answer("sat")
        if result == z3.unsat:
            return Answer("unsat", self._core(self.solver.unsat_core()))
        return Answer("unknown", reason=self._why(deadline))

    def _check(self, assumed: Sequence[z3.BoolRef], deadline: Deadline | None) -> Any:
        """Z3's own result. Two may break it off: whoever watches this thread, and `interrupt`."""
        left = None if deadline is None else deadline.left()
        if left == 0.0:
            return z3.unknown
        self._limit_to(FOREVER if left is None else max(1, round(left * 1000)))
        stop = self.encoding.context.interrupt
        with interruptible(stop):
            try:
                with self._breaker.watching(), interruptible(stop):
                    return self._checked(assumed)
            except Interrupted:
                return z3.unknown

    def _checked(self, assumed: Sequence[z3.BoolRef]) -> Any:
        """`solver.check(*assumed)`, which takes longer to look at its arguments than Z3 to answer."""
        array = (z3.Ast * len(assumed))(*(each.ast for each in assumed))
        context = self.encoding.context.ref()
        return z3.CheckSatResult(z3.Z3_solver_check_assumptions(context, self.solver.solver, len(assumed), array))

    def _limit_to(self, limit: int) -> None:
        if limit != self._limit:
            self.solver.set("timeout", limit)
            self._limit = limit

    def _why(self, deadline: Deadline | None) -> str:
        if self._breaker.asked:
            return "it was interrupted"
        if deadline is not None and deadline.left() == 0.0:
            return deadline.reason
        return f"Z3 gives up: {self.solver.reason_unknown()}"

    def _rules_of(self, units: Iterable[int] | None) -> Sequence[z3.BoolRef]:
        """The rules of these units, and that the others need not hold: left open, Z3 would look for what fits them."""
        if units is None:
            return self.rules
        wanted = set(units)
        return [rule if place in wanted else self._unruled[place] for place, rule in enumerate(self.rules)]

    def _literals(self, placed: Iterable[Pair]) -> list[z3.BoolRef]:
        return [self.encoding.literals[cell][value - 1] for cell, value in placed]

    def _core(self, items: Iterable[z3.BoolRef]) -> Core:
        ids = [each.get_id() for each in items]
        units = sorted(self._places[each] for each in ids if each in self._places)
        return Core(tuple(units), tuple(sorted(self._pairs[each] for each in ids if each in self._pairs)))
