"""The shortest sequence from one style to another equals the full one on a model of a screen."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.style import Style

from tui.terminal import sequences

COLOURS = st.none() | st.sampled_from(["#f0e442", "#121212", "#d55e00", "color(8)", "color(12)", "red", "default"])
FLAGS = st.sampled_from([None, True])
STYLES = st.builds(Style, color=COLOURS, bgcolor=COLOURS, bold=FLAGS, underline=FLAGS, reverse=FLAGS, italic=FLAGS,
                   strike=FLAGS)


def drawn(sequence: str) -> list[tuple]:
    screen = pyte.Screen(12, 1)
    pyte.Stream(screen).feed(sequence)
    return [screen.buffer[0][column] for column in range(12)]


@pytest.mark.sweep
@settings(max_examples=200)
@given(st.lists(st.tuples(st.sampled_from("ab"), STYLES), max_size=10), st.sampled_from(list(ColorSystem)[1:4]))
def test_changes_draw_what_full_styles_draw(letters, system):
    full = "".join(style.copy().render(text, color_system=system) for text, style in letters)
    lean, setting = "", sequences.PLAIN
    for text, style in letters:
        wanted = sequences.sgr_of(style.copy(), system)
        lean += sequences.change(setting, wanted) + text
        setting = wanted
    lean += sequences.change(setting, sequences.PLAIN)
    assert drawn(lean + "z") == drawn(full + "z")


def test_a_style_that_was_rendered_before_keeps_its_colours():
    style = Style(bgcolor="#131415")
    style.render("x", color_system=ColorSystem.STANDARD)
    assert sequences.sgr_of(style, ColorSystem.TRUECOLOR) == sequences.Sgr(ground="48;2;19;20;21")


def test_bold_does_not_take_dim_with_it():
    both, dim = sequences.Sgr(("1", "2")), sequences.Sgr(("2",))
    assert sequences.change(both, dim) == "\x1b[22;2m"
    assert sequences.change(dim, both) == "\x1b[1m"


@pytest.mark.parametrize(
    ("old", "new", "sequence"),
    [
        (sequences.PLAIN, sequences.PLAIN, ""),
        (sequences.Sgr(("1",), "38;5;9", ""), sequences.PLAIN, "\x1b[m"),
        (sequences.Sgr((), "38;5;9", "48;5;0"), sequences.Sgr(("4",), "38;5;9", "48;5;0"), "\x1b[4m"),
        (sequences.Sgr(("4",), "38;5;9", "48;5;0"), sequences.Sgr((), "38;5;8", "48;5;0"), "\x1b[24;38;5;8m"),
        (sequences.Sgr((), "38;5;9", "48;5;0"), sequences.Sgr((), "38;5;9", ""), "\x1b[49m"),
    ],
)
def test_only_what_differs_is_sent(old, new, sequence):
    assert sequences.change(old, new) == sequence


def test_a_link_is_more_than_a_setting():
    assert sequences.sgr_of(Style(link="https://example.org"), ColorSystem.TRUECOLOR) is None


def test_blanks_share_the_setting_of_a_neighbour_on_the_same_ground():
    text, other = sequences.Sgr(("1",), "37", "40"), sequences.Sgr((), "31", "40")
    assert sequences.common(text, "ab", other, "  ") == text
    assert sequences.common(text, "  ", other, "ab") == other
    assert sequences.common(text, "ab", other, "ab") is None
    assert sequences.common(text, "ab", sequences.Sgr((), "31", "41"), "  ") is None
    assert sequences.common(sequences.Sgr(("7",), "37", "40"), "ab", other, "  ") is None, "reverse shows on blanks"


def test_a_terminal_that_resets_all_attributes_gets_all_of_them_again():
    strong, rule = sequences.Sgr(("1",), "97"), sequences.Sgr((), "90")
    assert sequences.change(sequences.PLAIN, strong, False) == "\x1b[1;97m"
    assert sequences.change(strong, rule, False) == "\x1b[0;90m"
    changed = sequences.change(sequences.Sgr((), "31", "44"), sequences.Sgr((), "31"), False)
    assert changed == "\x1b[0;31m", "no 49 on a VT100"
    assert sequences.change(strong, strong, False) == ""
    assert sequences.change(strong, sequences.PLAIN, False) == "\x1b[m"
