"""Every solver makes the same events and states as when `golden.json` was written (see `tests.engine.golden`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine import registry
from engine.events import Event
from engine.solver import AnySolver
from engine.solvers.exact.backtrack_mrv import BacktrackMrv, MrvParams, MrvState
from tests.engine import golden

KEPT = golden.read()
LEFT = ("anneal-reheat", "anneal-reheat-adaptive", "anneal-linear", "anneal-lewis", "hill-climb", "ga-rows",
        "ga-ordered", "ga-memetic", "swarm-adaptive", "swarm-velocity", "swarm-anneal")
"""Solvers that are left to the sweep: they share the loop of another one."""


@pytest.mark.parametrize("name", [pytest.param(each, marks=pytest.mark.sweep) if each in LEFT else each
                                  for each in KEPT])
def test_golden(name: str) -> None:
    solver = _present(name)
    now = golden.entry_of(solver)
    assert golden.complaint(solver, KEPT[name], now) is None
    for preset, runs in now.presets.items():
        for puzzle, digests in runs.items():
            state = None if digests is None else digests.state
            assert golden.advanced(solver, preset, puzzle) == state, f"advance: preset {preset}, puzzle {puzzle}"


def test_every_solver_that_can_be_re_executed_is_in_the_file() -> None:
    assert list(KEPT) == golden.covered()


class Changed(BacktrackMrv):
    """The events of the first step come twice."""

    def steps(self, state: MrvState, params: MrvParams) -> Iterator[tuple[Event, ...]]:
        steps = super().steps(state, params)
        yield next(steps) * 2
        yield from steps


class Raised(Changed):
    trajectory = Changed.trajectory + 1


def test_a_changed_trajectory_has_to_be_raised() -> None:
    said = _complaint(Changed())
    assert said.startswith("backtrack-mrv has other events (preset degree, puzzle easy) than in golden.json")
    assert f"raise `trajectory` to {Raised.trajectory}" in said


def test_a_raised_trajectory_has_to_be_renewed() -> None:
    said = _complaint(Raised())
    assert said == (f"backtrack-mrv has trajectory {Raised.trajectory}, golden.json has its trajectory "
                    f"{Changed.trajectory}: renew it with: python -m tests.engine.golden backtrack-mrv")


def test_renewing_named_presets_keeps_the_digests_of_all_others(monkeypatch: pytest.MonkeyPatch,
                                                                tmp_path: Path) -> None:
    file = tmp_path / "golden.json"
    file.write_bytes(golden.FILE.read_bytes())
    monkeypatch.setattr(golden, "FILE", file)
    monkeypatch.setattr(golden.registry, "solver", lambda name: Raised())
    monkeypatch.setattr(golden, "covered", lambda: ["backtrack-mrv"])
    [first, *others] = Raised.presets
    [refused] = golden.renew([f"backtrack-mrv:{first}"])
    assert refused.startswith(f"backtrack-mrv has other events (preset {others[0]}, puzzle easy) than in golden.json")
    assert refused.endswith(f"and only {first} may change: its entry is kept")
    assert golden.read(file)["backtrack-mrv"] == KEPT["backtrack-mrv"]
    assert golden.renew([f"backtrack-mrv:{each}" for each in Raised.presets]) == []
    assert golden.read(file)["backtrack-mrv"].trajectory == Raised.trajectory


def test_a_new_preset_and_a_new_solver_have_to_be_added() -> None:
    solver = _present("backtrack-mrv")
    kept = KEPT[solver.name]
    fewer = msgspec.structs.replace(kept, presets=dict(list(kept.presets.items())[1:]))
    for before, begins in ((fewer, "golden.json has other presets"), (None, "backtrack-mrv is not in golden.json")):
        said = golden.complaint(solver, before, kept)
        assert said is not None
        assert said.startswith(begins)


def _complaint(solver: AnySolver) -> str:
    said = golden.complaint(solver, KEPT[solver.name], golden.entry_of(solver))
    assert said is not None
    return said


def _present(name: str) -> AnySolver:
    solver = registry.solver(name)
    if why := solver.missing():
        pytest.skip(why)
    return solver
