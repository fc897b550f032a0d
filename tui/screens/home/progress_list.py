"""The list of progress in hands on: a row for each solver and kind of question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.teaching.progress import SERIES, Score
from engine.text import count, share
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.screens.dialogs.list_dialog import ListDialog
from tui.storage.progress import SavedProgress
from tui.widgets.rows import Row, Space, fit
from tui.widgets.text import wrapped

SOLVER, KIND = 22, 16
"""Columns of the names, where there is room for them."""
LEAST_KIND = 12
"""Columns of the kind of question in the narrowest window."""
NUMBERS = {"asked": 5, "right": 5, "share": 7, "best": 4, "last": 10}
"""Columns of the other values."""
DROPPED = ("share", "last", "best")
"""The values that a narrow window has no room for, the least needed first."""
LEGEND = 3
"""Lines under the list."""


def shown_numbers(width: int) -> list[str]:
    """The values that a row of this width has room for."""
    shown = list(NUMBERS)
    for name in DROPPED:
        if 1 + SOLVER + 1 + KIND + _taken(shown) > width:
            shown.remove(name)
    return shown


def _taken(numbers: Sequence[str]) -> int:
    return sum(1 + NUMBERS[each] for each in numbers)


def name_columns(width: int) -> tuple[int, int]:
    """The columns of the solver and of the kind of question; in a narrow window the numbers come first."""
    room = width - 2 - _taken(shown_numbers(width))
    kind = min(KIND, max(LEAST_KIND, room - SOLVER))
    return max(min(SOLVER, room - kind), 1), kind


class ProgressList(ListDialog[str]):
    """The progress. The answer is the solver of a row."""

    heading = "Progress in hands on", "enter selects the solver   esc closes"
    about = (
        "asked: the questions of this kind that you answered.",
        "right, share: those that you answered right at the first try, and their share.",
        "best: the most right answers of 10 in a row. It never falls.",
        "last: the day of the last answer.",
    )

    def __init__(self, saved: SavedProgress) -> None:
        super().__init__()
        self._scores = sorted(saved.progress.items())
        self._damaged = saved.damaged

    def answers(self) -> list[str]:
        return [solver for (solver, _kind), _score in self._scores]

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        return [self._line(solver, kind, score, width, glyphs) for (solver, kind), score in self._scores]

    def _line(self, solver: str, kind: str, score: Score, width: int, glyphs: Glyphs) -> Row:
        values = {"asked": count(score.asked), "right": count(score.right), "share": share(score.share),
                  "best": str(score.best), "last": score.last.isoformat()}
        wide, wide_kind = name_columns(width)
        return ((f" {fit(solver, wide, glyphs)} ", "strong"), (fit(kind, wide_kind, glyphs), "text"),
                (_numbers(values, width), "data"))

    def columns(self, glyphs: Glyphs) -> Row:
        heads = {"asked": _("asked"), "right": _("right"), "share": _("share"), "best": _("best"), "last": _("last")}
        solver, kind = name_columns(self._width)
        return ((f" {fit(_('solver'), solver, glyphs)} {fit(_('question'), kind, glyphs)}", "muted"),
                (_numbers(heads, self._width), "muted"))

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        said = _("right: at the first try; best: most right of {series} in a row, never falls").format(series=SERIES)
        if self._damaged:
            said += "; " + (_("1 line of the file is damaged") if self._damaged == 1 else
                            _("{lines} lines of the file are damaged").format(lines=self._damaged))
        lines = [tuple(line) for line in wrapped(said, Space(width, LEGEND, glyphs), "muted")]
        return [*lines, *[()] * (LEGEND - len(lines))]


def _numbers(values: Mapping[str, str], width: int) -> str:
    return "".join(f" {values[name]:>{NUMBERS[name]}}" for name in shown_numbers(width))
