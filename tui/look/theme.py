"""The palette: one style for every role, in thirteen variants. Nothing else in the program names a colour.

A role is the meaning of a piece of the screen; a palette is its look on this terminal. Every meaning also has a
cue that survives without colour (bold, reverse, underline, or a glyph of its own), so the `mono` palette loses none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace
from rich.color import Color
from rich.style import Style

from tui.look import THEMES, ThemeName
from tui.look.glyphs import UNICODE, Glyphs

if TYPE_CHECKING:
    from textual.theme import Theme

Depth = Literal["truecolor", "256", "16", "8", "mono"]
"""The number of colours of the terminal; `mono` has none. `8` is a console with sixteen foregrounds and eight
backgrounds."""

Role = Literal[
    "blank", "bar", "bar_bold", "bar_strong", "rule", "future", "muted", "text", "strong", "now", "now_conflict", "ink",
    "data", "data_strong", "conflict", "conflict_strong", "alarm", "selected",
    "heat_0", "heat_1", "heat_2", "heat_3", "heat_4",
]
"""The meaning of a piece of the screen.

`blank`: nothing. `bar`, `bar_bold`, `bar_strong`: header row, second badge. `rule`: rules, empty tracks, empty cells.
`future`: recorded but ahead of the playhead. `muted`: labels, units, hints. `text`. `strong`: values, givens, headings,
keys. `now`: ground of what happens at this step; `now_conflict`: a digit on it that is in conflict. `ink`: the same
without a ground (playhead, knob, p). `data`, `data_strong`: best, cursor marks. `conflict`, `conflict_strong`: a digit
in conflict, and one that is given. `alarm`: the `!` beside them. `selected`: the chosen tab or row of a list. `heat_0`
to `heat_4`: grounds of a map, from the least to the most; where there are none the map draws a bar beside its numbers.
"""
HEATS: tuple[Role, ...] = ("heat_0", "heat_1", "heat_2", "heat_3", "heat_4")

ROLES: tuple[Role, ...] = get_args(Role)
INK_ONLY: frozenset[Role] = frozenset(
    ("blank", "rule", "future", "muted", "text", "strong", "data", "data_strong", "alarm"))
"""The roles of which nothing is seen on a blank, whatever the palette."""


class _Colours(Struct, frozen=True):
    """The colours of one variant; an empty text is the terminal's own."""

    bg: str
    bar: str
    rule: str
    future: str
    muted: str
    text: str
    strong: str
    now_ground: str
    now_text: str
    ink: str
    ink_ground: str
    data: str
    conflict: str
    selected_text: str
    selected_ground: str
    heats: tuple[tuple[str, str], ...] = ()
    """Ink and ground of the steps of a map; none: neither has a colour."""


_HEATS = (("#ffffff", "#262626"), ("#ffffff", "#4e4e4e"), ("#000000", "#a8a8a8"), ("#000000", "#c6c6c6"),
          ("#000000", "#e4e4e4"))
_HEATS_LIGHT = (("#000000", "#eeeeee"), ("#000000", "#d0d0d0"), ("#000000", "#a8a8a8"), ("#ffffff", "#4e4e4e"),
                ("#ffffff", "#262626"))
"""Greys of the xterm ramp, so that every palette with grounds has the same."""

