"""Autosaved run files: written, listed, pruned, and never replaced by a shorter run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from engine.breakpoints import Breakpoint, Stop
from engine.run import run_file
from engine.run.run import Run
from tests.tui.small import PUZZLE, SMALL
from tui.config.settings import Config, Settings
from tui.playback.loading import pending_run
from tui.requests import AppRequest, NewRun
from tui.storage import run_files
from tui.storage.autosave import RUN_INTERVAL, RUN_SOON, RunFileSaver
from tui.storage.run_files import recent


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registry.lent(SMALL):
        yield


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def saver(tmp_path: Path, clock: Clock) -> RunFileSaver:
    return RunFileSaver("hard 1", clock, tmp_path / "kept")


def begin(seed: int = 7, steps: int = 100) -> Run:
    run = Run.start(SMALL, PUZZLE, seed=seed)
    run.advance(steps)
    return run


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "kept").glob("*"))


def test_a_run_without_steps_is_not_kept(saver: RunFileSaver, tmp_path: Path) -> None:
    assert saver.due(begin(steps=0)) is None
    assert saver.save(begin(steps=0)) is None
    assert files(tmp_path) == []


def test_a_run_that_changes_is_due_some_seconds_later_and_once(saver: RunFileSaver, clock: Clock) -> None:
    run = begin()
    assert saver.due(run) == RUN_INTERVAL
    clock.now = RUN_INTERVAL - 2
    run.advance(5)
    assert saver.due(run) == 2
    saver.save(run)
    assert saver.due(run) is None
    run.step_back()
    assert saver.due(run) == RUN_INTERVAL


def test_what_was_changed_by_hand_is_kept_as_soon_as_it_is_on_the_screen(saver: RunFileSaver, clock: Clock) -> None:
    run = begin()
    saver.opened(run)
    run.intervene("temperature", 0.5)
    assert saver.due(run) == RUN_SOON
    clock.now = RUN_SOON
    assert saver.due(run) == 0


def test_a_run_that_is_left_for_a_branch_is_kept_too(saver: RunFileSaver, tmp_path: Path) -> None:
    run = begin(steps=0)
    saver.opened(run)
    assert saver.due(run) is None
    run.advance(200)
    run.seek(50)
    branch = run.intervene("temperature", 0.5)
    assert saver.due(branch) == RUN_SOON
    saver.save(branch)
    assert sorted(each.steps for each in recent(tmp_path / "kept")) == [50, 200]
    assert saver.due(branch) is None


def test_on_leaving_the_runs_left_before_are_kept_as_well(saver: RunFileSaver, tmp_path: Path) -> None:
    run = begin()
    saver.due(run)
    run.seek(50)
    saver.save(run.intervene("temperature", 0.5), last=True)
    assert sorted(each.steps for each in recent(tmp_path / "kept")) == [50, 100]


def test_on_leaving_the_run_on_the_screen_is_the_latest(saver: RunFileSaver, tmp_path: Path) -> None:
    run = begin()
    saver.save(run)
    run.seek(50)
    branch = run.intervene("temperature", 0.5)
    saver.save(branch)
    for place, each in enumerate(sorted((tmp_path / "kept").iterdir())):
        os.utime(each, (place, place))
    for shown in (run, branch, run):
        saver.save(shown, last=True)
        assert recent(tmp_path / "kept")[0].recipe == shown.recipe


def test_a_slow_disk_is_not_asked_all_the_time(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(described: run_file.RunFile, path: Path) -> None:
        clock.now += 2

    saver, run = RunFileSaver("hard 1", clock, tmp_path / "kept"), begin()
    monkeypatch.setattr(run_file, "write", slowly)
    saver.save(run)
    run.advance(1)
    assert saver.due(run) == 100


def test_a_knob_that_is_turned_back_before_a_step_leaves_no_file(saver: RunFileSaver, tmp_path: Path) -> None:
    run = begin()
    saver.save(run)
    before = run.twin()
    run.intervene("temperature", 0.5)
    saver.save(run)
    saver.save(before)
    [found] = recent(tmp_path / "kept")
    assert run_file.read(found.path).recipe.interventions == ()


def test_the_branches_of_one_run_do_not_crowd_out_others(saver: RunFileSaver, tmp_path: Path) -> None:
    for seed in range(4):
        saver.save(begin(seed, 3))
    run = begin(9)
    for step in range(2, 60):
        run.seek(step)
        saver.save(run.intervene("temperature", 0.5))
    found = recent(tmp_path / "kept")
    assert len(found) == run_files.MOST
    assert {each.seed for each in found} == {0, 1, 2, 3, 9}


def test_what_was_kept_comes_back_with_playhead_breakpoints_and_name(saver: RunFileSaver, tmp_path: Path) -> None:
    run = begin()
    run.seek(42)
    run.breakpoints = [Breakpoint(Stop(cell=3), on=False)]
    assert saver.save(run) is None
    [found] = recent(tmp_path / "kept")
    assert (found.puzzle, found.puzzle_name, found.solver, found.seed) == (PUZZLE, "hard 1", "small", 7)
    assert (found.steps, found.playhead, found.outcome) == (100, 42, None)
    again, mismatch = run_file.load(found.path)
    assert mismatch is None
    assert (again.playhead, again.recorded, again.breakpoints) == (42, 100, run.breakpoints)


def test_runs_of_one_recipe_share_a_file(saver: RunFileSaver, tmp_path: Path) -> None:
    run = begin()
    saver.save(run)
    run.advance(50)
    saver.save(run)
    assert [each.steps for each in recent(tmp_path / "kept")] == [150]
    saver.save(begin(seed=8))
    assert len(files(tmp_path)) == 2


def test_a_shorter_run_of_the_same_recipe_moves_the_playhead_and_loses_nothing(
        saver: RunFileSaver, tmp_path: Path, clock: Clock) -> None:
    saver.save(begin(steps=500))
    short = begin(steps=30)
    RunFileSaver("hard 1", clock, tmp_path / "kept").save(short)
    [found] = recent(tmp_path / "kept")
    assert (found.steps, found.playhead) == (500, 30)
    assert run_file.load(found.path)[1] is None


def test_a_knob_at_the_end_replaces_the_file_and_a_branch_does_not(saver: RunFileSaver, tmp_path: Path) -> None:
    run = begin()
    saver.save(run)
    run.intervene("temperature", 0.5)
    run.advance(10)
    saver.save(run)
    assert [each.steps for each in recent(tmp_path / "kept")] == [110]
    run.seek(50)
    saver.save(run.intervene("temperature", 0.4))
    assert sorted(each.steps for each in recent(tmp_path / "kept")) == [50, 110]


def test_a_file_of_an_earlier_session_is_never_replaced(saver: RunFileSaver, tmp_path: Path, clock: Clock) -> None:
    saver.save(begin())
    later, run = RunFileSaver("hard 1", clock, tmp_path / "kept"), begin(steps=120)
    later.save(run)
    run.intervene("temperature", 0.5)
    later.save(run)
    assert len(files(tmp_path)) == 2


def test_the_oldest_go_when_there_are_more_than_twenty(saver: RunFileSaver, tmp_path: Path) -> None:
    for seed in range(run_files.MOST + 3):
        saver.save(begin(seed, 3))
        newest = max(files(tmp_path), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (1000 + seed, 1000 + seed))
    found = recent(tmp_path / "kept")
    assert len(found) == 20
    assert {0, 1, 2}.isdisjoint(each.seed for each in found)


def test_of_the_branches_all_beyond_five_go_first_then_the_oldest_files() -> None:
    branches = [Path(f"hard 1 small seed 7-{number:08x}.run") for number in range(7)]
    others = [Path(f"hard 1 small seed {seed}-00000000.run") for seed in range(100, 116)]
    newest_first = [*branches, *others]
    assert run_files._excess(newest_first, branches[0]) == [branches[6], branches[5], others[15]]
    assert run_files._excess(newest_first, branches[6]) == [branches[5], branches[4], others[15]]
    assert run_files._excess(newest_first[:20], branches[0]) == []


def test_a_file_that_another_process_deletes_meanwhile_is_no_error(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, gone = tmp_path / "old.run", tmp_path / "gone.run"
    old.write_text("")
    monkeypatch.setattr(run_files, "_excess", lambda files, new: [gone, old])
    run_files.prune(tmp_path, tmp_path / "new.run")
    assert not old.exists()


def test_only_files_up_to_the_largest_size_are_listed(saver: RunFileSaver, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    saver.save(begin())
    [file] = files(tmp_path)
    for largest, listed in ((file.stat().st_size, 1), (file.stat().st_size - 1, 0)):
        monkeypatch.setattr(run_files, "LARGEST", largest)
        assert len(recent(tmp_path / "kept")) == listed


def test_a_run_contains_those_with_the_same_beginning() -> None:
    run = begin()
    assert run_files.contains(run, run.recipe, 100)
    assert not run_files.contains(run, run.recipe, 101)
    assert not run_files.contains(run, begin(seed=8).recipe, 100)
    branch = run.twin()
    branch.seek(50)
    branch = branch.intervene("temperature", 0.5)
    assert run_files.contains(run, branch.recipe, 50)
    assert not run_files.contains(run, branch.recipe, 51)
    branch.advance(10)
    assert run_files.contains(branch, run.recipe, 50)
    assert not run_files.contains(branch, run.recipe, 51)


def test_damaged_and_foreign_files_are_left_out(saver: RunFileSaver, tmp_path: Path) -> None:
    saver.save(begin())
    place = tmp_path / "kept"
    for name, data in (("a", b""), ("b", b"{}"), ("c", b'{"format": 3}'), ("d", b"\xff\xfe"), ("e", b"[" * 99999)):
        (place / f"{name}.run").write_bytes(data)
    (place / "folder.run").mkdir()
    whole = next(place.glob("hard*.run")).read_bytes()
    (place / "f.run").write_bytes(whole.replace(b'"small"', b'"unheard of"'))
    (place / "g.run").write_bytes(whole[:-100])
    assert [each.solver for each in recent(place)] == ["small"]


def test_an_unwritable_folder_is_reported_once_and_the_run_continues(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "taken").write_text("a file")
    saver, run = RunFileSaver("hard 1", clock, tmp_path / "taken" / "kept"), begin()
    notice = saver.save(run)
    assert notice is not None
    assert notice.badge == "NOT SAVED"
    assert notice.fields["why"] == f"{tmp_path / 'taken' / 'kept'}: Not a directory"
    run.advance(1)
    assert saver.save(run) is None
    assert recent(tmp_path / "taken" / "kept") == []


def test_an_unchanged_run_from_a_run_file_is_not_written(clock: Clock, tmp_path: Path) -> None:
    saver, run = RunFileSaver("hard 1", clock, tmp_path / "kept", in_file=True), begin()
    saver.opened(run)
    assert saver.due(run) is None
    saver.save(run)
    assert files(tmp_path) == []


def test_an_unchanged_run_from_elsewhere_is_written(saver: RunFileSaver, tmp_path: Path) -> None:
    """From a session that was cut off before its run was in a file, or from a recipe."""
    run = begin()
    saver.opened(run)
    assert saver.due(run) == RUN_INTERVAL
    saver.save(run)
    assert [each.steps for each in recent(tmp_path / "kept")] == [run.recorded]


def test_without_autosave_nothing_is_written(tmp_path: Path) -> None:
    saver, run = RunFileSaver("hard 1", lambda: 0.0, tmp_path / "kept", enabled=False), begin(steps=20)
    saver.opened(run)
    run.advance(5)
    assert saver.due(run) is None
    assert saver.save(run) is None
    assert not (tmp_path / "kept").exists()


def test_the_settings_say_whether_runs_are_kept() -> None:
    with registry.lent(SMALL):
        source = NewRun(PUZZLE, "hard 1", SMALL.name, {}, 7)
        assert pending_run(AppRequest(source)).autosave
        assert not pending_run(AppRequest(source, config=Config(Settings(autosave=False)))).autosave
