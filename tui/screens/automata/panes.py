"""The panes of the automata screen as rows: formula, Z3's counters, an automaton, the questions. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine import text
from engine.automata import formula as formulas
from engine.automata.formula import FormulaLine, Instance
from engine.automata.questions import Finding, worded
from engine.puzzle import Puzzle
from engine.view import AutomatonPanel
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.screens.automata.sentences import answer, assumed_values, milliseconds, result
from tui.screens.automata.state import AutomataState, QuestionRecord
from tui.widgets.rows import Space, Span, columns, fit, length, spread
from tui.widgets.text import Spans, broken

if TYPE_CHECKING:
    from engine.automata.encodings import EncodingName

LABEL, SHORT = 11, 9
"""Columns of the kind of a constraint, and in a narrow pane."""
NARROW = 50
TIED = "_"
"""Replaces the blanks of a text that must not be wrapped."""
TWO_COLUMNS = 52
"""Columns from which the counters have two columns."""
MARGIN = 10
"""Columns of the labels of an automaton."""
LETTER, WIDEST = 7, 9
"""Columns of a letter of an automaton, at least and at most."""


def centred(focus: int, total: int, size: int) -> range:
    """The `size` of `total` indices around `focus`, fewer if there are fewer."""
    first = min(max(0, focus - size // 2), max(0, total - size))
    return range(first, min(first + size, total))


# The formula


def formula_lines(state: AutomataState, space: Space, keys: str) -> list[Spans]:
    """The formula of the current or else of the next question. `keys`: those that show the core only."""
    found = None if state.current is None else state.current.finding
    heading: list[Span] = [(_("Formula"), "strong"), (f"  {encoding_of(state)}", "muted")]
    marks: list[Span] = [(_("! = in the core"), "muted")] if state.lists_core else []
    toggle: list[Span] = [("   " + keys, "strong"), (" " + (_("show all") if state.core_only else _("core only")),
                                                     "muted")] if marks else []
    head: Spans = spread(heading, [*marks, *toggle], space.width)
    room = Space(space.width, space.height - 1, space.glyphs)
    lines = unit_lines(state, room) if state.about_unit else board_lines(state, found, room)
    return [head, *limited(lines, room)]


def encoding_of(state: AutomataState) -> EncodingName:
    """The encoding of the current or else of the next question."""
    return state.encoding if state.current is None else state.current.finding.query.encoding


def limited(lines: list[Spans], space: Space) -> list[Spans]:
    """The lines that fit; the last one counts those that do not."""
    if len(lines) <= space.height or space.height < 1:
        return lines
    more = _("{number} more").format(number=len(lines) - space.height + 1)
    return [*lines[:space.height - 1], [(f"  {space.glyphs.ellipsis} {more}", "muted")]]


def unit_lines(state: AutomataState, space: Space) -> list[Spans]:
    """The automaton of one unit, in its encoding."""
    unit = state.unit if state.current is None else state.current.finding.query.unit
    encoding, puzzle = encoding_of(state), state.puzzle
    lines = formulas.unit_formula(puzzle.geometry, puzzle.geometry.units[unit], encoding, blocked(state))
    drawn = [_line(each, space) for each in lines]
    about: list[Spans] = [[("  " + line, "muted")] for line in broken(space.glyphs.text(_(formulas.ABOUT[encoding])),
                                                                       space.width - 2)]
    return [*about, *(part for line in drawn for part in line)]


def board_lines(state: AutomataState, found: Finding | None, space: Space) -> list[Spans]:
    """The formula of the whole board; a core too large to be useful is replaced by a human's reason."""
    cells = state.cells if found is None else found.query.cells
    asked = None if found is None or found.query.topic != "value" else (found.query.cell, found.query.value)
    core: tuple[tuple[int, ...], tuple[tuple[int, int], ...]] = ((), ())
    if found is not None and (found.helps or state.core_only):
        core = found.units, found.placed
    encoding = state.encoding if found is None else found.query.encoding
    lines = formulas.formula(Instance(state.puzzle, cells, encoding, asked, *core, blocked(state)))
    total = _total(lines, space)
    if state.core_only and found is not None and found.size:
        lines = formulas.marked(lines)
    shown = [part for line in lines for part in _line(line, space)]
    before = _unhelpful(found, space) if found is not None and found.size and not found.helps else []
    if len(shown) + len(before) > space.height:
        shown = _packed(lines, space)
    whole = not state.core_only and len(before) + len(shown) + len(total) <= space.height
    return [*before, *shown, *(total if whole else [])]


