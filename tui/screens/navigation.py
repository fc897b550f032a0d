"""The application as its screens see it: navigation between screens, look, and user configuration.

Screens depend on this protocol, never on the application.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

from textual.screen import Screen

from engine.puzzle import Puzzle
from engine.puzzles.formats import PuzzleRecord
from tui.keys.keymap import KeyChanges
from tui.look import ThemeName
from tui.look.theme import Look
from tui.playback.loading import PendingRun
from tui.requests import AutomataRequest, BenchRequest, HomeRequest, NewRun, ResumeSession
from tui.storage.library import Library
from tui.storage.progress import ProgressStore


class Navigator(Protocol):
    """The application, for its screens."""

    @property
    def library(self) -> Library:
        """Puzzle files opened so far."""

    @property
    def has_run(self) -> bool:
        """A run is open, in front or behind."""

    def open_run(self, source: NewRun | Path | ResumeSession) -> None:
        """Replace all open screens by a run. Raises BadInput and then changes nothing."""

    @property
    def client(self) -> str:
        """Address that the user is connected from; empty if local."""

    @property
    def progress(self) -> ProgressStore:
        """Progress of the learner in hands on."""

    def open_home(self, request: HomeRequest) -> Callable[[], object]:
        """Push Home with this preselection. Returns a function that makes it read the user's runs again; any thread may
        call it."""

    def open_editor(self, record: PuzzleRecord, request: HomeRequest, pasted: str = "") -> None:
        """Push the editor on a puzzle; `request` names the solver for a run on it. `pasted`: the puzzle in the text
        that was pasted, in words; such a puzzle is kept as a draft."""

    def open_automata(self, request: AutomataRequest) -> None:
        """Push the automata of a board."""

    def open_guess(self, puzzle: Puzzle) -> None:
        """Push curves of E to be guessed on this puzzle. Raises BadInput if its givens contradict each other."""

    def open_bench(self, request: BenchRequest) -> None:
        """Push an experiment, or replace the one in front. Raises BadInput and then changes nothing."""

    def push_run(self, source: NewRun) -> None:
        """Push a run; leaving it returns to the present screen. Raises BadInput."""

    def push_inner_run(self, pending: PendingRun) -> None:
        """Push the search inside a step of the run in front; leaving it returns there."""

    def open_file(self, path: Path, request: HomeRequest) -> None:
        """Open a run file as a run, or a puzzle file as a pack of Home, which reports lines that were left out. Raises
        BadInput and then changes nothing."""

    @property
    def look(self) -> Look:
        """Styles and glyphs of all screens."""

    def set_theme(self, theme: ThemeName) -> None:
        """Change the colours and remember them for the next launch, as the three toggles below do."""

    def toggle_light(self) -> None:
        """Switch between dark and light."""

    def toggle_contrast(self) -> None:
        """Switch between normal and high contrast."""

    def toggle_ascii(self) -> None:
        """Switch between Unicode and ASCII."""

    @property
    def key_changes(self) -> KeyChanges:
        """Keys set in the configuration."""

    @property
    def mistake(self) -> str:
        """The error in the configuration as one sentence; empty if there is none."""

    def say_on_exit(self, message: str) -> None:
        """Print this when the program ends: an error whose screen is already closed."""

    def back(self) -> None:
        """Close the screen in front."""


def navigator(screen: Screen[Any]) -> Navigator:
    """The application of a screen, as a navigator."""
    return cast(Navigator, screen.app)
