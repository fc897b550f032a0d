"""Accounts that can write almost nothing, and full disks: runs play, and each failure to write is one sentence. With
too little address space no run begins."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.compiled.kernel import cache_directories
from tests.patience import PATIENCE
from tests.terminal.session import PROGRAM, ROOT, Session

NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=+dac_read_search",
             "--ambient-caps=+dac_read_search")
"""Another account, which may read everything (this Python may lie in root's home) and write what its own is."""
FULL = ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh")
"""Files can be made, and nothing be written into them: as on a full disk, also without root."""

Open = Callable[..., Session]


@pytest.fixture
def nobody() -> Iterator[tuple[str, ...]]:
    if os.geteuid() != 0:
        pytest.skip("only root can be another account")
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed (Debian: util-linux)")
    if subprocess.run([*AS_NOBODY, "true"], check=False, capture_output=True).returncode:
        pytest.skip("no other account can be had here")
    yield AS_NOBODY
    shutil.rmtree(f"/tmp/sudoku-tui-{NOBODY}", ignore_errors=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB, full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size=64k,uid={NOBODY},mode=700", "tmpfs", str(folder)],
                             check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    (folder / "much").write_bytes(b"\0" * 65536)
    yield folder
    subprocess.run(["umount", str(folder)], check=False)


def homes(home: Path) -> dict[str, str]:
    """An account whose things are all there, reading what was compiled for the tests."""
    found = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {**found, "HOME": str(home), "TMPDIR": str(home), "SUDOKU_TUI_KERNELS": str(cache_directories().own or ""),
            "NUMBA_CACHE_DIR": ""}


def assert_plays_and_reports_failures(session: Session) -> None:
    """Play, save, take a picture, change the look, leave; assert a message for each failure and exit code 0."""
    session.until("READY")
    session.press("space")
    session.until("RUNNING")
    session.until("NOT SAVED")
    session.until(lambda text: "RUNNING" in text and "NOT SAVED" not in text)
    session.press("space")
    session.until("PAUSED")
    session.press("\x13")
    session.until("REFUSED")
    session.press("P")
    session.until("cannot save a picture")
    session.press("L", "q")
    assert session.ended() == 0
    assert "Traceback" not in session.text
    assert b"autosave failed" in session.output[session.output.rfind(b"\x1b[?1049l"):]


@pytest.mark.sweep
@pytest.mark.parametrize("home", ["missing", "read-only"])
def test_an_account_without_write_access_can_play(
        home: str, nobody: tuple[str, ...], open_session: Open, tmp_path: Path) -> None:
    folder = tmp_path / home
    if home == "read-only":
        folder.mkdir()
    assert_plays_and_reports_failures(open_session("hard:1", command=(*nobody, *PROGRAM), columns=120, rows=36,
                                               **homes(folder) | {"XDG_DATA_HOME": str(tmp_path)}))


@pytest.mark.sweep
def test_an_account_whose_disk_is_full_plays(
        nobody: tuple[str, ...], small_disk: Path, open_session: Open) -> None:
    assert_plays_and_reports_failures(open_session("hard:1", command=(*nobody, *PROGRAM), columns=120, rows=36,
                                               **homes(small_disk) | {"XDG_DATA_HOME": str(small_disk)}))
    assert all(path.stat().st_size == 0 for path in small_disk.rglob("*") if path.is_file() and path.name != "much")


@pytest.mark.sweep
def test_on_a_full_disk_one_plays_without_being_root_too(open_session: Open, tmp_path: Path) -> None:
    assert_plays_and_reports_failures(open_session("hard:1", command=(*FULL, *PROGRAM), columns=120, rows=36,
                                               **homes(tmp_path) | {"XDG_DATA_HOME": str(tmp_path)}))


def test_a_screen_with_too_little_address_space_is_refused(open_session: Open, tmp_path: Path) -> None:
    """LLVM could abort the process later, and leave the terminal in the modes of the program."""
    limited = ("sh", "-c", 'ulimit -v 600000; exec "$@"', "sh")
    session = open_session("4x4:1", command=(*limited, *PROGRAM), columns=120, XDG_DATA_HOME=str(tmp_path))
    assert session.ended() == 2
    assert "not enough memory: the limit is 585 MB (ulimit -v), and the screen takes 700 MB or more" in session.text
    assert b"\x1b[?1049h" not in session.output


@pytest.mark.sweep
@pytest.mark.parametrize("arguments", [
    ["solve", "4x4:1", "-s", "backtrack", "--save", "kept.run"],
    ["bench", "-s", "backtrack", "--packs", "4x4:1", "--executor", "here"],
    ["warmup", "--cache-dir", "kernels"],
], ids=lambda arguments: arguments[0])
def test_commands_on_a_full_disk_say_one_sentence(arguments: list[str], tmp_path: Path) -> None:
    kept = tmp_path / "kept.run"
    kept.write_text("as it was")
    script = ("import sys; from engine import registry, solutions; registry.names = lambda: ('backtrack',); "
              "solutions.warm_up = lambda: None; from tui.cli import main; sys.exit(main(sys.argv[1:]))")
    program = PROGRAM if arguments[0] != "warmup" else (sys.executable, "-c", script)
    done = subprocess.run([*FULL, *program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False,
                          timeout=PATIENCE, env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)})
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("sudoku-tui: ")
    assert kept.read_text() == "as it was"


@pytest.mark.sweep
@pytest.mark.parametrize("home", ["missing", "read-only", "full"])
def test_the_questions_of_hands_on_are_asked_although_no_progress_is_saved(
        home: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "of" / "its" / "own"
    if home != "missing":
        folder.mkdir(parents=True)
    account = FULL if home == "full" else request.getfixturevalue("nobody")
    done = subprocess.run([*account, *PROGRAM, "hands-on", "4x4:1", "-s", "backtrack-mrv", "--count", "2"],
                          input="no\nr1c1\n", cwd="/", capture_output=True, text=True, check=False, timeout=PATIENCE,
                          env=os.environ | homes(folder) | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done
    assert "at the first try" in done.stdout
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("sudoku-tui: progress is not saved: ")


@pytest.mark.sweep(keep=1)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [
    ["--version"], ["solve", "4x4:1", "-s", "backtrack"], ["solve", "easy", "--fast", "--format", "line"],
    ["list", "puzzles"], ["config"], ["trace", "-s", "backtrack", "4x4:1"], ["check", "4x4:1"],
], ids=lambda arguments: arguments[0])
def test_output_that_nothing_takes_is_one_sentence(arguments: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=PATIENCE, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 2
    assert done.stderr == "sudoku-tui: cannot write to standard output: No space left on device\n"
