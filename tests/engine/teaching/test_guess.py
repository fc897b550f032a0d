"""Guesses: the committed recipe makes the curve that is shown, and every candidate comes up."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter

import pytest

from engine import registry, rng
from engine.errors import BadInput
from engine.puzzle import Puzzle
from engine.run import recipe
from engine.run.run import Run
from engine.teaching.guess import CANDIDATES, POINTS, WHATS, Marks, What, features, make_guess, marks_of

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("what", WHATS)
def test_the_committed_recipe_makes_the_curve(what: What) -> None:
    guess = make_guess(EASY, what, 11)
    assert hashlib.sha256(guess.recipe.encode()).hexdigest() == guess.commitment
    line = recipe.parse(guess.recipe)
    found = line.recipe
    place = guess.question.model
    chosen = CANDIDATES[what][place]
    assert found.solver == chosen.solver
    run = Run.start(registry.solver(found.solver), found.puzzle, registry.solver(found.solver).make_params(
        None, chosen.values), found.seed)
    assert run.recipe == found
    assert guess.question.why == f"The {'solver' if what == 'solver' else 'rule for T'} was {chosen.label}."
    assert (guess.curve[0], len(guess.curve)) == (run.state.energy, POINTS)
    run.advance(line.step)
    assert (run.recorded, guess.curve[-1]) == (line.step, run.state.energy)
    assert run.at_end or line.step == chosen.steps


@pytest.mark.parametrize(("what", "seed"), [("temperature", 1), ("solver", 7)])
def test_the_curve_is_e_at_evenly_spaced_steps_of_the_recipe(what: What, seed: int) -> None:
    guess = make_guess(EASY, what, seed)
    line = recipe.parse(guess.recipe)
    made = line.recipe
    run = Run.start(made.solver, made.puzzle, registry.solver(made.solver).make_params(None, made.params), made.seed)
    for point, energy in enumerate(guess.curve):
        run.advance(line.step * point // (POINTS - 1) - run.playhead)
        assert run.state.energy == energy


@pytest.mark.parametrize("what", WHATS)
def test_candidates_come_up_evenly_and_a_guess_is_right_by_chance(what: What) -> None:
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


def test_the_marks_are_counted_on_the_curve() -> None:
    assert features((9, 7, 8, 4, 4, 2, 2)) == "rises: 1 in the first half, 0 in the second"
    assert marks_of((9, 7, 8, 4, 4, 2, 2)) == Marks(early=1, late=0, rise=1, falls=5, change=-7)
    assert marks_of((5, 5, 5)) == Marks(early=0, late=0, rise=0, falls=POINTS, change=0)


def test_a_run_that_is_solved_before_it_rises_is_drawn_again() -> None:
    run = Run.start("tabu", EASY, None, 8795998920569492876)
    run.advance(2000)
    assert (run.at_end, run.state.energy) == (True, 0)
    assert run.recorded < POINTS
    seeds = [seed for seed in range(40) if rng.below(rng.draw(seed, rng.CHOICE, 0), 5) == 3]
    again = 0
    for seed in seeds:
        guess = make_guess(EASY, "solver", seed)
        marks, chosen = marks_of(guess.curve), CANDIDATES["solver"][guess.question.model]
        assert chosen.label == "tabu search"
        assert min(marks.early, marks.late) >= 3
        assert guess.reason.startswith("E falls early and rises again and again, by ")
        again += f"seed={rng.draw(seed, rng.CHOICE, 1) >> 1}" not in guess.recipe
        assert make_guess(EASY, "solver", seed) == guess
    assert again


@pytest.mark.parametrize("what", WHATS)
def test_a_curve_has_the_marks_of_one_candidate_which_the_reason_names(what: What) -> None:
    for seed in range(12):
        guess = make_guess(EASY, what, seed)
        marks = marks_of(guess.curve)
        fitting = [place for place, each in enumerate(CANDIDATES[what]) if each.fits(marks)]
        assert fitting == [guess.question.model]
        assert guess.reason == CANDIDATES[what][fitting[0]].speaks.format(rise=marks.rise)


@pytest.mark.parametrize("what", WHATS)
def test_no_marks_are_those_of_two_candidates_and_the_reasons_fit_one_line(what: What) -> None:
    ends, rises = (0, 1, 3, 30, 59), (0, 1, 2, 3, 4, 5, 6, 30)
    falling = (2, 30, 36, 59, 60, 90, POINTS)
    for early, late, rise, falls, change in itertools.product(ends, ends, rises, falling, (-5, 0, 5)):
        if (rise == 0) == (early + late == 0):
            marks = Marks(early, late, rise, falls, change)
            assert sum(each.fits(marks) for each in CANDIDATES[what]) < 2, marks
    assert all(len(each.speaks.format(rise=99)) <= 78 for each in CANDIDATES[what])
    assert not any("then rises" in each.speaks for each in CANDIDATES[what]), "the largest may come before the fall"


def test_a_long_run_without_the_marks_of_a_candidate_gives_a_curve_without_a_reason() -> None:
    guess = make_guess(Puzzle.from_line("1000003000000200"), "temperature", 3)
    assert guess.question.judge(guess.question.model).right
    assert guess.reason == ""


@pytest.mark.parametrize("what", WHATS)
def test_a_puzzle_that_is_solved_sooner_than_a_curve_has_points_is_refused(what: What) -> None:
    with pytest.raises(BadInput, match="end within 118 steps, too soon for a curve of E: expected a puzzle with more"):
        make_guess(Puzzle.from_line("34.1.2....1.2.43"), what, 3)


def test_a_curve_that_does_not_fall_is_not_called_one_that_falls() -> None:
    flat = Marks(early=0, late=0, rise=0, falls=POINTS, change=0)
    assert not any(each.fits(flat) for what in WHATS for each in CANDIDATES[what])
