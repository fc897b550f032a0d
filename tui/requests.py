"""What the command line asks of the screen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from engine.params import Params
from engine.puzzle import Puzzle
from engine.puzzles.formats import PuzzleRecord
from engine.run.recipe import Intervention
from tui.config.settings import Config, Theme

if TYPE_CHECKING:  # SQLite and what reads experiments are for the bench alone
    from engine.bench.executors.scheduling import How
    from engine.bench.experiment import Experiment


class NewRun(Struct, frozen=True):
    """The pieces of a recipe, and what the puzzle is called."""

    puzzle: Puzzle
    puzzle_name: str
    """For the header: `hard 1`, a file name, or empty."""
    solver: str
    """A registry name."""
    params: Params | Mapping[str, object] = field(default_factory=dict)
    """Complete parameters, or single values on top of the first preset's."""
    seed: int = 0
    interventions: tuple[Intervention, ...] = ()
    """What is turned on the way."""
    step: int = 0
    """Where the playhead stands at first."""
    worst: bool = False
    """The run is made up to that step, and the playhead put where it went worst; see `tui.playback.loading`."""


class Wish(Struct, frozen=True):
    """What is chosen already when Home opens: as much of a recipe as is known."""

    record: PuzzleRecord | None = None
    solver: str = ""
    """A registry name; empty: the first."""
    params: Params | None = None
    """Complete parameters of that solver; None: those of its first preset."""
    seed: int = 0


class AutomataWish(Struct, frozen=True):
    """A board whose automata are to be asked."""

    record: PuzzleRecord
    cells: tuple[int, ...] = ()
    """What stands: n*n values; empty: the givens alone."""
    unit: str = ""
    """`row 3`; empty: the whole board."""
    cursor: int | None = None
    """The cell that is picked; None: the one in the middle."""


class BenchWish(Struct, frozen=True):
    """An experiment to be run and looked at."""

    name: str = ""
    """Of a shipped one, or the path of a file; empty: one is to be chosen."""
    parts: tuple[Experiment, ...] = ()
    """The experiment itself, where it is at hand."""
    results: Path | None = None
    """Where its results are kept; None: with the learner's things."""
    how: How | None = None
    """None: processes, but threads in a kiosk."""
    jobs: int = 0
    """Workers; 0: as many as there are processors."""


class Continue(Struct, frozen=True):
    """A session that was left is to be gone on with."""

    path: Path | None = None
    """Its file; None: the first of those that are offered."""


class LabRequest(Struct, frozen=True):
    """One laboratory to open, or Home to choose what is opened."""

    run_source: NewRun | Path | Continue | Wish | AutomataWish | BenchWish
    """A run to begin, a run file or a session to go on with, or what is to be chosen from."""
    speed: str | None = None
    """Steps per second as typed (`1000`, `5 000`, `max`); None: the default. See `tui.config.speed.parse_speed`."""
    fps: int | None = None
    """Frames per second while running, 1..60; None: as many as the line carries."""
    theme: Theme | None = None
    """None: that of the configuration."""
    ascii: bool | None = None
    """Only ASCII characters; None: as in the configuration."""
    play: bool = False
    """Begin to play at once; otherwise the run waits at its start."""
    config: Config = field(default_factory=Config)
    """The learner's settings and keys; what they did wrong there is told on the screen."""
