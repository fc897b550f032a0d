"""`progress`: answers of `hands-on` counted over several games, as text and JSON, and deleted."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import click
import pytest

from tests.cli.conftest import EASY, Call
from tui.commands import progress as command
from tui.config import paths
from tui.storage.progress import ProgressStore

MRV = ["hands-on", EASY, "-s", "backtrack-mrv"]
KINDS = ("--kind", "dead-end", "--kind", "next-cell", "--kind", "struck")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("SSH_CONNECTION", raising=False)


def answered(solver: str, kind: str, *rights: bool) -> None:
    store = ProgressStore()
    counted = store.counter(solver)
    for right in rights:
        counted(kind, right)
    assert store.save() is None


def test_answers_of_several_games_are_counted(cli: Call) -> None:
    cli(*MRV, *KINDS, "--count", "3", stdin=b"yes\nr5c7\nr1c1\n")
    cli(*MRV, *KINDS, "--count", "2", stdin=b"no\ns\n")
    code, out, err = cli("progress", "--format", "jsonl")
    assert (code, err) == (0, "")
    found = {each["kind"]: each for each in map(json.loads, out.splitlines())}
    assert [(kind, each["asked"], each["right"], each["share"], each["best"]) for kind, each in found.items()] == [
        ("dead-end", 2, 1, 0.5, 1), ("next-cell", 1, 1, 1.0, 1), ("struck", 1, 0, 0.0, 0)]
    assert {each["solver"] for each in found.values()} == {"backtrack-mrv"}
    assert {each["last"] for each in found.values()} <= {date.today().isoformat(), *[
        date.fromordinal(date.today().toordinal() - 1).isoformat()]}


def test_hints_second_tries_and_a_question_that_is_left_count_nothing(cli: Call) -> None:
    cli(*MRV, "--count", "3", stdin=b"?\nperhaps\n\nno\n?\n")
    [found] = json.loads(cli("progress", "--format", "json").out)
    assert (found["kind"], found["asked"], found["right"]) == ("dead-end", 1, 1)


def test_the_table_has_a_row_for_each_solver_and_kind(cli: Call) -> None:
    answered("dlx", "next-cell", *[True] * 12)
    answered("anneal", "accept", True, False, False)
    lines = cli("progress").out.splitlines()
    today = date.today().isoformat()
    assert lines[0].split() == ["solver", "question", "asked", "right", "share", "best", "last"]
    assert lines[1].split() == ["anneal", "accept", "3", "1", "33.3", "%", "1", today]
    assert lines[2].split() == ["dlx", "next-cell", "12", "12", "100.0", "%", "10", today]
    assert lines[3:] == ["", "right: at the first try; best: most right of 10 in a row, never falls"]
    assert max(map(len, lines)) < 80


def test_before_the_first_question_it_says_how_to_begin(cli: Call) -> None:
    code, out, err = cli("progress")
    assert (code, err) == (0, "")
    assert out == "no questions answered yet: begin with `sudoku-tui hands-on easy:1`, or with H in the laboratory\n"
    assert cli("progress", "--format", "json").out == "[]\n"
    assert cli("progress", "--format", "jsonl").out == ""
    assert not paths.progress().exists()


def test_a_solver_is_reset_or_all(cli: Call) -> None:
    answered("dlx", "next-cell", True)
    answered("anneal", "accept", True, True)
    code, _out, err = cli("progress", "--reset", "tabu", "--yes")
    assert (code, err) == (2, "sudoku-tui: --reset tabu: there is no progress in it, expected one of anneal, dlx\n")
    assert cli("progress", "--reset", "anneal", "--yes") == (0, "", "")
    assert [each["solver"] for each in json.loads(cli("progress", "--format", "json").out)] == ["dlx"]
    assert cli("progress", "--reset", "--yes") == (0, "", "")
    assert cli("progress", "--format", "json").out == "[]\n"


def test_nothing_is_deleted_without_an_agreement(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    answered("anneal", "accept", True, True)
    code, out, err = cli("progress", "--reset", stdin=b"y\n")
    assert (code, out, err) == (2, "", "sudoku-tui: --reset deletes all progress, 2 questions: expected --yes\n")
    said = []

    def no(question: str, err: bool) -> bool:
        said.append((question, err))
        return False

    monkeypatch.setattr(click, "confirm", no)
    monkeypatch.setattr(command, "_is_terminal", lambda: True)
    assert cli("progress", "--reset", "anneal") == (1, "", "")
    assert said == [("Delete the progress in anneal, 2 questions?", True)]
    assert len(json.loads(cli("progress", "--format", "json").out)) == 1


def test_yes_alone_is_refused(cli: Call) -> None:
    assert cli("progress", "--yes").code == 2


def test_a_damaged_file_is_one_sentence_and_the_rest_is_shown(cli: Call) -> None:
    answered("anneal", "accept", True)
    store = ProgressStore()
    with store.path.open("ab") as file:
        file.write(b"{half")
    code, out, err = cli("progress", "--format", "json")
    assert (code, err) == (0, f"sudoku-tui: 1 line of {store.path} cannot be read\n")
    assert len(json.loads(out)) == 1
    code, _out, err = cli(*MRV, "--count", "2", stdin=b"no\nr5c7\n")
    assert (code, err) == (0, f"sudoku-tui: 1 line of {store.path}.damaged cannot be read\n")
    assert cli("progress", "--format", "json").err == ""


def test_where_nothing_can_be_written_the_game_goes_on(
        cli: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    code, out, err = cli(*MRV, *KINDS, "--count", "3", stdin=b"no\nr5c7\nr1c1\n")
    assert code == 0
    assert "2 of 3 right at the first try" in out
    assert err == f"sudoku-tui: progress is not saved: {paths.progress()}: Not a directory\n"


def test_autosave_turned_off_saves_no_progress(cli: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    paths.config_file().parent.mkdir(parents=True)
    paths.config_file().write_text("autosave = false\n")
    cli(*MRV, "--count", "1", stdin=b"no\n")
    assert not paths.progress().exists()
