"""The report as one HTML page that needs nothing else: tables, charts, how to read them."""

from __future__ import annotations

from engine.errors import BadInput
from engine.lab.experiment import Experiment
from engine.lab.store import Store


def page(experiment: Experiment, store: Store, when: str = "") -> str:
    """The whole page."""
    raise BadInput("a report as HTML is not there yet: expected csv, convergence, jsonl or markdown")
