"""Events of searches, deductions and foreign engines, beyond assignments and dead ends; with sentences and reasons."""

from __future__ import annotations

from typing import Literal

from engine import text
from engine.events import Event
from engine.events.because import because, by_number, many, reason
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


SHORT_PATTERN = 42
"""Letters of a technique and its pattern beside which a small window has room for an elimination."""


@explain.register
def _found(event: Found, n: int = 9) -> Sentence:
    fields = {"technique": event.technique, "where": event.where}
    template = "{technique}   {where}"
    if event.placed:
        template, fields["placed"] = template + "   {placed}", _pairs(event.placed, n, " ← ")
    if event.struck:
        template, fields["struck"] = template + "   so {struck}", _pairs(event.struck, n, "≠")
        if len(event.struck) > 1 and len(event.technique) + len(event.where) <= SHORT_PATTERN:
            fields["first"] = _pairs(event.struck[:1], n, "≠") + " …"
            return Sentence("FOUND", template, fields, "{technique}   {where}   so {first}")
        return Sentence("FOUND", template, fields, "{technique}   so {struck}")
    return Sentence("FOUND", template, fields)


@explain.register
def _revised(event: Revised, n: int = 9) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "against": name_of(event.against, n),
              "left": many(event.left, "candidate"), "waiting": text.count(event.waiting),
              "struck": " ".join(map(str, event.struck))}
    if not event.struck:
        del fields["struck"]
        return Sentence("CONSISTENT", "{cell} against {against}   every value has support   queue {waiting}", fields)
    template = "{cell} against {against}   {cell} ≠ {struck}, {left} left   queue {waiting}"
    return Sentence("ELIMINATED", template, fields)


@explain.register
def _covered(event: Covered, n: int = 9) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "value": str(event.value), "column": event.column,
              "size": str(event.size), "depth": str(event.depth)}
    template = "{cell} ← {value}   {column}   its choices {size}   depth {depth}"
    return Sentence("COVERED", template, fields)


@explain.register
def _uncovered(event: Uncovered, n: int = 9) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "value": str(event.value), "depth": str(event.depth)}
    return Sentence("UNCOVERED", "{cell} = {value} taken back   depth {depth}", fields)


@explain.register
def _asked(event: Asked, n: int = 9) -> Sentence:
    return answered(event)


def answered(event: Asked, effort: str = "work") -> Sentence:
    """The sentence of an answer. `effort`: the word for what `work` counts."""
    fields, counts = {"question": event.question}, ""
    if event.core:
        counts, fields["size"] = "   core {size}", str(len(event.core))
        if len(event.core) > MOST_IN_CORE:
            counts += ", too many to list"
    if event.work:
        counts, fields["work"] = counts + f"   {effort} {{work}}", text.count(event.work)
    if not event.because:
        return Sentence(event.answer.upper(), "{question}" + counts, fields)
    fields["because"] = event.because
    return Sentence(event.answer.upper(), "{question}   {because}" + counts, fields, "{question}" + counts)


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


# Reasons

TECHNIQUES = {
    "Hidden single": "A value that has one place left in a unit must go there.",
    "Naked single": "A cell that has one candidate left must take it.",
    "Pointing": "In its box the value lies on one line: no other cell of that line can have it.",
    "Claiming": "On its line the value lies in one box: no other cell of that box can have it.",
    "Naked pair": "Two cells share two candidates and need both: no other of the unit has them.",
    "Naked triple": "Three cells share three candidates and need all, so no other cell has them.",
    "Naked quad": "Four cells share four candidates and need all, so no other cell has them.",
    "Hidden pair": "Two values have only these two places, so the cells can hold nothing else.",
    "Hidden triple": "Three values have only these three places: the cells can hold nothing else.",
    "Hidden quad": "Four values have only these four places, so the cells can hold nothing else.",
    "X-wing": "On two lines the value has the same two places, so no other cell there has it.",
    "Swordfish": "On three lines the value keeps to three lines across, and fills all of them.",
    "Jellyfish": "On four lines the value keeps to four lines across, and fills all of them.",
    "Simple colouring": "One of two colours holds the value everywhere, and both rule these cells out.",
    "XY-wing": "Whatever the middle cell holds, one of its two wings holds the value.",
    "XYZ-wing": "Whatever the middle cell holds, it or one of its wings holds the value.",
    "Unique rectangle": "Otherwise two values could change places, and there would be two solutions.",
    "Forcing chain": "Each step follows from the one before, and the end decides about the start.",
    "Forcing set": "Every candidate of a cell, or place of a value, leads to the same conclusion.",
    "Forcing net": "All that follows from the assumption meets in a contradiction or a conclusion.",
}
"""The argument of each technique; `where` in the sentence of the event names cells and values."""


