"""Guess: which solver, or which rule for T, made this curve of E?

    guess = make_guess(puzzle, "solver", seed)
    guess.commitment                    # before the answer is seen
    guess.curve                         # what the learner sees
    guess.question.judge(answer)
    guess.recipe                        # sha256 of this line is the commitment

Nothing of the run but E is shown, over the share of the steps shown, since solvers count their steps in different ways.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from msgspec import Struct

from engine import registry, rng
from engine.puzzle import Puzzle
from engine.questions import Choice
from engine.run import recipe as recipes
from engine.run.run import Run

What = Literal["solver", "temperature"]
WHATS: tuple[What, ...] = get_args(What)
POINTS = 120
"""Points of a curve."""


class Candidate(Struct, frozen=True):
    """A run that may have made the curve."""

    label: str
    solver: str
    values: dict[str, object]
    steps: int
    """Steps that are shown."""


_SCHEDULED: dict[str, object] = {"T_min": 0.05, "at_floor": "hold", "moves": 100, "T0": 1.5}
CANDIDATES: dict[What, tuple[Candidate, ...]] = {
    "solver": (
        Candidate("simulated annealing", "anneal", {"T0": 1.5, "alpha": 0.99, "T_min": 0.3}, 20_000),
        Candidate("annealing with reheats", "anneal-reheat", {"alpha": 0.97, "stagnation": 10}, 20_000),
        Candidate("hill climbing", "hill-climb", {"accept": "sideways", "patience": 20_000}, 20_000),
        Candidate("tabu search", "tabu", {}, 2_000),
        Candidate("genetic algorithm", "ga-ordered", {}, 20_000),
    ),
    "temperature": (
        Candidate("exponential", "anneal", {**_SCHEDULED, "alpha": 0.975}, 20_000),
        Candidate("linear", "anneal", {**_SCHEDULED, "schedule": "linear", "levels": 200}, 20_000),
        Candidate("hot constant", "anneal", {**_SCHEDULED, "schedule": "constant", "T0": 1.2}, 20_000),
        Candidate("cold constant", "anneal", {**_SCHEDULED, "schedule": "constant", "T0": 0.25}, 20_000),
    ),
}
TEXTS: dict[What, str] = {"solver": "Which solver made this curve of E?",
                          "temperature": "Which rule for T made this curve of E?"}
HINTS: dict[What, str] = {
    "solver": "Does E ever rise? How much, how long, and again and again or only early?",
    "temperature": "The hotter it is, the higher and the rougher is E. When does that change?",
}


class Guess(Struct, frozen=True):
    """A curve, the question about it, and the recipe that was committed to."""

    question: Choice
    curve: tuple[int, ...]
    """E at POINTS evenly spaced steps."""
    recipe: str
    """The line of the recipe, to be shown after the answer."""
    features: str
    """The rises and falls of the curve, counted, to be shown after the answer."""
    commitment: str
    """The SHA-256 of that line in hexadecimal."""


def make_guess(puzzle: Puzzle, what: What, seed: int) -> Guess:
    """The guess of a seed, 0 to 2**63 - 1. Raises BadInput for a puzzle that a solver refuses."""
    candidates = CANDIDATES[what]
    place = rng.below(rng.draw(seed, rng.CHOICE, 0), len(candidates))
    chosen = candidates[place]
    solver = registry.solver(chosen.solver)
    run = Run.start(solver, puzzle, solver.make_params(None, chosen.values), rng.draw(seed, rng.CHOICE, 1) >> 1)
    run.advance(chosen.steps)
    line = recipes.line(run.recipe)
    question = Choice(
        kind=f"guess-{what}", text=TEXTS[what], options=tuple(each.label for each in candidates), n=puzzle.n,
        rights=frozenset({place}), hint=HINTS[what], given=(("curve", f"E, {POINTS} points"),),
        why=f"It was {chosen.label}.")
    curve = _curve(run)
    return Guess(question, curve, line, features(curve), hashlib.sha256(line.encode()).hexdigest())


def features(curve: tuple[int, ...]) -> str:
    """The rises of the curve in each half, counted, in one sentence."""
    half = len(curve) // 2
    parts = [curve[:half + 1], curve[half:]]
    early, late = (f"{sum(b > a for a, b in pairwise(part))} of {len(part) - 1}" for part in parts)
    rise = max(0, *(b - a for a, b in pairwise(curve)))
    return f"E rises at {early} points of the first half, at {late} of the second, by up to {rise}."


def _curve(run: Run) -> tuple[int, ...]:
    """E at evenly spaced steps of the recorded part."""
    steps, samples = run.series.arrays()
    place = [channel.role for channel in run.solver.channels].index("energy")
    at = np.searchsorted(steps, np.linspace(0, run.recorded, POINTS), side="right") - 1
    return tuple(int(value) for value in samples[at, place])
