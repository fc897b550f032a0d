"""Screenshots as SVG files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import registry
from engine.errors import BadInput
from tests.tui.run_driver import open_run
from tui.config import paths
from tui.look import screenshot


async def test_a_picture_is_saved_under_an_unused_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "pictures", lambda: tmp_path / "pictures")
    async with open_run() as on:
        for _again in range(2):
            await on.press("P")
            await on.until(lambda: "SAVED" in on.said)
            await on.press("right", "left")
            await on.at(0)
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert names == ["sudoku-tui-Small-annealing-hard-1-seed-7-step-0-2.svg",
                     "sudoku-tui-Small-annealing-hard-1-seed-7-step-0.svg"]
    drawn = (tmp_path / "pictures" / names[1]).read_text()
    assert drawn.startswith("<svg")
    assert "sudoku-tui" in drawn
    assert "#121212" in drawn


async def test_a_picture_of_a_long_title_names_its_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "pictures", lambda: tmp_path / "pictures")
    async with open_run(solver=registry.solver("anneal-reheat-adaptive")) as on:
        await on.go(108)
        await on.press("P")
        await on.until(lambda: "SAVED" in on.said)
    (path,) = (tmp_path / "pictures").iterdir()
    assert path.name.endswith("-seed-7-step-108.svg")
    assert len(path.stem) > 60


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"cannot save a picture in .*file"):
        screenshot.save("<svg/>", tmp_path / "file", "x")


def test_every_word_of_a_picture_has_its_own_position() -> None:
    text = '<text class="r1" x="10" y="20" textLength="80" clip-path="url(#a)">&#160;ab&#160;&#160;c&lt;&#160;</text>'
    pieces = re.findall(r'x="([^"]*)".*?textLength="([^"]*)".*?>([^<]*)</text>', screenshot.parted(text))
    assert pieces == [("20", "20", "ab"), ("60", "20", "c&lt;")]
