"""Screenshots: the screen as SVG, with its size and colours, in a new file."""

from __future__ import annotations

import html
import io
import re
from itertools import count
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from textual.app import App

from engine.errors import BadInput
from engine.files import access
from tui.i18n import _
from tui.look.glyphs import visible
from tui.look.theme import Palette

_ANSI = [(0, 0, 0), (205, 49, 49), (13, 188, 121), (229, 229, 16), (36, 114, 200), (188, 63, 188), (17, 168, 205),
         (208, 208, 208)]
_BRIGHT = [(118, 118, 118), (241, 76, 76), (35, 209, 139), (240, 228, 66), (86, 180, 233), (214, 112, 214),
           (41, 184, 219), (255, 255, 255)]
DARK = TerminalTheme((18, 18, 18), (208, 208, 208), _ANSI, _BRIGHT)
LIGHT = TerminalTheme((255, 255, 255), (38, 38, 38), _ANSI, _BRIGHT)
"""The terminal's own colours in a picture."""

NBSP = "\xa0"
_TEXT = re.compile(r'(<text class="[^"]*" x=")([\d.]+)(" y="[\d.]+" textLength=")([\d.]+)("[^>]*>)([^<]*)</text>')
_PIECE = re.compile(r"[^\s\xa0]+(?:[ \xa0][^\s\xa0]+)*")


def svg(app: App[Any], palette: Palette, title: str) -> str:
    """The present screen as SVG."""
    width, height = app.size
    console = Console(width=width, height=height, file=io.StringIO(), force_terminal=True, color_system="truecolor",
                      record=True, legacy_windows=False, safe_box=False)
    console.print(app.screen._compositor.render_update(full=True, screen_stack=app._background_screens))
    return parted(console.export_svg(title=visible(title), theme=DARK if palette.dark else LIGHT))


def parted(drawn: str) -> str:
    """The picture with a position for every piece of text between blanks: some viewers drop blanks, which would move
    the rest of the line."""
    return _TEXT.sub(_pieces, drawn)


def _pieces(found: re.Match[str]) -> str:
    """One text element as one for each of its pieces between blanks."""
    head, x, middle, length, tail, inside = found.groups()
    letters = html.unescape(inside)
    width = float(length) / max(cell_len(letters), 1)
    drawn = []
    for piece in _PIECE.finditer(letters):
        left = float(x) + cell_len(letters[:piece.start()]) * width
        written = html.escape(piece[0].replace(" ", NBSP)).replace(NBSP, "&#160;")
        drawn.append(f"{head}{left:.6g}{middle}{cell_len(piece[0]) * width:.6g}{tail}{written}</text>")
    return "\n".join(drawn)


def save(drawn: str, where: Path, name: str) -> Path:
    """Write a picture under the first unused name: NAME.svg, NAME-2.svg... Raises BadInput."""
    try:
        access.make_folder(where)
        for number in count(1):
            path = where / (f"{name}.svg" if number == 1 else f"{name}-{number}.svg")
            try:
                with access.open_text(path, "x") as file:
                    file.write(drawn)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise BadInput(_("cannot save a picture in {folder}: {why}").format(
            folder=where, why=error.strerror or error)) from None
    raise AssertionError
