"""Where the learner's things are: each in the place that the system has for such things."""

from __future__ import annotations

from pathlib import Path

import platformdirs

NAME = "sudoku-tui"


def config_file() -> Path:
    """The configuration, which only the learner writes."""
    return platformdirs.user_config_path(NAME) / "config.toml"


def look_file() -> Path:
    """The look that was chosen last."""
    return platformdirs.user_state_path(NAME) / "look.json"


def draft_file() -> Path:
    """The puzzle that was left while it was being edited."""
    return platformdirs.user_data_path(NAME) / "draft.sdm"


def kept_runs() -> Path:
    """The runs that are kept by themselves."""
    return platformdirs.user_data_path(NAME) / "autosave"


def saved_runs() -> Path:
    """The runs that the learner saves."""
    return platformdirs.user_data_path(NAME) / "runs"


def pictures() -> Path:
    """The learner's pictures if there is a place for them, else a folder of the program's data."""
    own = platformdirs.user_pictures_path()
    return own if own.is_dir() else platformdirs.user_data_path(NAME) / "pictures"
