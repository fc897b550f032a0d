"""The automaton of a board: the automata of all rows, columns, boxes and diagonals share the variables of the cells.

`transitions` has the states and transitions of one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from engine.automata.encodings import EncodingName, Pair
from engine.automata.network import Answer, Network, NoAnswer, Result
from engine.automata.prover import Deadline
from engine.automata.unit import TIMEOUT, all_automata, cell_at
from engine.errors import PuzzleError
from engine.puzzle import Puzzle


class Solved(Struct, frozen=True):
    """The result of `solve`."""

    status: Literal["solved", "unsatisfiable", "unknown"]
    grid: tuple[int, ...] | None = None
    """The n*n values, if solved."""
    reason: str = ""
    """The reason for *unknown*, as a clause."""


class Solutions(NamedTuple):
    """The result of `solutions`."""

    grids: tuple[tuple[int, ...], ...]
    more: Result
    """sat if there is another solution, unsat if there is none, or unknown."""


class SolutionCount(NamedTuple):
    """The result of `count_solutions`."""

    found: int
    exact: bool
    """False if there may be more: the limit or the timeout was reached."""


def find_solutions(network: Network, cells: Sequence[int], limit: int, deadline: Deadline) -> Solutions:
    """Up to `limit` (1 or more) completions of a board (n*n values, 0 = open), each excluded by a blocking clause
    before the next query. The clauses are retracted at the end."""
    if limit < 1:
        raise PuzzleError(f"a limit of {limit} solutions: expected 1 or more")
    placed = [(cell, value) for cell, value in enumerate(cells) if value]
    free = [cell for cell, value in enumerate(cells) if not value]
    grids: list[tuple[int, ...]] = []
    try:
        with network.apart(deadline):
            while (more := network.ask(placed, deadline=deadline).result) == "sat" and len(grids) < limit:
                grids.append(network.grid())
                network.block({cell: grids[-1][cell] for cell in free})
    except NoAnswer:
        more = "unknown"
    return Solutions(tuple(grids), more)


class SudokuAutomaton:
    """A board whose cells can be set, queried, solved and counted through Z3. Rows and columns count from 0.

    Queries leave the automaton unchanged.
    """

    def __init__(self, puzzle: Puzzle | None = None, encoding: EncodingName = "one-hot") -> None:
        """Start from the givens of a puzzle, or from an empty 9x9 board."""
        self.puzzle = Puzzle((0,) * 81) if puzzle is None else puzzle
        self.n = self.puzzle.n
        self.network = Network(self.puzzle.geometry, encoding)
        self.automata = all_automata(self.network)
        """In the order of `geometry.units`: rows, columns, boxes, diagonals."""
        self.cells = list(self.puzzle.givens)
        """The values as they are now: n*n, 0 = free."""

    def set_cell(self, row: int, column: int, value: int) -> None:
        """Set a cell to a value, or to 0 (free), without checking that it fits. Raises PuzzleError (a ValueError) off
        the board or for a value outside 0 to n."""
        cell = cell_at(row, column, self.n)
        if not 0 <= value <= self.n:
            raise PuzzleError(f"value {value}: expected 1 to {self.n}, or 0 for a free cell")
        self.cells[cell] = value

    def ask(self, row: int, column: int, value: int, timeout: float | None = TIMEOUT) -> Answer:
        """Ask whether the other cells can be completed with `value` in this cell, whatever it holds now. The answer
        has the core if they cannot."""
        return self.network.ask(self._with(row, column, value), deadline=Deadline(timeout))

    def is_valid_placement(self, row: int, column: int, value: int, timeout: float | None = TIMEOUT) -> bool:
        """`ask` as a bool. Raises NoAnswer if Z3 has no answer in time."""
        answer = self.network.possible(self._with(row, column, value), Deadline(timeout))
        if answer.result == "unknown":
            raise NoAnswer(answer.reason)
        return answer.result == "sat"

    def solve(self, timeout: float | None = TIMEOUT) -> Solved:
        """Complete the board, prove that no completion exists, or report *unknown* after `timeout` seconds."""
        self.network.begin()
        answer = self.network.ask(self._placed(), deadline=Deadline(timeout))
        if answer.result == "unknown":
            return Solved("unknown", reason=answer.reason)
        return Solved("solved", self.network.grid()) if answer.result == "sat" else Solved("unsatisfiable")

    def solutions(self, limit: int, timeout: float | None = TIMEOUT) -> Solutions:
        """Up to `limit` (1 or more) completions, each excluded by a blocking clause before the next query. The clauses
        are retracted at the end."""
        self.network.begin()
        return find_solutions(self.network, self.cells, limit, Deadline(timeout))

    def count_solutions(self, limit: int = 10, timeout: float | None = TIMEOUT) -> SolutionCount:
        """The number of completions, up to `limit`, and whether it is exact."""
        found = self.solutions(limit, timeout)
        return SolutionCount(len(found.grids), found.more == "unsat")

    def unique(self, timeout: float | None = TIMEOUT) -> Literal["yes", "no", "unknown"]:
        """`yes` if exactly one completion exists, `no` if none or several do, `unknown` at the timeout."""
        found = self.solutions(1, timeout)
        if found.more == "unknown":
            return "unknown"
        return "yes" if found.grids and found.more == "unsat" else "no"

    def interrupt(self) -> None:
        """End the current operation from another thread; its result is *unknown*."""
        self.network.interrupt()

    def _with(self, row: int, column: int, value: int) -> list[Pair]:
        """Begin an operation: the placed values, with `value` in the given cell."""
        cell = cell_at(row, column, self.n)
        if not 1 <= value <= self.n:
            raise PuzzleError(f"value {value}: expected 1 to {self.n}")
        self.network.begin()
        return [*self._placed(but=cell), (cell, value)]

    def _placed(self, but: int | None = None) -> list[Pair]:
        return [(cell, value) for cell, value in enumerate(self.cells) if value and cell != but]
