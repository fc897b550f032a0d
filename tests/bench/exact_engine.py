"""The exact engine on lists of 9x9 puzzles: against the same algorithm in C, and in puzzles a second.

The native solver that the budget was written for cannot be had here: the C reference stands in for it. Each puzzle is
solved and proved to have no second solution, and every solution is checked.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.energy import is_solution
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import batch
from tests.bench import exact_reference
from tests.bench.result import Options, Result, absent, at_least, number
from tests.bench.timing import interleaved, ratio
from tests.bench.top95 import read

PACKS = ("easy", "extreme")
"""The shipped packs used without an outside list."""
EASY, HARDEST = 1.0, 0.5
"""Times the speed of native code: budgets for easy and 17-clue puzzles, and for those called hardest."""
EASY_RATE = 200_000
PUZZLES, QUICK_PUZZLES = 20_000, 2_000
"""A list is repeated to at least this many puzzles."""


def measure(options: Options) -> Iterable[Result]:
    sources = [(path.stem, read(path)) for path in options.lists]
    if not sources:
        sources = [(f"pack {name}", [record.puzzle for record in packs.pack(name)]) for name in PACKS]
    library, compiler = exact_reference.library()
    return [result for name, puzzles in sources for result in _on(name, puzzles, (library, compiler), options)]


def _on(source: str, puzzles: list[Puzzle], reference: tuple[exact_reference.Library | None, str],
        options: Options) -> list[Result]:
    what = f"exact engine vs C ({source})"
    budget = EASY if "easy" in source or _most_have_17(puzzles) else HARDEST
    library, compiler = reference
    if library is None or not puzzles:
        why = "no such file, or no 9x9 puzzle in it: give a list with --list" if library else compiler
        return [absent(what, f"≥ {budget} ×", why)]
    rows = repeated(puzzles, QUICK_PUZZLES if options.quick else PUZZLES)
    ours, theirs = batch.solve_all(rows, 2), exact_reference.solve_all(library, rows, 2)
    right = alike(ours, theirs) and all(is_solution(puzzle, solution) for puzzle, solution
                                        in zip(puzzles, ours[0].tolist(), strict=False))
    rates = interleaved({"kernel": lambda: len(batch.solve_all(rows, 2)[1]),
                         "C": lambda: len(exact_reference.solve_all(library, rows, 2)[1])}, 5 if options.quick else 15)
    note = (f"{len(puzzles)} puzzles: kernel {number(statistics.median(rates['kernel']), '/s')}, C "
            f"{number(statistics.median(rates['C']), '/s')} ({compiler}); the solutions are "
            f"{'the same and right' if right else 'NOT the same or WRONG'}")
    results = [at_least(what, ratio(rates, "kernel", "C") if right else 0.0, budget, "×", note)]
    if "easy" in source:
        results.append(at_least(f"puzzles solved, one core ({source})", statistics.median(rates["kernel"]), EASY_RATE,
                                "/s"))
    return results


def _most_have_17(puzzles: list[Puzzle]) -> bool:
    return 2 * sum(sum(map(bool, puzzle.givens)) == 17 for puzzle in puzzles) > len(puzzles)


def repeated(puzzles: list[Puzzle], many: int) -> NDArray[np.uint8]:
    """The puzzles as rows of an array, repeated to about `n` rows."""
    rows = np.array([puzzle.givens for puzzle in puzzles], np.uint8)
    return np.concatenate([rows] * max(1, many // len(rows)))


def alike(ours: tuple[NDArray[np.uint8], NDArray[np.int32]], theirs: tuple[NDArray[np.uint8], NDArray[np.int64]],
          ) -> bool:
    """Whether both find the same counts and the same first solutions."""
    solved = ours[1] > 0
    return bool((ours[1] == theirs[1]).all() and (ours[0][solved] == theirs[0][solved]).all())
