"""Compiled kernels are read from several directories and written into one; whatever is wrong with them, the kernel
works."""

from __future__ import annotations

import errno
import fcntl
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from engine.compiled import cache
from engine.compiled.numba_cache import KernelCache


def double(number: int) -> int:
    return number * 2


def twice(number: int) -> int:
    return number * 2


def compiled(own: Path | None, *shared: Path, function: Callable[..., Any] = double) -> Any:
    """The function as numba has it, with its files there."""
    made = numba.njit(function)
    made._cache = KernelCache(function, own, shared)
    assert made(21) == 42
    return made


def loaded(made: Any) -> bool:
    """True if it came from a file."""
    return sum(made.stats.cache_hits.values()) == 1


def files(folder: Path, kind: str) -> list[Path]:
    return sorted(folder.rglob(f"*.{kind}"))


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    """A directory where it was compiled into."""
    assert not loaded(compiled(tmp_path / "warm"))
    return tmp_path / "warm"


def test_compiled_code_is_read(warm: Path) -> None:
    assert loaded(compiled(warm))


def test_a_kernel_runs_while_another_process_keeps_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LOCK_PATIENCE", 0.0)
    with (tmp_path / "lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert not loaded(compiled(tmp_path))
    assert not files(tmp_path, "nbc")


def test_code_compiled_by_another_user_is_read_in_place(warm: Path, tmp_path: Path) -> None:
    assert loaded(compiled(tmp_path / "own", warm))
    assert not (tmp_path / "own").exists()


def test_it_is_read_also_where_nothing_can_be_written(warm: Path) -> None:
    assert loaded(compiled(None, warm))


def test_code_missing_from_a_shared_cache_goes_into_the_own_one(warm: Path, tmp_path: Path) -> None:
    own, before = tmp_path / "own", sorted(warm.rglob("*"))
    own.mkdir()
    made = compiled(own, warm)
    assert made(0.25) == 0.5
    assert len(files(own, "nbc")) == 1
    assert sorted(warm.rglob("*")) == before


@pytest.mark.sweep(keep=4)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 3, -1])
@pytest.mark.parametrize("whose", ["own", "shared"])
def test_a_truncated_file_is_made_again(kind: str, left: int, whose: str, warm: Path, tmp_path: Path) -> None:
    (damaged,) = files(warm, kind)
    damaged.write_bytes(damaged.read_bytes()[:left])
    own = warm if whose == "own" else tmp_path / "own"
    own.mkdir(exist_ok=True)
    assert not loaded(compiled(own, warm))
    assert loaded(compiled(own))


def zeros(data: bytearray) -> None:
    data[len(data) // 2:] = bytes(len(data) - len(data) // 2)


def flipped_bit(data: bytearray) -> None:
    data[len(data) // 2] ^= 4


def garbage(data: bytearray) -> None:
    data[50:150] = random.Random(0).randbytes(100)


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [zeros, flipped_bit, garbage])
def test_a_damaged_file_is_made_again(kind: str, damage: Callable[[bytearray], None], warm: Path) -> None:
    (path,) = files(warm, kind)
    data = bytearray(path.read_bytes())
    damage(data)
    path.write_bytes(data)
    assert not loaded(compiled(warm))
    assert loaded(compiled(warm))


def swap(a: Path, b: Path) -> None:
    first, second = a.read_bytes(), b.read_bytes()
    a.write_bytes(second)
    b.write_bytes(first)


def test_files_of_two_signatures_that_changed_places_are_made_again(warm: Path) -> None:
    assert compiled(warm)(0.25) == 0.5
    swap(*files(warm, "nbc"))
    again = compiled(warm)
    assert again(0.25) == 0.5
    assert not again.stats.cache_hits


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_files_of_two_functions_that_changed_places_are_made_again(kind: str, warm: Path) -> None:
    assert compiled(warm, function=twice)(1) == 2
    swap(*files(warm, kind))
    assert not loaded(compiled(warm))
    assert not loaded(compiled(warm, function=twice))


def test_an_old_file_under_a_number_in_use_again_is_made_again(warm: Path) -> None:
    """A process that is killed between its two writes leaves a new index and an old file."""
    (index,) = files(warm, "nbi")
    (old,) = files(warm, "nbc")
    before = old.read_bytes()
    index.unlink()
    made = numba.njit(double)
    made._cache = KernelCache(double, warm, ())
    assert made(0.25) == 0.5
    old.write_bytes(before)
    made = numba.njit(double)
    made._cache = KernelCache(double, warm, ())
    assert made(0.25) == 0.5
    assert not made.stats.cache_hits


def test_code_of_another_llvm_is_compiled_again(warm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.__version__", "0.0.1")
    assert not loaded(compiled(warm))
    assert loaded(compiled(warm))


def test_code_of_another_numba_is_compiled_again(warm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.__version__", "0.0.1")
    assert not loaded(compiled(warm))
    assert loaded(compiled(warm))


def test_code_for_another_processor_is_compiled_again(warm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.codegen.CPUCodegen.magic_tuple", lambda _codegen: ("another",))
    assert not loaded(compiled(warm))
    assert loaded(compiled(warm))


@pytest.mark.parametrize("wrong", [OSError(errno.ENOSPC, "No space left on device"), ValueError("no index")])
def test_a_kernel_that_cannot_be_kept_is_compiled_all_the_same(
        wrong: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def full(*given: object) -> None:
        asked.append(given)
        raise wrong

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    assert not loaded(compiled(tmp_path))
    assert asked


def lock(folder: Path) -> None:
    """Raises BlockingIOError where another has it."""
    with (folder / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_one_process_at_a_time_writes_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def save(_files: object, key: object, _code: object) -> None:
        with pytest.raises(BlockingIOError):
            lock(tmp_path)
        written.append(key)

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", save)
    compiled(tmp_path)
    assert len(written) == 1
    lock(tmp_path)
