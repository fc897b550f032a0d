"""The snapshot builder on a population: board, panel, numbers and sentence are of the same step at every tempo."""

from __future__ import annotations

import pytest

from engine import registry
from engine.energy import conflicts, row_state_energy
from engine.events import LocalMinimum
from engine.puzzles import packs
from engine.run.run import Run
from engine.view import population_in
from tests.engine.strangers.toy_population import SOLVER, ToyParams
from tests.tui.small import PUZZLE
from tui.playback.commands import Pace
from tui.playback.loading import pending_run
from tui.playback.snapshot import RunState, Snapshot, decisive, headline
from tui.playback.snapshots import SnapshotBuilder
from tui.requests import AppRequest, NewRun

FLAT_OUT = float("inf")
SIZE = 12
FRAME = 0.1


class Watched:
    """A run, and a snapshot builder whose clock advances by a frame at each look."""

    def __init__(self) -> None:
        self.now, self.speed = 100.0, FLAT_OUT
        with registry.lent(SOLVER):
            snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", SOLVER.name, {"size": SIZE}, 7), "max")).snapshot
            self.run = Run.start(SOLVER.name, PUZZLE, ToyParams(size=SIZE), seed=7)
        self.builder = SnapshotBuilder(lambda: self.now, snapshot)

    def look(self, steps: int, state: RunState = "RUNNING") -> Snapshot:
        self.now += FRAME
        self.run.advance(steps)
        return self.builder.take(self.run, state, self.speed)


@pytest.fixture
def watched() -> Watched:
    found = Watched()
    found.look(1)
    return found


@pytest.mark.sweep
def test_a_fast_run_shows_the_best_individual_of_the_step_in_the_counter(watched: Watched) -> None:
    for _frame in range(20):
        snapshot = watched.look(2 * SIZE)
        shown = population_in(snapshot.view.panel)
        assert shown is not None
        of_the_step = population_in(watched.run.view().panel)
        assert of_the_step is not None
        assert shown.energies == of_the_step.energies
        best = shown.energies.index(min(shown.energies))
        assert snapshot.view.grid == tuple(watched.run.state.genes[best].tolist())
        assert snapshot.readout.gauges == watched.run.view().gauges


def test_a_fast_run_shows_the_best_individual_where_several_share_an_entry_too() -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "ga-ordered", {"size": 3_000}, 7), "max")).snapshot
    run = Run.start("ga-ordered", PUZZLE, snapshot.params, seed=7)
    run.advance(50)
    shown = population_in(SnapshotBuilder(lambda: 100.0, snapshot).take(run, "RUNNING", FLAT_OUT).view.panel)
    assert shown is not None
    assert shown.each > 1
    assert shown.current_energy == min(energy for energy, _number in shown.counts)


def test_it_is_the_step_of_the_playhead_once_it_pauses_or_somebody_is_opened(watched: Watched) -> None:
    watched.look(2 * SIZE)
    assert watched.look(2 * SIZE, "PAUSED").view == watched.run.view()
    watched.look(2 * SIZE)
    watched.run.advance(2 * SIZE)
    watched.builder.opened = watched.run, watched.run.playhead, 3
    assert watched.look(0).view.grid == tuple(watched.run.state.genes[3].tolist())


def test_one_that_can_be_followed_changes_at_each_look(watched: Watched) -> None:
    shown = [watched.look(SIZE) for _frame in range(4)]
    assert len({id(snapshot.view) for snapshot in shown}) == 4


def test_another_run_is_not_shown_with_the_board_of_the_one_before(watched: Watched) -> None:
    before = watched.look(2 * SIZE)
    with registry.lent(SOLVER):
        watched.run = Run.start(SOLVER.name, PUZZLE, ToyParams(size=SIZE), seed=8)
    after = watched.look(before.playhead + 2 * SIZE)
    assert after.view.grid != before.view.grid


def test_a_run_that_gives_up_on_a_worse_grid_shows_the_one_that_it_returns() -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "hill-climb", {"restarts": 4}, 7), "max")).snapshot
    run = Run.start("hill-climb", PUZZLE, snapshot.params, seed=7)
    run.advance(10**6)
    outcome = run.outcome
    assert outcome is not None
    assert outcome.energy < run.state.energy
    end = SnapshotBuilder(lambda: 100.0, snapshot).take(run, "PAUSED", FLAT_OUT)
    assert end.returns
    assert end.view.grid == outcome.grid
    assert set(end.view.marks["conflict"]) == set(conflicts(PUZZLE, outcome.grid))
    assert next(gauge.text for gauge in end.view.gauges if gauge.label == "E") == str(outcome.energy)
    sentence = headline(end.events, end.sentences, end.returns)
    assert sentence is not None
    assert sentence.badge == "GAVE UP"
    assert f"best E = {outcome.energy}" in sentence.text
    run.step_back()
    assert not SnapshotBuilder(lambda: 100.0, snapshot).take(run, "PAUSED", FLAT_OUT).returns


