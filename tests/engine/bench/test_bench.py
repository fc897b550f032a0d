"""Trials are runs: the same in every executor; a stored trial is not run again."""

from __future__ import annotations

import struct
from pathlib import Path

import msgspec
import pytest

from engine import registry
from engine.bench import bench
from engine.bench.executors.scheduling import ExecutorKind, execute
from engine.bench.experiment import Experiment, Trial
from engine.bench.experiment_file import parse, work_out
from engine.bench.store import Store, StoreError
from engine.bench.trial import Result
from engine.run.run import Run

SMALL = work_out(parse("""
runs = 3
max_steps = 3000
puzzles = [{ sources = ["4x4:1", "4x4:2", "easy:1"] }]
solvers = [{ solver = "backtrack" }, { solver = "hill-climb" }]
""", "small"), "small")


def outcomes(found: dict[Trial, Result]) -> dict[Trial, Result]:
    """Results without what depends on the machine."""
    return {trial: msgspec.structs.replace(result, seconds=0.0, cpu=0.0) for trial, result in found.items()}


def made(how: ExecutorKind, experiment: Experiment = SMALL) -> dict[Trial, Result]:
    return outcomes(dict(each for some in execute(experiment, experiment.trials(), 2, how) for each in some))


@pytest.fixture(scope="module")
def expected() -> dict[Trial, Result]:
    found = made("here")
    assert len(found) == SMALL.size
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("how", ["threads", "processes"])
def test_the_results_are_the_same_with_every_executor(how: ExecutorKind, expected: dict[Trial, Result]) -> None:
    assert made(how) == expected


def test_a_trial_is_the_run_that_its_recipe_gives(expected: dict[Trial, Result]) -> None:
    for trial, result in expected.items():
        contender, problem = SMALL.contenders[trial.contender], SMALL.problems[trial.problem]
        solver, params = contender.load()
        run = Run.start(solver, problem.puzzle, params, trial.seed)
        run.advance(result.steps)
        assert (run.playhead, run.solver.best(run.state)[1]) == (result.steps, result.energy)
        assert (run.outcome is None) == result.censored


def test_the_curve_ends_where_the_run_does_and_never_rises(expected: dict[Trial, Result]) -> None:
    for result in expected.values():
        steps = [point.step for point in result.curve]
        assert steps == sorted(set(steps))
        assert (steps[0], steps[-1]) == (0, result.steps)
        assert [point.best for point in result.curve] == sorted((point.best for point in result.curve), reverse=True)


def test_trials_with_a_row_are_not_run_again(tmp_path: Path, expected: dict[Trial, Result]) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        first = list(expected.items())[:7]
        store.keep(SMALL, first)
        store.keep(SMALL, first)
        assert len(list(store.missing(SMALL))) == SMALL.size - 7
        progress = list(bench.run(SMALL, store, how="here"))
        assert (progress[0].done, progress[-1].done, progress[-1].fresh) == (7, SMALL.size, SMALL.size - 7)
        assert outcomes(dict(store.results(SMALL, curves=True))) == expected
        assert [each.fresh for each in bench.run(SMALL, store, how="here")] == [0]
    with Store(tmp_path / "results.sqlite", read_only=True) as store:
        assert store.facts()["experiment"] == "small"
        assert sum(1 for _ in store.results(SMALL)) == SMALL.size


@pytest.mark.parametrize("solver", ["anneal", "dlx", "z3"])
def test_givens_that_contradict_each_other_are_refused_whatever_the_solver(solver: str) -> None:
    puzzles = 'puzzles = [{ sources = ["11.............."] }]'
    (result,) = made("here", work_out(parse(f'{puzzles}\nsolvers = [{{ solver = "{solver}" }}]', "x"))).values()
    assert (result.status, result.steps) == ("refused", 0)
    assert "contradict" in result.reason


def test_a_puzzle_that_a_solver_refuses_is_a_result_of_its_own() -> None:
    puzzles = "puzzles = [{ group = 'large', share = 0.9, count = 1, size = 25 }]"
    refused = work_out(parse(puzzles + "\nsolvers = [{ solver = 'z3-inside' }]", "x"))
    (result,) = made("here", refused).values()
    assert (result.status, result.steps) == ("refused", 0)
    assert "up to 16x16" in result.reason


def test_another_file_is_not_taken_for_results(tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("these are my notes, and they are longer than the head of a file of SQLite has to be" * 20)
    with pytest.raises(StoreError, match="cannot be used for results"):
        Store(wrong)
    with pytest.raises(StoreError, match="cannot be used for results"):
        Store(tmp_path / "nowhere" / "results.sqlite")


def hot_journal(path: Path, victim: Path) -> None:
    """A rollback journal beside a database that names a super-journal, which SQLite deletes after the rollback."""
    page = int.from_bytes(path.read_bytes()[16:18], "big")
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    header = magic + struct.pack(">5I", 0, 0, path.stat().st_size // page, 512, page)
    record = struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    Path(f"{path}-journal").write_bytes(header.ljust(512, b"\0") + record)


def test_a_journal_that_would_delete_another_file_is_refused(tmp_path: Path) -> None:
    path, victim = tmp_path / "results.sqlite", tmp_path / "thesis.txt"
    Store(path).close()
    victim.write_text("chapter 1")
    hot_journal(path, victim)
    for read_only in (False, True):
        with pytest.raises(StoreError, match="journal would make SQLite delete another file"):
            Store(path, read_only=read_only)
    assert victim.exists()


def test_a_link_in_place_of_a_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    Store(path).close()
    Path(f"{path}-journal").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="journal would make SQLite"):
        Store(path)


def test_a_solver_that_calls_a_wrong_grid_solved_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.energy.is_solution", lambda puzzle, grid: False)
    one = work_out(parse('puzzles = [{ sources = ["4x4:1"] }]\nsolvers = [{ solver = "backtrack" }]', "x"))
    assert registry.solver("backtrack").complete
    (result,) = made("here", one).values()
    assert result.status == "failed"
    assert "calls a grid a solution that is none" in result.reason


def test_the_same_puzzle_twice_is_made_once_and_all_is_done(tmp_path: Path) -> None:
    twice = work_out(parse('puzzles = [{ sources = ["4x4:1"], group = "a" }, { sources = ["4x4:1"], group = "b" }]\n'
                           'runs = 3\nsolvers = [{ solver = "backtrack" }]', "x"))
    with Store(tmp_path / "results.sqlite") as store:
        progress = list(bench.run_parts([twice, SMALL], store, how="here"))
        assert progress[-1].done == progress[-1].size == 6 + SMALL.size
        assert len(list(store.results(twice))) == 6
