"""Random grids and minimal puzzles: unique, minimal, the same for a seed, and what the slow way gives."""

from __future__ import annotations

import pytest

from engine import rng, solutions
from engine.energy import is_solution
from engine.puzzle import Puzzle, Variant
from engine.solutions import minimal

SINGLE = [(cell,) for cell in range(81)]
HALF_TURN = [(cell, 80 - cell) for cell in range(40)] + [(40,)]
ORDER_WORDS = 2**15
FIRST = "3.2...6.7...5..82.85........4..6.715.....1.3.7.8........42.93.....1....9.6......."


def in_order(orbits: list[tuple[int, ...]], seed: int, number: int) -> list[tuple[int, ...]]:
    """The orbits as the kernel shuffles them."""
    out = list(orbits)
    for k in range(len(out) - 1, 0, -1):
        j = rng.below(rng.draw(seed, minimal.STREAM, number, ORDER_WORDS + k), k + 1)
        out[k], out[j] = out[j], out[k]
    return out


@pytest.mark.parametrize("orbits", [SINGLE, HALF_TURN])
def test_puzzles_are_those_of_removing_one_orbit_after_the_other(orbits: list[tuple[int, ...]]) -> None:
    puzzles, grids = minimal.make(11, 5, 8, orbits)
    for number, (givens, grid) in enumerate(zip(puzzles.tolist(), grids.tolist(), strict=True), 5):
        assert tuple(grid) == minimal.full_grid(11, number)
        full = Puzzle(tuple(grid))
        assert minimal.reduce(full, in_order(orbits, 11, number)).givens == tuple(givens)


@pytest.mark.parametrize("orbits", [None, HALF_TURN])
def test_no_orbit_can_go(orbits: list[tuple[int, ...]] | None) -> None:
    puzzles, grids = minimal.make(7, 0, 6, orbits)
    for givens, grid in zip(puzzles.tolist(), grids.tolist(), strict=True):
        known = solutions.count(Puzzle(tuple(givens)))
        assert (known.answer, known.examples) == ("one", (tuple(grid),))
        for orbit in orbits or SINGLE:
            fewer = [0 if cell in orbit else value for cell, value in enumerate(givens)]
            assert fewer == givens or solutions.unique(Puzzle(tuple(fewer))) is False
        if orbits:
            assert all(len({bool(givens[cell]) for cell in orbit}) == 1 for orbit in orbits)


def test_a_number_needs_none_before_it() -> None:
    puzzles, grids = minimal.make(1, 0, 9)
    later, later_grids = minimal.make(1, 6, 3)
    assert (later == puzzles[6:]).all()
    assert (later_grids == grids[6:]).all()
    assert len({row.tobytes() for row in puzzles}) == 9
    assert (minimal.make(2, 0, 9)[0] != puzzles).any()


def test_the_same_seed_gives_the_same_puzzle_everywhere() -> None:
    assert Puzzle(tuple(minimal.make(1, 0, 1)[0][0].tolist())).line == FIRST


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("variant", ["classic", "diagonal"])
@pytest.mark.parametrize("box", [2, 3, 4, 5])
def test_full_grids_are_full_and_differ(box: int, variant: Variant) -> None:
    grids = [minimal.full_grid(4, number, box, variant) for number in range(4)]
    assert all(is_solution(Puzzle((0,) * box**4, box, variant), grid) for grid in grids)
    assert len(set(grids)) > 1
    assert grids[2] == minimal.full_grid(4, 2, box, variant)


@pytest.mark.parametrize(("box", "variant"), [(2, "classic"), (2, "diagonal"), (3, "diagonal")])
def test_any_puzzle_can_be_reduced(box: int, variant: Variant) -> None:
    full = Puzzle(minimal.full_grid(9, 0, box, variant), box, variant)
    puzzle = minimal.reduce(full, [(cell,) for cell in range(box**4)])
    assert solutions.unique(puzzle)
    for cell, value in enumerate(puzzle.givens):
        fewer = Puzzle((*puzzle.givens[:cell], 0, *puzzle.givens[cell + 1:]), box, variant)
        assert not value or solutions.unique(fewer) is False


def test_reducing_stops_and_keeps_undecided_clues() -> None:
    full = Puzzle(minimal.full_grid(9, 0))
    assert minimal.reduce(full, SINGLE, stop=lambda: True) == full
    kept = minimal.reduce(full, SINGLE, budget=0)
    assert solutions.count(kept, budget=0).answer == "one"
    assert solutions.count(minimal.reduce(full, SINGLE), budget=0).answer == "unknown"


def test_orbits_hold_every_cell_once() -> None:
    with pytest.raises(ValueError, match="exactly one"):
        minimal.make(1, 0, 1, SINGLE[1:])


def test_a_filling_that_is_badly_begun_is_begun_again() -> None:
    """Without that, this one takes far too long."""
    assert is_solution(Puzzle((0,) * 81), minimal.full_grid(0, 850))
