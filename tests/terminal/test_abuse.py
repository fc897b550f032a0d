"""Random input: it keeps drawing, answers, ends when asked to and restores the terminal (`Masher.assert_ends_well`)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine import registry
from engine.puzzles import packs
from engine.run import run_file
from engine.run.run import Run
from tests.terminal.mash import PASTED, Masher, mashed
from tests.terminal.session import Session

pytestmark = pytest.mark.sweep

ACTS = 60


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[[], Session]]:
    """Starts runs that play, with a common folder of data."""
    sessions: list[Session] = []

    def begin() -> Session:
        places = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(tmp_path))
        sessions.append(Session("hard:1", "--seed", "7", "--play", columns=120, rows=36, **places))
        sessions[-1].until("RUNNING")
        return sessions[-1]

    yield begin
    for each in sessions:
        each.kill()


@pytest.fixture
def session(begin: Callable[[], Session]) -> Session:
    return begin()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_keys_mashed_at_random(seed: int, begin: Callable[[], Session]) -> None:
    """Random keys may quit, through the palette or a list: then it ended well, and is started again."""
    left = ACTS
    for again in range(4):
        left -= mashed(begin(), seed + 100 * again, lambda done: done >= left)  # noqa: B023
        if not left:
            return
    raise AssertionError(f"it ended again and again, {left} acts too soon")


@pytest.mark.parametrize("act", ["clicks", "drag", "wheel"])
def test_a_storm_of_the_mouse(act: str, session: Session) -> None:
    masher = Masher(session, 5)
    for _ in range(25):
        getattr(masher, act)()
    masher.assert_ends_well()


def test_resizing_while_it_plays(session: Session) -> None:
    masher = Masher(session, 6)
    for columns, rows in ((1, 1), (300, 100), (20, 5), (1, 100), (300, 1), (44, 17), (43, 17), (80, 24), (120, 36)) * 3:
        session.child.setwinsize(rows, columns)
        masher.listen(0.05)
    for _ in range(20):
        masher.resize()
    masher.assert_ends_well()


@pytest.mark.parametrize("before", [
    pytest.param(b"", id="the laboratory"), pytest.param(b"g", id="a question")])
def test_a_hundred_thousand_characters_pasted(before: bytes, session: Session) -> None:
    masher = Masher(session, 8)
    masher.pour(before)
    masher.paste(PASTED)
    masher.assert_ends_well()


def test_a_flood_of_keys_is_taken_in(session: Session) -> None:
    masher = Masher(session, 9)
    masher.pour(b"hjkl +-[]" * 400)
    masher.assert_ends_well()


def test_many_knobs_undos_and_branches_while_it_plays(session: Session) -> None:
    masher = Masher(session, 10)
    keys = random.Random(10).choices([b"\x1a", b"\x19", b"v", b"V", b"w\r", b"[", b"]", b",", b";", b"!", b" "], k=500)
    for at in range(0, len(keys), 50):
        masher.pour(b"".join(keys[at:at + 50]))
    masher.assert_ends_well()


def test_keys_typed_before_a_dialog_is_shown_reach_it(session: Session) -> None:
    session.press("space")
    session.until("PAUSED")
    session.press(".E<=20\r")
    session.until("● on   E ≤ 20")
    session.press("esc")
    session.until("PAUSED")
    session.press("g0\r ")
    session.until("BREAKPOINT")
    assert "E ≤ 20" in session.text


@pytest.mark.parametrize("opened", [True, False], ids=["the laboratory", "the list of runs"])
def test_a_name_in_a_run_file_sends_no_sequence_to_the_terminal(opened: bool, tmp_path: Path) -> None:
    solver, puzzle = registry.solver("backtrack"), packs.pack("easy")[0].puzzle
    run = Run.start(solver, puzzle, solver.make_params(), 1)
    run.advance(20)
    kept = tmp_path / "sudoku-tui" / "autosave"
    kept.mkdir(parents=True)
    path = kept / "evil\x1b]0;file\x07.run"
    run_file.save(run, path, "evil\x1b]0;name\x07\n\x1b[2J")
    session = Session(*(("--replay", str(path)) if opened else ()), columns=120, rows=36, XDG_DATA_HOME=str(tmp_path))
    session.until("evil?]0;name??")
    session.press("q")
    assert session.ended() == 0
    for order in (b"]0;name\x07", b"]0;file\x07", b"\x1b[2J"):
        assert order not in session.output


def test_failed_saves_are_reported_after_the_screen_is_closed(tmp_path: Path) -> None:
    (tmp_path / "sudoku-tui").write_text("no folder")
    session = Session("easy:1", "--solver", "backtrack", XDG_DATA_HOME=str(tmp_path))
    session.until("READY")
    session.press("right")
    session.until("1 · recorded")
    session.press("e")
    session.until("Editor")
    session.press("5")
    session.until("CHANGED")
    session.press("q")
    session.until(lambda text: "q leaves without saving" in " ".join(text.split()))  # it may be wrapped
    session.press("q")
    assert session.ended() == 0
    said = session.output.rpartition(b"\x1b[?1049l")[2].decode()
    assert "sudoku-tui: autosave failed" in said
    assert "sudoku-tui: the puzzle is not saved: cannot write" in said
    assert "; it is " in said
