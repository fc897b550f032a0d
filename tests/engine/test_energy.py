"""The energies on the golden grids, and on grids where they can be counted in another way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.energy import (
    box_state_energy,
    conflicts,
    errors,
    full_energy,
    is_solution,
    row_state_energy,
    surplus,
)
from engine.puzzle import Puzzle

EASY_4 = Puzzle.from_line("902005403100063025508407060026309001057010290090670530240530600705200304080041950")
BOX_GOLDEN = "124157692659342387873689415431685479526719132798432865279718821846293934315564756"
ROW_GOLDEN = "972685413147963825518437962826359741457318296492671538248537691715298364382641957"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def cells_of(line: str) -> list[int]:
    return [int(symbol) for symbol in line]


def test_the_golden_grid_of_the_box_state() -> None:
    puzzle, cells = Puzzle((0,) * 81), cells_of(BOX_GOLDEN)
    g = puzzle.geometry
    assert (surplus(cells, g.rows), surplus(cells, g.columns), surplus(cells, g.boxes)) == (18, 16, 0)
    assert box_state_energy(puzzle, cells) == 34
    missing = sum(puzzle.n - len({cells[cell] for cell in unit.cells}) for unit in g.rows + g.columns)
    assert missing == 34


def test_the_golden_grid_of_the_row_state() -> None:
    cells = cells_of(ROW_GOLDEN)
    assert surplus(cells, EASY_4.geometry.rows) == 0
    assert row_state_energy(EASY_4, cells) == 31
    r9c4, r9c9 = 8 * 9 + 3, 8 * 9 + 8
    cells[r9c4], cells[r9c9] = cells[r9c9], cells[r9c4]
    assert row_state_energy(EASY_4, cells) == 33


def test_a_solution_has_no_energy_of_any_kind() -> None:
    puzzle, cells = Puzzle((0,) * 81), cells_of(SOLVED)
    assert row_state_energy(puzzle, cells) == box_state_energy(puzzle, cells) == full_energy(puzzle, cells) == 0
    assert conflicts(puzzle, cells) == ()
    assert is_solution(puzzle, cells)


def test_errors_count_surplus_empty_cells_and_changed_givens() -> None:
    given_ = cells_of(SOLVED)
    puzzle = Puzzle((given_[0], *(0,) * 80))
    assert errors(puzzle, given_) == 0
    assert errors(puzzle, [*given_[:80], 0]) == 1
    swapped = [given_[1], given_[0], *given_[2:]]  # 1 given changed, the columns each short of a value, boxes not
    assert errors(puzzle, swapped) == 1 + 2
    assert errors(puzzle, (0,) * 81) == 81 + 1


def test_the_diagonals_count_in_their_variant_only() -> None:
    cells = cells_of(SOLVED)
    classic, diagonal = Puzzle((0,) * 81), Puzzle((0,) * 81, variant="diagonal")
    on_diagonals = sum(9 - len({cells[cell] for cell in unit.cells}) for unit in diagonal.geometry.diagonals)
    assert on_diagonals > 0
    assert full_energy(classic, cells) == 0
    for energy in (row_state_energy, box_state_energy, full_energy):
        assert energy(diagonal, cells) == on_diagonals


@st.composite
def fillings(draw: st.DrawFn) -> tuple[Puzzle, list[int]]:
    box = draw(st.sampled_from([2, 3]))
    n = box * box
    puzzle = Puzzle((0,) * n**2, box, draw(st.sampled_from(["classic", "diagonal"])))
    return puzzle, draw(st.lists(st.integers(0, n), min_size=n * n, max_size=n * n))


@given(fillings())
def test_the_surplus_is_filled_cells_less_different_values(case: tuple[Puzzle, list[int]]) -> None:
    puzzle, cells = case
    expected = 0
    for unit in puzzle.geometry.units:
        values = [cells[cell] for cell in unit.cells if cells[cell]]
        expected += len(values) - len(set(values))
    assert full_energy(puzzle, cells) == expected
    rows = surplus(cells, puzzle.geometry.rows)
    assert row_state_energy(puzzle, cells) == expected - rows
    assert (expected == 0) == (conflicts(puzzle, cells) == ())


@given(fillings())
def test_conflicts_are_the_cells_with_an_equal_peer(case: tuple[Puzzle, list[int]]) -> None:
    puzzle, cells = case
    found = conflicts(puzzle, cells)
    for cell, value in enumerate(cells):
        twin = any(value and cells[other] == value for other in puzzle.geometry.peers[cell])
        assert (cell in found) == twin
