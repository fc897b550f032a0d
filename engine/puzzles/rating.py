"""Rate the difficulty of a puzzle for human solvers, by the techniques of `engine.techniques` that it needs.

The scale is that of Sukaku Explainer (1 to about 10), on which public collections are rated. `python -m tests.calibrate
FILE` fits the constants and reports the correlation: Spearman 0.95 on the half of 1 587 rated puzzles that was not used
to fit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from engine.puzzle import Puzzle
from engine.techniques.board import Board
from engine.techniques.order import CHAINS, apply, findings

Word = Literal["easy", "medium", "hard", "extreme"]

HARDNESS: Mapping[str, float] = {
    "Hidden single": 1.5, "Naked single": 2.3, "Pointing": 2.6, "Claiming": 2.8, "Naked pair": 3.0, "X-wing": 3.2,
    "Hidden pair": 3.4, "Naked triple": 3.6, "Swordfish": 3.8, "Hidden triple": 4.0, "Simple colouring": 4.1,
    "XY-wing": 4.2, "XYZ-wing": 4.4, "Unique rectangle": 4.5, "Naked quad": 5.0, "Jellyfish": 5.2, "Hidden quad": 5.4,
}
"""The rating of a puzzle without chains, by its hardest step."""
PER_PASS, MOST_FOR_PASSES = 0.02, 0.15
"""The addition for each time that the hardest technique is needed, and its maximum."""

SHORT: tuple[float, ...] = (4.44, 0.33, 0.15)
"""Weights for puzzles that chains solve: a constant, then one for each of `features`."""
LONG: tuple[float, ...] = (7.56, 0.11, -0.03, 0.06, 0.07, 0.01, 0.20)
"""Weights for puzzles that need sets or nets."""

UNSOLVED = 10.0
"""The rating if no technique finds anything more."""

WORDS: tuple[tuple[float, Word], ...] = ((2.5, "easy"), (3.7, "medium"), (6.0, "hard"))
"""Values below these have these words; the others are *extreme*."""


class Rating(Struct, frozen=True):
    """The difficulty of a puzzle."""

    value: float
    """1.0 (nothing is open) to 10.0 (no technique solves it); two decimals."""
    word: Word
    hardest: str | None
    """The hardest technique that was needed; None where nothing was found."""
    solved_by_logic: bool
    """True if the techniques solve it without guessing."""


class Needed(Struct):
    """The passes in which a technique was needed, and the length of the longest of its shortest chains."""

    passes: int = 0
    length: int = 0


def rate(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle with one solution; of another, that of the steps that the techniques find. It is the same
    for puzzles that differ in the names of their values or by a symmetry of the board."""
    needed, solved = _walk(puzzle)
    hardest = max(needed, key=_rank, default=None)
    value = round(_value(needed, hardest) if solved else UNSOLVED, 2)
    return Rating(value, word_of(value), hardest, solved)


def word_of(value: float) -> Word:
    """The word for a value."""
    return next((word for below, word in WORDS if value < below), "extreme")


def _walk(puzzle: Puzzle) -> tuple[dict[str, Needed], bool]:
    """Apply in each pass all findings of the first technique that has any; returns what each technique needed, and
    whether the puzzle is solved."""
    board, needed = Board.of(puzzle), dict[str, Needed]()
    while board.open and (found := findings(board)):
        each = needed.setdefault(found[0].technique, Needed())
        each.passes += 1
        each.length = max(each.length, *(finding.length for finding in found))
        for finding in found:
            apply(board, finding)
    return needed, not board.open and not board.dead_cells()


def _rank(technique: str) -> float:
    return HARDNESS.get(technique) or UNSOLVED + CHAINS.index(technique)


def _value(needed: dict[str, Needed], hardest: str | None) -> float:
    if hardest is None:
        return 1.0
    if hardest in HARDNESS:
        return HARDNESS[hardest] + min(MOST_FOR_PASSES, PER_PASS * (needed[hardest].passes - 1))
    weights = SHORT if hardest == CHAINS[0] else LONG
    value = sum(weight * feature for weight, feature in zip(weights, features(needed), strict=False))
    return min(value, UNSOLVED - 0.01)


def features(needed: dict[str, Needed]) -> tuple[float, ...]:
    """The features that the weights apply to: 1, then for each kind of chain log2(1 + times needed) and the longest."""
    kinds = [needed.get(technique, Needed()) for technique in CHAINS]
    return 1.0, *(number for each in kinds for number in (math.log2(1 + each.passes), float(each.length)))
