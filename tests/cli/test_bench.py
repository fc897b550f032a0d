"""`sudoku-tui bench`: its output and files, its ends, and resuming a killed run."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from engine.bench import experiment_file
from engine.bench.report import words
from tests.bench import lab_resume
from tests.cli.conftest import Call, command, environment
from tests.patience import PATIENCE, eventually
from tui.commands.bench import report, run

FEW = ("bench", "--solvers", "backtrack,hill-climb", "--packs", "4x4:1,easy:1", "--runs", "3", "--max-steps", "3000",
       "--executor", "here")
FILE = """\
name = "sheet"

[[parts]]
name = "one"
max_steps = 2000

[[parts.puzzles]]
sources = ["4x4:1"]

[[parts.solvers]]
solver = "backtrack"

[[parts]]
name = "two"
max_steps = 2000

[[parts.puzzles]]
sources = ["4x4:2"]

[[parts.solvers]]
solver = "hill-climb"
"""


@pytest.mark.sweep
def test_the_same_command_repeats_no_trial(cli: Call, tmp_path: Path) -> None:
    first = cli(*FEW, "--out", str(tmp_path / "out"))
    assert first.code == 0
    assert "2 solvers × 2 puzzles × 3 seeds = 12 trials, limit 3 000 steps a trial" in first.out
    assert f"results are in {tmp_path}/out/results.sqlite" in first.err
    before = lab_resume.rows(tmp_path / "out")
    assert cli(*FEW, "--out", str(tmp_path / "out")) == first  # times included
    assert lab_resume.rows(tmp_path / "out") == before


def test_an_experiment_of_parts_in_every_format(cli: Call, tmp_path: Path) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text(FILE)
    call = ("bench", str(file), "--executor", "here", "--runs", "2", "--out", str(tmp_path / "out"))
    text = cli(*call).out
    assert text.count("sheet: one") == text.count("sheet: two") == 1
    found = list(csv.DictReader(cli(*call, "--format", "csv").out.splitlines()))
    assert [(row["experiment"], row["solver"], row["seed"]) for row in found] == [
        ("sheet: one", "backtrack", "0"), ("sheet: one", "backtrack", "1"),
        ("sheet: two", "hill-climb", "0"), ("sheet: two", "hill-climb", "1")]
    equal = "The same steps, evaluations and E with every seed: backtrack."
    assert text.count(equal) == cli(*call, "--format", "markdown").out.count(equal) == 1
    lines = [json.loads(line) for line in cli(*call, "--format", "jsonl").out.splitlines()]
    assert [line["experiment"] for line in lines] == [row["experiment"] for row in found]
    assert cli(*call, "--format", "markdown").out.count("\n# sheet: ") == 1
    done = cli(*call, "--report", str(tmp_path / "sheet.html"), "--report", str(tmp_path / "sheet.md"))
    assert done.code == 0
    for part in ("one", "two"):
        assert "<html" in (tmp_path / f"sheet-{part}.html").read_text()
        assert (tmp_path / f"sheet-{part}.md").read_text().startswith("# sheet: ")
        assert f"a report is in {tmp_path}/sheet-{part}.html" in done.err


def test_without_out_the_results_are_among_ones_own_data(cli: Call, tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert cli(*FEW).code == 0
    assert (tmp_path / "sudoku-tui" / "bench" / "own" / "results.sqlite").exists()


def test_a_failed_trial_is_reported_and_changes_the_exit_code(cli: Call, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.energy.is_solution", lambda puzzle, grid: False)
    done = cli(*FEW, "--out", str(tmp_path))
    assert done.code == 1
    assert "of 12 trials failed" in done.err
    assert "backtrack, tiny: AssertionError: backtrack calls a grid a solution that is none" in done.err
    assert "failed" in done.out


@pytest.mark.parametrize(("arguments", "sentence"), [
    ((), "nothing to compare: expected --solvers, a TOML file, or one of cooling, course"),
    (("kurs",), "there is no experiment kurs: expected a file, or one of cooling, course"),
    (("quick", "--solvers", "dlx"), "quick and --solvers: an experiment has its own"),
    (("quick", "--max-steps", "9", "--time-limit", "3"), "--max-steps and --time-limit: expected at most one limit"),
    (("--solvers", "dlx,"), "--solvers dlx,: expected names separated by commas"),
    (("--solvers", "dlxx"), "no solver 'dlxx': did you mean dlx?"),
    (("--solvers", "anneal:fast"), "anneal has no preset 'fast'"),
    (("--solvers", "dlx", "--packs", "4x4:1", "--out", "/proc/none"),
     "--out /proc/none: the folder cannot be made (No such file or directory), expected a writable place"),
    (("--solvers", "dlx", "--packs", "none"), "cannot find 'none'"),
    (("--solvers", "dlx", "--runs", "1000000"),
     "1 000 000 trials to make (own: 1 solver × 1 puzzle × 1 000 000 seeds = 1 000 000 trials): "
     "expected at most 20 000, or --yes"),
    (("--solvers", "dlx", "--report", "x.pdf"), "--report x.pdf: expected a name that ends in .html"),
    (("--solvers", "dlx", "--report", "none/x.html"), "--report none/x.html: expected a writable folder"),
    (("--solvers", "dlx", "--out", "new", "--report", "none/x.md"), "--report none/x.md: expected a writable folder"),
    (("--solvers", "dlx", "--seed", "9223372036854775807", "--runs", "2"), "go beyond the last seed"),
    (("--solvers", "dlx", "--screen", "--report", "x.html"), "--screen and --report: expected only one of them"),
    (("--solvers", "dlx", "--screen", "--format", "csv"), "--screen and --format: expected only one of them"),
    (("--screen", "--packs", "easy"), "--screen and --packs: expected an EXPERIMENT or --solvers beside them"),
    (("--screen", "--packs", "easy", "--time-limit", "3"), "expected an EXPERIMENT or --solvers beside them"),
])
def test_what_cannot_be_done_is_refused_in_one_sentence(cli: Call, tmp_path: Path, arguments: tuple[str, ...],
                                                        sentence: str) -> None:
    packs = () if "--packs" in arguments or not arguments or arguments[0] != "--solvers" else ("--packs", "easy:1")
    out = () if "--out" in arguments else ("--out", str(tmp_path / "out"))
    done = cli("bench", *arguments, *packs, *out)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_a_bad_file_is_refused_with_its_line(cli: Call, tmp_path: Path) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text(FILE.replace('solver = "hill-climb"', 'solver = "hill-clim"'))
    done = cli("bench", str(file))
    assert done.code == 2
    assert f"{file}, line 21: no solver 'hill-clim': did you mean hill-climb" in done.err


def test_a_report_may_be_in_the_folder_that_is_made_for_the_results(cli: Call, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    done = cli("bench", "--solvers", "dlx", "--packs", "4x4:1", "--out", str(folder), "--report", str(folder / "r.md"))
    assert done.code == 0, done.err
    assert (folder / "r.md").is_file()


@pytest.mark.sweep
def test_the_list_has_all_that_ship(cli: Call) -> None:
    lines = cli("bench", "--list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(experiment_file.shipped())


def test_the_list_of_an_experiment_has_its_parts(cli: Call) -> None:
    lines = cli("bench", "course", "--list").out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["descent", "easy", "medium"]
    assert "50 trials  Five easy puzzles" in lines[1]


@pytest.mark.sweep
def test_parts_by_name_on_other_packs(cli: Call, tmp_path: Path) -> None:
    call = ("bench", "course", "annealing-and-backtracking", "--packs", "4x4", "--runs", "2", "--time-limit", "5",
            "--executor", "here", "--out", str(tmp_path))
    text = cli(*call).out
    assert "2 solvers × 5 puzzles × 2 seeds = 20 trials, limit 5 s a trial" in text
    assert text.count("course: ") == 1
    assert "Beside the sheet" not in text  # which is about other puzzles
    found = {row["problem"] for row in csv.DictReader(cli(*call, "--format", "csv").out.splitlines())}
    assert len(found) == 5


def test_a_part_without_a_limit_on_its_puzzles_takes_as_many_of_other_packs(cli: Call, tmp_path: Path) -> None:
    text = cli("bench", "course", "cooling", "--packs", "4x4", "--runs", "1", "--max-steps", "100",
               "--executor", "here", "--out", str(tmp_path)).out
    assert "3 solvers × 4 puzzles × 1 seed = 12 trials" in text
    assert text.startswith("course: cooling: Slower and faster cooling on one easy puzzle, and on four more that tell "
                           "them apart (here on 4x4)\n")


@pytest.mark.sweep
def test_a_part_has_its_puzzles_its_means_and_the_figures_of_the_sheet(cli: Call, tmp_path: Path) -> None:
    lines = cli("bench", "course", "easy", "--runs", "1", "--executor", "here", "--out", str(tmp_path)).out.splitlines()
    table, puzzles, beside = (next(k for k, line in enumerate(lines) if line.startswith(begin))
                              for begin in ("solver", "Puzzle by puzzle:", "Beside the sheet:"))
    assert "mean of solved" in lines[table]
    assert [line.split()[2] for line in lines[puzzles + 3: puzzles + 8]] == [
        "first-steps", "sunday", "coffee", "warm-up", "postcard"]
    assert lines[beside + 2].split("  ")[0] == "solver"
    assert "3 / 5, mean 5.1 s" in lines[beside + 3]
    assert lines[-1].endswith(".")


def test_an_open_upper_limit_is_explained_where_there_is_one(cli: Call, tmp_path: Path) -> None:
    for runs, explained in ((2, True), (6, False)):
        text = cli("bench", "-s", "backtrack", "--packs", "4x4:1", "--runs", str(runs), "--max-steps", "3000",
                   "--executor", "here", "--out", str(tmp_path)).out
        assert ("– …)" in text, words.OPEN in " ".join(text.split())) == (explained, explained)


def test_a_narrow_terminal_drops_columns_then_intervals_then_deviations() -> None:
    table = (("solver", "quartiles", "time: median", "mean of solved"),
             [("anneal", "1 s … 3 s", "2.0 s (1.0 s – …)", "2.10 s ± 0.987 s")])
    shown = [[each.strip() for each in report.plain(table, width)[1].split("  ")] for width in (60, 45, 40, 36)]
    assert shown == [["anneal", "1 s … 3 s", "2.0 s (1.0 s – …)", "2.10 s ± 0.987 s"],
                     ["anneal", "2.0 s (1.0 s – …)", "2.10 s ± 0.987 s"],
                     ["anneal", "2.0 s", "", "", "", "2.10 s ± 0.987 s"], ["anneal", "2.0 s", "", "", "", "2.10 s"]]


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("course", "coling"), "course has no part 'coling': did you mean cooling?"),
    (("course", "xyz"), "course has no part 'xyz': expected one of descent, easy, medium"),
    (("quick", "easy"), "quick has no parts: expected no name after it"),
])
def test_a_part_that_does_not_exist_is_refused(cli: Call, arguments: tuple[str, ...], sentence: str) -> None:
    done = cli("bench", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_dying_workers_are_reported_in_one_sentence(cli: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*given: object) -> object:
        raise run.NoWorkerStarts("4 times in a row a worker process ended before it was ready")

    monkeypatch.setattr("engine.bench.bench.execute", die)
    done = cli(*FEW, "--out", str(tmp_path))
    assert done.code == 2
    assert "before it was ready: expected more memory, or fewer --jobs" in done.err


def begun(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """The command as a separate process, killed with some of its results stored."""
    process = subprocess.Popen(command(*arguments, "--out", str(folder)), stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, env=environment(), start_new_session=True)
    eventually(lambda: some_rows(folder) or process.poll() is not None, lambda: f"no results in {folder}")
    assert process.poll() is None, "it ended before it was stopped"
    return process


def some_rows(folder: Path) -> bool:
    """Whether there are results; False while the file is being made."""
    if not (folder / "results.sqlite").exists():
        return False
    try:
        return bool(lab_resume.rows(folder))
    except sqlite3.OperationalError:
        return False


def descendants(pid: int) -> set[int]:
    found = set[int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.add(int(stat.parent.name))
        except OSError:
            continue
    return found


LONG = ("bench", "--solvers", "hill-climb,backtrack", "--packs", "easy:1,16x16:6", "--runs", "5000", "--max-steps",
        "20000", "--jobs", "2")


@pytest.mark.sweep
def test_an_interrupt_keeps_what_is_finished(tmp_path: Path) -> None:
    process = begun(tmp_path, *LONG)
    os.killpg(process.pid, signal.SIGINT)  # as ctrl-C: the workers get it too
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"of 20 000 trials; the same command resumes" in said
    assert said.count(b"\n") == 1
    assert 0 < len(lab_resume.rows(tmp_path)) < 20_000


def test_workers_end_with_a_command_that_was_killed(tmp_path: Path) -> None:
    process = begun(tmp_path, *LONG)
    workers = descendants(process.pid)
    assert len(workers) >= 2
    process.kill()
    process.communicate(timeout=PATIENCE)

    def left() -> list[int]:
        return [worker for worker in workers if (Path("/proc") / str(worker)).exists()]

    eventually(lambda: not left(), lambda: f"still there: {left()} of {workers}")


@pytest.mark.sweep
def test_a_killed_bench_resumes_without_lost_or_repeated_trials() -> None:
    wrong, kills, commands = lab_resume.killed_again_and_again(2, random.Random(3))
    assert wrong == 0
    assert commands > kills >= 2
