"""The panel beside the board: the data of a view, as the stack of a search, a population, lists and tables.

A panel of several parts shares its rows among them: parts that must be read whole come first, and those that do not fit
are named.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from textual import events
from textual.message import Message

from engine.puzzle import cell_name
from engine.view import (
    AutomatonPanel,
    CountsPanel,
    ListPanel,
    Pair,
    Panel,
    Part,
    PopulationPanel,
    Sections,
    StackPanel,
    TablePanel,
    population_in,
)
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets.pane import HeadedPane
from tui.widgets.panels import tables  # noqa: F401  (registers the lines of its panels)
from tui.widgets.panels.population import (
    Arrangement,
    Selection,
    arrange,
    individual_at,
    mark_on_board,
    population_rows,
)
from tui.widgets.panels.tables import FurtherRow, Lines, grounded, nothing, panel_lines
from tui.widgets.rows import Row, Rows, Space, Span, columns, fit, key_text, more_text, row, rows, spread
from tui.widgets.text import broken

LEAST = 2
"""Least lines of a part that is shown, if it has as many, below its head."""
LEAST_DENSE = 8
"""Least lines of a part that has a denser form."""
LEAST_WORD = 4
"""Least lines of an automaton: the head, a letter, the number of the others, the result."""
ENDLESS = 10**6
"""Rows for measuring a part."""
WHOLE = (CountsPanel, AutomatonPanel)
"""Parts that are useless when cut: they have all their lines before others have more than the least."""
OTHERS, LEAST_OTHERS = 3, 5
"""The sections below a population get one line in this many, and this many at least."""
LEAST_MAP = 5
"""Rows of a population, at least: below that it has all rows but one, and those of other sections are scrolled to."""
TIGHT = 4
"""Lines of a list up to which, once it is scrolled, it does not count those above."""
INDENT = 6
"""Columns before the number of hidden lines."""
SCROLLED = 2
"""Lines that a notch of the mouse wheel scrolls, and a key at least."""
NOT_OF_PAGE = 5
"""Lines of the room of a list that are no page of it: titles, heads, the two that count, and one that stays."""
HANGING = 2
"""Indentation of the further rows of a broken line."""
WIDE = 40
"""Columns from which the stack of a search has a head and more columns."""


def panel_rows(panel: Panel | None, n: int, space: Space, heading: bool = True) -> Rows:
    """A panel under its title, or its parts under theirs."""
    if panel is None:
        return rows((), space)
    several = isinstance(panel, Sections)
    parts = panel.parts if isinstance(panel, Sections) else (panel,)
    lines = stacked(parts, n, space, heading or several)
    return rows([_in_glyphs(line, space.glyphs) for line in lines], space)


def divided(population: PopulationPanel, panel: Panel | None, n: int, space: Space) -> tuple[Space, Rows]:
    """(room for a population, rows of the other sections below it): the same rooms at each step, so that no part moves
    while a run plays."""
    others = tuple(part for part in panel.parts if part is not population) if isinstance(panel, Sections) else ()
    height = max(space.height // OTHERS, LEAST_OTHERS)
    if not others:
        return space, ()
    below = panel_rows(Sections("", others), n, replace(space, height=height))
    if space.height - 1 - len(below) < LEAST_MAP and not space.skip:
        left_out = row(_named([_(part.title) for part in others], space), space.width)
        return replace(space, height=max(space.height - 1, 0)), (left_out,)
    return replace(space, height=space.height - 1 - len(below)), (row((), space.width), *below)


def _in_glyphs(line: Sequence[Span], glyphs: Glyphs) -> list[Span]:
    return [(glyphs.text(text), role) for text, role in line]


# The rows of the parts


def stacked(parts: Sequence[Part], n: int, space: Space, titled: bool) -> list[Sequence[Span]]:
    """The parts below one another; those without room are named, if a line is left or the last one counts its hidden
    lines. `titled`: each under its title. Once the user scrolls, a window on all lines of all parts."""
    title = int(titled)
    if space.skip and len(parts) > 1:
        return _window(parts, n, space, titled)
    full = [title + len(panel_lines(part, n, replace(space, height=ENDLESS))) for part in parts]
    lines: list[Sequence[Span]] = []
    for height in (space.height, space.height - 1):  # the second time, a line is left to name the parts without room
        given = _given(parts, n, replace(space, height=height), title, full)
        left_out = [_(part.title) for part in parts[len(given):]]
        lines = []
        for place, (part, given_rows) in enumerate(zip(parts, given, strict=False), 1):
            lines += [()] if lines else []
            lines += [heading(part, space)] if titled else []
            lines += fitted(part, n, replace(space, height=given_rows - title), left_out if place == len(given) else ())
        ending = [text for line in lines[-2:] for text, _role in line]  # an automaton ends with its result
        named = any(text.lstrip().startswith(space.glyphs.ellipsis) for text in ending)
        if not left_out or named or len(lines) < space.height:
            break
    if left_out and len(lines) < space.height and not any(", ".join(left_out) in text for text in ending):
        lines.append(_named(left_out, space))
    return lines


def _given(parts: Sequence[Part], n: int, space: Space, title: int, full: Sequence[int]) -> list[int]:
    """Rows of each part. An automaton keeps its head and its result, at the cost of the parts after it; if it has no
    room for them, it is cut."""
    whole = [_read_whole(part) for part in parts]
    least = [title + _least(part, n, space) for part in parts]
    automata = {place: _dense(part, n, space) for place, part in enumerate(parts) if isinstance(part, AutomatonPanel)}
    given: list[int] = []
    for most in (ENDLESS, LEAST_DENSE, LEAST_WORD):
        needed = [title + min(automata[place], most) if place in automata else rows for place, rows in enumerate(least)]
        given = shares(full, needed, whole, space.height)
        if all(place < len(given) for place in automata):
            break
    return given


def _dense(part: Part, n: int, space: Space) -> int:
    """Lines of a part in its densest form."""
    return len(panel_lines(part, n, replace(space, height=1)))


def _window(parts: Sequence[Part], n: int, space: Space, titled: bool) -> list[Sequence[Span]]:
    """All lines of the parts, from where the user has scrolled to. Scrolling begins at the first line, since any may
    have been cut."""
    lines: list[Sequence[Span]] = []
    for part in parts:
        lines += [()] if lines else []
        lines += [heading(part, space)] if titled else []
        lines += panel_lines(part, n, replace(space, height=ENDLESS))
    first = max(0, min(space.skip - SCROLLED, len(lines) - space.height))
    end = first + space.height
    shown = lines[first:end]
    if len(lines) > end:
        shown[-1] = _below(_items(lines[end - 1:]), space)
    return shown


def _named(left_out: Sequence[str], space: Space) -> list[Span]:
    """The titles of parts that have no room, as many as fit, and the key that scrolls to them."""
    before, key = space.glyphs.ellipsis + " ", key_text(space.scroll_key)
    room = space.width - columns(before) - columns(key)
    return [(before + fit(", ".join(left_out), room, space.glyphs).rstrip() + key, "muted")]


def _read_whole(part: Part) -> bool:
    """Test for a part that is useless when cut, as an unsatisfiable core is."""
    return isinstance(part, WHOLE) or (isinstance(part, TablePanel) and (part.whole or bool(part.core)))


def _least(part: Part, n: int, space: Space) -> int:
    """Least lines of a part."""
    full = len(panel_lines(part, n, replace(space, height=ENDLESS)))
    dense = _dense(part, n, space)
    head = isinstance(part, TablePanel) and bool(part.head)
    return min(dense, LEAST_DENSE) if dense < full else min(full, LEAST + head)


def shares(full: Sequence[int], least: Sequence[int], whole: Sequence[bool], room: int) -> list[int]:
    """Rows of each part, with a blank row between two; the result is shorter where the last parts have no room.

    `full`: rows of all its lines; `least`: rows that it needs; `whole`: whether it is served before the others.
    """
    many = len(full)
    while many > 1 and sum(least[:many]) + many - 1 > room:
        many -= 1
    given = list(least[:many])
    spare = room - sum(given) - (many - 1)
    for first in (True, False):
        waiting = [part for part in range(many) if whole[part] is first]
        while spare > 0 and (waiting := [part for part in waiting if given[part] < full[part]]):
            given[min(waiting, key=given.__getitem__)] += 1
            spare -= 1
    return [max(min(rows, room), 0) for rows in given]


def heading(part: Part, space: Space) -> Row:
    """The title of a part, and the legend of its marks."""
    return spread([(space.glyphs.text(_(part.title)), "strong")], [(space.glyphs.text(legend(part)), "muted")],
                  space.width)


def legend(part: Part) -> str:
    """The legend of the marks of a part."""
    match part:
        case StackPanel():
            return _("tried [now] left")
        case TablePanel(core=core, core_means=means) if core:
            return _("! = {meaning}").format(meaning=_(means))
    return ""


def fitted(part: Part, n: int, space: Space, left_out: Sequence[str] = ()) -> Lines:
    """The lines of a part. If they do not fit, a window on them, with the number of hidden lines above and below it:
    where the user has scrolled to, else around the selected line or the line of this step. `left_out`: the titles of
    the parts below it that have no room."""
    lines = panel_lines(part, n, space)
    if len(lines) <= space.height:
        return lines
    top = int(_is_head(lines[0]))
    end = len(lines) - int(isinstance(part, AutomatonPanel))  # its last line is the result
    room = space.height - top - (len(lines) - end)
    if len(lines) - top <= space.height and not isinstance(part, WHOLE):
        return lines[top:]  # a table can be read without its head, blocks of counts and a word cannot
    body = lines[top:end]
    now = next((place for role in ("selected", "now") for place, line in enumerate(body)
                if any(each == role for _text, each in line)), 0)
    if room < 2:
        return [*lines[:top], *body[now : now + room], *lines[end:]][: max(space.height, 0)]
    if room == 2 and not space.skip:
        return [*lines[:top], body[now], _below(_items(body) - 1, space, left_out), *lines[end:]]
    counted = not space.skip or room > TIGHT  # a scrolled window that is so low has no line to spare for those above
    first = space.skip or (0 if now <= room - 2 else now - room + 3)
    first = min(first, len(body) - room + int(counted))
    last = first + room - int(first > 0 and counted)
    below = len(body) > last
    heads = [place for place, line in enumerate(lines[: top + first + 1]) if _is_head(line)]
    head = [lines[heads[-1]]] if heads else []
    passed = int(bool(heads) and heads[-1] == top + first)  # the head is the first line in view
    shown = body[first + passed : last - int(below)]
    above: Lines = [[(more_text(_items(body[:first]), INDENT, space), "muted")]] if first and counted else []
    under: Lines = [_below(_items(body[last - 1:]), space, left_out)] if below else []
    return [*head, *above, *shown, *under, *lines[end:]]


def _items(lines: Sequence[Sequence[Span]]) -> int:
    """The number of items that begin in these lines, 1 at least."""
    return max(1, sum(not isinstance(line, FurtherRow) for line in lines))


def _is_head(line: Sequence[Span]) -> bool:
    """Test for a line of headings."""
    return any(role == "muted" for _text, role in line) and all(role in ("muted", "blank") for _text, role in line)


def _below(number: int, space: Space, left_out: Sequence[str] = ()) -> list[Span]:
    """The line that counts the hidden lines, and names the parts that are left out, if it has room for them."""
    counted, key = more_text(number, INDENT, space), key_text(space.scroll_key)
    named = ", ".join((counted, *left_out)) + key
    text = next((each for each in (named, named.lstrip()) if columns(each) <= space.width), counted + key)
    return [(text, "muted")]


# The lines of a part


@panel_lines.register
def _stack(panel: StackPanel, n: int, space: Space) -> Lines:
    """The choices, deepest first: depth, cell, and the present value between those tried and those left."""
    wide = space.width >= WIDE
    if not panel.frames:
        return nothing()
    lines: Lines = [[(f"{_('depth'):>7}  {_('cell'):<8}{_('value'):>5}  {_('choices')}", "muted")]] if wide else []
    for depth, (cell, value, tried, left) in reversed(list(enumerate(panel.frames, 1))):
        newest = depth == len(panel.frames)
        now, name = str(value) if value else space.glyphs.empty, cell_name(cell, n)
        head: Span = (f" {depth:>6}  {name:<8}{now:>3}    " if wide else f"{depth:>3}  {name:<7}", "text")
        choice: list[Span] = [*_choices(tried, "muted"), (f"[{now}]", "strong"), *_choices(left, "text", " ")]
        if wide and value and not tried and not left:
            choice.append(("   " + _("forced"), "muted"))
        spans = [head, *choice]
        if (cell, value) == space.picked:
            lines.append(grounded(space, spans, "selected"))
        else:
            lines.append(grounded(space, spans, "now") if newest else spans)
    return lines


def _choices(values: tuple[int, ...], role: Role, before: str = "") -> list[Span]:
    listed = " ".join(map(str, values))
    return [(before + listed + ("" if before else " "), role)] if values else []


@panel_lines.register
def _population(panel: PopulationPanel, n: int, space: Space) -> Lines:
    """A population among other parts."""
    return [list(line) for line in population_rows(panel, Selection(), n, space, heading=False)]


@panel_lines.register
def _list(panel: ListPanel, n: int, space: Space) -> Lines:
    """The lines, newest first; one that is too long is broken, its further rows indented."""
    lines: Lines = []
    for place, line in enumerate(panel.lines):
        first, *more = [line] if columns(line) <= space.width else broken(line, space.width - HANGING)
        role: Role = "text" if place else "strong"
        lines += [[(first, role)], *(FurtherRow([(" " * HANGING + text, role)]) for text in more)]
    return lines or nothing()


class PanelPane(HeadedPane):
    """Shows the panel of a view; a population with the user's selection."""

    class Picked(Message):
        """An individual was clicked."""

        def __init__(self, individual: int) -> None:
            super().__init__()
            self.individual = individual

    panel: Panel | None = None
    picked: Pair | None = None
    """The selected choice of a search, (cell, value)."""
    selection = Selection()
    scroll_key = ""
    """The key that scrolls its lists down."""
    _skip = 0
    """Lines that they are scrolled down."""

    def __init__(self, n: int = 9) -> None:
        super().__init__()
        self._n = n

    def show(self, panel: Panel | None, selection: Selection | None = None) -> None:
        """Show a panel; `selection` is for populations, None keeps the present one."""
        self.panel, self.selection = panel, selection or self.selection
        self.repaint()

    def pick(self, choice: Pair | None) -> None:
        """Mark this choice of a search."""
        if choice != self.picked:
            self.picked = choice
            self.repaint()

    def scroll(self, lines: int) -> bool:
        """Scroll the lists of the panel; False at their end."""
        space, before = Space(*self.outer_size, self.glyphs), self._skip
        drawn = self.draw(space)
        for times in (1, 2):  # the first time, parts of which only the last was cut look as before
            self._skip = max(0, before + times * lines)
            if self.draw(space) != drawn:
                self.repaint()
                return True
        self._skip = before
        return False

    def scroll_page(self, direction: int) -> bool:
        """Scroll the lists by a page; False at their end. Of several parts any may be cut: the first key shows the
        first line."""
        several = isinstance(self.panel, Sections) and len(self.panel.parts) > 1
        height = self.outer_size.height
        room = height if population_in(self.panel) is None else max(height // OTHERS, LEAST_OTHERS)
        page = SCROLLED if several and not self._skip else max(SCROLLED, room - NOT_OF_PAGE)
        return self.scroll(direction * page)

    def on_mouse_scroll_down(self) -> None:
        self.scroll(SCROLLED)

    def on_mouse_scroll_up(self) -> None:
        self.scroll(-SCROLLED)

    def arrangement(self) -> Arrangement | None:
        """The arrangement of the individuals of a population; None without one."""
        population, space = population_in(self.panel), Space(*self.outer_size, self.glyphs, skip=self._skip)
        if population is None:
            return None
        room, _below = divided(population, self.panel, self._n, space)
        return arrange(population, self.selection.by_energy, room, self.heading)

    def mark_on_board(self) -> str:
        """The mark of the individual on the board, as it is drawn; `[]` where none is drawn."""
        population, arrangement = population_in(self.panel), self.arrangement()
        if not self.display or population is None or arrangement is None:
            return "[]"
        return mark_on_board(population, self.selection, arrangement, self.glyphs) or "[]"

    def draw(self, space: Space) -> Rows:
        population, space = population_in(self.panel), replace(space, skip=self._skip, scroll_key=self.scroll_key)
        if population is None:
            return panel_rows(self.panel, self._n, replace(space, picked=self.picked), self.heading)
        room, below = divided(population, self.panel, self._n, space)
        return (*population_rows(population, self.selection, self._n, room, self.heading), *below)

    def on_click(self, event: events.Click) -> None:
        arrangement, population = self.arrangement(), population_in(self.panel)
        if arrangement is not None and population is not None:
            individual = individual_at(population, arrangement, event.x, event.y)
            if individual is not None:
                self.post_message(self.Picked(individual))
        if event.y and self._is_title(event.y):
            self.post_message(self.HeadingClicked(self))

    def _is_title(self, y: int) -> bool:
        """Whether a row is the title of one of several parts."""
        parts = self.panel.parts if isinstance(self.panel, Sections) else ()
        titles = [(self.glyphs.text(_(part.title)), "strong") for part in parts if part.title]
        return any(span in titles for span in (self._shown[y] if y < len(self._shown) else ()))
