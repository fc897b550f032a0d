"""What can be asked of the automata of a board, and what comes of it: plain values, for which Z3 is not loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from engine.automata.formula import Pair, holds
from engine.events.search import MOST_IN_CORE
from engine.puzzle import Geometry

if TYPE_CHECKING:
    from engine.automata.encodings import EncodingName
    from engine.automata.explanation import Explanation

Topic = Literal["value", "solution", "second", "unique", "word", "model", "minimise", "text"]
"""`value`: can the cell hold it; `solution`, `second`: is there one; `unique`: is there exactly one; `word`: does the
automaton of a unit accept it; `model`: a word that it accepts; `minimise`: leave out of a core what is not needed;
`text`: the rule of a unit as Z3 has it."""
Result = Literal["sat", "unsat", "unknown"]


class Query(Struct, frozen=True):
    """A question about a board."""

    topic: Topic
    cells: tuple[int, ...]
    """What stands: n*n values, 0 = open."""
    encoding: EncodingName = "one-hot"
    cell: int = 0
    value: int = 0
    unit: int = 0
    """The unit of a word, by its place in `geometry.units`."""
    word: tuple[int, ...] = ()
    """n values; of `model` the letters that it must have, 0 = any."""
    without: tuple[tuple[int, ...], ...] = ()
    """Words that `model` is not to give again."""
    core_units: tuple[int, ...] = ()
    core_placed: tuple[Pair, ...] = ()
    """The core to make smaller."""


class Counters(Struct, frozen=True):
    """What Z3 has counted since the formula was written; None where it does not count it."""

    decisions: int | None = None
    propagations: int | None = None
    conflicts: int | None = None
    memory: float = 0.0
    """Megabytes that Z3 holds, for all formulas."""


class Finding(Struct, frozen=True):
    """What came of a question."""

    query: Query
    result: Result
    because: str = ""
    """Why, as a clause: what people see of a contradiction, what is wrong with a word, why there is no answer."""
    units: tuple[int, ...] = ()
    placed: tuple[Pair, ...] = ()
    """The core: rules of units, and values in cells."""
    before: int = 0
    """Items of the core before it was made smaller; 0: it was not."""
    grid: tuple[int, ...] = ()
    """A completed board: n*n values; empty without one."""
    other: tuple[int, ...] = ()
    """A second one."""
    word: tuple[int, ...] = ()
    """The word that was read or found."""
    blame: tuple[int, ...] = ()
    """Positions of the letters to blame."""
    beyond: Result | None = None
    """Of an accepted word: whether the whole board can be completed with it; None: it was not asked."""
    told: Explanation | None = None
    counters: Counters = Counters()
    texts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Items of the core."""
        return len(self.units) + len(self.placed)

    @property
    def helps(self) -> bool:
        """Whether the core is small enough to teach anything."""
        return 0 < self.size <= MOST_IN_CORE

    @property
    def differing(self) -> tuple[int, ...]:
        """The cells in which the two solutions differ."""
        return tuple(cell for cell, (one, two) in enumerate(zip(self.grid, self.other, strict=False)) if one != two)


def worded(query: Query, geometry: Geometry) -> str:
    """The question as it is listed: `r1c6 = 2 ?`."""
    name = geometry.units[query.unit].name
    if query.topic == "value":
        return f"{holds(query.cell, query.value, geometry.n)} ?"
    if query.topic == "model" and query.without:
        return f"another word of {name} ?"
    return {"solution": "a solution ?", "second": "second solution ?", "unique": "unique ?",
            "word": f"{name} reads a word ?", "model": f"a word of {name} ?", "minimise": "a smaller core ?",
            "text": f"the formula of {name}"}[query.topic]
