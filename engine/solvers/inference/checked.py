"""Comparison of confident beliefs with the solution by the exact engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine import solutions
from engine.events import Event
from engine.events.because import because, reason
from engine.events.explain import cells as names_of
from engine.events.explain import explain
from engine.puzzle import Puzzle
from engine.solutions import Answer, Stop
from engine.view import Sentence

MOST_NAMED = 3
"""Wrong cells that a sentence names; the board marks them all."""


class Checked(Event, frozen=True, tag="checked"):
    """The beliefs were compared with the exact solution at the end of a run."""

    answer: Answer
    """The number of solutions of the puzzle, as far as the exact engine found it."""
    threshold: float
    confident: int
    """Free cells whose strongest belief is above the threshold."""
    wrong: tuple[int, ...]
    """Those of them that have another value in the only solution; () where it is not known, or not the only one."""

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("confidently_wrong", "checked") if self.wrong else ("checked",)

    def clause(self, n: int) -> str:
        """The comparison as the second half of a sentence."""
        if self.answer == "none":
            return "the puzzle has no solution, so that no belief can be right"
        if self.answer == "several":
            return "the puzzle has several solutions, so no beliefs are compared with one"
        if self.answer == "unknown":
            return "whether they are correct is unknown: the exact engine found no answer in time"
        return self._compared(n)

    def _compared(self, n: int) -> str:
        """The comparison with the only solution."""
        above = f"above {self.threshold:g}"
        if not self.confident:
            return f"no belief is {above}, so that none is compared"
        beliefs = f"the only belief {above}" if self.confident == 1 else f"of the {self.confident} beliefs {above}"
        if not self.wrong:
            return f"{beliefs} is right" if self.confident == 1 else f"none {beliefs} is wrong"
        named = (", such as " if len(self.wrong) > MOST_NAMED else ": ") + names_of(self.wrong[:MOST_NAMED], n)
        if self.confident == 1:
            return f"{beliefs} is wrong{named}"
        return f"{len(self.wrong)} {beliefs} {'is' if len(self.wrong) == 1 else 'are'} wrong{named}"

    def as_reason(self, n: int) -> Sentence:
        """The comparison as a sentence."""
        clause = self.clause(n)
        return reason("{clause}", clause=clause[0].upper() + clause[1:] + ".")


def check(step: int, puzzle: Puzzle, beliefs: NDArray[np.float64], threshold: float, stop: Stop) -> Checked:
    """Compare the strongest beliefs (float64[n*n, n]) above a threshold with the solution, if there is just one."""
    known = solutions.count(puzzle, 2, stop=stop)
    strongest: Sequence[float] = beliefs.max(axis=1).tolist()
    values: Sequence[int] = (beliefs.argmax(axis=1) + 1).tolist()
    confident = [cell for cell in puzzle.free_cells if strongest[cell] > threshold]
    right = known.examples[0] if known.answer == "one" else None
    wrong = tuple(cell for cell in confident if right is not None and values[cell] != right[cell])
    return Checked(step, "check", known.answer, threshold, len(confident), wrong)


@explain.register
def _checked(event: Checked, n: int = 9) -> Sentence:
    return Sentence("WRONG BELIEFS" if event.wrong else "CHECKED", "{clause}", {"clause": event.clause(n)})


@because.register
def _why_checked(event: Checked, n: int = 9) -> Sentence:
    return reason("Beliefs prove nothing, so those above {threshold} are compared with the solution.",
                  threshold=f"{event.threshold:g}")
