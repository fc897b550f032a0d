"""Dots on a canvas as text, drawn by plotext, which is imported at the first use because it loads slowly.

Points are given in dots of the canvas; `tui.widgets.timeline.axis` converts numbers to dots. plotext 5 and 6, whose
interfaces differ, are both supported.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

DOTS_ACROSS, DOTS_DOWN = 2, 4
"""Dots of a braille character."""
LABEL = 6
"""Columns of the scale."""
FALL = 4
"""Points of the first fall, from a random grid, which would leave no room for the rest: they may be cut at the top."""


class Canvas(Struct, frozen=True):
    """A canvas of `width` x `height` characters, each of `across` x `down` dots."""

    width: int
    height: int
    across: int
    down: int
    marker: str


class Plot:
    """Draws dots and redraws only changed columns: plotext is slow, and a growing run changes few of them."""

    def __init__(self) -> None:
        self._places = np.zeros(0, dtype=np.int64)
        self._lines: list[str] = []
        self._size: tuple[int, int, bool] | None = None

    def draw(self, places: NDArray[np.int64], width: int, height: int, braille: bool) -> list[str]:
        """The lines of `dots` for places x * 4 * height + y (int64, ascending, unique)."""
        size, tall = (width, height, braille), DOTS_DOWN * height
        if size != self._size:
            self._places, self._lines, self._size = np.zeros(0, dtype=np.int64), [" " * width] * height, size
        differ = np.setxor1d(self._places, places, assume_unique=True) // (tall * DOTS_ACROSS)
        if len(differ):
            first, last = int(differ.min()), int(differ.max()) + 1
            low, high = np.searchsorted(places, [first * DOTS_ACROSS * tall, last * DOTS_ACROSS * tall])
            x, y = np.divmod(places[low:high], tall)
            drawn = dots((x - first * DOTS_ACROSS).tolist(), y.tolist(), last - first, height, braille)
            self._lines = [old[:first] + new + old[last:] for old, new in zip(self._lines, drawn, strict=True)]
            self._places = places
        return self._lines


def star_row(dot: int, height: int) -> int:
    """The row of the star for a dot, both from the top: the nearest of `height` rows, whose values are spaced evenly
    from the highest dot to the lowest; but only the lowest dot is drawn on the floor."""
    lowest = DOTS_DOWN * height - 1
    nearest = (2 * dot * (height - 1) + lowest) // (2 * lowest)
    return nearest if dot == lowest else max(0, min(nearest, height - 2))


def dots(x: Sequence[int], y: Sequence[int], width: int, height: int, braille: bool) -> list[str]:
    """Points as `height` lines of `width` characters.

    x is in dots from the left (0 to 2 * width - 1), y from the top (0 to 4 * height - 1). Without braille, a star
    replaces the dots of a character (`star_row`).
    """
    if not len(x):
        return [" " * width] * height
    import plotext

    across, down = (DOTS_ACROSS, DOTS_DOWN) if braille else (1, 1)
    canvas = Canvas(max(width, 2), max(height, 2), across, down, "braille" if braille else "*")
    xs = [int(each) * across // DOTS_ACROSS for each in x]
    rows = [int(each) if braille else star_row(int(each), height) for each in y]
    ys = [canvas.height * down - 1 - each for each in rows]
    draw = _draw_5 if hasattr(plotext, "clear_figure") else _draw_6
    lines = [line.ljust(width)[:width] for line in draw(plotext, xs, ys, canvas).split("\n")[:height]]
    return lines + [" " * width] * (height - len(lines))


def curve_rows(curve: Sequence[int], width: int, height: int, braille: bool) -> list[str]:
    """A curve of E at evenly spaced steps as `height` rows of `width` characters, its scale at the left, with `8+` at
    the top if it begins higher; no rows where there is no room for it, as before a pane has its size."""
    if height < 2 or width <= LABEL:
        return []
    across = DOTS_ACROSS * (width - LABEL)
    most, tall = max(*curve[FALL:], 1), DOTS_DOWN * height - 1
    shown = [curve[x * len(curve) // across] for x in range(across)]
    rows = dots(range(across), [tall - tall * min(energy, most) // most for energy in shown], width - LABEL, height,
                braille)
    labels = [f"{most}+" if max(curve) > most else str(most), *[""] * (height - 2), "0"]
    return [f"{label:>{LABEL - 1}} {row}".rstrip() for label, row in zip(labels, rows, strict=True)]


def _draw_5(plt: ModuleType, xs: list[int], ys: list[int], canvas: Canvas) -> str:
    """plotext 5: functions on a global figure; limits are at the first and the last dot."""
    plt.clear_figure()
    plt.limit_size(False, False)
    plt.theme("clear")
    plt.frame(False)
    plt.xticks([])
    plt.yticks([])
    plt.plotsize(canvas.width, canvas.height)
    plt.xlim(0, canvas.width * canvas.across - 1)
    plt.ylim(0, canvas.height * canvas.down - 1)
    plt.scatter(xs, ys, marker=canvas.marker)
    text: str = plt.uncolorize(plt.build())
    return text


def _draw_6(plt: ModuleType, xs: list[int], ys: list[int], canvas: Canvas) -> str:
    """plotext 6: methods of a figure; limits are at the middle of the first and the last character."""
    plt.terminal.limit(False, False)
    figure: Any = plt.figure
    figure.clear.all()
    figure.theme("colorless")
    figure.axes(False)
    figure.ruler("both", "both").frequency(0)
    figure.plot_size(canvas.width, canvas.height)
    for axis, characters, each in (("x", canvas.width, canvas.across), ("y", canvas.height, canvas.down)):
        middle = (each - 1) / 2
        figure.ruler(axis).lim(middle, (characters - 1) * each + middle)
    figure.draw(figure.signal(xs, ys, marker=canvas.marker))
    text: str = plt.uncolorize(str(figure.build()))
    return text
