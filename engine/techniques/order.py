"""The techniques in their order, and the next finding on a board."""

from __future__ import annotations

from collections.abc import Sequence

from engine.techniques.board import Board
from engine.techniques.chains import forcing_chains, forcing_sets
from engine.techniques.colouring import simple_colouring
from engine.techniques.finding import Finding, Technique
from engine.techniques.fish import fish
from engine.techniques.locked import claiming, pointing
from engine.techniques.nets import forcing_nets
from engine.techniques.rectangles import unique_rectangles
from engine.techniques.singles import hidden_singles, naked_singles
from engine.techniques.subsets import hidden, naked
from engine.techniques.wings import xy_wing, xyz_wing

TECHNIQUES: tuple[Technique, ...] = (
    Technique("Hidden single", hidden_singles),
    Technique("Naked single", naked_singles),
    Technique("Pointing", pointing),
    Technique("Claiming", claiming),
    Technique("Naked pair", naked(2)),
    Technique("X-wing", fish(2)),
    Technique("Hidden pair", hidden(2)),
    Technique("Naked triple", naked(3)),
    Technique("Swordfish", fish(3)),
    Technique("Hidden triple", hidden(3)),
    Technique("Simple colouring", simple_colouring),
    Technique("XY-wing", xy_wing),
    Technique("XYZ-wing", xyz_wing),
    Technique("Unique rectangle", unique_rectangles, assumes_one=True),
    Technique("Naked quad", naked(4)),
    Technique("Hidden quad", hidden(4)),
    Technique("Jellyfish", fish(4)),
    Technique("Forcing chain", forcing_chains),
    Technique("Forcing set", forcing_sets),
    Technique("Forcing net", forcing_nets),
)

CHAINS = ("Forcing chain", "Forcing set", "Forcing net")
"""Techniques whose hardness depends on the length of the chains, easiest first."""


def next_finding(board: Board, techniques: Sequence[Technique] = TECHNIQUES) -> Finding | None:
    """The first finding of the first technique that has one; None if no technique finds anything."""
    for technique in techniques:
        finding = next(technique.find(board), None)
        if finding is not None:
            return finding
    return None


def findings(board: Board, techniques: Sequence[Technique] = TECHNIQUES) -> tuple[Finding, ...]:
    """All findings of the first technique that has any. They stay valid when some are applied; applying all gives the
    same board whatever the names of cells and values."""
    return next((found for technique in techniques if (found := tuple(technique.find(board)))), ())


def apply(board: Board, finding: Finding) -> None:
    """Place and strike what was found."""
    for cell, value in finding.placed:
        if board.masks[cell] >> value - 1 & 1:
            board.place(cell, value)
    for cell, value in finding.struck:
        board.strike(cell, value)
