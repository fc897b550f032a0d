"""What is chosen of an experiment's results: filter, sorting, the row, the charts. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from msgspec import Struct

from engine.bench.columns import MEASURES, STATUSES, Columns, Measure
from engine.bench.experiment import Experiment
from engine.bench.tables import ALL, Cell, Compared, Comparison, HeatMap
from tui.screens.bench.results import Digest, Wanted

# The rows of the table of the bench: which there are, in which order, and the trials behind one. Pure.


Sort = Literal["order", "solver", "puzzles", "solved", "time", "left"]
"""What rows are sorted by: the order of the experiment, names, the share solved, the median time, E left."""
SORTS: tuple[Sort, ...] = get_args(Sort)


class Filter(Struct, frozen=True):
    """Which rows are shown: each solver on each group, on all groups together, on one group; or one solver."""

    kind: Literal["each", "together", "group", "solver"] = "each"
    name: str = ""
    """Of the group or the solver."""


RowId = tuple[int, str]
"""A row, whatever its place: contender and group."""


class Line(Struct, frozen=True):
    """A row of the table."""

    contender: int
    label: str
    group: str
    """ALL: of all groups."""
    cell: Cell

    @property
    def id(self) -> RowId:
        return self.contender, self.group


def sort_value(line: Line, by: Sort, measure: Measure) -> tuple[float, ...]:
    """What a row is sorted by: the best first. A time that was not seen comes after all others."""
    cell = line.cell
    if by == "solved":
        return (-(cell.rate.share if cell.rate.share is not None else -1.0),)
    if by == "time":
        took = cell.took(measure)
        median = took.median.value
        return (math.inf, -(cell.rate.share or 0.0)) if median is None else (median, 0.0)
    if by == "left":
        return (cell.left if cell.left is not None else -1.0,)
    return ()


def lines_of(found: Comparison, shown: Filter, by: Sort = "order", reverse: bool = False) -> list[Line]:
    """The rows of the table."""
    rows = [Line(each.contender, found.labels[each.contender], each.group, each.cell) for each in found.entries]
    several = len(found.groups) > 1
    together = several and shown.kind == "together"
    kept = [line for line in rows if (line.group == shown.name if shown.kind == "group" else
                                      line.label == shown.name if shown.kind == "solver" else
                                      (line.group == ALL) == together)]
    if by == "solver":
        kept.sort(key=lambda line: line.label.casefold())
    elif by == "puzzles":
        kept.sort(key=lambda line: (*found.groups, ALL).index(line.group))
    elif by != "order":
        kept.sort(key=lambda line: sort_value(line, by, found.measure))
    return kept[::-1] if reverse else kept


def trials_of(columns: Columns, experiment: Experiment, line: Line) -> list[int]:
    """The trials of a row as places in the columns, the worst first: not solved and farthest from it, then the longest
    of those that were solved; those that never ran last."""
    group = np.array([line.group in (ALL, problem.group) for problem in experiment.problems])
    places = np.flatnonzero((columns.contender == line.contender) & group[columns.problem]).tolist()

    def badness(place: int) -> tuple[bool, bool, int, int]:
        ran = int(columns.steps[place]) > 0 or STATUSES[columns.status[place]] not in ("refused", "failed")
        return (ran, not columns.solved[place], int(columns.energy[place]), int(columns.steps[place]))

    return sorted(places, key=badness, reverse=True)


Picture = Literal["map", "phase", "times", "convergence"]
MANY_ROWS = 24
"""Rows from which on all groups are shown together at first."""


class Book:
    """What is chosen of an experiment's results."""

    def __init__(self, parts: Sequence[Experiment]) -> None:
        self.parts = tuple(parts)
        self.part = 0
        self.digest: Digest | None = None
        self.measure: Measure | None = None
        self.filter = Filter()
        self.sort: Sort = "order"
        self.reverse = False
        self.chosen: RowId | None = None
        self.turned = 0
        """How often the charts were turned."""
        self.axes = 0
        """How often the axes of the map were changed."""
        self._begin_part()

    def _begin_part(self) -> None:
        part = self.experiment
        rows = len(part.contenders) * len(part.groups)
        self.filter = Filter("each" if rows <= MANY_ROWS else "together")
        self.sort, self.reverse, self.chosen = "order", False, None
        self.turned = self.axes = 0
        self.digest = None

    @property
    def experiment(self) -> Experiment:
        """The part that is shown."""
        return self.parts[self.part]

    @property
    def wanted(self) -> Wanted:
        """What is to be worked out."""
        return Wanted(self.part, self.measure, self.filter.name if self.filter.kind == "group" else None)

    def take(self, found: Digest | None) -> bool:
        """Show these results from now on, if they are of this part. Whether they are."""
        if found is None or found.wanted.part != self.part or found is self.digest:
            return False
        self.digest = found
        return True

    # The table

    @property
    def lines(self) -> list[Line]:
        """The rows as they are shown."""
        if self.digest is None:
            return []
        return lines_of(self.digest.comparison, self.filter, self.sort, self.reverse)

    def place(self, lines: Sequence[Line]) -> int:
        """Where the chosen row stands; the first one where it is not among them."""
        return next((at for at, line in enumerate(lines) if line.id == self.chosen), 0)

    @property
    def line(self) -> Line | None:
        """The chosen row."""
        lines = self.lines
        return lines[self.place(lines)] if lines else None

    def choose(self, place: int) -> None:
        """Choose a row by its place; one outside is taken as the nearest end."""
        lines = self.lines
        if lines:
            line = lines[min(max(place, 0), len(lines) - 1)]
            self.chosen = line.id

    def move(self, down: int) -> None:
        """Choose the row so many further down."""
        self.choose(self.place(self.lines) + down)

    def sort_by(self, by: Sort) -> None:
        """Sort by this; once more: the other way round. The chosen row stays chosen."""
        self._hold()
        self.reverse = not self.reverse if by == self.sort and by != "order" else False
        self.sort = by

    def next_sort(self) -> None:
        """Sort by the next column."""
        self._hold()
        self.sort, self.reverse = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)], False

    def turn_round(self) -> None:
        """The last row first."""
        self._hold()
        self.reverse = not self.reverse

    def _hold(self) -> None:
        line = self.line
        if line is not None:
            self.chosen = line.id

    def filters(self) -> list[Filter]:
        """All that can be chosen."""
        part = self.experiment
        several = [Filter("together"), *(Filter("group", group) for group in part.groups)]
        return [Filter(), *(several if len(part.groups) > 1 else ()),
                *(Filter("solver", each.label) for each in part.contenders)]

    def show_only(self, shown: Filter) -> None:
        """Filter by this."""
        before = self.line
        self.filter = shown
        alike = [line.id for line in self.lines if before and line.contender == before.contender]
        if before is not None and before.id in alike:
            self.chosen = before.id
        else:
            self.chosen = alike[0] if alike else None

    def next_measure(self) -> None:
        """Time by seconds, steps or evaluations."""
        now = self.measure or (self.digest.comparison.measure if self.digest is not None else "seconds")
        self.measure = MEASURES[(MEASURES.index(now) + 1) % len(MEASURES)]

    def next_part(self, direction: int) -> None:
        """To the next part."""
        self.part = (self.part + direction) % len(self.parts)
        self._begin_part()

    # The charts

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The charts that there are, from the one that is shown first."""
        found: list[Picture] = []
        if self.digest is not None and self.digest.maps:
            found.append("map")
        if self.digest is not None and self.digest.phases:
            found.append("phase")
        found += ["times", "convergence"]
        first = self.turned % len(found)
        return tuple(found[first:] + found[:first])

    @property
    def map(self) -> HeatMap | None:
        """The map that is shown, its axes as they were chosen."""
        if self.digest is None or not self.digest.maps:
            return None
        maps = self.digest.maps
        found = maps[self.axes // 2 % len(maps)]
        return found.transposed() if self.axes % 2 else found

    # Against others

    def rival(self, line: Line) -> tuple[Compared, bool] | None:
        """How the row's solver does against the best of the others, over all groups: the pair, and whether the row's
        solver is its first. None where pairs are not compared."""
        if self.digest is None or not self.digest.comparison.compared:
            return None
        found = self.digest.comparison
        others = [place for place in range(len(found.labels)) if place != line.contender]
        best = max(others, key=lambda place: (found.cell(place).rate.share or 0.0, -place))
        pair = next(each for each in found.compared if {each.first, each.second} == {best, line.contender})
        return pair, pair.first == line.contender
