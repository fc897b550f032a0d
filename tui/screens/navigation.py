"""What screens ask of the application: to go from one to another, and how all of them look. The application itself is
not imported by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, cast

from textual.screen import Screen

from engine.puzzles.formats import PuzzleRecord
from tui.config.settings import Theme
from tui.keys.keymap import KeyChanges
from tui.look.theme import Look
from tui.requests import AutomataRequest, BenchRequest, HomeRequest, NewRun, ResumeSession
from tui.storage.library import Library


class Desk(Protocol):
    """The application, as its screens see it."""

    @property
    def library(self) -> Library:
        """The files that were opened."""

    @property
    def has_run(self) -> bool:
        """Whether a laboratory is open, in front or behind."""

    def open_run(self, source: NewRun | Path | ResumeSession) -> None:
        """A laboratory on this, in place of what is open. Raises BadInput, and then nothing has changed."""

    @property
    def client(self) -> str:
        """The address that the learner's connection comes from; empty: there is none."""

    def open_home(self, wish: HomeRequest) -> None:
        """Home in front of the laboratory, with this chosen."""

    def open_editor(self, record: PuzzleRecord, wish: HomeRequest) -> None:
        """The editor in front of what is open; `wish` says with which solver its puzzle would be begun."""

    def open_automata(self, wish: AutomataRequest) -> None:
        """The automata of a board in front of what is open."""

    def open_bench(self, wish: BenchRequest) -> None:
        """An experiment in front of what is open, or in the place of another one. Raises BadInput, and then nothing has
        changed."""

    def look_into(self, source: NewRun) -> None:
        """A laboratory in front of what is open; leaving it leads back here. Raises BadInput."""

    def open_file(self, path: Path, wish: HomeRequest) -> None:
        """A run file as a laboratory, a file of puzzles as a pack of Home, which says what could not be taken. Raises
        BadInput, and then nothing has changed."""

    @property
    def look(self) -> Look:
        """The styles and glyphs that everything is drawn with."""

    def set_theme(self, theme: Theme) -> None:
        """Have these colours from now on, and the next time too. So do the three that follow."""

    def change_ground(self) -> None:
        """From dark to light, and back."""

    def change_contrast(self) -> None:
        """To high contrast, and back."""

    def change_glyphs(self) -> None:
        """To ASCII alone, and back."""

    @property
    def key_changes(self) -> KeyChanges:
        """The keys that the learner chose."""

    @property
    def mistake(self) -> str:
        """What is wrong with the configuration, as a sentence; empty where nothing is."""

    def left_behind(self, why: str) -> None:
        """Something could not be kept and its screen is gone: it is said when the program ends."""

    def back(self) -> None:
        """Leave the screen in front; what is behind it comes back."""


def desk(screen: Screen[Any]) -> Desk:
    """The application of a screen."""
    return cast(Desk, screen.app)
