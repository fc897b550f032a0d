"""Compiling every kernel once, before the workers of a whole run of the suite start.

Compiling takes about as long as a third of the tests. Left to the workers it would be paid again wherever two of them
need the same kernel at the same time, and tests of real terminals would wait for it.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from engine import registry, solutions
from engine.compiled import cache

COUNTER = "exact"
"""Counts solutions; no solver."""
SLOWEST = ("anneal", "swarm", COUNTER, "belief", "ac3", "ga", "norvig")
"""Compiled first, each by one process, so that all processes end at about the same time."""
KEPT = "sudoku/kernels"
"""The keys in pytest's cache: the directory that was filled, and its number of files then."""


def compile_once(config: pytest.Config, processes: int) -> None:
    """Fill the cache of kernels, unless the last run filled the same directory and nothing was removed since."""
    places = cache.find_directories()
    if places.own is None or config.cache is None:
        return
    folder, files = config.cache.get(KEPT, ("", 0))
    if folder == str(places.own) and files <= _files(places.own):
        return
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line("compiling kernels")
    names = sorted(_families(), key=lambda name: SLOWEST.index(name) if name in SLOWEST else len(SLOWEST))
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_compile, names))
    config.cache.set(KEPT, (str(places.own), _files(places.own)))


def _families() -> set[str]:
    """First words of the solvers' names: those that share one share kernels."""
    return {COUNTER, *(name.partition("-")[0] for name in registry.names())}


def _compile(family: str) -> None:
    """Compile what a family of solvers needs, in a process of the pool."""
    if family == COUNTER:
        solutions.warm_up()
    for name in registry.names():
        solver = registry.solver(name)
        if name.partition("-")[0] == family and solver.missing() is None:
            solver.warm_up()


def _files(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.nbi"))
