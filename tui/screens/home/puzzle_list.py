"""The list of Home: runs, drafts and puzzles under headings, with a filter over them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct
from textual import events
from textual.message import Message

from tui.i18n import _
from tui.storage.library import Entry
from tui.widgets.board.layout import window
from tui.widgets.log import short_step
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, fit, row, rows, spread

HEAD = 2
"""Rows above the list: heading and filter."""
LEVEL, NUMBER, SIZE = 10, 7, 7
WITH_SIZE = 42
"""Columns from which on the size of the board has a column."""
WHEEL = 3
"""Rows that a notch of the wheel scrolls."""


class FilterKeys(Struct, frozen=True):
    """The keys of the filter, as displayed."""

    begin: str = "/"
    clear: str = "esc"


USUAL_KEYS = FilterKeys()


class PuzzleListView(Struct, frozen=True):
    """The content of the list."""

    entries: tuple[Entry, ...] = ()
    """The entries that match the filter."""
    selected: int = 0
    filter: str = ""
    typing: bool = False
    """Keys are typed into the filter."""


ListLine = int | tuple[str, int]
"""The index of an entry, or a heading and the number of its entries."""


def list_lines(entries: Sequence[Entry]) -> list[ListLine]:
    """The entries, each group under its heading. A filter may list a part of a group above others, and the rest below
    them: each part has the heading and its own number of entries."""
    lines: list[ListLine] = []
    for group, part in groupby(range(len(entries)), key=lambda index: entries[index].group):
        indices = list(part)
        lines += [(group, len(indices)), *indices]
    return lines


def entry_spans(entry: Entry, selected: bool, space: Space) -> list[Span]:
    """`▶ seventeen       extreme    17`."""
    glyphs = space.glyphs
    sized = space.width >= WITH_SIZE
    size = glyphs.text(entry.size).ljust(SIZE) if sized else ""
    if sized and entry.puzzle.variant == "diagonal":
        size = (glyphs.text(entry.size) + " " + glyphs.falling).ljust(SIZE)
    name = space.width - 2 - LEVEL - NUMBER - len(size)
    number = short_step(entry.run.steps) if entry.run is not None else str(entry.givens)
    mark = glyphs.current if selected else " "
    middle = entry.middle
    if entry.age and sized:
        size = fit(entry.age, SIZE, glyphs)
    elif entry.age:
        middle = entry.age
    line = f"{mark} {fit(entry.name, name - 1, glyphs)} {fit(middle, LEVEL - 1, glyphs)} {size}{number:>{NUMBER}}"
    return [(line, "selected" if selected else "text")]


def filter_spans(shown: PuzzleListView, space: Space, keys: FilterKeys) -> list[Span]:
    """The filter and the key that clears it; without one the key that begins it."""
    if shown.typing:
        return [("/", "strong"), (" ", "blank"), (shown.filter[-(space.width - 4):], "strong"), (" ", "selected")]
    if shown.filter:
        all_again = _("{clear} shows all").format(clear=keys.clear)
        return [("/", "strong"), (" ", "blank"), (shown.filter, "strong"), (f"   {all_again}", "muted")]
    return [(keys.begin, "strong"), (" " + _("type to filter"), "muted")]


def list_rows(shown: PuzzleListView, first: int, space: Space, keys: FilterKeys = USUAL_KEYS) -> Rows:
    """The heading, the filter, the lines from `first` on, and the number of entries out of view. `keys` are
    those of the filter.

    The heading names the columns of the first line, except over a group of runs, which names its own. Below runs the
    next puzzles name theirs again."""
    lines = list_lines(shown.entries)
    columns = _columns_of_puzzles(space)
    if lines:
        top = lines[min(first, len(lines) - 1)]
        group = shown.entries[top].group if isinstance(top, int) else top[0]
        if _of_runs(group, shown.entries):
            columns = _columns_of_runs(group, shown.entries, space) if isinstance(top, int) else ""
    drawn = [spread([(_("Puzzle"), "strong")], [(columns, "muted")], space.width),
             row(filter_spans(shown, space, keys), space.width)]
    room = room_for(len(lines), space.height)
    of_puzzles = columns == _columns_of_puzzles(space)
    for line in lines[first : first + room]:
        if isinstance(line, int):
            drawn.append(row(entry_spans(shown.entries[line], line == shown.selected, space), space.width))
            continue
        named = "" if of_puzzles else _columns_of_puzzles(space)
        of_puzzles = not _of_runs(line[0], shown.entries)
        drawn.append(_heading(*line, named if of_puzzles else _columns_of_runs(line[0], shown.entries, space), space))
    if room < len(lines):
        drawn.append(row([(f"  {_rest(lines, first, room, space)}", "muted")], space.width))
    if not lines:
        drawn.append(row([("  " + _("no matches"), "muted")], space.width))
    return rows(drawn, space)


def _heading(name: str, count: int, columns: str, space: Space) -> Row:
    """The name of a group and the number of its entries, with the headings of its columns if they are not above."""
    shown = space.glyphs.text(name)
    if not columns:
        return spread([(shown, "muted")], [(str(count), "muted")], space.width)
    return spread([(f"{shown} {count}", "muted")], [(columns, "muted")], space.width)


def _of_runs(name: str, entries: Sequence[Entry]) -> bool:
    """Test for a group of runs."""
    return any(each.group == name and each.run is not None for each in entries)


def _columns_of_puzzles(space: Space) -> str:
    """The headings of the columns of puzzles."""
    size = f"{_('size'):<{SIZE}}" if space.width >= WITH_SIZE else ""
    return f"{_('level'):<{LEVEL}}" + size + _("givens").rjust(NUMBER)


def _columns_of_runs(name: str, entries: Sequence[Entry], space: Space) -> str:
    """The headings of the columns of a group of runs."""
    size = SIZE if space.width >= WITH_SIZE else 0
    aged = any(each.group == name and each.age for each in entries)
    columns = _("state").ljust(LEVEL + size)
    if aged:
        columns = _("state").ljust(LEVEL) + _("age").ljust(SIZE) if size else _("age").ljust(LEVEL)
    return columns + _("steps").rjust(NUMBER)


def room_for(lines: int, height: int) -> int:
    """Lines in view; the last one is for the number of others if not all fit."""
    room = max(height - HEAD, 1)
    return room if lines <= room else max(room - 1, 1)


def _rest(lines: Sequence[ListLine], first: int, room: int, space: Space) -> str:
    above = sum(isinstance(line, int) for line in lines[:first])
    below = sum(isinstance(line, int) for line in lines[first + room :])
    parts = [_("{count} above").format(count=above)] * bool(above)
    parts += [_("{count} more").format(count=below)] * bool(below)
    return f"{space.glyphs.ellipsis} " + ", ".join(parts)


class PuzzleList(Pane):
    """The list. The wheel scrolls, a click selects an entry, a double click opens it."""

    class Selected(Message):
        """An entry was clicked, or the filter (`index` is None)."""

        def __init__(self, index: int | None, twice: bool) -> None:
            super().__init__()
            self.index, self.twice = index, twice

    shown = PuzzleListView()
    filter_keys = USUAL_KEYS
    _first = 0
    """The first line in view."""
    _follow = True
    """The selected entry is kept in view."""

    @property
    def page(self) -> int:
        """Entries of a page."""
        return max(1, self.size.height - HEAD - 2)

    def show(self, shown: PuzzleListView) -> None:
        """Show this content, with the selected entry in view."""
        self.shown = shown
        self._follow = True
        self.repaint()

    def draw(self, space: Space) -> Rows:
        lines = list_lines(self.shown.entries)
        room = room_for(len(lines), space.height)
        if self._follow and self.shown.selected in lines:
            at = lines.index(self.shown.selected)
            top = at - 1 if at and not isinstance(lines[at - 1], int) else at
            self._first = window(self._first, at, 1, room, len(lines))
            self._first = min(self._first, top)
        self._first = max(0, min(self._first, len(lines) - room))
        return list_rows(self.shown, self._first, space, self.filter_keys)

    def scroll_lines(self, lines: int) -> None:
        """Scroll without selecting another entry."""
        self._follow = False
        self._first += lines
        self.repaint()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll_lines(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll_lines(-WHEEL)

    def on_click(self, event: events.Click) -> None:
        if event.y == HEAD - 1:
            self.post_message(self.Selected(None, False))
            return
        lines = list_lines(self.shown.entries)
        at = self._first + event.y - HEAD
        inside = HEAD <= event.y < HEAD + room_for(len(lines), self.size.height)
        line = lines[at] if inside and at < len(lines) else None
        if isinstance(line, int):
            self.post_message(self.Selected(line, event.chain > 1))
