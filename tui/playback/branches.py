"""The branches of a session, and undo and redo of interventions.

Each intervention keeps the run before it for undo. A run with steps of its own stays in the list of branches when
another one is shown; the oldest are dropped if there are too many or they take too much memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.params import Value
from engine.run.recipe import Change, Intervention
from engine.run.run import Run
from tui import messages
from tui.playback.snapshot import BranchSummary

MOST = 16
MOST_BYTES = 128 * 2**20
UNDO_LEVELS = 64
"""Interventions that can be undone."""


Effect = Literal["changed", "branched", "undone", "unchanged"]
"""The effect of an intervention: the run was changed, a branch began, the last intervention was undone, or none because
the value was in force."""


class Compared(NamedTuple):
    """A branch and the run that it left, some steps on."""

    change: Change
    steps: int
    """Those that the branch made: fewer than it was to, if it or the run that it left has ended."""
    energy: int
    """E of the branch there."""
    left: int
    """E of the run that it left, as many steps on."""
    solved: bool
    """The branch has ended with a solution."""


class Intervened(NamedTuple):
    """An intervention that can be undone."""

    before: Run
    change: Change
    words: str
    """`T 0.545 → 0.600`."""

    @property
    def step(self) -> int:
        return self.change.step


@dataclass(slots=True)
class Branch:
    """A run of the list."""

    run: Run
    number: int
    began: int | None = None
    """The step after which it left another run; None for the original run."""
    rival: Run | None = None
    """The run that it was compared with when another row was shown."""
    words: tuple[tuple[Intervention, ...], str] | None = None
    """(the interventions of the run, words for those that `Branches.words` tells of), cached."""
    best: tuple[int, int] | None = None
    """(furthest step, best E up to there), cached."""


def _equal(before: Value | None, after: Value) -> bool:
    """Test that a value is the one before, up to the rounding of a knob that is turned there and back."""
    if isinstance(before, float) and isinstance(after, int | float):
        return math.isclose(before, after, rel_tol=1e-9)
    return before == after


class Branches:
    """The runs of a session, one of which is shown. The breakpoints of the shown run go with it."""

    def __init__(self, run: Run) -> None:
        self.rows = [Branch(run, 1)]
        self.place = 0
        """The row that is shown."""
        self.rival: Run | None = None
        """The run that the shown one is compared with."""
        self.dropped: list[int] = []
        """Numbers of dropped branches that are not announced yet."""
        self._undo: dict[Run, Intervened] = {}
        self._redo: list[tuple[Run, Run, Intervened]] = []

    @property
    def current(self) -> Run:
        return self.rows[self.place].run

    @property
    def row(self) -> Branch:
        return self.rows[self.place]

    @property
    def rival_number(self) -> int | None:
        """The number of the rival, if the shown run is not the only other one."""
        if len(self.rows) < 3:
            return None
        return next((row.number for row in self.rows if row.run is self.rival), None)

    @property
    def can_undo(self) -> bool:
        """Whether the shown run has an intervention of this session; those that a file or a recipe brought stay."""
        return self.current in self._undo

    # Intervening

    def intervene(self, name: str, value: Value) -> tuple[Change, Effect]:
        """Intervene at the playhead. Raises BadInput, and then changes nothing.

        A value that was in force before the last intervention at this step undoes that intervention, which is returned,
        so that no branch is without a change."""
        run, step = self.current, self.current.playhead
        was = run.solver.reading(run.state, run.params, name)
        change = Change(step, name, was, value)
        if _equal(was, value):
            return change, "unchanged"
        made = self._undo.get(run)
        if made is not None and (made.step, made.change.name) == (step, name) and _equal(made.change.before, value):
            self.undo()
            return made.change, "undone"
        before = run if run.recorded > step else run.twin()
        after = run.intervene(name, value)
        if after is run:
            if run in self._undo:
                self._undo[before] = self._undo.pop(run)
        else:
            self._append(after, step)
        self._undo[after] = Intervened(before, change, messages.changed(after.solver, change))
        self._redo.clear()
        while len(self._undo) > UNDO_LEVELS:
            del self._undo[next(iter(self._undo))]
        return change, "changed" if after is run else "branched"

    def compare(self, name: str, value: Value, after: int, steps: int) -> Compared:
        """Intervene in a branch that begins `after` steps after the playhead, and run both it and the shown run on,
        `steps` steps each. Raises BadInput; the shown run is then at the step of the intervention."""
        run, start = self.current, self.current.playhead + after
        most = run.advance(after + steps).steps - after
        theirs = run.state.energy
        run.seek(start)
        change, _effect = self.intervene(name, value)
        branch = self.current
        made = branch.advance(most).steps
        if made < most:
            theirs = run.state_at(start + made).energy
        solved = branch.outcome is not None and branch.outcome.status == "solved"
        return Compared(change, made, branch.state.energy, theirs, solved)

    def _append(self, run: Run, step: int) -> None:
        self.row.rival, self.rival = self.rival, self.current
        number = max(row.number for row in self.rows) + 1
        self.rows.append(Branch(run, number, step))
        self.place = len(self.rows) - 1
        self._bound()

    def _bound(self) -> None:
        """Drop the oldest branches while there are too many; never the first, the shown one and its rival."""
        while len(self.rows) > MOST or sum(row.run.nbytes for row in self.rows) > MOST_BYTES:
            free = [row for row in self.rows[1:] if row.run is not self.current and row.run is not self.rival]
            if not free:
                return
            self._remove(free[0])
            self.dropped.append(free[0].number)

    def _remove(self, row: Branch) -> None:
        """Remove a row, and every other reference to its run."""
        shown = self.row
        self.rows = [each for each in self.rows if each is not row]
        for each in self.rows:
            each.rival = None if each.rival is row.run else each.rival
        self.place = next((place for place, each in enumerate(self.rows) if each is shown), 0)
        self._undo = {after: made for after, made in self._undo.items() if row.run not in (after, made.before)}
        self._redo = [each for each in self._redo if row.run not in each[:2]]

    # Undo and redo

    def undo(self) -> Intervened | None:
        """Undo the last intervention of the shown run; None if there is none."""
        left = self.current
        made = self._undo.get(left)
        if made is None:
            return None
        self._redo.append((made.before, left, made))
        self._change_over(left, made.before, made, keep=left.recorded > made.step)
        return made

    def redo(self) -> Intervened | None:
        """Redo what was undone last, if that was in the shown run; None otherwise."""
        if not self._redo or self._redo[-1][0] is not self.current:
            return None
        before, after, made = self._redo.pop()
        self._change_over(before, after, made, keep=before.recorded > made.step)
        return made

    def _change_over(self, left: Run, entered: Run, made: Intervened, keep: bool) -> None:
        """Switch to the run on the other side of an intervention, at its step. `keep`: the run that is left has more
        steps and stays in the list."""
        place = next((place for place, row in enumerate(self.rows) if row.run is entered), None)
        row = self.row
        former = self.rival if place is None else self.rows[place].rival
        if place is not None:
            row.rival, self.place = self.rival, place
        elif keep:
            self._append(entered, made.step)
        else:
            row.run = entered
        if place is not None and not keep:
            self.rows = [each for each in self.rows if each is not row]
            self.place = next(i for i, each in enumerate(self.rows) if each.run is entered)
        others = [each.run for each in self.rows if each is not self.row]
        self.rival = left if keep else former if former in others else None
        entered.breakpoints = list(left.breakpoints)
        entered.seek(made.step)

    # Switching

    def switch(self, place: int) -> bool:
        """Show another row at the same playhead, or at its end. Returns whether the row has changed."""
        if place == self.place or not 0 <= place < len(self.rows):
            return False
        left = self.current
        self.row.rival, self.rival, self.place = self.rival, left, place
        self.current.breakpoints = list(left.breakpoints)
        self.current.seek(min(left.playhead, self.current.recorded))
        return True

    def words(self, row: Branch) -> str:
        """The intervention that began a row; of a run that left none, all that were made in it, for example before it
        was saved."""
        run, made = row.run, row.run.recipe.interventions
        if row.words is not None and row.words[0] == made:
            return row.words[1]
        if row.began is not None:
            words = ", ".join(messages.changed(run.solver, each) for each in run.changes(row.began))
        else:
            last = messages.changed(run.solver, run.changes(made[-1].step)[-1]) if made else ""
            words = messages.unbranched(len({(each.step, each.name) for each in made}), last)
        row.words = made, words
        return words

    def summaries(self) -> tuple[BranchSummary, ...]:
        """The rows as the screen shows them."""
        return tuple(self._summary(row) for row in self.rows)

    def _summary(self, row: Branch) -> BranchSummary:
        run, outcome = row.run, row.run.outcome
        if row.best is None or row.best[0] != run.recorded:
            at_end = run.state if run.playhead == run.recorded else run.state_at(run.recorded)
            row.best = run.recorded, run.solver.best(at_end)[1]
        status = None if outcome is None else outcome.status
        return BranchSummary(row.number, row.began, self.words(row), run.recorded, row.best[1], status, row is self.row)
