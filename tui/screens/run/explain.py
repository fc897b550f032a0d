"""Why a cell cannot hold what it cannot hold: what its solver says struck each candidate, as a notice or a page."""

from __future__ import annotations

import re

from engine.events.population import name_of
from engine.puzzle import SYMBOLS, Puzzle, cell_name
from engine.text import count
from engine.view import Role, Sentence, View, population_in
from tui.i18n import GAP, _
from tui.messages import message
from tui.screens.dialogs.pager import SAID
from tui.widgets.board.cell_line import candidates
from tui.widgets.rows import Row, Space, Span, row
from tui.widgets.text import broken

VALUE = 4
"""Columns of a value on the page."""


def no_cell() -> Sentence:
    said = _("no cell is picked   {key_cell_left} {key_cell_down} {key_cell_up} {key_cell_right} go to one")
    return message(_("NOT AVAILABLE"), said, key_cell_left="h", key_cell_down="j", key_cell_up="k", key_cell_right="l")


def explained(puzzle: Puzzle, view: View, cell: int) -> Sentence:
    """What is known of this cell, on one line: `r1c2 could be 6 7   1: r1c4 in row 1   3: X-wing`."""
    name = cell_name(cell, puzzle.n)
    if puzzle.givens[cell]:
        return message(_("WHY"), _("{cell} is given {value}"), cell=name, value=SYMBOLS[puzzle.givens[cell]])
    if view.causes is None and came_from(view, cell):
        return message(_("WHY"), _("{cell} holds {left}") + GAP + "{origin}", cell=name,
                    left=_standing(puzzle, view, cell), origin=came_from(view, cell))
    if view.causes is None:
        return message(_("NOT AVAILABLE"), _("this solver does not say what struck a candidate"))
    said = {"cell": name, "left": _standing(puzzle, view, cell)}
    reasons = struck(puzzle, view, cell)
    template = _("{cell} holds {left}") if view.grid[cell] else _("{cell} could be {left}")
    if not reasons:
        return message(_("WHY"), template + GAP + _("nothing is said of what was struck"), **said)
    for value, cause in reasons:
        said |= {f"value_{value}": SYMBOLS[value], f"cause_{value}": cause}
    pieces = (f"{{value_{value}}}: {{cause_{value}}}" for value, _cause in reasons)
    return message(_("WHY"), GAP.join((template, *pieces)), **said)


def came_from(view: View, cell: int) -> str:
    """From whom the individual on the board has what stands in a cell; empty where that is not known."""
    panel, children = population_in(view.panel), (*view.marks.get("parent_a", ()), *view.marks.get("parent_b", ()))
    if panel is None or not children:
        return ""
    roles: tuple[Role, ...] = ("parent_a", "parent_b")
    for letter, role, parent in zip("AB", roles, panel.parents, strict=False):
        if cell in view.marks.get(role, ()):
            return _("from parent {letter} {who}").format(letter=letter, who=name_of(parent))
    own = cell in view.marks.get("moved", ())
    return _("from neither parent: {how}").format(how=_(panel.own)) if own else ""


def struck(puzzle: Puzzle, view: View, cell: int) -> tuple[tuple[int, str], ...]:
    """(value, what struck it) for every candidate of a cell of which that is known, by ascending values."""
    causes = (view.causes or ())[cell * puzzle.n:(cell + 1) * puzzle.n]
    return tuple((value, _told(puzzle, cell, cause)) for value, cause in enumerate(causes, 1) if cause)


def why_pages(puzzle: Puzzle, view: View, cell: int, step: int, space: Space) -> list[list[Row]]:
    """The same with a line for each candidate, page by page."""
    width = min(max(space.width - 4 - VALUE, 10), SAID)
    standing, name = _standing(puzzle, view, cell), cell_name(cell, puzzle.n)
    heading = (_("{cell} holds {left}") if view.grid[cell] else _("{cell} could be {left}")).format(
        cell=name, left=standing)
    after = _("after step {step}; what it cannot be, and what struck that:").format(step=count(step))
    lines: list[list[Span]] = [[(space.glyphs.text(line), "strong")] for line in broken(heading, width)]
    lines += [[(line, "muted")] for line in broken(after, width)]
    lines.append([])
    for value, cause in struck(puzzle, view, cell):
        first, *more = broken(space.glyphs.text(cause), width)
        lines.append([(f"{SYMBOLS[value]:<{VALUE}}", "strong"), (first, "text")])
        lines += [[(" " * VALUE, "blank"), (line, "text")] for line in more]
    drawn = [row((("  ", "blank"), *spans), space.width) for spans in lines]
    return [drawn[at:at + space.height] for at in range(0, len(drawn), max(space.height, 1))]


def _standing(puzzle: Puzzle, view: View, cell: int) -> str:
    """The value of a cell, or the values that it could have."""
    held = view.grid[cell]
    values = (held,) if held else candidates(puzzle, view, cell)
    return " ".join(SYMBOLS[value] for value in values) or _("nothing")


def _told(puzzle: Puzzle, cell: int, cause: str) -> str:
    """A cause; where it is a cell, with the unit that both are in."""
    named = re.fullmatch(r"r(\d+)c(\d+)", cause)
    if named is None:
        return _(cause)
    down, right = (int(each) - 1 for each in named.groups())
    if max(down, right) >= puzzle.n:
        return cause
    units = puzzle.geometry.units_of
    shared = [unit.name for unit in units[cell] if unit in units[down * puzzle.n + right]]
    return _("{cell} in {unit}").format(cell=cause, unit=_(shared[0])) if shared else cause
