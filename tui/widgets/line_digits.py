"""Digits drawn with lines, three columns by three rows: heavy strokes and light ones."""

from __future__ import annotations

from collections.abc import Mapping

WIDTH, HEIGHT = 3, 3

Strokes = tuple[str, str, str]
"""The three rows of a character, from the top."""


def _font(*rows: str) -> dict[str, Strokes]:
    """The ten digits of three rows in which they stand side by side, parted by a blank."""
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
"""With what else a number needs."""


def drawable(text: str) -> bool:
    """Whether a text is a number that has line digits, and not so long that they would fill the row."""
    return any(character.isdigit() for character in text) and all(character in HEAVY for character in text)


def enlarged(text: str) -> Strokes:
    """A number in heavy strokes; a blank before a sign or a digit keeps the place of a character."""
    drawn = [("   ",) * HEIGHT if character == " " and not place else HEAVY[character]
             for place, character in enumerate(text)]
    top, middle, bottom = ("".join(rows) for rows in zip(*drawn, strict=True))
    return top, middle, bottom
