"""The help: what the screen shows now, what can be done, all keys, marks and colours, and what this solver does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tui.i18n import _
from tui.keys.bindings import key_text
from tui.keys.keymap import KeyTable
from tui.screens.dialogs.pager import Block, Pager, columns_of, flowed
from tui.widgets.rows import Row, Space, Span, length, row
from tui.widgets.text import broken

KEY = 11
"""Columns of the keys."""
TALLEST = 36
"""Rows of a column, at most: on a tall window the columns stand beside each other all the same."""


class Topic(Struct, frozen=True):
    """What the help of a screen is about."""

    title: str
    now: Sequence[str]
    """Sentences about what the screen shows at this moment, the most important first."""
    offers: Sequence[tuple[str, str]]
    """(keys, word) of what is possible now."""
    table: KeyTable
    words: dict[str, str]
    """What stands for {knob} and the like."""
    about: Sequence[str] = ()
    """Paragraphs at the end, the first of them their heading."""
    marks: bool = True
    """Whether there is a board with marks."""


def help_pages(topic: Topic, space: Space) -> list[list[Row]]:
    """The help, page by page; what is now comes first, over all columns."""
    head = list(_now(topic, space))
    column = columns_of(space.width)
    blocks = [*_keys(topic, column, space)]
    if topic.marks:
        blocks += _marks(column, space)
    if topic.about:
        blocks.append(_about(topic, column, space))
    room = min(max(space.height - len(head), 1), TALLEST)
    pages = [head + flowed(blocks, Space(space.width, room, space.glyphs), column)[0]]
    shown = _blocks_on(blocks, room, space.width, column)
    rest = flowed(blocks[shown:], space, column) if shown < len(blocks) else []
    return pages + [page for page in rest if page]


def _blocks_on(blocks: Sequence[Block], height: int, width: int, column: int) -> int:
    """How many blocks the first page holds."""
    for number in range(len(blocks), 0, -1):
        if len(flowed(blocks[:number], Space(width, height), column)) == 1:
            return number
    return 0


def _now(topic: Topic, space: Space) -> Iterator[Row]:
    """The title, the sentences, and what is possible now."""
    glyphs, width = space.glyphs, space.width
    yield row((("  ", "blank"), (glyphs.text(_(topic.title)), "strong")), width)
    for said in (line for text in topic.now for line in broken(glyphs.text(text), width - 4)):
        yield row((("  ", "blank"), (said, "text")), width)
    line: list[Span] = [("  ", "blank")]
    for key, word in topic.offers:
        spans: list[Span] = [(key, "data_strong"), (" " + glyphs.text(word), "text")]
        if length(line) + length(spans) + 3 > width:
            yield row(line, width)
            line = [("  ", "blank")]
        line += [*spans, ("   ", "blank")]
    yield row(line, width)
    yield row((), width)


def _keys(topic: Topic, width: int, space: Space) -> Iterator[Block]:
    groups: dict[str, list[Row]] = {}
    for line in topic.table.lines():
        shown = key_text(line.shown, space.glyphs)
        does = key_text(_(line.does).format_map(topic.words), space.glyphs)
        groups.setdefault(line.group, []).extend(_entry([(shown, "data_strong")], does, width))
    for name, lines in groups.items():
        yield [row(((_(name), "strong"),), width), *lines]


def _marks(width: int, space: Space) -> Iterator[Block]:
    """What the marks and the colours mean, each drawn as it is on the board."""
    glyphs = space.glyphs
    marks: list[tuple[list[Span], str]] = [
        ([(" 7  ", "strong")], _("given by the puzzle")),
        ([(" 7  ", "text")], _("free: the solver's")),
        ([(" 7", "conflict"), ("! ", "alarm")], _("stands again in a unit")),
        ([("[7]", "now"), (" ", "blank")], _("moved at this step")),
        ([("[7]", "now_conflict"), ("!", "alarm")], _("moved, and in conflict")),
        ([("(", "muted"), ("7", "text"), (")", "muted"), (" ", "blank")], _("in conflict with what moved")),
        ([(glyphs.empty, "muted"), ("7  ", "text")], _("what moved could go there")),
        ([("A", "muted"), ("7  ", "text")], _("from parent A, or B")),
        ([(glyphs.tabu, "text"), ("7", "text"), (glyphs.heats[5] + " ", "text")], _("tabu, and for how long")),
        ([(">", "data_strong"), ("7", "text"), ("<", "data_strong"), (" ", "blank")], _("the cell that you picked")),
        ([(f" {glyphs.empty}  ", "rule")], _("empty")),
        ([(f" {glyphs.none}", "conflict"), ("! ", "alarm")], _("no value fits")),
    ]
    yield [row(((_("Marks on the board"), "strong"),), width), *_legend(marks, width)]
    colours: list[tuple[list[Span], str]] = [
        ([(_("yellow"), "now")], _("happens at this step, only that")),
        ([(glyphs.playhead, "ink")], _("playhead, knob, p")),
        ([(_("vermillion"), "alarm")], _("cells that contradict each other")),
        ([(_("blue"), "data_strong")], _("best so far, what is picked")),
        ([(_("grey"), "future")], _("recorded, ahead of the playhead")),
    ]
    yield [row(((_("Colours"), "strong"),), width), *_legend(colours, width)]
    signs: list[tuple[list[Span], str]] = [
        ([(glyphs.uphill, "ink")], _("accepted although worse")), ([(glyphs.better, "text")], _("better")),
        ([(glyphs.equal, "text")], _("as good")), ([(glyphs.rejected, "muted")], _("rejected")),
        ([(glyphs.diamond, "data")], _("new best")), ([(glyphs.reheat, "text")], _("reheat, new sweep")),
        ([(glyphs.again, "text")], _("restart")), ([(glyphs.down, "muted")], _("cooled")),
        ([(glyphs.more, "strong")], _("more individuals")),
        ([(glyphs.ended, "strong")], _("solved"))]
    yield [row(((_("Events"), "strong"),), width), *_legend(signs, width)]


def _legend(entries: Sequence[tuple[list[Span], str]], width: int) -> Iterator[Row]:
    for spans, text in entries:
        yield from _entry(spans, text, width)


def _entry(spans: list[Span], text: str, width: int) -> Iterator[Row]:
    """A sign and what it means, on as many lines as that takes."""
    first, *more = broken(text, max(width - KEY, 10))
    yield row((*spans, (" " * max(1, KEY - length(spans)), "blank"), (first, "text")), width)
    for line in more:
        yield row(((" " * KEY, "blank"), (line, "text")), width)


def _about(topic: Topic, width: int, space: Space) -> Block:
    heading, *texts = topic.about
    lines = [line for text in texts for line in (*broken(space.glyphs.text(text), width), "")]
    return [row(((space.glyphs.text(heading), "strong"),), width),
            *(row(((line, "text"),), width) for line in lines[:-1])]


class Help(Pager):
    """Over any screen with a key table."""

    def __init__(self, topic: Topic) -> None:
        super().__init__(lambda space: help_pages(topic, space))
