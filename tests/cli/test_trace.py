"""`trace` and `--plain`: which steps are shown, and that every layout can be read back."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.run.run import Run
from tests.cli.conftest import EASY, Call

TRACE = ["trace", "-s", "backtrack"]
ANNEAL = ["trace", "-s", "anneal", "--seed", "3"]


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(line for line in out.splitlines() if not line.startswith("#")))


def test_text_has_the_recipe_and_every_sentence(cli: Call) -> None:
    code, out, err = cli(*TRACE, "4x4:1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line[:8] for line in lines[:4]] == ["# sudoku", "# puzzle", "# solver", "# params"]
    assert lines[4].split() == ["1", "ASSIGNED", "r1c3", "←", "2", "first", "value", "that", "fits", "depth", "1"]
    assert lines[-1].split()[:2] == ["8", "SOLVED"]


def test_a_run_without_steps_has_its_end_at_step_0(cli: Call) -> None:
    said = "the first population holds a solution: the run has no steps"
    for arguments in (["trace", "-s", "ga-ordered", "4x4:1"], ["4x4:1", "--solver", "swarm", "--plain"]):
        assert cli(*arguments).out.splitlines()[4:] == [f"        0  SOLVED           {said}"]
    trace = ["trace", "-s", "ga-ordered", "4x4:1"]
    [_head, end] = objects(cli(*trace, "--format", "jsonl").out)
    assert (end["step"], end["kind"], end["energy"], end["sentence"]) == (0, "solved", 0, said)
    [row] = rows(cli(*trace, "--format", "csv", "--every", "500").out)
    assert (row["step"], row["kind"], row["energy"], row["sentence"]) == ("0", "solved", "0", said)
    assert [each["step"] for each in objects(cli(*trace, "--format", "jsonl", "--only", "done").out)[1:]] == [0]
    assert "no event of this kind" in cli(*trace, "--only", "best").err


@pytest.mark.parametrize("arguments", [[*TRACE, EASY, "--to", "300"], [*ANNEAL, EASY, "--to", "300"]])
def test_the_trace_is_the_run(arguments: list[str], cli: Call) -> None:
    found = objects(cli(*arguments, "--format", "jsonl").out)
    head, events = found[0], found[1:]
    assert head["event"] == "recipe"
    solver = registry.solver(head["solver"])
    run = Run.start(solver, Puzzle.from_line(head["puzzle"]), solver.make_params(None, head["params"]), head["seed"])
    expected = []
    for _ in range(300):
        run.advance(1)
        expected += [(event.step, event.kinds[0], sentence.text)
                     for event, sentence in zip(run.events, run.sentences(), strict=True)]
    assert [(each["step"], each["kind"], each["sentence"]) for each in events] == expected


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("arguments", [[*TRACE, "hard:1"], [*ANNEAL, "hard:1"]])
@pytest.mark.parametrize(("window", "steps"), [
    (["--to", "3"], [1, 2, 3]),
    (["--max-steps", "3"], [1, 2, 3]),
    (["--from", "99", "--to", "101"], [99, 100, 101]),
    (["--every", "500", "--to", "1700"], [500, 1000, 1500]),
    (["--every", "500", "--from", "600", "--to", "2000"], [1000, 1500, 2000]),
    (["--every", "500", "--max-steps", "1700"], [500, 1000, 1500, 1700]),
    (["--from", "1800", "--max-steps", "1700"], [1700]),
])
def test_the_window(arguments: list[str], window: list[str], steps: list[int], cli: Call) -> None:
    whole = {each["step"]: each for each in objects(cli(*arguments, "--format", "jsonl", "--to", "2000").out)[1:]}
    found = objects(cli(*arguments, "--format", "jsonl", *window).out)[1:]
    assert sorted({each["step"] for each in found}) == steps
    assert all(whole[each["step"]] == each for each in found if each["kind"] == whole[each["step"]]["kind"])


def test_the_end_of_a_run_is_always_shown(cli: Call) -> None:
    whole = objects(cli(*TRACE, EASY, "--format", "jsonl").out)
    found = objects(cli(*TRACE, EASY, "--format", "jsonl", "--every", "100").out)[1:]
    assert sorted({each["step"] for each in found}) == [100, 200, 300, 351]
    assert found[-2:] == whole[-2:]
    assert found[-1]["kind"] == "solved"


def test_energy_every_500_steps_as_a_table(cli: Call) -> None:
    out = cli(*ANNEAL, "hard:1", "--every", "500", "--to", "5000", "--format", "csv").out
    table = [row for row in rows(out) if row["event"] == "swap"]
    assert [int(row["step"]) for row in table] == list(range(500, 5001, 500))
    solver = registry.solver("anneal")
    hard = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    run = Run.start(solver, Puzzle.from_line(hard), seed=3)
    for row in table:
        run.advance(500)
        assert int(row["energy"]) == run.state.energy
        assert float(row["temperature"]) > 0
        assert row["accepted"] in ("0", "1")
        assert len(row["cells"].split()) == 2
        assert row["sentence"].startswith("swap ")


def test_a_random_fill_has_its_row_in_a_table(cli: Call) -> None:
    """Its `cells` is a number."""
    out = cli("trace", "-s", "anneal-propagate", "hard:1", "--seed", "1", "--to", "4", "--format", "csv").out
    (filled,) = (row for row in rows(out) if row["kind"] == "filled")
    assert "61 cells are filled at random" in filled["sentence"]


def test_the_table_says_its_recipe_in_comments(cli: Call) -> None:
    lines = cli(*TRACE, "4x4:1", "--format", "csv").out.splitlines()
    assert [line for line in lines if line.startswith("#")] == lines[:4]
    assert lines[4].startswith("step,event,kind,energy,")


def test_plain_is_the_same_text(cli: Call) -> None:
    traced = cli(*TRACE, "4x4:2", "--seed", "5").out
    assert cli("--plain", "-s", "backtrack", "4x4:2", "--seed", "5").out == traced
    assert cli("4x4:2", "--plain", "-s", "backtrack", "--seed", "5", "--speed", "1e6").out == traced
    assert traced.count("\n") > 8


def test_plain_can_be_ascii(cli: Call) -> None:
    words = ("4x4:1", "--plain", "--seed", "5")
    assert "ΔE" in cli(*words).out
    out = cli(*words, "--ascii").out
    assert out.isascii()
    assert " <> " in out
    assert "dE" in out
    assert cli("automata", "hard:1", "--ask", "r1c2=3", "--formula", "--ascii").out.isascii()
    assert "ΔE" in cli(*words).out, "for one command"


def test_plain_shows_a_run_file_with_its_interventions(cli: Call, tmp_path: Path) -> None:
    from engine.run.run_file import save

    run = Run.start("anneal", Puzzle.from_line(EASY.replace("0", ".")), seed=3)
    run.advance(5)
    run = run.intervene("T", 0.5)
    run.advance(5)
    path = tmp_path / "turned.run"
    save(run, path)
    code, out, _err = cli("--plain", "--replay", str(path))
    assert code == 0
    assert "# after step 5: T = 0.5" in out
    temperatures = [line.split("T = ")[1].split()[0] for line in out.splitlines() if "   T = " in line]
    assert temperatures == ["1.00"] * 5 + ["0.500"] * 5


def test_a_source_of_many_is_traced_from_its_first(cli: Call) -> None:
    code, out, err = cli(*TRACE, "4x4", "--to", "1")
    assert code == 0
    assert "# puzzle 34.1.2....1.2.43" in out
    assert err == "sudoku-tui: 4x4 holds several puzzles: this is the first\n"


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize(("solver", "kind", "to"), [
    ("anneal-reheat", "best", "900"), ("anneal-reheat", "cooled", "900"), ("anneal-reheat", "uphill", "300"),
    ("backtrack", "contradiction", "300"), ("z3", "unsat", "6"), ("swarm", "best", "2000"),
])
def test_only_events_of_a_kind_are_those_of_the_whole_trace(solver: str, kind: str, to: str, cli: Call) -> None:
    arguments = ["trace", "-s", solver, EASY, "--to", to, "--format", "jsonl"]
    varies = ("work", "core", "because", "sentence") if solver == "z3" else ()  # with what Z3 has learned before

    def traced(*more: str) -> list[dict[str, Any]]:
        return [{name: value for name, value in each.items() if name not in varies}
                for each in objects(cli(*arguments, *more).out)[1:]]

    whole, found = [each for each in traced() if each["kind"] == kind], traced("--only", kind)
    assert found == whole
    assert len(found) > 1
    assert traced("--only", kind, "--from", str(found[1]["step"])) == found[1:]


def test_reheats_are_found_at_the_speed_of_the_kernel(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Millions of steps, none of which comes from the generator; loading the kernels takes some."""
    monkeypatch.setattr("tui.commands.trace.warm_up", lambda *given: None)
    monkeypatch.setattr("engine.solvers.annealing.annealer.Annealer.steps", lambda *given: pytest.fail("a single step"))
    monkeypatch.setattr("engine.solvers.annealing.annealer.Annealer.events", lambda *given: pytest.fail("decoded"))
    found = objects(cli("trace", "-s", "anneal-reheat", "hard:1", "--only", "reheat", "--only", "done",
                        "--format", "jsonl").out)[1:]
    assert {each["kind"] for each in found} == {"reheat", "gave_up"}
    assert len(found) > 10
    assert found[-1]["step"] > 1_000_000


