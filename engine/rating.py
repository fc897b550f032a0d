"""How hard a puzzle is for people: what the techniques of `engine.human` need for it.

The scale is that of Sukaku Explainer (1 to about 10), on which collections of puzzles are rated; `tests/calibrate.py`
says how well it is met, and found the constants.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from engine.human.board import Board
from engine.human.order import apply, findings
from engine.puzzle import Puzzle

Word = Literal["easy", "medium", "hard", "extreme"]

HARDNESS: Mapping[str, float] = {
    "Hidden single": 1.5, "Naked single": 2.3, "Pointing": 2.6, "Claiming": 2.8, "Naked pair": 3.0, "X-wing": 3.2,
    "Hidden pair": 3.4, "Naked triple": 3.6, "Swordfish": 3.8, "Hidden triple": 4.0, "Simple colouring": 4.1,
    "XY-wing": 4.2, "XYZ-wing": 4.4, "Unique rectangle": 4.5, "Naked quad": 5.0, "Jellyfish": 5.2, "Hidden quad": 5.4,
}
"""What a puzzle whose hardest step is this technique is rated at, at least."""

STUCK = 6.0
"""Where no technique finds anything more; to this comes what is left."""
PER_CELL = 3.5
"""What a share 1 of open cells adds to it."""
PER_PASS, MOST_FOR_PASSES = 0.02, 0.15
"""What each time adds that the hardest technique was needed, and what this can come to."""

WORDS: tuple[tuple[float, Word], ...] = ((2.5, "easy"), (3.7, "medium"), (6.0, "hard"))
"""Values below these are called so; the others are extreme."""


class Rating(Struct, frozen=True):
    """How hard a puzzle is."""

    value: float
    """1.0 (nothing but singles) to about 10, one decimal more than collections have."""
    word: Word
    hardest: str | None
    """The hardest technique that was needed; None where nothing was open."""
    solved_by_logic: bool
    """Whether the techniques solve it, without guessing."""


def rate(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle that has one solution; of another, it says how far the techniques get. The same for
    puzzles that differ in the names of their values or by a symmetry of the board."""
    board = Board.of(puzzle)
    passes: dict[str, int] = {}
    while board.open and (found := findings(board)):
        passes[found[0].technique] = passes.get(found[0].technique, 0) + 1
        for finding in found:
            apply(board, finding)
    hardest = max(passes, key=lambda technique: HARDNESS[technique], default=None)
    solved = not board.open and not board.dead_cells()
    if not solved:
        value = STUCK + PER_CELL * board.open.bit_count() / puzzle.n**2
    elif hardest is None:
        value = 1.0
    else:
        value = HARDNESS[hardest] + min(MOST_FOR_PASSES, PER_PASS * (passes[hardest] - 1))
    return Rating(round(value, 2), word_of(value), hardest, solved)


def word_of(value: float) -> Word:
    """The word for a value."""
    return next((word for below, word in WORDS if value < below), "extreme")