def _total(lines: Iterable[FormulaLine], space: Space) -> list[Spans]:
    """The sum of the lines: what Z3 has asserted, and the values that a question assumes."""
    asserted, assumed = formulas.totals(lines)
    said = _("{listed} listed: {asserted} asserted + {assumed} values assumed").format(
        listed=text.count(asserted + assumed), asserted=text.count(asserted), assumed=text.count(assumed))
    return [[("  " + line, "muted")] for line in broken(space.glyphs.text(said), space.width - 2)]


def _unhelpful(found: Finding, space: Space) -> list[Spans]:
    reason = _("a core of {size} items is too large to help; a shorter reason: {because}").format(
        size=found.size, because=found.because)
    return [[("  " + line, "text")] for line in broken(space.glyphs.text(reason), space.width - 2)]


def _line(line: FormulaLine, space: Space) -> list[Spans]:
    """A constraint, wrapped if it is long."""
    glyphs = space.glyphs
    label = _label(line.label, space)
    many = f"({text.count(line.many)} {_('of these')})" if line.many > 1 else ""
    if line.kind == "asked":
        mark = glyphs.current + ("!" if line.core else " ")
        return [[((mark + label + line.text).ljust(space.width), "now")]]
    head: list[Span] = [("! " if line.core else "  ", "alarm"), (label, "muted")]
    role: Role = "strong" if line.core else "text"
    first, *more = broken(glyphs.text(line.text), max(space.width - 2 - len(label), 8))
    lines: list[list[Span]] = [[*head, (first, role)]]
    lines += [[(" " * (2 + len(label)), "blank"), (each, role)] for each in more]
    if not many:
        return [*lines]
    place = next((place for place, each in enumerate(lines) if length(each) + 2 + len(many) <= space.width), len(lines))
    counted = spread((lines[place:] or [[]])[0], [(many, "muted")], space.width)
    return [*lines[:place], counted, *lines[place + 1:]]


def _label(label: str, space: Space) -> str:
    """The kind of a constraint, padded."""
    if space.width < NARROW:
        return f"{_abbreviated(space.glyphs.text(_(label))):<{SHORT}}"
    return f"{space.glyphs.text(_(label)):<{LABEL}}"


def _abbreviated(name: str) -> str:
    """The name of a unit in fewer letters."""
    return name.replace("column", "col").replace("diagonal", "diag")


def _packed(lines: Sequence[FormulaLine], space: Space) -> list[Spans]:
    """The constraints, with those of one kind that are in the core side by side."""
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
        cores += [[("! ", "alarm"), (" " * len(head) if number else head, "muted"), (each.replace(TIED, " "), "strong")]
                  for number, each in enumerate(broken(joined, space.width - 2 - len(head)))]
    asked = 1 if lines and lines[0].kind == "asked" else 0
    return [*packed[:asked], *cores, *packed[asked:]]


# Counters


def counter_lines(state: AutomataState, space: Space) -> list[Spans]:
    """The size of the formula and Z3's statistics."""
    encoding, geometry = encoding_of(state), state.puzzle.geometry
    counted = None if state.current is None else state.current.finding.counters
    figures = [
        (_("asserted"), text.count(formulas.assertions(geometry, encoding, state.about_unit) + blocked(state))),
        (_("assumed"), text.count(assumed(state))),
        (_("decisions"), _figure(None if counted is None else counted.decisions)),
        (_("propagations"), _figure(None if counted is None else counted.propagations)),
        (_("conflicts"), _figure(None if counted is None else counted.conflicts)),
        (_("memory MB"), f"{counted.memory:.1f}" if counted is not None and counted.memory else "–"),
    ]
    variables = _("{number} variables").format(number=text.count(formulas.variables(geometry, encoding)))
    return [spread([("Z3", "strong"), ("  " + variables, "muted")],
                   [(_("since the formula was written"), "muted")], space.width),
            *_in_columns([[(f"{label:<13}", "muted"), (space.glyphs.text(figure).rjust(10), "strong")]
                          for label, figure in figures], space)]


