"""Branches, undo and redo, and the branches that are dropped."""

from __future__ import annotations

import pytest

from engine import state as states
from engine.puzzles import packs
from engine.run.run import Run
from tests.tui.small import PUZZLE, SMALL
from tui import messages
from tui.playback import branches as limits
from tui.playback.branches import Branches

KNOB = "temperature"


def begin(steps: int = 100) -> Branches:
    run = Run.start(SMALL, PUZZLE, seed=7)
    run.advance(steps)
    return Branches(run)


def numbers(table: Branches) -> list[int]:
    return [row.number for row in table.rows]


def test_undo_and_redo_of_a_knob_at_the_end() -> None:
    table = begin()
    first = states.digest(table.current.state)
    assert table.intervene(KNOB, 0.5)[1] == "changed"
    turned = states.digest(table.current.state)
    assert turned != first
    made = table.undo()
    assert made is not None
    assert (made.step, made.words) == (100, "T 0.590 → 0.500")
    assert (states.digest(table.current.state), table.current.recipe.interventions) == (first, ())
    assert table.redo() is not None
    assert states.digest(table.current.state) == turned
    assert numbers(table) == [1]


def test_after_undoing_the_same_events_come_as_if_nothing_had_been_turned() -> None:
    table = begin()
    table.intervene(KNOB, 0.5)
    table.current.advance(300)
    table.undo()
    assert table.current.playhead == 100
    plain = begin().current
    for _ in range(300):
        table.current.advance(1)
        plain.advance(1)
        assert table.current.events == plain.events
    assert states.digest(table.current.state) == states.digest(plain.state)


def test_several_levels_go_back_one_by_one_and_forward_again() -> None:
    table = begin()
    seen = [states.digest(table.current.state)]
    for value in (0.5, 0.4, 0.3):
        table.intervene(KNOB, value)
        seen.append(states.digest(table.current.state))
    for expected in seen[-2::-1]:
        assert table.undo() is not None
        assert states.digest(table.current.state) == expected
    assert table.undo() is None
    for expected in seen[1:]:
        assert table.redo() is not None
        assert states.digest(table.current.state) == expected
    assert table.redo() is None


def test_undoing_a_branch_returns_to_a_run_with_its_recorded_future() -> None:
    table = begin(400)
    first = table.current
    first.seek(150)
    assert table.intervene(KNOB, 0.5)[1] == "branched"
    assert (numbers(table), table.rival) == ([1, 2], first)
    assert table.undo() is not None
    assert (table.current, first.playhead, first.recorded) == (first, 150, 400)
    assert numbers(table) == [1]
    assert table.redo() is not None
    assert table.current.recipe.interventions[0].step == 150


def test_steps_after_an_intervention_stay_when_it_is_undone() -> None:
    table = begin()
    table.intervene(KNOB, 0.5)
    played = table.current
    played.advance(50)
    table.undo()
    assert len(table.rows) == 2
    assert played in [row.run for row in table.rows]
    assert table.rival is played
    table.redo()
    assert (table.current, played.playhead, played.recorded) == (played, 100, 150)


def test_a_new_intervention_clears_redo() -> None:
    table = begin()
    table.intervene(KNOB, 0.5)
    table.undo()
    table.intervene(KNOB, 0.4)
    assert table.redo() is None


def test_switching_keeps_the_playhead_or_takes_the_end() -> None:
    table = begin(400)
    table.current.seek(150)
    table.intervene(KNOB, 0.5)
    table.current.advance(20)
    assert table.switch(0)
    assert (table.current.playhead, table.row.number) == (170, 1)
    table.current.seek(390)
    assert table.switch(1)
    assert table.current.playhead == 170
    assert table.rival is table.rows[0].run
    assert not table.switch(1)
    assert not table.switch(2)


