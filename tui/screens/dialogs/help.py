"""The help pages: the present state, the footer hints, all keys, marks and colours, and the solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct
from textual.binding import Binding, BindingType

from tui.i18n import _
from tui.keys.default_keys import key_text
from tui.keys.keymap import KeyTable
from tui.look.theme import Role
from tui.screens.dialogs.pager import Block, PageMaker, Pager, columns_of, flow
from tui.widgets.board.mark_help import MARKS, OF_STEPS, sample
from tui.widgets.rows import Row, Space, Span, length, row
from tui.widgets.text import broken

KEY = 11
"""Width of the keys."""
MOST_PANES = 9
"""Panes that a digit explains."""
TALLEST = 36
"""Rows of a column, at most, so that a tall window has several columns too; more if all is then on one page."""


class Topic(Struct, frozen=True):
    """The content of the help of a screen."""

    title: str
    now: Sequence[str]
    """Sentences about the present state, the most important first."""
    hints: Sequence[tuple[str, str]]
    """(keys, word) of the footer hints."""
    table: KeyTable
    words: dict[str, str]
    """Values of {knob} and the like in the texts of the table."""
    about: Sequence[str] = ()
    """A heading and paragraphs at the end."""
    marks: bool = True
    """Explain the marks on boards."""
    answers: bool = False
    """On the board are answers, not steps: explain its marks by the rules of hands on."""
    idle: frozenset[str] = frozenset()
    """The names of actions that do nothing now; keys for nothing else are omitted."""


def help_pages(topic: Topic, space: Space, panes: Sequence[tuple[str, str]] = ()) -> list[list[Row]]:
    """The pages; the present state comes first, across all columns. `panes`: (key, title) of the panes that can be
    explained."""
    head = list(_now(topic, space, panes))
    column = columns_of(space.width)
    blocks = [*_keys(topic, column, space)]
    if topic.marks:
        blocks += _marks(topic.answers, column, space)
    if topic.about:
        blocks.append(_about(topic, column, space))
    most = max(space.height - len(head), 1)
    least = min(most, TALLEST)
    room = next((rows for rows in range(least, most + 1)
                 if _blocks_on(blocks, rows, space.width, column) == len(blocks)), least)
    pages = [head + flow(blocks, Space(space.width, room, space.glyphs), column)[0]]
    shown = _blocks_on(blocks, room, space.width, column)
    rest = flow(blocks[shown:], space, column) if shown < len(blocks) else []
    return pages + [page for page in rest if page]


def _blocks_on(blocks: Sequence[Block], height: int, width: int, column: int) -> int:
    """The number of blocks on the first page."""
    for number in range(len(blocks), 0, -1):
        if len(flow(blocks[:number], Space(width, height), column)) == 1:
            return number
    return 0


def _now(topic: Topic, space: Space, panes: Sequence[tuple[str, str]]) -> Iterator[Row]:
    """The title, the sentences, the hints, and the keys that explain panes."""
    glyphs, width = space.glyphs, space.width
    yield row((("  ", "blank"), (glyphs.text(_(topic.title)), "strong")), width)
    for text in (line for each in topic.now for line in broken(glyphs.text(each), width - 4)):
        yield row((("  ", "blank"), (text, "text")), width)
    yield from _entries(topic.hints, (), space)
    if panes:
        yield from _entries(panes, ((_("Explain a pane:"), "muted"), ("   ", "blank")), space)
    yield row((), width)


def _entries(entries: Sequence[tuple[str, str]], head: Row, space: Space) -> Iterator[Row]:
    """Keys with their words, side by side, on as many rows as they take."""
    line: list[Span] = [("  ", "blank"), *head]
    for key, word in entries:
        spans: list[Span] = [(key, "data_strong"), (" " + space.glyphs.text(word), "text")]
        if length(line) + length(spans) + 3 > space.width:
            yield row(line, space.width)
            line = [("  ", "blank")]
        line += [*spans, ("   ", "blank")]
    yield row(line, space.width)


def _keys(topic: Topic, width: int, space: Space) -> Iterator[Block]:
    groups: dict[str, list[Row]] = {}
    for line in topic.table.lines():
        if topic.idle.issuperset(line.names):
            continue
        shown = key_text(line.shown, space.glyphs)
        does = key_text(_(line.does).format_map(topic.words), space.glyphs)
        groups.setdefault(line.group, []).extend(_entry([(shown, "data_strong")], does, width))
    for name, lines in groups.items():
        yield [row(((_(name), "strong"),), width), *lines]


def _marks(answers: bool, width: int, space: Space) -> Iterator[Block]:
    """The marks and the colours, each drawn as on the screen; without answers the signs of events, too."""
    glyphs = space.glyphs
    reach: list[Span] = [(glyphs.mark("reach"), "muted"), ("7  ", "text")]
    of_answers: list[tuple[list[Span], str]] = [
        ([("[7]", "now"), (" ", "blank")], _("the question is about it")),
        (reach, _("marked by you; once judged: right, or named by the reason")),
        ([(glyphs.mark("tabu"), "text"), ("7  ", "text")], _("marked by you, and wrong")),
        ([*reach[:1], ("7 ", "text"), ("[7]", "now")], _("of several cells asked about: one that is not marked, and "
                                                         "one that is; once judged: one that is not in the answer, "
                                                         "and one that is")),
    ]
    names = [name for name in MARKS if not answers or name not in OF_STEPS]
    marks = [([*sample(name, glyphs)], _(MARKS[name].brief)) for name in names]
    if answers:
        after = names.index("core") + 1
        marks[after:after] = of_answers
    yield [row(((_("Marks on the board"), "strong"),), width), *_legend(marks, width)]
    colours: list[tuple[list[Span], str]] = [
        ([(" 7 ", "now")], _("the question is about it") if answers else _("changes at this step")),
        ([(glyphs.playhead + glyphs.diamond, "ink")], _("playhead; knob")),
        ([(" 7", "conflict"), ("!", "alarm")], _("cells that contradict each other")),
        ([(_("best"), "data_strong")], _("best so far, selection")),
        ([(glyphs.horizontal * 4, "future")], _("recorded, ahead of the playhead")),
    ]
    yield [row(((_("Colours"), "strong"),), width), *_legend(colours[:1] + colours[2:3] if answers else colours, width)]
    if answers:
        return
    signs: list[tuple[list[Span], str]] = [([(glyphs.mark(name), role)], words) for name, role, words in _signs()]
    yield [row(((_("Events"), "strong"),), width), *_legend(signs, width)]


def _signs() -> tuple[tuple[str, Role, str], ...]:
    """(meaning, role, words) of the signs of events."""
    return (
        ("uphill", "ink", _("accepted although worse")), ("improved", "text", _("better")),
        ("equal", "text", _("equal")), ("rejected", "muted", _("rejected")), ("best", "data", _("new best")),
        ("cooled", "muted", _("plateau")), ("reheat", "text", _("reheat, new sweep")),
        ("restart", "text", _("restart")), ("generation", "muted", _("generation, epoch")),
        ("more", "strong", _("more individuals")), ("shifted", "text", _("share of workers changed")),
        ("placed", "text", _("placed, or possible")), ("ruled_out", "text", _("ruled out")),
        ("taken_back", "text", _("taken back")), ("dead_end", "muted", _("dead end")),
        ("noted", "muted", _("no value changed")), ("hand", "strong", _("changed by hand")),
        ("solved", "strong", _("solved")), ("gave_up", "strong", _("gave up")),
        ("no_solution", "strong", _("no solution")), ("unknown", "strong", _("unknown")),
    )


def _legend(entries: Sequence[tuple[list[Span], str]], width: int) -> Iterator[Row]:
    for spans, text in entries:
        yield from _entry(spans, text, width)


def _entry(spans: list[Span], text: str, width: int) -> Iterator[Row]:
    """A sign and its meaning, wrapped; a sign wider than its column takes room from the meaning."""
    before = max(KEY, length(spans) + 1)
    first, *more = broken(text, max(width - before, 10))
    yield row((*spans, (" " * (before - length(spans)), "blank"), (first, "text")), width)
    for line in more:
        yield row(((" " * before, "blank"), (line, "text")), width)


def _about(topic: Topic, width: int, space: Space) -> Block:
    heading, *texts = topic.about
    lines = [line for text in texts for line in (*broken(space.glyphs.text(text), width), "")]
    return [row(((space.glyphs.text(heading), "strong"),), width),
            *(row(((line, "text"),), width) for line in lines[:-1])]


PANE_KEYS: list[BindingType] = [Binding(str(digit), f"pane({digit})", show=False) for digit in range(1, MOST_PANES + 1)]


PanePages = Sequence[tuple[str, PageMaker]]
"""Title and pages of each pane that can be explained."""


class PaneHelp(Pager):
    """The explanation of a pane; a digit turns to that of another one."""

    BINDINGS: ClassVar[list[BindingType]] = PANE_KEYS

    def __init__(self, panes: PanePages, digit: int) -> None:
        """`digit`: the number of the first pane shown."""
        super().__init__(panes[digit - 1][1])
        self._panes, self._shown = panes, panes[digit - 1][0]

    def renew(self, panes: PanePages) -> None:
        """Explain the same pane in another state of the screen."""
        self._panes = panes
        for title, pages in panes:
            if title == self._shown:
                self.text.renew(pages)

    def action_pane(self, digit: int) -> None:
        if digit <= len(self._panes):
            self._shown, pages = self._panes[digit - 1]
            self.text.show(pages)


class Help(Pager):
    """The help of a screen. A digit explains one of its panes."""

    BINDINGS: ClassVar[list[BindingType]] = PANE_KEYS

    def __init__(self, topic: Topic, panes: PanePages = ()) -> None:
        self._panes = panes[:MOST_PANES]
        super().__init__(self._pages_for(topic))

    def _pages_for(self, topic: Topic) -> PageMaker:
        names = [(str(digit), title) for digit, (title, _pages) in enumerate(self._panes, 1)]
        return lambda space: help_pages(topic, space, names)

    def renew(self, topic: Topic, panes: PanePages) -> None:
        """Show the help of another state of the screen."""
        self._panes = panes[:MOST_PANES]
        self.text.renew(self._pages_for(topic))

    def action_pane(self, digit: int) -> None:
        """Explain a pane, on pages of its own."""
        if digit <= len(self._panes):
            self.app.push_screen(PaneHelp(self._panes, digit))
