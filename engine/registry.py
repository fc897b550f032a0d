"""The solvers by name, imported only when asked for. A new solver is one file and one line here.

Other packages add theirs through the entry-point group `sudoku_tui.solvers`; the object must be a Solver instance.
"""

from __future__ import annotations

import difflib
import functools
import importlib
from importlib.metadata import entry_points

from engine.errors import UnknownName
from engine.solver import AnySolver, Solver

GROUP = "sudoku_tui.solvers"

BUILT_IN: dict[str, str] = {
    "backtrack": "engine.solvers.exact.backtrack",
}
"""name -> module, which holds the solver as SOLVERS[name] or, being its only one, as SOLVER."""


@functools.cache
def names() -> tuple[str, ...]:
    """Every registered name: the built-in ones in the order of the list, then those of other packages, sorted."""
    others = sorted({point.name for point in entry_points(group=GROUP)} - BUILT_IN.keys())
    return (*BUILT_IN, *others)


@functools.cache
def solver(name: str) -> AnySolver:
    """The solver of that name. Raises UnknownName, with near matches, when there is none."""
    if name in BUILT_IN:
        module = importlib.import_module(BUILT_IN[name])
        found = module.SOLVERS[name] if hasattr(module, "SOLVERS") else module.SOLVER
    else:
        points = [point for point in entry_points(group=GROUP) if point.name == name]
        if not points:
            near = difflib.get_close_matches(name, names(), 3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(names())}"
            raise UnknownName(f"no solver {name!r}: {hint}")
        found = points[0].load()
    if not isinstance(found, Solver):
        raise UnknownName(f"what is registered as {name!r} is not a solver")
    return found
