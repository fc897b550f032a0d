"""The meanings of gauges and curves by their labels: the ends of sentences without the full stop.

A solver whose label counts something else says so in `Solver.glossary`, where it also explains words of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GLOSSARY: Final[Mapping[str, str]] = {
    # Searches that minimise E
    "best": "the lowest E so far",
    "T": "the temperature: at a high T worse grids are accepted often, at T = 0 never",
    "accept": "the share of proposals accepted in the last complete plateau",
    "accepted": "the share of proposals accepted in the last complete plateau",
    "plateau": "the number of this plateau, L moves, as a rule at one T; the bar is its part so far",
    "walk": "the moves of the random walk that measures how much a move changes E, to choose T₀",
    "stuck": "the plateaus in a row that did not end at a lower E, of those that trigger a reheat; at a reheat or a "
             "restart those that led to it. A reheat that leaves T as it is counts too and has a number",
    "attempt": "the number of this attempt; a restart from a new grid begins another one",
    "bans": "the share of the free cells with a ban: a value that was replaced there is banned for some steps. A move "
            "is tabu only if all values that it moves are banned where they would go",
    "filled": "the free cells filled by propagation, before annealing fills the rest",
    # Populations
    "mean": "the mean E of the population",
    "mean E": "the mean E of the population",
    "best so far": "the lowest E that any individual has had, those that are gone included",
    "worst now": "the highest E in the population at this step",
    "gen.": "the number of the generation",
    "size": "the individuals of the population",
    "births": "the children made in this generation",
    "div.": "the diversity: the share of individuals that differ from all others before them",
    "diversity": "the share of individuals that differ from all others before them",
    "workers": "the organisms that improve their grid; the others explore at random",
    "share": "the share of the organisms that are workers",
    "epoch": "the epochs that are complete, those of all attempts together; the bar is the part of this attempt, at a "
             "restart of the one that ended. In an epoch each member of the swarm has one turn",
    "own": "the lowest E that this particle has had itself in this attempt",
    "r₁": "the random factor, 0 to 1, of the pull towards the particle's own best grid, pBest",
    "r₂": "the random factor, 0 to 1, of the pull towards the best grid of all particles, gBest",
    # Exact searches
    "empty": "the cells without a value",
    "empty cells": "the cells without a value",
    "open": "the cells without a value",
    "fewest empty": "the smallest number of empty cells so far",
    "depth": "the choices that the search has made and not undone",
    "deepest": "the largest depth so far",
    "nodes": "the assignments tried",
    "dead": "the dead ends: positions in which no value fits a cell, or a value has no place in a unit",
    "guesses": "the choices that propagation could not decide",
    "cands": "the candidates left in the open cells; a cell that has none counts 1",
    "candidates": "the candidates left in the open cells; a cell that has none counts 1",
    "candidates beyond one": "the candidates that are still to be removed until each cell has one",
    "queue": "the arcs that wait to be revised",
    "decided": "the cells with a single candidate",
    "struck": "the candidates removed",
    "columns": "the columns of the exact cover that no choice covers: needs not yet met",
    "columns left": "the columns of the exact cover that no choice covers: needs not yet met",
    "fewest left": "the smallest number of uncovered columns so far",
    "choices": "the rows of the exact cover that may still be chosen",
    "covers": "the choices made, those undone included",
    "solved": "the cells with a value",
    # Z3 and CP-SAT
    "sat": "the questions that Z3 answered with SAT: there is such a grid",
    "unsat": "the questions that Z3 answered with UNSAT: there is no such grid",
    "core": "the size of the core of this question: rules and values that contradict each other, the proof of an "
            "UNSAT; – where the answer has none",
    "work": "the effort of Z3 so far, in its own units",
    "work of the question": "the effort of Z3 for the last question, in its own units",
    "level": "the decisions that Z3 has made and not undone",
    "fixed": "the literals that have a value",
    "clashed": "the conflicts that Z3 has met and learned from",
    "found": "the solutions found",
    "branch": "the branches that CP-SAT has explored",
    "branches": "the branches that CP-SAT has explored",
    "learned": "the conflicts that CP-SAT has met and learned from",
    # Belief propagation
    "errors": "the errors of the grid of strongest beliefs",
    "fewest": "the fewest errors so far",
    "fewest errors": "the fewest errors so far",
    "entropy": "how undecided the beliefs are on average: 0 is certain, 1 is no knowledge",
    "sure": "the cells with a belief above one half in one value",
    "change": "the largest change of a message in this sweep; 0 means that the beliefs have settled",
}
