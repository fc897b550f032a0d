"""The screen of the automata of a board: questions to them, answered by Z3."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

from msgspec.structs import replace
from textual import events, on
from textual.geometry import Region, Size
from textual.message import Message

from engine.automata.formula import ABOUT
from engine.automata.questions import Query, worded
from engine.errors import BadInput
from engine.puzzle import SYMBOLS, cell_name, clashes
from engine.puzzles.formats import PuzzleRecord
from engine.view import Role, Sentence
from tui import messages
from tui.i18n import _
from tui.keys.default_keys import AUTOMATA_KEYS
from tui.keys.footer_hints import AUTOMATA_HINTS
from tui.puzzle_facts import clashing_cells
from tui.requests import AutomataRequest, HomeRequest
from tui.screens.automata import panes, sentences
from tui.screens.automata.question_parser import ParsedQuestion, parse_question, unit_index
from tui.screens.automata.state import AutomataState
from tui.screens.automata.worker import QuestionWorker
from tui.screens.base import VerdictScreen
from tui.screens.dialogs.prompt import PromptDialog
from tui.screens.navigation import navigator
from tui.terminal.compositor import Lean
from tui.widgets.board.board import Board, Position, step_cell
from tui.widgets.board.layout import fitting
from tui.widgets.board.overlays import NO_HINTS, Hints
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.tabs import Tabs
from tui.widgets.text import TextPane
from tui.widgets.verdict import VerdictLayout

AutomataPane = Literal["header", "verdict", "board", "tabs", "formula", "counters", "strip", "questions", "footer"]

SMALLEST = (44, 17)
TITLES = ("Formula", "Questions", "Z3")
TABBED: tuple[AutomataPane, ...] = ("formula", "questions", "counters")
GUTTER = 4
BESIDE = 34
"""Columns of the formula, at least."""
STRIP, COUNTERS, ASKED = 5, 4, 4
"""Rows of an automaton, of the counters, and of the questions at least."""
LONG_COUNTERS = 7
"""Rows of the counters in one column."""


BESIDE_HINT = 10
"""Columns of the last row beside the forms of a question."""


def plan(width: int, height: int, box: int, tab: int = 1) -> Mapping[AutomataPane, Region]:
    """The regions of the panes for a size of the terminal and boxes of this side; `tab`: the open one, from 1."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return {}
    ends: dict[AutomataPane, Region] = {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1)}
    if width >= 120 and height >= 34:
        return ends | _wide(width, height, box)
    if width >= 80 and height >= 24:
        return ends | _tabs(width, height, box, tab)
    return ends | _small(width, height, box)


def _wide(width: int, height: int, box: int) -> dict[AutomataPane, Region]:
    large = width >= 200 and height >= 54
    x, top = (3, 6) if large else (2, 4)
    room = height - 1 - top - 1 - STRIP - 1 - ASKED
    layout = fitting(box, width - 2 * x - GUTTER - BESIDE, room)
    board = Region(x, top, min(layout.width, width - 2 * x - GUTTER - BESIDE), min(layout.height, room))
    left = board.right + (12 if large else 5 if board.right < 60 else GUTTER)
    beside = Region(left, top, width - x - left, board.height)
    counters = COUNTERS if beside.width >= panes.TWO_COLUMNS else LONG_COUNTERS
    under = board.bottom + 1
    listed = under + STRIP + 1
    return {
        "verdict": Region(x, 3 if large else 2, width - 2 * x, 3 if large else 1), "board": board,
        "formula": Region(left, top, beside.width, beside.height - counters - 2),
        "counters": Region(left, board.bottom - counters, beside.width, counters),
        "strip": Region(x, under, width - 2 * x, STRIP),
        "questions": Region(x, listed, width - 2 * x, height - 1 - listed),
    }


def _tabs(width: int, height: int, box: int, tab: int) -> dict[AutomataPane, Region]:
    strip = height - 1 - STRIP - 1
    room = strip - 1 - 3
    across = width - 2 - GUTTER - BESIDE
    layout = fitting(box, across, room)
    board = Region(1, 3, min(layout.width, across), min(layout.height, room))
    left = board.right + GUTTER
    beside = Region(left, 4, width - 1 - left, strip - 5)
    return {
        "verdict": Region(1, 1, width - 2, 2), "board": board,
        "tabs": Region(left, 3, width - 1 - left, 1), TABBED[tab - 1]: beside,
        "strip": Region(1, strip, width - 2, STRIP),
    }


