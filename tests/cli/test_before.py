"""Files that the version before wrote still open: run files of format 1, sessions, recipes, bench stores, settings."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest

from engine.run import recipe, run_file
from engine.run.recorder import Recorder
from engine.run.run import Run
from tests.cli.conftest import Call
from tui.config import config_file, paths, settings
from tui.storage import puzzle_files, sessions

BEFORE = Path(__file__).parents[1] / "data" / "before"
RUNS = {"anneal": 3000, "backtrack-diagonal": 15, "norvig": 0, "dlx-16x16": 30, "z3-recorded": 12}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_file_of_format_1_opens_and_replays(name: str, tmp_path: Path) -> None:
    path = BEFORE / f"{name}.run"
    file = run_file.read(path)
    run, mismatch = run_file.load(path)
    assert (file.version, mismatch) == (1, None)
    assert run.recorded == file.steps
    assert run.recorded >= RUNS[name]
    assert isinstance(run.solver, Recorder) == (name == "z3-recorded")
    run_file.save(run, tmp_path / "again.run")
    again = run_file.read(tmp_path / "again.run")
    assert again.version == run_file.VERSION
    assert (again.digests[-1], again.outcome) == (file.digests[-1], file.outcome)
    assert file.recipe.params.items() <= again.recipe.params.items()  # new parameters may have been added
    assert msgspec.structs.replace(again.recipe, params=file.recipe.params) == file.recipe


def test_its_interventions_breakpoints_and_playhead_come_back() -> None:
    run, _ = run_file.load(BEFORE / "anneal.run")
    assert run.playhead == 2500
    assert [(each.step, each.name, each.value) for each in run.recipe.interventions] == [(1200, "T", 0.5)]
    assert [each.on for each in run.breakpoints] == [True, False, True]


def test_the_givens_of_format_2_are_one_line(tmp_path: Path) -> None:
    run, _ = run_file.load(BEFORE / "dlx-16x16.run")
    run_file.save(run, tmp_path / "line.run")
    written = json.loads((tmp_path / "line.run").read_bytes())
    assert written["version"] == 2
    assert written["recipe"]["puzzle"] == {"givens": run.puzzle.line, "box": 4, "variant": "classic"}
    assert run_file.load(tmp_path / "line.run")[1] is None


def test_a_line_of_givens_that_does_not_match_the_box_is_refused(tmp_path: Path) -> None:
    run, _ = run_file.load(BEFORE / "norvig.run")
    for puzzle in ({"givens": "12", "box": 3}, {"givens": "1" + "." * 15, "box": 3}, {"givens": "x" * 81, "box": 3}):
        run_file.save(run, tmp_path / "line.run")
        written = json.loads((tmp_path / "line.run").read_bytes())
        written["recipe"]["puzzle"] = {**puzzle, "variant": "classic"}
        (tmp_path / "line.run").write_text(json.dumps(written), encoding="utf-8")
        with pytest.raises(run_file.RunFileError, match="altered or damaged: "):
            run_file.read(tmp_path / "line.run")


@pytest.mark.parametrize(("name", "steps", "ended"), [("re-executed", 3000, "unexpected"), ("recorded", 12, "quit")])
def test_a_session_can_be_resumed(name: str, steps: int, ended: str, tmp_path: Path) -> None:
    shutil.copytree(BEFORE / "sessions" / name, tmp_path / "sessions")
    [path] = (tmp_path / "sessions").glob("*.session")
    saved = sessions.read(path)
    assert (saved.run.version, saved.run.steps, saved.ended) == (1, steps, ended)
    file = sessions.with_recording(path, saved)
    run = run_file.begin(file)
    assert run_file.replay(run, file) is None
    assert (run.recorded, isinstance(run.solver, Recorder)) == (steps, name == "recorded")


@pytest.mark.parametrize("line", (BEFORE / "recipes.txt").read_text(encoding="utf-8").splitlines())
def test_a_recipe_is_read_and_written_alike(line: str) -> None:
    found = recipe.parse(line)
    written = recipe.line(*found)
    assert re.sub(r"trajectory=\d+&", "", written) == line  # of a solver whose trajectory has been raised since
    assert recipe.parse(written) == found
    run = Run.start(found.recipe.solver, found.recipe.puzzle,
                    run_file.registry.solver(found.recipe.solver).make_params(None, found.recipe.params),
                    found.recipe.seed, found.recipe.interventions)
    run.advance(found.step)
    assert run.playhead == found.step


@pytest.mark.sweep
def test_a_bench_store_is_continued_where_it_ended(tmp_path: Path, cli: Call) -> None:
    shutil.copytree(BEFORE / "bench", tmp_path / "bench")
    wanted = ("bench", "--solvers", "backtrack,anneal:easy", "--packs", "4x4:1,4x4:2", "--max-steps", "3000",
              "--executor", "here", "--out", str(tmp_path / "bench"), "--format", "jsonl", "-y")
    store = tmp_path / "bench" / "results.sqlite"
    before = _rows(store)
    made = cli(*wanted, "--runs", "3")
    assert (made.code, len(made.out.splitlines())) == (0, 12)
    after = _rows(store)
    assert len(before) == 8
    assert len(after) == 8 + 2 + 6  # the preset easy draws its moves by row since then: its four are made again
    assert set(before) <= set(after)  # with their times: none of the eight trials was changed


def _rows(store: Path) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(store)) as db:
        return db.execute("select key, status, steps, seconds, grid from results").fetchall()


def test_a_configuration_is_read() -> None:
    assert config_file.read(BEFORE / "config.toml").mistake == ""
    found = config_file.read(BEFORE / "keys.toml")
    assert (found.settings.theme, found.settings.speed, found.settings.solver) == ("high-contrast", "max", "tabu")
    assert found.keys == {"run": ("f6", "ctrl+x"), "next-reheat": ("f7",)}


def test_the_look_and_the_unfinished_puzzle_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "appearance_file", lambda: BEFORE / "look.json")
    monkeypatch.setattr(paths, "draft_file", lambda: BEFORE / "draft.sdm")
    look = settings.load_appearance()
    assert look is not None
    assert msgspec.structs.asdict(look) == {"theme": "light", "ascii": True}
    (record,) = puzzle_files.load_drafts()
    assert (record.name, record.puzzle.line) == ("mine", "12..............")
