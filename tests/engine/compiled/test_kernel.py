"""Kernels are compiled when they are first needed, once however many threads ask, and are functions otherwise."""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.compiled import kernel as jit
from engine.compiled.kernel import Kernel, kernel


@kernel
def doubled(x: Any) -> Any:
    """Twice x."""
    return 2 * x


@kernel
def doubled_and_one(x: Any) -> Any:
    return doubled(x) + 1


@kernel
def countdown(x: Any) -> Any:
    return x if x <= 0 else countdown(x - 1)


@pytest.mark.sweep
def test_a_kernel_is_compiled_when_it_is_called_or_named_by_one_that_is(tmp_path: Path) -> None:
    script = ("import sys; from tests.engine.compiled.test_kernel import doubled, doubled_and_one\n"
              "print('numba' in sys.modules, doubled.signatures)\n"
              "assert doubled_and_one(3) == 7\n"
              "print('numba' in sys.modules, doubled.signatures, doubled_and_one.signatures)")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                          cwd=Path(jit.__file__).parents[2], env=environment)
    assert done.stdout.splitlines() == ["False []", "True [(int64,)] [(int64,)]"]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "value"), [
    ("NUMBA_NUM_THREADS", "0"), ("NUMBA_NUM_THREADS", "x"), ("NUMBA_OPT", "banana"), ("NUMBA_DEBUG", "x"),
])
def test_bad_settings_of_numba_are_ignored(name: str, value: str) -> None:
    script = "from tests.engine.compiled.test_kernel import doubled; print(doubled(3))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                          cwd=Path(jit.__file__).parents[2], env={**os.environ, name: value})
    assert (done.stdout, done.stderr) == ("6\n", "")


def test_a_kernel_may_call_itself() -> None:
    assert countdown(5) == 0


def test_a_kernel_looks_like_its_function() -> None:
    assert (doubled.__name__, doubled.__doc__, doubled.__module__) == ("doubled", "Twice x.", __name__)
    assert list(inspect.signature(doubled).parameters) == ["x"]
    assert inspect.getsource(doubled).startswith("@kernel\ndef doubled")
    assert doubled.py_func(4) == doubled(4) == 8  # type: ignore[attr-defined]
    assert repr(doubled) == f"<kernel {__name__}.doubled>"


def test_a_kernel_is_pickled_and_copied_as_the_global_that_it_is() -> None:
    assert pickle.loads(pickle.dumps(jit.mix64)) is jit.mix64
    assert copy.deepcopy(jit.mix64) is copy.copy(jit.mix64) is jit.mix64


@pytest.mark.parametrize("round_", range(5))
def test_threads_that_compile_at_once_share_one_compiled_form(round_: int) -> None:
    """Some begin with a kernel, some with one that calls it."""
    def inner(x: Any) -> Any:
        return x * x

    first = Kernel(inner)

    def outer(x: Any) -> Any:
        return first(x) + 1  # a closure: compiled in this test, whatever the cache holds

    second = Kernel(outer)
    together, made, answers = threading.Barrier(6), list[Any](), list[Any]()

    def work(number: int) -> None:
        together.wait()
        chosen = (first, second)[number % 2]
        answers.append(int(chosen(np.int64(5 + number))))
        made.append((number % 2, chosen.compiled))

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(answers) == [25, 37, 49, 65, 81, 101]
    assert len({id(each) for _, each in made}) == 2
