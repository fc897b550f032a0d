"""`solve`: records, statuses, exit codes, limits, saving."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.energy import errors, is_solution
from engine.puzzle import Puzzle
from tests.cli.conftest import EASY, SLOW, SOLVED, Call

KEYS = ["index", "puzzle", "solution", "status", "energy", "steps", "restarts", "seconds", "seed", "solver", "params"]
BACKTRACK = ["solve", "-s", "backtrack", "--format", "jsonl"]


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_jsonl_has_its_keys_in_order(cli: Call) -> None:
    code, out, err = cli(*BACKTRACK, "--seed", "7", "-p", "order=columns", EASY)
    (found,) = objects(out)
    assert (code, err) == (0, "")
    assert list(found)[: len(KEYS)] == KEYS
    assert found["puzzle"] == EASY.replace("0", ".")
    assert found["solution"] == SOLVED
    assert (found["index"], found["status"], found["energy"]) == (1, "solved", 0)
    assert (found["seed"], found["solver"], found["params"]["order"]) == (7, "backtrack", "columns")
    assert found["steps"] > 0
    assert found["seconds"] >= 0
    assert "best" not in found


def test_index_counts_over_all_sources_and_bad_ones_too(cli: Call) -> None:
    code, out, err = cli(*BACKTRACK, "4x4:1", "nothing", "4x4:2")
    found = objects(out)
    assert code == 2
    assert [each["index"] for each in found] == [1, 2, 3]
    assert [each["status"] for each in found] == ["solved", "error", "solved"]
    assert found[1]["puzzle"] is None
    assert found[1]["solution"] is None
    assert "nothing" in found[1]["reason"]
    assert len(err.splitlines()) == 1


def test_runs_take_the_seeds_from_the_first_on(cli: Call) -> None:
    code, out, _err = cli(*BACKTRACK, "--runs", "3", "--seed", "10", "4x4:1", "4x4:2")
    assert code == 0
    assert [(each["index"], each["seed"]) for each in objects(out)] == [(1, 10), (1, 11), (1, 12), (2, 10), (2, 11),
                                                                       (2, 12)]


def test_a_pack_is_solved_whole(cli: Call) -> None:
    code, out, _err = cli(*BACKTRACK, "4x4")
    assert code == 0
    for each in objects(out):
        puzzle, solved = Puzzle.from_line(each["puzzle"]), Puzzle.from_line(each["solution"])
        assert is_solution(puzzle, solved.givens)


def test_no_solution_is_not_giving_up(cli: Call) -> None:
    code, out, _err = cli(*BACKTRACK, "traps:3")
    (found,) = objects(out)
    assert code == 1
    assert (found["status"], found["solution"]) == ("no_solution", None)
    assert "best" not in found


def test_giving_up_carries_the_best_grid(cli: Call) -> None:
    code, out, _err = cli(*BACKTRACK, "--max-steps", "2000", "hard:1")
    (found,) = objects(out)
    assert code == 1
    assert (found["status"], found["solution"], found["steps"]) == ("gave_up", None, 2000)
    assert "step limit of 2 000" in found["reason"]
    puzzle = Puzzle.from_line(found["puzzle"])
    best = Puzzle.from_line(found["best"]).givens
    assert errors(puzzle, best) == found["energy"] > 0
    assert all(given in (0, value) for given, value in zip(puzzle.givens, best, strict=True))


def test_the_time_limit_gives_up(cli: Call) -> None:
    code, out, _err = cli(*BACKTRACK, "--time-limit", "0.001", SLOW)
    (found,) = objects(out)
    assert code == 1
    assert found["status"] == "gave_up"
    assert "0.001 s" in found["reason"]
    assert len(found["best"]) == 256


def test_an_already_solved_grid_is_solved_in_no_steps(cli: Call) -> None:
    code, out, _err = cli(*BACKTRACK, SOLVED)
    (found,) = objects(out)
    assert code == 0
    assert (found["status"], found["steps"], found["solution"]) == ("solved", 0, SOLVED)


def test_the_variant_is_named_where_it_is_not_classic(cli: Call) -> None:
    (found,) = objects(cli(*BACKTRACK, "diagonal:1").out)
    assert found["variant"] == "diagonal"
    puzzle = Puzzle.from_line(found["puzzle"], "diagonal")
    assert is_solution(puzzle, Puzzle.from_line(found["solution"]).givens)


def test_lines_are_a_list_again(cli: Call, tmp_path: Path) -> None:
    out = cli("solve", "-s", "backtrack", "--format", "line", "--max-steps", "500", "4x4:1", "hard:1").out
    first, second = out.splitlines()
    assert len(first) == 16
    assert second.startswith("# 2: gave up")
    path = tmp_path / "again.sdm"
    path.write_text(out)
    assert cli("check", str(path)).code == 0


def test_text_shows_the_grid_in_boxes(cli: Call) -> None:
    code, out, _err = cli("solve", "-s", "backtrack", EASY, "4x4:1")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("1: solved (")
    assert "backtrack plain, seed 0" in lines[1]
    assert lines[2].split() == ["4", "8", "3", "|", "9", "2", "1", "|", "6", "5", "7"]
    assert lines[5].strip() == "-------+-------+-------"
    assert lines[-1] == "2 of 2 solved"


def test_text_names_the_parameters_that_were_set_beside_the_preset(cli: Call) -> None:
    told = cli("solve", "easy:1", "-s", "anneal", "-p", "T0=2", "-p", "draw=group", "--max-steps", "10")
    assert "  anneal strong with T0=2 draw=group, seed 0: 10 steps" in told.out


def test_the_annealer_of_the_program_solves_by_default(cli: Call) -> None:
    code, out, _err = cli("solve", "4x4:1", "--format", "jsonl")
    (found,) = objects(out)
    assert code == 0
    assert found["solver"] == "anneal"


def test_restarts_of_a_cut_run_are_counted(cli: Call) -> None:
    short = ["-p", "neighbourhood=row-swap", "-p", "schedule=constant", "-p", "T0=0.01", "-p", "T_min=0.001",
             "-p", "at_floor=restart"]
    code, out, _err = cli("solve", "hard:1", "--format", "jsonl", "-p", "alpha=0.5", "-p", "moves=20", *short[:2],
                          *short[4:], "--max-steps", "3000")
    (found,) = objects(out)
    assert code == 1
    assert found["status"] == "gave_up"
    assert found["restarts"] > 0


def test_saving_keeps_a_run_that_replays(cli: Call, tmp_path: Path) -> None:
    path = str(tmp_path / "kept.run")
    plain = objects(cli(*BACKTRACK, EASY).out)
    saved = objects(cli(*BACKTRACK, "--save", path, EASY).out)
    assert {**plain[0], "seconds": 0} == {**saved[0], "seconds": 0}
    code, out, err = cli("replay", path)
    assert (code, err) == (0, "")
    assert "351 steps of backtrack" in out


def test_a_cut_run_is_saved_too(cli: Call, tmp_path: Path) -> None:
    path = str(tmp_path / "cut.run")
    assert cli(*BACKTRACK, "--save", path, "--max-steps", "100", "hard:1").code == 1
    code, out, _err = cli("replay", path)
    assert code == 0
    assert "100 steps" in out
