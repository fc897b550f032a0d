"""Writes the tables of the experiment `course` into docs/results.md: `python -m tests.course_table RESULTS.sqlite`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.bench import experiment_file
from engine.bench.columns import Columns
from engine.bench.experiment import Experiment
from engine.bench.report import markdown, words
from engine.bench.report.markdown import Table
from engine.bench.store import Store
from engine.bench.tables import ALL, Entry, comparison
from tests.documents import RESULTS

BEGIN, END = "<!-- course: made by python -m tests.course_table -->", "<!-- end of course -->"
COLUMNS = ("solver", "puzzles", "solved", "95 %", "time: median", "quartiles", markdown.MEAN, "not solved")


def tables(results: Path) -> Iterator[str]:
    """Yield paragraphs and tables for each part, then a paragraph on the machine."""
    with Store(results, read_only=True) as store:
        for part in experiment_file.load("course"):
            if part.left_out:
                sys.exit(f"{part.name} would lack a solver: {part.left_out[0]}")
            columns = store.columns(part)
            found = comparison(part, columns)
            yield f"### {part.name.removeprefix('course: ')}"
            yield f"{part.about} ({words.size(part, found.made)}; {words.limit(part)}):"
            headings, rows = only(markdown.comparison_table(found), COLUMNS)
            processor = [processor_time(part, columns, entry) for entry in found.entries]
            yield markdown.table([*headings, "processor time"],
                                 [[*row, spent] for row, spent in zip(rows, processor, strict=True)])
            if part.sheet:
                yield "Beside the sheet:"
                yield markdown.table(*markdown.sheet_table(part, found))
                yield part.difference
            yield "<details><summary>Puzzle by puzzle</summary>"
            yield markdown.table(*markdown.puzzle_table(part, columns))
            yield "</details>"
        facts = store.facts()
    yield "### The machine"
    yield (f"{facts['machine']}, {facts['processor']}, {facts['cores']} cores, Python {facts['python']}, "
           f"sudoku-tui {facts['program']}. Other work ran on the machine, so the times are upper estimates; processor "
           "time, the median over solved trials, is closer to what an idle machine takes. A solver that draws no "
           "random numbers repeats the same trial for every seed: its intervals are too narrow.")


def processor_time(part: Experiment, columns: Columns, entry: Entry) -> str:
    """The median over the solved trials of an entry, which a busy machine prolongs less than the time."""
    groups = np.array([problem.group for problem in part.problems])[columns.problem]
    these = columns.solved & (columns.contender == entry.contender) & (
        np.full(len(columns), True) if entry.group == ALL else groups == entry.group)
    return words.duration(float(np.median(columns.cpu[these]))) if these.any() else "–"


def only(table: Table, names: tuple[str, ...]) -> Table:
    """The columns of these names."""
    headings, rows = table
    places = [headings.index(name) for name in names]
    return names, [[row[place] for place in places] for row in rows]


def main() -> None:
    head, rest = RESULTS.read_text(encoding="utf-8").split(BEGIN)
    _, tail = rest.split(END)
    made = "\n\n".join(tables(Path(sys.argv[1])))
    RESULTS.write_text(f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