def test_an_exact_search_that_gives_up_says_that_its_board_is_not_that_of_the_last_step() -> None:
    opened = NewRun(PUZZLE, "hard 1", "backtrack-mrv", {"max_steps": 300}, 7)
    snapshot = pending_run(AppRequest(opened, "max")).snapshot
    run = Run.start("backtrack-mrv", PUZZLE, snapshot.params, seed=7)
    run.advance(10**6)
    end = SnapshotBuilder(lambda: 100.0, snapshot).take(run, "PAUSED", FLAT_OUT)
    assert end.returns
    assert end.view.grid.count(0) < end.sample[0], "the gauges are those of the last step"
    assert end.readout.because is not None
    assert end.readout.because.text.endswith("the other panes show the last state.")


def test_wrong_beliefs_are_marked_on_the_grid_that_a_run_returns() -> None:
    """The board of the last step has the beliefs above one half, and the run returns a grid without empty cells."""
    puzzle = packs.find("hard:50").puzzle
    snapshot = pending_run(AppRequest(NewRun(puzzle, "hard 50", "belief", {}, 7), "max")).snapshot
    run = Run.start("belief", puzzle, snapshot.params, seed=7)
    run.advance(10**6)
    step = run.view()
    end = SnapshotBuilder(lambda: 100.0, snapshot).take(run, "PAUSED", FLAT_OUT)
    assert end.returns
    assert end.view.grid != step.grid
    same = [cell for cell in step.marks["core"] if end.view.grid[cell] == step.grid[cell]]
    assert same
    assert end.view.marks["core"] == tuple(same)
    assert "beliefs above 0.9 are wrong" in end.readout.because.text


@pytest.mark.parametrize(("name", "steps"), [("anneal-propagate", 50), ("swarm", 50)])
def test_a_run_that_gives_up_on_another_grid_as_good_as_the_best_shows_the_best(name: str, steps: int) -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", name, {"max_steps": steps}, 7), "max")).snapshot
    run = Run.start(name, PUZZLE, snapshot.params, seed=7)
    run.advance(10**3)
    outcome = run.outcome
    assert outcome is not None
    assert (outcome.energy, outcome.status) == (run.state.energy, "gave_up")
    assert outcome.grid != run.view().grid
    end = SnapshotBuilder(lambda: 100.0, snapshot).take(run, "PAUSED", FLAT_OUT)
    assert end.returns
    assert end.view.grid == outcome.grid
    assert "moved" not in end.view.marks
    assert next(gauge.text for gauge in end.view.gauges if gauge.label == "E") == str(outcome.energy)
    population = population_in(end.view.panel)
    if population is not None:
        assert population.current is not None
        assert population.energies[population.current] == outcome.energy


def test_the_best_grid_of_an_earlier_swarm_is_that_of_no_particle() -> None:
    given = {"size": 20, "epochs": 20, "attempts": 5}
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "swarm-velocity", given, 7), "max")).snapshot
    run = Run.start("swarm-velocity", PUZZLE, snapshot.params, seed=7)
    run.advance(10**6)
    assert run.outcome is not None
    last = population_in(run.view().panel)
    assert last is not None
    assert run.outcome.energy < min(last.energies)
    end = SnapshotBuilder(lambda: 100.0, snapshot).take(run, "PAUSED", FLAT_OUT)
    shown = population_in(end.view.panel)
    assert end.returns
    assert end.view.grid == run.outcome.grid
    assert shown is not None
    assert (shown.current, shown.energies) == (None, last.energies)


def test_the_step_of_the_last_single_says_that_the_other_cells_are_filled_at_random() -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "anneal-propagate", {}, 7), "max")).snapshot
    run = Run.start("anneal-propagate", PUZZLE, snapshot.params, seed=7)
    builder = SnapshotBuilder(lambda: 100.0, snapshot)
    while 0 in run.state.grid:
        run.advance(1)
    shown = builder.take(run, "PAUSED", 1.0)
    single, filled = shown.events
    assert headline(shown.events, shown.sentences) == shown.sentences[1]
    assert "cells are filled at random" in shown.sentences[1].text
    assert (shown.readout.line, single.line) == ("fill", "single")
    assert shown.readout.because == run.solver.because(filled, run.state, run.params)


def test_the_reason_is_that_of_the_step_where_it_can_be_read(watched: Watched) -> None:
    watched.speed = 2.0
    for _frame in range(3):
        shown = watched.look(1)
        event = decisive(shown.events)
        assert event is not None
        assert shown.readout.because == SOLVER.because(event, watched.run.state, watched.run.params)


