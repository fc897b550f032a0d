"""Turns of the swarm a second, by the kernel and in plain Python: the same epochs, the same organisms after them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from engine.params import to_dict
from engine.puzzle import Puzzle
from engine.solvers.population.swarm.swarm import SOLVERS
from tests.bench.fixtures import UNSOLVABLE
from tests.bench.plain_swarm import Plain
from tests.bench.result import Options, Result, at_least, number
from tests.bench.timing import interleaved, ratio

EPOCHS, PLAIN_EPOCHS = 2000, 4
BUDGET = 100.0


def measure(options: Options) -> Iterable[Result]:
    solver, puzzle = SOLVERS["swarm"], Puzzle.from_line(UNSOLVABLE)
    params = solver.make_params(None, {"epochs": 10**9})
    state, plain = solver.init(puzzle, params, 0), Plain(puzzle, 0, to_dict(params))
    epoch = params.size + 2

    def kernel() -> int:
        return solver.advance(state, params, EPOCHS * epoch).steps

    def python() -> int:
        for _ in range(PLAIN_EPOCHS):
            plain.epoch()
        return PLAIN_EPOCHS * epoch

    rates = interleaved({"kernel": kernel, "plain": python}, 3 if options.quick else 9)
    again = solver.init(puzzle, params, 0)
    solver.advance(again, params, plain.step)
    same = again.genes.tolist() == plain.grids
    note = (f"kernel {number(statistics.median(rates['kernel']), 'turns/s')}, plain "
            f"{number(statistics.median(rates['plain']), 'turns/s')}; after {plain.step:,} steps both hold "
            f"{'the same' if same else 'DIFFERENT'} organisms")
    return [at_least("swarm vs plain Python", ratio(rates, "kernel", "plain") if same else 0.0, BUDGET, "×", note)]
