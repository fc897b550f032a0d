"""Explanation of a cell: its value or candidates, and why the others were eliminated, as a message or a page."""

from __future__ import annotations

import re

from engine.events.population import name_of
from engine.puzzle import Puzzle, cell_name
from engine.techniques.order import TECHNIQUES
from engine.text import count
from engine.view import Role, Sentence, View, population_in
from tui.i18n import GAP, _
from tui.messages import message, unavailable
from tui.screens.dialogs.pager import SENTENCE, Pages, paged
from tui.widgets.board.cell_line import candidates
from tui.widgets.rows import Space, Span, row
from tui.widgets.text import broken

VALUE = 4
"""Columns of a value on the page."""


def no_cell(browsing: bool) -> Sentence:
    """`browsing`: the keys of the cell cursor move among the individuals."""
    template = _("select a cell first, with {key_cell_left} {key_cell_down} {key_cell_up} {key_cell_right}")
    if browsing:
        template = _("leave the individuals with {key_leave} first, then select a cell")
    return unavailable(template, key_cell_left="h", key_cell_down="j", key_cell_up="k", key_cell_right="l",
                       key_leave="esc")


def explanation(puzzle: Puzzle, view: View, cell: int) -> Sentence:
    """The explanation on one line: `r1c2 could be 6 7   ruled out: 1 by r1c4 in row 1   3 by X-wing`."""
    name = cell_name(cell, puzzle.n)
    if puzzle.givens[cell]:
        return message(_("WHY"), _("{cell} is given {value}"), cell=name, value=str(puzzle.givens[cell]))
    if view.causes is None and came_from(view, cell):
        return message(_("WHY"), _("{cell} holds {left}") + GAP + "{origin}", cell=name,
                    left=str(view.grid[cell]), origin=came_from(view, cell))
    if view.causes is None:
        return unavailable(_("this solver does not record what ruled out a value"))
    template, fields = _heading(puzzle, view, cell)
    reasons = eliminations(puzzle, view, cell)
    if not reasons:
        return message(_("WHY"), template + GAP + _without_causes(puzzle, view, cell), **fields)
    for value, cause in reasons:
        fields |= {f"value_{value}": str(value), f"cause_{value}": cause}
    pieces = (_("{value} by {cause}").format(value=f"{{value_{value}}}", cause=f"{{cause_{value}}}")
              for value, _cause in reasons)
    return message(_("WHY"), template + GAP + _("ruled out:") + " " + GAP.join(pieces), **fields)


def came_from(view: View, cell: int) -> str:
    """The parent from which the individual on the board has the value of a cell; empty if unknown."""
    panel, children = population_in(view.panel), (*view.marks.get("parent_a", ()), *view.marks.get("parent_b", ()))
    if panel is None or not children:
        return ""
    roles: tuple[Role, ...] = ("parent_a", "parent_b")
    for letter, role, parent in zip("AB", roles, panel.parents, strict=False):
        if cell in view.marks.get(role, ()):
            return _("from parent {letter} {who}").format(letter=letter, who=name_of(parent))
    own = panel.own if cell in view.marks.get("moved", ()) else "placed by the crossover"
    return _("from neither parent: {how}").format(how=_(own))


def eliminations(puzzle: Puzzle, view: View, cell: int) -> tuple[tuple[int, str], ...]:
    """(value, cause) for every eliminated candidate of a cell whose cause is known, by ascending values."""
    causes = (view.causes or ())[cell * puzzle.n:(cell + 1) * puzzle.n]
    own, held = cell_name(cell, puzzle.n), view.grid[cell]
    return tuple((value, _("the {value} placed here").format(value=held) if held and cause == own else
                  _cause(puzzle, cell, cause)) for value, cause in enumerate(causes, 1) if cause)


def _without_causes(puzzle: Puzzle, view: View, cell: int) -> str:
    """The sentence about a cell of which no cause of an elimination is known."""
    whole = not view.grid[cell] and len(candidates(puzzle, view, cell)) == puzzle.n
    return _("no value is ruled out yet") if whole else _("no causes of eliminations are recorded")


def explanation_pages(puzzle: Puzzle, view: View, cell: int, step: int, space: Space) -> Pages:
    """The explanation with a line for each elimination, in pages."""
    width = min(max(space.width - 4 - VALUE, 10), SENTENCE)
    template, fields = _heading(puzzle, view, cell)
    heading = space.glyphs.text(template.format_map(fields))
    causes = eliminations(puzzle, view, cell)
    after = _("after step {step}; eliminated values and their causes:") if causes else _("after step {step}; {why}")
    lines: list[list[Span]] = [[(line, "strong")] for line in broken(heading, width)]
    said = after.format(step=count(step), why=_without_causes(puzzle, view, cell))
    lines += [[(line, "muted")] for line in broken(said, width)]
    lines.append([])
    for value, cause in causes:
        first, *more = broken(space.glyphs.text(cause), width)
        lines.append([(f"{value:<{VALUE}}", "strong"), (first, "text")])
        lines += [[(" " * VALUE, "blank"), (line, "text")] for line in more]
    drawn = [row((("  ", "blank"), *spans), space.width) for spans in lines]
    return paged(drawn, space.height)


def _heading(puzzle: Puzzle, view: View, cell: int) -> tuple[str, dict[str, str]]:
    """(template, fields) of the value of a cell, or of its candidates."""
    name, held = cell_name(cell, puzzle.n), view.grid[cell]
    if held:
        return _("{cell} holds {left}"), {"cell": name, "left": str(held)}
    left = " ".join(map(str, candidates(puzzle, view, cell)))
    if not left:
        return _("no value is possible in {cell}"), {"cell": name}
    return _("{cell} could be {left}"), {"cell": name, "left": left}


def _cause(puzzle: Puzzle, cell: int, cause: str) -> str:
    """A cause as text; a cell with the unit that both share."""
    named = re.fullmatch(r"r(\d+)c(\d+)", cause)
    if named is None:
        known = any(cause == technique.name for technique in TECHNIQUES)
        return _("the technique {technique}").format(technique=_(cause)) if known else _(cause)
    down, right = (int(each) - 1 for each in named.groups())
    if max(down, right) >= puzzle.n:
        return cause
    units = puzzle.geometry.units_of
    shared = [unit.name for unit in units[cell] if unit in units[down * puzzle.n + right]]
    return _("{cell} in {unit}").format(cell=cause, unit=_(shared[0])) if shared else cause
