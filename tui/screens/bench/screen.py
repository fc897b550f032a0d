"""The bench: solvers compared on puzzles, while the experiment runs and afterwards."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from datetime import date
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message

from engine import text
from engine.bench.executors.scheduling import usual
from engine.bench.experiment_file import load
from engine.bench.report import words
from engine.errors import BadInput
from engine.files import access
from engine.view import Sentence
from tui import messages
from tui.i18n import _
from tui.keys.bindings import BENCH_HINTS, BENCH_KEYS
from tui.requests import BenchRequest, NewRun
from tui.screens.base import AppScreen, TooSmall, put_panes
from tui.screens.bench import text as lines
from tui.screens.bench.charts import BenchChart, Pictured
from tui.screens.bench.dialogs import ExportList, FilterList, TrialList
from tui.screens.bench.layout import SMALLEST, BenchPane, BenchPlan, plan
from tui.screens.bench.results import Digester, Export
from tui.screens.bench.runner import TOO_MANY, UNDER_WAY, Bencher, Standing
from tui.screens.bench.state import Book, Filter, Line, trials_of
from tui.screens.bench.table import BenchTable, Shown
from tui.screens.navigation import navigator
from tui.storage.experiments import results_of
from tui.terminal.compositor import Lean
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.rows import Space
from tui.widgets.text import MessagePane, TextPane
from tui.widgets.verdict.verdict import Verdict, VerdictStyle, is_cut

# What the keys of the bench do.


class BenchActions(AppScreen):
    """The actions of the bench. Its panes are in `Bench`."""

    KEYS = BENCH_KEYS
    FOOTER_HINTS = BENCH_HINTS
    HAS_BOARD = False

    book: Book
    bencher: Bencher
    digester: Digester
    notice: Sentence | None = None
    """What is said until the next key."""

    def show(self) -> None:
        """Draw what is known."""
        raise TypeError("the bench has panes")

    def announce(self, notice: Sentence) -> None:
        self.notice = notice
        self.show()

    def on_key(self) -> None:
        if self.notice is not None:
            self.notice = None
            self.show()

    def available(self) -> frozenset[str]:
        stage, book = self.bencher.standing.stage, self.book
        facts = {"running": stage in ("running", "reading"), "waiting": stage in ("paused", "cancelled", "ready"),
                 "busy": stage in UNDER_WAY, "rows": book.line is not None, "map": book.map is not None,
                 "parts": len(book.parts) > 1}
        return frozenset(word for word, holds in facts.items() if holds)

    def help_now(self) -> Sequence[str]:
        part, standing = self.book.experiment, self.bencher.standing
        said = [part.about] if part.about else []
        if len(self.book.parts) > 1:
            said.append(_("Part {number} of {parts}: {name}.").format(
                number=self.book.part + 1, parts=len(self.book.parts), name=part.name))
        said.append(_("{done} of {size} runs are made; every one is kept as soon as it is finished, in {path}.").format(
            done=text.count(standing.done), size=text.count(standing.size), path=self.bencher.path))
        return [*said, *part.left_out]

    def help_about(self) -> Sequence[str]:
        worst = _("Of a row, enter opens the run that came least far: of those that were not solved the one with the "
                  "highest E at its end, else the one that took the most steps. The whole run is made again, and the "
                  "playhead put at its worst moment: the highest E after the first tenth of the run, for every search "
                  "begins badly. In the laboratory esc leads back here.")
        return [_("How to read it"), worst, *words.notes(self.book.parts)]

    def help_title(self) -> str:
        return _("Bench")

    def file_title(self) -> str:
        return _("bench {name}").format(name=self.book.experiment.name)

    # The experiment

    def action_go_on(self) -> None:
        if self.bencher.standing.stage != "done":
            self.bencher.toggle()
        self.show()

    def action_back(self) -> None:
        """What runs is cancelled; then the bench is left."""
        if self.bencher.standing.stage in UNDER_WAY and not self.bencher.stopped():
            self.bencher.cancel()
            self.show()
        elif len(self.app.screen_stack) > 1:
            navigator(self).back()
        else:
            navigator(self).open_home(self.home_request())

    def action_other(self) -> None:
        """Choose another experiment."""
        from tui.screens.bench.experiment_dialogs import choose

        choose(self)

    def action_new(self) -> None:
        """Put an experiment together."""
        from tui.screens.bench.experiment_dialogs import compose_new

        compose_new(self)

    def action_part(self, direction: int) -> None:
        if len(self.book.parts) > 1:
            self.book.next_part(direction)
            self.ask()
        else:
            self.announce(messages.told(_("NOTHING THERE"), _("this experiment has no parts")))

    def ask(self) -> None:
        """Have what is wanted now worked out, and draw what is known."""
        self.digester.show(self.book.wanted)
        self.show()

    def action_export(self) -> None:
        def chosen(wish: ExportList.Answer) -> None:
            if wish:
                self.digester.export(Export(wish, self.bencher.path.parent, date.today().isoformat()))

        self.app.push_screen(ExportList(), chosen)

    # The table

    def action_move(self, down: int) -> None:
        self.book.move(down)
        self.show()

    def action_sort(self) -> None:
        self.book.next_sort()
        self.show()

    def action_reverse(self) -> None:
        self.book.turn_round()
        self.show()

    def action_measure(self) -> None:
        self.book.next_measure()
        self.ask()

    def action_filter(self) -> None:
        def chosen(shown: Filter | None) -> None:
            if shown is not None:
                self.book.show_only(shown)
                self.ask()

        self.app.push_screen(FilterList(self.book.filters(), self.book.filter), chosen)

    # Charts

    def action_charts(self, direction: int) -> None:
        self.book.turned += direction
        self.show()

    def action_axes(self) -> None:
        if self.book.map is None:
            self.announce(messages.told(_("NOTHING THERE"), _("no two parameters are swept in this experiment")))
            return
        self.book.axes += 1
        self.show()

    # Into the laboratory

    def _trials(self, line: Line) -> list[int]:
        found = self.book.digest
        return [] if found is None else trials_of(found.columns, self.book.experiment, line)

    def action_worst(self) -> None:
        line = self.book.line
        trials = [] if line is None else self._trials(line)
        if trials:
            self.attempt(lambda: self.open_trial(trials[0]))
        else:
            self.announce(messages.told(_("NOTHING THERE"), _("no run of this row is finished yet")))

    def action_trials(self) -> None:
        line, found = self.book.line, self.book.digest
        if line is None or found is None:
            return
        listed = self._trials(line)

        def chosen(place: int | None) -> None:
            if place is not None:
                self.attempt(lambda: self.open_trial(listed[place]))

        self.app.push_screen(TrialList(self.book.experiment, found.columns, listed, line.label), chosen)

    def open_trial(self, place: int) -> None:
        """A laboratory on this very run, at its worst moment; `place` in the columns. Raises BadInput."""
        found, part = self.book.digest, self.book.experiment
        if found is None:
            return
        columns = found.columns
        contender, problem = part.contenders[int(columns.contender[place])], part.problems[int(columns.problem[place])]
        navigator(self).push_run(NewRun(problem.puzzle, problem.name, contender.solver, contender.params,
                                    int(columns.seed[place]), step=int(columns.steps[place]), worst=True))

    def open_bench(self, wish: BenchRequest) -> None:
        """Another experiment in the place of this one."""
        self.attempt(lambda: navigator(self).open_bench(wish))


LOOK = 0.5
"""Seconds between two looks at how far it is: nothing on the screen changes more often by itself."""


class Bench(Lean, BenchActions):
    """An experiment and its results. What the keys do is in `BenchActions`."""

    class Digested(Message):
        """Tables and curves are worked out, or a report is written."""

    def __init__(self, wish: BenchRequest) -> None:
        """Raises BadInput for an experiment that there is not, or that cannot be run."""
        parts = wish.parts or load(wish.name)
        self.book = Book(parts)
        path = wish.results or results_of(parts[0].whole)
        try:
            access.make_folder(path.parent)
        except OSError as error:
            raise BadInput(_("{path}: there can be no results ({why})").format(
                path=path.parent, why=error.strerror or error)) from error
        super().__init__()
        self.wish = wish
        self.bencher = Bencher(parts, path, wish.how or usual(), wish.jobs)
        self.digester = Digester(parts, path, lambda: self.post_message(self.Digested()),
                                 partial(importlib.import_module, "plotext"))
        self.header, self.verdict, self.footer = Header(), Verdict(VerdictStyle(lines.LONGEST)), Footer()
        self.bench_table, self.selected = BenchTable(), TextPane(id="selected")
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
                "right": self.right, "selected": self.selected, "footer": self.footer}

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
            self.show_footer()

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
        self.verdict.verdict_style.ground = "now" if result else "bar_strong"
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
        self.too_small.show_if(self.arranged.mode == "none", size)

    # Mouse

    def on_bench_table_picked(self, event: BenchTable.Picked) -> None:
        self.book.choose(event.place)
        self.show()
        if event.twice:
            self.action_worst()

    def on_bench_table_sorted(self, event: BenchTable.Sorted) -> None:
        self.book.sort_by(event.by)
        self.show()
