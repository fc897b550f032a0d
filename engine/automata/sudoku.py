"""The automaton of a whole board: all its rows, columns, boxes and diagonals, sharing the variables of the cells."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from engine.automata.encodings import EncodingName, Pair
from engine.automata.network import Answer, Network, NoAnswer, Result
from engine.automata.prover import Deadline
from engine.automata.unit import TIMEOUT, all_automata, cell_at
from engine.errors import PuzzleError
from engine.puzzle import Puzzle


class Solved(Struct, frozen=True):
    """What came of `solve`."""

    status: Literal["solved", "unsatisfiable", "unknown"]
    grid: tuple[int, ...] | None = None
    """The n*n values, where it is solved."""
    reason: str = ""
    """Why it is unknown."""


class Found(NamedTuple):
    grids: tuple[tuple[int, ...], ...]
    more: Result
    """Whether there is another one: sat, unsat, or unknown."""


class Counted(NamedTuple):
    found: int
    exact: bool
    """False where there may be more: the limit or the time was reached."""


class SudokuAutomaton:
    """The cells of a board, and whether what stands in them can be completed. Rows and columns count from 0."""

    def __init__(self, puzzle: Puzzle | None = None, encoding: EncodingName = "one-hot") -> None:
        """The board of a puzzle, with its givens; an empty 9x9 board without one."""
        self.puzzle = Puzzle((0,) * 81) if puzzle is None else puzzle
        self.n = self.puzzle.n
        self.network = Network(self.puzzle.geometry, encoding)
        self.automata = all_automata(self.network)
        """In the order of `geometry.units`: rows, columns, boxes, diagonals."""
        self.cells = list(self.puzzle.givens)
        """What stands now: n*n values, 0 = free."""

    def set_cell(self, row: int, column: int, value: int) -> None:
        """Put a value, or 0 for none, in a cell. Raises PuzzleError (a ValueError) off the board or for another
        value. Whether it fits is not asked."""
        cell = cell_at(row, column, self.n)
        if not 0 <= value <= self.n:
            raise PuzzleError(f"value {value}: expected 1 to {self.n}, or 0 for a free cell")
        self.cells[cell] = value

    def ask(self, row: int, column: int, value: int, timeout: float | None = TIMEOUT) -> Answer:
        """Whether the cell can hold the value, whatever it holds now, so that what stands elsewhere can be completed;
        with the core if not. The automaton stays as it is."""
        return self.network.ask(self._with(row, column, value), deadline=Deadline(timeout))

    def is_valid_placement(self, row: int, column: int, value: int, timeout: float | None = TIMEOUT) -> bool:
        """`ask` as yes or no. Raises NoAnswer where Z3 comes to none in time, which is not a no."""
        answer = self.network.possible(self._with(row, column, value), Deadline(timeout))
        if answer.result == "unknown":
            raise NoAnswer(answer.reason)
        return answer.result == "sat"

    def solve(self, timeout: float | None = TIMEOUT) -> Solved:
        """A completion of what stands, the proof that there is none, or neither. The automaton stays as it is."""
        self.network.begin()
        answer = self.network.ask(self._standing(), deadline=Deadline(timeout))
        if answer.result == "unknown":
            return Solved("unknown", reason=answer.reason)
        return Solved("solved", self.network.grid()) if answer.result == "sat" else Solved("unsatisfiable")

    def solutions(self, limit: int, timeout: float | None = TIMEOUT) -> Found:
        """Up to `limit` (1 or more) completions of what stands, each blocked by a clause before the next is asked
        for. The clauses are taken back: the automaton stays as it is."""
        if limit < 1:
            raise PuzzleError(f"a limit of {limit} solutions: expected 1 or more")
        self.network.begin()
        deadline, standing = Deadline(timeout), self._standing()
        free = [cell for cell, value in enumerate(self.cells) if not value]
        grids: list[tuple[int, ...]] = []
        try:
            with self.network.apart(deadline):
                while (more := self.network.ask(standing, deadline=deadline).result) == "sat" and len(grids) < limit:
                    grids.append(self.network.grid())
                    self.network.block({cell: grids[-1][cell] for cell in free})
        except NoAnswer:
            more = "unknown"
        return Found(tuple(grids), more)

    def count_solutions(self, limit: int = 10, timeout: float | None = TIMEOUT) -> Counted:
        """How many completions there are, up to `limit`, and whether that is the exact number."""
        found = self.solutions(limit, timeout)
        return Counted(len(found.grids), found.more == "unsat")

    def unique(self, timeout: float | None = TIMEOUT) -> Literal["yes", "no", "unknown"]:
        """Whether there is exactly one completion."""
        found = self.solutions(1, timeout)
        if found.more == "unknown":
            return "unknown"
        return "yes" if found.grids and found.more == "unsat" else "no"

    def interrupt(self) -> None:
        """End the operation that goes on, from another thread; it says unknown."""
        self.network.interrupt()

    def _with(self, row: int, column: int, value: int) -> list[Pair]:
        """What stands, with this value in that cell: the beginning of an operation."""
        cell = cell_at(row, column, self.n)
        if not 1 <= value <= self.n:
            raise PuzzleError(f"value {value}: expected 1 to {self.n}")
        self.network.begin()
        return [*self._standing(but=cell), (cell, value)]

    def _standing(self, but: int | None = None) -> list[Pair]:
        return [(cell, value) for cell, value in enumerate(self.cells) if value and cell != but]
