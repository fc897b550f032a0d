"""The bench: solvers compared on puzzles, while the experiment runs and afterwards."""

from __future__ import annotations

import importlib
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message

from engine import door
from engine.errors import BadInput
from engine.lab.execution import usual
from engine.lab.experiment_file import load
from engine.view import Sentence
from tui import messages
from tui.bencher import TOO_MANY, Bencher, Standing
from tui.digester import Digester
from tui.i18n import _
from tui.requests import BenchWish
from tui.screens import bench_lines as lines
from tui.screens.base import TooSmall, put_panes
from tui.screens.bench_actions import BenchActions
from tui.screens.bench_book import Book
from tui.screens.bench_plan import SMALLEST, BenchPane, BenchPlan, plan
from tui.storage.experiments import results_of
from tui.terminal.lean import Lean
from tui.widgets.bench_chart import BenchChart, Pictured
from tui.widgets.bench_table import BenchTable, Shown
from tui.widgets.header import Header, Title
from tui.widgets.keys import Keys
from tui.widgets.lines import Lines
from tui.widgets.message import MessagePane
from tui.widgets.pane import Pane
from tui.widgets.rows import Space
from tui.widgets.verdict import Manner, Verdict, is_cut

LOOK = 0.5
"""Seconds between two looks at how far it is: nothing on the screen changes more often by itself."""


class Bench(Lean, BenchActions):
    """An experiment and its results. What the keys do is in `BenchActions`."""

    class Digested(Message):
        """Tables and curves are worked out, or a report is written."""

    def __init__(self, wish: BenchWish) -> None:
        """Raises BadInput for an experiment that there is not, or that cannot be run."""
        parts = wish.parts or load(wish.name)
        self.book = Book(parts)
        path = wish.results or results_of(parts[0].whole)
        try:
            door.make_folder(path.parent)
        except OSError as error:
            raise BadInput(_("{path}: there can be no results ({why})").format(
                path=path.parent, why=error.strerror or error)) from error
        super().__init__()
        self.wish = wish
        self.bencher = Bencher(parts, path, wish.how or usual(), wish.jobs)
        self.digester = Digester(parts, path, lambda: self.post_message(self.Digested()),
                                 partial(importlib.import_module, "plotext"))
        self.header, self.verdict, self.keys = Header(), Verdict(Manner(lines.LONGEST)), Keys()
        self.bench_table, self.selected = BenchTable(), Lines(id="selected")
        self.left, self.right = BenchChart(id="left"), BenchChart(id="right")
        self.message = MessagePane()
        self.too_small = TooSmall(_("The window is {w} x {h}; the bench needs {W} x {H}."), SMALLEST)
        self.arranged = BenchPlan("none", {})
        self._standing = Standing()
        """What is on the screen."""
        self._renewed: tuple[int, str] = (0, "")
        """The runs that the digester knows of, or will, and what went on then."""

    @property
    def panes(self) -> dict[BenchPane, Pane]:
        """The panes by their names in the plan."""
        return {"header": self.header, "verdict": self.verdict, "table": self.bench_table, "left": self.left,
                "right": self.right, "selected": self.selected, "keys": self.keys}

    def compose(self) -> ComposeResult:
        yield from self.panes.values()
        yield self.message
        yield self.too_small

    def on_mount(self) -> None:
        self.digester.start()
        self.digester.show(self.book.wanted)
        if self.bencher.size <= TOO_MANY:
            self.bencher.start()
        self.set_interval(LOOK, self._look)
        self.show()

    def on_unmount(self) -> None:
        self.bencher.close()
        self.digester.close()

    # What goes on in the threads

    def _look(self) -> None:
        """Show how far it is; more results are to be worked out."""
        standing = self.bencher.standing
        known = standing.done, standing.stage
        if known != self._renewed:
            self._renewed = known
            self.digester.renew(at_once=standing.stage not in ("running", "reading"))
        if standing != self._standing:
            self.show()

    def on_bench_digested(self) -> None:
        if self.digester.told is not None:
            written, said = self.digester.told
            self.digester.told = None
            self.notice = messages.saved(said) if written else messages.refused(BadInput(said))
        self.book.take(self.digester.latest)
        self.show()

    # Showing

    def show(self) -> None:
        """Draw what is known; panes whose values are the same draw nothing."""
        self._standing = self.bencher.standing
        book = self.book
        with self.painted_at_once():
            shown = self._shown()
            self.place_panes(self.size)
            state = lines.state_text(self._standing)
            self.header.show(Title(_("Bench"), lines.context(book.experiment), state))
            self._show_verdict()
            self.bench_table.show(shown)
            pictures = book.pictures
            self.left.show(self._pictured(pictures[0]))
            self.right.show(self._pictured(pictures[1]))
            self.selected.show(lambda space: lines.selected_lines(book, space))
            self.show_keys()

    def _shown(self) -> Shown:
        book = self.book
        rows = book.lines
        measure = "seconds" if book.digest is None else book.digest.comparison.measure
        return Shown(tuple(rows), book.place(rows), measure, book.sort, book.reverse)

    def _pictured(self, picture: str) -> Pictured:
        book, line = self.book, self.book.line
        return Pictured(picture, book.digest, -1 if line is None else line.contender, book.map)

    def _show_verdict(self) -> None:
        sentence: Sentence = self.table.spelled(self.notice or lines.verdict(self._standing, self.book))
        result = self.notice is None and self._standing.stage == "done"
        self.verdict.manner.ground = "now" if result else "bar_strong"
        self.verdict.show(sentence)
        where = self.arranged.regions.get("verdict")
        overlong = where is not None and is_cut(sentence, Space(*where.size, self.verdict.glyphs), lines.LONGEST)
        if overlong and where is not None:
            self.message.styles.offset, self.message.styles.width = (0, where.y), self.size.width
            self.message.say(sentence.badge, messages.flowing(sentence))
        self.message.display = overlong

    # Arranging

    def on_resize(self, event: events.Resize) -> None:
        self.place_panes(event.size)
        self._show_verdict()

    def place_panes(self, size: Size) -> None:
        """Put every pane where the plan has it."""
        before = self.arranged.regions
        part = self.book.experiment
        self.arranged = plan(size.width, size.height, len(part.contenders) * (len(part.groups) or 1))
        put_panes(self.panes, self.arranged.regions, before)
        self.too_small.tell(self.arranged.mode == "none", size)

    # Mouse

    def on_bench_table_picked(self, event: BenchTable.Picked) -> None:
        self.book.choose(event.place)
        self.show()
        if event.twice:
            self.action_worst()

    def on_bench_table_sorted(self, event: BenchTable.Sorted) -> None:
        self.book.sort_by(event.by)
        self.show()
