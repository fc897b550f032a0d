"""Guesses: the committed recipe makes the curve that is shown, and every candidate comes up."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.run import recipe
from engine.run.run import Run
from engine.teaching.guess import CANDIDATES, POINTS, WHATS, What, features, make_guess

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("what", WHATS)
def test_the_committed_recipe_makes_the_curve(what: What) -> None:
    guess = make_guess(EASY, what, 11)
    assert hashlib.sha256(guess.recipe.encode()).hexdigest() == guess.commitment
    found = recipe.parse(guess.recipe).recipe
    place = guess.question.model
    chosen = CANDIDATES[what][place]
    assert found.solver == chosen.solver
    run = Run.start(registry.solver(found.solver), found.puzzle, registry.solver(found.solver).make_params(
        None, chosen.values), found.seed)
    assert run.recipe == found
    assert (guess.curve[0], len(guess.curve)) == (run.state.energy, POINTS)
    run.advance(chosen.steps)
    assert guess.curve[-1] == run.state.energy


@pytest.mark.parametrize("what", WHATS)
def test_candidates_come_up_evenly_and_a_guess_is_right_by_chance(what: What) -> None:
    from engine import rng

    size = len(CANDIDATES[what])
    drawn = Counter(rng.below(rng.draw(seed, rng.CHOICE, 0), size) for seed in range(2000))
    assert all(abs(count - 2000 / size) < 4 * (2000 / size) ** 0.5 for count in drawn.values())
    assert len(drawn) == size


@pytest.mark.sweep
def test_neither_the_question_nor_the_curve_tells_the_recipe() -> None:
    guess = make_guess(EASY, "solver", 3)
    shown = f"{guess.question.text} {guess.question.options} {guess.question.hint} {guess.question.given}"
    assert guess.commitment not in shown
    assert "solver=" not in shown
    assert make_guess(EASY, "solver", 3) == guess
    assert make_guess(EASY, "solver", 4).commitment != guess.commitment


def test_the_features_are_counted_on_the_curve() -> None:
    assert features((9, 7, 8, 4, 4, 2, 2)) == (
        "E rises at 1 of 3 points of the first half, at 0 of 3 of the second, by up to 1.")
    assert features((5, 5, 5)).endswith("by up to 0.")
