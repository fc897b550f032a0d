"""The lines of panels by kind (`panel_lines`), and those of tables, counts and automata."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from engine.view import AutomatonPanel, Block, CountsPanel, Panel, TablePanel
from tui.i18n import _
from tui.look.theme import Role
from tui.widgets.rows import Space, Span, columns, fit
from tui.widgets.text import broken

Lines = list[list[Span]]


class FurtherRow(list[Span]):
    """A row of an item that takes several, after its first one: it is no item of its own where items are counted."""

BETWEEN = 2
"""Blank columns before a table and between its columns; between them one where it has too little room."""
SHORTEST = 2
"""Columns of a table that are always shown."""
LEAST = 4
"""Least width of the last column of a table."""


@singledispatch
def panel_lines(panel: Panel, n: int, space: Space) -> Lines:
    """The lines of a panel, most important first, on an n x n grid. Each kind of panel registers its function."""
    return []


def nothing() -> Lines:
    """The line of an empty list."""
    return [[("  " + _("none"), "muted")]]


def grounded(space: Space, spans: list[Span], role: Role) -> list[Span]:
    """A line on this ground, with the mark of the current line before it, or that of a selected choice."""
    text = "".join(text for text, _role in spans)
    mark = space.glyphs.picked if role == "selected" else space.glyphs.current
    return [(f"{mark}{text[1:]}".ljust(space.width), role)]


def _that_fit(rows: Sequence[Sequence[str]], room: int) -> int:
    """The number of columns of a table that fit: the last ones are dropped, but for two."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    while len(widths) > SHORTEST and sum(widths) + BETWEEN * len(widths) > room:
        widths.pop()
    return len(widths)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """The width of each column: of its widest text; the widest columns are narrowed until all fit."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    gap = _gap(widths, room)
    while widths and BETWEEN + sum(widths) + gap * (len(widths) - 1) > room and max(widths) > LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _gap(widths: Sequence[int], room: int) -> int:
    """The blank columns between columns of these widths."""
    return BETWEEN if sum(widths) + BETWEEN * len(widths) <= room else 1


def _cells(texts: Sequence[str], widths: Sequence[int], space: Space) -> str:
    """The texts in their columns; a text that is too long ends in an ellipsis."""
    gap = " " * _gap(widths, space.width)
    return gap.join(fit(text, width, space.glyphs) for text, width in zip(texts, widths, strict=True))


def _broken(rows: Sequence[tuple[str, ...]], room: int) -> list[tuple[int, tuple[str, ...]]]:
    """(place of the row, texts): the rows, with a text of the last column that is too long in further lines."""
    before = [max(map(columns, column)) for column in zip(*rows, strict=True)][:-1]
    width = max(LEAST, room - sum(before) - BETWEEN * (len(before) + 1))
    lines: list[tuple[int, tuple[str, ...]]] = []
    for place, (*others, text) in enumerate(rows):
        first, *more = broken(text, width)
        lines += [(place, (*others, first)), *((place, (*("" for _each in others), each)) for each in more)]
    return lines


@panel_lines.register
def _table(panel: TablePanel, n: int, space: Space) -> Lines:
    """The head and the rows; that of this step has a ground, those of a core an alarm before them."""
    if not panel.rows:
        return nothing()
    head = tuple(_(each) for each in panel.head)
    texts_of = [tuple(map(space.glyphs.text, texts)) for texts in panel.rows]
    drawn = _broken(texts_of, space.width) if panel.whole else list(enumerate(texts_of))
    listed = [*([head] if head else []), *(texts for _place, texts in drawn)]
    shown = _that_fit(listed, space.width)
    head, rows = head[:shown], [(place, texts[:shown]) for place, texts in drawn]
    widths = _widths([texts[:shown] for texts in listed], space.width)
    lines: Lines = [[("  " + _cells(head, widths, space), "muted")]] if head else []
    for place, texts in rows:
        text, alarm = _cells(texts, widths, space), place in panel.core
        picked = bool(panel.choices) and panel.choices[place] == space.picked
        if picked or place == panel.now:
            spans: list[Span] = [(" !" if alarm else "  ", "alarm"), (text, "text")]
            lines.append(grounded(space, spans, "selected" if picked else "now"))
        else:
            lines.append([("! " if alarm else "  ", "alarm"), (text, "strong" if alarm else "text")])
    return lines


@panel_lines.register
def _counts(panel: CountsPanel, n: int, space: Space) -> Lines:
    """The blocks of counts, as many side by side as fit."""
    lines: Lines = []
    waiting = list(enumerate(panel.blocks))
    while waiting:
        beside = [waiting.pop(0)]
        taken = _across(beside[0][1])
        while waiting and taken + BETWEEN + _across(waiting[0][1]) <= space.width:
            taken += BETWEEN + _across(waiting[0][1])
            beside.append(waiting.pop(0))
        lines += [[]] if lines else []
        lines += _side_by_side(panel, beside, space)
    return lines


def _across(block: Block) -> int:
    """Columns of a block; every count takes as many as the largest."""
    return max(block.across * _digits(block), columns(_(block.label)))


def _digits(block: Block) -> int:
    greatest = len(str(max(0, *block.counts)))
    return greatest if greatest == 1 else greatest + 1


def _side_by_side(panel: CountsPanel, blocks: list[tuple[int, Block]], space: Space) -> Lines:
    height = max(-(-len(block.counts) // block.across) for _number, block in blocks)
    lines: Lines = [[], *([] for _line in range(height))]
    for number, block in blocks:
        marked = {place for which, place in panel.now if which == number}
        wide = _across(block)
        gap: list[Span] = [(" " * BETWEEN, "blank")] if lines[0] else []
        lines[0] += [*gap, (f"{_(block.label):<{wide}}", "muted")]
        for line in range(height):
            places = range(line * block.across, min((line + 1) * block.across, len(block.counts)))
            drawn = [_count(block, place, place in marked, space) for place in places]
            used = sum(len(text) for text, _role in drawn)
            lines[1 + line] += [*gap, *drawn, (" " * (wide - used), "blank")]
    return lines


def _count(block: Block, place: int, now: bool, space: Space) -> Span:
    count = block.counts[place]
    text = (space.glyphs.empty if count < 0 else str(count)).rjust(_digits(block))
    role: Role = "now" if now else "rule" if count < 0 else "alarm" if count == 0 else "text"
    return text, role


@panel_lines.register
def _automaton(panel: AutomatonPanel, n: int, space: Space) -> Lines:
    """A line for each letter of the word: the state, the position, the letter, the reason; last the result.

    If they do not fit, neighbouring letters read in the same state for the same reason share a line."""
    rows = list(zip(panel.states, panel.reads, panel.letters, panel.because, strict=False))
    head = (_("state"), _("reads"), _("letter"), _("because"))
    runs = [[place] for place in range(len(rows))]
    if len(rows) + 2 > space.height:
        runs = _runs(panel)
        rows = [_run_texts(panel, run, space) for run in runs]
    widths = _widths([head, *rows], space.width)
    if _gap(widths, space.width) < BETWEEN:
        rows = [(*texts[:-1], texts[-1].replace("column", "col")) for texts in rows]
        widths = _widths([head, *rows], space.width)
    lines: Lines = [[("  " + _cells(head, widths, space), "muted")]]
    for run, texts in zip(runs, rows, strict=True):
        line: list[Span] = [("  " + _cells(texts, widths, space), "text")]
        lines.append(grounded(space, line, "now") if panel.now in run else line)
    verdict = {True: _("accepted"), False: _("rejected"), None: _("not known yet")}[panel.accepted]
    lines.append([("  " + space.glyphs.text(panel.states[-1]) + "  ", "text"), (verdict, "strong")])
    return lines


def _runs(panel: AutomatonPanel) -> list[list[int]]:
    """The places of the letters, in runs that share a line; the letter of this step has its own."""
    runs: list[list[int]] = []
    for place in range(len(panel.reads)):
        alike = place > 0 and panel.now not in (place, place - 1) and all(
            texts[place] == texts[place - 1] for texts in (panel.states, panel.letters, panel.because))
        if alike:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _run_texts(panel: AutomatonPanel, run: list[int], space: Space) -> tuple[str, str, str, str]:
    first, last = run[0], run[-1]
    reads = panel.reads[first] if first == last else f"{panel.reads[first]}{space.glyphs.ellipsis}{panel.reads[last]}"
    return panel.states[first], reads, panel.letters[first], panel.because[first]
