"""A refinement as a run of its own makes the proposals of its step, and ends with the individual that the step made."""

from __future__ import annotations

from typing import Any

import pytest

from engine import registry
from engine.energy import box_state_energy
from engine.events import Cooled, Done, SwapJudged
from engine.events.population import Refined
from engine.puzzle import Puzzle
from engine.run.run import Run

HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
DIAGONAL = Puzzle.from_line(".5613.74.....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72..",
                            "diagonal")
CASES: list[tuple[str, dict[str, Any]]] = [
    ("ga-memetic", {"size": 8, "elite": 2, "proposals": 300}),
    ("ga-memetic", {"size": 8, "elite": 2, "proposals": 300, "temperature": 2.0}),
    ("swarm-anneal", {"size": 12, "every": 3, "elite": 4, "proposals": 700}),
    ("swarm-anneal", {"size": 12, "every": 3, "elite": 4, "proposals": 700, "cooling": "constant"}),
]


def refined_steps(name: str, values: dict[str, Any], puzzle: Puzzle, n: int = 12) -> list[tuple[Run, Refined]]:
    """The same run at its first steps with a refinement, and the event of each."""
    solver, found = registry.solver(name), []
    step = 0
    for _ in range(n):
        run = Run.start(solver, puzzle, solver.make_params(None, values), 5)
        run.advance(step)
        following = run.find("refined", +1, limit=5000)
        if following is None:  # solved
            break
        run.seek(step := following)
        found.append((run, next(event for event in run.events if isinstance(event, Refined))))
    return found


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("puzzle", [HARD, DIAGONAL], ids=["hard", "diagonal"])
@pytest.mark.parametrize(("name", "values"), CASES)
def test_the_inner_run_ends_with_the_individual_that_the_step_made(name: str, values: dict[str, Any],
                                                                    puzzle: Puzzle) -> None:
    changed = 0
    for run, event in refined_steps(name, values, puzzle):
        inner = run.inner_run()
        assert inner is not None
        found = Run.start(inner.solver, puzzle, inner.params, inner.seed)
        assert found.state.energy == event.before == box_state_energy(puzzle, found.state.grid)
        assert found.recorded == 0
        while not found.at_end:
            found.advance(64)
        grid, energy = found.best()
        assert (found.recorded, energy) == (event.proposals, event.after)
        assert int(found.state.now["total_accepted"]) == event.accepted
        child = run.solver.view_of(run.state, run.params, run.events, inner.individual)
        assert inner.individual == event.individual
        assert grid == child.grid
        changed += event.after < event.before
    assert changed > 3


def test_every_proposal_of_a_refinement_is_a_step_that_can_be_played_back() -> None:
    run, event = refined_steps(*CASES[0], HARD, 1)[0]
    inner = run.inner_run()
    assert inner is not None
    found = Run.start(inner.solver, HARD, inner.params, inner.seed)
    energies = [found.state.energy]
    while not found.at_end:
        found.advance(1)
        assert isinstance(found.events[0], SwapJudged)
        assert found.events[0].temperature == event.temperature
        energies.append(found.state.energy)
    assert isinstance(found.events[-1], Done)
    for step in (0, 7, 200):
        found.seek(step)
        assert found.state.energy == energies[step]
    assert found.solver.title == f"Annealing of #{event.individual + 1}"


def test_a_step_without_a_refinement_has_no_inner_run() -> None:
    solver = registry.solver("ga-memetic")
    run = Run.start(solver, HARD, solver.make_params(None, CASES[0][1]), 5)
    assert run.inner_run() is None
    run.seek(run.find("generation", +1, limit=100) or 0)
    assert run.playhead > 0
    assert run.inner_run() is None
    solver = registry.solver("anneal")
    run = Run.start(solver, HARD, solver.make_params(), 5)
    run.advance(5)
    assert run.inner_run() is None


def test_the_swarm_cools_while_it_anneals_unless_told_not_to() -> None:
    name, values = CASES[2]
    run, event = refined_steps(name, values, HARD, 1)[0]
    assert event.temperature == 0.45
    assert event.final == pytest.approx(0.45 * 0.9975**7)
    inner = run.inner_run()
    assert inner is not None
    found = Run.start(inner.solver, HARD, inner.params, inner.seed)
    cooled = []
    while not found.at_end:
        found.advance(1)
        cooled += [each for each in found.events if isinstance(each, Cooled)]
    assert [each.after for each in cooled] == pytest.approx([0.45 * 0.9975**k for k in range(1, 8)])
    assert "T = 0.450 → 0.442" in run.solver.explain(event).text
    _, constant = refined_steps(*CASES[3], HARD, 1)[0]
    assert constant.final is None