def test_the_list_shows_where_each_branch_began_and_ended() -> None:
    table = begin(400)
    table.current.seek(150)
    table.intervene(KNOB, 0.5)
    table.intervene(KNOB, 0.6)
    first, second = table.summaries()
    assert (first.number, first.began, first.recorded, first.shown) == (1, None, 400, False)
    assert (second.number, second.began, second.words, second.recorded, second.shown) == (
        2, 150, "T 0.478 → 0.600", 150, True)
    assert second.best >= first.best


def test_the_oldest_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST", 3)
    table = begin(400)
    for step in (300, 200, 100, 50):
        table.switch(0)
        table.current.seek(step)
        table.intervene(KNOB, 0.5)
        table.current.advance(5)
    assert (numbers(table), table.dropped) == ([1, 4, 5], [2, 3])
    kept = {row.run for row in table.rows}
    assert all(after in kept or made.before in kept for after, made in table._undo.items())


def test_no_more_levels_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNDO_LEVELS", 5)
    table = begin()
    for place in range(20):
        table.intervene(KNOB, 0.5 + place / 100)
    taken = 0
    while table.undo() is not None:
        taken += 1
    assert taken == 5


def test_a_branch_begun_by_undo_names_the_remaining_changes() -> None:
    table = begin(400)
    table.current.seek(150)
    table.intervene(KNOB, 0.5)
    table.intervene(KNOB, 0.6)
    table.current.advance(20)
    table.undo()
    assert [each.words for each in table.summaries()] == [
        "the original run", "T 0.478 → 0.600", "T 0.478 → 0.500"]


def test_the_words_of_a_branch_follow_each_undo_and_redo() -> None:
    table = begin(400)
    table.current.seek(100)
    for value in (0.5, 0.6, 0.7):
        table.intervene(KNOB, value)
    table.current.advance(20)
    seen = []
    for _undo in range(3):
        table.undo()
        seen.append(table.summaries()[table.place].words)
    assert seen == ["T 0.590 → 0.600", "T 0.590 → 0.500", "the original run"]
    for _redo in range(2):
        table.redo()
    assert table.summaries()[table.place].words == "T 0.590 → 0.600"


def test_the_words_of_a_branch_without_steps_follow_undo() -> None:
    table = begin(400)
    table.current.seek(100)
    table.intervene(KNOB, 0.5)
    table.intervene(KNOB, 0.6)
    table.undo()
    assert [each.words for each in table.summaries()] == ["the original run", "T 0.590 → 0.500"]


def test_undo_and_redo_return_to_the_branch_that_was_compared() -> None:
    table = begin(400)
    table.current.seek(100)
    table.intervene(KNOB, 0.5)
    table.current.advance(300)
    second = table.current
    table.intervene(KNOB, 0.6)
    table.switch(0)
    table.switch(1)
    table.switch(0)
    original = table.current
    assert table.rival is second
    table.current.seek(200)
    table.intervene(KNOB, 0.7)
    assert table.rival is original
    table.undo()
    assert (table.current, table.rival) == (original, second)
    table.redo()
    assert table.rival is original


def test_the_comparison_survives_an_undo_that_keeps_steps_and_its_redo() -> None:
    table = begin()
    table.intervene(KNOB, 0.5)
    first = table.current
    first.advance(50)
    first.seek(120)
    table.intervene(KNOB, 0.6)
    second = table.current
    second.advance(50)
    table.switch(0)
    assert table.rival is second
    table.undo()
    assert table.rival is first
    table.redo()
    assert (table.current, table.rival) == (first, second)


def test_a_run_that_was_changed_is_not_called_the_original() -> None:
    run = Run.start(SMALL, PUZZLE, seed=7)
    run.advance(100)
    changed = run.intervene(KNOB, 0.5)
    changed.advance(50)
    table = Branches(changed)  # as one that was saved and is continued
    assert [each.words for each in table.summaries()] == ["1 change: T 0.590 → 0.500"]
    table.intervene(KNOB, 0.6)
    table.intervene(KNOB, 0.7)
    (row,) = table.summaries()
    assert row.words.startswith("2 changes, last T ")
    assert row.words.endswith(" → 0.700"), "the net change of a knob at a step is one"
    table.undo()
    assert table.summaries()[0].words.endswith(" → 0.600")
    assert len(row.words) <= 36, "as wide as the column in 80"
    table.intervene("alpha", 0.5)
    words = table.summaries()[0].words
    assert words.startswith("3 changes, last α "), "of several at one step the last"
    assert " T " not in words


