"""The views of the annealers: marks, gauges, values beside the program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import energy, registry
from engine.events import Cooled, Event, NotRaised, Reheated, Restarted, SwapJudged
from engine.params import describe
from engine.puzzle import Puzzle
from engine.run.run import Run
from tests.engine.solvers.annealing.boards import EASY, HARD, STUCK, first_steps, sparse

NAMES = [name for name in registry.names() if registry.solver(name).family == "annealing"]


@pytest.mark.parametrize("name", NAMES)
def test_marks_show_moved_and_conflicting_cells(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params()
    puzzle = sparse(3, "diagonal")
    state = solver.init(puzzle, params, 1)
    for events in first_steps(solver, state, params, 60):
        view = solver.view(state, params, events)
        assert view.grid == state.grid
        assert view.marks.get("conflict", ()) == energy.conflicts(puzzle, state.grid)
        if isinstance(events[0], SwapJudged):
            moved = set(events[0].cells)
            assert set(view.marks["moved"]) == moved
            peers = {other for cell in moved for other in puzzle.geometry.peers[cell]
                     if state.grid[cell] == state.grid[other]} - moved
            assert set(view.marks.get("partner", ())) == peers
    assert "moved" not in solver.view(state, params, ()).marks


@pytest.mark.parametrize(("neighbourhood", "shares"), [
    ("row-swap", lambda a, b: a // 9 == b // 9),
    ("box-swap", lambda a, b: (a // 27, a % 9 // 3) == (b // 27, b % 9 // 3)),
    ("extended", lambda a, b: a // 27 == b // 27),
])
def test_the_other_cells_of_a_move_are_within_reach(neighbourhood: str, shares: Callable[[int, int], bool]) -> None:
    solver = registry.solver("anneal")
    params = solver.make_params(None, {"neighbourhood": neighbourhood})
    state = solver.init(HARD, params, 3)
    for events in first_steps(solver, state, params, 40):
        marks = solver.view(state, params, events).marks
        moved = marks["moved"]
        assert marks["reach"] == tuple(
            cell for cell in range(81)
            if not HARD.givens[cell] and cell not in moved and any(shares(cell, other) for other in moved))


def test_a_cell_that_was_filled_in_reaches_nothing() -> None:
    solver = registry.solver("anneal-propagate")
    params = solver.make_params()
    state = solver.init(EASY, params, 3)
    for events in first_steps(solver, state, params, 80):
        marks = solver.view(state, params, events).marks
        assert ("reach" in marks) is isinstance(events[0], SwapJudged)


def test_after_a_restart_nothing_is_left_of_the_marks_of_the_old_move() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params("easy", {"moves": 1, "T_min": 0.99})
    state = solver.init(HARD, params, 3)
    seen = [(solver.view(state, params, events).marks, any(isinstance(each, Restarted) for each in events))
            for events in first_steps(solver, state, params, 60)]
    assert any(restarted for _marks, restarted in seen)
    for marks, restarted in seen:
        assert ("moved" in marks) is not restarted
        assert not restarted or not {"partner", "reach"} & marks.keys()


def test_attempts_are_shown_only_where_there_can_be_another() -> None:
    for name, values, shown in (("anneal", {"at_floor": "hold"}, False), ("anneal", {"at_floor": "restart"}, True),
                                ("anneal", {"at_floor": "restart", "restarts": 0}, False),
                                ("anneal", {"at_floor": "restart", "schedule": "constant"}, False),
                                ("anneal-reheat", {"at_floor": "hold", "max_reheats": 3}, True),
                                ("anneal-reheat", {"at_floor": "hold", "max_reheats": 0}, False),
                                ("hill-climb", {"restarts": 2}, True)):
        solver = registry.solver(name)
        params = solver.make_params(None, values)
        view = solver.view(solver.init(HARD, params, 1), params, ())
        assert any(gauge.label == "attempt" for gauge in view.gauges) is shown, (name, values)
        assert ("restart" in view.live) is shown
        assert ("restart" in solver.jumps(params)) is shown


@pytest.mark.sweep(keep=4)
@pytest.mark.parametrize("name", NAMES)
def test_programs_fit_their_pane_and_know_their_lines(name: str) -> None:
    solver = registry.solver(name)
    assert all(len(line.text) <= 30 for line in solver.program)
    assert len(solver.program) <= 14
    for preset in solver.presets:
        params = solver.make_params(preset)
        state = solver.init(HARD, params, 1)
        for events in first_steps(solver, state, params, 150):
            view = solver.view(state, params, events)
            assert set(view.live) <= {line.id for line in solver.program}
            assert all(len(gauge.label) <= 7 and len(gauge.text) <= 7 for gauge in view.gauges)


def test_gauges_and_live_values_of_a_moment() -> None:
    solver = registry.solver("anneal-reheat")
    params = solver.make_params(None, {"moves": 50})
    state = solver.init(STUCK, params, 4)
    events = list(first_steps(solver, state, params, 130))[-1]
    view = solver.view(state, params, events)
    gauges = {gauge.label: gauge for gauge in view.gauges}
    assert gauges["T"].text == "0.998"
    assert gauges["T"].role == "knob"
    assert gauges["plateau"].text == "3"
    assert gauges["plateau"].share == 0.6
    assert gauges["E"].text == str(state.energy)
    assert gauges["stuck"].text == f"{state.now['stagnation']}/50"
    assert gauges["attempt"].text == "1/6"
    assert view.live["cool"] == "30/50"
    assert view.live["delta"].lstrip("+\N{MINUS SIGN}") == str(abs(events[0].delta))
    E, best, T, share = solver.sample(state, params)
    assert (E, best, T) == (state.energy, state.now["best"], pytest.approx(0.999**2))
    assert gauges["accept"].share == share


def test_a_step_that_completes_a_plateau_belongs_to_it_in_every_number() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params(None, {"moves": 50})
    state = solver.init(HARD, params, 4)
    steps = first_steps(solver, state, params, 101)
    seen = []
    for events in steps:
        view = solver.view(state, params, events)
        gauge = next(gauge for gauge in view.gauges if gauge.label == "plateau")
        seen.append((gauge.text, gauge.share, view.live["cool"]))
        ended = next((event for event in events if isinstance(event, Cooled)), None)
        if ended is not None:
            assert gauge.text == str(ended.plateau)
    assert seen[48:51] == [("1", 0.98, "49/50"), ("1", 1.0, "50/50"), ("2", 0.02, "1/50")]
    assert seen[99:] == [("2", 1.0, "50/50"), ("3", 0.02, "1/50")]


def test_the_best_grid_is_kept_while_the_search_continues() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params()
    state = solver.init(EASY, params, 4)
    least = state.energy
    for _ in first_steps(solver, state, params, 3000):
        least = min(least, state.energy)
        grid, best = solver.best(state)
        assert best == least == energy.box_state_energy(EASY, grid)
    assert state.energy > least


def test_attempts_are_written_in_groups_of_digits() -> None:
    solver = registry.solver("anneal")
    params = solver.make_params("easy", {"restarts": 1000})
    view = solver.view(solver.init(HARD, params, 3), params, ())
    assert next(gauge.text for gauge in view.gauges if gauge.label == "attempt") == "1/1 001"
    assert view.live["restart"] == "1/1 001"


@pytest.mark.parametrize("restarts", [0, 1])
def test_fewer_restarts_by_hand_leave_no_attempt_beyond_the_last(restarts: int) -> None:
    solver = registry.solver("anneal")
    params = solver.make_params("easy", {"restarts": 9})
    state = solver.init(HARD, params, 3)
    state.now["attempt"] = 4
    params = solver.intervene(state, params, "restarts", restarts)
    [gauge] = (gauge for gauge in solver.view(state, params, ()).gauges if gauge.label == "attempt")
    assert (gauge.text, gauge.share) == ("4/4", 1.0)


def test_lewis_speaks_of_plateaus_only() -> None:
    solver = registry.solver("anneal-lewis")
    words = [solver.summary, solver.period_word, *(line.text for line in solver.program)]
    words += [each.unit for each in describe(solver.Params)]
    assert not any("chain" in each for each in words)
    assert solver.period_word == "plateau"


@pytest.mark.parametrize("preset", ["default", "steepest"])
def test_a_climb_that_solves_is_not_stuck(preset: str) -> None:
    solver = registry.solver("hill-climb")
    params = solver.make_params(preset)
    puzzle = Puzzle.from_line("34.1.2....1.2.43")
    state = solver.init(puzzle, params, 0)
    view = solver.view(state, params, ())
    for events in first_steps(solver, state, params, 50):
        view = solver.view(state, params, events)
        if events[0].delta < 0:
            assert next(gauge.text for gauge in view.gauges if gauge.label == "stuck") == view.live["stuck"] == "0"
    assert energy.conflicts(puzzle, view.grid) == ()


def test_a_completed_plateau_is_full_whatever_length_is_set_after_it() -> None:
    run = Run.start("anneal", HARD, None, 1)
    run.advance(100)
    changed = run.intervene("moves", 400)
    gauge = next(gauge for gauge in changed.view().gauges if gauge.label == "plateau")
    assert (gauge.text, gauge.share) == ("1", 1.0)


@pytest.mark.parametrize("kind", [Reheated, NotRaised])
def test_the_step_of_a_reheat_shows_the_plateaus_that_led_to_it(kind: type[Event]) -> None:
    solver = registry.solver("anneal-reheat")
    params = solver.make_params(None, {"moves": 1, "stagnation": 3, "alpha": 0.9, "max_reheats": 0})
    run = Run.start(solver, HARD, params, 1)
    while not any(isinstance(event, kind) for event in run.events):
        run.advance(1)
    view = run.view()
    gauge = next(gauge for gauge in view.gauges if gauge.label == "stuck")
    assert (gauge.text, gauge.share, view.live["reheat"]) == ("3/3", 1.0, "3/3")
    run.advance(1)
    assert run.view().live["reheat"] != "3/3"


def test_limits_changed_by_hand_show_from_the_next_step_on_in_gauges_as_in_the_program() -> None:
    solver = registry.solver("anneal-reheat")
    run = Run.start(solver, HARD, solver.make_params(None, {"moves": 1, "stagnation": 50, "restarts": 5}), 1)
    while not any(isinstance(event, Reheated) for event in run.events):
        run.advance(1)
    run = run.intervene("stagnation", 7).intervene("restarts", 2).intervene("T", 0.5)
    view = run.view()
    gauges = {gauge.label: gauge.text for gauge in view.gauges}
    assert gauges["stuck"] == view.live["reheat"] == "50/50"
    assert gauges["attempt"] == view.live["restart"] == "1/6"
    assert gauges["T"] == "0.500", "the knob shows what it was turned to"
    run.advance(1)
    view = run.view()
    gauges = {gauge.label: gauge.text for gauge in view.gauges}
    assert gauges["attempt"] == "1/3"
    assert gauges["stuck"].endswith("/7")


@pytest.mark.parametrize(("name", "values", "shown"), [
    ("tabu", {"patience": 100, "restarts": 3}, "100"),
    ("anneal-reheat", {"moves": 20, "stagnation": 3, "alpha": 0.9, "max_reheats": 2, "T_min": 1e-6}, "3/3"),
    ("anneal-reheat", {"moves": 20, "stagnation": 50, "alpha": 0.5, "T_min": 0.1}, "0/50"),
])
def test_at_a_restart_the_idle_plateaus_or_steps_are_those_that_led_to_it(
        name: str, values: dict[str, object], shown: str) -> None:
    run = Run.start(name, HARD, registry.solver(name).make_params(None, values), seed=0)
    while run.outcome is None and not any(isinstance(event, Restarted) for event in run.events):
        run.advance(1)
    view = run.view()
    assert {gauge.label: gauge.text for gauge in view.gauges}["stuck"] == shown
    assert view.live["restart" if name == "tabu" else "reheat"] == shown
