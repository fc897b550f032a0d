"""`cp-sat` with the package there: its answers, its ends, and that it can always be left."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from engine import solutions, text
from engine.energy import is_solution
from engine.events import Done, Event
from engine.events.search import Asked
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.run.recorder import Recorder
from engine.run.run import Run
from engine.solvers.exact import cp_sat_engine
from engine.solvers.exact.cp_sat import SOLVER
from engine.solvers.exact.cp_sat_engine import Counts, End, Engine, Solution
from engine.view import Sections, TablePanel

cp_model: Any = pytest.importorskip("ortools.sat.python.cp_model")

EMPTY = Puzzle((0,) * 16, 2)
LARGE = Puzzle((0,) * 625, 5, "diagonal")
NO_CLASH = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4.....9")
"""No value occurs twice in a unit, and there is no solution."""


def ended(puzzle: Puzzle, preset: str | None = None, **values: object) -> tuple[Any, list[tuple[Event, ...]]]:
    params = SOLVER.make_params(preset, values)
    state = SOLVER.init(puzzle, params, 0)
    log = list(SOLVER.steps(state, params))
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert isinstance(log[-1][-1], Done)
    return outcome, log


@pytest.mark.parametrize("preset", SOLVER.presets)
@pytest.mark.parametrize("name", ["easy:1", "hard:3", "diagonal:1", "4x4:1"])
def test_every_way_of_asking_gives_the_solution(name: str, preset: str) -> None:
    puzzle = packs.find(name).puzzle
    outcome, _ = ended(puzzle, preset)
    assert (outcome.status, outcome.grid) == ("solved", solutions.solve(puzzle).grid)


@pytest.mark.parametrize("preset", SOLVER.presets)
def test_where_there_is_none_it_is_proved(preset: str) -> None:
    outcome, log = ended(NO_CLASH, preset)
    assert outcome.status == "no_solution"
    assert [event.answer for event in log[-1] if isinstance(event, Asked)] == ["unsat"]


@pytest.mark.parametrize("model", ["integers", "literals"])
def test_all_solutions_are_found_each_once(model: str) -> None:
    params = SOLVER.make_params(values={"solutions": 1000, "model": model})
    state = SOLVER.init(EMPTY, params, 0)
    found = [state.grid for events in SOLVER.steps(state, params) for event in events
             if isinstance(event, Asked) and event.answer == "sat"]
    assert len(found) == len(set(found)) == 288
    assert all(is_solution(EMPTY, grid) for grid in found)
    assert state.reason == "288 solutions, and CP-SAT proved that there is no other"


def test_other_solutions_are_not_denied_without_a_search() -> None:
    assert "was not asked" in ended(EMPTY)[0].reason
    assert "was not asked" in ended(EMPTY, "unique")[0].reason
    assert "no other" in ended(packs.find("easy:1").puzzle, "unique")[0].reason


def test_the_limit_is_no_proof() -> None:
    outcome, log = ended(LARGE, limit=1e-6)
    assert outcome.status == "gave_up"
    assert "limit of 1e-06" in outcome.reason
    assert [event.answer for event in log[-1] if isinstance(event, Asked)] == ["unknown"]


def test_a_search_cut_off_at_its_limit_does_not_claim_to_have_all_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    params = SOLVER.make_params(values={"solutions": 10_000})
    state = SOLVER.init(EMPTY, params, 0)
    items = iter([Solution(solutions.solve(EMPTY).grid, Counts(1, 1, 1)), End("limit", Counts(1, 1, 1))])
    monkeypatch.setattr(Engine, "next", lambda _engine: next(items))
    *_, (_asked, ended) = SOLVER.steps(state, params)
    assert state.status == "solved"
    assert SOLVER.because(ended, state, params).text == (
        "CP-SAT stopped early: there may be more solutions than those found.")


def test_on_a_full_board_no_curve_counts_an_empty_cell() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(packs.find("hard:1").puzzle, params, 0)
    next(events for events in SOLVER.steps(state, params) if all(state.grid))
    curves = dict(zip((each.label for each in SOLVER.channels), SOLVER.sample(state, params), strict=True))
    gauges = {each.label: each.text for each in SOLVER.view(state, params, ()).gauges}
    assert curves["E"] == 1
    assert gauges["empty"] == "0"
    assert "empty cells" not in curves


def test_what_is_rewritten_without_presolve_has_a_reason() -> None:
    params = SOLVER.make_params("no-presolve")
    state = SOLVER.init(packs.find("hard:2").puzzle, params, 0)
    rewritten = [event for events in SOLVER.steps(state, params) for event in events if event.line == "presolve"]
    why = {SOLVER.because(event, state, params).text for event in rewritten}
    assert why == {"Presolve is off, but CP-SAT rewrites any model as far as its search needs."}
    assert SOLVER.because(rewritten[0], state, SOLVER.make_params()).text not in why


def test_a_solution_names_its_branches_as_the_panel_does() -> None:
    _, log = ended(packs.find("hard:2").puzzle, "no-presolve")
    solution = next(event for event in log[-2] if isinstance(event, Asked))
    assert solution.work
    assert SOLVER.explain(solution).text == f"a solution   branches {solution.work}"


def test_the_counters_have_a_line_each() -> None:
    """A narrow panel drops the last columns of a table."""
    params = SOLVER.make_params("no-presolve")
    state = SOLVER.init(packs.find("hard:2").puzzle, params, 0)
    for _events in SOLVER.steps(state, params):
        pass
    panel = SOLVER.view(state, params, ()).panel
    assert isinstance(panel, Sections)
    assert isinstance(panel.parts[1], TablePanel)
    assert [name for name, _number in panel.parts[1].rows] == ["Booleans", "branches", "conflicts", "found"]
    assert all(number == text.count(getattr(state, name.lower())) for name, number in panel.parts[1].rows)


def test_one_seed_one_run() -> None:
    puzzle = packs.find("hard:3").puzzle
    assert ended(puzzle) == ended(puzzle)


@pytest.mark.sweep
def test_it_can_be_left_at_any_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = []

    class Watched(cp_sat_engine.Engine):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            engines.append(self)

    monkeypatch.setattr("engine.solvers.exact.cp_sat.Engine", Watched)
    params = SOLVER.make_params()
    for items in (1, 3, 12):
        steps = SOLVER.steps(SOLVER.init(LARGE, params, 0), params)
        assert len(list(itertools.islice(steps, items))) == items
        assert engines[-1]._thread.is_alive()
        steps.close()
        assert not engines[-1]._thread.is_alive()


def test_without_reports_it_gives_way_and_continues_later(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.start(SOLVER, packs.find("easy:1").puzzle)
    run.advance(5)
    breaker = Breaker(grace=0.0)
    breaker.break_off()
    with monkeypatch.context() as patch:
        patch.setattr(cp_sat_engine.Engine, "next", lambda self: None)
        with breaker.watching(), pytest.raises(Interrupted):
            run.advance(1)
    assert run.playhead == run.recorded == 5
    run.advance(1000)
    assert run.outcome is not None
    assert run.outcome.status == "solved"


def test_it_cannot_continue_from_the_middle() -> None:
    run = Run.start(SOLVER, packs.find("easy:1").puzzle)
    run.advance(8)
    recorder = run.solver
    assert isinstance(recorder, Recorder)
    twin = recorder.until(4)
    state = twin.init(run.recipe.puzzle, SOLVER.make_params(), 0)
    assert len(list(twin.steps(state, SOLVER.make_params()))) == 4
    outcome = twin.outcome(state)
    assert outcome is not None
    assert outcome.status == "unknown"
    assert "cannot continue in the middle" in outcome.reason


def test_an_error_of_the_engine_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any) -> None:
        raise RuntimeError("something\nis broken")

    monkeypatch.setattr(cp_model.CpSolver, "solve", broken)
    outcome, _ = ended(EMPTY)
    assert (outcome.status, outcome.reason) == ("unknown", "CP-SAT failed: something is broken")
