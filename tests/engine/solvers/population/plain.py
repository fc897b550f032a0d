"""A genetic algorithm in plain Python, written to be obviously right: the oracle of the kernels, and what the bench
compares them with. The same random words, the same children, the same generations."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import energy, rng
from engine.events.population import FIRST, NEITHER, SECOND
from engine.puzzle import Puzzle
from engine.solvers.population.genetic.chromosome import CROSSING, MUTATION, PAIRING, SELECTION

Grid = list[int]


class Child(NamedTuple):
    grid: Grid
    energy: int
    parents: tuple[int, int]
    mask: list[int]
    """The origin of every cell: FIRST, SECOND, NEITHER."""
    mutated: set[int]


class Plain:
    """A run. Genes are single cells, rows or boxes."""

    def __init__(self, puzzle: Puzzle, params: Any, seed: int, genes: str) -> None:
        self.puzzle, self.params, self.seed, self.kind = puzzle, params, seed, genes
        g, n = puzzle.geometry, puzzle.n
        units = {"cells": tuple((cell,) for cell in range(n * n)), "rows": tuple(unit.cells for unit in g.rows),
                 "boxes": tuple(unit.cells for unit in g.boxes)}[genes]
        free = [[cell for cell in cells if not puzzle.givens[cell]] for cells in units]
        self.genes = [cells for cells in free if cells or genes != "cells"]
        whole = {"row": g.rows, "box": g.boxes}.get(params.crossover)
        self.blocks = [unit.cells for unit in whole] if whole else list(units)
        self.generation = 0
        self.step = 0
        self.people = self.sorted(self.filled(params.size))

    def word(self, stream: int, step: int, i: int = 0) -> int:
        return rng.draw(self.seed, stream, step, i)

    def chance(self, word: int, probability: float) -> bool:
        return word & 0xFFFFFFFF < int(probability * 2**32)

    def energy(self, grid: Grid) -> int:
        count = {"cells": energy.full_energy, "rows": energy.row_state_energy, "boxes": energy.box_state_energy}
        return count[self.kind](self.puzzle, grid)

    def sorted(self, grids: list[Grid]) -> list[tuple[int, Grid]]:
        return sorted(((self.energy(grid), grid) for grid in grids), key=lambda each: each[0])

    # A generation drawn at random

    def missing(self, gene: list[int]) -> list[int]:
        unit = next(unit for unit in (self.puzzle.geometry.boxes if self.kind == "boxes" else self.puzzle.geometry.rows)
                    if set(gene) <= set(unit.cells))
        return [v for v in range(1, self.puzzle.n + 1) if v not in {self.puzzle.givens[cell] for cell in unit.cells}]

    def filled(self, size: int) -> list[Grid]:
        return [self.individual(16 + k) for k in range(size)]

    def individual(self, stream: int) -> Grid:
        grid, position = list(self.puzzle.givens), 0
        for gene in self.genes:
            if self.kind == "cells":
                grid[gene[0]] = 1 + rng.below(self.word(stream, self.step, position), self.puzzle.n)
                position += 1
            elif gene:
                drawn = rng.shuffled(self.missing(gene), self.seed, stream, self.step, position)
                position += len(gene) - 1
                for cell, value in zip(gene, drawn, strict=True):
                    grid[cell] = value
        return grid

    # Parents

    def couples(self) -> list[tuple[int, int, int, int]]:
        """(first parent, second parent, step of birth, step of the crossover's words) of every child."""
        p, size = self.params, len(self.people)
        if p.selection == "tournament":
            return [self.tournament(self.step + 1 + k) for k in range(size - p.elite)]
        found: list[tuple[int, int, int, int]] = []
        for pair in range(size // 2):
            if self.chance(self.word(PAIRING, self.generation, pair), p.cross_rate):
                born = self.step + 1 + len(found)
                found += [(2 * pair, 2 * pair + 1, born, born), (2 * pair + 1, 2 * pair, born + 1, born)]
        return found[: size - p.elite]

    def tournament(self, born: int) -> tuple[int, int, int, int]:
        p, size = self.params, len(self.people)
        drawn = [rng.below(self.word(SELECTION, born, i), size) for i in range(2 * p.rivals)]
        a, b = min(drawn[: p.rivals]), min(drawn[p.rivals :])
        return a, b if self.chance(self.word(SELECTION, born, 2 * p.rivals), p.cross_rate) else a, born, born

    # Crossover and mutation

    def child(self, couple: tuple[int, int, int, int]) -> Child:
        first, second, born, words = couple
        a, b = self.people[first][1], self.people[second][1]
        grid, mask = (list(a), [FIRST] * len(a)) if first == second else self.cross(a, b, words)
        mutated = self.mutate(grid, born)
        return Child(grid, self.energy(grid), (first, second), mask, mutated)

    def cross(self, a: Grid, b: Grid, words: int) -> tuple[Grid, list[int]]:
        how, mask = self.params.crossover, [FIRST] * len(a)
        if how in ("pmx", "order"):
            return self.inside(a, b, words)
        cut = 1 + rng.below(self.word(CROSSING, words), len(self.blocks) - 1)
        for number, cells in enumerate(self.blocks):
            bit = self.word(CROSSING, words, number // 64) >> (number % 64) & 1
            for cell in cells:
                mask[cell] = SECOND if (number >= cut if how == "cut" else bit) else FIRST
        return [b[cell] if mask[cell] == SECOND else a[cell] for cell in range(len(a))], mask

    def inside(self, a: Grid, b: Grid, words: int) -> tuple[Grid, list[int]]:
        grid, mask = list(a), [FIRST] * len(a)
        for number, gene in enumerate(self.genes):
            word = self.word(CROSSING, words, number)
            begin, end = sorted((rng.below(word, len(gene) + 1), (word & 0xFFFFFFFF) * (len(gene) + 1) >> 32))
            make = pmx if self.params.crossover == "pmx" else order
            made = make([a[cell] for cell in gene], [b[cell] for cell in gene], begin, end)
            for place, (cell, value) in enumerate(zip(gene, made, strict=True)):
                grid[cell] = value
                mask[cell] = FIRST if begin <= place < end else SECOND if value == b[cell] else NEITHER
        return grid, mask

    def mutate(self, grid: Grid, born: int) -> set[int]:
        mutated: set[int] = set()
        for number, gene in enumerate(self.genes):
            word = self.word(MUTATION, born, number)
            if not self.chance(word, self.params.mutation_rate):
                continue
            if self.params.mutation == "swap":
                mutated |= self.swap(grid, gene, word, self.word(MUTATION, born, len(self.genes) + number))
            elif self.kind == "cells":
                grid[gene[0]] = 1 + rng.below(word, self.puzzle.n)
                mutated |= set(gene)
            else:
                mutated |= self.anew(grid, gene, born)
        return mutated

    def swap(self, grid: Grid, gene: list[int], word: int, other: int) -> set[int]:
        mates, n = gene, self.puzzle.n
        if self.kind == "cells":
            mates = [cell for [cell] in self.genes if cell // n == gene[0] // n]
        if len(mates) < 2:
            return set()
        i = mates.index(gene[0]) if self.kind == "cells" else rng.below(word, len(mates))
        j = (i + 1 + rng.below(other, len(mates) - 1)) % len(mates)
        x, y = mates[i], mates[j]
        grid[x], grid[y] = grid[y], grid[x]
        return {x, y}

    def anew(self, grid: Grid, gene: list[int], born: int) -> set[int]:
        before = sum(len(each) for each in self.genes[: self.genes.index(gene)])
        values = self.missing(gene)
        for k in range(len(values) - 1, 0, -1):
            j = rng.below(self.word(MUTATION, born, 2 * len(self.genes) + before + k), k + 1)
            values[k], values[j] = values[j], values[k]
        for cell, value in zip(gene, values, strict=True):
            grid[cell] = value
        return set(gene)

    # Generations

    def turn(self) -> list[Child]:
        """One generation: its children, in the order of their births."""
        children = [self.child(couple) for couple in self.couples()]
        left = len(self.people) - len(children)
        self.people = sorted([*self.people[:left], *((child.energy, child.grid) for child in children)],
                             key=lambda each: each[0])
        self.step += len(children) + 1
        self.generation += 1
        return children


def pmx(a: list[int], b: list[int], begin: int, end: int) -> list[int]:
    """Partially mapped crossover: a[begin:end], elsewhere the value of b, mapped until it is not in that part."""
    part = a[begin:end]
    made = list(a)
    for place in (*range(begin), *range(end, len(a))):
        value = b[place]
        while value in part:
            value = b[a.index(value)]
        made[place] = value
    return made


def order(a: list[int], b: list[int], begin: int, end: int) -> list[int]:
    """Order crossover: a[begin:end]; the places after it, round the end, take the values of b in b's order."""
    part, m = a[begin:end], len(a)
    rest = iter([value for value in (b[(end + k) % m] for k in range(m)) if value not in part])
    made = list(a)
    for k in range(m - (end - begin)):
        made[(end + k) % m] = next(rest)
    return made
