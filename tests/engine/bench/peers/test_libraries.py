"""Libraries that users would pick instead solve what they should, as their documentation shows it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.bench.peers.libraries import EXACT, PEERS, Peer
from engine.bench.peers.race import attempt
from engine.energy import is_solution
from engine.puzzle import Puzzle
from engine.puzzles import packs

SEARCHING = ("simanneal", "mealpy")


@pytest.fixture(params=PEERS, ids=lambda peer: peer.name)
def peer(request: pytest.FixtureRequest) -> Peer:
    found: Peer = request.param
    pytest.importorskip(found.module, reason="pip install 'sudoku-tui[peers]'")
    return found


def nearly(name: str, free: int) -> Puzzle:
    """A puzzle of which all cells but the first free ones are filled in."""
    from engine import solutions

    puzzle = packs.find(name).puzzle
    grid = solutions.solve(puzzle).grid
    assert grid is not None
    left = puzzle.free_cells[:free]
    return Puzzle(tuple(0 if cell in left else value for cell, value in enumerate(grid)), puzzle.box, puzzle.variant)


def test_nothing_is_loaded_while_a_peer_solves(peer: Peer) -> None:
    """Loading is not timed, so that the module of a peer brings all that it imports."""
    program = f"""
import importlib, sys
importlib.import_module({peer.module!r})
from engine.bench.peers.libraries import PEERS
from engine.puzzle import Puzzle
solve = next(peer.solve for peer in PEERS if peer.name == {peer.name!r})
before = set(sys.modules)
solve(Puzzle.from_line("1234341221434321"), 0)
print(*sorted(set(sys.modules) - before))
"""
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert peer.module.partition(".")[0] not in {name.partition(".")[0] for name in loaded.split()}


@pytest.mark.parametrize("seed", [0, 2**40])
@pytest.mark.parametrize("name", ["easy:1", "diagonal:1", "4x4:1"])
def test_a_peer_solves_puzzles(peer: Peer, name: str, seed: int) -> None:
    puzzle = nearly(name, 5) if peer.name in SEARCHING else packs.find(name).puzzle
    found = attempt(peer.solve, puzzle, seed)
    assert found.ending == "solved", found.why


@pytest.mark.parametrize("free", [0, 1])
def test_a_peer_takes_nearly_full_and_full_grids(peer: Peer, free: int) -> None:
    assert attempt(peer.solve, nearly("easy:1", free), 1).ending == "solved"


def test_a_complete_peer_knows_that_there_is_no_solution(peer: Peer) -> None:
    if peer.name in SEARCHING:
        pytest.skip("it would search on")
    found = attempt(peer.solve, Puzzle.from_line("1...1..........."), 0)
    assert found.ending == "gave up", found.why


def test_annealing_solves_a_whole_puzzle() -> None:
    pytest.importorskip("simanneal", reason="pip install 'sudoku-tui[peers]'")
    puzzle = packs.find("4x4:1").puzzle
    grid = PEERS[0].solve(puzzle, 3)
    assert grid is not None
    assert is_solution(puzzle, grid)


def test_the_solvers_that_peers_are_compared_with_exist() -> None:
    from engine import registry

    for peer in PEERS:
        for ours in peer.ours:
            name, _, preset = ours.partition("/")
            assert ours == EXACT or not preset or preset in registry.solver(name).presets
