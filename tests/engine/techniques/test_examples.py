"""Each technique finds its pattern, where no easier one finds anything; and it finds the same on a transposed board."""

import itertools

import pytest

from engine.puzzle import Puzzle
from engine.solutions import minimal
from engine.techniques.board import Board
from engine.techniques.finding import Finding, Technique
from engine.techniques.links import Links
from engine.techniques.nets import Assumption, forcing_nets
from engine.techniques.order import TECHNIQUES
from tests.engine.techniques.boards import CHAINED, HARD, walk


def of_candidates(masks: dict[int, tuple[int, ...]]) -> Board:
    """An empty board on which some cells have these candidates only."""
    board = Board.of(Puzzle((0,) * 81))
    for cell, values in masks.items():
        for value in range(1, 10):
            if value not in values:
                board.strike(cell, value)
    return board


def without(value: int, cells: list[int]) -> Board:
    """An empty board on which some cells cannot hold a value."""
    board = Board.of(Puzzle((0,) * 81))
    for cell in cells:
        board.strike(cell, value)
    return board


FISH = [row * 9 + column for row in (0, 4) for column in range(9) if column not in (1, 7)]
BIG_FISH = [row * 9 + column for row in (0, 4, 8) for column in range(9) if column not in (1, 4, 7)]
EXAMPLES: dict[str, tuple[Board, tuple[int, ...]]] = {
    "Naked single": (of_candidates({40: (5,)}), (40,)),
    "Hidden single": (without(7, list(range(1, 9))), (0,)),
    "Pointing": (without(3, [9, 10, 11, 18, 19, 20]), (0, 1, 2)),
    "Claiming": (without(3, [3, 4, 5, 6, 7, 8]), (0, 1, 2)),
    "Naked pair": (of_candidates({0: (1, 2), 5: (1, 2)}), (0, 5)),
    "X-wing": (without(6, FISH), (1, 7, 37, 43)),
    "Hidden pair": (of_candidates(dict.fromkeys((1, 2, 3, 4, 6, 7, 8), (3, 4, 5, 6, 7, 8, 9))), (0, 5)),
    "Naked triple": (of_candidates({0: (1, 2), 4: (2, 3), 8: (1, 3)}), (0, 4, 8)),
    "Swordfish": (without(6, BIG_FISH), (1, 4, 7, 37, 40, 43, 73, 76, 79)),
    "Hidden triple": (of_candidates(dict.fromkeys((1, 2, 4, 5, 7, 8), (4, 5, 6, 7, 8, 9))), (0, 3, 6)),
    "XY-wing": (of_candidates({0: (1, 2), 5: (1, 3), 54: (2, 3)}), (0, 5, 54)),
    "XYZ-wing": (of_candidates({0: (1, 2, 3), 8: (1, 3), 10: (2, 3)}), (0, 8, 10)),
    "Unique rectangle": (of_candidates({0: (1, 2), 1: (1, 2), 27: (1, 2)}), (0, 1, 27, 28)),
    "Naked quad": (of_candidates({0: (1, 2), 2: (2, 3), 4: (3, 4), 8: (1, 4)}), (0, 2, 4, 8)),
}


def named(name: str) -> Technique:
    return next(technique for technique in TECHNIQUES if technique.name == name)


def transposed(finding: Finding) -> tuple[str, frozenset[int], frozenset[tuple[int, int]]]:
    return (finding.technique, frozenset(cell % 9 * 9 + cell // 9 for cell in finding.cells),
            frozenset((cell % 9 * 9 + cell // 9, value) for cell, value in (*finding.struck, *finding.placed)))


def plain(finding: Finding) -> tuple[str, frozenset[int], frozenset[tuple[int, int]]]:
    return finding.technique, frozenset(finding.cells), frozenset((*finding.struck, *finding.placed))


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_finds_its_pattern(name: str) -> None:
    board, cells = EXAMPLES[name]
    assert cells in [finding.cells for finding in named(name).find(board)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_easier_technique_finds_it(name: str) -> None:
    board, cells = EXAMPLES[name]
    easier = TECHNIQUES[:TECHNIQUES.index(named(name))]
    assert cells not in [finding.cells for technique in easier for finding in technique.find(board)]


def test_transposed_boards_have_transposed_findings() -> None:
    puzzles, _grids = minimal.make(9, 0, 1)
    for each in puzzles:
        for board, _found in walk(Board.of(Puzzle(tuple(each.tolist())))):
            turn = [cell % 9 * 9 + cell // 9 for cell in range(81)]
            other = Board(3, "classic", [board.values[cell] for cell in turn], [board.masks[cell] for cell in turn])
            for technique in TECHNIQUES:
                if technique.name not in ("Hidden single", "Forcing chain", "Forcing set", "Forcing net",
                                          "Unique rectangle", "Simple colouring"):
                    assert {transposed(f) for f in technique.find(board)} == {plain(f) for f in technique.find(other)}


def test_locked_candidates_may_lie_on_a_diagonal_and_their_meaning_says_so() -> None:
    board = Board.of(Puzzle((0,) * 81, 3, "diagonal"))
    for cell in (31, 32, 39, 41, 48, 49):  # of box 5: those off the falling diagonal
        board.strike(cell, 3)
    named = {technique.name: technique for technique in TECHNIQUES}
    found = {finding.units for finding in named["Pointing"].find(board)}
    kinds = board.tables.kinds
    assert ("box", "diagonal") in {tuple(kinds[unit] for unit in units) for units in found}
    for name in ("Pointing", "Claiming"):
        assert "row, column or other unit" in named[name].means


def test_nets_follow_the_same_rules_as_their_explanation() -> None:
    """The kernel's count of rounds is that of the Python which explains it."""
    for board, _found in walk(Board.of(Puzzle.from_line(HARD))):
        for finding in forcing_nets(board):
            (cell, value), = finding.struck
            assumed = Assumption(board, cell, value)
            while not assumed.contradicted():
                assert assumed.go_on()
            assert assumed.rounds == finding.length


def test_a_chain_is_a_chain() -> None:
    """Every link of a forcing chain is a link of the board."""
    checked = 0
    for board, found in walk(Board.of(CHAINED)):
        if found[0].technique != "Forcing chain":
            continue
        links = Links(board)
        for finding in found:
            (cell, value), = finding.struck
            start = cell * 9 + value - 1
            chain = links.chain((start, True), (start, False))
            for (one, holds), (other, opposite) in itertools.pairwise(chain):
                assert opposite is not holds
                assert (links.weak if holds else links.strong)[one] >> other & 1
            checked += len(chain) - 1 == finding.length
        assert checked
    assert checked
