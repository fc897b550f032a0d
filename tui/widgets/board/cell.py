"""One cell of a board as spans: compact on one line, tall with line digits, or with pencilled candidates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.puzzle import SYMBOLS
from engine.view import Role as MarkRole
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets.board.layout import Layout
from tui.widgets.line_digits import HEAVY, LIGHT, Strokes
from tui.widgets.rows import Row, Span

(GIVEN, MOVED, CLASH, CURSOR, PARTNER, REACH, FALLING, RISING, UNIT, FROM_A, FROM_B,
 TABU, SMALL) = (1 << bit for bit in range(13))
"""Flags of a cell. FALLING, RISING: it is on a diagonal that is a unit; UNIT: it is in a unit of this step; FROM_A,
FROM_B: it is marked as inherited from that parent, with SMALL by a small letter."""

FLAGS: Mapping[MarkRole, int] = {
    "moved": MOVED, "conflict": CLASH, "core": CLASH, "partner": PARTNER, "reach": REACH, "tabu": TABU,
}
NO_CANDIDATES = -1
"""In place of the mask of a solver without candidates."""
NO_HEAT = -1
FIRST_LINE = 5
"""Candidates on the first line of a pencilled cell; the others are on the second."""
MIDDLE = 3
"""The candidate in the place of a value. A lone one has the sign of an empty cell on both sides."""
GRADES: tuple[Role, ...] = ("future", "text", "strong")
"""Roles of candidates by their weight."""
FADING: tuple[Role, ...] = ("muted", "text", "strong")
"""Roles of a tabu mark by the thirds of its remaining time."""


class Cell(NamedTuple):
    """The content of a cell: value (0 = empty), flags, candidates as a bit mask, and overlays."""

    value: int
    flags: int = 0
    candidates: int = NO_CANDIDATES
    heat: int = NO_HEAT
    """In eighths."""
    struck: int = 0
    """Candidates eliminated at this step, as a bit mask."""
    support: int = 0
    """Candidates that support the deduction of this step, as a bit mask."""
    grades: tuple[int, ...] = ()
    """Grade of each candidate by its weight, 0 to 2; empty: no weights."""


class Sides(NamedTuple):
    """The marks on both sides of a value; `free`: an alarm can replace the right one."""

    left: str
    right: str
    role: Role
    free: bool = False


def sides(flags: int, glyphs: Glyphs, heat: int = NO_HEAT) -> Sides:
    """The marks of a cell. The cursor replaces the brackets of a moved cell, whose ground stays. Heat is a bar at the
    right that all other marks replace, except on a tabu cell, where it is the remaining time."""
    if flags & CURSOR:
        return Sides(">", "<", "now" if flags & MOVED else "data_strong")
    if flags & MOVED:
        return Sides("[", "]", "now")
    if flags & PARTNER:
        return Sides("(", ")", "muted")
    if flags & TABU:
        return Sides(glyphs.mark("tabu"), glyphs.heats[max(heat, 0)], FADING[max(heat, 0) // 3])
    parent = "A" if flags & FROM_A else "B" if flags & FROM_B else ""
    within = glyphs.mark("reach") if flags & REACH else glyphs.mark("within") if flags & UNIT else " "
    left = (parent.lower() if flags & SMALL else parent) or within
    if heat > NO_HEAT:
        return Sides(left, glyphs.heats[heat], "muted", True)
    right = glyphs.falling if flags & FALLING else glyphs.rising if flags & RISING else " "
    return Sides(left, right, "muted", True)


def value_role(cell: Cell) -> Role:
    """Role of the digits."""
    if cell.flags & MOVED:
        return "now_conflict" if cell.flags & CLASH else "now"
    if cell.flags & CLASH:
        return "conflict_strong" if cell.flags & GIVEN else "conflict"
    if not cell.value:
        return "rule"
    return "strong" if cell.flags & GIVEN else "text"


@lru_cache(maxsize=4096)
def cell_lines(cell: Cell, layout: Layout, glyphs: Glyphs) -> tuple[Row, ...]:
    """The `layout.tall` lines of a cell, of `layout.cell_width` columns. An empty cell without candidates is a dead end
    in every layout, also at the step that eliminates the last of them."""
    if not cell.value and cell.candidates == 0:
        cell = cell._replace(flags=cell.flags | CLASH, struck=0)
    if layout.kind == "tall":
        return tall_lines(cell, glyphs)
    if layout.kind == "pencil":
        return pencil_lines(cell, glyphs)
    text = layout.value(cell.value) if cell.value else _empty(cell, glyphs).rjust(layout.digits)
    return (compact_line(cell, text, glyphs),)


def _empty(cell: Cell, glyphs: Glyphs) -> str:
    """The glyph of a cell without a value."""
    return glyphs.none if cell.candidates == 0 else glyphs.empty


def _mark(mark: str, role: Role) -> Span:
    """A mark; a blank one has no ground, except in the role `now`, whose ground is the mark."""
    return mark, role if mark.strip() or role == "now" else "blank"


def compact_line(cell: Cell, text: str, glyphs: Glyphs) -> Row:
    """Left mark, digits, right mark, overflow mark: ` 7! ` in conflict, `[7] ` moved, `[7]!` both, `>7< ` cursor."""
    left, right, role, free = sides(cell.flags, glyphs, cell.heat)
    clash = bool(cell.flags & CLASH)
    alarm: Span = ("!", "alarm") if clash else (" ", "blank")
    digits = text.lstrip()
    before: Row = ((text.removesuffix(digits), "now" if cell.flags & MOVED else "blank"),) if digits != text else ()
    body: Row = (_mark(left, role), *before, (digits, value_role(cell)))
    if clash and free:
        return (*body, alarm, (" ", "blank"))
    return (*body, _mark(right, role), alarm)


# Line digits

_TALL_BRACKETS = {"[": "⎡⎢⎣", "]": "⎤⎥⎦"}


def tall_lines(cell: Cell, glyphs: Glyphs) -> tuple[Row, ...]:
    """Three lines: brackets as tall as the digit, other marks beside its middle, an alarm at the top right (in ASCII
    beside the digit, which has one line), and an underline in conflict."""
    left, right, role, _free = sides(cell.flags, glyphs, cell.heat)
    strokes, roles = _strokes(cell, glyphs), _stroke_roles(cell, glyphs)
    lines = []
    for line in range(3):
        alarm: Span = ("! ", "alarm") if cell.flags & CLASH and line == glyphs.ascii else ("  ", "blank")
        marks = (_side(mark, line, role, glyphs) for mark in (left, right))
        lines.append((next(marks), (strokes[line], roles[line]), next(marks), alarm))
    return tuple(lines)


def _side(mark: str, line: int, role: Role, glyphs: Glyphs) -> Span:
    if mark in _TALL_BRACKETS:
        return (mark if glyphs.ascii else _TALL_BRACKETS[mark][line]), role
    return _mark(mark if line == 1 else " ", role)


def _strokes(cell: Cell, glyphs: Glyphs) -> Strokes:
    if cell.value and not glyphs.ascii:
        return (HEAVY if cell.flags & GIVEN else LIGHT)[str(cell.value)]
    middle = SYMBOLS[cell.value] if cell.value else _empty(cell, glyphs)
    return "   ", f" {middle} ", "   "


def _stroke_roles(cell: Cell, glyphs: Glyphs) -> tuple[Role, Role, Role]:
    """Roles of the three lines; only the lowest is underlined, or the middle one of a digit without strokes."""
    role = value_role(cell)
    if not cell.flags & CLASH:
        return role, role, role
    ground: Role = "now" if cell.flags & MOVED else "alarm"
    plain: Role = ground if ground == "now" else "blank"
    return (plain, role, plain) if glyphs.ascii or not cell.value else (ground, ground, role)


# Pencil marks


def pencil_lines(cell: Cell, glyphs: Glyphs) -> tuple[Row, ...]:
    """Two lines: a placed digit in the middle of the first, or the candidates, each in its own place."""
    if not cell.value and (cell.candidates > 0 or cell.struck):
        return _candidate_lines(cell, glyphs)
    text = SYMBOLS[cell.value] if cell.value else _empty(cell, glyphs)
    return (("  ", "blank"), *compact_line(cell, text, glyphs), (" ", "blank")), (("       ", "blank"),)


def _candidate_lines(cell: Cell, glyphs: Glyphs) -> tuple[Row, ...]:
    """Marks are at the edges of the first line; an alarm replaces the right one, or is at the end of the second."""
    left, right, role, free = sides(cell.flags, glyphs, cell.heat)
    clash = cell.flags & CLASH
    alarm: Span = ("!", "alarm") if clash else (" ", "blank")
    within = clash and free
    inner: Role = "conflict" if cell.flags & CLASH and not cell.struck else "muted"  # else the struck one is to blame
    if cell.candidates.bit_count() == 1 and not cell.flags & CLASH:
        inner = "data_strong"
    ground: Role = "now" if cell.flags & MOVED else "blank"
    first = [candidate(cell, value, inner, ground) for value in range(1, FIRST_LINE + 1)]
    if cell.candidates | cell.struck == 1 << MIDDLE - 1:
        beside: Span = (glyphs.empty, "now" if ground == "now" else "muted")
        first[MIDDLE - 2] = first[MIDDLE] = beside
    second = [candidate(cell, value, inner, "blank") for value in range(FIRST_LINE + 1, 2 * FIRST_LINE + 1)]
    return ((_mark(left, role), *first, alarm if within else _mark(right, role)),
            ((" ", "blank"), *second, (" ", "blank") if within else alarm))


def candidate(cell: Cell, value: int, role: Role, ground: Role) -> Span:
    """A candidate in its place. One that was eliminated at this step has the ground of a move."""
    bit = 1 << value - 1
    if cell.struck & bit:
        return SYMBOLS[value], "now"
    if not cell.candidates & bit:
        return " ", ground
    if ground == "now":
        return SYMBOLS[value], "now"
    if cell.support & bit:
        return SYMBOLS[value], "data_strong"
    if cell.grades and role == "muted":
        return SYMBOLS[value], GRADES[cell.grades[value - 1]]
    return SYMBOLS[value], role
