"""Four encodings of a board for Z3: integers with Distinct, its finite-domain solver, one-hot Booleans, bit-vectors.

In every encoding "this cell holds this value" is one Boolean literal, and every unit has a rule. A query is a list of
assumed literals: it asserts nothing, nothing must be retracted after it, and a contradiction comes back as a core of
these literals (assumptions as in MiniSat: Een & Sorensson, "Temporal Induction by Incremental SAT Solving", ENTCS
89(4), 2003). The one-hot encoding is the pseudo-Boolean form of the direct encoding of Lynce & Ouaknine, "Sudoku as a
SAT Problem", AIMATH 2006.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

import z3

from engine.puzzle import Geometry, Unit, cell_name

EncodingName = Literal["one-hot", "int-distinct", "finite-domain", "bit-vectors"]
Pair = tuple[int, int]
"""(cell, value)"""

NAMES: tuple[EncodingName, ...] = get_args(EncodingName)


def value_name(cell: int, value: int, n: int) -> str:
    """The name of a literal: `r3c4 = 2`."""
    return f"{cell_name(cell, n)} = {value}"


class Encoding(ABC):
    """The cells of one board as variables of one Z3 context. Not thread-safe.

    Building a large board takes a while: `grow` creates the variables and `slices` the domain in parts of a few
    milliseconds, so that a caller can stop in between and continue later. `make` creates all variables at once.
    """

    name: EncodingName
    is_believed = True
    """True if a `sat` of Z3 is trusted; otherwise its model is verified."""

    def __init__(self, geometry: Geometry, context: z3.Context | None = None) -> None:
        self.geometry = geometry
        self.n = geometry.n
        self.context = z3.Context() if context is None else context
        self.literals: list[tuple[z3.BoolRef, ...]] = []
        """literals[cell][value - 1] is true only if the cell holds the value."""

    def grow(self) -> Iterator[None]:
        """Create the variables cell by cell. Must be exhausted before anything else is used."""
        for cell in range(self.n**2):
            self._grow(cell)
            yield

    def _grow(self, cell: int) -> None:
        values = range(1, self.n + 1)
        self.literals.append(tuple(boolean(value_name(cell, value, self.n), self.context) for value in values))

    def literal(self, cell: int, value: int) -> z3.BoolRef:
        return self.literals[cell][value - 1]

    def domain(self) -> list[z3.BoolRef]:
        """Every cell holds one of the values 1 to n, and its literals say which."""
        return [each for part in self.slices() for each in part]

    def slices(self) -> Iterator[list[z3.BoolRef]]:
        """The domain, a few cells at a time."""
        few = self.geometry.box
        for first in range(0, self.n**2, few):
            yield [each for cell in range(first, first + few) for each in self._holds_one(cell)]

    @abstractmethod
    def _holds_one(self, cell: int) -> list[z3.BoolRef]:
        """The domain of a cell."""

    @abstractmethod
    def rule(self, unit: Unit) -> list[z3.BoolRef]:
        """The unit holds every value once."""

    @abstractmethod
    def differs(self, values: Mapping[int, int]) -> z3.BoolRef:
        """At least one of the cells does not hold its value: the clause that blocks a solution."""

    @abstractmethod
    def value(self, model: z3.ModelRef, cell: int) -> int:
        """The value of the cell in a model of `domain`."""

    def values(self, model: z3.ModelRef) -> tuple[int, ...]:
        """The n*n values of a model."""
        return tuple(self.value(model, cell) for cell in range(self.n**2))

    def solver(self) -> z3.Solver:
        """A solver with the domain and no rule. It leaves ctrl-C to the program."""
        solver = self.bare()
        solver.add(self.domain())
        return solver

    def bare(self) -> z3.Solver:
        """A solver without assertions."""
        solver = self._engine()
        solver.set("ctrl_c", False)
        return solver

    def _engine(self) -> z3.Solver:
        return z3.Solver(ctx=self.context)


class OneHot(Encoding):
    """n Booleans per cell, exactly one of them true, as pseudo-Boolean equations."""

    name = "one-hot"

    def _holds_one(self, cell: int) -> list[z3.BoolRef]:
        return [exactly_one(self.literals[cell], self.context)]

    def rule(self, unit: Unit) -> list[z3.BoolRef]:
        return [exactly_one([self.literals[cell][v] for cell in unit.cells], self.context) for v in range(self.n)]

    def differs(self, values: Mapping[int, int]) -> z3.BoolRef:
        literals = [z3.Not(self.literal(cell, value)) for cell, value in values.items()]
        return z3.Or(literals) if literals else z3.BoolVal(False, self.context)

    def value(self, model: z3.ModelRef, cell: int) -> int:
        return next(v for v, literal in enumerate(self.literals[cell], 1) if is_true(model, literal))


# A board has thousands of these expressions. Z3's Python operators check each argument and take ten times as long.


def boolean(name: str, context: z3.Context) -> z3.BoolRef:
    """A Boolean variable."""
    c = context.ref()
    return z3.BoolRef(z3.Z3_mk_const(c, z3.Z3_mk_string_symbol(c, name), z3.Z3_mk_bool_sort(c)), context)


def exactly_one(literals: Sequence[z3.BoolRef], context: z3.Context) -> z3.BoolRef:
    """The pseudo-Boolean equation: the literals sum to 1."""
    size = len(literals)
    terms, ones = (z3.Ast * size)(*(each.as_ast() for each in literals)), (ctypes.c_int * size)(*[1] * size)
    return z3.BoolRef(z3.Z3_mk_pbeq(context.ref(), size, terms, ones, 1), context)


def implies_equal(literal: z3.BoolRef, variable: Any, value: Any) -> z3.BoolRef:
    """If the literal is true the variable has the value, a constant of its sort."""
    c = literal.ctx.ref()
    equal = z3.Z3_mk_eq(c, variable.as_ast(), value.as_ast())
    return z3.BoolRef(z3.Z3_mk_implies(c, literal.as_ast(), equal), literal.ctx)


def is_true(model: z3.ModelRef, literal: z3.BoolRef) -> bool:
    """True if the literal is true in the model."""
    c, found = literal.ctx.ref(), (z3.Ast * 1)()
    z3.Z3_model_eval(c, model.model, literal.ast, True, found)
    return bool(z3.Z3_get_bool_value(c, found[0]) == z3.Z3_L_TRUE)


class Numbers(Encoding):
    """One variable per cell for its value; a literal implies the value, a rule is Distinct."""

    def __init__(self, geometry: Geometry, context: z3.Context | None = None) -> None:
        super().__init__(geometry, context)
        self.variables: list[Any] = []
        self._constants = tuple(self._constant(value) for value in range(1, self.n + 1))

    def _grow(self, cell: int) -> None:
        super()._grow(cell)
        self.variables.append(self._variable(cell_name(cell, self.n)))

    @abstractmethod
    def _variable(self, name: str) -> Any:
        """A variable of the encoding's sort."""

    @abstractmethod
    def _constant(self, value: int) -> Any:
        """The value as a constant of that sort."""

    @abstractmethod
    def _within(self, variable: Any) -> z3.BoolRef:
        """The variable is one of 1 to n."""

    def _holds_one(self, cell: int) -> list[z3.BoolRef]:
        variable, pairs = self.variables[cell], zip(self.literals[cell], self._constants, strict=True)
        return [self._within(variable), *(implies_equal(literal, variable, value) for literal, value in pairs)]

    def rule(self, unit: Unit) -> list[z3.BoolRef]:
        return [z3.Distinct([self.variables[cell] for cell in unit.cells])]

    def differs(self, values: Mapping[int, int]) -> z3.BoolRef:
        clauses = [self.variables[cell] != value for cell, value in values.items()]
        return z3.Or(clauses) if clauses else z3.BoolVal(False, self.context)

    def value(self, model: z3.ModelRef, cell: int) -> int:
        return int(model.eval(self.variables[cell], model_completion=True).as_long())


