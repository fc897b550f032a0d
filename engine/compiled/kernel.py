"""The `kernel` decorator: functions that numba compiles at their first call; and the random words of kernels.

Importing a module with kernels does not import numba, which takes about half a second. Compiled code is cached in the
directories that `engine.compiled.cache` finds; without one, kernels are compiled in every process.
"""

from __future__ import annotations

import functools
import os
import threading
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engine.compiled import cache, memory
from engine.compiled.cache import CacheDirectories
from engine.rng import GAMMA, MIX_FACTORS, STEP_SHIFT

F = TypeVar("F", bound=Callable[..., Any])

Int: TypeAlias = int | np.int32 | np.int64
"""A signed integer of a kernel; numba computes with int64, whatever its width."""
Unsigned: TypeAlias = np.uint8 | np.uint16 | np.uint32 | np.uint64

_finding_directories = threading.Lock()


@functools.cache
def _found_directories() -> CacheDirectories:
    found = cache.find_directories()
    cache.export_directories(found)
    if found.own is not None:
        cache.mark_in_use(found.own)
    return found


def cache_directories() -> CacheDirectories:
    """The cache directories of this process and its children, found at the first call."""
    with _finding_directories:
        return _found_directories()


class Kernel:
    """A Python function and its compiled form, made at the first call or when a kernel that calls it is compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        compiled = self._compiled
        return (self.compiled if compiled is None else compiled)(*arguments)

    @property
    def compiled(self) -> Any:
        """numba's dispatcher of the function. Thread-safe: there is one, however many threads ask."""
        if self._compiled is None:
            directories = cache_directories()
            memory.require(memory.LOAD if any(directories) else memory.COMPILE, "running a solver")
            _ignore_settings()
            import numba
            from numba.core.compiler_lock import global_compiler_lock

            from engine.compiled.numba_cache import KernelCache

            # A thread that compiles holds numba's lock while it looks up the kernels that are called. With a second
            # lock of our own two threads could deadlock.
            with global_compiler_lock:
                if self._compiled is None:
                    # Not cache=True: numba raises where its one directory cannot be written (a read-only install).
                    dispatcher: Any = numba.njit(nogil=True, error_model="numpy")(self.py_func)
                    if any(directories):
                        dispatcher._cache = KernelCache(self.py_func, *directories)
                    self._compiled = dispatcher
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """The type that numba asks for when another kernel names this one."""
        return self.compiled._numba_type_

    @property
    def signatures(self) -> list[Any]:
        """The argument types for which it has been compiled."""
        return [] if self._compiled is None else list(self._compiled.signatures)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle and copy a global kernel by name, a local one through its function: numba's cache pickles the
        globals of a kernel."""
        name = self.py_func.__qualname__
        return (Kernel, (self.py_func,)) if "<locals>" in name else name

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__module__}.{self.py_func.__qualname__}>"


def _ignore_settings() -> None:
    """Ignore the settings of numba in the environment that do not fit. Call before numba is imported.

    Interpreted, 64-bit words would overflow with a warning. numba raises for a number of threads below 1, and warns of
    other values it cannot parse with a traceback; no kernel uses its threads.
    """
    for name in ("NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS"):
        os.environ.pop(name, None)
    warnings.filterwarnings("ignore", r"Environment variable 'NUMBA_\w+' is defined but", RuntimeWarning)


def kernel(function: F) -> F:
    """Compile a function with numba at its first call, without Python objects, releasing the GIL, cached on disk."""
    return cast(F, Kernel(function))


# The random words of `engine.rng` (splitmix64) for kernels. A test compares the two.

_GAMMA = np.uint64(GAMMA)
_A, _B = (np.uint64(factor) for factor in MIX_FACTORS)
_30, _27, _31, _32, _1 = (np.uint64(k) for k in (30, 27, 31, 32, 1))
_SHIFT = np.uint64(STEP_SHIFT)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def mix64(z: np.uint64) -> np.uint64:
    """The finaliser of splitmix64."""
    z = (z ^ (z >> _30)) * _A
    z = (z ^ (z >> _27)) * _B
    return z ^ (z >> _31)


mix64_array: Callable[[NDArray[np.uint64]], NDArray[np.uint64]] = cast(Kernel, mix64).py_func
"""`mix64` of every element of an array of uint64, not compiled: NumPy's arrays wrap around without a warning."""


@kernel
def word_at(key: np.uint64, step: Int | np.uint64, i: Int | np.uint64) -> np.uint64:
    """The word at position `i` of `step`, where `key` is `engine.rng.stream_key(seed, stream)` as uint64."""
    return mix64(key + _GAMMA * ((np.uint64(step) << _SHIFT) + np.uint64(i) + _1))


@kernel
def below(word: np.uint64, bound: Int | np.uint64) -> np.uint64:
    """An integer in [0, bound) from the high 32 bits of a word; bound < 2**32."""
    return ((word >> _32) * np.uint64(bound)) >> _32


@kernel
def low_bits(word: np.uint64) -> np.uint64:
    """The low 32 bits, which decide an acceptance test."""
    return word & _LOW
