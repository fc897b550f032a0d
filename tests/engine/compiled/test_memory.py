"""A limit on the address space ends in one sentence, before numba and LLVM run into it."""

from __future__ import annotations

import errno
import resource
import subprocess

import pytest

from engine.compiled import memory
from engine.errors import NotEnoughMemory
from tests.cli.conftest import ROOT, command, environment
from tests.patience import PATIENCE
from tui import messages


def limited(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(memory.resource, "getrlimit", lambda kind: (limit, resource.RLIM_INFINITY))


def test_too_small_an_address_space_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, 300 * memory.MEGABYTE)
    with pytest.raises(NotEnoughMemory, match=(r"^not enough memory: the limit is 300 MB \(ulimit -v\), and running a "
                                               "solver takes 480 MB or more$")):
        memory.require(memory.LOAD, "running a solver")
    limited(monkeypatch, memory.LOAD)
    memory.require(memory.LOAD, "running a solver")
    limited(monkeypatch, resource.RLIM_INFINITY)
    memory.require(10**15, "running a solver")


@pytest.mark.parametrize(("error", "limit", "expected"), [
    (MemoryError(), resource.RLIM_INFINITY, True), (OSError(errno.ENOMEM, "no"), resource.RLIM_INFINITY, True),
    (ImportError("x.so: failed to map segment from shared object"), 10**9, True),
    (ImportError("x.so: failed to map segment from shared object"), resource.RLIM_INFINITY, False),
    (RuntimeError("can't start new thread"), 10**9, True), (ValueError("no"), 10**9, False),
])
def test_errors_are_known_by_type_or_by_their_words(monkeypatch: pytest.MonkeyPatch, error: Exception, limit: int,
                                                    expected: bool) -> None:
    limited(monkeypatch, limit)
    assert memory.ran_out(error) is expected
    outer = RuntimeError("cannot import it")
    outer.__cause__ = error
    assert memory.ran_out(outer) is expected
    said = messages.internal_error(outer).text
    assert said == ("not enough memory" if expected else "RuntimeError: cannot import it")


def test_a_limit_on_data_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ulimit -d`: importing numpy then fails without an error of its own."""
    error = SystemError("error return without exception set")
    assert not memory.ran_out(error)
    monkeypatch.setattr(memory.resource, "getrlimit", lambda kind: (
        5 * 10**7 if kind == resource.RLIMIT_DATA else resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert memory.ran_out(error)


@pytest.mark.parametrize("arguments", [["solve", "easy:1"], ["check", "easy:1"], ["rate", "easy:1"],
                                       ["trace", "easy:1", "-s", "tabu", "--to", "3"]])
def test_a_command_under_a_limit_says_one_sentence(arguments: list[str]) -> None:
    allowed = 300 * memory.MEGABYTE
    done = subprocess.run(command(*arguments), capture_output=True, text=True, env=environment(), cwd=ROOT, check=False,
                          timeout=PATIENCE,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed)))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "not enough memory" in done.stderr
