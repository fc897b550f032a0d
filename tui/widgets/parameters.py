"""The pane of the parameters in force, by symbol and value."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.params import Params, describe, has_effect
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.messages import value_text
from tui.widgets.pane import HeadedPane
from tui.widgets.rows import Row, Rows, Space, Span, key_text, length, more_text, row, rows, spread

BETWEEN = 2
WIDE = 40
"""Columns from which each parameter has its own line, if there are enough lines."""
CLEAR = 7
"""Letters from which a word is clear without its symbol."""


class Item(Struct, frozen=True):
    """A parameter in force: its symbol and its value as text."""

    symbol: str
    value: str
    word: bool = False
    """The value is a word that is clear without the symbol (exponential, box-swap)."""


def items(params: Params) -> tuple[Item, ...]:
    """The parameters that have an effect beside the others, in the order of declaration."""
    listed = []
    for each in describe(type(params)):
        if not has_effect(each, params):
            continue
        value = getattr(params, each.name)
        listed.append(Item(each.symbol, value_text(value), bool(each.choices) and len(value) >= CLEAR))
    return tuple(listed)


def item_spans(item: Item, glyphs: Glyphs) -> Row:
    return ((f"{glyphs.text(_(item.symbol))} ", "muted"), (glyphs.text(item.value), "text"))


def paired_lines(listed: Sequence[Item], space: Space) -> list[Row]:
    """The items in order, two on a line if both fit, the second ones in a column."""
    drawn = [item_spans(item, space.glyphs) for item in listed]
    pairs = _paired([length(each) for each in drawn], space.width)
    column = max((length(drawn[i]) for i, j in pairs if j is not None), default=0) + BETWEEN
    lines = []
    for i, j in pairs:
        if j is None:
            lines.append(row(drawn[i], space.width))
            continue
        at = column if column + length(drawn[j]) <= space.width else length(drawn[i]) + BETWEEN
        lines.append(row((*drawn[i], (" " * (at - length(drawn[i])), "blank"), *drawn[j]), space.width))
    return lines


def _paired(widths: list[int], width: int) -> list[tuple[int, int | None]]:
    pairs: list[tuple[int, int | None]] = []
    at = 0
    while at < len(widths):
        both = at + 1 < len(widths) and widths[at] + BETWEEN + widths[at + 1] <= width
        pairs.append((at, at + 1 if both else None))
        at += 2 if both else 1
    return pairs


def listed_lines(listed: Sequence[Item], space: Space) -> list[Row]:
    """The items, a line each, the values in a column."""
    labels = [space.glyphs.text(_(item.symbol)) for item in listed]
    values = [space.glyphs.text(item.value) for item in listed]
    label, value = max(map(len, labels), default=0) + 2 * BETWEEN, max(map(len, values), default=0)
    return [row(((f"{name:<{label}}", "muted"), (f"{what:>{value}}", "text")), space.width)
            for name, what in zip(labels, values, strict=True)]


def packed_lines(listed: Sequence[Item], space: Space) -> tuple[list[Row], int]:
    """(lines, the number of items without room): each item in the first line with room for it, clear words without
    symbols."""
    lines: list[list[Span]] = [[] for _line in range(space.height)]
    left_out = 0
    for item in listed:
        drawn = item_spans(item, space.glyphs)[item.word :]
        most = space.width - length(drawn)
        room = next((line for line in lines if length(line) + BETWEEN * bool(line) <= most), None)
        if room is None:
            left_out += 1
        else:
            room += [(" " * BETWEEN, "blank")] * bool(room)
            room += drawn
    return [row(line, space.width) for line in lines], left_out


def parameter_rows(listed: Sequence[Item], space: Space, heading: bool = True, breakpoints: int = 0,
                   key: str = "p") -> Rows:
    """The parameters under a heading with the `key` to edit them: a line each in a wide pane, else two on a line, or
    packed. An ellipsis in the heading means that some do not fit; without a heading the last line counts them."""
    room = Space(space.width, space.height - heading, space.glyphs)
    wide = space.width >= WIDE and len(listed) <= room.height
    lines, left_out = (listed_lines if wide else paired_lines)(listed, room), 0
    if len(lines) > room.height:
        lines, left_out = packed_lines(listed, room)
    if left_out and not heading and room.height > 1:
        lines, left_out = packed_lines(listed, replace(room, height=room.height - 1))
        more = more_text(left_out, 0, space) + key_text(space.glyphs.key(key))
        lines.append(row(((more, "muted"),), space.width))
    if heading:
        title: Row = ((_("Setup"), "strong"), (f" {space.glyphs.ellipsis}" * bool(left_out), "muted"))
        if breakpoints:
            title += ((f"  {breakpoints} " + (_("breakpoint") if breakpoints == 1 else _("breakpoints")), "muted"),)
        hint: Row = ((space.glyphs.key(key), "strong"), (" " + _("edit"), "muted"))
        lines = [spread(title, hint, space.width), *lines]
    return rows(lines, space)


class ParameterPane(HeadedPane):
    """The parameters in force."""

    items: tuple[Item, ...] = ()
    edit_key = "p"
    """The key that edits them."""
    _breakpoints = 0

    def show(self, listed: Sequence[Item], breakpoints: int = 0) -> None:
        """Show the parameters; `breakpoints`: how many are on."""
        self.items, self._breakpoints = tuple(listed), breakpoints
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return parameter_rows(self.items, space, self.heading, self._breakpoints, self.edit_key)
