"""`z3`: its questions, its sentences on the answers, and the ends of its runs."""

import re
from itertools import islice

import pytest

from engine import registry
from engine.automata import network
from engine.events import Assigned, Done
from engine.events.search import Asked
from engine.puzzle import Puzzle, cell_name
from engine.puzzles import packs
from engine.run.run import Run
from engine.solutions import solve
from engine.solvers.symbolic import z3_session
from engine.solvers.symbolic.z3_queries import KEPT
from engine.view import AutomatonPanel, TablePanel

SOLVER = registry.solver("z3")
EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
TINY = Puzzle.from_line("....34....2..1.3")


def events(puzzle, steps=10_000, **values):
    state, params = SOLVER.init(puzzle, SOLVER.make_params(values=values), 0), SOLVER.make_params(values=values)
    reported = [each for _, each in zip(range(steps), SOLVER.steps(state, params), strict=False)]
    return state, params, reported


@pytest.mark.parametrize("encoding", ["one-hot", "int-distinct", "finite-domain", "bit-vectors"])
def test_every_encoding_asks_the_same_and_is_answered_alike(encoding):
    state, _params, reported = events(TINY, encoding=encoding)
    assert SOLVER.outcome(state).grid == solve(TINY).grid
    one, _, wanted = events(TINY)
    said = [[(e.question, e.answer) for e in step if isinstance(e, Asked)] for step in reported]
    assert said == [[(e.question, e.answer) for e in step if isinstance(e, Asked)] for step in wanted]
    assert one.grid == state.grid


@pytest.mark.sweep
def test_accepted_values_are_written_and_refused_ones_have_a_core():
    state, _params, reported = events(EASY)
    solution = solve(EASY).grid
    assert [e.question for step in reported[:2] for e in step] == ["a solution", "a second solution"]
    assert reported[1][0].because == "the puzzle has exactly one"
    for step in reported[2:]:
        asked = step[0]
        right = f"r{asked.cells[0] // 9 + 1}c{asked.cells[0] % 9 + 1} = {solution[asked.cells[0]]}" == asked.question
        assert asked.answer == ("sat" if right else "unsat")
        assert bool(asked.core) == (not right)
        assert asked.question in asked.core or right
        assert any(isinstance(e, Assigned) for e in step) == right
    assert isinstance(reported[-1][-1], Done)
    assert state.work == sum(step[0].work for step in reported) > 0


def test_contradictory_givens_end_with_the_first_question_and_its_core():
    state, params, reported = events(Puzzle.from_line("11.............."))
    assert [type(e) for e in reported[0]] == [Asked, Done]
    assert reported[0][0].core == ("row 1", "r1c1 = 1", "r1c2 = 1")
    assert SOLVER.outcome(state).reason == "Z3 proves it: row 1 has 1 at r1c1 and r1c2"
    view = SOLVER.view(state, params, reported[0])
    assert (view.marks["core"], view.units) == ((0, 1), (0,))
    core = next(part for part in view.panel.parts if part.title == "Core")
    assert core.rows == (("units", "row 1"), ("cells", "r1c1=1 r1c2=1"))


def test_a_proof_begins_with_the_contradiction_and_ends_with_the_way_to_it():
    state, *_ = events(packs.find("traps:3").puzzle)
    assert SOLVER.outcome(state).reason == (
        "Z3 proves it: by logic row 4 has no place left for 6, after 24 rounds up to hidden pair")


def test_the_sentence_has_the_size_of_the_core_that_the_gauge_has():
    params = SOLVER.make_params("textbook")
    state = SOLVER.init(packs.find("16x16:1").puzzle, params, 0)
    step = next(step for step in SOLVER.steps(state, params) if len(step[0].core) > 60)
    gauges = {each.label: each.text for each in SOLVER.view(state, params, step).gauges}
    assert SOLVER.explain(step[0], 16).fields["size"] == gauges["core"]


def test_a_core_that_teaches_nothing_is_not_shown():
    state, params = SOLVER.init(HARD, SOLVER.make_params(), 0), SOLVER.make_params()
    step = next(step for step in SOLVER.steps(state, params) if len(step[0].core) > 15)
    view = SOLVER.view(state, params, step)
    assert step[0].because
    assert (view.marks.get("core"), view.units) == (None, ())
    core = next(part for part in view.panel.parts if part.title == "Core")
    assert core.rows == (("seen", step[0].because),)
    assert core.whole