def blocked(state: AutomataState) -> int:
    """The number of blocking clauses of the current question."""
    return 0 if state.current is None else state.current.finding.blocked


def assumed(state: AutomataState) -> int:
    """The number of values that the current or else the next question assumes."""
    found = None if state.current is None else state.current.finding
    if state.about_unit:
        return 0 if found is None else _assumed_of_a_word(found, state.puzzle)
    if found is None:
        return sum(map(bool, state.cells))
    return assumed_values(found, state.puzzle.geometry)


def _assumed_of_a_word(found: Finding, puzzle: Puzzle) -> int:
    """The letters that a question about a unit assumes: those of a word that is one, or those wanted and set."""
    query, n = found.query, puzzle.n
    if query.topic == "model":
        cells = puzzle.geometry.units[query.unit].cells
        wanted = query.word or (0,) * n
        return sum(bool(letter or query.cells[cell]) for letter, cell in zip(wanted, cells, strict=True))
    if len(found.word) != n or not all(1 <= letter <= n for letter in found.word):
        return 0
    set_here = [query.cells[cell] for cell in puzzle.geometry.units[query.unit].cells]
    others = sum(bool(value) and value != letter for letter, value in zip(found.word, set_here, strict=True))
    return n + (others if found.placed else 0)  # a word that the automaton refuses is not held against them


def _figure(number: int | None) -> str:
    return "–" if number is None else text.count(number)


