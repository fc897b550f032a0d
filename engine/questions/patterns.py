"""Questions about the pattern of a technique: what is wrong with other cells that are marked, and what a pattern
strikes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import structs

from engine.events.explain import cell as name_of
from engine.events.search import Found
from engine.questions.forms import Answer, Judgement, Mark, fitting, in_order, unit_kinds
from engine.techniques.board import Board, Pair, members, set_of, values_of
from engine.techniques.finding import Finding, listed

SIZES = {"Naked pair": (2, 2), "Naked triple": (3, 3), "Naked quad": (4, 4), "Hidden pair": (2, 2),
         "Hidden triple": (3, 3), "Hidden quad": (4, 4), "X-wing": (4, 4), "Swordfish": (6, 9), "XY-wing": (3, 3),
         "XYZ-wing": (3, 3), "Unique rectangle": (4, 4)}
"""The fewest and the most cells of a pattern, by its technique; those of locked candidates depend on the box."""
LOCKED = ("Pointing", "Claiming")
CROSSED = ("X-wing", "Unique rectangle")
"""Techniques whose cells are where two rows and two columns cross."""


class Pattern(Mark, frozen=True, kw_only=True):
    """The cells of a pattern, any of which is right that the technique finds."""

    fault: Callable[[frozenset[int]], str]
    """The fault of other cells, in one sentence."""
    reasons: Mapping[frozenset[int], str] = {}
    """The reasons of the patterns that are right but not the solver's, by their cells."""

    def judge(self, answer: Answer) -> Judgement:
        """The reason is about the learner's own pattern, where that is right."""
        judgement = super().judge(answer)
        assert isinstance(answer, frozenset)
        return structs.replace(judgement, why=self.reasons.get(answer, self.why)) if judgement.right else judgement

    def misconception(self, answer: Answer) -> str:
        assert isinstance(answer, frozenset)
        return self.fault(answer)


def strikes(event: Found | Finding, n: int) -> tuple[str, str]:
    """The candidates that a finding strikes, as a clause: in full, and counted. Both are empty if there are none."""
    if not event.struck:
        return "", ""
    counted = f"it strikes {len(event.struck)} candidate{'' if len(event.struck) == 1 else 's'}"
    return f"it strikes {', '.join(_from(event.struck, n))}", counted


def _from(struck: Sequence[Pair], n: int) -> Iterator[str]:
    """`4 and 9 in r1c1 and r1c2`, for each set of cells that lose the same values."""
    cells: dict[int, tuple[int, ...]] = {}
    for cell, value in struck:
        cells[value] = (*cells.get(value, ()), cell)
    for places in dict.fromkeys(cells.values()):
        values = sorted(value for value, own in cells.items() if own == places)
        yield f"{listed(values)} in {listed(name_of(cell, n) for cell in places)}"


def fault(technique: str, rights: frozenset[frozenset[int]], board: Board, means: str, marked: frozenset[int]) -> str:
    """The fault of cells that are marked as a pattern; `means`: the pattern that is looked for, in a sentence."""
    least, most = (2, board.tables.box) if technique in LOCKED else SIZES.get(technique, (1, len(marked)))
    wider = [len(cells) for cells in rights if marked < cells]
    narrower = [len(cells) for cells in rights if cells < marked]
    if wider:
        return f"Right as far as it goes: {len(marked)} of {min(wider)} cells."
    if narrower:
        return f"A pattern of {max(narrower)} cells is among them; the others are no part of it."
    if not least <= len(marked) <= most:
        size = str(least) if least == most else f"{least} {'or' if most == least + 1 else 'to'} {most}"
        return f"{technique}: the pattern has {size} cells, not {len(marked)}."
    idle = next(_idle(technique, set_of(marked), board), "")
    if idle:
        return fitting(f"{idle}: a pattern too, but it strikes no candidate.",
                       "That is such a pattern, but it strikes no candidate.")
    return _no_pattern(technique, sorted(marked), board) or means


def fault_of(event: Found, rights: frozenset[frozenset[int]], board: Board, means: str
             ) -> Callable[[frozenset[int]], str]:
    """`fault` of the cells that are marked in place of those of a finding."""
    return partial(fault, event.technique, rights, board, means)


