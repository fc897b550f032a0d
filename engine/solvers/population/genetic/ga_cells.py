"""The plainest genetic algorithm: every free cell is a gene of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from engine.params import About, Params
from engine.solvers.annealing.parameters import Budget
from engine.solvers.population.genetic import parameters as shared
from engine.solvers.population.genetic.chromosome import Blocks, Representation
from engine.solvers.population.genetic.genetic import Genetic


class CellsParams(Params, frozen=True):
    """The course's genetic algorithm on cells."""

    size: shared.Size = 400
    most: shared.Most = 100_000
    selection: shared.Selection = "neighbours"
    rivals: shared.Rivals = 3
    crossover: Annotated[Literal["uniform", "row", "box", "cut"], About(
        "", "each cell, each row or each box from either parent, or all before a place from one and the rest from the "
            "other (genes that are no permutations cannot be crossed inside)", live=False)] = "uniform"
    cross_rate: shared.CrossRate = 0.75
    mutation: shared.Mutation = "anew"
    mutation_rate: shared.MutationRate = 0.1
    elite: shared.Elite = 0
    patience: shared.Patience = 30
    max_steps: Budget = 10**9

    def __post_init__(self) -> None:
        shared.check(self)


class GaCells(Genetic[CellsParams]):
    name = "ga-cells"
    title = "Genetic algorithm on cells"
    summary = ("Every free cell is a gene of its own; children mix two parents cell by cell, so that rows, columns and "
               "boxes must all be found. With 300 000 births it solved 7 of 29 runs on four easy puzzles, hardly any "
               "but the easiest, and none of 17 on hard ones.")
    energy_counts = "k − 1 for every value that stands k > 1 times in a row, a column or a box (or a diagonal)"
    references = (shared.HOLLAND,)
    Params = CellsParams
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {}, "gentle": {"mutation_rate": 0.01}, "tournament": {
            "selection": "tournament", "mutation_rate": 0.01, "elite": 1}}

    def representation(self, params: CellsParams) -> Representation:
        return "cells"

    def blocks(self, params: CellsParams) -> Blocks:
        return "row" if params.crossover == "row" else "box" if params.crossover == "box" else "cell"


SOLVER = GaCells()
