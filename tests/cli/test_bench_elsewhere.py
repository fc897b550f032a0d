"""`sudoku-tui bench --peers` and `--scheduler`: what they print, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine import solutions
from engine.bench.executors import dask
from engine.bench.peers.libraries import EXACT, Grid, Peer
from engine.bench.peers.race import Bounds
from engine.errors import BadInput, MissingExtra, ParameterError
from engine.puzzle import Puzzle
from tui.cli import program
from tui.commands.bench import peers


def right(puzzle: Puzzle, seed: int) -> Grid | None:
    return solutions.solve(puzzle).grid


def wrong(puzzle: Puzzle, seed: int) -> Grid | None:
    return puzzle.givens


TOYS = (Peer("toy", "msgspec", "a toy", (EXACT,), right), Peer("liar", "msgspec", "a toy", (EXACT,), wrong),
        Peer("absent", "no_such_module", "a toy", (EXACT,), right))


def bench(*words: str) -> Result:
    return CliRunner().invoke(program, ["bench", *words])


@pytest.mark.sweep
def test_peers_are_timed_verified_and_set_beside_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PEERS", TOYS)
    said = bench("--peers", "--packs", "4x4:1,4x4:2", "--runs", "2", "--time-limit", "60")
    assert said.exit_code == 0, said.output
    first, _, head, toy, liar, *_ = said.stdout.splitlines()
    assert "2 puzzles × 2 seeds, 60 s each" in first
    assert head.split() == ["library", "solved", "time", "ours", "solved", "time", "ratio"]
    assert toy.startswith("toy      4 / 4")
    assert liar.startswith("liar     0 / 4   never")
    assert "liar, tiny: wrong" in said.stderr
    assert "left out: absent is not installed: pip install 'sudoku-tui[peers]'" in said.stderr


def test_none_of_them_installed_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PEERS", TOYS[2:])
    assert isinstance(bench("--peers").exception, MissingExtra)


@pytest.mark.sweep
def test_libraries_whose_processes_cannot_start_are_one_sentence(tmp_path: Path,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_peer.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(tmp_path)
    broken = Peer("broken", "broken_peer", "a toy", (EXACT,), right)
    reason = f"the process of broken and {EXACT} cannot start: ModuleNotFoundError: No module named 'no_such_module'"
    monkeypatch.setattr(peers, "PEERS", (broken,))
    refused = bench("--peers", "--packs", "4x4:1").exception
    assert isinstance(refused, BadInput)
    assert str(refused) == f"--peers: no library can be timed: {reason}"
    monkeypatch.setattr(peers, "PEERS", (broken, TOYS[0]))
    said = bench("--peers", "--packs", "4x4:1", "--time-limit", "60")
    assert said.exit_code == 0, said.output
    assert f"left out: {reason}" in said.stderr


@pytest.mark.parametrize(("words", "said"), [
    (("--peers", "--solvers", "dlx"), "--peers takes no --solvers"),
    (("--peers", "--jobs", "2"), "--peers takes no --jobs"),
    (("--peers", "--max-steps", "2"), "--peers takes no --max-steps"),
    (("--peers", "--report", "a.html"), "--peers takes no --report"),
    (("--peers", "--time-limit", "0"), "--peers and --time-limit 0: expected a limit"),
    (("--peers", "--format", "csv"), "--peers and --format csv: expected one of text, markdown"),
])
def test_options_without_meaning_for_peers_are_refused(words: tuple[str, ...], said: str) -> None:
    refused = bench(*words).exception
    assert isinstance(refused, ParameterError)
    assert said in str(refused)


@pytest.mark.parametrize("option", ["--jobs", "--executor"])
def test_a_cluster_has_its_own_workers(option: str) -> None:
    value = "1" if option == "--jobs" else "here"
    refused = bench("quick", "--scheduler", "tcp://127.0.0.1:1", option, value).exception
    assert isinstance(refused, ParameterError)
    assert f"--scheduler and {option}: the scheduler has its own workers" in str(refused)


def test_a_scheduler_takes_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "find_spec", lambda name: None)
    refused = bench("quick", "--scheduler", "tcp://127.0.0.1:1").exception
    assert isinstance(refused, BadInput)
    assert "pip install 'sudoku-tui[cluster]'" in str(refused)


@pytest.mark.parametrize(("low", "high", "said"), [
    (2, 2, "2.00"), (5, float("inf"), "≥ 5.00"), (0, 0.25, "≤ 0.250"), (0, float("inf"), "?"), (1, 20, "1.00 … 20.0")])
def test_a_ratio_says_what_it_knows(low: float, high: float, said: str) -> None:
    assert peers.ratio_words(Bounds(low, high)) == said
