"""Questions about a search or a deduction: dead ends, the next cell, what a value strikes, the next technique, and the
answer of a solver of formulas."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import Assigned, Contradiction, Retracted
from engine.events.explain import cell as name_of
from engine.events.search import Asked, Covered, Found, Revised, Uncovered
from engine.questions.forms import Choice, Mark, Question, fitting
from engine.questions.moment import Moment, ask
from engine.techniques.board import Board
from engine.techniques.order import TECHNIQUES

YES, NO = 0, 1
YES_NO = ("yes", "no")
OFFERED = 6
"""Techniques offered as the next one."""
SEARCHES = Assigned | Retracted | Contradiction | Covered | Uncovered


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


def about_the_grid(moment: Moment) -> Iterator[Question]:
    """Is the grid before a step of a search a dead end?"""
    if not any(isinstance(event, SEARCHES) for event in moment.events):
        return
    left = candidates_before(moment)
    if not left:
        return
    n = moment.puzzle.n
    dead = [cell for cell, values in left.items() if not values]
    least = min(left, key=lambda cell: (len(left[cell]), cell))
    why = (f"No value is left for {name_of(dead[0], n)}." if dead else
           f"Every free cell has a value left; {name_of(least, n)} has the fewest, {len(left[least])}.")
    yield Choice(kind="dead-end", text="Is there a free cell that no value fits?", options=YES_NO, n=n, why=why,
                 rights=frozenset({YES if dead else NO}),
                 hint="Look at cells whose row, column and box hold many different values.")


def _why_next(event: Assigned, moment: Moment) -> str:
    n = moment.puzzle.n
    name, others = name_of(event.cell, n), sorted(moment.next_cells - {event.cell})
    if not others:
        return f"{name} is the only cell of the rule: {moment.next_rule}."
    left = len(candidates_before(moment)[event.cell])
    named = " and ".join(name_of(cell, n) for cell in others)
    values = f"{left} value{'' if left == 1 else 's'} left"
    return fitting(f"{name} is taken; {named} would be right too: {values}.",
                   f"{name} is taken; {len(others)} other cells would be right too: {values}.")


@ask.register
def _about_assignment(event: Assigned, moment: Moment) -> Iterator[Question]:
    n = moment.puzzle.n
    left = candidates_before(moment)
    if event.cell in moment.next_cells:
        yield Mark(kind="next-cell", text=f"Which cell is filled next? The rule: {moment.next_rule}.", most=1, n=n,
                   rights=frozenset(frozenset({cell}) for cell in moment.next_cells), among=len(left),
                   taken=frozenset({event.cell}), why=_why_next(event, moment),
                   hint="The board shows it: a filled peer takes its value away from a cell.")
    if moment.view.candidates is not None:
        peers = moment.puzzle.geometry.peers[event.cell]
        struck = frozenset(cell for cell in peers if event.value in left.get(cell, ()))
        yield Mark(kind="struck", text=f"Which cells lose the candidate {event.value} by this value?", n=n,
                   given=(("value", f"{name_of(event.cell, n)} = {event.value}"),), marked=(event.cell,),
                   rights=frozenset({struck}), most=len(peers), among=len(peers),
                   why=f"The peers of {name_of(event.cell, n)} that hold {event.value} as a candidate: {len(struck)}.",
                   hint="Only cells of its row, column and box, and only those that have the candidate.")


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


@ask.register
def _about_query(event: Asked, moment: Moment) -> Iterator[Question]:
    if event.answer == "unknown":
        return
    why = ("A grid that keeps all rules and holds it exists." if event.answer == "sat" else
           fitting(f"It contradicts {', '.join(event.core)}.", "No grid that keeps all rules holds it.")
           if event.core else "No grid that keeps all rules holds it.")
    yield Choice(kind="satisfiable", text="SAT or UNSAT: is there a solution with this?", options=("SAT", "UNSAT"),
                 why=why, given=(("asked", event.question),), marked=event.cells, n=moment.puzzle.n,
                 rights=frozenset({0 if event.answer == "sat" else 1}),
                 hint="UNSAT needs a reason: a unit that would lack a value, or hold one twice.")


@ask.register
def _about_revision(event: Revised, moment: Moment) -> Iterator[Question]:
    n = moment.puzzle.n
    cell, against = name_of(event.cell, n), name_of(event.against, n)
    struck = " and ".join(map(str, event.struck))
    why = (f"{struck} of {cell} has no other value beside it in {against}." if event.struck else
           f"Every value of {cell} has another value beside it in {against}.")
    yield Choice(kind="support", text="Does every value of the first cell have support in the second?", n=n, why=why,
                 options=YES_NO, rights=frozenset({NO if event.struck else YES}), marked=(event.cell, event.against),
                 given=(("arc", f"{cell} → {against}"),),
                 hint="A value has support if the other cell keeps at least one different value.")
