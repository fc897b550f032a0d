"""Experiments in TOML: their expansion, and errors by line."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from engine.bench.experiment_file import ExperimentError, load, parse, parts, shipped, work_out
from engine.bench.toml_schema import Source
from engine.solver import Solver

WHOLE = """\
name = "cooling"
runs = 3
seed = 7
max_steps = 5e4

[[puzzles]]
sources = ["easy"]
first = 2

[[puzzles]]
group = "30 %"
share = 0.3
count = 2
size = 4

[[solvers]]
solver = "anneal"
preset = "easy"
params = { restarts = 3 }
sweep = { alpha = [0.99, 0.999] }

[[solvers]]
solver = "backtrack"
label = "plain"
"""


def test_an_experiment_is_solvers_times_puzzles_times_seeds() -> None:
    experiment = work_out(parse(WHOLE, "cooling.toml"), "cooling.toml")
    assert [each.label for each in experiment.contenders] == ["anneal easy alpha=0.99", "anneal easy alpha=0.999",
                                                              "plain"]
    assert [each.params["alpha"] for each in experiment.contenders[:2]] == [0.99, 0.999]
    assert experiment.contenders[0].params["restarts"] == 3
    assert experiment.contenders[0].sweep == {"alpha": 0.99}
    assert experiment.groups == ("easy", "30 %")
    assert [sum(cell.isdigit() for cell in each.line) for each in experiment.problems[2:]] == [5, 5]
    assert experiment.size == 3 * 4 * 3 == len(list(experiment.trials()))
    assert {trial.seed for trial in experiment.trials()} == {7, 8, 9}
    assert experiment.limit == ("steps", 50_000)


def test_every_trial_has_a_key_of_its_own_that_does_not_depend_on_the_others() -> None:
    experiment = work_out(parse(WHOLE, "x"))
    keys = [experiment.key(trial) for trial in experiment.trials()]
    assert len(set(keys)) == experiment.size
    larger = work_out(parse(WHOLE.replace("runs = 3", "runs = 5"), "x"))
    assert set(keys) < {larger.key(trial) for trial in larger.trials()}
    other = work_out(parse(WHOLE.replace("5e4", "6e4"), "x"))
    assert not set(keys) & {other.key(trial) for trial in other.trials()}


def test_a_file_larger_than_an_experiment_is_refused_without_reading_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "big.toml"
    path.touch()
    os.truncate(path, 2**40)
    with pytest.raises(ExperimentError, match=r"big\.toml is too large: expected an experiment of at most 4 MB"):
        load(str(path))


WRONG = [
    ("runs = 3", "runs = 0", "x.toml, line 2: runs: expected"),
    ("runs = 3", 'runs = "many"', "x.toml, line 2: runs: expected a whole number"),
    ("runs = 3", "runs = = 3", "x.toml, line 2: no TOML"),
    ("runs = 3", 'about = """\nruns = 1\n[[puzzles]]"""\nruns = 0', "x.toml, line 5: runs: expected"),
    ("runs = 3", "rums = 3", "x.toml, line 2: unknown key rums: expected one of solvers, puzzles"),
    ("first = 2", "last = 2", "x.toml, line 8: unknown key last: expected one of sources, group, first"),
    ("share = 0.3", "share = 3", "x.toml, line 12: puzzles.share: expected"),
    ("size = 4", "size = 5", "x.toml, line 14: size = 5: expected one of 4, 9, 16, 25"),
    ('solver = "backtrack"', 'solver = "backtrak"', "x.toml, line 23: no solver 'backtrak': did you mean"),
    ('solver = "backtrack"\n', "", "x.toml, line 22: solver is missing"),
    ('preset = "easy"', 'preset = "none"', "x.toml, line 18: anneal has no preset 'none': expected one of"),
    ("restarts = 3", "restarts = -3", "x.toml, line 19: restarts = -3: expected a whole number"),
    ("alpha = [0.99, 0.999]", "alpha = []", "x.toml, line 20: solvers.sweep: expected a list with at least 1 in it"),
    ("alpha = [0.99, 0.999]", "beta = [1]", "x.toml, line 20: no parameter 'beta'"),
    ('label = "plain"', 'label = "anneal easy alpha=0.99"',
     "x.toml, line 22: two solvers are called anneal easy alpha=0.99"),
    ('sources = ["easy"]', 'sources = ["eazy"]', "x.toml, line 7: cannot find 'eazy' (did you mean easy?)"),
    ('sources = ["easy"]', "sources = []", "x.toml, line 7: there are no puzzles"),
    ("share = 0.3", 'share = 0.3\nsources = ["easy"]', "x.toml, line 13: sources and share: expected only one"),
    ("max_steps = 5e4", "max_steps = 5e4\ntime_limit = 1",
     "x.toml, line 5: max_steps and time_limit: expected at most one"),
    ("max_steps = 5e4", "max_steps = nan", "x.toml, line 4: max_steps: expected"),
    ("max_steps = 5e4", "time_limit = inf", "x.toml, line 4: time_limit: expected"),
    ("seed = 7", "seed = 9223372036854775807", "x.toml, line 3: 3 runs from seed 9223372036854775807 go beyond"),
    ("seed = 7", 'report = "poem"', "x.toml, line 3: report: no 'poem', expected one of table, curve, heatmap"),
    ("[[puzzles]]", "[[puzles]]", "x.toml, line 6: unknown key puzles"),
    ("seed = 7", 'seed = 7\nreport = 3', "x.toml, line 4: report: expected a text, got a whole number"),
    ("runs = 3", "runs = 2.5", "x.toml, line 2: runs: expected a whole number, got a fraction"),
    ("max_steps = 5e4", "max_steps = 0", "x.toml, line 4: max_steps: expected a number of at least 1"),
    ("max_steps = 5e4", "max_steps = 2.5", "x.toml, line 4: max_steps = 2.5: expected a whole number"),
    ("first = 2", "count = 2", "x.toml, line 8: count and sources: expected count with a share alone"),
    ("share = 0.3", "share = 0.3\nfirst = 2", "x.toml, line 13: first and share: expected first for sources alone"),
    ('sources = ["easy"]', 'sources = ["easy:1", "easy:1"]',
     "x.toml, line 7: easy:1 first-steps: the same puzzle twice"),
    ("alpha = [0.99, 0.999]", f"alpha = {[0.5] * 10_001}", "x.toml, line 20: the sweep of alpha makes 10 001 solvers"),
    ("seed = 7", "parts = [{}]", "x.toml, line 16: solvers and parts: expected it in each of the parts"),
]


@pytest.mark.parametrize(("right", "wrong", "sentence"), WRONG, ids=lambda text: text[:24])
def test_errors_name_their_place(right: str, wrong: str, sentence: str) -> None:
    toml = WHOLE.replace(right, wrong)
    assert toml != WHOLE
    with pytest.raises(ExperimentError) as refused:
        parts(parse(toml, "x.toml"), Source("x.toml", toml))
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


PARTS = """\
name = "sheet"

