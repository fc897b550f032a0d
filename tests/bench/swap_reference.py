"""swap_reference.c as Python sees it."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.bench import compiler

SOURCE = Path(__file__).with_name("swap_reference.c")
PAIRS, CELLS, WORDS, THRESHOLDS = 324, 81, 10, 9


Library = ctypes.CDLL


class Reference(ctypes.Structure):
    """The struct Run of swap_reference.c."""

    _fields_ = (
        ("words", ctypes.c_uint64 * WORDS),
        ("change", ctypes.c_uint64 * PAIRS),
        ("thresholds", ctypes.c_uint64 * THRESHOLDS),
        *((name, ctypes.c_uint64) for name in ("low", "mask", "key", "pair_count")),
        *((name, ctypes.c_int64) for name in ("step", "energy", "best", "minimum", "accepted", "uphill",
                                              "plateau_accepted", "plateau_moves", "plateau_length", "plateaus")),
        *((name, ctypes.c_double) for name in ("temperature", "alpha", "floor")),
        ("first", ctypes.c_uint8 * PAIRS),
        ("second", ctypes.c_uint8 * PAIRS),
        ("cells", ctypes.c_uint8 * CELLS),
        ("best_cells", ctypes.c_uint8 * CELLS),
    )

    def set(self, values: Mapping[str, Any]) -> None:
        """Numbers and sequences, by field name; a sequence may be shorter than its field."""
        for name, value in values.items():
            field = getattr(self, name)
            if isinstance(field, ctypes.Array):
                field[: len(value)] = [int(each) for each in value]
            else:
                setattr(self, name, value)


def library() -> tuple[Library | None, str]:
    """The compiled reference or None, and a sentence on the compiler."""
    built, said = compiler.build(SOURCE)
    if built is not None:
        built.advance.restype = ctypes.c_int64
        built.advance.argtypes = (ctypes.POINTER(Reference), ctypes.c_int64)
        built.fill_thresholds.restype = None
        built.fill_thresholds.argtypes = (ctypes.POINTER(Reference),)
    return built, said
