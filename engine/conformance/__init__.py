"""The laws of the contract as checks, for built-in solvers and for yours.

    from engine.conformance import check_solver
    check_solver(MY_SOLVER)

or, with pytest, one test per law:

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_law(check):
        check(MY_SOLVER)

A check raises Nonconformance with one sentence: the law, the puzzle, the step. The solver object must be a global of
its module (`SOLVER`, or an item of `SOLVERS`), so that a new process finds it. The checks cache the runs of a solver
object: after a change to its class, start a new process.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.conformance import declared, ends, questions, runs, steps
from engine.conformance.cases import Nonconformance
from engine.solver import AnySolver

__all__ = ["CHECKS", "Check", "Nonconformance", "check_solver"]

Check = Callable[[AnySolver], None]

CHECKS: tuple[Check, ...] = (*declared.CHECKS, *steps.CHECKS, *ends.CHECKS, *runs.CHECKS, *questions.CHECKS)
"""All laws; the simplest first."""


def check_solver(solver: AnySolver) -> None:
    """Check a solver against every law. Raises Nonconformance at the first broken one, naming law, puzzle and step."""
    for check in CHECKS:
        try:
            check(solver)
        except Nonconformance as broken:
            raise Nonconformance(f"{solver.name} breaks the law {check.__name__}: {broken}") from None
