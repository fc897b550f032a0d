"""Explanations of the marks that are on the board now: sign, number of cells, meaning for this solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.events.population import name_of
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.text import count
from engine.view import Role, View, population_in
from tui.i18n import _
from tui.look.glyphs import UNICODE
from tui.widgets.board.overlays import PARENTS, Origin, origin_of

SIGNS: Mapping[Role, tuple[str, str]] = {
    "core": ("contradiction", "The cells of a dead end: they leave a cell no value, or a value no place."),
    "moved": ("[ ]", "The cells of this step, on yellow."),
    "partner": ("( )", "In conflict with a cell that moved."),
    "reach": (UNICODE.mark("reach"), "A moved cell could have been swapped with these instead."),
    "tabu": (UNICODE.mark("tabu"), "Its former value is banned there. The higher the bar, the longer the ban."),
}
"""The sign of each mark and what it means unless the solver has `mark_words` of its own, in the order shown. Those in
conflict and the letters of parents have sentences that depend on the board."""


def marks_on(view: View, solver: AnySolver, puzzle: Puzzle,
             words: Mapping[Role, str] | None = None) -> Iterator[tuple[str, str, str]]:
    """(sign, number of cells, meaning) of the marks of a view. `words`: the meanings that differ from those of `SIGNS`,
    by default those of the solver."""
    own = {**_of_child(view), **solver.mark_words} if words is None else words
    for role, (sign, meaning) in SIGNS.items():
        cells = _with_circle(view, puzzle) if role == "reach" else view.marks.get(role, ())
        if cells:
            underlined = " " + _("Marked with ! and underlined.") if role == "core" else ""
            yield _(sign), count(len(cells)), _(own.get(role, meaning)) + underlined
    yield from _origins(view, puzzle)


def _with_circle(view: View, puzzle: Puzzle) -> set[int]:
    """The cells within reach, without those where another mark is drawn at the left."""
    hiding: tuple[Role, ...] = ("moved", "partner", "tabu", "parent_a", "parent_b")
    within = {cell for unit in view.units for cell in puzzle.geometry.units[unit].cells}
    return set(view.marks.get("reach", ())).difference(within, *(view.marks.get(role, ()) for role in hiding))


def _of_child(view: View) -> dict[Role, str]:
    """The meaning of the mark of moved cells on a child, which may be of an earlier step."""
    panel = population_in(view.panel)
    if panel is None or not panel.parents:
        return {}
    return {"moved": _("Cells with a value from neither parent, on yellow: {how}.").format(how=_(panel.own))}


def _origins(view: View, puzzle: Puzzle) -> Iterator[tuple[str, str, str]]:
    """The letters of the parents, and the free cells without one."""
    origin, panel = origin_of(puzzle, view.marks), population_in(view.panel)
    lettered = {letter: len(set(view.marks.get(role, ())).intersection(puzzle.free_cells)) for role, letter in PARENTS}
    if panel is None or not any(lettered.values()):
        return
    where = _where(origin, sum(lettered.values()))
    for (letter, cells), parent in zip(lettered.items(), panel.parents, strict=False):
        yield letter, count(cells), _("From parent {letter}, {who}.").format(letter=letter, who=name_of(parent)) + where
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
