"""Recording files: they grow, can be read up to a step, and are refused when cut short."""

from __future__ import annotations

import tempfile
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from engine.errors import BadInput, RunFileError
from engine.run import run_file
from engine.run.recorder import Recorder
from engine.run.run import Run
from engine.run.run_file import RecordingFile
from tests.engine.strangers.toy_recorded import ToyRecorded
from tests.tui.small import PUZZLE


def recorded(steps: int) -> tuple[Run, Recorder]:
    run = Run.start(ToyRecorded(), PUZZLE)
    run.advance(steps)
    assert isinstance(run.solver, Recorder)
    return run, run.solver


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=5))
def test_a_recording_file_equals_the_recording_of_a_run_file(stretches: list[int]) -> None:
    run, recorder = recorded(sum(stretches))
    with tempfile.TemporaryDirectory() as folder:
        log = RecordingFile(Path(folder) / "new" / "a.tape")
        for end in accumulate(stretches):
            log.extend(recorder, end)
        assert run_file.read_recording(log.path, sum(stretches)) == run_file.describe(run).recording


def test_fewer_steps_than_it_has_are_read_and_more_are_refused(tmp_path: Path) -> None:
    _run, recorder = recorded(5)
    log = RecordingFile(tmp_path / "a.tape")
    log.extend(recorder, 5)
    assert len(run_file.read_recording(log.path, 3).frames) == 3
    with pytest.raises(RunFileError, match="cut short: expected a recording of 6 steps"):
        run_file.read_recording(log.path, 6)
    log.path.write_bytes(log.path.read_bytes()[:-1])
    with pytest.raises(RunFileError, match="cut short"):
        run_file.read_recording(log.path, 5)


def test_an_incomplete_write_is_overwritten(tmp_path: Path) -> None:
    run, recorder = recorded(5)
    log = RecordingFile(tmp_path / "a.tape")
    log.extend(recorder, 2)
    with log.path.open("ab") as file:
        file.write(b"\0\0\0\7abc")
    log.extend(recorder, 5)
    assert run_file.read_recording(log.path, 5) == run_file.describe(run).recording


def test_a_failed_write_can_be_repeated(tmp_path: Path) -> None:
    run, recorder = recorded(4)
    folder = tmp_path / "taken"
    folder.write_text("")
    log = RecordingFile(folder / "a.tape")
    with pytest.raises(BadInput, match="cannot write"):
        log.extend(recorder, 4)
    folder.unlink()
    log.extend(recorder, 4)
    assert run_file.read_recording(log.path, 4) == run_file.describe(run).recording


def test_a_recording_of_another_version_is_refused_even_if_its_steps_are_the_same(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, _recorder = recorded(5)
    with registry.lent(ToyRecorded()):
        run_file.save(run, tmp_path / "a.run")
        assert run_file.load(tmp_path / "a.run")[1] is None
        monkeypatch.setattr(ToyRecorded, "trajectory", 2)
        monkeypatch.setattr(ToyRecorded, "earlier", {1: {}})
        with pytest.raises(RunFileError, match="recorded with version 1 of toy-recorded's trajectory"):
            run_file.load(tmp_path / "a.run")
