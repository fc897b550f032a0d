"""The tables of `course` in the README, made of its results: `python -m tests.course_table RESULTS.sqlite`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from engine.lab import experiment_file
from engine.lab.report import markdown, words
from engine.lab.store import Store
from engine.lab.tables import Comparison, comparison
from tests.documents import README

BEGIN, END = "<!-- course: made by python -m tests.course_table -->", "<!-- end of course -->"
COLUMNS = ("solver", "puzzles", "solved", "95 %", "time: median", "quartiles", "not solved")
MEANS = ("mean", "standard deviation")
MEAN_ASKED = "course: z3"
"""The part of which the sheets ask for a mean: it stands beside median and spread, and is of the solved alone."""


def tables(results: Path) -> Iterator[str]:
    """A paragraph for each part, and one for the machine."""
    with Store(results, read_only=True) as store:
        for part in experiment_file.load("course"):
            if part.left_out:
                sys.exit(f"{part.name} would lack a solver: {part.left_out[0]}")
            found = comparison(part, store.columns(part))
            mean = part.name == MEAN_ASKED
            said = "; mean and standard deviation are of the solved trials" * mean
            yield f"{part.about} ({words.size(part, found.made)}; {words.limit(part)}{said}):"
            yield table(found, mean)
        facts = store.facts()
    yield (f"Machine: {facts['machine']}, {facts['processor']}, {facts['cores']} cores, shared with other work all the "
           f"while, so that times are longer than they need be; Python {facts['python']}, sudoku-tui "
           f"{facts['program']}. Trials of a solver that draws no random numbers repeat each other: their intervals "
           "are too narrow.")


def table(found: Comparison, mean: bool) -> str:
    """The columns that the README has room for, and those of the mean where it is asked for."""
    parts = [(markdown.comparison_table(found), COLUMNS[:-1]), (markdown.solved_table(found, "seconds"), MEANS * mean),
             (markdown.comparison_table(found), COLUMNS[-1:])]
    rows = [[row[headings.index(name)] for (headings, lines), names in parts for row in (lines[place],)
             for name in names] for place in range(len(found.entries))]
    return markdown.table([name for _table, names in parts for name in names], rows)


def main() -> None:
    head, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, tail = rest.split(END)
    made = "\n\n".join(tables(Path(sys.argv[1])))
    README.write_text(f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
