"""A solver without its package is refused with the command that installs it, wherever it is run."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from engine import registry
from engine.bench.executors import dask
from engine.errors import BadInput, MissingExtra
from engine.puzzle import Puzzle
from engine.run.run import Run
from tests.engine.strangers.toy_recorded import ToyRecorded
from tui.cli import program
from tui.playback.loading import pending_run
from tui.requests import AppRequest, NewRun

PUZZLE = Puzzle((0,) * 16, 2)
SAID = "toy-absent takes the package no_such_package, which is not installed: pip install 'sudoku-tui[some]'"


class Absent(ToyRecorded):
    name = "toy-absent"
    extra = ("no_such_package", "some")


class Present(ToyRecorded):
    extra = ("msgspec", "some")


def test_an_installed_package_is_not_missing() -> None:
    assert Present().missing() is None
    assert Run.start(Present(), PUZZLE).advance(1).steps == 1
    assert ToyRecorded().missing() is None


def test_a_run_is_refused_with_one_sentence() -> None:
    with pytest.raises(MissingExtra) as refused:
        Run.start(Absent(), PUZZLE)
    assert str(refused.value) == SAID
    with registry.lent(Absent()), pytest.raises(BadInput, match="pip install"):
        pending_run(AppRequest(NewRun(PUZZLE, "", "toy-absent", {}, 1), "10"))


def test_the_command_line_refuses_it_and_lists_it() -> None:
    with registry.lent(Absent()):
        solved = CliRunner().invoke(program, ["solve", "4x4:1", "-s", "toy-absent"])
        assert isinstance(solved.exception, MissingExtra)
        listed = CliRunner().invoke(program, ["list", "solvers"])
    assert "pip install 'sudoku-tui[some]'" in " ".join(listed.output.split())


def test_a_cluster_without_dask_is_refused_with_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"distributed, which is not installed: pip install 'sudoku-tui\[cluster\]'"):
        dask.require()
