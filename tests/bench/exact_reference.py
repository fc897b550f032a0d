"""exact_reference.c as Python sees it."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.bench import compiler

SOURCE = Path(__file__).with_name("exact_reference.c")
Library = ctypes.CDLL


def library() -> tuple[Library | None, str]:
    """The compiled reference with its tables filled, or None; and a sentence on the compiler."""
    built, said = compiler.build(SOURCE)
    if built is not None:
        built.solve_batch.restype = ctypes.c_int64
        built.solve_batch.argtypes = (ctypes.c_void_p,) * 3 + (ctypes.c_int64,) * 2
        built.fill_tables()
    return built, said


def solve_all(library: Library, puzzles: NDArray[np.uint8], limit: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The first solution of each row (zeros where there is none) and how many there are, up to the limit."""
    solutions, counts = np.zeros_like(puzzles), np.zeros(len(puzzles), np.int64)
    library.solve_batch(puzzles.ctypes.data, solutions.ctypes.data, counts.ctypes.data, len(puzzles), limit)
    return solutions, counts
