"""The program as a user starts it: on a pseudo-terminal, with real keys, until the terminal is restored."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.session import Session, cells

Open = Callable[..., Session]


def playhead(screen: str) -> int:
    """The step in the transport row."""
    found = re.search(r"▶▶.*?((?:\d+ ?)+)· recorded", screen)
    return int(found.group(1).replace(" ", "")) if found else -1


def test_it_starts_plays_steps_back_and_leaves_the_terminal_as_it_was(open_session: Open) -> None:
    session = open_session("hard:1", "--solver", "anneal", "--seed", "7")
    session.until("READY")
    assert playhead(session.text) == 0
    session.press("right")
    session.until(lambda text: playhead(text) == 1)
    session.press("space")
    session.until("RUNNING")
    session.until(lambda text: playhead(text) > 100)
    session.press("space")
    session.until("PAUSED")
    session.press("g", "5", "0", "\r")
    session.until(lambda text: playhead(text) == 50)
    session.press("left")
    session.until(lambda text: playhead(text) == 49)
    session.press("home")
    session.until(lambda text: playhead(text) == 0)
    session.press("q")
    assert session.ended() == 0
    assert session.output.rindex(b"\x1b[?1049l") > session.output.rindex(b"\x1b[?1049h")
    assert session.output.rindex(b"\x1b[?25h") > session.output.rindex(b"\x1b[?25l")
    assert b"Traceback" not in session.output


@pytest.mark.sweep
def test_it_solves_a_hard_puzzle_flat_out_and_can_be_rewound(open_session: Open) -> None:
    session = open_session("hard:1", "--seed", "7", "--play", "--speed", "max", columns=120, rows=36)
    text = session.until("SOLVED")
    board = [re.sub(r"[^1-9]", "", line[3:50]) for line in text.splitlines()[5:22:2]]
    assert [sorted(row) for row in board] == [list("123456789")] * 9
    assert "!" not in "".join(text.splitlines()[5:22])[:46]
    session.press("left")
    session.until("PAUSED")
    session.press("end")
    session.until("SOLVED")
    session.press("q")
    assert session.ended() == 0


@pytest.mark.sweep
@pytest.mark.parametrize("breath", [
    "0\r\r", "0\r\x1b[27u", "0\x1b[27u\r"])
def test_two_answers_typed_ahead_count_once(breath: str, open_session: Open) -> None:
    session = open_session("easy:1", "--solver", "backtrack")
    session.until("READY")
    session.press("l", "g")  # an esc that comes too late for the question gives the picked cell up, no more
    session.until("Go to step")
    session.press(breath)
    session.until(lambda text: "Go to step" not in text)
    session.press("right")
    session.until(lambda text: playhead(text) == 1)
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output


@pytest.mark.sweep
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(ending: signal.Signals, open_session: Open) -> None:
    session = open_session("easy:1", "--solver", "backtrack")
    session.until("READY")
    session.press("space")
    session.until("RUNNING")
    session.child.kill(ending)
    assert session.ended() == 128 + ending
    assert b"\x1b[?1049l" in session.output
    assert b"Traceback" not in session.output


def test_a_wrong_option_is_reported_before_the_screen_is_touched(open_session: Open) -> None:
    session = open_session("easy:1", "--speed", "fast")
    assert session.ended() == 2
    assert b"expected steps per second" in session.output
    assert b"\x1b[?1049h" not in session.output


SENT = {"term": signal.SIGTERM, "hang up": signal.SIGHUP}


@pytest.mark.sweep
@pytest.mark.parametrize("how", [
    "key", "term", "hang up", "terminal gone"])
def test_every_way_of_leaving_saves_the_run_with_its_playhead(
        open_session: Open, tmp_path: Path, how: str) -> None:
    session = open_session("hard:1", "--solver", "backtrack")
    session.until("READY")
    session.press("g", "3", "0", "0", "\r")
    session.until(lambda text: playhead(text) == 300)
    session.press("left", "left")
    session.until(lambda text: playhead(text) == 298)
    if how == "terminal gone":
        process = session.child.ptyproc
        process.fileobj.close()
        process.closed = session.child.closed = True
        process.wait()
    else:
        session.press("q") if how == "key" else session.child.kill(SENT[how])
        session.ended()
    [kept] = (tmp_path / "sudoku-tui" / "autosave").glob("*.run")
    again = open_session("--replay", str(kept))
    again.until(lambda text: playhead(text) == 298)
    again.press("end")
    again.until(lambda text: playhead(text) == 300)
    again.press("\x1a")
    again.until("NOT AVAILABLE")
    again.press("q")
    assert again.ended() == 0


@pytest.mark.sweep
def test_from_home_to_a_run_and_back_home_and_out(open_session: Open) -> None:
    session = open_session("--seed", "7")
    session.until("Open a puzzle with")
    session.press("/", *"warm-up")
    session.until("1 puzzle")
    session.press("\r")
    session.until("READY")
    assert "warm-up" in session.text
    session.press("space")
    session.until(lambda text: playhead(text) > 100)
    session.press("esc")
    session.until("PAUSED")
    session.press("n")
    session.until("Open a puzzle with")
    assert "\u25b6 warm-up" in session.text
    assert "seed 7" in session.text
    session.press("q")
    assert session.ended() == 0
    assert b"Traceback" not in session.output


@pytest.mark.sweep
def test_a_puzzle_is_pasted_as_terminals_do_it(open_session: Open) -> None:
    session = open_session()
    session.until("Open a puzzle with")
    grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    session.press(f"\x1b[200~{grid}\x1b[201~")
    session.until("1, it is unique")
    rows = "\r".join(["# name: rows", *(grid[9 * row:][:9] for row in range(9))])
    session.press(f"\x1b[200~{rows}\x1b[201~")
    session.until("PASTED   rows")
    session.press("\x1b[200~no puzzle\x1b[201~")
    session.until("REFUSED")
    session.press("esc")
    session.until("Open a puzzle with")
    session.press("q")
    assert session.ended() == 0


@pytest.mark.sweep
def test_the_known_cells_are_on_the_terminal_and_can_be_redrawn(open_session: Open) -> None:
    """A full redraw gives the same picture as all earlier updates."""
    session = open_session("hard:1", "--seed", "7", "--speed", "max")
    session.until("READY")
    for key, shown in (("?", "uphill move, next"), ("g", "Go to step"), (":", "Command"), (".", "to add one")):
        session.press(key)
        session.until(shown)
        session.press("esc")
        session.until(lambda text, shown=shown: shown not in text)
    session.resize(120, 36)
    session.press("space", "L")
    session.until("SOLVED")
    start = len(session.output)
    session.press("\x0c")
    session.until(lambda _text: cells(session.since(start)) == cells(session.screen))
    session.press("q")
    assert session.ended() == 0
