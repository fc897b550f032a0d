"""The state of the bench: rows and their order, selection, charts, sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from engine.bench.tables import ALL
from engine.run.run import Run
from tests.tui.experiments import MAP, TINY, invented_results
from tests.tui.small import PUZZLE, SMALL
from tui import messages
from tui.playback.loading import energy_channel, worst_step
from tui.screens.bench.state import SORTS, BenchState, Filter, sort_value, table_rows, trials_of


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> BenchState:
    found = BenchState([MAP])
    assert found.accept(invented_results(tmp_path_factory.mktemp("map"), MAP))
    return found


def test_each_solver_on_each_group_or_on_all_together(state: BenchState) -> None:
    comparison = state.results.comparison  # type: ignore[union-attr]
    each = table_rows(comparison, Filter())
    assert [(line.contender, line.group) for line in each[:4]] == [(0, "easy"), (0, "hard"), (1, "easy"), (1, "hard")]
    together = table_rows(comparison, Filter("together"))
    assert [line.group for line in together] == [ALL] * 7
    assert all(line.cell.rate.n == 12 for line in together)
    assert {line.group for line in table_rows(comparison, Filter("group", "hard"))} == {"hard"}
    solver = table_rows(comparison, Filter("solver", "backtrack-mrv"))
    assert [line.group for line in solver] == ["easy", "hard", ALL]


@pytest.mark.parametrize("by", SORTS)
def test_rows_are_sorted_best_first_and_in_reverse(state: BenchState, by) -> None:
    comparison = state.results.comparison  # type: ignore[union-attr]
    lines = table_rows(comparison, Filter(), by)
    values = [sort_value(line, by, comparison.measure) for line in lines]
    assert values == sorted(values)
    assert table_rows(comparison, Filter(), by, reverse=True) == lines[::-1]
    assert len(lines) == 14


def test_an_unknown_median_sorts_last(state: BenchState) -> None:
    comparison = state.results.comparison  # type: ignore[union-attr]
    medians = [line.cell.took(comparison.measure).median.value for line in table_rows(comparison, Filter(), "time")]
    seen = [value for value in medians if value is not None]
    assert medians == sorted(seen) + [None] * (len(medians) - len(seen))
    assert None in medians


def test_the_selected_row_stays_selected_in_any_order(state: BenchState) -> None:
    state.select(3)
    before = state.row
    assert before is not None
    for _ in SORTS:
        state.next_sort()
        assert state.row == before
    state.reverse_order()
    assert state.row == before
    state.set_filter(Filter("together"))
    after = state.row
    assert after is not None
    assert (after.contender, after.group) == (before.contender, ALL)
    state.set_filter(Filter())
    state.move(-1000)
    assert state.index(state.rows) == 0
    state.move(1000)
    assert state.index(state.rows) == 13


def test_the_filters_are_all_groups_and_solvers(state: BenchState) -> None:
    assert [each.kind for each in state.filters()] == ["each", "together", "group", "group", *["solver"] * 7]


def test_the_map_is_transposed_with_its_best_cell(state: BenchState) -> None:
    found = state.map
    assert found is not None
    assert (found.x, found.y, len(found.xs), len(found.ys)) == ("T0", "alpha", 3, 2)
    best = found.best
    assert best is not None
    state.axis_turns = 1
    turned = state.map
    assert turned is not None
    assert (turned.x, turned.xs) == ("alpha", found.ys)
    assert turned.best == best[::-1]
    assert turned.transposed() == found
    state.axis_turns = 0


def test_the_charts_rotate(state: BenchState) -> None:
    assert state.charts == ("map", "times", "convergence")
    state.chart_turns = -1
    assert state.charts == ("convergence", "map", "times")
    state.chart_turns = 0


def test_the_worst_run_of_a_row_comes_first(state: BenchState) -> None:
    found = state.results
    assert found is not None
    for line in table_rows(found.comparison, Filter()):
        places = trials_of(found.columns, MAP, line)
        assert len(places) == line.cell.rate.n
        assert {int(found.columns.contender[place]) for place in places} == {line.contender}
        left = [int(found.columns.energy[place]) for place in places]
        assert left == sorted(left, reverse=True)
        solved = [int(found.columns.steps[place]) for place in places if found.columns.solved[place]]
        assert solved == sorted(solved, reverse=True)


def test_results_of_another_part_are_not_accepted(state: BenchState, tmp_path: Path) -> None:
    two = BenchState([TINY, MAP])
    first = invented_results(tmp_path, TINY)
    assert two.accept(first)
    assert not two.accept(first)
    two.next_part(1)
    assert two.results is None
    assert two.query.part == 1
    assert not two.accept(first)



def test_the_worst_moment_is_the_highest_energy_after_the_first_tenth() -> None:
    run = Run.start(SMALL, PUZZLE, SMALL.make_params(None, {"length": 900}))
    run.advance(900)
    energies = [run.state_at(step).energy for step in range(901)]
    assert worst_step(run) == max(range(90, 901), key=lambda step: energies[step])
    assert energies[worst_step(run)] < max(energies)


def test_the_worst_moment_of_a_population_is_that_of_the_mean_that_the_chart_draws() -> None:
    run = Run.start("swarm", PUZZLE, registry.solver("swarm").make_params(None, {"size": 20}), 7)
    run.advance(900)
    run.seek(worst_step(run))
    said = messages.worst(run, energy_channel(run)).text
    mean = next(gauge.text for gauge in run.view().gauges if gauge.label == "mean")
    assert f"mean E {mean}, the chart's highest" in said


def test_a_run_of_no_steps_has_its_worst_moment_at_its_beginning() -> None:
    assert worst_step(Run.start(SMALL, PUZZLE)) == 0
