"""The list of branches: the intervention that started each, its length and its best energy."""

from __future__ import annotations

from engine import text
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.playback.snapshot import ENDED, BranchSummary
from tui.screens.dialogs.list_dialog import ListDialog
from tui.widgets.rows import Span

MARK, NUMBER, STEPS, BEST, STATE = 3, 4, 15, 6, 12


class BranchList(ListDialog[int]):
    """The list. Its answer is the number of the branch to show."""

    def __init__(self, branches: tuple[BranchSummary, ...]) -> None:
        super().__init__(next((index for index, each in enumerate(branches) if each.shown), 0))
        self._branches = branches

    @property
    def heading(self) -> tuple[str, str]:
        return "Branches", _("enter shows one   esc closes")

    def listed(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        return [self._line(each, glyphs) for each in self._branches]

    def _line(self, each: BranchSummary, glyphs: Glyphs) -> tuple[Span, ...]:
        mark = glyphs.playhead if each.shown else " "
        state = "" if each.status is None else _(ENDED[each.status])
        start = _("the original run") if each.began is None else _("after step {step}   {words}").format(
            step=text.count(each.began), words=each.words)
        return ((f" {mark} ", "data_strong"), (f"{each.number:<{NUMBER}}", "strong"),
                (f"{text.count(each.recorded):>{STEPS}} ", "text"), (f"{each.best:>{BEST}}   ", "data"),
                (f"{state:<{STATE}}", "text"), (glyphs.text(start), "muted"))

    def columns(self, glyphs: Glyphs) -> tuple[Span, ...]:
        heads = (_("recorded").rjust(MARK + NUMBER + STEPS), _("best").rjust(BEST + 1), _("ended").ljust(STATE),
                 _("start, change"))
        return ((glyphs.text(f"{heads[0]}{heads[1]}   {heads[2]}{heads[3]}"), "muted"),)

    def picked(self) -> None:
        if self._branches:
            self.leave(self._branches[self.index].number)
