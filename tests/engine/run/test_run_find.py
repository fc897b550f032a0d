"""Finding in a run agrees with a scan of the whole run, and can be cancelled."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import registry
from engine.puzzles import packs
from engine.run.run import Run
from engine.view import choices_of
from tests.engine.walk import TRUTH, start


def test_find_agrees_with_a_scan_of_the_whole_run() -> None:
    run = start()
    run.advance(6000)
    run.index._thin()
    for kind in ("best", "restart", "uphill", "solved"):
        where = [step for step, (_, events) in enumerate(TRUTH) if any(kind in event.kinds for event in events)]
        for playhead in (0, 1, 996, 997, 998, 2500, 5999, 6000):
            run.seek(playhead)
            after = next((step for step in where if step > playhead), None)
            before = next((step for step in reversed(where) if step < playhead), None)
            assert run.find(kind, 1) == after, (kind, playhead)
            assert run.find(kind, -1) == before, (kind, playhead)
            assert run.playhead == playhead


@pytest.mark.parametrize("thinned", [0, 3])
def test_the_last_rare_events_are_those_of_the_whole_run(thinned: int) -> None:
    run = start()
    run.advance(6000)
    for _ in range(thinned):
        run.index._thin()
    rare = [event for _, events in TRUTH for event in events if event.RARE]
    for playhead in (0, 1, 996, 998, 2500, 6000):
        run.seek(playhead)
        before = [event for event in rare if event.step <= playhead]
        for least in (1, 4, 10_000):
            found = list(run.rare_events(least))
            assert found == before[len(before) - len(found):]
            assert len(found) >= min(least, len(before))
        assert run.playhead == playhead


def test_find_runs_on_past_the_recorded_end_up_to_its_limit() -> None:
    run = start()
    first = next(step for step, (_, events) in enumerate(TRUTH) if any("restart" in event.kinds for event in events))
    assert run.find("restart", 1) is None
    assert run.find("restart", 1, limit=first - 1) is None
    assert run.recorded == 0
    assert run.find("restart", 1, limit=first) == first
    assert run.playhead == 0
    assert run.recorded == first
    assert run.find(("restart", "best"), 1) == run.find("best", 1) != first


def test_find_can_be_cancelled() -> None:
    run = start()
    assert run.find("reheat", 1, limit=10**12, cancelled=lambda: True) is None
    assert run.recorded == 0


def test_the_recording_of_what_was_found_can_be_cancelled() -> None:
    run = start()
    first = next(step for step, (_, events) in enumerate(TRUTH) if any("restart" in event.kinds for event in events))
    seen: list[tuple[int, int]] = []
    found = run.find("restart", 1, limit=first, cancelled=lambda: bool(seen),
                     recording=lambda step, found: seen.append((step, found)))
    assert found is None
    assert seen == [(run.recorded, first)]
    assert 0 == run.playhead < run.recorded < first
    assert run.find("restart", 1, limit=first) == first == run.recorded


def test_a_search_that_is_cancelled_on_the_way_finds_nothing_rather_than_another_step() -> None:
    run = start()
    run.advance(900)
    asked = iter([False] * 5 + [True] * 100)
    assert run.find("uphill", -1, cancelled=lambda: next(asked)) is None
    assert run.find("uphill", -1) is not None


def test_cancelling_is_polled_every_few_steps_of_a_slow_solver() -> None:
    run, asked = start(), [0]

    def go_on() -> bool:
        asked.append(run.playhead)
        return False

    assert run.find("reheat", 1, limit=3000, cancelled=go_on) is None
    assert len(asked) > 3000 // 64
    assert max(after - before for before, after in pairwise(asked)) <= 64


def test_a_kind_of_both_rare_and_frequent_events_is_found() -> None:
    run = start()
    run.advance(100)
    run.index.mark("uphill", 3)
    hits = [step for step, (_, events) in enumerate(TRUTH[:100]) if any("uphill" in event.kinds for event in events)]
    assert run.find("uphill", -1) == hits[-1] > 4


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("name", ["backtrack", "backtrack-mrv", "norvig", "mac", "dlx", "z3-inside"])
def test_the_last_choice_is_the_step_that_put_it_on_the_stack(name: str) -> None:
    solver = registry.solver(name)
    run = Run.start(solver, packs.find("hard:1").puzzle, None, 0)
    run.advance(700)
    stood = [set()]
    for step in range(run.recorded + 1):
        run.seek(step)
        stood.append(set(choices_of(run.view().panel)))
    checked = 0
    for playhead in (run.recorded, run.recorded * 5 // 6, run.recorded // 2, 40):
        run.seek(playhead)
        for cell, value in choices_of(run.view().panel):
            if value:
                made = max(step for step in range(playhead + 1)
                           if (cell, value) in stood[step + 1] and (cell, value) not in stood[step])
                assert run.last_choice(cell, value) == made, (playhead, cell, value)
                checked += 1
    assert checked > 5
    assert run.playhead == 40, "the playhead stays where it is"


def test_an_absent_choice_is_not_found_and_the_search_can_be_cancelled() -> None:
    run = Run.start(registry.solver("backtrack"), packs.find("hard:1").puzzle, None, 0)
    run.advance(50)
    (cell, value), *_others = choices_of(run.view().panel)
    assert run.last_choice(0, 4) is None, "it is given"
    assert run.last_choice(cell, 0) is not None
    assert run.last_choice(cell, value, cancelled=lambda: True) is None
