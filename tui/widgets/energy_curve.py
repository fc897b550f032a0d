"""The curve of E of a guess, in dots, with its scale."""

from __future__ import annotations

from collections.abc import Sequence

from tui.widgets.plot import DOTS_ACROSS, DOTS_DOWN, dots

LABEL = 6
"""Columns of the scale."""
FALL = 4
"""Points of the first fall, from a random grid, which would leave no room for the rest: they may be cut at the top."""


def curve_rows(curve: Sequence[int], width: int, height: int, braille: bool) -> list[str]:
    """A curve of E at evenly spaced steps as `height` rows of `width` characters, its scale at the left."""
    across = DOTS_ACROSS * (width - LABEL)
    most, tall = max(*curve[FALL:], 1), DOTS_DOWN * height - 1
    shown = [curve[x * len(curve) // across] for x in range(across)]
    rows = dots(range(across), [tall - tall * min(energy, most) // most for energy in shown], width - LABEL, height,
                braille)
    labels = [str(most), *[""] * (height - 2), "0"]
    return [f"{label:>{LABEL - 1}} {row}".rstrip() for label, row in zip(labels, rows, strict=True)]
