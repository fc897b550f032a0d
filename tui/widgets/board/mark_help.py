"""All marks of the board, and explanations of those that are on it: sign, number of cells, meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.events.population import name_of
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.text import count
from engine.view import Role, View, population_in
from tui.i18n import _
from tui.look.glyphs import UNICODE, Glyphs
from tui.widgets.board.cell import (
    CLASH,
    CURSOR,
    FALLING,
    FROM_A,
    GIVEN,
    MOVED,
    PARTNER,
    REACH,
    TABU,
    UNIT,
    Cell,
    candidate,
    compact_line,
)
from tui.widgets.board.overlays import PARENTS, Origin, origin_of, parent_letters
from tui.widgets.rows import Row

SEVEN = 1 << 6
"""The candidate 7, as a bit mask."""


class Mark(Struct, frozen=True):
    """A mark of the board: how it is drawn, and its meaning."""

    cell: Cell
    """A cell that has it."""
    brief: str
    """Its meaning, for the list of all marks."""
    sign: str = ""
    """Its name on the page about a board."""
    meaning: str = ""
    """Its meaning on that page, as a sentence, unless the solver has `mark_words` of its own."""


MARKS: Mapping[str, Mark] = {
    "given": Mark(Cell(7, GIVEN), "given by the puzzle"),
    "free": Mark(Cell(7), "free: the solver's"),
    "core": Mark(Cell(7, CLASH), "repeated, or in a dead end", "contradiction",
                 "The cells of a dead end: no value fits one of them, or a value finds no place in them."),
    "moved": Mark(Cell(7, MOVED), "moved or proposed", "[ ]", "The cells of this step, highlighted."),
    "moved_core": Mark(Cell(7, MOVED | CLASH), "the same, in conflict"),
    "partner": Mark(Cell(7, PARTNER), "in conflict, compared, deduced", "( )", "In conflict with a cell in brackets."),
    "reach": Mark(Cell(7, REACH), "swap partner, arc, pattern", UNICODE.mark("reach"),
                  "A cell in brackets could have been swapped with these instead."),
    "parents": Mark(Cell(7, FROM_A), "from parent A or B"),
    "tabu": Mark(Cell(7, TABU, heat=5), "ban, and for how long", UNICODE.mark("tabu"),
                 "Its former value is banned there. The higher the bar (in ASCII .-=+*%#@), the longer the ban."),
    "unit": Mark(Cell(7, UNIT), "in a unit of this step", "cells with :",
                 "They are in a unit that this step is about: {names}."),
    "heat": Mark(Cell(7, heat=6), "how sure, or how urgent", "bars",
                 "At the right of a cell: the higher, the surer it is, or the more urgent."),
    "diagonal": Mark(Cell(7, FALLING), "on a diagonal", f"{UNICODE.falling} {UNICODE.rising}",
                     "They are on the two diagonals, which are units."),
    "cut": Mark(Cell(0), "the parent changes"),
    "struck": Mark(Cell(0, 0, SEVEN, struck=SEVEN), "candidate removed now", "highlighted",
                   "Candidates that this step removes."),
    "support": Mark(Cell(0, 0, SEVEN, support=SEVEN), "candidate: reason, or alone", "bold digits",
                    "Candidates that are a reason of this step, or the values of its pattern. One that is alone in its "
                    "cell is bold, too; a 3 alone has dots beside it."),
    "weights": Mark(Cell(0, 0, SEVEN, grades=(0,) * 6 + (2,)), "candidate: bold is likely"),
    "cursor": Mark(Cell(7, CURSOR), "the cell cursor"),
    "empty": Mark(Cell(0), "empty"),
    "none": Mark(Cell(0, CLASH, 0), "no candidate left", UNICODE.none + "!", "Empty cells that no value fits into."),
}
"""All marks of the board, in the order of the list. Those in conflict and the letters of parents have sentences that
depend on the board."""
OF_STEPS = ("moved", "moved_core", "partner", "reach", "parents", "tabu", "unit", "heat", "cut", "struck", "support",
            "weights")
"""The marks of steps; boards with questions have others in their place."""
ROLES: tuple[Role, ...] = ("core", "moved", "partner", "reach", "tabu")
"""The marks whose cells a view counts by their role."""
HIDING: Mapping[Role, tuple[Role, ...]] = {
    "partner": ("moved",), "tabu": ("moved", "partner"),
    "reach": ("moved", "partner", "tabu", "parent_a", "parent_b"),
}
"""The marks that are drawn in the place of another one."""


def sample(name: str, glyphs: Glyphs) -> Row:
    """A mark as the board draws it."""
    cell = MARKS[name].cell
    if name == "cut":
        return ((glyphs.dash * 3, "ink"),)
    if cell.struck or cell.support or cell.grades:
        return (" ", "blank"), candidate(cell, 7, "muted", "blank")
    return compact_line(cell, "7" if cell.value else glyphs.none if name == "none" else glyphs.empty, glyphs)


def marks_on(view: View, solver: AnySolver, puzzle: Puzzle,
             words: Mapping[Role, str] | None = None) -> Iterator[tuple[str, str, str]]:
    """(sign, number of cells, meaning) of the marks of a view. `words`: the meanings that differ from those of `MARKS`,
    by default those of the solver."""
    own = {**_of_child(view), **solver.mark_words} if words is None else words
    for role in ROLES:
        cells = _drawn(role, view)
        if cells:
            more = " " + _("Marked with ! and underlined.") if role == "core" else ""
            hidden = len(set(view.marks[role]) - cells)
            if role == "tabu" and hidden:
                more = " " + _("{hidden} more with a ban: another mark is drawn there.").format(hidden=count(hidden))
            yield _(MARKS[role].sign), count(len(cells)), _(own.get(role, MARKS[role].meaning)) + more
    yield from _origins(view, puzzle)


def _drawn(role: Role, view: View) -> set[int]:
    """The cells with a mark, without those where the board draws another one in its place."""
    return set(view.marks.get(role, ())).difference(*(view.marks.get(other, ()) for other in HIDING.get(role, ())))


def _of_child(view: View) -> dict[Role, str]:
    """The meaning of the mark of moved cells on a child, which may be of an earlier step."""
    panel = population_in(view.panel)
    if panel is None or not panel.parents:
        return {}
    return {"moved": _("Cells that the child did not inherit, highlighted: {how}.").format(how=_(panel.own))}


def _origins(view: View, puzzle: Puzzle) -> Iterator[tuple[str, str, str]]:
    """The letters of the parents, and the free cells without one."""
    origin, panel = origin_of(puzzle, view.marks), population_in(view.panel)
    lettered = {letter: len(set(view.marks.get(role, ())).intersection(puzzle.free_cells))
                for role, letter in zip(PARENTS, parent_letters(puzzle.n), strict=True)}
    if panel is None or not any(lettered.values()):
        return
    where = _where(origin, sum(lettered.values()))
    for (letter, cells), parent in zip(lettered.items(), panel.parents, strict=False):
        yield letter, count(cells), _("From parent {letter}, {who}.").format(
            letter=letter.upper(), who=name_of(parent)) + where
    neither = len(puzzle.free_cells) - len({*view.marks.get("moved", ())}) - sum(lettered.values())
    if neither > 0:
        yield _("no letter"), count(neither), _(
            "From neither parent: the crossover gave the cell a value that its gene still lacked.")


def _where(origin: Origin, lettered: int) -> str:
    """The place of the letters, where it is not at every cell."""
    if origin.rows:
        return " " + _("The letter at the number of a row is for all its free cells.")
    if len(origin.cells) < lettered:
        return " " + _("The letter at the first free cell of a box is for all its free cells.")
    return ""
