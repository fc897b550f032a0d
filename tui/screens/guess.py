"""Guess: a curve of E, and the question which solver made it, or which rule for T.

The curve and the SHA-256 of the recipe are all that is known before the answer; the recipe itself comes after it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Literal

from msgspec.structs import replace
from textual import events, on
from textual.geometry import Region
from textual.message import Message

from engine.events.because import MOST_BECAUSE
from engine.puzzle import Puzzle
from engine.questions import Judgement
from engine.rng import MAX_SEED
from engine.teaching.guess import WHATS, Guess, What, make_guess
from engine.teaching.hands_on import Turn
from engine.view import Sentence, View
from tui import messages
from tui.background.threads import BackgroundThread
from tui.i18n import GAP, _
from tui.keys.default_keys import GUESS_KEYS
from tui.keys.footer_hints import GUESS_HINTS
from tui.screens.base import VerdictScreen
from tui.screens.navigation import navigator
from tui.terminal.compositor import Lean
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.plot import curve_rows
from tui.widgets.question import AnswerSoFar, QuestionPane, option_of_key
from tui.widgets.rows import Space
from tui.widgets.text import Spans, TextPane, wrapped
from tui.widgets.verdict import VerdictLayout

GuessPane = Literal["header", "verdict", "curve", "question", "footer"]

SMALLEST = (64, 20)
GUTTER = 2
HASH = "SHA-256 "
BESIDE = 30
"""Columns of the question."""
SMALLEST_CURVE = 5
"""Rows of the curve, at least."""
MOST_FEATURES = 48
"""Characters of the longest features."""
LONGEST_RECIPE = 100
"""Characters of the longest recipe without its grid."""


def plan(width: int, height: int) -> Mapping[GuessPane, Region]:
    """The regions of the panes; empty for a window that is too small."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return {}
    left = width - 1 - BESIDE
    return {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1),
            "verdict": Region(1, 1, width - 2, 2), "curve": Region(1, 4, left - GUTTER - 1, height - 5),
            "question": Region(left, 4, BESIDE, height - 5)}


class GuessMaker(BackgroundThread):
    """Makes one guess: its run takes up to seconds, or compiles."""

    name = "guess"

    def __init__(self, puzzle: Puzzle, what: What, seed: int, made: Callable[[Guess], object],
                 refused: Callable[[str], object]) -> None:
        """`made` and `refused` are called in the thread."""
        super().__init__()
        self._puzzle, self._what, self._seed, self._made, self._refused = puzzle, what, seed, made, refused

    def run(self) -> None:
        guess = make_guess(self._puzzle, self._what, self._seed)
        if not self.ended:
            self._made(guess)

    def failed(self, why: str) -> None:
        self._refused(why)


