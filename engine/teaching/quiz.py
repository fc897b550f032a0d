"""The quiz on p: how likely is it that an uphill move is accepted?

The moves are those that the run proposes. T is set for each question so that p lies in one of five bands, each of
which comes once in five questions. The forecasts are scored against what then happens: by the Brier score and the
calibration.

References: G. W. Brier: Verification of forecasts expressed in terms of probability. Monthly Weather Review 78, 1950.
"""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from engine import rng
from engine import state as states
from engine.errors import BadInput
from engine.events import Event, SwapJudged
from engine.params import Params
from engine.questions import Answer, Judgement, Number, Question
from engine.run.cursor import Cursor
from engine.run.run import Run
from engine.state import State
from engine.teaching.hands_on import MOST_PASSED, AnsweredQuestions, Counted, HandsOn

BANDS = 5
LEAST_CALIBRATED = 10
"""Forecasts in a band from which its calibration is shown."""
KIND = "probability"
_STREAM = rng.CHOICE


class Forecast(Struct, frozen=True):
    """A forecast and what came of it."""

    stated: float
    """The learner's p."""
    true: float
    """The rule's p."""
    accepted: bool


class Calibration(Struct, frozen=True):
    """The forecasts of one band."""

    low: float
    high: float
    count: int
    accepted: int


def brier(forecasts: list[tuple[float, bool]]) -> float:
    """The Brier score, 0 (best) to 1: the mean square of forecast minus outcome (1 or 0). NaN without forecasts."""
    if not forecasts:
        return math.nan
    return sum((stated - accepted) ** 2 for stated, accepted in forecasts) / len(forecasts)


def calibration(forecasts: list[tuple[float, bool]]) -> tuple[Calibration, ...]:
    """The bands of stated p that hold LEAST_CALIBRATED forecasts or more, from the lowest."""
    found = []
    for band in range(BANDS):
        inside = [accepted for stated, accepted in forecasts if min(int(stated * BANDS), BANDS - 1) == band]
        if len(inside) >= LEAST_CALIBRATED:
            found.append(Calibration(band / BANDS, (band + 1) / BANDS, len(inside), sum(inside)))
    return tuple(found)


class Quiz(HandsOn):
    """The game with questions about p only, at temperatures of its own. Raises BadInput for a solver without T."""

    def __init__(self, run: Run, counted: Counted = lambda kind, right: None,
                 answered: AnsweredQuestions | None = None) -> None:
        if not run.solver.knobs:
            raise BadInput(f"{run.solver.name} has no temperature: expected a solver that anneals")
        self.forecasts: list[Forecast] = []
        super().__init__(run, (KIND,), counted=counted, answered=answered)

    def answer(self, answer: Answer) -> Judgement:
        question, first = self.question, self.judgement is None
        judgement = super().answer(answer)
        if first and isinstance(question, Number) and question.happened is not None:
            self.forecasts.append(Forecast(float(answer), question.value, question.happened))  # type: ignore[arg-type]
        return judgement

    def scores(self) -> tuple[tuple[str, str], ...]:
        if not self.forecasts:
            return ()
        stated = [(each.stated, each.accepted) for each in self.forecasts]
        true = [(each.true, each.accepted) for each in self.forecasts]
        bands = [(f"said {each.low:g} to {each.high:g}", f"{each.accepted} / {each.count} accepted")
                 for each in calibration(stated)]
        return (("Brier score", f"{brier(stated):.3f}"), ("of the rule's p", f"{brier(true):.3f}"), *bands)

    def _ask(self) -> None:
        cursor, knob = self.run.cursor_at(self.run.playhead), self.run.solver.knobs[0]
        p = self._wanted()
        for passed in range(MOST_PASSED):
            before, params = states.copy(cursor.state), cursor.params
            events = cursor.single()
            if events is None:
                return
            change = _uphill(events)
            T = float(f"{-change / math.log(p):.3g}")  # as it is shown, so that a learner can compute p
            if change and knob.minimum <= T <= knob.maximum:
                self._open = self._at(before, params, T)
                if self._open:
                    self._steps += 1
                    self.run.advance(passed)
                    return

    def _wanted(self) -> float:
        """A p in the band whose turn it is; every five questions have each band once."""
        turn, place = divmod(self._steps, BANDS)
        seed = self.run.seed
        band = rng.shuffled(list(range(BANDS)), seed, _STREAM, turn)[place]
        inside = rng.uniform(rng.draw(seed, _STREAM, turn, BANDS + place))
        return (band + 0.05 + 0.9 * inside) / BANDS

    def _at(self, before: State, params: Params, T: float) -> list[Question]:
        """The question about the step that the solver makes from a state at T."""
        solver = self.run.solver
        try:
            params = solver.intervene(before, params, solver.knobs[0].name, T)
        except BadInput:  # the search has not begun
            return []
        events = Cursor(solver, states.copy(before), params, ()).single() or ()
        return [_in_the_quiz(each) for each in solver.ask(before, params, events)
                if isinstance(each, Number) and each.kind == KIND]


def _in_the_quiz(question: Number) -> Number:
    """The question, saying that T is not the run's, and after the answer what happened."""
    given = tuple((name, f"{value}, set by the quiz" if name == "T" else value) for name, value in question.given)
    outcome = f"At this T the move is {'accepted' if question.happened else 'rejected'}."
    return replace(question, given=given, why=f"{question.why} {outcome}")


def _uphill(events: tuple[Event, ...]) -> int:
    """ΔE of the proposal of a step if it is above 0, else 0."""
    judged = next((event for event in events if isinstance(event, SwapJudged)), None)
    return max(0, judged.delta) if judged is not None and judged.line != "calibrate" else 0
