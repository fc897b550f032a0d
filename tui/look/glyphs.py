"""Every glyph beyond ASCII, and its ASCII replacement."""

from __future__ import annotations

from msgspec import Struct

_SPELLED = {
    "─": "-", "│": "|", "┼": "+", "━": "=", "·": ".", "●": "O", "◆": "*", "◇": "o", "○": "o", "↻": "R", "▲": "^",
    "▼": "v", "↓": "v", "↑": "^", "×": "x", "▶": ">", "◀": "<", "‖": "P", "├": "|", "┤": "|", "▫": "o", "▪": "O",
    "■": "#", "∅": "0", "↩": "<", "↔": "<>", "Δ": "d", "₀": "0", "₁": "1", "₂": "2", "α": "a", "β": "b", "σ": "s",
    "≤": "<=", "≥": ">=", "≠": "!=", "←": ":=", "→": "->", "−": "-", "–": "-", "—": "-", "…": "~", "Σ": "sum ",
    "Π": "prod ", "╲": "\\", "╱": "/", "’": "'", "‘": "'", "“": "\"", "”": "\"", "«": "\"", "»": "\"", "∞": "inf",
    "√": "sqrt ", "∈": "in", "⊕": "+", "⊖": "-", "\N{NO-BREAK SPACE}": " ", "²": "2", "½": "1/2", "≈": "~",
    "∃": "some ", "∀": "all ", "¬": "not ", "∧": "and", "∨": "or", "⟨": "<", "⟩": ">", "↺": "R", "⁻": "-", "▁": "1",
    "▂": "2", "▃": "3", "▄": "4", "▅": "5", "▆": "6", "▇": "7", "█": "8", "▏": "1", "▎": "2", "▍": "3", "▌": "4",
    "▋": "5", "▊": "6", "▉": "7", "∘": ",", "°": "'", "◉": "C", "╌": "-",
}
_TABLE = str.maketrans(_SPELLED)


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
    """A knob; a new best."""
    other_best: str
    rival: str
    """The curve of another run."""
    temperature: str
    """The curve of T, where it has no lane."""
    reheat: str
    again: str
    """A restart."""
    ended: str
    """The mark of the step at which a run was solved."""
    uphill: str
    better: str
    equal: str
    rejected: str
    current: str
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
    within: str
    """A cell of the unit that a step is about."""
    tabu: str
    """A cell that may not move."""
    worst: str
    """The curve of the worst individual."""
    dash: str
    """The mark of a truncated grid."""
    more: str
    """A population that was doubled."""
    shifted: str
    classes: str
    """Five classes of errors, from the fewest to the most."""
    other_classes: str
    """The same for individuals of another kind."""
    eighths: str
    """Nine glyphs of a bar that grows upwards, from nothing to full."""
    parts: str
    """Nine glyphs of a bar that grows to the right, from nothing to full."""

    def key(self, shown: str) -> str:
        """The name of a key; in ASCII the left arrow is `<-`, not the `:=` of an assignment."""
        return self.text(shown.replace("←", "<-") if self.ascii else shown)

    def text(self, text: str) -> str:
        """The text in these glyphs. In ASCII, characters without a replacement become `?`."""
        if not self.ascii or text.isascii():
            return text
        return text.translate(_TABLE).encode("ascii", "replace").decode("ascii")


UNICODE = Glyphs(
    ascii=False, horizontal="─", vertical="│", cross="┼", filled="━", empty="·", playhead="●", diamond="◆",
    other_best="◇", rival="○", temperature="°", reheat="↻", again="↩", ended="■",
    uphill="▲", better="▼", equal="=", rejected="×", current="▶", paused="‖",
    far_back="◀◀", back="◀", forward="▶", far_forward="▶▶", down="↓", falling="╲", rising="╱", swap="↔", none="∅",
    missing="–", ellipsis="…", within=":", heats=" ▁▂▃▄▅▆▇█",
    tabu="×", worst="╌", dash="╌", more="+", shifted="≈", classes="◆·▫▪■", other_classes="◇∘○◉●",
    eighths=" ▁▂▃▄▅▆▇█", parts=" ▏▎▍▌▋▊▉█",
)
ASCII = Glyphs(
    ascii=True, horizontal="-", vertical="|", cross="+", filled="=", empty=".", playhead="O", diamond="*",
    other_best="o", rival="o", temperature="'", reheat="R", again="<", ended="#",
    uphill="^", better="v", equal="=", rejected="x", current=">", paused="P",
    far_back="<<", back="<", forward=">", far_forward=">>", down="v", falling="\\", rising="/", swap="<>", none="0",
    missing="-", ellipsis="~", within=":", heats=" .-=+*%#@",
    tabu="x", worst="=", dash="-", more="+", shifted="~", classes="*.oO#", other_classes="+,cC@",
    eighths="012345678", parts="-########",
)
