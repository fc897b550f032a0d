"""The bench killed with -9 at any moment, and gone on with by the same command: what is lost, what is made twice.

A command is begun on a folder of its own, killed after a random time, and begun again, until
it comes to its end by itself. Then every trial must have one row, and the result of an undisturbed run.
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.bench.result import Options, Result, at_most

KILLS, QUICK_KILLS = 50, 5
SOLVERS, RUNS = "anneal:easy,backtrack,hill-climb", 60


def measure(options: Options) -> Iterable[Result]:
    wrong, kills, commands = killed_again_and_again(QUICK_KILLS if options.quick else KILLS, random.Random(7))
    yield at_most(f"trials lost or doubled after {kills} kill -9", wrong, 0, "",
                  f"{commands} commands; every result is that of an undisturbed run")


def arguments(folder: Path, runs: int = RUNS) -> list[str]:
    """The command line of the experiment that is killed."""
    return [sys.executable, "-m", "tui", "bench", "--solvers", SOLVERS, "--packs", "easy:1,easy:2,hard:1", "--runs",
            str(runs), "--max-steps", "300000", "--jobs", "2", "--out", str(folder)]


def killed_again_and_again(kills: int, moments: random.Random) -> tuple[int, int, int]:
    """(trials lost, doubled or different; kills; commands)."""
    done = commands = wrong = 0
    with tempfile.TemporaryDirectory() as top:
        whole(Path(top) / "compiling")
        began = time.perf_counter()
        expected = whole(Path(top) / "undisturbed")
        longest = time.perf_counter() - began
        while done < kills:
            folder = Path(top) / f"folder-{commands}"
            while True:
                commands += 1
                if not killed(folder, moments.uniform(0.0, longest)):
                    break
                done += 1
            wrong += differing(expected, rows(folder))
    return wrong, done, commands


def whole(folder: Path) -> dict[str, Any]:
    """The rows of an undisturbed run."""
    subprocess.run(arguments(folder), check=True, capture_output=True)
    return rows(folder)


def killed(folder: Path, seconds: float) -> bool:
    """Start the command and kill it after the given seconds; False if it ended before."""
    process = subprocess.Popen(arguments(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    assert process.returncode == 0, process.returncode
    return False


def rows(folder: Path) -> dict[str, Any]:
    """The result of each trial, by its key, without machine-dependent fields."""
    with sqlite3.connect(folder / "results.sqlite") as store:
        found = store.execute("select key, label, problem, seed, status, energy, steps, evaluations, grid, curve "
                              "from results").fetchall()
    assert len({row[0] for row in found}) == len(found)
    return {row[0]: row[1:] for row in found}


def differing(expected: dict[str, Any], found: dict[str, Any]) -> int:
    """Trials that are lost, strange, or have another result."""
    return sum(expected.get(key) != found.get(key) for key in expected.keys() | found.keys())
