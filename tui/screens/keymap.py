"""The keys of the laboratory: one list for the bindings, the help and the last row of the screen."""

from __future__ import annotations

from dataclasses import dataclass

from tui.glyphs import Glyphs


@dataclass(frozen=True, slots=True)
class Key:
    """What some keys do."""

    keys: str
    """Textual's names, separated by commas."""
    action: str
    group: str = ""
    shown: str = ""
    """As a person writes them; empty where the entry before says it for both."""
    does: str = ""
    """A short clause for the help; {period} and {knob} are the solver's words."""


TIME, FIND, CHANGE, SCREEN, PROGRAM = "Time", "Find", "Change", "Screen", "Program"

KEYS: tuple[Key, ...] = (
    Key("space", "play(1)", TIME, "space", "run or pause"),
    Key("backspace", "play(-1)", TIME, "backspace", "run backwards"),
    Key("right", "step(1)", TIME, "← →", "one step"),
    Key("left", "step(-1)"),
    Key("shift+right,semicolon", "step(1000)", TIME, ", ;", "1 000 steps (shift+← →)"),
    Key("shift+left,comma", "step(-1000)"),
    Key("greater_than_sign", "period(1)", TIME, "< >", "one {period}"),
    Key("less_than_sign", "period(-1)"),
    Key("home", "home", TIME, "home end", "start, recorded end"),
    Key("end", "end"),
    Key("g", "goto", TIME, "g", "go to a step"),
    Key("plus,equals_sign", "faster(1)", TIME, "+ −", "faster, slower"),
    Key("minus", "faster(-1)"),
    Key("exclamation_mark", "flat_out", TIME, "!", "flat out, and back"),
    Key("u", "find('uphill', 1)", FIND, "u U", "uphill move, next, last"),
    Key("U", "find('uphill', -1)"),
    Key("b", "find('best', 1)", FIND, "b B", "new best, next, last"),
    Key("B", "find('best', -1)"),
    Key("r", "find('reheat', 1)", FIND, "r R", "reheat or restart"),
    Key("R", "find('reheat', -1)"),
    Key("left_square_bracket", "turn(-1)", CHANGE, "[ ]", "{knob} down, up"),
    Key("right_square_bracket", "turn(1)"),
    Key("p", "change", CHANGE, "p", "set a parameter"),
    Key("h", "cursor(0, -1)", SCREEN, "h j k l", "cell cursor"),
    Key("j", "cursor(1, 0)"),
    Key("k", "cursor(-1, 0)"),
    Key("l", "cursor(0, 1)"),
    Key("tab", "next_tab(1)", SCREEN, "tab 1–4", "tabs"),
    Key("shift+tab", "next_tab(-1)"),
    Key("1", "tab(1)"),
    Key("2", "tab(2)"),
    Key("3", "tab(3)"),
    Key("4", "tab(4)"),
    Key("L", "light", SCREEN, "L", "light or dark"),
    Key("A", "ascii", SCREEN, "A", "ASCII or Unicode"),
    Key("ctrl+s", "save", PROGRAM, "ctrl+s", "save the run to a file"),
    Key("escape", "back", PROGRAM, "esc", "pause, give up a search"),
    Key("question_mark,f1", "help", PROGRAM, "?", "this page"),
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit"),
)

FINDS: dict[str, tuple[tuple[str, ...], str]] = {
    "uphill": (("uphill",), "uphill move"),
    "best": (("best",), "new best"),
    "reheat": (("reheat", "restart", "sweep"), "reheat or restart"),
}
"""What the keys of `find` look for: kinds of events, and what they are called."""


def key_text(shown: str, glyphs: Glyphs) -> str:
    """A key as this set of glyphs writes it; the arrow to the left is no assignment here."""
    return glyphs.text(shown.replace("←", "<-") if glyphs.ascii else shown)


HINTS = (("space", "run"), ("← →", "step"), ("u", "uphill"), ("b", "best"), ("r", "reheat"), ("g", "go to"),
         ("[ ]", "heat"), ("+ −", "speed"), ("hjkl", "cell"))


def hints(knob: bool) -> tuple[tuple[str, str], ...]:
    """(key, word) for the last row of the screen, the most needed first; `knob`: the solver has one to turn."""
    return tuple(each for each in HINTS if knob or each[0] not in ("u", "r", "[ ]"))
