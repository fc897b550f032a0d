"""Answers to `engine.automata.questions`, from long-lived networks, one per encoding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from engine.automata.encodings import EncodingName
from engine.automata.explanation import UNEXPLAINED, explain_core
from engine.automata.formula import Pair
from engine.automata.network import Answer, Network, NoAnswer
from engine.automata.prover import Deadline
from engine.automata.questions import Counters, Finding, Query, Topic
from engine.automata.sudoku import find_solutions
from engine.automata.unit import UnitAutomaton
from engine.automata.unsat_core import Core
from engine.errors import PuzzleError
from engine.puzzle import Geometry, Puzzle, cell_name

KEPT = 3
"""Networks in the cache, the most recently used ones. A network of 25x25 takes about 100 MB."""


class Inquiry:
    """Answers queries about one board. Not thread-safe. An interrupted query leaves no trace in the next one."""

    def __init__(self, puzzle: Puzzle, timeout: float | None) -> None:
        """`timeout`: seconds for one query, in total."""
        self.puzzle = puzzle
        self.timeout = timeout
        self._networks: dict[tuple[EncodingName, int | None], Network] = {}
        self._ways: Mapping[Topic, Callable[[Query, Network, Deadline], Finding]] = {
            "value": self._value, "solution": self._solution, "second": self._solutions, "unique": self._solutions,
            "count": self._count,
            "word": self._word, "model": self._model, "minimise": self._minimised, "text": self._text,
        }

    def put(self, query: Query) -> Finding:
        """Answer a query. Raises PuzzleError for a cell, value or unit out of range, Interrupted on a request to give
        way."""
        self._check(query)
        network = self.network(query.encoding, query.unit if query.topic in ("word", "model", "text") else None)
        network.begin()
        try:
            found = self._ways[query.topic](query, network, Deadline(self.timeout))
        except NoAnswer as no:
            found = Finding(query, "unknown", str(no))
        return _counted(found, network)

    def network(self, encoding: EncodingName, unit: int | None = None) -> Network:
        """The network of the board in this encoding, or of a single unit, from the cache if possible.

        A query about one unit gets a network without the other units: given all rules of a board, Z3 spends thousands
        of steps on deciding which of the others to violate.
        """
        key = encoding, unit
        geometry = self.puzzle.geometry if unit is None else alone(self.puzzle.geometry, unit)
        found = self._networks.pop(key, None) or Network(geometry, encoding)
        self._networks[key] = found
        while len(self._networks) > KEPT:
            self._networks.pop(next(iter(self._networks)))
        return found

    def _check(self, query: Query) -> None:
        n = self.puzzle.n
        if not 0 <= query.cell < n * n:
            raise PuzzleError(f"cell {query.cell}: expected 0 to {n * n - 1}")
        if query.topic == "value" and not 1 <= query.value <= n:
            raise PuzzleError(f"value {query.value}: expected 1 to {n}")
        if not 0 <= query.unit < len(self.puzzle.geometry.units):
            raise PuzzleError(f"unit {query.unit}: expected 0 to {len(self.puzzle.geometry.units) - 1}")

    # The whole board

    def _value(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        placed = [pair for pair in placed_values(query.cells) if pair[0] != query.cell]
        return self._asked(query, network, [*placed, (query.cell, query.value)], deadline)

    def _solution(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        return self._asked(query, network, placed_values(query.cells), deadline)

    def _asked(self, query: Query, network: Network, placed: list[Pair], deadline: Deadline) -> Finding:
        answer = network.ask(placed, deadline=deadline)
        if answer.result == "sat":
            return Finding(query, "sat", grid=network.grid())
        if answer.core is None:
            return Finding(query, "unknown", answer.reason)
        return self._refused(query, answer.core, placed)

    def _refused(self, query: Query, core: Core, placed: Iterable[Pair], before: int = 0) -> Finding:
        """A core with its explanation by human techniques."""
        explanation = explain_core(self.puzzle, core, placed)
        because = UNEXPLAINED if explanation is None else explanation.because
        return Finding(query, "unsat", because, core.units, core.placed, before, explanation=explanation)

    def _solutions(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        """`second`: sat if a second solution exists. `unique`: sat if none does."""
        placed = placed_values(query.cells)
        first = self._asked(query, network, placed, deadline)
        if first.result != "sat":
            return first
        blocked = {cell: first.grid[cell] for cell, value in enumerate(query.cells) if not value}
        with network.apart(deadline):
            network.block(blocked)
            second = network.ask(placed, deadline=deadline)
            other = network.grid() if second.result == "sat" else ()
        if second.result == "unknown":
            return Finding(query, "unknown", f"there is a solution; a second one: {second.reason}", grid=first.grid)
        wanted = "sat" if query.topic == "second" else "unsat"
        return Finding(query, "sat" if second.result == wanted else "unsat", grid=first.grid, other=other)

    def _count(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        """Count solutions by blocking clauses: sat if there are some, unsat with a core if there is none."""
        found = find_solutions(network, query.cells, query.limit, deadline)
        if not found.grids and found.more == "unsat":
            return self._solution(query, network, deadline)
        if not found.grids:
            raise NoAnswer(deadline.reason)
        other = found.grids[1] if len(found.grids) > 1 else ()
        return Finding(query, "sat", grid=found.grids[0], other=other, count=len(found.grids),
                       exact=found.more == "unsat")

    def _minimised(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        core = Core(query.core_units, query.core_placed)
        if not core.units and len({cell for cell, _value in core.placed}) == 1:  # of a word: minimal as it is
            cell = cell_name(core.placed[0][0], self.puzzle.n)
            both = " and ".join(str(value) for _cell, value in core.placed)
            return Finding(query, "unsat", f"{cell} cannot hold {both}", (), core.placed, core.size)
        smaller = network.minimised(core, deadline)
        if deadline.left() == 0.0 and smaller.size == core.size:
            return Finding(query, "unknown", deadline.reason, core.units, core.placed)
        return self._refused(query, smaller, core.placed, core.size)

    # One automaton

    def _word(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        """Read the word with the automaton and compare it with the values in the unit, up to the first letter that
        either refuses; then compare it with the whole board."""
        automaton = UnitAutomaton(0, network)
        word = query.word
        try:
            reading = automaton.accepts(word, deadline.left())
        except PuzzleError as wrong:
            return Finding(query, "unsat", str(wrong), word=word)
        differs = next((position for position, cell in enumerate(automaton.cells)
                        if query.cells[cell] not in (0, word[position])), len(word))
        if not reading and reading.blame[-1] <= differs:
            return Finding(query, "unsat", reading.because, word=word, blame=reading.blame)
        letters = list(zip(automaton.cells, word, strict=True))
        there = [(cell, query.cells[cell]) for cell in automaton.cells if query.cells[cell]]
        network.begin()
        against = network.ask([*letters[:differs + 1], *there], (0,), deadline)
        if against.core is not None:
            return self._contradicted(query, automaton, differs)
        if against.result == "unknown":
            return Finding(query, "unknown", against.reason, word=word)
        board = self.network(query.encoding)
        board.begin()
        beyond = board.ask([*letters, *(pair for pair in placed_values(query.cells) if pair not in there)],
                             deadline=deadline)
        return self._fitting(query, board, beyond, letters)

    def _contradicted(self, query: Query, automaton: UnitAutomaton, position: int) -> Finding:
        """The letter at this position contradicts the value in its cell: these two are a minimal core."""
        cell = automaton.cells[position]
        how = "is given" if self.puzzle.givens[cell] else "is set to"
        value, letter = query.cells[cell], query.word[position]
        because = f"{cell_name(cell, self.puzzle.n)} {how} {value}, not {letter}"
        core = (cell, min(value, letter)), (cell, max(value, letter))
        return Finding(query, "unsat", because, (), core, word=query.word, blame=(position,))

    def _fitting(self, query: Query, network: Network, beyond: Answer, letters: list[Pair]) -> Finding:
        """The finding for an accepted word, with the result for the whole board."""
        if beyond.result == "sat":
            return Finding(query, "sat", "", grid=network.grid(), word=query.word, beyond="sat")
        if beyond.core is None:
            return Finding(query, "sat", beyond.reason, word=query.word, beyond="unknown")
        found = self._refused(query, beyond.core, [*placed_values(query.cells), *letters])
        return Finding(query, "sat", found.because, found.units, found.placed, word=query.word, beyond="unsat",
                       explanation=found.explanation)

    def _model(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        """A word with the letters of `word` and the values in the unit that is not in `without`."""
        automaton = UnitAutomaton(0, network)
        letters = query.word or (0,) * self.puzzle.n
        there = [(cell, query.cells[cell]) for cell in automaton.cells if query.cells[cell]]
        wanted = [(cell, value) for cell, value in zip(automaton.cells, letters, strict=True) if value]
        with network.apart(deadline):
            for word in query.without:
                network.block(dict(zip(automaton.cells, word, strict=True)))
            answer = network.ask([*there, *(pair for pair in wanted if pair not in there)], (0,), deadline)
            grid = network.grid() if answer.result == "sat" else ()
        if answer.result == "sat":
            return Finding(query, "sat", word=tuple(grid[cell] for cell in automaton.cells))
        if answer.result == "unknown":
            return Finding(query, "unknown", answer.reason)
        because = "there is no other word" if query.without else "there is no such word"
        return Finding(query, "unsat", because)

    def _text(self, query: Query, network: Network, deadline: Deadline) -> Finding:
        return Finding(query, "sat", texts=UnitAutomaton(0, network).formula())


def alone(geometry: Geometry, unit: int) -> Geometry:
    """The geometry with a single unit."""
    return Geometry(geometry.box, geometry.n, (geometry.units[unit],), (), (), (), (), ())


def placed_values(cells: Iterable[int]) -> list[Pair]:
    """The placed values, as (cell, value)."""
    return [(cell, value) for cell, value in enumerate(cells) if value]


def _counted(finding: Finding, network: Network) -> Finding:
    statistics = network.solver.statistics()
    found = {name.removeprefix("sat "): statistics.get_key_value(name) for name in statistics.keys()}  # noqa: SIM118
    propagations = [found[name] for name in ("propagations", "propagations 2ary", "propagations nary") if name in found]
    return replace(finding, counters=Counters(
        found.get("decisions"), sum(propagations) if propagations else None, found.get("conflicts"),
        float(found.get("memory", 0.0))))
