"""Stop signals are handled by the event loop, not inside the signal handler."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize

from tui.terminal.driver import hardened


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The actions of a stop, in order."""
    done: list[str] = []
    monkeypatch.setattr(os, "kill", lambda _process, number: done.append(signal.Signals(number).name))
    monkeypatch.setattr(LinuxDriver, "suspend_application_mode", lambda _driver: done.append("terminal back"))
    return done


def driver(call_soon: Callable[[Callable[[], None]], None]) -> Any:
    kind = hardened(LinuxDriver)
    made: Any = kind.__new__(kind)
    made._app = SimpleNamespace(_loop=SimpleNamespace(call_soon_threadsafe=call_soon))
    made._auto_restart = True
    return made


def test_the_handler_of_the_signal_only_asks_the_loop(stops: list[str]) -> None:
    asked: list[Callable[[], None]] = []
    driver(asked.append)._sigtstp_application(signal.SIGTSTP, None)
    assert stops == []
    [stop] = asked
    stop()
    assert stops == ["terminal back", "SIGSTOP"]


def test_without_a_loop_it_stops_at_once(stops: list[str]) -> None:
    def ended(_callback: Callable[[], None]) -> None:
        raise RuntimeError("Event loop is closed")

    driver(ended)._sigtstp_application(signal.SIGTSTP, None)
    assert stops == ["SIGSTOP"]


@pytest.mark.parametrize(("reported", "drawn"), [
    ((120, 36), (120, 36)), ((5000, 5000), (1000, 1000)), ((1, 65535), (1, 1000)), ((0, 0), (1, 1)),
])
def test_a_huge_window_is_drawn_in_part(
    reported: tuple[int, int], drawn: tuple[int, int], monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LinuxDriver, "_get_terminal_size", lambda _driver: reported)
    assert driver(lambda _callback: None)._get_terminal_size() == drawn


def test_a_reported_size_that_no_terminal_has_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[tuple[int, int]] = []
    monkeypatch.setattr(LinuxDriver, "process_message", lambda _driver, message: sizes.append(message.size))
    for size in ((80, 24), (99999999999, 24), (3000, 24)):
        driver(lambda _callback: None).process_message(Resize.from_dimensions(size, None))
    assert sizes == [(80, 24), (1000, 24)]
