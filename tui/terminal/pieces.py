"""What is to stand where on a terminal, as pieces of one setting each, and the bytes that bring it there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from rich.cells import cell_len
from rich.color import ColorSystem
from textual.strip import Strip

from tui.look.glyphs import visible
from tui.terminal import erasing, sgr, terminfo

Placed = tuple[int, int, Strip]
"""A line, its first column, and what stands there."""


class Piece(Struct, frozen=True):
    """A stretch of one setting. `raw` holds what must be written as it is, where a setting cannot say it."""

    y: int
    x: int
    text: str
    width: int
    """Columns of the text."""
    setting: sgr.Sgr
    raw: str = ""


def of_strips(strips: Iterable[Placed], system: ColorSystem) -> list[Piece]:
    """The stretches of some strips, in their order. Blanks are added to a neighbour on the same ground."""
    found: list[Piece] = []
    for y, first, strip in strips:
        x = first
        for given, style, control in strip:
            if control or not given:
                continue
            text = harmless(given)
            width = cell_len(text)
            setting = sgr.PLAIN if style is None else sgr.of(style, system)
            if setting is not None:
                _add(found, Piece(y, x, text, width, setting), x > first)
            elif style is not None:
                found.append(Piece(y, x, text, width, sgr.PLAIN, style.render(text, color_system=system)))
            x += width
    return found


def of_texts(texts: Iterable[tuple[str, sgr.Sgr]], y: int, x: int) -> list[Piece]:
    """The stretches of texts that follow one another, of characters that show and take one column each."""
    found: list[Piece] = []
    first = x
    for text, setting in texts:
        _add(found, Piece(y, x, text, len(text), setting), x > first)
        x += len(text)
    return found


def harmless(text: str) -> str:
    """The text in as many columns, and nothing in it but what shows: no sequence reaches the terminal out of a name."""
    return text if text.isprintable() else "".join(
        character if character.isprintable() else visible(character) * cell_len(character) for character in text)


def _add(found: list[Piece], piece: Piece, adjoins: bool) -> None:
    last = found[-1] if found and adjoins and not found[-1].raw else None
    if last is not None:
        setting = sgr.either(last.setting, last.text, piece.setting, piece.text)
        if setting is not None:
            found[-1] = Piece(last.y, last.x, last.text + piece.text, last.width + piece.width, setting)
            return
    found.append(piece)


def written(found: Iterable[Piece], able: terminfo.Able | None = None) -> str:
    """The pieces as one sequence for a terminal whose writing is plain before and after; `able`: what it can do."""
    out: list[str] = []
    able = terminfo.here() if able is None else able
    setting, x, y = sgr.PLAIN, -1, -1
    for piece in found:
        if piece.y != y or piece.x < x or x < 0:
            out.append(f"\x1b[{piece.y + 1};{piece.x + 1}H")
        elif piece.x > x:
            out.append(f"\x1b[{piece.x - x}C" if piece.x > x + 1 else "\x1b[C")
        sent, left = (piece.raw, 0) if piece.raw else erasing.put(piece.text, piece.setting, able)
        out += (sgr.change(setting, piece.setting, able.turns_off), sent)
        setting, x, y = piece.setting, piece.x + piece.width - left, piece.y
    out.append(sgr.change(setting, sgr.PLAIN))
    return "".join(out)


def shortest(found: list[Piece]) -> str:
    """Line by line, or setting by setting: cursor moves against changes of style, whichever comes out shorter."""
    return min(written(found), written(sorted(found, key=_by_setting)), key=len)


def by_place(piece: Piece) -> tuple[int, int]:
    """What pieces are sorted by for a cursor that goes line by line."""
    return piece.y, piece.x


def _by_setting(piece: Piece) -> tuple[str, tuple[str, ...], str, int, int]:
    return piece.setting.ground, piece.setting.attributes, piece.setting.ink, piece.y, piece.x
