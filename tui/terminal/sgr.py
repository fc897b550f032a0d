"""Styles as the least that must be sent to get from one to the next."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct
from rich.color import ColorSystem
from rich.style import Style

_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28", "9": "29", "21": "24",
        "51": "54", "52": "54", "53": "55"}
_VISIBLE_ON_BLANKS = frozenset({"4", "7", "9", "21", "51", "52", "53"})
_RENDERED = re.compile(r"\x1b\[([0-9;]*)m.\x1b\[0m", re.S)


class Sgr(Struct, frozen=True):
    """What a terminal's writing is set to: attribute codes, and the codes of ink and ground ("" = the terminal's)."""

    attributes: tuple[str, ...] = ()
    ink: str = ""
    ground: str = ""

    @property
    def visible(self) -> bool:
        """Whether it shows on blanks, apart from its ground."""
        return not _VISIBLE_ON_BLANKS.isdisjoint(self.attributes)


PLAIN = Sgr()


@lru_cache(4096)
def of(style: Style, system: ColorSystem) -> Sgr | None:
    """The setting that a style asks for; None if it is more than a setting (a link)."""
    if not style:
        return PLAIN
    fresh = style.copy()
    fresh._ansi = None  # Rich keeps what it rendered first, in whatever colours that was
    rendered = fresh.render("x", color_system=system)
    if rendered == "x":
        return PLAIN
    found = _RENDERED.fullmatch(rendered)
    return _parsed(found.group(1).split(";")) if found else None


def _indexed(red: int, green: int, blue: int) -> int | None:
    """The place of a grey among the 256 colours, whose greys are the same everywhere; None where it has none."""
    if not red == green == blue:
        return None
    cube, ramp = (0, 95, 135, 175, 215, 255), range(8, 239, 10)
    if red in ramp:
        return 232 + ramp.index(red)
    return 16 + 43 * cube.index(red) if red in cube else None


def _token(codes: list[str]) -> str:
    """A colour as it is written shortest: a grey by its number."""
    place = _indexed(*map(int, codes[2:])) if codes[1:2] == ["2"] else None
    return ";".join(codes) if place is None else f"{codes[0]};5;{place}"


def _parsed(codes: list[str]) -> Sgr:
    attributes, ink, ground = [], "", ""
    at = 0
    while at < len(codes):
        code = codes[at]
        size = 1
        if code in ("38", "48"):
            size = 3 if codes[at + 1] == "5" else 5
        token = _token(codes[at : at + size])
        if code in _OFF:
            attributes.append(code)
        elif code[0] in "39":
            ink = "" if code == "39" else token
        else:
            ground = "" if code == "49" else token
        at += size
    return Sgr(tuple(attributes), ink, ground)


@lru_cache(4096)
def change(old: Sgr, new: Sgr, turns_off: bool = True) -> str:
    """The shortest sequence from one setting to another; without `turns_off` for a terminal that can only turn off
    everything at once."""
    if old == new:
        return ""
    if new == PLAIN:
        return "\x1b[m"
    if not turns_off:
        said = (*new.attributes, *filter(None, (new.ink, new.ground)))
        return f"\x1b[{';'.join(said if old == PLAIN else ('0', *said))}m"
    off = tuple(dict.fromkeys(_OFF[code] for code in old.attributes if code not in new.attributes))
    kept = {code for code in old.attributes if _OFF[code] not in off}
    codes = [*off, *(code for code in new.attributes if code not in kept)]
    codes += [new.ink or "39"] * (old.ink != new.ink) + [new.ground or "49"] * (old.ground != new.ground)
    return f"\x1b[{';'.join(codes)}m"


def either(one: Sgr, text: str, other: Sgr, other_text: str) -> Sgr | None:
    """The setting that two neighbours can share, or None: the same, or one of them is blanks on the same ground, on
    which ink and weight do not show."""
    if one == other:
        return one
    if one.ground != other.ground or one.visible or other.visible:
        return None
    return one if other_text.isspace() else other if text.isspace() else None
