"""Runs with their questions, and robots that answer them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

from engine import registry
from engine import state as states
from engine.events import Event
from engine.puzzle import Puzzle
from engine.questions import Answer, Choice, Mark, Question, Several

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("400000805030000000000700000020000060000080400000010000000603070500200000104000000")

Moment = tuple[Any, Any, tuple[Event, ...], dict[str, Any]]
"""The states before and after a step, its events, and its questions by kind."""


def asked(name: str, steps: int, puzzle: Puzzle = EASY, preset: str | None = None, seed: int = 7,
          **values: object) -> Iterator[Moment]:
    """Some steps of a run and the questions about each."""
    solver = registry.solver(name)
    params = solver.make_params(preset, values)
    state = solver.init(puzzle, params, seed)
    before = states.copy(state)
    generator = solver.steps(state, params)
    try:
        for _, events in zip(range(steps), generator, strict=False):
            yield before, state, events, {question.kind: question for question in solver.ask(before, params, events)}
            before = states.copy(state)
    finally:
        generator.close()  # type: ignore[attr-defined]


def the(kind: type[Question], question: Question | None) -> Any:
    assert isinstance(question, kind)
    return question


def guess(question: Question, free: list[int], random: Random) -> Answer:
    """A random answer that has as many parts as the right one."""
    if isinstance(question, Choice):
        return random.randrange(len(question.options))
    if isinstance(question, Several):
        return frozenset(random.sample(range(len(question.options)), len(question.model)))
    assert isinstance(question, Mark)
    if not question.model:
        return frozenset() if random.random() < 0.5 else frozenset({random.choice(free)})
    return frozenset(random.sample(free, min(len(free), len(question.model))))


def play_by_chance(moments: Iterator[Moment], kinds: set[str], least: int = 5) -> None:
    """Let a robot that reads the model answers answer all questions, and one that guesses those of these kinds: the
    first is always right, the second as often as chance says, of `least` questions of each kind or more."""
    random, counted = Random(5), dict.fromkeys(kinds, (0, 0, 0.0))
    for before, _after, _events, questions in moments:
        free = [cell for cell, value in enumerate(before.grid) if not value] or [0]
        for kind, question in questions.items():
            assert question.judge(question.model).right, (before.step, kind)
            assert question.judge(question.read(question.write(question.model))).right, (before.step, kind)
            if kind not in kinds:
                continue
            asked_so_far, hits, expected = counted[kind]
            answer = guess(question, free, random)
            counted[kind] = (asked_so_far + 1, hits + question.judge(answer).right, expected + question.chance)
    for kind, (count, hits, expected) in counted.items():
        share = expected / max(1, count)
        spread = 4 * math.sqrt(count * share * (1 - share)) + 2
        assert count >= least, (kind, count)
        assert abs(hits - expected) <= spread, (kind, count, hits, expected)