def test_a_kind_that_does_not_occur_is_named(cli: Call) -> None:
    code, out, err = cli("trace", "-s", "anneal", EASY, "--only", "restart", "--to", "50")
    assert code == 0
    assert all(line.startswith("#") for line in out.splitlines())
    assert err == "sudoku-tui: no event of this kind in these steps: restart\n"


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["--only", "reheats"], "--only reheats: anneal has no such events, expected one of uphill, best"),
    (["--only", "best", "--every", "5"], "--only and --every: expected only one of them"),
    (["--from", "10", "--to", "9"], "--from 10 --to 9: expected a first step that is not after the last"),
])
def test_a_kind_that_does_not_exist_is_refused(arguments: list[str], sentence: str, cli: Call) -> None:
    code, out, err = cli(*ANNEAL, EASY, *arguments)
    assert (code, out) == (2, "")
    assert sentence in err


def test_the_help_names_the_lines_of_comments(cli: Call) -> None:
    assert "start with #" in " ".join(cli("trace", "--help").out.split())


@pytest.mark.parametrize("solver", ["ga-memetic", "swarm", "swarm-velocity", "anneal"])
def test_energy_is_that_of_the_grid_of_the_event_in_json_and_in_csv(solver: str, cli: Call) -> None:
    arguments = ["trace", EASY, "-s", solver, "--to", "12"]
    in_json = objects(cli(*arguments, "--format", "jsonl").out)[1:]
    in_csv = rows(cli(*arguments, "--format", "csv").out)
    assert [str(event["energy"]) for event in in_json] == [row["energy"] for row in in_csv]
    about_a_grid = [(event["energy"], event.get("after", event["energy"])) for event in in_json
                    if event["event"] in ("child", "refined", "turn", "flight", "swap")]
    assert all(energy == after for energy, after in about_a_grid)
    assert solver == "anneal" or len({energy for energy, _after in about_a_grid}) > 2


