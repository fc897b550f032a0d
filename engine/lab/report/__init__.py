"""Reports of an experiment: files that others read on."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from engine.lab.experiment import Experiment
from engine.lab.report import markdown, page, rows
from engine.lab.store import Store
from engine.wholefile import written_whole

Kind = Literal["csv", "convergence", "jsonl", "markdown", "html"]
FILES: Final[dict[Kind, str]] = {"csv": "trials.csv", "convergence": "convergence.csv", "jsonl": "trials.jsonl",
                                 "markdown": "report.md", "html": "report.html"}
"""What the file of each kind is called, unless somebody calls it otherwise."""


def write(kind: Kind, experiment: Experiment, store: Store, path: Path, when: str = "") -> None:
    """Write a report of what the store has of an experiment; the file is written whole or not at all.

    `csv`: a row a trial, with all that it takes to repeat it. `convergence`: a row a point of a convergence curve.
    `jsonl`: a line a trial, its curve included. `markdown`, `html`: tables, and in `html` charts. `when`: the date that
    stands in it, as the caller writes it. Raises BadInput if the file cannot be written.
    """
    with written_whole(path) as file:
        if kind == "csv":
            rows.write_csv(experiment, store, file)
        elif kind == "convergence":
            rows.write_convergence(experiment, store, file)
        elif kind == "jsonl":
            rows.write_jsonl(experiment, store, file)
        elif kind == "markdown":
            file.write(markdown.markdown(experiment, store.columns(experiment), store.facts(), when).encode())
        else:
            file.write(page.page(experiment, store, when).encode())
