"""Legal moves, and the ΔE of every one of them against a full count."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from engine import energy, registry, rng
from engine.events import SwapJudged
from engine.puzzle import Puzzle
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.annealer import begin_steps
from engine.solvers.annealing.board import board_of
from engine.solvers.annealing.energy_delta import apply, delta
from engine.solvers.annealing.neighbourhood import in_conflict, propose, scan
from engine.solvers.annealing.parameters import SEARCH, make_config
from engine.solvers.annealing.state import AnnealState, board_of_state, energy_of, first_attempt, new_state
from engine.solvers.annealing.workspace import NO_CELL
from tests.engine.solvers.annealing.boards import EASY, HARD, full_energy, sparse

LAYOUTS = [(codes.ROW_SWAP, False), (codes.BOX_SWAP, True), (codes.CONFLICT_SWAP, False), (codes.CONFLICT_SWAP, True),
           (codes.EXTENDED, False)]
BOARDS = [(2, "classic"), (2, "diagonal"), (3, "classic"), (3, "diagonal"), (4, "classic"), (5, "diagonal")]


def filled(puzzle: Puzzle, neighbourhood: int, boxes: bool, seed: int = 1) -> AnnealState:
    state = new_state(puzzle, seed, neighbourhood, boxes)
    state.now["phase"] = SEARCH
    first_attempt(state, 1.0)
    return state


def moved(cells: tuple[int, ...], move: list[int]) -> tuple[int, ...]:
    """The cells after a move, by its definition."""
    ends = [cell for cell in move if cell != NO_CELL]
    after = list(cells)
    for here, there in zip(ends, ends[1:] + ends[:1], strict=True):
        after[there] = cells[here]
    return tuple(after)


def test_golden_energies() -> None:
    box_rows = "124157692659342387873689415431685479526719132798432865279718821846293934315564756"
    row_rows = "972685413147963825518437962826359741457318296492671538248537691715298364382641957"
    assert energy.box_state_energy(EASY, tuple(map(int, box_rows))) == 34
    line = "902005403100063025508407060026309001057010290090670530240530600705200304080041950"
    state = filled(Puzzle.from_line(line),
                   codes.ROW_SWAP, False)
    state.cells[:] = list(map(int, row_rows))
    assert energy_of(state) == 31
    board = board_of_state(state)
    state.now["energy"] = 31
    workspace, _ = begin_steps(state, make_config({}))
    move = next(k for k, each in enumerate(board.moves.tolist()) if each[:2] == [8 * 9 + 3, 8 * 9 + 8])
    assert delta(workspace, move) == 2
    apply(workspace, move)
    assert energy_of(state) == 33


def test_swaps_are_the_pairs_of_free_cells_of_each_group() -> None:
    givens = np.array(EASY.givens, np.uint8)
    fixed = (givens > 0).astype(np.uint8)
    for boxes, units in ((False, EASY.geometry.rows), (True, EASY.geometry.boxes)):
        neighbourhood = codes.BOX_SWAP if boxes else codes.ROW_SWAP
        expected = {pair for unit in units for pair in combinations(unit.cells, 2)
                    if not EASY.givens[pair[0]] and not EASY.givens[pair[1]]}
        moves = board_of(EASY, givens, fixed, neighbourhood, boxes).moves.tolist()
        assert {(a, b) for a, b, _ in moves} == expected
        assert len(moves) == len(expected)
        assert all(c == NO_CELL and a < b for a, b, c in moves)


def test_extended_moves_are_pairs_of_a_band_and_rotations_in_a_row() -> None:
    givens = np.array(EASY.givens, np.uint8)
    board = board_of(EASY, givens, (givens > 0).astype(np.uint8), codes.EXTENDED, False)
    free = set(EASY.free_cells)
    bands = [[cell for cell in range(27 * band, 27 * band + 27) if cell in free] for band in range(3)]
    rows = [[cell for cell in row.cells if cell in free] for row in EASY.geometry.rows]
    swaps = {(a, b, NO_CELL) for band in bands for a, b in combinations(band, 2)}
    turns = {turn for row in rows for a, b, c in combinations(row, 3) for turn in ((a, b, c), (a, c, b))}
    assert set(map(tuple, board.moves.tolist())) == swaps | turns
    assert len(board.moves) == len(swaps) + len(turns)


@pytest.mark.sweep(keep=14)
@pytest.mark.parametrize(("neighbourhood", "boxes"), LAYOUTS)
@pytest.mark.parametrize(("box", "variant"), BOARDS)
def test_every_delta_is_that_of_a_full_count(neighbourhood: int, boxes: bool, box: int, variant: str) -> None:
    state = filled(sparse(box, variant), neighbourhood, boxes)
    workspace, _ = begin_steps(state, make_config({}))
    before, cells = full_energy(state), state.grid
    assert before == state.energy
    deltas = np.empty(len(workspace.board.moves), np.int8)
    scan(workspace, deltas)
    assert state.grid == cells
    for k in range(0, len(deltas), max(1, len(deltas) // 400)):
        expected = full_energy(state, moved(cells, workspace.board.moves[k].tolist())) - before
        assert delta(workspace, k) == expected
        assert deltas[k] in (expected, 100)


@pytest.mark.parametrize(("neighbourhood", "boxes"), LAYOUTS)
def test_a_made_move_leaves_the_counts_right(neighbourhood: int, boxes: bool) -> None:
    state = filled(sparse(3, "diagonal"), neighbourhood, boxes)
    workspace, _ = begin_steps(state, make_config({}))
    generator = np.random.default_rng(5)
    for k in generator.integers(0, len(workspace.board.moves), 200).tolist():
        expected = moved(state.grid, workspace.board.moves[k].tolist())
        apply(workspace, k)
        assert state.grid == expected
    fresh, _ = begin_steps(state, make_config({}))
    assert (fresh.counts == workspace.counts).all()


@pytest.mark.parametrize("boxes", [False, True])
def test_conflict_swaps_touch_a_conflict_and_reach_all_of_them(boxes: bool) -> None:
    state = filled(sparse(2), codes.CONFLICT_SWAP, boxes, seed=3)
    workspace, _ = begin_steps(state, make_config({}))
    conflicts = set(energy.conflicts(state.puzzle, state.grid))
    seen = set()
    for step in range(3000):
        state.now["step"] = step
        move, draw = propose(workspace)
        assert 0 <= draw < 2**32
        seen.add(move)
    moves = workspace.board.moves.tolist()
    assert seen == {k for k, (a, b, _) in enumerate(moves) if {a, b} & conflicts}
    counts, units = workspace.counts, workspace.board.units
    assert {cell for cell in range(16) if in_conflict(state.cells, counts, units, cell)} == conflicts


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("neighbourhood", "boxes"), [LAYOUTS[0], LAYOUTS[4]])
def test_proposals_are_uniform(neighbourhood: int, boxes: bool) -> None:
    state = filled(sparse(2), neighbourhood, boxes)
    workspace, _ = begin_steps(state, make_config({}))
    m, tries = len(workspace.board.moves), 40_000
    counts = np.zeros(m)
    for step in range(tries):
        state.now["step"] = step
        counts[propose(workspace)[0]] += 1
    expected = tries / m
    assert ((counts - expected) ** 2 / expected).sum() < m + 5 * (2 * m) ** 0.5


@pytest.mark.sweep
@pytest.mark.parametrize(("neighbourhood", "boxes"), LAYOUTS[:2])
@pytest.mark.parametrize("draw", ["pairs", "group"])
def test_the_draw_has_the_distribution_of_its_definition(neighbourhood: int, boxes: bool, draw: str) -> None:
    """On rows and boxes with 0 to 9 free cells. pairs: each swap alike; group: each row or box with two free cells or
    more alike, and in it each pair."""
    puzzle = Puzzle.from_line("." * 9 + "123456789" + "12345678." + "1234567.." + "123456..." + "12345...." + "." * 27)
    puzzle = Puzzle(puzzle.givens[:45] + (0,) * 36)
    units = puzzle.geometry.boxes if boxes else puzzle.geometry.rows
    pairs = [list(combinations([cell for cell in unit.cells if not puzzle.givens[cell]], 2)) for unit in units]
    pairs = [each for each in pairs if each]
    chance = {(a, b): 1 / len(pairs) / len(each) if draw == "group" else 1 / sum(map(len, pairs))
              for each in pairs for a, b in each}
    state = new_state(puzzle, 5, neighbourhood, boxes)
    state.now["phase"] = SEARCH
    workspace, _ = begin_steps(state, make_config({"grouped": draw == "group"}))
    moves, tries = workspace.board.moves.tolist(), 100_000
    seen: Counter[tuple[int, int]] = Counter()
    for step in range(tries):
        state.now["step"] = step
        a, b, _ = moves[propose(workspace)[0]]
        seen[a, b] += 1
    assert set(seen) == set(chance)
    assert math.isclose(sum(chance.values()), 1)
    spread = sum((seen[pair] - tries * p) ** 2 / (tries * p) for pair, p in chance.items())
    assert spread < len(chance) + 4 * (2 * len(chance)) ** 0.5


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["anneal", "anneal-linear", "hill-climb", "anneal-lewis", "anneal-propagate"])
def test_the_kernel_draws_by_group_what_random_words_say(name: str) -> None:
    """Recomputed from random words in plain Python: a row (a box) by the first, a pair of its free cells by the second.
    """
    solver = registry.solver(name)
    params = solver.make_params(None, {"draw": "group"})
    state = solver.init(HARD, params, 8)
    judged = [events[0] for events in solver.events(state, params, 300)]
    units = HARD.geometry.boxes if state.now["boxes"] else HARD.geometry.rows
    pairs = [list(combinations([cell for cell in unit.cells if not state.fixed[cell]], 2)) for unit in units]
    pairs = [each for each in pairs if each]
    swaps = [event for event in judged if isinstance(event, SwapJudged)]
    assert len(swaps) > 200
    for swap in swaps:
        stream = rng.WALK if swap.line == "calibrate" else rng.MOVE
        group = pairs[rng.below(rng.draw(8, stream, swap.step), len(pairs))]
        assert swap.cells == group[rng.below(rng.draw(8, stream, swap.step, 1), len(group))]
