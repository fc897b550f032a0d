"""Over SSH on slow lines, behind a real sshd: the first screen, what a key takes while playing, bytes a second."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.bench.result import Options, Result, absent, at_most
from tests.bench.screen import ENDLESS, PAUSED, READY, RUNNING, Connected
from tests.bench.timing import quantile
from tests.terminal import sshd
from tests.terminal.sshd import Sshd
from tests.terminal.throttle import DSL, MEGABIT, MODEM, Rate

PRESSES, QUICK_PRESSES = 30, 8
SECONDS, QUICK_SECONDS = 20, 6
FIRST_SCREEN, BYTES_A_SECOND = 4.0, 5000.0
LINES: dict[str, tuple[Rate, float | None]] = {"56 kbit/s": (MODEM, 0.5), "256 kbit/s": (DSL, 0.3),
                                               "1 Mbit/s": (MEGABIT, None)}
"""Lines, and the seconds within which half of the keys must have their effect; None: printed only."""
PICKED = b">"


def measure(options: Options) -> Iterable[Result]:
    why = sshd.missing()
    for name, (rate, _budget) in LINES.items():
        if why is not None:
            yield absent(f"over SSH, {name}", "-", why)
        else:
            yield from _over(rate, name, options.quick)


def _over(rate: Rate, name: str, quick: bool) -> Iterator[Result]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = Sshd(Path(folder), *ENDLESS, "--speed", "max")
        try:
            for _warm in range(2):  # the first compiles and fills caches, as a warm-up does
                opened, begun, first = _first_screen(server, rate)
                if not _warm:
                    opened.__exit__(None)
            with opened as program:
                yield _at_most(f"over SSH, {name}: first screen, from connecting", first,
                               FIRST_SCREEN if rate is MODEM else None,
                               f"{begun:.2f} s of them until the program's first byte, most of it for logging in")
                program.press(" ")
                program.until(lambda seen: RUNNING in seen)
                program.take(3.0)
                yield from _bytes(server, program, name, QUICK_SECONDS if quick else SECONDS)
                yield from _keys(program, name, QUICK_PRESSES if quick else PRESSES)
        finally:
            server.close()


def _first_screen(server: Sshd, rate: Rate) -> tuple[Connected, float, float]:
    """The program, and the seconds until its first byte and until its first screen."""
    with server.accepting(rate):
        program = Connected(command=server.client())
    begun = program.until(lambda seen: seen) - program.begun
    return program, begun, program.until(lambda seen: READY in seen) - program.begun


def _bytes(server: Sshd, program: Connected, name: str, seconds: int) -> Iterator[Result]:
    before = server.lines[-1].back.carried
    drawn = program.take(float(seconds)) / seconds
    carried = (server.lines[-1].back.carried - before) / seconds
    yield at_most(f"over SSH, {name}: bytes a second while playing", drawn,
                  BYTES_A_SECOND if name == "56 kbit/s" else 8000.0, "B/s",
                  f"{carried:.0f} B/s on the line, with what SSH adds and without compression")


def _keys(program: Connected, name: str, presses: int) -> Iterator[Result]:
    chance, budget = random.Random(3), LINES[name][1]
    pauses, picks = [], []
    for _ in range(presses):
        pauses.append(program.effect(" ", PAUSED))
        program.effect(" ", RUNNING)
        program.take(chance.uniform(0.8, 1.6))
        picks.append(program.effect("l", PICKED))
        program.take(chance.uniform(0.3, 0.8))
    for key, taken in (("pause", pauses), ("pick a cell", picks)):
        yield _at_most(f"over SSH, {name}: key to effect while playing ({key}), p50", quantile(taken, 0.5), budget,
                       f"{presses} presses, p95 {quantile(taken, 0.95):.2f} s, longest {max(taken):.2f} s")


def _at_most(what: str, value: float, budget: float | None, *notes: str) -> Result:
    if budget is None:
        return Result(what, f"{value:.3g} s", "-", None, notes)
    return at_most(what, value, budget, "s", *notes)
