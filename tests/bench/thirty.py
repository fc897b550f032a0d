"""Thirty learners at once on one machine, as over SSH: what each costs of processor, memory and line, and whether one
is starved. Beside them one learner on a local terminal, which is sent more frames."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from tests.bench.result import Options, Result, absent, at_least, at_most, number
from tests.bench.screen import ENDLESS, FRAME, OVER_SSH, READY, RUNNING, Connected, Watched
from tui.terminal.pacing import QUESTION

LEARNERS, QUICK_LEARNERS = 30, 6
SECONDS, QUICK_SECONDS = 20.0, 5.0
SETTLED = 3.0
SPEED = "1000"
PLAYING, PAUSED, MEGABYTES, BYTES_A_SECOND = 3.0, 0.3, 150.0, 8000.0
"""Per cent of one core, of a learner who plays at ten frames a second, and of one who looks; the others of each."""
REQUEST = QUESTION.encode()
"""The end of a frame over SSH."""
FAIR = 0.5
"""The one that comes off worst draws at least so much as the one in the middle."""
PROPORTIONAL = "Pss:"


@dataclass(frozen=True, slots=True)
class Cost:
    """The processor time of each process over some seconds, in the same order."""

    processor: Sequence[float]
    """Per cent of one core."""
    drawn: Sequence[float]
    """Bytes a second."""
    frames: Sequence[float]
    """A second."""


def measure(options: Options) -> Iterable[Result]:
    learners = QUICK_LEARNERS if options.quick else LEARNERS
    seconds = QUICK_SECONDS if options.quick else SECONDS
    with ExitStack() as stack:
        yield from _with(_started(stack, learners, SPEED), seconds)
    with ExitStack() as stack:
        yield from _local(_started(stack, 1, SPEED, Watched), seconds)
    with ExitStack() as stack:
        yield from _flat_out(_started(stack, learners, "max"), seconds)


def _started(stack: ExitStack, learners: int, speed: str, terminal: type[Watched] = Connected) -> list[Watched]:
    """Start `learners` programs that are ready to play, each with its own run."""
    environment = OVER_SSH if terminal is Connected else {}
    programs = []
    for _each in range(learners):
        programs.append(stack.enter_context(terminal(*ENDLESS, "--speed", speed, environment=environment)))
        programs[-1].until(lambda seen: READY in seen)
    _drain(programs, SETTLED)
    return programs


def _with(programs: Sequence[Watched], seconds: float) -> Iterator[Result]:
    name = f"{len(programs)} at once"
    looking = _cost(programs, seconds)
    yield at_most(f"{name}, paused: processor of each", fmean(looking.processor), PAUSED, "%",
                  f"most {max(looking.processor):.2g} %")
    playing = _playing(programs, seconds)
    yield at_most(f"{name}, playing {SPEED}/s: processor of each", fmean(playing.processor), PLAYING, "%",
                  f"most {max(playing.processor):.3g} %, {median(playing.frames):.1f} frames a second",
                  f"{sum(playing.processor) / 100:.2f} cores in all")
    yield at_most(f"{name}, playing {SPEED}/s: bytes a second of each", fmean(playing.drawn), BYTES_A_SECOND, "B/s")
    yield _fairness(f"{name}, playing {SPEED}/s", playing)
    yield _memory(f"{name}: memory of each, shared pages counted in parts", programs)


def _local(programs: Sequence[Watched], seconds: float) -> Iterator[Result]:
    playing = _playing(programs, seconds, FRAME)
    yield Result(f"one on a local terminal, playing {SPEED}/s: processor",
                 number(fmean(playing.processor), "%"), "-", None,
                 (f"{fmean(playing.frames):.1f} frames and {number(fmean(playing.drawn), 'B/s')}",))


def _playing(programs: Sequence[Watched], seconds: float, frame: bytes = REQUEST) -> Cost:
    for each in programs:
        each.press(" ")
        each.until(lambda seen: RUNNING in seen)
    _drain(programs, SETTLED)
    return _cost(programs, seconds, frame)


def _flat_out(programs: Sequence[Watched], seconds: float) -> Iterator[Result]:
    """All of them as fast as they can: there is not enough of the processor, and all must get their part."""
    for each in programs:
        each.press(" ")
    _drain(programs, SETTLED)
    yield _fairness(f"{len(programs)} at once, flat out", _cost(programs, seconds))


def _fairness(what: str, cost: Cost) -> Result:
    worst = min(cost.frames) / max(median(cost.frames), 0.01)
    return at_least(f"{what}: frames of the one that gets fewest, as share of the median", worst, FAIR, "",
                    f"{min(cost.frames):.1f}, {median(cost.frames):.1f} and at most {max(cost.frames):.1f} a second")


def _memory(what: str, programs: Sequence[Watched]) -> Result:
    found = [_proportional(each.child.pid) for each in programs]
    sizes = [each for each in found if each is not None]
    if len(sizes) < len(found):
        return absent(what, f"≤ {MEGABYTES:g} MiB", "the system does not say how much of its memory is shared")
    return at_most(what, fmean(sizes), MEGABYTES, "MiB", f"most {max(sizes):.0f} MiB, {sum(sizes):.0f} MiB in all")


def _proportional(pid: int) -> float | None:
    """Memory of a process in MiB, shared pages counted in parts; None where the system does not say."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(PROPORTIONAL)), None)


def _cost(programs: Sequence[Watched], seconds: float, frame: bytes = REQUEST) -> Cost:
    before, sent = [each.processor() for each in programs], [each.sent for each in programs]
    frames = [0] * len(programs)

    def count(index: int, data: bytes) -> None:
        frames[index] += data.count(frame)

    begun = time.perf_counter()
    _drain(programs, seconds, count)
    took = time.perf_counter() - begun
    return Cost([100 * (each.processor() - had) / took for each, had in zip(programs, before, strict=True)],
                [(each.sent - had) / took for each, had in zip(programs, sent, strict=True)],
                [each / took for each in frames])


def _drain(programs: Sequence[Watched], seconds: float,
           told: Callable[[int, bytes], object] = lambda index, data: None) -> None:
    """Read the output of all of them for `seconds`."""
    index_of, end = {each.fd: index for index, each in enumerate(programs)}, time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        for fd in select.select(list(index_of), [], [], left)[0]:
            told(index_of[fd], programs[index_of[fd]].read(0.0))
