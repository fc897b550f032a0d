"""The bench: an experiment is run, paused, cancelled, resumed, and its results examined."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.bench.store import Store
from tests.tui.app_driver import AppDriver, running_app
from tests.tui.experiments import MAP, TINY, invented, stored
from tui.config import paths
from tui.requests import BenchRequest
from tui.screens.bench.dialogs import ExportList, FilterList, TrialList
from tui.screens.bench.experiment_dialogs import ExperimentList, NewExperiment, load_and_open
from tui.screens.bench.screen import Bench
from tui.screens.dialogs.help import Help
from tui.screens.home.screen import Home
from tui.screens.run.screen import RunScreen


def screen(on: AppDriver) -> Bench:
    assert isinstance(on.app.screen, Bench)
    return on.app.screen


@asynccontextmanager
async def bench(path: Path, experiment=TINY, size: tuple[int, int] = (120, 36)) -> AsyncIterator[AppDriver]:
    async with running_app(BenchRequest("", (experiment,), path, "here"), size) as on:
        await on.at(Bench)
        yield on


async def done(on: AppDriver) -> Bench:
    """The bench, once all trials are made and the results computed."""
    shown = screen(on)
    await on.until(lambda: shown.runner.progress.stage == "done" and shown.state.results is not None
                   and shown.state.results.comparison.made == shown.state.experiment.size)
    return shown


async def test_an_experiment_is_run_and_its_worst_run_opened(tmp_path: Path) -> None:
    async with bench(tmp_path / "results.sqlite") as on:
        shown = await done(on)
        await on.until(lambda: "RESULT" in on.shown(shown.verdict))
        assert "DONE 12 / 12" in on.shown(shown.header)
        assert "2/2" in on.shown(shown.bench_table)
        await on.press("end")
        assert "climb, nine" in on.shown(shown.selected)
        await on.press("enter")
        await on.at(RunScreen)
        await on.until(lambda: "WORST MOMENT" in on.shown(on.run_screen.verdict))
        assert on.run_screen.snapshot.recipe is not None
        assert on.run_screen.snapshot.recipe.solver == "hill-climb"
        assert on.run_screen.snapshot.playhead >= on.run_screen.snapshot.recorded / 10
        await on.press("escape")
        await on.at(Bench)
        assert screen(on) is shown


async def test_a_result_of_several_rows_moves_the_table_down(tmp_path: Path) -> None:
    async with bench(tmp_path / "results.sqlite", size=(44, 17)) as on:
        shown = await done(on)
        await on.until(lambda: "RESULT" in on.shown(shown.message))
        assert shown.message.region.height > 2
        assert shown.bench_table.region.y == shown.message.region.bottom
        assert on.shown(shown.bench_table).splitlines()[1].startswith("▶ ")
        await on.press("tab")
        await on.until(lambda: "NOT AVAILABLE" in on.shown(shown.verdict) + on.shown(shown.message))
        await on.press("t")
        await on.until(lambda: "medians are now of steps" in " ".join(on.text.split()))
        await on.press("end", "r")
        await on.at(TrialList)
        lines = [line.rstrip() for line in on.text.splitlines() if line.strip()]
        assert lines[1].split() == ["puzzle", "seed", "end", "E", "left", "steps"]
        assert lines[2].replace("▶", "").split()[1] == "0", "the name is cut before a number goes"
        assert all(len(line) <= 44 for line in lines)


async def test_the_list_of_runs_names_solver_and_group(tmp_path: Path) -> None:
    async with bench(stored(tmp_path, TINY, 20), TINY) as on:
        shown = await done(on)
        await on.press("end", "r")
        await on.at(TrialList)
        assert shown.state.row is not None
        assert f"{shown.state.row.label}, {shown.state.row.group}" in on.text.splitlines()[1]


async def test_stored_trials_are_not_repeated(tmp_path: Path) -> None:
    path = stored(tmp_path, TINY, 7)
    async with bench(path) as on:
        await done(on)
    with Store(path) as store:
        results = dict(store.results(TINY))
    assert len(results) == TINY.size
    assert all(results[trial].energy == result.energy for trial, result in invented(TINY, 7))


@pytest.mark.sweep
async def test_an_experiment_is_paused_cancelled_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.screens.bench.screen.TOO_MANY", 1000)
    long = replace(TINY, runs=2000)
    async with bench(tmp_path / "results.sqlite", long) as on:
        shown = screen(on)
        assert shown.runner.progress.stage == "ready", "a large experiment waits for its start"
        assert "space start " in on.shown(shown.footer)
        await on.press("space")
        await on.until(lambda: shown.runner.progress.done > 0)
        await on.press("space")
        assert "PAUSED" in on.shown(shown.header)
        await on.press("escape")
        await on.until(lambda: shown.runner.progress.stage == "cancelled")
        made = shown.runner.progress.done
        await on.press("space")
        await on.until(lambda: shown.runner.progress.done > made)
        await on.press("escape")
        await on.until(lambda: shown.runner.progress.stage == "cancelled")
        await on.press("escape")
        await on.at(Home)


@pytest.mark.sweep
async def test_filter_sort_measure_charts_and_lists(tmp_path: Path) -> None:
    async with bench(stored(tmp_path, MAP), MAP) as on:
        shown = await done(on)
        await on.until(lambda: "Solved %, alpha by T0" in on.text)
        await on.press("m")
        assert "Solved %, T0 by alpha" in on.text
        assert "m map axes" in on.shown(shown.footer)
        await on.press("tab")
        assert "Convergence" in on.shown(shown.right)
        assert "map axes" not in on.shown(shown.footer)
        await on.press("m")
        await on.until(lambda: "the map is hidden" in on.text)
        await on.press("f")
        await on.at(FilterList)
        await on.press(*"enr")
        await on.until(lambda: "no matches" in on.text)
        await on.press("escape", *"together", "enter")
        await on.at(Bench)
        await on.until(lambda: " all " in on.shown(shown.bench_table))
        await on.press("s", "s", "s")
        assert "solved↓" in on.shown(shown.bench_table)
        await on.press("S")
        assert "solved↑" in on.shown(shown.bench_table)
        before = shown.state.query
        await on.press("t")
        assert shown.state.query != before
        await on.press("r")
        await on.at(TrialList)
        assert "easy-1" in on.text or "cut off" in on.text or "solved" in on.text
        await on.press("escape", "question_mark")
        await on.at(Help)
        assert "worst" in on.text
        assert any("straight lines" in each and "from step 2 000 on" in each for each in shown.help_about())


async def test_a_key_typed_before_the_results_are_read_says_so(tmp_path: Path) -> None:
    async with bench(tmp_path / "results.sqlite") as on:
        shown = await done(on)
        await on.until(lambda: "RESULT" in on.shown(shown.verdict))
        shown.state.results = None
        await on.press("r")
        assert "the results are not here yet" in on.shown(shown.verdict)
        await on.press("enter")
        assert "the results are not here yet" in on.shown(shown.verdict)
        shown.results.ask(shown.state.query)
        await on.until(lambda: shown.state.results is not None)
        assert "not here yet" not in on.shown(shown.verdict)


async def test_a_match_of_the_search_for_a_filter_can_be_chosen_and_a_hidden_order_is_named(tmp_path: Path) -> None:
    async with bench(stored(tmp_path, MAP), MAP, size=(80, 24)) as on:
        shown = await done(on)
        await on.until(lambda: "cold" in on.shown(shown.bench_table))
        await on.press("f")
        await on.at(FilterList)
        await on.press(*"solver: ", "down")
        assert isinstance(on.app.screen, FilterList)
        wanted = on.app.screen.answers()[1]
        await on.press("enter")
        await on.at(Bench)
        assert shown.state.filter == wanted
        said = set()
        for _order in range(6):
            await on.press("s")
            said.add(" ".join(on.shown(shown.verdict).split()))
        assert any("rows are now by E left; this window has no room for it" in each for each in said)
        shown.state.results = None
        await on.press("m")
        assert "the results are not here yet" in on.shown(shown.verdict)


async def test_the_mouse_selects_sorts_and_opens(tmp_path: Path) -> None:
    async with bench(stored(tmp_path, MAP), MAP) as on:
        shown = await done(on)
        await on.until(lambda: "cold" in on.shown(shown.bench_table))
        await on.pilot.click(shown.bench_table, offset=(5, 3))
        await on.until(lambda: shown.state.index(shown.state.rows) == 2)
        assert on.shown(shown.bench_table).split("\n")[3].startswith("▶")
        await on.pilot.click(shown.bench_table, offset=(4, 0))
        await on.until(lambda: shown.state.sort == "solver")
        assert "solver↓" in on.shown(shown.bench_table)
        await on.pilot.click(shown.bench_table, offset=(5, 1), times=2)
        await on.at(RunScreen)


@pytest.mark.sweep
async def test_reports_are_written_beside_the_results(tmp_path: Path) -> None:
    async with bench(stored(tmp_path, MAP), MAP) as on:
        shown = await done(on)
        await on.press("e")
        await on.at(ExportList)
        await on.press("enter")
        await on.until(lambda: "SAVED" in on.shown(shown.verdict))
    assert {path.name for path in tmp_path.iterdir()} >= {"trials.csv", "trials.jsonl", "report.md", "report.html"}


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(44, 12), (80, 24), (200, 60)])
async def test_other_sizes(tmp_path: Path, size: tuple[int, int]) -> None:
    async with bench(stored(tmp_path, MAP), MAP, size) as on:
        shown = await done(on)
        await on.until(lambda: "cold" in on.shown(shown.bench_table))
        await on.press("down", "A", "L")
        assert on.shown(shown.bench_table).isascii()


async def test_from_home_to_a_new_experiment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with running_app(BenchRequest(), (120, 36)) as on:
        await on.at(ExperimentList)
        assert "quick" in on.text
        await on.press("question_mark")
        await on.until(lambda: "was opened before: enter shows what it has and runs what is missing" in on.text)
        await on.press("escape", "escape")
        await on.at(Home)
        await on.press("b")
        await on.at(ExperimentList)
        await on.press("pagedown", "up", "enter")
        await on.at(NewExperiment)
        await on.press("down", "down", "1", "down", "x", "up", "up", "up", "enter")
        assert "expected a whole number" in on.text


async def test_the_form_of_an_experiment_begins_only_where_it_says_so(monkeypatch: pytest.MonkeyPatch,
                                                                      tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with running_app(BenchRequest(), (80, 24)) as on:
        await on.at(ExperimentList)
        await on.press("pagedown", "up", "enter")
        await on.at(NewExperiment)
        form = on.app.screen
        assert isinstance(form, NewExperiment)
        assert "enter selects   ← → change   type a value   esc closes" in on.text
        await on.press("left")
        assert "enter begins" in on.text
        form.draft = replace(form.draft, most="0.5")
        await on.press("enter")
        await on.until(lambda: "whole number" in on.text or "expected" in on.text)
        assert str(tmp_path) not in on.text
        form.draft = replace(form.draft, most="1 000 000")
        await on.press("down", "down", "right", "right", "down", "left", "enter")
        assert (form.draft.runs, form.draft.first) == ("5", "4")
        await on.press("up", "up", "1", "2")
        assert form.draft.runs == "12"
        await on.press("backspace", "backspace", "backspace")
        assert form.draft.runs == "5", "what was there before typing"
        rows, height = len(form._entries), form.list.size.height
        await on.until(lambda: f"… {rows - height} more below" in on.text)
        await on.press("end")
        await on.until(lambda: f"… {rows - height} more above" in on.text)
        await on.press("home", "down", "down", "down", "down")
        assert form.index == 4, "enter goes to the next value"
        await on.press("question_mark")
        await on.until(lambda: "enter on begin saves the experiment" in on.text)
        await on.press("escape")
        await on.at(NewExperiment)
        assert not list(paths.experiments().glob("*"))


@pytest.mark.sweep
async def test_the_message_of_opening_is_gone_on_return(tmp_path: Path) -> None:
    async with bench(tmp_path / "results.sqlite") as on:
        await done(on)
        await on.press("escape")
        await on.at(Home)
        home = on.app.screen
        assert isinstance(home, Home)
        load_and_open(home, "cooling")
        assert "cooling" in on.shown(home.message)
        await on.at(Bench)
        await on.press("escape", "escape")
        await on.at(Home)
        assert home.message.is_empty
