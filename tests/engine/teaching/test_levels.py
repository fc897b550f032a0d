"""The levels of hands on: how much is asked, and when it is judged."""

from __future__ import annotations

from engine import registry
from engine.puzzle import Puzzle
from engine.questions import Choice, Number
from engine.run.run import Run
from engine.teaching.hands_on import STEPS_ALONE, HandsOn, Level

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


def game(level: Level, name: str = "anneal") -> HandsOn:
    return HandsOn(Run.start(registry.solver(name), EASY, None, 5), level=level)


def play(on: HandsOn, questions: int, wrong: frozenset[int] = frozenset()) -> list[tuple[int, str]]:
    """Answer questions, those of some numbers wrong; (step, kind) of each."""
    met = []
    for number in range(questions):
        question = on.question
        assert question is not None
        met.append((on.run.playhead, question.kind))
        answer = question.model
        if number in wrong:
            assert isinstance(question, Choice)
            answer = next(place for place in range(len(question.options)) if place not in question.rights)
        on.answer(answer)
        if on.question is question:
            on.next()
    return met


def test_some_asks_one_question_a_step_and_in_time_every_kind() -> None:
    everything, some = play(game("all"), 60), play(game("some"), 60)
    assert len({step for step, _kind in some}) == 60
    assert {kind for _step, kind in some} == {kind for _step, kind in everything}
    assert len({step for step, _kind in everything}) < 60


def test_alone_ends_after_ten_steps_and_judges_then() -> None:
    on = game("alone", "backtrack-mrv")
    asked = 0
    while on.question is not None:
        assert not on.turn.hints
        assert on.turn.judgement is None, "the game goes on at once"
        assert on.turn.mistakes == ()
        assert (on.turn.asked, on.turn.tallies) == (0, ()), "how many are right is told at the end"
        play(on, 1, frozenset({0}) if asked == 0 else frozenset())
        asked += 1
    assert on.asked == asked
    assert on.right == asked - 1
    [mistake] = on.turn.mistakes
    assert (mistake.step, mistake.given, mistake.judgement.correct) == (1, "yes", "no")
    assert mistake.judgement.why.startswith("Each of the 49 free cells can still take a value")
    assert on.run.playhead == STEPS_ALONE


def test_an_answer_that_is_not_the_solvers_can_be_run_on() -> None:
    on = game("all")
    while on.question is None or on.question.kind != "accept":
        on.next()
    question = on.question
    assert isinstance(question, Choice)
    on.answer(question.model)
    assert on.branch is None
    on.answer(1 - question.model)
    assert on.branch is not None
    assert on.turn.branch == on.branch
    on.next()
    assert on.branch is None


def test_a_temperature_that_no_run_can_have_is_not_offered() -> None:
    solver = registry.solver("anneal")
    on = HandsOn(Run.start(solver, EASY, solver.make_params(None, {"T0": 80.0}), 5), {"next-temperature"})
    assert isinstance(on.question, Number)
    assert on.question.high > solver.knobs[0].maximum
    on.answer(solver.knobs[0].maximum)
    assert on.branch is not None
    on.answer(on.question.high)
    assert on.branch is None


def test_questions_of_an_earlier_game_at_the_same_step_count_no_more() -> None:
    counts: list[tuple[str, bool]] = []
    first = game("all")
    first = HandsOn(first.run, counted=lambda kind, right: counts.append((kind, right)))
    assert first.question is not None
    first.answer(first.question.model)
    again = HandsOn(first.run, counted=lambda kind, right: counts.append((kind, right)), answered=first.answered)
    assert again.question == first.question
    again.answer(again.question.model)
    assert (again.asked, len(counts)) == (0, 1)
    again.next()
    assert again.question is not None
    again.answer(again.question.model)
    assert (again.asked, len(counts)) == (1, 2)
