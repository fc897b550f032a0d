"""numba's cache of one function, read from several directories and written into one of them or none.

numba has one cache directory, which must be writable. Here the code that an administrator has compiled is read where
it is, and the code that a user compiles beside it goes into the user's own directory. Every file begins with a
checksum: numba passes the bits of a damaged file to LLVM, which aborts, raises or runs them. After any fault in a file
the function is compiled again.

Importing this module imports numba, so it is apart from `engine.compiled.cache`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.compiled import memory
from engine.compiled.cache import write_lock

caching: Any = import_module("numba.core.caching")
"""Any: how much of it is typed depends on numba's version."""
llvmlite: Any = import_module("llvmlite")

CHECKSUM = 16
"""Bytes of the checksum at the beginning of a file."""

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
                                  lambda directory: _CheckedFiles(directory, name, stamp))


class _CheckedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function in one directory: an index, and one file for each signature.

    The checksum includes the file's name, which has that of the function, and the versions of numba and LLVM. The code
    is stored beside the key of its signature. So neither files that have changed places nor an old file under a number
    that is in use again pass for the right one.
    """

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """The data of a key; None if there is none. Raises ValueError for a damaged file."""
        saved_key, data = super().load(key) or (key, None)
        return data if saved_key == key else None

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, names = pickle.loads(self._checked(self._index_path))
        except FileNotFoundError:
            return {}
        return names if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, self._dump((self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(self._checked(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), self._dump(data))

    def _checked(self, path: str) -> bytes:
        """The content of a file after its checksum. Raises ValueError if the two do not match."""
        with open(path, "rb") as file:
            checksum, content = file.read(CHECKSUM), file.read()
        if checksum != self._checksum(path, content):
            raise ValueError(f"{path}: wrong checksum")
        return content

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(self._checksum(path, content) + content)

    def _checksum(self, path: str, content: bytes) -> bytes:
        identity = "\0".join((os.path.basename(path), self._version, llvmlite.__version__, ""))
        digest = hashlib.blake2b(identity.encode(), digest_size=CHECKSUM)
        digest.update(content)
        return digest.digest()


class _Files:
    """The files of one function in all directories, in place of numba's `IndexDataCacheFile`."""

    def __init__(self, subdirectory: str, own: Path | None, shared: Sequence[Path],
                 files_in: Callable[[str], Any]) -> None:
        """`files_in`: the `_CheckedFiles` of a directory."""
        self._own, self._subdirectory = own, subdirectory
        self._written: Any = None if own is None else files_in(str(own / subdirectory))
        self._read = [*([] if self._written is None else [self._written]),
                      *(files_in(str(directory / subdirectory)) for directory in shared)]

    def load(self, key: Any) -> Any:
        """The code compiled for a signature by this version of numba and for this processor; None if there is none, so
        that it is compiled. Raises NotEnoughMemory if there is too little for that."""
        for each in self._read:
            with suppress(Exception):  # a damaged file, or one that cannot be read
                data = each.load(key)
                if data is not None:
                    return data
        memory.require(memory.COMPILE, "compiling a solver")
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
            except Exception:  # a damaged index
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
