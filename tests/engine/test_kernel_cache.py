"""A place for compiled kernels is found wherever there is one, and never in somebody else's hands."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import kernel_cache
from engine.jit import CACHE_DIRECTORY, kernel


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Directories for the shared, the user's and the temporary cache; `refused` ones cannot be written."""
    found = {name: tmp_path / name for name in ("shared", "home", "temporary")}
    for folder in found.values():
        folder.mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(found["shared"]))
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(found["home"] / name))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(found["temporary"]))
    return found


def refuse(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Let these directories be read-only, also for root."""
    real = kernel_cache._writable
    monkeypatch.setattr(kernel_cache, "_writable",
                        lambda folder: not any(folder.is_relative_to(each) for each in folders) and real(folder))


def test_a_given_directory_comes_first(places: dict[str, Path]) -> None:
    assert kernel_cache.choose() == places["shared"] / kernel_cache.fingerprint()


def test_a_process_that_is_started_shares_the_cache_of_its_parent() -> None:
    script = "from engine.jit import CACHE_DIRECTORY; print(CACHE_DIRECTORY)"
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                           cwd=Path(kernel_cache.__file__).parents[1])
    assert child.stdout.strip() == str(CACHE_DIRECTORY)


def test_a_shared_cache_that_cannot_be_written_is_copied_to_the_users_own(
        places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    warm = places["shared"] / kernel_cache.fingerprint() / "annealing_1"
    warm.mkdir(parents=True)
    (warm / "burst.nbi").write_bytes(b"index.")
    refuse(monkeypatch, places["shared"])
    chosen = kernel_cache.choose()
    assert chosen == places["home"] / "sudoku-tui" / "numba" / kernel_cache.fingerprint()
    assert (chosen / "annealing_1" / "burst.nbi").read_bytes() == b"index."


def test_without_a_home_a_private_temporary_directory_is_used(
        places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, places["shared"], places["home"])
    chosen = kernel_cache.choose()
    assert chosen is not None
    assert chosen.is_relative_to(places["temporary"])
    assert chosen.parents[1].stat().st_mode & 0o077 == 0


def test_a_temporary_directory_that_others_can_write_is_not_trusted(
        places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    planted = places["temporary"] / f"sudoku-tui-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    refuse(monkeypatch, places["shared"], places["home"])
    assert kernel_cache.choose() is None


def test_nothing_to_write_to_means_no_cache(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, *places.values())
    assert kernel_cache.choose() is None


def test_caches_of_old_versions_do_not_pile_up(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    top = places["home"] / "sudoku-tui" / "numba"
    for age in range(9):
        (top / f"old{age}").mkdir(parents=True)
        os.utime(top / f"old{age}", (1000 + age, 1000 + age))
    chosen = kernel_cache.choose()
    assert chosen is not None
    assert {folder.name for folder in top.iterdir()} == {"old6", "old7", "old8", chosen.name}


def test_another_source_has_another_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel_cache.fingerprint()
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: real(path) + b"#" * (path.name == "rng.py"))
    assert kernel_cache.fingerprint() != before


def test_a_file_that_was_cut_short_is_dropped(places: dict[str, Path]) -> None:
    chosen = kernel_cache.choose()
    assert chosen is not None
    (chosen / "module").mkdir()
    files = {"whole.nbi": b"index.", "short.nbi": b"ind", "whole.1.nbc": b"code.", "empty.nbc": b""}
    for name, content in files.items():
        (chosen / "module" / name).write_bytes(content)
    assert kernel_cache.choose() == chosen
    assert sorted(path.name for path in (chosen / "module").iterdir()) == ["whole.1.nbc", "whole.nbi"]


def test_a_kernel_that_cannot_be_kept_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def full(*given: object) -> None:
        asked.append(given)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)

    @kernel
    def twice(number: Any) -> Any:
        return number * 2

    assert twice(21) == 42
    assert len(asked) == (CACHE_DIRECTORY is not None)


def lock(folder: Path) -> None:
    """Raises BlockingIOError where another has it."""
    with (folder / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_one_process_at_a_time_writes_what_it_has_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def save(_cache: object, signature: object, _code: object) -> None:
        with pytest.raises(BlockingIOError):
            lock(tmp_path)
        written.append(signature)

    monkeypatch.setattr("engine.jit.CACHE_DIRECTORY", tmp_path)
    monkeypatch.setattr("numba.core.caching.FunctionCache.save_overload", save)

    @kernel
    def next_one(number: int) -> int:
        return number + 1

    assert next_one(1) == 2
    assert len(written) == 1
    lock(tmp_path)


def test_what_cannot_be_locked_is_written_all_the_same(tmp_path: Path) -> None:
    with kernel_cache.alone(tmp_path / "nowhere"):
        (tmp_path / "written").touch()
    assert (tmp_path / "written").exists()
