"""Breakpoints against a slow search, and the twin of a run that undoing goes back to."""

from __future__ import annotations

import random

import pytest

from engine import state as states
from engine.breakpoints import Breakpoint, Stop, merged, watched
from engine.puzzle import Puzzle
from engine.run.run import Run

PUZZLE = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
LENGTH = 6000


def begin(solver: str, seed: int = 3) -> Run:
    return Run.start(solver, PUZZLE, seed=seed)


def slow_search(run: Run, stops: list[Stop], length: int) -> list[int]:
    """Step by step, with nothing but the events and E."""
    found, before = [], run.state.energy
    for step in range(1, length + 1):
        run.advance(1)
        if any(stop.hit(run.events, before, run.state.energy) for stop in stops):
            found.append(step)
        before = run.state.energy
    return found


def test_merging_keeps_every_question() -> None:
    stops = [Stop(frozenset({"best"})), Stop(energy=5), Stop(cell=7), Stop(energy=9), Stop(frozenset({"uphill"}))]
    assert merged(stops) == (Stop(frozenset({"best", "uphill"}), 5, 7), Stop(energy=9))
    assert merged([]) == ()
    assert merged([Stop(frozenset({"best"}))]) == (Stop(frozenset({"best"})),)


def test_a_breakpoint_that_is_off_does_not_halt() -> None:
    assert watched([Breakpoint(Stop(energy=5), on=False), Breakpoint(Stop(cell=1))]) == (Stop(cell=1),)


@pytest.mark.sweep
@pytest.mark.parametrize(("trial", "solver"), [
    pytest.param(trial, solver, marks=[] if (trial, solver) in ((1, "anneal"), (0, "backtrack")) else pytest.mark.sweep)
    for trial in range(3) for solver in ("anneal", "backtrack")])
def test_halting_equals_a_slow_search_in_chunks_of_any_size(solver: str, trial: int) -> None:
    dice = random.Random(trial)
    free = [cell for cell, given in enumerate(PUZZLE.givens) if not given]
    kind = {"anneal": "cooled", "backtrack": "contradiction"}[solver]
    stops = [Stop(cell=cell) for cell in dice.sample(free, 2)] + [Stop(energy=e) for e in dice.sample(range(8, 60), 3)]
    stops += [Stop(frozenset({kind}))] * (trial == 1)
    wanted = slow_search(begin(solver, trial), stops, LENGTH)
    assert len(wanted) > 5
    run, found = begin(solver, trial), []
    while run.playhead < LENGTH:
        made = run.advance(min(dice.choice((1, 10, 500, LENGTH)), LENGTH - run.playhead), *merged(stops))
        found += [run.playhead] * (made.reason == "stop")
    assert found == wanted
    assert all(any(run.hits(stop, step) for stop in stops) for step in wanted)
    back = []
    while (step := run.last_stop(0, *merged(stops))) is not None and len(back) < 40:
        run.seek(step)
        back.append(step)
    assert back == [step for step in wanted[::-1] if step < LENGTH][:40]


@pytest.mark.sweep
def test_a_search_backwards_ends_at_its_limit() -> None:
    run = begin("anneal")
    run.advance(LENGTH)
    first, second = slow_search(begin("anneal"), [Stop(energy=40)], LENGTH)[:1], run.last_stop(0, Stop(energy=40))
    assert second is not None
    assert run.last_stop(second, Stop(energy=40)) is None
    assert first[0] <= second
    assert run.last_stop(0, Stop(energy=40), cancelled=lambda: True) is None


def test_a_twin_equals_the_run() -> None:
    run = begin("anneal")
    run.advance(5000)
    twin, before = run.twin(), states.digest(run.state)
    run.intervene("T", 0.25)
    run.advance(3000)
    assert (twin.playhead, twin.recorded, twin.recipe.interventions) == (5000, 5000, ())
    assert states.digest(twin.state) == before
    twin.advance(3000)
    alone = begin("anneal")
    alone.advance(8000)
    assert states.digest(twin.state) == states.digest(alone.state) != states.digest(run.state)
    twin.seek(4999)
    alone.seek(4999)
    assert twin.events == alone.events


def test_a_twin_in_the_past_ends_at_the_playhead() -> None:
    run = begin("anneal")
    run.advance(1000)
    run.intervene("T", 0.25)
    run.advance(3000)
    run.seek(500)
    twin = run.twin()
    assert (twin.recorded, twin.recipe.interventions) == (500, ())
    twin.advance(3500)
    alone = begin("anneal")
    alone.advance(4000)
    assert states.digest(twin.state) == states.digest(alone.state)


def test_a_run_that_foresees_its_length_is_the_same_run() -> None:
    long, plain = begin("anneal"), begin("anneal")
    long.plan_for(10**7)
    long.advance(200_000)
    plain.advance(200_000)
    assert states.digest(long.state) == states.digest(plain.state)
    assert len(long.series.arrays()[0]) < 100
    long.seek(77_777)
    plain.seek(77_777)
    assert long.events == plain.events
    assert long.find("uphill", -1) == plain.find("uphill", -1)


def test_very_many_interventions_are_all_obeyed() -> None:
    run = begin("anneal")
    for place in range(300):
        run.advance(3)
        run.intervene("T", 0.3 + place % 7 / 10)
    again = Run.start("anneal", PUZZLE, seed=3, interventions=run.recipe.interventions)
    again.advance(900)
    assert states.digest(again.state) == states.digest(run.state)
    again.seek(450)
    run.seek(450)
    assert states.digest(again.state) == states.digest(run.state)


def test_changes_have_the_value_before_and_after() -> None:
    run = begin("anneal")
    run.intervene("T", 0.5)
    run.advance(700)
    before = run.solver.reading(run.state, run.params, "T")
    for value in (0.6, 0.7):
        run.intervene("T", value)
    run.intervene("alpha", 0.9)
    assert run.changes(700) == ((700, "T", before, 0.7), (700, "alpha", 0.999, 0.9))
    assert [change[1:] for change in run.changes(0)] == [("T", 1.0, 0.5)]
    assert run.changes(300) == ()
