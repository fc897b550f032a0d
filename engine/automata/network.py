"""All automata of a board in one Z3 context: one variable a cell, one literal a unit, solvers that live on.

A question assumes the literals of the units whose rules are to hold and of what stands in the cells. Nothing is
asserted for it, so a solver keeps what it has learned for the next one. Where all rules hold and nobody asks why not,
a second solver answers to which the rules are facts: it takes a third of the time.

On a quiet machine every operation comes back within some 100 ms, mostly 2, of its deadline, of `interrupt`, and of
being broken off by whoever watches the thread (see `prover` for what takes longest). The board is written when it is
first asked about, bit by bit; an operation that ends before all is written has no answer, and the next one goes on
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

import z3
from msgspec import Struct

from engine.automata import encodings
from engine.automata.encodings import Encoding, EncodingName, Pair, value_name
from engine.automata.prover import Deadline, Prover
from engine.interrupt import Breaker, Interrupted, give_way
from engine.puzzle import Geometry

# What stands on a board, as facts of a solver, while one question after the other is about the same board.


FEW = 4
"""Values that are assumed rather than asserted."""
AGAIN = 2
"""Questions about a board before what stands is asserted: asserting and forgetting take as long as some questions."""


class Facts:
    """Asserts in a scope of a solver what stands for several questions, for those that come: Z3 then draws the
    conclusions once. Nobody else opens scopes of that solver."""

    def __init__(self, prover: Prover, literal: Callable[[int, int], z3.BoolRef]) -> None:
        self._prover, self._literal = prover, literal
        self._facts: frozenset[Pair] = frozenset()
        self._before: frozenset[Pair] = frozenset()
        """What stood in all of the last questions."""
        self._asked = 0
        """How many these were."""

    def assumed(self, placed: Sequence[Pair]) -> list[z3.BoolRef]:
        """The literals that are to be assumed so that these values stand, and no others."""
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
        """These instead of those before, which are forgotten."""
        if self._facts:
            self._prover.solver.pop()
        self._facts, self._asked = facts, 0
        if facts:
            self._prover.solver.push()
            self._prover.add([self._literal(*pair) for pair in sorted(facts)])


Result = Literal["sat", "unsat", "unknown"]

class NoAnswer(RuntimeError):
    """Z3 came to no answer, which is not the answer no; the text says why."""


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


_PLAIN: dict[Result, Answer] = {"sat": Answer("sat"), "unsat": Answer("unsat")}


class Network:
    """The automata of all units of a board, sharing the variables of the cells. For one thread at a time; only
    `interrupt` may be called from another."""

    def __init__(self, geometry: Geometry, encoding: EncodingName = "one-hot") -> None:
        self.geometry = geometry
        self._encoding = encodings.begun(encoding, geometry)
        self._pairs: dict[int, Pair] = {}
        self._growth = _grown(self._encoding, self._pairs)
        names = [unit.name for unit in geometry.units]
        self.rules: tuple[z3.BoolRef, ...] = tuple(encodings.boolean(name, self._encoding.context) for name in names)
        """rules[place]: the rule of that unit holds."""
        self._unruled = tuple(z3.Not(rule) for rule in self.rules)
        self._places = {rule.get_id(): place for place, rule in enumerate(self.rules)}
        self._named = Prover(self._encoding, _written(self._encoding, self._growth, self.rules))
        """A rule holds where its literal is true."""
        self._plain = Prover(self._encoding, _written(self._encoding, self._growth, None))
        """All rules hold."""
        self._facts = Facts(self._plain, self._encoding.literal)
        self._breaker = Breaker(grace=0.0)

    @property
    def encoding(self) -> Encoding:
        """The cells as variables. Raises Interrupted if it is broken off while they are made."""
        for _ in self._growth:
            give_way()
        return self._encoding

    @property
    def solver(self) -> z3.Solver:
        """The one that answers `ask`."""
        return self._named.solver

    # Asking

    def ask(self, placed: Iterable[Pair], units: Iterable[int] | None = None, deadline: Deadline | None = None,
            ) -> Answer:
        """Whether the values can stand in their cells and be completed so that the units (places in
        `geometry.units`; all if None) hold. Raises Interrupted if whoever watches this thread breaks it off."""
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
        """`ask` of all units, but for the core and the grid."""
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
        """The n*n values of the model behind the last answer of `ask`, which was sat."""
        return self._encoding.values(self.solver.model())

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
                core = self._without(rules, rest, deadline) or core
        for place in core.units:
            if place in core.units:
                kept = [self.rules[each] for each in core.units if each != place]
                core = self._without(kept, core.placed, deadline) or core
        return core

    def _without(self, rules: Sequence[z3.BoolRef], placed: Sequence[Pair], deadline: Deadline | None) -> Core | None:
        try:
            with self.bounded(deadline):
                return self._answer([*rules, *self._literals(placed)], deadline).core
        except NoAnswer:
            return None

    @contextmanager
    def apart(self, deadline: Deadline | None = None) -> Iterator[None]:
        """What is blocked in this `with` block is forgotten at its end. Raises NoAnswer where the board cannot be
        written by the deadline."""
        with self.bounded(deadline):
            self._named.write()
        self.solver.push()
        try:
            yield
        finally:
            self.solver.pop()

    def block(self, values: Mapping[int, int]) -> None:
        """At least one of these cells holds another value than this one: a solution less."""
        self.solver.add(self._encoding.differs(values))

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

    @contextmanager
    def bounded(self, deadline: Deadline | None) -> Iterator[None]:
        """What is done in this `with` block ends at the deadline or at `interrupt` and raises NoAnswer then."""
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
        """Raises NoAnswer where it is unknown."""
        found = prover.check(assumed, deadline)
        if found == z3.Z3_L_UNDEF:
            raise NoAnswer(self._why(deadline, prover))
        return "sat" if found == z3.Z3_L_TRUE else "unsat"

    def _looked_at(self, answer: Answer, prover: Prover, placed: Sequence[Pair], units: Sequence[int] | None) -> None:
        """Raises NoAnswer where an engine that is not to be believed says sat and its model is no solution."""
        if answer.result != "sat" or self._encoding.is_believed:
            return
        values, geometry = self._encoding.values(prover.solver.model()), self.geometry
        held = geometry.units if units is None else [geometry.units[place] for place in units]
        alphabet = set(range(1, geometry.n + 1))
        if any(values[cell] != value for cell, value in placed) \
                or any({values[cell] for cell in unit.cells} != alphabet for unit in held):
            raise NoAnswer("Z3's own answer is no solution")

    def _why(self, deadline: Deadline | None, prover: Prover | None = None) -> str:
        if self._breaker.asked:
            return "it was interrupted"
        if deadline is not None and (prover is None or deadline.left() == 0.0):
            return deadline.reason
        return f"Z3 gives up: {prover.solver.reason_unknown()}" if prover is not None else "it was interrupted"

    def _rules_of(self, units: Iterable[int] | None) -> Sequence[z3.BoolRef]:
        """The rules of these units, and that the others need not hold: left open, Z3 would look for what fits them."""
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


# What is made bit by bit knows the encoding, not the network: a network that nobody holds is freed at once, and with it
# the 20 MB that Z3 keeps for it. In a cycle it would wait for Python's collector, which does not know of these.


def _grown(encoding: Encoding, pairs: dict[int, Pair]) -> Iterator[None]:
    """Make the variables, a cell at a time; `pairs`: which literal says what, by its id."""
    for cell, _ in enumerate(encoding.grow()):
        pairs.update({each.get_id(): (cell, value) for value, each in enumerate(encoding.literals[cell], 1)})
        yield


def _written(encoding: Encoding, growth: Iterator[None], rules: Sequence[z3.BoolRef] | None,
             ) -> Iterator[Sequence[z3.BoolRef]]:
    """What a solver knows, in parts of some ms: nothing while variables are made. The rules of the units hold where
    these literals are true; None: they hold."""
    for _ in growth:
        yield ()
    yield from encoding.slices()
    for place, unit in enumerate(encoding.geometry.units):
        parts = encoding.rule(unit)
        yield parts if rules is None else [z3.Implies(rules[place], part) for part in parts]
