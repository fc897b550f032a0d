"""The registry: solvers by name, imported on demand. A new solver is one file and one line here.

Other packages register theirs in the entry-point group `sudoku_tui.solvers`; the object must be a Solver instance.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.errors import UnknownName
from engine.solver import AnySolver, Solver

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sudoku_tui.solvers"

BUILT_IN: dict[str, str] = {
    "anneal": "engine.solvers.annealing.anneal",
    "anneal-reheat": "engine.solvers.annealing.anneal_reheat",
    "anneal-reheat-adaptive": "engine.solvers.annealing.anneal_reheat",
    "anneal-linear": "engine.solvers.annealing.linear",
    "anneal-lewis": "engine.solvers.annealing.lewis",
    "anneal-propagate": "engine.solvers.annealing.propagate",
    "hill-climb": "engine.solvers.annealing.hill_climb",
    "tabu": "engine.solvers.annealing.tabu",
    "ga-cells": "engine.solvers.population.genetic.ga_cells",
    "ga-rows": "engine.solvers.population.genetic.ga_rows",
    "ga-ordered": "engine.solvers.population.genetic.ga_ordered",
    "ga-memetic": "engine.solvers.population.genetic.ga_memetic",
    "swarm": "engine.solvers.population.swarm.swarm",
    "swarm-velocity": "engine.solvers.population.swarm.velocity",
    "swarm-adaptive": "engine.solvers.population.swarm.swarm",
    "swarm-anneal": "engine.solvers.population.swarm.swarm",
    "backtrack": "engine.solvers.exact.backtrack",
    "backtrack-mrv": "engine.solvers.exact.backtrack_mrv",
    "cp-sat": "engine.solvers.exact.cp_sat",
    "belief": "engine.solvers.inference.belief",
    "z3": "engine.solvers.symbolic.z3_queries",
    "z3-inside": "engine.solvers.symbolic.z3_inside",
    "ac3": "engine.solvers.exact.ac3",
    "mac": "engine.solvers.exact.mac",
    "norvig": "engine.solvers.exact.norvig",
    "dlx": "engine.solvers.exact.dlx",
    "human": "engine.solvers.human.human",
}
"""name -> module, which holds the solver as SOLVERS[name] or, being its only one, as SOLVER."""

_LENT: dict[str, AnySolver] = {}


@functools.cache
def names() -> tuple[str, ...]:
    """Every registered name: the built-in ones in the order of the list, then those of other packages, sorted."""
    others = {point.name for point in _entry_points()} | _LENT.keys()
    return (*BUILT_IN, *sorted(others - BUILT_IN.keys()))


def _entry_points() -> Iterable[EntryPoint]:
    """The entry points of other packages. Searching the installed packages is slow; call it only when needed."""
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


@contextlib.contextmanager
def lent(*solvers: AnySolver) -> Iterator[None]:
    """Register solver objects for the length of a `with` block, before any other of the same name; for tests."""
    before = dict(_LENT)
    _LENT.update({each.name: each for each in solvers})
    _forget()
    try:
        yield
    finally:
        _LENT.clear()
        _LENT.update(before)
        _forget()


def _forget() -> None:
    names.cache_clear()
    solver.cache_clear()


@functools.cache
def solver(name: str) -> AnySolver:
    """The solver of that name. Raises UnknownName, with near matches, when there is none or it cannot be loaded."""
    if name in _LENT:
        return _LENT[name]
    found = _built_in(name) if name in BUILT_IN else _installed(name)
    if not isinstance(found, Solver):
        raise UnknownName(f"the object registered as {name!r} is not a solver: expected a Solver instance")
    if found.name != name:
        raise UnknownName(f"the solver registered as {name!r} has the name {found.name!r}: expected the same name")
    return found


def _built_in(name: str) -> object:
    module = importlib.import_module(BUILT_IN[name])
    return module.SOLVERS[name] if hasattr(module, "SOLVERS") else module.SOLVER


def _installed(name: str) -> object:
    point = next((point for point in _entry_points() if point.name == name), None)
    if point is None:
        near = ([each for each in names() if name in each.split("-")][:3]
                or difflib.get_close_matches(name, names(), 3))
        hint = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(names())}"
        raise UnknownName(f"no solver {name!r}: {hint}")
    try:
        return point.load()
    except Exception as error:  # whatever another package's module does while it is imported
        why = " ".join(str(error).split()) or type(error).__name__
        raise UnknownName(f"solver {name!r} is installed but cannot be loaded: {why}") from error