class Integers(Numbers):
    """Integers, bounded to 1 to n by constraints."""

    def _variable(self, name: str) -> Any:
        return z3.Int(name, self.context)

    def _constant(self, value: int) -> Any:
        return z3.IntVal(value, self.context)

    def _within(self, variable: Any) -> z3.BoolRef:
        return z3.And(variable >= 1, variable <= self.n)


class IntDistinct(Integers):
    """The textbook encoding, for Z3's arithmetic."""

    name = "int-distinct"


class FiniteDomain(Integers):
    """The formula of `int-distinct` for Z3's finite-domain solver (QF_FD), which translates bounded integers into bits
    for its SAT solver."""

    name = "finite-domain"
    is_believed = False
    """After about a thousand puzzles in one process, many of them interrupted, QF_FD returned models of 16x16 boards
    that were not solutions."""

    def _engine(self) -> z3.Solver:
        return z3.SolverFor("QF_FD", ctx=self.context)


class BitVectors(Numbers):
    """Bit-vectors as wide as the value n needs, compared unsigned."""

    name = "bit-vectors"

    def _variable(self, name: str) -> Any:
        return z3.BitVec(name, self.n.bit_length(), self.context)

    def _constant(self, value: int) -> Any:
        return z3.BitVecVal(value, self.n.bit_length(), self.context)

    def _within(self, variable: Any) -> z3.BoolRef:
        return z3.And(z3.UGE(variable, 1), z3.ULE(variable, self.n))


_ENCODINGS: dict[EncodingName, type[Encoding]] = {
    "one-hot": OneHot, "int-distinct": IntDistinct, "finite-domain": FiniteDomain, "bit-vectors": BitVectors,
}


def begun(name: EncodingName, geometry: Geometry, context: z3.Context | None = None) -> Encoding:
    """The encoding of that name for a board, in a new context unless one is given, before `grow`."""
    return _ENCODINGS[name](geometry, context)


def make(name: EncodingName, geometry: Geometry, context: z3.Context | None = None) -> Encoding:
    """The encoding of that name with all its variables."""
    encoding = begun(name, geometry, context)
    for _ in encoding.grow():
        pass
    return encoding
