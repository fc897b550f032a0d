"""The panes of the automata as rows: formula, counters, the strip of an automaton, the questions. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine import text
from engine.automata import formula as told
from engine.automata.formula import FormulaLine, Standing
from engine.automata.questions import Finding, worded
from engine.view import AutomatonPanel
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.screens.automata.layout import TWO_COLUMNS
from tui.screens.automata.sentences import answer, milliseconds, result
from tui.screens.automata.state import Book, Entry
from tui.screens.dialogs.command_palette import window
from tui.widgets.rows import Space, Span, columns, row, spread
from tui.widgets.text import Spans, broken

if TYPE_CHECKING:
    from engine.automata.encodings import EncodingName

LABEL, SHORT = 11, 9
"""Columns of the kind of a constraint; in a narrow pane."""
NARROW = 50
TIED = "_"
"""Stands for a blank within what is not to be parted."""
MARGIN = 10
"""Columns of the labels of a strip."""
LETTER, WIDEST = 7, 9
"""Columns of a letter of a strip, at least and at most."""


# The formula


def formula_lines(book: Book, space: Space, keys: str) -> list[Spans]:
    """The formula of the question in view, or of what would be asked now. `keys`: what has the core only."""
    found = None if book.entry is None else book.entry.finding
    heading: list[Span] = [(_("Formula"), "strong"), (f"  {encoding_of(book)}", "muted")]
    marks: list[Span] = [(_("! = in the core"), "muted")] if found is not None and found.size else []
    toggle: list[Span] = [("   " + keys, "strong"), (" " + (_("all of it") if book.core_only else _("core only")),
                                                     "muted")] if marks else []
    head: Spans = spread(heading, [*marks, *toggle], space.width)
    room = Space(space.width, space.height - 1, space.glyphs)
    lines = unit_lines(book, room) if book.about_unit else board_lines(book, found, room)
    return [head, *fitted(lines, room)]


def encoding_of(book: Book) -> EncodingName:
    """The encoding of the question in view, or of the next one."""
    return book.encoding if book.entry is None else book.entry.finding.query.encoding


def fitted(lines: list[Spans], space: Space) -> list[Spans]:
    """The lines; the last one says how many there is no room for."""
    if len(lines) <= space.height or space.height < 1:
        return lines
    more = _("{number} more").format(number=len(lines) - space.height + 1)
    return [*lines[:space.height - 1], [(f"  {space.glyphs.ellipsis} {more}", "muted")]]


def unit_lines(book: Book, space: Space) -> list[Spans]:
    """The automaton of one unit, in its encoding."""
    entry = book.entry
    place = book.unit if entry is None else entry.finding.query.unit
    encoding = book.encoding if entry is None else entry.finding.query.encoding
    puzzle = book.puzzle
    lines = told.unit_formula(puzzle.geometry.units[place], encoding, puzzle.n)
    drawn = [_line(each, space) for each in lines]
    about: list[Spans] = [[("  " + line, "muted")] for line in broken(space.glyphs.text(_(told.ABOUT[encoding])),
                                                                       space.width - 2)]
    return [*about, *(part for line in drawn for part in line)]


def board_lines(book: Book, found: Finding | None, space: Space) -> list[Spans]:
    """The formula of the whole board; a core that is too large to teach anything gives way to what people see."""
    cells = book.cells if found is None else found.query.cells
    asked = None if found is None or found.query.topic != "value" else (found.query.cell, found.query.value)
    core: tuple[tuple[int, ...], tuple[tuple[int, int], ...]] = ((), ())
    if found is not None and (found.helps or book.core_only):
        core = found.units, found.placed
    encoding = book.encoding if found is None else found.query.encoding
    lines = told.formula(Standing(book.puzzle, cells, encoding, asked, *core))
    if book.core_only and found is not None and found.size:
        lines = told.marked(lines)
    shown = [part for line in lines for part in _line(line, space)]
    before = _unhelpful(found, space) if found is not None and found.size and not found.helps else []
    if len(shown) + len(before) > space.height:
        shown = _packed(lines, space)
    return [*before, *shown]


def _unhelpful(found: Finding, space: Space) -> list[Spans]:
    said = _("a core of {size} items teaches nothing; what people see: {because}").format(
        size=found.size, because=found.because)
    return [[("  " + line, "text")] for line in broken(space.glyphs.text(said), space.width - 2)]


def _line(line: FormulaLine, space: Space) -> list[Spans]:
    """One constraint, on further lines where it is long."""
    glyphs = space.glyphs
    label = _label(line.label, space)
    many = f"({text.count(line.many)} {_('of these')})" if line.many > 1 else ""
    if line.kind == "asked":
        mark = glyphs.current + ("!" if line.core else " ")
        return [[((mark + label + line.text).ljust(space.width), "now")]]
    head: list[Span] = [("! " if line.core else "  ", "alarm"), (label, "muted")]
    role: Role = "strong" if line.core else "text"
    first, *more = broken(glyphs.text(line.text), max(space.width - 2 - len(label), 8))
    rest: list[Spans] = [[(" " * (2 + len(label)), "blank"), (each, role)] for each in more]
    last = spread([*head, (first, role)], [(many, "muted")], space.width) if many else [*head, (first, role)]
    return [last, *rest]


def _label(label: str, space: Space) -> str:
    """The kind of a constraint in its columns."""
    if space.width < NARROW:
        return f"{space.glyphs.text(_(label)).replace('column', 'col'):<{SHORT}}"
    return f"{space.glyphs.text(_(label)):<{LABEL}}"


def _packed(lines: Sequence[FormulaLine], space: Space) -> list[Spans]:
    """The same, with all of one kind that are in the core on as few lines as they take."""
    packed: list[Spans] = []
    waiting: dict[str, list[str]] = {}
    for line in lines:
        if line.core and line.kind != "asked":
            label: str = "units" if line.kind == "unit" else line.kind
            waiting.setdefault(label, []).append(line.label if line.kind == "unit" else line.text.replace(" ", ""))
        else:
            packed += _line(line, space)
    cores: list[Spans] = []
    for kind, texts in waiting.items():
        head = _label(kind, space)
        joined = "  ".join(each.replace(" ", TIED) for each in texts)
        cores += [[("! ", "alarm"), (" " * len(head) if place else head, "muted"), (each.replace(TIED, " "), "strong")]
                  for place, each in enumerate(broken(joined, space.width - 2 - len(head)))]
    asked = 1 if lines and lines[0].kind == "asked" else 0
    return [*packed[:asked], *cores, *packed[asked:]]


# Counters


def counter_lines(book: Book, space: Space) -> list[Spans]:
    """What is asserted and what Z3 has counted."""
    encoding, geometry = encoding_of(book), book.puzzle.geometry
    entry = book.entry
    counted = None if entry is None else entry.finding.counters
    figures = [
        (_("assertions"), text.count(told.assertions(geometry, encoding, book.about_unit))),
        (_("variables"), text.count(told.variables(geometry, encoding))),
        (_("decisions"), _figure(None if counted is None else counted.decisions)),
        (_("propagations"), _figure(None if counted is None else counted.propagations)),
        (_("conflicts"), _figure(None if counted is None else counted.conflicts)),
        (_("memory MB"), f"{counted.memory:.1f}" if counted is not None and counted.memory else "–"),
    ]
    return [[("Z3", "strong"), ("  " + _("since the formula was written"), "muted")],
            *_in_columns([[(f"{label:<13}", "muted"), (space.glyphs.text(figure).rjust(10), "strong")]
                          for label, figure in figures], space)]


def _figure(number: int | None) -> str:
    return "–" if number is None else text.count(number)


def _in_columns(cells: list[list[Span]], space: Space) -> list[Spans]:
    """Two columns where there is room for them and not for one."""
    if len(cells) < space.height or space.width < TWO_COLUMNS:
        return [*cells]
    half = -(-len(cells) // 2)
    return [[*cells[place], ("      ", "blank"), *(cells[half + place] if half + place < len(cells) else [])]
            for place in range(half)]


# The automaton


def strip_lines(book: Book, space: Space) -> list[Spans]:
    """A word being read: what, whether the letter can stand, why, and the state after it."""
    panel, glyphs = book.strip(), space.glyphs
    n = len(panel.reads)
    wide = min((space.width - MARGIN - 20) // n, WIDEST)
    across = wide if wide >= LETTER else LETTER
    shown = window(_focus(book, panel), n, max(1, min(n, (space.width - MARGIN) // across)))
    return [_strip_head(book, panel, shown, space),
            _strip_row(_("reads"), panel.reads, shown, across, "text", glyphs),
            _letters(book, panel, shown, across, glyphs),
            _strip_row(_("because"), [each.replace("column", "col") for each in panel.because], shown, across, "strong",
                       glyphs),
            _states(panel, shown, across, space)]


def _focus(book: Book, panel: AutomatonPanel) -> int:
    """The letter that must be seen."""
    if panel.now is not None:
        return panel.now
    cells = book.unit_of.cells
    return cells.index(book.cursor) if book.cursor in cells and panel.title.endswith(book.unit_of.name) else 0


def verdict_of(panel: AutomatonPanel, glyphs: Glyphs) -> str:
    return {True: _("accepted"), False: glyphs.rejected + " " + _("not accepted"),
            None: _("not known yet")}[panel.accepted]


def _strip_head(book: Book, panel: AutomatonPanel, shown: range, space: Space) -> Spans:
    """What automaton it is, how it goes from state to state, and whether it accepts."""
    glyphs, n = space.glyphs, book.puzzle.n
    left: list[Span] = [(_("Automaton"), "strong"), ("  " + _(panel.title), "text"),
                        ("   " + verdict_of(panel, glyphs), "strong")]
    if len(shown) < n:
        left.append(("   " + _("letters {first} to {last} of {n}").format(first=shown.start + 1, last=shown.stop, n=n),
                     "muted"))
    if book.awaited:
        how = _("(0) ─={v}→ ((1))   another {v} leads nowhere   ((1)) accepts").format(v=book.awaited)
    else:
        how = _("a new letter: (k) → (k+1)   one read before leads nowhere   (({n})) accepts").format(n=n)
    return spread(left, [(glyphs.text(how), "muted")], space.width)


def _strip_row(label: str, texts: Sequence[str], shown: range, across: int, role: Role, glyphs: Glyphs) -> Spans:
    spans: list[Span] = [(f"{label:<{MARGIN}}", "muted")]
    for place in shown:
        written = glyphs.text(texts[place])
        cut = written if columns(written) < across else written[: across - 2] + glyphs.ellipsis
        spans.append((cut.center(across), role))
    return spans


def _letters(book: Book, panel: AutomatonPanel, shown: range, across: int, glyphs: Glyphs) -> Spans:
    label = _("can be {value}").format(value=book.awaited) if book.awaited else _("letter")
    spans: list[Span] = [(f"{label:<{MARGIN}}", "muted")]
    blamed = {place for place, each in enumerate(panel.because) if each in ("twice", "wrong")}
    for place in shown:
        letter = glyphs.text(panel.letters[place])
        if letter == ".":
            letter = glyphs.empty
        if place in blamed:
            left, right = (across - len(letter)) // 2, across - len(letter) - (across - len(letter)) // 2 - 1
            spans += [(" " * left, "blank"), (letter, "conflict"), ("!" + " " * right, "alarm")]
        else:
            spans.append((letter.center(across), "text" if book.awaited else "strong"))
    return spans


def _states(panel: AutomatonPanel, shown: range, across: int, space: Space) -> Spans:
    """The state after each letter, on the way that the word goes."""
    glyphs = space.glyphs
    way = glyphs.horizontal
    begun = glyphs.text(panel.states[shown.start])
    spans: list[Span] = [(f"{_('state'):<{MARGIN - len(begun) - 1}}", "muted"), (begun, "text"), (" ", "blank")]
    for place in shown:
        state = glyphs.text(panel.states[place + 1])
        room = across - len(state) - 2
        spans += [(way * (room - room // 2), "rule"), (f" {state} ", "strong"), (way * (room // 2), "rule")]
    told_too = verdict_of(panel, glyphs)
    if MARGIN + across * len(shown) + len(told_too) + 3 <= space.width:
        spans += [(glyphs.current + " ", "rule"), (told_too, "strong")]
    return spans


# Questions


def question_lines(book: Book, space: Space, keys: str) -> list[Spans]:
    """The questions, the newest first, the one in view marked."""
    wide = space.width >= 64
    right: list[Span] = [(keys, "strong"), (" " + _("shows an answer on the board"), "muted")]
    head = spread([(_("Questions"), "strong")], right, space.width)
    names = f"{'':2}{_('no'):>4}  {_('question'):<{_asked(space)}}{_('answer'):<9}"
    if wide:
        names += f"{_('core'):>5}{_('ms'):>9}   {_('result')}"
    listed = list(reversed(book.entries))
    if not listed:
        return [head, [("  " + _("none yet"), "muted")]]
    chosen = max(0, len(listed) - 1 - book.at)
    room = window(chosen, len(listed), max(space.height - 2, 1))
    return [head, [(names, "muted")], *(_question(book, listed[place], wide, space) for place in room)]


def _asked(space: Space) -> int:
    """Columns of a question."""
    return max(min(28, space.width - 17), 12)


def _question(book: Book, entry: Entry, wide: bool, space: Space) -> Spans:
    found, glyphs = entry.finding, space.glyphs
    now, across = entry is book.entry, _asked(space)
    asked = worded(found.query, book.puzzle.geometry)
    cut = asked if len(asked) < across else asked[:across - 2] + glyphs.ellipsis
    line = f"{glyphs.current if now else ' '} {entry.number:>4}  {cut:<{across}}{answer(found):<9}"
    if wide:
        size = str(found.size) if found.size else "–"
        line += f"{size:>5}{milliseconds(entry.seconds):>9}   {result(found, book.puzzle)}"
    line = glyphs.text(line)
    if columns(line.rstrip()) > space.width:
        line = line[: space.width - 1] + glyphs.ellipsis
    return row([(line, "strong" if now else "text")], space.width)


def text_rows(lines: Iterable[str], space: Space) -> list[list[tuple[tuple[str, Role], ...]]]:
    """A text of several lines, page by page, wrapped where the window is narrower."""
    width = max(space.width - 4, 10)
    cut = [part for line in lines for part in ([line[at:at + width] for at in range(0, len(line), width)] or [""])]
    drawn = [row((("  ", "blank"), (space.glyphs.text(part), "text")), space.width) for part in cut]
    return [drawn[at:at + space.height] for at in range(0, len(drawn), max(space.height, 1))]
