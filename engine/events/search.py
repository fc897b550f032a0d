"""Events of searches, deductions and foreign engines, beyond assignments and dead ends; with their sentences."""

from __future__ import annotations

from typing import Literal

from engine import text
from engine.events import Event
from engine.events.explain import cell as name_of
from engine.events.explain import explain
from engine.view import Sentence

MOST_IN_CORE = 15
"""Size of a core above which it explains nothing."""

Answer = Literal["sat", "unsat", "unknown"]
Pair = tuple[int, int]
"""(cell, value)"""


class Found(Event, frozen=True, tag="found"):
    """A named technique was found and applied; one event holds all its eliminations and placements."""

    technique: str
    """`naked pair`, `X-wing`; also a kind of the event, in small letters with `_` for blanks."""
    cells: tuple[int, ...]
    """The pattern."""
    values: tuple[int, ...]
    struck: tuple[Pair, ...]
    placed: tuple[Pair, ...]
    where: str
    """The place, as a clause: `1 and 7 in row 3`."""
    units: tuple[int, ...] = ()
    """Its units, as indices into `geometry.units`."""

    @property
    def kinds(self) -> tuple[str, ...]:
        also = (("eliminated",) if self.struck else ()) + (("assigned",) if self.placed else ())
        return (self.technique.lower().replace(" ", "_"), "found", *also)

    @property
    def touched(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(cell for cell, _value in (*self.placed, *self.struck)))


class Revised(Event, frozen=True, tag="revised"):
    """An arc was made consistent: values of a cell without support in another were removed."""

    cell: int
    against: int
    struck: tuple[int, ...]
    """The removed values; often none."""
    left: int
    """Candidates that the cell still has."""
    waiting: int
    """Arcs in the queue after it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("eliminated", "revised") if self.struck else ("revised",)

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,) if self.struck else ()


class Covered(Event, frozen=True, tag="covered"):
    """A choice of an exact cover was made: its columns, and all choices that share one, are covered."""

    cell: int
    value: int
    column: str
    """The column branched on: `row 3 needs 5`."""
    size: int
    """Choices that the column had."""
    depth: int

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("covered", "assigned") if self.size == 1 else ("covered", "assigned", "guess")

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,)


class Uncovered(Event, frozen=True, tag="uncovered"):
    """A choice was undone, and all that it covered is uncovered."""

    cell: int
    value: int
    depth: int

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("uncovered", "retracted")

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,)


class Asked(Event, frozen=True, tag="asked"):
    """A query to an engine and its answer."""

    question: str
    """`r1c6 = 2`, `a second solution`."""
    answer: Answer
    cells: tuple[int, ...] = ()
    """The cells of the question."""
    core: tuple[str, ...] = ()
    """If unsat, the constraints that contradict it: `row 3`, `r4c2 = 2`."""
    because: str = ""
    """The reason for no answer, or the meaning of the core, as a clause."""
    work: int = 0
    """Cost of the answer in the engine's own unit; never a time."""

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("no_answer" if self.answer == "unknown" else self.answer, "asked")

    @property
    def touched(self) -> tuple[int, ...]:
        return self.cells


class Propagated(Event, frozen=True, tag="propagated"):
    """An engine derived that a cell must, or must not, hold a value."""

    cell: int
    value: int
    holds: bool
    level: int
    """Decisions that it rests on."""

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,)


class Decided(Event, frozen=True, tag="decided"):
    """A decision of an engine: to try a value in a cell, or to exclude it."""

    cell: int
    value: int
    holds: bool
    level: int

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("decided", "guess")

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,)


class Backjumped(Event, frozen=True, tag="backjump"):
    """An engine undid its last decisions."""

    levels: int
    level: int
    """The number of decisions left."""


class Passed(Event, frozen=True, tag="passed"):
    """One sweep of messages over all edges."""

    sweep: int
    change: float
    """The largest change of a message."""
    entropy: float
    """Mean entropy of the beliefs, 0 (certain) to 1 (nothing known)."""
    sure: int
    """Free cells whose strongest belief is above one half."""


def _pairs(pairs: tuple[Pair, ...], n: int, sign: str) -> str:
    return " ".join(f"{name_of(cell, n)}{sign}{value}" for cell, value in pairs)


@explain.register
def _found(event: Found, n: int = 9) -> Sentence:
    fields = {"technique": event.technique, "where": event.where}
    template = "{technique}   {where}"
    if event.placed:
        template, fields["placed"] = template + "   {placed}", _pairs(event.placed, n, " ← ")
    if event.struck:
        template, fields["struck"] = template + "   so {struck}", _pairs(event.struck, n, "≠")
    return Sentence("FOUND", template, fields)


@explain.register
def _revised(event: Revised, n: int = 9) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "against": name_of(event.against, n), "left": str(event.left),
              "waiting": text.count(event.waiting), "struck": " ".join(map(str, event.struck))}
    if not event.struck:
        del fields["struck"]
        return Sentence("CONSISTENT", "{cell} against {against}   every value has support   queue {waiting}", fields)
    template = "{cell} against {against}   {struck} struck   {left} left   queue {waiting}"
    return Sentence("ELIMINATED", template, fields)


@explain.register
def _covered(event: Covered, n: int = 9) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "value": str(event.value), "column": event.column,
              "size": str(event.size), "depth": str(event.depth)}
    template = "{cell} ← {value}   {column}   choices {size}   depth {depth}"
    return Sentence("COVERED", template, fields)


@explain.register
def _uncovered(event: Uncovered, n: int = 9) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "value": str(event.value), "depth": str(event.depth)}
    return Sentence("UNCOVERED", "{cell} = {value} taken back   depth {depth}", fields)


@explain.register
def _asked(event: Asked, n: int = 9) -> Sentence:
    said = {"sat": "{question} is possible", "unsat": "{question} is impossible", "unknown": "{question}: no answer"}
    template, fields = said[event.answer], {"question": event.question}
    if event.because:
        template, fields["because"] = template + "   {because}", event.because
    if event.core:
        template, fields["size"] = template + "   core {size}", str(len(event.core))
        if len(event.core) > MOST_IN_CORE:
            template += ", unhelpful"
    if event.work:
        template, fields["work"] = template + "   work {work}", text.count(event.work)
    return Sentence(event.answer.upper(), template, fields)


@explain.register
def _propagated(event: Propagated, n: int = 9) -> Sentence:
    return _literal("PROPAGATED", event, n)


@explain.register
def _decided(event: Decided, n: int = 9) -> Sentence:
    return _literal("DECIDED", event, n)


def _literal(badge: str, event: Propagated | Decided, n: int) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "value": str(event.value), "level": str(event.level)}
    return Sentence(badge, ("{cell} = {value}" if event.holds else "{cell} ≠ {value}") + "   level {level}", fields)


@explain.register
def _backjumped(event: Backjumped, n: int = 9) -> Sentence:
    fields = {"levels": str(event.levels), "level": str(event.level)}
    return Sentence("BACKJUMP", "decisions given up {levels}   back to level {level}", fields)


@explain.register
def _passed(event: Passed, n: int = 9) -> Sentence:
    fields = {"sweep": text.count(event.sweep), "change": text.significant(event.change),
              "entropy": text.significant(event.entropy), "sure": str(event.sure)}
    return Sentence("MESSAGES", "sweep {sweep}   largest change {change}   entropy {entropy}   sure {sure}", fields)
