"""numba's cache of one function, read from several directories and written into one of them or none.

numba has one cache directory, which must be writable. Here the code that an administrator has compiled is read where
it is, and the code that a user compiles beside it goes into the user's own directory. After any fault in a file the
function is compiled again.

Importing this module imports numba, so it is apart from `engine.compiled.cache`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.compiled.cache import write_lock

caching: Any = import_module("numba.core.caching")
"""Any: how much of it is typed depends on numba's version."""

write_errors: list[OSError] = []
"""The first error that kept compiled code from being written in this process, if any."""


class _SourceLocator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]
    """The subdirectory of a function below any cache directory: that of its source file."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file, self._lineno = source, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _SourceLocator:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return str(self.get_suitable_cache_subpath(self._py_file))

    def ensure_cache_path(self) -> None:
        """Do nothing: the directory is made when there is code to write."""


class _CacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_SourceLocator,)


class KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """The cache that a dispatcher asks for compiled forms of its function and gives new ones to."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any], own: Path | None, shared: Sequence[Path]) -> None:
        super().__init__(function)
        stamp, name = self._impl.locator.get_source_stamp(), self._impl.filename_base
        self._cache_file = _Files(self._cache_path, own, shared,
                                  lambda directory: caching.IndexDataCacheFile(directory, name, stamp))


class _Files:
    """The files of one function in all directories, in place of numba's `IndexDataCacheFile`."""

    def __init__(self, subdirectory: str, own: Path | None, shared: Sequence[Path],
                 files_in: Callable[[str], Any]) -> None:
        """`files_in`: numba's `IndexDataCacheFile` of a directory."""
        self._own, self._subdirectory = own, subdirectory
        self._written: Any = None if own is None else files_in(str(own / subdirectory))
        self._read = [*([] if self._written is None else [self._written]),
                      *(files_in(str(directory / subdirectory)) for directory in shared)]

    def load(self, key: Any) -> Any:
        """The code compiled for a signature by this version of numba and for this processor; None if there is none."""
        for each in self._read:
            with suppress(Exception):  # unpickling a truncated file may raise anything
                data = each.load(key)
                if data is not None:
                    return data
        return None

    def save(self, key: Any, data: Any) -> None:
        """Write the code, one process at a time. Code that cannot be written can still run: an error is noted, and
        where another process keeps the lock nothing is written."""
        if self._own is None:
            return
        with _noting_errors(), write_lock(self._own) as excluded:
            if not excluded:
                return
            os.makedirs(self._own / self._subdirectory, exist_ok=True)
            try:
                self._written.save(key, data)
            except OSError:
                raise
            except Exception:  # a truncated index
                self._written.flush()
                with suppress(Exception):
                    self._written.save(key, data)


@contextmanager
def _noting_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if not write_errors:
            write_errors.append(error)
