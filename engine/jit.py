"""The one door to numba: the `kernel` decorator.

`@njit(cache=True)` raises where no cache can be written (a read-only install), so directories are chosen here; where
there are none, kernels are compiled at each start.
Random words are those of `engine.rng`, in compiled form.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from engine import kernel_cache
from engine.rng import GAMMA, STEP_SHIFT

F = TypeVar("F", bound=Callable[..., Any])


PLACES = kernel_cache.choose()
CACHE_DIRECTORY = PLACES.own
kernel_cache.hand_on(PLACES)
if CACHE_DIRECTORY is not None:
    kernel_cache.hold(CACHE_DIRECTORY)
os.environ.pop("NUMBA_DISABLE_JIT", None)  # uncompiled, words of 64 bits would not wrap round but warn

import numba  # noqa: E402  (numba reads its settings when it is imported)
import numpy as np  # noqa: E402

from engine.kernel_files import KernelFiles  # noqa: E402


def kernel(function: F) -> F:
    """Compile with numba: no Python objects, the interpreter lock released, cached on disk where that is possible."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    if any(PLACES):
        compiled._cache = KernelFiles(function, *PLACES)
    return cast(F, compiled)


_GAMMA = np.uint64(GAMMA)
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32, _1 = (np.uint64(k) for k in (30, 27, 31, 32, 1))
_SHIFT = np.uint64(STEP_SHIFT)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def mix64(z: Any) -> Any:
    """The finaliser of splitmix64; uint64 in, uint64 out."""
    z = (z ^ (z >> _30)) * _A
    z = (z ^ (z >> _27)) * _B
    return z ^ (z >> _31)


@kernel
def word_at(key: Any, step: Any, i: Any) -> Any:
    """The word at position `i` of `step`, where `key` is `engine.rng.stream_key(seed, stream)` as uint64."""
    return mix64(key + _GAMMA * ((np.uint64(step) << _SHIFT) + np.uint64(i) + _1))


@kernel
def below(word: Any, bound: Any) -> Any:
    """A whole number in [0, bound) from the high 32 bits; uint64 in and out."""
    return ((word >> _32) * np.uint64(bound)) >> _32


@kernel
def low_bits(word: Any) -> Any:
    """The low 32 bits, which decide an acceptance test."""
    return word & _LOW
