"""Peers and ours on the same puzzles: verified, cut off by the same limit, and ratios that say what they know."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from engine import solutions
from engine.bench.experiment import Problem
from engine.bench.peers.libraries import EXACT, Grid, Peer
from engine.bench.peers.race import Attempt, Bounds, Heat, race, ratio, standings
from engine.puzzle import Puzzle
from engine.puzzles import packs

PROBLEMS = tuple(Problem("4x4", f"4x4:{number}", packs.find(f"4x4:{number}").puzzle.line) for number in (1, 2))
ENDLESS = float("inf")


def right(puzzle: Puzzle, seed: int) -> Grid | None:
    return solutions.solve(puzzle).grid


def by_seed(puzzle: Puzzle, seed: int) -> Grid | None:
    """Everything that can go wrong, one after the other."""
    match seed:
        case 0:
            threading.Event().wait()
        case 1:
            return (1,) * 16
        case 2:
            raise ValueError("no such seed")
        case 3:
            os._exit(1)
        case 4:
            return None
    return right(puzzle, seed)


def peer(solve: object, *ours: str) -> Peer:
    return Peer("toy", "msgspec", "a toy", ours or (EXACT,), solve)  # type: ignore[arg-type]


@pytest.mark.sweep
def test_every_puzzle_is_tried_by_both_with_every_seed() -> None:
    heats = list(race(PROBLEMS, (7, 8), 60.0, [peer(right, EXACT, "dlx")]))
    assert [(heat.ours, heat.seed, heat.problem) for heat in heats] == [
        (ours, seed, name) for ours in (EXACT, "dlx") for seed in (7, 8) for name in ("4x4:1", "4x4:2")]
    assert {attempt.ending for heat in heats for attempt in (heat.theirs, heat.here)} == {"solved"}
    for standing in standings(heats):
        assert (standing.n, standing.theirs.solved, standing.here.solved, standing.wrong) == (4, 4, 4, 0)
        assert 0 < standing.ratio.low == standing.ratio.high < ENDLESS


@pytest.mark.sweep
def test_who_is_late_wrong_broken_or_dead_has_not_solved_it_and_the_next_puzzle_is_tried() -> None:
    heats = list(race(PROBLEMS[:1], range(6), 0.3, [peer(by_seed)]))
    assert [heat.theirs.ending for heat in heats] == ["cut off", "wrong", "failed", "failed", "gave up", "solved"]
    assert heats[0].theirs.seconds == 0.3
    assert heats[2].theirs.why == "ValueError: no such seed"
    assert {heat.here.ending for heat in heats} == {"solved"}
    (standing,) = standings(heats)
    assert (standing.theirs.solved, standing.theirs.censored, standing.wrong) == (1, 1, 3)


def test_nothing_is_waited_for_when_it_is_stopped() -> None:
    assert list(race(PROBLEMS, (0,), 3600.0, [peer(by_seed)], stopped=lambda: True)) == []


def test_peers_not_installed_are_left_out_with_the_command_to_install_them() -> None:
    absent = Peer("toy", "no_such_module", "a toy", (EXACT,), right)
    assert absent.missing() == "toy is not installed: pip install 'sudoku-tui[peers]'"
    assert list(race(PROBLEMS, (0,), 1.0, [absent])) == []


def exit_at_import() -> object:
    os._exit(1)


class Fatal:
    """A function that ends the process that unpickles it."""

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return exit_at_import, ()


@pytest.mark.sweep
def test_a_pair_whose_process_cannot_start_is_left_out_with_the_reason(tmp_path: Path,
                                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no_such_peer.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(tmp_path)
    broken = Peer("broken", "no_such_peer", "a toy", (EXACT, "dlx"), right)
    left_out: list[str] = []
    heats = list(race(PROBLEMS, (0, 1), 60.0, [broken, peer(Fatal()), peer(right)], leave_out=left_out.append))
    assert left_out == [
        f"the process of broken and {EXACT} cannot start: ModuleNotFoundError: No module named 'no_such_module'",
        "the process of broken and dlx cannot start: ModuleNotFoundError: No module named 'no_such_module'",
        f"the process of toy and {EXACT} cannot start: it ended"]
    assert [heat.peer for heat in heats] == ["toy"] * 4


def test_a_process_of_ours_that_ended_leaves_the_ratio_open() -> None:
    died = Attempt("failed", 0.0, "its process ended")
    assert ratio([Heat("toy", "dlx", "easy:1", 0, Attempt("solved", 1.0), died)]) == Bounds(0, ENDLESS)


def heat(theirs: float | None, here: float | None) -> Heat:
    """Seconds; None: cut off after 10."""
    both = (Attempt("cut off", 10.0) if took is None else Attempt("solved", took) for took in (theirs, here))
    return Heat("toy", "dlx", "easy:1", 0, *both)


@pytest.mark.parametrize(("heats", "low", "high"), [
    ([heat(4, 2)], 2, 2),
    ([heat(4, 2), heat(9, 1), heat(3, 1)], 3, 3),
    ([heat(4, 2), heat(9, 1), heat(None, 1)], 9, 9),
    ([heat(None, 2)], 5, ENDLESS),
    ([heat(None, 2), heat(None, 1), heat(3, 1)], 5, ENDLESS),
    ([heat(2, None)], 0, 0.2),
    ([heat(None, None)], 0, ENDLESS),
])
def test_a_ratio_is_as_exact_as_the_censored_times_allow(heats: list[Heat], low: float, high: float) -> None:
    assert ratio(heats) == Bounds(low, high)
