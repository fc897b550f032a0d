"""The lists of a run: its branches, and its breakpoints."""

from __future__ import annotations

from collections.abc import Callable

from engine import text
from engine.breakpoints import Breakpoint, Stop
from engine.errors import ParameterError
from engine.puzzle import cell_name
from engine.solver import AnySolver
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.playback import breakpoint_syntax
from tui.playback.snapshot import ENDED, BranchSummary
from tui.screens.dialogs.list_dialog import CARET, ListDialog
from tui.widgets.rows import Row, Space, length
from tui.widgets.text import wrapped

MARK, NUMBER, STEPS, BEST, ENDING = 3, 4, 11, 6, 12
"""Columns of the list of branches."""
SWITCH = 5
"""Columns of the state of a breakpoint."""
MOST_TYPED = 40
ERROR = 4
"""Lines for the error in a typed breakpoint."""
CHANGES = 3
"""Lines for the changes of a branch that do not fit in its row."""
BRANCHES_SAVED = "● is the branch on the screen. Each branch is saved as a run of its own, when you leave it or quit."
BRANCHES_NOT_SAVED = "● is the branch on the screen. The branches of a run inside a step last until you leave the step."


class BranchList(ListDialog[int]):
    """The branches: the intervention that started each, its length and its best energy.

    The answer is the number of the branch to show.
    """

    heading = "Branches", "enter shows one   esc closes"
    about = (
        BRANCHES_SAVED,
        "recorded: its steps, up to the last one that was made.",
        "best: the lowest E in them.",
        "ended: how it ended; empty while it can go on.",
        "start, change: the step after which it left another branch, and the change there.",
    )

    def __init__(self, branches: tuple[BranchSummary, ...], inside: bool = False) -> None:
        """`inside`: they are branches of a run inside a step of another, which are not saved."""
        super().__init__(next((index for index, each in enumerate(branches) if each.shown), 0))
        self._branches = branches
        if inside:
            self.about = (BRANCHES_NOT_SAVED, *self.about[1:])

    def answers(self) -> list[int]:
        return [each.number for each in self._branches]

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        return [self._line(each, glyphs) for each in self._branches]

    def _line(self, each: BranchSummary, glyphs: Glyphs) -> Row:
        mark = glyphs.playhead if each.shown else " "
        ending = "" if each.status is None else _(ENDED[each.status])
        return ((f" {mark} ", "data_strong"), (f"{each.number:<{NUMBER}}", "strong"),
                (f"{text.count(each.recorded):>{STEPS}} ", "text"), (f"{each.best:>{BEST}}   ", "data"),
                (f"{ending:<{ENDING}}", "text"), (glyphs.text(self._start(each)), "muted"))

    def _start(self, each: BranchSummary) -> str:
        return each.words if each.began is None else _("after step {step}   {words}").format(
            step=text.count(each.began), words=each.words)

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        """The start and change of the highlighted branch in full, if those of some do not fit in their rows."""
        if not any(length(self._line(each, glyphs)) > width for each in self._branches):
            return []
        start = self._start(self._branches[self.index])
        lines = [tuple(line) for line in wrapped(start, Space(width, CHANGES, glyphs), "muted")]
        return [*lines, *[()] * (CHANGES - len(lines))]

    def columns(self, glyphs: Glyphs) -> Row:
        heads = (_("recorded").rjust(MARK + NUMBER + STEPS), _("best").rjust(BEST + 1), _("ended").ljust(ENDING),
                 _("start, change"))
        return ((glyphs.text(f"{heads[0]}{heads[1]}   {heads[2]}{heads[3]}"), "muted"),)


