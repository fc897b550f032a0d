"""What the keys of the automata do."""

from __future__ import annotations

from functools import partial

from textual import events

from engine.automata.formula import ABOUT
from engine.automata.questions import Query
from engine.puzzle import cell_name
from engine.puzzles.formats import PuzzleRecord
from engine.view import Sentence
from tui import messages
from tui.i18n import _
from tui.keys.bindings import AUTOMATA_HINTS, AUTOMATA_KEYS
from tui.requests import AutomataRequest, HomeRequest
from tui.screens.automata import sentences as words
from tui.screens.automata.layout import TITLES
from tui.screens.automata.panes import text_rows
from tui.screens.automata.question_parser import Typed, meant
from tui.screens.automata.state import Book
from tui.screens.automata.worker import Asker
from tui.screens.base import AppScreen
from tui.screens.dialogs.prompt import Prompt
from tui.screens.navigation import navigator


class AutomataActions(AppScreen):
    """The actions of the automata. Their panes are in `Automata`."""

    KEYS = AUTOMATA_KEYS
    FOOTER_HINTS = AUTOMATA_HINTS

    wish: AutomataRequest
    book: Book
    asker: Asker
    notice: Sentence | None = None
    """What the program says, until the next key."""
    tab = 1

    def show(self) -> None:
        """Draw what is known."""
        raise TypeError("the automata have panes")

    def announce(self, notice: Sentence) -> None:
        self.notice = notice
        self.show()

    def available(self) -> frozenset[str]:
        """`busy`: a question is being answered; `core`, `answer`, `told` are there in the question in view; `earlier`
        questions; `unit`: one automaton is chosen; `past`: something can be taken back; `value`: a digit was asked."""
        entry = self.book.entry
        found = None if entry is None else entry.finding
        facts = {
            "busy": self.asker.busy, "core": found is not None and bool(found.size),
            "answer": found is not None and bool(found.grid), "told": found is not None and found.told is not None,
            "earlier": len(self.book.entries) > 1, "unit": self.book.scope != "board", "past": self.book.has_past,
            "value": found is not None and found.query.topic == "value",
        }
        return frozenset(word for word, holds in facts.items() if holds)

    def help_title(self) -> str:
        return " · ".join((_("Automata"), self.wish.record.name)).removesuffix(" · ")

    def file_title(self) -> str:
        return f"{_('automata')} {self.wish.record.name}".strip()

    def help_about(self) -> list[str]:
        return [_("Symbolic automata"),
                _("The alphabet is the values, a state is a formula, a transition adds a constraint. The automaton of "
                  "a unit accepts a word of n different values; all units of a board share the variables of their "
                  "cells."),
                _("A digit is tried by assuming it: nothing has to be taken back. UNSAT comes with a core, constraints "
                  "that contradict each other already; above 15 items it teaches nothing."),
                *(f"{name}: {_(told)}." for name, told in ABOUT.items())]

    def on_key(self, event: events.Key) -> None:
        if self.notice is not None:
            self.notice = None
            self.show()

    # Asking

    def put(self, query: Query) -> None:
        """Ask it, after what was asked before."""
        self.notice = None
        if not self.asker.ask(query):
            self.announce(messages.told(_("REFUSED"), _("too many questions wait: {key_break_off} breaks them off"),
                                   key_break_off=""))
            return
        self.show()

    def action_try(self, value: int) -> None:
        n = self.book.puzzle.n
        if value > n:
            self.announce(messages.told(_("REFUSED"), _("value {value}: expected 1 to {n}"), value=str(value),
                                        n=str(n)))
        else:
            self.put(self.book.query("value", value=value))

    def action_ask(self) -> None:
        """Ask for a question."""
        def asked(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self._asked(meant(typed, self.book.puzzle.geometry)))

        n = self.book.puzzle.n
        hint = _("r1c6 = 2, {n} values for {unit}, row 3 = a word, solution, second solution, unique").format(
            n=n, unit=self.book.unit_of.name)
        self.app.push_screen(Prompt(_("Ask"), hint), asked)

    def _asked(self, typed: Typed) -> None:
        book = self.book
        if typed.unit is not None:
            book.choose(typed.unit)
        match typed.topic:
            case "unit":
                self.show()
            case "value":
                book.place(typed.cell)
                self.put(book.query("value", value=typed.value))
            case "word" | "model":
                self.put(book.query(typed.topic, word=typed.word))
            case "solution" | "second" | "unique":
                self.put(book.query(typed.topic))

    def action_unique(self) -> None:
        self.put(self.book.query("unique"))

    def action_solution(self) -> None:
        self.put(self.book.query("solution"))

    def action_word(self) -> None:
        self.put(self.book.query("model"))

    def action_text(self) -> None:
        """The rule of the chosen unit as Z3 has it, on a page."""
        self.put(self.book.query("text"))

    def show_text(self, texts: tuple[str, ...], unit: int) -> None:
        from tui.screens.dialogs.pager import Page

        name = self.book.puzzle.geometry.units[unit].name
        heading = _("{unit} in SMT-LIB, {encoding}").format(unit=name, encoding=self.book.encoding)
        lines = [heading, "", *(line for text in texts for line in text.splitlines())]
        self.app.push_screen(Page(partial(text_rows, lines)))

    def action_minimise(self) -> None:
        query = self.book.smaller()
        if query is None:
            self.announce(messages.told(_("NOTHING"), _("there is no core here that could be made smaller")))
        else:
            self.put(query)

    def action_explain(self) -> None:
        """What people see of the answer: on the board, where something had to be deduced for it."""
        said = words.explained(self.book.entry)
        self.book.explain()
        self.announce(said)

    def action_answer(self) -> None:
        """The board of the answer, that of a second solution, and back."""
        if not self.book.turn_answer():
            self.announce(messages.told(_("NOTHING"), _("this answer has no board to show")))
        else:
            self.show()

    def action_core(self) -> None:
        self.book.core_only = not self.book.core_only
        self.show()

    def action_question(self, direction: int) -> None:
        if self.book.go(direction):
            self.show()
        else:
            self.announce(messages.told(_("NOTHING"), _("there is no later question") if direction > 0 else
                                   _("there is no earlier question")))

    # The board

    def action_cursor(self, down: int, right: int) -> None:
        n = self.book.puzzle.n
        row, column = divmod(self.book.cursor, n)
        self.book.place((row + down) % n * n + (column + right) % n)
        self.show()

    def action_put(self) -> None:
        """Set the value that was asked in its cell."""
        entry = self.book.entry
        if entry is None or entry.finding.query.topic != "value":
            self.announce(messages.told(_("NOTHING"), _("try a digit first; this key then sets it")))
            return
        query = entry.finding.query
        name = cell_name(query.cell, self.book.puzzle.n)
        if self.book.puzzle.givens[query.cell]:
            self.announce(messages.told(_("REFUSED"), _("{cell} is given"), cell=name))
        elif not self.book.put(query.cell, query.value):
            self.announce(messages.told(_("NOTHING"), _("{cell} is {value} already"), cell=name,
                                        value=str(query.value)))
        else:
            self.announce(messages.told(_("SET"), _("{cell} = {value} stands from now on   {key_undo} takes it back"),
                                   cell=name, value=str(query.value), key_undo=""))

    def action_undo(self) -> None:
        if not self.book.undo():
            self.announce(messages.told(_("NOTHING"), _("nothing was set")))
        self.show()

    def action_redo(self) -> None:
        if not self.book.redo():
            self.announce(messages.told(_("NOTHING"), _("nothing was taken back")))
        self.show()

    def action_unit(self, direction: int) -> None:
        self.book.turn(direction)
        self.show()

    def action_encoding(self, direction: int) -> None:
        self.book.recode(direction)
        self.book.leave()
        encoding = self.book.encoding
        self.announce(messages.told(_("ENCODING"), _("{name}: {about}"), name=encoding, about=_(ABOUT[encoding])))

    # The program

    def action_next_tab(self, direction: int) -> None:
        self.tab = (self.tab - 1 + direction) % len(TITLES) + 1
        self.show()

    def action_break_off(self) -> None:
        if self.asker.busy:
            self.asker.break_off()
        else:
            self.announce(messages.told(_("NOTHING"), _("nothing is being asked")))

    def action_back(self) -> None:
        """One thing at a time: a question is broken off, an answer put away, and then the screen is left."""
        if self.asker.busy:
            self.asker.break_off()
        elif self.book.shown != "board":
            self.book.shown = "board"
            self.show()
        elif len(self.app.screen_stack) > 1:
            navigator(self).back()
        else:
            navigator(self).open_home(self.home_request())

    def home_request(self) -> HomeRequest:
        return HomeRequest(PuzzleRecord(puzzle=self.book.puzzle, name=self.wish.record.name))
