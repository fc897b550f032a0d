"""Progress, outcome and the selected row in words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec import structs

from engine.view import Sentence
from tests.tui.experiments import MAP, invented_results
from tui.screens.bench.results import Results
from tui.screens.bench.runner import BenchProgress
from tui.screens.bench.sentences import duration, outcome, selected_lines, verdict
from tui.screens.bench.state import BenchState, Filter
from tui.widgets.rows import Space, plain, rows


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> BenchState:
    found = BenchState([MAP])
    assert found.accept(invented_results(tmp_path_factory.mktemp("map"), MAP))
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return invented_results(tmp_path_factory.mktemp("map"), MAP)


@pytest.mark.sweep
def test_the_selected_row_in_words(found):
    state = BenchState([MAP])
    state.accept(found)
    state.set_filter(Filter("together"))
    state.move(1000)
    lines = plain(rows(selected_lines(state, Space(116, 4)), Space(116, 4)))
    assert lines[0].split() == ["Selected", "backtrack-mrv,", "all"]
    assert lines[1].startswith("solved 12 / 12   interval 75.8 – 100.0 %   time ")
    assert "against cold" in " ".join(lines)


def test_the_selected_row_says_that_equal_repeats_make_its_interval_too_narrow(found: Results) -> None:
    for alike, said in ((tuple(range(9)), True), ((), False)):
        state = BenchState([MAP])
        state.accept(structs.replace(found, comparison=structs.replace(found.comparison, alike=alike)))
        lines = plain(rows(selected_lines(state, Space(116, 4)), Space(116, 4)))
        assert (" %, too narrow: equal for all seeds   " in lines[1]) is said


def test_the_result_is_the_best_against_the_worst(state: BenchState) -> None:
    assert state.results is not None
    template, fields = outcome(state.results.comparison)
    comparison = state.results.comparison
    rates = {label: comparison.cell(place).rate.share for place, label in enumerate(comparison.labels)}
    assert rates[fields["best"]] == max(rates.values())  # type: ignore[type-var]
    assert rates[fields["worst"]] == min(rates.values())  # type: ignore[type-var]
    difference = rates[fields["best"]] - rates[fields["worst"]]  # type: ignore[operator]
    assert fields["points"] == f"{difference * 100:.1f}"
    assert float(fields["below"]) < float(fields["points"]) < float(fields["above"])
    assert "{points}" in template
    assert fields["where"] == "all puzzles"


def test_the_result_is_that_of_the_filtered_group(state: BenchState) -> None:
    assert state.results is not None
    comparison = state.results.comparison
    group = comparison.groups[0]
    state.set_filter(Filter("group", group))
    fields = verdict(BenchProgress("done", comparison.size, comparison.size), state).fields
    rates = {label: comparison.cell(place, group).rate.share for place, label in enumerate(comparison.labels)}
    assert fields["where"] == group
    assert rates[fields["best"]] == max(rates.values())  # type: ignore[type-var]
    assert "points" not in fields, "the difference is that on all groups"


@pytest.mark.parametrize(("solved", "said"), [
    ("122", "anneal-a and anneal-b solve 100.0 %   backtrack 50.0 %"),
    ("1222", "anneal-a and 2 more solve 100.0 %   backtrack 50.0 %"),
    ("211", "backtrack solves 100.0 %   anneal-a and anneal-b 50.0 %"),
    ("2111", "backtrack solves 100.0 %   anneal-c and 2 more 50.0 %"),
])
def test_equal_best_and_worst_solvers_are_all_named_or_counted(solved: str, said: str) -> None:
    """`solved`: of two puzzles, by solver."""
    class Made:
        labels = ("backtrack", "anneal-a", "anneal-b", "anneal-c")[:len(solved)]
        groups = ("all",)
        whole = "all"
        compared = ()

        @staticmethod
        def cell(contender: int, group: str) -> object:
            return SimpleNamespace(rate=SimpleNamespace(share=int(solved[contender]) / 2, n=2, low=0.2, high=1.0))

    template, fields = outcome(Made())  # type: ignore[arg-type]
    assert Sentence("RESULT", template, fields).text == said


def test_progress_in_words(state: BenchState) -> None:
    def text(progress: BenchProgress) -> str:
        found = verdict(progress, state)
        return f"{found.badge}: {found.text}"

    assert state.results is not None
    made = f"{state.results.comparison.made} in the table"
    assert text(BenchProgress("running", 40, 100, 4.0)) == (
        f"RUNNING: 40 of 100 runs   60 left   {made}   4.00 per second   about 15 s to go")
    assert text(BenchProgress("running", 0, 100)) == (
        f"RUNNING: 0 of 100 runs   100 left   {made}   preparing solvers (slow only once)")
    assert text(BenchProgress("running", 3, 100, 0.1, settled=False)) == f"RUNNING: 3 of 100 runs   97 left   {made}"
    assert text(BenchProgress("cancelling", 40, 100)) == (
        "CANCELLING: 40 of 100 runs   60 left   stopping the current runs")
    assert text(BenchProgress("cancelled", 40, 100)).endswith("finished runs are saved   space resumes")
    assert text(BenchProgress("paused", 40, 100, 4.0)).startswith("PAUSED: 40 of 100 runs   60 left   finished runs")
    assert text(BenchProgress("failed", why="no space")) == "ERROR: no space"
    assert text(BenchProgress("ready", 0, 10**6)).startswith("READY: 1 000 000 runs, a large experiment")
    assert text(BenchProgress("done", 84, 84)).startswith("RESULT: ")


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (3600, "60 min"),
                                               (7900, "2 h 12 min")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
