"""A real sshd on the loopback interface for one test, with its own keys and configuration; the program is its only
command."""

from __future__ import annotations

import contextlib
import getpass
import os
import shlex
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.terminal.session import OTHERWISE, ROOT, Session
from tests.terminal.throttle import Rate, Throttled

CONFIG = """\
HostKey {folder}/host
AuthorizedKeysFile {folder}/id.pub
AuthenticationMethods publickey
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
PidFile none
UseDNS no
ForceCommand {command}
"""
"""Account and key are those of the test's user; StrictModes is off, as test folders may be writable by a group."""
SEPARATION = Path("/run/sshd")
"""The directory that sshd requires when root starts it; the system creates it where sshd is a service."""


def missing() -> str | None:
    """The reason why sshd cannot run here, or None."""
    for name in ("sshd", "ssh", "ssh-keygen"):
        if _found(name) is None:
            return f"{name} is not installed (Debian: openssh-server)"
    if os.geteuid() == 0 and not SEPARATION.is_dir():
        try:
            SEPARATION.mkdir(mode=0o755)
        except OSError as error:
            return f"{SEPARATION}: {error.strerror}"
    return None


def _found(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/sbin")


class Sshd:
    """Accepts connections on its own port, each over a line of a given rate, and passes them to an sshd."""

    def __init__(self, folder: Path, *arguments: str, within: Sequence[str] = ()) -> None:
        """`arguments`: of the program. `within`: what begins it."""
        self._folder = folder
        for name in ("host", "id"):
            subprocess.run([str(_found("ssh-keygen")), "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)],
                           check=True, stdin=subprocess.DEVNULL)
        kept = {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "COLORTERM": "truecolor", "PATH": os.environ["PATH"]}
        kept |= {name: value for name, value in os.environ.items() if name.startswith(("XDG_", "NUMBA_"))}
        kept |= {f"XDG_{name}_HOME": str(folder) for name in ("CONFIG", "DATA", "STATE")}
        command = ["cd", str(folder), "&&", "exec", "env", *(f"{name}={value}" for name, value in kept.items()),
                   *within, sys.executable, "-m", "tui", *arguments]
        quoted = " ".join(word if word == "&&" else shlex.quote(word) for word in command)
        (folder / "sshd_config").write_text(CONFIG.format(folder=folder, command=quoted))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ended: list[subprocess.Popen[bytes]] = []
        self.lines: list[Throttled] = []
        """The connections, the newest last."""

    def _log(self) -> Path:
        return self._folder / "sshd.log"

    @property
    def refusal(self) -> str:
        """The log of sshd if it refuses the connection; else empty."""
        said = self._log().read_text(errors="replace") if self._log().exists() else ""
        return "" if "Accepted publickey" in said or not said else said

    def connect(self, rate: Rate, *options: str, columns: int = 80, rows: int = 24) -> Session:
        """The program at the other end of such a line, in a terminal that answers."""
        with self.accepting(rate):
            session = Session(columns=columns, rows=rows, command=self.client(*options))
        session.answer()
        return session

    @contextlib.contextmanager
    def accepting(self, rate: Rate) -> Iterator[None]:
        """Take the connection that is made within."""
        waiting = threading.Thread(target=self._accept, args=(rate,), daemon=True)
        waiting.start()
        yield
        waiting.join()

    def client(self, *options: str) -> list[str]:
        """The ssh command. Nothing of the user's own configuration is read or written."""
        port = self._listening.getsockname()[1]
        chosen = {"StrictHostKeyChecking": "no", "UserKnownHostsFile": "/dev/null", "IdentitiesOnly": "yes",
                  "BatchMode": "yes", "LogLevel": "ERROR", "IdentityFile": str(self._folder / "id")}
        named = [part for name, value in chosen.items() for part in ("-o", f"{name}={value}")]
        return ["ssh", "-tt", "-F", "none", *named, "-p", str(port), *options, f"{getpass.getuser()}@127.0.0.1"]

    def _accept(self, rate: Rate) -> None:
        near, _address = self._listening.accept()
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far, of_sshd = socket.socketpair()
        clean = {name: value for name, value in os.environ.items() if name not in OTHERWISE}
        self._ended.append(subprocess.Popen(
            [str(_found("sshd")), "-i", "-f", str(self._folder / "sshd_config"), "-E", str(self._log())],
            stdin=of_sshd, stdout=of_sshd, stderr=subprocess.DEVNULL, env=clean))
        of_sshd.close()
        self.lines.append(Throttled(near, far, rate))

    def close(self) -> None:
        """Cut all connections, and accept no more."""
        for line in self.lines:
            line.cut()
        self._listening.close()
        for process in self._ended:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()
