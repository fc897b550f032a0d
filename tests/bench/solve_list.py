"""A long list from the command line, `solve --fast`: reading, solving, checking and writing, against the kernel alone.

The list is the easy pack again and again. What the program takes to start and to load its kernels is measured with a
list of one puzzle and taken off; it stands in the note.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.puzzles import packs
from engine.solutions import batch
from tests.bench.exact_engine import repeated
from tests.bench.result import Options, Result, at_least, number
from tests.bench.timing import rate

PUZZLES, QUICK_PUZZLES = 400_000, 100_000
REPEATS, QUICK_REPEATS = 7, 3
RATE = 50_000
SHARE = 0.1
"""Of the speed of the kernel alone."""
LAYOUTS = ("line", "jsonl")


def measure(options: Options) -> Iterable[Result]:
    puzzles = [record.puzzle for record in packs.pack("easy")]
    rows = repeated(puzzles, QUICK_PUZZLES if options.quick else PUZZLES)
    with tempfile.TemporaryDirectory() as folder:
        one, many = Path(folder) / "one.txt", Path(folder) / "many.txt"
        one.write_text(puzzles[0].line + "\n")
        many.write_text("".join(puzzle.line + "\n" for puzzle in puzzles) * (len(rows) // len(puzzles)))
        _seconds(one, "line")  # compiles missing kernels
        return [result for layout in LAYOUTS for result in _of(layout, one, many, rows, options)]


def _of(layout: str, one: Path, many: Path, rows: NDArray[np.uint8], options: Options) -> list[Result]:
    starts, rates, ratios = [], [], []
    for _ in range(QUICK_REPEATS if options.quick else REPEATS):
        kernel = rate(lambda: len(batch.solve_all(rows)[1]))
        start = _seconds(one, layout)
        rates.append(len(rows) / (_seconds(many, layout) - start))
        ratios.append(rates[-1] / kernel)
        starts.append(start)
    whole = statistics.median(starts) + len(rows) / statistics.median(rates)
    note = (f"{len(rows)} puzzles in {whole:.2f} s, of which {statistics.median(starts):.2f} s to start "
            f"({number(len(rows) / whole, '/s')} with that)")
    return [at_least(f"solve --fast --format {layout}", statistics.median(rates), RATE, "/s", note),
            at_least(f"solve --fast --format {layout} vs kernel", statistics.median(ratios), SHARE, "×")]


def _seconds(path: Path, layout: str) -> float:
    """Wall time of the program on a list, what it writes being thrown away."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "tui", "solve", str(path), "--fast", "--format", layout],
                   stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun
