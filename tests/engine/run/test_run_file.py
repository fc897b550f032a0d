"""Run files: everything is restored, and what does not match is refused with a sentence."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import msgspec
import numpy as np
import pytest

from engine import registry
from engine import state as states
from engine.breakpoints import Breakpoint, Stop
from engine.errors import RunFileError
from engine.run import run_file
from engine.run.run import Run
from tests.engine.walk import PUZZLE, WALK, start


def test_an_intervention_with_a_number_of_numpy_can_be_saved(tmp_path: Path) -> None:
    run = start()
    run.advance(3)
    run.intervene("bias", np.float64(0.25))
    run_file.save(run, tmp_path / "walk.run")
    assert [each.value for each in run_file.read(tmp_path / "walk.run").recipe.interventions] == [0.25]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.registry.solver", lambda name: WALK)


def saved(tmp_path: Path) -> tuple[Run, Path]:
    run = start()
    run.advance(1234)
    run.intervene("bias", 0.05)
    run.advance(766)
    run.seek(1500)
    run.breakpoints = [Breakpoint(Stop(frozenset({"best", "uphill"}))), Breakpoint(Stop(energy=3)),
                       Breakpoint(Stop(cell=7), on=False)]
    path = tmp_path / "walk.run"
    run_file.save(run, path)
    return run, path


def test_a_run_file_brings_everything_back(tmp_path: Path) -> None:
    run, path = saved(tmp_path)
    again, mismatch = run_file.load(path)
    assert mismatch is None
    assert again.recipe == run.recipe
    assert (again.playhead, again.recorded) == (1500, 2000)
    assert again.breakpoints == run.breakpoints
    assert states.digest(again.state) == states.digest(run.state)
    assert run_file.describe(again) == run_file.describe(run)


def test_every_field_has_a_line_indented_by_one_blank(tmp_path: Path) -> None:
    _, path = saved(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[1], lines[-1]) == ("{", ' "format": "sudoku-tui run",', "}")
    assert ' "recipe": {' in lines
    assert '  "solver": "walk",' in lines


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ('"sudoku-tui run"', '"sudoku run"', "is not a run file"),
    ('"version": 2', '"version": 3', "run file version 3"),
    ('"seed": 7', '"seed": 8', "checksum"),
    ('"seed": 7', '"seed": -1', "altered or damaged"),
    ('"seed": 7', '"seed": 7, "speed": 3', "altered or damaged"),
    ('"steps": 2000', '"steps": "many"', "altered or damaged"),
    ('"bias"', '"bi', "not a run file or is cut short"),
])
def test_a_tampered_run_file_is_refused_with_a_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    _, path = saved(tmp_path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RunFileError, match=sentence):
        run_file.load(path)


def test_a_truncated_run_file_is_refused(tmp_path: Path) -> None:
    _, path = saved(tmp_path)
    data = path.read_bytes()
    for length in range(0, len(data) - 2, 97):
        path.write_bytes(data[:length])
        with pytest.raises(RunFileError):
            run_file.load(path)


def test_a_replay_that_comes_out_differently_names_its_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, path = saved(tmp_path)
    monkeypatch.setattr("engine.rng.draw", lambda seed, stream, step, i=0: step)
    run, mismatch = run_file.load(path)
    assert mismatch is not None
    assert "at step" in mismatch.text
    assert mismatch.step <= 2000
    assert run.recorded <= 2000


def test_a_file_of_an_earlier_version_is_replayed_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 1 of the swarm had no parameter `draw` and drew all pairs alike; its preset course draws by box now."""
    monkeypatch.undo()
    solver = registry.solver("swarm")
    params = solver.make_params(None, {"draw": "pairs", "size": 10})
    run = Run.start(solver, PUZZLE, params, 3)
    run.advance(200)
    described = run_file.describe(run)
    lacking = {name: value for name, value in described.recipe.params.items() if name != "draw"}
    old = msgspec.structs.replace(described, trajectory=1, checksum="",
                                  recipe=msgspec.structs.replace(described.recipe, params=lacking))
    run_file.write(run_file.with_position(old, run), tmp_path / "old.run")
    opened, mismatch = run_file.load(tmp_path / "old.run")
    assert mismatch is None
    assert (opened.params, opened.recipe.params["draw"]) == (params, "pairs")