def test_the_reason_of_a_watched_run_is_that_of_the_step_in_the_counter(watched: Watched) -> None:
    watched.speed = 20.0
    for _frame in range(20):
        shown = watched.look(2)
        event = decisive(shown.events)
        assert event is not None
        assert shown.tempo == "watch"
        assert shown.readout.because == SOLVER.because(event, watched.run.state, watched.run.params)


@pytest.mark.parametrize("local", [True, False])
def test_the_log_of_a_run_that_is_watched_has_its_step_unless_the_line_is_slow(watched: Watched, local: bool) -> None:
    watched.speed = 10.0
    watched.builder.pace(Pace(10.0, log=local))
    steps = []
    for _frame in range(12):
        shown = watched.look(1)
        assert shown.tempo == "watch"
        steps.append((shown.readout.log[0].step if shown.readout.log else 0, watched.run.playhead))
        assert shown.readout.log_waits is (0 < steps[-1][0] < watched.run.playhead)
    assert all(shown == now for shown, now in steps) is local


def test_a_climb_that_restarts_is_shown_in_the_local_minimum_of_its_verdict() -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "hill-climb", {"restarts": 4}, 7), "max")).snapshot
    run = Run.start("hill-climb", PUZZLE, snapshot.params, seed=7)
    builder = SnapshotBuilder(lambda: 100.0, snapshot)
    for attempt in range(1, 5):
        step = run.find("restart", 1, limit=10**6)
        assert step is not None
        run.seek(step)
        shown = builder.take(run, "PAUSED", FLAT_OUT)
        minimum = next(event for event in shown.events if isinstance(event, LocalMinimum))
        values = {gauge.label: gauge.text for gauge in shown.readout.gauges}
        assert row_state_energy(PUZZLE, shown.view.grid) == minimum.energy
        assert (values["E"], values["attempt"]) == (str(minimum.energy), f"{attempt}/5")
        assert values["stuck"].replace(" ", "") == str(shown.params.patience)
        assert shown.readout.live["restart"] == f"{attempt}/5"
        assert shown.view.marks["moved"]
        assert shown.sample[0] == minimum.energy
        assert run.state.energy != minimum.energy
        run.advance(1)
        after = builder.take(run, "PAUSED", FLAT_OUT)
        assert {gauge.label: gauge.text for gauge in after.readout.gauges}["attempt"] == f"{attempt + 1}/5"


def test_a_fast_run_has_a_summary_in_place_of_a_reason(watched: Watched) -> None:
    shown = watched.look(2 * SIZE)
    assert shown.readout.because is None
    assert shown.readout.summary is not None


def test_the_summary_gives_the_measured_rate_where_it_is_not_the_speed(watched: Watched) -> None:
    watched.speed = 100.0
    for steps, rate in ((10, "100 steps/s"), (3, "30 steps/s"), (50, "500 steps/s")):
        summary = watched.look(steps).readout.summary
        assert summary is not None
        assert summary.text.startswith(rate), "as on the way to a step that g names, which takes no notice of the speed"


def test_the_summary_has_the_mean_energy_of_a_population_without_the_range_of_single_ones(watched: Watched) -> None:
    for _frame in range(20):
        summary = watched.look(2 * SIZE).readout.summary
        assert summary is not None
        assert "mean E " in summary.text
        assert "…" not in summary.text


def test_the_mean_energy_of_a_summary_has_the_form_of_its_gauge() -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "swarm-velocity", {"size": 2}, 7), "max")).snapshot
    run, whole = Run.start("swarm-velocity", PUZZLE, snapshot.params, seed=7), 0
    builder = SnapshotBuilder(lambda: 100.0, snapshot)
    for _frame in range(20):
        run.advance(3)
        shown = builder.take(run, "RUNNING", FLAT_OUT)
        mean = next(gauge.text for gauge in shown.readout.gauges if gauge.label == "mean")
        assert shown.readout.summary is not None
        assert f"mean E {mean} " in shown.readout.summary.text.replace("  ", " ")
        whole += shown.sample[0].is_integer()
    assert whole


def test_the_end_of_a_long_run_is_marked_at_its_step_and_not_at_that_of_its_bin() -> None:
    snapshot = pending_run(AppRequest(NewRun(PUZZLE, "hard 1", "anneal", {"max_steps": 40_001}, 7), "max")).snapshot
    run = Run.start("anneal", PUZZLE, snapshot.params, seed=7)
    run.advance(10**6)
    assert run.index.stride > 1
    builder = SnapshotBuilder(lambda: 100.0, snapshot)
    assert builder.take(run, "PAUSED", FLAT_OUT).history.marks["gave_up"] == (40_001,)
    run.step_back()
    assert builder.take(run, "PAUSED", FLAT_OUT).history.marks["gave_up"] == (40_001,)
