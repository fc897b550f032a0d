"""Settings, each declared once, and the appearance remembered between launches."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec import Struct, field

from engine.errors import BadInput
from engine.files import access
from engine.files.atomic import write_whole
from engine.params import About, Meta, Params
from tui.config import paths
from tui.look import ThemeName

Pacing = Literal["auto", "on", "off"]


class Settings(Params, frozen=True):
    """The settings outside of `[keys]`, with their defaults."""

    theme: Annotated[ThemeName, About("", "colour theme; on the screen L and C change it")] = "dark"
    ascii: Annotated[bool, About("", "ASCII characters only; on the screen A changes it")] = False
    speed: Annotated[str, About("", "steps per second while a run plays, or \"max\"; empty: the solver's own")] = ""
    accelerate: Annotated[bool, About("", "begin a new run at 2 steps a second and double that every 2 s, up to its "
                                          "speed, if none was chosen")] = True
    fps: Annotated[int, Meta(ge=0, le=60),
                   About("", "frames per second while it plays; 0: as many as the line carries")] = 0
    charts: Annotated[Literal["auto", "on", "off"],
                      About("", "refresh the charts while it plays; auto: not on a slow line")] = "auto"
    pacing: Annotated[Pacing, About("", "wait until the terminal has drawn a frame; auto: over SSH")] = "auto"
    solver: Annotated[str, About("", "the default solver, see sudoku-tui list solvers")] = "anneal"
    preset: Annotated[str, About("", "its preset, see sudoku-tui list params; empty: the first")] = ""
    autosave: Annotated[bool, About("", "save the run, to resume it next time")] = True


class Config(Struct, frozen=True):
    """The contents of a configuration file."""

    settings: Settings = field(default_factory=Settings)
    given: frozenset[str] = frozenset()
    """The settings in the file; missing ones may come from elsewhere."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Actions and the keys they have instead of their own."""
    mistake: str = ""
    """The reason why the file was rejected, as a sentence; all settings then have their defaults."""


class Appearance(msgspec.Struct, frozen=True):
    """Theme and glyphs chosen on the screen, remembered between launches.

    Settings of the configuration file and command-line options take precedence.
    """

    theme: ThemeName = "dark"
    ascii: bool = False


def load_appearance() -> Appearance | None:
    """The remembered appearance; None if there is none that can be read."""
    try:
        return msgspec.json.decode(access.read_bytes(paths.appearance_file()), type=Appearance)
    except (OSError, ValueError):
        return None


def save_appearance(appearance: Appearance) -> None:
    """Remember an appearance; a failure is ignored."""
    with suppress(BadInput):
        write_whole(paths.appearance_file(), msgspec.json.encode(appearance) + b"\n", make_folder=True)
