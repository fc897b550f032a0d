"""The decisions of a kiosk one by one, in a process that is none."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from engine.compiled.cache import SHARED_VARIABLE
from engine.errors import BadInput
from engine.files import access
from tui import WEB_DRIVER
from tui.kiosk import audit, enter

READ, WRITE = os.O_RDONLY, os.O_WRONLY
HOSTILE = {"TERM": "xterm", "LD_PRELOAD": "evil.so", "TMPDIR": "/var/tmp", SHARED_VARIABLE: "/evil"}
ALLOWED: list[tuple[Any, ...]] = [
    ("open", "{room}/a", "r", READ), ("open", "a", "r", READ), ("open", "{room}", "r", READ),
    ("open", "{room}/a", "w", WRITE | os.O_CREAT), ("open", "{code}/m.py", "r", READ),
    ("open", "{code}/m.py", "r", None),
    ("open", "{code}/../code/m.py", "r", READ), ("open", "{kernels}/k", "r", READ), ("open", "/usr/share/x", "r", READ),
    ("open", "/dev/null", "w", WRITE), ("open", 3, "w", WRITE), ("open", "/proc/{pid}/stat", "r", READ),
    ("os.listdir", None), ("os.listdir", "{code}"), ("os.scandir", 3), ("os.chdir", "{room}"),
    ("os.mkdir", "new", 0o777, -1), ("os.remove", "{room}/a", -1), ("os.remove", "a", "{room}"),
    ("os.remove", "{room}/a", "{outside}"), ("os.rename", "a", "b", -1, -1), ("os.truncate", "{room}/a", 0),
    ("os.truncate", 3, 0), ("os.chmod", "{room}/a", 0o600, -1), ("sqlite3.connect", ":memory:"),
    ("sqlite3.connect", "{room}/d"), ("sqlite3.connect", "file:{room}/d?mode=rwc"), ("ctypes.dlopen", None),
    ("ctypes.dlopen", "libc.so.6"), ("ctypes.dlopen", "{code}/x.so"), ("os.getxattr", "{outside}/x"),
]
REFUSED: list[tuple[Any, ...]] = [
    ("open", "{outside}/x", "r", READ), ("open", "{outside}/x", "r", None), ("open", "../outside/x", "r", READ),
    ("open", "{room}mate/x", "r", READ), ("open", "{code}r/x", "r", READ), ("open", "{code}/../outside/x", "r", READ),
    ("open", "{room}/link/x", "r", READ), ("open", "/dev/mem", "r", READ), ("open", "/proc/1/environ", "r", READ),
    *(("open", "{code}/m.py", "w", flag) for flag in (WRITE, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND)),
    ("open", "{kernels}/k", "w", WRITE), ("os.listdir", "{outside}"), ("os.scandir", "/"), ("os.chdir", "/"),
    ("os.mkdir", "{code}/new", 0o777, -1), ("os.mkdir", "{room}/link/new", 0o777, -1), ("os.rmdir", "{outside}/x", -1),
    ("os.remove", "{outside}/x", -1), ("os.remove", "x", "{outside}"), ("os.remove", "../outside/x", "{room}"),
    ("os.rename", "{room}/a", "{outside}/b", -1, -1), ("os.rename", "{outside}/x", "{room}/b", -1, -1),
    ("os.truncate", "{code}/m.py", 0), ("os.chmod", "{outside}/x", 0o600, -1), ("os.utime", "{outside}/x", None),
    ("sqlite3.connect", "{outside}/d"), ("sqlite3.connect", "file:{outside}/d?mode=ro"),
    ("sqlite3.connect", "file:%2e%2e/outside/d"), ("ctypes.dlopen", "{room}/x.so"), ("ctypes.dlopen", "./x.so"),
    ("ctypes.dlopen", "{kernels}/x.so"), ("os.fork",), ("socket.connect", None, None), ("os.symlink", "a", "b", -1),
]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Folders by name: the kiosk's, in which the process is, and others beside it."""
    names = ("room", "code", "kernels", "outside")
    found = {name: str(tmp_path.resolve() / name) for name in names}
    for folder in found.values():
        Path(folder).mkdir(mode=0o755)
    Path(found["room"], "link").symlink_to(found["outside"])
    monkeypatch.chdir(found["room"])
    return found


