"""All automata of a board in one Z3 context: one variable per cell, one literal per unit, two long-lived solvers.

A query assumes the literals of the units whose rules must hold and of the values in the cells. It asserts nothing, so
the solver keeps its learned clauses for the next query. Queries that need all rules and no core go to a second solver,
in which the rules are asserted: it takes a third of the time.

Every operation ends within about 100 ms (usually 2 ms) of its deadline, of `interrupt`, or of a request to give way
(see `engine.interrupt`; `prover` lists the longest uninterruptible steps of Z3). The formula of the board is built at
the first query, in small parts; an operation that ends before the formula is complete has no answer, and the next one
continues the construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

import z3
from msgspec import Struct

from engine.automata import encodings
from engine.automata.encodings import Encoding, EncodingName, Pair
from engine.automata.prover import Deadline, Prover
from engine.automata.unsat_core import Core, minimise
from engine.interrupt import Breaker, Interrupted, give_way
from engine.puzzle import Geometry

Result = Literal["sat", "unsat", "unknown"]

FEW = 4
"""Differences of up to this many values are assumed instead of asserted."""
AGAIN = 2
"""Queries about one board before its values are asserted: asserting and retracting cost as much as some queries."""


class Facts:
    """Asserts placed values in a scope of a solver while consecutive queries share a board, instead of assuming them
    for each query: Z3 then propagates them once. Nothing else may open scopes of that solver."""

    def __init__(self, prover: Prover, literal: Callable[[int, int], z3.BoolRef]) -> None:
        self._prover, self._literal = prover, literal
        self._facts: frozenset[Pair] = frozenset()
        self._before: frozenset[Pair] = frozenset()
        """The values common to the last queries."""
        self._asked = 0
        """The number of these queries."""

    def assumed(self, placed: Sequence[Pair]) -> list[z3.BoolRef]:
        """The literals to assume so that exactly these values are placed."""
        now = frozenset(placed)
        if not self._facts <= now:
            self._assert(frozenset())
        common = now & self._before
        if len(common) - len(self._facts) > FEW and self._asked >= AGAIN:
            self._assert(common)
        elif len(common) < len(self._before) - FEW:
            self._asked = 0
        self._before, self._asked = (common if self._asked else now), self._asked + 1
        return [self._literal(*pair) for pair in placed if pair not in self._facts]

    def _assert(self, facts: frozenset[Pair]) -> None:
        """Assert these values in place of the earlier ones."""
        if self._facts:
            self._prover.solver.pop()
        self._facts, self._asked = facts, 0
        if facts:
            self._prover.solver.push()
            self._prover.add([self._literal(*pair) for pair in sorted(facts)])


class NoAnswer(RuntimeError):
    """Z3 has no answer (unlike the answer "no"); the text gives the reason."""


class Answer(Struct, frozen=True):
    """The result of a query."""

    result: Result
    core: Core | None = None
    """Present if the result is unsat, except from `possible`."""
    reason: str = ""
    """The reason of an unknown result, as a clause."""


_PLAIN: dict[Result, Answer] = {"sat": Answer("sat"), "unsat": Answer("unsat")}


class Network:
    """The automata of all units of a board, sharing the variables of the cells.

    Not thread-safe, except for `interrupt`, which any thread may call.
    """

    def __init__(self, geometry: Geometry, encoding: EncodingName = "one-hot") -> None:
        self.geometry = geometry
        self._encoding = encodings.begun(encoding, geometry)
        self._pairs: dict[int, Pair] = {}
        self._growth = _grown(self._encoding, self._pairs)
        names = [unit.name for unit in geometry.units]
        self.rules: tuple[z3.BoolRef, ...] = tuple(encodings.boolean(name, self._encoding.context) for name in names)
        """rules[i] is the literal of unit i: if true, the rule of the unit holds."""
        self._unruled = tuple(z3.Not(rule) for rule in self.rules)
        self._places = {rule.get_id(): place for place, rule in enumerate(self.rules)}
        self._named = Prover(self._encoding, _written(self._encoding, self._growth, self.rules))
        """The solver in which a rule holds if its literal is assumed."""
        self._plain = Prover(self._encoding, _written(self._encoding, self._growth, None))
        """The solver in which all rules are asserted."""
        self._facts = Facts(self._plain, self._encoding.literal)
        self._breaker = Breaker(grace=0.0)

    @property
    def encoding(self) -> Encoding:
        """The cells as variables. Raises Interrupted if a request to give way arrives while they are created."""
        for _ in self._growth:
            give_way()
        return self._encoding

    @property
    def solver(self) -> z3.Solver:
        """The solver behind `ask`."""
        return self._named.solver

    # Asking

    def ask(self, placed: Iterable[Pair], units: Iterable[int] | None = None, deadline: Deadline | None = None,
            ) -> Answer:
        """Ask whether the placed values can be completed so that the rules of `units` hold.

        `units` are indices into `geometry.units`, None for all. Raises Interrupted on a request to give way.
        """
        placed, units = tuple(placed), None if units is None else tuple(units)
        try:
            with self.bounded(deadline):
                self._named.write()
                answer = self._answer([*self._rules_of(units), *self._literals(placed)], deadline)
                self._looked_at(answer, self._named, placed, units)
                return answer
        except NoAnswer as none:
            return Answer("unknown", reason=str(none))

    def possible(self, placed: Iterable[Pair], deadline: Deadline | None = None) -> Answer:
        """`ask` for all units, without core and grid, in a third of the time."""
        try:
            with self.bounded(deadline):
                self._plain.write()
                placed = tuple(placed)
                answer = _PLAIN[self._result(self._plain, self._facts.assumed(placed), deadline)]
                self._looked_at(answer, self._plain, placed, None)
                return answer
        except NoAnswer as none:
            return Answer("unknown", reason=str(none))

    def grid(self) -> tuple[int, ...]:
        """The n*n values of the model of the last `ask`, whose result was sat."""
        return self._encoding.values(self.solver.model())

    def minimised(self, core: Core, deadline: Deadline | None = None, within: Sequence[int] | None = None) -> Core:
        """A minimal core (`unsat_core.minimise`). An item stays if Z3 has no answer in time.

        `within`: units whose rules hold while cells are dropped, None for all.
        """
        def refute(units: Sequence[int] | None, placed: Sequence[Pair]) -> Core | None:
            rules = self.rules if units is None else [self.rules[place] for place in units]
            try:
                with self.bounded(deadline):
                    return self._answer([*rules, *self._literals(placed)], deadline).core
            except NoAnswer:
                return None

        return minimise(core, refute, within)

    @contextmanager
    def apart(self, deadline: Deadline | None = None) -> Iterator[None]:
        """A scope: clauses added by `block` inside this `with` block are retracted at its end. Raises NoAnswer if the
        formula cannot be built by the deadline."""
        with self.bounded(deadline):
            self._named.write()
        self.solver.push()
        try:
            yield
        finally:
            self.solver.pop()

    def block(self, values: Mapping[int, int]) -> None:
        """Add a blocking clause: at least one of these cells holds another value."""
        self.solver.add(self._encoding.differs(values))

    def work(self) -> int:
        """Z3's resource count since the context was created; a count of work, not a time."""
        return self._counted().get("rlimit count", 0)

    def statistics(self) -> tuple[tuple[str, int], ...]:
        """Decisions, propagations and conflicts since the context was created, as far as Z3 counts them."""
        found = self._counted()
        return tuple((key, found[key]) for key in ("decisions", "propagations", "conflicts") if key in found)

    def _counted(self) -> dict[str, int]:
        """Z3's counters; those of its SAT solver lose their prefix `sat `."""
        statistics = self.solver.statistics()
        names: list[str] = statistics.keys()
        return {name.removeprefix("sat "): int(statistics.get_key_value(name)) for name in names}

    # Interruption

    def begin(self) -> None:
        """Begin a new operation: discard an earlier interrupt."""
        self._breaker.clear()

    def interrupt(self) -> None:
        """End the current operation from another thread; it raises or reports NoAnswer."""
        self._breaker.break_off()

    # Inside

    @contextmanager
    def bounded(self, deadline: Deadline | None) -> Iterator[None]:
        """Raise NoAnswer inside this `with` block at the deadline or at `interrupt`."""
        try:
            with self._breaker.watching(None if deadline is None else deadline.end):
                yield
        except Interrupted as broken:
            if broken.by is not self._breaker:
                raise
            raise NoAnswer(self._why(deadline)) from None

    def _answer(self, assumed: Sequence[z3.BoolRef], deadline: Deadline | None) -> Answer:
        result = self._result(self._named, assumed, deadline)
        return Answer(result, self._core(self.solver.unsat_core()) if result == "unsat" else None)

    def _result(self, prover: Prover, assumed: Sequence[z3.BoolRef], deadline: Deadline | None) -> Result:
        """Z3's result. Raises NoAnswer if it is unknown."""
        found = prover.check(assumed, deadline)
        if found == z3.Z3_L_UNDEF:
            raise NoAnswer(self._why(deadline, prover))
        return "sat" if found == z3.Z3_L_TRUE else "unsat"

    def _looked_at(self, answer: Answer, prover: Prover, placed: Sequence[Pair], units: Sequence[int] | None) -> None:
        """Verify the model of an encoding whose `sat` is not trusted. Raises NoAnswer if it is no solution."""
        if answer.result != "sat" or self._encoding.is_believed:
            return
        values, geometry = self._encoding.values(prover.solver.model()), self.geometry
        held = geometry.units if units is None else [geometry.units[place] for place in units]
        alphabet = set(range(1, geometry.n + 1))
        if any(values[cell] != value for cell, value in placed) \
                or any({values[cell] for cell in unit.cells} != alphabet for unit in held):
            raise NoAnswer("the model that Z3 returned is not a solution")

    def _why(self, deadline: Deadline | None, prover: Prover | None = None) -> str:
        if self._breaker.asked:
            return "interrupted"
        if deadline is not None and (prover is None or deadline.left() == 0.0):
            return deadline.reason
        return f"Z3 gave up: {prover.solver.reason_unknown()}" if prover is not None else "interrupted"

    def _rules_of(self, units: Iterable[int] | None) -> Sequence[z3.BoolRef]:
        """The rules of these units, and the negated literals of the others: left open, Z3 would try to satisfy them."""
        if units is None:
            return self.rules
        wanted = set(units)
        return [rule if place in wanted else self._unruled[place] for place, rule in enumerate(self.rules)]

    def _literals(self, placed: Iterable[Pair]) -> list[z3.BoolRef]:
        literals = self._encoding.literals
        return [literals[cell][value - 1] for cell, value in placed]

    def _core(self, items: Iterable[z3.BoolRef]) -> Core:
        ids = [each.get_id() for each in items]
        units = sorted(self._places[each] for each in ids if each in self._places)
        return Core(tuple(units), tuple(sorted(self._pairs[each] for each in ids if each in self._pairs)))


# These generators refer to the encoding, not to the network. Without a reference cycle a dropped network is freed at
# once, with the 20 MB that Z3 holds for it; Python's garbage collector does not see that memory.


def _grown(encoding: Encoding, pairs: dict[int, Pair]) -> Iterator[None]:
    """Create the variables cell by cell; fills `pairs`, the (cell, value) of each literal by its id."""
    for cell, _ in enumerate(encoding.grow()):
        pairs.update({each.get_id(): (cell, value) for value, each in enumerate(encoding.literals[cell], 1)})
        yield


def _written(encoding: Encoding, growth: Iterator[None], rules: Sequence[z3.BoolRef] | None,
             ) -> Iterator[Sequence[z3.BoolRef]]:
    """The formulas of a solver, in parts that take a few milliseconds; empty parts while variables are created. With
    `rules` a unit's rule holds if its literal is true; without, all rules are asserted."""
    for _ in growth:
        yield ()
    yield from encoding.slices()
    for place, unit in enumerate(encoding.geometry.units):
        parts = encoding.rule(unit)
        yield parts if rules is None else [z3.Implies(rules[place], part) for part in parts]
