"""The swarm of workers and explorers as one would write it at first: the kernel is held against it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from engine import rng
from engine.energy import box_state_energy
from engine.puzzle import Puzzle
from engine.solvers.population.swarm.state import ORGANISM


def swaps(puzzle: Puzzle) -> list[list[tuple[int, int]]]:
    """Every two free cells of a box, for each box that has two."""
    free = [[cell for cell in box.cells if not puzzle.givens[cell]] for box in puzzle.geometry.boxes]
    return [found for cells in free if (found := list(combinations(cells, 2)))]


def filled(puzzle: Puzzle, seed: int, who: int, step: int) -> list[int]:
    """The fresh grid of an organism: each box's missing values in random order."""
    cells, position = list(puzzle.givens), 0
    for box in puzzle.geometry.boxes:
        free = [cell for cell in box.cells if not cells[cell]]
        missing = [value for value in range(1, puzzle.n + 1) if value not in [cells[cell] for cell in box.cells]]
        values = rng.shuffled(missing, seed, ORGANISM + who, step, position)
        position += max(0, len(free) - 1)
        for cell, value in zip(free, values, strict=True):
            cells[cell] = value
    return cells


class Plain:
    """The swarm as one would write it at first."""

    def __init__(self, puzzle: Puzzle, seed: int, given: dict[str, Any]) -> None:
        self.puzzle, self.seed, self.given, self.step = puzzle, seed, given, 0
        self.workers = round(given["workers"] * given["size"])
        self.swaps = swaps(puzzle)
        self.grids = [filled(puzzle, seed, k, 0) for k in range(given["size"])]
        self.errors = [box_state_energy(puzzle, grid) for grid in self.grids]
        self.ages = [0] * given["size"]

    def replace(self, k: int, grid: list[int]) -> None:
        self.grids[k], self.errors[k] = grid, box_state_energy(self.puzzle, grid)

    def epoch(self) -> None:
        for k in range(len(self.grids)):
            self.step += 1
            self.turn(k)
        self.step += 1
        self.merge()
        self.step += 1

    def turn(self, k: int) -> None:
        if k >= self.workers:
            self.replace(k, filled(self.puzzle, self.seed, k, self.step))
            return
        word = rng.draw(self.seed, rng.MOVE, self.step)
        if self.given.get("draw") == "group":
            box = self.swaps[rng.below(word, len(self.swaps))]
            a, b = box[rng.below(rng.draw(self.seed, rng.MOVE, self.step, 1), len(box))]
        else:
            pairs = [pair for box in self.swaps for pair in box]
            a, b = pairs[rng.below(word, len(pairs))]
        neighbour = list(self.grids[k])
        neighbour[a], neighbour[b] = neighbour[b], neighbour[a]
        found = box_state_energy(self.puzzle, neighbour)
        better = found < self.errors[k]
        if better or int(rng.uniform(word) * 2**32) < int(self.given["luck"] * 2**32):
            self.grids[k], self.errors[k] = neighbour, found
            self.ages[k] = 0 if better else self.ages[k]
            return
        self.ages[k] += 1
        if self.ages[k] > self.given["patience"]:
            self.replace(k, filled(self.puzzle, self.seed, k, self.step))
            self.ages[k] = 0

    def merge(self) -> None:
        workers, everybody = range(self.workers), range(len(self.grids))
        first = min(workers, key=self.errors.__getitem__)
        second = min(everybody[self.workers:], key=self.errors.__getitem__)
        worst = max(reversed(workers), key=self.errors.__getitem__)
        merged = list(self.grids[first])
        for number, box in enumerate(self.puzzle.geometry.boxes):
            if rng.below(rng.draw(self.seed, rng.CHOICE, self.step, number), 2):
                for cell in box.cells:
                    merged[cell] = self.grids[second][cell]
        self.replace(worst, merged)
        self.ages[worst] = 0