[[parts]]
name = "first"
runs = 2

[[parts.puzzles]]
sources = ["easy:1"]

[[parts.solvers]]
solver = "backtrack"

[[parts]]
max_steps = 10

[[parts.puzzles]]
sources = ["hard:1"]

[[parts.solvers]]
solver = "anneal"
"""


def test_parts_are_experiments_of_their_own() -> None:
    first, second = parts(parse(PARTS, "x.toml"), Source("x.toml", PARTS))
    assert (first.name, first.size, first.limit) == ("sheet: first", 2, ("none", 0))
    assert (second.name, second.groups, second.limit) == ("sheet: 2", ("hard:1",), ("steps", 10))


@pytest.mark.parametrize(("right", "wrong", "sentence"), [
    ("max_steps = 10", 'max_steps = "ten"', "x.toml, line 14: parts.max_steps: expected a number"),
    ('solver = "anneal"', 'solver = "aneal"', "x.toml, line 20: no solver 'aneal'"),
    ('solver = "anneal"', "solver = 3", "x.toml, line 20: parts.solvers.solver: expected a text"),
    ('sources = ["hard:1"]', "shares = 1", "x.toml, line 17: unknown key shares"),
    ("max_steps = 10", 'name = "first"', "x.toml, line 14: two parts are called first"),
    ('\n[[parts.puzzles]]\nsources = ["hard:1"]\n', "", "x.toml, line 13: there are no puzzles: expected a table "),
    ('name = "sheet"', "runs = 3", "x.toml, line 1: runs and parts: expected it in each of the parts"),
])
def test_errors_in_a_part_name_their_line(right: str, wrong: str, sentence: str) -> None:
    toml = PARTS.replace(right, wrong)
    assert toml != PARTS
    with pytest.raises(ExperimentError) as refused:
        parts(parse(toml, "x.toml"), Source("x.toml", toml))
    assert sentence in str(refused.value)


SHEET = """\
by_puzzle = true
difference = "It was slower."

[[puzzles]]
sources = ["easy:1"]

[[solvers]]
solver = "backtrack"