class BreakpointList(ListDialog[None]):
    """The breakpoints: those that are set, the kinds of event of this run, and the cell under the cursor.

    It switches, adds and deletes them; every change takes effect at once.
    """

    heading = "Breakpoints", "space on, off   del deletes   esc closes"
    keeps_typed = True

    def __init__(self, breakpoints: tuple[Breakpoint, ...], kinds: tuple[str, ...], cell: int | None, n: int,
                 changed: Callable[[tuple[Breakpoint, ...]], None], solver: AnySolver,
                 fixed: frozenset[int] = frozenset()) -> None:
        """`kinds`: the kinds of event to list; `cell`: the one under the cell cursor; `changed` is called with all
        breakpoints at each change; `solver` has words of its own for kinds; `fixed`: cells that never change."""
        super().__init__()
        energy = breakpoint_syntax.energy_word(solver)
        self.about = (
            _("A run that plays halts after a step that meets one of those that are on."),
            _("{E} <= 5: {E} falls to 5 or below. r3c4: a step sets, swaps, strikes or takes back a value there; not "
              "where the cell only changes along with others. The rest are kinds of events, in the words of the "
              "verdict.").format(E=energy),
            *([_("{E} is that of the best individual of the population at the step; it rises at a restart. Type E "
                 "for it.").format(E=energy)] if energy != "E" else []),
        )
        self._set: dict[Stop, bool] = {each.stop: each.on for each in breakpoints}
        self._kinds, self._n, self._changed, self._solver, self._fixed = kinds, n, changed, solver, fixed
        picked = () if cell is None or cell in fixed else (Stop(cell=cell),)
        self._stops = list(dict.fromkeys([*self._set, *picked, *(Stop(frozenset({kind})) for kind in kinds)]))

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        return [self._line(stop, glyphs) for stop in self._stops]

    def _line(self, stop: Stop, glyphs: Glyphs) -> Row:
        on = self._set.get(stop)
        mark = glyphs.empty if on is None else glyphs.playhead if on else glyphs.mark("hand")
        state = "" if on is None else _("on") if on else _("off")
        return ((f" {mark} ", "data" if on else "muted"), (f"{state:<{SWITCH}}", "data_strong" if on else "muted"),
                (glyphs.text(breakpoint_syntax.words(stop, self._n, self._solver)), "text" if on is None else "strong"))

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        hint = self._example() if not self.typed else _("enter adds it, esc cancels")
        typed: Row = ((_("Add") + "  ", "strong"), (self.typed + CARET, "data_strong"))
        role: Role = "strong" if self.error else "muted"
        lines = [tuple(line) for line in wrapped(self.error or hint, Space(width, ERROR, glyphs), role)]
        return [typed, *lines, *[()] * (ERROR - len(lines))]

    def _example(self) -> str:
        """The two kinds of breakpoint to type, with the first cell that can change."""
        free = next((cell for cell in range(self._n**2) if cell not in self._fixed), None)
        falls = _("{E} <= 5 halts where {E} falls to 5 or below").format(E=breakpoint_syntax.energy_word(self._solver))
        if free is None:
            return _("type E <= 5, then enter, to add one; {falls}").format(falls=falls)
        return _("type E <= 5 or {cell}, then enter, to add one; {falls}").format(
            cell=cell_name(free, self._n), falls=falls)

    def type(self, character: str) -> bool:
        if character == "?":
            return False
        if character == " " and not self.typed:
            self.picked()
        elif character == "." and not self.typed:
            self.leave(None)
        elif len(self.typed) < MOST_TYPED:
            self.typed += character
            self.error = ""
        return True

    def picked(self) -> None:
        if self.typed:
            self._add()
        elif self._stops:
            stop = self._stops[self.index]
            self._set[stop] = not self._set.get(stop, False)
            self._report()

    def _add(self) -> None:
        try:
            stop = breakpoint_syntax.parse(self.typed, self._n, self._kinds, self._solver.kind_words, self._fixed)
        except ParameterError as error:
            self.error = str(error)
            return
        self._set[stop] = True
        if stop not in self._stops:
            self._stops.insert(0, stop)
        self.refresh_rows()
        self.move_to(self._stops.index(stop))
        self._report()

    def action_delete(self) -> None:
        stop = self._stops[self.index] if self._stops else None
        if stop is not None and self._set.pop(stop, None) is not None:
            if not stop.kinds:
                self._stops.remove(stop)
            self._report()
            self.refresh_rows()

    def _report(self) -> None:
        self._changed(tuple(Breakpoint(stop, on) for stop, on in self._set.items()))
