"""Digits drawn with box-drawing lines, three columns by three rows, in heavy and in light strokes."""

from __future__ import annotations

from collections.abc import Mapping

WIDTH, HEIGHT = 3, 3

Strokes = tuple[str, str, str]
"""The three rows of a character or a number, from the top."""


def _font(*rows: str) -> dict[str, Strokes]:
    """Cut three rows of ten digits, one blank between two, into characters by digit."""
    places = range(0, 10 * (WIDTH + 1), WIDTH + 1)
    drawn = [tuple(row[x : x + WIDTH] for row in rows) for x in places]
    return {str(digit): (top, middle, bottom) for digit, (top, middle, bottom) in enumerate(drawn)}


LIGHT: Mapping[str, Strokes] = _font(
    "╭─╮ ╶┐  ╶─╮ ╶─╮ ╷ ╷ ╭─╴ ╭─╴ ╶─┐ ╭─╮ ╭─╮",
    "│ │  │  ┌─┘  ─┤ ╰─┤ ╰─╮ ├─╮   │ ├─┤ ╰─┤",
    "╰─╯ ╶┴╴ ╰─╴ ╶─╯   ╵ ╶─╯ ╰─╯   ╵ ╰─╯ ╶─╯",
)
HEAVY: Mapping[str, Strokes] = _font(
    "┏━┓ ╺┓  ╺━┓ ╺━┓ ╻ ╻ ┏━╸ ┏━╸ ╺━┓ ┏━┓ ┏━┓",
    "┃ ┃  ┃  ┏━┛  ━┫ ┗━┫ ┗━┓ ┣━┓   ┃ ┣━┫ ┗━┫",
    "┗━┛ ╺┻╸ ┗━╸ ╺━┛   ╹ ╺━┛ ┗━┛   ╹ ┗━┛ ╺━┛",
) | {
    ".": (" ", " ", "."), " ": (" ", " ", " "), "+": ("   ", "╺╋╸", "   "), "−": ("   ", "╺━╸", "   "),
}
"""The digits, and the signs that numbers are written with."""


def drawable(text: str) -> bool:
    """Test that every character of a number has line digits."""
    return any(character.isdigit() for character in text) and all(character in HEAVY for character in text)


def enlarged(text: str) -> Strokes:
    """A number in heavy strokes. A leading blank takes the width of a digit, so that numbers stay aligned."""
    drawn = [("   ",) * HEIGHT if character == " " and not place else HEAVY[character]
             for place, character in enumerate(text)]
    top, middle, bottom = ("".join(rows) for rows in zip(*drawn, strict=True))
    return top, middle, bottom
