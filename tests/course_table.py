"""The tables of `course` in the README, made of its results: `python -m tests.course_table RESULTS.sqlite`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from engine.lab import experiment_file
from engine.lab.report import markdown, words
from engine.lab.store import Store
from engine.lab.tables import comparison
from tests.documents import README

BEGIN, END = "<!-- course: made by python -m tests.course_table -->", "<!-- end of course -->"
COLUMNS = ("solver", "puzzles", "solved", "95 %", "time: median", "quartiles", "not solved")


def tables(results: Path) -> Iterator[str]:
    """A paragraph for each part, and one for the machine."""
    with Store(results, read_only=True) as store:
        for part in experiment_file.load("course"):
            found = comparison(part, store.columns(part))
            yield f"{part.about} ({words.size(part, found.made)}; {words.limit(part)}):"
            headings, rows = markdown.comparison_table(found)
            kept = [headings.index(name) for name in COLUMNS]
            yield markdown.table([headings[i] for i in kept], [[row[i] for i in kept] for row in rows])
        facts = store.facts()
    yield (f"Machine: {facts['machine']}, {facts['processor']}, {facts['cores']} cores, shared with other work all the "
           f"while, so that times are longer than they need be; Python {facts['python']}, sudoku-tui "
           f"{facts['program']}. Trials of a solver that draws no random numbers repeat each other: their intervals "
           "are too narrow.")


def main() -> None:
    head, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, tail = rest.split(END)
    made = "\n\n".join(tables(Path(sys.argv[1])))
    README.write_text(f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
