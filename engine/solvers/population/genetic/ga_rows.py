"""A genetic algorithm whose genes are rows that fit the givens."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from engine.params import About
from engine.solvers.population.genetic.chromosome import Blocks, Representation
from engine.solvers.population.genetic.genetic import Genetic
from engine.solvers.population.genetic.parameters import HOLLAND, MANTERE, GeneticParams


class RowsParams(GeneticParams, frozen=True, kw_only=True):
    """The defaults are the course's genetic algorithm on rows."""

    crossover: Annotated[Literal["uniform", "cut", "pmx", "order"], About(
        "", "each row from either parent; the rows before a place from one and the rest from the other; or inside "
            "every row by partially mapped or order crossover (boxes would tear rows apart)", live=False)] = "uniform"


class GaRows(Genetic[RowsParams]):
    name = "ga-rows"
    title = "Genetic algorithm on rows"
    summary = ("Every row is a gene, a permutation that fits its givens. With a million births it solved 7 of 17 runs "
               "on four easy puzzles and none of the few tried on hard ones.")
    energy_counts = "k − 1 for every value that occurs k > 1 times in a column or a box (or a diagonal)"
    references = (HOLLAND, MANTERE)
    Params = RowsParams
    presets: ClassVar = {
        "default": {}, "swap": {"mutation": "swap"}, "order": {"crossover": "order", "mutation": "swap"}}

    def representation(self, params: RowsParams) -> Representation:
        return "rows"

    def blocks(self, params: RowsParams) -> Blocks:
        return "row"


SOLVER = GaRows()