def _no_pattern(technique: str, marked: Sequence[int], board: Board) -> str:
    """The reason why as many cells as a pattern has are none; empty if it is not a short one."""
    n, kind = board.tables.n, technique.partition(" ")[0]
    across, down = {cell // n for cell in marked}, {cell % n for cell in marked}
    if technique == "Hidden single":
        return f"No value has {name_of(marked[0], n)} as its only place in a unit."
    if technique == "Naked single":
        return f"{name_of(marked[0], n)} {_can_hold(marked, board)}, no single."
    if kind in ("Naked", "Hidden") or technique in LOCKED:
        return _no_subset(kind, marked, board)
    if technique in CROSSED and (len(across), len(down)) != (2, 2):
        return "These are not the four cells where two rows cross two columns."
    return ""


def _no_subset(kind: str, marked: Sequence[int], board: Board) -> str:
    cells, k = set_of(marked), len(marked)
    if not any(unit & cells == cells for unit in board.tables.units):
        return f"No {unit_kinds(board.tables.variant)} has all of these cells."
    if kind == "Naked":
        return fitting(f"They {_can_hold(marked, board)}, not just {k}.", f"They can hold more than {k} values.")
    return f"No {k} values of a unit have just these cells as their places." if kind == "Hidden" else ""


def _can_hold(cells: Sequence[int], board: Board) -> str:
    """`can hold 1 2 3: 3 values`, of cells together."""
    held = sorted({value for cell in cells for value in values_of(board.masks[cell])})
    return f"can hold {in_order(held)}: {len(held)} values"


# Patterns that strike nothing

def _idle(technique: str, marked: int, board: Board) -> Iterator[str]:
    """The subject of a pattern of the technique with just these cells, whatever it strikes; nothing if it is none, or
    of some techniques in any case."""
    kind = technique.partition(" ")[0]
    if kind == "Naked":
        yield from _naked(marked, board)
    elif kind == "Hidden":
        yield from _hidden(marked, board)
    elif technique in LOCKED:
        yield from _locked(marked, board, technique == "Pointing")
    elif technique in ("X-wing", "Swordfish"):
        yield from _fish(marked, board, 2 if technique == "X-wing" else 3)
    elif technique in ("XY-wing", "XYZ-wing"):
        yield from _wing(marked, board, 2 if technique == "XY-wing" else 3)


def _naked(marked: int, board: Board) -> Iterator[str]:
    held = 0
    for cell in members(marked):
        held |= board.masks[cell]
    for unit, name in zip(board.tables.units, board.tables.names, strict=True):
        if not marked & ~unit and held.bit_count() == marked.bit_count():
            yield f"{listed(values_of(held))} in {name}"


def _hidden(marked: int, board: Board) -> Iterator[str]:
    for unit, name in zip(board.tables.units, board.tables.names, strict=True):
        if not marked & ~unit:
            values = [value for value in range(1, board.tables.n + 1)
                      if board.where[value] & unit and not board.where[value] & unit & ~marked]
            if len(values) == marked.bit_count():
                yield f"{listed(values)} have {len(values)} places in {name}"


def _locked(marked: int, board: Board, from_boxes: bool) -> Iterator[str]:
    t = board.tables
    inside = [unit for unit, cells in enumerate(t.units) if not marked & ~cells]
    for here in inside:
        for there in inside:
            if (t.kinds[here] == "box") == from_boxes and t.kinds[here] != t.kinds[there]:
                for value in range(1, t.n + 1):
                    if board.where[value] & t.units[here] == marked:
                        yield f"{value} of {t.names[here]} is in {t.names[there]}"


def _fish(marked: int, board: Board, size: int) -> Iterator[str]:
    t, n = board.tables, board.tables.n
    across, down = {cell // n for cell in members(marked)}, {cell % n for cell in members(marked)}
    if len(across) == len(down) == size:
        for value in range(1, n + 1):
            for lines, first, word in ((across, 0, "rows"), (down, n, "columns")):
                if board.where[value] & sum(t.units[first + line] for line in lines) == marked:
                    yield f"{value} in {word} {listed(line + 1 for line in sorted(lines))}"


def _wing(marked: int, board: Board, size: int) -> Iterator[str]:
    n, peers, masks = board.tables.n, board.tables.peers, board.masks
    for pivot in members(marked):
        one, other = members(marked & ~(1 << pivot))
        shared, held = masks[one] & masks[other], masks[one] | masks[other]
        pincers = masks[one].bit_count() == masks[other].bit_count() == 2 and shared.bit_count() == 1
        sees = not marked & ~(1 << pivot) & ~peers[pivot]
        if pincers and sees and masks[pivot] == (held if size == 3 else held & ~shared):
            yield f"One of {name_of(one, n)} and {name_of(other, n)} is {listed(values_of(shared))}"
