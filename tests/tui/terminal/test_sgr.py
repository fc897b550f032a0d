"""The least sequence from one style to another says the same as the full one, on a real screen model."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.style import Style

from tui.terminal import sgr

COLOURS = st.none() | st.sampled_from(["#f0e442", "#121212", "#d55e00", "color(8)", "color(12)", "red", "default"])
FLAGS = st.sampled_from([None, True])
STYLES = st.builds(Style, color=COLOURS, bgcolor=COLOURS, bold=FLAGS, underline=FLAGS, reverse=FLAGS, italic=FLAGS,
                   strike=FLAGS)


def drawn(sequence: str) -> list[tuple]:
    screen = pyte.Screen(12, 1)
    pyte.Stream(screen).feed(sequence)
    return [screen.buffer[0][column] for column in range(12)]


@settings(max_examples=200)
@given(st.lists(st.tuples(st.sampled_from("ab"), STYLES), max_size=10), st.sampled_from(list(ColorSystem)[1:4]))
def test_changes_draw_what_full_styles_draw(letters, system):
    full = "".join(style.copy().render(text, color_system=system) for text, style in letters)
    lean, setting = "", sgr.PLAIN
    for text, style in letters:
        wanted = sgr.of(style.copy(), system)
        lean += sgr.change(setting, wanted) + text
        setting = wanted
    lean += sgr.change(setting, sgr.PLAIN)
    assert drawn(lean + "z") == drawn(full + "z")


def test_a_style_that_was_rendered_before_keeps_its_colours():
    style = Style(bgcolor="#131415")
    style.render("x", color_system=ColorSystem.STANDARD)
    assert sgr.of(style, ColorSystem.TRUECOLOR) == sgr.Sgr(ground="48;2;19;20;21")


def test_bold_does_not_take_dim_with_it():
    both, dim = sgr.Sgr(("1", "2")), sgr.Sgr(("2",))
    assert sgr.change(both, dim) == "\x1b[22;2m"
    assert sgr.change(dim, both) == "\x1b[1m"


@pytest.mark.parametrize(
    ("old", "new", "sequence"),
    [
        (sgr.PLAIN, sgr.PLAIN, ""),
        (sgr.Sgr(("1",), "38;5;9", ""), sgr.PLAIN, "\x1b[m"),
        (sgr.Sgr((), "38;5;9", "48;5;0"), sgr.Sgr(("4",), "38;5;9", "48;5;0"), "\x1b[4m"),
        (sgr.Sgr(("4",), "38;5;9", "48;5;0"), sgr.Sgr((), "38;5;8", "48;5;0"), "\x1b[24;38;5;8m"),
        (sgr.Sgr((), "38;5;9", "48;5;0"), sgr.Sgr((), "38;5;9", ""), "\x1b[49m"),
    ],
)
def test_only_what_differs_is_sent(old, new, sequence):
    assert sgr.change(old, new) == sequence


def test_a_link_is_more_than_a_setting():
    assert sgr.of(Style(link="https://example.org"), ColorSystem.TRUECOLOR) is None


def test_blanks_share_the_setting_of_a_neighbour_on_the_same_ground():
    text, other = sgr.Sgr(("1",), "37", "40"), sgr.Sgr((), "31", "40")
    assert sgr.either(text, "ab", other, "  ") == text
    assert sgr.either(text, "  ", other, "ab") == other
    assert sgr.either(text, "ab", other, "ab") is None
    assert sgr.either(text, "ab", sgr.Sgr((), "31", "41"), "  ") is None
    assert sgr.either(sgr.Sgr(("7",), "37", "40"), "ab", other, "  ") is None, "reverse shows on blanks"


def test_a_terminal_that_turns_off_all_at_once_is_told_everything_anew():
    strong, rule = sgr.Sgr(("1",), "97"), sgr.Sgr((), "90")
    assert sgr.change(sgr.PLAIN, strong, False) == "\x1b[1;97m"
    assert sgr.change(strong, rule, False) == "\x1b[0;90m"
    assert sgr.change(sgr.Sgr((), "31", "44"), sgr.Sgr((), "31"), False) == "\x1b[0;31m", "no 49 on a VT100"
    assert sgr.change(strong, strong, False) == ""
    assert sgr.change(strong, sgr.PLAIN, False) == "\x1b[m"
