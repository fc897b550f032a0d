"""The pane of a question in hands on: the facts, the answer so far, the hint or the judgement, and the scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from textual import events
from textual.message import Message

from engine import text
from engine.puzzle import SYMBOLS, cell_name
from engine.questions import Choice, Mark, Number, Question, Several, Values
from engine.teaching.hands_on import Turn
from tui.i18n import _
from tui.widgets.rows import Space
from tui.widgets.text import Spans, TextPane, wrapped

FACT = 11
"""Columns of the name of a fact with its margins, at least."""
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
    """The question of a turn and its answer. Options can be clicked."""

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

    def show_turn(self, turn: Turn | None, answer: AnswerSoFar) -> None:
        """Show the question of a turn, or its judgement; None: nothing yet."""
        self._turn, self._answer = turn, answer
        self.show(self._lines)

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
        if turn.question is not None:
            facts = tuple(self._facts(turn, turn.question, space))
            yield from facts
            yield ()
            yield ((_("Your answer"), "muted"),)
            yield from self._answer_lines(turn.question, space, len(facts) + 2)
            yield ()
            if isinstance(turn.question, Choice) and turn.judgement is None and self._answer.option is not None and (
                    meaning := turn.question.meanings.get(self._answer.option)):
                yield from wrapped(meaning, space, "muted")
                yield ()
            if turn.judgement is not None:
                if turn.judgement.misconception:
                    yield from wrapped(turn.judgement.misconception, space)
                    yield ()
            elif self._answer.hinted and turn.judgement is None:
                yield from wrapped(turn.question.hint, space)
                yield ()
        if turn.tallies:
            yield ((_("Right at the first try"), "muted"),)
            for kind, right, asked in turn.tallies:
                yield ((f"  {kind:<18}", "text"), (f"{right} / {asked}", "strong"))
        for name, value in turn.scores:
            yield ((f"  {name:<18}", "text"), (value, "strong"))
        for mistake in turn.mistakes:
            yield ()
            yield from wrapped(_("{step}: {text}").format(step=text.count(mistake.step), text=mistake.text), space)
            yield ((f"  {mistake.given}", "text"), (_("   right: {correct}").format(
                correct=mistake.judgement.correct), "strong"))

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
            left = [SYMBOLS[v] for v in range(1, n + 1) if turn.view.candidates[cell] >> v - 1 & 1]
            yield ((f"  {cell_name(cell, n):<8} ", "muted"), (" ".join(left) or space.glyphs.text("–"), "text"))

    def _answer_lines(self, question: Question, space: Space, top: int) -> Iterator[Spans]:
        """The answer so far; `top` is its first row."""
        if isinstance(question, Choice):
            if max(map(len, question.options)) <= 4:  # numbers, yes and no: beside each other
                yield from self._option_rows(question.options, space, top)
                return
            for place, option in enumerate(question.options):
                chosen = place == self._answer.option
                self._targets.append((0, top + place, space.width, place))
                yield ((f"  {space.glyphs.text('▶') if chosen else ' '} ", "strong"),
                       (space.glyphs.text(option), "strong" if chosen else "text"))
        elif isinstance(question, Several):
            digits = len(str(len(question.options)))
            judged = self._turn is not None and self._turn.judgement is not None
            for place, option in enumerate(question.options):
                marked, here = place in self._answer.marked, place == self._answer.option and not judged
                strong = place in question.model if judged else marked or here
                self._targets.append((0, top + place, space.width, place))
                yield ((f" {space.glyphs.text('▶') if here else ' '} ", "strong"),
                       (f"{place + 1:>{digits}} [{'x' if marked else ' '}] ", "strong" if marked else "muted"),
                       (space.glyphs.text(option), "strong" if strong else "muted" if judged else "text"))
        elif isinstance(question, Number):
            yield ((f"  {self._answer.typed}", "strong"), ("_", "muted"))
            yield from (((("  "), "muted"), *line) for line in wrapped(
                question.form, Space(space.width - 2, space.height, space.glyphs), "muted"))
        elif isinstance(question, Values):
            left = len(question.values) - len(self._answer.typed)
            yield ((f"  {' '.join(self._answer.typed)}", "strong"), (" _" * left, "muted"))
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
