"""Questions about a search: dead ends, the next cell and value, what a value strikes, what follows, what is taken back;
and about the next technique of a deduction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from engine.events import Assigned, Contradiction, Retracted
from engine.events.explain import cell as name_of
from engine.events.search import Asked, Covered, Found, Uncovered
from engine.puzzle import Puzzle, Unit
from engine.questions.forms import Choice, Mark, Question, fitting, in_order, its_units, unit_kinds
from engine.questions.moment import Moment, ask
from engine.questions.patterns import Pattern, fault_of, strikes
from engine.questions.sampling import sample
from engine.techniques.board import Board
from engine.techniques.finding import Finding, Technique, listed
from engine.techniques.order import CHAINS, TECHNIQUES

YES, NO = 0, 1
YES_NO = ("yes", "no")
EASIEST = 5
"""Techniques that are offered in any case, found here or not: the easiest."""
HARDER = 3
"""Harder ones that are offered, at random."""
SHORTER = {
    "Unique rectangle": "Four cells in two rows and two columns would keep the same two candidates.",
    "Forcing chain": "From a candidate that is assumed true, or false, single steps follow.",
    "Forcing set": "Every candidate of a cell, or every place of a value, leads to the same.",
}
"""Short descriptions of techniques whose own is too long for one line."""
SINGLES = ("Hidden single", "Naked single")
"""Techniques whose patterns have one cell."""
MOST_PATTERN = 6
"""Cells of the largest pattern that is asked for; chains are not."""
WEIGHED = 5
"""Cells offered as the next guess."""
NEWEST = 3
"""Choices that are named when one is taken back."""
DEDUCTIONS = ("naked single", "hidden single", "guess")
LASTING, RARE = 4, 8
"""The usual answer about dead ends is asked for with a chance of 1 to this: `yes` where cells have a fixed order and a
dead end lasts until its turn; `no` where the next cell is the one with the fewest values."""
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
    ties: str = ""
    """The cell that is taken of those that the rule allows, as a phrase: `the first of them`; empty if not told."""
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
    lags: bool = False
    """True if later steps strike a value from its peers, one by one: until then they keep it as a candidate."""
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
              "Look at cells whose peers hold many different values."),
    "candidate": ("Is there a cell without a candidate left?",
                  "A candidate is a value that a cell may still hold. Look where they are few."),
    "place": ("Has a cell no candidate, or a unit no place for a value?",
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
    why = _dead_end(moment, left, facts)
    if not _is_asked(bool(why), facts, moment.events[0].step):
        return
    text, hint = ASKED_OF_DEAD_ENDS[facts.dead_end]
    # no cell is named that has few values left: the next question may ask for it
    count = "The free cell" if len(left) == 1 else f"Each of the {len(left)} free cells"
    all_well = {"value": f"{count} can still take a value.", "candidate": f"{count} has a candidate left.",
                "place": f"{count} has a candidate, each missing value a place."}[facts.dead_end]
    given = (("unit", unit_kinds(moment.puzzle.variant)),) if facts.dead_end == "place" else ()
    yield Choice(kind="dead-end", text=text, given=given, options=YES_NO, n=moment.puzzle.n, hint=hint,
                 why=why or all_well, rights=frozenset({YES if why else NO}), hides_conflicts=True)


def _is_asked(is_dead: bool, facts: Searching, step: int) -> bool:
    """True if a step is asked whether it is a dead end. Of the answer that is nearly always right some are left out, so
    that a learner who always gives it is not right nearly always."""
    if facts.dead_end == "candidate" or step == 1:  # with arc consistency, asked at guesses and at dead ends only
        return True
    usual, one_in = (True, LASTING) if facts.order else (False, RARE)
    return is_dead is not usual or sample(range(one_in), 1, step, 5) == [0]


def _dead_end(moment: Moment, left: Left, facts: Searching) -> str:
    """The reason that the grid is a dead end; empty if it is none."""
    puzzle, grid = moment.puzzle, moment.view.grid
    peers = puzzle.geometry.peers
    dead = next((cell for cell, values in left.items() if not values), None)
    if dead is not None:
        nothing = f"No value is left for {name_of(dead, puzzle.n)}"
        if facts.order and dead != next(iter(left)):
            return fitting(f"{nothing}; {facts.order}, that is noticed only at its turn.", f"{nothing}.")
        if len({grid[peer] for peer in peers[dead]} - {0}) == puzzle.n:
            return f"{nothing}: {its_units(puzzle.variant)} hold all {puzzle.n}."
        return f"{nothing}: all its candidates are struck."
    if facts.dead_end == "place":
        for unit, value, cells in places(puzzle, grid, left):
            if not cells:
                nothing = f"No place is left for {value} in {unit.name}"
                sees = all(grid[cell] or value in (grid[peer] for peer in peers[cell]) for cell in unit.cells)
                return f"{nothing}: each free cell there sees a {value}." if sees else f"{nothing}."
    return ""


# The next value

@ask.register
def _about_assignment(event: Assigned, moment: Moment) -> Iterator[Question]:
    facts = facts_of(moment)
    if facts is None:
        return
    if any(isinstance(other, Retracted) for other in moment.events):
        return  # the grid before the step is not the one that is filled: a choice is taken back in between
    left = candidates_before(moment)
    if facts.deduction:
        yield _deduction(facts.deduction, moment)
    if event.cell in moment.next_cells:
        yield _next_cell(event, moment, left, facts)
    elif event.cell in facts.weighed:
        yield from _weighed(event.cell, facts.weighed, moment)
    if facts.tried >= 0:
        yield _next_value(event.cell, event.value, facts.tried, moment, left)
    if moment.view.candidates is not None and not facts.lags:
        yield from _about_strikes(event, moment, left, facts.strikes)


def _deduction(right: str, moment: Moment) -> Choice:
    why = {"naked single": "A cell has one candidate left, and such cells come first.",
           "hidden single": "No cell has one candidate only, but a unit has one place left for a value.",
           "guess": "No cell has one candidate only, and no value one place: nothing is forced."}[right]
    return Choice(kind="deduction", text="What comes next: naked single, hidden single or guess?", why=why,
                  options=DEDUCTIONS, rights=frozenset({DEDUCTIONS.index(right)}), n=moment.puzzle.n,
                  mistakes={2: "Something is still forced: a guess comes last."} if right != "guess" else {},
                  given=(("naked", "one candidate in a cell"), ("hidden", "one place in a unit"),
                         ("unit", unit_kinds(moment.puzzle.variant)),
                         ("guess", "neither is there")),
                  hint="They are tried in this order.")


def _next_cell(event: Assigned, moment: Moment, left: Left, facts: Searching) -> Mark:
    n, name, others = moment.puzzle.n, name_of(event.cell, moment.puzzle.n), moment.next_cells - {event.cell}
    why = _why_next(event, moment, left, facts)
    if facts.deduction == "hidden single":
        single = f"{event.value} has one place left in {event.reason.rpartition(' in ')[2]}: {name}"
        why = fitting(f"{single}; {len(others)} more would be right too.", f"{single}.") if others else f"{single}."
    return Mark(kind="next-cell", text=f"Which cell is filled next? The rule: {moment.next_rule}.", n=n,
                most=1, rights=frozenset(frozenset({cell}) for cell in moment.next_cells), among=len(left),
                taken=frozenset({event.cell}), why=why, free=frozenset(left), by_hand=moment.by_hand,
                given=(("if equal", f"any is right; the solver takes {facts.ties}"),) if facts.ties else (),
                wrongs=_later(event, moment, left, facts), hint=_hint_of(facts, moment.puzzle))


def _hint_of(facts: Searching, puzzle: Puzzle) -> str:
    if facts.order:
        return "The first free cell in this order, whatever fits it."
    if facts.deduction == "hidden single":
        return "Take a value and a unit: is there just one free cell that sees no such value?"
    return f"Count for a free cell the values that {its_units(puzzle.variant)} do not hold."


def _later(event: Assigned, moment: Moment, left: Left, facts: Searching) -> dict[int, str]:
    """The reason why each other cell is not next, where the rule is the fewest candidates."""
    n, least = moment.puzzle.n, len(left[event.cell])
    others = [cell for cell in left if cell not in moment.next_cells]
    if facts.order:
        return {}
    if facts.deduction == "hidden single":
        return {cell: f"No value has {name_of(cell, n)} as its only place." for cell in others}
    if all(len(left[cell]) > least for cell in others):
        than = "no single" if least == 1 else f"not just {least}"
        return {cell: f"{name_of(cell, n)} can hold {in_order(sorted(left[cell]))}: "
                      f"{len(left[cell])} values, {than}." for cell in others}
    return {}


def _why_next(event: Assigned, moment: Moment, left: Left, facts: Searching) -> str:
    n = moment.puzzle.n
    name, others = name_of(event.cell, n), sorted(moment.next_cells - {event.cell})
    values = f"{len(left[event.cell])} value{'' if len(left[event.cell]) == 1 else 's'} left"
    if facts.order:
        return f"{name} is the first free cell, {facts.order}."
    if not others:
        has_fewest = all(len(left[cell]) > len(left[event.cell]) for cell in left if cell != event.cell)
        return f"{name} has {values}, all others more." if has_fewest else f"{name} is next: {moment.next_rule}."
    named = " and ".join(name_of(cell, n) for cell in others)
    return fitting(f"The solver takes {name}; {named} would be right too: {values}.",
                   f"The solver takes {name}; {len(others)} other cells would be right too: {values}.")


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
    name, ties = name_of(chosen, n), len(rights) - 1
    why = fitting(f"{name} has the least quotient: {size} / {weight} = {quotient(chosen):.3g}.",
                  f"{name} has the least quotient.")
    if ties:
        why = f"The solver takes {name}; the quotient of {ties} other{'s' * (ties > 1)} is as low, so right too."
    yield Choice(kind="next-cell", text=f"Which cell is guessed? The rule: {moment.next_rule}.", rights=rights, n=n,
                 options=tuple(f"{name_of(cell, n)}  {weighed[cell][0]} / {weighed[cell][1]}" for cell in offered),
                 taken=offered.index(chosen), why=why,
                 mistakes={place: f"{weighed[cell][0]} / {weighed[cell][1]} = {quotient(cell):.3g}: not the least."
                           for place, cell in enumerate(offered) if place not in rights},
                 hint="Divide. An arc gains weight each time that it leaves a cell without values."
                 if "weight" in moment.next_rule else "Divide. Open peers are those without a value.")


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
    can = f"{name} can hold {in_order(fits) if fits else 'nothing'}"
    above = f" above {tried}" if tried else ""
    if fits == [value]:
        why = f"{can} only."
    elif value:
        why = fitting(f"{can}: {value} is the first{above}.",
                      f"{value} is the first that fits{above}.")
    else:
        why = fitting(f"{can}: nothing is left{above}.", f"No value{above} fits.")
    return Choice(kind="next-value", text=f"Which value is tried in {name} now?", why=why, n=n, marked=(cell,),
                  options=(*map(str, range(1, n + 1)), "none"), rights=frozenset({value - 1 if value else n}),
                  given=(*((("taken back", str(tried)),) if tried else ()), ("none", "no value is left to try")),
                  mistakes=mistakes,
                  hint="The lowest is tried first; one that a peer holds does not fit.")


def _about_strikes(event: Assigned, moment: Moment, left: Left, is_struck: bool) -> Iterator[Question]:
    n, name, kept = moment.puzzle.n, name_of(event.cell, moment.puzzle.n), moment.view.candidates
    value = str(event.value)
    assert kept is not None
    peers = moment.puzzle.geometry.peers[event.cell]
    struck = frozenset(cell for cell in peers if not moment.view.grid[cell] and kept[cell] >> event.value - 1 & 1)
    marked = (event.cell,)
    some = f"{len(struck)} cells in" if len(struck) > 1 else "One cell in" if struck else "No cell in"
    have = "have" if len(struck) > 1 else "has"
    yield Mark(kind="struck", text=f"{name} = {value}: which cells lose the candidate {value}?", n=n,
               marked=marked, rights=frozenset({struck}), least=0, most=len(peers), among=len(peers),
               why=f"{some} {its_units(moment.puzzle.variant)} {have} the candidate {value}.",
               wrongs=_kept(event, moment, struck),
               hint=f"Those in {its_units(moment.puzzle.variant)} that could still hold {value}.")
    if is_struck:
        single = frozenset(cell for cell in struck if len(left.get(cell, ())) == 2)
        why = "; ".join(f"{name_of(cell, n)} keeps {min(left[cell] - {event.value})}"
                        for cell in sorted(single))
        yield Mark(kind="follows", text=f"{name} = {value}: which other cells come down to one candidate?", n=n,
                   marked=marked, rights=frozenset({single}), least=0, most=len(peers),
                   among=max(1, len(struck)),
                   why=fitting(f"{why}.", f"{len(single)} cells keep one candidate.") if single else
                   "No cell that loses the candidate had just two.",
                   wrongs={cell: f"{name_of(cell, n)} does not lose one of just two candidates." for cell in left
                           if cell not in {*single, event.cell}} | {event.cell: f"{name} takes the value itself."},
                   hint="A cell with two candidates that loses one of them.")


def _kept(event: Assigned, moment: Moment, struck: frozenset[int]) -> dict[int, str]:
    """The reason why each other cell keeps the candidate."""
    puzzle, grid, value = moment.puzzle, moment.view.grid, event.value
    n, peers = puzzle.n, puzzle.geometry.peers
    said = {}
    for cell in set(range(n * n)) - struck - {event.cell}:
        name = name_of(cell, n)
        holder = next((peer for peer in peers[cell] if grid[peer] == value), None)
        if cell not in peers[event.cell]:
            said[cell] = f"{name} shares no {unit_kinds(puzzle.variant)} with {name_of(event.cell, n)}."
        elif grid[cell]:
            said[cell] = f"{name} holds {grid[cell]} already."
        elif holder is not None:
            said[cell] = f"{value} is no candidate of {name}: {name_of(holder, n)} holds it."
        else:
            said[cell] = f"{value} is no candidate of {name} any more."
    said[event.cell] = f"{name_of(event.cell, n)} takes the value; the others of its units lose it."
    return said


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
    faults: dict[frozenset[int], str] = {}
    if len(stack) > 1:
        faults[frozenset({stack[0]})] = "That is the oldest choice; the newest goes first."
    for cell in facts.followed:
        faults[frozenset({cell})] = "That value followed from a choice, and goes with it."
    faults.pop(frozenset({event.cell}), None)
    wrongs = dict.fromkeys(stack, "That is an older choice; the newest goes first.")
    wrongs |= {cell: f"{name_of(cell, n)} is given." for cell, value in enumerate(moment.puzzle.givens) if value}
    wrongs |= {cell: "Nothing was put there that could be taken back."
               for cell, value in enumerate(moment.view.grid) if not value}
    wrongs.pop(event.cell, None)
    given = [("order", facts.order) if facts.order else ("chosen", f"{_newest(stack, n)} (newest last)")]
    if facts.followed:
        given.append(("followed", f"{_newest(facts.followed, n)}, from the newest choice"))
    with_it = f", and {len(facts.followed)} that followed" if facts.followed else ""
    return Mark(kind="taken-back", text="A choice is taken back. In which cell?", most=1, n=n,
                given=tuple(given),
                rights=frozenset({frozenset({event.cell})}), among=len(stack) + len(facts.followed), faults=faults,
                wrongs=wrongs,
                why=f"{name_of(event.cell, n)} = {event.value} is the newest choice, to blame or "
                    f"not{with_it}.",
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
    harder = range(EASIEST, len(names))
    drawn = sample((place for place in harder if place != at), HARDER - (at in harder), event.step)
    offered = sorted({*range(EASIEST), at, *drawn})
    board = Board(moment.puzzle.box, moment.puzzle.variant, list(moment.view.grid), list(moment.view.candidates))
    findings = {(finding.cells, finding.values): finding for finding in TECHNIQUES[at].find(board)}
    patterns = frozenset(frozenset(cells) for cells, _values in findings)
    found = f"{event.technique}: {len(findings)} pattern{'' if len(findings) == 1 else 's'} here"
    yield Choice(kind="technique", text="Which is the easiest technique that finds anything here?", n=n,
                 options=tuple(names[technique] for technique in offered), rights=frozenset({offered.index(at)}),
                 mistakes={place: f"{names[technique]} finds nothing here." if technique < at else
                           f"That is harder than {event.technique}, which applies."
                           for place, technique in enumerate(offered) if technique != at},
                 why=f"{found}, and nothing easier finds any.",
                 meanings={place: _meaning(TECHNIQUES[technique]) for place, technique in enumerate(offered)},
                 hint="They are listed from the easiest to the hardest.")
    if frozenset(event.cells) in patterns and event.technique not in CHAINS and len(event.cells) <= MOST_PATTERN:
        left, more = candidates_before(moment), len(patterns) - 1
        means = _meaning(TECHNIQUES[at])
        single, taken = event.technique in SINGLES, frozenset(event.cells)
        reasons = {frozenset(other.cells): _why_other(other, event, n) for other in findings.values()
                   if frozenset(other.cells) != taken}
        yield Pattern(kind="pattern", text=f"Mark the cells of the pattern: {event.technique}.", rights=patterns,
                      taken=taken, free=frozenset(left), reasons=reasons,
                      given=() if single else (("pattern", "only one that strikes a candidate"),),
                      most=1 if single else max(MOST_PATTERN, *map(len, patterns)), among=len(left), n=n,
                      why=_why_found(event, more, means, n), fault=fault_of(event, patterns, board, means), hint=means)


def _why_found(event: Found, more: int, means: str, n: int) -> str:
    """The pattern that the solver finds, what it strikes, and how many others there are. Where there are others it is
    said that this one is the solver's, since the learner may have marked another."""
    finds, where = f"The solver finds this: {event.where}", f"{event.where[0].upper()}{event.where[1:]}"
    others = [f"; {more} other answer{'' if more == 1 else 's'} would be right too", ""] if more else [""]
    struck, counted = strikes(event, n)
    said = [f"{subject}; {clause}{other}." for clause in (struck, counted) if clause for other in others
            for subject in (finds, where) if other or not more or subject is finds]
    return fitting(*said, *(f"{finds}{other}." for other in others if not struck),
                   *([f"The solver's pattern{struck[2:]}." if more else f"I{struck[1:]}."] if struck else []), means)


def _why_other(finding: Finding, event: Found, n: int) -> str:
    """A pattern that the solver does not take, what it strikes, and the solver's."""
    where = f"{finding.where[0].upper()}{finding.where[1:]}"
    solvers = f" The solver takes {listed(name_of(cell, n) for cell in event.cells)}."
    return fitting(*(f"{where}; {clause}.{solvers}" for clause in strikes(finding, n) if clause),
                   f"{where}.{solvers}", f"{where}.")


def _meaning(technique: Technique) -> str:
    """The pattern that a technique looks for, in one sentence."""
    clause = re.split("; |, whatever", technique.means)[0]
    return fitting(f"{clause[0].upper()}{clause[1:]}.",
                   SHORTER.get(technique.name, "Look at the candidates of cells that share a unit."))
