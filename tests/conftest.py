"""Property tests try the same examples everywhere and never fail for being slow. No home directory is read or written;
only compiled kernels are in their usual place."""

from __future__ import annotations

import gc
import os
import signal
import sys
import zlib
from collections.abc import Iterator

# The suite starts Python several hundred times, and pytest rewrites all of hypothesis: keep byte code, whatever the
# environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

import pytest
from hypothesis import settings
from textual import _wait

from engine.compiled.kernel import cache_directories
from tests import kernels

gc.disable()  # until all tests are collected: none of what is made until then can be freed

settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")


def pytest_xdist_auto_num_workers() -> int:
    """Two workers a processor: the tests of screens and processes wait for half of their time."""
    return 2 * len(os.sched_getaffinity(0))


@pytest.hookimpl(tryfirst=True)  # before -m chooses by the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`sweep(keep=k)` leaves k cases of a test, evenly spread, without the mark. With SUDOKU_TUI_TEST_PART=k/n keep the
    k-th of n parts of the cases, k from 1: .ci/run sweeps in parts."""
    cases: dict[tuple[str, int], list[pytest.Item]] = {}
    for item in items:
        marks = list(item.iter_markers("sweep"))
        if marks and all("keep" in mark.kwargs for mark in marks):
            cases.setdefault((item.nodeid.partition("[")[0], marks[0].kwargs["keep"]), []).append(item)
    for (_, keep), swept in cases.items():
        for item in {swept[k * len(swept) // keep] for k in range(keep)}:
            item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "sweep"]
    part, _, parts = os.environ.get("SUDOKU_TUI_TEST_PART", "").partition("/")
    if parts:
        part_of = {item: zlib.crc32(item.nodeid.encode()) % int(parts) + 1 for item in items}
        config.hook.pytest_deselected(items=[item for item in items if part_of[item] != int(part)])
        items[:] = [item for item in items if part_of[item] == int(part)]


def pytest_collection_finish() -> None:
    gc.enable()
    gc.freeze()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile kernels before the workers of a whole run start."""
    config, option = session.config, session.config.option
    workers = getattr(option, "numprocesses", None)  # None in a worker, and without xdist
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not option.keyword and not option.lf
    if workers and whole and not option.collectonly:
        kernels.compile_once(config, workers)


@pytest.fixture(autouse=True, scope="session")
def _empty_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The home and XDG directories are empty temporary ones; the cache of compiled kernels stays where it is."""
    cache_directories()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_PICTURES_DIR"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(autouse=True, scope="session")
def _short_idle_wait() -> Iterator[None]:
    """Textual's pilot looks after every key, twice and every 20 ms, whether the processor is idle, for up to a second:
    a run that plays is never idle. What a test waits for it polls for (`tests.tui.until`)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_wait, "SLEEP_GRANULARITY", 0.004)
        patch.setattr(_wait, "SLEEP_IDLE", 0.002)
        patch.setattr(_wait.wait_for_idle, "__defaults__", (0.004, 0.2))
        yield


@pytest.fixture(autouse=True, scope="session")
def _interrupts_enabled() -> None:
    """A shell starts background jobs with SIGINT ignored, and every program that is tested would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
