"""The experiments that can be opened: those that ship, those that the learner made, and files; and where the results
of each are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from engine import text
from engine.errors import BadInput
from engine.lab import experiment_file
from engine.lab.experiment import Experiment
from tui import places

RESULTS = ".sqlite"


class Listed(Struct, frozen=True):
    """An experiment that can be chosen."""

    name: str
    """Of a shipped one, or the path of a file."""
    title: str
    about: str
    own: bool
    begun: bool
    """Whether there are results."""


def results_of(title: str) -> Path:
    """Where the results of an experiment of that name are kept."""
    return places.results() / f"{text.file_name(title) or 'bench'}{RESULTS}"


def load(name: str) -> tuple[Experiment, ...]:
    """The parts of a shipped experiment, or of that in a file. Raises BadInput."""
    return experiment_file.load(name)


def title_of(name: str) -> str:
    """What an experiment is called in lists, and its results."""
    return Path(name).stem


def listed() -> Iterator[Listed]:
    """The shipped ones, then the learner's own, by name."""
    own = sorted(places.experiments().glob(f"*{experiment_file.SUFFIX}"))
    paths = [(name, experiment_file.FOLDER / f"{name}{experiment_file.SUFFIX}") for name in experiment_file.shipped()]
    for name, path in [*paths, *((str(path), path) for path in own)]:
        try:
            about = experiment_file.read(path)[0].about
        except BadInput as error:
            about = str(error)
        title = title_of(name)
        yield Listed(name, title, about, path in own, results_of(title).exists())
