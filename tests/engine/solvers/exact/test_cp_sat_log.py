"""Reading CP-SAT's log, with or without the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solvers.exact.cp_sat import LINES, SOLVER
from engine.solvers.exact.cp_sat_engine import LogReader

LOG = """
Starting CP-SAT solver v9.15.6755
Parameters: random_seed: 1 log_search_progress: true

Initial satisfaction model '': (model_fingerprint: 0xb5a63115a7352aff)
#Variables: 81 (49 primary variables)
  - 81 in [1,9]
#kAllDiff: 27

Starting presolve at 0.00s
  3.50e-04s  0.00e+00d  [PresolveToFixPoint] #num_loops=4
  3.68e-06s  0.00e+00d  [ExtractEncodingFromLinear]
[Symmetry] Symmetry computation done. time: 0.220435 dtime: 0.12227
[Symmetry] #generators: 23, average support size: 1129.39

Presolve summary:
  - rule 'all_diff: empty constraint' was applied 1 time.
  - rule 'presolve: 101 unused variables removed.' was applied 1 time.

Presolved satisfaction model '': (model_fingerprint: 0xa5b85c5e198ed849)
#Variables: 0 (0 primary variables)

Starting search at 0.00s with 1 workers.
#1       0.00s main
Task timing           n [     min,      max]
#Variables: 5
"""


def test_the_reports_of_a_log() -> None:
    assert LogReader().read(LOG) == [
        ("engine", "CP-SAT solver v9.15.6755"),
        ("model", "Variables 81 (49 primary variables)"),
        ("model", "of these 81 in [1,9]"),
        ("model", "AllDiff 27"),
        ("presolve", "PresolveToFixPoint #num_loops=4"),
        ("symmetry", "#generators: 23, average support size: 1129.39"),
        ("presolve", "all_diff: empty constraint: 1 time"),
        ("presolve", "presolve: 101 unused variables removed: 1 time"),
        ("presolved", "Variables 0 (0 primary variables)"),
        ("search", "the search begins, with one worker"),
    ]


def test_a_log_in_pieces_gives_the_same_reports() -> None:
    reader = LogReader()
    assert [report for line in LOG.splitlines() for report in reader.read(line)] == LogReader().read(LOG)


@pytest.mark.parametrize("line", ["[Symmetry] 17 orbits on 4352 variables, time: 0.22", "[Symmetry] 3 orbits in 0.5s"])
def test_times_are_left_out(line: str) -> None:
    ((stage, said),) = LogReader().read(line)
    assert stage in LINES
    assert "orbits" in said
    assert not re.search(r"\d\.\d", said)


def test_its_extra_is_one_of_the_package() -> None:
    text = (Path(__file__).parents[4] / "pyproject.toml").read_text(encoding="utf-8")
    assert SOLVER.extra is not None
    assert SOLVER.extra[1] in tomllib.loads(text)["project"]["optional-dependencies"]


def test_puzzles_that_need_no_engine_are_decided_at_once() -> None:
    params = SOLVER.make_params()
    for line, status in (("1234341221434321", "solved"), ("1234341221434312", "no_solution"),
                         ("11..............", "no_solution")):
        state = SOLVER.init(Puzzle.from_line(line), params, 0)
        outcome = SOLVER.outcome(state)
        assert outcome is not None
        assert outcome.status == status
        assert list(SOLVER.steps(state, params)) == []


def test_absent_it_is_refused_with_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.solver.find_spec", lambda name: None)
    with pytest.raises(Exception, match=r"^cp-sat takes the package ortools, .* pip install 'sudoku-tui\[ortools\]'$"):
        Run.start(SOLVER, Puzzle((0,) * 16, 2))
