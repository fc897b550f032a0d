"""Automata of single units: each reads a word of n values and accepts it if every value occurs once.

`engine.automata.transitions` has their states and transitions. Whether a word is accepted is decided by Z3, over the
variables that all automata of a board share (`engine.automata.network`), and a test compares both.

Rows, columns and positions are counted from 0, as in the course; names (`row 1`, `r1c1`) count from 1, as on screen.
Symbolic automata: D'Antoni & Veanes, "The Power of Symbolic Automata and Transducers", CAV 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from engine.automata.encodings import EncodingName
from engine.automata.network import Network, NoAnswer
from engine.automata.prover import Deadline
from engine.automata.transitions import State, read
from engine.automata.unsat_core import Core
from engine.errors import PuzzleError
from engine.puzzle import Unit, cell_name, geometry

TIMEOUT = 5.0
"""Default time limit of an operation, in seconds."""


class Reading(Struct, frozen=True):
    """The result of reading a word. True if the word is accepted."""

    accepted: bool
    blame: tuple[int, ...]
    """Positions of the letters to blame: the two equal ones, or the one outside the alphabet. Empty if accepted."""
    because: str
    """The reason for a rejection, as a clause."""
    states: tuple[State | None, ...]
    """The state before the word and after each letter; None after the word was rejected."""

    def __bool__(self) -> bool:
        return self.accepted


def cell_at(row: int, column: int, n: int) -> int:
    """The index of a cell, row * n + column. Raises PuzzleError (a ValueError) off the board."""
    for name, index in (("row", row), ("column", column)):
        if not 0 <= index < n:
            raise PuzzleError(f"{name} {index}: expected 0 to {n - 1}")
    return row * n + column


class UnitAutomaton:
    """The automaton of one unit of a board."""

    kind: ClassVar[str]

    def __init__(self, place: int, network: Network) -> None:
        """`place`: index of the unit in `geometry.units`."""
        self.place = place
        self.network = network
        self.unit: Unit = network.geometry.units[place]
        self.n = network.geometry.n

    @property
    def cells(self) -> tuple[int, ...]:
        return self.unit.cells

    @property
    def positions(self) -> tuple[tuple[int, int], ...]:
        """(row, column) of each cell, in reading order."""
        return tuple(divmod(cell, self.n) for cell in self.unit.cells)

    @property
    def name(self) -> str:
        return self.unit.name

    def accepts(self, values: Sequence[int], timeout: float | None = TIMEOUT) -> Reading:
        """Read a word of n values. Raises PuzzleError (a ValueError) for another length, NoAnswer if Z3 has no answer
        within `timeout` seconds."""
        self._require_length(values)
        outside = next((k for k, value in enumerate(values) if not 1 <= value <= self.n), None)
        core = self._contradiction(values if outside is None else values[:outside], timeout)
        if core is not None:
            first, second = self._blame(core)
            because = f"{values[second]} is already at {cell_name(self.cells[first], self.n)}"
            return Reading(False, (first, second), because, read(self.n, values))
        if outside is not None:
            because = f"{values[outside]} is not in 1 to {self.n}"
            return Reading(False, (outside,), because, read(self.n, values))
        return Reading(True, (), "", read(self.n, values))

    def model(self, values: Sequence[int] | None = None, timeout: float | None = TIMEOUT) -> tuple[int, ...] | None:
        """An accepted word, with the given letters if `values` (n of them, 0 = any) are given; None if there is none.
        Raises PuzzleError for another length or value, NoAnswer if Z3 has no answer in time."""
        wanted = [0] * self.n if values is None else list(values)
        self._require_length(wanted)
        for value in wanted:
            if not 0 <= value <= self.n:
                raise PuzzleError(f"letter {value}: expected 1 to {self.n}, or 0 for any")
        self.network.begin()
        answer = self.network.ask(self._placed(wanted), (self.place,), Deadline(timeout))
        if answer.result == "unknown":
            raise NoAnswer(answer.reason)
        if answer.result == "unsat":
            return None
        grid = self.network.grid()
        return tuple(grid[cell] for cell in self.cells)

    def formula(self) -> tuple[str, ...]:
        """The rule of the unit in SMT-LIB, as Z3 prints it."""
        return tuple(part.sexpr() for part in self.network.encoding.rule(self.unit))

    def _require_length(self, values: Sequence[int]) -> None:
        if len(values) != self.n:
            raise PuzzleError(f"a word of {len(values)} values for {self.name}: expected {self.n}")

    def _placed(self, values: Sequence[int]) -> list[tuple[int, int]]:
        return [(cell, value) for cell, value in zip(self.cells, values, strict=False) if value]

    def _contradiction(self, values: Sequence[int], timeout: float | None) -> Core | None:
        """A minimal core of the shortest prefix that no accepted word has, found by bisection; None if every prefix
        can be completed. Raises NoAnswer."""
        self.network.begin()
        deadline = Deadline(timeout)
        placed, low, high = self._placed(values), 0, len(values) + 1
        refused = None
        while high - low > 1:
            middle = (low + high) // 2 if refused else len(values)
            answer = self.network.ask(placed[:middle], (self.place,), deadline)
            if answer.result == "unknown":
                raise NoAnswer(answer.reason)
            if answer.core is None:
                low = middle
            else:
                high, refused = middle, answer.core
        return None if refused is None else self.network.minimised(refused, deadline, (self.place,))

    def _blame(self, core: Core) -> tuple[int, int]:
        """The positions of two equal letters in a core. A minimal core of a single unit contains nothing else, since
        letters that all differ can be completed."""
        seen: dict[int, int] = {}
        for position, value in sorted((self.cells.index(cell), value) for cell, value in core.placed):
            if value in seen:
                return seen[value], position
            seen[value] = position
        raise NoAnswer("the core could not be minimised in time to name the two equal letters")


def _network(network: Network | None, encoding: EncodingName) -> Network:
    """The given network, or a new one of a 9x9 board."""
    return Network(geometry(3), encoding) if network is None else network


class RowAutomaton(UnitAutomaton):
    """The automaton of a row, 0 to n - 1. Without a network it makes one for a 9x9 board."""

    kind = "row"

    def __init__(self, row: int, network: Network | None = None, encoding: EncodingName = "one-hot") -> None:
        network = _network(network, encoding)
        cell_at(row, 0, network.geometry.n)
        super().__init__(row, network)


class ColumnAutomaton(UnitAutomaton):
    """The automaton of a column, 0 to n - 1."""

    kind = "column"

    def __init__(self, column: int, network: Network | None = None, encoding: EncodingName = "one-hot") -> None:
        network = _network(network, encoding)
        cell_at(0, column, network.geometry.n)
        super().__init__(network.geometry.n + column, network)


class BlockAutomaton(UnitAutomaton):
    """The automaton of a box, by its row and column of boxes, each 0 to box - 1."""

    kind = "box"

    def __init__(self, box_row: int, box_col: int, network: Network | None = None,
                 encoding: EncodingName = "one-hot") -> None:
        network = _network(network, encoding)
        box = network.geometry.box
        for name, index in (("box row", box_row), ("box column", box_col)):
            if not 0 <= index < box:
                raise PuzzleError(f"{name} {index}: expected 0 to {box - 1}")
        super().__init__(2 * network.geometry.n + box_row * box + box_col, network)


class DiagonalAutomaton(UnitAutomaton):
    """The automaton of a main diagonal (diagonal variant): 0 falls, 1 rises."""

    kind = "diagonal"

    def __init__(self, number: int, network: Network) -> None:
        count = len(network.geometry.diagonals)
        if not 0 <= number < count:
            raise PuzzleError(f"diagonal {number}: the board has {count}, counted from 0")
        super().__init__(3 * network.geometry.n + number, network)


def all_automata(network: Network) -> tuple[UnitAutomaton, ...]:
    """Every automaton of a network, in the order of `geometry.units`."""
    n, box = network.geometry.n, network.geometry.box
    rows = [RowAutomaton(k, network) for k in range(n)]
    columns = [ColumnAutomaton(k, network) for k in range(n)]
    blocks = [BlockAutomaton(*divmod(k, box), network) for k in range(n)]
    return (*rows, *columns, *blocks, *(DiagonalAutomaton(k, network) for k in range(len(network.geometry.diagonals))))
