"""The end of a program on a pseudo-terminal, whatever it does just then."""

from __future__ import annotations

import signal
from typing import Any


def end(child: Any) -> None:
    """Kill what pexpect has begun, if it lives, and close its terminal. pexpect itself gives it a tenth of a second to
    die, which is little on a busy machine, and then fails."""
    if child.isalive():
        child.kill(signal.SIGKILL)
        child.wait()
    child.close()
