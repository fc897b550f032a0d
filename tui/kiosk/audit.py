"""The audit hook of a kiosk: blocks file, process and network access that a kiosk does not have.

Python raises an audit event before it opens a file, lists a folder, starts a program or connects. The hook receives it
from this program and from libraries, and cannot be removed. It is no sandbox: code written in C need not raise events,
and anyone who can run Python code can bypass it. `engine.files.access` confines what users can reach; this catches what
was forgotten there.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NoReturn
from urllib.parse import unquote

from engine.files import access
from tui.i18n import _

FORBIDDEN: Final = (
    "cpython.run_interactivehook", "cpython.run_stdin", "ftplib.connect", "http.client.connect",
    "os.chown", "os.exec", "os.fork", "os.forkpty", "os.link", "os.posix_spawn", "os.setxattr", "os.spawn",
    "os.startfile", "os.symlink", "os.system", "pdb.Pdb", "pty.spawn", "smtplib.connect", "socket.bind",
    "socket.connect", "socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname", "socket.sendmsg",
    "socket.sendto", "sqlite3.enable_load_extension", "sqlite3.load_extension", "subprocess.Popen", "telnetlib.open",
    "urllib.Request", "webbrowser.open",
)
"""Events of other programs, of the network, of links, and of an interactive Python."""
SYSTEM: Final = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types",
                 "/etc/os-release", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys",
                 "/sys/devices", "/sys/fs/cgroup")
"""Files of the system that Python and its libraries read."""
DEVICES: Final = ("/dev/null", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero")
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

Rule = Callable[[tuple[Any, ...]], None]


def install(directory: str, libraries: Sequence[str], kernels: Sequence[str]) -> None:
    """Refuse from now on, with PermissionError, all access that a kiosk does not have. Cannot be undone.

    `directory`: the kiosk's. `libraries`: folders that Python reads its code from. `kernels`: folders of compiled
    solvers; they too are only read. All of them without links.
    """
    rules = _Rules(directory, tuple(libraries), tuple(kernels)).by_event
    sys.addaudithook(partial(_on_event, rules))
    _forbid_processes()


def _on_event(rules: dict[str, Rule], event: str, args: tuple[Any, ...]) -> None:
    rule = rules.get(event)
    if rule is not None:
        rule(args)


def _forbid_processes() -> None:
    """Block what raises no event: multiprocessing starts processes without one."""
    import _posixsubprocess

    vars(_posixsubprocess)["fork_exec"] = _refuse_process
    if "subprocess" in sys.modules:
        vars(sys.modules["subprocess"])["_fork_exec"] = _refuse_process


def _refuse_process(*_given: object) -> NoReturn:
    raise PermissionError(errno.EPERM, _("this is a kiosk: it starts no program"))


class _Rules:
    """The rules for audit events."""

    def __init__(self, directory: str, libraries: tuple[str, ...], kernels: tuple[str, ...]) -> None:
        self._directory = directory
        self._written = (directory,)
        self._loaded = (*libraries, *SYSTEM)
        self._read = (directory, *self._loaded, *kernels, f"/proc/{os.getpid()}")
        self._code = tuple(f"{folder}{os.sep}" for folder in libraries)
        """Reading below these needs no look at the disk: users cannot make links there."""
        self.by_event: dict[str, Rule] = {
            **dict.fromkeys(FORBIDDEN, _forbid), "open": self._open, "os.listdir": self._list,
            "os.scandir": self._list, "os.chdir": self._list, "os.mkdir": self._change, "os.rmdir": self._change,
            "os.remove": self._change, "os.rename": self._rename, "os.truncate": self._alter, "os.chmod": self._alter,
            "os.utime": self._alter, "sqlite3.connect": self._connect, "ctypes.dlopen": self._load,
        }

    def _open(self, args: tuple[Any, ...]) -> None:
        path, _mode, flags = args
        if isinstance(path, int) or access.is_checked():
            return
        name = os.fsdecode(path)
        if (flags or 0) & WRITING:
            self._check(name, self._written)
        elif not name.startswith(self._code) or ".." in name:
            self._check(name, self._read)

    def _list(self, args: tuple[Any, ...]) -> None:
        if not isinstance(args[0], int) and not access.is_checked():
            self._check(os.fsdecode(args[0] or os.curdir), self._read)

    def _alter(self, args: tuple[Any, ...]) -> None:
        if not isinstance(args[0], int):
            self._check(os.fsdecode(args[0]), self._written)

    def _change(self, args: tuple[Any, ...]) -> None:
        """A change of a name happens in its folder, whatever the name links to."""
        if not access.is_checked():
            self._check_name(args[0], args[-1])

    def _rename(self, args: tuple[Any, ...]) -> None:
        if not access.is_checked():
            source, target, source_folder, target_folder = args
            self._check_name(source, source_folder)
            self._check_name(target, target_folder)

    def _check_name(self, path: Any, folder: int) -> None:
        """`folder`: a descriptor that the path is relative to; -1: none."""
        name = os.fsdecode(path)
        if folder >= 0 and not os.path.isabs(name):
            name = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
        self._check(os.path.dirname(name) or os.curdir, self._written, name)

    def _connect(self, args: tuple[Any, ...]) -> None:
        """A database may be written as a URI."""
        name = os.fsdecode(args[0])
        if name == ":memory:":
            return
        if name.startswith("file:"):
            self._check(unquote(name.removeprefix("file:").partition("?")[0]), self._written, name)
        self._check(name, self._written)

    def _load(self, args: tuple[Any, ...]) -> None:
        """Shared libraries: by bare name those of the system, by path those of the program."""
        if args[0] is not None and os.sep in (name := os.fsdecode(args[0])):
            self._check(name, self._loaded)

    def _check(self, path: str, folders: tuple[str, ...], named: str = "") -> None:
        """Raise PermissionError for a path outside of the folders."""
        real = os.path.realpath(path)
        if not any(real == each or real.startswith(f"{each}{os.sep}") for each in folders) and real not in DEVICES:
            raise PermissionError(errno.EACCES, _("this is a kiosk: files are in {directory}").format(
                directory=self._directory), named or path)


def _forbid(_args: tuple[Any, ...]) -> NoReturn:
    raise PermissionError(errno.EPERM, _("this is a kiosk: it starts no program and contacts no machine"))
