"""Parses a typed question to the automata: a value for a cell, a word for a unit, or a fixed question."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from engine.errors import PuzzleError
from engine.puzzle import SYMBOLS, Geometry
from tui.i18n import _

KINDS = {"row": "row", "r": "row", "column": "column", "col": "column", "c": "column", "box": "box", "block": "box",
         "b": "box", "diagonal": "diagonal", "diag": "diagonal", "d": "diagonal"}
FIXED: dict[str, Literal["solution", "second", "unique"]] = {
    "solution": "solution", "a solution": "solution", "solve": "solution", "second solution": "second",
    "second": "second", "another solution": "second", "a second solution": "second", "unique": "unique",
    "exactly one": "unique",
}
ANY = frozenset("._*")
"""Wildcards in a word."""


class ParsedQuestion(Struct, frozen=True):
    """A question as it was typed."""

    topic: Literal["value", "word", "model", "solution", "second", "unique", "count", "unit"]
    """`unit`: select that unit."""
    cell: int = 0
    value: int = 0
    unit: int | None = None
    """None: the selected one."""
    word: tuple[int, ...] = ()
    limit: int = 10
    """Solutions to count at most."""


def parse_question(typed: str, geometry: Geometry) -> ParsedQuestion:
    """Parse a question. Raises PuzzleError, which names the expected form."""
    text = " ".join(typed.lower().replace("?", " ").split())
    if text in FIXED:
        return ParsedQuestion(FIXED[text])
    if text in ("word", "a word", "another word"):
        return ParsedQuestion("model")
    counted = re.fullmatch(r"count(?: (\d{1,6}))?", text)
    if counted is not None:
        return _count(int(counted[1] or ParsedQuestion("count").limit))
    placed = re.fullmatch(r"r ?(\d+) ?c ?(\d+) ?(?:=|:| ) ?(\S+)", text)
    if placed is not None:
        return _placement((placed[1], placed[2]), placed[3], geometry)
    unit = re.fullmatch(r"([a-z]+) ?(\d+)(?: ?[=:] ?| +|$)(.*)", text)
    if unit is not None and unit[1] in KINDS:
        index = unit_index(f"{unit[1]} {unit[2]}", geometry)
        return _word(unit[3], geometry.n, index) if unit[3] else ParsedQuestion("unit", unit=index)
    return _word(text, geometry.n, None)


def _count(limit: int) -> ParsedQuestion:
    if limit < 1:
        raise PuzzleError(_("count {limit}: expected 1 or more").format(limit=limit))
    return ParsedQuestion("count", limit=limit)


def _placement(where: tuple[str, str], typed: str, geometry: Geometry) -> ParsedQuestion:
    n = geometry.n
    for name, number in zip((_("row"), _("column")), where, strict=True):
        if len(number) > 3 or not 1 <= int(number) <= n:
            raise PuzzleError(_("{name} {number}: expected 1 to {n}").format(name=name, number=number[:20], n=n))
    value = value_of(typed, n)
    if value is None or not 1 <= value <= n:
        raise PuzzleError(_("value {typed}: expected 1 to {n}").format(typed=typed[:20], n=n))
    return ParsedQuestion("value", (int(where[0]) - 1) * n + int(where[1]) - 1, value)


def unit_index(typed: str, geometry: Geometry) -> int:
    """The index in `geometry.units` of `row 3`, `column 5`, `box 2` or `diagonal 1`. Raises PuzzleError."""
    found = re.fullmatch(r"\s*([a-z]+) ?(\d{1,3})\s*", typed.lower())
    if found is None or found[1] not in KINDS:
        raise PuzzleError(_("unit {typed}: expected \"row 3\", \"column 5\", \"box 2\" or \"diagonal 1\"").format(
            typed=repr(typed[:40]) if not typed.isprintable() or not typed else typed[:40]))
    name = f"{KINDS[found[1]]} {int(found[2])}"
    units = [unit.name for unit in geometry.units]
    if name in units:
        return units.index(name)
    last = sum(unit.kind == KINDS[found[1]] for unit in geometry.units)
    if not last:
        raise PuzzleError(_("{unit}: this board has no diagonals, expected a row, a column or a box").format(unit=name))
    raise PuzzleError(_("{unit}: expected {kind} 1 to {last}").format(unit=name, kind=KINDS[found[1]], last=last))


def value_of(typed: str, n: int) -> int | None:
    """Parse a value, a number or from 10 on a letter; None for anything else."""
    if typed.isascii() and typed.isdigit() and len(typed) <= 3:
        return int(typed)
    if len(typed) == 1 and typed.isascii() and typed.isalpha():
        return ord(typed.upper()) - ord("A") + 10
    return None


def _word(text: str, n: int, unit: int | None) -> ParsedQuestion:
    """A word: letters without separators, or values with blanks or commas between them."""
    parts = text.replace(",", " ").split()
    letters = parts if len(parts) > 1 else list(text)
    values = [0 if letter in ANY else value_of(letter, n) for letter in letters]
    is_no_word = unit is None and text[:1].isalpha() and (value_of(text[0], n) or 0) > n
    if not letters or None in values or (is_no_word and ANY.isdisjoint(letters)):
        wrong = next((letter for letter, value in zip(letters, values, strict=True) if value is None), text)
        raise PuzzleError(_("{typed}: expected r1c6 = 2, a word of {n} values, row 3 = a word, solution, second "
                            "solution, unique or count").format(typed=_quoted(text, wrong), n=n))
    word = tuple(value for value in values if value is not None)
    some = any(letter in ANY for letter in letters)
    if some and len(word) != n:
        raise PuzzleError(_("a word of {length} values: expected {n}").format(length=len(word), n=n))
    if some and max(word) > n:
        raise PuzzleError(_("letter {value}: expected 1 to {n}, or . for any").format(value=max(word), n=n))
    return ParsedQuestion("model" if some else "word", unit=unit, word=word)


def _quoted(text: str, wrong: str) -> str:
    shown = text if len(text) <= 30 else f"{text[:27]}..."
    return shown if shown.isprintable() and shown else repr(wrong[:10])


def word_text(word: tuple[int, ...], n: int) -> str:
    """A word as text: letters without separators, or with blanks if a value has no letter."""
    if all(0 <= value < len(SYMBOLS) for value in word):
        return "".join(SYMBOLS[value] if value else "0" for value in word)
    return " ".join(map(str, word))
