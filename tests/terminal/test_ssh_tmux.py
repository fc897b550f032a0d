"""In tmux on the server, behind a real sshd: tmux answers for itself, and the program outlives its line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.terminal.session import Session
from tests.terminal.sshd import Sshd
from tests.terminal.test_ssh import RUN, needs_sshd, over, played
from tests.terminal.throttle import DSL

TMUX = shutil.which("tmux")
pytestmark = [pytest.mark.sweep, needs_sshd, pytest.mark.skipif(TMUX is None, reason="tmux is not installed")]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Sshd]:
    """The login command attaches to the one tmux session, and starts it if there is none."""
    (tmp_path / "tmux.conf").write_text("set -g status off\n", encoding="ascii")
    tmux = [str(TMUX), "-S", str(tmp_path / "tmux"), "-f", str(tmp_path / "tmux.conf")]
    begun = Sshd(tmp_path, *RUN, within=[*tmux, "new-session", "-A", "-s", "lab"])
    yield begun
    begun.close()
    subprocess.run([*tmux, "kill-server"], capture_output=True, check=False)


def test_the_same_keys_leave_the_same_screen_and_it_is_found_again_over_another_line(
        server: Sshd, open_session: Callable[..., Session]) -> None:
    near = [line.rstrip() for line in played(open_session(*RUN))]
    session = over(server, DSL)
    assert [line.rstrip() for line in played(session)] == near
    server.lines[-1].cut()
    again = server.connect(DSL)
    again.until(" 8 · recorded")
    again.press("right")
    again.until(" 9 · recorded")
    again.press("q")
    assert again.ended() == 0
