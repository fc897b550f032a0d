"""numba's cache of one function: read from several directories, written into one of them or into none.

numba knows one directory, which must be writable. Here what an administrator has compiled is read where it lies, and
what a user compiles besides goes into a directory of their own. Whatever is wrong with a file, the function is
compiled anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.kernel_cache import alone

caching: Any = import_module("numba.core.caching")
"""Which of it is typed depends on numba's version."""


refused: list[OSError] = []
"""Why what was compiled could not be kept, the first time."""


class _Somewhere(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]
    """A function's place below whichever directory: that of its source file."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file, self._lineno = source, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Somewhere:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return str(self.get_suitable_cache_subpath(self._py_file))

    def ensure_cache_path(self) -> None:
        """Nothing: the directory is made when there is something to write."""


class _Form(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Somewhere,)


@contextmanager
def _noting() -> Iterator[None]:
    """What cannot be written is noted, and all goes on."""
    try:
        yield
    except OSError as error:
        if not refused:
            refused.append(error)


class _Files:
    """The files of one function in all directories, in the place of numba's `IndexDataCacheFile`."""

    def __init__(self, place: str, own: Path | None, shared: Sequence[Path],
                 files: Callable[[str], Any]) -> None:
        """`files`: numba's files in a directory."""
        self._own, self._place = own, place
        self._written: Any = None if own is None else files(str(own / place))
        self._read = [*([] if self._written is None else [self._written]),
                      *(files(str(folder / place)) for folder in shared)]

    def load(self, key: Any) -> Any:
        """What was compiled for this form, by this version of numba and for this processor; None if nothing was."""
        for each in self._read:
            with suppress(Exception):  # a file that was cut short may raise anything when it is unpickled
                data = each.load(key)
                if data is not None:
                    return data
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep it, one process at a time. What is compiled is of use also where it cannot be kept: the disk may be
        full."""
        if self._own is None:
            return
        with _noting(), alone(self._own):
            os.makedirs(self._own / self._place, exist_ok=True)
            try:
                self._written.save(key, data)
            except OSError:
                raise
            except Exception:  # an index that was cut short
                self._written.flush()
                with suppress(Exception):
                    self._written.save(key, data)


class KernelFiles(caching.FunctionCache):  # type: ignore[misc]
    """What numba asks for compiled forms of a function, and gives new ones to."""

    _impl_class = _Form

    def __init__(self, function: Callable[..., Any], own: Path | None, shared: Sequence[Path]) -> None:
        super().__init__(function)
        stamp, name = self._impl.locator.get_source_stamp(), self._impl.filename_base
        self._cache_file = _Files(self._cache_path, own, shared,
                                  lambda folder: caching.IndexDataCacheFile(folder, name, stamp))
