"""What the keys of the bench do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from engine import text
from engine.lab.report import words
from engine.view import Sentence
from tui import messages
from tui.bench_rows import Filter, Line, trials_of
from tui.bencher import UNDER_WAY, Bencher
from tui.digester import Digester, Export
from tui.i18n import _
from tui.keys.bindings import BENCH_KEYS, BENCH_OFFERS
from tui.requests import BenchWish, NewRun
from tui.screens.base import Keyed
from tui.screens.bench_book import Book
from tui.screens.bench_lists import ExportList, FilterList, TrialList
from tui.screens.navigation import desk


class BenchActions(Keyed):
    """The actions of the bench. Its panes are in `Bench`."""

    KEYS = BENCH_KEYS
    OFFERS = BENCH_OFFERS
    HAS_BOARD = False

    book: Book
    bencher: Bencher
    digester: Digester
    notice: Sentence | None = None
    """What is said until the next key."""

    def show(self) -> None:
        """Draw what is known."""
        raise TypeError("the bench has panes")

    def told(self, notice: Sentence) -> None:
        self.notice = notice
        self.show()

    def on_key(self) -> None:
        if self.notice is not None:
            self.notice = None
            self.show()

    def situation(self) -> frozenset[str]:
        stage, book = self.bencher.standing.stage, self.book
        facts = {"running": stage in ("running", "reading"), "waiting": stage in ("paused", "cancelled", "ready"),
                 "busy": stage in UNDER_WAY, "rows": book.line is not None, "map": book.map is not None,
                 "parts": len(book.parts) > 1}
        return frozenset(word for word, holds in facts.items() if holds)

    def now(self) -> Sequence[str]:
        part, standing = self.book.experiment, self.bencher.standing
        said = [part.about] if part.about else []
        if len(self.book.parts) > 1:
            said.append(_("Part {number} of {parts}: {name}.").format(
                number=self.book.part + 1, parts=len(self.book.parts), name=part.name))
        said.append(_("{done} of {size} runs are made; every one is kept as soon as it is finished, in {path}.").format(
            done=text.count(standing.done), size=text.count(standing.size), path=self.bencher.path))
        return [*said, *part.left_out]

    def about(self) -> Sequence[str]:
        worst = _("Of a row, enter opens the run that came least far: of those that were not solved the one with the "
                  "highest E at its end, else the one that took the most steps. The whole run is made again, and the "
                  "playhead put at its worst moment: the highest E after the first tenth of the run, for every search "
                  "begins badly. In the laboratory esc leads back here.")
        return [_("How to read it"), worst, *words.notes(self.book.parts)]

    def help_title(self) -> str:
        return _("Bench")

    def called(self) -> str:
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
            desk(self).back()
        else:
            desk(self).open_home(self.wished())

    def action_other(self) -> None:
        """Choose another experiment."""
        from tui.screens.bench_choice import choose

        choose(self)

    def action_new(self) -> None:
        """Put an experiment together."""
        from tui.screens.bench_new import compose_new

        compose_new(self)

    def action_part(self, direction: int) -> None:
        if len(self.book.parts) > 1:
            self.book.next_part(direction)
            self.ask()
        else:
            self.told(messages.told(_("NOTHING THERE"), _("this experiment has no parts")))

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
            self.told(messages.told(_("NOTHING THERE"), _("no two parameters are swept in this experiment")))
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
            self.told(messages.told(_("NOTHING THERE"), _("no run of this row is finished yet")))

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
        desk(self).look_into(NewRun(problem.puzzle, problem.name, contender.solver, contender.params,
                                    int(columns.seed[place]), step=int(columns.steps[place]), worst=True))

    def open_bench(self, wish: BenchWish) -> None:
        """Another experiment in the place of this one."""
        self.attempt(lambda: desk(self).open_bench(wish))
