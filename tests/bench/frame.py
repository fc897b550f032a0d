"""The cost of a frame while playing: processor time of the drawing thread, and bytes on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.bench.fixtures import UNSOLVABLE
from tests.bench.result import Options, Result, absent, at_least, at_most
from tests.bench.screen import ENDLESS, FRAME, READY, Watched

SECONDS, QUICK_SECONDS = 20, 5
MILLISECONDS, BYTES, BYTES_A_SECOND = 3.0, 800.0, 60_000.0
FRAMES_A_SECOND = 15.0
"""At least, on a local terminal such as this one; `ssh_lines` has the budgets of slow lines."""
SPEEDS = {"1000": "1 000/s", "max": "flat out"}
POPULATION = (UNSOLVABLE, "--solver", "ga-ordered", "--seed", "3", "-p", "max_steps=1000000000", "-p")
RUNS: Mapping[str, tuple[str, ...]] = {
    "": ENDLESS, "400 individuals, ": (*POPULATION, "size=400"),
    "100 000 individuals, ": (*POPULATION, "size=100000", "-p", "most=100000"),
}
"""The runs that are played, by label."""


def measure(options: Options) -> Iterable[Result]:
    for run, played in RUNS.items():
        for speed, name in SPEEDS.items():
            yield from _at(played, speed, run + name, QUICK_SECONDS if options.quick else SECONDS)


def _at(run: tuple[str, ...], speed: str, name: str, seconds: int) -> Iterable[Result]:
    frames = 0

    def count(data: bytes) -> None:
        nonlocal frames
        frames += data.count(FRAME)

    with Watched(*run, "--speed", speed) as program:
        program.until(lambda seen: READY in seen)
        program.take(1.5)
        before, drawn = program.drawing_time(), [0] * seconds
        program.press(" ")
        for second in range(seconds):
            drawn[second] = program.take(1.0, count)
        after = program.drawing_time()
    what, frames = f"frame, playing {name} at 120x36", max(frames, 1)
    if before is None or after is None:
        yield absent(f"{what}: processor", f"≤ {MILLISECONDS:g} ms", "the system does not say what a thread took")
    else:
        yield at_most(f"{what}: processor", 1000 * (after - before) / frames, MILLISECONDS, "ms")
    yield at_least(f"{what}: frames a second", frames / seconds, FRAMES_A_SECOND, "/s")
    yield at_most(f"{what}: bytes", sum(drawn) / frames, BYTES, "B")
    note = f"first second {drawn[0]} B, most in one second {max(drawn)} B"
    yield at_most(f"{what}: bytes a second", sum(drawn) / seconds, BYTES_A_SECOND, "B/s", note)
