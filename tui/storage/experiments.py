"""The experiments that can be opened: those that ship, those that the learner made, and files; and where the results
of each are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from engine.bench import experiment_file
from engine.errors import BadInput
from tui.config import paths as places


class Listed(Struct, frozen=True):
    """An experiment that can be chosen."""

    name: str
    """Of a shipped one, or the path of a file."""
    title: str
    about: str
    own: bool
    begun: bool
    """Whether there are results."""


def results_of(whole: str) -> Path:
    """Where the results of an experiment of that name are kept: where `sudoku-tui bench` keeps them too."""
    return places.results(whole) / places.RESULTS


def listed() -> Iterator[Listed]:
    """The shipped ones, then the learner's own, by name."""
    own = sorted(places.experiments().glob(f"*{experiment_file.SUFFIX}"))
    paths = [(name, experiment_file.path_of(name)) for name in experiment_file.shipped()]
    for name, path in [*paths, *((str(path), path) for path in own)]:
        title, about = path.stem, ""
        try:
            written, _source = experiment_file.read(path)
            title, about = written.name or title, written.about
        except BadInput as error:
            about = str(error)
        yield Listed(name, title, about, path in own, results_of(title).exists())
