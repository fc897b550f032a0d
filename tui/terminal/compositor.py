"""Updates that cost few bytes: only the changed columns, and of their styles only what differs.

Textual 8 repaints a changed region from the left edge of its widget and writes every style in full. The compositor
here takes the update that Textual has made and writes the same cells with less. It is used with the Textual versions
that it was tested with; with any other the plain compositor stays.
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
from tui.terminal.sequences import Piece, Placed, by_place, of_strips, shortest

if TYPE_CHECKING:
    from rich.console import Console
    from textual.events import CursorPosition, Resize, ScreenResume

TESTED = ((8, 0), (8, 3))
"""From the first of these versions on, and below the second."""


def _installed() -> str:
    """The version of Textual: as its folder of metadata is called, which is found sooner than read."""
    beside = list(Path(textual.__file__).parents[1].glob("textual-*.dist-info"))
    if len(beside) == 1:
        return beside[0].stem.partition("-")[2]
    from importlib.metadata import version

    return version("textual")


INSTALLED = _installed()


def supported(textual: str = INSTALLED) -> bool:
    """Whether this version of Textual makes updates that are understood here."""
    numbers = tuple(int(part) for part in textual.split(".")[:2] if part.isdigit())
    return TESTED[0] <= numbers < TESTED[1]


def placed(update: ChopsUpdate | LayoutUpdate) -> Iterator[Placed]:
    """What an update draws, line by line from the left."""
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
    """Strips that adjoin, as one."""
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
    """Pieces, or what another update draws as pieces, written with as little as can be."""

    cells: ScreenCells | None = None
    """What stands on the terminal, where that is known."""

    def __init__(self, drawn: list[Piece] | ChopsUpdate | LayoutUpdate) -> None:
        self.drawn = drawn

    def pieces(self, console: Console) -> list[Piece]:
        """All that is drawn."""
        drawn = self.drawn
        return drawn if isinstance(drawn, list) else of_strips(placed(drawn), system_of(console))

    def render_segments(self, console: Console) -> str:
        found = self.pieces(console)
        return shortest(found if self.cells is None else self.cells.differing(found))

    def __rich_console__(self, console: Console, options: Any) -> Any:
        if isinstance(self.drawn, list):
            return (Segment(piece.text) for piece in self.drawn)
        return self.drawn.__rich_console__(console, options)


class Frame(CompositorUpdate):
    """A frame as it is sent."""

    def __init__(self, sequence: str) -> None:
        self.sequence = sequence

    def render_segments(self, console: Console) -> str:
        return self.sequence

    def __rich_console__(self, console: Console, options: Any) -> Any:
        return ()


class LeanApp(App[ReturnType]):
    """An application that knows what stands on its terminal, and sends no more frames than the line carries."""

    def __init__(self, *args: Any, pacer: Pacer | None = None, **kwargs: Any) -> None:
        """Without a pacer every update is a frame."""
        super().__init__(*args, **kwargs)
        self._cells = ScreenCells()
        self._frames = None if pacer is None else Frames(pacer, self._cells, self._send)
        self._later: TimerHandle | None = None
        """Sends what may not be sent yet."""
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
            self._go_on(self._frames.draw(renderable.pieces(self.console)))

    def _send(self, sequence: str) -> None:
        super()._display(self.screen, Frame(sequence))

    def _go_on(self, wait: float | None) -> None:
        """Go on with the frames after so many seconds, if nothing makes them go on sooner."""
        if self._later is not None:
            self._later.cancel()
        self._later = None if wait is None else get_running_loop().call_later(wait, self._go_on_now)

    def _go_on_now(self) -> None:
        if self._frames is not None and self._running:
            self._go_on(self._frames.go_on())

    def on_cursor_position(self, event: CursorPosition) -> None:
        """The terminal has drawn a frame."""
        if self._frames is not None and self._frames.answered(event.x, event.y, event.time):
            self._go_on_now()

    async def _on_resize(self, event: Resize) -> None:
        self._resized |= self._size is not None and self._size != event.size

    def takes_size(self) -> None:
        """A screen hears of the size of the terminal: one that was changed may have moved everything."""
        if self._resized:
            self._forget()
        self._resized = False

    def action_redraw(self) -> None:
        """Draw all of it again: something else may have written on the terminal, or taken its answers."""
        self._forget()
        if self._frames is not None:
            self._frames.lost()
        self.screen.refresh()

    def _forget(self) -> None:
        """All is to be drawn anew."""
        self._cells.forget()
        if self._frames is not None:
            self._frames.forget()


class Painted(Widget):
    """A widget that can be painted past the compositor."""

    def pieces(self, regions: Iterable[Region], place: Offset) -> list[Piece]:
        """What stands in some regions of it, when the widget itself stands at `place` on the screen."""
        strips = [(y, place.x + region.x, line) for region in regions
                  for y, line in enumerate(self.render_lines(region), place.y + region.y)]
        return of_strips(strips, system_of(self.app.console))


def system_of(console: Console) -> ColorSystem:
    """How a console writes colours."""
    return console._color_system or ColorSystem.TRUECOLOR


class LeanCompositor(Compositor):
    """Textual's compositor with leaner updates."""

    shown = False
    """Whether it was drawn as a whole since that was last forgotten."""
    _places: tuple[object, dict[Widget, Region | None]] = (None, {})

    def place(self, widget: Widget) -> Region | None:
        """Where a widget stands, if all of it is on the screen and nothing covers it."""
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
    """Put before `Screen` (or `ModalScreen`) among the bases of a screen: `class Laboratory(Lean, Screen[None])`.

    A screen that comes to the front, or has another size, is painted four times by Textual: when it is laid out, when
    it hears its size, when its widgets hear theirs, and once more because it came. Here the first paint is shown, the
    others are held back but for the last.
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
        """With another size a screen comes anew."""
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
        """Whether the screen has come and was painted, and there is more to come."""
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
        """Draw these regions of a widget anew: as soon as what is being done is done, past Textual's compositor and its
        clock, where the widget stands uncovered and whole; else as Textual does."""
        if not self._unpainted and not self._gathering:
            cast("Screen[Any]", self).call_next(self.paint_now)
        self._unpainted.setdefault(widget, []).extend(regions)

    @contextmanager
    def painted_at_once(self) -> Iterator[None]:
        """All that is to be painted within is written at the end of it."""
        self._gathering = True
        try:
            yield
        finally:
            self._gathering = False
            self.paint_now()

    def paint_now(self) -> None:
        """Write all that is to be painted in one go, without waiting for the end of what is being done."""
        unpainted, self._unpainted = self._unpainted, {}
        found: list[Piece] = []
        for widget, regions in unpainted.items():
            place = self._direct_place(widget)
            if place is None:
                widget.refresh(*regions)
                continue
            found += widget.pieces(regions, place.offset)
        if found:
            screen = cast("Screen[Any]", self)
            screen.app._display(screen, LeanUpdate(sorted(found, key=by_place)))

    def _direct_place(self, widget: Widget) -> Region | None:
        """Where a widget can be painted at once: never under another screen, which its compositor knows nothing of."""
        screen, compositor = cast("Screen[Any]", self), self._compositor
        if not isinstance(compositor, LeanCompositor) or self._settles or screen.app._batch_count:
            return None
        if screen._layout_required or not screen.is_active:
            return None
        place = compositor.place(widget)
        return place if place is not None and place.size == widget.outer_size else None


class LeanScreen(Lean, Screen[None]):
    """A screen with lean updates."""
