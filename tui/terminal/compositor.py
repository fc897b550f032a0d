"""A compositor whose updates cost few bytes: only changed columns, and only the differences between styles.

Textual 8 repaints a changed region from the left edge of its widget and writes every style in full. This compositor
takes Textual's update and writes the same cells with fewer bytes. It is used with the tested versions of Textual only;
with any other the original compositor is used.
"""

from __future__ import annotations

from asyncio import TimerHandle, get_running_loop
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import textual
from rich.color import ColorSystem
from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, LayoutUpdate
from textual.app import App, ReturnType
from textual.geometry import Offset, Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tui.terminal.cells import ScreenCells
from tui.terminal.pacing import Frames, Pacer
from tui.terminal.sequences import Piece, Placed, by_place, shortest, strip_pieces

if TYPE_CHECKING:
    from rich.console import Console
    from textual.events import CursorPosition, Resize, ScreenResume

TESTED = ((8, 0), (8, 3))
"""Supported from the first of these versions, below the second."""


def _installed() -> str:
    """The version of Textual, from the name of its metadata folder, which is faster than importlib.metadata."""
    beside = list(Path(textual.__file__).parents[1].glob("textual-*.dist-info"))
    if len(beside) == 1:
        return beside[0].stem.partition("-")[2]
    from importlib.metadata import version

    return version("textual")


INSTALLED = _installed()


def supported(textual: str = INSTALLED) -> bool:
    """Whether this version of Textual makes updates in the expected form."""
    numbers = tuple(int(part) for part in textual.split(".")[:2] if part.isdigit())
    return TESTED[0] <= numbers < TESTED[1]


def placed(update: ChopsUpdate | LayoutUpdate) -> Iterator[Placed]:
    """The strips of an update, line by line from the left."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            yield y, update.region.x, Strip.join(strips)
        return
    for y, first, last in update.spans:
        drawn = []
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            left, right = max(x, first), min(end, last)
            if strip is not None and left < right:
                drawn.append((left, strip.crop(left - x, right - x)))
        yield from _joined(y, drawn)


def _joined(y: int, drawn: list[tuple[int, Strip]]) -> Iterator[Placed]:
    """Adjacent strips, joined."""
    parts: list[Strip] = []
    start, end = 0, -1
    for x, strip in drawn:
        if x != end and parts:
            yield y, start, Strip.join(parts)
            parts = []
        if not parts:
            start = x
        parts.append(strip)
        end = x + strip.cell_length
    if parts:
        yield y, start, Strip.join(parts)


class LeanUpdate(CompositorUpdate):
    """An update made of pieces, written with as few bytes as possible."""

    cells: ScreenCells | None = None
    """The cells on the terminal, if known."""

    def __init__(self, drawn: list[Piece] | ChopsUpdate | LayoutUpdate) -> None:
        self.drawn = drawn

    def pieces(self, console: Console) -> list[Piece]:
        """All pieces."""
        drawn = self.drawn
        return drawn if isinstance(drawn, list) else strip_pieces(placed(drawn), system_of(console))

    def render_segments(self, console: Console) -> str:
        found = self.pieces(console)
        return shortest(found if self.cells is None else self.cells.differing(found))

    def __rich_console__(self, console: Console, options: Any) -> Any:
        if isinstance(self.drawn, list):
            return (Segment(piece.text) for piece in self.drawn)
        return self.drawn.__rich_console__(console, options)


class Frame(CompositorUpdate):
    """A frame as sent."""

    def __init__(self, sequence: str) -> None:
        self.sequence = sequence

    def render_segments(self, console: Console) -> str:
        return self.sequence

    def __rich_console__(self, console: Console, options: Any) -> Any:
        return ()


class LeanApp(App[ReturnType]):
    """An application that tracks the cells of its terminal and sends no more frames than the line carries."""

    def __init__(self, *args: Any, pacer: Pacer | None = None, **kwargs: Any) -> None:
        """None: every update is a frame."""
        super().__init__(*args, **kwargs)
        self._cells = ScreenCells()
        self._frames = None if pacer is None else Frames(pacer, self._cells, self._send)
        self._later: TimerHandle | None = None
        """Holds updates until they may be sent."""
        self._resized = False

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        if not isinstance(renderable, LeanUpdate):
            if renderable is not None:
                self._forget()
            super()._display(screen, renderable)
        elif self._frames is None or self._batch_count or not self._running:
            renderable.cells = self._cells
            super()._display(screen, renderable)
        else:
            self._schedule(self._frames.draw(renderable.pieces(self.console)))

    def _send(self, sequence: str) -> None:
        super()._display(self.screen, Frame(sequence))

    def _schedule(self, wait: float | None) -> None:
        """Send pending frames after the given seconds, unless something triggers that sooner."""
        if self._later is not None:
            self._later.cancel()
        self._later = None if wait is None else get_running_loop().call_later(wait, self._send_pending)

    def _send_pending(self) -> None:
        if self._frames is not None and self._running:
            self._schedule(self._frames.send_pending())

    def on_cursor_position(self, event: CursorPosition) -> None:
        """The terminal reports that it drew a frame."""
        if self._frames is not None and self._frames.answered(event.x, event.y, event.time):
            self._send_pending()

    async def _on_resize(self, event: Resize) -> None:
        self._resized |= self._size is not None and self._size != event.size

    def takes_size(self) -> None:
        """Redraw everything after a resize: the terminal may have moved its content."""
        if self._resized:
            self._forget()
        self._resized = False

    def action_redraw(self) -> None:
        """Redraw everything: another program may have written to the terminal, or taken its answers."""
        self._forget()
        if self._frames is not None:
            self._frames.lost()
        self.screen.refresh()

    def _forget(self) -> None:
        """Forget the cells on the terminal, so that everything is redrawn."""
        self._cells.forget()
        if self._frames is not None:
            self._frames.forget()


class Painted(Widget):
    """A widget that can be painted past the compositor."""

    def pieces(self, regions: Iterable[Region], place: Offset) -> list[Piece]:
        """The strips of some regions of the widget, which is at `place` on the screen."""
        strips = [(y, place.x + region.x, line) for region in regions
                  for y, line in enumerate(self.render_lines(region), place.y + region.y)]
        return strip_pieces(strips, system_of(self.app.console))


def system_of(console: Console) -> ColorSystem:
    """Write colours as a console does."""
    return console._color_system or ColorSystem.TRUECOLOR


class LeanCompositor(Compositor):
    """Textual's compositor with smaller updates."""

    shown = False
    """Whether a full update was made since this was last reset."""
    _places: tuple[object, dict[Widget, Region | None]] = (None, {})

    def place(self, widget: Widget) -> Region | None:
        """The region of a widget, if it is wholly visible and uncovered."""
        visible = self.visible_widgets
        if self._places[0] is not visible:
            self._places = visible, {}
        places = self._places[1]
        if widget not in places:
            places[widget] = self._uncovered(widget)
        return places[widget]

    def _uncovered(self, widget: Widget) -> Region | None:
        visible = self.visible_widgets
        region, clip = visible.get(widget, (Region(), Region()))
        if not region or clip.intersection(region) != region or not self.size.region.contains_region(region):
            return None
        beneath = set(widget.ancestors_with_self)
        others = (where for other, (where, _clip) in visible.items() if other not in beneath)
        return None if any(where.overlaps(region) for where in others) else region

    def render_full_update(self, simplify: bool = False) -> Any:
        self.shown = True
        return LeanUpdate(super().render_full_update(simplify))

    def render_partial_update(self) -> Any:
        update = super().render_partial_update()
        return None if update is None else LeanUpdate(update)