def test_values_that_logic_has_placed_are_set_off_in_the_automaton():
    state, params, (step,) = events(packs.find("traps:3").puzzle)
    panel = next(part for part in SOLVER.view(state, params, step).panel.parts if isinstance(part, AutomatonPanel))
    assert panel.title == "One 6 in row 4, after logic"
    shown = dict(zip(panel.reads, panel.because, strict=True))
    assert state.grid[27] == 0
    assert (shown["r4c1"], shown["r4c2"]) == ("= 1, logic", "= 9")


@pytest.mark.parametrize(("name", "steps"), [("hard:1", 12), ("hard:2", 30), ("easy:1", 30)])
def test_the_automaton_names_only_units_and_values_of_a_core_that_is_shown(name, steps):
    puzzle, tables = packs.find(name).puzzle, 0
    params = SOLVER.make_params()
    state = SOLVER.init(puzzle, params, 0)
    for step in islice(SOLVER.steps(state, params), steps):
        view = SOLVER.view(state, params, step)
        core = next((part for part in view.panel.parts if part.title == "Core" and part.core), None)
        panel = next((part for part in view.panel.parts if part.title.startswith("One ")), None)
        if core is None or panel is None:
            continue
        tables += 1
        units = [puzzle.geometry.units[place] for place in view.units]
        named = {unit.name: unit for unit in units}
        excluding = {unit.name for unit in units if any(f"{cell_name(cell, 9)} = {panel.title[4]}" in step[0].core
                                                        for cell in unit.cells)}
        for read, why in zip(panel.reads, panel.because, strict=True):
            if why.startswith("= "):
                assert why.endswith(", logic") == (f"{read} {why}" not in step[0].core)
            else:
                assert why == "struck" or read in [cell_name(cell, 9) for cell in named[why].cells]
                assert why != "struck" or not any(read in [cell_name(cell, 9) for cell in named[each].cells]
                                                  for each in excluding)
    assert tables


def test_the_list_of_questions_before_ends_with_the_number_of_those_that_it_lacks():
    params = SOLVER.make_params()
    state = SOLVER.init(EASY, params, 0)
    for asked, step in enumerate(islice(SOLVER.steps(state, params), 40), 1):
        parts = {part.title: part for part in SOLVER.view(state, params, step).panel.parts}
        rows = (*parts["Questions"].rows, *(parts["Before"].rows if "Before" in parts else ()))
        if asked <= KEPT:
            assert len(rows) == asked
        else:
            assert (len(rows), rows[-1]) == (KEPT + 1, (f"{asked - KEPT} earlier", "", "", ""))
            assert f"newest {KEPT}" in parts["Before"].about


def test_the_automaton_on_screen_has_nowhere_to_go():
    state, params, reported = events(EASY, 4)
    view = SOLVER.view(state, params, reported[-1])
    assert reported[-1][0].answer == "unsat"
    panels = [part for part in view.panel.parts if isinstance(part, AutomatonPanel)]
    assert all(part.accepted is False for part in panels)
    assert view.pencils["struck"] == (state.asked,)
    assert any(isinstance(part, TablePanel) and part.core for part in view.panel.parts)


def test_every_value_is_asked_about_when_that_is_wanted():
    _state, _params, reported = events(TINY, values="every")
    assert reported[2][0].question == "r1c1 = 1"
    assert len(reported) > len(events(TINY)[2])
    assert any(len(step[0].core) == 3 for step in reported)


class Silent:
    """A session that has no answer to questions of these topics."""

    def __init__(self, topics):
        self.topics, self.session = topics, z3_session.Session(TINY, "one-hot")

    def put(self, question, cells, known, limits):
        reply = self.session.put(question, cells, known, limits)
        if question.topic not in self.topics:
            return reply
        nothing = z3_session.Answer("unknown", reason=f"the limit of {limits[0]:g} s is reached")
        return z3_session.Reply(nothing, None, None, 0, ())