def _in_columns(cells: list[list[Span]], space: Space) -> list[Spans]:
    """The cells in one column if they fit, else in two if those fit."""
    if len(cells) < space.height or space.width < TWO_COLUMNS:
        return [*cells]
    half = -(-len(cells) // 2)
    return [[*cells[line], ("      ", "blank"), *(cells[half + line] if half + line < len(cells) else [])]
            for line in range(half)]


# The automaton


def strip_lines(state: AutomataState, space: Space) -> list[Spans]:
    """The automaton reading a word: letters, the reason for each, and the state after it."""
    panel, glyphs = state.strip(), space.glyphs
    n = len(panel.reads)
    wide = min((space.width - MARGIN - 20) // n, WIDEST)
    across = wide if wide >= LETTER else LETTER
    shown = centred(_focus(state, panel), n, max(1, min(n, (space.width - MARGIN) // across)))
    return [_strip_head(state, panel, shown, space),
            _strip_row(_("reads"), panel.reads, shown, across, "text", glyphs),
            _letters(state, panel, shown, across, glyphs),
            _strip_row(_("because"), [each.replace("column", "col") for each in panel.because], shown, across, "strong",
                       glyphs),
            _states(panel, shown, across, space)]


def _focus(state: AutomataState, panel: AutomatonPanel) -> int:
    """The letter that must be in view."""
    if panel.now is not None:
        return panel.now
    cells = state.selected_unit.cells
    return cells.index(state.cursor) if state.cursor in cells and panel.title.endswith(state.selected_unit.name) else 0


def acceptance(panel: AutomatonPanel, glyphs: Glyphs) -> str:
    return {True: _("accepted"), False: glyphs.mark("rejected") + " " + _("rejected"),
            None: _("not known yet")}[panel.accepted]


def _strip_head(state: AutomataState, panel: AutomatonPanel, shown: range, space: Space) -> Spans:
    """The automaton, whether it accepts, and its transitions."""
    glyphs, n = space.glyphs, state.puzzle.n
    left: list[Span] = [(_("Automaton"), "strong"), ("  " + _(panel.title), "text"),
                        ("   " + acceptance(panel, glyphs), "strong")]
    if len(shown) < n:
        left.append(("   " + _("letters {first} to {last} of {n}").format(first=shown.start + 1, last=shown.stop, n=n),
                     "muted"))
    if state.awaited:
        how = _("(0) ─={v}→ ((1))   another {v} is rejected   ((1)) accepts").format(v=state.awaited)
    else:
        how = _("a new letter: (k) → (k+1)   a repeated one is rejected   (({n})) accepts").format(n=n)
    rules = (how, how.rpartition("   ")[0], how.partition("   ")[0])
    said = next((each for each in rules if length(left) + 2 + columns(each) <= space.width), "")
    return spread(left, [(glyphs.text(said), "muted")], space.width)


def _strip_row(label: str, texts: Sequence[str], shown: range, across: int, role: Role, glyphs: Glyphs) -> Spans:
    spans: list[Span] = [(f"{label:<{MARGIN}}", "muted")]
    for position in shown:
        written = glyphs.text(texts[position])
        cut = written if columns(written) < across else written[: across - 2] + glyphs.ellipsis
        spans.append((cut.center(across), role))
    return spans


def _letters(state: AutomataState, panel: AutomatonPanel, shown: range, across: int, glyphs: Glyphs) -> Spans:
    label = _("can be {value}").format(value=state.awaited) if state.awaited else _("letter")
    spans: list[Span] = [(f"{label:<{MARGIN}}", "muted")]
    blamed = {position for position, each in enumerate(panel.because) if each in ("twice", "wrong")}
    for position in shown:
        letter = glyphs.text(panel.letters[position])
        if letter == ".":
            letter = glyphs.empty
        if position in blamed:
            left, right = (across - len(letter)) // 2, across - len(letter) - (across - len(letter)) // 2 - 1
            spans += [(" " * left, "blank"), (letter, "conflict"), ("!" + " " * right, "alarm")]
        else:
            spans.append((letter.center(across), "text" if state.awaited else "strong"))
    return spans


def _states(panel: AutomatonPanel, shown: range, across: int, space: Space) -> Spans:
    """The state after each letter."""
    glyphs = space.glyphs
    way = glyphs.horizontal
    begun = glyphs.text(panel.states[shown.start])
    spans: list[Span] = [(f"{_('state'):<{MARGIN - len(begun) - 1}}", "muted"), (begun, "text"), (" ", "blank")]
    for position in shown:
        state = glyphs.text(panel.states[position + 1])
        room = across - len(state) - 2
        spans += [(way * (room - room // 2), "rule"), (f" {state} ", "strong"), (way * (room // 2), "rule")]
    accepted = acceptance(panel, glyphs)
    if MARGIN + across * len(shown) + len(accepted) + 3 <= space.width:
        spans += [(glyphs.current + " ", "rule"), (accepted, "strong")]
    return spans


# Questions


def question_lines(state: AutomataState, space: Space, keys: str) -> list[Spans]:
    """The questions, the newest first, the current one marked."""
    wide = space.width >= 64
    right: list[Span] = [(keys, "strong"), (" " + _("shows an answer on the board"), "muted")]
    head = spread([(_("Questions"), "strong")], right, space.width)
    digits = _digits(state)
    names = f"{'':2}{_('no'):>{digits}}  {_('question'):<{_asked(space, digits)}}{_('answer'):<9}"
    if wide:
        names += f"{_('core'):>5}{_('ms'):>9}   {_('result')}"
    listed = list(reversed(state.questions))
    if not listed:
        return [head, [("  " + _("none yet"), "muted")]]
    selected = max(0, len(listed) - 1 - state.index)
    room = centred(selected, len(listed), max(space.height - 2, 1))
    return [head, [(names, "muted")], *(_question(state, listed[index], wide, space) for index in room)]


def _digits(state: AutomataState) -> int:
    """Columns of the numbers of questions."""
    return max(2, len(str(state.questions[-1].number)) if state.questions else 0)


def _asked(space: Space, digits: int) -> int:
    """Columns of a question."""
    return max(min(28, space.width - 13 - digits), 12)


def _question(state: AutomataState, asked: QuestionRecord, wide: bool, space: Space) -> Spans:
    found, glyphs = asked.finding, space.glyphs
    current, digits = asked is state.current, _digits(state)
    across = _asked(space, digits)
    words = worded(found.query, state.puzzle.geometry)
    mark = glyphs.current if current else " "
    if columns(words) >= across:
        words = _abbreviated(words)
    line = f"{mark} {asked.number:>{digits}}  {fit(words, across - 1, glyphs)} {answer(found):<9}"
    if wide:
        size = str(found.size) if found.size else "–"
        line += f"{size:>5}{milliseconds(asked.seconds):>9}   {result(found, state.puzzle)}"
    return [(glyphs.text(line), "strong" if current else "text")]
