"""Terminals that differ from one another, each as it takes the bytes."""

from __future__ import annotations

import copy
import unicodedata
from typing import Any

import pyte
from pyte import graphics

SECOND_SCREEN = 1049


class Xterm(pyte.Screen):
    """With a second screen, which leaves the first as it was. (pyte has but one.)"""

    _first: tuple[Any, Any] | None = None

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        if kwargs.get("private") and SECOND_SCREEN in modes and self._first is None:
            self._first = copy.deepcopy(self.buffer), copy.copy(self.cursor)
            self.erase_in_display(2)
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and SECOND_SCREEN in modes and self._first is not None:
            self.buffer, self.cursor = self._first
            self._first = None


class Wide(Xterm):
    """Draws characters of ambiguous width two columns wide, as some East Asian locales do."""

    def draw(self, data: str) -> None:
        for character in data:
            super().draw(character)
            if unicodedata.east_asian_width(character) == "A":
                super().draw(" ")


class VT100(pyte.Screen):
    """One screen, and of attributes bold, underline, blink and reverse, which go off together. It prints the end of
    every sequence that it cannot read."""

    passes_over = None
    KNOWN = frozenset((0, 1, 4, 5, 7))

    def select_graphic_rendition(self, *attrs: int) -> None:
        super().select_graphic_rendition(*(each for each in attrs or (0,) if each in self.KNOWN))


class Console(pyte.Screen):
    """The console of Linux (drivers/tty/vt/vt.c): one screen, eight grounds. Bright ink (90 to 97) is bold and ink, and
    so it stays for the next ink; a bright ground (100 to 107) is the dark one."""

    passes_over = None

    def select_graphic_rendition(self, *attrs: int) -> None:
        told: list[int] = []
        for each in attrs or (0,):
            told += [1, each - 60] if 90 <= each <= 97 else [each - 60] if 100 <= each <= 107 else [each]
        super().select_graphic_rendition(*told)


COLOURS = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")


def number(name: str) -> int | None:
    """The place among the first 16 colours of what pyte calls so; None: the terminal's own."""
    if name in ("default", ""):
        return None
    bright = name.startswith("bright")
    return COLOURS.index(name.removeprefix("bright").replace("yellow", "brown")) + 8 * bright


def inks(screen: pyte.Screen) -> list[tuple[str, int | None, int | None]]:
    """Every character that shows, with the numbers of its ink and ground where bold ink is bright ink."""
    found = []
    for y in range(screen.lines):
        for x in range(screen.columns):
            cell = screen.buffer[y][x]
            ink = number(cell.fg)
            bright = ink is not None and ink < 8 and cell.bold
            found.append((cell.data, None if cell.data == " " else ink + 8 * bright if ink is not None else ink,
                          number(cell.bg)))
    return found


assert graphics.FG_AIXTERM[90] == "brightblack"
