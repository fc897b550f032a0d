"""Questions about a search: dead ends, the next cell and value, what a value strikes, what follows, what is taken back;
and about the next technique of a deduction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from engine.events import Assigned, Contradiction, Retracted
from engine.events.explain import cell as name_of
from engine.events.search import Asked, Covered, Found, Uncovered
from engine.puzzle import Puzzle, Unit
from engine.questions.forms import Choice, Mark, Question, fitting
from engine.questions.moment import Moment, ask
from engine.questions.sampling import sample
from engine.techniques.board import Board
from engine.techniques.order import TECHNIQUES

YES, NO = 0, 1
YES_NO = ("yes", "no")
OFFERED = 6
"""Techniques offered as the next one."""
WEIGHED = 5
"""Cells offered as the next guess."""
NEWEST = 3
"""Choices that are named when one is taken back."""
DEDUCTIONS = ("naked single", "hidden single", "guess")
SEARCHES = Assigned | Retracted | Contradiction | Covered | Uncovered

Left = Mapping[int, frozenset[int]]
"""The candidates of every free cell without a value."""


class Searching(Struct, frozen=True):
    """Facts of a search about its next step, besides its grid and its candidates."""

    dead_end: Literal["value", "candidate", "place", ""] = "value"
    """A dead end is a cell that no value fits, by its peers; one without a candidate; that, or a value without a place
    in a unit. Empty: the step does not look for one."""
    stack: tuple[int, ...] = ()
    """The cells of the choices in force, the oldest first."""
    order: str = ""
    """The order in which cells are filled, as a phrase; empty where each step chooses."""
    followed: tuple[int, ...] = ()
    """The cells that were filled because of the newest choice, the oldest first."""
    entered: int = -1
    """The cell whose values are being tried; -1 if the step chooses a cell."""
    tried: int = -1
    """The value tried last in that cell, 0 for none; -1 if the step tries no values in order."""
    deduction: str = ""
    """One of DEDUCTIONS, where the search deduces as long as it can."""
    strikes: bool = False
    """True if a value is struck from its peers at once, so that single candidates can result."""
    weighed: Mapping[int, tuple[int, int]] = {}
    """(candidates, weight) of the cells of which the one with the least quotient is guessed."""


def candidates_before(moment: Moment) -> dict[int, frozenset[int]]:
    """The candidates of every free cell without a value: those that the solver keeps, else those that no peer holds."""
    puzzle, grid = moment.puzzle, moment.view.grid
    found = {}
    for cell, value in enumerate(grid):
        if not value:
            if moment.view.candidates is not None:
                mask = moment.view.candidates[cell]
                found[cell] = frozenset(v for v in range(1, puzzle.n + 1) if mask >> v - 1 & 1)
            else:
                held = {grid[peer] for peer in puzzle.geometry.peers[cell]}
                found[cell] = frozenset(range(1, puzzle.n + 1)) - held
    return found


def places(puzzle: Puzzle, grid: tuple[int, ...], left: Left) -> Iterator[tuple[Unit, int, tuple[int, ...]]]:
    """For each unit and each value that it lacks, the cells that can take the value."""
    for unit in puzzle.geometry.units:
        held = {grid[cell] for cell in unit.cells}
        for value in range(1, puzzle.n + 1):
            if value not in held:
                yield unit, value, tuple(cell for cell in unit.cells if value in left.get(cell, ()))


def facts_of(moment: Moment) -> Searching | None:
    """The facts of a search; the defaults for a solver that gives none, None for one that is no search."""
    if moment.facts is None:
        return Searching()
    return moment.facts if isinstance(moment.facts, Searching) else None


# Dead ends

ASKED_OF_DEAD_ENDS = {
    "value": ("Is there a free cell that no value fits?",
              "Look at cells whose row, column and box hold many different values."),
    "candidate": ("Is there a cell without a candidate left?",
                  "Look at the cells with the fewest candidates."),
    "place": ("Does a cell lack a candidate, or a value a place in a unit?",
              "Look at the fullest units: where could the values go that they lack?"),
}


def about_the_grid(moment: Moment) -> Iterator[Question]:
    """The question whether the grid before a step of a search is a dead end."""
    facts = facts_of(moment)
    if facts is None or not facts.dead_end or not any(isinstance(event, SEARCHES) for event in moment.events):
        return
    if any(isinstance(event, Asked) for event in moment.events):  # only a step that was answered SAT assigns
        return
    left = candidates_before(moment)
    if not left:
        return
    why = _dead_end(moment, left, facts.dead_end == "place")
    text, hint = ASKED_OF_DEAD_ENDS[facts.dead_end]
    n = moment.puzzle.n
    least = min(left, key=lambda cell: (len(left[cell]), cell))
    all_well = "Every cell has a value left, every value a place" if facts.dead_end == "place" else (
        "Every free cell has a value left")
    yield Choice(kind="dead-end", text=text, options=YES_NO, n=n, rights=frozenset({YES if why else NO}), hint=hint,
                 why=why or f"{all_well}; {name_of(least, n)} has the fewest, {len(left[least])}.")


def _dead_end(moment: Moment, left: Left, looks_at_units: bool) -> str:
    """The reason that the grid is a dead end; empty if it is none."""
    dead = next((cell for cell, values in left.items() if not values), None)
    if dead is not None:
        return f"No value is left for {name_of(dead, moment.puzzle.n)}."
    if looks_at_units:
        for unit, value, cells in places(moment.puzzle, moment.view.grid, left):
            if not cells:
                return f"No place is left for {value} in {unit.name}."
    return ""


# The next value

@ask.register
def _about_assignment(event: Assigned, moment: Moment) -> Iterator[Question]:
    facts = facts_of(moment)
    if facts is None:
        return
    left = candidates_before(moment)
    if facts.deduction:
        yield _deduction(facts.deduction, moment)
    if event.cell in moment.next_cells:
        yield _next_cell(event, moment, left, facts)
    elif event.cell in facts.weighed:
        yield from _weighed(event.cell, facts.weighed, moment)
    if facts.tried >= 0:
        yield _next_value(event.cell, event.value, facts.tried, moment, left)
    if moment.view.candidates is not None:
        yield from _about_strikes(event, moment, left, facts.strikes)


def _deduction(right: str, moment: Moment) -> Choice:
    why = {"naked single": "A cell has one candidate left, and such cells come first.",
           "hidden single": "No cell has one candidate only, but a unit has one place left for a value.",
           "guess": "No cell has one candidate only, and no value one place: nothing is forced."}[right]
    return Choice(kind="deduction", text="What comes next: naked single, hidden single or guess?", why=why,
                  options=DEDUCTIONS, rights=frozenset({DEDUCTIONS.index(right)}), n=moment.puzzle.n,
                  mistakes={2: "Something is still forced: a guess comes last."} if right != "guess" else {},
                  hint="They are tried in this order.")


def _next_cell(event: Assigned, moment: Moment, left: Left, facts: Searching) -> Mark:
    why, name = _why_next(event, moment, left), name_of(event.cell, moment.puzzle.n)
    if facts.deduction == "hidden single":
        why = f"{event.value} has one place left in {event.reason.rpartition(' in ')[2]}: {name}."
    return Mark(kind="next-cell", text=f"Which cell is filled next? The rule: {moment.next_rule}.", most=1,
                n=moment.puzzle.n, rights=frozenset(frozenset({cell}) for cell in moment.next_cells), among=len(left),
                taken=frozenset({event.cell}), why=why, by_hand=moment.by_hand,
                hint="The board shows it: a filled peer takes its value away from a cell.")


def _why_next(event: Assigned, moment: Moment, left: Left) -> str:
    n = moment.puzzle.n
    name, others = name_of(event.cell, n), sorted(moment.next_cells - {event.cell})
    if not others:
        return f"{name} is the only one: {moment.next_rule}."
    named = " and ".join(name_of(cell, n) for cell in others)
    values = f"{len(left[event.cell])} value{'' if len(left[event.cell]) == 1 else 's'} left"
    return fitting(f"{name} is taken; {named} would be right too: {values}.",
                   f"{name} is taken; {len(others)} other cells would be right too: {values}.")


def _weighed(chosen: int, weighed: Mapping[int, tuple[int, int]], moment: Moment) -> Iterator[Choice]:
    """The question of the cell that is guessed, by the quotient of two numbers that the board does not show."""
    n = moment.puzzle.n

    def quotient(cell: int) -> float:
        size, weight = weighed[cell]
        return size / weight if weight else float("inf")

    step = moment.events[0].step
    offered = sorted({chosen, *sample((cell for cell in weighed if cell != chosen), WEIGHED - 1, step)})
    rights = frozenset(place for place, cell in enumerate(offered) if quotient(cell) <= quotient(chosen))
    if len(rights) == len(offered):
        return
    size, weight = weighed[chosen]
    yield Choice(kind="next-cell", text=f"Which cell is guessed: {moment.next_rule}?", rights=rights, n=n,
                 options=tuple(f"{name_of(cell, n)}  {weighed[cell][0]} / {weighed[cell][1]}" for cell in offered),
                 why=fitting(f"{name_of(chosen, n)} has the least quotient: {size} / {weight} = "
                             f"{quotient(chosen):.3g}.", f"{name_of(chosen, n)} has the least quotient."),
                 hint="Divide: a cell with few candidates and much weight will fail the soonest.")


def _next_value(cell: int, value: int, tried: int, moment: Moment, left: Left) -> Choice:
    """The question of the value that is tried in a cell; 0: none is left."""
    puzzle, grid = moment.puzzle, moment.view.grid
    n, name, fits = puzzle.n, name_of(cell, puzzle.n), sorted(left[cell])
    mistakes = {n: f"{name} can still hold {value}."} if value else {}
    for wrong in range(1, n + 1):
        holder = next((peer for peer in puzzle.geometry.peers[cell] if grid[peer] == wrong), None)
        if wrong in fits and wrong <= tried:
            mistakes[wrong - 1] = f"{wrong} was tried already, and taken back."
        elif wrong in fits:
            mistakes[wrong - 1] = f"{wrong} fits, but a lower value is tried first."
        elif holder is not None:
            mistakes[wrong - 1] = f"{wrong} does not fit: {name_of(holder, n)} holds it."
    if value:
        mistakes.pop(value - 1, None)
    can = f"{name} can hold {' '.join(map(str, fits)) or 'nothing'}"
    above = f" above {tried}" if tried else ""
    if fits == [value]:
        why = f"{can} only."
    elif value:
        why = fitting(f"{can}: {value} is the first{above}.", f"{value} is the first that fits{above}.")
    else:
        why = fitting(f"{can}: nothing is left{above}.", f"No value{above} fits.")
    return Choice(kind="next-value", text=f"Which value is tried in {name} now?", why=why, n=n, marked=(cell,),
                  options=(*map(str, range(1, n + 1)), "none"), rights=frozenset({value - 1 if value else n}),
                  given=(("taken back", str(tried)),) if tried else (), mistakes=mistakes,
                  hint="Values are tried from the lowest; one that a peer holds does not fit.")


def _about_strikes(event: Assigned, moment: Moment, left: Left, is_struck: bool) -> Iterator[Question]:
    n, name, kept = moment.puzzle.n, name_of(event.cell, moment.puzzle.n), moment.view.candidates
    assert kept is not None
    peers = moment.puzzle.geometry.peers[event.cell]
    struck = frozenset(cell for cell in peers if kept[cell] >> event.value - 1 & 1)
    given, marked = (("value", f"{name} = {event.value}"),), (event.cell,)
    yield Mark(kind="struck", text=f"Which cells lose the candidate {event.value} by this value?", n=n,
               given=given, marked=marked, rights=frozenset({struck}), most=len(peers), among=len(peers),
               why=f"The peers of {name} that hold {event.value} as a candidate: {len(struck)}.",
               hint="Only cells of its row, column and box, and only those that have the candidate.")
    if is_struck:
        single = frozenset(cell for cell in struck if len(left.get(cell, ())) == 2)
        why = "; ".join(f"{name_of(cell, n)} keeps {min(left[cell] - {event.value})}" for cell in sorted(single))
        yield Mark(kind="follows", text="Which cells keep just one candidate, and had more before?", n=n,
                   given=given, marked=marked, rights=frozenset({single}), most=len(peers), among=max(1, len(struck)),
                   why=fitting(f"{why}.", f"{len(single)} cells keep one candidate.") if single else
                   "No cell that loses the candidate had just two.",
                   hint="A cell with two candidates that loses one of them.")


# What is taken back

@ask.register
def _about_retraction(event: Retracted, moment: Moment) -> Iterator[Question]:
    facts = facts_of(moment)
    if facts is None:
        return
    if facts.tried > 0 and facts.entered >= 0:  # the cell that was entered has no other value
        yield _next_value(facts.entered, 0, facts.tried, moment, candidates_before(moment))
    if event.cell in facts.stack:
        yield taken_back(event, moment, facts)


def taken_back(event: Retracted | Uncovered, moment: Moment, facts: Searching) -> Mark:
    """The question of the choice that is undone."""
    n, stack = moment.puzzle.n, facts.stack
    empty = next((other.cells[0] for other in moment.events if isinstance(other, Contradiction) and other.cells), None)
    faults: dict[frozenset[int], str] = {}
    if len(stack) > 1:
        faults[frozenset({stack[0]})] = "That is the oldest choice; the newest goes first."
    if empty is not None:
        faults[frozenset({empty})] = "Nothing was put there that could be taken back."
    for cell in facts.followed:
        faults[frozenset({cell})] = "That value followed from a choice, and goes with it."
    faults.pop(frozenset({event.cell}), None)
    given = [("order", facts.order) if facts.order else ("choices", _newest(stack, n))]
    if facts.followed:
        given.append(("then", _newest(facts.followed, n)))
    with_it = f", and {len(facts.followed)} that followed" if facts.followed else ""
    return Mark(kind="taken-back", text="A choice is taken back. In which cell?", most=1, n=n, given=tuple(given),
                rights=frozenset({frozenset({event.cell})}), among=len(stack) + len(facts.followed), faults=faults,
                why=f"{name_of(event.cell, n)} = {event.value} is the newest choice, to blame or not{with_it}.",
                hint="Choices are undone in the reverse of the order in which they were made.")


def _newest(cells: tuple[int, ...], n: int) -> str:
    """The last cells, the oldest first."""
    return ("… " if len(cells) > NEWEST else "") + " ".join(name_of(cell, n) for cell in cells[-NEWEST:])


# Techniques

@ask.register
def _about_technique(event: Found, moment: Moment) -> Iterator[Question]:
    names = tuple(technique.name for technique in TECHNIQUES)
    if moment.view.candidates is None or event.technique not in names:
        return
    n, at = moment.puzzle.n, names.index(event.technique)
    first = max(0, min(at - event.step % OFFERED, len(names) - OFFERED))
    yield Choice(kind="technique", text="Which is the easiest technique that finds anything here?", n=n,
                 options=names[first:first + OFFERED], rights=frozenset({at - first}),
                 why=f"{event.technique} finds something, and nothing easier does.",
                 hint="They are listed from the easiest to the hardest.")
    board = Board(moment.puzzle.box, moment.puzzle.variant, list(moment.view.grid), list(moment.view.candidates))
    patterns = frozenset(frozenset(finding.cells) for finding in TECHNIQUES[at].find(board))
    if frozenset(event.cells) in patterns:
        yield Mark(kind="pattern", text=f"Mark the cells of the pattern: {event.technique}.", rights=patterns,
                   taken=frozenset(event.cells),
                   most=max(map(len, patterns)), among=len(candidates_before(moment)), n=n,
                   why=fitting(f"The solver finds this: {event.where}.", f"It has {len(event.cells)} cells."),
                   hint=fitting(f"{event.technique}: {TECHNIQUES[at].means}.",
                                "Look at the candidates of cells that share a unit."))
