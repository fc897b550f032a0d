"""All encodings agree: the meaning of literals, the rules of units, blocking clauses."""

import pytest
import z3

from engine.automata import encodings
from engine.automata.network import Network
from engine.energy import is_solution
from engine.puzzle import Puzzle, geometry
from engine.solutions import count


def ruled(encoding: encodings.Encoding) -> z3.Solver:
    solver = encoding.solver()
    for unit in encoding.geometry.units:
        solver.add(encoding.rule(unit))
    return solver


def given(encoding: encodings.Encoding, puzzle: Puzzle) -> list[z3.BoolRef]:
    return [encoding.literal(cell, value) for cell, value in enumerate(puzzle.givens) if value]


@pytest.mark.parametrize("name", encodings.NAMES)
@pytest.mark.parametrize("variant", ["classic", "diagonal"])
def test_blocking_solutions_one_by_one_counts_them(name, variant):
    puzzle = Puzzle((1, *(0,) * 15), 2, variant)
    encoding = encodings.make(name, puzzle.geometry)
    solver, seen = ruled(encoding), []
    while solver.check(*given(encoding, puzzle)) == z3.sat:
        seen.append(encoding.values(solver.model()))
        solver.add(encoding.differs(dict(enumerate(seen[-1]))))
    assert all(is_solution(puzzle, grid) for grid in seen)
    assert len(set(seen)) == len(seen) == count(puzzle, 1000).found


@pytest.mark.parametrize("name", encodings.NAMES)
def test_a_value_twice_in_a_row_is_refused_by_its_rule_only(name):
    encoding = encodings.make(name, geometry(2))
    solver = encoding.solver()
    twice = [encoding.literal(0, 3), encoding.literal(2, 3)]
    assert solver.check(*twice) == z3.sat
    assert encoding.value(solver.model(), 0) == encoding.value(solver.model(), 2) == 3
    row = z3.Bool("row 1", encoding.context)
    solver.add([z3.Implies(row, rule) for rule in encoding.rule(encoding.geometry.rows[0])])
    assert solver.check(*twice) == z3.sat
    assert solver.check(row, *twice) == z3.unsat
    assert {str(item) for item in solver.unsat_core()} == {"row 1", "r1c1 = 3", "r1c3 = 3"}


@pytest.mark.parametrize("name", encodings.NAMES)
def test_a_cell_holds_one_value(name):
    encoding = encodings.make(name, geometry(2))
    solver = encoding.solver()
    assert solver.check(encoding.literal(5, 1), encoding.literal(5, 2)) == z3.unsat
    assert solver.check() == z3.sat
    assert set(encoding.values(solver.model())) <= {1, 2, 3, 4}


@pytest.mark.parametrize("name", encodings.NAMES)
def test_nothing_to_differ_in_blocks_everything(name):
    encoding = encodings.make(name, geometry(2))
    solver = encoding.solver()
    solver.add(encoding.differs({}))
    assert solver.check() == z3.unsat


def test_a_model_that_is_no_solution_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """As QF_FD gave some, for boards of 16x16."""
    network = Network(geometry(2), "finite-domain")
    placed = [(0, 1), (5, 2)]
    assert network.ask(placed).result == network.possible(placed).result == "sat"
    solution = network.grid()
    for wrong in ((1,) * 16, (2, *solution[1:]), (*solution[:15], 9)):
        monkeypatch.setattr(encodings.FiniteDomain, "values", lambda *_, wrong=wrong: wrong)
        for answer in (network.ask(placed), network.possible(placed)):
            assert (answer.result, answer.reason) == ("unknown", "the model that Z3 returned is not a solution")
    monkeypatch.setattr(encodings.FiniteDomain, "values", lambda *_: (1, 2, 3, 4) * 4)
    assert network.ask([(0, 1)], units=[0]).result == "sat"  # of that row alone it is one


def test_two_encodings_may_share_a_context():
    context = z3.Context()
    first, second = (encodings.make("one-hot", geometry(2), context) for _ in range(2))
    assert first.context is second.context
    assert first.literal(3, 2).eq(second.literal(3, 2))
