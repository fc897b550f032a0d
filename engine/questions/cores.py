"""Pick a core: which of some constraints contradict each other. Z3 judges the answer, so that any core is right.

Importing this does not import Z3; the first judgement does.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from engine.events.explain import cell as name_of
from engine.events.explain import cells as names_of
from engine.events.search import MOST_IN_CORE, Asked
from engine.puzzle import Geometry, Puzzle, Variant, geometry
from engine.questions.contradictions import SEVERAL, Reason, contradiction
from engine.questions.forms import Several, Verdict, fitting
from engine.questions.moment import Moment
from engine.questions.sampling import sample

MOST_WANTED = 6
"""Constraints to be found. A core with more units is not asked about; of more values some are kept for the learner."""
DECOYS = 4
SECONDS = 1.0
"""The longest that Z3 may take over one query of a judgement."""

Pair = tuple[int, int]
PLACED = re.compile(r"r(\d+)c(\d+) = (\d+)")


class Constraints(Struct, frozen=True):
    """Rules of units and values in cells that should hold together."""

    units: tuple[int, ...]
    """Indices into `geometry.units`."""
    placed: tuple[Pair, ...]
    """(cell, value)"""


def placed_in(words: str, n: int) -> Pair | None:
    """The cell and the value of `r4c2 = 2`; None for other words."""
    found = PLACED.fullmatch(words)
    return None if found is None else ((int(found[1]) - 1) * n + int(found[2]) - 1, int(found[3]))


def pick_a_core(event: Asked, moment: Moment) -> Iterator[Several]:
    """The question after an answer UNSAT whose core is small. Its options are the core, and constraints that the query
    had as well."""
    puzzle, n = moment.puzzle, moment.puzzle.n
    asked = placed_in(event.question, n)
    core = _constraints(event.core, puzzle, asked)
    if core is None or not core.units or len(core.units) > MOST_WANTED or len(event.core) > MOST_IN_CORE:
        return
    decoys = _decoys(core, asked, moment)
    wanted = sample(core.placed, MOST_WANTED - len(core.units), event.step, 2)
    kept = tuple(sorted({*core.placed}.difference(wanted)))
    core = Constraints(core.units, tuple(wanted))
    units = sorted({*core.units, *decoys.units})
    placed = sorted({*core.placed, *decoys.placed})
    items = [Constraints((unit,), ()) for unit in units] + [Constraints((), (pair,)) for pair in placed]
    names = (*(puzzle.geometry.units[unit].name for unit in units),
             *(f"{name_of(cell, n)} = {value}" for cell, value in placed))
    taken = frozenset(place for place, item in enumerate(items)
                      if set(item.units) <= set(core.units) and set(item.placed) <= set(core.placed))
    if len(items) < len(taken) + 2:
        return
    beside = " and the kept cells" if kept else ""
    what = f"together with {event.question}{beside}" if asked else f"together{' with the kept cells' if kept else ''}"
    given = [("asked", event.question), ("a unit", "holds each value once")]
    if kept:
        given.append(("kept", names_of(tuple(cell for cell, _value in kept), n)))
    yield Several(kind="core", text=f"Pick a core: what cannot all hold {what}?", options=names, taken=taken, n=n,
                  most=min(len(taken) + 1, len(items) - 1),
                  given=tuple(given), marked=(*event.cells, *(cell for cell, _value in kept)),
                  check=_judge(puzzle, tuple(items), names, kept, asked, taken),
                  why=f"{reason_of(event, puzzle).clause}.",
                  hint="Which cell would have no value left, or which unit no place for a value?")


def reason_of(event: Asked, puzzle: Puzzle) -> Reason:
    """The reason why the core of an answer UNSAT cannot hold; SEVERAL if the answer has no core of units and values."""
    asked = placed_in(event.question, puzzle.n)
    core = _constraints(event.core, puzzle, asked)
    if core is None:
        return SEVERAL
    return contradiction(puzzle, core.units, (*core.placed, *((asked,) if asked else ())))


def _constraints(core: Sequence[str], puzzle: Puzzle, asked: Pair | None) -> Constraints | None:
    """The items of a core without the value of the query; None if one of them is neither a unit nor a value."""
    names = {unit.name: place for place, unit in enumerate(puzzle.geometry.units)}
    units, placed = [], []
    for words in core:
        pair = placed_in(words, puzzle.n)
        if words in names:
            units.append(names[words])
        elif pair is None:
            return None
        elif pair != asked:
            placed.append(pair)
    return Constraints(tuple(units), tuple(placed))


def _decoys(core: Constraints, asked: Pair | None, moment: Moment) -> Constraints:
    """Constraints of the query that are not in the core: other units that its cells lie in, other values of its
    units."""
    geometry, grid, step = moment.puzzle.geometry, moment.view.grid, moment.events[0].step
    cells = {cell for cell, _value in core.placed} | ({asked[0]} if asked else set())
    near = {place for place, unit in enumerate(geometry.units) if cells & set(unit.cells)} - set(core.units)
    within = {cell for unit in core.units for cell in geometry.units[unit].cells}
    pairs = [(cell, grid[cell]) for cell in sorted(within)
             if grid[cell] and (cell, grid[cell]) not in core.placed and not (asked and cell == asked[0])]
    placed = sample(pairs, DECOYS // 2, step, 1)
    units = sample(sorted(near), DECOYS - len(placed), step)
    return Constraints(tuple(units), tuple(placed))


def _judge(puzzle: Puzzle, items: tuple[Constraints, ...], names: tuple[str, ...], kept: tuple[Pair, ...],
           asked: Pair | None, core: frozenset[int]) -> Callable[[frozenset[int]], Verdict]:
    """The judgement of a set of these items: Z3 is asked whether they contradict the value asked about and the values
    that are kept, and which of them can go."""

    held = kept if asked is None else (*kept, asked)
    every = tuple(unit for item in items for unit in item.units)
    likely = sorted(range(len(items)), key=lambda place: (place not in core, place))

    def satisfiable(places: frozenset[int], held: Sequence[Pair] = held) -> str:
        formula = _formula(puzzle.box, puzzle.variant, every, threading.get_ident())
        placed = [pair for place in sorted(places) for pair in items[place].placed]
        return formula.check({unit for place in places for unit in items[place].units}, [*placed, *held])

    def judged(places: frozenset[int]) -> Verdict:
        found = satisfiable(places)
        if found == "unknown":
            return core <= places, "Z3 has no answer in time; a core is known from the run."
        if found == "sat":
            return False, missing(places, _formula(puzzle.box, puzzle.variant, every, threading.get_ident()).grid())
        spare = next((place for place in sorted(places) if satisfiable(places - {place}) == "unsat"), None)
        if asked and satisfiable(places, kept) == "unsat":
            without = f"even without {name_of(asked[0], puzzle.n)} = {asked[1]}"
            return True, (f"A core, {without}." if spare is None else
                          f"A core, not a minimal one, {without}: {names[spare]} can go.")
        if spare is None:
            chosen = [items[place] for place in places]
            why = contradiction(puzzle, [unit for item in chosen for unit in item.units],
                                [*(pair for item in chosen for pair in item.placed), *held])
            return True, fitting(f"It is a minimal core: {why.clause}.", "It is a minimal core.")
        return True, fitting(f"A core, not a minimal one: without {names[spare]} the rest still contradicts.",
                             f"A core, not a minimal one: {names[spare]} can go.")

    def missing(places: frozenset[int], grid: Mapping[int, int]) -> str:
        """A constraint without which these are no core, and how a grid of Z3 breaks it."""
        place = next((place for place in likely if place not in places and satisfiable(places | {place}) == "unsat"),
                     None)
        if place is None:
            return "No core: Z3 finds a grid that keeps these; more than one is missing."
        if items[place].placed:
            ((cell, _value),) = items[place].placed
            return fitting(f"No core: Z3 finds a grid with {name_of(cell, puzzle.n)} = {grid.get(cell)}; "
                           f"{names[place]} is missing.", f"No core: Z3 finds a grid; {names[place]} is missing.")
        held = [grid.get(cell, 0) for cell in puzzle.geometry.units[items[place].units[0]].cells]
        repeated = [value for value in held if value and held.count(value) > 1]
        twice = asked[1] if asked and asked[1] in repeated else next(iter(repeated), None)
        return fitting(*([f"No core: Z3 finds a grid with {twice} twice in {names[place]}, which is missing."]
                         if twice else []), f"No core: Z3 finds a grid; {names[place]} is missing.")

    return judged


class Formula:
    """The rules of some units for Z3, one-hot, over the cells of these units: as values outside them matter to no rule,
    it takes a fraction of the time of a whole board."""

    def __init__(self, board: Geometry, units: Sequence[int]) -> None:
        import z3

        from engine.automata.encodings import boolean, exactly_one

        context = z3.Context()
        self.solver = z3.Solver(ctx=context)
        self.solver.set("timeout", round(1000 * SECONDS))
        self.solver.set("ctrl_c", False)
        values = range(board.n)
        cells = sorted({cell for unit in units for cell in board.units[unit].cells})
        self.literals = {cell: [boolean(f"c{cell}.{value}", context) for value in values] for cell in cells}
        self.rules = {unit: boolean(f"u{unit}", context) for unit in units}
        for literals in self.literals.values():
            self.solver.add(exactly_one(literals, context))
        for unit, rule in self.rules.items():
            for value in values:
                places = [self.literals[cell][value] for cell in board.units[unit].cells]
                self.solver.add(z3.Implies(rule, exactly_one(places, context)))
        self._negated = {unit: z3.Not(rule) for unit, rule in self.rules.items()}

    def check(self, units: Collection[int], placed: Sequence[Pair]) -> str:
        """`sat` if a grid has these values and keeps the rules of these units; `unsat`, or `unknown`."""
        rules = [rule if unit in units else self._negated[unit] for unit, rule in self.rules.items()]
        held = [self.literals[cell][value - 1] for cell, value in placed if cell in self.literals]
        return str(self.solver.check(*rules, *held))

    def grid(self) -> dict[int, int]:
        """The values of the cells in the grid that was found last."""
        model = self.solver.model()
        return {cell: value for cell, literals in self.literals.items()
                for value, literal in enumerate(literals, 1) if str(model.eval(literal)) == "True"}


@functools.lru_cache(maxsize=2)
def _formula(box: int, variant: Variant, units: tuple[int, ...], thread: int) -> Formula:
    """The formula of these units, kept for the next answer. A Z3 context belongs to a thread."""
    return Formula(geometry(box, variant), units)
