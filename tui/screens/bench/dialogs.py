"""Lists of the bench: filters of the table, kinds of reports, the runs of a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from engine.bench.columns import STATUSES, Columns
from engine.bench.experiment import Experiment
from engine.bench.report import FILES, Kind, words
from engine.text import NONE, count
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.screens.bench.state import Filter
from tui.screens.dialogs.list_dialog import ListDialog
from tui.widgets.rows import Row, columns, fit


class FilterList(ListDialog[Filter]):
    """The filters. The answer is one of them."""

    heading = "Show", "enter applies   type to search   esc closes"
    keeps_typed = True

    def __init__(self, filters: Sequence[Filter], now: Filter) -> None:
        self._all = list(filters)
        super().__init__(self._all.index(now) if now in self._all else 0)

    def answers(self) -> list[Filter]:
        typed = self.typed.casefold()
        return [each for each in self._all if typed in filter_text(each).casefold()]

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        return [((" " + fit(filter_text(each), width - 1, glyphs), "text"),) for each in self.answers()]

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        if not self.typed:
            return [()]
        none: Row = () if self.answers() else (("   " + _("no matches"), "muted"),)
        return [((_("search") + " ", "muted"), (glyphs.text(self.typed), "strong"), *none)]

    def type(self, character: str) -> bool:
        self.typed += character
        return True

    def typing_changed(self) -> None:
        self.list.highlighted = 0


def filter_text(shown: Filter) -> str:
    """The name of a filter."""
    return {"each": _("every solver on every group"), "together": _("every solver on all groups together"),
            "group": _("puzzles: {name}"), "solver": _("solver: {name}")}[shown.kind].format(name=shown.name)


class ExportList(ListDialog[tuple[Kind, ...]]):
    """The kinds of reports. The answer is those to write."""

    heading = "Export", "enter exports   esc closes"

    def answers(self) -> list[tuple[Kind, ...]]:
        return [tuple(FILES), *((kind,) for kind in FILES)]

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        contents: dict[Kind, str] = {
            "csv": _("a row for each run, with its recipe"),
            "convergence": _("the best E by step"),
            "jsonl": _("a line of JSON for each run, with its curve"), "markdown": _("the tables as Markdown"),
            "html": _("a page with tables and charts")}
        texts = [_("all of these"), *(f"{FILES[kind]:<17}{contents[kind]}" for kind in FILES)]
        return [((" " + fit(text, width - 1, glyphs), "text"),) for text in texts]


STATUS_WORDS = {"solved": "solved", "no_solution": "no solution", "gave_up": "gave up", "unknown": "unknown",
                "refused": "refused", "failed": "failed"}


TRIAL_COLUMNS = {"puzzle": 20, "seed": 6, "end": 14, "E left": 7, "steps": 14, "time": 10}
"""The columns of a run and their widths, where there is room for all."""
LEAST_PUZZLE = 10
"""Columns of the puzzle before others are dropped."""
DROPPED = ("time", "seed", "steps")
"""The columns that a narrow window has no room for, the least needed first."""


class TrialList(ListDialog[int]):
    """The runs of a row, the worst first. The answer is an index into `trials`."""

    about = (
        "The runs of the row, the worst first.",
        "end: how the run ended; cut off: by the limit of the experiment.",
        "E left: the lowest E of the run, as its solver counts it; none if it is solved.",
        "seed, steps, time: the seed of the run, its steps, and how long they took.",
    )

    def __init__(self, experiment: Experiment, found: Columns, trials: Sequence[int], label: str) -> None:
        super().__init__()
        self.heading = label, "enter opens a run at its worst moment   esc closes"
        self._experiment, self._columns, self._trials = experiment, found, list(trials)

    def answers(self) -> range:
        return range(len(self._trials))

    def columns(self, glyphs: Glyphs) -> Row:
        return ((self._line([_(name) for name in TRIAL_COLUMNS], self._widths(self._width), glyphs), "muted"),)

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        widths = self._widths(width)
        return [((self._line(texts, widths, glyphs), "text"),) for texts in self._texts]

    @cached_property
    def _texts(self) -> list[list[str]]:
        """The values of each run, in the order of TRIAL_COLUMNS."""
        return [self._values(trial) for trial in self._trials]

    def _values(self, trial: int) -> list[str]:
        found = self._columns
        status = STATUSES[found.status[trial]]
        return [self._experiment.problems[found.problem[trial]].name, str(found.seed[trial]),
                _("cut off") if found.censored[trial] else _(STATUS_WORDS.get(status, status)),
                NONE if found.solved[trial] else str(found.energy[trial]), count(int(found.steps[trial])),
                words.amount(float(found.seconds[trial]), "seconds")]

    def _widths(self, width: int) -> dict[str, int]:
        """The columns that fit a width, with the width of each; in a narrow window no wider than what they hold."""
        widths = dict(TRIAL_COLUMNS)
        if sum(widths.values()) + 2 < width:
            return widths
        held = zip(*(self._texts or [list(map(_, widths))]), strict=True)
        widths = {name: min(max(len(_(name)), *map(columns, texts)) + 1, most)
                  for (name, most), texts in zip(widths.items(), held, strict=True)}
        widths["puzzle"], whole = min(widths["puzzle"], LEAST_PUZZLE), widths["puzzle"]
        for name in DROPPED:
            if sum(widths.values()) + 2 >= width:
                del widths[name]
        widths["puzzle"] = max(min(whole, widths["puzzle"] + width - 3 - sum(widths.values())), 1)
        return widths

    @staticmethod
    def _line(texts: Sequence[str], widths: Mapping[str, int], glyphs: Glyphs) -> str:
        line = " "
        for name, text in zip(TRIAL_COLUMNS, texts, strict=True):
            wide = widths.get(name, 0)
            if wide:
                line += fit(text, wide - 1, glyphs) + " " if name == "puzzle" else (
                    f"  {text:<{wide}}" if name == "end" else f"{text:>{wide}}")
        return line