def audited(places: dict[str, str], event: str, *args: Any) -> None:
    """Raise what the audit hook raises. Names stand for folders; the last argument may be one to open."""
    rules = audit._Rules(places["room"], (places["code"],), (places["kernels"],)).by_event
    given: list[Any] = [each.format(**places, pid=os.getpid()) if isinstance(each, str) else each for each in args]
    fd = os.open(given[-1], os.O_RDONLY) if event == "os.remove" and given[-1] != -1 else -1
    try:
        audit._on_event(rules, event, (*given[:-1], fd) if fd >= 0 else tuple(given))
    finally:
        if fd >= 0:
            os.close(fd)


@pytest.mark.parametrize("tried", ALLOWED, ids=str)
def test_what_a_kiosk_needs_is_allowed(places: dict[str, str], tried: tuple[Any, ...]) -> None:
    audited(places, *tried)


@pytest.mark.parametrize("tried", REFUSED, ids=str)
def test_all_other_access_is_refused(places: dict[str, str], tried: tuple[Any, ...]) -> None:
    with pytest.raises(PermissionError, match="this is a kiosk"):
        audited(places, *tried)


def test_what_has_been_checked_is_not_checked_again(places: dict[str, str]) -> None:
    with access.restricted_to(places["room"]), access.folder(places["room"]):
        audited(places, "open", "{outside}/x", "r", READ)
        audited(places, "os.listdir", "{outside}")
        audited(places, "os.remove", "{outside}/x", -1)
        audited(places, "os.rename", "{outside}/x", "{outside}/y", -1, -1)
        with pytest.raises(PermissionError):
            audited(places, "os.chmod", "{outside}/x", 0o600, -1)


@pytest.mark.parametrize(("name", "value", "kept"), [
    ("TERM", "xterm-256color", True), ("TERM", "a/b", False), ("TERM", "..", False), ("LANG", "C.UTF-8", True),
    ("LANG", "../x", False), ("LC_ALL", "..", False), ("LC_TIME", "a/b", False), ("SSH_TTY", "/dev/pts/0", True),
    ("TMUX", "/tmp/tmux-0/default,1,0", True), ("TMUX", "x" * 120, True), ("TMUX", "x" * 121, False),
    ("COLORTERM", "$(id)", False), ("HOME", "here", False), ("TERMINFO", "here", False), ("LC_", "C", False),
    ("TEXTUAL_DRIVER", WEB_DRIVER, True), ("TEXTUAL_DRIVER", "evil:Driver", False)])
def test_the_environment_keeps_what_describes_the_terminal(name: str, value: str, kept: bool) -> None:
    assert enter._is_harmless(name, value) is kept


@pytest.mark.parametrize(("mode", "trusted"), [
    (0o755, True), (0o700, True), (0o775, False), (0o757, False), (0o720, False), (0o702, False)])
def test_kernels_are_read_from_folders_that_only_their_owner_writes(
        places: dict[str, str], monkeypatch: pytest.MonkeyPatch, mode: int, trusted: bool) -> None:
    inside = Path(places["room"], "kernels")
    inside.mkdir(mode=0o755)
    Path(places["kernels"]).chmod(mode)
    monkeypatch.setenv(SHARED_VARIABLE, f"{inside}::{places['kernels']}:/none/such:{places['room']}")
    assert enter._kernels(places["room"]) == ([places["kernels"]] if trusted else [])


