"""The events of Z3's search are consistent and agree with the exact engine, and its thread always ends."""

from __future__ import annotations

import functools
import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
import z3

from engine import solutions
from engine.energy import is_solution
from engine.errors import BadInput
from engine.events import Assigned, Contradiction, Event
from engine.events.search import Backjumped, Decided, Propagated
from engine.interrupt import Breaker
from engine.puzzle import Puzzle
from engine.puzzles.packs import pack
from engine.run.run import Run
from engine.solvers.symbolic.z3_inside import KEPT, SOLVER, InsideState
from engine.solvers.symbolic.z3_search import COUNTERS, Search
from engine.view import Sections, TablePanel
from tests.patience import PATIENCE

HARD = Puzzle.from_line("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
UNSOLVABLE = Puzzle.from_line("..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..")


FOUND: set[threading.Thread] = set()
"""The threads of other tests, which are still there when a test begins."""


def threads() -> list[threading.Thread]:
    """The threads of this test."""
    return [thread for thread in threading.enumerate() if thread.name == "z3-inside" and thread not in FOUND]


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """No test leaves a thread behind that it did not find."""
    FOUND.clear()
    FOUND.update(threads())
    yield
    if threads():
        gc.collect()
    assert threads() == []


def start(puzzle: Puzzle, **values: object) -> Run:
    return Run.start(SOLVER, puzzle, SOLVER.make_params(values=values))


@functools.cache
def hard() -> Run:
    """The hard puzzle, run to its end; only looked at."""
    return to_the_end(HARD)


def to_the_end(puzzle: Puzzle, **values: object) -> Run:
    run = start(puzzle, **values)
    assert run.advance(100_000).reason == "done"
    return run


# The events


def test_counters_are_those_of_z3_from_the_first_step_on() -> None:
    """Z3 propagates most of the givens before it calls for the first time."""
    run = start(HARD)
    run.advance(1)
    counted = dict(zip(COUNTERS, run.state.counters.tolist(), strict=True))
    assert counted["propagations"] > 100
    assert counted["mk clause"] > 100
    assert counted["rlimit count"] > 1_000


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("puzzle", [HARD, pack("diagonal")[0].puzzle, pack("4x4")[0].puzzle, pack("16x16")[0].puzzle],
                         ids=["9x9", "diagonal", "4x4", "16x16"])
def test_the_solution_is_that_of_the_exact_engine(puzzle: Puzzle) -> None:
    run = to_the_end(puzzle)
    assert run.outcome is not None
    assert run.outcome.grid == solutions.solve(puzzle).grid


def test_that_there_is_no_solution_is_proved() -> None:
    run = to_the_end(UNSOLVABLE)
    assert solutions.solve(UNSOLVABLE).outcome == "no_solution"
    assert run.outcome is not None
    assert run.outcome.status == "no_solution"
    assert "unsat" in run.events[0].kinds


def test_the_end_fits_one_line_of_a_small_window_and_names_what_is_not_shown() -> None:
    for puzzle in (HARD, UNSOLVABLE):
        run = to_the_end(puzzle)
        event = run.events[-1]
        assert len(run.solver.explain(event).text) <= 59
        assert "lemmas" in run.solver.because(event, run.state, run.params).text


def test_a_dead_end_is_shown_before_the_jump_back_with_its_conflict_counted() -> None:
    run = hard()
    shown = 0
    for step in range(1, run.recorded):
        run.seek(step)
        dead = next((event for event in run.events if isinstance(event, Contradiction)), None)
        jump = next((event for event in run.events if isinstance(event, Backjumped)), None)
        if dead is None or jump is None:
            continue
        gauges = {each.label: each.text for each in run.view().gauges}
        assert gauges["level"] == str(jump.level + jump.levels)
        assert run.view().grid == run.state_at(step - 1).grid
        assert f"conflict {gauges['clashed']} of Z3" in dead.reason
        assert run.because(dead).text.endswith("before the jump back.")
        shown += 1
    assert shown > 5


def dead_ends(run: Run, jumps: bool) -> set[tuple[int, str]]:
    """The levels and reasons of the dead ends that come with a jump back, or of the others."""
    found = set()
    for step in range(1, run.recorded + 1):
        run.seek(step)
        dead = next((event for event in run.events if isinstance(event, Contradiction)), None)
        if dead is not None and (not dead.cells) == jumps:
            level = next(each.text for each in run.view().gauges if each.label == "level")
            found.add((int(level), run.because(dead).text))
    return found


def test_before_any_decision_a_dead_end_is_that_of_the_givens() -> None:
    assert dead_ends(to_the_end(Puzzle.from_line("123........4....")), jumps=False) == {
        (0, "Since no value is left for r1c4, no grid fits these givens.")}


def test_a_conflict_of_one_decision_is_not_one_among_decisions() -> None:
    found = dead_ends(to_the_end(pack("traps")[2].puzzle), jumps=True)
    assert (1, "What Z3 decided contradicts the givens; the grid is that before the jump back.") in found
    assert len({said for _level, said in found}) == 1


@pytest.mark.sweep
def test_levels_rise_with_decisions_and_fall_by_backtracking() -> None:
    run = hard()
    level, decided, jumped = 0, 0, 0
    for step in range(1, run.recorded):
        run.seek(step)
        for event in run.events:
            match event:
                case Decided(level=now):
                    level, decided = level + 1, decided + 1
                    assert now == level
                case Propagated(level=now):
                    assert now == level
                case Backjumped(levels=levels, level=now):
                    level, jumped = level - levels, jumped + 1
                    assert now == level
    assert decided > 5 < jumped


@pytest.mark.sweep
def test_the_newest_decision_is_listed_with_its_level() -> None:
    run = start(pack("16x16")[4].puzzle)
    deep = 0
    while run.advance(1).reason == "steps":
        if isinstance(run.events[0], Decided) and run.state.level:
            [panel] = [each for each in run.view().panel.parts if each.title == "Decisions"]  # type: ignore[union-attr]
            assert panel.rows[0][0] == str(run.state.level)
            assert len(panel.rows) == min(run.state.level, KEPT)
            deep += run.state.level > KEPT
    assert deep >= 2


def test_the_board_follows_from_the_events() -> None:
    """Replaying literals level by level gives the candidates and values of every state."""
    run = hard()
    levels: list[list[tuple[int, int, bool]]] = [[]]
    for step in range(1, run.recorded):
        run.seek(step)
        _follow(levels, run.events)
        state = run.state
        assert isinstance(state, InsideState)
        known = [literal for level in levels for literal in level]
        assert state.fixed == len(known)
        struck = {(cell, value) for cell, value, holds in known if not holds and not HARD.givens[cell]}
        shown = {(cell, v) for cell, mask in enumerate(state.open.tolist()) for v in range(1, 10)
                 if not mask >> v - 1 & 1 and not HARD.givens[cell]}
        assert shown == struck
        held = {cell: value for cell, value, holds in known if holds}
        assert [held.get(cell, given) for cell, given in enumerate(HARD.givens)] == list(state.grid)


def _follow(levels: list[list[tuple[int, int, bool]]], events: tuple[Event, ...]) -> None:
    for event in events:
        match event:
            case Decided(cell=cell, value=value, holds=holds):
                levels.append([(cell, value, holds)])
            case Propagated(cell=cell, value=value, holds=holds):
                levels[-1].append((cell, value, holds))
            case Backjumped(levels=count):
                del levels[len(levels) - count:]


def test_a_full_grid_is_no_solution_before_z3_confirms_it() -> None:
    run = hard()
    full = [step for step in range(run.recorded) if _energy_at(run, step) == 0]
    assert full == []
    assert _energy_at(run, run.recorded) == 0
    assert is_solution(HARD, run.state.grid)


def _energy_at(run: Run, step: int) -> int:
    run.seek(step)
    return int(run.state.energy)


@pytest.mark.sweep
def test_values_first_decides_values() -> None:
    run = to_the_end(HARD, phase="true")
    step = run.find("decided", -1)
    assert step is not None
    run.seek(step)
    assert any(isinstance(event, Assigned) and event.guess for event in run.events)


@pytest.mark.parametrize(("budget", "reason"), [
    (1, "the budget of 1 conflict is spent"), (5, "the budget of 5 conflicts is spent")])
def test_a_spent_budget_is_reported_and_proves_nothing(budget: int, reason: str) -> None:
    run = to_the_end(HARD, max_conflicts=budget)
    assert run.outcome is not None
    assert run.outcome.status == "gave_up"
    assert run.outcome.reason == reason
    assert run.state.counters[COUNTERS.index("conflicts")] == budget
    energies = []
    for step in range(run.recorded + 1):
        run.seek(step)
        energies.append(run.state.energy)
    assert run.outcome.energy == min(energies) < energies[-1]
    assert run.outcome.grid.count(0) == run.outcome.energy


def test_boards_above_16_are_refused() -> None:
    with pytest.raises(BadInput, match="up to 16x16"):
        start(Puzzle((0,) * 625, 5))


# The end of its thread


@pytest.mark.sweep
def test_rewinding_plays_the_recording_and_the_search_continues_after_it() -> None:
    run = start(HARD)
    run.advance(900)
    there = run.state.grid
    run.seek(3)
    run.seek(900)
    assert run.state.grid == there
    assert run.advance(100_000).reason == "done"
    assert run.outcome is not None
    assert run.outcome.status == "solved"


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("steps", [0, 1, 300, 1200])
def test_a_run_that_is_dropped_takes_its_thread_along(steps: int) -> None:
    run = start(HARD)
    run.advance(steps)
    assert len(threads()) == (1 if steps else 0)
    watched = weakref.ref(run)
    del run
    gc.collect()
    assert watched() is None
    assert threads() == []


def test_a_generator_that_is_closed_takes_its_thread_along() -> None:
    params = SOLVER.make_params()
    steps = SOLVER.steps(SOLVER.init(HARD, params, 0), params)
    next(steps)
    assert len(threads()) == 1
    steps.close()
    assert threads() == []


def test_a_search_can_be_closed_before_it_has_begun_in_the_middle_and_twice() -> None:
    for taken in (0, 1, 700):
        search = Search(HARD, {})
        for _ in range(taken):
            while search.next(0.01) is None:
                pass
        search.close()
        search.close()
    assert threads() == []


def test_closed_from_its_own_thread_a_search_does_not_wait_for_itself() -> None:
    """A garbage collection may close it inside of Z3's callback."""
    search = Search(HARD, {})
    while search.next(0.01) is None:
        pass
    own = search._thread
    tell, reported = search.tell, threading.Event()

    def collected(seen: object) -> None:
        reported.set()
        search.close()

    search.tell = collected  # type: ignore[method-assign, assignment]
    search.next(0.01)
    assert reported.wait(PATIENCE)
    own.join(PATIENCE)
    assert not own.is_alive()
    search.tell = tell  # type: ignore[method-assign]
    search.close()


@pytest.mark.sweep
def test_being_broken_off_makes_no_step_and_keeps_the_search() -> None:
    run = start(HARD)
    run.advance(10)
    breaker = Breaker(grace=0.0)
    breaker.break_off()
    with breaker.watching():
        run.advance(50)
    assert len(threads()) == 1
    breaker.clear()
    assert run.advance(100_000).reason == "done"
    assert run.outcome is not None
    assert run.outcome.status == "solved"


LEFT_ALIVE = """
import sys
from engine.puzzle import Puzzle
from engine.run.run import Run
from engine.solvers.symbolic.z3_inside import SOLVER
run = Run.start(SOLVER, Puzzle((0,) * 256, 4), SOLVER.make_params())
run.advance(int(sys.argv[1]))
run.keep = run
if sys.argv[2] == "ctrl-c":
    import signal, threading
    try:
        threading.Timer(0, signal.raise_signal, (signal.SIGINT,)).start()
        while run.outcome is None:
            run.advance(1)
        print("too late")
    except KeyboardInterrupt:
        print("stopped at", run.playhead > 0)
print("left")
"""


@pytest.mark.parametrize("how", ["exit", "ctrl-c"])
def test_the_interpreter_ends_with_a_search_under_way(how: str) -> None:
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", LEFT_ALIVE, "40", how],
                          capture_output=True, text=True, timeout=PATIENCE, check=False)
    wanted = ["stopped at True", "left"] if how == "ctrl-c" else ["left"]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, wanted, "")


def test_a_search_that_is_over_holds_no_memory() -> None:
    params = SOLVER.make_params()

    def contexts() -> int:
        """Z3's worlds that are still alive, each of them some 20 MB."""
        gc.collect()
        return sum(type(each) is z3.Context for each in gc.get_objects())  # isinstance raises for a dead proxy

    before = contexts()
    for seed in range(3):
        state = SOLVER.init(Puzzle.from_line("....34....2..1.3"), params, seed)
        SOLVER.advance(state, params, 10_000)
        assert SOLVER.outcome(state) is not None
    assert contexts() == before


def test_only_a_conflict_that_z3_counts_is_the_row_of_the_step() -> None:
    run = to_the_end(Puzzle.from_line("123........4...."))
    for step in range(1, run.recorded + 1):
        run.seek(step)
        dead = next((event for event in run.events if isinstance(event, Contradiction)), None)
        if dead is not None and dead.cells:
            assert statistics(run).now != COUNTERS.index("conflicts")
    assert run.recorded > 20


def statistics(run: Run) -> TablePanel:
    panel = run.view().panel
    assert isinstance(panel, Sections)
    return next(part for part in panel.parts if isinstance(part, TablePanel) and part.title == "Z3's statistics")
