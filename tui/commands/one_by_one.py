"""Puzzles one after another: each is looked at, written, and what is wrong with it said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from tui import output
from tui.commands.interrupt import INTERRUPTED, Interrupt
from tui.commands.progress import Progress
from tui.commands.sources import Given, every
from tui.i18n import _


class Answer(Protocol):
    """What came of one puzzle."""

    @property
    def status(self) -> str:
        """A word for it."""

    @property
    def error(self) -> str:
        """The sentence that says what is wrong with it; "" where nothing is."""


AnswerType = TypeVar("AnswerType", bound=Answer)


def one_by_one(sources: tuple[str, ...], look: Callable[[Given, Interrupt, Progress], AnswerType],
               write: Callable[[AnswerType], None], codes: Mapping[str, int]) -> int:
    """Look at every puzzle; the worst exit code: of a status that `codes` does not have it is 1."""
    asked, progress = Interrupt(), Progress()
    code = done = 0
    for given in every(sources):
        with asked:
            answer = look(given, asked, progress)
        if asked():
            break
        progress.clear()
        write(answer)
        output.flush()
        if answer.error:
            output.say(answer.error)
        code = max(code, codes.get(answer.status, 1))
        done += 1
    progress.clear()
    if asked():
        from engine.text import count

        output.say(_("interrupted after {count} puzzles").format(count=count(done)))
        return INTERRUPTED
    return code
