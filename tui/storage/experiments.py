"""The experiments that can be opened, shipped and the user's own, and the paths of their results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from engine.bench import experiment_file
from engine.errors import BadInput
from tui.config import paths


class ExperimentEntry(Struct, frozen=True):
    """An experiment as lists show it."""

    name: str
    """The name of a shipped one, or the path of a file."""
    title: str
    about: str
    """The description in the file; the mistake in it if it cannot be read."""
    own: bool
    begun: bool
    """Whether it was opened before: its file of results is there."""


def results_path(name: str) -> Path:
    """The file of results of an experiment, on the screen and for `sudoku-tui bench`."""
    return paths.results(name) / paths.RESULTS


def experiments() -> Iterator[ExperimentEntry]:
    """The shipped experiments, then the user's own, by name."""
    own = sorted(paths.experiments().glob(f"*{experiment_file.SUFFIX}"))
    files = [(name, experiment_file.path_of(name)) for name in experiment_file.shipped()]
    for name, path in [*files, *((str(path), path) for path in own)]:
        title, about = path.stem, ""
        try:
            written, _source = experiment_file.read(path)
            title, about = written.name or title, written.about
        except BadInput as error:
            about = str(error)
        yield ExperimentEntry(name, title, about, path in own, results_path(title).exists())
