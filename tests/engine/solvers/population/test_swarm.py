"""The swarm of workers and explorers: held against an obvious version of it, step by step."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import pytest

from engine import registry
from engine import state as states
from engine.breakpoints import Stop
from engine.energy import box_state_energy, is_solution
from engine.errors import BadInput
from engine.events import Done, Event, NewBest, Restarted
from engine.events.population import FIRST, GenerationEnded, Merged, Refined, Shifted, Turned
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solvers.population.refine import Refiner
from engine.solvers.population.swarm.state import REFINE, fresh
from tests.bench.plain_swarm import Plain

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
DIAGONAL = Puzzle.from_line(".......234......", "diagonal")
ODD = {"size": 7, "workers": 0.7, "luck": 0.05, "patience": 25, "epochs": 40, "attempts": 3}
"""A small swarm in which everything happens soon."""


@pytest.mark.parametrize("draw", ["pairs", "group"])
@pytest.mark.parametrize("puzzle", [EASY, DIAGONAL], ids=["9x9", "diagonal 4x4"])
def test_a_plain_swarm_makes_the_same_steps(puzzle: Puzzle, draw: str) -> None:
    given = {**ODD, "draw": draw}
    solver = registry.solver("swarm")
    params = solver.make_params(None, given)
    state, plain = solver.init(puzzle, params, 3), Plain(puzzle, 3, given)
    for epoch in range(12):
        assert [tuple(grid) for grid in plain.grids] == [tuple(grid) for grid in state.genes.tolist()], epoch
        assert plain.ages == state.ages.tolist()
        assert plain.errors == state.energies.tolist()
        plain.epoch()
        assert solver.advance(state, params, ODD["size"] + 2).steps == ODD["size"] + 2 or state.energy == 0
        if state.energy == 0:
            break
    assert epoch > 2


def reported(name: str, values: dict[str, Any], n: int, puzzle: Puzzle = HARD) -> list[Event]:
    """The events of the first n steps, by the generator."""
    solver = registry.solver(name)
    params = solver.make_params(None, values)
    steps = solver.steps(solver.init(puzzle, params, 1), params)
    return [event for events in islice(steps, n) for event in events]


SMALL = {
    "swarm": ODD,
    "swarm-adaptive": {**ODD, "stagnation": 4, "drop": 0.2, "floor": 0.3},
    "swarm-anneal": {**ODD, "every": 6, "elite": 3, "proposals": 60, "temperature": 0.8, "epochs": 15},
    "swarm-velocity": {"size": 5, "epochs": 6, "attempts": 3, "length": 12},
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("chunk", [1, 13, 1000])
def test_the_kernel_makes_the_steps_of_the_generator_through_phases_and_attempts(name: str, chunk: int) -> None:
    solver = registry.solver(name)
    params = solver.make_params(None, SMALL[name])
    fast, slow = solver.init(HARD, params, 5), solver.init(HARD, params, 5)
    stepped, rare = solver.steps(slow, params), []
    for _ in range(600 // chunk + 1):
        rare += solver.advance(fast, params, chunk).rare
        expected = [event for events in islice(stepped, fast.step - slow.step) for event in events if event.RARE]
        assert rare[len(rare) - len(expected):] == expected
        assert states.digest(fast) == states.digest(slow)
    assert any(isinstance(event, Restarted) for event in rare)


@pytest.mark.parametrize("name", SMALL)
def test_it_gives_up_after_its_attempts_and_returns_the_best_of_all(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params(None, SMALL[name])
    state = solver.init(HARD, params, 1)
    lowest = state.energy
    while solver.outcome(state) is None:
        solver.advance(state, params, 1)
        lowest = min(lowest, state.energy)
    outcome = solver.outcome(state)
    assert (outcome.status, outcome.reason, outcome.restarts) == ("gave_up", "all 3 attempts are spent", 2)
    assert outcome.energy == box_state_energy(HARD, outcome.grid) == lowest


def test_the_events_of_a_swarm() -> None:
    events = reported("swarm", ODD, 9 * ODD["epochs"] + 1)
    turns = [event for event in events if isinstance(event, Turned)]
    assert {event.turn for event in turns} == {"improved", "luck", "refused", "fresh"}
    assert all(event.delta < 0 for event in turns if event.turn == "improved")
    assert all(event.u is not None and event.p is not None and event.u >= event.p for event in turns
               if event.turn == "refused")
    assert all(event.turn == "fresh" for event in turns if event.caste == "explorer")
    assert {event.organism for event in turns if event.caste == "explorer"} == {5, 6}
    epochs = [event for event in events if isinstance(event, GenerationEnded)]
    assert [event.number for event in epochs] == list(range(1, ODD["epochs"] + 1))
    assert [event.step for event in events if isinstance(event, Restarted)] == [9 * ODD["epochs"]]
    bests = [event for event in events if isinstance(event, NewBest)]
    assert [event.before for event in bests[1:]] == [event.energy for event in bests[:-1]]


@pytest.mark.parametrize("name", [name for name in registry.names() if name.startswith("swarm")])
def test_the_gauge_counts_epochs_as_the_event_does_and_the_program_those_of_the_attempt(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params(None, {"size": 3, "epochs": 3, "attempts": 3})
    state, seen = solver.init(HARD, params, 1), []
    for events in solver.steps(state, params):
        if isinstance(events[0], GenerationEnded):
            view = solver.view(state, params, events)
            shown = next(gauge for gauge in view.gauges if gauge.label == "epoch")
            assert shown.text == str(events[0].number)
            seen.append((events[0].number, view.live["epoch"], shown.share))
    assert [(number, live) for number, live, _share in seen[:5]] == [
        (1, "1/3"), (2, "2/3"), (3, "3/3"), (4, "1/3"), (5, "2/3")]
    assert [share for _number, _live, share in seen[:5]] == [1 / 3, 2 / 3, 1, 1 / 3, 2 / 3]
    assert "count the attempt's epochs" in [line.text for line in solver.program if line.id == "epoch"]


def test_a_merge_names_the_parent_of_each_box() -> None:
    solver = registry.solver("swarm")
    params = solver.make_params(None, ODD)
    state = solver.init(EASY, params, 2)
    before = state.genes.copy()
    merges = 0
    for events in islice(solver.steps(state, params), 90):
        for event in events:
            if isinstance(event, Merged):
                merges += 1
                first, second = event.parents
                expected = [before[first if origin == FIRST else second, cell]
                            for cell, origin in enumerate(event.mask)]
                assert state.genes[event.into].tolist() == expected
                assert event.energy == box_state_energy(EASY, expected)
                view = solver.view(state, params, events)
                assert view.grid == tuple(expected)
                assert (view.panel.parents, view.panel.replaced) == (event.parents, event.into)
        before = state.genes.copy()
    assert merges == 10


def test_workers_become_explorers_while_nothing_improves_and_work_again_when_it_does() -> None:
    shifts = [event for event in reported("swarm-adaptive", SMALL["swarm-adaptive"], 900) if isinstance(event, Shifted)]
    assert any(event.after < event.before for event in shifts)
    assert all(event.after == pytest.approx(5 / 7) for event in shifts if event.after > event.before)
    assert min(event.after for event in shifts) == pytest.approx(2 / 7)


@pytest.mark.parametrize(("name", "there"), [("swarm-adaptive", True), ("swarm", False)])
def test_a_share_of_workers_that_changes_has_a_gauge_although_all_work_at_first(name: str, there: bool) -> None:
    solver = registry.solver(name)
    params = solver.make_params(None, {"workers": 1.0})
    view = solver.view(solver.init(HARD, params, 5), params, ())
    assert ("workers" in [gauge.label for gauge in view.gauges]) is there


def test_the_step_that_shifts_workers_shows_the_epochs_that_led_to_it() -> None:
    solver = registry.solver("swarm-adaptive")
    params = solver.make_params(None, SMALL["swarm-adaptive"])
    state, seen = solver.init(HARD, params, 5), set()
    for events, _ in zip(solver.steps(state, params), range(900), strict=False):
        shifted = [event for event in events if isinstance(event, Shifted)]
        if shifted and shifted[0].after < shifted[0].before:
            seen.add(solver.view(state, params, events).live["share"])
    assert seen == {f"idle {params.stagnation}/{params.stagnation}"}


def test_workers_changed_by_hand_hold_from_the_next_new_best_of_the_attempt_on() -> None:
    values = {**SMALL["swarm-adaptive"], "workers": 1.0, "floor": 0.8, "epochs": 2000}
    run = Run.start("swarm-adaptive", HARD, registry.solver("swarm-adaptive").make_params(None, values), 1)
    run.advance(140)
    run.intervene("workers", 3 / 7)
    epochs = []
    while run.state.now["workers"] != 3:
        mark = int(run.state.now["mark"])
        run.advance(7)
        epochs.append((int(run.state.now["mark"]) < mark, int(run.state.now["workers"])))
    *before, last = epochs
    assert {fell for fell, _workers in before} == {False}
    assert {workers for _fell, workers in before} <= {7, 6}
    assert last == (True, 3)


def test_the_best_workers_are_annealed_and_never_become_worse() -> None:
    refined = [event for event in reported("swarm-anneal", SMALL["swarm-anneal"], 300) if isinstance(event, Refined)]
    assert len(refined) >= 6
    assert all(event.after <= event.before and event.proposals == 60 for event in refined)
    assert any(event.after < event.before for event in refined)


@pytest.mark.parametrize("puzzle", [EASY, DIAGONAL], ids=["packed kernel", "general kernel"])
def test_a_refinement_keeps_boxes_and_givens_and_knows_its_errors(puzzle: Puzzle) -> None:
    start = fresh(puzzle, 4, 0)
    cells = start.copy()
    found = Refiner(puzzle, 4, REFINE).refine(cells, box_state_energy(puzzle, start.tolist()), 9000, 300, 0.4)
    assert found.energy == box_state_energy(puzzle, cells.tolist()) <= box_state_energy(puzzle, start.tolist())
    assert all(sorted(cells[list(box.cells)]) == list(range(1, puzzle.n + 1)) for box in puzzle.geometry.boxes)
    assert all(given in (0, value) for given, value in zip(puzzle.givens, cells, strict=True))
    assert found.proposals <= 300


@pytest.mark.parametrize("workers", [0.0, 1.0])
def test_without_a_pair_nothing_is_merged(workers: float) -> None:
    events = reported("swarm", {**ODD, "workers": workers}, 30)
    assert not any(isinstance(event, Merged) for event in events)
    assert sum(isinstance(event, GenerationEnded) for event in events) == 3


def test_the_program_line_of_a_new_share_of_workers_names_both_ways() -> None:
    values = {**ODD, "stagnation": 2, "epochs": 400, "drop": 0.2}
    shifts = [event for event in reported("swarm-adaptive", values, 2000) if isinstance(event, Shifted)]
    lines = {line.id: line.text for line in registry.solver("swarm-adaptive").program}
    assert {event.after > event.before for event in shifts} == {True, False}
    assert all(re.search("workers: all, fewer if idle", lines[event.line]) for event in shifts)


@pytest.mark.parametrize("name", ["swarm", "swarm-adaptive", "swarm-anneal", "swarm-velocity"])
def test_the_diversity_of_a_new_attempt_is_that_of_its_swarm(name: str) -> None:
    """On a small board without a solution individuals are often the same."""
    solver = registry.solver(name)
    params = solver.make_params(None, {**SMALL[name], "size": 60, "attempts": 20})
    state = solver.init(Puzzle.from_line("12.....4..3....."), params, 1)
    found = []
    for _attempt in range(10):
        solver.advance(state, params, 10**6, Stop(frozenset({"restart"})))
        found.append(len({tuple(genes) for genes in state.genes.tolist()}) / len(state.genes))
        assert float(state.now["diversity"]) == found[-1]
    assert len(set(found)) > 1


def test_all_is_over_at_once_where_nothing_can_be_exchanged() -> None:
    solver = registry.solver("swarm")
    params = solver.make_params()
    full = Puzzle.from_line("1234341221434312")
    with pytest.raises(BadInput, match="contradict"):
        solver.init(full, params, 0)
    done = solver.init(Puzzle.from_line("123434122143432."), params, 0)
    assert solver.outcome(done).status == "solved"


@pytest.mark.sweep
def test_a_stop_on_e_halts_where_the_best_comes_down_to_it() -> None:
    solver = registry.solver("swarm")
    params = solver.make_params()
    state = solver.init(EASY, params, 0)
    slow = states.copy(state)
    found = solver.advance(state, params, 10**6, Stop(energy=12))
    assert found.reason == "stop"
    assert state.energies.min() == state.energy <= 12 < slow.energy
    assert all(slow.energy > 12 for _ in islice(solver.steps(slow, params), found.steps - 1))


def test_a_worker_that_takes_a_worse_neighbour_makes_an_uphill_move() -> None:
    solver = registry.solver("swarm")
    params = solver.make_params(None, ODD)
    assert "uphill" in solver.jumps(params)
    assert "uphill" not in solver.jumps(solver.make_params(None, {**ODD, "luck": 0.0}))
    state, worse = solver.init(EASY, params, 3), []
    for events in islice(solver.steps(states.copy(state), params), 800):
        turn = events[0]
        if isinstance(turn, Turned) and turn.caste == "worker" and turn.turn == "luck" and turn.delta > 0:
            worse.append(turn.step)
    halts = []
    while state.step < 800:
        solver.advance(state, params, 800 - state.step, Stop(frozenset({"uphill"})))
        halts.append(state.step)
    assert len(worse) > 5
    assert halts[:-1] == worse


@pytest.mark.parametrize(("preset", "expected"), [
    ("course", (200, 5000, 20)), ("conservative", (100, 2000, 5)), ("standard", (200, 3000, 10)),
    ("aggressive", (300, 5000, 20))])
def test_presets_are_those_of_the_sheets(preset: str, expected: tuple[int, int, int]) -> None:
    params = registry.solver("swarm").make_params(preset)
    assert (params.size, params.epochs, params.attempts) == expected
    assert params.draw == "group"
    assert (params.workers, params.luck, params.patience) == (0.9, 0.001, 1000)


@pytest.mark.parametrize(("name", "value", "said"), [
    ("size", 0, "size = 0"), ("workers", 1.1, "workers = 1.1"), ("luck", -0.1, "luck = -0.1")])
def test_invalid_swarms_are_refused(name: str, value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        registry.solver("swarm").make_params(None, {name: value})


@pytest.mark.sweep
@pytest.mark.parametrize("seed", [0, 1])
def test_annealed_swarms_solve_hard_puzzles(seed: int) -> None:
    solver = registry.solver("swarm-anneal")
    params = solver.make_params()
    state = solver.init(HARD, params, seed)
    last: tuple[Event, ...] = ()
    while solver.outcome(state) is None:
        last = solver.advance(state, params, 10**6).rare
    assert is_solution(HARD, solver.outcome(state).grid)
    assert isinstance(last[-1], Done)
