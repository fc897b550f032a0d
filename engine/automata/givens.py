"""Whether givens contradict each other, which of them, and why."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.automata.encodings import EncodingName
from engine.automata.explanation import explain_contradiction
from engine.automata.network import Core, Network, NoAnswer
from engine.automata.prover import Deadline
from engine.automata.unit import TIMEOUT
from engine.events.search import MOST_IN_CORE
from engine.puzzle import Puzzle

OPAQUE = "no technique up to hidden pairs shows it"


class Contradiction(Struct, frozen=True):
    """Givens that no grid has together with the units named: nothing of it can be left out."""

    core: Core
    because: str
    """As a clause; the human explanation where the core is too large to teach anything."""

    @property
    def helps(self) -> bool:
        """Whether the core is small enough to be shown."""
        return self.core.size <= MOST_IN_CORE


class Verdict(Struct, frozen=True):
    """What is known of the givens of a puzzle."""

    status: Literal["consistent", "contradictory", "unknown"]
    """Consistent: there is a solution."""
    contradictions: tuple[Contradiction, ...] = ()
    """Each with other givens, the smallest first; more of them may hide in the same givens."""
    reason: str = ""
    """Why it is unknown."""

    @property
    def cells(self) -> tuple[int, ...]:
        """The givens that contradict each other, ascending, as far as showing them helps."""
        return tuple(sorted({cell for each in self.contradictions if each.helps for cell in each.core.cells}))

    @property
    def units(self) -> tuple[int, ...]:
        return tuple(sorted({place for each in self.contradictions if each.helps for place in each.core.units}))


def validate_givens(puzzle: Puzzle, encoding: EncodingName = "one-hot", timeout: float | None = TIMEOUT,
                    network: Network | None = None) -> Verdict:
    """Which givens contradict each other: a minimal core, then one among the other givens, until these go together.
    A network of the puzzle's geometry that is there already is used. Where time runs out in between, what was found
    counts."""
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
        return f"it is not known why: {none}"


def why(puzzle: Puzzle, core: Core) -> str:
    """What is wrong with the values of a core, as a clause."""
    values = [0] * puzzle.n**2
    for cell, value in core.placed:
        values[cell] = value
    told = explain_contradiction(puzzle, values)
    return OPAQUE if told is None else told.because
