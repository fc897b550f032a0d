"""Reports of an experiment: files that others read on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from engine.bench.experiment import Experiment
from engine.bench.report import html, markdown, rows, words
from engine.bench.store import Store
from engine.files.atomic import written_whole

Kind = Literal["csv", "convergence", "jsonl", "markdown", "html"]
FILES: Final[dict[Kind, str]] = {"csv": "trials.csv", "convergence": "convergence.csv", "jsonl": "trials.jsonl",
                                 "markdown": "report.md", "html": "report.html"}
"""Default file names, by kind."""


def write(kind: Kind, experiments: Experiment | Sequence[Experiment], store: Store, path: Path,
          when: str = "") -> None:
    """Write a report on an experiment, or on all its parts, from the store; the file is written whole or not at all.

    `csv`: a row per trial, with its recipe, if it has one. `convergence`: a row per point of a convergence curve.
    `jsonl`: a line per trial, with its curve. `markdown`, `html`: tables and charts.
    """
    parts = (experiments,) if isinstance(experiments, Experiment) else tuple(experiments)
    with written_whole(path) as file:
        if kind == "html":
            file.write(html.page(parts, store, when).encode())
        for number, part in enumerate(parts):
            if kind == "csv":
                rows.write_csv(part, store, file, headings=not number)
            elif kind == "convergence":
                rows.write_convergence(part, store, file, headings=not number)
            elif kind == "jsonl":
                rows.write_jsonl(part, store, file)
            elif kind == "markdown":
                notes = words.notes(parts) if part is parts[-1] else ()
                said = markdown.markdown(part, store.columns(part), store.facts(), when, notes)
                file.write(("\n" * bool(number) + said).encode())
