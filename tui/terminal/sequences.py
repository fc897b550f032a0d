"""Text to draw, as pieces of one setting each, and the shortest escape sequences that draw them.

A setting is an SGR state: a change sends only what differs from the one before. Runs of blanks are erased where the
terminal erases in the background colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style
from textual.strip import Strip

from tui.look.glyphs import visible
from tui.terminal import capabilities
from tui.terminal.capabilities import Terminfo

_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28", "9": "29", "21": "24",
        "51": "54", "52": "54", "53": "55"}
_VISIBLE_ON_BLANKS = frozenset({"4", "7", "9", "21", "51", "52", "53"})
_RENDERED = re.compile(r"\x1b\[([0-9;]*)m.\x1b\[0m", re.S)
LEAST_AT_END, LEAST_AMID = 6, 13
"""Runs of blanks from which erasing is shorter: at the end of a line, and where the cursor must move past them."""
_FEW = " " * LEAST_AT_END
_AMID = re.compile(f" {{{LEAST_AMID},}}")


# Settings


class Sgr(Struct, frozen=True):
    """An SGR state: attribute codes, and the codes of foreground and background ("" for the terminal's own)."""

    attributes: tuple[str, ...] = ()
    ink: str = ""
    ground: str = ""

    @property
    def visible(self) -> bool:
        """Whether it is visible on blanks, apart from the background."""
        return not _VISIBLE_ON_BLANKS.isdisjoint(self.attributes)


PLAIN = Sgr()


@lru_cache(4096)
def sgr_of(style: Style, system: ColorSystem) -> Sgr | None:
    """The SGR state of a style; None if the style is more than that (a link)."""
    if not style:
        return PLAIN
    fresh = style.copy()
    fresh._ansi = None  # Rich keeps what it rendered first, in whatever colours that was
    rendered = fresh.render("x", color_system=system)
    if rendered == "x":
        return PLAIN
    found = _RENDERED.fullmatch(rendered)
    return _parsed(found.group(1).split(";")) if found else None


def _indexed(red: int, green: int, blue: int) -> int | None:
    """The index of a grey among the 256 colours; None if it has none."""
    if not red == green == blue:
        return None
    cube, ramp = (0, 95, 135, 175, 215, 255), range(8, 239, 10)
    if red in ramp:
        return 232 + ramp.index(red)
    return 16 + 43 * cube.index(red) if red in cube else None


def _token(codes: list[str]) -> str:
    """The shortest code of a colour: a grey by its index."""
    place = _indexed(*map(int, codes[2:])) if codes[1:2] == ["2"] else None
    return ";".join(codes) if place is None else f"{codes[0]};5;{place}"


def _parsed(codes: list[str]) -> Sgr:
    attributes, ink, ground = [], "", ""
    at = 0
    while at < len(codes):
        code = codes[at]
        size = 1
        if code in ("38", "48"):
            size = 3 if codes[at + 1] == "5" else 5
        token = _token(codes[at : at + size])
        if code in _OFF:
            attributes.append(code)
        elif code[0] in "39":
            ink = "" if code == "39" else token
        else:
            ground = "" if code == "49" else token
        at += size
    return Sgr(tuple(attributes), ink, ground)


@lru_cache(4096)
def change(old: Sgr, new: Sgr, turns_off: bool = True) -> str:
    """The shortest sequence from one SGR state to another; without `turns_off` for a terminal that can only reset
    everything."""
    if old == new:
        return ""
    if new == PLAIN:
        return "\x1b[m"
    if not turns_off:
        all_codes = (*new.attributes, *filter(None, (new.ink, new.ground)))
        return f"\x1b[{';'.join(all_codes if old == PLAIN else ('0', *all_codes))}m"
    off = tuple(dict.fromkeys(_OFF[code] for code in old.attributes if code not in new.attributes))
    kept = {code for code in old.attributes if _OFF[code] not in off}
    codes = [*off, *(code for code in new.attributes if code not in kept)]
    codes += [new.ink or "39"] * (old.ink != new.ink) + [new.ground or "49"] * (old.ground != new.ground)
    return f"\x1b[{';'.join(codes)}m"


def common(one: Sgr, text: str, other: Sgr, other_text: str) -> Sgr | None:
    """The SGR state that two neighbours can share, or None: the same state, or one of them is blank on the same
    background."""
    if one == other:
        return one
    if one.ground != other.ground or one.visible or other.visible:
        return None
    return one if other_text.isspace() else other if text.isspace() else None


# Pieces


Placed = tuple[int, int, Strip]
"""A line, its first column, and its spans."""


class Piece(Struct, frozen=True):
    """A piece of one setting. `raw` holds text that must be written unchanged because no setting expresses it."""

    y: int
    x: int
    text: str
    width: int
    """The width of the text in columns."""
    setting: Sgr
    raw: str = ""


def strip_pieces(strips: Iterable[Placed], system: ColorSystem) -> list[Piece]:
    """The pieces of some strips, in order. Blanks join a neighbour on the same background."""
    found: list[Piece] = []
    for y, first, strip in strips:
        x = first
        for given, style, control in strip:
            if control or not given:
                continue
            text = harmless(given)
            width = cell_len(text)
            setting = PLAIN if style is None else sgr_of(style, system)
            if setting is not None:
                _add(found, Piece(y, x, text, width, setting), x > first)
            elif style is not None:
                found.append(Piece(y, x, text, width, PLAIN, style.render(text, color_system=system)))
            x += width
    return found


def text_pieces(texts: Iterable[tuple[str, Sgr]], y: int, x: int) -> list[Piece]:
    """The pieces of consecutive texts of visible characters, one column each."""
    found: list[Piece] = []
    first = x
    for text, setting in texts:
        _add(found, Piece(y, x, text, len(text), setting), x > first)
        x += len(text)
    return found


def harmless(text: str) -> str:
    """The text with control characters replaced, in as many columns: no sequence reaches the terminal out of a name."""
    return text if text.isprintable() else "".join(
        character if character.isprintable() else visible(character) * cell_len(character) for character in text)


def _add(found: list[Piece], piece: Piece, adjoins: bool) -> None:
    last = found[-1] if found and adjoins and not found[-1].raw else None
    if last is not None:
        setting = common(last.setting, last.text, piece.setting, piece.text)
        if setting is not None:
            found[-1] = Piece(last.y, last.x, last.text + piece.text, last.width + piece.width, setting)
            return
    found.append(piece)


# Sequences


def written(found: Iterable[Piece], terminal: Terminfo | None = None) -> str:
    """The pieces as one sequence, for a terminal in its default state before and after."""
    out: list[str] = []
    terminal = capabilities.terminfo() if terminal is None else terminal
    setting, x, y = PLAIN, -1, -1
    for piece in found:
        if piece.y != y or piece.x < x or x < 0:
            out.append(f"\x1b[{piece.y + 1};{piece.x + 1}H")
        elif piece.x > x:
            out.append(f"\x1b[{piece.x - x}C" if piece.x > x + 1 else "\x1b[C")
        sent, left = (piece.raw, 0) if piece.raw else with_erasing(piece.text, piece.setting, terminal)
        out += (change(setting, piece.setting, terminal.turns_off), sent)
        setting, x, y = piece.setting, piece.x + piece.width - left, piece.y
    out.append(change(setting, PLAIN))
    return "".join(out)


def with_erasing(text: str, setting: Sgr, terminal: Terminfo) -> tuple[str, int]:
    """The text as sent, and the number of columns at its end that the cursor does not cross."""
    if _FEW not in text or not terminal.erases or setting.visible or (setting.ground and not terminal.in_colour):
        return text, 0
    inked = text.rstrip(" ")
    tail = len(text) - len(inked)
    sent = _AMID.sub(_skipped, inked)
    if tail < LEAST_AT_END:
        return sent + " " * tail, 0
    return f"{sent}\x1b[{tail}X", tail


def _skipped(blanks: re.Match[str]) -> str:
    count = len(blanks.group())
    return f"\x1b[{count}X\x1b[{count}C"


def shortest(found: list[Piece]) -> str:
    """Line by line or setting by setting, whichever is shorter."""
    return min(written(found), written(sorted(found, key=_by_setting)), key=len)


def by_place(piece: Piece) -> tuple[int, int]:
    """The sort key for a cursor that moves line by line."""
    return piece.y, piece.x


def _by_setting(piece: Piece) -> tuple[str, tuple[str, ...], str, int, int]:
    return piece.setting.ground, piece.setting.attributes, piece.setting.ink, piece.y, piece.x