class GuessScreen(Lean, VerdictScreen[GuessPane]):
    """Curves of E on one puzzle, and what made them."""

    KEYS = GUESS_KEYS
    FOOTER_HINTS = GUESS_HINTS
    HAS_BOARD = False
    LEAST_SIZE = SMALLEST
    TOO_SMALL = "The window is {w} x {h}; guess needs {W} x {H}."

    class Made(Message):
        """A curve has been made."""

        def __init__(self, guess: Guess) -> None:
            super().__init__()
            self.guess = guess

    class Refused(Message):
        """No curve could be made."""

        def __init__(self, why: str) -> None:
            super().__init__()
            self.why = why

    def __init__(self, puzzle: Puzzle, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """`seed`: of the first curve, which the others count on from; None: a random one."""
        super().__init__(VerdictLayout())
        self.puzzle, self.what, self._clock = puzzle, WHATS[0], clock
        self._seed = secrets.randbelow(MAX_SEED) if seed is None else seed
        self.guess: Guess | None = None
        """None while it is being made."""
        self.option: int | None = None
        self.judgement: Judgement | None = None
        self.right = self.asked = 0
        self.notice: Sentence | None = None
        self._hinted = False
        self._maker: GuessMaker | None = None
        self.header, self.curve = Header(), TextPane(id="curve")
        self.question, self.footer = QuestionPane(id="question"), Footer()

    @property
    def panes(self) -> dict[GuessPane, Pane]:
        return {"header": self.header, "verdict": self.verdict, "curve": self.curve, "question": self.question,
                "footer": self.footer}

    def regions_for(self, width: int, height: int) -> Mapping[GuessPane, Region]:
        return plan(width, height)

    def on_mount(self) -> None:
        self._make()
        self.set_interval(1.0, self._count_seconds)

    def _count_seconds(self) -> None:
        """Count the seconds until the curve is there, as a sign of life: its kernels may have to be compiled."""
        if self.guess is None:
            self.show()

    def on_unmount(self) -> None:
        if self._maker is not None:
            self._maker.stop()

    def _make(self) -> None:
        """Begin the next curve."""
        self.guess = self.option = self.judgement = self.notice = None
        self._hinted = False
        self._maker = GuessMaker(self.puzzle, self.what, self._seed, lambda guess: self.post_message(self.Made(guess)),
                                 lambda why: self.post_message(self.Refused(why)))
        self._seed, self._begun = (self._seed + 1) % (MAX_SEED + 1), self._clock()
        self._maker.start()
        self.show()

    @on(Made)
    def _take(self, event: Made) -> None:
        self.guess = event.guess
        self.show()

    @on(Refused)
    def _leave(self, event: Refused) -> None:
        navigator(self).back()
        self.app.call_next(lambda: self.app.screen.announce(Sentence("REFUSED", event.why)))  # type: ignore[attr-defined]

    # Actions

    def action_answer(self) -> None:
        """Give the selected answer, or go on to the next curve after it."""
        if self.guess is None or not self.regions:  # in a window that is too small nothing is to be seen
            return
        if self.judgement is not None:
            self._make()
        elif self.option is None:
            self.announce(messages.no_answer(_("choose an answer first")))
        else:
            self.judgement = self.guess.question.judge(self.option)
            self.asked += 1
            self.right += self.judgement.right
            self.notice = None
            self.show()

    def action_move(self, by: int) -> None:
        if self.guess is None or self.judgement is not None:
            return
        last = len(self.guess.question.options) - 1
        self.option = (0 if by > 0 else last) if self.option is None else max(0, min(self.option + by, last))
        self.notice = None
        self.show()

    def on_key(self, event: events.Key) -> None:
        """Select the answer with a typed number."""
        if self.guess is None or self.judgement is not None or event.character is None:
            return
        place = option_of_key(self.guess.question, event.character)
        if place is not None:
            event.stop()
            self.option, self.notice = place, None
            self.show()

    @on(QuestionPane.OptionClicked)
    def _click(self, event: QuestionPane.OptionClicked) -> None:
        if self.judgement is None:
            self.option, self.notice = event.place, None
            self.show()

    def action_hint(self) -> None:
        self._hinted = self.guess is not None and self.judgement is None
        self.show()

    def action_skip(self) -> None:
        if self.guess is not None:
            self._make()

    def action_what(self) -> None:
        """Guess the solver, or the rule for T."""
        if self.guess is not None:
            self.what = WHATS[(WHATS.index(self.what) + 1) % len(WHATS)]
            self._make()

    def action_recipe(self) -> None:
        """Copy the recipe, and show it whole, once it may be known."""
        from tui.screens.dialogs.pager import Pager, recipe_pages

        if self.guess is None or self.judgement is None:
            self.announce(messages.unavailable(_("the recipe comes after the answer")))
            return
        self.app.copy_to_clipboard(self.guess.recipe)
        self.app.push_screen(Pager(partial(recipe_pages, self.guess.recipe)))

    def action_back(self) -> None:
        navigator(self).back()

    def announce(self, notice: Sentence) -> None:
        self.notice = notice
        self.show()

    def help_title(self) -> str:
        return _("Guess")

    def file_title(self) -> str:
        return _("guess")

    def conditions(self) -> Mapping[str, bool]:
        ready = self.guess is not None
        return {"open": ready and self.judgement is None, "judged": self.judgement is not None, "busy": not ready}

    # Showing

    def show(self) -> None:
        with self.painted_at_once():
            ways = {"solver": _("which solver"), "temperature": _("which rule for T")}
            score = GAP + _("{right} of {asked} right").format(right=self.right, asked=self.asked) if self.asked else ""
            self.header.show(Title("Guess", (), ways[self.what] + score))
            said, below = self._said()
            self.show_sentence(said, "bar_strong", because=below)
            self.curve.show(self._curve_lines)
            question = None if self.guess is None else self.guess.question
            turn = None if question is None else Turn(
                question, self.judgement, 0, 0, "", View(self.puzzle.givens, {}), 0, 0, (), None, True, (), ())
            self.question.show_turn(turn, AnswerSoFar(self.option, hinted=self._hinted))
            self.show_footer()

    def _said(self) -> tuple[Sentence, Sentence | None]:
        """The verdict line, and the line below it."""
        if self.notice is not None:
            return self.table.resolve_keys(self.notice), None
        if self.guess is None:
            making = Sentence("PREPARING", _("a run is made for the curve (slow only once)"))
            return messages.with_seconds(making, self._clock() - self._begun), None
        if self.judgement is None:
            fixed = _("the run is fixed: below the curve is the SHA-256 of its recipe")
            return Sentence("YOUR TURN", self.guess.question.text), Sentence("", fixed)
        badge = "RIGHT" if self.judgement.right else "NOT RIGHT"
        reason = self.guess.reason
        return Sentence(badge, self.judgement.why), Sentence("", "{reason}", {"reason": reason}) if reason else None

    def _curve_lines(self, space: Space) -> Iterator[Spans]:
        """The curve, the SHA-256 of the recipe, and after the answer the recipe, as much of it as fits. The curve has
        the same room before the answer and after it, which does not tell what is to be guessed."""
        if self.guess is None:
            return
        has_reason = self.size.width - 2 >= MOST_BECAUSE  # in the verdict
        longest = (len(HASH) + len(self.guess.commitment), MOST_FEATURES, 0 if has_reason else MOST_BECAUSE,
                   len(self.puzzle.line) + LONGEST_RECIPE)
        tall = max(SMALLEST_CURVE, space.height - sum(-(-each // max(1, space.width)) for each in longest))
        for row in curve_rows(self.guess.curve, space.width, tall, not space.glyphs.ascii):
            yield ((row, "text"),)
        if self.judgement is None:
            yield from wrapped(messages.curve_of(len(self.guess.curve)), space, "muted")
            yield from _hash(self.guess.commitment, space)
            return
        after = [*_hash(self.guess.commitment, space), *wrapped(self.guess.features, space)]
        after += [] if has_reason else wrapped(self.guess.reason, space)
        yield from after
        yield from wrapped(self.guess.recipe, replace(space, height=max(1, space.height - tall - len(after))))


def _hash(digits: str, space: Space) -> Iterator[Spans]:
    """The SHA-256 of the recipe, in lines."""
    wide = max(1, space.width - len(HASH))
    for at in range(0, len(digits), wide):
        yield ((" " * len(HASH) if at else HASH, "muted"), (digits[at:at + wide], "text"))