class Lean:
    """Mixin before `Screen` (or `ModalScreen`) among the bases of a screen.

    Textual paints a screen that opens or resizes four times: for its layout, its own resize, the resize of its widgets,
    and once more for coming to the front. This mixin shows the first paint and holds the others back except for the
    last.
    """

    _coming = _gathering = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unpainted: dict[Painted, list[Region]] = {}
        if supported():
            self._compositor: Compositor = LeanCompositor()

    def _on_screen_resume(self, event: ScreenResume) -> None:
        self._comes()

    async def _on_resize(self, event: Resize) -> None:
        """A resize counts as opening."""
        app = cast("Screen[Any]", self).app
        if isinstance(app, LeanApp):
            app.takes_size()
        if not self._coming and self._compositor.size != event.size:
            self._comes()

    def _comes(self) -> None:
        if isinstance(self._compositor, LeanCompositor):
            self._coming, self._compositor.shown = True, False

    @property
    def _settles(self) -> bool:
        """Whether the screen was painted since it opened, and more paints follow."""
        return self._coming and isinstance(self._compositor, LeanCompositor) and self._compositor.shown

    def _compositor_refresh(self) -> None:
        if not self._settles:
            super()._compositor_refresh()  # type: ignore[misc]

    def _on_timer_update(self) -> None:
        settles = self._settles
        super()._on_timer_update()  # type: ignore[misc]
        if not settles:
            return
        self._coming = False
        screen = cast("Screen[Any]", self)
        if screen.is_active:
            stack = screen.app._background_screens
            screen.app._display(screen, self._compositor.render_update(full=True, screen_stack=stack))

    def paint(self, widget: Painted, regions: Iterable[Region]) -> None:
        """Repaint these regions of a widget directly, past Textual's compositor and its timer, if the widget is wholly
        visible; otherwise through Textual."""
        if not self._unpainted and not self._gathering:
            cast("Screen[Any]", self).call_next(self.paint_now)
        self._unpainted.setdefault(widget, []).extend(regions)

    @contextmanager
    def painted_at_once(self) -> Iterator[None]:
        """Collect all repaints inside this `with` block into one write at its end."""
        self._gathering = True
        try:
            yield
        finally:
            self._gathering = False
            self.paint_now()

    def paint_now(self) -> None:
        """Write all pending repaints at once."""
        unpainted, self._unpainted = self._unpainted, {}
        found: list[Piece] = []
        for widget, regions in unpainted.items():
            place = self._direct_place(widget)
            if place is None:
                widget.refresh(*regions)
                continue
            whole = place.reset_offset  # the widget may have shrunk since a repaint was asked for
            found += widget.pieces([each.intersection(whole) for each in regions if each.overlaps(whole)], place.offset)
        if found:
            screen = cast("Screen[Any]", self)
            screen.app._display(screen, LeanUpdate(sorted(found, key=by_place)))

    def _direct_place(self, widget: Widget) -> Region | None:
        """The region of a widget that can be painted directly; never under another screen, which its compositor does
        not know."""
        screen, compositor = cast("Screen[Any]", self), self._compositor
        if not isinstance(compositor, LeanCompositor) or self._settles or screen.app._batch_count:
            return None
        if screen._layout_required or not screen.is_active:
            return None
        place = compositor.place(widget)
        return place if place is not None and place.size == widget.outer_size else None


class LeanScreen(Lean, Screen[None]):
    """A screen with small updates."""
