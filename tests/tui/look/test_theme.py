"""Palettes: the colours of the specification, and nothing that is lost without colour."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem

from tui.look import THEMES
from tui.look.theme import (
    DARK,
    DARK_16,
    LIGHT,
    LIGHT_16,
    MONO,
    PALETTES,
    ROLES,
    Look,
    other_contrast,
    other_ground,
    palette,
    textual_theme,
)

MEANINGS = ("now", "now_conflict", "conflict", "conflict_strong", "strong", "text")


def hexes(style) -> tuple[str | None, str | None]:
    return tuple(colour.get_truecolor().hex if colour else None for colour in (style.color, style.bgcolor))


def test_dark_and_light_are_the_specification():
    assert hexes(DARK.styles["text"]) == ("#d0d0d0", "#121212")
    assert hexes(DARK.styles["now"]) == hexes(LIGHT.styles["now"]) == ("#000000", "#f0e442")
    assert hexes(DARK.styles["ink"]) == ("#f0e442", "#121212")
    assert hexes(LIGHT.styles["ink"]) == ("#000000", "#f0e442")
    assert [hexes(each.styles["conflict"])[0] for each in (DARK, LIGHT)] == ["#d55e00", "#c05500"]
    assert [hexes(each.styles["data"])[0] for each in (DARK, LIGHT)] == ["#56b4e9", "#0072b2"]
    assert hexes(DARK.styles["bar"]) == ("#d0d0d0", "#303030")


def test_sixteen_colours_are_the_terminals_own():
    codes = {role: (style.color.number if style.color else None, style.bgcolor.number if style.bgcolor else None)
             for role, style in DARK_16.styles.items()}
    assert codes["now"] == (0, 11)
    assert (codes["text"][0], codes["strong"][0], codes["rule"][0], codes["data"][0]) == (7, 15, 8, 6)
    assert codes["text"][1] is None, "the terminal's own ground"
    assert LIGHT_16.styles["ink"].bgcolor == Color.from_ansi(11)
    assert LIGHT_16.styles["text"].color is None, "the terminal's own ink"
    assert all(style.color is None or style.color.number < 16 for style in LIGHT_16.styles.values())


def test_no_hue_in_mono_and_every_meaning_has_its_cue():
    assert all(style.color is None and style.bgcolor is None for style in MONO.styles.values())
    cues = {role: (bool(style.bold), bool(style.underline), bool(style.reverse))
            for role, style in MONO.styles.items() if role in MEANINGS}
    assert len(set(cues.values())) == len(MEANINGS)


@pytest.mark.parametrize("name", list(PALETTES))
def test_cues_are_the_same_in_every_palette(name):
    styles = PALETTES[name].styles
    assert set(styles) == set(ROLES)
    assert all(styles[role].underline for role in ("conflict", "conflict_strong", "now_conflict"))
    assert not any(styles[role].underline for role in ROLES if "conflict" not in role)
    weighty = [styles[role] for role in ("strong", "bar_strong", "now", "ink", "conflict_strong")]
    assert all(style.bold or (style.color == Color.from_ansi(0) and style.bgcolor) for style in weighty)
    assert not any(style.dim or style.blink or style.italic for style in styles.values())


@pytest.mark.parametrize("name", ["dark", "light", "dark-256", "light-256"])
def test_greys_are_neutral(name):
    for role in ("blank", "bar", "rule", "future", "muted", "text", "strong"):
        for colour in (PALETTES[name].styles[role].color, PALETTES[name].styles[role].bgcolor):
            assert colour is None or len(set(colour.get_truecolor())) == 1, role


def index(style, ground: bool = False) -> int | None:
    colour = style.bgcolor if ground else style.color
    return colour.downgrade(ColorSystem.EIGHT_BIT).number


def test_256_colours_are_the_entries_of_the_specification():
    dark, light = PALETTES["dark-256"].styles, PALETTES["light-256"].styles
    greys = [index(dark[role]) for role in ("rule", "future", "muted", "text", "strong")]
    assert greys == [239, 243, 247, 252, 231]
    assert [index(dark[role], True) for role in ("blank", "bar", "now")] == [233, 236, 227]
    assert [index(light[role]) for role in ("rule", "muted", "text", "strong")] == [248, 241, 235, 16]
    assert [index(light[role], True) for role in ("blank", "bar", "now")] == [231, 253, 227]
    assert [index(each["conflict"]) for each in (dark, light)] == [166, 130]
    assert [index(each["data"]) for each in (dark, light)] == [74, 25]


def test_the_palette_of_a_depth():
    assert [palette(depth, "dark").name for depth in ("truecolor", "256", "16", "8", "mono")] == [
        "dark", "dark-256", "dark-16", "dark-8", "mono"]
    assert [palette(depth, "light").name for depth in ("truecolor", "256", "16", "mono")] == [
        "light", "light-256", "light-16", "mono"]
    assert Look(DARK).style("now") is DARK.styles["now"]


@pytest.mark.parametrize("name", list(PALETTES))
def test_the_theme_for_textual_has_our_ground(name):
    which = PALETTES[name]
    theme = textual_theme(which)
    ground = which.styles["blank"].bgcolor
    assert theme.background == ("ansi_default" if ground is None else ground.get_truecolor().hex)
    assert getattr(theme, "ansi", which.native) == which.native


@pytest.mark.parametrize("theme", THEMES)
def test_themes_are_reached_by_two_keys(theme):
    assert {theme, other_ground(theme), other_contrast(theme), other_ground(other_contrast(theme))} == set(THEMES)
    assert other_ground(other_ground(theme)) == theme == other_contrast(other_contrast(theme))
    for depth in ("truecolor", "256", "16"):
        assert palette(depth, theme).dark is (not theme.endswith("light"))
