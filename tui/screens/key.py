"""What an entry of a key table is, and an offer of the last row."""

from __future__ import annotations

import re

from msgspec import Struct

from tui.glyphs import Glyphs

TIME, FIND, CHANGE, SCREEN, PROGRAM = "Time", "Find", "Change", "Screen", "Program"
"""Groups of keys that several screens have."""


class Key(Struct, frozen=True):
    """What some keys do."""

    keys: str
    """Textual's names, separated by commas."""
    action: str
    group: str = ""
    shown: str = ""
    """As a person writes them; empty where the entry before says it for both."""
    does: str = ""
    """A short clause for the help; {period} and {knob} are the solver's words. What stands in brackets at its end
    names further keys, and is left out where the learner chose others."""
    name: str = ""
    """What the configuration calls it; empty: made from the action."""

    @property
    def called(self) -> str:
        """Its name: `next-best`; `turn(-1)` without a name of its own is `turn--1`."""
        return self.name or re.sub(r"[^\w-]+", "-", self.action).strip("-").replace("_", "-")


LOOKS: tuple[Key, ...] = (
    Key("L", "light", SCREEN, "L C", "light or dark, contrast", "light"),
    Key("C", "contrast", name="contrast"),
    Key("A", "ascii", SCREEN, "A", "ASCII or Unicode", "ascii"),
    Key("ctrl+l", "app.redraw", SCREEN, "ctrl+l", "draw the screen again", "redraw"),
    Key("P", "picture", PROGRAM, "P", "picture of the screen", "picture"),
)
"""What every screen that is looked at for long has: how it is drawn, and a picture of it."""
COMMANDS = Key("colon,ctrl+p", "commands", PROGRAM, ":", "commands (ctrl+p)", "commands")
HELP = Key("question_mark,f1", "help", PROGRAM, "?", "this page", "help")


class Offer(Struct, frozen=True):
    """What the last row offers: a word for some actions, and when."""

    word: str
    """{knob} is the solver's word."""
    names: tuple[str, ...]
    """Actions by name; the first that is shown is run by a click."""
    when: str = ""
    """Words that must all be true of the situation (`tui.screens.situation`); with a `!` before them, must not."""

    def holds(self, situation: frozenset[str]) -> bool:
        """Whether it is possible now."""
        return all(word[1:] not in situation if word[0] == "!" else word in situation for word in self.when.split())


def key_text(shown: str, glyphs: Glyphs) -> str:
    """A key as this set of glyphs writes it."""
    return glyphs.key(shown)
