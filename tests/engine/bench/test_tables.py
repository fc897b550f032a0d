"""Tables: which trials count where, and the meaning of each entry."""

from __future__ import annotations

import pytest
from msgspec import structs

from engine.bench import tables
from engine.bench.columns import STATUSES, Columns, gather
from engine.bench.experiment import Experiment
from engine.bench.report import words
from engine.bench.trial import Result
from tests.engine.bench import made

SLOW, OTHER = made.contender(), made.contender("other", "backtrack")
WHOLE = made.experiment([SLOW, OTHER], runs=2)
# by seed, problem (easy, hard), contender (slow, other)
RESULTS = gather(made.results(WHOLE, made.solved(7), made.solved(5), made.cut(), made.REFUSED,
                              made.solved(9), made.gave_up(), made.solved(30), made.solved(2)))


def test_every_trial_is_counted_in_its_group_and_in_all() -> None:
    found = tables.comparison(WHOLE, RESULTS)
    counted = {(each.contender, each.group): (each.cell.rate.solved, each.cell.rate.n, each.cell.refused)
               for each in found.entries}
    assert counted == {(0, "easy"): (2, 2, 0), (0, "hard"): (1, 2, 0), (0, tables.ALL): (3, 4, 0),
                       (1, "easy"): (1, 2, 0), (1, "hard"): (1, 1, 1), (1, tables.ALL): (2, 3, 1)}
    assert (found.made, found.size, found.labels, found.groups) == (8, 8, ("slow", "other"), ("easy", "hard"))
    assert found.cell(1).refused == found.cell(1, "hard").refused == 1


def test_puzzles_of_the_same_name_are_counted_apart() -> None:
    entries = tables.by_puzzle(WHOLE, RESULTS)
    assert [(each.contender, each.group, each.cell.rate.solved) for each in entries] == [
        (0, "easy 1", 2), (0, "hard 1", 1), (1, "easy 1", 1), (1, "hard 1", 1)]
    problems = tuple(structs.replace(each, name="1") for each in WHOLE.problems)
    alike = tables.by_puzzle(structs.replace(WHOLE, problems=problems), RESULTS)
    assert [each.group for each in alike] == ["easy, 1", "hard, 1"] * 2
    assert [each.cell.rate for each in alike] == [each.cell.rate for each in entries]


def test_a_cell_has_statuses_times_and_errors_left() -> None:
    cell = tables.comparison(WHOLE, RESULTS).cell(0, "hard")
    assert {status: n for status, n in zip(STATUSES, cell.statuses, strict=True) if n} == {"solved": 1, "gave_up": 1}
    assert (cell.steps.median.value, cell.steps.censored, cell.steps.watched) == (30, 1, 1000)
    assert (cell.evaluations.median.value, cell.seconds.median.value) == (60, 0.25)
    assert (cell.left, cell.errors, cell.restarts) == (4, 5, 0.5)
    assert cell.took("seconds") == cell.seconds


def test_one_group_needs_no_total() -> None:
    one = made.experiment([SLOW], runs=1, groups=("easy", "easy"))
    found = tables.comparison(one, gather(made.results(one, made.solved(3), made.cut())))
    assert [each.group for each in found.entries] == ["easy"]
    assert found.cell(0) == found.cell(0, "easy")


def test_pairs_are_trials_of_the_same_puzzle_and_seed() -> None:
    compared, = tables.comparison(WHOLE, RESULTS, "steps").compared
    duel = compared.duel
    # the refused trial and its partner are in no pair; 7 : 5, 9 : gave up, 30 : 2
    assert (duel.paired, duel.pairs, duel.wins, duel.losses) == (True, 3, 1, 2)
    assert compared.p == duel.p


def test_without_common_trials_each_is_set_against_each() -> None:
    under_way = RESULTS.only([0, 1 + 4, 4])  # easy with seed 0 and 1 by slow, with seed 1 by other: gave up
    assert tables.comparison(WHOLE, under_way).compared[0].duel.pairs == 1
    apart = RESULTS.only([0, 5])
    duel = tables.comparison(WHOLE, apart).compared[0].duel
    assert (duel.paired, duel.pairs, duel.wins) == (False, 1, 1)


def test_contenders_of_one_solver_are_compared_by_steps_others_by_seconds() -> None:
    same = made.experiment([SLOW, made.contender("quick", alpha=0.5)])
    assert tables.comparison(same, gather([])).measure == "steps"
    assert tables.comparison(WHOLE, gather([])).measure == "seconds"


def test_p_is_corrected_for_all_pairs() -> None:
    many = made.experiment([made.contender(f"c{number}") for number in range(3)], runs=10)
    results = gather([(trial, made.solved(10 + trial.contender) if trial.contender < 2 else made.cut())
                      for trial in many.trials()])
    found = tables.comparison(many, results).compared
    assert [(each.first, each.second) for each in found] == [(0, 1), (0, 2), (1, 2)]
    assert all(each.p == 3 * each.duel.p == 3 * 2 / 2**20 for each in found)
    assert [each.p_solved for each in found] == [1, 6 / 2**20, 6 / 2**20]


def test_too_many_are_not_compared_each_with_each() -> None:
    many = made.experiment([made.contender(f"c{number}") for number in range(tables.MOST_COMPARED + 1)])
    assert tables.comparison(many, gather([])).compared == ()


def test_an_experiment_without_results_has_a_table() -> None:
    found = tables.comparison(WHOLE, gather([]))
    assert found.made == 0
    assert all(each.cell.rate.n == 0 and each.cell.errors is None for each in found.entries)
    assert found.compared[0].duel.superiority is None