def test_another_trajectory_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, path = saved(tmp_path)
    monkeypatch.setattr(WALK, "trajectory", 2, raising=False)
    with pytest.raises(RunFileError, match="trajectory"):
        run_file.load(path)


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, path = saved(tmp_path)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    run.seek(3)
    with pytest.raises(RunFileError, match="No space left"):
        run_file.save(run, path)
    assert path.read_bytes() == before
    monkeypatch.undo()
    with pytest.raises(RunFileError, match="cannot write"):
        run_file.save(run, tmp_path / "nowhere" / "walk.run")


@pytest.mark.parametrize("changes", [
    {"steps": -5}, {"steps": 1999}, {"playhead": -1}, {"playhead": 2001}, {"digests": ()},
    {"digests": ((2000, "0" * 32), (1, "0" * 32))},
])
def test_a_run_file_with_inconsistent_parts_is_refused_despite_its_checksum(
        tmp_path: Path, changes: dict[str, object]) -> None:
    run, path = saved(tmp_path)
    forged = msgspec.structs.replace(run_file.describe(run), **changes)
    forged = msgspec.structs.replace(forged, checksum=run_file._checksum(forged))
    path.write_bytes(msgspec.json.encode(run_file.encodable(forged)))
    with pytest.raises(RunFileError, match="do not match each other"):
        run_file.read(path)


def test_saving_writes_through_a_link_and_onto_nothing_but_files(tmp_path: Path) -> None:
    run, path = saved(tmp_path)
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    path.write_bytes(b"old")
    link.symlink_to(path)
    run_file.save(run, link)
    assert link.is_symlink()
    assert run_file.read(path).steps == 2000
    os.mkfifo(pipe)
    for taken in (pipe, tmp_path):
        with pytest.raises(RunFileError, match="expected a regular file"):
            run_file.save(run, taken)
    assert pipe.is_fifo()


def replayed(run: Run, **changes: object) -> run_file.Mismatch | None:
    """The mismatch of a file of the run with some fields changed."""
    file = msgspec.structs.replace(run_file.describe(run), **changes)
    return run_file.replay(run_file.begin(file), file)


def test_a_replay_that_ends_early_is_a_mismatch() -> None:
    run = start("downhill")
    run.advance(10**6)
    assert replayed(run) is None
    mismatch = replayed(run, steps=run.recorded + 5, digests=((run.recorded + 5, "0" * 32),))
    assert mismatch is not None
    assert (mismatch.step, mismatch.what) == (run.recorded, "the run ends there")


def test_a_replay_with_another_outcome_is_a_mismatch() -> None:
    run = start("downhill")
    run.advance(10**6)
    assert run.outcome is not None
    mismatch = replayed(run, outcome=None)
    assert mismatch is not None
    assert mismatch.what == "it ends in another way"
    worse = msgspec.structs.replace(run.outcome, energy=run.outcome.energy + 1)
    assert replayed(run, outcome=worse) is not None


def test_the_words_of_an_earlier_version_for_the_same_end_are_no_mismatch() -> None:
    run = start("downhill")
    run.advance(10**6)
    assert run.outcome is not None
    assert replayed(run, outcome=msgspec.structs.replace(run.outcome, reason="said otherwise")) is None


def test_the_digest_of_a_run_without_steps_is_compared() -> None:
    run = start()
    assert replayed(run) is None
    mismatch = replayed(run, digests=((0, "0" * 32),))
    assert mismatch is not None
    assert (mismatch.step, mismatch.what) == (0, "the initial state has another digest")


def test_a_digest_at_the_end_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.run.run.DIGEST_EVERY", 100)
    run = start()
    run.advance(300)
    assert [step for step, _digest in run_file.describe(run).digests] == [100, 200, 300]


def test_a_sketch_with_a_playhead_outside_the_run_is_not_sound() -> None:
    run = start()
    run.advance(50)
    sketch = run_file.sketch(run)
    assert run_file.is_sound(sketch)
    for changes in ({"playhead": 51}, {"playhead": -1}, {"version": 3}, {"format": "other"}):
        forged = msgspec.structs.replace(sketch, **changes)
        forged = msgspec.structs.replace(forged, checksum=run_file._checksum(forged))
        assert not run_file.is_sound(forged), changes
    assert not run_file.is_sound(msgspec.structs.replace(sketch, steps=60))


def test_a_large_field_of_a_stranger_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "lists.run"
    path.write_text('{"format":"sudoku-tui run","version":1,"x":[' + "[]," * 200_000 + "0]}")
    tracemalloc.start()
    with pytest.raises(RunFileError, match="altered or damaged: Object contains unknown field `x`"):
        run_file.read(path)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * path.stat().st_size
