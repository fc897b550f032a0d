"""`human` as a solver: its endings and its sentences."""

from itertools import chain

from engine import registry
from engine.events import Contradiction, Done, Event
from engine.events.search import Found
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solvers.human.human import LISTED
from engine.techniques.board import Board
from engine.view import ListPanel
from tests.engine.techniques.boards import HARD

HUMAN = registry.solver("human")


def run(puzzle: Puzzle, preset: str = "all") -> list[tuple[Event, ...]]:
    params = HUMAN.make_params(preset)
    return list(HUMAN.steps(HUMAN.init(puzzle, params, 0), params))


def done(puzzle: Puzzle, preset: str = "all") -> Done:
    last = run(puzzle, preset)[-1][-1]
    assert isinstance(last, Done)
    return last


def test_one_finding_a_step() -> None:
    for events in run(packs.pack("easy")[0].puzzle):
        assert isinstance(events[0], Found)


def test_the_panel_says_that_it_lists_the_newest_findings_only() -> None:
    params, puzzle = HUMAN.make_params(), packs.find("diagonal:40").puzzle
    state = HUMAN.init(puzzle, params, 0)
    for step, events in enumerate(HUMAN.steps(state, params), 1):
        panel = HUMAN.view(state, params, events).panel
        assert isinstance(panel, ListPanel)
        assert len(panel.lines) == min(step, LISTED) + (step > LISTED)
        assert (panel.lines[-1] == "earlier ones are in the earlier steps") is (step > LISTED)
    assert step > LISTED
    assert f"at most {LISTED}" in panel.about


def test_the_end_of_a_run_that_gives_up() -> None:
    ended = done(Puzzle.from_line(HARD))
    assert (ended.status, ended.reason) == ("gave_up", "the techniques find nothing more, 56 cells are open")


def test_presets_leave_techniques_out() -> None:
    puzzle = packs.pack("extreme")[0].puzzle
    assert done(puzzle).status == "solved"
    assert done(puzzle, "plain").status == "gave_up"
    assert not any(isinstance(event, Found) and event.technique == "Unique rectangle"
                   for events in run(puzzle, "sound") for event in events)


def test_contradictory_givens_are_known_at_once() -> None:
    puzzle = Puzzle((1, 1) + (0,) * 79)
    outcome = HUMAN.outcome(HUMAN.init(puzzle, HUMAN.make_params(), 0))
    assert outcome is not None
    assert outcome.status == "no_solution"
    assert "row 1 is given 1 more than once: r1c1 r1c2" in outcome.reason


def test_a_dead_end_names_the_value_and_the_unit_without_a_place() -> None:
    params = HUMAN.make_params()
    state = HUMAN.init(packs.pack("traps")[2].puzzle, params, 0)
    *_, (_found, dead, ended) = HUMAN.steps(state, params)
    assert isinstance(dead, Contradiction)
    assert HUMAN.explain(dead).text == "no 8 fits in column 7   cells of the dead end r2c7 r4c7 r6c7"
    why = {HUMAN.because(event, state, params).text for event in (dead, ended)}
    assert why == {"Since no 8 fits in column 7, no grid fits these givens."}


def test_a_colour_that_contradicts_itself_and_a_cell_that_sees_both_have_different_reasons() -> None:
    said: dict[bool, set[str]] = {}
    for name in ("hard:6", "hard:7", "hard:8"):
        puzzle, params = packs.find(name).puzzle, HUMAN.make_params()
        state = HUMAN.init(puzzle, params, 0)
        for event in chain.from_iterable(HUMAN.steps(state, params)):
            if isinstance(event, Found) and event.technique == "Simple colouring":
                own = {cell for cell, _value in event.struck} <= set(event.cells)
                said.setdefault(own, set()).add(HUMAN.because(event, state, params).text)
    assert said == {
        True: {"This colour would put the value twice into a unit, so the other one holds it."},
        False: {"One of two colours holds the value everywhere, and both rule these cells out."}}


def test_a_dead_end_names_the_cell_without_a_candidate() -> None:
    board = Board.of(Puzzle.from_line("123............4"))
    board.strike(3, 4)
    assert board.contradiction() == ((3,), "r1c4 has no candidate left")
