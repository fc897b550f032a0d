"""Where the learner's things are: each in the place that the system has for such things."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from engine import text
from tui import PROGRAM

RESULTS = "results.sqlite"
"""What the file of results is called in its folder."""


def config_file() -> Path:
    """The configuration, which only the learner writes."""
    return platformdirs.user_config_path(PROGRAM) / "config.toml"


def appearance_file() -> Path:
    """The look that was chosen last."""
    return platformdirs.user_state_path(PROGRAM) / "look.json"


def draft_file() -> Path:
    """The puzzle that was left while it was being edited."""
    return platformdirs.user_data_path(PROGRAM) / "draft.sdm"


def autosaved_runs() -> Path:
    """Run files written by autosave."""
    return platformdirs.user_data_path(PROGRAM) / "autosave"


def sessions() -> Path:
    """Session files, one a process, to resume after a cut-off."""
    return platformdirs.user_data_path(PROGRAM) / "sessions"


def saved_runs() -> Path:
    """The runs that the learner saves."""
    return platformdirs.user_data_path(PROGRAM) / "runs"


def results(experiment: str) -> Path:
    """What the bench has found, a folder an experiment."""
    return platformdirs.user_data_path(PROGRAM) / "bench" / (text.file_name(experiment) or "experiment")


def pictures() -> Path:
    """The learner's pictures if there is a place for them, else a folder of the program's data."""
    own = platformdirs.user_pictures_path()
    return own if own.is_dir() else platformdirs.user_data_path(PROGRAM) / "pictures"


def experiments() -> Path:
    """The experiments that the learner made on the screen."""
    return platformdirs.user_data_path(PROGRAM) / "experiments"
