"""Questions about a crossover: which values the child gets, and where a permutation breaks.

A crossover of whole blocks (cells, rows, boxes) is asked about in a unit that has cells of several blocks: the learner
takes each value from the parent that the mask names. One inside genes (PMX, order crossover) is done by hand in a gene.
Only units without a mutated cell are asked about, since a mutation follows from nothing that can be shown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from engine.events.explain import cell as name_of
from engine.events.population import FIRST, SECOND, Bred
from engine.puzzle import Unit
from engine.questions.forms import Mark, Question, Values, fitting, in_order
from engine.questions.moment import CopiedPart, Crossing, Moment

LEAST = 3
"""Free cells of a gene that is crossed by hand, at least."""
MOST_SIDE = 16
"""The side of the largest grid whose values are asked for: more of them are typed than thought about."""
TURNS = 4
"""Births take turns in what is asked about: the values of the child, ..."""
INHERITED, MUTATED = 1, 3
"""... what it has from B, its second parent, and what it has from neither; where that cannot be asked, its values."""
MATED_EVERY, MATED = 8, 2
"""Every eighth birth asks about the parents alone, where they are neighbours by E."""


def about_a_crossover(event: Bred, moment: Moment) -> Iterator[Question]:
    """The questions about the crossover of a birth; none if the child has one parent."""
    crossing = moment.crossing
    if crossing is None or moment.puzzle.n > MOST_SIDE:
        return
    first, second = (moment.individual(place).grid for place in event.parents)
    turn = event.step % TURNS
    unusual = (_mutated(event, moment, crossing, (first, second)) if turn == MUTATED else
               _inherited(event, moment, crossing, (first, second)) if turn == INHERITED and not crossing.inside else
               None)
    if unusual is not None:
        yield unusual
    elif crossing.inside:
        yield from _inside_a_gene(event, moment, crossing, (first, second))
    else:
        yield from _by_the_mask(event, moment, crossing, (first, second))
        if not crossing.permuted:
            yield from _repeated(event, moment, crossing.child)


Grids = tuple[Sequence[int], Sequence[int]]
"""Those of the two parents."""


def _by_the_mask(event: Bred, moment: Moment, crossing: Crossing, parents: Grids) -> Iterator[Question]:
    """The values of the child in a unit that it has from both parents, where they differ."""
    (a, b), n = parents, moment.puzzle.n
    unit = _mixed(event, crossing, parents)
    if unit is None:
        return
    cells = tuple(cell for cell in unit.cells if not moment.puzzle.givens[cell])
    values = tuple(crossing.child[cell] for cell in cells)
    first, second = tuple(a[cell] for cell in cells), tuple(b[cell] for cell in cells)
    letters = ["A" if event.mask[cell] == FIRST else "B" for cell in cells]
    cut = event.how.startswith("cut ")
    given = (("cut", f"{event.how.removeprefix('cut ')}: A before, B behind") if cut else
             ("mask", " ".join(letters)))
    other = tuple(y if letter == "A" else x for x, y, letter in zip(first, second, letters, strict=True))

    def reason(wrong: tuple[int, ...]) -> str:
        """The origin of the first wrong value of an answer."""
        place = next(place for place, value in enumerate(values) if value != wrong[place])
        cell, letter = name_of(cells[place], n), letters[place]
        side = "before" if letter == "A" else "behind"
        return f"{cell} gets {values[place]} from {letter}, since " + (
            f"it is {side} the cut." if cut else f"its mask is {letter}.")

    differing = next(place for place, value in enumerate(first) if value != second[place])
    why = reason(second if letters[differing] == "A" else first)
    alone = {answer: f"That is parent {parent} alone" + (f": {reason(answer)}" if reason(answer) != why else ".")
             for parent, answer in (("A", first), ("B", second))}
    yield Values(kind="child-values", text=f"Which values does the child get in the free cells of {unit.name}?", n=n,
                 hides_conflicts=True,
                 values=values, ways=2 ** sum(x != y for x, y in zip(first, second, strict=True)), marked=cells,
                 given=(("parent A", in_order(first)), ("parent B", in_order(second)), given),
                 individual=event.parents[0],
                 faults={**alone, other: "The parents are exchanged."}, why=why,
                 hint=f"Go from cell to cell: the {'cut' if cut else 'mask'} says which parent its value comes from.")


def _mixed(event: Bred, crossing: Crossing, parents: Grids) -> Unit | None:
    """A unit without a mutated cell that the child has from both parents, where they differ."""
    a, b = parents

    def fits(unit: Unit) -> bool:
        differing = {event.mask[cell] for cell in unit.cells if a[cell] != b[cell]}
        return differing == {FIRST, SECOND} and not set(event.mutated) & set(unit.cells)

    found = [unit for unit in crossing.crossed if fits(unit)]
    return found[event.step % len(found)] if found else None


def _inherited(event: Bred, moment: Moment, crossing: Crossing, parents: Grids) -> Mark | None:
    """The cells of a unit of the child whose value only B has."""
    unit = _mixed(event, crossing, parents)
    if unit is None:
        return None
    (a, b), n, child = parents, moment.puzzle.n, crossing.child
    cells = tuple(cell for cell in unit.cells if not moment.puzzle.givens[cell])
    first, second = tuple(a[cell] for cell in cells), tuple(b[cell] for cell in cells)
    only = [frozenset(cell for cell in cells if a[cell] != b[cell] and child[cell] == grid[cell]) for grid in (a, b)]
    either = frozenset(cell for cell in cells if a[cell] == b[cell])
    faults = {only[0]: "Those are from A.", only[0] | either: "Those may be from A.",
              only[1] | either: "Where the parents are equal, the value may as well come from A."}
    names = [name_of(cell, n) for cell in sorted(only[1])]
    return Mark(kind="inherited", text=f"Mark the cells of the child's {unit.name} that must come from parent B.",
                rights=frozenset({only[1]}), most=len(cells), among=len(cells), marked=cells, inside=True, n=n,
                grid=child, hides_conflicts=True, faults={wrong: why for wrong, why in faults.items()
                                                          if wrong and wrong != only[1]},
                given=(("parent A", in_order(first)), ("parent B", in_order(second)),
                       ("values", "those of the free cells, in order")),
                why=fitting(_compared(only[1], parents, child, n),
                            f"{', '.join(names)}: there the child is as B and not as A.",
                            f"In {len(names)} cells the child is as B and not as A."),
                hint="Compare the child on the board with B, where B differs from A.")


def _mutated(event: Bred, moment: Moment, crossing: Crossing, parents: Grids) -> Mark | None:
    """The cells of a row of the child whose value neither parent has there; None if a mutation cannot be told so."""
    (a, b), n, child = parents, moment.puzzle.n, crossing.child
    changed = frozenset(cell for cell in event.mutated if child[cell] not in (a[cell], b[cell]))
    rows = [unit for unit in moment.puzzle.geometry.rows if changed & set(unit.cells) and not any(
        child[cell] not in (a[cell], b[cell]) and cell not in changed for cell in unit.cells)]
    if not rows:
        return None
    row = rows[event.step % len(rows)]
    cells = tuple(cell for cell in row.cells if not moment.puzzle.givens[cell])
    right = changed & set(cells)
    return Mark(kind="mutated", text=f"Mark the cells of the child's {row.name} with a value of neither parent.",
                rights=frozenset({right}), most=len(cells), among=len(cells), marked=cells, inside=True, n=n,
                grid=child, hides_conflicts=True,
                given=(("parent A", in_order(tuple(a[cell] for cell in cells))),
                       ("parent B", in_order(tuple(b[cell] for cell in cells))),
                       ("values", "those of the free cells, in order")),
                why=fitting(_compared(right, parents, child, n),
                            _compared(frozenset({min(right)}), parents, child, n)[:-1]
                            + f"; {len(right) - 1} more cells are as neither parent."),
                hint="Compare the child on the board with A, then with B, cell by cell.")


def _compared(cells: frozenset[int], parents: Grids, child: Sequence[int], n: int) -> str:
    """The values of the parents and the child: `r6c8: A 3, B 5, child 7; r6c9: A 7, B 7, child 3.`"""
    a, b = parents
    return "; ".join(f"{name_of(cell, n)}: A {a[cell]}, B {b[cell]}, child {child[cell]}"
                     for cell in sorted(cells)) + "."


def _inside_a_gene(event: Bred, moment: Moment, crossing: Crossing, parents: Grids) -> Iterator[Question]:
    """A gene of the child that is not that of a parent, done by hand; before that, for PMX, the cells of it that are
    repaired."""
    (a, b), n = parents, moment.puzzle.n

    def fits(segment: CopiedPart) -> bool:
        return (len(segment.cells) >= LEAST and segment.begin < segment.end
                and all(any(crossing.child[cell] != grid[cell] for cell in segment.cells) for grid in parents)
                and not set(event.mutated) & set(segment.cells))

    found = [segment for segment in crossing.segments if fits(segment)]
    if not found:
        return
    chosen = found[event.step % len(found)]
    cells, begin, end, name = chosen.cells, chosen.begin, chosen.end, chosen.gene.name
    first, second = tuple(a[cell] for cell in cells), tuple(b[cell] for cell in cells)
    values = tuple(crossing.child[cell] for cell in cells)
    plain = second[:begin] + first[begin:end] + second[end:]
    if crossing.inside == "pmx":
        yield from _to_repair(event, moment, chosen, (a, plain))
    order = crossing.inside == "order"
    faults = {first: "That is A alone: outside the segment B decides.", second: "That is B alone.",
              plain: "Values of the segment are there twice: this is no permutation."}
    if order:
        faults[_from_the_start(first, second, begin, end)] = (
            "B is read, and the child filled, from the end of the segment on.")
    yield Values(
        kind="child-values", values=values, ways=math.factorial(len(cells)), marked=cells, n=n,
        individual=event.parents[0], hides_conflicts=True,
        faults={wrong: why for wrong, why in faults.items() if wrong != values},
        text=(f"Order crossover: what does the child get in {name}?" if order else
              f"PMX: what does the child get in {name}?"),
        given=(("parent A", _bracketed(first, begin, end)), ("parent B", in_order(second)),
               ("[ ]", "the segment, kept from A")),
        why=_why_order(second, values, begin, end, n) if order else _why_pmx(second, values, chosen, n),
        hint=("Copy [ ] from A; from its end on write B's other values, in B's order." if order else
              "[ ] of A, the rest of B. Twice? Take B's value where [ ] has the repeated one."))


def _why_order(second: tuple[int, ...], values: tuple[int, ...], begin: int, end: int, n: int) -> str:
    """The values of B that follow the segment."""
    left = [value for value in second[end:] + second[:end] if value not in values[begin:end]]
    return fitting(f"From the end of [ ] on, without the values of [ ], B has {in_order(left)}.",
                   f"From the end of [ ] on, B has {in_order(left)} besides the values of [ ].",
                   f"B has {in_order(left)} from the end of [ ] on.")


def _why_pmx(second: tuple[int, ...], values: tuple[int, ...], part: CopiedPart, n: int) -> str:
    """The first repaired cell, and the values that lead to its own."""
    kept = values[part.begin:part.end]
    for place, cell in enumerate(part.cells):
        if not part.begin <= place < part.end and second[place] in kept:
            way = [second[place]]
            while way[-1] in kept:
                way.append(second[part.begin + kept.index(way[-1])])
            steps = " → ".join(map(str, way))
            return fitting(f"{name_of(cell, n)}: [ ] has B's {way[0]}, so take what B has there: {steps}.",
                           f"{name_of(cell, n)}: take what B has there, until [ ] has it not.")
    return "No value of [ ] is among the others of B, so nothing is replaced."


def _bracketed(values: tuple[int, ...], begin: int, end: int) -> str:
    """Values with their segment in brackets: `4 [1 3] 2`."""
    parts = (in_order(values[:begin]), f"[{in_order(values[begin:end])}]", in_order(values[end:]))
    return " ".join(filter(None, parts))


def _from_the_start(first: tuple[int, ...], second: tuple[int, ...], begin: int, end: int) -> tuple[int, ...]:
    """The order crossover of a learner who begins at the first cell instead of after the segment."""
    others = [value for value in second if value not in first[begin:end]]
    return (*others[:begin], *first[begin:end], *others[begin:])


def _to_repair(event: Bred, moment: Moment, segment: CopiedPart,
               grids: tuple[Sequence[int], tuple[int, ...]]) -> Iterator[Mark]:
    """The cells outside the segment whose value is in it; grids = (that of A, the values before the repair)."""
    (a, plain), cells, n = grids, segment.cells, moment.puzzle.n
    kept = plain[segment.begin:segment.end]
    repaired = frozenset(cell for place, cell in enumerate(cells)
                         if not segment.begin <= place < segment.end and plain[place] in kept)
    if not repaired:
        return
    grid = list(a)
    for cell, value in zip(cells, plain, strict=True):
        grid[cell] = value
    copied = frozenset(cell for place, cell in enumerate(cells)
                       if segment.begin <= place < segment.end and plain.count(plain[place]) > 1)
    ends = name_of(cells[segment.begin], n), name_of(cells[segment.end - 1], n)
    inside = {value: name_of(cell, n) for value, cell in zip(kept, cells[segment.begin:segment.end], strict=True)}
    (cell, value), *more = [pair for pair in zip(cells, plain, strict=True) if pair[0] in repaired]
    first = f"{name_of(cell, n)} has {value}, which the segment has in {inside[value]}"
    others = [f"{name_of(cell, n)} has {value}, as {inside[value]}" for cell, value in more]
    yield Mark(kind="broken", rights=frozenset({repaired}), most=len(cells), among=len(cells), marked=cells, n=n,
               text=f"Which cells of {segment.gene.name} outside the segment repeat a value of it?",
               grid=tuple(grid), inside=True, hides_conflicts=True, repeated=copied | repaired,
               given=(("segment", f"{' to '.join(dict.fromkeys(ends))}, kept from A"),
                      ("the rest", "from B; PMX repairs repeats")),
               faults={copied: "The segment stays; the other cell with the value is repaired.",
                       copied | repaired: "The segment stays; only the other cells are repaired."},
               why=fitting(f"{'; '.join((first, *others))}.", f"{first}; {len(more)} more cells repeat its values."),
               hint="The segment stays, so look for its values in the other cells.")


def _repeated(event: Bred, moment: Moment, child: tuple[int, ...]) -> Iterator[Mark]:
    """The cells of a row of the child that break the permutation, where genes are no permutations."""
    n, rows = moment.puzzle.n, moment.puzzle.geometry.rows
    broken = [row for row in rows if len({child[cell] for cell in row.cells}) < n]
    if not broken:
        return
    row = broken[event.step % len(broken)]
    counts = Counter(child[cell] for cell in row.cells)
    cells = frozenset(cell for cell in row.cells if counts[child[cell]] > 1)
    free = frozenset(cell for cell in cells if not moment.puzzle.givens[cell])
    values = [str(value) for value in sorted(counts) if counts[value] > 1]
    appear = f"{' and '.join(values)} appear{'s' * (len(values) == 1)}"
    faults: dict[frozenset[int], str] = {}
    if free and free != cells:
        faults[free] = "A given counts too: its value is repeated by another cell."
    yield Mark(kind="broken", text=f"Mark all cells of this child's {row.name} with a repeated value.",
               rights=frozenset({cells}), most=n, among=n, marked=row.cells, inside=True, grid=child, n=n,
               hides_conflicts=True, repeated=cells, faults=faults,
               why=fitting(f"{appear} more than once in {row.name}, as every cell is a gene of its own.",
                           f"{len(values)} values of {row.name} are repeated, as every cell is a gene of its own."),
               hint="Look for one value after the other; all its cells count, the first one too.")
