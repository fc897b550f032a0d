"""A row per trial: its exact content, and that it repeats the trial."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from msgspec import structs

from engine import registry
from engine.bench import bench, report
from engine.bench.experiment import Experiment
from engine.bench.experiment_file import parse, work_out
from engine.bench.report.rows import HEADINGS
from engine.bench.store import Store
from engine.errors import BadInput
from engine.run import recipe as recipeline
from engine.run.run import Run
from tests.engine.bench import made

WHOLE = made.experiment([made.contender(made.NASTY, "backtrack"), made.contender("z3", "z3")], runs=1, xs=(0.5, None))


def kept(folder: Path, whole: Experiment = WHOLE) -> Store:
    store = Store(folder / "results.sqlite")
    store.keep(whole, made.results(whole, made.solved(7), made.cut(), made.gave_up(), made.REFUSED))
    return store


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_csv_exactly(tmp_path: Path) -> None:
    report.write("csv", WHOLE, kept(tmp_path), tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_bytes().decode().split("\n")
    assert lines[0] == ",".join(HEADINGS)
    easy = made.EASY.replace("0", ".")
    params = '"{""max_steps"":1000000000,""order"":""rows""}"'
    assert lines[1] == (f'try,"{made.NASTY.replace(chr(34), chr(34) * 2)}",backtrack,easy,easy 1,0,solved,no,0,0,7,14,'
                        f'0,0.25,0.25,E = 0,steps,1000,0.5,{params},1,classic,{easy},{"1" * 81},'
                        f'{easy}?solver=backtrack&seed=0')
    assert len(lines) == 6
    assert lines[-1] == ""


def test_csv_marks_trials_cut_off_and_refused(tmp_path: Path) -> None:
    report.write("csv", WHOLE, kept(tmp_path), tmp_path / "a.csv")
    rows = read(tmp_path / "a.csv")
    assert [row["status"] for row in rows] == ["solved", "gave_up", "gave_up", "refused"]
    assert [row["censored"] for row in rows] == ["no", "yes", "no", "no"]
    assert [row["x"] for row in rows] == ["0.5", "0.5", "", ""]


def test_a_run_that_does_not_follow_from_its_recipe_has_none(tmp_path: Path) -> None:
    report.write("csv", WHOLE, kept(tmp_path), tmp_path / "a.csv")
    assert [bool(row["recipe"]) for row in read(tmp_path / "a.csv")] == [True, False, True, False]


def test_the_recipe_of_a_row_is_the_trial(tmp_path: Path) -> None:
    whole = work_out(parse("""
seed = 90
runs = 2
max_steps = 300
puzzles = [{ sources = ["4x4:1", "diagonal:1"] }]
solvers = [{ solver = "hill-climb", params = { restarts = 1 } }, { solver = "anneal", sweep = { alpha = [0.5, 0.9] } }]
""", "small"), "small")
    store = Store(tmp_path / "results.sqlite")
    assert list(bench.run(whole, store, how="here"))[-1].done == whole.size
    report.write("csv", whole, store, tmp_path / "a.csv")
    rows = read(tmp_path / "a.csv")
    assert len(rows) == whole.size
    for row in rows:
        recipe = recipeline.parse(row["recipe"]).recipe
        assert (recipe.seed, recipe.solver, recipe.puzzle.line) == (int(row["seed"]), row["solver"], row["puzzle"])
        assert dict(recipe.params) == json.loads(row["params"])
        solver = registry.solver(recipe.solver)
        run = Run.start(solver, recipe.puzzle, solver.make_params(None, recipe.params), recipe.seed)
        run.advance(int(row["steps"]))
        assert (run.playhead, solver.best(run.state)[1]) == (int(row["steps"]), int(row["energy"]))


def test_jsonl_is_an_object_a_trial_with_its_curve(tmp_path: Path) -> None:
    report.write("jsonl", WHOLE, kept(tmp_path), tmp_path / "a.jsonl")
    objects = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]
    assert all(list(each) == [*HEADINGS, "curve"] for each in objects)
    assert objects[0]["label"] == made.NASTY
    assert objects[0]["params"] == {"max_steps": 10**9, "order": "rows"}
    assert objects[0]["curve"] == [[0, 1, 9], [1, 2, 8], [7, 14, 0]]
    assert (objects[1]["censored"], objects[2]["x"], objects[3]["curve"]) == (True, None, [])


def test_convergence_exactly(tmp_path: Path) -> None:
    whole = made.experiment([made.contender("slow")], runs=1)
    store = Store(tmp_path / "results.sqlite")
    store.keep(whole, made.results(whole, made.solved(7), made.REFUSED))
    report.write("convergence", whole, store, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == ("experiment,label,group,problem,seed,step,evaluations,best\n"
                                                "try,slow,easy,easy 1,0,0,1,9\ntry,slow,easy,easy 1,0,1,2,8\n"
                                                "try,slow,easy,easy 1,0,7,14,0\n")


@pytest.mark.parametrize("kind", report.FILES)
def test_every_kind_is_written_of_nothing_too(kind: report.Kind, tmp_path: Path) -> None:
    report.write(kind, WHOLE, Store(tmp_path / "none.sqlite"), tmp_path / report.FILES[kind])
    assert (tmp_path / report.FILES[kind]).exists()


@pytest.mark.parametrize("kind", report.FILES)
def test_a_report_that_cannot_be_written_raises_a_sentence(kind: report.Kind, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot write"):
        report.write(kind, WHOLE, kept(tmp_path), tmp_path / "nowhere" / "a")


def test_a_report_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    store = kept(tmp_path)
    store.close()
    with pytest.raises(Exception, match="closed"):
        report.write("csv", WHOLE, store, path)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


@pytest.mark.parametrize("kind", report.FILES)
def test_the_parts_of_an_experiment_stand_in_one_file(kind: report.Kind, tmp_path: Path) -> None:
    parts = [structs.replace(WHOLE, name=f"whole: {name}", part_of="whole") for name in ("one", "two")]
    report.write(kind, parts, kept(tmp_path), tmp_path / "a")
    text = (tmp_path / "a").read_text("utf-8")
    lines = text.splitlines()
    assert "whole: one" in text
    assert "whole: two" in text
    if kind in ("csv", "convergence", "jsonl"):
        once = tmp_path / "once"
        report.write(kind, parts[0], kept(tmp_path), once)
        first = once.read_text("utf-8").splitlines()
        assert lines[:len(first)] == first
        assert len(lines) == 2 * len(first) - (kind != "jsonl")
    else:
        assert text.count("How to read this") == 1
