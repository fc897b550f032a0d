"""The state of the automata screen and its panes, without widgets and Z3."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from engine.automata.answers import Inquiry
from engine.automata.explanation import Explanation
from engine.automata.formula import ENCODINGS, Instance, formula, totals, unit_formula
from engine.automata.questions import Counters, Finding, Topic
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.text import count
from tui.look.glyphs import ASCII
from tui.screens.automata.panes import centred, counter_lines, formula_lines, question_lines, strip_lines
from tui.screens.automata.screen import SMALLEST, plan
from tui.screens.automata.sentences import assumed_values, milliseconds, verdict
from tui.screens.automata.state import AutomataState
from tui.widgets.rows import Space

HARD = packs.find("hard:1").puzzle
CORE = ((13,), ((5, 2), (28, 2)))


def book_with(*topics: str) -> AutomataState:
    state = AutomataState(HARD)
    for topic in topics:
        state.add_answer(Finding(state.query(topic), "sat"), 0.001)  # type: ignore[arg-type]
    return state


def refused(state: AutomataState, size: int = 3) -> Finding:
    state.move_cursor(5)
    placed = tuple((cell, value) for cell, value in enumerate(HARD.givens) if value)[:size - 2]
    told = Explanation("column 5 has no place left for 2", 13, 2, (), HARD.givens, 1)
    found = Finding(state.query("value", value=2), "unsat", told.because, (13,), ((5, 2), *placed), explanation=told)
    state.add_answer(found, 0.00184)
    return found


def text_of(lines) -> str:
    return "\n".join("".join(text for text, _role in line) for line in lines)


@pytest.mark.parametrize("width", [34, 48, 65])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_constraint_has_the_number_of_its_kind(width: int, encoding: str) -> None:
    state = AutomataState(HARD)
    state.encoding = encoding  # type: ignore[assignment]
    lines = formula(Instance(HARD, HARD.givens, encoding))  # type: ignore[arg-type]
    shown = text_of(formula_lines(state, Space(width, 40), "f"))
    assert re.findall(r"\((\S+(?: \d+)*) of these\)", shown) == [count(line.many) for line in lines if line.many > 1]


def test_values_are_set_undone_and_redone() -> None:
    state = AutomataState(HARD)
    assert state.set_value(1, 6)
    assert not state.set_value(0, 9)  # it is given
    assert not state.set_value(1, 6)
    assert state.set_cells == 1
    assert state.undo()
    assert state.cells == HARD.givens
    assert not state.undo()
    assert state.redo()
    assert state.cells[1] == 6
    assert not state.redo()


def test_undo_removes_the_grid_of_a_run() -> None:
    grid = tuple(value or 1 for value in HARD.givens)
    state = AutomataState(HARD, grid)
    assert state.set_cells == 64
    assert state.undo()
    assert state.cells == HARD.givens


def test_the_selected_automaton_follows_the_cursor() -> None:
    state = AutomataState(packs.find("diagonal:1").puzzle)
    assert state.scopes[-2:] == ("diagonal 1", "diagonal 2")
    state.move_cursor(80)
    state.next_scope(1)
    assert state.selected_unit.name == "row 9"
    state.next_scope(2)
    assert state.selected_unit.name == "box 9"
    state.next_scope(2)
    assert state.selected_unit.name == "diagonal 2"
    state.select_unit(9)
    assert (state.selected_unit.name, state.cursor) == ("column 1", 0)
    state.next_encoding(-1)
    assert state.encoding == ENCODINGS[-1]


def test_stepping_through_the_questions_ends_at_the_present_board() -> None:
    state = book_with("solution", "unique")
    assert state.current is not None
    assert state.current.number == 2
    assert state.next_question(-1)
    assert not state.next_question(-1)
    assert state.current.finding.query.topic == "solution"
    assert state.next_question(1)
    assert state.next_question(1)
    assert state.current is None
    assert not state.next_question(1)


def test_an_earlier_question_shows_its_board() -> None:
    state = AutomataState(HARD)
    refused(state)
    assert state.grid[5] == 2
    state.set_value(1, 6)
    assert state.current is None
    assert (state.grid[1], state.grid[5]) == (6, 0)
    state.next_question(-1)
    assert (state.grid[1], state.grid[5]) == (0, 2)


def test_every_word_found_for_a_unit_is_another() -> None:
    state = AutomataState(HARD)
    first = state.query("model", unit=0)
    assert first.without == ()
    state.add_answer(Finding(first, "sat", word=(4, 1, 2, 3, 6, 7, 8, 9, 5)), 0.0)
    assert state.query("model", unit=0).without == ((4, 1, 2, 3, 6, 7, 8, 9, 5),)
    assert state.query("model", unit=1).without == ()
    assert state.query("model", unit=0, word=(4,) + (0,) * 8).without == ()
    state.set_value(9, 1)
    assert state.query("model", unit=0).without != ()  # that cell is of another row
    state.set_value(1, 2)
    assert state.query("model", unit=0).without == ()


def test_a_minimal_core_replaces_the_larger_one() -> None:
    state = AutomataState(HARD)
    found = refused(state, 8)
    query = state.minimise_query()
    assert query is not None
    state.add_answer(Finding(state.query("solution"), "sat"), 0.0)
    smaller = Finding(query, "unsat", "so", CORE[0], CORE[1], found.size)
    entry = state.add_answer(smaller, 0.5)
    assert len(state.questions) == 2
    assert (entry.number, entry.finding.size, entry.finding.before) == (1, 3, 8)
    said = verdict(entry, HARD).text
    assert said == "r1c6 = 2: so   core: 3 of 27 units and 18 values   minimal, 8 before   1.84 ms"


def test_the_core_of_a_word_is_not_one_of_the_formula_on_the_screen() -> None:
    state = AutomataState(HARD)
    state.select_unit(3)
    query = state.query("word", word=(1, 2, 3, 4, 5, 6, 7, 8, 9))
    own = Counters(3_759, 9_777, 137, 1.0)
    clash = ((34, 6), (34, 8))
    found = Finding(query, "unsat", "r4c8 is given 6, not 8", (), clash, word=query.word, blame=(7,), counters=own)
    state.add_answer(found, 0.0)
    assert not state.lists_core
    assert "core" not in text_of(formula_lines(state, Space(65, 12), "f"))
    minimal = state.minimise_query()
    assert minimal is not None
    of_the_board = Counters(281, 23_076, 155, 1.0)
    entry = state.add_answer(Finding(minimal, "unsat", "so", (), clash, 2, counters=of_the_board), 0.0)
    assert (entry.finding.before, entry.finding.counters) == (2, own)


def test_a_state_without_questions() -> None:
    state = AutomataState(HARD)
    assert state.minimise_query() is None
    assert not state.next_answer()
    state = book_with("solution")
    assert state.minimise_query() is None
    assert not state.toggle_explanation()


def test_an_explanation_and_an_answer_on_the_board() -> None:
    state = AutomataState(HARD)
    found = refused(state)
    deduced = (*HARD.givens[:1], 9, *HARD.givens[2:])
    assert found.explanation is not None
    explanation = replace(found.explanation, values=deduced)
    state.questions[0] = replace(state.questions[0], finding=replace(found, explanation=explanation))
    assert state.toggle_explanation()
    assert state.grid[:6] == (4, 9, 0, 0, 0, 2)
    assert state.toggle_explanation()
    assert state.view == "board"
    state.add_answer(Finding(state.query("solution"), "sat", grid=(1,) * 81), 0.0)
    assert state.next_answer()
    assert set(state.grid) == {1}
    assert state.next_answer()
    assert state.view == "board"
    state.add_answer(Finding(state.query("unique"), "unsat", grid=(1,) * 81, other=(2,) * 81), 0.0)
    assert [state.next_answer() and (state.view, state.grid[1]) for _press in range(3)] == [
        ("answer", 1), ("other", 2), ("board", 0)]


def test_the_formula_marks_a_core_unless_it_is_too_large() -> None:
    state = AutomataState(HARD)
    refused(state)
    shown = text_of(formula_lines(state, Space(65, 12), "f"))
    assert "▶!asked      r1c6 = 2" in shown
    assert "! column 5" in shown
    state.core_only = True
    assert "cells" not in text_of(formula_lines(state, Space(65, 12), "f"))
    state.core_only = False
    found = refused(state, 18)
    assert not found.helps
    shown = text_of(formula_lines(state, Space(65, 12), "f"))
    assert "a core of 18 items is too large" in shown
    assert "! " not in shown.split("\n", 1)[1]
    state.core_only = True
    assert "! units" in text_of(formula_lines(state, Space(65, 12), "f"))


def test_a_kind_of_constraint_is_apart_from_its_text_in_a_narrow_pane() -> None:
    state = AutomataState(Puzzle((0,) * 16, 2, "diagonal"))
    for width in (38, 60):
        (line,) = [line for line in text_of(formula_lines(state, Space(width, 20), "m")).splitlines() if "diag" in line]
        assert line.split()[1:4] == ["each", "value", "once"]


def test_the_formula_and_the_counters_agree_on_what_z3_has() -> None:
    state = AutomataState(HARD)
    for listed, assumed in ((341, 17), (342, 18)):
        formula = text_of(formula_lines(state, Space(65, 12), "f"))
        assert f"{listed} listed: 324 asserted + {assumed} values assumed" in formula
        counters = text_of(counter_lines(state, Space(40, 12))).splitlines()
        assert ["asserted", "324"] in [line.split() for line in counters]
        assert ["assumed", str(assumed)] in [line.split() for line in counters]
        state.add_answer(Finding(state.query("value", value=1), "sat", grid=(1,) * 81), 0.0)


@pytest.mark.parametrize(("topic", "clauses"), [("solution", 0), ("second", 1), ("unique", 1), ("count", 2)])
def test_a_question_about_other_solutions_lists_its_blocking_clauses(topic: Topic, clauses: int) -> None:
    puzzle = Puzzle((1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0), 2)
    state = AutomataState(puzzle)
    state.add_answer(Inquiry(puzzle, 60.0).put(replace(state.query(topic), limit=2)), 0.1)
    formula = text_of(formula_lines(state, Space(65, 12), "f"))
    asserted = str(4 * 16 + clauses)
    assert f"{asserted} asserted + 3 values assumed" in formula
    assert ("blocking" in formula) == bool(clauses)
    counters = text_of(counter_lines(state, Space(40, 12))).splitlines()
    assert ["asserted", asserted] in [line.split() for line in counters]


def test_a_question_about_another_word_lists_its_blocking_clauses() -> None:
    state = AutomataState(HARD)
    state.scope = "row"
    for word in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (2, 1, 3, 4, 5, 6, 7, 8, 9), (3, 1, 2, 4, 5, 6, 7, 8, 9)):
        state.add_answer(Finding(state.query("model"), "sat", word=word), 0.1)
    formula = text_of(formula_lines(state, Space(65, 12), "f"))
    assert "a cell differs from a word found" in formula
    assert "(2 of these)" in formula
    counters = text_of(counter_lines(state, Space(40, 12))).splitlines()
    assert ["asserted", "92"] in [line.split() for line in counters]


@pytest.mark.parametrize(("topic", "word", "wanted", "assumed"), [
    ("model", (9, 8, 7, 6, 5, 4, 3, 2, 1), (), 0), ("model", (9, 8, 7, 6, 5, 4, 3, 2, 1), (9, *[0] * 8), 1),
    ("word", (1, 2, 3, 4, 5, 6, 7, 8), (), 0), ("word", (1, 1, 3, 4, 5, 6, 7, 8, 9), (), 9),
    ("word", (1, 11, 3, 4, 5, 6, 7, 8, 9), (), 0)])
def test_a_question_about_a_unit_assumes_what_it_was_asked(
        topic: Topic, word: tuple[int, ...], wanted: tuple[int, ...], assumed: int) -> None:
    state = AutomataState(Puzzle((0,) * 81))
    query = state.query(topic, word=wanted or word if topic == "word" else wanted)
    state.add_answer(Finding(query, "sat", word=word), 0)
    counters = text_of(counter_lines(state, Space(40, 12))).splitlines()
    assert ["assumed", str(assumed)] in [line.split() for line in counters]


def test_a_word_against_a_given_assumes_both() -> None:
    state = AutomataState(HARD)
    state.add_answer(Inquiry(HARD, 60.0).put(state.query("word", unit=0, word=(1, 2, 3, 4, 5, 6, 7, 8, 9))), 0.1)
    counters = text_of(counter_lines(state, Space(40, 12))).splitlines()
    assert ["assumed", "12"] in [line.split() for line in counters], "4, 8 and 5 are given there"


def test_the_automaton_of_an_answer_by_logic_says_that_its_values_are_deduced() -> None:
    state = AutomataState(HARD)
    state.move_cursor(2)
    inquiry = Inquiry(HARD, 60.0)
    state.add_answer(inquiry.put(state.query("value", value=2)), 0.1)
    panel = state.strip()
    assert panel.title == "One 7 in box 7, after logic"
    assert not any("logic" in each for each in panel.because)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
def test_there_is_room_for_every_counter(size: tuple[int, int]) -> None:
    region = plan(*size, 3, tab=3)["counters"]
    shown = text_of(counter_lines(AutomataState(HARD), Space(region.width, region.height))).splitlines()
    assert len(shown) <= region.height
    for label in ("asserted", "assumed", "variables", "decisions", "propagations", "conflicts", "memory MB"):
        assert label in "\n".join(shown)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_formula_of_one_automaton_lists_all_that_is_asserted(encoding) -> None:
    state = AutomataState(HARD)
    state.encoding, state.scope = encoding, "row"
    lines = unit_formula(HARD.geometry, state.selected_unit, encoding)
    asserted = totals(lines)[0]
    assert ["asserted", count(asserted)] in [line.split(maxsplit=1) for line in
                                             text_of(counter_lines(state, Space(40, 12))).splitlines()]


@pytest.mark.parametrize("width", [34, 65, 110])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_line_is_wider_than_its_pane(encoding, width) -> None:
    for puzzle in (HARD, Puzzle((0,) * 625, 5), packs.find("16x16:1").puzzle):
        state = AutomataState(puzzle)
        state.encoding = encoding
        for scope in ("board", "row"):
            state.scope = scope  # type: ignore[assignment]
            space = Space(width, 12)
            panes = formula_lines(state, space, "f"), counter_lines(state, space), question_lines(state, space, "x")
            for lines in panes:
                assert len(lines) <= 12
                for line in lines[1:]:
                    assert sum(len(text) for text, _role in line) <= width
        for line in strip_lines(state, Space(78, 5))[1:]:
            assert sum(len(text) for text, _role in line) <= 78


def test_an_automaton_shows_letters_reasons_and_acceptance() -> None:
    state = AutomataState(HARD)
    refused(state)
    head, reads, can, because, states = text_of(strip_lines(state, Space(116, 5))).splitlines()
    assert "One 2 in column 5" in head
    assert "rejected" in head
    assert "r1c5" in reads
    assert can.startswith("can be 2")
    assert "= 8" in because
    assert states.count("(0)") == 10
    assert text_of(strip_lines(state, Space(116, 5, ASCII))).isascii()


def test_the_values_of_a_core_are_those_that_the_formula_assumes() -> None:
    state = AutomataState(HARD)
    assert assumed_values(refused(state), HARD.geometry) == 17 + 1
    assert "+ 18 values assumed" in text_of(formula_lines(state, Space(80, 20, ASCII), ""))


def test_times_have_three_digits() -> None:
    assert [milliseconds(each) for each in (0.00184, 0.0417, 5.0123)] == ["1.84", "41.7", "5 012"]


@pytest.mark.parametrize("box", [2, 3, 4, 5])
@pytest.mark.parametrize("size", [(44, 17), (60, 20), (80, 24), (100, 30), (120, 34), (120, 36), (200, 60), (300, 80)])
def test_panes_are_on_the_screen_and_do_not_overlap(size, box) -> None:
    width, height = size
    for tab in (1, 2, 3):
        regions = plan(width, height, box, tab)
        assert {"verdict", "board", "footer"} <= regions.keys()
        placed = list(regions.values())
        for place, region in enumerate(placed):
            assert region.width > 0
            assert region.height > 0
            assert region.right <= width
            assert region.bottom <= height
            assert not any(region.overlaps(other) for other in placed[place + 1:])
    assert not plan(SMALLEST[0] - 1, 60, box)


def test_a_typed_letter_is_a_given_only_if_they_are_equal() -> None:
    state = AutomataState(HARD)
    state.move_cursor(0)
    state.next_scope(1)
    word = (4, 1, 2, 3, 5, 6, 7, 9, 8)
    assert HARD.givens[:9] == (4, 0, 0, 0, 0, 0, 8, 0, 5)
    state.add_answer(Finding(state.query("word", word=word), "sat", word=word), 0.001)
    assert state.strip().because == ("given", *["typed"] * 8)


@pytest.mark.parametrize(("topic", "wanted", "because"), [
    ("word", (4, 1, 2, 3, 5, 6, 8, 7, 9), ["given", "set", *["typed"] * 7]),
    ("model", (), ["given", "set", *["found"] * 7]),
    ("model", (0, 0, 2, *[0] * 6), ["given", "set", "typed", *["found"] * 6])])
def test_a_letter_that_was_set_or_asked_is_not_found(topic: Topic, wanted: tuple[int, ...], because: list[str]) -> None:
    state = AutomataState(Puzzle((4, *[0] * 80)))
    state.move_cursor(0)
    state.next_scope(1)
    state.set_value(1, 1)
    state.add_answer(Finding(state.query(topic, word=wanted), "sat", word=(4, 1, 2, 3, 5, 6, 8, 7, 9)), 0.001)
    assert state.strip().because == tuple(because)


def test_a_word_of_another_length_is_shown_rejected() -> None:
    state = AutomataState(HARD)
    state.move_cursor(0)
    state.next_scope(1)
    for word, letters, states in [
        ((4, 1, 2), "412......", ("(1)", "(2)", "(3)", *["(3)"] * 6)),
        ((4, 1, 2, 3, 5, 6, 7, 9, 8, 8), "412356798", tuple(f"({read})" for read in range(1, 10))),
    ]:
        state.add_answer(Finding(state.query("word", word=word), "unsat", "expected 9", word=word), 0.001)
        shown = state.strip()
        assert ("".join(shown.letters), shown.states[1:], shown.accepted) == (letters, states, False)
    state.next_question(-1)
    assert state.strip().because == ("given", "typed", "typed", *["absent"] * 6)


def test_a_value_that_is_asked_for_a_given_is_not_the_given() -> None:
    state = AutomataState(HARD)
    state.move_cursor(0)
    assert HARD.givens[0] == 4
    state.add_answer(Finding(state.query("value", value=2), "sat"), 0.001)
    assert state.strip().because[0] == "asked"
    assert state.strip().letters[0] == "2"


def test_a_window_holds_its_focus() -> None:
    assert all(focus in centred(focus, 30, 7) and len(centred(focus, 30, 7)) == 7 for focus in range(30))
    assert list(centred(0, 3, 7)) == [0, 1, 2]


def test_the_automaton_that_waits_for_a_value_names_the_units_of_the_core() -> None:
    state, cells = AutomataState(HARD), (1, 2)
    placed = ((0, 4), (1, 1), (2, 2), (6, 8), (8, 5), (21, 7), (61, 7))
    board = tuple(dict(placed).get(cell, 0) for cell in range(81))
    told = Explanation("row 1 has no place left for 7", 0, 7, cells, board, 0)
    state.add_answer(Finding(state.query("value", value=2), "unsat", told.because, (0, 16, 19), placed,
                             explanation=told), 0.001)
    assert state.strip().because == ("= 4", "= 1", "= 2", "box 2", "box 2", "box 2", "= 8", "column 8", "= 5")


@pytest.mark.parametrize(("width", "said"), [
    (78, "a new letter: (k) → (k+1)"), (116, "a new letter: (k) → (k+1)   a repeated one is rejected"),
    (140, "a new letter: (k) → (k+1)   a repeated one is rejected   ((9)) accepts")])
def test_the_rule_of_an_automaton_is_shown_as_far_as_it_has_room(width: int, said: str) -> None:
    assert text_of(strip_lines(AutomataState(HARD), Space(width, 5))).splitlines()[0].rstrip().endswith(said)


def test_a_question_about_a_column_keeps_its_number_in_a_narrow_list() -> None:
    state = AutomataState(HARD)
    state.next_scope(2)
    assert state.selected_unit.name == "column 5"
    state.add_answer(Finding(state.query("model"), "sat", word=(1, 2, 3, 4, 5, 6, 7, 8, 9)), 0.0)
    assert "a word of col 5?" in text_of(question_lines(state, Space(34, 8), "enter"))
