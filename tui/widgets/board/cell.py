"""One cell of a board in glyphs and roles: what its marks say, on one line, on three, or with its candidates."""

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
 TABU) = (1 << bit for bit in range(12))
"""What is said of a cell. FALLING and RISING: it lies on a diagonal that is a unit; UNIT: in one this step is about;
FROM_A and FROM_B: its value is from that parent, and is marked so."""

SAID_BY: Mapping[MarkRole, int] = {
    "moved": MOVED, "conflict": CLASH, "core": CLASH, "partner": PARTNER, "reach": REACH, "tabu": TABU,
}
NO_CANDIDATES = -1
"""In place of a mask, where the solver keeps none."""
NO_HEAT = -1
FIRST_LINE = 5
"""Candidates on the first line of a pencilled cell; the others stand below."""


GRADES: tuple[Role, ...] = ("future", "text", "strong")
"""How candidates are written by what speaks for them."""


FADING: tuple[Role, ...] = ("muted", "text", "strong")
"""How a mark is written that fades, by thirds of what is left."""


class Cell(NamedTuple):
    """What is known of a cell: its value (0 = empty), what is said of it, its candidates as a bit mask."""

    value: int
    flags: int = 0
    candidates: int = NO_CANDIDATES
    heat: int = NO_HEAT
    """In eighths."""
    struck: int = 0
    """Candidates that went at this step, as a bit mask."""
    support: int = 0
    """Candidates that this step rests on."""
    grades: tuple[int, ...] = ()
    """For every candidate what speaks for it, 0 (hardly anything) to 2 (most of all); empty: they are all the same."""


class Sides(NamedTuple):
    """The marks at both sides of a value; `free`: the right one may give way to an alarm."""

    left: str
    right: str
    role: Role
    free: bool = False


