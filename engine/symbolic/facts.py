"""What stands on a board, as facts of a solver, while one question after the other is about the same board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import z3

from engine.symbolic.encodings import Pair
from engine.symbolic.prover import Prover

FEW = 4
"""Values that are assumed rather than asserted."""
AGAIN = 2
"""Questions about a board before what stands is asserted: asserting and forgetting take as long as some questions."""


class Facts:
    """Asserts in a scope of a solver what stands for several questions, for those that come: Z3 then draws the
    conclusions once. Nobody else opens scopes of that solver."""

    def __init__(self, prover: Prover, literal: Callable[[int, int], z3.BoolRef]) -> None:
        self._prover, self._literal = prover, literal
        self._facts: frozenset[Pair] = frozenset()
        self._before: frozenset[Pair] = frozenset()
        """What stood in all of the last questions."""
        self._asked = 0
        """How many these were."""

    def assumed(self, placed: Sequence[Pair]) -> list[z3.BoolRef]:
        """The literals that are to be assumed so that these values stand, and no others."""
        now = frozenset(placed)
        if not self._facts <= now:
            self._assert(frozenset())
        common = now & self._before
        if len(common) - len(self._facts) > FEW and self._asked >= AGAIN:
            self._assert(common)
        elif len(common) < len(self._before) - FEW:
            self._asked = 0
        self._before, self._asked = (common if self._asked else now), self._asked + 1
        return [self._literal(*pair) for pair in placed if pair not in self._facts]

    def _assert(self, facts: frozenset[Pair]) -> None:
        """These instead of those before, which are forgotten."""
        if self._facts:
            self._prover.solver.pop()
        self._facts, self._asked = facts, 0
        if facts:
            self._prover.solver.push()
            self._prover.add([self._literal(*pair) for pair in sorted(facts)])
