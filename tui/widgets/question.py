"""The pane of a question in hands on: the facts, the answer so far, the hint or the judgement, and the scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct
from textual import events
from textual.message import Message

from engine import text
from engine.puzzle import SYMBOLS, cell_name
from engine.questions import Choice, Mark, Number, Question, Several, Values
from engine.teaching.hands_on import Mistake, Turn
from tui.i18n import _
from tui.widgets.rows import Space, length
from tui.widgets.text import Spans, TextPane, wrapped

FACT = 11
"""Columns of the name of a fact with its margins, at least."""
ENDLESS = 10 ** 6
"""Rows of lines that scroll."""
LEAST_RESULTS = 3
"""Lines of the score below a question, at least: a heading, a kind of question, and the number of the others."""
SCROLLED = 3
"""Lines that a turn of the mouse wheel scrolls."""
Target = tuple[int, int, int, int]
"""(column, row, columns, option): the place of an option in the pane."""


class AnswerSoFar(Struct, frozen=True):
    """An answer that is not given yet."""

    option: int | None = None
    """The selected option, or the one that the cursor is on; None before one is selected."""
    typed: str = ""
    marked: frozenset[int] = frozenset()
    """Marked cells, or the places of marked options."""
    hinted: bool = False
    """Whether the hint is shown."""
    cell: int | None = None
    """The cell that the cursor is on, whose candidates are shown; None where no cell is looked at."""
    lacks_candidates: bool = False
    """Whether there are candidates for which the board has no room."""


class QuestionPane(TextPane):
    """The question of a turn and its answer. Options can be clicked; the wrong answers at the end scroll."""

    scroll_key = ""
    """The key that scrolls down."""

    class OptionClicked(Message):
        """An option was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    cell_keys = ""
    """The keys that move the cell cursor."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._turn: Turn | None = None
        self._answer = AnswerSoFar()
        self._targets: list[Target] = []
        self._skip = 0
        """Lines that the user has scrolled down."""

    def show_turn(self, turn: Turn | None, answer: AnswerSoFar) -> None:
        """Show the question of a turn, or its judgement; None: nothing yet."""
        if turn is not self._turn:
            self._skip = 0
        self._turn, self._answer = turn, answer
        self.show(self._lines)

    @property
    def scrolls(self) -> bool:
        """Whether it shows the wrong answers at the end."""
        return self._turn is not None and self._turn.question is None and bool(self._turn.mistakes)

    def scroll(self, lines: int = 0, pages: int = 0) -> None:
        """Scroll the wrong answers down, or up by negative numbers."""
        if not self.scrolls:
            return
        space = Space(*self.outer_size, self.glyphs)
        past = len(tuple(self._ending(space))) - space.height
        by = lines + pages * max(1, space.height - 2)  # without the lines that count those above and below
        self._skip = max(0, min(min(self._skip, past) + by, past))
        self.repaint()

    def on_mouse_scroll_down(self) -> None:
        self.scroll(SCROLLED)

    def on_mouse_scroll_up(self) -> None:
        self.scroll(-SCROLLED)

    def on_click(self, event: events.Click) -> None:
        for x, y, width, place in self._targets:
            if y == event.y and x <= event.x < x + width:
                self.post_message(self.OptionClicked(place))

    def _lines(self, space: Space) -> Iterator[Spans]:
        """The facts, the answer, the hint or the judgement, and the score by kind of question."""
        turn = self._turn
        self._targets = []
        if turn is None:
            return
        if self.scrolls:
            yield from self._window(list(self._ending(space)), space)
            return
        asked: list[Spans] = []
        for above, below in (1, 1), (1, 0), (0, 0):  # a pane that is too low loses its blank lines, the last ones first
            self._targets = []
            asked = [] if turn.question is None else list(self._asked(turn, turn.question, space, above, below))
            if len(asked) - below <= space.height:
                break
        yield from asked
        results = list(_results(turn))
        room = max(space.height - len(asked), 0)
        if len(results) > room:
            hidden = len(results) - room + 1
            results = [*results[:room - 1], _more(hidden, "", space)] if room >= LEAST_RESULTS else []
        yield from results

    def _asked(self, turn: Turn, question: Question, space: Space, above: int, below: int) -> Iterator[Spans]:
        """The facts, the answer, and the meaning of an option, the hint or the judgement. `above`: blank lines before
        the answer; `below`: those after it, and after each of the others."""
        blanks: list[Spans] = [()] * below
        facts = [*self._facts(turn, question, space), *[()] * above]
        yield from facts
        yield ((_("Your answer"), "muted"),)
        yield from self._answer_lines(question, space, len(facts) + 1)
        yield from blanks
        if turn.judgement is not None:
            if turn.judgement.misconception:
                yield from (*wrapped(turn.judgement.misconception, space), *blanks)
            return
        if isinstance(question, Choice) and self._answer.option is not None and (
                meaning := question.meanings.get(self._answer.option)):
            yield from (*wrapped(meaning, space, "muted"), *blanks)
        if self._answer.hinted:
            yield from (*wrapped(question.hint, space), *blanks)

    def _ending(self, space: Space) -> Iterator[Spans]:
        """The score, and every wrong answer with the right one and the reason."""
        assert self._turn is not None
        yield from _results(self._turn)
        for place, mistake in enumerate(self._turn.mistakes):
            if place or self._turn.tallies or self._turn.scores:
                yield ()
            yield from _corrected(mistake, space)

    def _window(self, lines: list[Spans], space: Space) -> list[Spans]:
        """The lines from where the user has scrolled to, with the numbers of those above and below."""
        past = len(lines) - space.height
        if past <= 0:
            return lines
        first = min(self._skip, past)
        shown, below = lines[first:first + space.height], past - first
        if first:
            shown[0] = _more(first + 1, "", space)
        if below:
            shown[-1] = _more(below + 1, self.scroll_key, space)
        return shown

    def _facts(self, turn: Turn, question: Question, space: Space) -> Iterator[Spans]:
        """The facts, and the candidates of the cell that the cursor is on."""
        yield ((_("What you know"), "muted"),)
        for name, value in question.given:
            yield from _fact(name, value, space)
        if not question.given:
            if isinstance(question, Choice) and self._answer.lacks_candidates:
                yield ((_("  the board; candidates of a"), "text"),)
                yield ((_("  cell: {keys}, or a click").format(keys=space.glyphs.key(self.cell_keys)), "text"),)
            else:
                yield ((_("  the board"), "text"),)
        cell, n = self._answer.cell, question.n
        if cell is not None and turn.view.candidates is not None and not turn.view.grid[cell]:
            left = [str(v) for v in range(1, n + 1) if turn.view.candidates[cell] >> v - 1 & 1]
            yield ((f"  {cell_name(cell, n):<8} ", "muted"), (" ".join(left) or space.glyphs.text("–"), "text"))

    def _answer_lines(self, question: Question, space: Space, top: int) -> Iterator[Spans]:
        """The answer so far; `top` is its first row."""
        if isinstance(question, Choice):
            if not question.listed:
                yield from self._option_rows(question.options, space, top)
                return
            for place, option in enumerate(question.options):
                chosen = place == self._answer.option
                pointer, number = space.glyphs.text("▶") if chosen else " ", f"{place + 1:>2}"
                self._targets.append((0, top + place, space.width, place))
                before = f"{pointer}{number} " if question.numbered else f"  {pointer} "
                yield ((before, "strong" if chosen else "muted"),
                       (space.glyphs.text(option), "strong" if chosen else "text"))
        elif isinstance(question, Several):
            digits = len(str(len(question.options)))
            judgement = None if self._turn is None else self._turn.judgement
            judged, right = judgement is not None, self._answer.marked if judgement is not None and (
                judgement.right) else question.model
            for place, option in enumerate(question.options):
                marked, here = place in self._answer.marked, place == self._answer.option and not judged
                strong = place in right if judged else marked or here
                self._targets.append((0, top + place, space.width, place))
                yield ((f" {space.glyphs.text('▶') if here else ' '} ", "strong"),
                       (f"{place + 1:>{digits}} [{'x' if marked else ' '}] ", "strong" if marked else "muted"),
                       (space.glyphs.text(option), "strong" if strong else "muted" if judged else "text"))
        elif isinstance(question, Number):
            yield ((f"  {self._answer.typed}", "strong"), ("_", "muted"))
            yield from (((("  "), "muted"), *line) for line in wrapped(
                question.form, Space(space.width - 2, space.height, space.glyphs), "muted"))
        elif isinstance(question, Values):
            typed = [str(SYMBOLS.find(letter)) for letter in self._answer.typed]
            so_far = " ".join([*typed, *"_" * (len(question.values) - len(typed))])
            yield from (((("  "), "text"), *line) for line in wrapped(
                so_far, Space(space.width - 2, space.height, space.glyphs), "strong"))
            yield ((_("  the marked cells, in order"), "muted"),)
        elif isinstance(question, Mark):
            none = _("no cell is marked yet") if question.least else _("none: there is no such cell")
            names = " ".join(cell_name(cell, question.n) for cell in sorted(self._answer.marked))
            yield from (((("  "), "text"), *line) for line in wrapped(
                names or none, Space(space.width - 2, space.height, space.glyphs), "strong"))

    def _option_rows(self, options: Sequence[str], space: Space, top: int) -> Iterator[Spans]:
        """Short options in as few rows as they need."""
        line: list[tuple[str, Literal["strong", "text"]]] = [("  ", "text")]
        x, y = 2, top
        for place, option in enumerate(options):
            chosen, shown = place == self._answer.option, space.glyphs.text(option)
            width = len(shown) + 2
            if x + width > space.width and x > 2:
                yield line
                line, x, y = [("  ", "text")], 2, y + 1
            line.append((f"[{shown}]" if chosen else f" {shown} ", "strong" if chosen else "text"))
            self._targets.append((x, y, width, place))
            x += width
        yield line


def _fact(name: str, value: str, space: Space) -> Iterator[Spans]:
    """A fact: its name, and its value wrapped beside it."""
    left = max(FACT, len(name) + 3)
    first, *rest = wrapped(value, Space(space.width - left, space.height, space.glyphs), "strong")
    yield (f"  {space.glyphs.text(name)}".ljust(left), "muted"), *first
    for line in rest:
        yield (" " * left, "muted"), *line


def _results(turn: Turn) -> Iterator[Spans]:
    """The score by kind of question, and more results of the game."""
    if turn.tallies:
        yield ((_("Right at the first try"), "muted"),)
        for kind, right, asked in turn.tallies:
            yield ((f"  {kind:<17}", "text"), (f"{right} / {asked}", "strong"))
    for name, value in turn.scores:
        yield ((f"  {name:<17}", "text"), (value, "strong"))


def _corrected(mistake: Mistake, space: Space) -> Iterator[Spans]:
    """A wrong answer: its question, the answer and the right one, beside each other if they fit, and the reason."""
    judgement, inner = mistake.judgement, Space(space.width - 2, ENDLESS, space.glyphs)
    yield from wrapped(_("{step}: {text}").format(step=text.count(mistake.step), text=mistake.text),
                       Space(space.width, ENDLESS, space.glyphs))
    given, right = space.glyphs.text(mistake.given), space.glyphs.text(
        _("right: {correct}").format(correct=judgement.correct))
    beside: Spans = (("  ", "text"), (given, "text"), ("   ", "text"), (right, "strong"))
    if length(beside) <= space.width:
        yield beside
    else:
        yield from _indented(wrapped(given, inner))
        yield from _indented(wrapped(right, inner, "strong"))
    for reason in filter(None, (judgement.why, judgement.misconception)):
        yield from _indented(wrapped(reason, inner, "muted"))


def _indented(lines: Iterable[Spans]) -> Iterator[Spans]:
    yield from ((("  ", "text"), *line) for line in lines)


def option_of_key(question: Choice | Several, character: str) -> int | None:
    """The place of the option that a key stands for: by its value or letter, or by its number in a list."""
    place = question.key(character) if isinstance(question, Choice) else None
    if place is None and character.isascii() and character.isdigit() and (
            isinstance(question, Several) or (question.listed and question.numbered)):
        number = int(character) or 10
        return number - 1 if number <= len(question.options) else None
    return place


def _more(number: int, key: str, space: Space) -> Spans:
    """The line in place of some lines that are not shown, and the key that shows them."""
    words = _("{number} more lines").format(number=number)
    return ((f"  {space.glyphs.ellipsis} {words}{'   ' * bool(key)}{space.glyphs.text(key)}", "muted"),)