def sides(flags: int, glyphs: Glyphs, heat: int = NO_HEAT) -> Sides:
    """The most telling of a cell's marks. On a cell that moved the cursor replaces the brackets, the ground stays.
    Heat stands at the right as a bar, and gives way to every other mark but those of cells that may not move: there it
    says for how long."""
    if flags & CURSOR:
        return Sides(">", "<", "now" if flags & MOVED else "data_strong")
    if flags & MOVED:
        return Sides("[", "]", "now")
    if flags & PARTNER:
        return Sides("(", ")", "muted")
    if flags & TABU:
        return Sides(glyphs.tabu, glyphs.heats[max(heat, 0)], FADING[max(heat, 0) // 3])
    left = "A" if flags & FROM_A else "B" if flags & FROM_B else " "
    left = left.strip() or (glyphs.within if flags & UNIT else glyphs.empty if flags & REACH else " ")
    if heat > NO_HEAT:
        return Sides(left, glyphs.heats[heat], "muted", True)
    right = glyphs.falling if flags & FALLING else glyphs.rising if flags & RISING else " "
    return Sides(left, right, "muted", True)


def value_role(cell: Cell) -> Role:
    """How the digits are written."""
    if cell.flags & MOVED:
        return "now_conflict" if cell.flags & CLASH else "now"
    if cell.flags & CLASH:
        return "conflict_strong" if cell.flags & GIVEN else "conflict"
    if not cell.value:
        return "rule"
    return "strong" if cell.flags & GIVEN else "text"


@lru_cache(maxsize=4096)
def cell_lines(cell: Cell, layout: Layout, glyphs: Glyphs) -> tuple[Row, ...]:
    """A cell, `layout.tall` lines of `layout.cell_width` columns."""
    if layout.kind == "tall":
        return tall_lines(cell, glyphs)
    if layout.kind == "pencil":
        return pencil_lines(cell, glyphs)
    text = layout.value(cell.value) if cell.value else glyphs.empty.rjust(layout.digits)
    return (compact_line(cell, text, glyphs),)


def _mark(mark: str, role: Role) -> Span:
    """A mark; a blank one is on the ground of the screen, unless the ground is what it says."""
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

_TALL = {"[": "⎡⎢⎣", "]": "⎤⎥⎦"}


def tall_lines(cell: Cell, glyphs: Glyphs) -> tuple[Row, ...]:
    """Three lines: a bracket as tall as the digit, other marks beside its middle, an alarm at its top right (in ASCII,
    where the digit has but one line, beside it), and a line under the digit where it is in conflict."""
    left, right, role, _free = sides(cell.flags, glyphs, cell.heat)
    strokes, roles = _strokes(cell, glyphs), _stroke_roles(cell, glyphs)
    lines = []
    for line in range(3):
        alarm: Span = ("! ", "alarm") if cell.flags & CLASH and line == glyphs.ascii else ("  ", "blank")
        marks = (_side(mark, line, role, glyphs) for mark in (left, right))
        lines.append((next(marks), (strokes[line], roles[line]), next(marks), alarm))
    return tuple(lines)


def _side(mark: str, line: int, role: Role, glyphs: Glyphs) -> Span:
    if mark in _TALL:
        return (mark if glyphs.ascii else _TALL[mark][line]), role
    return _mark(mark if line == 1 else " ", role)


def _strokes(cell: Cell, glyphs: Glyphs) -> Strokes:
    if cell.value and not glyphs.ascii:
        return (HEAVY if cell.flags & GIVEN else LIGHT)[str(cell.value)]
    middle = SYMBOLS[cell.value] if cell.value else glyphs.empty
    return "   ", f" {middle} ", "   "


def _stroke_roles(cell: Cell, glyphs: Glyphs) -> tuple[Role, Role, Role]:
    """The line under a digit is drawn by its last row alone, or by all of it where it has but one."""
    role = value_role(cell)
    if not cell.flags & CLASH:
        return role, role, role
    ground: Role = "now" if cell.flags & MOVED else "alarm"
    plain: Role = ground if ground == "now" else "blank"
    return (plain, role, plain) if glyphs.ascii or not cell.value else (ground, ground, role)


# Pencil marks


def pencil_lines(cell: Cell, glyphs: Glyphs) -> tuple[Row, ...]:
    """Two lines: a placed digit in the middle of the first, else the candidates, each in a place of its own."""
    if not cell.value and (cell.candidates > 0 or cell.struck):
        return _candidate_lines(cell, glyphs)
    text = SYMBOLS[cell.value] if cell.value else glyphs.empty
    if not cell.value and cell.candidates == 0:
        cell, text = cell._replace(flags=cell.flags | CLASH), glyphs.none
    return (("  ", "blank"), *compact_line(cell, text, glyphs), (" ", "blank")), (("       ", "blank"),)


def _candidate_lines(cell: Cell, glyphs: Glyphs) -> tuple[Row, ...]:
    """The marks stand at the edges of the first line; an alarm takes the right one, or else that of the second."""
    left, right, role, free = sides(cell.flags, glyphs, cell.heat)
    clash = cell.flags & CLASH or cell.candidates == 0
    alarm: Span = ("!", "alarm") if clash else (" ", "blank")
    within = clash and free
    inner: Role = "conflict" if cell.flags & CLASH else "muted"
    if cell.candidates.bit_count() == 1 and not cell.flags & CLASH:
        inner = "data_strong"
    ground: Role = "now" if cell.flags & MOVED else "blank"
    first = [_candidate(cell, value, inner, ground) for value in range(1, FIRST_LINE + 1)]
    second = [_candidate(cell, value, inner, "blank") for value in range(FIRST_LINE + 1, 2 * FIRST_LINE + 1)]
    return ((_mark(left, role), *first, alarm if within else _mark(right, role)),
            ((" ", "blank"), *second, (" ", "blank") if within else alarm))


def _candidate(cell: Cell, value: int, role: Role, ground: Role) -> Span:
    """A candidate in its place; on the ground of a move in its ink, whatever else is said of it. One that was struck
    at this step stands on that ground."""
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
