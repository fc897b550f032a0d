"""The state of the automata screen: the board, the selected automaton, the questions and their answers. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.automata.formula import ENCODINGS
from engine.automata.questions import Finding, Query, Topic
from engine.automata.transitions import value_panel, word_panel
from engine.puzzle import Puzzle, Unit
from engine.view import AutomatonPanel
from tui.undo import UndoHistory

BoardView = Literal["board", "answer", "other", "explanation"]
"""The board of the question, with a solution, with another solution, or with the deduced values."""
Scope = Literal["board", "row", "column", "box", "diagonal 1", "diagonal 2"]
ABOUT_UNIT: tuple[Topic, ...] = ("word", "model")
"""The topics of questions to the automaton of one unit."""
MAX_QUESTIONS = 500
"""Questions in the list, at most."""


class QuestionRecord(Struct, frozen=True):
    """A question and its answer."""

    number: int
    """From 1."""
    finding: Finding
    seconds: float


class AutomataState:
    """The board with the values that were set, the selected automaton, and the questions, one of them current."""

    def __init__(self, puzzle: Puzzle, cells: tuple[int, ...] | None = None) -> None:
        """`cells`: n*n values on the board, the givens and more; undo removes the others."""
        self.puzzle = puzzle
        self._board = UndoHistory(puzzle.givens)
        self.cursor = _middle(puzzle)
        self.scope: Scope = "board"
        self.encoding = ENCODINGS[0]
        self.questions: list[QuestionRecord] = []
        self.index = 0
        """The index of the current question; len(questions): none, the present board."""
        self.core_only = False
        self.view: BoardView = "board"
        if cells is not None:
            self._board.change(cells)

    # The board

    @property
    def set_cells(self) -> int:
        """The number of values that were set."""
        return sum(bool(value) and not given for value, given in zip(self.cells, self.puzzle.givens, strict=True))

    @property
    def cells(self) -> tuple[int, ...]:
        """The n*n values on the board."""
        return self._board.now

    @property
    def can_undo(self) -> bool:
        return self._board.can_undo

    def set_value(self, cell: int, value: int) -> bool:
        """Set a free cell, 0 for none; False if that changes nothing."""
        if self.puzzle.givens[cell]:
            return False
        return self._changed(self._board.change((*self.cells[:cell], value, *self.cells[cell + 1:])))

    def undo(self) -> bool:
        """Undo the last change; False if there is none."""
        return self._changed(self._board.undo())

    def redo(self) -> bool:
        """Redo the change that was undone last; False if there is none."""
        return self._changed(self._board.redo())

    def _changed(self, done: bool) -> bool:
        if done:
            self.leave_question()
        return done

    # The selected automaton

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes that this board has."""
        diagonals: tuple[Scope, ...] = ("diagonal 1", "diagonal 2") if self.puzzle.variant == "diagonal" else ()
        return ("board", "row", "column", "box", *diagonals)

    def next_scope(self, direction: int) -> None:
        """Select the next kind of automaton."""
        self.scope = self.scopes[(self.scopes.index(self.scope) + direction) % len(self.scopes)]
        self.leave_question()

    @property
    def unit(self) -> int:
        """The index of the selected unit in `geometry.units`; for the whole board, the row of the cursor."""
        geometry = self.puzzle.geometry
        for index, unit in enumerate(geometry.units):
            if unit.name == self.scope:
                return index
            if unit.kind == ("row" if self.scope == "board" else self.scope) and self.cursor in unit.cells:
                return index
        raise LookupError(f"no unit {self.scope}")

    @property
    def selected_unit(self) -> Unit:
        return self.puzzle.geometry.units[self.unit]

    def select_unit(self, index: int) -> None:
        """Select the automaton of this unit; the cursor moves into it."""
        unit = self.puzzle.geometry.units[index]
        self.scope = f"diagonal {unit.number}" if unit.kind == "diagonal" else unit.kind  # type: ignore[assignment]
        if self.cursor not in unit.cells:
            self.cursor = unit.cells[0]
        self.leave_question()

    def move_cursor(self, cell: int) -> None:
        """Move the cursor; a selected row, column or box follows it."""
        before, self.cursor = self.unit, cell
        if self.scope != "board" and self.unit != before:
            self.leave_question()

    def next_encoding(self, direction: int) -> None:
        self.encoding = ENCODINGS[(ENCODINGS.index(self.encoding) + direction) % len(ENCODINGS)]

    # Questions

    @property
    def current(self) -> QuestionRecord | None:
        """The current question."""
        return self.questions[self.index] if self.index < len(self.questions) else None

    def leave_question(self) -> None:
        """Return to the present board, without a current question."""
        self.index, self.view = len(self.questions), "board"

    def query(self, topic: Topic, *, value: int = 0, word: tuple[int, ...] = (), unit: int | None = None) -> Query:
        """A question about the present board, the cell under the cursor and the selected unit."""
        index = self.unit if unit is None else unit
        query = Query(topic, self.cells, self.encoding, self.cursor, value, index, word)
        return replace(query, without=self._found_words(query)) if topic == "model" else query

    def _found_words(self, query: Query) -> tuple[tuple[int, ...], ...]:
        """The words found so far for the same unit with the same letters."""
        cells = self.puzzle.geometry.units[query.unit].cells

        def same(other: Query) -> bool:
            return (other.topic, other.unit, other.word) == (query.topic, query.unit, query.word) and all(
                other.cells[cell] == query.cells[cell] for cell in cells)

        return tuple(each.finding.word for each in self.questions if each.finding.word and same(each.finding.query))

    def minimise_query(self) -> Query | None:
        """The query that minimises the current core; None without one."""
        current = self.current
        if current is None or not current.finding.size:
            return None
        found = current.finding
        return replace(found.query, topic="minimise", core_units=found.units, core_placed=found.placed)

    def add_answer(self, finding: Finding, seconds: float) -> QuestionRecord:
        """Add an answer and make it current. A minimal core replaces the one that it was made from."""
        if finding.query.topic == "minimise":
            return self._replace_core(finding)
        number = self.questions[-1].number + 1 if self.questions else 1
        self.questions = [*self.questions, QuestionRecord(number, finding, seconds)][-MAX_QUESTIONS:]
        self.index, self.view = len(self.questions) - 1, "board"
        return self.questions[self.index]

    def _replace_core(self, finding: Finding) -> QuestionRecord:
        query = finding.query
        for index, asked in reversed(list(enumerate(self.questions))):
            found = asked.finding
            same = (found.units, found.placed) == (query.core_units, query.core_placed)
            if same and found.query.cells == query.cells:
                if finding.result == "unsat":
                    # the formula on the screen is that of the unit, but the core is minimised with that of the board
                    counters = found.counters if found.query.topic in ABOUT_UNIT else finding.counters
                    made = replace(found, units=finding.units, placed=finding.placed, before=finding.before,
                                   because=finding.because, explanation=finding.explanation, counters=counters)
                    self.questions[index] = replace(asked, finding=made)
                self.index, self.view = index, "board"
                return self.questions[index]
        raise LookupError("a core of no question")

    def next_question(self, direction: int) -> bool:
        """Go to a later or earlier question, after the last one to the present board; False if there is none."""
        if not 0 <= self.index + direction <= len(self.questions):
            return False
        self.index, self.view = self.index + direction, "board"
        return True

    def toggle_explanation(self) -> bool:
        """Show or hide the deduced values on the board; False if there are none."""
        explanation = None if self.current is None else self.current.finding.explanation
        if explanation is None or not explanation.rounds:
            return False
        self.view = "board" if self.view == "explanation" else "explanation"
        return True

    def next_answer(self) -> bool:
        """Show a solution, then a second one if there is one, then the board again; False if there is none."""
        current = self.current
        if current is None or not current.finding.grid:
            return False
        after: dict[BoardView, BoardView] = {"answer": "other" if current.finding.other else "board", "other": "board"}
        self.view = after.get(self.view, "answer")
        return True

    # The board and the automaton that are shown

    @property
    def grid(self) -> tuple[int, ...]:
        """The n*n values that are shown: with the value that was asked about, or those of the answer or explanation."""
        current = self.current
        if current is None:
            return self.cells
        found = current.finding
        if self.view in ("answer", "other"):
            return found.grid if self.view == "answer" else found.other
        if self.view == "explanation" and found.explanation is not None:
            asked = self._asked(found.query, found.word)
            return tuple(deduced or value for deduced, value in zip(found.explanation.values, asked, strict=True))
        return self._asked(found.query, found.word)

    def _asked(self, query: Query, word: tuple[int, ...]) -> tuple[int, ...]:
        values = list(query.cells)
        if query.topic == "value":
            values[query.cell] = query.value
        elif word and len(word) == self.puzzle.n:
            for cell, value in zip(self.puzzle.geometry.units[query.unit].cells, word, strict=True):
                values[cell] = value if value <= self.puzzle.n else 0
        return tuple(values)

    @property
    def awaited(self) -> int:
        """The value that the automaton of `strip` waits for; 0: it reads a word."""
        explanation = None if self.current is None else self.current.finding.explanation
        return explanation.value if explanation is not None and explanation.unit is not None else 0

    @property
    def about_unit(self) -> bool:
        """The formula on the screen is that of one unit."""
        if self.current is None:
            return self.scope != "board"
        return self.current.finding.query.topic in ABOUT_UNIT

    @property
    def lists_core(self) -> bool:
        """The formula on the screen has the core of the current question among its constraints."""
        return self.current is not None and bool(self.current.finding.size) and not self.about_unit

    def strip(self) -> AutomatonPanel:
        """The automaton of the current question reading its word; without one, the selected automaton reading the
        board."""
        found = None if self.current is None else self.current.finding
        if self.awaited and found is not None and found.explanation is not None and found.explanation.unit is not None:
            panel = value_panel(self.puzzle, found.explanation.unit, found.explanation.value, found.explanation.values,
                                self._asked(found.query, found.word), found.units, found.helps)
            return replace(panel, because=tuple(each.removesuffix(", logic") for each in panel.because))
        if found is not None and found.word:
            unit, n = found.query.unit, self.puzzle.n
            word = (*found.word[:n], *(0,) * (n - len(found.word)))
            panel = word_panel(self.puzzle, unit, word, self._reasons(unit, found), found.blame)
            return panel if len(found.word) == n else replace(panel, accepted=False)
        unit = self.unit
        word = tuple(self.grid[cell] for cell in self.puzzle.geometry.units[unit].cells)
        return word_panel(self.puzzle, unit, word, self._reasons(unit, None))

    def _reasons(self, unit: int, found: Finding | None) -> list[str]:
        """The source of each letter: given, set, asked, in the answer; or why it is rejected."""
        cells, grid = self.puzzle.geometry.units[unit].cells, self.grid
        read = found if found is not None and found.query.topic in ("word", "model") else None
        word = tuple(grid[cell] for cell in cells) if read is None else read.word
        placed = self.cells if read is None else read.query.cells
        typed = () if read is None else read.query.word
        reasons = []
        for position, cell in enumerate(cells):
            if found is not None and position in found.blame:
                reasons.append("twice" if len(found.blame) > 1 else "wrong")
            elif position >= len(word):
                reasons.append("absent")
            elif word[position] and word[position] == self.puzzle.givens[cell]:
                reasons.append("given")
            elif word[position] and word[position] == placed[cell]:
                reasons.append("set")
            elif read is not None:
                reasons.append("typed" if any(typed[position : position + 1]) else "found")
            else:
                reasons.append("asked" if word[position] and self.view == "board" else
                               "answer" if word[position] else "open")
        return reasons


def _middle(puzzle: Puzzle) -> int:
    """The free cell nearest to the middle of the board; the middle if no cell is free."""
    half = puzzle.n // 2

    def distance(cell: int) -> int:
        return abs(cell // puzzle.n - half) + abs(cell % puzzle.n - half)

    return min(puzzle.free_cells, key=distance, default=half * puzzle.n + half)
