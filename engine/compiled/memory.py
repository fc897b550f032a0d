"""Limits of a process's memory: refusals before numba and LLVM run into that of the address space (`ulimit -v`).

LLVM aborts the process where it cannot allocate memory, so that nothing could be reported afterwards.
"""

from __future__ import annotations

import errno
import resource
from collections.abc import Iterator

from engine.errors import NotEnoughMemory

MEGABYTE = 2**20
LOAD, SCREEN, COMPILE = 480 * MEGABYTE, 700 * MEGABYTE, 900 * MEGABYTE
"""Address space with which compiled code was seen to run, with which it was seen to run behind a screen, and with which
all solvers were seen to be compiled."""
SIGNS = ("failed to map segment", "shared object", "can't start new thread", "cannot allocate memory",
         "error return without exception set")


def limit() -> int | None:
    """The bytes of address space that this process may use; None without a limit."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def require(least: int, purpose: str) -> None:
    """Raise NotEnoughMemory if the limit is below `least` bytes."""
    allowed = limit()
    if allowed is not None and allowed < least:
        raise NotEnoughMemory(f"not enough memory: the limit is {allowed // MEGABYTE} MB (ulimit -v), and {purpose} "
                              f"takes {least // MEGABYTE} MB or more")


def ran_out(error: BaseException) -> bool:
    """True if memory ran out: by the error's type, or by its words where address space or data are limited."""
    limits = (resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    is_limited = any(soft != resource.RLIM_INFINITY for soft in limits)
    return any(isinstance(each, MemoryError) or (isinstance(each, OSError) and each.errno == errno.ENOMEM)
               or (is_limited and any(sign in str(each).lower() for sign in SIGNS))
               for each in _chain(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and those that it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
