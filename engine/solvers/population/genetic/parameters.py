"""The parameters of genetic algorithms, and the literature that several of them follow."""

from __future__ import annotations

from typing import Annotated, Literal

from engine.params import About, Budget, Meta, Params
from engine.solvers.population.genetic.chromosome import MOST

HOLLAND = "J. H. Holland: Adaptation in Natural and Artificial Systems. University of Michigan Press, 1975"
MANTERE = "T. Mantere, J. Koljonen: Solving, rating and generating sudoku puzzles with GA. IEEE CEC, 2007"

Size = Annotated[int, Meta(ge=2, le=MOST), About("individuals", "how many there are in a generation", "N", live=False)]
Most = Annotated[int, Meta(ge=2, le=MOST), About("individuals", "largest population that doubling can reach")]
Selection = Annotated[Literal["neighbours", "tournament"], About(
    "", "the parents: 1st and 2nd by fitness, 3rd and 4th, and so on, with two children a pair; or two tournament "
        "winners for each child", live=False)]
Rivals = Annotated[int, Meta(ge=1, le=64), About(
    "individuals", "drawn for a tournament; 1: parents are drawn uniformly", where=(("selection", ("tournament",)),))]
CrossRate = Annotated[float, Meta(ge=0, le=1), About(
    "", "probability that parents are crossed; otherwise a pair of neighbours has no children, and the winner of a "
        "tournament has one alone", "p_c")]
MutationRate = Annotated[float, Meta(ge=0, le=1), About("", "probability that a gene of a child mutates", "p_m")]
Mutation = Annotated[Literal["anew", "swap"], About(
    "", "a mutating gene is redrawn, or two of its free cells are swapped (a single cell: with another one of its row)",
    live=False)]
Elite = Annotated[int, Meta(ge=0, le=MOST), About(
    "individuals", "best parents that survive at least; places that children leave free go to the best parents in any "
                   "case")]
Patience = Annotated[int, Meta(ge=1, le=10**9), About(
    "generations", "without a new best of the population before it is doubled and redrawn")]


class BreedingParams(Params, frozen=True, kw_only=True):
    """Selection, crossover, mutation, replacement. Keyword-only, so that forms list the fields that a subclass adds
    before these."""

    selection: Selection = "neighbours"
    rivals: Rivals = 3
    crossover: str = "uniform"
    """Every algorithm declares the crossovers that fit its genes."""
    cross_rate: CrossRate = 0.75
    mutation: Mutation = "anew"
    mutation_rate: MutationRate = 0.1
    elite: Elite = 0
    patience: Patience = 30
    max_steps: Budget = 10**9


class GeneticParams(BreedingParams, frozen=True):
    """All parameters that genetic algorithms have in common. Raises ValueError for values that exclude each other."""

    size: Size = 400
    most: Most = MOST

    def __post_init__(self) -> None:
        if self.size > self.most:
            raise ValueError(f"size = {self.size}: expected at most {self.most}, the value of most")
        if self.elite >= self.size:
            raise ValueError(f"elite = {self.elite}: expected less than size = {self.size}, to leave room for children")
