"""Parameters that all genetic algorithms declare alike, and what they go back to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from engine.params import About, Meta
from engine.solvers.population.genetic.chromosome import MOST

HOLLAND = "J. H. Holland: Adaptation in Natural and Artificial Systems. University of Michigan Press, 1975"
MANTERE = "T. Mantere, J. Koljonen: Solving, rating and generating sudoku puzzles with GA. IEEE CEC, 2007"

Size = Annotated[int, Meta(ge=2, le=MOST), About("individuals", "how many there are in a generation", "N", live=False)]
Most = Annotated[int, Meta(ge=2, le=MOST), About("individuals", "the population never doubles beyond so many")]
Selection = Annotated[Literal["neighbours", "tournament"], About(
    "", "who are parents: the 1st and 2nd in order of fitness, the 3rd and 4th and so on, two children a pair; or, for "
        "each child, twice the best of some drawn at random", live=False)]
Rivals = Annotated[int, Meta(ge=1, le=64), About("individuals", "drawn for a tournament; 1: anybody is a parent")]
CrossRate = Annotated[float, Meta(ge=0, le=1), About(
    "", "probability that parents are crossed; else a pair of neighbours has no children, and the winner of a "
        "tournament has one alone", "p_c")]
MutationRate = Annotated[float, Meta(ge=0, le=1), About("", "probability that a gene of a child mutates", "p_m")]
Mutation = Annotated[Literal["anew", "swap"], About(
    "", "a gene that mutates is drawn anew, or two of its free cells are exchanged (a single cell: with another one of "
        "its row)", live=False)]
Elite = Annotated[int, Meta(ge=0, le=MOST), About(
    "individuals", "so many of the best parents stay at least; places that children leave go to the best parents in "
                   "any case")]
Patience = Annotated[int, Meta(ge=1, le=10**9), About(
    "generations", "so many without a better best: twice the population, all drawn anew")]


def check(params: Any) -> None:
    """Raises ValueError for values that do not fit one another."""
    if params.size > params.most:
        raise ValueError(f"size = {params.size}: expected at most {params.most}, the value of most")
    if params.elite >= params.size:
        raise ValueError(f"elite = {params.elite}: expected less than size = {params.size}, or nobody is born")
