"""The result of a row of the bench: measured against budget, and the table of all results."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command line."""

    quick: bool = False
    """Fewer repeats and seeds: a look, not a measurement."""
    lists: tuple[Path, ...] = ()
    """Outside puzzle lists, one 81-character line a puzzle."""
    puzzles: int | None = None
    """Puzzles of each pack, 0 for all; None: the row's default."""
    limit: float | None = None
    """Seconds for a puzzle; None: as the row has it."""

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Options:
        named = arguments.list or [part for part in os.environ.get("SUDOKU_BENCH_LISTS", "").split(os.pathsep) if part]
        return cls(arguments.quick, tuple(Path(each) for each in named), arguments.puzzles, arguments.limit)


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table. `ratio` is how many times the budget was met (1 or more is within it)."""

    what: str
    measured: str
    budget: str
    ratio: float | None
    notes: tuple[str, ...] = field(default=())
    below: str = ""
    """Further output, below the table of all results."""

    @property
    def verdict(self) -> str:
        if self.ratio is None:
            return "not measured" if self.measured == "-" else "no budget"
        return "PASS" if self.ratio >= 1.0 else "below"


def at_least(what: str, value: float, budget: float, unit: str = "", *notes: str) -> Result:
    """A budget that the value must reach."""
    return Result(what, number(value, unit), f"≥ {number(budget, unit)}", value / budget, notes)


def at_most(what: str, value: float, budget: float, unit: str = "", *notes: str) -> Result:
    """A budget that the value must not exceed."""
    ratio = budget / value if value > 0 else float("inf")
    return Result(what, number(value, unit), f"≤ {number(budget, unit)}", ratio, notes)


def absent(what: str, budget: str, why: str) -> Result:
    """A row that could not be measured here, and why."""
    return Result(what, "-", budget, None, (why,))


def missed(what: str, why: str) -> Result:
    """A row whose measuring never came to its end, which is no success."""
    return Result(what, "-", "-", 0.0, (why,))


def number(value: float, unit: str = "") -> str:
    """Three significant digits, thousands and millions with a letter: `1.08 ×`, `214 M/s`."""
    if unit == "%":
        return f"{value:.4g} %"
    scaled, prefix = value, ""
    if unit.endswith("/s"):
        scale = next((each for each in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if abs(value) >= each[0]), (1.0, ""))
        scaled, prefix = value / scale[0], scale[1]
    text = f"{scaled:.0f}" if abs(scaled) >= 1000 else f"{scaled:.3g}"
    return f"{text} {prefix}{unit}".rstrip()


HEADINGS = ("what", "measured", "budget", "ratio", "")


def table(results: Iterable[Result]) -> str:
    """The results as a Markdown table with aligned columns, with notes and further output below it."""
    results = list(results)
    notes = [f"- {each.what}: {note}" for each in results for note in each.notes]
    parts = [aligned([HEADINGS, *map(_cells, results)]), *(["\n".join(notes)] if notes else [])]
    return "\n\n".join([*parts, *(each.below for each in results if each.below)])


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table of these rows, the first being its head, every column as wide as its widest cell."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [_line(row, widths) for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _cells(result: Result) -> tuple[str, ...]:
    ratio = "-" if result.ratio is None else f"{result.ratio:.2f}"
    return (result.what, result.measured, result.budget, ratio, result.verdict)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
