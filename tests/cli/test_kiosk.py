"""`--kiosk DIR`: every command has the files of one directory, and no other program or machine.

A kiosk cannot be left, so each process here becomes one, and then tries many things.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from engine.compiled.cache import SHARED_VARIABLE
from tests.cli.conftest import EASY, SOLVED, command, environment
from tests.patience import PATIENCE
from tui import PROGRAM, WEB_DRIVER

CACHED = {SHARED_VARIABLE: str(platformdirs.user_cache_path(PROGRAM) / "numba")}
"""An administrator has compiled what there is."""
CALLS = """
import contextlib, io, json, sys
from tui.cli import main
found = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        sys.stdout.buffer, sys.stdin = io.BytesIO(), io.TextIOWrapper(io.BytesIO())
        code = main(words)
    found.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(found))
"""
"""Several command lines in one process; the first makes it a kiosk."""
TRIED = """
import json, os, sys
from tui.kiosk import enter
enter.enter(["--kiosk", sys.argv[1]])
found = {}
for name, text in json.loads(sys.argv[2]).items():
    try:
        found[name] = repr(eval(text))
    except OSError as error:
        found[name] = f"refused: {error.strerror}" if "kiosk" in str(error) else f"{type(error).__name__}: {error}"
    except Exception as error:
        found[name] = f"{type(error).__name__}: {error}"
print(json.dumps(found))
"""
"""Python within a kiosk, which no user has: the accesses that the audit hook blocks."""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A kiosk's directory with a puzzle and links that lead out of it; secrets are beside it."""
    made = tmp_path.resolve() / "room"
    made.mkdir()
    outside = tmp_path.resolve() / "outside"
    outside.mkdir()
    (outside / "secret.sdm").write_text(EASY)
    (outside / "writable").mkdir()
    (made / "mine.sdm").write_text(EASY)
    for name, leads_to in {"link.sdm": outside / "secret.sdm", "away": outside, "link.run": "/etc/passwd",
                           "new.run": outside / "new.run", "loop": "loop"}.items():
        (made / name).symlink_to(leads_to)
    os.mkfifo(made / "pipe.sdm")
    return made


def run(script: str, room: Path, *words: str, **changes: str) -> Any:
    """The JSON output of a process that is started in another home outside."""
    home = room.parent / "outside"
    done = subprocess.run([sys.executable, "-W", "error", "-c", script, *words], capture_output=True, text=True,
                          cwd=home, timeout=PATIENCE, check=False,
                          env=environment(HOME=str(home), XDG_DATA_HOME=str(home), XDG_CONFIG_HOME=str(home),
                                          XDG_STATE_HOME=str(home), TMPDIR=str(home), **CACHED | changes))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def calls(room: Path, *lines: list[str]) -> list[tuple[int, str, str]]:
    """(exit code, stdout, stderr) of each command line."""
    first, *others = lines
    found: list[tuple[int, str, str]] = run(CALLS, room, json.dumps([["--kiosk", str(room), *first], *others]))
    return found


