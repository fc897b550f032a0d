"""Paths of the user's files, in the folders of the platform (XDG on Linux)."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from engine import text
from tui import PROGRAM

RESULTS = "results.sqlite"
"""The name of the results file in its folder."""


def config_file() -> Path:
    """The configuration, which only the user writes."""
    return platformdirs.user_config_path(PROGRAM) / "config.toml"


def appearance_file() -> Path:
    """The theme and glyphs chosen last."""
    return platformdirs.user_state_path(PROGRAM) / "look.json"


def draft_file() -> Path:
    """The drafts: the puzzles that were edited."""
    return platformdirs.user_data_path(PROGRAM) / "draft.sdm"


def autosaved_runs() -> Path:
    """Run files written by autosave."""
    return platformdirs.user_data_path(PROGRAM) / "autosave"


def sessions() -> Path:
    """Session files, one a process, to resume after a cut-off."""
    return platformdirs.user_data_path(PROGRAM) / "sessions"


def progress() -> Path:
    """The progress of learners, a file each."""
    return platformdirs.user_data_path(PROGRAM) / "progress"


def saved_runs() -> Path:
    """Run files that the user saves."""
    return platformdirs.user_data_path(PROGRAM) / "runs"


def results(experiment: str) -> Path:
    """Results of an experiment, a folder each."""
    return platformdirs.user_data_path(PROGRAM) / "bench" / (text.file_name(experiment) or "experiment")


def pictures() -> Path:
    """The user's pictures folder if it exists, else one in the program's data."""
    own = platformdirs.user_pictures_path()
    return own if own.is_dir() else platformdirs.user_data_path(PROGRAM) / "pictures"


def experiments() -> Path:
    """Experiments that the user made on the screen."""
    return platformdirs.user_data_path(PROGRAM) / "experiments"