_DARK = _Colours(
    bg="#121212", bar="#303030", rule="#4e4e4e", future="#767676", muted="#9e9e9e", text="#d0d0d0", strong="#ffffff",
    now_ground="#f0e442", now_text="#000000", ink="#f0e442", ink_ground="#121212", data="#56b4e9", conflict="#d55e00",
    selected_text="#000000", selected_ground="#56b4e9", heats=_HEATS,
)
_LIGHT = _Colours(
    bg="#ffffff", bar="#dcdcdc", rule="#a8a8a8", future="#949494", muted="#5f5f5f", text="#262626", strong="#000000",
    now_ground="#f0e442", now_text="#000000", ink="#000000", ink_ground="#f0e442", data="#0072b2", conflict="#c05500",
    selected_text="#ffffff", selected_ground="#0072b2", heats=_HEATS_LIGHT,
)
"""The vermillion is darker than on a dark ground: #d55e00 on white has a contrast of 3.9, too little for digits."""
_DARK_256 = _Colours(
    bg="#121212", bar="#303030", rule="#4e4e4e", future="#767676", muted="#a2a2a2", text="#d3d3d3", strong="#ffffff",
    now_ground="#ffff5f", now_text="#000000", ink="#ffff5f", ink_ground="#121212", data="#5fafd7", conflict="#d75f00",
    selected_text="#000000", selected_ground="#5fafd7", heats=_HEATS,
)
_LIGHT_256 = _Colours(
    bg="#ffffff", bar="#dfdfdf", rule="#acacac", future="#989898", muted="#626262", text="#262626", strong="#000000",
    now_ground="#ffff5f", now_text="#000000", ink="#000000", ink_ground="#ffff5f", data="#005faf", conflict="#af5f00",
    selected_text="#ffffff", selected_ground="#005f87", heats=_HEATS_LIGHT,
)
"""Corrections where Rich's conversion to the xterm palette differs from the specification: it turns the yellow into an
orange, and three greys into the next darker ones."""
_CONTRAST = _Colours(
    bg="#000000", bar="#303030", rule="#9e9e9e", future="#9e9e9e", muted="#dadada", text="#ffffff", strong="#ffffff",
    now_ground="#ffff00", now_text="#000000", ink="#ffff00", ink_ground="#000000", data="#87d7ff", conflict="#ff5f5f",
    selected_text="#000000", selected_ground="#87d7ff", heats=_HEATS,
)
_CONTRAST_LIGHT = _Colours(
    bg="#ffffff", bar="#d0d0d0", rule="#626262", future="#626262", muted="#303030", text="#000000", strong="#000000",
    now_ground="#ffff00", now_text="#000000", ink="#000000", ink_ground="#ffff00", data="#005f87", conflict="#870000",
    selected_text="#ffffff", selected_ground="#005f87", heats=_HEATS_LIGHT,
)
"""Entries of the xterm palette, identical with 256 colours. The vermillion of the dark theme is a red here: an orange
of that lightness is too close to the yellow for viewers without green."""
_DARK_16 = _Colours(
    bg="", bar="", rule="8", future="8", muted="7", text="7", strong="15", now_ground="11", now_text="0", ink="11",
    ink_ground="", data="6", conflict="9", selected_text="0", selected_ground="6",
)
_LIGHT_16 = _Colours(
    bg="", bar="", rule="8", future="8", muted="", text="", strong="", now_ground="11", now_text="0", ink="0",
    ink_ground="11", data="4", conflict="1", selected_text="15", selected_ground="4",
)
"""Bright blue (12) has a contrast of 4.4 on xterm's black and of 4.1 on the console's, grey (8) one of 4.0 on white,
light grey (7) one of 1.3. On a light ground the terminal's own ink is dark, and stays so when it is bold."""
_CONTRAST_16 = replace(_DARK_16, rule="7", future="7", muted="15", text="15", data="14", selected_ground="14")
_CONTRAST_LIGHT_16 = _LIGHT_16
_DARK_8 = replace(_DARK_16, now_ground="4", now_text="11")
_CONTRAST_8 = replace(_CONTRAST_16, now_ground="4", now_text="11", selected_ground="6")
"""Bright yellow is the foreground of current things where it cannot be a background: asked for it, the Linux console
takes brown, on which black has a contrast of 4.0."""


class Palette(Struct, frozen=True, eq=False):
    """The styles of one variant. Variants are singletons, comparable by identity."""

    name: str
    dark: bool
    native: bool
    """True where the terminal's own colours are used (16 colours, mono): no colour may then be computed."""
    styles: Mapping[Role, Style]

    @property
    def mono(self) -> bool:
        return self.name == "mono"


