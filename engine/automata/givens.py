"""Validation of givens: which of them contradict each other, and why (the sheets' `validate_indices`)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.automata.encodings import EncodingName
from engine.automata.explanation import UNEXPLAINED, explain_core
from engine.automata.network import Network, NoAnswer
from engine.automata.prover import Deadline
from engine.automata.unit import TIMEOUT
from engine.automata.unsat_core import Core
from engine.events.search import MOST_IN_CORE
from engine.puzzle import Puzzle


class Contradiction(Struct, frozen=True):
    """A minimal set of givens and units that no grid satisfies."""

    core: Core
    because: str
    """The reason, as a clause: a chain of named techniques."""

    @property
    def helps(self) -> bool:
        """True if the core is small enough to show."""
        return self.core.size <= MOST_IN_CORE


class Verdict(Struct, frozen=True):
    """The result of `validate_givens`."""

    status: Literal["consistent", "contradictory", "unknown"]
    """*consistent*: there is a solution."""
    contradictions: tuple[Contradiction, ...] = ()
    """Disjoint sets of givens, the smallest first; the same givens may contain further contradictions."""
    reason: str = ""
    """The reason for *unknown*."""

    @property
    def cells(self) -> tuple[int, ...]:
        """The givens of all contradictions that are small enough to show, ascending."""
        return tuple(sorted({cell for each in self.contradictions if each.helps for cell in each.core.cells}))

    @property
    def units(self) -> tuple[int, ...]:
        return tuple(sorted({place for each in self.contradictions if each.helps for place in each.core.units}))


def validate_givens(puzzle: Puzzle, encoding: EncodingName = "one-hot", timeout: float | None = TIMEOUT,
                    network: Network | None = None) -> Verdict:
    """Find givens that contradict each other: a minimal core, then one among the remaining givens, until these are
    consistent. `network`: an existing network of the puzzle's geometry. At the timeout the contradictions found so far
    are returned."""
    deadline, found = Deadline(timeout), list[Contradiction]()
    network = Network(puzzle.geometry, encoding) if network is None else network
    network.begin()
    left = [(cell, value) for cell, value in enumerate(puzzle.givens) if value]
    while (answer := network.ask(left, deadline=deadline)).core is not None:
        core = network.minimised(answer.core, deadline)
        found.append(Contradiction(core, _why_in_time(puzzle, core, network, deadline)))
        left = [pair for pair in left if pair not in core.placed]
    if found:
        return Verdict("contradictory", tuple(sorted(found, key=lambda each: each.core.size)))
    if answer.result == "sat":
        return Verdict("consistent")
    return Verdict("unknown", reason=answer.reason)


def _why_in_time(puzzle: Puzzle, core: Core, network: Network, deadline: Deadline) -> str:
    try:
        with network.bounded(deadline):
            return why(puzzle, core)
    except NoAnswer as none:
        return f"no explanation: {none}"


def why(puzzle: Puzzle, core: Core) -> str:
    """The reason why the values of a core contradict each other, as a clause."""
    found = explain_core(puzzle, core, core.placed)
    return UNEXPLAINED if found is None else found.because
