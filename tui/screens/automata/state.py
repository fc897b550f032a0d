"""What is known on the screen of the automata: the board, what was asked of it and answered. Without any widget."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.automata.formula import ENCODINGS
from engine.automata.panels import spelled, waiting
from engine.automata.questions import Finding, Query, Topic
from engine.puzzle import Puzzle, Unit
from engine.view import AutomatonPanel
from tui.undo import Past

Shown = Literal["board", "answer", "other", "explanation"]
Scope = Literal["board", "row", "column", "box", "diagonal 1", "diagonal 2"]
KEPT = 500
"""Questions that are kept."""


class Entry(Struct, frozen=True):
    """A question with its answer."""

    number: int
    """Counted from 1."""
    finding: Finding
    seconds: float


class Book:
    """The board with what was set on it, the automaton that is chosen, and the questions, one of them in view."""

    def __init__(self, puzzle: Puzzle, cells: tuple[int, ...] | None = None) -> None:
        """`cells`: what stands (n*n values), where that is more than the givens; it can be taken back."""
        self.puzzle = puzzle
        self._board = Past(puzzle.givens)
        self.cursor = _middle(puzzle)
        self.scope: Scope = "board"
        self.encoding = ENCODINGS[0]
        self.entries: list[Entry] = []
        self.at = 0
        """The place of the question in view; behind the last one: none, and the board as it stands now."""
        self.core_only = False
        self.shown: Shown = "board"
        if cells is not None:
            self._board.become(cells)

    # The board

    @property
    def set_cells(self) -> int:
        """How many values were set."""
        return sum(bool(value) and not given for value, given in zip(self.cells, self.puzzle.givens, strict=True))

    @property
    def cells(self) -> tuple[int, ...]:
        """What stands: n*n values."""
        return self._board.now

    @property
    def has_past(self) -> bool:
        return self._board.has_past

    def put(self, cell: int, value: int) -> bool:
        """Set a free cell, 0 for none. Whether that changes anything."""
        if self.puzzle.givens[cell]:
            return False
        return self._changed(self._board.become((*self.cells[:cell], value, *self.cells[cell + 1:])))

    def undo(self) -> bool:
        """Take the last change back. Whether there was one."""
        return self._changed(self._board.undo())

    def redo(self) -> bool:
        """Make the change again that was taken back last. Whether there was one."""
        return self._changed(self._board.redo())

    def _changed(self, done: bool) -> bool:
        if done:
            self.leave()
        return done

    # The automaton

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What can be chosen."""
        diagonals: tuple[Scope, ...] = ("diagonal 1", "diagonal 2") if self.puzzle.variant == "diagonal" else ()
        return ("board", "row", "column", "box", *diagonals)

    def turn(self, direction: int) -> None:
        """Choose the next kind of automaton."""
        self.scope = self.scopes[(self.scopes.index(self.scope) + direction) % len(self.scopes)]
        self.leave()

    @property
    def unit(self) -> int:
        """The chosen unit, by its place in `geometry.units`; where the whole board is, the row of the cursor."""
        geometry = self.puzzle.geometry
        for place, unit in enumerate(geometry.units):
            if unit.name == self.scope:
                return place
            if unit.kind == ("row" if self.scope == "board" else self.scope) and self.cursor in unit.cells:
                return place
        raise LookupError(f"no unit {self.scope}")

    @property
    def unit_of(self) -> Unit:
        return self.puzzle.geometry.units[self.unit]

    def choose(self, place: int) -> None:
        """The automaton of this unit; the cursor goes into it."""
        unit = self.puzzle.geometry.units[place]
        self.scope = f"diagonal {unit.number}" if unit.kind == "diagonal" else unit.kind  # type: ignore[assignment]
        if self.cursor not in unit.cells:
            self.cursor = unit.cells[0]
        self.leave()

    def place(self, cell: int) -> None:
        """The cursor on this cell; a row, column or box that is chosen goes with it."""
        before, self.cursor = self.unit, cell
        if self.scope != "board" and self.unit != before:
            self.leave()

    def recode(self, direction: int) -> None:
        """The next encoding."""
        self.encoding = ENCODINGS[(ENCODINGS.index(self.encoding) + direction) % len(ENCODINGS)]

    # Questions

    @property
    def entry(self) -> Entry | None:
        """The question in view."""
        return self.entries[self.at] if self.at < len(self.entries) else None

    def leave(self) -> None:
        """Have no question in view, but the board as it stands now."""
        self.at, self.shown = len(self.entries), "board"

    def query(self, topic: Topic, *, value: int = 0, word: tuple[int, ...] = (), unit: int | None = None) -> Query:
        """A question about the board as it stands, the cell under the cursor, and the unit that is chosen."""
        place = self.unit if unit is None else unit
        query = Query(topic, self.cells, self.encoding, self.cursor, value, place, word)
        return replace(query, without=self._found(query)) if topic == "model" else query

    def _found(self, query: Query) -> tuple[tuple[int, ...], ...]:
        """The words that were found for the same unit with the same letters."""
        cells = self.puzzle.geometry.units[query.unit].cells

        def alike(other: Query) -> bool:
            return (other.topic, other.unit, other.word) == (query.topic, query.unit, query.word) and all(
                other.cells[cell] == query.cells[cell] for cell in cells)

        return tuple(each.finding.word for each in self.entries if each.finding.word and alike(each.finding.query))

    def smaller(self) -> Query | None:
        """What makes the core in view smaller; None without one."""
        entry = self.entry
        if entry is None or not entry.finding.size:
            return None
        found = entry.finding
        return replace(found.query, topic="minimise", core_units=found.units, core_placed=found.placed)

    def take(self, finding: Finding, seconds: float) -> Entry:
        """Keep an answer and have it in view. A core that was made smaller takes the place of the one it was."""
        if finding.query.topic == "minimise":
            return self._shrunk(finding)
        number = self.entries[-1].number + 1 if self.entries else 1
        self.entries = [*self.entries, Entry(number, finding, seconds)][-KEPT:]
        self.at, self.shown = len(self.entries) - 1, "board"
        return self.entries[self.at]

    def _shrunk(self, finding: Finding) -> Entry:
        query = finding.query
        for place, entry in reversed(list(enumerate(self.entries))):
            found = entry.finding
            same = (found.units, found.placed) == (query.core_units, query.core_placed)
            if same and found.query.cells == query.cells:
                if finding.result == "unsat":
                    made = replace(found, units=finding.units, placed=finding.placed, before=finding.before,
                                   because=finding.because, told=finding.told, counters=finding.counters)
                    self.entries[place] = replace(entry, finding=made)
                self.at, self.shown = place, "board"
                return self.entries[place]
        raise LookupError("a core of no question")

    def go(self, direction: int) -> bool:
        """To an earlier or later question, behind the last one to the board as it stands. Whether there is one."""
        if not 0 <= self.at + direction <= len(self.entries):
            return False
        self.at, self.shown = self.at + direction, "board"
        return True

    def explain(self) -> bool:
        """Have the explanation on the board, or, asked again, the board. Whether there is one."""
        entry = self.entry
        if entry is None or entry.finding.told is None:
            return False
        self.shown = "board" if self.shown == "explanation" else "explanation"
        return True

    def turn_answer(self) -> bool:
        """The answer on the board, then a second solution if there is one, then the board. Whether there is one."""
        entry = self.entry
        if entry is None or not entry.finding.grid:
            return False
        after: dict[Shown, Shown] = {"answer": "other" if entry.finding.other else "board", "other": "board"}
        self.shown = after.get(self.shown, "answer")
        return True

    # What is seen

    @property
    def grid(self) -> tuple[int, ...]:
        """The values on the board: with the value that was asked, or those of the answer or the explanation."""
        entry = self.entry
        if entry is None:
            return self.cells
        found = entry.finding
        if self.shown in ("answer", "other"):
            return found.grid if self.shown == "answer" else found.other
        if self.shown == "explanation" and found.told is not None:
            asked = self._asked(found.query, found.word)
            return tuple(deduced or value for deduced, value in zip(found.told.values, asked, strict=True))
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
        found = None if self.entry is None else self.entry.finding
        return found.told.value if found is not None and found.told is not None and found.told.unit is not None else 0

    @property
    def about_unit(self) -> bool:
        """Whether it is the formula of one unit that is asked about."""
        if self.entry is None:
            return self.scope != "board"
        return self.entry.finding.query.topic in ("word", "model")

    def strip(self) -> AutomatonPanel:
        """The automaton of the question in view reading its word; without a question, the chosen one reading what
        stands."""
        entry = self.entry
        found = None if entry is None else entry.finding
        if self.awaited and found is not None and found.told is not None and found.told.unit is not None:
            return waiting(self.puzzle, found.told.unit, found.told.value, found.told.values)
        if found is not None and found.word and len(found.word) == self.puzzle.n:
            unit = found.query.unit
            return spelled(self.puzzle, unit, found.word, self._reasons(unit, found), found.blame)
        unit = self.unit
        word = [self.grid[cell] for cell in self.puzzle.geometry.units[unit].cells]
        return spelled(self.puzzle, unit, word, self._reasons(unit, None))

    def _reasons(self, unit: int, found: Finding | None) -> list[str]:
        """Where each letter comes from: given, set, asked, in the answer; what is wrong with it."""
        cells, grid = self.puzzle.geometry.units[unit].cells, self.grid
        source = {"word": "typed", "model": "found"}.get(found.query.topic, "") if found is not None else ""
        word = found.word if found is not None else ()
        reasons = []
        for position, cell in enumerate(cells):
            if found is not None and position in found.blame:
                reasons.append("twice" if len(found.blame) > 1 else "wrong")
            elif self.puzzle.givens[cell] and (not source or word[position] == self.puzzle.givens[cell]):
                reasons.append("given")
            elif source:
                reasons.append(source)
            elif self.cells[cell]:
                reasons.append("set")
            else:
                reasons.append("asked" if grid[cell] and self.shown == "board" else "answer" if grid[cell] else "open")
        return reasons


def _middle(puzzle: Puzzle) -> int:
    """The free cell that is nearest to the middle of the board; its middle where none is free."""
    half = puzzle.n // 2

    def distance(cell: int) -> int:
        return abs(cell // puzzle.n - half) + abs(cell % puzzle.n - half)

    return min(puzzle.free_cells, key=distance, default=half * puzzle.n + half)
