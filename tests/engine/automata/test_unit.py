"""Automata of single units and of whole boards, against a plain oracle."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.automata import encodings, sudoku, unit
from engine.automata.network import Network, NoAnswer
from engine.automata.prover import Deadline
from engine.automata.sudoku import SudokuAutomaton
from engine.automata.transitions import is_accepting
from engine.automata.unit import BlockAutomaton, ColumnAutomaton, DiagonalAutomaton, RowAutomaton
from engine.energy import is_solution
from engine.errors import PuzzleError
from engine.puzzle import Puzzle, geometry
from engine.solutions import count, solve

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
NINE = Network(geometry(3))
EVERY = pytest.mark.parametrize("encoding", encodings.NAMES)


@pytest.fixture(scope="module", autouse=True)
def no_default_limit():
    """Answers do not depend on how fast the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (sudoku, unit):
            patch.setattr(module, "Deadline", lambda limit: Deadline(None if limit == unit.TIMEOUT else limit))
        yield


def words(n=9):
    return st.lists(st.integers(-1, n + 2), min_size=n, max_size=n) | st.permutations(range(1, n + 1))


def test_a_model_has_the_letters_that_are_given_from_one_to_nine() -> None:
    row = unit.all_automata(NINE)[0]
    found = row.model([9, 0, 1, 0, 0, 0, 0, 0, 0])
    assert found is not None
    assert (found[0], found[2], sorted(found)) == (9, 1, list(range(1, 10)))
    for outside in (-1, 10):
        with pytest.raises(PuzzleError, match="expected 1 to 9, or 0 for any"):
            row.model([outside] + [0] * 8)


@pytest.mark.sweep
@given(words(), st.integers(0, 26))
@settings(max_examples=60, deadline=None)
def test_a_word_is_accepted_if_it_has_every_value_once(word, place):
    automaton = unit.all_automata(NINE)[place]
    reading = automaton.accepts(word)
    assert bool(reading) == reading.accepted == (sorted(word) == list(range(1, 10)))
    assert reading.accepted == is_accepting(reading.states[-1])
    if reading:
        assert (reading.blame, reading.because, reading.states[-1]) == ((), "", ())
        return
    letters = [word[position] for position in reading.blame]
    assert (len(letters) == 2 and letters[0] == letters[1]) or (len(letters) == 1 and not 1 <= letters[0] <= 9)
    good = word[: reading.blame[-1]]
    assert len(set(good)) == len(good), "the first letter that cannot be read is to blame"
    assert all(1 <= value <= 9 for value in good)
    assert reading.states[len(good)] == tuple(sorted(set(range(1, 10)) - set(good)))
    assert set(reading.states[len(good) + 1 :]) == {None}