def test_energy_of_a_population_is_that_of_its_best_individual(cli: Call) -> None:
    values = {"size": 20, "most": 40, "patience": 1}
    small = [part for name, value in values.items() for part in ("-p", f"{name}={value}")]
    kinds = ("--only", "generation", "--only", "doubled")
    out = cli("trace", EASY, "-s", "ga-ordered", *small, "--max-steps", "400", *kinds, "--format", "csv").out
    run = Run.start("ga-ordered", Puzzle.from_line(EASY), registry.solver("ga-ordered").make_params(None, values))
    run.advance(400)
    energies = [int(row["energy"]) for row in rows(out)]
    assert energies == [int(run.state_at(int(row["step"])).energies.min()) for row in rows(out)]
    assert energies != sorted(energies, reverse=True), "it rises when a larger population follows"


def test_energy_is_that_of_the_step_and_not_of_the_change_after_it(cli: Call) -> None:
    made = ["trace", f"{EASY}?solver=backtrack-mrv&trajectory=2&at=4:fill=r1c1", "--from", "4", "--to", "5"]
    plain = cli("trace", f"{EASY}?solver=backtrack-mrv&trajectory=2", "--from", "4", "--to", "4", "--format", "csv").out
    for more in ((), ("--only", "assigned")):
        rows = list(csv.DictReader(line for line in cli(*made, *more, "--format", "csv").out.splitlines()
                                   if not line.startswith("#")))
        (expected,) = csv.DictReader(line for line in plain.splitlines() if not line.startswith("#"))
        assert rows[0] == expected
        assert int(rows[1]["energy"]) == int(expected["energy"]) - 2
