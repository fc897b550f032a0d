"""Guess: which solver, or which rule for T, made this curve of E?

    guess = make_guess(puzzle, "solver", seed)
    guess.commitment                    # before the answer is seen
    guess.curve                         # what the learner sees
    guess.question.judge(answer)
    guess.recipe                        # sha256 of this line is the commitment

Nothing of the run but E is shown, over the share of the steps shown, since solvers count their steps in different ways.
A curve is drawn again until it has the marks of what made it, which the hint asks for and the reason names: a run that
is solved at once, say, would leave nothing to see.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import pairwise
from typing import Literal, get_args

from msgspec import Struct

from engine import registry, rng
from engine.errors import BadInput
from engine.puzzle import Puzzle
from engine.questions import Choice
from engine.run import recipe as recipes
from engine.run.run import Run

What = Literal["solver", "temperature"]
WHATS: tuple[What, ...] = get_args(What)
POINTS = 120
"""Points of a curve."""
SHORTEST = POINTS - 1
"""Steps of the shortest run that has a step for each point."""


class Marks(Struct, frozen=True):
    """The marks of a curve."""

    early: int
    """Rises from one point to the next in the first half."""
    late: int
    """Those in the second half."""
    rise: int
    """The largest of them; 0 if there is none."""
    falls: int
    """The point from which on E has been down to a quarter of its first value; POINTS if it never is."""
    change: int
    """The last E minus the first one."""


class Candidate(Struct, frozen=True):
    """A run that may have made the curve."""

    label: str
    solver: str
    values: dict[str, object]
    steps: int
    """Steps that are shown."""
    fits: Callable[[Marks], bool]
    """Whether a curve has the marks of this candidate, which no curve of another candidate has."""
    speaks: str
    """The reason for it and against the nearest other one, in one sentence; `{rise}` is the largest rise, which may be
    in any part of the curve."""


EARLY, LATE = POINTS // 4, POINTS * 3 // 10
"""A fall of E to a quarter is early up to this point, and late from that one on."""
LARGE = 6
"""A rise from one point to the next that is large; in between, 4 is the most that is small."""
SMALL = 4
OFTEN = 3
"""Rises of half a curve that are many."""


def _again_and_again(marks: Marks) -> bool:
    return min(marks.early, marks.late) >= OFTEN and marks.falls <= EARLY


_SCHEDULED: dict[str, object] = {"T_min": 0.05, "at_floor": "hold", "moves": 100, "T0": 1.5}
CANDIDATES: dict[What, tuple[Candidate, ...]] = {
    "solver": (
        Candidate("simulated annealing", "anneal", {"T0": 1.5, "alpha": 0.99, "T_min": 0.3}, 20_000,
                  lambda marks: marks.early >= OFTEN and marks.rise >= LARGE and marks.falls >= LATE,
                  "E falls late and rises by up to {rise}; with reheats it would have fallen early."),
        Candidate("annealing with reheats", "anneal-reheat", {"alpha": 0.97, "stagnation": 10}, 20_000,
                  lambda marks: _again_and_again(marks) and marks.rise >= LARGE,
                  "E falls early and rises by up to {rise}; with tabu search each rise is small."),
        Candidate("hill climbing", "hill-climb", {"accept": "sideways", "patience": 20_000}, 20_000,
                  lambda marks: marks.rise == 0 and marks.falls <= EARLY,
                  "E falls at once and never rises; with a genetic algorithm it falls slowly."),
        Candidate("tabu search", "tabu", {}, 2_000,
                  lambda marks: _again_and_again(marks) and marks.rise <= SMALL,
                  "E falls early and rises again and again, by {rise} at most; reheats by more."),
        Candidate("genetic algorithm", "ga-ordered", {}, 20_000,
                  lambda marks: marks.rise < OFTEN and marks.falls >= LATE and marks.change < 0,
                  "E falls slowly and hardly rises; with hill climbing it would fall at once."),
    ),
    "temperature": (
        Candidate("exponential", "anneal", {**_SCHEDULED, "alpha": 0.975}, 20_000,
                  lambda marks: marks.early >= OFTEN and marks.late < OFTEN and marks.rise >= LARGE,
                  "E is calm in the second half; a linear fall of T would keep it rough."),
        Candidate("linear", "anneal", {**_SCHEDULED, "schedule": "linear", "levels": 200}, 20_000,
                  lambda marks: marks.late >= OFTEN and marks.rise >= LARGE and POINTS // 2 <= marks.falls < POINTS,
                  "E stays rough into the second half, then falls; exponential falls earlier."),
        Candidate("hot constant", "anneal", {**_SCHEDULED, "schedule": "constant", "T0": 1.2}, 20_000,
                  lambda marks: marks.late >= OFTEN and marks.rise >= LARGE and marks.falls == POINTS,
                  "E stays high and rough to the end; with a linear fall of T it would fall."),
        Candidate("cold constant", "anneal", {**_SCHEDULED, "schedule": "constant", "T0": 0.25}, 20_000,
                  lambda marks: 0 < marks.rise <= SMALL and marks.falls <= EARLY,
                  "E falls at once and rises by {rise} at most; exponential begins rough."),
    ),
}
SUBJECTS: dict[What, str] = {"solver": "solver", "temperature": "rule for T"}
TEXTS: dict[What, str] = {"solver": "Which solver made this curve of E?",
                          "temperature": "Which rule for T made this curve of E?"}
HINTS: dict[What, str] = {
    "solver": "Does E ever rise? How much, and again and again? How soon does it fall?",
    "temperature": "The hotter it is, the higher and the rougher is E. When does that change?",
}


class Guess(Struct, frozen=True):
    """A curve, the question about it, and the recipe that was committed to."""

    question: Choice
    curve: tuple[int, ...]
    """E, of a population its mean rounded down, at POINTS evenly spaced steps."""
    recipe: str
    """The line of the recipe with the last step of the curve, to be shown after the answer."""
    features: str
    """The rises of the curve, counted, to be shown after the answer."""
    reason: str
    """The reason for the answer and against the nearest other one; empty if the curve does not show it."""
    commitment: str
    """The SHA-256 of the recipe in hexadecimal."""


TRIES = 4
"""Runs of a candidate that are drawn until one has its marks."""


def make_guess(puzzle: Puzzle, what: What, seed: int) -> Guess:
    """The guess of a seed, 0 to 2**63 - 1. Raises BadInput for a puzzle that a solver refuses, or on which all runs are
    shorter than a curve.

    Where no run of a candidate has its marks the next candidate is taken, and the first long run if none has."""
    candidates = CANDIDATES[what]
    first = rng.below(rng.draw(seed, rng.CHOICE, 0), len(candidates))
    found = _run(puzzle, candidates[first], seed, 1)
    place, fits = first, _fits(candidates[first], found)
    for number in range(1, len(candidates) * TRIES):
        if fits:
            break
        at = (first + number // TRIES) % len(candidates)
        run = _run(puzzle, candidates[at], seed, number + 1)
        fits = _fits(candidates[at], run)
        if fits or (run.recorded >= SHORTEST > found.recorded):
            place, found = at, run
    if found.recorded < SHORTEST:
        raise BadInput(f"runs on this puzzle end within {SHORTEST - 1} steps, too soon for a curve of E: expected a "
                       "puzzle with more empty cells")
    chosen, line, curve = candidates[place], recipes.line(found.recipe, found.recorded), _curve(found)
    question = Choice(
        kind=f"guess-{what}", text=TEXTS[what], options=tuple(each.label for each in candidates), n=puzzle.n,
        rights=frozenset({place}), hint=HINTS[what], given=(("curve", f"E, {POINTS} points"),),
        why=f"The {SUBJECTS[what]} was {chosen.label}.")
    reason = chosen.speaks.format(rise=marks_of(curve).rise) if fits else ""
    return Guess(question, curve, line, features(curve), reason, hashlib.sha256(line.encode()).hexdigest())


def _run(puzzle: Puzzle, chosen: Candidate, seed: int, number: int) -> Run:
    """One of the runs that a seed gives of a candidate."""
    solver = registry.solver(chosen.solver)
    run = Run.start(solver, puzzle, solver.make_params(None, chosen.values), rng.draw(seed, rng.CHOICE, number) >> 1)
    run.advance(chosen.steps)
    return run


def _fits(chosen: Candidate, run: Run) -> bool:
    return run.recorded >= SHORTEST and chosen.fits(marks_of(_curve(run)))


def marks_of(curve: tuple[int, ...]) -> Marks:
    """The marks of a curve."""
    half = len(curve) // 2
    early, late = (sum(b > a for a, b in pairwise(part)) for part in (curve[:half + 1], curve[half:]))
    rise = max(0, *(b - a for a, b in pairwise(curve)))
    falls = next((at for at, energy in enumerate(curve) if 4 * energy <= curve[0]), POINTS)
    return Marks(early, late, rise, falls, curve[-1] - curve[0])


def features(curve: tuple[int, ...]) -> str:
    """The rises of the curve in each half, counted, as a clause."""
    marks = marks_of(curve)
    return f"rises: {marks.early} in the first half, {marks.late} in the second"


def _curve(run: Run) -> tuple[int, ...]:
    """E at evenly spaced steps of the recorded part."""
    place = [channel.role for channel in run.solver.channels].index("energy")
    walk, curve = run.cursor_at(0), []
    for point in range(POINTS):
        walk.replay(run.recorded * point // (POINTS - 1))
        curve.append(int(run.solver.sample(walk.state, walk.params)[place]))
    return tuple(curve)
