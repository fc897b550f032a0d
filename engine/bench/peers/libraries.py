"""Other Sudoku libraries to compare with, each used as its own documentation shows.

Each is compared with the solvers here of the same kind. A function takes a puzzle and a seed and returns a grid, or
None where the library gives up. It has no limit: the caller ends the process that it runs in. The packages are optional
and imported by the functions alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, Final

from msgspec import Struct

from engine import energy
from engine.puzzle import Puzzle

Grid = tuple[int, ...]
"""n*n values, row by row."""


class Peer(Struct, frozen=True):
    """A library and what it is compared with."""

    name: str
    """The name of its distribution."""
    module: str
    """The module that `solve` imports."""
    what: str
    """The algorithm and settings used, in a few words."""
    ours: tuple[str, ...]
    """Solvers here, `name` or `name/preset`; or EXACT."""
    solve: Callable[[Puzzle, int], Grid | None]

    def missing(self) -> str | None:
        """A sentence with the command that installs it; None if it is installed. Imports nothing."""
        if find_spec(self.module.partition(".")[0]) is not None:
            return None
        return f"{self.name} is not installed: pip install 'sudoku-tui[peers]'"


EXACT: Final = "solve --fast"
"""The engine behind that command, which has no steps."""


def simanneal(puzzle: Puzzle, seed: int) -> Grid | None:
    """An Annealer with the moves and the schedule of `anneal --preset easy`: swaps of two free cells of a row, T from 1
    to 0.001 with 100 moves for each factor of 0.999, repeated until solved. The move returns the change of E, the
    faster of the two ways in the documentation."""
    from simanneal import Annealer

    random.seed(seed)  # what the library draws from
    geometry, n = puzzle.geometry, puzzle.n
    others = [{unit.cells for unit in geometry.units_of[cell] if unit not in geometry.rows} for cell in range(n * n)]
    rows = [free for row in geometry.rows if len(free := [cell for cell in row.cells if not puzzle.givens[cell]]) > 1]

    class Rows(Annealer):  # type: ignore[misc]
        Tmax, Tmin, steps, updates = 1.0, 1e-3, 690_500, 0
        copy_strategy = "slice"

        def move(self) -> int:
            self.user_exit = self.best_energy == 0
            one, other = random.sample(random.choice(rows), 2)
            units = others[one] | others[other]
            before = self.repeated(units)
            self.state[one], self.state[other] = self.state[other], self.state[one]
            return self.repeated(units) - before

        def repeated(self, units: set[Grid]) -> int:
            return sum(n - len({self.state[cell] for cell in unit}) for unit in units)

        def energy(self) -> int:
            return energy.row_state_energy(puzzle, self.state)

    while rows:
        state, least = Rows(_filled(puzzle)).anneal()
        if least == 0:
            return tuple(state)
    return tuple(_filled(puzzle))


def _filled(puzzle: Puzzle) -> list[int]:
    """A grid of which every row holds every value, the free cells at random."""
    cells = list(puzzle.givens)
    for row in puzzle.geometry.rows:
        free = [cell for cell in row.cells if not cells[cell]]
        lacking = _lacking(puzzle, row.cells)
        for cell, value in zip(free, random.sample(lacking, len(lacking)), strict=True):
            cells[cell] = value
    return cells


def _lacking(puzzle: Puzzle, unit: Grid) -> list[int]:
    return sorted(set(range(1, puzzle.n + 1)) - {puzzle.givens[cell] for cell in unit})


def mealpy(puzzle: Puzzle, seed: int) -> Grid | None:
    """Particle swarms of 200 for 3 000 epochs, repeated until solved, with one PermutationVar per row (its missing
    values)."""
    from mealpy import PSO, PermutationVar

    rows = [[cell for cell in row.cells if not puzzle.givens[cell]] for row in puzzle.geometry.rows]
    values = [_lacking(puzzle, row.cells) for row in puzzle.geometry.rows]
    choices = {f"row {place}": (free, lacking) for place, (free, lacking) in enumerate(zip(rows, values, strict=True))
               if len(free) > 1}
    start = list(puzzle.givens)
    for free, lacking in zip(rows, values, strict=True):
        if len(free) == 1:
            (start[free[0]],) = lacking

    def grid_of(rows: Mapping[str, Any]) -> list[int]:
        cells = list(start)
        for name, found in rows.items():
            for cell, value in zip(choices[name][0], found, strict=True):
                cells[cell] = int(value)
        return cells

    bounds = [PermutationVar(valid_set=lacking, name=name) for name, (_free, lacking) in choices.items()]
    while bounds:
        model = PSO.OriginalPSO(epoch=3000, pop_size=200)

        def errors(solution: Any, model: Any = model) -> int:
            found = energy.row_state_energy(puzzle, grid_of(model.problem.decode_solution(solution)))
            if found == 0:
                raise _Found(solution)
            return found

        try:
            model.solve({"obj_func": errors, "bounds": bounds, "minmax": "min", "log_to": None}, seed=seed)
        except _Found as found:
            return tuple(grid_of(model.problem.decode_solution(found.solution)))
        seed += 1_000_003
    return tuple(start)


class _Found(Exception):
    """Nothing better can come: the library itself has no target to stop at."""

    def __init__(self, solution: Any) -> None:
        super().__init__()
        self.solution = solution


def exact_cover(puzzle: Puzzle, seed: int) -> Grid | None:
    """Dancing links in C, on a row for each value that a cell can still have and a column for each thing to be there
    once."""
    import exact_cover as library
    import numpy as np
    from exact_cover.error import NoSolution

    n, units = puzzle.n, puzzle.geometry.units
    choices = [(cell, value) for cell, given in enumerate(puzzle.givens)
               for value in ([given] if given else range(1, n + 1))]
    within = [[place for place, unit in enumerate(units) if cell in unit.cells] for cell in range(n * n)]
    matrix = np.zeros((len(choices), n * n + len(units) * n), bool)
    for row, (cell, value) in enumerate(choices):
        matrix[row, [cell, *(n * n + unit * n + value - 1 for unit in within[cell])]] = True
    try:
        chosen = library.get_exact_cover(matrix)
    except NoSolution:
        return None
    return tuple(value for _cell, value in sorted(choices[row] for row in chosen))


def python_constraint(puzzle: Puzzle, seed: int) -> Grid | None:
    """A variable a cell, AllDifferentConstraint on each unit, and the solver that it has unasked."""
    from constraint import AllDifferentConstraint, Problem

    problem = Problem()
    for cell, given in enumerate(puzzle.givens):
        problem.addVariable(cell, [given] if given else range(1, puzzle.n + 1))
    for unit in puzzle.geometry.units:
        problem.addConstraint(AllDifferentConstraint(), unit.cells)
    found = problem.getSolution()
    return None if found is None else tuple(found[cell] for cell in range(puzzle.n**2))


def ortools(puzzle: Puzzle, seed: int) -> Grid | None:
    """CP-SAT as in its own Sudoku sample: an integer a cell, add_all_different on each unit. All its workers, as it has
    them unasked."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [model.new_constant(given) if given else model.new_int_var(1, puzzle.n, f"cell {cell}")
             for cell, given in enumerate(puzzle.givens)]
    for unit in puzzle.geometry.units:
        model.add_all_different([cells[cell] for cell in unit.cells])
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed % 2**31
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return tuple(solver.value(cell) for cell in cells)


PEERS: Final = (
    Peer("simanneal", "simanneal", "Annealer, swaps in rows", ("anneal/easy",), simanneal),
    Peer("mealpy", "mealpy", "PSO.OriginalPSO, a permutation a row", ("swarm-velocity", "swarm"), mealpy),
    Peer("exact-cover", "exact_cover", "get_exact_cover", ("dlx", EXACT), exact_cover),
    Peer("python-constraint2", "constraint", "AllDifferentConstraint, getSolution", ("mac", EXACT), python_constraint),
    Peer("ortools", "ortools.sat.python.cp_model", "CP-SAT, add_all_different", ("cp-sat", EXACT), ortools),
)
"""All peers. docs/clusters-and-peers.md records what was known of each when it was chosen."""