def _small(width: int, height: int, box: int) -> dict[AutomataPane, Region]:
    """Verdict and board; under them the automaton or the questions if they fit."""
    room = height - 4
    layout = fitting(box, width - 2, room)
    board = Region(1, 3, min(layout.width, width - 2), min(layout.height, room))
    placed: dict[AutomataPane, Region] = {"verdict": Region(1, 1, width - 2, 2), "board": board}
    left = height - 1 - board.bottom - 1
    if left >= STRIP and width >= 70:
        placed["strip"] = Region(1, board.bottom + 1, width - 2, STRIP)
    elif left >= 3:
        placed["questions"] = Region(1, board.bottom + 1, width - 2, left)
    return placed


class Automata(Lean, VerdictScreen[AutomataPane]):
    """Questions to the automata of one board."""

    KEYS = AUTOMATA_KEYS
    FOOTER_HINTS = AUTOMATA_HINTS
    LEAST_SIZE = SMALLEST
    TOO_SMALL = "The window is {w} x {h}; the automata need {W} x {H}."

    class Replied(Message):
        """The worker has a reply."""

    def __init__(self, request: AutomataRequest, worker: QuestionWorker | None = None) -> None:
        """Raises BadInput for a unit that the board does not have."""
        self.request = request
        puzzle = request.record.puzzle
        self.state = AutomataState(puzzle, request.cells or None)
        if request.unit:
            self.state.select_unit(unit_index(request.unit, puzzle.geometry))
        if request.cursor is not None:
            self.state.move_cursor(request.cursor)
        super().__init__(VerdictLayout(sentences.BADGE))
        self.worker = worker or QuestionWorker(puzzle, lambda: self.post_message(self.Replied()))
        self.notice: Sentence | None = None
        """Shown in the verdict line until the next key."""
        self.tab = 1
        self.header, self.board = Header(), Board()
        self.tabs, self.formula, self.counters = Tabs(TITLES), TextPane(id="formula"), TextPane(id="counters")
        self.strip, self.questions, self.footer = TextPane(id="strip"), TextPane(id="questions"), Footer()

    @property
    def panes(self) -> dict[AutomataPane, Pane]:
        return {"header": self.header, "verdict": self.verdict, "board": self.board, "tabs": self.tabs,
                "formula": self.formula, "counters": self.counters, "strip": self.strip,
                "questions": self.questions, "footer": self.footer}

    def regions_for(self, width: int, height: int) -> Mapping[AutomataPane, Region]:
        return plan(width, height, self.state.puzzle.box, self.tab)

    def place_panes(self, size: Size) -> None:
        super().place_panes(size)
        self._show_verdict()

    def on_mount(self) -> None:
        self.board.keys = self.table.join_keys(("cell-left", "cell-down", "cell-up", "cell-right"))
        self.set_interval(1.0, self._show_seconds)
        self.show()

    def on_unmount(self) -> None:
        self.worker.stop()

    # Questions and answers

    def _ask(self, query: Query) -> None:
        """Queue a question."""
        self.notice = None
        if self.worker.ask(query):
            self.show()
        else:
            self.announce(messages.message(
                _("REFUSED"), _("too many questions in the queue: {key_break_off} cancels them"), key_break_off=""))

    @on(Replied)
    def _take_answers(self) -> None:
        for reply in self.worker.take():
            if reply.finding is None:
                self.notice = messages.refused(BadInput(reply.refused))
            elif reply.finding.query.topic == "text" and reply.finding.texts:
                self._show_text(reply.finding.texts, reply.finding.query.unit)
            else:
                self.notice = None  # it was about the question before
                self.state.add_answer(reply.finding, reply.seconds)
        self.show()

    def _show_text(self, texts: tuple[str, ...], unit: int) -> None:
        """Show the rule of a unit in SMT-LIB on a page."""
        from tui.screens.dialogs.pager import Pager, text_pages

        name = self.state.puzzle.geometry.units[unit].name
        heading = _("{unit} in SMT-LIB, {encoding}").format(unit=name, encoding=panes.encoding_of(self.state))
        lines = [heading, "", *(line for text in texts for line in text.splitlines())]
        self.app.push_screen(Pager(partial(text_pages, lines)))

    # Footer and help

    def conditions(self) -> dict[str, bool]:
        """`busy`: a question is unanswered; `core`, `answer`, `explained`: it has a core, a board, an explanation;
        `listed`: the formula has the core; `alone`: only the core of it is listed; `value`: the question is about a
        value; `earlier`: there are others;
        `unit`: one automaton is selected; `past`: a change can be undone."""
        state = self.state
        found = None if state.current is None else state.current.finding
        return {
            "busy": self.worker.busy, "core": found is not None and bool(found.size), "listed": state.lists_core,
            "alone": state.core_only,
            "answer": found is not None and bool(found.grid),
            "explained": found is not None and found.explanation is not None,
            "earlier": len(state.questions) > 1, "unit": state.scope != "board", "past": state.can_undo,
            "value": found is not None and found.query.topic == "value",
        }

    def help_now(self) -> list[str]:
        n = self.state.puzzle.n
        said = _("In words, and on a board without room for numbers, A to {letter} are the values 10 to {n}.")
        return [] if n <= 9 else [said.format(letter=SYMBOLS[n], n=n)]

    def help_about(self) -> list[str]:
        return [_("Symbolic automata"),
                _("The alphabet is the values, a state is a formula, a transition adds a constraint. The automaton of "
                  "a unit accepts a word of n different values; all units of a board share the variables of their "
                  "cells."),
                _("A digit is tried by assuming it, so nothing has to be undone. UNSAT comes with a core: constraints "
                  "that contradict each other. Its items are units, in which all values differ, and assumed values. A "
                  "core of more than 15 items is of little help: a shorter reason counts rounds of logic instead, each "
                  "of which applies the easiest technique that finds something, wherever it does."),
                *(f"{name}: {_(text)}." for name, text in ABOUT.items())]

    def help_title(self) -> str:
        return " · ".join((_("Automata"), self.request.record.name)).removesuffix(" · ")

    def file_title(self) -> str:
        return f"{_('automata')} {self.request.record.name}".strip()

    def home_request(self) -> HomeRequest:
        return HomeRequest(PuzzleRecord(puzzle=self.state.puzzle, name=self.request.record.name))

    def announce(self, notice: Sentence) -> None:
        self.notice = notice
        self.show()

    def on_key(self, event: events.Key) -> None:
        if self.notice is not None:
            self.notice = None
            self.show()

    # Keys: asking

    def action_try(self, value: int) -> None:
        n = self.state.puzzle.n
        if value > n:
            self.announce(messages.message(_("REFUSED"), _("value {value}: expected 1 to {n}"), value=str(value),
                                        n=str(n)))
        else:
            self._ask(self.state.query("value", value=value))

    def action_ask(self) -> None:
        def answered(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self._ask_typed(parse_question(typed, self.state.puzzle.geometry)))

        forms = [_("r1c6 = 2"), _("row 3 = a word"), _("unique"), _("count"), _("solution"), _("second solution"),
                 _("{n} values for {unit}").format(n=self.state.puzzle.n, unit=self.state.selected_unit.name)]
        while forms and len(", ".join(forms)) > self.size.width - BESIDE_HINT:
            del forms[-1]
        self.app.push_screen(PromptDialog(_("Ask"), ", ".join(forms)), answered)

    def _ask_typed(self, typed: ParsedQuestion) -> None:
        state = self.state
        if typed.unit is not None:
            state.select_unit(typed.unit)
        match typed.topic:
            case "unit":
                self.show()
            case "value":
                state.move_cursor(typed.cell)
                self._ask(state.query("value", value=typed.value))
            case "word" | "model":
                self._ask(state.query(typed.topic, word=typed.word))
            case "solution" | "second" | "unique":
                self._ask(state.query(typed.topic))
            case "count":
                self._ask(replace(state.query("count"), limit=typed.limit))

    def action_unique(self) -> None:
        self._ask(self.state.query("unique"))

    def action_solution(self) -> None:
        self._ask(self.state.query("solution"))

    def action_count(self) -> None:
        self._ask(self.state.query("count"))

    def action_word(self) -> None:
        self._ask(self.state.query("model"))

    def action_text(self) -> None:
        self._ask(replace(self.state.query("text"), encoding=panes.encoding_of(self.state)))

    def action_minimise(self) -> None:
        query = self.state.minimise_query()
        if query is None:
            self.announce(messages.unavailable(_("no core to minimise")))
        else:
            self._ask(query)

    def action_break_off(self) -> None:
        if self.worker.busy:
            self.worker.cancel()
        else:
            self.announce(messages.unavailable(_("no question to cancel")))

    # Keys: answers

    def action_explain(self) -> None:
        """Explain the answer as a human would; show the deduced values on the board."""
        explanation = sentences.explained(self.state.current)
        self.state.toggle_explanation()
        self.announce(explanation)

    def action_answer(self) -> None:
        if self.state.next_answer():
            self.show()
        else:
            self.announce(messages.unavailable(
                _("this answer has no board to show") if self.state.current else
                _("no question is shown   {key_earlier} shows the last one") if self.state.questions else
                _("nothing has been asked yet"), key_earlier="←"))

    def action_core(self) -> None:
        if not self.state.lists_core:
            self.announce(messages.unavailable(_("the formula on the screen has no core")))
            return
        self.state.core_only = not self.state.core_only
        self.show()

    def action_question(self, direction: int) -> None:
        if self.state.next_question(direction):
            self.show()
        else:
            self.announce(messages.unavailable(
                _("no later question") if direction > 0 else _("no earlier question")))

    # Keys: the board

    def action_cursor(self, down: int, right: int) -> None:
        self.state.move_cursor(step_cell(self.state.cursor, self.state.puzzle.n, down, right))
        self.show()

    def action_put(self) -> None:
        """Set the value of the current question in its cell."""
        current = self.state.current
        if current is None or current.finding.query.topic != "value":
            self.announce(messages.unavailable(_("try a digit first; this key then sets it")))
            return
        query = current.finding.query
        name = cell_name(query.cell, self.state.puzzle.n)
        if self.state.puzzle.givens[query.cell]:
            self.announce(messages.message(_("REFUSED"), _("{cell} is given"), cell=name))
        elif not self.state.set_value(query.cell, query.value):
            self.announce(messages.unavailable(_("{cell} is {value} already"), cell=name, value=str(query.value)))
        else:
            self.announce(messages.message(_("SET"), _("{cell} = {value}   {key_undo} undoes it"),
                                        cell=name, value=str(query.value), key_undo=""))

    def action_undo(self) -> None:
        if not self.state.undo():
            self.announce(messages.unavailable(_("nothing to undo")))
        self.show()

    def action_redo(self) -> None:
        if not self.state.redo():
            self.announce(messages.unavailable(_("nothing to redo")))
        self.show()

    def action_unit(self, direction: int) -> None:
        self.state.next_scope(direction)
        self.show()

    def action_encoding(self, direction: int) -> None:
        self.state.next_encoding(direction)
        self.state.leave_question()
        encoding = self.state.encoding
        self.announce(messages.message(_("ENCODING"), _("{name}: {about}"), name=encoding, about=_(ABOUT[encoding])))

    # Keys: the program

    def action_next_tab(self, direction: int) -> None:
        if "tabs" not in self.regions:
            self.announce(messages.unavailable(
                _("this window shows all panes at once") if "formula" in self.regions else
                _("this window has no room for the other panes; a larger one shows them")))
            return
        self.tab = (self.tab - 1 + direction) % len(TITLES) + 1
        self.show()

    def action_back(self) -> None:
        """Cancel a question, else hide an answer, else leave the screen."""
        if self.worker.busy:
            self.worker.cancel()
        elif self.state.view != "board":
            self.state.view = "board"
            self.show()
        elif len(self.app.screen_stack) > 1:
            navigator(self).back()
        else:
            navigator(self).open_home(self.home_request())

    # Mouse

    @on(Board.Picked)
    def _pick_cell(self, event: Board.Picked) -> None:
        self.state.move_cursor(event.cell)
        self.show()

    @on(Tabs.Picked)
    def _pick_tab(self, event: Tabs.Picked) -> None:
        self.tab = event.tab
        self.show()

    # Showing

    def show(self) -> None:
        """Draw the present state; panes whose values are the same draw nothing."""
        with self.painted_at_once():
            self.place_panes(self.size)
            self._show_header()
            state, core, answer = self.state, self.table.shown("core"), self.table.shown("answer")
            self.board.show(Position(state.puzzle, state.grid, self._marks(), state.cursor, hints=self._units()))
            self.tabs.show(self.tab)
            self.formula.show(lambda space: panes.formula_lines(state, space, core))
            self.counters.show(lambda space: panes.counter_lines(state, space))
            self.strip.show(lambda space: panes.strip_lines(state, space))
            self.questions.show(lambda space: panes.question_lines(state, space, answer))
            self.show_footer()

    def _show_header(self) -> None:
        state, current = self.state, self.state.current
        unit = state.unit if current is None else current.finding.query.unit
        what = state.puzzle.geometry.units[unit].name if state.about_unit else _("whole board")
        status = _("ASKING") if self.worker.busy else (
            "" if current is None else _("ANSWER {number}").format(number=current.number))
        view = {"answer": _("solution"), "other": _("second solution"),
                "explanation": _("deduced values")}.get(state.view, "")
        context = (self.request.record.name, what, panes.encoding_of(state), view)
        self.header.show(Title(_("Automata"), tuple(filter(None, context)), status))

    def _show_seconds(self) -> None:
        """Update the seconds of the question that is being answered."""
        if self.worker.busy:
            self._show_verdict()

    def _show_verdict(self) -> None:
        neutral = self.notice is not None or self.worker.busy or self.state.current is None
        self.show_sentence(self.table.resolve_keys(self._sentence()), "bar_strong" if neutral else "now")

    def _sentence(self) -> Sentence:
        state, worker = self.state, self.worker
        if self.notice is not None:
            return self.notice
        if worker.busy:
            query = worker.current or state.query("solution")
            seconds = worker.clock() - worker.since if worker.current is not None else 0.0
            return sentences.asking(worded(query, state.puzzle.geometry), seconds, worker.queued, worker.loaded)
        if state.current is not None:
            return sentences.verdict(state.current, state.puzzle)
        return sentences.ready(state) if state.scope == "board" else sentences.unit_selected(state)

    def _marks(self) -> dict[Role, tuple[int, ...]]:
        """The cells of the question: asked, core, differing, deduced; without a question the conflicts."""
        state = self.state
        if state.current is None:
            return {"conflict": clashing_cells(clashes(state.puzzle, state.cells))}
        found = state.current.finding
        marks: dict[Role, tuple[int, ...]] = {}
        if found.query.topic == "value":
            marks["moved"] = (found.query.cell,)
        if state.view in ("answer", "other"):
            marks["partner"] = found.differing
            return marks
        if found.blame:
            cells = state.puzzle.geometry.units[found.query.unit].cells
            marks["core"] = tuple(cells[position] for position in found.blame)
        elif found.helps or state.core_only:
            marks["core"] = tuple(cell for cell, _value in found.placed)
        if state.view == "explanation":
            marks["partner"] = tuple(cell for cell, value in enumerate(state.grid)
                                   if value and not found.query.cells[cell])
        return marks

    def _units(self) -> Hints:
        """The unit of the question, or the selected one, to be framed on the board."""
        state = self.state
        found = None if state.current is None else state.current.finding
        if found is not None and found.explanation is not None and found.explanation.unit is not None:
            return Hints(units=(found.explanation.unit,))
        if found is not None and found.query.topic in ("word", "model"):
            return Hints(units=(found.query.unit,))
        return Hints(units=(state.unit,)) if state.scope != "board" else NO_HINTS
