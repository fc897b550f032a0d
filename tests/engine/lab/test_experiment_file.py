"""Experiments in TOML: what they come to, and what is wrong with them, by line."""

from __future__ import annotations

import pytest

from engine.lab.experiment_file import ExperimentError, parse, work_out

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


WRONG = [
    ("runs = 3", "runs = 0", "x.toml, line 2: runs: expected"),
    ("runs = 3", 'runs = "many"', "x.toml, line 2: runs: expected a whole number"),
    ("runs = 3", "runs = = 3", "x.toml, line 2: no TOML"),
    ("runs = 3", "rums = 3", "x.toml, line 2: unknown key rums: expected one of solvers, puzzles"),
    ("first = 2", "last = 2", "x.toml, line 8: unknown key last: expected one of sources, group, first"),
    ("share = 0.3", "share = 3", "x.toml, line 12: puzzles.share: expected"),
    ("size = 4", "size = 5", "x.toml, puzzles 2: size = 5: expected one of 4, 9, 16, 25"),
    ('solver = "backtrack"', 'solver = "backtrak"', "x.toml, solvers 2: no solver 'backtrak': did you mean"),
    ('solver = "backtrack"\n', "", "x.toml, line 22: solver is missing"),
    ('preset = "easy"', 'preset = "none"', "x.toml, solvers 1: anneal has no preset 'none': expected one of"),
    ("restarts = 3", "restarts = -3", "x.toml, solvers 1: restarts = -3: expected a whole number"),
    ("alpha = [0.99, 0.999]", "alpha = []", "x.toml, line 20: solvers.sweep"),
    ("alpha = [0.99, 0.999]", "beta = [1]", "x.toml, solvers 1: no parameter 'beta'"),
    ('label = "plain"', 'label = "anneal easy alpha=0.99"', "x.toml: two solvers are called anneal easy alpha=0.99"),
    ('sources = ["easy"]', 'sources = ["eazy"]', "x.toml, puzzles 1: 'eazy' is no file"),
    ('sources = ["easy"]', "sources = []", "x.toml, puzzles 1: there are no puzzles"),
    ("max_steps = 5e4", "max_steps = 5e4\ntime_limit = 1", "x.toml: max_steps and time_limit: expected at most one"),
    ("seed = 7", "seed = 9223372036854775807", "go beyond the last seed"),
]


@pytest.mark.parametrize(("right", "wrong", "sentence"), WRONG, ids=lambda text: text[:24])
def test_what_is_wrong_is_said_with_its_place(right: str, wrong: str, sentence: str) -> None:
    toml = WHOLE.replace(right, wrong)
    assert toml != WHOLE
    with pytest.raises(ExperimentError) as refused:
        work_out(parse(toml, "x.toml"), "x.toml")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
