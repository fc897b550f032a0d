"""The automata: what the units of a board accept, and what Z3 answers about the whole of it, question by question."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message

from engine.automata.questions import worded
from engine.errors import BadInput
from engine.puzzle import clashes
from engine.view import Role, Sentence
from tui import messages
from tui.i18n import _
from tui.puzzle_facts import clashing_cells
from tui.requests import AutomataRequest
from tui.screens.automata import panes as lines
from tui.screens.automata import sentences as words
from tui.screens.automata.actions import AutomataActions
from tui.screens.automata.layout import SMALLEST, TITLES, AutomataPane, AutomataPlan, plan
from tui.screens.automata.question_parser import place_of
from tui.screens.automata.state import Book
from tui.screens.automata.worker import Asker
from tui.screens.base import TooSmall, put_panes
from tui.terminal.compositor import Lean
from tui.widgets.board.board import Board, Position
from tui.widgets.board.overlays import NO_HINTS, Hints
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.rows import Space
from tui.widgets.tabs import Tabs
from tui.widgets.text import MessagePane, TextPane
from tui.widgets.verdict.verdict import Verdict, VerdictStyle, is_cut


class Automata(Lean, AutomataActions):
    """The automata of one board. What the keys do is in `AutomataActions`."""

    class Answered(Message):
        """There is a reply."""

    def __init__(self, wish: AutomataRequest, asker: Asker | None = None) -> None:
        """Raises BadInput for a unit that the board does not have."""
        self.wish = wish
        self.book = Book(wish.record.puzzle, wish.cells or None)
        if wish.unit:
            self.book.choose(place_of(wish.unit, wish.record.puzzle.geometry))
        if wish.cursor is not None:
            self.book.place(wish.cursor)
        super().__init__()
        self.asker = asker or Asker(wish.record.puzzle, lambda: self.post_message(self.Answered()))
        self.header, self.verdict, self.board = Header(), Verdict(VerdictStyle(words.LONGEST)), Board()
        self.tabs, self.formula, self.counters = Tabs(TITLES), TextPane(id="formula"), TextPane(id="counters")
        self.strip, self.questions, self.footer = TextPane(id="strip"), TextPane(id="questions"), Footer()
        self.message = MessagePane()
        self.too_small = TooSmall(_("The window is {w} x {h}; the automata need {W} x {H}."), SMALLEST)
        self.arranged = AutomataPlan("none", {})

    @property
    def panes(self) -> dict[AutomataPane, Pane]:
        """The panes by their names in the plan."""
        return {"header": self.header, "verdict": self.verdict, "board": self.board, "tabs": self.tabs,
                "formula": self.formula, "counters": self.counters, "strip": self.strip,
                "questions": self.questions, "footer": self.footer}

    def compose(self) -> ComposeResult:
        yield from self.panes.values()
        yield self.message
        yield self.too_small

    def on_mount(self) -> None:
        self.board.keys = self.table.abreast(("cell-left", "cell-down", "cell-up", "cell-right"))
        self.set_interval(1.0, self._show_waiting)
        self.show()

    def on_unmount(self) -> None:
        self.asker.stop()

    # Answers

    def on_automata_answered(self) -> None:
        for reply in self.asker.take():
            if reply.finding is None:
                self.notice = messages.refused(BadInput(reply.refused))
            elif reply.finding.query.topic == "text" and reply.finding.texts:
                self.show_text(reply.finding.texts, reply.finding.query.unit)
            else:
                self.book.take(reply.finding, reply.seconds)
        self.show()

    def _show_waiting(self) -> None:
        """While something is asked, how long that has taken."""
        if self.asker.busy:
            self._show_verdict()

    # Showing

    def show(self) -> None:
        """Draw what is known; panes whose values are the same draw nothing."""
        with self.painted_at_once():
            self.place_panes(self.size)
            self._show_header()
            self._show_verdict()
            self._show_board()
            self.tabs.show(self.tab)
            book, core = self.book, self.table.shown("core")
            self.formula.show(lambda space: lines.formula_lines(book, space, core))
            self.counters.show(lambda space: lines.counter_lines(book, space))
            self.strip.show(lambda space: lines.strip_lines(book, space))
            answer = self.table.shown("answer")
            self.questions.show(lambda space: lines.question_lines(book, space, answer))
            self.show_footer()

    def _show_header(self) -> None:
        book = self.book
        what = _("whole board") if book.scope == "board" else book.unit_of.name
        entry = book.entry
        state = _("ASKING") if self.asker.busy else (
            "" if entry is None else _("ANSWER {number}").format(number=entry.number))
        shown = {"answer": _("the answer on the board"), "other": _("the second solution"),
                 "explanation": _("what was deduced")}.get(book.shown, "")
        context = (self.wish.record.name, what, book.encoding, shown)
        self.header.show(Title(_("Automata"), tuple(filter(None, context)), state))

    def _sentence(self) -> Sentence:
        book, going = self.book, self.asker.going
        if self.notice is not None:
            return self.notice
        if self.asker.busy:
            query = going or book.query("solution")
            since = self.asker.clock() - self.asker.since if going is not None else 0.0
            return words.asking(worded(query, book.puzzle.geometry), since, self.asker.waiting, self.asker.loaded)
        if book.entry is not None:
            return words.verdict(book.entry, book.puzzle)
        return words.ready(book) if book.scope == "board" else words.chosen(book)

    def _show_verdict(self) -> None:
        sentence = self.table.spelled(self._sentence())
        plainly = self.notice is not None or self.asker.busy or self.book.entry is None
        self.verdict.verdict_style.ground = "bar_strong" if plainly else "now"
        self.verdict.show(sentence)
        where = self.arranged.regions.get("verdict")
        overlong = where is not None and is_cut(sentence, Space(*where.size, self.verdict.glyphs))
        if overlong and where is not None:
            self.message.styles.offset, self.message.styles.width = (0, where.y), self.size.width
            self.message.say(sentence.badge, messages.flowing(sentence))
        self.message.display = overlong

    def _show_board(self) -> None:
        book = self.book
        self.board.show(Position(book.puzzle, book.grid, self._marks(), book.cursor, hints=self._hints()))

    def _marks(self) -> dict[Role, tuple[int, ...]]:
        """What was asked, the core, what differs, what was deduced; without a question what contradicts itself."""
        book = self.book
        if book.entry is None:
            return {"conflict": clashing_cells(clashes(book.puzzle, book.cells))}
        found = book.entry.finding
        marks: dict[Role, tuple[int, ...]] = {}
        if found.query.topic == "value":
            marks["moved"] = (found.query.cell,)
        if book.shown in ("answer", "other"):
            marks["partner"] = found.differing
            return marks
        if found.blame:
            cells = book.puzzle.geometry.units[found.query.unit].cells
            marks["core"] = tuple(cells[position] for position in found.blame)
        elif found.helps or book.core_only:
            marks["core"] = tuple(cell for cell, _value in found.placed)
        if book.shown == "explanation":
            marks["reach"] = tuple(cell for cell, value in enumerate(book.grid)
                                   if value and not found.query.cells[cell])
        return marks

    def _hints(self) -> Hints:
        """The unit that the question is about, or the chosen one."""
        book = self.book
        found = None if book.entry is None else book.entry.finding
        if found is not None and found.told is not None and found.told.unit is not None:
            return Hints(units=(found.told.unit,))
        if found is not None and found.query.topic in ("word", "model"):
            return Hints(units=(found.query.unit,))
        return Hints(units=(book.unit,)) if book.scope != "board" else NO_HINTS

    # Arranging

    def on_resize(self, event: events.Resize) -> None:
        self.place_panes(event.size)
        self._show_verdict()

    def place_panes(self, size: Size) -> None:
        """Put every pane where the plan has it."""
        before = self.arranged.regions
        self.arranged = plan(size.width, size.height, self.book.puzzle.box, self.tab)
        put_panes(self.panes, self.arranged.regions, before)
        self.too_small.show_if(self.arranged.mode == "none", size)

    def on_board_picked(self, event: Board.Picked) -> None:
        self.book.place(event.cell)
        self.show()

    def on_tabs_picked(self, event: Tabs.Picked) -> None:
        self.tab = event.tab
        self.show()
