"""The editor: keys, mouse and clipboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord, read_path
from tests.tui.app_driver import RUN, AppDriver, running_app
from tests.tui.small import PUZZLE
from tui.requests import HomeRequest
from tui.screens.dialogs.help import Help
from tui.screens.dialogs.prompt import ConfirmDialog, PathDialog
from tui.screens.editor import Draft, Editor
from tui.screens.home.screen import Home
from tui.screens.run.screen import RunScreen
from tui.storage import puzzle_files
from tui.storage.puzzle_files import empty_puzzle
from tui.widgets.board.board import Board

SMALL_WISH = HomeRequest(solver="small", seed=7)


async def begin(on: AppDriver, puzzle: Puzzle | None = None) -> Editor:
    """The editor on a puzzle, the cursor on its first cell."""
    await on.at(Home)
    on.app.open_editor(PuzzleRecord(puzzle=puzzle or empty_puzzle(), name="mine"), SMALL_WISH)
    await on.at(Editor)
    on.editor.move_cursor(0)
    await on.pilot.pause()
    return on.editor


def givens(editor: Editor) -> tuple[int, ...]:
    return editor.draft.puzzle.givens


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_digits_place_givens_and_arrows_move(size: tuple[int, int]) -> None:
    async with running_app(size=size) as on:
        editor = await begin(on)
        await on.press("5", "right", "3", "down", "l", "7", "space", "8", "k", "h", "h")
        assert editor.cursor == 1
        assert {cell: value for cell, value in enumerate(givens(editor)) if value} == {0: 5, 1: 3, 11: 7, 12: 8}
        assert "4 of 81" in on.shown(editor.facts)
        assert "A digit sets the cell" in " ".join(on.shown(editor.facts).split())
        assert "r1c2" in on.shown(editor.facts)
        await on.press("0", "left", "full_stop", "up", "left")
        assert editor.cursor == 80
        await on.press("j", "l", "1", "backspace", "2", "delete")
        assert [value for value in givens(editor) if value] == [7, 8]
        assert "CHANGED" in on.shown(editor.header)


async def test_conflicts_are_shown_while_typing() -> None:
    async with running_app() as on:
        editor = await begin(on)
        await on.press("5", "right")
        assert "Conflicts" not in on.shown(editor.facts)
        await on.press("5")
        facts = " ".join(on.shown(editor.facts).split())
        assert "5 appears 2 times in row 1: r1c1 r1c2" in facts
        assert "5 appears 2 times in box 1: r1c1 r1c2" in facts
        assert "no solution" in facts
        assert on.shown(editor.board).count("!") == 2
        assert "enter start" not in on.shown(editor.footer)
        await on.press("enter")
        assert on.app.screen is editor
        assert "REFUSED the givens contradict each other" in on.said
        await on.press("6")
        assert "Conflicts" not in on.shown(editor.facts)
        assert on.said == ""


@pytest.mark.parametrize("size", [(60, 20), (64, 22), (50, 20)])
async def test_in_few_rows_solutions_and_conflicts_come_first(size: tuple[int, int]) -> None:
    async with running_app(size=size) as on:
        editor = await begin(on, packs.find("easy:1").puzzle)
        await on.until(lambda: "1 solution" in on.shown(editor.facts) or "unique" in on.shown(editor.facts))
        await on.press("down", "down", "5", "up", "5")
        await on.until(lambda: "no solution" in on.shown(editor.facts))
        assert "conflicts" in on.shown(editor.facts)
        assert "5 appears 2 times in " in on.shown(editor.facts)


async def test_solutions_are_counted_in_the_background() -> None:
    async with running_app() as on:
        editor = await begin(on, packs.find("easy:1").puzzle)
        await on.until(lambda: "1, it is unique" in on.shown(editor.facts))
        await on.press("x")
        await on.until(lambda: "2 solutions or more" in on.shown(editor.facts))
        await on.press("ctrl+z")
        await on.until(lambda: "1, it is unique" in on.shown(editor.facts))
        on.app.post_message(events.Paste(packs.find("traps:3").puzzle.line))
        await on.until(lambda: "no solution" in on.shown(editor.facts))


async def test_undo_and_redo() -> None:
    async with running_app() as on:
        editor = await begin(on)
        assert "undo" not in on.shown(editor.footer)
        await on.press("1", "down", "2", "v", "s")
        assert editor.draft.puzzle == empty_puzzle(4, "diagonal")
        await on.press("ctrl+z")
        assert editor.draft.puzzle.variant == "diagonal"
        assert givens(editor)[0] == 1
        await on.press("ctrl+z", "ctrl+z", "ctrl+z")
        assert editor.draft.puzzle == empty_puzzle()
        assert "redo" in on.shown(editor.footer)
        await on.press("ctrl+z")
        assert "NOT AVAILABLE nothing to undo" in on.said
        await on.press("ctrl+y", "ctrl+y")
        assert [value for value in givens(editor) if value] == [1, 2]
        await on.press("x")
        assert not any(givens(editor))
        await on.press("ctrl+z")
        assert any(givens(editor))
        await on.press("ctrl+y", "ctrl+y")
        assert "NOT AVAILABLE nothing to redo" in on.said


async def test_larger_boards_take_letters_and_two_digits() -> None:
    async with running_app() as on:
        editor = await begin(on, empty_puzzle(4))
        assert "Digits and letters set the cell" in " ".join(on.shown(editor.facts).split())
        await on.press("1", "2", "right", "g", "right", "A", "right", "9", "9", "right", "1", "6", "right", "h")
        assert givens(editor)[:5] == (12, 16, 10, 9, 16)
        assert editor.cursor == 4
        await on.press("1", "left", "right", "0")
        assert givens(editor)[4] == 0
        await on.press("H")
        assert "NO VALUE H: expected a value from 1 to 16" in on.said
        await on.press("s")
        assert editor.draft.puzzle.n == 25
        await on.press("P", "2", "5")
        assert givens(editor)[4] == 25
        await on.press("right", "i", "right", "n")
        assert givens(editor)[5:7] == (18, 23)
        await on.press("z")
        assert "NO VALUE z: expected a value from 1 to 25" in on.said
        assert "a capital where the small one is a key" in " ".join(on.shown(editor.facts).split())
        await on.press("left", "left")
        await on.press("S", "S", "S")
        assert editor.draft.puzzle.n == 4
        assert editor.cursor == 3, "r1c5 is beyond the board"
        await on.press("9", "4")
        assert givens(editor)[3] == 4
        await on.press("s")
        assert editor.cursor == 4


async def test_a_puzzle_is_pasted_and_other_text_refused() -> None:
    async with running_app() as on:
        editor = await begin(on)
        big = packs.find("16x16:1").puzzle
        on.app.post_message(events.Paste(f"# name: large\n{big.line}\n"))
        await on.until(lambda: editor.draft.puzzle == big)
        assert "large" in on.shown(editor.header)
        on.app.post_message(events.Paste("12345"))
        await on.until(lambda: "REFUSED" in on.said)
        assert editor.draft.puzzle == big
        on.app.post_message(events.Paste(f"{PUZZLE.line}\n{PUZZLE.line}"))
        await on.until(lambda: "the first of several" in on.said)
        await on.press("ctrl+z")
        assert editor.draft.puzzle == big


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_a_puzzle_that_is_pasted_at_home_is_kept_as_a_draft(key: str) -> None:
    puzzle = packs.find("hard:7").puzzle
    async with running_app() as on:
        await on.at(Home)
        on.app.post_message(events.Paste(puzzle.line))
        await on.at(Editor)
        await on.until(lambda: "PASTED" in on.said)
        assert on.editor.draft.puzzle == puzzle
        assert "CHANGED" in on.shown(on.editor.header)
        await on.press(key)
        await on.until(lambda: [each.puzzle for each in puzzle_files.load_drafts()] == [puzzle])


async def test_enter_begins_a_run_with_the_selected_solver() -> None:
    async with running_app() as on:
        await begin(on, PUZZLE)
        await on.press("enter")
        await on.at(RunScreen)
        pending = on.run_screen.pending
        assert (pending.puzzle, pending.solver.name, pending.seed) == (PUZZLE, "small", 7)
        assert len(on.app.screen_stack) == 1
        assert puzzle_files.load_drafts() == []


async def test_a_changed_puzzle_is_saved_as_a_draft_however_the_editor_is_left() -> None:
    async with running_app() as on:
        await begin(on)
        await on.press("5", "escape")
        await on.until(lambda: isinstance(on.app.screen, Home) and "your drafts" in on.shown(on.home.list))
        await on.press("home", "e", "right", "6", "q")
        await on.until(lambda: not on.app.is_running)
    (kept,) = puzzle_files.load_drafts()
    assert [value for value in kept.puzzle.givens if value] == [5, 6]
    assert kept.name == "mine, edited"


async def test_a_draft_is_kept_while_a_puzzle_is_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """In case the program is killed; none is left where the changes are undone."""
    def drafts() -> list[list[int]]:
        return [[value for value in each.puzzle.givens if value] for each in puzzle_files.load_drafts()]

    monkeypatch.setattr("tui.screens.editor.AUTOSAVE_SECONDS", 0.01)
    async with running_app() as on:
        editor = await begin(on)
        await on.press("5")
        await on.until(lambda: drafts() == [[5]])
        assert "CHANGED" in on.shown(editor.header)
        await on.press("right", "6")
        await on.until(lambda: drafts() == [[5, 6]])
        await on.press("ctrl+z", "ctrl+z")
        await on.until(lambda: drafts() == [])
        await on.press("right", "7", "escape")
        await on.at(Home)
        assert drafts() == [[7]]
        await on.press("home", "e")
        await on.at(Editor)
        await on.press("right", "right", "8")
        await on.until(lambda: drafts() == [[7, 8]] or drafts() == [[8, 7]])
        await on.press("ctrl+z")
        await on.until(lambda: drafts() == [[7]])


async def test_a_draft_without_a_name_keeps_its_number_and_stays_selected() -> None:
    """The numbers were places in the list, which another draft moved, and the selection stayed on the place."""
    async with running_app() as on:
        for value in ("7", "8"):
            await on.press("n")
            await on.at(Editor)
            await on.press(value, "escape")
            await on.at(Home)
        assert [each.name for each in puzzle_files.load_drafts()] == ["draft 2", "draft 1"]
        first = next(each for each in on.home.selection.entries if each.name == "draft 1")
        on.home.selection.select_puzzle(first.puzzle)
        await on.press("n")
        await on.at(Editor)
        await on.press("5", "escape")
        await on.at(Home)
        assert on.home.selection.entry == first
        assert [each.name for each in puzzle_files.load_drafts()] == ["draft 3", "draft 2", "draft 1"]
        await on.press("e")
        await on.at(Editor)
        await on.press("right", "9", "escape")
        await on.at(Home)
        assert on.home.selection.entry is not None
        assert on.home.selection.entry.name == "draft 1, edited"
        await on.press("n")
        await on.at(Editor)
        await on.press("6", "enter")
        await on.at(RunScreen)
        assert on.run_screen.pending.puzzle_name == "draft 4"


async def test_a_run_on_a_board_that_was_cleared_again_does_not_have_the_name_of_its_draft() -> None:
    async with running_app() as on:
        await on.press("n")
        await on.at(Editor)
        await on.press("6")
        on.editor._autosave()
        assert [each.name for each in puzzle_files.load_drafts()] == ["draft 1"]
        await on.press("backspace", "enter")
        await on.at(RunScreen)
        assert not any(on.run_screen.pending.puzzle.givens)
        assert on.run_screen.pending.puzzle_name == ""


async def test_a_draft_that_is_cleared_for_another_puzzle_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.screens.editor.AUTOSAVE_SECONDS", 0.01)
    def drafts() -> list[list[int]]:
        return [[value for value in each.puzzle.givens if value] for each in puzzle_files.load_drafts()]

    async with running_app() as on:
        await begin(on)
        await on.press("5", "escape")
        await on.at(Home)
        await on.press("home", "e")
        await on.at(Editor)
        await on.press("x", "6")
        await on.until(lambda: drafts() == [[6], [5]])
        await on.press("right", "7")
        await on.until(lambda: [sorted(each) for each in drafts()] == [[6, 7], [5]])
        await on.press("ctrl+z", "ctrl+z", "ctrl+z")
        await on.until(lambda: drafts() == [[5]])


async def test_another_puzzle_is_another_draft() -> None:
    async with running_app() as on:
        await begin(on)
        await on.press("5", "escape")
        await on.at(Home)
        await on.press("n")
        await on.at(Editor)
        await on.press("7", "escape")
        await on.at(Home)
        drafts = puzzle_files.load_drafts()
        assert [max(each.puzzle.givens) for each in drafts] == [7, 5]
        await on.press("home", "e")
        await on.at(Editor)
        on.app.post_message(events.Paste(PUZZLE.line))
        await on.until(lambda: "PASTED" in on.said)
        await on.press("right", "delete", "escape")
        await on.at(Home)
        assert [each.puzzle for each in puzzle_files.load_drafts()][1:] == [each.puzzle for each in drafts]


def test_an_edited_puzzle_has_another_name_until_the_edit_is_undone() -> None:
    draft = Draft(PUZZLE, "first-steps")
    free = PUZZLE.free_cells[0]
    draft.put(free, 1)
    assert draft.name == "first-steps, edited"
    assert Draft(draft.puzzle, draft.name).name == "first-steps, edited"
    again = Draft(draft.puzzle, draft.name)
    again.put(free, 0)
    assert again.name == "first-steps, edited"
    draft.undo()
    assert draft.name == "first-steps"
    unnamed = Draft(PUZZLE)
    unnamed.put(free, 1)
    assert unnamed.name == ""
    new = Draft(Puzzle((0,) * 16, 2), "mine")
    new.put(0, 1)
    assert new.name == "mine, edited"


async def test_the_copy_of_a_large_board_does_not_cover_the_board() -> None:
    async with running_app() as on:
        await begin(on, packs.find("16x16:1").puzzle)
        await on.press("y")
        assert "COPIED" in on.said
        assert on.editor.message.size.height <= 2


async def test_undo_after_a_paste_restores_the_name_too() -> None:
    async with running_app() as on:
        editor = await begin(on, PUZZLE)
        editor.move_cursor(PUZZLE.free_cells[0])
        easy = packs.find("easy:1").puzzle
        await on.press("1")
        on.app.post_message(events.Paste(easy.line))
        await on.until(lambda: editor.draft.puzzle == easy)
        assert editor.draft.name == "pasted"
        await on.press("ctrl+z")
        assert editor.draft.name == "mine, edited"
        await on.press("ctrl+z")
        assert (editor.draft.puzzle, editor.draft.name) == (PUZZLE, "mine")
        await on.press("ctrl+y")
        await on.press("ctrl+y")
        assert editor.draft.name == "pasted"


async def test_an_unchanged_puzzle_is_not_saved_as_a_draft() -> None:
    async with running_app() as on:
        await begin(on, PUZZLE)
        await on.press("5", "ctrl+z", "right", "escape")
        await on.at(Home)
        assert puzzle_files.load_drafts() == []


async def test_a_draft_that_cannot_be_saved_is_announced(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    async with running_app() as on:
        editor = await begin(on)
        await on.press("5", "escape")
        assert on.app.screen is editor
        assert "NOT SAVED" in on.said
        await on.press("escape")
        await on.at(Home)


async def test_a_draft_that_cannot_be_saved_is_announced_once_while_a_puzzle_is_edited(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").write_text("in the way")
    monkeypatch.setattr("tui.screens.editor.AUTOSAVE_SECONDS", 0.01)
    async with running_app() as on:
        await begin(on)
        await on.press("5")
        await on.until(lambda: "autosave failed" in on.said)
        await on.press("6")
        assert "NOT SAVED" not in on.said


async def test_quitting_does_not_lose_a_puzzle_that_cannot_be_saved(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    async with running_app() as on:
        editor = await begin(on)
        await on.press("5", "q")
        assert on.app.screen is editor
        assert "esc or q leaves without saving" in on.said
        editor._autosave()
        assert "esc or q leaves without saving" in on.said
        await on.press("q")
        await on.until(lambda: not on.app.is_running)
    assert editor.draft.puzzle.line in " ".join(on.app.farewells)


async def test_the_run_is_still_there_after_editing_its_puzzle() -> None:
    async with running_app(RUN) as on:
        await on.at(RunScreen)
        run_screen = on.run_screen
        await on.until(lambda: not run_screen.snapshot.busy)
        await on.press("e")
        await on.at(Editor)
        assert on.editor.draft.puzzle == PUZZLE
        await on.press("escape")
        await on.at(RunScreen)
        assert on.run_screen is run_screen


async def save_as(on: AppDriver, path: Path) -> None:
    await on.press("ctrl+s")
    await on.until(lambda: isinstance(on.app.screen, PathDialog))
    on.app.screen._input.value = str(path)  # type: ignore[attr-defined]
    await on.press("enter")


async def test_saving_asks_before_it_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "mine.sdk"
    async with running_app() as on:
        editor = await begin(on, PUZZLE)
        await on.press("right", "1")
        await save_as(on, path)
        await on.until(lambda: "SAVED" in on.said)
        assert not editor.draft.changed
        assert "CHANGED" not in on.shown(editor.header)
        await on.press("ctrl+s")
        await on.at(PathDialog)
        assert on.app.screen._input.value == str(path)  # type: ignore[attr-defined]
        await on.press("escape", "2")
        assert "CHANGED" in on.shown(editor.header)
        await save_as(on, path)
        await on.until(lambda: isinstance(on.app.screen, ConfirmDialog))
        await on.press("escape")
        await on.at(Editor)
        assert saved(path).givens[1] == 1
        await save_as(on, path)
        await on.until(lambda: isinstance(on.app.screen, ConfirmDialog))
        await on.press("y")
        await on.until(lambda: saved(path).givens[1] == 2)
        await on.at(Editor)
        await save_as(on, tmp_path / "missing" / "x.sdk")
        await on.until(lambda: "REFUSED cannot write" in on.said)


def saved(path: Path) -> Puzzle:
    record = next(iter(read_path(path)))
    assert isinstance(record, PuzzleRecord)
    return record.puzzle


async def test_a_puzzle_is_copied_as_one_line() -> None:
    async with running_app() as on:
        await begin(on, PUZZLE)
        await on.press("y")
        assert on.app.clipboard == PUZZLE.line
        assert "COPIED" in on.said


@pytest.mark.parametrize("name", ["hard:1", "diagonal:1", "4x4:1"])
async def test_a_copied_puzzle_is_the_same_when_it_is_pasted(name: str) -> None:
    puzzle = packs.find(name).puzzle
    async with running_app() as on:
        editor = await begin(on, puzzle)
        await on.press("y")
        assert ("diagonal" in on.said) is (puzzle.variant == "diagonal")
        await on.press("x")
        assert editor.draft.puzzle != puzzle
        on.app.post_message(events.Paste(on.app.clipboard))
        await on.until(lambda: "PASTED" in on.said)
        assert editor.draft.puzzle == puzzle


async def test_cells_are_clicked() -> None:
    async with running_app() as on:
        editor = await begin(on)
        await on.pilot.click(editor.board, offset=(8, 2))
        assert editor.cursor == 10
        await on.press("4")
        assert givens(editor)[10] == 4


async def test_opening_a_file_saves_the_draft(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(packs.find("easy:2").puzzle.line)
    async with running_app() as on:
        await begin(on)
        await on.press("5", "o")
        await on.until(lambda: isinstance(on.app.screen, PathDialog))
        on.app.screen._input.value = str(tmp_path / "one.txt")  # type: ignore[attr-defined]
        await on.press("enter")
        await on.at(Home)
        assert "one.txt" in on.shown(on.home.list)
        assert puzzle_files.load_drafts()


async def test_help() -> None:
    async with running_app() as on:
        editor = await begin(on)
        await on.press("5", "question_mark")
        await on.at(Help)
        await on.press("6", "escape")
        await on.at(Editor)
        assert [value for value in givens(editor) if value] == [5]


SIZES = ((80, 24), (60, 20), (44, 17), (30, 10), (29, 10), (5, 3), (200, 60))


@pytest.mark.sweep
@pytest.mark.parametrize("box", [2, 3, 4, 5])
async def test_every_size(box: int) -> None:
    async with running_app() as on:
        editor = await begin(on, empty_puzzle(box))
        for width, height in SIZES:
            editor.replace_puzzle(PuzzleRecord(puzzle=empty_puzzle(box)))
            editor.move_cursor(0)
            await on.pilot.resize_terminal(width, height)
            await on.press("1", "up", "2", "left", "3")
            assert [value for value in givens(editor) if value] == [1, 2, 3]
            shown = width >= 30 and height >= 10
            assert editor.too_small.display is not shown
            assert editor.board.display is shown
            if shown:
                assert "<" in on.shown(editor.board), f"the cell cursor is in view at {width} x {height}"


async def test_a_late_click_on_a_larger_board_hits_the_last_cell() -> None:
    async with running_app() as on:
        editor = await begin(on, empty_puzzle(4))
        editor.replace_puzzle(PuzzleRecord(puzzle=empty_puzzle(2)))
        editor.board.post_message(Board.Picked(255))
        await on.until(lambda: editor.cursor == 15)


async def test_esc_closes_a_hint_and_leaves_the_editor_at_the_second_press() -> None:
    async with running_app() as on:
        editor = await begin(on, PUZZLE)
        await on.press("f2")
        await on.until(lambda: editor.shows_hint)
        await on.press("escape")
        assert on.app.screen is editor
        assert not editor.shows_hint
        await on.press("escape")
        await on.at(Home)


@pytest.mark.parametrize("name", ["hard:1", "4x4:1", "16x16:1"])
async def test_a_paste_closes_the_hint_about_the_puzzle_before(name: str) -> None:
    async with running_app() as on:
        editor = await begin(on, packs.pack("easy")[0].puzzle)
        await on.press("f2")
        await on.until(lambda: editor.shows_hint)
        pasted = packs.find(name).puzzle
        on.app.post_message(events.Paste(pasted.line))
        await on.until(lambda: "PASTED" in on.said)
        assert editor.draft.puzzle == pasted
        assert not editor.shows_hint


async def test_a_hint_is_shown_until_the_next_key() -> None:
    async with running_app() as on:
        editor = await begin(on, packs.pack("easy")[0].puzzle)
        before = givens(editor)
        await on.press("f2")
        await on.until(lambda: "HINT" in on.said)
        assert editor.shows_hint
        assert givens(editor) == before
        assert "f2 shows what follows" in on.said
        await on.press("f2")
        await on.until(lambda: "HINT" in on.said and "what follows" not in on.said)
        await on.press("right")
        assert not editor.shows_hint
        assert "HINT" not in on.said