@EVERY
def test_the_reason_of_a_rejected_word(encoding):
    row = RowAutomaton(3, encoding=encoding)
    assert row.accepts([1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert row.accepts([1, 2, 3, 4, 5, 6, 2, 8, 9]).because == "2 is already at r4c2"
    assert row.accepts([1, 2, 3, 4, 0, 6, 2, 8, 9]).because == "0 is not in 1 to 9"
    with pytest.raises(ValueError, match="8 values for row 4: expected 9"):
        row.accepts([1] * 8)


@EVERY
def test_an_accepted_word_is_given(encoding):
    block = BlockAutomaton(1, 2, encoding=encoding)
    assert block.accepts(block.model())
    some = block.model([0, 7, 0, 0, 3, 0, 0, 0, 0])
    assert block.accepts(some)
    assert (some[1], some[4]) == (7, 3)
    assert block.model([5, 5, 0, 0, 0, 0, 0, 0, 0]) is None
    with pytest.raises(ValueError, match="letter 10: expected 1 to 9"):
        block.model([10] * 9)


def test_where_the_automata_are():
    assert RowAutomaton(8, NINE).positions == tuple((8, k) for k in range(9))
    assert ColumnAutomaton(0, NINE).positions == tuple((k, 0) for k in range(9))
    assert BlockAutomaton(1, 2, NINE).positions == tuple((r, c) for r in (3, 4, 5) for c in (6, 7, 8))
    diagonal = Network(geometry(2, "diagonal"))
    assert DiagonalAutomaton(1, diagonal).positions == ((0, 3), (1, 2), (2, 1), (3, 0))
    assert [each.name for each in unit.all_automata(diagonal)] == [u.name for u in diagonal.geometry.units]


@pytest.mark.parametrize(("make", "said"), [
    (lambda: RowAutomaton(9, NINE), "row 9: expected 0 to 8"),
    (lambda: ColumnAutomaton(-1, NINE), "column -1: expected 0 to 8"),
    (lambda: BlockAutomaton(0, 3, NINE), "box column 3: expected 0 to 2"),
    (lambda: DiagonalAutomaton(0, NINE), "the board has 0"),
    (lambda: SudokuAutomaton().set_cell(9, 0, 1), "row 9: expected 0 to 8"),
    (lambda: SudokuAutomaton().set_cell(0, 0, 10), "value 10: expected 1 to 9"),
    (lambda: SudokuAutomaton().is_valid_placement(0, 0, 0), "value 0: expected 1 to 9"),
    (lambda: SudokuAutomaton().count_solutions(0), "a limit of 0 solutions"),
])
def test_off_the_board(make, said):
    with pytest.raises(ValueError, match=said):
        make()


@EVERY
def test_the_automata_share_the_variables_of_the_cells(encoding):
    network = Network(geometry(2), encoding)
    row, column = RowAutomaton(0, network), ColumnAutomaton(1, network)
    shared = network.encoding.literal(1, 3)
    assert all(shared.sexpr() in "".join(each.formula()) for each in (row, column)) == (encoding == "one-hot")
    first = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert network.ask([*first, (5, 2)], (row.place,)).result == "sat"
    answer = network.ask([*first, (5, 2)], (row.place, column.place))
    assert answer.result == "unsat"
    assert network.minimised(answer.core).texts(network.geometry) == ("column 2", "r1c2 = 2", "r2c2 = 2")


@EVERY
def test_a_board_is_solved_and_stays_as_it_was(encoding):
    automaton = SudokuAutomaton(EASY, encoding)
    assert len(automaton.automata) == 27
    solved = automaton.solve()
    assert (solved.status, solved.grid) == ("solved", solve(EASY).grid)
    assert automaton.unique() == "yes"
    assert automaton.cells == list(EASY.givens)
    assert automaton.is_valid_placement(0, 0, solved.grid[0])
    assert not automaton.is_valid_placement(0, 0, solved.grid[0] % 9 + 1)
    automaton.set_cell(0, 0, solved.grid[0] % 9 + 1)
    assert automaton.solve().status == "unsatisfiable"
    assert automaton.unique() == "no"
    automaton.set_cell(0, 0, 0)
    assert automaton.solve().status == "solved"


@EVERY
def test_solutions_are_counted_and_whether_these_are_all(encoding):
    puzzle = Puzzle((1, 2, *(0,) * 14), 2, "diagonal")
    every = count(puzzle, 1000).found
    automaton = SudokuAutomaton(puzzle, encoding)
    assert len(automaton.automata) == 14
    assert automaton.count_solutions(1000) == (every, True)
    assert automaton.count_solutions(every) == (every, True)
    assert automaton.count_solutions(every - 1) == (every - 1, False)
    assert automaton.count_solutions(1000) == (every, True), "counting changed the automaton"
    grids = automaton.solutions(1000).grids
    assert len(set(grids)) == every
    assert all(is_solution(puzzle, grid) for grid in grids)
    automaton.set_cell(3, 3, 2)
    automaton.set_cell(3, 2, 2)
    assert automaton.count_solutions() == (0, True)


def test_a_full_board_has_one_solution_or_none():
    full = solve(EASY).grid
    assert SudokuAutomaton(Puzzle(full)).unique() == "yes"
    assert SudokuAutomaton(Puzzle((*full[1:], full[0]))).unique() == "no"


def test_a_value_in_its_own_cell_is_no_obstacle():
    automaton = SudokuAutomaton(EASY)
    row, column = 0, 2  # holds 3
    assert automaton.is_valid_placement(row, column, 3)
    assert not automaton.is_valid_placement(row, column, 2)
    assert automaton.cells[2] == 3


def test_no_time_is_no_answer():
    automaton = SudokuAutomaton(HARD)
    for unknown in (automaton.solve(timeout=0), automaton.ask(0, 1, 1, timeout=0)):
        assert unknown.reason == "the limit of 0 s is reached"
    assert automaton.solve(timeout=0).status == "unknown"
    assert automaton.count_solutions(timeout=0) == (0, False)
    assert automaton.unique(timeout=0) == "unknown"
    with pytest.raises(NoAnswer, match="the limit of 0 s is reached"):
        automaton.is_valid_placement(0, 1, 1, timeout=0)
    with pytest.raises(NoAnswer):
        automaton.automata[0].accepts([1] * 9, timeout=0)
    with pytest.raises(NoAnswer):
        automaton.automata[0].model(timeout=0)
    assert automaton.solve(timeout=None).grid == solve(HARD).grid
