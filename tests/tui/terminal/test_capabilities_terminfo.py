"""Capabilities in the terminfo database, and sequences withheld from terminals that would print them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.terminal.session import ROOT
from tui.terminal.capabilities import MODERN_SEQUENCES

PRINT = ("from tui.terminal.capabilities import takes_modern_sequences, terminfo; "
         "print(*map(int, (*terminfo(), takes_modern_sequences())))")


@pytest.mark.parametrize(("term", "able"), [
    ("vt100", "0 0 0 0"), ("linux", "1 1 0 0"), ("xterm-256color", "1 1 1 1"),
    ("screen", "0 0 1 1"), ("no-such-terminal", "0 0 1 1"),
])
def test_what_a_terminal_can_do(term: str, able: str) -> None:
    """It erases, in the ground that is set, it turns off one attribute, it passes over what it does not know."""
    done = subprocess.run([sys.executable, "-c", PRINT], capture_output=True, text=True, check=True, cwd=ROOT,
                          env=os.environ | {"TERM": term})
    assert done.stdout.strip() == able


@pytest.mark.parametrize(("sent", "kept"), [
    ("\x1b[>25u", ""), ("\x1b[<u", ""), ("\x1b[?2026$p", ""), ("\x1b]22;default\x07", ""), ("\x1b]0;name\x1b\\", ""),
    ("\x1b[?1049h", "\x1b[?1049h"), ("\x1b[1;44Hx\x1b[m", "\x1b[1;44Hx\x1b[m"), ("a]b>c", "a]b>c"),
])
def test_modern_sequences_are_withheld_from_a_vt100(sent: str, kept: str) -> None:
    assert MODERN_SEQUENCES.sub("", f"a{sent}b") == f"a{kept}b"
