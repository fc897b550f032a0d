"""The program: a solver's pseudo-code with its current line, and live values beside the lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.view import Gauge, Line
from tui.i18n import _
from tui.look.theme import Role
from tui.widgets.board.layout import window
from tui.widgets.gauges import short
from tui.widgets.pane import HeadedPane
from tui.widgets.rows import Row, Rows, Space, Span, bar, clipped, key_text, length, more_text, row, rows, spread

NUMBER = 2
"""Digits of the number of a line, if there is room."""
GAP = 2
"""Least columns between a line and its live value."""
LEAST_COUNTED = 6
"""The fewest rows of which one counts the lines below."""


def number_width(program: Sequence[Line], space: Space) -> int:
    """Columns of the numbers of lines: NUMBER, or as few as they take, where that lets the widest line fit."""
    room = space.width - max((len(space.glyphs.text(line.text)) for line in program), default=0) - len("▸ ")
    digits = len(str(len(program)))
    return digits if digits <= room < NUMBER else NUMBER


def line_row(index: int, line: Line, live: str, current: bool, space: Space, number_columns: int = NUMBER) -> Row:
    """A line: marker, number, text and, at the right edge, its live value if it fits."""
    glyphs = space.glyphs
    marker = glyphs.current if current else " "
    words, value = glyphs.text(line.text), glyphs.text(live)
    number = f"{index + 1:>{number_columns}} "
    roles: tuple[Role, Role, Role] = ("now", "now", "now") if current else ("muted", "text", "strong")
    left: Row = ((marker + number, roles[0]), (words, roles[1]))
    room = space.width - length(left)
    if not value or len(value) + GAP > room:
        padding: Span = (" " * max(0, room), roles[1] if current else "blank")
        return row((*clipped(left, space.width, glyphs), padding), space.width)
    gap: Span = (" " * (room - len(value)), roles[1] if current else "blank")
    return row((*left, gap, (value, roles[2])), space.width)


def profile_row(line: Line, share: float | None, space: Space, number_columns: int = NUMBER) -> Row:
    """A line of a profile: a bar of its share, from 0 to 1, in place of marker and number, the text and, at the right
    edge, the share; the text is cut where both do not fit."""
    glyphs = space.glyphs
    columns = len(glyphs.current) + number_columns
    drawn = "" if share is None else bar(share, columns, glyphs)
    value = "" if share is None else f"{share:.0%}".replace("%", " %")
    left: Row = ((f"{drawn:<{columns + 1}}", "strong"), (glyphs.text(line.text), "text"))
    room = space.width - len(value) - GAP if value else space.width
    return spread(clipped(left, room, glyphs), ((value, "strong"),), space.width)


def program_rows(program: Sequence[Line], current: str | None, live: Mapping[str, str], space: Space,
                 gauges: Sequence[Gauge] | None = (), profile: Mapping[str, float] | None = None,
                 first: int | None = None) -> Rows:
    """The pseudo-code, scrolled to the current line. `current`: id of that line, or None; `live`: values at the right
    of lines, by line id; `gauges`: those without a track are shown beside the heading, None: without heading;
    `profile`: instead of both, the share of the steps that came to a line, by line id, scrolled to the busiest line;
    `first`: the first line shown, wherever the current one is. A single row is the current line."""
    head = [heading_row(gauges, space)] if gauges is not None and space.height > 1 else []
    shares = profile or {}
    shown = lines_shown(program, current, shares, max(1, space.height - len(head)), first)
    digits = number_width(program, space)
    body = [profile_row(line, shares.get(line.id), space, digits) if shares
            else line_row(i, line, live.get(line.id, ""), line.id == current, space, digits)
            for i, line in enumerate(program[shown.start:shown.stop], shown.start)]
    below = len(program) - shown.stop
    if below and len(head) + len(body) < space.height:
        body.append(((more_text(below, digits + len("▸ "), space) + key_text(space.scroll_key), "muted"),))
    return rows([*head, *body], space)


def lines_shown(program: Sequence[Line], current: str | None, shares: Mapping[str, float], room: int,
                first: int | None = None) -> range:
    """The lines that `room` rows show: from `first` on, else those around the current or the busiest line. They leave
    the last row to the number of the lines below, if there are any and enough rows."""
    busiest = max((line.id for line in program if line.id in shares), key=shares.__getitem__, default=current)
    at = next((i for i, line in enumerate(program) if line.id == busiest), 0)
    used = room - (room >= LEAST_COUNTED)
    begin = window(0, at, 1, used, len(program)) if first is None else max(0, first)
    if begin + room >= len(program):  # nothing is hidden below
        begin, used = max(0, len(program) - room), room
    return range(begin, min(len(program), begin + used))


def heading_row(gauges: Sequence[Gauge], space: Space) -> Row:
    """The heading and, at its right, the gauges without a track, as many of the last ones as fit."""
    title: list[Span] = [(_("Program"), "strong")]
    counters = [gauge for gauge in gauges if gauge.share is None]
    while True:
        right = [span for gauge in counters for span in _counter(gauge, space)][1:]
        if not counters or length(title) + GAP + length(right) <= space.width:
            return spread(title, right, space.width)
        counters = counters[1:]


def _counter(gauge: Gauge, space: Space) -> Row:
    label, value = map(space.glyphs.text, (_(gauge.label), short(gauge.text)))
    return (("  ", "blank"), (f"{label} ", "muted"), (value, "strong"))


class Program(HeadedPane):
    """The pseudo-code of a solver."""

    program: tuple[Line, ...] = ()
    current: str | None = None
    live: Mapping[str, str] = {}
    profile: Mapping[str, float] = {}
    scroll_key = ""
    """The key that scrolls down."""
    _counters: tuple[Gauge, ...] = ()
    _first: int | None = None
    """The first line shown, where the lines were scrolled; None: the current line is in view."""

    def note(self, gauges: Sequence[Gauge]) -> None:
        """Show those of the gauges that have no track beside the heading."""
        if tuple(gauges) != self._counters:
            self._counters = tuple(gauges)
            self.repaint()

    def load(self, program: Sequence[Line]) -> None:
        """Show another pseudo-code; marks and live values stay, by line id."""
        if tuple(program) != self.program:
            self.program, self._first = tuple(program), None
            self.repaint()

    def show(self, current: str | None, live: Mapping[str, str] | None = None,
             profile: Mapping[str, float] | None = None) -> None:
        """Mark the current line and show live values; or show a profile, the share of the steps that came to a line.
        All by line id. Another step brings its line back into view, if the lines were scrolled; a later profile of the
        same run does not."""
        shown = current, live or {}, profile or {}
        if shown[:2] != (self.current, self.live) or bool(profile) != bool(self.profile):
            self._first = None
        self.current, self.live, self.profile = shown
        self.repaint()

    def scroll_page(self, direction: int) -> bool:
        """Scroll by a page; False at the end of the lines."""
        room = max(1, self.outer_size.height - self.heading)
        before = lines_shown(self.program, self.current, self.profile, room, self._first)
        self._first = before.start + direction * max(1, len(before) - 1)
        after = lines_shown(self.program, self.current, self.profile, room, self._first)
        self._first = after.start
        self.repaint()
        return after != before

    def on_mouse_scroll_down(self) -> None:
        self.scroll_page(1)

    def on_mouse_scroll_up(self) -> None:
        self.scroll_page(-1)

    def draw(self, space: Space) -> Rows:
        return program_rows(self.program, self.current, self.live, replace(space, scroll_key=self.scroll_key),
                            self._counters if self.heading else None, self.profile, self._first)
