"""Finding directories for compiled kernels: any that can be used, and none that another user could write to."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.compiled import cache, kernel


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Directories for the given, the user's and the temporary cache, and the two that an administrator may make."""
    found = {name: tmp_path / name for name in ("given", "home", "temporary", "prefix", "var")}
    for folder in found.values():
        folder.mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(found["given"]))
    monkeypatch.delenv(cache.SHARED_VARIABLE, raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(found["home"] / name))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(found["temporary"]))
    monkeypatch.setattr("sys.prefix", str(found["prefix"]))
    monkeypatch.setattr(cache, "SYSTEM_DIRECTORY", found["var"])
    return found


def refuse(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Let these directories be read-only, also for root."""
    real = cache._is_writable
    monkeypatch.setattr(cache, "_is_writable",
                        lambda folder: not any(folder.is_relative_to(each) for each in folders) and real(folder))


def warmed(top: Path) -> Path:
    """The files that a warm-up leaves below a directory."""
    folder = top / cache.fingerprint()
    (folder / "annealing_1").mkdir(parents=True)
    (folder / "annealing_1" / "burst.nbi").write_bytes(b"index.")
    return folder


def test_a_given_directory_comes_first(places: dict[str, Path]) -> None:
    assert cache.find_directories() == (places["given"] / cache.fingerprint(), ())


def test_new_directories_are_private(places: dict[str, Path]) -> None:
    own = cache.find_directories().own
    assert own is not None
    assert own.stat().st_mode & 0o077 == 0


def test_a_process_that_is_started_shares_the_cache_of_its_parent() -> None:
    script = "from engine.compiled import kernel; print(kernel.cache_directories().own)"
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                           cwd=Path(cache.__file__).parents[2])
    assert child.stdout.strip() == str(kernel.cache_directories().own)


def test_a_given_directory_that_cannot_be_written_is_read(
        places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    warm = warmed(places["given"])
    refuse(monkeypatch, places["given"])
    own = places["home"] / "sudoku-tui" / "numba" / cache.fingerprint()
    assert cache.find_directories() == (own, (warm,))
    assert list(own.iterdir()) == []


def test_caches_beside_the_installation_or_in_var_are_found(
        places: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    named = [tmp_path / "one", tmp_path / "two"]
    monkeypatch.setenv(cache.SHARED_VARIABLE, f"{named[0]}:{named[1]}")
    warm = tuple(map(warmed, (*named, cache.installation_directory(), places["var"])))
    assert cache.find_directories().shared == warm


def test_a_warm_up_compiles_everything_itself(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    warmed(places["var"])
    monkeypatch.setenv(cache.WARMUP_VARIABLE, "1")
    assert cache.find_directories().shared == ()


def test_caches_of_other_sources_are_not_read(places: dict[str, Path]) -> None:
    (places["var"] / "0123456789abcdef").mkdir()
    assert cache.find_directories().shared == ()


def test_a_child_process_reads_the_directories_of_its_parent(
        places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", dict(os.environ))
    warmed(places["given"])
    refuse(monkeypatch, places["given"])
    chosen = cache.find_directories()
    cache.export_directories(chosen)
    assert cache.find_directories() == chosen


def test_without_a_home_a_private_temporary_directory_is_used(
        places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, places["given"], places["home"])
    own = cache.find_directories().own
    assert own is not None
    assert own.is_relative_to(places["temporary"])
    assert own.parents[1].stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("mode", [0o777, 0o722, 0o1777])
def test_directories_that_others_can_write_are_not_trusted(
        mode: int, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    warm = warmed(places["var"])
    planted = places["temporary"] / f"sudoku-tui-{os.getuid()}" / "numba" / cache.fingerprint()
    planted.mkdir(parents=True)
    for each in (planted, warm):
        each.chmod(mode)
    refuse(monkeypatch, places["given"], places["home"])
    assert cache.find_directories() == (None, ())


def test_nothing_to_write_to_means_no_cache(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, *places.values())
    assert cache.find_directories() == (None, ())


def test_neither_home_nor_temporary_directory(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_given: object) -> str:
        raise RuntimeError

    def nowhere() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr("platformdirs.user_cache_dir", none)
    monkeypatch.setattr("tempfile.gettempdir", nowhere)
    assert cache.find_directories() == (None, ())


@pytest.fixture
def old(places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's directory with nine caches of other versions, old0 being the oldest."""
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    top = places["home"] / "sudoku-tui" / "numba"
    for age in range(9):
        (top / f"old{age}").mkdir(parents=True, mode=0o700)
        os.utime(top / f"old{age}", (1000 + age, 1000 + age))
    return top


def chosen_by(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(cache, "fingerprint", lambda: version)
        cache.find_directories()


def left(top: Path) -> set[str]:
    return {folder.name for folder in top.iterdir()}


def test_caches_of_old_versions_do_not_pile_up(old: Path) -> None:
    chosen = cache.find_directories().own
    assert chosen is not None
    assert left(old) == {"old6", "old7", "old8", chosen.name}


def test_few_caches_are_all_kept(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen_by("new0", monkeypatch)
    for name in ("old6", "old7"):
        (old / name).rmdir()
    chosen_by("new0", monkeypatch)
    assert left(old) == {"old8", "new0"}


def test_a_cache_that_was_used_is_kept_longer_than_one_that_was_not(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen_by("old0", monkeypatch)
    chosen_by("new", monkeypatch)
    assert left(old) == {"old0", "old7", "old8", "new"}


def test_a_cache_that_a_process_uses_is_not_removed(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "import sys; from pathlib import Path; from engine.compiled import cache\n" \
             "cache.mark_in_use(Path(sys.argv[1])); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", script, str(old / "old1")], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, cwd=Path(cache.__file__).parents[2]) as user:
        assert user.stdout is not None
        user.stdout.readline()
        os.utime(old / "old1", (1001, 1001))
        chosen_by("new0", monkeypatch)
        assert left(old) == {"old1", "old6", "old7", "old8", "new0"}
        user.communicate(b"")
    os.utime(old / "old1", (1001, 1001))
    chosen_by("new1", monkeypatch)
    assert left(old) == {"old7", "old8", "new0", "new1"}


def test_warmed_up_code_can_be_read_by_all(tmp_path: Path) -> None:
    warm = warmed(tmp_path)
    warm.chmod(0o700)
    (warm / "annealing_1" / "burst.nbi").chmod(0o660)
    cache.make_readable(warm)
    assert [path.stat().st_mode & 0o777 for path in (warm, *sorted(warm.rglob("*")))] == [0o755, 0o755, 0o644]


@pytest.mark.parametrize("source", ["rng.py", "compiled/kernel.py", "events/population.py", "solutions/stack.py"])
def test_another_source_has_another_cache(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = Path(cache.__file__).parents[1] / source
    assert changed.exists()
    before = cache.fingerprint()
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: real(path) + b"#" * (path == changed))
    assert cache.fingerprint() != before


def test_files_that_cannot_be_locked_are_still_written(tmp_path: Path) -> None:
    with cache.write_lock(tmp_path / "nowhere") as excluded:
        assert excluded


def test_a_process_that_keeps_the_lock_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "LOCK_PATIENCE", 0.0)
    with (tmp_path / "lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with cache.write_lock(tmp_path) as excluded:
            assert not excluded
    with cache.write_lock(tmp_path) as excluded:
        assert excluded
