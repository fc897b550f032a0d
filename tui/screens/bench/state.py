"""The state of the bench screen: part, filter, order and selected row of the table, charts. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from msgspec import Struct

from engine.bench.columns import MEASURES, STATUSES, Columns, Measure
from engine.bench.experiment import Experiment
from engine.bench.tables import ALL, Cell, Compared, Comparison, HeatMap
from tui.screens.bench.results import Results, ResultsQuery

Sort = Literal["order", "solver", "puzzles", "solved", "time", "left"]
"""Order of the rows: that of the experiment, names, share solved, median time, E left."""
SORTS: tuple[Sort, ...] = get_args(Sort)
ChartName = Literal["map", "phase", "times", "convergence"]
MANY_ROWS = 24
"""Rows from which on the groups are shown together at first."""


class Filter(Struct, frozen=True):
    """The rows to show: each solver on each group, each on all groups together, one group, or one solver."""

    kind: Literal["each", "together", "group", "solver"] = "each"
    name: str = ""
    """The group or the solver."""


RowId = tuple[int, str]
"""Contender and group of a row."""


class TableRow(Struct, frozen=True):
    """One contender on one group of puzzles."""

    contender: int
    label: str
    group: str
    """ALL: all groups."""
    cell: Cell

    @property
    def id(self) -> RowId:
        return self.contender, self.group


def sort_value(row: TableRow, by: Sort, measure: Measure) -> tuple[float, ...]:
    """The key of a row: the best first, an unknown median time last."""
    cell = row.cell
    if by == "solved":
        return (-(cell.rate.share if cell.rate.share is not None else -1.0),)
    if by == "time":
        median = cell.took(measure).median.value
        return (math.inf, -(cell.rate.share or 0.0)) if median is None else (median, 0.0)
    if by == "left":
        return (cell.left if cell.left is not None else -1.0,)
    return ()


def table_rows(found: Comparison, filter: Filter, by: Sort = "order", reverse: bool = False) -> list[TableRow]:
    """The rows that the filter leaves, in order."""
    together = len(found.groups) > 1 and filter.kind == "together"

    def shown(row: TableRow) -> bool:
        if filter.kind == "group":
            return row.group == filter.name
        if filter.kind == "solver":
            return row.label == filter.name
        return (row.group == ALL) == together

    every = (TableRow(each.contender, found.labels[each.contender], each.group, each.cell) for each in found.entries)
    rows = [row for row in every if shown(row)]
    if by == "solver":
        rows.sort(key=lambda row: row.label.casefold())
    elif by == "puzzles":
        rows.sort(key=lambda row: (*found.groups, ALL).index(row.group))
    elif by != "order":
        rows.sort(key=lambda row: sort_value(row, by, found.measure))
    return rows[::-1] if reverse else rows


def trials_of(columns: Columns, experiment: Experiment, row: TableRow) -> list[int]:
    """The trials of a row as indices into the columns, the worst first.

    Unsolved ones by falling energy, then solved ones by falling number of steps, then those that never ran.
    """
    group = np.array([row.group in (ALL, problem.group) for problem in experiment.problems])
    trials = np.flatnonzero((columns.contender == row.contender) & group[columns.problem]).tolist()

    def badness(trial: int) -> tuple[bool, bool, int, int]:
        ran = int(columns.steps[trial]) > 0 or STATUSES[columns.status[trial]] not in ("refused", "failed")
        return (ran, not columns.solved[trial], int(columns.energy[trial]), int(columns.steps[trial]))

    return sorted(trials, key=badness, reverse=True)


class BenchState:
    """The parts of an experiment, the results of the part that is shown, and the user's choices."""

    def __init__(self, parts: Sequence[Experiment]) -> None:
        self.parts = tuple(parts)
        self.part = 0
        self.measure: Measure | None = None
        """None: the one that fits the experiment."""
        self._begin_part()

    def _begin_part(self) -> None:
        part = self.experiment
        rows = len(part.contenders) * len(part.groups)
        self.results: Results | None = None
        self.filter = Filter("each" if rows <= MANY_ROWS else "together")
        self.sort: Sort = "order"
        self.reverse = False
        self.selected: RowId | None = None
        self.chart_turns = 0
        """Rotations of the order of the charts."""
        self.axis_turns = 0
        """Changes of the axes of the heat map."""

    @property
    def experiment(self) -> Experiment:
        """The part that is shown."""
        return self.parts[self.part]

    def next_part(self, direction: int) -> None:
        self.part = (self.part + direction) % len(self.parts)
        self._begin_part()

    @property
    def query(self) -> ResultsQuery:
        """The results to compute."""
        return ResultsQuery(self.part, self.measure, self.filter.name if self.filter.kind == "group" else None)

    def accept(self, results: Results | None) -> bool:
        """Show these results if they are new and of this part; False if not."""
        if results is None or results.query.part != self.part or results is self.results:
            return False
        self.results = results
        return True

    # The table

    @property
    def rows(self) -> list[TableRow]:
        if self.results is None:
            return []
        return table_rows(self.results.comparison, self.filter, self.sort, self.reverse)

    def index(self, rows: Sequence[TableRow]) -> int:
        """The index of the selected row; 0 if it is not among them."""
        return next((index for index, row in enumerate(rows) if row.id == self.selected), 0)

    @property
    def row(self) -> TableRow | None:
        """The selected row."""
        rows = self.rows
        return rows[self.index(rows)] if rows else None

    def select(self, index: int) -> None:
        """Select a row, the first or last one beyond the ends."""
        rows = self.rows
        if rows:
            self.selected = rows[min(max(index, 0), len(rows) - 1)].id

    def move(self, down: int) -> None:
        self.select(self.index(self.rows) + down)

    def sort_by(self, by: Sort) -> None:
        """Sort by this column, a second time in reverse. The selected row stays selected."""
        self._pin()
        self.reverse = not self.reverse if by == self.sort and by != "order" else False
        self.sort = by

    def next_sort(self) -> None:
        self._pin()
        self.sort, self.reverse = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)], False

    def reverse_order(self) -> None:
        self._pin()
        self.reverse = not self.reverse

    def _pin(self) -> None:
        """Remember the row that is selected only because it is the first."""
        row = self.row
        if row is not None:
            self.selected = row.id

    def filters(self) -> list[Filter]:
        """All filters of this part."""
        part = self.experiment
        groups = [Filter("together"), *(Filter("group", group) for group in part.groups)]
        return [Filter(), *(groups if len(part.groups) > 1 else ()),
                *(Filter("solver", each.label) for each in part.contenders)]

    def set_filter(self, filter: Filter) -> None:
        """Filter the rows; the same row or else one of the same contender is selected."""
        before = self.row
        self.filter = filter
        same = [row.id for row in self.rows if before and row.contender == before.contender]
        self.selected = before.id if before is not None and before.id in same else next(iter(same), None)

    def next_measure(self) -> None:
        """Compare by seconds, steps or evaluations."""
        now = self.measure or (self.results.comparison.measure if self.results is not None else "seconds")
        self.measure = MEASURES[(MEASURES.index(now) + 1) % len(MEASURES)]

    # The charts

    @property
    def charts(self) -> tuple[ChartName, ...]:
        """The charts that the results have, in their present order."""
        found: list[ChartName] = []
        if self.results is not None and self.results.maps:
            found.append("map")
        if self.results is not None and self.results.phases:
            found.append("phase")
        found += ["times", "convergence"]
        first = self.chart_turns % len(found)
        return tuple(found[first:] + found[:first])

    @property
    def map(self) -> HeatMap | None:
        """The heat map with the axes that were chosen."""
        if self.results is None or not self.results.maps:
            return None
        maps = self.results.maps
        found = maps[self.axis_turns // 2 % len(maps)]
        return found.transposed() if self.axis_turns % 2 else found

    def rival(self, row: TableRow) -> tuple[Compared, bool] | None:
        """The comparison of the row's contender with the best of the others over all groups, and whether the row's is
        its first; None where pairs are not compared."""
        if self.results is None or not self.results.comparison.compared:
            return None
        found = self.results.comparison
        others = [other for other in range(len(found.labels)) if other != row.contender]
        best = max(others, key=lambda other: (found.cell(other).rate.share or 0.0, -other))
        pair = next(each for each in found.compared if {each.first, each.second} == {best, row.contender})
        return pair, pair.first == row.contender
