"""The counting of answers: sums, scores that never fall, and parts that add up."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.teaching.hands_on import HandsOn
from engine.teaching.progress import SERIES, Answered, Score, with_answers, without

DAYS = st.dates(date(2024, 1, 1), date(2030, 1, 1))
ANSWERS = st.lists(st.builds(Answered, st.sampled_from(["anneal", "dlx"]), st.sampled_from(["accept", "next-cell"]),
                             st.booleans(), DAYS), max_size=60)
TINY = Puzzle.from_line("1000003000000200")


@given(ANSWERS)
def test_the_counts_are_those_of_the_answers(answers: list[Answered]) -> None:
    found = with_answers({}, answers)
    given_by: dict[tuple[str, str], list[Answered]] = defaultdict(list)
    for each in answers:
        given_by[each.solver, each.kind].append(each)
    assert found.keys() == given_by.keys()
    for key, those in given_by.items():
        right = [each.right for each in those]
        series = [sum(right[start : start + SERIES]) for start in range(len(right))]
        score = found[key]
        assert (score.asked, score.right, score.best) == (len(right), sum(right), max(series))
        assert score.last == max(each.day for each in those)
        assert score.share == sum(right) / len(right)
        assert score.is_sound


@given(ANSWERS)
def test_no_count_and_no_score_ever_falls(answers: list[Answered]) -> None:
    before: dict[tuple[str, str], Score] = {}
    for each in answers:
        after = with_answers(before, [each])
        for key, score in before.items():
            assert after[key].asked >= score.asked
            assert after[key].right >= score.right
            assert after[key].best >= score.best
            assert after[key].last >= score.last
        before = after


@given(ANSWERS, ANSWERS)
def test_parts_add_up_to_the_whole(first: list[Answered], then: list[Answered]) -> None:
    assert with_answers(with_answers({}, first), then) == with_answers({}, [*first, *then])


@given(ANSWERS, st.randoms())
def test_of_two_processes_neither_order_loses_anything(answers: list[Answered], dice: object) -> None:
    mixed = list(answers)
    dice.shuffle(mixed)  # type: ignore[attr-defined]
    found, other = with_answers({}, answers), with_answers({}, mixed)
    assert found.keys() == other.keys()
    for key, score in found.items():
        assert (score.asked, score.right, score.last) == (other[key].asked, other[key].right, other[key].last)


@given(ANSWERS)
def test_a_solver_or_all_can_be_taken_out(answers: list[Answered]) -> None:
    found = with_answers({}, answers)
    assert without(found, "dlx") == {key: score for key, score in found.items() if key[0] != "dlx"}
    assert without(found) == {}


def test_a_game_counts_first_answers_and_no_skipped_questions() -> None:
    counted: list[tuple[str, bool]] = []
    game = HandsOn(Run.start(registry.solver("backtrack-mrv"), TINY), {"next-cell"},
                   counted=lambda kind, right: counted.append((kind, right)))
    question = game.question
    assert question is not None
    assert game.answer(question.model).right
    game.answer(frozenset({0}))
    game.next()
    assert counted == [("next-cell", True)]
    question = game.question
    assert question is not None
    game.answer(frozenset({0}))
    game.answer(question.model)
    game.next()
    game.next()
    assert counted == [("next-cell", True), ("next-cell", False)]
    assert (game.right, game.asked) == (1, 2)


def test_a_skipped_question_is_not_counted_when_it_is_asked_again() -> None:
    counted: list[tuple[str, bool]] = []
    run = Run.start(registry.solver("backtrack-mrv"), TINY)
    game = HandsOn(run, {"next-cell"}, counted=lambda kind, right: counted.append((kind, right)))
    game.leave()
    again = HandsOn(run, {"next-cell"}, counted=lambda kind, right: counted.append((kind, right)),
                    answered=game.answered)
    assert again.question is not None
    assert again.answer(again.question.model).right
    assert (counted, again.asked) == ([], 0)


def test_an_open_question_that_is_left_is_not_counted() -> None:
    counted: list[tuple[str, bool]] = []
    game = HandsOn(Run.start(registry.solver("backtrack-mrv"), TINY), (),
                   counted=lambda kind, right: counted.append((kind, right)))
    assert game.question is not None
    assert counted == []
