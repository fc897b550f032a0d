"""Results of an experiment: on stdout, and as a report."""

from __future__ import annotations

import datetime
import os
import re
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from engine import text
from engine.bench import report
from engine.bench.columns import FAILED, Columns
from engine.bench.experiment import Experiment
from engine.bench.report import markdown, rows, words
from engine.bench.report.markdown import Table
from engine.bench.store import Store
from engine.bench.tables import comparison
from engine.errors import ParameterError
from engine.files import access
from tui import output
from tui.i18n import _

KINDS: Final[dict[str, report.Kind]] = {".html": "html", ".md": "markdown", ".csv": "csv", ".jsonl": "jsonl"}
MOST_REASONS: Final = 5
INTERVAL, DEVIATION = re.compile(r" \([^()]* – [^()]*\)$"), re.compile(r" ± .*$")
"""The parts of a cell that a narrow terminal drops."""
PROSE: Final = 100
"""Columns of a paragraph, at most."""
OPTIONAL_COLUMNS: Final = ("errors left", "steps: median", "quartiles", "share", "not solved", "95 %")
"""Columns that a narrow terminal drops, in this order."""


def check_report(path: str, out: str | None = None) -> None:
    """Raise ParameterError, before the trials, if the report cannot be written. `out`: the folder of the results, which
    is made for them."""
    folder = access.checked(path).parent
    if Path(path).suffix not in KINDS:
        raise ParameterError(_("--report {path}: expected a name that ends in {kinds}").format(
            path=path, kinds=", ".join(KINDS)))
    made = out is not None and folder == access.checked(out) and not folder.exists()
    if not made and not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise ParameterError(_("--report {path}: expected a writable folder").format(
            path=path))


def write(parts: Sequence[Experiment], store: Store, layout: str, reports: Sequence[str]) -> int:
    """Write the results, and reports to files; returns the number of failed trials."""
    failed = 0
    for number, part in enumerate(parts):
        columns = store.columns(part)
        _WRITERS[layout](part, store, columns, number)
        failed += _report_failed(part, store, columns)
    for path in reports:
        for part in parts:
            where = Path(path) if len(parts) == 1 else of_part(Path(path), part)
            report.write(KINDS[where.suffix], part, store, where, f"{datetime.date.today():%Y-%m-%d}")
            output.say(_("a report is in {file}").format(file=where))
    return failed


def of_part(path: Path, part: Experiment) -> Path:
    """`course.html` as `course-easy.html`."""
    return path.with_name(f"{path.stem}-{text.file_name(part.name.removeprefix(part.whole))}{path.suffix}")


def _report_failed(part: Experiment, store: Store, columns: Columns) -> int:
    failed = int((columns.status == FAILED).sum())
    if failed:
        reasons = dict.fromkeys(
            f"{part.contenders[trial.contender].label}, {part.problems[trial.problem].name}: {result.reason}"
            for trial, result in store.results(part) if result.status == "failed")
        output.say(_("{part}: {failed} of {size} trials failed").format(
            part=part.name, failed=text.count(failed), size=text.count(part.size)))
        for reason in list(reasons)[:MOST_REASONS]:
            output.say(reason)
    return failed


# Layouts


def _text(part: Experiment, store: Store, columns: Columns, number: int) -> None:
    """Write the table of contenders by groups, by puzzles, and the figures of an exercise sheet."""
    found = comparison(part, columns)
    if number:
        output.write_line()
    output.write_line(f"{part.name}: {part.about}" if part.about else part.name)
    output.write_line(f"{words.size(part, found.made)}, {words.limit(part)}")
    output.write_line()
    tables = [("", markdown.comparison_table(found))]
    if part.by_puzzle:
        tables.append((_("Puzzle by puzzle:"), markdown.puzzle_table(part, columns)))
    if part.sheet:
        tables.append((_("Beside the sheet:"), markdown.sheet_table(part, found)))
    is_open = False
    for heading, table in tables:
        lines = plain(table, output.terminal_width())
        is_open |= any("…)" in line or "(… –" in line for line in lines)
        for line in (*(("", heading, "") if heading else ()), *lines):
            output.write_line(line)
    for said in (words.OPEN if is_open else "", words.repeats(found), part.difference if part.sheet else ""):
        for line in ("", *textwrap.wrap(said, min(output.terminal_width() or PROSE, PROSE))) if said else ():
            output.write_line(line)


def plain(table: Table, width: int | None = None) -> list[str]:
    """A table as lines of text with aligned columns. If it is wider than `width`, optional columns are dropped, then
    intervals, then standard deviations."""
    kept = list(range(len(table[0])))
    for name in ("", *OPTIONAL_COLUMNS):
        kept = [column for column in kept if table[0][column] != name]
        lines = [[line[column] for column in kept] for line in (table[0], *table[1])]
        widths = _widths(lines)
        if width is None or sum(widths) + 2 * (len(widths) - 1) <= width:
            break
    for spread in (INTERVAL, DEVIATION):
        if width is not None and sum(widths) + 2 * (len(widths) - 1) > width:
            lines = [[spread.sub("", value) for value in line] for line in lines]
            widths = _widths(lines)
    return ["  ".join(value.ljust(room) for value, room in zip(line, widths, strict=True)).rstrip() for line in lines]


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    """Of the columns."""
    return [max(map(len, column)) for column in zip(*lines, strict=True)]


def _markdown(part: Experiment, store: Store, columns: Columns, number: int) -> None:
    output.write(("\n" if number else "") + markdown.markdown(part, columns, store.facts()))


def _csv(part: Experiment, store: Store, columns: Columns, number: int) -> None:
    rows.write_csv(part, store, _stdout(), headings=not number)


def _jsonl(part: Experiment, store: Store, columns: Columns, number: int) -> None:
    rows.write_jsonl(part, store, _stdout())


def _stdout() -> BinaryIO:
    return sys.stdout.buffer


_WRITERS: Final[dict[str, Any]] = {"text": _text, "csv": _csv, "jsonl": _jsonl, "markdown": _markdown}