[[sheet]]
puzzles = "easy:1"
solver = "backtrack"
figure = "1 / 1"
"""


def test_figures_of_a_sheet_belong_to_rows_of_the_table() -> None:
    made = work_out(parse(SHEET, "x"))
    assert [(each.solver, each.puzzles, each.figure) for each in made.sheet] == [("backtrack", "easy:1", "1 / 1")]
    assert (made.by_puzzle, made.difference) == (True, "It was slower.")
    for right, wrong, sentence in (('solver = "backtrack"\nf', 'solver = "dlx"\nf',
                                    "x.toml, line 12: solver = dlx: expected one of backtrack"),
                                   ('puzzles = "easy:1"', 'puzzles = "easy"',
                                    "x.toml, line 11: puzzles = easy: expected one of easy:1"),
                                   ("figure", "figur", "x.toml, line 13: unknown key figur: expected one of puzzles")):
        toml = SHEET.replace(right, wrong)
        with pytest.raises(ExperimentError) as refused:
            parts(parse(toml, "x.toml"), Source("x.toml", toml))
        assert sentence in str(refused.value)


def test_the_course_answers_every_question_of_the_sheets() -> None:
    found = {part.name.removeprefix("course: "): part for part in load("course")}
    assert set(found) == {
        "descent", "easy", "medium", "annealing-and-backtracking", "cooling", "reheat", "genetic", "swarm",
        "swarm-presets", "swarm-ranges", "metaheuristics", "z3", "z3-and-cp-sat"}
    assert all(part.by_puzzle for part in found.values())
    assert {name for name, part in found.items() if not part.sheet} == {"swarm-ranges"}
    assert all(part.difference for part in found.values() if part.sheet)
    one, five = (sum(problem.group == group for problem in found["cooling"].problems)
                 for group in ("one easy", "four more"))
    assert (one, five, found["cooling"].runs) == (1, 4, 10)
    swept = {name: values for each in found["swarm-ranges"].contenders for name, values in each.sweep.items()}
    assert set(swept) == {"size", "epochs", "attempts", "workers", "patience"}
    solves = [each.params for each in found["z3"].contenders if each.params["cells"] == "read"]
    assert [each["encoding"] for each in solves] == ["int-distinct", "one-hot"]


def test_what_the_course_says_beside_its_tables_holds_with_other_seeds_limits_and_machines() -> None:
    for part in load("course"):
        said = f"{part.about} {part.difference}"
        assert not re.search(r"\d+ m?s\b|seconds|ten seeds|limit|[Mm]ost runs|[Nn]early all", said), said
        assert not [problem.name for problem in part.problems if re.search(rf"\b{problem.name}\b", said)], said


def test_an_optional_solver_that_cannot_run_is_left_out_with_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solver, "missing", lambda self: "pip install this" if self.name == "cp-sat" else None)
    toml = 'puzzles = [{ sources = ["easy:1"] }]\nsolvers = [{ solver = "z3" }, { solver = "cp-sat", optional = true }]'
    experiment = work_out(parse(toml, "x"))
    assert [each.label for each in experiment.contenders] == ["z3"]
    assert experiment.left_out == ("pip install this",)
    figures = toml + '\nsheet = [{ puzzles = "easy:1", solver = "cp-sat", figure = "" }]'
    assert len(work_out(parse(figures, "x")).sheet) == 1, "of one that is left out"
    with pytest.raises(ExperimentError, match="solver = cpsat: expected one of z3, cp-sat"):
        work_out(parse(figures.replace('"cp-sat", figure', '"cpsat", figure'), "x"))
    with pytest.raises(ExperimentError, match="pip install this"):
        work_out(parse(toml.replace(", optional = true", ""), "x"))
    with pytest.raises(ExperimentError, match="no solver is left: pip install this"):
        work_out(parse(toml.replace('{ solver = "z3" }, ', ""), "x"))


@pytest.mark.parametrize("name", shipped())
def test_shipped_experiments_can_be_run_and_have_a_sensible_size(name: str) -> None:
    found = load(name)
    assert {part.name.partition(": ")[0] for part in found} == {name}
    assert all(part.about for part in found)
    assert 10 <= sum(part.size for part in found) <= 2000
    for part in found:
        for contender in part.contenders:
            endless = contender.params.get("at_floor") == "hold" or contender.solver in ("tabu", "backtrack")
            assert part.limit[0] != "none" or not endless


def test_an_experiment_that_is_nowhere_is_refused_with_those_that_ship() -> None:
    with pytest.raises(ExperimentError, match="there is no experiment kurs: expected a file, or one of cooling, "):
        load("kurs")
