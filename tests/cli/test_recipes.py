"""A recipe as SOURCE reproduces its run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EASY, SOLVED, Call

RECIPE = f"{EASY}?solver=anneal&preset=easy&seed=3&at=0:T=0.5&at=5:T=0.25&step=8"


def test_trace_tells_that_run(cli: Call) -> None:
    told = cli("trace", RECIPE, "--to", "7")
    assert told.code == 0
    assert "# solver anneal, seed 3" in told.out
    assert "# after step 0: T = 0.5" in told.out
    assert "# after step 5: T = 0.25" in told.out
    steps = [line for line in told.out.splitlines() if line.startswith("        ")]
    assert "T = 0.500" in steps[0]
    assert "T = 0.250" in next(line for line in steps if line.split()[0] == "6")


def test_plain_tells_that_run_to_its_end(cli: Call) -> None:
    short = f"{RECIPE}&max_steps=20"
    assert cli(short, "--plain").out == cli("trace", short).out


@pytest.mark.sweep
def test_solve_solves_that_run(cli: Call, tmp_path: Path) -> None:
    saved = tmp_path / "that.run"
    made = cli("solve", f"{EASY}?solver=backtrack", "--format", "jsonl", "--save", str(saved))
    assert made.code == 0
    assert json.loads(made.out)["solution"] == SOLVED
    assert cli("replay", str(saved)).code == 0
    turned = json.loads(cli("solve", RECIPE, "--format", "jsonl", "--max-steps", "5000").out)
    plain = json.loads(cli("solve", EASY, "--preset", "easy", "--seed", "3", "--format", "jsonl", "--max-steps",
                           "5000").out)
    assert (turned["seed"], turned["params"]) == (plain["seed"], plain["params"])
    assert turned["best"] != plain["best"]


def test_a_shipped_puzzle_has_its_name(cli: Call) -> None:
    assert cli("solve", "easy:1?solver=backtrack").out.startswith("1 first-steps: solved")


@pytest.mark.parametrize("arguments", [("trace", RECIPE, "--seed", "3"), ("solve", RECIPE, "--runs", "2"),
                                       (RECIPE, "--plain", "--solver", "anneal")])
def test_options_that_a_recipe_sets_are_refused_beside_it(cli: Call, arguments: tuple[str, ...]) -> None:
    told = cli(*arguments)
    assert told.code == 2
    assert "expected only one of them" in told.err


@pytest.mark.parametrize(("recipe", "said"), [
    (f"{EASY}?seed=x", "seed=x in the recipe"), ("nothing:1?seed=1", "no pack 'nothing'"),
    (f"55{EASY[2:]}?seed=1", "the givens contradict each other")])
def test_a_bad_recipe_is_one_sentence(cli: Call, recipe: str, said: str) -> None:
    for told in (cli("trace", recipe), cli("solve", recipe), cli(recipe, "--plain")):
        assert told.code == 2
        assert said in told.err
        assert told.err.count("\n") == 1


@pytest.mark.parametrize("command", ["check", "rate"])
def test_commands_on_puzzles_say_that_they_take_no_recipe(cli: Call, command: str) -> None:
    told = cli(command, f"{EASY}?solver=swarm&seed=1")
    assert (told.code, told.out) == (2, "")
    assert "a recipe, expected puzzles" in told.err


def test_a_file_of_that_name_is_a_file(cli: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid?a=1").write_text(EASY + "\n")
    assert cli("solve", "grid?a=1", "--solver", "backtrack", "--format", "line").out == SOLVED + "\n"
