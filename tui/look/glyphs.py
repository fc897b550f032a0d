"""Every glyph beyond ASCII, and its ASCII replacement. The marks of events, cells and individuals are in `MARKS`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

MARKS: Mapping[str, tuple[str, str]] = {
    # judged moves
    "improved": ("▼", "v"), "equal": ("=", "="), "uphill": ("▲", "^"), "rejected": ("×", "x"),
    # turning points of a run
    "best": ("◆", "n"), "cooled": ("↧", "c"), "reheat": ("↻", "R"), "restart": ("↩", "<"), "generation": ("┆", "g"),
    "more": ("⇑", "M"), "shifted": ("⇄", "S"), "hand": ("◇", "o"),
    # searches
    "placed": ("+", "+"), "ruled_out": ("−", "-"), "taken_back": ("↶", "u"), "dead_end": ("┴", "D"),
    "noted": ("›", "'"),
    # ends of a run
    "solved": ("■", "#"), "gave_up": ("□", "G"), "no_solution": ("∄", "N"), "unknown": ("?", "?"),
    # cells of the board, and individuals
    "empty": ("·", "."), "reach": ("∘", ","), "within": (":", ":"), "tabu": ("⊘", "t"), "replaced": ("†", "X"),
}
"""By meaning, the mark and its ASCII replacement; no two meanings share either."""

_SPELLED = {
    "─": "-", "│": "|", "┼": "+", "━": "=", "·": ".", "●": "O", "◆": "*", "◇": "o", "○": "@", "↻": "R", "▲": "^",
    "▼": "v", "↓": "v", "↑": "^", "×": "x", "▶": ">", "◀": "<", "‖": "P", "├": "|", "┤": "|", "▫": "o", "▪": "O",
    "■": "#", "∅": "0", "↩": "<", "↔": "<>", "Δ": "d", "₀": "0", "₁": "1", "₂": "2", "α": "a", "β": "b", "σ": "s",
    "≤": "<=", "≥": ">=", "≠": "!=", "←": ":=", "→": "->", "−": "-", "–": "-", "—": "-", "…": "~", "Σ": "sum ",
    "Π": "prod ", "╲": "\\", "╱": "/", "’": "'", "‘": "'", "“": "\"", "”": "\"", "«": "\"", "»": "\"", "∞": "inf",
    "√": "sqrt ", "∈": "in", "⊕": "+", "⊖": "-", "\N{NO-BREAK SPACE}": " ", "²": "^2", "½": "1/2", "≈": "~",
    "∃": "some ", "∀": "all ", "¬": "not ", "∧": "and", "∨": "or", "⟨": "<", "⟩": ">", "↺": "R", "⁻": "-", "▁": "1",
    "▂": "2", "▃": "3", "▄": "4", "▅": "5", "▆": "6", "▇": "7", "█": "8", "▏": "1", "▎": "2", "▍": "3", "▌": "4",
    "▋": "5", "▊": "6", "▉": "7", "╌": "-", "▷": "}", "°": "'", "ⁿ": "^n", "µ": "u", "±": "+-", "á": "a", "é": "e",
    "è": "e", "ö": "o", "ø": "o", **dict(MARKS.values()),
}
_RANGE = re.compile(r"(?<=\d)…(?=\d)|(?<= )…(?= \S)")
"""The ellipsis between two ends, `936 µs … 2.17 ms`; not where a text is cut."""
_TABLE = str.maketrans(_SPELLED)
_KEYS = ("← →", "<- ->"), ("↑ ↓", "up down")
"""The arrow keys side by side; an arrow alone may be an assignment or an order."""
_AFTER_SIGN = re.compile("(?<=[ΣΠ]) ")
"""The blank after a sign whose spelling ends in one."""
_PRODUCT = re.compile(r"(?<=[\w)])·(?=[\w(])|^·(?=[^\W\d])")
"""The dot of a product, `0.5·T₀`, which may be in a span of its own, `·T₀`; not an empty cell, nor a dot between
blanks."""


def visible(text: str) -> str:
    """The text with a `?` in place of every control character: names come from files of any origin."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    return character if character.isprintable() else " " if character == "\N{NO-BREAK SPACE}" else "?"


class Glyphs(Struct, frozen=True):
    """One set of glyphs. Every field is one column wide, except `swap`, `back`, `forward` and `assign` in ASCII."""

    ascii: bool
    horizontal: str
    vertical: str
    cross: str
    filled: str
    """A filled stretch of a track."""
    empty: str
    """An empty cell, an unrecorded stretch."""
    playhead: str
    diamond: str
    """A knob."""
    rival: str
    """The curve of another run."""
    temperature: str
    """The curve of T, where it has no lane."""
    current: str
    picked: str
    """The choice that the user selected, in a list that has a current line."""
    paused: str
    far_back: str
    back: str
    forward: str
    far_forward: str
    down: str
    """The arrow of u above its bar."""
    falling: str
    rising: str
    """The two diagonals of the diagonal variant."""
    swap: str
    none: str
    missing: str
    ellipsis: str
    heats: str
    """Nine glyphs of a bar beside a digit, from nothing to full; none of them a digit."""
    worst: str
    """A curve of whole characters; in ASCII that of the worst individual."""
    dash: str
    """The mark of a truncated grid."""
    classes: str
    """Five classes of errors, from the fewest to the most."""
    other_classes: str
    """The same for individuals of another kind."""
    eighths: str
    """Nine glyphs of a bar that grows upwards, from nothing to full."""
    parts: str
    """Nine glyphs of a bar that grows to the right, from nothing to full."""

    def mark(self, meaning: str) -> str:
        """The mark of a meaning of `MARKS`."""
        return MARKS[meaning][self.ascii]

    def key(self, shown: str) -> str:
        """The name of a key. In ASCII the left arrow is `<-`, not the `:=` of an assignment, and the arrow down is
        `down`: v is a key, too."""
        return self.text(shown.replace("←", "<-").replace("↑", "up").replace("↓", "down") if self.ascii else shown)

    def text(self, text: str) -> str:
        """The text in these glyphs. In ASCII, characters without a replacement become `?`."""
        if not self.ascii or text.isascii():
            return text
        for keys, spelled in _KEYS:
            text = text.replace(keys, spelled)
        spelled = _RANGE.sub("..", _PRODUCT.sub("*", _AFTER_SIGN.sub("", text))).translate(_TABLE)
        return spelled.encode("ascii", "replace").decode("ascii")


UNICODE = Glyphs(
    ascii=False, horizontal="─", vertical="│", cross="┼", filled="━", empty="·", playhead="●", diamond="◆",
    rival="○", temperature="°",
    current="▶", picked="▷", paused="‖", far_back="◀◀", back="◀", forward="▶", far_forward="▶▶", down="↓",
    falling="╲", rising="╱", swap="↔", none="∅", missing="–", ellipsis="…", heats=" ▁▂▃▄▅▆▇█", worst="¯", dash="╌",
    classes="◈▫▪▨▩", other_classes="◌◔◑◕◍", eighths=" ▁▂▃▄▅▆▇█", parts=" ▏▎▍▌▋▊▉█",
)
ASCII = Glyphs(
    ascii=True, horizontal="-", vertical="|", cross="+", filled="=", empty=".", playhead="O", diamond="*",
    rival="@", temperature="'",
    current=">", picked="}", paused="P", far_back="<<", back="<", forward=">", far_forward=">>", down="v",
    falling="\\", rising="/", swap="<>", none="0", missing="-", ellipsis="~", heats=" .-=+*%#@", worst="=", dash="-",
    classes="i;%&$", other_classes="jeCQ@", eighths="012345678", parts="-########",
)
