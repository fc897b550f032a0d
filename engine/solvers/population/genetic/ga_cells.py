"""ga-cells, the simplest genetic algorithm: every free cell is a gene."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from engine.params import About
from engine.solvers.population.genetic.chromosome import Blocks, Representation
from engine.solvers.population.genetic.genetic import Genetic
from engine.solvers.population.genetic.parameters import HOLLAND, GeneticParams


class CellsParams(GeneticParams, frozen=True, kw_only=True):
    """The defaults are the course's genetic algorithm on cells."""

    crossover: Annotated[Literal["uniform", "row", "box", "cut"], About(
        "", "each cell, each row or each box from either parent, or all before a place from one and the rest from the "
            "other (genes that are no permutations cannot be crossed inside)", live=False)] = "uniform"


class GaCells(Genetic[CellsParams]):
    name = "ga-cells"
    title = "Genetic algorithm on cells"
    summary = ("Every free cell is a gene; children mix two parents cell by cell, so that rows, columns and "
               "boxes must all be found. With 300 000 births it solved 7 of 29 runs on four easy puzzles, hardly any "
               "but the easiest, and none of 17 on hard ones.")
    energy_counts = "k − 1 for every value that occurs k > 1 times in a row, a column or a box (or a diagonal)"
    references = (HOLLAND,)
    Params = CellsParams
    presets: ClassVar = {
        "default": {}, "gentle": {"mutation_rate": 0.01}, "tournament": {
            "selection": "tournament", "mutation_rate": 0.01, "elite": 1}}

    def representation(self, params: CellsParams) -> Representation:
        return "cells"

    def blocks(self, params: CellsParams) -> Blocks:
        return "row" if params.crossover == "row" else "box" if params.crossover == "box" else "cell"


SOLVER = GaCells()
