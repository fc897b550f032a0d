"""How the parts of a panel share the rows that there are. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.view import AutomatonPanel, CountsPanel, Part, StackPanel, TablePanel
from tui.i18n import _
from tui.widgets.panel_base import Lines, panel_lines
from tui.widgets.rows import Row, Space, Span, spread

LEAST = 2
"""Lines that a part shows at least, if it has so many; else it gives way."""
LEAST_DENSE = 8
"""Lines that a part which can be told more densely shows at least."""
ENDLESS = 10**6
WHOLE = (CountsPanel, AutomatonPanel)
"""Parts that are read as a whole: they have their lines before lists and tables have more than the least."""


def stacked(parts: Sequence[Part], n: int, space: Space, titled: bool) -> list[Sequence[Span]]:
    """The parts under one another, each under its title; those that have no room are named where a line is left."""
    title = int(titled)
    full = [title + len(panel_lines(part, n, replace(space, height=ENDLESS))) for part in parts]
    least = [title + _least(part, n, space) for part in parts]
    given = shares(full, least, [_read_whole(part) for part in parts], space.height)
    lines: list[Sequence[Span]] = []
    for part, rows in zip(parts, given, strict=False):
        lines += [()] if lines else []
        lines += [heading(part, space)] if titled else []
        lines += fitted(part, n, replace(space, height=rows - title))
    left_out = [_(part.title) for part in parts[len(given):]]
    if left_out and len(lines) < space.height:
        lines.append([(f"{space.glyphs.ellipsis} {', '.join(left_out)}", "muted")])
    return lines


def _read_whole(part: Part) -> bool:
    """Of a core, too, nothing can be left out."""
    return isinstance(part, WHOLE) or (isinstance(part, TablePanel) and bool(part.core))


def _least(part: Part, n: int, space: Space) -> int:
    """Lines of a part that has hardly any room."""
    full = len(panel_lines(part, n, replace(space, height=ENDLESS)))
    dense = len(panel_lines(part, n, replace(space, height=1)))
    return min(dense, LEAST_DENSE) if dense < full else min(full, LEAST)


def shares(full: Sequence[int], least: Sequence[int], whole: Sequence[bool], room: int) -> list[int]:
    """The rows of each part, of which there is a blank one between two; a part that is missing at the end has none.

    `full`: what each would like; `least`: what it must have; `whole`: whether it comes before the others."""
    many = len(full)
    while many > 1 and sum(least[:many]) + many - 1 > room:
        many -= 1
    given = list(least[:many])
    spare = room - sum(given) - (many - 1)
    for first in (True, False):
        waiting = [part for part in range(many) if whole[part] is first]
        while spare > 0 and (waiting := [part for part in waiting if given[part] < full[part]]):
            given[min(waiting, key=given.__getitem__)] += 1
            spare -= 1
    return [max(min(rows, room), 0) for rows in given]


def heading(part: Part, space: Space) -> Row:
    """The title of a part, and what its marks mean."""
    return spread([(space.glyphs.text(_(part.title)), "strong")], [(space.glyphs.text(legend(part)), "muted")],
                  space.width)


def legend(part: Part) -> str:
    """What the marks in a part mean."""
    match part:
        case StackPanel():
            return _("tried [now] left")
        case TablePanel(core=core) if core:
            return _("! = in the core")
    return ""


def fitted(part: Part, n: int, space: Space) -> Lines:
    """The lines of a part. Where there are more than rows, a window on them: with the line that is picked in it, or
    that of this step; how many more there are stands above and below it."""
    lines = panel_lines(part, n, space)
    if len(lines) <= space.height:
        return lines
    top = int(bool(lines) and all(role == "muted" for _text, role in lines[0]))
    end = len(lines) - int(isinstance(part, AutomatonPanel))  # what it comes to stands in its last line
    room = space.height - top - (len(lines) - end)
    if len(lines) - top <= space.height:
        return lines[top:]
    body = lines[top:end]
    now = next((place for role in ("selected", "now") for place, line in enumerate(body)
                if any(each == role for _text, each in line)), 0)
    if room < 2:
        return [*lines[:top], *body[now : now + room], *lines[end:]][: max(space.height, 0)]
    first = 0 if now <= room - 2 else min(now - room + 3, len(body) - room + 1)
    last = first + room - int(first > 0)
    below = len(body) > last
    shown = body[first : last - int(below)]
    above: Lines = [[(_more(first, space), "muted")]] if first else []
    under: Lines = [[(_more(len(body) - last + 1, space), "muted")]] if below else []
    return [*lines[:top], *above, *shown, *under, *lines[end:]]


def _more(number: int, space: Space) -> str:
    return f"      {space.glyphs.ellipsis} " + _("{number} more").format(number=number)
