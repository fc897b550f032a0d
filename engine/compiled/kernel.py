"""The `kernel` decorator: functions that numba compiles when they are first called.

Importing a module with kernels does not import numba. `@njit(cache=True)` raises where no cache can be written (a
read-only install), so directories are chosen here; where there are none, kernels are compiled at each start.
Random words are those of `engine.rng`, in compiled form.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from engine.compiled import cache
from engine.compiled.cache import Places
from engine.rng import GAMMA, STEP_SHIFT

F = TypeVar("F", bound=Callable[..., Any])

_choosing = threading.Lock()


@functools.cache
def _chosen() -> Places:
    found = cache.choose()
    cache.hand_on(found)
    if found.own is not None:
        cache.hold(found.own)
    return found


def places() -> Places:
    """The cache directories of this process, chosen at the first call and handed on to the processes it starts."""
    with _choosing:
        return _chosen()


class Kernel:
    """A Python function and its compiled form, which is made at the first call, or when a kernel that calls it is
    compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        made = self._compiled
        return (self.compiled if made is None else made)(*arguments)

    @property
    def compiled(self) -> Any:
        """numba's dispatcher of the function, made once however many threads ask."""
        if self._compiled is None:
            chosen = places()
            os.environ.pop("NUMBA_DISABLE_JIT", None)  # uncompiled, words of 64 bits would not wrap round but warn
            import numba
            from numba.core.compiler_lock import global_compiler_lock

            from engine.compiled.cache import KernelFiles

            # A thread that compiles holds numba's lock while it asks for the kernels that are called: a second lock
            # would let two threads wait for each other.
            with global_compiler_lock:
                if self._compiled is None:
                    made: Any = numba.njit(nogil=True, error_model="numpy")(self.py_func)
                    if any(chosen):
                        made._cache = KernelFiles(self.py_func, *chosen)
                    self._compiled = made
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """The type by which numba knows the function where another kernel names it."""
        return self.compiled._numba_type_

    @property
    def signatures(self) -> list[Any]:
        """The types of the arguments for which it is compiled so far."""
        return [] if self._compiled is None else list(self._compiled.signatures)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickled and copied as the global that it is; a local kernel through its function (numba's cache pickles
        what a kernel encloses)."""
        name = self.py_func.__qualname__
        return (Kernel, (self.py_func,)) if "<locals>" in name else name

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__module__}.{self.py_func.__qualname__}>"


def kernel(function: F) -> F:
    """Compile with numba when it is first needed: no Python objects, the interpreter lock released, cached on disk
    where that is possible."""
    return cast(F, Kernel(function))


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
