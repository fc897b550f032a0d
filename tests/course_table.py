"""Writes the tables of the experiment `course` into docs/results.md: `python -m tests.course_table RESULTS.sqlite`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from engine.bench import experiment_file
from engine.bench.report import markdown, words
from engine.bench.store import Store
from engine.bench.tables import Comparison, comparison
from tests.documents import RESULTS

BEGIN, END = "<!-- course: made by python -m tests.course_table -->", "<!-- end of course -->"
COLUMNS = ("solver", "puzzles", "solved", "95 %", "time: median", "quartiles", "not solved")
MEANS = ("mean", "standard deviation")
MEAN_ASKED = "course: z3"
"""The part for which the sheets ask for a mean; it covers the solved trials only."""


def tables(results: Path) -> Iterator[str]:
    """Yield a paragraph and a table for each part, then a paragraph on the machine."""
    with Store(results, read_only=True) as store:
        for part in experiment_file.load("course"):
            if part.left_out:
                sys.exit(f"{part.name} would lack a solver: {part.left_out[0]}")
            found = comparison(part, store.columns(part))
            mean = part.name == MEAN_ASKED
            note = "; mean and standard deviation over the solved trials" * mean
            yield f"{part.about} ({words.size(part, found.made)}; {words.limit(part)}{note}):"
            yield table(found, mean)
        facts = store.facts()
    yield (f"Machine: {facts['machine']}, {facts['processor']}, {facts['cores']} cores, Python {facts['python']}, "
           f"sudoku-tui {facts['program']}. Other work ran on the machine, so the times are upper estimates. A solver "
           "that draws no random numbers repeats the same trial for every seed: its intervals are too narrow.")


def table(found: Comparison, mean: bool) -> str:
    """Return the columns that fit the page, with mean and standard deviation if asked for."""
    parts = [(markdown.comparison_table(found), COLUMNS[:-1]), (markdown.solved_table(found, "seconds"), MEANS * mean),
             (markdown.comparison_table(found), COLUMNS[-1:])]
    rows = [[row[headings.index(name)] for (headings, lines), names in parts for row in (lines[place],)
             for name in names] for place in range(len(found.entries))]
    return markdown.table([name for _table, names in parts for name in names], rows)


def main() -> None:
    head, rest = RESULTS.read_text(encoding="utf-8").split(BEGIN)
    _, tail = rest.split(END)
    made = "\n\n".join(tables(Path(sys.argv[1])))
    RESULTS.write_text(f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
