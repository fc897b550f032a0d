"""Generated puzzles: one solution, minimal, symmetric, the same for a seed wherever they are made."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import solutions
from engine.energy import is_solution
from engine.puzzle import Puzzle, Variant
from engine.puzzles.formats import read_text, write
from engine.puzzles.generate import SYMMETRIES, Made, Spec, Symmetry, make, orbits, puzzles

# A second description of the symmetries: where a cell of an n*n board goes.
TURNED = {
    "none": lambda r, c, n: (r, c),
    "rotational-180": lambda r, c, n: (n - 1 - r, n - 1 - c),
    "rotational-90": lambda r, c, n: (c, n - 1 - r),
    "mirror-horizontal": lambda r, c, n: (n - 1 - r, c),
    "mirror-vertical": lambda r, c, n: (r, n - 1 - c),
    "mirror-diagonal": lambda r, c, n: (c, r),
    "mirror-antidiagonal": lambda r, c, n: (n - 1 - c, n - 1 - r),
}
FIRST = "2.3.........7..3.....9.84...4...1.6.3.1.......5....2...9..1....8..429.....6....5."
"""Number 9 of seed 7."""
SMALL = st.sampled_from([(2, "classic"), (2, "diagonal"), (3, "classic"), (3, "diagonal")])


def without(puzzle: Puzzle, cells: tuple[int, ...]) -> Puzzle:
    fewer = tuple(0 if cell in cells else value for cell, value in enumerate(puzzle.givens))
    return Puzzle(fewer, puzzle.box, puzzle.variant)


def is_symmetric(puzzle: Puzzle, symmetry: Symmetry) -> bool:
    n = puzzle.n
    images = {divmod(cell, n): TURNED[symmetry](*divmod(cell, n), n) for cell in range(n * n)}
    return all(bool(puzzle.givens[r * n + c]) == bool(puzzle.givens[to[0] * n + to[1]])
               for (r, c), to in images.items())


def made(spec: Spec, number: int) -> Made:
    found = make(spec, number)
    assert found is not None
    return found


@given(seed=st.integers(0, 2**63 - 1), number=st.integers(0, 2**46), shape=SMALL,
       symmetry=st.sampled_from(SYMMETRIES))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_one_solution_minimal_and_symmetric(seed: int, number: int, shape: tuple[int, Variant],
                                            symmetry: Symmetry) -> None:
    found = made(Spec(seed, *shape, symmetry), number)
    known = solutions.count(found.puzzle)
    assert (known.answer, known.examples) == ("one", (found.solution,))
    assert is_solution(found.puzzle, found.solution)
    assert is_symmetric(found.puzzle, symmetry)
    assert found.minimal
    for orbit in orbits(symmetry, found.spec.n):
        fewer = without(found.puzzle, orbit)
        assert fewer == found.puzzle or solutions.unique(fewer) is False


@pytest.mark.parametrize("n", [4, 9, 16, 25])
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_orbits_hold_every_cell_once_and_are_closed(symmetry: Symmetry, n: int) -> None:
    found = orbits(symmetry, n)
    assert sorted(cell for orbit in found for cell in orbit) == list(range(n * n))
    for orbit in found:
        images = {TURNED[symmetry](*divmod(cell, n), n) for cell in orbit}
        assert {row * n + column for row, column in images} == set(orbit)
    assert max(map(len, found)) == {"none": 1, "rotational-90": 4}.get(symmetry, 2)


def test_16x16() -> None:
    found = made(Spec(5, 4, symmetry="rotational-90"), 1)
    assert solutions.unique(found.puzzle)
    assert is_symmetric(found.puzzle, "rotational-90")
    assert found.minimal
    for orbit in orbits("rotational-90", 16)[::7]:
        fewer = without(found.puzzle, orbit)
        assert fewer == found.puzzle or solutions.unique(fewer) is False


@pytest.mark.parametrize("spec", [Spec(3), Spec(3, 3, "diagonal"), Spec(3, 2, symmetry="mirror-diagonal")])
def test_a_number_needs_none_before_it(spec: Spec) -> None:
    row = list(islice(puzzles(spec), 6))
    assert [each.number for each in row] == list(range(6))
    assert list(islice(puzzles(spec, 4), 2)) == row[4:]
    assert made(spec, 5) == row[5]
    assert len({each.puzzle for each in row}) > 1


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_any_uniqueness_test_gives_the_same_puzzles(symmetry: Symmetry) -> None:
    """The kernel for classic 9x9, and `solutions.unique` for each puzzle."""
    asked = make(Spec(8, symmetry=symmetry), 2, unique=lambda puzzle, stop: solutions.unique(puzzle))
    assert asked == made(Spec(8, symmetry=symmetry), 2)


def test_undecided_clues_stay_and_the_puzzle_is_not_called_minimal() -> None:
    found = make(Spec(1), 0, unique=lambda puzzle, stop: None)
    assert found is not None
    assert found.puzzle.givens == found.solution
    assert not found.minimal


def test_making_ends_when_asked_to() -> None:
    seen: list[float] = []
    assert make(Spec(1, 3, "diagonal"), 0, stop=lambda: len(seen) > 3, progress=seen.append) is None
    assert seen == [0, 1 / 81, 2 / 81, 3 / 81]
    assert list(puzzles(Spec(1, 3, "diagonal"), stop=lambda: True)) == []
    assert list(puzzles(Spec(1), stop=lambda: True)) == []


@pytest.mark.sweep
def test_a_fresh_process_makes_the_same() -> None:
    specs = [Spec(7), Spec(7, symmetry="rotational-180"), Spec(7, 3, "diagonal"), Spec(7, 2)]
    here = [made(spec, 9).puzzle.line for spec in specs]
    code = ("from engine.puzzles.generate import Spec, make; "
            "print(*(make(spec, 9).puzzle.line for spec in (Spec(7), Spec(7, symmetry='rotational-180'), "
            "Spec(7, 3, 'diagonal'), Spec(7, 2))))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == here
    assert here[0] == FIRST


def test_a_record_names_its_origin_and_is_read_back() -> None:
    found = made(Spec(4, symmetry="mirror-vertical"), 3)
    record = found.record("a-name")
    assert record.source == "generated, seed 4, number 3, mirror-vertical"
    assert (record.solutions, record.solution) == (1, found.solution)
    (again,) = read_text("".join(write([record], "sdm")))
    assert (again.puzzle, again.name, again.source) == (record.puzzle, record.name, record.source)  # type: ignore[union-attr]
