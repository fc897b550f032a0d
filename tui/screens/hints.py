"""Hints: found in a thread, shown as a sentence and on the board.

A hint is given in two steps: the technique and its cells, then what follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from engine.events.explain import explain
from engine.events.search import Found
from engine.puzzle import Puzzle, cell_name
from engine.solutions import count
from engine.techniques.board import Board
from engine.techniques.hint import Hint, completes, hints
from engine.view import Role, Sentence, View
from tui import messages
from tui.background.threads import BackgroundThread, Waiting
from tui.i18n import GAP, _
from tui.widgets.board.board import Position
from tui.widgets.board.overlays import hints_of

MOST_CELLS = 6
"""Cells of a pattern that a sentence names."""

SILENT = 0.3
"""Seconds of a search after which a message says that it runs."""

OnBoard = tuple[Puzzle, tuple[int, ...]]
"""A puzzle and the n*n values on its board."""


class HintWorker(BackgroundThread):
    """Finds the next hint for a board; after the last one, and on another board, the first again."""

    name = "hints"

    def __init__(self, done: Callable[[], object], over_step: bool = False) -> None:
        """`done` is called, in the thread if there was one, when there is an answer. `over_step`: the board of a hint
        takes the place of that of a step, until a key closes the hint."""
        super().__init__()
        self._over_step = over_step
        self.hint: Hint | None = None
        self.notice: Sentence = messages.message("", "")
        """The hint as a sentence, or the reason for its absence."""
        self.about: OnBoard | None = None
        """The board of the answer."""
        self.revealed = False
        """Whether what follows from the hint is shown too."""
        self._done = done
        self._asked: OnBoard | None = None
        self._searching = False
        self._of: OnBoard | None = None
        """The board of the hints to come."""
        self._right: bool | None = True
        """Whether the values of the board are right; None: not known. Unless they are, the hint rests on the givens
        alone."""
        self._has_solution = True
        """Whether the puzzle has a solution; asked only where the values of the board are not right."""
        self._has_candidates = False
        self._coming: Iterator[Hint] = iter(())

    def ask(self, puzzle: Puzzle, cells: tuple[int, ...], shown: bool, has_candidates: bool = False) -> None:
        """Reveal what follows from the hint that is `shown` or, if that is done, find the next hint for a board of n*n
        values, unless a search runs. `has_candidates`: the step has candidates, which the hint does not rest on."""
        if self._searching:
            return
        self._has_candidates = has_candidates
        if self.hint is not None and self.about == (puzzle, cells) and not self.revealed:
            self.revealed = shown
            self.notice = self._sentence(puzzle, self.hint, self._right, shown)
            self._done()
            return
        self._asked, self._searching = (puzzle, cells), True
        if self._thread is not None:  # it has answered, and only has to end
            self._thread.join(self.patience)
        self.start()

    # In the thread, which ends with each answer

    def run(self) -> None:
        if self._asked is None:
            return
        puzzle, cells = self._asked
        with Waiting(SILENT, self._say_that_it_searches):
            right = completes(puzzle, cells)
            self._has_solution = right is not False or count(puzzle, 1).answer != "none"
            rests_on = cells if right else puzzle.givens
            if self._of != self._asked:  # also if both rest on the givens: each begins with its own grid
                self._of, self._coming = self._asked, hints(puzzle, rests_on)
            found = next(self._coming, None)
            if found is None:
                self._of = None  # the next call begins with the first hint
            notice = _none_left(puzzle, rests_on) if found is None else self._sentence(puzzle, found, right)
        self.hint, self.about, self.revealed, self._right = found, self._asked, False, right
        self._answer(notice)

    def failed(self, why: str) -> None:
        self.hint, self.about = None, self._asked
        self._answer(messages.message(_("ERROR"), why))

    def _say_that_it_searches(self) -> None:
        """Show a sign of life: the first search in a process may compile kernels."""
        self.hint, self.about = None, self._asked
        self.notice = messages.searching_hint()
        self._done()

    def _answer(self, notice: Sentence) -> None:
        self.notice, self._searching = notice, False
        self._done()

    def _sentence(self, puzzle: Puzzle, hint: Hint, right: bool | None, revealed: bool = False) -> Sentence:
        """The hint in words, with the way back to the step, and the reason if it leaves out values of the board, which
        are not known to be `right`.

        Its brief form has the same pieces: no other row gives the reason of a hint."""
        found = _revealed(puzzle, hint) if revealed else _named(puzzle, hint)
        pieces = [(found.template, found.template)]
        fields = dict(found.fields)
        if right is None:
            pieces.append((_("from the givens alone: the grid may have wrong values"),
                           _("givens only: the grid may be wrong")))
        elif not self._has_solution:
            pieces.append((_("from the givens alone: the puzzle has no solution"),
                           _("givens only: it has no solution")))
        elif not right:
            pieces.append((_("from the givens alone: the grid has wrong values"),
                           _("givens only: the grid has wrong values")))
        elif self._has_candidates:
            pieces.append((_("from the digits alone, not the solver's candidates"), _("from the digits alone")))
        if self._over_step:
            pieces.append((_("{key_leave} closes the hint"), _("{key_leave} closes it")))
            fields["key_leave"] = "esc"
        whole, brief = (GAP.join(each) for each in zip(*pieces, strict=True))
        return Sentence(found.badge, whole, fields, brief if len(pieces) > 1 else "")


def _named(puzzle: Puzzle, hint: Hint) -> Sentence:
    """The technique of a hint and its cells."""
    cells = [cell_name(cell, puzzle.n) for cell in hint.finding.cells]
    more = _(" and {count} more").format(count=len(cells) - MOST_CELLS) if len(cells) > MOST_CELLS else ""
    return messages.message(_("HINT"), _("{technique} in {cells}") + GAP + _("{key_hint} shows what follows"),
                            technique=_(hint.finding.technique), cells=" ".join(cells[:MOST_CELLS]) + more,
                            key_hint="f2")


def _revealed(puzzle: Puzzle, hint: Hint) -> Sentence:
    """The eliminations and placements that follow from a hint."""
    found = hint.finding
    event = Found(0, "", found.technique, found.cells, found.values, found.struck, found.placed, found.where)
    return replace(explain(event, puzzle.n), badge=_("HINT"))


def _none_left(puzzle: Puzzle, filled: tuple[int, ...]) -> Sentence:
    """The reason why no hint, or no further one, follows from the values of the board."""
    if puzzle.clashes():
        return messages.message(_("NO HINT"), _("the givens contradict each other"))
    if all(filled):
        return messages.message(_("NO HINT"), _("every cell is filled correctly"))
    if filled == puzzle.givens and count(puzzle, 1).answer == "none":
        found = Board.of(puzzle, filled).contradiction()
        if found is None:
            return messages.message(_("NO HINT"), _("the puzzle has no solution"))
        return messages.message(_("NO HINT"), _("the puzzle has no solution: {why}"), why=found[1])
    return messages.message(_("NO HINT"), _("the techniques find nothing more on this board"))


def hint_view(puzzle: Puzzle, hint: Hint, revealed: bool) -> View:
    """The board that a hint is about: its pattern and, if `revealed`, the values that it eliminates or places."""
    found, grid = hint.finding, list(hint.grid)
    if not revealed:
        return View(tuple(grid), {"reach": found.cells}, hint.candidates, units=found.units)
    for cell, value in found.placed:
        grid[cell] = value
    moved = tuple(cell for cell, _value in found.placed)
    victims = tuple(dict.fromkeys(cell for cell, _value in found.struck))
    pattern = tuple(cell for cell in found.cells if cell not in moved)
    support = tuple((cell, value) for cell in pattern for value in found.values
                    if hint.candidates[cell] >> value - 1 & 1 and (cell, value) not in found.struck)
    return View(tuple(grid), {"moved": moved, "partner": victims, "reach": pattern}, hint.candidates,
                pencils={"struck": found.struck, "support": support}, units=found.units)


def hint_position(puzzle: Puzzle, hint: Hint, revealed: bool, cursor: int | None, marks: bool) -> Position:
    """The position of `hint_view`. `marks`: with candidates."""
    view = hint_view(puzzle, hint, revealed)
    return Position(puzzle, view.grid, view.marks, cursor, view.candidates,
                    view.marks.get("moved") or hint.finding.cells, hints_of(view), marks)


HINT_WORDS: Mapping[Role, str] = {
    "moved": "The cells that the hint fills, highlighted.", "partner": "Cells that lose a candidate by the hint.",
    "reach": "The cells of the pattern that the technique found."}
"""The meanings of the marks on the board of a hint."""
