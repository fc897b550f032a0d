"""Puzzles by seed: puzzle number k of a seed is the same everywhere and needs none before it.

    spec = Spec(seed=7, symmetry="rotational-180")
    make(spec, 12)                     # one puzzle with its solution
    for made in puzzles(spec): ...     # number 0, 1, 2, ... without end

A random full grid loses its clues, orbit by orbit in a random order, for as long as its solution stays the only one.
So every puzzle has one solution, and loses it with any further orbit; without symmetry an orbit is one cell, and no
clue can be spared.
"""

from engine.generating.making import Made, Spec, Unique, make, puzzles
from engine.generating.symmetry import SYMMETRIES, Symmetry, orbits

__all__ = ["SYMMETRIES", "Made", "Spec", "Symmetry", "Unique", "make", "orbits", "puzzles"]
