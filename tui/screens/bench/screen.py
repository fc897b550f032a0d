"""The bench: an experiment is run, and its results compared."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Literal

from textual import on
from textual.geometry import Region, Size, Spacing
from textual.message import Message

from engine import text
from engine.bench.executors.scheduling import default_executor
from engine.bench.experiment_file import load
from engine.bench.report import Kind, words
from engine.bench.trial import FEWER
from engine.errors import BadInput
from engine.files import access
from engine.view import Sentence
from tui import messages
from tui.i18n import _
from tui.keys.default_keys import BENCH_KEYS
from tui.keys.footer_hints import BENCH_HINTS
from tui.requests import BenchRequest, NewRun
from tui.screens.base import VerdictScreen
from tui.screens.bench import sentences
from tui.screens.bench.charts import BenchChart, ChartView
from tui.screens.bench.dialogs import ExportList, FilterList, TrialList
from tui.screens.bench.results import Export, ResultsWorker
from tui.screens.bench.runner import ACTIVE, TOO_MANY, BenchProgress, ExperimentRunner
from tui.screens.bench.state import BenchState, ChartName, Filter, TableRow, trials_of
from tui.screens.bench.table import SORTED_BY, BenchTable, TableView, group_name, legend_spans, titles
from tui.screens.navigation import navigator
from tui.storage.experiments import results_path
from tui.terminal.compositor import Lean
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import AppWidget
from tui.widgets.text import TextPane
from tui.widgets.verdict import VerdictLayout

BenchPane = Literal["header", "verdict", "table", "legend", "left", "right", "selected", "footer"]

REFRESH = 0.5
"""Seconds between two looks at the progress."""
SMALLEST = (44, 12)
SELECTED = 4
"""Rows of the pane with the facts of the selected row."""
MAP = 66
"""Columns of the left chart."""
NOT_READ = messages.unavailable(_("the results are not here yet"))
HEAD = 3
"""Rows of the table beside its entries: headings, a blank one, legend."""


def plan(width: int, height: int, rows: int = 9) -> Mapping[BenchPane, Region]:
    """The regions of the panes for a table of `rows` rows; in large windows it grows with them, up to half of the spare
    height. With two charts side by side, one, or the table alone."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return {}
    x = 1 if width < 120 else 2 if width < 200 else 3
    wide = width - 2 * x
    ends: dict[BenchPane, Region] = {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1)}
    if height >= 34 and width >= 110:
        top, tall = (6, 3) if height >= 54 and width >= 200 else (4, 1)
        verdict = Region(x, 2, wide, tall)
        spare = height - 36 - (top - 4)
        table = 11 + max(0, min(rows + HEAD - 11, spare // 2))
        charts = top + table + 1
        facts = SELECTED + (1 if height >= 36 else 0)
        selected = height - 1 - facts - (1 if height >= 38 else 0)
        left = max(MAP, (wide - 4) // 2) if width >= 140 else MAP
        return ends | {
            "verdict": verdict, **_table(Region(x, top, wide, table)),
            "left": Region(x, charts, left, selected - 1 - charts),
            "right": Region(x + left + 4, charts, wide - left - 4, selected - 1 - charts),
            "selected": Region(x, selected, wide, facts),
        }
    if height >= 22 and width >= 70:
        facts = SELECTED if height >= 28 else SELECTED - 1
        selected = height - 1 - facts
        table = max(8, (selected - 4) // 2)
        charts = 3 + table + 1
        return ends | {
            "verdict": Region(x, 1, wide, 2), **_table(Region(x, 3, wide, table)),
            "left": Region(x, charts, wide, selected - charts), "selected": Region(x, selected, wide, facts),
        }
    return ends | {"verdict": Region(x, 1, wide, 2), **_table(Region(x, 3, wide, height - 4))}


def _table(room: Region) -> dict[BenchPane, Region]:
    """The table with a blank row and its legend below if it is high enough."""
    if room.height < HEAD + 3:
        return {"table": room}
    return {"table": room.shrink(Spacing(0, 0, 2, 0)), "legend": Region(room.x, room.bottom - 1, room.width, 1)}


class Bench(Lean, VerdictScreen[BenchPane]):
    """An experiment and its results."""

    KEYS = BENCH_KEYS
    FOOTER_HINTS = BENCH_HINTS
    HAS_BOARD = False
    LEAST_SIZE = SMALLEST
    TOO_SMALL = "The window is {w} x {h}; the bench needs {W} x {H}."

    class ResultsReady(Message):
        """The results worker has new results, or has written a report."""

    def __init__(self, request: BenchRequest) -> None:
        """Raises BadInput if there is no such experiment, or no place for its results."""
        parts = request.parts or load(request.name)
        path = request.results or results_path(parts[0].whole)
        try:
            access.make_folder(path.parent)
        except OSError as error:
            raise BadInput(_("cannot create {path}: {why}").format(
                path=path.parent, why=error.strerror or error)) from error
        super().__init__(VerdictLayout(sentences.BADGE))
        self.state = BenchState(parts)
        self.runner = ExperimentRunner(parts, path, request.how or default_executor(), request.jobs)
        self.results = ResultsWorker(parts, path, lambda: self.post_message(self.ResultsReady()),
                                     partial(importlib.import_module, "plotext"))
        self.notice: Sentence | None = None
        """Shown in the verdict line until the next key."""
        self.header, self.footer = Header(), Footer()
        self.bench_table, self.legend = BenchTable(), TextPane(id="legend")
        self.selected = TextPane(id="selected")
        self.left, self.right = BenchChart(id="left"), BenchChart(id="right")
        self._progress = BenchProgress()
        """The progress on the screen."""
        self._renewed: tuple[int, str] = (0, "")
        """Runs and stage at the last renewal of the results."""

    @property
    def panes(self) -> dict[BenchPane, AppWidget]:
        return {"header": self.header, "verdict": self.verdict, "table": self.bench_table, "legend": self.legend,
                "left": self.left, "right": self.right, "selected": self.selected, "footer": self.footer}

    def regions_for(self, width: int, height: int) -> Mapping[BenchPane, Region]:
        part = self.state.experiment
        return plan(width, height, len(part.contenders) * (len(part.groups) or 1))

    def place_panes(self, size: Size) -> None:
        """Arrange the panes. A verdict that stays and needs more rows than its own moves the table down."""
        super().place_panes(size)
        self._show_verdict()
        table, verdict = self.regions.get("table"), self.regions.get("verdict")
        if table is not None and verdict is not None and self.message.display and self.notice is None:
            covered = verdict.y + self.message.rows_at(size.width) - table.y
            if 0 < covered < table.height:
                self.bench_table.place(Region(table.x, table.y + covered, table.width, table.height - covered))
        self.show_footer()

    def on_mount(self) -> None:
        self.results.start()
        self.results.ask(self.state.query)
        if self.runner.size <= TOO_MANY:
            self.runner.start()
        self.set_interval(REFRESH, self._check_progress)
        self.show()

    def on_unmount(self) -> None:
        self.runner.stop()
        self.results.stop()

    # The threads

    def _check_progress(self) -> None:
        progress = self.runner.progress
        if (progress.done, progress.stage) != self._renewed:
            self._renewed = progress.done, progress.stage
            self.results.renew(at_once=progress.stage not in ("running", "reading"))
        if progress != self._progress:
            self.show()

    @on(ResultsReady)
    def _take_results(self) -> None:
        exported, self.results.exported = self.results.exported, None
        if exported is not None:
            self.notice = messages.saved(exported.text) if exported.written else messages.refused(
                BadInput(exported.text))
        elif self.notice is NOT_READ:
            self.notice = None
        self.state.accept(self.results.latest)
        self.show()

    # Footer and help

    def conditions(self) -> dict[str, bool]:
        stage, state = self.runner.progress.stage, self.state
        return {"running": stage in ("running", "reading"), "waiting": stage in ("paused", "cancelled"),
                "ready": stage == "ready", "busy": stage in ACTIVE and not self.runner.stopped(),
                "rows": state.row is not None, "map": self._shows_map,
                "charts": "left" in self.regions, "parts": len(state.parts) > 1}

    def help_now(self) -> Sequence[str]:
        part, progress = self.state.experiment, self.runner.progress
        texts = [part.about] if part.about else []
        if len(self.state.parts) > 1:
            texts.append(_("Part {number} of {parts}: {name}.").format(
                number=self.state.part + 1, parts=len(self.state.parts), name=part.name))
        texts.append(_("{done} of {size} runs are finished; each is saved at once in {path}.").format(
            done=text.count(progress.done), size=text.count(progress.size), path=self.runner.path))
        return [*texts, *part.left_out]

    def help_about(self) -> Sequence[str]:
        keys = {"worst": self.table.shown("worst-run"), "leave": self.table.shown("leave")}
        worst = _("{worst} opens the worst run of a row: the unsolved one with the highest E left, or else the "
                  "longest. The run is repeated, and the playhead put at its worst moment: the highest E that its "
                  "chart has after the first tenth, since every search begins badly. In the laboratory, {leave} "
                  "returns here.").format_map(keys)
        best = [_("In a map of two parameters brackets mark the pair that solves the most; among equals, the one with "
                  "the fewest steps.")] if self.state.map is not None else []
        between = _("The convergence chart joins samples by straight lines. A solver that tries one candidate a step, "
                    "as annealing does, is sampled at the start, and then from step {step} on.")
        straight = between.format(step=text.count(FEWER[0]))
        return [_("Reading the results"), worst, straight, *best, *words.notes(self.state.parts)]

    def help_title(self) -> str:
        return _("Bench")

    def file_title(self) -> str:
        return _("bench {name}").format(name=self.state.experiment.name)

    def announce(self, notice: Sentence) -> None:
        self.notice = notice
        self.show()

    def on_key(self) -> None:
        if self.notice is not None:
            self.notice = None
            self.show()

    # Keys: the experiment

    def action_go_on(self) -> None:
        if self.runner.progress.stage != "done":
            self.runner.toggle()
        self.show()

    def action_back(self) -> None:
        """Cancel a running experiment, else leave the bench."""
        if self.runner.progress.stage in ACTIVE and not self.runner.stopped():
            self.runner.cancel()
            self.show()
        elif len(self.app.screen_stack) > 1:
            navigator(self).back()
        else:
            navigator(self).open_home(self.home_request())

    def action_other(self) -> None:
        from tui.screens.bench.experiment_dialogs import choose

        choose(self)

    def action_new(self) -> None:
        from tui.screens.bench.experiment_dialogs import compose_new

        compose_new(self)

    def action_part(self, direction: int) -> None:
        if len(self.state.parts) > 1:
            self.state.next_part(direction)
            self._query_changed()
        else:
            self.announce(messages.unavailable(_("this experiment has one part only")))

    def _query_changed(self) -> None:
        self.results.ask(self.state.query)
        self.show()

    def action_export(self) -> None:
        def chosen(kinds: tuple[Kind, ...] | None) -> None:
            if kinds:
                self.results.export(Export(kinds, self.runner.path.parent, date.today().isoformat()))

        self.app.push_screen(ExportList(), chosen)

    # Keys: the table

    def action_move(self, down: int) -> None:
        self.state.move(down)
        self.show()

    def action_sort(self) -> None:
        self.state.next_sort()
        self._sorted()

    def action_reverse(self) -> None:
        self.state.reverse_order()
        self._sorted()

    def _sorted(self) -> None:
        """Show the rows in their new order; where no heading tells it, say which it is."""
        self.show()
        columns = [name for name, sort in SORTED_BY.items() if sort == self.state.sort]
        if columns and not any(map(self.bench_table.has_room, columns)):
            column = titles(self.state.measure or "seconds")[columns[0]]
            self.announce(messages.message(_("SORT"), _("rows are now by {column}; this window has no room for it"),
                                           column=column))

    def action_measure(self) -> None:
        self.state.next_measure()
        self._query_changed()
        if not self.bench_table.has_room("time"):
            measure = sentences.measure_word(self.state.measure or "seconds")
            template = _("medians are now of {measure}; this window has no room for their column")
            self.announce(messages.message(_("MEASURE"), template, measure=measure))

    def action_filter(self) -> None:
        def chosen(filter: Filter | None) -> None:
            if filter is not None:
                self.state.set_filter(filter)
                self._query_changed()

        self.app.push_screen(FilterList(self.state.filters(), self.state.filter), chosen)

    def action_worst(self) -> None:
        row = self.state.row
        trials = [] if row is None else self._trials(row)
        if trials:
            self.attempt(lambda: self._open_trial(trials[0]))
        elif self.state.results is None:
            self.announce(NOT_READ)
        else:
            self.announce(messages.unavailable(_("no run of this row is finished yet")))

    def action_trials(self) -> None:
        row, results = self.state.row, self.state.results
        if row is None or results is None:
            self.announce(NOT_READ)
            return
        trials = self._trials(row)
        if not trials:
            self.announce(messages.unavailable(_("no run of this row is finished yet")))
            return

        def chosen(index: int | None) -> None:
            if index is not None:
                self.attempt(lambda: self._open_trial(trials[index]))

        several = len(self.state.experiment.groups) > 1
        label = f"{row.label}, {group_name(row.group)}" if several else row.label
        self.app.push_screen(TrialList(self.state.experiment, results.columns, trials, label), chosen)

    def _trials(self, row: TableRow) -> list[int]:
        results = self.state.results
        return [] if results is None else trials_of(results.columns, self.state.experiment, row)

    def _open_trial(self, trial: int) -> None:
        """Open this run at its worst moment; `trial` is an index into the columns. Raises BadInput."""
        results, part = self.state.results, self.state.experiment
        if results is None:
            return
        columns = results.columns
        contender, problem = part.contenders[int(columns.contender[trial])], part.problems[int(columns.problem[trial])]
        navigator(self).push_run(NewRun(problem.puzzle, problem.name, contender.solver, contender.params,
                                    int(columns.seed[trial]), step=int(columns.steps[trial]), worst=True))

    # Keys: the charts

    def action_charts(self, direction: int) -> None:
        if "left" not in self.regions:
            self.announce(messages.unavailable(_("this window has no room for charts")))
            return
        self.state.chart_turns += direction
        self.show()

    @property
    def _shows_map(self) -> bool:
        charts = dict(zip(("left", "right"), self.state.charts, strict=False))
        return self.state.map is not None and "map" in [charts.get(pane) for pane in self.regions]

    def action_axes(self) -> None:
        if self.state.results is None:
            self.announce(NOT_READ)
            return
        if self.state.map is None:
            self.announce(messages.unavailable(_("this experiment sweeps no two parameters")))
            return
        if "left" not in self.regions:
            self.announce(messages.unavailable(_("this window has no room for charts")))
            return
        if not self._shows_map:
            self.announce(messages.unavailable(_("the map is hidden   {key_next_chart} turns the charts"),
                                               key_next_chart="tab"))
            return
        self.state.axis_turns += 1
        self.show()

    # Mouse

    @on(BenchTable.RowHighlighted)
    def _row_clicked(self, event: BenchTable.RowHighlighted) -> None:
        row = self.bench_table.cursor_row  # the event may be older than a move by a key
        if row != self.bench_table.shown.selected:
            self.state.select(row)
            self.show()

    @on(BenchTable.Opened)
    def _row_opened(self) -> None:
        self.action_worst()

    @on(BenchTable.HeaderSelected)
    def _heading_clicked(self, event: BenchTable.HeaderSelected) -> None:
        by = SORTED_BY.get(event.column_key.value or "")
        if by is not None:
            self.state.sort_by(by)
            self.show()

    # Showing

    def show(self) -> None:
        """Draw the present state; panes whose values are the same draw nothing."""
        self._progress = self.runner.progress
        state = self.state
        with self.painted_at_once():
            rows = state.rows
            measure = "seconds" if state.results is None else state.results.comparison.measure
            self.place_panes(self.size)
            self.header.show(Title(_("Bench"), sentences.context(state.experiment),
                                   sentences.stage_text(self._progress)))
            self.bench_table.show(TableView(tuple(rows), state.index(rows), measure, state.sort, state.reverse))
            self.legend.show(lambda space: [legend_spans(measure, self.bench_table.rows_out_of_view, space,
                                                         self.bench_table.has_room("interval"))])
            left, right, *_more = state.charts
            self.left.show(self._chart(left))
            self.right.show(self._chart(right))
            self.selected.show(lambda space: sentences.selected_lines(state, space))
            self.show_footer()

    def _chart(self, name: ChartName) -> ChartView:
        state, row = self.state, self.state.row
        return ChartView(name, state.results, -1 if row is None else row.contender, state.map)

    def _show_verdict(self) -> None:
        outcome = self.notice is None and self._progress.stage == "done"
        sentence = self.notice or sentences.verdict(self._progress, self.state)
        self.show_sentence(self.table.resolve_keys(sentence), "now" if outcome else "bar_strong")
