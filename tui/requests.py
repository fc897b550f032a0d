"""Requests of the command line to the application: the screen to open, and its options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from engine.params import Params
from engine.puzzle import Puzzle
from engine.puzzles.formats import PuzzleRecord
from engine.run.recipe import Intervention
from tui.config.settings import Config
from tui.look import ThemeName

if TYPE_CHECKING:  # SQLite and what reads experiments are for the bench alone
    from engine.bench.executors.scheduling import ExecutorKind
    from engine.bench.experiment import Experiment


class NewRun(Struct, frozen=True):
    """The pieces of a recipe, and the name of the puzzle."""

    puzzle: Puzzle
    puzzle_name: str
    """Shown in the header: `hard 1`, a file name, or empty."""
    solver: str
    """A registry name."""
    params: Params | Mapping[str, object] = field(default_factory=dict)
    """Complete parameters, or single values over those of the first preset."""
    seed: int = 0
    interventions: tuple[Intervention, ...] = ()
    """Changes of knobs and parameters during the run."""
    step: int = 0
    """The playhead at first."""
    first_of: str = ""
    """The source that holds other puzzles as well; the first message then names the one that was opened."""
    worst: bool = False
    """Run up to that step, then put the playhead at the run's worst moment; see `tui.playback.loading`."""


class HomeRequest(Struct, frozen=True):
    """Home, with as much of a recipe as is known selected."""

    record: PuzzleRecord | None = None
    solver: str = ""
    """A registry name; empty: the first."""
    params: Params | None = None
    """Complete parameters of that solver; None: those of its first preset."""
    seed: int = 0


class AutomataRequest(Struct, frozen=True):
    """The automata of a board."""

    record: PuzzleRecord
    cells: tuple[int, ...] = ()
    """The n*n values on the board; empty: the givens."""
    unit: str = ""
    """`row 3`; empty: the whole board."""
    cursor: int | None = None
    """The cell cursor; None: the middle of the board."""


class BenchRequest(Struct, frozen=True):
    """An experiment to run, and its results."""

    name: str = ""
    """The name of a shipped one, or the path of a file; empty: show the list."""
    parts: tuple[Experiment, ...] = ()
    """The experiment itself, if it is loaded already."""
    results: Path | None = None
    """The store of its results; None: in the user's data folder."""
    how: ExecutorKind | None = None
    """Kind of workers; None: processes, but threads in a kiosk."""
    jobs: int = 0
    """Workers; 0: one a processor."""


class ResumeSession(Struct, frozen=True):
    """A session to resume."""

    path: Path | None = None
    """Its file; None: the first one in the list."""


class AppRequest(Struct, frozen=True):
    """The screen to open first, and its options."""

    run_source: NewRun | Path | ResumeSession | HomeRequest | AutomataRequest | BenchRequest
    """A new run, a run file, a session, or one of the other screens."""
    speed: str | None = None
    """Steps per second as typed (`1000`, `5 000`, `max`); None: the default. See `tui.config.speed.parse_speed`."""
    fps: int | None = None
    """Frames per second while running, 1 to 60; None: as many as the connection carries."""
    theme: ThemeName | None = None
    """None: as configured."""
    ascii: bool | None = None
    """Only ASCII characters; None: as configured."""
    play: bool = False
    """Play at once; otherwise the run is paused at its start."""
    config: Config = field(default_factory=Config)
    """The user's settings and keys; mistakes in them are shown on the screen."""