@because.register
def _why_found(event: Found, n: int = 9) -> Sentence:
    value = str(event.placed[0][1]) if event.placed else ""
    if event.technique == "Hidden single" and event.placed:
        where = event.where.rpartition(" in ")[2]
        if where:
            return reason("No other open cell of {where} can take {value}.", value=value, where=where)
    if event.technique == "Naked single" and event.placed:
        return reason("{cell} has no other candidate: all other values are ruled out there.",
                      cell=name_of(event.placed[0][0], n))
    if event.technique == "Simple colouring" and set(event.touched) <= set(event.cells):
        return reason("This colour would put the value twice into a unit, so the other one holds it.")
    known = TECHNIQUES.get(event.technique)
    return reason(known if known else "The technique allows no other conclusion here.")


@because.register
def _why_revised(event: Revised, n: int = 9) -> Sentence:
    fields = {"cell": name_of(event.cell, n), "against": name_of(event.against, n),
              "value": " ".join(map(str, event.struck))}
    if event.struck:
        return reason("{against} can only be {value}, so {cell} cannot be {value}.", **fields)
    return reason("For every value of {cell}, {against} still has a different one.", **fields)


@because.register
def _why_covered(event: Covered, n: int = 9) -> Sentence:
    column = event.column if event.column.endswith("a value") else event.column[0].upper() + event.column[1:]
    if event.size == 1:
        return reason("{column}, and this is the only choice left for it.", column=column)
    return reason("{column}, and {size} choices can cover it: this one is tried.", column=column, size=event.size)


@because.register
def _why_uncovered(event: Uncovered, n: int = 9) -> Sentence:
    return reason("Every way on from {cell} = {value} failed, so the choice is undone.", cell=name_of(event.cell, n),
                  value=str(event.value))


@because.register
def _why_asked(event: Asked, n: int = 9) -> Sentence:
    if event.answer == "unknown":
        return reason("The engine found neither a solution nor a proof within its limit.")
    if event.answer == "sat":
        return reason("The engine found a grid that satisfies every constraint.")
    if len(event.core) == 1:
        return reason("The constraint of the core leaves no room for {asked}.", asked=event.question)
    if 0 < len(event.core) <= MOST_IN_CORE:
        return reason("The {size} constraints of the core leave no room for {asked}.", size=len(event.core),
                      asked=event.question)
    return reason("The engine proved that no grid satisfies every constraint.")


@because.register
def _why_propagated(event: Propagated, n: int = 9) -> Sentence:
    if event.level == 0:
        return reason("It follows from the givens alone; the engine does not report how.")
    return reason("It follows from the givens and {decisions}; the engine does not say how.",
                  decisions=many(event.level, "decision"))


@because.register
def _why_decided(event: Decided, n: int = 9) -> Sentence:
    return reason("Nothing more follows, so the engine tries this; it does not report why.")


@because.register
def _why_backjumped(event: Backjumped, n: int = 9) -> Sentence:
    return reason("The engine undoes {back} and goes on from level {level}; it does not say why.",
                  back=many(event.levels, "decision"), level=event.level)


@because.register
def _why_passed(event: Passed, n: int = 9) -> Sentence:
    favour = by_number(event.sure, "favours", "favour")
    return reason("Every unit told its cells what it allows: {cells} now " + favour + " one value.",
                  cells=many(event.sure, "cell"))
