"""What the bench shows and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.bench.tables import ALL
from engine.run.run import Run
from tests.tui.experiments import MAP, TINY, digested
from tests.tui.small import PUZZLE, SMALL
from tui.playback.loading import worst_step
from tui.screens.bench.runner import Standing
from tui.screens.bench.state import SORTS, Book, Filter, lines_of, sort_value, trials_of
from tui.screens.bench.text import duration, result, verdict


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    found = Book([MAP])
    assert found.take(digested(tmp_path_factory.mktemp("map"), MAP))
    return found


def test_each_solver_on_each_group_or_on_all_together(book: Book) -> None:
    comparison = book.digest.comparison  # type: ignore[union-attr]
    each = lines_of(comparison, Filter())
    assert [(line.contender, line.group) for line in each[:4]] == [(0, "easy"), (0, "hard"), (1, "easy"), (1, "hard")]
    together = lines_of(comparison, Filter("together"))
    assert [line.group for line in together] == [ALL] * 7
    assert all(line.cell.rate.n == 12 for line in together)
    assert {line.group for line in lines_of(comparison, Filter("group", "hard"))} == {"hard"}
    solver = lines_of(comparison, Filter("solver", "backtrack-mrv"))
    assert [line.group for line in solver] == ["easy", "hard", ALL]


@pytest.mark.parametrize("by", SORTS)
def test_rows_are_sorted_the_best_first_and_the_other_way_round(book: Book, by) -> None:
    comparison = book.digest.comparison  # type: ignore[union-attr]
    lines = lines_of(comparison, Filter(), by)
    values = [sort_value(line, by, comparison.measure) for line in lines]
    assert values == sorted(values)
    assert lines_of(comparison, Filter(), by, reverse=True) == lines[::-1]
    assert len(lines) == 14


def test_a_median_that_was_not_seen_comes_after_all_that_were(book: Book) -> None:
    comparison = book.digest.comparison  # type: ignore[union-attr]
    medians = [line.cell.took(comparison.measure).median.value for line in lines_of(comparison, Filter(), "time")]
    seen = [value for value in medians if value is not None]
    assert medians == sorted(seen) + [None] * (len(medians) - len(seen))
    assert None in medians


def test_the_chosen_row_stays_chosen_whatever_the_order(book: Book) -> None:
    book.choose(3)
    before = book.line
    assert before is not None
    for _ in SORTS:
        book.next_sort()
        assert book.line == before
    book.turn_round()
    assert book.line == before
    book.show_only(Filter("together"))
    after = book.line
    assert after is not None
    assert (after.contender, after.group) == (before.contender, ALL)
    book.show_only(Filter())
    book.move(-1000)
    assert book.place(book.lines) == 0
    book.move(1000)
    assert book.place(book.lines) == 13


def test_the_filters_are_all_groups_and_solvers(book: Book) -> None:
    assert [each.kind for each in book.filters()] == ["each", "together", "group", "group", *["solver"] * 7]


def test_the_map_is_turned_and_its_best_cell_with_it(book: Book) -> None:
    found = book.map
    assert found is not None
    assert (found.x, found.y, len(found.xs), len(found.ys)) == ("T0", "alpha", 3, 2)
    best = found.best
    assert best is not None
    book.axes = 1
    turned = book.map
    assert turned is not None
    assert (turned.x, turned.xs) == ("alpha", found.ys)
    assert turned.best == best[::-1]
    assert turned.transposed() == found
    book.axes = 0


def test_the_charts_are_turned(book: Book) -> None:
    assert book.pictures == ("map", "times", "convergence")
    book.turned = -1
    assert book.pictures == ("convergence", "map", "times")
    book.turned = 0


def test_the_worst_run_of_a_row_is_the_farthest_from_a_solution(book: Book) -> None:
    found = book.digest
    assert found is not None
    for line in lines_of(found.comparison, Filter()):
        places = trials_of(found.columns, MAP, line)
        assert len(places) == line.cell.rate.n
        assert {int(found.columns.contender[place]) for place in places} == {line.contender}
        left = [int(found.columns.energy[place]) for place in places]
        assert left == sorted(left, reverse=True)
        solved = [int(found.columns.steps[place]) for place in places if found.columns.solved[place]]
        assert solved == sorted(solved, reverse=True)


def test_results_of_another_part_are_not_taken(book: Book, tmp_path: Path) -> None:
    two = Book([TINY, MAP])
    first = digested(tmp_path, TINY)
    assert two.take(first)
    assert not two.take(first)
    two.next_part(1)
    assert two.digest is None
    assert two.wanted.part == 1
    assert not two.take(first)


def test_the_result_is_the_best_against_the_worst(book: Book) -> None:
    assert book.digest is not None
    template, fields = result(book.digest.comparison)
    comparison = book.digest.comparison
    rates = {label: comparison.cell(place).rate.share for place, label in enumerate(comparison.labels)}
    assert rates[fields["best"]] == max(rates.values())  # type: ignore[type-var]
    assert rates[fields["worst"]] == min(rates.values())  # type: ignore[type-var]
    difference = rates[fields["best"]] - rates[fields["worst"]]  # type: ignore[operator]
    assert fields["points"] == f"{difference * 100:.1f}"
    assert float(fields["below"]) < float(fields["points"]) < float(fields["above"])
    assert "{points}" in template


def test_how_far_it_is_in_words(book: Book) -> None:
    def said(standing: Standing) -> str:
        found = verdict(standing, book)
        return f"{found.badge}: {found.text}"

    assert said(Standing("running", 40, 100, 4.0)) == (
        "RUNNING: 40 of 100 runs   60 left   4.00 a second   about 15 s to go")
    assert said(Standing("running", 0, 100)) == (
        "RUNNING: 0 of 100 runs   100 left   solvers that are new here are compiled first")
    assert said(Standing("cancelling", 40, 100)) == (
        "CANCELLING: 40 of 100 runs   60 left   what is under way ends within moments")
    assert said(Standing("cancelled", 40, 100)).endswith("all that were made are kept   space goes on")
    assert said(Standing("paused", 40, 100, 4.0)).startswith("PAUSED: 40 of 100 runs   60 left   all that were made")
    assert said(Standing("failed", why="no space")) == "ERROR: no space"
    assert said(Standing("ready", 0, 10**6)).startswith("READY: 1 000 000 runs, which are many")
    assert said(Standing("done", 84, 84)).startswith("RESULT: ")


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (3600, "60 min"),
                                               (7900, "2 h 12 min")])
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_the_worst_moment_is_the_highest_energy_after_the_first_tenth() -> None:
    run = Run.start(SMALL, PUZZLE, SMALL.make_params(None, {"length": 900}))
    run.advance(900)
    energies = [run.state_at(step).energy for step in range(901)]
    assert worst_step(run) == max(range(90, 901), key=lambda step: energies[step])
    assert energies[worst_step(run)] < max(energies)


def test_a_run_of_no_steps_has_its_worst_moment_at_its_beginning() -> None:
    assert worst_step(Run.start(SMALL, PUZZLE)) == 0
