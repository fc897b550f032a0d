"""Contrast of every palette, and distance of the three hues that carry meaning, computed also for
those who lack red or green as well. No glyph is needed for this; that glyphs do as well without hues is tested too."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem
from rich.style import Style

from tests.tui.look import vision
from tui.look.glyphs import ASCII, UNICODE, Glyphs
from tui.look.theme import MONO, PALETTES, ROLES, Palette, Role
from tui.widgets.board import cell

XTERM = ("000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5",
         "7f7f7f", "ff0000", "00ff00", "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff")
CONSOLE = ("000000", "aa0000", "00aa00", "aa5500", "0000aa", "aa00aa", "00aaaa", "aaaaaa",
           "555555", "ff5555", "55ff55", "ffff55", "5555ff", "ff55ff", "55ffff", "ffffff")
"""The default first 16 colours of xterm and of the Linux console."""
GRAPHIC: tuple[Role, ...] = ("rule", "future")
"""Roles of lines and dots. What lies ahead is told by its ink, and must be seen (3 : 1, as the guidelines want of
graphics). Rules and empty cells only divide what is told by its place: they may recede, but not vanish."""
LEAST = {"rule": 1.9, "future": 2.7}
"""Of graphics; 3 but on the console, whose only dark grey has 2.8."""
CASES = [pytest.param(each, table, id=f"{name}-{named}")
         for name, each in PALETTES.items() if not each.mono
         for named, table in (("xterm", XTERM), ("console", CONSOLE))
         if named == "xterm" or (each.native and each.dark)]

Colour = tuple[int, ...]


def shown(colour: Color | None, default: int, which: Palette, table: tuple[str, ...]) -> Colour:
    """A colour as the terminal shows it; its own ink and ground are black and white, or the reverse."""
    if which.native:
        number = default if colour is None or colour.number is None else colour.number
        return tuple(bytes.fromhex(table[number]))
    assert colour is not None
    system = ColorSystem.EIGHT_BIT if which.name.endswith("256") else ColorSystem.TRUECOLOR
    return tuple(colour.downgrade(system).get_truecolor())


def pair(which: Palette, role: Role, table: tuple[str, ...] = XTERM) -> tuple[Colour, Colour]:
    """Ink and ground of a role."""
    style: Style = which.styles[role]
    return (shown(style.color, 7 if which.dark else 0, which, table),
            shown(style.bgcolor, 0 if which.dark else 15, which, table))


def test_the_difference_of_two_colours_is_that_of_its_authors() -> None:
    """Pairs 1, 7, 13, 17, 20, 25 and 34 of Sharma, Wu and Dalal."""
    for one, other, told in (
            ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, 0, 0), (50, -1, 2), 2.3669),
            ((50, -0.001, 2.49), (50, 0.0011, -2.49), 4.7461), ((50, 2.5, 0), (73, 25, -18), 27.1492),
            ((50, 2.5, 0), (58, 24, 15), 19.4535), ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
            ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082)):
        assert vision.ciede2000(one, other) == pytest.approx(told, abs=1e-4)
        assert vision.ciede2000(other, one) == pytest.approx(told, abs=1e-4)


def test_only_greys_look_the_same_with_every_vision() -> None:
    for light in vision.seen((120, 120, 120)).values():
        assert light == pytest.approx(vision.linear((120, 120, 120)), abs=2e-3)
    assert vision.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert vision.contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    everybody, told = vision.nearest([(190, 75, 0), (105, 115, 0)])
    assert told != "all cones"
    assert everybody < 20 < vision.ciede2000(*(vision.lab(vision.linear(c)) for c in ((190, 75, 0), (105, 115, 0))))


@pytest.mark.parametrize(("which", "table"), CASES)
def test_now_data_and_conflict_differ_with_every_vision(which: Palette, table: tuple[str, ...]) -> None:
    """By 20 of CIEDE2000, which asks more of these colours than the elder formula of 1976 would."""
    hues = [pair(which, "now", table)[1], pair(which, "data", table)[0], pair(which, "conflict", table)[0]]
    difference, how = vision.nearest(hues)
    assert difference >= 20, how


@pytest.mark.parametrize(("which", "table"), CASES)
def test_text_has_enough_contrast(which: Palette, table: tuple[str, ...]) -> None:
    needed = 7.0 if which.name.startswith("high") and not which.native else 4.5
    found = {role: vision.contrast(*pair(which, role, table)) for role in ROLES if role != "blank"}
    few = {role: LEAST.get(role, needed) for role in found}
    if which.name.startswith("high"):
        few |= dict.fromkeys(GRAPHIC, 3.9)
    assert {role: round(found[role], 2) for role, least in few.items() if found[role] < least} == {}


@pytest.mark.parametrize("which", [each for each in PALETTES.values() if each.native], ids=lambda each: each.name)
def test_bold_ink_is_readable_where_bold_is_bright(which: Palette) -> None:
    """On consoles, on xterm and in screen, bold ink of the first eight colours is that of the next eight."""
    for role in ROLES:
        style = which.styles[role]
        if not style.bold or style.color is None or style.color.number is None or style.color.number >= 8:
            continue
        for table in (XTERM, CONSOLE) if which.dark else (XTERM,):
            ground = pair(which, role, table)[1]
            assert vision.contrast(tuple(bytes.fromhex(table[style.color.number + 8])), ground) >= 3.9, role


def test_a_console_gets_no_bright_ground() -> None:
    """It has eight, and takes the dark one for the bright one: black on bright yellow would be black on brown."""
    for name, which in PALETTES.items():
        if name.endswith("-8"):
            assert all(style.bgcolor is None or style.bgcolor.number < 8 for style in which.styles.values()), name


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_without_hues_every_state_of_a_cell_has_a_glyph_or_weight(glyphs: Glyphs) -> None:
    states = (0, cell.GIVEN, cell.CLASH, cell.CLASH | cell.GIVEN, cell.MOVED,
              cell.MOVED | cell.CLASH, cell.CURSOR, cell.CURSOR | cell.MOVED,
              cell.PARTNER, cell.REACH, cell.TABU)
    drawn = {tuple((text, MONO.styles[role]) for text, role in
                   cell.compact_line(cell.Cell(7, flags), "7", glyphs)) for flags in states}
    assert len(drawn) == len(states)
