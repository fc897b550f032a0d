"""Hands on: the learner decides the next step of a run before the solver does.

    game = HandsOn(run)
    while game.question is not None:
        game.answer(game.question.read(input(game.question.text)))

The playhead of the run is the last step that is known. When the last question about the next step is answered, the run
makes that step, and the game goes on to the next step that a question is asked about.

Help fades in three levels: ALL questions; SOME, one a step; ALONE, ten steps without hints, judged at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from itertools import islice
from typing import Literal, get_args

from msgspec import Struct

from engine.energy import conflicts
from engine.events.population import name_of
from engine.questions import Answer, Branch, Judgement, Question
from engine.run.run import Run
from engine.view import View, population_in

Counted = Callable[[str, bool], None]
AnsweredQuestions = set[tuple[int, str, tuple[tuple[str, str], ...], tuple[int, ...]]]
"""Questions that were answered or skipped: (the last step that was known, text, given, marked)."""
Level = Literal["all", "some", "alone"]
LEVELS: tuple[Level, ...] = get_args(Level)
STEPS_ALONE = 10
MOST_PASSED = 1000
"""Steps without a question of the wanted kinds after which the game ends, or after which only steps with other events
than theirs are asked about, if there are wanted kinds."""
IN_VAIN = 20
"""Steps in a row whose events of a kind ask nothing that is wanted, after which such events are passed over."""
FURTHEST = 10_000_000
"""Steps that are searched for such an event."""


class Tally(Struct):
    """The answers to questions of one kind."""

    right: int = 0
    """At the first try."""
    asked: int = 0


class Mistake(Struct, frozen=True):
    """A wrong answer, judged at the end."""

    step: int
    """The step that it was asked about."""
    text: str
    given: str
    """The answer, as it would be typed."""
    judgement: Judgement


class Turn(Struct, frozen=True):
    """A game at one moment, as a screen shows it."""

    question: Question | None
    judgement: Judgement | None
    step: int
    """The last step that is known."""
    energy: int
    """Of the individual on the board, else of the state."""
    who: str
    """That individual, `particle #3`, or the child that is half made; empty for the one grid of a state."""
    view: View
    """The grid that the question is about."""
    right: int
    asked: int
    tallies: tuple[tuple[str, int, int], ...]
    """(kind, right, asked)"""
    branch: Branch | None
    """The way to run the last answer on."""
    hints: bool
    """Whether hints are given."""
    scores: tuple[tuple[str, str], ...]
    """More results of the game: (name, value)."""
    mistakes: tuple[Mistake, ...]
    """Those that are judged at the end, once it has come."""
    spent: bool = False
    """The steps ALONE are over, rather than the run."""


class HandsOn:
    """Questions about a run, one at a time. A question may be answered several times; the first answer counts."""

    def __init__(self, run: Run, kinds: Collection[str] = (), level: Level = "all",
                 counted: Counted = lambda kind, right: None, answered: AnsweredQuestions | None = None,
                 goes_on: Callable[[int], bool] = lambda step: True) -> None:
        """`kinds`: the kinds of questions that are asked; all if it is empty. `counted` is called once for each
        question that is answered, with its kind and whether the first answer was right. What `answered` of an earlier
        game holds may be asked again, and counts no more. `goes_on` is called with the step that a search
        for the wanted kinds has reached, and ends it by False."""
        self.run = run
        self._counted = counted
        self.answered: AnsweredQuestions = set() if answered is None else answered
        self.kinds = frozenset(kinds)
        self.level = level
        self.mistakes: list[Mistake] = []
        """The wrong answers of the level ALONE."""
        self._steps = 0
        """Steps that were asked about."""
        self.tallies: dict[str, Tally] = {}
        """By kind of question, in the order in which they were first asked."""
        self.judgement: Judgement | None = None
        """Of the last answer to the present question; None before the first."""
        self.branch: Branch | None = None
        """The way to run the last answer on, where it is not the solver's."""
        self._open: list[Question] = []
        self._goes_on = goes_on
        self._vain: Counter[str] = Counter()
        """How many steps in a row with events of a kind asked none of the wanted kinds; empty until many did not."""
        self._ask()

    @property
    def question(self) -> Question | None:
        """The open question; None when the run is over or asks nothing more."""
        return self._open[0] if self._open else None

    @property
    def right(self) -> int:
        """Questions answered right at the first try."""
        return sum(tally.right for tally in self.tallies.values())

    @property
    def asked(self) -> int:
        """Questions answered."""
        return sum(tally.asked for tally in self.tallies.values())

    def answer(self, answer: Answer) -> Judgement:
        """Judge an answer to the open question, which stays open until `next`; ALONE the game goes on at once. Raises
        ValueError if none is open."""
        if self.question is None:
            raise ValueError("no question is open")
        judgement = self.question.judge(answer)
        if self.judgement is None:
            if self._is_new(self.question):
                tally = self.tallies.setdefault(self.question.kind, Tally())
                tally.asked += 1
                tally.right += judgement.right
                self._counted(self.question.kind, judgement.right)
            if self.level == "alone" and not judgement.right:
                self.mistakes.append(Mistake(self.run.playhead + 1, self.question.text, self.question.write(answer),
                                             judgement))
        self.judgement = judgement
        branch = None if answer == self.question.model else self.question.branch(answer)
        self.branch = branch if branch is None or self._is_possible(branch) else None
        if self.level == "alone":
            self.next()
        return judgement

    def _is_possible(self, branch: Branch) -> bool:
        """Whether the value of a knob is in its range: an answer may be wrong by far."""
        return all(knob.minimum <= branch.value <= knob.maximum  # type: ignore[operator]
                   for knob in self.run.solver.knobs if knob.name == branch.name)

    def next(self) -> None:
        """Go on to the next question, answered or not; after the last one of a step the run makes that step."""
        self.leave()
        self.judgement = self.branch = None
        if not self._open:
            self.run.advance(1)
            self._ask()

    def leave(self) -> None:
        """Close the open question without looking for the next one. One that was not answered is skipped: it is not
        counted, nor when it is asked again, since its answer may have been seen."""
        if self._open:
            self._is_new(self._open.pop(0))

    def _is_new(self, question: Question) -> bool:
        """Whether a question is answered or skipped for the first time; it is not after this."""
        asked = (self.run.playhead, question.text, question.given, question.marked)
        new = asked not in self.answered
        self.answered.add(asked)
        return new

    @property
    def turn(self) -> Turn:
        """The present moment."""
        run, question = self.run, self.question
        energy, who = run.state.energy, ""
        view = run.solver.view(run.state, run.params, ())  # of the state, whatever its last step was
        if question is not None and question.grid:
            view = View(question.grid, {"conflict": conflicts(run.puzzle, question.grid)})
            who = "the child in the making"
        elif question is not None:
            if question.individual is not None:
                view = run.solver.view_of(run.state, run.params, (), question.individual)
            panel = population_in(view.panel)
            place = None if panel is None else panel.current if question.individual is None else question.individual
            if panel is not None and place is not None:
                who = f"{panel.word} {name_of(place)}"
                energy = panel.energies[place // panel.each]
                if panel.current == place and panel.current_energy is not None:
                    energy = panel.current_energy
        tallies = tuple((kind, tally.right, tally.asked) for kind, tally in self.tallies.items())
        over = question is None
        if self.level == "alone" and not over:
            return Turn(question, None, run.playhead, energy, who, view, 0, 0, (), None, False, (), ())
        return Turn(question, self.judgement, run.playhead, energy, who, view, self.right, self.asked, tallies,
                    self.branch, self.level != "alone", self.scores(), tuple(self.mistakes) if over else (),
                    self._steps_are_over)

    def scores(self) -> tuple[tuple[str, str], ...]:
        """More results than the tallies, for a screen: (name, value)."""
        return ()

    @property
    def _steps_are_over(self) -> bool:
        return self.level == "alone" and self._steps == STEPS_ALONE and not self._open

    def _ask(self) -> None:
        """Go to the next step that has questions of the wanted kinds, or to the end of the run."""
        if self._steps_are_over:
            return
        passed = 0
        for asked in islice(self.run.ask_ahead(), 0 if self._vain else MOST_PASSED):
            self._open = self._of_the_kinds(asked)
            if self._open:
                break
            passed += 1
        if self._vain or (passed == MOST_PASSED and self.kinds):
            self._look_further()
        elif passed < MOST_PASSED:
            self.run.advance(passed)
        if self._open:
            if self.level == "some":
                self._open = [self._open[self._steps % len(self._open)]]
            self._steps += 1

    def _of_the_kinds(self, asked: tuple[Question, ...]) -> list[Question]:
        return [question for question in asked if not self.kinds or question.kind in self.kinds]

    def _look_further(self) -> None:
        """Go to the next step that has an event of another kind than those of steps that ask in vain, such as a reheat,
        and asks a question that is wanted. Events are found far sooner than questions."""
        run = self.run
        if not self._vain:
            events = islice(run.cursor_at(run.playhead).events(MOST_PASSED), MOST_PASSED)
            self._vain.update(kind for step in events for event in step for kind in event.kinds)
        stopped, last = False, run.playhead + FURTHEST

        def told(step: int) -> None:
            nonlocal stopped
            stopped = stopped or not self._goes_on(step)

        while kinds := {kind for kind in run.solver.kinds if self._vain[kind] < IN_VAIN}:
            step = run.find(kinds, 1, limit=last - run.playhead, cancelled=lambda: stopped, progress=told)
            if step is None:
                break
            run.advance(step - 1 - run.playhead)
            self._open = self._of_the_kinds(run.ask())
            met = {kind for event in run.cursor_at(run.playhead).single() or () for kind in event.kinds}
            if self._open:
                self._vain.subtract({kind: self._vain[kind] for kind in met if self._vain[kind] < IN_VAIN})
                return
            self._vain.update(met)
            run.advance(1)
        run.advance(run.recorded - run.playhead)
