"""`solve --history`: a row at the end of each period, whatever the solver."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.run.run import Run
from tests.cli.conftest import EASY, Call


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(("name", "steps", "head"), [
    ("swarm-adaptive", 1000, ["epoch", "step", "E", "mean", "best", "worst", "div", "workers"]),
    ("anneal", 1234, ["plateau", "step", "E", "best", "T", "acc"]),
    ("backtrack", 60, None),
])
def test_each_period_leaves_a_row_with_every_channel(name: str, steps: int, head: list[str] | None, cli: Call,
                                                     tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    code, out, _err = cli("solve", EASY, "-s", name, "--max-steps", str(steps), "--history", str(path))
    found = rows(path)
    assert code == 1
    assert "gave up" in out
    assert head is None or list(found[0]) == head
    solver = registry.solver(name)
    run = Run.start(solver, Puzzle.from_line(EASY), solver.make_params(), 0)
    run.advance(steps)
    ends = [step for step in range(1, steps + 1) if any(solver.period_kind in event.kinds for event in at(run, step))]
    last = [] if ends and ends[-1] == steps else [steps]
    assert [int(each["step"]) for each in found] == [0, *ends, *last]
    assert [int(each[solver.period_word.replace(" ", "_")]) for each in found] == list(range(len(found)))
    for each in found[:: max(1, len(found) // 8)]:
        run.seek(int(each["step"]))
        written = [each[channel.key] for channel in solver.channels]
        assert [float(value or "nan") for value in written] == pytest.approx(
            list(solver.sample(run.state, run.params)), nan_ok=True)


def test_the_row_of_a_period_after_which_another_attempt_begins_is_the_first_state_of_that(
        cli: Call, tmp_path: Path) -> None:
    values = {"size": 10, "epochs": 4, "attempts": 3}
    given = [part for name, value in values.items() for part in ("-p", f"{name}={value}")]
    cli("solve", EASY, "-s", "swarm", *given, "--max-steps", "100", "--history", str(tmp_path / "a.csv"))
    solver = registry.solver("swarm")
    run = Run.start(solver, Puzzle.from_line(EASY), solver.make_params(None, values), 0)
    run.advance(100)
    fourth = rows(tmp_path / "a.csv")[4]
    events = {kind: event for event in at(run, int(fourth["step"])) for kind in event.kinds}
    assert {"generation", "restart"} <= events.keys()
    assert float(fourth["mean"]) == pytest.approx(run.solver.sample(run.state, run.params)[0])
    assert float(fourth["mean"]) != pytest.approx(events["generation"].mean)
    assert "it is the first state of that" in " ".join(cli("solve", "--help").out.split())


def at(run: Run, step: int) -> tuple[object, ...]:
    run.seek(step)
    return run.events


def test_what_a_run_that_is_saved_leaves_is_the_same(cli: Call, tmp_path: Path) -> None:
    given = ("solve", EASY, "-s", "anneal", "--max-steps", "3000")
    cli(*given, "--history", str(tmp_path / "a.csv"))
    cli(*given, "--history", str(tmp_path / "b.csv"), "--save", str(tmp_path / "run.zst"))
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert len(rows(tmp_path / "a.csv")) == 31


def test_a_point_is_stdout_and_the_verdict_goes_elsewhere(cli: Call) -> None:
    code, out, err = cli("solve", EASY, "-s", "dlx", "--history", "-")
    assert code == 0
    assert out.splitlines()[0] == "dead_end,step,energy,best,depth"
    assert all(line[0].isdigit() for line in out.splitlines()[1:])
    assert "solved" in err


@pytest.mark.parametrize(("arguments", "said"), [
    (("-s", "hill-climb", "--history", "-"), "not divided into periods"),
    (("-s", "dlx", "--history", "/nowhere/at/all.csv"), "cannot write the history to /nowhere/at/all.csv"),
    (("-s", "dlx", "--history", "."), "cannot write the history to ."),
    (("-s", "dlx", "--history", "-", "--runs", "2"), "--history is for one run"),
    (("--fast", "--history", "-"), "--history"),
])
def test_what_has_no_history_is_refused_in_a_sentence(arguments: tuple[str, ...], said: str, cli: Call) -> None:
    code, out, err = cli("solve", EASY, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_the_refusal_names_the_periods_of_all_solvers(cli: Call) -> None:
    err = cli("solve", EASY, "-s", "tabu", "--history", "-").err
    for name in registry.names():
        word = registry.solver(name).period_word
        assert word in err, name