SWEPT = made.experiment([made.contender("a", alpha=alpha, T0=T0) for alpha in (0.9, 0.99) for T0 in (1.0, 2.0, 3.0)]
                        + [OTHER], runs=1)


def swept_results(whole: Experiment) -> Columns:
    """Solved where alpha is 0.9, and by all with T0 = 2."""
    return gather([(trial, made.solved(5) if whole.contenders[trial.contender].sweep.get("alpha") == 0.9
                    or whole.contenders[trial.contender].sweep.get("T0") == 2 else made.cut())
                   for trial in whole.trials()])


def test_a_sweep_has_a_row_a_value() -> None:
    alpha, start = tables.sweeps(SWEPT, swept_results(SWEPT))
    assert (alpha.label, alpha.parameter, start.parameter) == ("a", "alpha", "T0")
    assert [(value, cell.rate.solved, cell.rate.n) for value, cell in alpha.rows] == [(0.9, 6, 6), (0.99, 2, 6)]
    assert [(value, cell.rate.solved, cell.rate.n) for value, cell in start.rows] == [(1, 2, 4), (2, 4, 4), (3, 2, 4)]


def test_a_heat_map_has_a_field_a_pair() -> None:
    found, = tables.heat_maps(SWEPT, swept_results(SWEPT))
    assert (found.label, found.x, found.y, found.xs, found.ys) == ("a", "alpha", "T0", (0.9, 0.99), (1, 2, 3))
    assert [[cell and cell.rate.solved for cell in row] for row in found.cells] == [[2, 0], [2, 2], [2, 0]]


def test_a_pair_that_the_experiment_does_not_have_is_an_empty_field() -> None:
    some = made.experiment(SWEPT.contenders[:2] + SWEPT.contenders[3:4])
    found, = tables.heat_maps(some, gather([]))
    assert [[cell is None for cell in row] for row in found.cells] == [[False, False], [False, True]]


def test_parameters_not_swept_have_no_sweep() -> None:
    assert tables.sweeps(WHOLE, RESULTS) == tables.heat_maps(WHOLE, RESULTS) == tables.phases(WHOLE, RESULTS) == ()


def test_phases_go_along_the_axis_of_the_groups() -> None:
    along = made.experiment([SLOW, OTHER], groups=("60 %", "30 %"), xs=(0.6, 0.3))
    results = gather(made.results(along, *[made.solved(7)] * 2, made.cut(), made.solved(5)))
    slow, other = tables.phases(along, results)
    assert [(x, cell.rate.solved, cell.rate.n) for x, cell in slow.points] == [(0.3, 0, 1), (0.6, 1, 1)]
    assert [(x, cell.rate.solved, cell.rate.n) for x, cell in other.points] == [(0.3, 1, 1), (0.6, 1, 1)]
    assert (other.contender, other.label) == (1, "other")
    half = made.experiment([SLOW], groups=("60 %", "easy"), xs=(0.6, None))
    assert [x for x, _ in tables.phases(half, gather([]))[0].points] == [0.6]


def test_a_contender_with_the_same_trials_for_all_seeds_is_named() -> None:
    made_ones = [made.solved(7, 0.25), made.solved(5, 0.5), made.cut(), made.gave_up(3),
                 made.solved(9, 0.25), made.solved(5, 0.75), made.cut(), made.gave_up(3)]
    found = tables.comparison(WHOLE, gather(made.results(WHOLE, *made_ones)))
    assert found.alike == (1,)
    assert words.repeats(found).startswith("The same steps, evaluations and E with every seed: other. ")


def test_runs_that_gave_up_alike_are_no_equal_repeats() -> None:
    """Attempts of a fixed length that all fail end with the same numbers, whatever the seed."""
    made_ones = [made.gave_up(2), made.gave_up(3), made.gave_up(4), made.gave_up(5)] * 2
    assert tables.comparison(WHOLE, gather(made.results(WHOLE, *made_ones))).alike == ()


@pytest.mark.parametrize(("others", "alike"), [
    ((made.cut(energy=4), made.cut(energy=6)), ()),
    ((made.cut(energy=4), made.cut(energy=4)), (0, 1)),
    ((made.cut(1000, energy=4), made.cut(1001, energy=6)), (0, 1)),
    ((made.gave_up(2), made.gave_up(3)), ()),
    ((made.gave_up(2), made.gave_up(2)), (0, 1)),
    ((made.gave_up(2), made.solved(2)), ()),
])
def test_trials_without_a_solution_that_differ_show_that_seeds_make_a_difference(
        others: tuple[Result, Result], alike: tuple[int, ...]) -> None:
    """On a puzzle of singles all seeds are alike, on another one the limit ended them with other E."""
    made_ones = [result for hard in others for result in (made.solved(5), made.solved(5), hard, hard)]
    assert tables.comparison(WHOLE, gather(made.results(WHOLE, *made_ones))).alike == alike


def test_trials_that_a_limit_ended_and_single_trials_are_no_equal_repeats() -> None:
    cut = tables.comparison(WHOLE, gather(made.results(WHOLE, *[made.cut()] * 8)))
    once = made.experiment([SLOW, OTHER], runs=1)
    single = tables.comparison(once, gather(made.results(once, *[made.solved(5)] * 4)))
    assert [(found.alike, words.repeats(found)) for found in (cut, single)] == [((), "")] * 2
    assert tables.comparison(WHOLE, RESULTS).alike == ()
