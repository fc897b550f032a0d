"""How many individuals have how many errors: bars over an axis of E that begins at 0. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tui.i18n import _
from tui.timeline import short
from tui.widgets.rows import Rows, Space, Span, rows

PITCH = 5
"""Columns from one bar to the next; one of them parts them."""
EIGHTHS = 8


def bin_width(most: int, bins: int) -> int:
    """The smallest of 1, 2, 4, 5, 10, 20, 40, 50, 100... with which `bins` bins hold everything from 0 to `most`."""
    power = 1
    while True:
        for digit in (1, 2, 4, 5):
            if most < digit * power * bins:
                return digit * power
        power *= 10


def binned(counts: Sequence[tuple[int, int]], bins: int) -> tuple[int, list[int]]:
    """(errors a bin, individuals by bin) of (errors, individuals), from 0 to the last bin that has any."""
    most = max((errors for errors, _individuals in counts), default=0)
    wide = bin_width(most, max(bins, 1))
    held = [0] * (most // wide + 1)
    for errors, individuals in counts:
        held[errors // wide] += individuals
    return wide, held


def histogram_rows(counts: Sequence[tuple[int, int]], space: Space) -> Rows:
    """What it shows, the bars, and where each begins."""
    wide, held = binned(counts, space.width // PITCH)
    tallest = max(held, default=0)
    tall = space.height - 2
    head: list[Span] = [(_("individuals by E"), "muted")]
    said = "   " + _("tallest bar {count}").format(count=tallest)
    if len(head[0][0]) + len(said) <= space.width:
        head.append((said, "muted"))
    eighths = [math.ceil(each * tall * EIGHTHS / max(tallest, 1)) for each in held]
    lines: list[list[Span]] = [head]
    for line in range(tall):
        below = (tall - 1 - line) * EIGHTHS
        lines.append([span for height in eighths for span in _bar(min(max(height - below, 0), EIGHTHS), space)])
    lines.append([(f"{_written(place * wide):<{PITCH}}", "muted") for place in range(len(held))])
    return rows(lines, space)


def _bar(height: int, space: Space) -> tuple[Span, Span]:
    return (space.glyphs.heats[height] * (PITCH - 1), "text" if height else "blank"), (" ", "blank")


def _written(errors: int) -> str:
    return str(errors) if errors < 10 ** (PITCH - 1) else short(errors)
