"""Blanks are erased where the terminal erases in the current background; the screen is the same."""

from __future__ import annotations

import pyte
import pytest

from tui.terminal import sequences
from tui.terminal.capabilities import Terminfo
from tui.terminal.sequences import PLAIN, Piece, Sgr, written

GROUND = Sgr((), "38;2;1;2;3", "48;2;9;9;9")
LINES = ["ab" + " " * 30 + "cd" + " " * 20 + "ef", "x" + " " * 59, " " * 60, " " * 20 + "end" + " " * 8 + "!",
         "a b   c"]


def shown(sequence: str) -> list[list[object]]:
    screen = pyte.Screen(60, len(LINES))
    screen.draw("~" * 60 * len(LINES))
    pyte.Stream(screen).feed(sequence)
    return [[(cell.data, cell.bg) for cell in (screen.buffer[y][x] for x in range(60))] for y in range(len(LINES))]


@pytest.mark.parametrize("setting", [PLAIN, GROUND], ids=["plain", "ground"])
def test_what_is_erased_looks_as_if_it_were_written(setting: Sgr) -> None:
    found = [Piece(y, 0, line, len(line), setting) for y, line in enumerate(LINES)]
    found.insert(1, Piece(0, 59, "|", 1, setting))
    whole, erased = (written(found, able) for able in (Terminfo(), Terminfo(True, True)))
    assert shown(erased) == shown(whole)
    assert len(erased) < len(whole) / 2


def test_a_terminal_that_erases_in_its_own_ground_gets_blanks_where_another_is_set() -> None:
    blanks = " " * 40
    assert sequences.with_erasing(blanks, GROUND, Terminfo(True, False)) == (blanks, 0)
    assert sequences.with_erasing(blanks, PLAIN, Terminfo(True, False)) == ("\x1b[40X", 40)
    assert sequences.with_erasing(blanks, Sgr(("4",)), Terminfo(True, True)) == (blanks, 0)
    assert sequences.with_erasing(blanks, PLAIN, Terminfo(False, True)) == (blanks, 0)
