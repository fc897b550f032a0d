"""Home: saved runs, files of puzzles, the draft, and pasting."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual import events

from engine import registry
from engine.puzzles import packs
from engine.run import run_file
from engine.run.run import Run
from tests.tui.app_driver import RUN, AppDriver, running_app
from tests.tui.small import PUZZLE, SMALL
from tui.config import paths
from tui.requests import HomeRequest, NewRun
from tui.screens.bench.screen import Bench
from tui.screens.dialogs.prompt import ConfirmDialog, PathDialog
from tui.screens.editor import Editor
from tui.screens.home.screen import Home
from tui.screens.run.screen import RunScreen
from tui.storage import library, puzzle_files
from tui.storage.run_files import SavedRun


def kept_run(steps: int = 90) -> Path:
    """A run of the small solver among the saved ones."""
    path = paths.saved_runs() / "kept.run"
    path.parent.mkdir(parents=True, exist_ok=True)
    run = Run.start(SMALL, PUZZLE, None, 7)
    run.advance(steps)
    run.seek(40)
    run_file.save(run, path)
    return path


async def test_runs_are_listed_resumed_and_deleted() -> None:
    with registry.lent(SMALL):
        path = kept_run()
    async with running_app(HomeRequest(PUZZLE_RECORD := packs.find("hard:1"))) as on:
        await on.until(lambda: "your runs" in on.shown(on.home.list) or on.home._runs)
        await on.press("home")
        shown = on.shown(on.home.list)
        assert "your runs" in shown
        assert "begun" in shown
        assert "resume" in on.shown(on.home.footer)
        assert on.home.selection.entry is not None
        assert on.home.selection.entry.puzzle == PUZZLE_RECORD.puzzle
        assert "Small annealing   seed 7" in on.shown(on.home.card)
        assert "begun, 90 steps, at step 40" in on.shown(on.home.card)
        await on.press("tab", "tab", "tab")
        assert on.home.selection.entry.name == packs.pack("hard")[0].name
        assert "your last run small, begun, 90 steps" in on.shown(on.home.card)
        await on.press("home")
        await on.press("enter")
        await on.at(RunScreen)
        await on.until(lambda: not on.run_screen.snapshot.busy)
        assert (on.run_screen.snapshot.playhead, on.run_screen.snapshot.recorded) == (40, 90)
        await on.press("n")
        await on.at(Home)
        await on.until(lambda: on.home._runs)
        await on.press("home", "d")
        await on.until(lambda: isinstance(on.app.screen, ConfirmDialog))
        await on.press("n")
        assert path.exists()
        await on.press("d", "y")
        await on.until(lambda: not path.exists())
        await on.at(Home)
        await on.until(lambda: all(run.path != path for run in on.home._runs))
        await on.press("end", "d")
        assert "only your runs and drafts can be deleted" in on.said


@pytest.mark.parametrize(("keys", "moved"), [(("home",), True), (("home", "down", "up"), False), (("up",), False)])
async def test_the_first_entry_is_a_run_also_if_it_is_asked_for_before_the_runs_are_read(
        keys: tuple[str, ...], moved: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    read = threading.Event()

    def runs_in_time() -> tuple[SavedRun, ...]:
        assert read.wait(60)
        return library.all_runs()

    monkeypatch.setattr("tui.screens.home.screen.all_runs", runs_in_time)
    with registry.lent(SMALL):
        kept_run()
    async with running_app() as on:
        await on.at(Home)
        await on.press(*keys)
        before = on.home.selection.entry
        read.set()
        await on.until(lambda: on.home._runs)
        assert before is not None
        assert before.run is None
        assert (on.home.selection.entry != before) is moved
        assert on.home.selection.list.selected == (0 if moved else 1)


def test_branches_of_equal_lengths_are_all_listed_and_copies_once() -> None:
    with registry.lent(SMALL):
        original = kept_run()
        branch = Run.start(SMALL, PUZZLE, None, 7)
        branch.advance(40)
        branch.intervene("temperature", 0.5)
        branch.advance(50)
        run_file.save(branch, original.with_name("branch.run"))
        run_file.save(branch, original.with_name("copy.run"))
        runs = library.all_runs()
    assert [run.steps for run in runs] == [90, 90]
    assert {len(run.recipe.interventions) for run in runs} == {0, 1}


async def test_what_follows_a_removed_entry_is_selected_then() -> None:
    async with running_app() as on:
        await on.at(Home)
        selection, entries = on.home.selection, on.home.selection.list.entries
        selection.select(3)
        selection.replace_entries([each for each in entries if each != entries[3]])
        assert selection.entry == entries[4]
        selection.replace_entries(entries)
        assert selection.entry == entries[4]
        selection.replace_entries(entries[:2])
        assert selection.entry == entries[1]


async def test_a_file_of_puzzles_is_a_pack(tmp_path: Path) -> None:
    lines = [record.puzzle.line for record in packs.pack("4x4")[:3]]
    (tmp_path / "mine.sdm").write_text("# name: tiny\n" + "\n".join([*lines, "12x"]))
    async with running_app() as on:
        await open_file(on, tmp_path / "mine.sdm")
        await on.until(lambda: "mine.sdm" in on.shown(on.home.list))
        chosen = on.home.selection
        assert chosen.entry is not None
        assert (chosen.entry.name, chosen.entry.group) == ("tiny", "mine.sdm")
        assert "LEFT OUT" in on.said
        assert "1 solution" in on.shown(on.home.card) or "counting" in on.shown(on.home.card)
        await on.until(lambda: "1 solution" in on.shown(on.home.card))
        await on.press("down")
        assert "mine.sdm 2" in on.shown(on.home.list)


async def open_file(on: AppDriver, path: Path) -> None:
    await on.press("o")
    await on.until(lambda: isinstance(on.app.screen, PathDialog))
    prompt = on.app.screen
    assert isinstance(prompt, PathDialog)
    prompt._input.value = str(path)[:-2]
    prompt._input.cursor_position = 1000
    await on.press("tab", "enter")
    await on.until(lambda: on.app.screen is not prompt)


async def test_an_experiment_is_opened_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "mine.toml"
    path.write_text('solvers = [{ solver = "dlx" }]\npuzzles = [{ sources = ["easy:1"] }]', "utf-8")
    async with running_app() as on:
        await on.at(Home)
        await on.press("o", *str(path), "enter")
        await on.at(Bench)
        await on.press("escape", "escape")
        await on.at(Home)


async def test_a_run_file_is_opened_from_home_and_from_the_laboratory(tmp_path: Path) -> None:
    with registry.lent(SMALL):
        path = kept_run()
    async with running_app() as on:
        await open_file(on, path)
        await on.at(RunScreen)
        await on.until(lambda: on.run_screen.snapshot.playhead == 40)
        (tmp_path / "one.txt").write_text(packs.find("easy:2").puzzle.line)
        await open_file(on, tmp_path / "one.txt")
        await on.at(Home)
        assert "one.txt" in on.shown(on.home.list)
        assert len(on.app.screen_stack) == 2


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("content", [None, b"", b"nonsense", b"{}", b'{"format": "other"}', b"\x00" * 50])
async def test_a_file_that_cannot_be_opened_is_refused_in_one_sentence(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "odd.bin"
    if content is not None:
        path.write_bytes(content)
    for source in (HomeRequest(), RUN):
        async with running_app(source) as on:
            before = on.app.screen
            await on.until(lambda on=on: not isinstance(on.app.screen, RunScreen) or not on.run_screen.snapshot.busy)
            await on.press("o")
            await on.until(lambda on=on: isinstance(on.app.screen, PathDialog))
            on.app.screen._input.value = str(path)  # type: ignore[attr-defined]
            await on.press("enter")
            await on.until(lambda on=on: "REFUSED" in on.text)
            assert on.app.screen is before


async def test_pasting_opens_the_editor() -> None:
    async with running_app() as on:
        on.app.post_message(events.Paste(packs.find("hard:2").puzzle.line))
        await on.at(Editor)
        assert on.editor.draft.puzzle == packs.find("hard:2").puzzle
        await on.press("escape")
        await on.at(Home)
        on.app.post_message(events.Paste("hello"))
        await on.until(lambda: "REFUSED" in on.said)
        await on.press("slash")
        on.app.post_message(events.Paste("wind\nmill"))
        await on.until(lambda: "wind mill" in on.shown(on.home.list))


async def test_a_draft_is_listed_and_deleted() -> None:
    for name in ("easy:2", "easy:3"):
        puzzle_files.save_draft(packs.find(name), PUZZLE)
    async with running_app() as on:
        await on.press("home")
        assert "your drafts 2" in " ".join(on.shown(on.home.list).split())
        assert "d delete" in on.shown(on.home.footer)
        await on.press("d", "y")
        await on.until(lambda: "your drafts 1" in " ".join(on.shown(on.home.list).split()))
        assert [each.name for each in puzzle_files.load_drafts()] == [packs.find("easy:2").name]


async def test_home_begins_below_the_drafts() -> None:
    puzzle_files.save_draft(packs.find("easy:2"), PUZZLE)
    async with running_app(HomeRequest()) as on:
        await on.until(lambda: "your drafts 1" in " ".join(on.shown(on.home.list).split()))
        assert on.home.selection.entry is not None
        assert on.home.selection.entry.kind == "pack"
        assert on.home.selection.entry.number == 1


async def test_a_run_begins_on_a_puzzle_of_a_file() -> None:
    async with running_app(NewRun(PUZZLE, "mine", "small", {}, 3)) as on:
        await on.press("n")
        await on.at(Home)
        chosen = on.home.selection
        assert chosen.entry is not None
        assert (chosen.entry.name, chosen.seed, chosen.solver.name) == (packs.pack("hard")[0].name, 3, "small")
