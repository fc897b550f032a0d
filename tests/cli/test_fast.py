"""`solve --fast`: the same answers as a solver gives, in the same layouts, many at a time."""

from __future__ import annotations

import fcntl
import io
import json
import signal
import sys
import termios
from pathlib import Path
from typing import IO, Any

import pytest

from engine.energy import is_solution
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import batch
from tests.cli.conftest import EASY, SOLVED, Call
from tests.cli.test_process import ended, started
from tests.patience import eventually
from tui import output
from tui.commands import solve_fast


def impossible() -> str:
    """EASY with one given that leads to no solution, though no two givens clash."""
    for cell, symbol in enumerate(EASY):
        for value in "123456789":
            line = EASY[:cell] + value + EASY[cell + 1:]
            puzzle = Puzzle.from_line(line)
            if symbol == "0" and value != SOLVED[cell] and not puzzle.clashes():
                return line
    raise AssertionError("every other value clashes")


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_list_is_solved_and_every_grid_is_a_solution(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    puzzles = [record.puzzle for name in ("easy", "medium", "hard", "extreme") for record in packs.pack(name)]
    path.write_text("".join(puzzle.line + "\n" for puzzle in puzzles))
    lines = cli("solve", str(path), "--fast", "--format", "line")
    assert lines.code == 0
    found = [Puzzle.from_line(line) for line in lines.out.splitlines()]
    assert len(found) == len(puzzles)
    assert all(is_solution(puzzle, grid.givens) for puzzle, grid in zip(puzzles, found, strict=True))
    told = objects(cli("solve", str(path), "--fast", "--format", "jsonl").out)
    assert [one["solution"] for one in told] == lines.out.splitlines()
    assert [one["index"] for one in told] == list(range(1, len(puzzles) + 1))
    assert [one["puzzle"] for one in told] == [puzzle.line for puzzle in puzzles]


def test_the_keys_are_those_of_solve(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(f"{EASY}\n{impossible()}\n")
    usual = objects(cli("solve", "-s", "backtrack", "--format", "jsonl", EASY).out)
    together = objects(cli("solve", "--fast", "--format", "jsonl", EASY).out)
    apart = objects(cli("solve", "--fast", "--format", "jsonl", str(path)).out)
    assert list(usual[0]) == list(together[0]) == list(apart[0]) == list(apart[1])
    assert together[0] == apart[0], "a batch and a puzzle alone are written alike"


def test_what_is_solved_together_is_written_as_what_is_solved_alone(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    answer = solve_fast.Answer(7, "solved", "the first solution", Puzzle.from_line(EASY),
                               Puzzle.from_line(SOLVED).givens)
    dotted = EASY.replace("0", ".")
    for layout, write in solve_fast.TOGETHER.items():
        solve_fast.WRITERS[layout](answer)
        solve_fast.output.flush()
        assert capfdbinary.readouterr().out == write(7, [dotted], [SOLVED])


def test_all_kinds_of_lines_keep_their_order_and_numbers(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "mixed.sdm"
    clash = "11" + EASY[2:]
    path.write_text("\n".join([
        "# a list", EASY, impossible(), "rubbish", clash, "# name: small", "34.1.2....1.2.43", "", EASY,
        "# variant: diagonal", packs.find("diagonal:1").puzzle.line]) + "\n")
    code, out, err = cli("solve", str(path), "--fast", "--format", "jsonl")
    told = objects(out)
    assert code == 2
    assert [one["index"] for one in told] == [1, 2, 3, 4, 5, 6, 7]
    assert [one["status"] for one in told] == ["solved", "no_solution", "error", "error", "solved", "solved", "solved"]
    assert told[4]["name"] == "small"
    assert told[6]["variant"] == "diagonal"
    assert is_solution(packs.find("diagonal:1").puzzle, Puzzle.from_line(told[6]["solution"]).givens)
    assert err.count("\n") == 2
    assert "line 4" in err
    assert f"{path}, puzzle 4: the givens contradict each other: 1 appears 2 times in row 1" in err


@pytest.mark.parametrize(("lines", "code"), [([EASY], 0), ([EASY, impossible()], 1), ([EASY, "rubbish"], 2)])
def test_exit_codes(lines: list[str], code: int, cli: Call) -> None:
    assert cli("solve", "-", "--fast", "--format", "line", stdin="\n".join(lines).encode()).code == code


def test_the_layouts_for_people_and_for_lists(cli: Call) -> None:
    stdin = f"{EASY}\n{impossible()}\n".encode()
    out = cli("solve", "-", "--fast", stdin=stdin).out.splitlines()
    assert out[0] == "1: solved (the first solution)"
    assert out[-2:] == ["2: no solution (everything was tried)", "1 of 2 solved"]
    lines = cli("solve", "-", "--fast", "--format", "line", stdin=stdin).out.splitlines()
    assert lines == [SOLVED, "# 2: no solution (everything was tried)"]


@pytest.mark.parametrize("arguments", [
    ["-s", "backtrack"], ["--seed", "3"], ["--runs", "2"], ["--max-steps", "5"], ["--time-limit", "3"],
    ["--save", "my.run"], ["-p", "order=rows"], ["--preset", "plain"],
], ids=lambda arguments: arguments[0])
def test_what_is_for_solvers_is_refused(arguments: list[str], cli: Call) -> None:
    code, out, err = cli("solve", EASY, "--fast", *arguments)
    assert (code, out) == (2, "")
    assert "--fast takes no --" in err
    assert err.count("\n") == 1


def test_a_recipe_is_refused(cli: Call) -> None:
    code, _out, err = cli("solve", f"{EASY}?solver=backtrack", "--fast")
    assert code == 2
    assert "a recipe and --fast" in err


def test_a_wrong_grid_would_not_go_unseen(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(puzzles: Any, stop: Any) -> Any:
        grids, counts = batch.solve_all(puzzles)
        grids[0, :9] = grids[0, :9][::-1].copy()
        yield grids, counts

    monkeypatch.setattr(batch, "solve_chunks", wrong)
    code, out, err = cli("solve", "-", "--fast", "--format", "line", stdin=EASY.encode())
    assert (code, out) == (70, "")
    assert "not a solution" in err


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_interrupt_leaves_whole_lines(unbuffered: str, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(f"{EASY}\n" * 50_000)  # much more than a pipe holds
    child = started("solve", str(path), "--fast", "--format", "line", PYTHONUNBUFFERED=unbuffered)
    assert child.stdout is not None
    assert child.stdout.readline().decode() == SOLVED + "\n"
    eventually(lambda: waiting(child.stdout) >= MUCH, lambda: f"{waiting(child.stdout)} bytes")
    child.send_signal(signal.SIGINT)
    code, err = ended(child)
    assert code == 130
    assert err.startswith(b"sudoku-tui: interrupted")
    assert err.count(b"\n") == 1


MUCH = 60_000
"""Bytes in a pipe after which a write waits."""


def waiting(pipe: IO[bytes] | None) -> int:
    """Bytes that were written and are still in a pipe."""
    assert pipe is not None
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


class Slow(io.RawIOBase):
    """A stream without a buffer that takes at most ten bytes of each write, as one may that a signal ends."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.taken += bytes(data[:10])
        return min(len(data), 10)


def test_a_stdout_without_a_buffer_gets_all_that_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(slow, "utf-8", write_through=True))  # type: ignore[type-var]
    monkeypatch.setattr(sys, "__stdout__", sys.stdout)
    output.buffer_stdout()
    output.write_line("x" * 50)
    assert slow.taken == b"x" * 50 + b"\n"
    output.write_bytes(b"y" * 50)
    assert slow.taken == b"x" * 50 + b"\n" + b"y" * 50


def test_an_error_names_the_file_and_the_place_in_it(cli: Call, tmp_path: Path) -> None:
    first, second = tmp_path / "first.sdm", tmp_path / "second.sdm"
    first.write_text(f"{EASY}\n{EASY}\n")
    second.write_text(f"{EASY}\n11{EASY[2:]}\n")
    for extra in ((), ("--fast",)):
        err = cli("solve", str(first), str(second), *extra).err
        assert f"{second}, puzzle 2: the givens contradict each other" in err
    assert "sudoku-tui: puzzle 1: the givens contradict" in cli("solve", "11" + EASY[2:], "--fast").err


@pytest.mark.parametrize("command", [["solve", "-s", "backtrack"], ["solve", "--fast"], ["check"], ["rate"]])
def test_a_source_without_a_puzzle_is_not_on_stdout(command: list[str], cli: Call, tmp_path: Path) -> None:
    code, out, err = cli(*command, str(tmp_path / "none.txt"))
    assert (code, out) == (2, "")
    assert "none.txt does not exist" in err
    code, out, err = cli(*command, EASY, str(tmp_path / "none.txt"))
    assert code == 2
    assert "error" not in out
    assert "of 2 solved" not in out
