"""Queries to the automata of a board, and their findings: plain values, without importing Z3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from engine.automata.formula import Pair, holds
from engine.events.search import MOST_IN_CORE
from engine.puzzle import Geometry

if TYPE_CHECKING:
    from engine.automata.encodings import EncodingName
    from engine.automata.explanation import Explanation

Topic = Literal["value", "solution", "second", "unique", "count", "word", "model", "minimise", "text"]
"""`value`: can the cell hold the value; `solution`, `second`: is there one; `unique`: is there exactly one; `count`:
how many are there, up to a limit; `word`: does the automaton of a unit accept it; `model`: a word that it accepts;
`minimise`: a minimal core; `text`: the rule of a unit in SMT-LIB."""
Result = Literal["sat", "unsat", "unknown"]


class Query(Struct, frozen=True):
    """A query about a board."""

    topic: Topic
    cells: tuple[int, ...]
    """The board: n*n values, 0 = open."""
    encoding: EncodingName = "one-hot"
    cell: int = 0
    value: int = 0
    unit: int = 0
    """The unit of a word, as an index into `geometry.units`."""
    word: tuple[int, ...] = ()
    """n values; for `model` the required letters, 0 = any."""
    without: tuple[tuple[int, ...], ...] = ()
    """Words that `model` must not return."""
    limit: int = 10
    """Solutions to count at most."""
    core_units: tuple[int, ...] = ()
    core_placed: tuple[Pair, ...] = ()
    """The core to minimise."""


class Counters(Struct, frozen=True):
    """Z3's counters since the formula was built; None for those that the encoding's engine does not have."""

    decisions: int | None = None
    propagations: int | None = None
    conflicts: int | None = None
    memory: float = 0.0
    """Megabytes allocated by Z3, for all formulas."""


class Finding(Struct, frozen=True):
    """The result of a query."""

    query: Query
    result: Result
    because: str = ""
    """The reason, as a clause: for a contradiction, a rejected word, or a missing answer."""
    units: tuple[int, ...] = ()
    placed: tuple[Pair, ...] = ()
    """The core: unit rules and placed values."""
    before: int = 0
    """The size of the core before it was minimised; 0 if it was not."""
    grid: tuple[int, ...] = ()
    """A completed board: n*n values; empty without one."""
    other: tuple[int, ...] = ()
    """A second solution."""
    count: int = 0
    """Solutions counted."""
    exact: bool = False
    """True if there are no others."""
    word: tuple[int, ...] = ()
    """The word that was read or found."""
    blame: tuple[int, ...] = ()
    """Positions of the letters to blame."""
    beyond: Result | None = None
    """For an accepted word: whether the board can be completed with it; None if this was not asked."""
    explanation: Explanation | None = None
    counters: Counters = Counters()
    texts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of items in the core."""
        return len(self.units) + len(self.placed)

    @property
    def blocked(self) -> int:
        """The number of solutions, or words, that blocking clauses excluded."""
        if self.query.topic in ("second", "unique"):
            return 1 if self.grid else 0
        return self.count if self.query.topic == "count" else len(self.query.without)

    @property
    def helps(self) -> bool:
        """True if the core is small enough to show."""
        return 0 < self.size <= MOST_IN_CORE

    @property
    def differing(self) -> tuple[int, ...]:
        """The cells in which the two solutions differ."""
        return tuple(cell for cell, (one, two) in enumerate(zip(self.grid, self.other, strict=False)) if one != two)


def worded(query: Query, geometry: Geometry) -> str:
    """The query as a short text: `r1c6 = 2 ?`."""
    name = geometry.units[query.unit].name
    if query.topic == "value":
        return f"{holds(query.cell, query.value, geometry.n)} ?"
    if query.topic == "model" and query.without:
        return f"another word of {name}?"
    return {"solution": "a solution?", "second": "second solution?", "unique": "unique?",
            "count": "how many solutions?", "word": f"{name} reads a word?", "model": f"a word of {name}?",
            "minimise": "a smaller core?", "text": f"the formula of {name}"}[query.topic]
