"""The rows of the table of the bench: which there are, in which order, and the trials behind one. Pure."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from msgspec import Struct

from engine.lab.columns import STATUSES, Columns, Measure
from engine.lab.experiment import Experiment
from engine.lab.tables import ALL, Cell, Comparison

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
