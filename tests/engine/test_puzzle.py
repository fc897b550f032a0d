"""Units, peers and clashes of every size and variant; invalid puzzles."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput, PuzzleError
from engine.puzzle import SYMBOLS, Puzzle, Variant, cell_name, clashes, geometry, line_of

BOARDS: list[tuple[int, Variant]] = [(box, variant) for box in (2, 3, 4, 5) for variant in ("classic", "diagonal")]
boards = pytest.mark.parametrize(("box", "variant"), BOARDS)


@boards
def test_every_unit_holds_n_cells_and_covers_the_board(box: int, variant: Variant) -> None:
    g, n = geometry(box, variant), box * box
    for family in (g.rows, g.columns, g.boxes):
        assert sorted(cell for unit in family for cell in unit.cells) == list(range(n * n))
    assert all(len(set(unit.cells)) == n for unit in g.units)
    assert len(g.units) == 3 * n + (2 if variant == "diagonal" else 0)
    assert [unit.number for unit in g.boxes] == list(range(1, n + 1))


@boards
def test_units_match_their_names(box: int, variant: Variant) -> None:
    g, n = geometry(box, variant), box * box
    for unit in g.units:
        for cell in unit.cells:
            row, column = divmod(cell, n)
            match unit.kind:
                case "row":
                    assert row == unit.number - 1
                case "column":
                    assert column == unit.number - 1
                case "box":
                    assert row // box * box + column // box == unit.number - 1
                case "diagonal":
                    assert (row == column) if unit.number == 1 else (row + column == n - 1)


@boards
def test_peers_are_mutual_and_complete(box: int, variant: Variant) -> None:
    g, n = geometry(box, variant), box * box
    for cell, peers in enumerate(g.peers):
        assert cell not in peers
        assert list(peers) == sorted(set(peers))
        assert all(cell in g.peers[other] for other in peers)
        assert set(peers) == {other for unit in g.units if cell in unit.cells for other in unit.cells} - {cell}
        assert g.units_of[cell] == tuple(unit for unit in g.units if cell in unit.cells)
    if variant == "classic":
        assert {len(peers) for peers in g.peers} == {3 * (n - 1) - 2 * (box - 1)}


def test_the_middle_of_a_diagonal_9x9_has_both_diagonals() -> None:
    assert [unit.name for unit in geometry(3, "diagonal").units_of[40]] == [
        "row 5", "column 5", "box 5", "diagonal 1", "diagonal 2"]


def test_the_geometry_is_made_once() -> None:
    assert geometry(3, "classic") is Puzzle((0,) * 81).geometry


@st.composite
def grids(draw: st.DrawFn) -> Puzzle:
    box, variant = draw(st.sampled_from(BOARDS[:6]))
    n = box * box
    return Puzzle(tuple(draw(st.lists(st.integers(0, n), min_size=n * n, max_size=n * n))), box, variant)


@pytest.mark.sweep
@given(grids())
def test_a_line_comes_back(puzzle: Puzzle) -> None:
    assert Puzzle.from_line(puzzle.line, puzzle.variant) == puzzle
    assert Puzzle.from_line(puzzle.line.replace(".", "0"), puzzle.variant) == puzzle
    assert line_of(puzzle.givens) == puzzle.line
    assert puzzle.free_cells == tuple(k for k, symbol in enumerate(puzzle.line) if symbol == ".")
    assert msgspec.json.decode(msgspec.json.encode(puzzle), type=Puzzle) == puzzle
    assert hash(puzzle) == hash(Puzzle(puzzle.givens, puzzle.box, puzzle.variant))


@given(grids())
def test_clashes_are_the_pairs_of_equal_peers(puzzle: Puzzle) -> None:
    cells = puzzle.givens
    pairs = {(a, b) for a in range(len(cells)) if cells[a] for b in puzzle.geometry.peers[a] if cells[a] == cells[b]}
    found = {(a, b) for clash in puzzle.clashes() for a in clash.cells for b in clash.cells if a != b}
    assert found == pairs
    for clash in puzzle.clashes():
        assert {cells[cell] for cell in clash.cells} == {clash.value}
        assert set(clash.cells) <= set(clash.unit.cells)
    assert clashes(puzzle, cells) == puzzle.clashes()


@pytest.mark.parametrize(("givens", "box", "variant", "sentence"), [
    ((0,) * 80, 3, "classic", "80 cells: expected 81 for a 9x9 grid"),
    ((), 2, "classic", "0 cells: expected 16 for a 4x4 grid"),
    ((0,) * 36, 6, "classic", "box side 6: expected 2, 3, 4 or 5 (grids of 4, 9, 16 or 25)"),
    ((0,), 1, "classic", "box side 1: expected 2, 3, 4 or 5 (grids of 4, 9, 16 or 25)"),
    ((0,) * 20 + (10,) + (0,) * 60, 3, "classic", "r3c3 holds 10: expected 0 (free) or 1 to 9"),
    ((-1,) + (0,) * 15, 2, "classic", "r1c1 holds -1: expected 0 (free) or 1 to 4"),
    ((0,) * 16, 2, "windoku", "variant 'windoku': expected classic or diagonal"),
])
def test_an_invalid_puzzle_is_refused(givens: tuple[int, ...], box: int, variant: Variant, sentence: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        Puzzle(givens, box, variant)
    assert str(refused.value) == sentence
    assert isinstance(refused.value, BadInput)


@pytest.mark.parametrize(("line", "sentence"), [
    ("." * 82, "a line of 82 symbols: expected 16, 81, 256 or 625"),
    ("", "a line of 0 symbols: expected 16, 81, 256 or 625"),
    ("5" + "." * 15, "symbol '5' at position 1: expected . or 1 to 4"),
    ("..a............." , "symbol 'a' at position 3: expected . or 1 to 4"),
    ("." * 255 + "H", "symbol 'H' at position 256: expected . or 1 to G"),
])
def test_an_invalid_line_is_refused(line: str, sentence: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        Puzzle.from_line(line)
    assert str(refused.value) == sentence


def test_names_and_symbols() -> None:
    assert cell_name(21, 9) == "r3c4"
    assert cell_name(624, 25) == "r25c25"
    assert len(SYMBOLS) == 26
    assert Puzzle.from_line("P" + "." * 624).givens[0] == 25
