"""The compiled messages against their definition: sums over all permutations."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.puzzle import Puzzle, Variant
from engine.solvers.inference import sum_product as compiled
from engine.solvers.inference.belief import SOLVER, factor_graph

ENTRIES = st.one_of(st.just(0.0), st.floats(compiled.FLOOR, 1.0))
SQUARES = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(ENTRIES, min_size=k, max_size=k), min_size=k, max_size=k))

Matrix = NDArray[np.float64]


def minors(p: Matrix) -> Matrix:
    """The result of `permanents`, by enumerating permutations."""
    k = len(p)
    result = np.zeros((k, k))
    for permutation in itertools.permutations(range(k)):
        for i, v in enumerate(permutation):
            result[i, v] += math.prod(p[row, permutation[row]] for row in range(k) if row != i)
    return result


@settings(max_examples=150, deadline=None)
@given(SQUARES)
@pytest.mark.sweep
def test_permanents_are_sums_over_permutations_and_zero_only_where_there_is_none(rows: list[list[float]]) -> None:
    p = np.array(rows)
    found, wanted = compiled.permanents(p), minors(p)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert ((found == 0) == (minors((p > 0).astype(float)) == 0)).all()


def test_the_smallest_messages_do_not_underflow() -> None:
    found = compiled.permanents(np.full((16, 16), compiled.FLOOR))
    assert (found > 0).all()
    np.testing.assert_allclose(found, math.factorial(15) * compiled.FLOOR**15, rtol=1e-12)


def test_no_cell_no_permanents() -> None:
    assert compiled.permanents(np.zeros((0, 0))).shape == (0, 0)


def swept(puzzle: Puzzle, messages: Matrix, damping: float) -> tuple[Matrix, Matrix]:
    """Messages and beliefs after one more sweep, by the definition: every unit over every assignment of its cells,
    settled cells included."""
    g, n = puzzle.geometry, puzzle.n
    number = {unit: k for k, unit in enumerate(g.units)}

    def said(cell: int, but: int) -> Matrix:
        row = np.ones(n)
        if puzzle.givens[cell]:
            return np.eye(n)[puzzle.givens[cell] - 1]
        for unit in g.units_of[cell]:
            if number[unit] != but:
                row = row * messages[number[unit], unit.cells.index(cell)]
        return row / row.sum()

    fresh = messages.copy()
    for k, unit in enumerate(g.units):
        found = minors(np.array([said(cell, k) for cell in unit.cells]))
        for place, cell in enumerate(unit.cells):
            if not puzzle.givens[cell]:
                row = found[place] / found[place].sum()
                row = np.where(row > 0, (1 - damping) * row + damping * messages[k, place], 0)
                fresh[k, place] = row / row.sum()
    messages = fresh
    return fresh, np.array([said(cell, -1) for cell in range(n * n)])


@pytest.mark.parametrize("variant", ["classic", "diagonal"])
@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_sweeps_are_those_of_the_definition(variant: Variant, damping: float) -> None:
    puzzle = Puzzle.from_line("1..............." if variant == "classic" else ".......234......", variant)
    params = SOLVER.make_params(values={"damping": damping})
    state = SOLVER.init(puzzle, params, 0)
    messages = state.messages.copy()
    steps = SOLVER.steps(state, params)
    for _ in range(4):
        if next(steps, None) is None:
            break
        messages, beliefs = swept(puzzle, messages, damping)
        np.testing.assert_allclose(state.messages, messages, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(state.beliefs, beliefs, rtol=1e-9, atol=1e-15)
    assert state.step >= 2


def test_entropy_is_measured_in_units_of_ln_n() -> None:
    beliefs = np.zeros((16, 4))
    beliefs[:] = 0.25
    beliefs[3] = (0.5, 0.5, 0.0, 0.0)
    beliefs[5] = (1.0, 0.0, 0.0, 0.0)
    for cells, wanted in (((0,), 1.0), ((3,), 0.5), ((5,), 0.0), ((0, 3, 5, 6), 0.625), ((), 0.0)):
        assert compiled.entropy(beliefs, np.array(cells, dtype=np.int64)) == pytest.approx(wanted, abs=1e-12)


def test_each_cell_knows_its_place_in_each_of_its_units() -> None:
    units, places = factor_graph(Puzzle((0,) * 81, 3, "diagonal"))
    for cell in range(81):
        assert {int(units[unit, place]) for unit, place in places[cell].tolist() if unit >= 0} == {cell}
    assert (places[40, :, 0] >= 0).all()
    assert (places[1, 3:, 0] == -1).all()