def tree(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*"))


NAMES = ["/etc/passwd", "/none/such", "../outside/secret.sdm", "./link.sdm", "link.sdm", "away/secret.sdm", "away/none",
         "/dev/stdin", "/dev/fd/0", "/dev/zero", "/proc/self/root/etc/passwd", "/proc/self/environ", "../room/../none",
         "./..", "..", ".cache/tmp", "a\nb/\x1b[31m/../../..", "//etc//passwd", "x/../../outside/secret.sdm"]


def asked_for(name: str, toml: str) -> list[list[str]]:
    """Every command that takes the name of a file, with this one."""
    solve = ["solve", "mine.sdm", "-s", "norvig"]
    return [["solve", "-s", "norvig", name], ["solve", "--fast", name], ["check", name], ["rate", name], ["show", name],
            ["trace", name], ["replay", name], ["--plain", name], ["--plain", "--replay", name],
            [*solve, "--save", name], ["solve", "mine.sdm", "-s", "dlx", "--history", name], ["bench", name],
            ["bench", "--solvers", "dlx", "--packs", name], ["bench", "quick", "--out", name],
            ["bench", "quick", "--report", f"{name}/r.html"], ["bench", toml], ["warmup", "--cache-dir", name],
            ["automata", name]]


def test_no_command_takes_a_file_from_elsewhere(room: Path) -> None:
    lines = []
    for number, name in enumerate(NAMES):
        toml = f"hostile-{number}.toml"
        (room / toml).write_text(f'[[puzzles]]\nsources = [{json.dumps(name)}]\n[[solvers]]\nsolver = "dlx"\n')
        lines += asked_for(name, toml)
    before = tree(room.parent / "outside")
    found = calls(room, *lines)
    assert len(found) == len(lines) > 300
    wrong = [(line, code, err) for line, (code, _out, err) in zip(lines, found, strict=True)
             if code != 2 or f": this is a kiosk: files are in {room}\n" not in err or "Traceback" in err
             or err.count("\n") != 1 or "\x1b" in err]
    assert not wrong
    assert tree(room.parent / "outside") == before


def test_a_refusal_does_not_reveal_whether_a_file_exists(room: Path) -> None:
    found = calls(room, ["check", "../outside/secret.sdm"], ["check", "../outside/missing.sdm"])
    assert found[0][2] == f"sudoku-tui: ../outside/secret.sdm: this is a kiosk: files are in {room}\n"
    assert found[0][2].replace("secret", "missing") == found[1][2]
    (room.parent / "outside" / "secret?seed=1").write_text(EASY)
    for name in ("check", "solve"):
        found = calls(room, [name, "../outside/secret?seed=1"], [name, "../outside/missing?seed=1"])
        assert found[0][2].replace("secret", "missing") == found[1][2], "also where the name looks like a recipe"


@pytest.mark.sweep
def test_what_is_in_the_directory_is_had_by_relative_names(room: Path) -> None:
    found = calls(room, ["solve", "mine.sdm", "-s", "dlx", "--format", "line", "--save", "my.run"],
                  ["replay", f"{room}/my.run"], ["check", "hard:1"],
                  ["solve", "mine.sdm", "-s", "dlx", "--history", "h.csv", "--max-steps", "10"], ["config", "--path"],
                  ["bench", "--solvers", "dlx", "--packs", "mine.sdm", "--max-steps", "1000"])
    assert [code for code, _out, _err in found[:3]] == [0, 0, 0], found
    assert SOLVED in found[0][1]
    assert found[4][1] == f"{room}/.config/sudoku-tui/config.toml\n"
    assert found[5][0] == 0
    assert (room / "sudoku-tui" / "bench" / "own" / "results.sqlite").is_file()
    assert (room / "h.csv").read_text().startswith("dead")
    assert tree(room.parent / "outside") == [str(room.parent / "outside" / name) for name in ("secret.sdm", "writable")]


@pytest.mark.sweep
def test_pipes_are_not_waited_for_and_loops_not_followed(room: Path) -> None:
    for code, _out, err in calls(room, ["check", "pipe.sdm"], ["replay", "pipe.sdm"], ["replay", "loop"],
                                 ["check", "loop"],
                                 ["solve", "mine.sdm", "-s", "dlx", "--history", "pipe.sdm"],
                                 ["solve", "mine.sdm", "-s", "dlx", "--save", "pipe.sdm"]):
        assert code == 2, err
        assert err.count("\n") == 1


def test_what_cannot_be_made_safe_is_refused(room: Path) -> None:
    for code, _out, err in calls(room, ["bench", "quick", "--scheduler", "tcp://127.0.0.1:1"], ["bench", "--peers"],
                                 ["bench", "quick", "--executor", "processes"], ["completion", "bash"]):
        assert code == 2
        assert "this is a kiosk" in err
        assert err.count("\n") == 1


def test_an_xml_entity_reads_no_file(room: Path) -> None:
    (room / "entity.opensudoku").write_text(
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><opensudoku><folder name="&a;">'
        f'<game data="{EASY}"/></folder></opensudoku>')
    ((code, out, err),) = calls(room, ["check", "entity.opensudoku"])
    assert code == 2
    assert "root:" not in out + err


@pytest.mark.sweep
def test_each_client_has_its_own_progress(room: Path) -> None:
    def at(client: str, *words: str, stdin: str = "") -> tuple[int, str, str]:
        done = subprocess.run(command("--kiosk", str(room), *words), input=stdin, capture_output=True, text=True,
                              cwd=room.parent, timeout=PATIENCE, check=False,
                              env=environment(**CACHED, SSH_CONNECTION=f"{client} 50000 10.0.0.1 22"))
        return done.returncode, done.stdout, done.stderr

    game = "hands-on", EASY, "-s", "backtrack-mrv", "--count", "2"
    assert at("10.0.0.2", *game, stdin="no\nr5c7\n")[::2] == (0, "")
    assert at("10.0.0.3", *game, stdin="yes\n")[::2] == (0, "")
    for client, expected in (("10.0.0.2", [1, 1]), ("10.0.0.3", [0]), ("10.0.0.4", [])):
        code, out, err = at(client, "progress", "--format", "json")
        assert (code, err) == (0, "")
        assert [each["right"] for each in json.loads(out)] == expected
    assert at("10.0.0.3", "progress", "--reset", "--yes") == (0, "", "")
    assert len(json.loads(at("10.0.0.2", "progress", "--format", "json")[1])) == 2
    assert tree(room.parent / "outside") == [str(room.parent / "outside" / name) for name in ("secret.sdm", "writable")]


def test_the_learners_of_a_browser_are_not_told_apart(room: Path) -> None:
    asked = json.dumps({"learner": "__import__('tui.storage.progress').storage.progress.learner(os.environ)"})
    ssh = {"SSH_CONNECTION": "10.0.0.2 50000 10.0.0.1 22"}
    assert run(TRIED, room, str(room), asked, **ssh)["learner"] == "'10.0.0.2'"
    assert run(TRIED, room, str(room), asked, **ssh, TEXTUAL_DRIVER=WEB_DRIVER)["learner"] == "None"


# Becoming one


def said(room: Path, *words: str, **changes: str) -> tuple[int, str]:
    done = subprocess.run(command(*words), capture_output=True, text=True, cwd=room.parent, timeout=PATIENCE,
                          env=environment(**changes), check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stderr


@pytest.mark.sweep(keep=4)
@pytest.mark.parametrize(("words", "variable", "expected"), [
    (["--kiosk"], None, "expected a directory after it"),
    (["--kiosk", ""], None, "expected an existing directory"),
    (["--kiosk", "none"], None, "expected an existing directory"),
    (["--kiosk=room/mine.sdm"], None, "expected an existing directory"),
    (["--kiosk", "/"], None, "the program itself is in there"),
    (["--kiosk", "room"], "outside", "expected the same directory"),
    (["--kiosk", "room"], "", "expected the same directory"),
    (["--kiosk", "room", "--kiosk", "outside"], None, "expected the same directory"),
    ([], "", "expected an existing directory"),
    (["check", "--kiosk", "room", "easy:1"], None, "--kiosk must come before all other arguments"),
])
def test_no_half_kiosk(room: Path, words: list[str], variable: str | None, expected: str) -> None:
    changes = {} if variable is None else {"SUDOKU_TUI_KIOSK": variable}
    code, err = said(room, *words, *(() if words[-1:] in (["--kiosk"], ["easy:1"]) else ("check", "easy:1")), **changes)
    assert code == 2
    assert expected in err
    assert err.count("\n") == 1


def test_the_variable_alone_is_enough_and_both_may_agree(room: Path) -> None:
    for words in ([], ["--kiosk", str(room)], [f"--kiosk={room}/"]):
        code, err = said(room, *words, "check", "../outside/secret.sdm", SUDOKU_TUI_KIOSK=f"{room.parent}/./room")
        assert (code, err) == (2, f"sudoku-tui: ../outside/secret.sdm: this is a kiosk: files are in {room}\n")


def test_it_ends_where_python_would_ask_for_more(room: Path) -> None:
    code, err = said(room, "--kiosk", "room", "check", "easy:1", PYTHONINSPECT="1")
    assert code == 2
    assert "no Python to type into" in err


HOSTILE = {"SUDOKU_TUI_DEBUG": "1", "TEXTUAL": "devtools,debug", "TEXTUAL_LOG": "/tmp/log", "TERMINFO": "/tmp",
           "PYTHONBREAKPOINT": "os.system", "TZ": ":/etc/passwd", "LANGUAGE": "../../x", "LC_ALL": "C.UTF-8",
           "LC_MESSAGES": "../../../x", "NUMBA_DEBUG": "1", "NUMBA_CACHE_DIR": "/tmp", "PAGER": "sh", "EDITOR": "sh",
           "BROWSER": "sh", "SSH_ORIGINAL_COMMAND": "sh -c id", "_SUDOKU_TUI_COMPLETE": "bash_source",
           "LD_LIBRARY_PATH": "."}


def test_the_environment_has_no_say(room: Path) -> None:
    found = run(TRIED, room, str(room), json.dumps({"names": "sorted(os.environ)", "home": "os.environ['HOME']",
                                                    "all": "'|'.join(os.environ.values())"}), **HOSTILE)
    assert not set(HOSTILE) - {"LC_ALL"} & set(eval(found["names"]))
    assert found["home"] == repr(str(room))
    assert "outside" not in found["all"]
    assert "../" not in found["all"]


def test_compiled_code_is_read_from_no_folder_that_others_can_write(room: Path) -> None:
    cache = room.parent / "cache"
    cache.mkdir(mode=0o755)
    cache.chmod(0o755)
    asked = json.dumps({"cache": f"os.environ.get('{SHARED_VARIABLE}')", "numba": "os.environ.get('NUMBA_CACHE_DIR')"})
    own = room / "kernels"
    own.mkdir(mode=0o755)

    def believed(named: Path) -> str:
        found = run(TRIED, room, str(room), asked, NUMBA_CACHE_DIR=str(named),
                    **{SHARED_VARIABLE: f"{own}:{named}:/none"})
        assert found["numba"] == "None"
        return str(found["cache"])

    assert believed(cache) == repr(str(cache))
    cache.chmod(0o777)
    assert believed(cache) == "None"
    cache.chmod(0o775)
    assert believed(cache) == "None"


# The net


NET: dict[str, str] = {
    "read": "open({away!r}).read()", "read by a link": "open('link.sdm').read()", "write": "open({new!r}, 'w')",
    "write by a link": "open('new.run', 'w')", "low": "os.open({new!r}, os.O_CREAT | os.O_RDWR)",
    "list": "os.listdir({outside!r})", "scan": "os.scandir('away')", "mkdir": "os.mkdir({new!r})",
    "remove": "os.remove({away!r})", "move out": "os.rename('mine.sdm', {new!r})", "chdir": "os.chdir('/')",
    "move in": "os.rename({away!r}, 'stolen')", "symlink": "os.symlink('/etc', 'mylink')",
    "hard link": "os.link({away!r}, 'mylink')", "chmod": "os.chmod({away!r}, 0o777)",
    "truncate": "os.truncate({away!r}, 0)", "relative": "os.open('../outside/secret.sdm', os.O_RDONLY)",
    "by descriptor": "os.remove('../outside/secret.sdm', dir_fd=os.open('.', os.O_RDONLY))",
    "system": "os.system('id')", "program": "__import__('subprocess').run(['id'])",
    "exec": "os.execv('/bin/sh', ['sh'])",
    "spawn": "os.posix_spawn('/bin/sh', ['sh'], {{}})", "fork": "os.fork()", "pty": "__import__('pty').spawn('sh')",
    "process": "__import__('multiprocessing').get_context('spawn').Process(target=print).start()",
    "connect": "__import__('socket').create_connection(('127.0.0.1', 1))",
    "listen": "__import__('socket').create_server(('127.0.0.1', 0))",
    "database": "__import__('sqlite3').connect({new!r})",
    "database by URI": "__import__('sqlite3').connect('file:{new}?mode=rwc', uri=True)",
    "library": "__import__('ctypes').CDLL('./mine.sdm')", "passwd": "open('/etc/passwd').read()",
    "memory": "open('/proc/1/environ').read()",
    "up from the code": "open(os.path.realpath(sys.prefix) + '/..' * 30 + {away!r}).read()",
}
ALLOWED: dict[str, tuple[str, str]] = {
    "own file": ("open('mine.sdm').read()", repr(EASY)), "own write": ("open('n', 'w').write('x')", "1"),
    "nothing": ("open('/dev/null', 'w').write('x')", "1"), "home": ("os.getcwd()", "{room!r}"),
    "temporary": ("__import__('tempfile').gettempdir()", "'{room}/.cache/tmp'"),
    "breakpoint": ("breakpoint()", "None"),
    "stopping": ("__import__('signal').getsignal(__import__('signal').SIGTSTP).name", "'SIG_IGN'"),
    "code": ("__import__('statistics').mean([1, 3])", "2"),
}


def test_the_audit_hook_blocks_direct_access(room: Path) -> None:
    outside = room.parent / "outside"
    tried = {name: text.format(away=str(outside / "secret.sdm"), new=str(outside / "new"), outside=str(outside))
             for name, text in NET.items()}
    allowed = {name: text for name, (text, _expected) in ALLOWED.items()}
    before = tree(outside)
    found = run(TRIED, room, str(room), json.dumps(tried | allowed))
    assert {name: said for name, said in found.items() if name in NET and not said.startswith("refused: this is")} == {}
    assert {name: found[name] for name in ALLOWED} == {name: expected.format(room=str(room))
                                                        for name, (_text, expected) in ALLOWED.items()}
    assert tree(outside) == before
    assert (outside / "secret.sdm").read_text() == EASY


def test_no_code_is_read_from_the_directory_or_a_home(room: Path) -> None:
    """A learner can have files called what they like: none of them is a module."""
    for folder in (room, room.parent / "outside"):
        (folder / "statistics.py").write_text("raise SystemExit('taken')")
        (folder / "evil.py").write_text("")
    (room / "evil-1.dist-info").mkdir()
    (room / "evil-1.dist-info" / "entry_points.txt").write_text("[sudoku_tui.solvers]\nevil = evil\n")
    found = run(TRIED, room, str(room), json.dumps({
        "module": "__import__('evil')", "shadow": "__import__('statistics').__file__",
        "solvers": "'evil' in __import__('engine.registry', fromlist=['x']).names()"}))
    assert found["module"] == "ModuleNotFoundError: No module named 'evil'"
    assert "outside" not in found["shadow"]
    assert found["solvers"] == "False"