class Look(Struct, frozen=True):
    """All that a widget must know to draw itself: styles and glyphs."""

    palette: Palette
    glyphs: Glyphs = UNICODE

    def style(self, role: Role) -> Style:
        return self.palette.styles[role]


_BLACK = "0"
"""Bold black comes out grey wherever bold ink is bright ink: on consoles, on xterm, in screen. It is not made bold."""


def _colour(name: str) -> Color | None:
    if not name:
        return None
    return Color.from_ansi(int(name)) if name.isdigit() else Color.parse(name)


def _style(ink: str, ground: str, *, bold: bool = False, underline: bool = False) -> Style:
    bold = bold and ink != _BLACK
    return Style.from_color(_colour(ink), _colour(ground)) + Style(bold=bold or None, underline=underline or None)


def _coloured(c: _Colours) -> dict[Role, Style]:
    heats = c.heats or (("", ""),) * len(HEATS)
    return {
        "blank": _style("", c.bg),
        "bar": _style(c.text, c.bar),
        "bar_bold": _style(c.text, c.bar, bold=True),
        "bar_strong": _style(c.strong, c.bar, bold=True),
        "rule": _style(c.rule, c.bg),
        "future": _style(c.future, c.bg),
        "muted": _style(c.muted, c.bg),
        "text": _style(c.text, c.bg),
        "strong": _style(c.strong, c.bg, bold=True),
        "now": _style(c.now_text, c.now_ground, bold=True),
        "now_conflict": _style(c.now_text, c.now_ground, bold=True, underline=True),
        "ink": _style(c.ink, c.ink_ground, bold=True),
        "data": _style(c.data, c.bg),
        "data_strong": _style(c.data, c.bg, bold=True),
        "conflict": _style(c.conflict, c.bg, underline=True),
        "conflict_strong": _style(c.conflict, c.bg, bold=True, underline=True),
        "alarm": _style(c.conflict, c.bg),
        "selected": _style(c.selected_text, c.selected_ground, bold=True),
        **{role: _style(*each) for role, each in zip(HEATS, heats, strict=True)},
    }


def _uncoloured() -> dict[Role, Style]:
    plain, bold = Style(), Style(bold=True)
    return {
        "blank": plain, "bar": plain, "bar_bold": bold, "bar_strong": bold, "rule": plain, "future": plain,
        "muted": plain, "text": plain, "strong": bold,
        "now": Style(bold=True, reverse=True),
        "now_conflict": Style(bold=True, reverse=True, underline=True),
        "ink": bold, "data": plain, "data_strong": bold,
        "conflict": Style(underline=True),
        "conflict_strong": Style(bold=True, underline=True),
        "alarm": plain,
        "selected": bold,
        **dict.fromkeys(HEATS, plain),
    }


DARK = Palette("dark", True, False, _coloured(_DARK))
LIGHT = Palette("light", False, False, _coloured(_LIGHT))
DARK_256 = Palette("dark-256", True, False, _coloured(_DARK_256))
LIGHT_256 = Palette("light-256", False, False, _coloured(_LIGHT_256))
DARK_16 = Palette("dark-16", True, True, _coloured(_DARK_16))
LIGHT_16 = Palette("light-16", False, True, _coloured(_LIGHT_16))
MONO = Palette("mono", True, True, _uncoloured())
CONTRAST = Palette("high-contrast", True, False, _coloured(_CONTRAST))
CONTRAST_LIGHT = Palette("high-contrast-light", False, False, _coloured(_CONTRAST_LIGHT))
CONTRAST_16 = Palette("high-contrast-16", True, True, _coloured(_CONTRAST_16))
CONTRAST_LIGHT_16 = Palette("high-contrast-light-16", False, True, _coloured(_CONTRAST_LIGHT_16))
DARK_8 = Palette("dark-8", True, True, _coloured(_DARK_8))
CONTRAST_8 = Palette("high-contrast-8", True, True, _coloured(_CONTRAST_8))
_ALL = (DARK, LIGHT, DARK_256, LIGHT_256, DARK_16, LIGHT_16, MONO, CONTRAST, CONTRAST_LIGHT, CONTRAST_16,
        CONTRAST_LIGHT_16, DARK_8, CONTRAST_8)
