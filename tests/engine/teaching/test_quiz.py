"""The quiz on p: bands, scores, and the runs that it asks about."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.errors import BadInput
from engine.events import SwapJudged
from engine.puzzle import Puzzle
from engine.questions import Number
from engine.run.run import Run
from engine.teaching.quiz import BANDS, LEAST_CALIBRATED, Quiz, brier, calibration

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


def quiz(name: str = "anneal", seed: int = 5) -> Quiz:
    return Quiz(Run.start(registry.solver(name), EASY, None, seed))


def test_five_questions_have_each_band_once_and_p_is_that_of_t() -> None:
    on, bands = quiz(), []
    for _ in range(25):
        question = on.question
        assert isinstance(question, Number)
        given_facts = dict(question.given)
        assert question.value == pytest.approx(
            math.exp(-int(given_facts["ΔE"]) / float(given_facts["T"].removesuffix(", set by the quiz"))), rel=0.02)
        bands.append(int(question.value * BANDS))
        on.answer(question.model)
        on.next()
    assert all(sorted(bands[k:k + BANDS]) == list(range(BANDS)) for k in range(0, 25, BANDS))
    assert len({tuple(bands[k:k + BANDS]) for k in range(0, 25, BANDS)}) > 1, "the order is not always the same"


def test_what_happens_is_the_draw_of_the_runs_step() -> None:
    on = quiz()
    for _ in range(20):
        question = on.question
        assert isinstance(question, Number)
        ahead = Run.start(on.run.solver, EASY, None, 5)
        ahead.advance(on.run.playhead + 1)
        event = ahead.events[0]
        assert isinstance(event, SwapJudged)
        assert event.cells == question.marked
        if event.u is not None:
            assert question.happened == (event.u < question.value)
        on.next()


def test_after_the_answer_it_says_whether_the_move_was_accepted() -> None:
    on, said = quiz(), set()
    for _ in range(20):
        question = on.question
        assert isinstance(question, Number)
        outcome = f"At this T the move is {'accepted' if question.happened else 'rejected'}."
        assert outcome not in question.text + question.hint + str(question.given)
        assert on.answer(0.5).why.endswith(outcome)
        said.add(outcome)
        on.next()
    assert len(said) == 2


def test_p_can_be_computed_from_the_numbers_that_are_shown() -> None:
    on = quiz()
    for _ in range(20):
        question = on.question
        assert isinstance(question, Number)
        known = dict(question.given)
        change, T = int(known["ΔE"].replace("+", "")), float(known["T"].partition(",")[0])
        assert question.value == pytest.approx(math.exp(-change / T), rel=1e-6)
        on.next()


def test_the_run_itself_keeps_its_temperature() -> None:
    on, plain = quiz(), Run.start(registry.solver("anneal"), EASY, None, 5)
    for _ in range(10):
        on.next()
    plain.advance(on.run.playhead)
    assert on.run.state.energy == plain.state.energy
    assert on.run.recipe.interventions == ()


def test_one_who_knows_p_scores_as_the_rule_does_and_one_who_says_a_half_a_quarter() -> None:
    knows, guesses, spread = quiz(seed=6), quiz(seed=6), 0.0
    for _ in range(60):
        question = knows.question
        assert isinstance(question, Number)
        spread += question.value * (1 - question.value) / 60
        knows.answer(question.value)
        knows.next()
        guesses.answer(0.5)
        guesses.next()
    scores = dict(knows.scores())
    assert scores["Brier score"] == scores["of the rule's p"]
    assert float(scores["Brier score"]) == pytest.approx(spread, abs=0.05)
    assert dict(guesses.scores())["Brier score"] == "0.250"
    assert knows.right == 60
    assert guesses.right < 15


def test_a_solver_without_t_is_refused() -> None:
    with pytest.raises(BadInput, match="hill-climb has no temperature: expected a solver that anneals"):
        quiz("hill-climb")


FORECASTS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=80)


@given(FORECASTS)
def test_the_brier_score_is_a_mean_square(forecasts: list[tuple[float, bool]]) -> None:
    assert 0 <= brier(forecasts) <= 1
    assert brier([(float(accepted), accepted) for _stated, accepted in forecasts]) == 0
    assert brier([(1 - float(accepted), accepted) for _stated, accepted in forecasts]) == 1


@given(FORECASTS)
def test_calibration_counts_the_bands_that_have_enough(forecasts: list[tuple[float, bool]]) -> None:
    found = calibration(forecasts)
    counted = Counter(min(int(stated * BANDS), BANDS - 1) for stated, _accepted in forecasts)
    assert {(each.low, each.count) for each in found} == {
        (band / BANDS, count) for band, count in counted.items() if count >= LEAST_CALIBRATED}
    assert all(0 <= each.accepted <= each.count for each in found)
