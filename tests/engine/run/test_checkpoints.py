"""Checkpoints: bounded in number and in bytes, on an even grid, also while the state grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.puzzle import Puzzle
from engine.registry import solver
from engine.run import checkpoints
from engine.run.checkpoints import Checkpoints
from engine.run.cursor import Cursor
from tests.engine.minimal_state import MinimalState


@dataclass
class Herd(MinimalState):
    members: NDArray[np.uint8]


def cursor() -> Cursor:
    state = Herd(Puzzle((0,) * 16, 2), 0, 0, np.zeros(10, np.uint8))
    return Cursor(solver("backtrack"), state, solver("backtrack").make_params())


def go(kept: Checkpoints, at: Cursor, steps: int, size: int) -> None:
    for _ in range(steps):
        assert isinstance(at.state, Herd)
        at.state.step += 1
        at.state.members = np.full(size, at.step % 251, np.uint8)
        kept.keep(at)


def check(kept: Checkpoints, end: int) -> None:
    for step in range(0, end + 1, 7):
        state, _ = kept.before(step)
        assert state.step == step // kept.stride * kept.stride


def test_they_stay_few_and_on_an_even_grid() -> None:
    at = cursor()
    kept = Checkpoints(4, at)
    go(kept, at, 20_000, 10)
    check(kept, 20_000)
    assert kept.stride == 32
    assert kept.nbytes < 1024 * 500


def test_a_state_that_grows_does_not_make_them_larger_than_they_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "MAX_BYTES", 10**6)
    at = cursor()
    kept = Checkpoints(1, at)
    for size in (10, 1000, 100_000, 400_000):
        go(kept, at, 900, size)
        assert kept.nbytes <= max(10**6, checkpoints.FEWEST * (size + 1000))
        check(kept, at.step)


def test_a_branch_counts_its_own_bytes() -> None:
    at = cursor()
    kept = Checkpoints(1, at)
    go(kept, at, 500, 1000)
    twin = kept.until(250)
    assert 0.4 * kept.nbytes < twin.nbytes < 0.6 * kept.nbytes
    check(twin, 250)
    at.state.step = 250
    go(twin, at, 300, 1000)
    check(twin, 550)
    check(kept, 500)