def test_kernels_of_another_owner_are_not_read(places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    stat = os.stat

    def of_another(path: Any, **options: Any) -> os.stat_result:
        found = stat(path, **options)
        return os.stat_result((*found[:4], found.st_uid + 4321, *found[5:])) if path == places["kernels"] else found

    monkeypatch.setenv(SHARED_VARIABLE, places["kernels"])
    assert enter._kernels(places["room"]) == [places["kernels"]]
    monkeypatch.setattr(os, "stat", of_another)
    assert enter._kernels(places["room"]) == []


@pytest.mark.parametrize(("typed", "given", "rest"), [
    (["solve", "x"], [], ["solve", "x"]), (["--kiosk", "d", "solve"], [("--kiosk", "d")], ["solve"]),
    (["--kiosk=d", "solve"], [("--kiosk", "d")], ["solve"]), (["--kiosk="], [("--kiosk", "")], []),
    (["solve", "--kiosk", "d"], [], ["solve", "--kiosk", "d"]), (["--kiosks", "d"], [], ["--kiosks", "d"]),
    (["--kiosk", "d", "--kiosk=e"], [("--kiosk", "d"), ("--kiosk", "e")], [])])
def test_a_kiosk_is_named_before_everything_else(typed: list[str], given: list[tuple[str, str]],
                                                 rest: list[str]) -> None:
    assert enter._parsed(typed) == (given, rest)


def test_the_directory_of_a_kiosk_holds_no_code(places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    room = [("--kiosk", places["room"]), ("--kiosk", f"{places['room']}/../room/")]
    assert enter._directory(room) == places["room"]
    for code, refused in ((places["room"], True), (f"{places['room']}/lib", True), (f"{places['room']}mate", False),
                          (str(Path(places["room"]).parent), False)):
        monkeypatch.setattr(enter, "libraries", lambda code=code: [code])
        if refused:
            with pytest.raises(BadInput, match="the program itself is in there"):
                enter._directory(room)
        else:
            assert enter._directory(room) == places["room"]


def test_code_is_imported_from_the_libraries_outside_the_directory(
        places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("path", "dont_write_bytecode", "breakpointhook"):
        monkeypatch.setattr(f"sys.{name}", getattr(enter.sys, name))
    room, code, outside = places["room"], places["code"], places["outside"]
    monkeypatch.setattr("sys.path", ["", room, f"{room}/lib", code, f"{code}/lib", f"{code}r", outside])
    enter._restrict_imports([code, room], room)
    assert enter.sys.path == [code, f"{code}/lib"]
    assert enter.sys.dont_write_bytecode
    assert breakpoint() is None  # type: ignore[func-returns-value]


def test_temporary_files_are_put_into_the_private_folder(
        places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    room = places["room"]
    monkeypatch.setattr("os.environ", dict(HOSTILE))
    monkeypatch.setattr("tempfile.tempdir", None)
    enter._set_environment(room, [places["kernels"]])
    private = f"{room}/{access.PRIVATE}"
    assert os.environ == {
        "TERM": "xterm", "PATH": "/usr/bin:/bin", SHARED_VARIABLE: places["kernels"], "HOME": room,
        "XDG_DATA_HOME": room, "XDG_CONFIG_HOME": f"{room}/.config", "XDG_STATE_HOME": f"{room}/.state",
        "XDG_CACHE_HOME": private, "XDG_RUNTIME_DIR": private, "XDG_PICTURES_DIR": f"{room}/pictures",
        "TMPDIR": f"{private}/tmp"}
    assert Path(private, "tmp").stat().st_mode & 0o777 == 0o700
    with tempfile.NamedTemporaryFile() as file:
        assert file.name.startswith(f"{private}/tmp/")


def test_temporary_files_are_put_into_the_directory_if_it_cannot_have_the_folder(
        places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path(places["room"], access.PRIVATE).write_text("taken")
    monkeypatch.setattr("os.environ", dict(HOSTILE))
    monkeypatch.setattr("tempfile.tempdir", None)
    enter._set_environment(places["room"], [])
    assert os.environ["TMPDIR"] == tempfile.gettempdir() == places["room"]
    assert SHARED_VARIABLE not in os.environ