def test_no_answer_is_never_a_refusal(monkeypatch):
    monkeypatch.setattr(z3_session, "session_of", lambda puzzle, encoding: Silent({"solution", "value"}))
    state, _params, reported = events(TINY)
    assert {step[0].answer for step in reported} == {"unknown"}
    assert {step[0].because for step in reported} == {"the limit of 5 s is reached"}
    outcome = SOLVER.outcome(state)
    assert (outcome.status, outcome.reason) == ("unknown", "Z3 had no answer in time for a value of r1c1")


def test_without_a_first_answer_the_cells_are_asked_about_all_the_same(monkeypatch):
    monkeypatch.setattr(z3_session, "session_of", lambda puzzle, encoding: Silent({"solution"}))
    state, _params, reported = events(TINY)
    assert SOLVER.outcome(state).status == "solved"
    assert reported[1][0].question.startswith("r1c1")


@pytest.mark.sweep
def test_a_run_is_kept_and_goes_back():
    run = Run.start(SOLVER, EASY)
    run.advance(20)
    grid = run.state.grid
    run.seek(3)
    run.seek(20)
    assert run.state.grid == grid
    run.advance(1000)
    assert run.outcome.status == "solved"


@pytest.mark.sweep
@pytest.mark.parametrize("puzzle", [Puzzle((0,) * 256, 4), Puzzle((0,) * 625, 5, "diagonal")])
def test_large_boards(puzzle):
    state, params, reported = events(puzzle, 4, timeout=60.0)
    assert [step[0].answer for step in reported] == ["sat"] * 4
    assert len(SOLVER.view(state, params, reported[-1]).grid) == puzzle.n**2


@pytest.mark.parametrize("preset", ["one-solve", "one-solve-textbook"])
def test_one_solve_is_one_question_to_a_new_automaton(preset, monkeypatch):
    made = []
    monkeypatch.setattr(z3_session, "session_of", lambda *given: pytest.fail("a network of an earlier run"))
    monkeypatch.setattr(z3_session, "Network", lambda *given: made.append(given) or network.Network(*given))
    params = SOLVER.make_params(preset)
    state = SOLVER.init(HARD, params, 0)
    (step,) = SOLVER.steps(state, params)
    assert [type(each) for each in step] == [Asked, Done]
    assert (step[0].line, step[0].cells) == ("read", HARD.free_cells)
    assert SOLVER.outcome(state).status == "solved"
    assert state.grid == solve(HARD).grid
    assert made == [(HARD.geometry, params.encoding)]


def test_one_solve_proves_that_there_is_no_solution_and_says_when_it_has_no_answer():
    values = {"cells": "read"}
    state, _params, (step,) = events(Puzzle.from_line("11.............."), **values)
    assert SOLVER.outcome(state).status == "no_solution"
    state, _params, (step,) = events(HARD, **values, encoding="int-distinct", timeout=1e-6)
    assert SOLVER.outcome(state).status == "unknown"
    assert step[-1].reason.startswith("Z3 had no answer: ")


def test_the_units_of_a_core_are_named_in_the_plural():
    params = SOLVER.make_params()
    state = SOLVER.init(EASY, params, 0)
    named = ""
    for step in islice(SOLVER.steps(state, params), 40):
        core = next((part for part in SOLVER.view(state, params, step).panel.parts if part.title == "Core"), None)
        named += "" if core is None else " ".join(text for _name, text in core.rows).replace(",", "") + "\n"
    assert re.search(r"\b(rows|columns|boxes) \d \d", named)
    assert not re.search(r"\b(row|column|box) \d \d", named)


def test_the_cell_asked_about_is_marked_with_the_core_that_its_value_belongs_to() -> None:
    params, seen = SOLVER.make_params(), 0
    state = SOLVER.init(HARD, params, 0)
    for _step in range(8):
        events = next(SOLVER.steps(state, params))
        view = SOLVER.view(state, params, events)
        if state.answer == "unsat" and state.asked in state.core_placed and view.marks.get("core"):
            seen += 1
            assert state.asked[0] in view.marks["core"]
            assert not view.grid[state.asked[0]]
    assert seen
