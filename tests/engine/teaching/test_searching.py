"""Hands on about some kinds of questions only: the next step that asks one is found however far ahead it is."""

from __future__ import annotations

from engine import registry
from engine.events import NotRaised, Reheated
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.teaching.hands_on import HandsOn

HARD = Puzzle.from_line("400000805030000000000700000020000060000080400000010000000603070500200000104000000")
EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


def run_of(name: str, puzzle: Puzzle = HARD, **values: object) -> Run:
    solver = registry.solver(name)
    return Run.start(solver, puzzle, solver.make_params(None, values), 0)


def test_a_rare_kind_is_found_beyond_a_thousand_steps_and_so_is_the_next_one() -> None:
    given = {"moves": 20, "stagnation": 20, "T0": 0.5}
    steps = []
    game = HandsOn(run_of("anneal-reheat", **given), {"reheat"})
    for _ in range(2):
        question = game.question
        assert question is not None
        assert question.kind == "reheat"
        steps.append(game.run.playhead + 1)
        assert game.answer(question.model).right
        game.next()
    assert steps[0] > 2000
    run = run_of("anneal-reheat", **given)
    for step in steps:
        assert run.find({"reheat", "not_raised"}, 1, limit=10**6) == step
        run.advance(step - run.playhead)
        assert any(isinstance(event, Reheated | NotRaised) for event in run.events)


def test_a_search_in_vain_ends_with_the_run() -> None:
    game = HandsOn(run_of("anneal", EASY), {"reheat"})
    assert game.question is None
    assert game.run.at_end


def test_a_search_can_be_ended() -> None:
    told = []

    def goes_on(step: int) -> bool:
        told.append(step)
        return False

    game = HandsOn(run_of("anneal"), {"reheat"}, goes_on=goes_on)
    assert game.question is None
    assert told
    assert not game.run.at_end
