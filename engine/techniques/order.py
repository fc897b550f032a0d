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
    Technique("Hidden single", hidden_singles,
              "a value with one place left in a unit goes there, whatever else that cell could hold"),
    Technique("Naked single", naked_singles,
              "a cell with one candidate left takes it"),
    Technique("Pointing", pointing,
              "in a box, all places of a value are in one row, column or other unit, too; it goes from the rest of "
              "that unit"),
    Technique("Claiming", claiming,
              "in a row, column or other unit, all places of a value are in one box; it goes from the rest of that "
              "box"),
    Technique("Naked pair", naked(2),
              "two cells of a unit have the same two candidates and nothing else; the two values go from its other "
              "cells"),
    Technique("X-wing", fish(2),
              "on two rows a value has only the same two columns left; it goes from these columns in all other "
              "rows; likewise with rows and columns exchanged"),
    Technique("Hidden pair", hidden(2),
              "two values of a unit have only the same two cells left; all other candidates go from these cells"),
    Technique("Naked triple", naked(3),
              "three cells of a unit have three candidates among them; the three values go from its other cells"),
    Technique("Swordfish", fish(3),
              "an X-wing of three: on three rows a value has only three columns left; it goes from these columns in "
              "all other rows; likewise with rows and columns exchanged"),
    Technique("Hidden triple", hidden(3),
              "three values of a unit have only three cells left; all other candidates go from these cells"),
    Technique("Simple colouring", simple_colouring,
              "where a value has two places in a unit, one is true and one false; chains of such units get two "
              "colours, and what contradicts a colour, or sees both, goes"),
    Technique("XY-wing", xy_wing,
              "a cell with candidates x and y sees one with x and z and one with y and z; one of these two holds z, "
              "so z goes from every cell that sees both"),
    Technique("XYZ-wing", xyz_wing,
              "an XY-wing whose middle cell has z as well; z goes from every cell that sees all three"),
    Technique("Unique rectangle", unique_rectangles,
              "four cells in two rows, two columns and two boxes must not all keep the same two candidates, or the "
              "puzzle would have two solutions", assumes_one=True),
    Technique("Naked quad", naked(4),
              "four cells of a unit have four candidates among them; the four values go from its other cells"),
    Technique("Hidden quad", hidden(4),
              "four values of a unit have only four cells left; all other candidates go from these cells"),
    Technique("Jellyfish", fish(4),
              "an X-wing of four: on four rows a value has only four columns left; it goes from these columns in "
              "all other rows; likewise with rows and columns exchanged"),
    Technique("Forcing chain", forcing_chains,
              "from the assumption that a candidate is true, or false, single steps follow one after the other; "
              "their end decides about the candidate"),
    Technique("Forcing set", forcing_sets,
              "every candidate of a cell, or every place of a value in a unit, leads to the same conclusion, so it "
              "holds"),
    Technique("Forcing net", forcing_nets,
              "as a forcing chain, but a step may rest on several before it; a contradiction refutes the assumption"),
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
