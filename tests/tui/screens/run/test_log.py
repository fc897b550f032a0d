"""The steps in the log, which are replayed only if they are not cached."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine import registry
from engine.events import Contradiction, Cooled, Event, LocalMinimum, NotRaised, Restarted, Retracted, SwapJudged
from engine.events.explain import explain
from engine.events.population import Outgrown, Shifted
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.run.recipe import Change
from engine.run.run import Run
from tests.engine.strangers.toy_population import ToyParams, ToyPopulation, ToyState
from tui.playback.loading import pending_run
from tui.playback.snapshot import LogStep, decisive, headline
from tui.playback.snapshots import LOG_STEPS, LogCache
from tui.requests import AppRequest, NewRun
from tui.screens.run.presenter import intervention_lines
from tui.widgets.log import LogLine, lines_of, log_rows
from tui.widgets.rows import Space, plain

PUZZLE = Puzzle((0,) * 16, 2)


class Counted(ToyPopulation):
    made = 0
    speed = 5.0

    def steps(self, state: ToyState, params: ToyParams) -> Iterator[tuple[Event, ...]]:
        for events in super().steps(state, params):
            self.made += 1
            yield events


def test_cached_steps_are_not_replayed() -> None:
    solver = Counted()
    run, log = Run.start(solver, PUZZLE, None, 3), LogCache()
    for step in range(1, 31):
        run.advance(1)
        told = log.read(run)
        assert [each.step for each in told] == list(range(step, max(0, step - LOG_STEPS), -1))
    assert solver.made == 30
    assert log.read(run) == LogCache().read(run)


def test_after_a_jump_the_log_has_the_steps_before() -> None:
    run, log = Run.start(Counted(), PUZZLE, None, 3), LogCache()
    run.advance(200)
    log.read(run)
    run.seek(90)
    assert log.read(run) == LogCache().read(run)
    assert run.playhead == 90
    run.seek(0)
    assert log.read(run) == ()


def test_an_intervention_is_logged_at_once() -> None:
    run, log = Run.start(Counted(), PUZZLE, None, 3), LogCache()
    run.advance(20)
    assert not log.read(run)[0].changes
    run.intervene("mutation", 0.9)
    assert [change.name for change in log.read(run)[0].changes] == ["mutation"]


def test_a_solver_has_a_default_speed() -> None:
    with registry.lent(Counted()):
        asked = AppRequest(NewRun(PUZZLE, "", "toy-population", {}, 1))
        assert pending_run(asked).snapshot.speed == 5.0
        assert pending_run(AppRequest(asked.run_source, "200")).snapshot.speed == 200.0


def test_a_reheat_that_leaves_the_temperature_as_it_is_says_so_in_verdict_and_log() -> None:
    judged = SwapJudged(6, "accept", (0, 1), (1, 2), 0, 9, True, 0.98)
    events = (judged, Cooled(6, "cool", 0.98, 0.97, 3, 1, 2), NotRaised(6, "reheat", 0.97, 0.5, 2, 1))
    said = headline(events, tuple(explain(event) for event in events))
    assert said is not None
    assert said.badge == "NOT RAISED"
    assert lines_of(events, 9)[-1] == LogLine(6, "noted", "T 0.970, not raised")


def test_what_a_dead_end_takes_back_is_still_to_come() -> None:
    dead, back = Contradiction(7, "x", (4,), "no value fits"), Retracted(7, "x", 3, 5, 1)
    assert [line.what for line in lines_of((dead, back))] == ["no value fits", "then r1c4 ← ∅"]
    assert [line.what for line in lines_of((back,))] == ["r1c4 ← ∅"]


def test_the_attempt_that_follows_a_local_minimum_is_still_to_come() -> None:
    minimum, restarted = LocalMinimum(7, "x", 14, 0, 2, 109), Restarted(7, "x", 3, 9, 51, 11)
    assert [line.what for line in lines_of((minimum, restarted))] == ["local minimum", "then attempt 3"]
    assert [line.what for line in lines_of((restarted,))] == ["attempt 3"]


def test_what_a_dead_end_takes_back_is_said_before_the_cells_that_may_be_cut() -> None:
    dead, back = Contradiction(7, "x", (4, 9, 2), "no value fits into r1c5"), Retracted(7, "x", 3, 5, 1)
    said = headline((dead, back), (explain(dead), explain(back)))
    assert said is not None
    assert said.text == "no value fits into r1c5   then r1c4 = 5 is taken back   because of r2c1 r1c3"
    column = Contradiction(7, "x", (13, 22, 76), "no place is left for 2 in column 5")
    said = headline((column, back), (explain(column), explain(back)))
    assert said is not None
    assert said.text == ("no place is left for 2 in column 5   then r1c4 = 5 is taken back   "
                         "cells of the dead end r2c5 r3c5 r9c5")


@pytest.mark.parametrize("reason", ["column 5 has no place left for 2", "no place is left for 2 in column 5"])
def test_a_narrow_log_says_which_unit_lacks_which_value(reason: str) -> None:
    rows = log_rows(lines_of((Contradiction(123_456, "x", (4, 13), reason),)), Space(34, 1), heading=False)
    assert plain(rows) == ["123 456  ┴ no 2 in column 5".ljust(34)]
    wide = log_rows(lines_of((Contradiction(123_456, "x", (4, 13), reason),)), Space(56, 1), heading=False)
    assert reason in plain(wide)[0]


@pytest.mark.parametrize("event", [Outgrown(651_127, "x", 51_200, 102_400, 30), Shifted(651_127, "x", 0.8, 0.9, 0)])
def test_the_new_size_or_share_of_a_population_is_not_cut_in_a_narrow_log(event: Event) -> None:
    """It ended as "individuals 1 600 → …"."""
    sizes = "51 200 → 102 400" if isinstance(event, Outgrown) else "80.0 % → 90.0 %"
    for width in range(29, 60):
        [line] = plain(log_rows(lines_of((event,)), Space(width, 1), heading=False))
        assert line.rstrip().endswith(sizes), width


def test_a_decimation_of_belief_leads_its_step_and_its_dead_end_names_the_cell() -> None:
    """The sentence was that of the sweep, and the log "no value has a …"."""
    solver = registry.solver("belief")
    run = Run.start(solver, packs.find("hard:3").puzzle, solver.make_params("decimate"))
    while not any("assigned" in event.kinds for event in run.events):
        run.advance(1)
    said = headline(run.events, run.sentences())
    assert said is not None
    assert said.badge == "ASSIGNED"
    event = decisive(run.events)
    assert event is not None
    assert event.line == "fix"
    while not any("contradiction" in event.kinds for event in run.events):
        run.advance(1)
    [dead] = [line for line in lines_of(run.events) if line.meaning == "dead_end"]
    assert re.fullmatch(r"no value for r\dc\d", dead.brief)


def test_steps_past_a_million_are_exact_where_they_have_room() -> None:
    """Each line of a long run had the same step, 34.94 M."""
    lines = [LogLine(step, "rejected", "r5c3↔r5c4", "+3", "11") for step in (34_944_199, 34_944_198)]
    for width in range(28, 60):
        shown = [line.split("×")[0].strip() for line in plain(log_rows(lines, Space(width, 2), heading=False))]
        assert shown == (["34 944 199", "34 944 198"] if width >= 30 else ["34.94 M"] * 2), width
    [early] = plain(log_rows([LogLine(12, "rejected", "r5c3↔r5c4", "+3", "11")], Space(40, 1), heading=False))
    assert early.startswith("     12  × ")


def test_an_intervention_is_not_cut_in_a_narrow_log() -> None:
    step = LogStep(20_000, (), (), (Change(20_000, "T", 0.818, 0.9),))
    [line] = intervention_lines(step, registry.solver("anneal"))
    for width, text in ((40, "◇ T 0.818 → 0.900 by hand"), (31, "◇ T 0.818 → 0.900")):
        assert plain(log_rows([line], Space(width, 1), heading=False))[0].rstrip() == f" 20 000  {text}"


@pytest.mark.parametrize(("name", "change", "text"), [
    ("hill-climb", Change(3_000, "accept", "strict", "sideways"), "accept = sideways"),
    ("anneal-lewis", Change(3_000, "progress", "any", "chain-minimum"), "progress = chain-minimum"),
    ("anneal", Change(3_000, "max_steps", 1_000_000_000, 2_000_000_000), "max_steps = 2 000 000 000"),
])
def test_the_new_value_of_a_parameter_is_not_cut_in_a_narrow_log(name: str, change: Change, text: str) -> None:
    [line] = intervention_lines(LogStep(3_000, (), (), (change,)), registry.solver(name))
    [shown] = plain(log_rows([line, LogLine(2_999, "rejected", "r5c3↔r5c4", "+3", "11")], Space(35, 1), heading=False))
    assert shown.split("◇ ")[1].rstrip() == text
