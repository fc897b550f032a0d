"""Kiosk: a shared account whose files all lie in one directory.

Nothing outside the directory can be named, opened or written, no other program is started, no other machine contacted.
The directory is given by --kiosk DIR, which comes before everything else, or by an environment variable, and cannot be
left. `engine.files.access` confines the paths that a user names, `tui.kiosk.audit` is a second line of defence.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.compiled import cache
from engine.errors import BadInput
from engine.files import access
from tui import WEB_DRIVER
from tui.i18n import _
from tui.kiosk import audit

OPTION: Final = "--kiosk"
VARIABLE: Final = "SUDOKU_TUI_KIOSK"
KEPT: Final = re.compile(r"TERM|COLORTERM|NO_COLOR|COLUMNS|LINES|ROWS|LANG|LC_[A-Z]+|SSH_CONNECTION|SSH_TTY|TMUX|STY")
"""Variables that a kiosk keeps: they describe the terminal, the line and the language."""
PLAIN: Final = re.compile(r"[A-Za-z0-9 ._@:,+%/-]{0,120}")
WEB: Final = {"TEXTUAL_DRIVER": WEB_DRIVER}
"""Variables that it keeps if they have just this value."""
WITHOUT_PATH: Final = ("TERM", "LANG")
"""Variables that, like LC_*, become part of a path."""
HOMES: Final = {"HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ".config", "XDG_STATE_HOME": ".state",
                "XDG_CACHE_HOME": access.PRIVATE, "XDG_RUNTIME_DIR": access.PRIVATE, "XDG_PICTURES_DIR": "pictures",
                "TMPDIR": f"{access.PRIVATE}/tmp"}
"""The locations inside the directory that replace the user's directories."""


def enter(arguments: Sequence[str]) -> list[str]:
    """Make this process a kiosk if the command line or the environment asks for one; returns the rest of the command
    line. Raises BadInput."""
    given, rest = _parsed(arguments)
    if VARIABLE in os.environ:
        given.append((VARIABLE, os.environ[VARIABLE]))
    if given:
        confine(_directory(given))
    return rest


def _parsed(arguments: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """The directories named at the beginning of a command line, and the rest of it."""
    rest, given = list(arguments), []
    while rest and rest[0].partition("=")[0] == OPTION:
        option, sign, directory = rest.pop(0).partition("=")
        if not sign:
            if not rest:
                raise BadInput(_("--kiosk: expected a directory after it"))
            directory = rest.pop(0)
        given.append((option, directory))
    return given, rest


def _directory(given: Sequence[tuple[str, str]]) -> str:
    """The directory of the kiosk. Raises BadInput unless all given names lead to one that exists."""
    for name, directory in given:
        if not directory or "\0" in directory or not os.path.isdir(directory):
            raise BadInput(_("{name} {directory}: expected an existing directory").format(
                name=name, directory=directory or '""'))
        for other, another in given:
            if os.path.realpath(directory) != os.path.realpath(another):
                raise BadInput(_("{name} {directory} and {other} {another}: expected the same directory").format(
                    name=name, directory=directory, other=other, another=another))
    name, directory = given[0]
    real = os.path.realpath(directory)
    if any(_is_within(each, real) for each in libraries()):
        raise BadInput(_("{name} {directory}: the program itself is in there, expected a separate directory").format(
            name=name, directory=directory))
    return directory


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def confine(directory: str) -> None:
    """Make this process a kiosk. Cannot be undone."""
    if sys.flags.inspect or sys.flags.interactive:
        _exit(_("a kiosk has no Python to type into: expected to be started without -i and PYTHONINSPECT"))
    real, code = os.path.realpath(directory), libraries()
    kernels = _kernels(real)
    try:
        access.restrict_to(directory)
        os.chdir(directory)
    except OSError as error:
        raise BadInput(_("--kiosk {directory}: {why}").format(directory=directory, why=error.strerror)) from None
    _set_environment(real, kernels)
    _restrict_imports(code, real)
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # no shell could continue it
    audit.install(real, code, [*kernels, str(cache.SYSTEM_DIRECTORY)])


def _exit(why: str) -> None:
    """Exit at once: an orderly exit of an interactive interpreter leads to its prompt."""
    from tui.output import say

    say(why)
    os._exit(2)


def libraries() -> list[str]:
    """The folders that the program's code is read from, with links resolved: those of the installation."""
    standard = sysconfig.get_paths()
    found = [str(Path(__file__).parents[2]), sys.prefix, sys.base_prefix, sys.exec_prefix, standard["stdlib"],
             standard["platstdlib"], standard["purelib"], standard["platlib"]]
    return [each for each in dict.fromkeys(map(os.path.realpath, found)) if each != os.sep]


def _set_environment(real: str, kernels: Sequence[str]) -> None:
    """The environment: variables about the terminal stay, directories become the kiosk's, everything else is removed.
    """
    kept = {name: value for name, value in os.environ.items() if _is_harmless(name, value)}
    os.environ.clear()
    places = {name: os.path.join(real, place).rstrip(os.sep) for name, place in HOMES.items()}
    os.environ.update(kept | places | {"PATH": "/usr/bin:/bin"})
    if kernels:
        os.environ[cache.SHARED_VARIABLE] = os.pathsep.join(kernels)
    try:
        os.makedirs(places["TMPDIR"], mode=0o700, exist_ok=True)
    except OSError:
        os.environ["TMPDIR"] = real
    tempfile.tempdir = os.environ["TMPDIR"]


def _is_harmless(name: str, value: str) -> bool:
    if WEB.get(name) == value:
        return True
    path = name in WITHOUT_PATH or name.startswith("LC_")
    return bool(KEPT.fullmatch(name) and PLAIN.fullmatch(value)) and not (path and (os.sep in value or ".." in value))


def _kernels(real: str) -> list[str]:
    """The administrator's compiled kernels: folders named in the environment, if they belong to root or to the
    program's owner and only the owner can write them. Writing there would allow running any code."""
    owners = {0, os.stat(__file__).st_uid}
    found = []
    for each in filter(None, os.environ.get(cache.SHARED_VARIABLE, "").split(os.pathsep)):
        folder = os.path.realpath(each)
        with contextlib.suppress(OSError):
            facts = os.stat(folder)
            if facts.st_uid in owners and not facts.st_mode & 0o022 and not _is_within(folder, real):
                found.append(folder)
    return found


def _restrict_imports(folders: Sequence[str], directory: str) -> None:
    """The only folders that code is imported from: never the kiosk's directory, the current directory, a home, or
    PYTHONPATH."""
    places = [(each, os.path.realpath(each)) for each in sys.path if each]
    sys.path[:] = [each for each, real in places if not _is_within(real, directory)
                   and any(_is_within(real, folder) for folder in folders)]
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    sys.breakpointhook = lambda *given, **named: None