PALETTES: Mapping[str, Palette] = {each.name: each for each in _ALL}


_COMPUTED = {"dark": _DARK, "light": _LIGHT, "dark-256": _DARK_256, "light-256": _LIGHT_256,
             "high-contrast": _CONTRAST, "high-contrast-light": _CONTRAST_LIGHT}
_CHOICE: Mapping[Depth, tuple[Palette, ...]] = {
    "truecolor": (DARK, LIGHT, CONTRAST, CONTRAST_LIGHT),
    "256": (DARK_256, LIGHT_256, CONTRAST, CONTRAST_LIGHT),
    "16": (DARK_16, LIGHT_16, CONTRAST_16, CONTRAST_LIGHT_16),
    "8": (DARK_8, DARK_8, CONTRAST_8, CONTRAST_8),
    "mono": (MONO, MONO, MONO, MONO),
}


def palette(depth: Depth, theme: ThemeName = "dark") -> Palette:
    """The palette of a theme for a terminal with this many colours."""
    return _CHOICE[depth][THEMES.index(theme)]


def other_ground(theme: ThemeName) -> ThemeName:
    """The theme of the same contrast, light for dark."""
    return THEMES[THEMES.index(theme) ^ 1]


def other_contrast(theme: ThemeName) -> ThemeName:
    """The theme on the same ground, high contrast for normal."""
    return THEMES[THEMES.index(theme) ^ 2]


def textual_theme(which: Palette) -> Theme:
    """The palette for the parts that Textual draws itself (grounds, inputs, lists, scrollbars)."""
    from textual.theme import Theme

    if which.native:
        plain = "ansi_default"
        blue, red, yellow = (plain, plain, plain) if which.mono else (
            "ansi_cyan" if which.dark else "ansi_blue", "ansi_red", "ansi_bright_yellow")
        return Theme(
            name=f"lab-{which.name}", primary=blue, secondary=blue, accent=blue, warning=yellow, error=red,
            success=blue, foreground=plain, background=plain, surface=plain, panel=plain, boost=plain,
            dark=which.dark, variables=_native_variables(), **_native_mark(Theme),
        )
    c = _COMPUTED[which.name]
    return Theme(
        name=f"lab-{which.name}", primary=c.data, secondary=c.data, accent=c.data, warning=c.now_ground,
        error=c.conflict, success=c.data, foreground=c.text, background=c.bg, surface=c.bg, panel=c.bar, boost=c.bar,
        dark=which.dark,
        variables={"block-cursor-background": c.selected_ground, "block-cursor-foreground": c.selected_text},
    )


def _native_mark(theme: type[Theme]) -> dict[str, Any]:
    """Later versions of Textual 8 want a theme of the terminal's own colours marked as such."""
    return {"ansi": True} if "ansi" in {each.name for each in fields(theme)} else {}


def _native_variables() -> dict[str, str]:
    """For computed colours: the terminal's own foreground and background, and reverse for selections."""
    plain = dict.fromkeys(
        (
            "ansi-background", "ansi-foreground", "border", "border-blurred", "block-cursor-foreground",
            "block-cursor-background", "block-cursor-blurred-foreground", "block-cursor-blurred-background",
            "input-cursor-background", "input-cursor-foreground", "input-selection-background",
            "input-selection-foreground", "screen-selection-background", "screen-selection-foreground", "scrollbar",
            "scrollbar-hover", "scrollbar-active", "scrollbar-background", "scrollbar-background-hover",
            "scrollbar-background-active", "scrollbar-corner-color", "footer-key-foreground", "link-color",
        ),
        "ansi_default",
    )
    return plain | {"block-cursor-text-style": "bold reverse", "input-cursor-text-style": "reverse"}
