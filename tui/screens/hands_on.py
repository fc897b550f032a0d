"""Hands on: the next step of the run is put to the learner, question by question.

Nothing that lies ahead is on this screen: it has the board before the step, the question, and what is known. The game
is played on the run itself, in the player's thread, so that the laboratory shows the step that was reached.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Literal

from textual import events, on
from textual.geometry import Region
from textual.message import Message

from engine import text
from engine.errors import BadInput
from engine.events.because import MOST_BECAUSE
from engine.puzzle import SYMBOLS
from engine.questions import Answer, Choice, Judgement, Mark, Number, Question, Several, Values
from engine.run.run import Run
from engine.teaching.hands_on import LEVELS, AnsweredQuestions, HandsOn, Turn
from engine.teaching.quiz import Quiz
from engine.view import Role as MarkRole
from engine.view import Sentence
from tui import messages
from tui.i18n import GAP, _
from tui.keys.default_keys import HANDS_ON_KEYS
from tui.keys.footer_hints import HANDS_ON_HINTS
from tui.playback import commands
from tui.playback.loading import PendingRun, seed_text
from tui.screens.base import VerdictScreen
from tui.screens.navigation import navigator
from tui.terminal.compositor import Lean
from tui.widgets.board.board import Board, Position, step_cell
from tui.widgets.board.cell import NO_CANDIDATES
from tui.widgets.board.layout import choices, fitting
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.question import AnswerSoFar, QuestionPane, option_of_key
from tui.widgets.verdict import VerdictLayout

HandsOnPane = Literal["header", "verdict", "board", "question", "footer"]

SMALLEST = (64, 20)
GUTTER = 4
BESIDE = 30
"""Columns of the question, at least."""
BESIDE_BADGE = 22
"""Columns of the first line of the verdict that are no text: badge and margins. A longer question is on the second
line; a window too narrow for reasons wraps it over both."""
IN_NUMBERS = "0123456789.,-+e"
"""The characters of a number that is typed."""
MOST_TYPED = 12


def plan(width: int, height: int, box: int, candidates: bool) -> Mapping[HandsOnPane, Region]:
    """The regions of the panes; empty for a window that is too small."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return {}
    large = width >= 120 and height >= 34
    x, top = (2, 5) if large else (1, 4)
    room = height - 1 - top
    across = width - 2 * x - GUTTER - BESIDE
    layout = fitting(box, across, room, candidates)
    board = Region(x, top, min(layout.width, across), min(layout.height, room))
    left = board.right + GUTTER
    return {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1),
            "verdict": Region(x, 2 if large else 1, width - 2 * x, 2), "board": board,
            "question": Region(left, top, width - x - left, room)}