def test_a_number_is_that_of_the_list_also_after_one_went() -> None:
    table = begin(400)
    table.current.seek(150)
    table.intervene(KNOB, 0.5)
    table.undo()
    table.intervene(KNOB, 0.5)
    assert numbers(table) == [1, 2], "the one that was undone is gone, and so is its number"
    for step in (200, 250):
        table.switch(0)
        table.current.seek(step)
        table.intervene(KNOB, 0.5)
    table.switch(1)
    table.current.seek(150)
    table.undo()
    assert numbers(table) == [1, 3, 4]
    assert messages.switched(4, 3, "T 0.478 → 0.500", 250).text == "4   T 0.478 → 0.500   after step 250   3 branches"
    assert messages.switched(1, 3, "the original run", None).text == "1   the original run   3 branches"


def test_a_value_that_is_in_force_begins_no_branch() -> None:
    table = begin(400)
    first = table.current
    first.seek(150)
    now = first.solver.reading(first.state, first.params, KNOB)
    assert now is not None
    assert table.intervene(KNOB, now)[1] == "unchanged"
    assert (numbers(table), table.current, first.recorded) == ([1], first, 400)
    assert table.undo() is None


def test_a_knob_that_is_turned_there_and_back_leaves_no_branch() -> None:
    table = begin(400)
    first = table.current
    first.seek(150)
    now = first.solver.reading(first.state, first.params, KNOB)
    assert isinstance(now, float)
    assert table.intervene(KNOB, now * 1.1)[1] == "branched"
    assert table.intervene(KNOB, now * 1.1 * 1.1)[1] == "changed"
    assert table.intervene(KNOB, now * 1.1 * 1.1 / 1.1)[1] == "undone"
    assert table.intervene(KNOB, now * 1.1 * 1.1 / 1.1 / 1.1)[1] == "undone"
    assert (numbers(table), table.current, first.playhead, first.recorded) == ([1], first, 150, 400)
    assert first.solver.reading(first.state, first.params, KNOB) == now, "not only up to rounding"
    assert table.redo() is not None


def test_a_knob_that_is_turned_back_on_a_branch_with_steps_returns_to_the_run_before() -> None:
    table = begin(400)
    first = table.current
    first.seek(150)
    now = first.solver.reading(first.state, first.params, KNOB)
    assert isinstance(now, float)
    table.intervene(KNOB, now * 1.1)
    branch = table.current
    branch.advance(20)
    branch.seek(150)
    assert table.intervene(KNOB, now)[1] == "undone"
    assert (numbers(table), table.current, table.rival) == ([1, 2], first, branch)


@pytest.mark.parametrize("steps", [1000, 100])
def test_a_branch_that_ends_is_compared_at_its_last_step(steps: int) -> None:
    run = Run.start("backtrack-mrv", packs.find("hard:1").puzzle)
    found = Branches(run).compare("fill", "r1c2", 0, steps)
    branch = Run.start("backtrack-mrv", packs.find("hard:1").puzzle).intervene("fill", "r1c2")
    made = branch.advance(steps).steps
    assert (found.steps, found.solved) == (made, branch.at_end)
    assert (found.energy, found.left) == (branch.state.energy, run.state_at(made).energy)
    said = messages.compared("fill r1c2", 0, *found[1:]).text
    assert said.endswith(f"   solved 415 steps on; the solver's E then is {found.left}" if steps == 1000 else
                         f"   100 steps on: E = {found.energy}, the solver's {found.left}")
