"""Whatever is wrong: one sentence on stderr, exit code 2, no traceback, no hang."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import RunFileError
from tests.cli.conftest import EASY, Call

CLASH = "5" + EASY[1:7] + "5" + EASY[8:]
FILES: dict[str, bytes] = {
    "empty.txt": b"",
    "blank.txt": b"\n\n   \n",
    "comments.txt": b"# nothing\n# here\n",
    "binary.bin": bytes(range(256)) * 64,
    "zeros.bin": bytes(100_000),
    "latin.txt": "\N{LATIN SMALL LETTER E WITH ACUTE}t\N{LATIN SMALL LETTER E WITH ACUTE}\n".encode("latin-1"),
    "utf16.txt": EASY.encode("utf-16"),
    "short.sdm": EASY[:80].encode() + b"\n",
    "long.sdm": EASY.encode() + b"12\n",
    "letter.sdm": EASY.replace("3", "Q", 1).encode() + b"\n",
    "endless.txt": b"1" * 3_000_000,
    "clash.sdm": CLASH.encode() + b"\n",
    "cut.sdk": b"[Puzzle]\n..3.2.6..\n9..3.5..1\n",
    "odd.csv": b"a,b,c\n",
    "bomb.xml": b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><opensudoku>&a;</opensudoku>',
    "mine.toml": b"name = 1",
    "garbage.run": b"not json",
    "list.run": b"[]",
    "other.run": b'{"format": "something else"}',
    "future.run": b'{"format": "sudoku-tui run", "version": 99}',
}
SOLVE = ["solve", "-s", "backtrack"]
CASES: dict[str, list[str]] = {
    # grids
    "too short": [*SOLVE, EASY[:80]],
    "too long": [*SOLVE, EASY + "1"],
    "wrong character": [*SOLVE, EASY.replace("3", "?", 1)],
    "no such value": [*SOLVE, "9" + "." * 15],
    "contradictory givens": [*SOLVE, CLASH],
    "contradictory givens, traced": ["trace", "-s", "backtrack", CLASH],
    "contradictory givens, plain": ["--plain", "-s", "backtrack", CLASH],
    "contradictory givens of a pack": [*SOLVE, "traps:4"],
    "full and wrong": [*SOLVE, "1" * 81],
    "empty word": [*SOLVE, ""],
    "control characters": [*SOLVE, "a\x1b[31m\nb"],
    "no text": [*SOLVE, "\udcff\udcfe"],
    "null in a name": [*SOLVE, "a\0b"],
    # files
    "an experiment, in the laboratory": ["./mine.toml", "--plain"],
    "missing file": [*SOLVE, "./missing.sdm"],
    "directory": [*SOLVE, "./folder"],
    "unreadable": [*SOLVE, "./secret.sdm"],
    "a device without end of line": [*SOLVE, "./null"],
    "loop of links": [*SOLVE, "./loop"],
    **{f"file {name}": [*SOLVE, f"./{name}"] for name in FILES if not name.endswith(".run")},
    "stdin is empty": [*SOLVE, "-"],
    # names
    "no such pack": [*SOLVE, "hrad:1"],
    "beyond the pack": [*SOLVE, "hard:1000"],
    "puzzle number zero": [*SOLVE, "hard:0"],
    "puzzle number minus one": [*SOLVE, "hard:-1"],
    "no number": [*SOLVE, "hard:"],
    "unknown solver": ["solve", "-s", "aneal", "hard:1"],
    "empty solver": ["solve", "-s", "", "hard:1"],
    "unknown preset": [*SOLVE, "--preset", "nope", "hard:1"],
    "unknown parameter": [*SOLVE, "-p", "speed=1", "hard:1"],
    "parameter without value": [*SOLVE, "-p", "max_steps", "hard:1"],
    "parameter without name": [*SOLVE, "-p", "=3", "hard:1"],
    "parameter twice": [*SOLVE, "-p", "max_steps=3", "-p", "max_steps=4", "hard:1"],
    "parameter not a number": [*SOLVE, "-p", "max_steps=many", "hard:1"],
    "parameter NaN": [*SOLVE, "-p", "max_steps=nan", "hard:1"],
    "parameter infinite": [*SOLVE, "-p", "max_steps=inf", "hard:1"],
    "parameter below its bound": [*SOLVE, "-p", "max_steps=-1", "hard:1"],
    "parameter beyond any number": [*SOLVE, "-p", "max_steps=1e400", "hard:1"],
    "parameter not a choice": [*SOLVE, "-p", "order=spiral", "hard:1"],
    # numbers
    "seed below 0": [*SOLVE, "--seed", "-1", "hard:1"],
    "seed of 2**63": [*SOLVE, "--seed", str(2**63), "hard:1"],
    "seed not whole": [*SOLVE, "--seed", "1.5", "hard:1"],
    "seed of a million digits": [*SOLVE, "--seed", "9" * 100_000, "hard:1"],
    "runs beyond the last seed": [*SOLVE, "--seed", str(2**63 - 2), "--runs", "3", "hard:1"],
    "no runs": [*SOLVE, "--runs", "0", "hard:1"],
    "time limit NaN": [*SOLVE, "--time-limit", "nan", "hard:1"],
    "time limit infinite": [*SOLVE, "--time-limit", "inf", "hard:1"],
    "time limit below 0": [*SOLVE, "--time-limit", "-1", "hard:1"],
    "time limit not a number": [*SOLVE, "--time-limit", "soon", "hard:1"],
    "step limit 0": [*SOLVE, "--max-steps", "0", "hard:1"],
    "every 0th step": ["trace", "--every", "0", "hard:1"],
    "from below 1": ["trace", "--from", "-3", "hard:1"],
    # saving and replaying
    "save many": [*SOLVE, "--save", "x.run", "hard"],
    "save many runs": [*SOLVE, "--save", "x.run", "--runs", "2", "hard:1"],
    "save without a name": [*SOLVE, "--save", "", "hard:1"],
    "save onto a directory": [*SOLVE, "--save", "folder", "hard:1"],
    "save into no directory": [*SOLVE, "--save", "nowhere/x.run", "hard:1"],
    "save where nothing can be": [*SOLVE, "--save", "/proc/self/x.run", "hard:1"],
    "save under a file": [*SOLVE, "--save", "clash.sdm/x.run", "hard:1"],
    "replay nothing": ["replay", "missing.run"],
    "replay a directory": ["replay", "folder"],
    "replay a binary file": ["replay", "binary.bin"],
    **{f"replay {name}": ["replay", name] for name in FILES if name.endswith(".run")},
    "plain replay of no run": ["--plain", "--replay", "garbage.run"],
    "replay beside a solver": ["--plain", "--replay", "garbage.run", "-s", "backtrack"],
    "replay beside a puzzle": ["--plain", "--replay", "garbage.run", "hard:1"],
    # the command line itself
    "no source": ["solve"],
    "no such option": ["solve", "hard:1", "--quickly"],
    "no such format": ["solve", "hard:1", "--format", "xml"],
    "option without value": ["solve", "hard:1", "--seed"],
    "two puzzles": ["--plain", "hard:1", "hard:2"],
    "options before a command": ["--seed", "3", "solve"],
    "mistyped command": ["slove", "easy:1"],
    "mistyped command alone": ["slove"],
    "mistyped command with options": ["tracee", "--every", "500"],
    "no such command": ["frobnicate", "easy:1"],
    "list nothing": ["list"],
    "list an unknown thing": ["list", "animals"],
    "list puzzles of no pack": ["list", "puzzles", "hrad"],
    "list parameters of no solver": ["list", "params", "aneal"],
    "automata of nothing": ["automata", "nothing-of-that-name"],
    "automata of two sizes": ["automata", "hard:1", "--size", "16"],
    "automata of an odd size": ["automata", "--size", "10"],
    "automata of no unit": ["automata", "hard:1", "--unit", "row 10"],
    "automata of no kind of unit": ["automata", "hard:1", "--unit", "third row"],
    "automata of a source with diagonals": ["automata", "hard:1", "--diagonal"],
    "automata with a word for no unit": ["automata", "--accepts", "123456789"],
    "automata with a short word": ["automata", "--unit", "row 1", "--accepts", "1234"],
    "automata asked nothing": ["automata", "--ask", "row 3"],
    "automata asked off the board": ["automata", "--ask", "r10c1=3"],
    "automata with a format for the screen": ["automata", "hard:1", "--format", "jsonl"],
    "automata without diagonals": ["automata", "hard:1", "--unit", "diagonal 1"],
    "automata on no terminal": ["automata", "hard:1"],
    "show nothing": ["show", "nothing-of-that-name"],
    "show as no format": ["show", "hard:1", "--format", "pdf"],
    "show diagonal as csv": ["show", "diagonal:1", "--format", "csv"],
    "check nothing": ["check", "./missing.sdm"],
    "completion for no shell": ["completion", "tcsh"],
    "speed 0": ["--plain", "--speed", "0", "hard:1"],
    "speed not a number": ["--plain", "--speed", "fast", "hard:1"],
    "cache under a file": ["warmup", "--cache-dir", "clash.sdm/cache"],
    "cache where nothing can be": ["warmup", "--cache-dir", "/proc/self/cache"],
    # no terminal
    "laboratory without a terminal": [],
    "laboratory on a puzzle without a terminal": ["hard:1", "--play"],
    "screen of the bench without a terminal": ["bench", "quick", "--screen"],
}
@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "null").symlink_to(os.devnull)
    (tmp_path / "secret.sdm").write_text(EASY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.open", guarded(open))
    return tmp_path


def guarded(honest: Callable[..., Any]) -> Callable[..., Any]:
    """`open`, refusing secret.sdm, since to root nothing is unreadable."""

    def guard(file: Any, *arguments: Any, **more: Any) -> Any:
        if str(file).endswith("secret.sdm"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file)
        return honest(file, *arguments, **more)

    return guard


@pytest.mark.sweep(keep=41)
@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_one_sentence(case: str, folder: Path, cli: Call) -> None:
    before = sorted(folder.rglob("*"))
    code, _out, err = cli(*CASES[case])
    assert code == 2, err
    assert err.startswith("sudoku-tui: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert err.rstrip("\n").isprintable()
    assert "Traceback" not in err
    assert "defect" not in err
    assert 20 < len(err) < 1000
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(("case", "words"), [
    ("too short", ["80", "81"]),
    ("wrong character", ["?"]),
    ("contradictory givens", ["5", "row 1", "r1c1", "r1c8"]),
    ("missing file", ["missing.sdm"]),
    ("unreadable", ["secret.sdm", "permission denied"]),
    ("cache where nothing can be", ["--cache-dir", "/proc/self/cache"]),
    ("directory", ["folder", "directory"]),
    ("file short.sdm", ["short.sdm", "line 1", "81"]),
    ("file letter.sdm", ["letter.sdm", "line 1", "column"]),
    ("no such pack", ["hrad", "hard"]),
    ("beyond the pack", ["1000", "hard:1"]),
    ("unknown solver", ["aneal", "anneal"]),
    ("unknown preset", ["nope", "plain"]),
    ("unknown parameter", ["speed", "max_steps"]),
    ("parameter below its bound", ["max_steps", "-1", "from 0"]),
    ("parameter NaN", ["max_steps", "nan"]),
    ("seed of 2**63", ["--seed", str(2**63 - 1)]),
    ("runs beyond the last seed", ["--runs", "--seed"]),
    ("time limit NaN", ["--time-limit", "nan", "seconds"]),
    ("save many", ["--save", "one"]),
    ("save onto a directory", ["folder", "directory"]),
    ("future.run", ["99", "version"]),
    ("no such option", ["--quickly", "solve --help"]),
    ("mistyped command", ["no command 'slove': did you mean solve?"]),
    ("mistyped command alone", ["no command 'slove': did you mean solve?"]),
    ("mistyped command with options", ["no command 'tracee': did you mean trace?"]),
    ("no such command", ["no command 'frobnicate': expected one of solve, trace"]),
    ("options before a command", ["solve", "first", "./solve"]),
    ("laboratory without a terminal", ["--plain", "trace", "standard input"]),
    ("automata on no terminal", ["`automata` needs a terminal: standard input is no terminal; try --ask"]),
    ("screen of the bench without a terminal", ["`bench --screen` needs a terminal", "leave out --screen"]),
    ("speed 0", ["speed", "0.01"]),
    ("show diagonal as csv", ["diagonal", "sdm"]),
])
def test_the_sentence_says_what_where_and_what_was_expected(case: str, words: list[str], folder: Path,
                                                            cli: Call) -> None:
    arguments = CASES.get(case) or ([] if case.startswith("laboratory") else ["replay", case])
    err = cli(*arguments).err
    assert not [word for word in words if word.lower() not in err.lower()], err


def test_bad_records_do_not_cost_the_good_ones(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "mixed.sdm"
    path.write_text(f"{EASY}\n{EASY[:-1]}\n{CLASH}\n{EASY}\n")
    code, out, err = cli(*SOLVE, "--format", "line", str(path), "./missing.sdm", "4x4:1")
    assert code == 2
    assert [len(line) for line in out.splitlines() if not line.startswith("#")] == [81, 81, 16]
    assert len(err.splitlines()) == 3
    assert all(line.startswith("sudoku-tui: ") for line in err.splitlines())


def test_stdin_that_is_binary(cli: Call) -> None:
    code, _out, err = cli(*SOLVE, "-", stdin=bytes(range(256)))
    assert code == 2
    assert "Traceback" not in err
    assert err.startswith("sudoku-tui: ")


def test_a_result_is_not_lost_when_saving_fails(cli: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(run: object, path: str, puzzle_name: str) -> None:
        raise RunFileError(f"cannot write {path}: no space left")

    monkeypatch.setattr("engine.run.run_file.save", full)
    code, out, err = cli(*SOLVE, "4x4:1", "--save", "kept.run", "--format", "line")
    assert code == 2
    assert out == "3421123443122143\n"
    assert err == "sudoku-tui: cannot write kept.run: no space left\n"


def test_a_saved_run_is_not_lost_when_saving_again_fails(cli: Call, folder: Path) -> None:
    assert cli(*SOLVE, "4x4:1", "--save", "kept.run").code == 0
    kept = (folder / "kept.run").read_bytes()
    assert cli(*SOLVE, CLASH, "--save", "kept.run").code == 2
    assert (folder / "kept.run").read_bytes() == kept


@pytest.mark.parametrize("name", ["coffee", "hard", "folder", "solvers"])
def test_a_puzzle_is_not_taken_for_a_mistyped_command(name: str, cli: Call, folder: Path) -> None:
    (folder / "solvers").write_text(EASY)
    assert "no command" not in cli(name, "hard:1").err