class HandsOnScreen(Lean, VerdictScreen[HandsOnPane]):
    """Questions about the next step of a run."""

    KEYS = HANDS_ON_KEYS
    FOOTER_HINTS = HANDS_ON_HINTS
    ASKS = True
    LEAST_SIZE = SMALLEST
    TOO_SMALL = "The window is {w} x {h}; hands on needs {W} x {H}."

    class TurnReady(Message):
        """The player's thread has asked, or judged."""

        def __init__(self, game: HandsOn, turn: Turn) -> None:
            super().__init__()
            self.game, self.turn = game, turn

    class Failed(Message):
        """The player's thread could not ask or judge."""

    class NotSaved(Message):
        """Progress was not saved, or its file is damaged."""

        def __init__(self, notice: Sentence) -> None:
            super().__init__()
            self.notice = notice

    def __init__(self, pending: PendingRun, send: Callable[[commands.Command], object], answered: AnsweredQuestions,
                 waited: Callable[[], Sentence | None]) -> None:
        """`answered`: what was answered on this run before. `waited`: the message of a run that is being loaded."""
        super().__init__(VerdictLayout())
        self._answered, self._waited = answered, waited
        self.pending, self._send = pending, send
        self.turn: Turn | None = None
        """None until the first question is there."""
        self.cursor = 0
        self.option: int | None = None
        """The selected option, or the one that the cursor is on; None before one is selected."""
        self.typed = ""
        self.marked: frozenset[int] = frozenset()
        """Marked cells, or the places of marked options."""
        self.notice: Sentence | None = None
        self._unsaid: Sentence | None = None
        """A message that waits for the next question, so that it does not take the place of a judgement."""
        self._game: HandsOn | None = None
        self._hinted = False
        self._looking = False
        """The cell cursor was moved though no cells are asked for."""
        self._busy = True
        self.header, self.board = Header(), Board()
        self.question, self.footer = QuestionPane(id="question"), Footer()

    @property
    def panes(self) -> dict[HandsOnPane, Pane]:
        return {"header": self.header, "verdict": self.verdict, "board": self.board, "question": self.question,
                "footer": self.footer}

    def regions_for(self, width: int, height: int) -> Mapping[HandsOnPane, Region]:
        candidates = self.turn is not None and self.turn.view.candidates is not None
        return plan(width, height, self.pending.puzzle.box, candidates)

    def on_mount(self) -> None:
        keys = self.table.join_keys(("cell-left", "cell-down", "cell-up", "cell-right"))
        self.board.keys = self.question.cell_keys = keys
        self.show()
        self._waiting = self.set_interval(1.0, self.show)
        self._progress = navigator(self).progress
        self._counted = self._progress.counter(self.pending.solver.name)
        self._play(lambda run: HandsOn(run, counted=self._counted, answered=self._answered))

    def on_unmount(self) -> None:
        notice = self._progress.save() or self._unsaid
        if notice is not None:
            navigator(self).say_on_exit(messages.one_sentence(notice))

    # The game, in the player's thread

    def _play(self, act: Callable[[Run], HandsOn]) -> None:
        """Act on the run, then show the turn."""
        def acted(run: Run) -> None:
            try:
                game = act(run)
                ready = self.TurnReady(game, game.turn)
            except Exception:  # the player reports it in the laboratory
                self.post_message(self.Failed())
                raise
            self.post_message(ready)

        self._busy = True
        self._send(commands.OnRun(acted))

    @on(TurnReady)
    def _take_turn(self, event: TurnReady) -> None:
        before, self.turn, self._game, self._busy = self.turn, event.turn, event.game, False
        self._waiting.stop()
        if before is None or before.question is not event.turn.question:
            self._begin(event.turn.question)
        if self._progress.is_due:
            threading.Thread(target=self._save_progress, name="progress", daemon=True).start()
        if before is None or (before.view.candidates is None) is not (event.turn.view.candidates is None):
            self.place_panes(self.size)
        self.show()

    @on(Failed)
    def _leave(self) -> None:
        navigator(self).back()

    def _save_progress(self) -> None:
        """Save in a thread of its own: the disk may be slow."""
        notice = self._progress.save()
        if notice is not None:
            self.post_message(self.NotSaved(notice))

    @on(NotSaved)
    def _take_notice(self, event: NotSaved) -> None:
        self._unsaid = event.notice

    def _begin(self, question: Question | None) -> None:
        """Empty the answer for a new question."""
        self.option, self.typed, self.marked, self._hinted, self._looking = None, "", frozenset(), False, False
        self.notice, self._unsaid = self._unsaid, None
        if question is not None and question.marked:
            self.cursor = question.marked[0]

    @property
    def open(self) -> Question | None:
        """The question that waits for an answer; None while there is none, and once it is judged."""
        if self._busy or self.turn is None or self.turn.judgement is not None:
            return None
        return self.turn.question

    # Actions

    def action_answer(self) -> None:
        """Give the answer, or go on after a judgement."""
        question, game, self.notice = self.open, self._game, None
        if game is None or self._busy or not self.regions:  # in a window that is too small nothing is to be seen
            return
        if question is None:
            if self.turn is not None and self.turn.question is not None:
                self._next(game)
            elif self.turn is not None:
                self.announce(messages.unavailable(
                    _("no question is open: {key_level} asks at another level, {key_leave} returns to the run")
                    if self._may_ask else _("no question is open: {key_leave} returns to the run"),
                    key_level="tab", key_leave="esc"))
            return
        try:
            answer = self._answer(question)
        except BadInput as refused:
            self.announce(messages.no_answer(str(refused)))
            return

        def judged(_run: Run) -> HandsOn:
            game.answer(answer)  # ALONE the next question is open then
            return game

        self._play(judged)

    @property
    def _may_ask(self) -> bool:
        """Whether another level may ask, although this one has come to its end: the run has not."""
        game, turn = self._game, self.turn
        spent = isinstance(game, Quiz) or (turn is not None and turn.spent)
        return game is not None and not game.run.at_end and spent

    def _next(self, game: HandsOn) -> None:
        def went_on(_run: Run) -> HandsOn:
            game.next()
            return game

        self._play(went_on)

    def _answer(self, question: Question) -> Answer:
        """The answer as it is now. Raises BadInput if there is none yet, or a number that cannot be read."""
        if isinstance(question, Choice):
            if self.option is None:
                raise BadInput(_("choose an answer first"))
            return self.option
        typed = isinstance(question, Number | Values)
        return question.read(self.typed if typed else question.write(self.marked))

    def action_skip(self) -> None:
        if self.open is not None and self._game is not None:
            self._next(self._game)

    def action_branch(self) -> None:
        """Leave the game, and run the learner's answer on in a branch beside the solver's."""
        if self.turn is None or self._busy:
            return
        branch, judgement = self.turn.branch, self.turn.judgement
        if branch is None:
            self.announce(messages.unavailable(
                _("answer first: a wrong answer can be run on") if judgement is None else
                _("this right answer is not run on") if judgement.right else _("this answer cannot be run on")))
            return
        self._send(commands.Compare(branch.name, branch.value, branch.after, branch.words))
        navigator(self).back()

    def action_level(self) -> None:
        """Go on with less help; after the quiz, with all of it."""
        game = self._game
        if game is None or self._busy:
            return
        less = LEVELS[LEVELS.index(game.level) + 1:]
        quizzed = isinstance(game, Quiz)

        def changed(run: Run) -> HandsOn:
            if less and not quizzed:
                made = HandsOn(run, level=less[0], counted=self._counted, answered=self._answered)
            elif quizzed or not run.solver.knobs:
                made = HandsOn(run, counted=self._counted, answered=self._answered)
            else:
                made = Quiz(run, self._counted, self._answered)
            made.tallies = game.tallies
            return made

        self._play(changed)

    def action_hint(self) -> None:
        if self.turn is not None and not self.turn.hints:
            self.announce(messages.unavailable(_("no hints at this level")))
            return
        self._hinted = self.open is not None
        self.show()

    def action_move(self, down: int, right: int) -> None:
        question = self.open
        if isinstance(question, Choice):
            last, by = len(question.options) - 1, down + right
            if "0" in question.options:  # in the middle of changes up and down
                first = question.options.index("0")
            elif last == 1:  # two options lie beside each other: the arrow points at one
                first = int(by > 0)
            else:
                first = 0 if by > 0 else last
            self.option = first if self.option is None else max(0, min(self.option + by, last))
        elif isinstance(question, Several):
            self.option = 0 if self.option is None else max(0, min(self.option + down + right,
                                                                   len(question.options) - 1))
        elif isinstance(question, Mark):
            self.cursor = step_cell(self.cursor, self.pending.puzzle.n, down, right)
        elif question is None:
            self.question.scroll(down)
        self.show()

    def action_scroll(self, pages: int) -> None:
        """Scroll the wrong answers at the end."""
        self.question.scroll(pages=pages)

    def action_move_cell(self, down: int, right: int) -> None:
        """Move the cell cursor, whatever is asked: a board that does not fit follows it."""
        self.cursor = step_cell(self.cursor, self.pending.puzzle.n, down, right)
        self._looking = True
        self.show()

    def action_mark(self) -> None:
        question = self.open
        if not isinstance(question, Mark | Several):
            return
        if isinstance(question, Several) and self.option is None:
            self.option = 0
        place = self.cursor if isinstance(question, Mark) else self.option
        if place is None:
            return
        if isinstance(question, Mark) and question.inside and place not in question.marked:
            self.announce(messages.unavailable(_("that cell is not one of those asked about")))
            return
        if isinstance(question, Mark) and question.free and place not in question.free:
            self.announce(messages.unavailable(_("that cell is not free: mark a free one")))
            return
        changed = self.marked ^ {place}
        if question.most == 1 and len(changed) > 1:
            changed = frozenset({place})
        if len(changed) > question.most:
            said = _("at most {most} cells can be marked") if isinstance(question, Mark) else (
                _("at most {most} answers can be marked"))
            self.announce(messages.unavailable(said.format(most=question.most)))
            return
        self.marked = changed
        self.show()

    def action_erase(self) -> None:
        if self.open is None:
            return
        self.typed, self.marked = self.typed[:-1], frozenset()
        self.show()

    def on_key(self, event: events.Key) -> None:
        self.notice, question = None, self.open
        if event.character is not None and self._take(event.character):
            event.stop()
        elif isinstance(question, Choice | Several) and event.character is not None and (
                place := option_of_key(question, event.character)) is not None:
            self.option = place
            event.stop()
        self.show()

    def on_paste(self, event: events.Paste) -> None:
        """Take a pasted number, or pasted values, as if they were typed."""
        event.stop()
        self.notice = None
        for character in event.text:
            self._take(character)
        self.show()

    def _take(self, character: str) -> bool:
        """Take a character of a number or of values that are asked for; False for any other."""
        question = self.open
        if isinstance(question, Number) and character in IN_NUMBERS:
            self.typed = (self.typed + character)[:MOST_TYPED]
        elif isinstance(question, Values) and character.upper() in SYMBOLS[1:question.n + 1]:
            self.typed = (self.typed + character.upper())[:len(question.values)]
        else:
            return False
        return True

    @on(Board.Picked)
    def _pick(self, event: Board.Picked) -> None:
        self.cursor, self._looking, self.notice = event.cell, True, None
        if isinstance(self.open, Mark):
            self.action_mark()
        self.show()

    @on(QuestionPane.OptionClicked)
    def _click(self, event: QuestionPane.OptionClicked) -> None:
        """Select the option below the pointer; mark it, where several may be marked."""
        if isinstance(self.open, Choice | Several):
            self.option, self.notice = event.place, None
            self.action_mark()
            self.show()

    def action_back(self) -> None:
        navigator(self).back()

    def announce(self, notice: Sentence) -> None:
        self.notice = notice
        self.show()

    def help_title(self) -> str:
        return " · ".join((_("Hands on"), self.pending.solver.title))

    def help_now(self) -> list[str]:
        n, solver = self.pending.puzzle.n, self.pending.solver
        counts = _("E counts {what}.").format(what=_(solver.energy_counts))
        return [counts] if n <= 9 else [counts, _("As keys and on the board, A to {letter} are the values 10 to "
                                                  "{n}.").format(letter=SYMBOLS[n], n=n)]

    def file_title(self) -> str:
        return f"{_('hands on')} {self.pending.solver.name}"

    def conditions(self) -> Mapping[str, bool]:
        question = self.open
        return {"open": question is not None, "judged": self.turn is not None and self.turn.judgement is not None,
                "choice": isinstance(question, Choice | Several), "cells": isinstance(question, Mark),
                "marks": isinstance(question, Mark | Several), "hints": self.turn is not None and self.turn.hints,
                "branch": self.turn is not None and self.turn.branch is not None}

    # Showing

    def show(self) -> None:
        with self.painted_at_once():
            turn = self.turn
            score = "" if turn is None else _way(self._game)
            if turn is not None and turn.asked:
                score += GAP + _("{right} of {asked} right").format(right=turn.right, asked=turn.asked)
            context = (self.pending.solver.title, self.pending.puzzle_name, seed_text(self.pending.seed))
            self.header.show(Title("Hands on", tuple(each for each in context if each), score))
            said, below = self._said(turn)
            self.show_sentence(said, "bar_strong", because=below)
            if turn is not None:
                self._show_board(turn)
            self.question.scroll_key = self.table.shown("option-down")
            self.question.show_turn(turn, AnswerSoFar(
                self.option, self.typed, self.marked, self._hinted,
                self.cursor if isinstance(self.open, Mark) or self._looking else None, self._lacks_candidates(turn)))
            self.show_footer()

    def _lacks_candidates(self, turn: Turn | None) -> bool:
        """Whether there are candidates for which the board has no room."""
        region = self.regions_for(*self.size).get("board")
        if region is None or turn is None or turn.view.candidates is None:
            return False
        box = self.pending.puzzle.box
        return fitting(box, *region.size, candidates=True).kind != choices(box, candidates=True)[0].kind == "pencil"

    def _said(self, turn: Turn | None) -> tuple[Sentence, Sentence | None]:
        """The verdict line, a message, the judgement or the question, and the line below it."""
        if self.notice is not None:
            fits = len(messages.one_sentence(self.notice)) <= self.size.width - BESIDE_BADGE
            asked = Sentence("", "{question}", {"question": self.open.text}) if self.open and fits else None
            return self.table.resolve_keys(self.notice), asked
        if turn is None:
            waited = self._waited() or Sentence("PREPARING", _("the next step is computed"))
            return self.table.resolve_keys(waited), None
        if turn.question is None:
            over = _("ten steps are over") if turn.spent else (
                _("no more uphill moves are asked about") if isinstance(self._game, Quiz) else
                _("nothing more is asked about this run"))
            wrong = _("the wrong answers are beside the board") if turn.mistakes else ""
            return Sentence("THE END", ": ".join(filter(None, (over, wrong)))), None
        after = _("after step {step}   {who}") if turn.question.grid else _("after step {step}   {who}   E = {E}") if (
            turn.who) else _("after step {step}   E = {E}")
        known = {"step": text.count(turn.step), "who": turn.who, "E": text.count(turn.energy)}
        if turn.judgement is None:
            question = {"question": turn.question.text}
            if self.size.width - BESIDE_BADGE < len(turn.question.text) and self.size.width > MOST_BECAUSE:
                return Sentence("YOUR TURN", after, known), Sentence("", "{question}", question)
            return Sentence("YOUR TURN", "{question}", question), Sentence("", after, known)
        return _judged(turn.judgement), Sentence("", "{why}", {"why": turn.judgement.why})

    def _show_board(self, turn: Turn) -> None:
        question = turn.question
        marks: dict[MarkRole, tuple[int, ...]] = {"conflict": turn.view.marks.get("conflict", ())}
        if question is not None and question.hides_conflicts:
            marks.clear()
            if isinstance(question, Mark) and turn.judgement is not None:
                marks["conflict"] = tuple(sorted(question.repeated))
        inside = isinstance(question, Mark) and question.inside
        if question is not None and question.marked:
            marks["reach" if inside else "moved"] = question.marked
        shown = self.marked if isinstance(question, Mark) else frozenset[int]()
        if isinstance(question, Mark) and turn.judgement is not None and not turn.judgement.right:
            nearest = question.nearest(self.marked)
            shown = nearest if question.taken is None else question.taken  # the answer that the verdict names
            marks["tabu"] = () if self.marked < nearest else tuple(sorted(self.marked - shown))
        if question is not None and turn.judgement is not None and not isinstance(question, Mark):
            shown = turn.judgement.named(question.n) - set(question.marked)
        if shown:
            marks["moved" if inside else "reach"] = tuple(sorted(shown))
        cursor = self.cursor if isinstance(self.open, Mark) or self._looking else None
        named = tuple(sorted(shown)) or (() if question is None else question.marked)
        self.board.show(Position(self.pending.puzzle, turn.view.grid, marks, cursor, self._candidates(turn),
                                 focus=named[:1]))

    def _candidates(self, turn: Turn) -> tuple[int, ...] | None:
        """The candidates that the board shows: while it shows no conflicts, a cell without any is an empty one."""
        question, masks = turn.question, turn.view.candidates
        if masks is None or question is None or not question.hides_conflicts or turn.judgement is not None:
            return masks
        return tuple(mask or NO_CANDIDATES for mask in masks)


def _way(game: HandsOn | None) -> str:
    """The way in which the game asks, in words."""
    if isinstance(game, Quiz):
        return _("quiz on p")
    words = {"all": _("all questions"), "some": _("one question a step"), "alone": _("ten steps alone")}
    return words[game.level] if game is not None else ""


def _judged(judgement: Judgement) -> Sentence:
    return Sentence("RIGHT" if judgement.right else "NOT RIGHT", _("the answer is {correct}"),
                    {"correct": judgement.correct})
