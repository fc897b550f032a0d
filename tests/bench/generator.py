"""Single events for the screen: proposals decoded in bulk, raw and as event objects."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from engine.puzzle import Puzzle
from engine.solvers.annealing import replay
from engine.solvers.annealing.anneal import SOLVER
from tests.bench.fixtures import UNSOLVABLE
from tests.bench.result import Options, Result, at_least
from tests.bench.timing import interleaved

RAW, OBJECTS = 2_000_000, 200_000
WINDOW = 4096


def measure(options: Options) -> Iterable[Result]:
    solver = SOLVER
    params = solver.make_params()
    puzzle = Puzzle.from_line(UNSOLVABLE)
    state = solver.init(puzzle, params, 1)
    config = solver.config(state, params)

    def raw() -> int:
        made = 0
        while made < RAW:
            made += len(replay.window(state, config, WINDOW).proposals)
        return made

    def objects() -> int:
        return sum(len(events) for events in solver.events(state, params, OBJECTS))

    rates = interleaved({"raw": raw, "objects": objects}, 3 if options.quick else 9)
    return [
        at_least("decoded events: raw records", statistics.median(rates["raw"]), 1e6, "/s"),
        at_least("decoded events: objects", statistics.median(rates["objects"]), 2e5, "/s"),
    ]
