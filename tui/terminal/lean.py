"""Updates that cost few bytes: only the changed columns, and of their styles only what differs.

Textual 8 repaints a changed region from the left edge of its widget and writes every style in full. The compositor
here takes the update that Textual has made and writes the same cells with less. It is used with the Textual versions
that it was tested with; with any other the plain compositor stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rich.color import ColorSystem
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, LayoutUpdate
from textual.screen import Screen
from textual.strip import Strip

from tui.terminal import sgr

if TYPE_CHECKING:
    from rich.console import Console

TESTED = ((8, 0), (8, 3))
"""From the first of these versions on, and below the second."""

Placed = tuple[int, int, Strip]
"""A line, its first column, and what stands there."""


def supported(textual: str = version("textual")) -> bool:
    """Whether this version of Textual makes updates that are understood here."""
    numbers = tuple(int(part) for part in textual.split(".")[:2] if part.isdigit())
    return TESTED[0] <= numbers < TESTED[1]


class Writer:
    """Turns placed strips into one sequence for a terminal whose writing is plain before and after."""

    def __init__(self, system: ColorSystem) -> None:
        self._system = system
        self._out: list[str] = []
        self._setting = sgr.PLAIN
        self._at: tuple[int, int] | None = None

    def write(self, placed: Iterable[Placed]) -> str:
        for y, x, strip in placed:
            self._move(x, y)
            for text, style, control in strip:
                if not control:
                    self._text(text, style)
            self._at = x + strip.cell_length, y
        self._set(sgr.PLAIN)
        return "".join(self._out)

    def _move(self, x: int, y: int) -> None:
        if self._at == (x, y):
            return
        ahead = x - self._at[0] if self._at is not None and self._at[1] == y else 0
        self._out.append(f"\x1b[{ahead}C" if ahead > 1 else "\x1b[C" if ahead == 1 else f"\x1b[{y + 1};{x + 1}H")

    def _text(self, text: str, style: Any) -> None:
        setting = sgr.PLAIN if style is None else sgr.of(style, self._system)
        if setting is None:
            self._set(sgr.PLAIN)
            self._out.append(style.render(text, color_system=self._system))
            return
        self._set(sgr.blank(self._setting, setting) if text.isspace() else setting)
        self._out.append(text)

    def _set(self, setting: sgr.Sgr) -> None:
        self._out.append(sgr.change(self._setting, setting))
        self._setting = setting


class LeanUpdate(CompositorUpdate):
    """The same cells as another update, written with less."""

    def __init__(self, update: ChopsUpdate | LayoutUpdate) -> None:
        self.update = update

    def render_segments(self, console: Console) -> str:
        system = console._color_system or ColorSystem.TRUECOLOR
        return Writer(system).write(placed(self.update))

    def __rich_console__(self, console: Console, options: Any) -> Any:
        return self.update.__rich_console__(console, options)


def placed(update: ChopsUpdate | LayoutUpdate) -> Iterator[Placed]:
    """What an update draws, line by line from the left."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            yield y, update.region.x, Strip.join(strips)
        return
    for y, first, last in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            left, right = max(x, first), min(end, last)
            if strip is not None and left < right:
                yield y, left, strip.crop(left - x, right - x)


class LeanCompositor(Compositor):
    """Textual's compositor with leaner updates."""

    def render_full_update(self, simplify: bool = False) -> Any:
        return LeanUpdate(super().render_full_update(simplify))

    def render_partial_update(self) -> Any:
        update = super().render_partial_update()
        return None if update is None else LeanUpdate(update)


class Lean:
    """Put before `Screen` (or `ModalScreen`) among the bases of a screen: `class Laboratory(Lean, Screen[None])`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if supported():
            self._compositor: Compositor = LeanCompositor()


class LeanScreen(Lean, Screen[None]):
    """A screen with lean updates."""
