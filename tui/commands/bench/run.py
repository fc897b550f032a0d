"""Make the trials of an experiment: progress line, confirmation of large ones, interrupt."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import click

from engine.bench import bench
from engine.bench.executors.scheduling import ExecutorKind, NoWorkerStarts, cores, execute
from engine.bench.experiment import Experiment, Trial
from engine.bench.report import words
from engine.bench.store import Store
from engine.errors import BadInput
from engine.text import count
from tui import output
from tui.commands.batch import INTERRUPTED, Interrupt, Progress
from tui.i18n import _

SAMPLE: Final = 100
"""Most trials for an estimate."""
SAMPLE_SECONDS: Final = 3.0
REFUSED: Final = 1
FEW: Final = 10


@dataclass
class Bench:
    """One call of the command; controls the executor (see `engine.bench.executors.scheduling.Control`)."""

    parts: Sequence[Experiment]
    store: Store
    jobs: int
    how: ExecutorKind
    asked: Interrupt = field(default_factory=Interrupt)
    line: Progress = field(default_factory=Progress)
    _until: float | None = None
    """The end of the sample."""

    def stopped(self) -> bool:
        return self.asked() or (self._until is not None and time.monotonic() > self._until)

    def paused(self) -> bool:
        return False

    def run(self, large: int | None) -> int:
        """Make the trials, after a confirmation if there are more than `large`; returns the exit code."""
        with self.asked:
            left = sum(part.size - self.store.count(part) for part in self.parts)
            if large is not None and left > large and not self._agreed(left, large):
                return REFUSED if not self.asked() else INTERRUPTED
            progress = self._make()
        self.line.clear()
        if progress.done < progress.size:
            output.say(_("interrupted after {done} of {size} trials; the same command resumes").format(
                done=count(progress.done), size=count(progress.size)))
            return INTERRUPTED
        return 0

    def _make(self) -> bench.Progress:
        progress = bench.Progress(0, 1, 0, 0.0)
        try:
            for progress in bench.run_parts(self.parts, self.store, self.jobs, self.how, self):
                if self.line.due:
                    self.line.draw(progress.done / progress.size, progress_text(progress))
        except NoWorkerStarts as error:
            self.line.clear()
            raise BadInput(_("{why}: expected more memory, or fewer --jobs; finished trials are saved").format(
                why=error)) from None
        return progress

    # Large experiments

    def _agreed(self, left: int, large: int) -> bool:
        """Ask for a confirmation. Raises BadInput off a terminal."""
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise BadInput(_("{left} trials to make ({part}: {size}): expected at most {large}, or --yes")
                           .format(left=count(left), large=count(large), **self._largest()))
        seconds = self._estimate(left)
        if self.asked():
            return False
        took = _("in an unknown time") if seconds is None else _("in about {time}").format(
            time=output.seconds(seconds))
        output.say("{part}: {size}".format(**self._largest()))
        return click.confirm(_("{left} trials, {took}: make them?").format(left=count(left), took=took), err=True)

    def _largest(self) -> dict[str, str]:
        """The largest part: `mine`, `1 solver × 1 puzzle × 1 000 000 seeds = 1 000 000 trials`."""
        part = max(self.parts, key=lambda each: each.size)
        return {"part": part.name, "size": words.size(part, part.size)}

    def _estimate(self, left: int) -> float | None:
        """Estimated seconds of all trials, from a sample; its results are saved. Trials are made in parallel, saving
        them is not; the first trial compiles, and is not measured."""
        self._until = time.monotonic() + SAMPLE_SECONDS
        spent, trials, began = 0.0, 0, None
        for part in self.parts:
            for finished in execute(part, _spread(part), 1, "here", self):
                self.line.draw(None, _("sampling {left} trials ...").format(left=count(left)))
                self.store.keep(part, finished)
                if began is not None:
                    spent += sum(result.seconds for _trial, result in finished)
                    trials += len(finished)
                else:
                    began = time.monotonic()
        self._until = None
        self.line.clear()
        if began is None or not trials:
            return None
        saving = max(time.monotonic() - began - spent, 0.0)
        return (spent / (self.jobs or cores()) + saving) / trials * left


def _spread(part: Experiment) -> Iterator[Trial]:
    """A sample, evenly spread over the trials."""
    return islice(part.trials(), 0, None, max(1, part.size // SAMPLE | 1))


def progress_text(progress: bench.Progress) -> str:
    """`93/278 trials, 2.1 per second, 1 min 28 s left`; no rate after the first few."""
    text = _("{done}/{size} trials").format(done=count(progress.done), size=count(progress.size))
    if not progress.fresh:
        return text + _(", compiling")
    if progress.fresh < FEW or progress.left is None:
        return text
    return text + _(", {rate} per second, {left} left").format(
        rate=f"{progress.rate:.3g}", left=output.seconds(round(progress.left)).replace(".000", ""))
