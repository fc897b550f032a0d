"""The progress of a learner: answers counted by solver and kind of question.

    progress = with_answers(progress, [Answered("anneal", "accept", True, date(2026, 3, 1))])
    progress["anneal", "accept"].best

An answer is right if it was right at the first try; a skipped question is not counted. The score is `Score.best`, the
most right answers among ten questions in a row: like all counts it only grows. Dates come from the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from msgspec import Struct

SERIES = 10
"""Questions in a row that the score looks at."""
LONGEST_NAME = 60
MOST = 2**53
"""Questions of one kind, at most."""


class Answered(Struct, frozen=True):
    """A question that was answered."""

    solver: str
    """Its registry name."""
    kind: str
    right: bool
    """At the first try."""
    day: date


class Score(Struct, frozen=True):
    """The answers to one kind of question of one solver."""

    asked: int
    right: int
    best: int
    """The most right answers among `SERIES` questions in a row."""
    recent: str
    """The last answers, at most `SERIES`, the newest at the end: `1` right, `0` not."""
    last: date
    """The day of the last question."""

    @property
    def share(self) -> float:
        return self.right / self.asked

    @property
    def is_sound(self) -> bool:
        """True if answers can have led here."""
        return (0 < self.asked <= MOST and 0 <= self.right <= self.asked
                and len(self.recent) == min(self.asked, SERIES) and set(self.recent) <= {"0", "1"}
                and self.recent.count("1") <= self.best <= min(self.right, SERIES))


Progress = Mapping[tuple[str, str], Score]
"""By solver and kind of question."""


def with_answers(progress: Progress, answers: Iterable[Answered]) -> dict[tuple[str, str], Score]:
    """The progress after some more answers, in the order in which they were given."""
    after = dict(progress)
    for each in answers:
        key = each.solver, each.kind
        before = after.get(key, Score(0, 0, 0, "", each.day))
        recent = (before.recent + str(int(each.right)))[-SERIES:]
        after[key] = Score(before.asked + 1, before.right + each.right, max(before.best, recent.count("1")), recent,
                           max(before.last, each.day))
    return after


def without(progress: Progress, solver: str = "") -> dict[tuple[str, str], Score]:
    """The progress in the other solvers; empty if no solver is named."""
    return {key: score for key, score in progress.items() if solver not in ("", key[0])}


def is_name(word: str) -> bool:
    """Test that a word may be the name of a solver or of a kind of question."""
    return 0 < len(word) <= LONGEST_NAME and word.isprintable()
