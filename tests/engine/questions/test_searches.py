"""Questions about exact searches: recounted from the grid, tracked over the events, answered by robots."""

from __future__ import annotations

import re

import pytest

from engine import registry
from engine.events import Assigned, Contradiction, Retracted
from engine.events.search import Covered, Found, Revised, Uncovered
from engine.puzzles import packs
from engine.questions import Choice, Mark, Several
from engine.solvers.exact import arcs
from tests.engine.questions.asking import EASY, HARD, asked, play_by_chance

PEERS = EASY.geometry.peers
UNITS = EASY.geometry.units


def fitting_values(grid: tuple[int, ...], cell: int) -> set[int]:
    return set(range(1, 10)) - {grid[peer] for peer in PEERS[cell]}


def is_yes(question: Choice) -> bool:
    return question.judge(question.read("yes")).right


@pytest.mark.parametrize(("name", "values"), [("backtrack", {}), ("backtrack", {"order": "boxes"}),
                                              ("backtrack-mrv", {})])
def test_the_next_value_is_the_lowest_that_fits_above_the_one_taken_back(name: str, values: dict[str, object]) -> None:
    none = again = 0
    taken_back: dict[int, int] = {}
    for before, _after, events, questions in asked(name, 700, HARD, **values):
        question = questions.get("next-value")
        cell = next((each.cell for each in events if isinstance(each, Assigned)), None)
        if question is None:
            assert any(isinstance(each, Contradiction) for each in events)
        elif cell is not None:
            above = {value for value in fitting_values(before.grid, cell) if value > taken_back.get(cell, 0)}
            assert question.judge(question.read(str(min(above)))).right
            assert question.chance == 1 / 10
            again += cell in taken_back
        else:
            assert question.judge(question.read("none")).right
            (cell,) = question.marked
            assert not {value for value in fitting_values(before.grid, cell) if value > taken_back[cell]}
            none += 1
        taken_back = {each.cell: each.value for each in events if isinstance(each, Retracted)}
    assert none > 5
    assert again > 5


def test_wrong_values_are_explained_from_the_grid() -> None:
    for before, _after, events, questions in asked("backtrack", 60):
        question, event = questions.get("next-value"), events[0]
        if question is None or not isinstance(event, Assigned):
            continue
        for value in range(1, 10):
            judgement = question.judge(question.read(str(value)))
            if judgement.right:
                continue
            if value not in fitting_values(before.grid, event.cell):
                assert "holds it" in judgement.misconception
            else:
                assert "first" in judgement.misconception or "taken back" in judgement.misconception


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize(("name", "steps"), [("backtrack", 400), ("backtrack-mrv", 400), ("norvig", 300),
                                             ("mac", 9000), ("dlx", 300)])
def test_the_choice_taken_back_is_the_newest(name: str, steps: int) -> None:
    stack: list[int] = []
    seen = 0
    for before, _after, events, questions in asked(name, steps, HARD):
        for event in events:
            match event:
                case Retracted() | Uncovered():
                    question = questions["taken-back"]
                    assert isinstance(question, Mark)
                    assert question.rights == {frozenset({stack.pop()})}
                    for cell, value in enumerate(before.grid):
                        if not value:
                            assert "Nothing was put there" in question.judge(frozenset({cell})).misconception
                    if stack and stack[0] != event.cell:
                        assert "oldest" in question.judge(frozenset({stack[0]})).misconception
                    seen += 1
                case Assigned(line="guess" | "place") | Covered():
                    stack.append(event.cell)
    assert seen > 10


def test_norvig_deduces_as_long_as_it_can() -> None:
    seen: dict[str, int] = {}
    for before, _after, events, questions in asked("norvig", 300, HARD):
        event = events[0]
        if "deduction" not in questions or not isinstance(event, Assigned):
            continue
        masks = {cell: int(mask) for cell, mask in enumerate(before.masks) if not before.grid[cell]}
        naked = {cell for cell, mask in masks.items() if mask.bit_count() == 1}
        hidden = {cells[0] for unit in UNITS for value in range(9)
                  if value + 1 not in {before.grid[cell] for cell in unit.cells}
                  and len(cells := [cell for cell in unit.cells if masks.get(cell, 0) >> value & 1]) == 1}
        fewest = {cell for cell in masks
                  if masks[cell].bit_count() == min(mask.bit_count() for mask in masks.values())}
        wanted, cells = (("naked single", naked) if naked else ("hidden single", hidden) if hidden
                         else ("guess", fewest))
        assert questions["deduction"].judge(questions["deduction"].read(wanted)).right
        assert questions["next-cell"].rights == {frozenset({cell}) for cell in cells}
        assert event.cell in cells
        seen[wanted] = seen.get(wanted, 0) + 1
    assert min(seen.get(each, 0) for each in ("naked single", "hidden single", "guess")) > 2


def test_what_follows_in_norvig_are_the_cells_left_with_one_candidate() -> None:
    some = 0
    for before, after, _events, questions in asked("norvig", 200, HARD):
        if "follows" in questions:
            left = {cell for cell in range(81) if not after.grid[cell] and int(after.masks[cell]).bit_count() == 1
                    and int(before.masks[cell]).bit_count() > 1}
            assert questions["follows"].rights == {frozenset(left)}
            some += bool(left)
    assert some > 10


def test_a_value_without_a_place_is_a_dead_end_too() -> None:
    reasons = set()
    for name in ("norvig", "dlx"):
        for _before, _after, events, questions in asked(name, 400, HARD):
            if "dead-end" in questions:
                if is_yes(questions["dead-end"]):
                    reasons.add(questions["dead-end"].why[:8])
                    assert not any(isinstance(event, Assigned | Covered) for event in events)
                else:
                    assert not any(isinstance(event, Contradiction) and event.line == "choose" for event in events)
    assert reasons == {"No value", "No place"}


@pytest.mark.parametrize("preset", ["smallest", "first"])
def test_the_next_column_has_the_fewest_choices_or_is_the_first(preset: str) -> None:
    seen = 0
    for before, _after, events, questions in asked("dlx", 120, HARD, preset):
        question = questions.get("next-column")
        if question is None:
            continue
        counts = columns_of(before.grid)
        right = {option for place, option in enumerate(question.options) if question.judge(place).right}
        wanted = ({column for column in question.options if counts[column] == min(counts.values())}
                  if preset == "smallest" else {next(iter(counts))})
        assert right == wanted
        assert events[0].column in right  # type: ignore[attr-defined]
        seen += 1
    assert seen > 20


def columns_of(grid: tuple[int, ...]) -> dict[str, int]:
    """The choices left of each column of the exact cover, recounted from the grid; cells, then units."""
    fits = {cell: fitting_values(grid, cell) for cell in range(81) if not grid[cell]}
    found = {f"r{cell // 9 + 1}c{cell % 9 + 1} needs a value": len(fits[cell]) for cell in fits}
    for unit in UNITS:
        for value in set(range(1, 10)) - {grid[cell] for cell in unit.cells}:
            found[f"{unit.name} needs {value}"] = sum(value in fits.get(cell, ()) for cell in unit.cells)
    return found


def test_a_choice_covers_the_columns_of_its_cell_and_its_units() -> None:
    for before, after, events, questions in asked("dlx", 80, HARD):
        if "covered" in questions:
            question = questions["covered"]
            assert isinstance(question, Several)
            gone = columns_of(before.grid).keys() - columns_of(after.grid).keys()
            assert {question.options[place] for place in question.model} == gone
            assert not question.judge(frozenset(list(question.model)[:-1])).right
            assert events[0].cell in question.marked  # type: ignore[attr-defined]


def test_the_choices_left_are_those_of_the_grid_after_the_choice() -> None:
    seen = set()
    for before, after, _events, questions in asked("dlx", 120, HARD):
        if "choices-left" in questions:
            question = questions["choices-left"]
            given = dict(question.given)
            assert given["choices"] == f"{columns_of(before.grid)[given['asked']]} now"
            left = columns_of(after.grid)[given["asked"]]
            assert question.judge(question.read(str(left))).right
            seen.add(left)
    assert len(seen) > 2


@pytest.mark.parametrize("preset", ["mackworth", "decided"])
def test_the_arcs_queued_are_those_that_the_solver_queues(preset: str) -> None:
    seen = 0
    table = arcs.arcs_of(EASY)
    for before, after, events, questions in asked("ac3", 1500, EASY, preset):
        if "queued" not in questions:
            continue
        question, event = questions["queued"], events[0]
        assert isinstance(event, Revised)
        waiting = {(int(table.owner[arc]), int(table.against[arc])) for arc in arcs.waiting_arcs(after)}
        was = {(int(table.owner[arc]), int(table.against[arc])) for arc in arcs.waiting_arcs(before)}
        for place, option in enumerate(question.options):
            arc = tuple((int(name[1]) - 1) * 9 + int(name[3]) - 1 for name in option.split(" → "))
            assert arc in waiting if place in question.model else arc not in waiting - was, (before.step, option)
        seen += 1
    assert seen > 20


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("preset", "kind"), [("dom-wdeg", Choice), ("mrv", Mark), ("dom-deg", Choice)])
def test_the_cell_that_mac_guesses_is_right(preset: str, kind: type) -> None:
    seen = 0
    for _before, _after, events, questions in asked("mac", 6000, HARD, preset):
        assert "struck" not in questions, "its arcs strike the candidates later, one by one"
        event = events[0]
        if isinstance(event, Assigned) and event.guess and "next-cell" in questions:
            question = questions["next-cell"]
            assert isinstance(question, kind)
            if isinstance(question, Choice):
                name = f"r{event.cell // 9 + 1}c{event.cell % 9 + 1}  "
                quotients = [int(size) / int(weight) for size, _, weight in
                             (option.split("  ")[1].split() for option in question.options)]
                assert question.options[question.model].startswith(name)
                assert question.why.startswith("The solver takes" if len(question.rights) > 1 else name.strip())
                assert {place for place, each in enumerate(quotients) if each == min(quotients)} == question.rights
            else:
                assert frozenset({event.cell}) in question.rights
            assert questions["next-value"].judge(event.value - 1).right
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("name", ["backtrack", "backtrack-mrv", "norvig", "ac3", "mac", "dlx", "cp-sat"])
def test_every_exact_solver_asks_two_kinds_of_questions(name: str) -> None:
    if why := registry.solver(name).missing():
        pytest.skip(why)
    kinds: set[str] = set()
    for _before, _after, _events, questions in asked(name, 1500):
        kinds |= questions.keys()
    assert len(kinds) >= 2, kinds


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize(("name", "steps", "kinds"), [
    ("backtrack", 500, {"dead-end", "next-cell", "next-value", "struck", "taken-back"}),
    ("backtrack-mrv", 500, {"dead-end", "next-cell", "next-value", "struck", "taken-back"}),
    ("norvig", 500, {"dead-end", "deduction", "next-cell", "next-value", "struck", "follows", "taken-back"}),
    ("mac", 5000, {"dead-end", "next-cell", "next-value", "support", "queued", "taken-back"}),
    ("dlx", 500, {"dead-end", "next-column", "covered", "choices-left", "taken-back"}),
])
def test_a_robot_that_reads_is_always_right_and_one_that_guesses_as_often_as_chance(
        name: str, steps: int, kinds: set[str]) -> None:
    play_by_chance(asked(name, steps, HARD), kinds)


# What an open question tells

@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("name", ["backtrack", "backtrack-mrv", "dlx", "norvig"])
def test_dead_ends_are_asked_for_where_either_answer_is_likely(name: str) -> None:
    answers = [is_yes(questions["dead-end"]) for *_, questions in asked(name, 700, HARD) if "dead-end" in questions]
    assert len(answers) > 20
    assert 0.2 < sum(answers) / len(answers) < 0.8


@pytest.mark.parametrize(("name", "number"), [("mac", "hard:1"), ("mac", "easy:5"), ("ac3", "hard:1")])
def test_support_is_asked_about_where_either_answer_is_likely(name: str, number: str) -> None:
    answers = [is_yes(questions["support"]) for *_, questions in asked(name, 500, packs.find(number).puzzle)
               if "support" in questions]
    assert len(answers) > 20
    assert 0.2 < sum(answers) / len(answers) < 0.8


def test_the_techniques_that_are_offered_do_not_tell_which_are_absent() -> None:
    harder = set()
    for *_, events, questions in asked("human", 60, HARD):
        if "technique" in questions and isinstance(events[0], Found):
            question = questions["technique"]
            assert isinstance(question, Choice)
            assert question.options[:5] == ("Hidden single", "Naked single", "Pointing", "Claiming", "Naked pair")
            assert len(question.options) == 8
            harder |= {*question.options[5:]}
    assert len(harder) > 10


def test_the_question_of_a_pattern_does_not_tell_its_size() -> None:
    most = {}
    for *_, events, questions in asked("human", 60, HARD):
        if "pattern" in questions and isinstance(events[0], Found):
            question = questions["pattern"]
            assert isinstance(question, Mark)
            assert question.text == f"Mark the cells of the pattern: {events[0].technique}."
            most[events[0].technique] = question.most
    assert most.pop("Hidden single") == most.pop("Naked single", 1) == 1
    assert set(most.values()) == {6}


@pytest.mark.parametrize(("name", "values", "taken"), [
    ("backtrack-mrv", {}, "the one with most empty peers, or the first of these"),
    ("backtrack-mrv", {"ties": "first"}, "the first"),
    ("mac", {"choice": "mrv"}, "the first"),
])
def test_it_is_said_which_of_equal_cells_the_solver_takes(name: str, values: dict[str, object], taken: str) -> None:
    question = next(questions["next-cell"] for *_, questions in asked(name, 500, HARD, **values)
                    if "next-cell" in questions)
    assert dict(question.given)["if equal"] == f"any is right; the solver takes {taken}"


def test_the_rule_of_the_queue_is_told_and_its_hint_names_no_cell() -> None:
    question = next(questions["queued"] for *_, questions in asked("ac3", 60) if "queued" in questions)
    assert dict(question.given)["queued"] == "all that may have lost some"
    assert question.hint == "Those whose b lost the value, but not the one whose a has taken it from b."


def test_every_arc_that_is_not_queued_has_its_reason_and_two_are_told() -> None:
    question = next(questions["queued"] for *_, questions in asked("ac3", 60) if "queued" in questions)
    assert isinstance(question, Several)
    wrong = [place for place in range(len(question.options)) if place not in question.model]
    assert len(wrong) > 2
    said = [question.judge(frozenset({place})).misconception for place in wrong]
    assert all(said)
    assert question.judge(frozenset(wrong)).misconception == f"{said[0]} {said[1]}"
    part = frozenset({min(question.model)})
    assert question.judge(part).misconception == f"Right as far as it goes: 1 of {len(question.model)}."
    lone = next(questions["queued"] for *_, questions in asked("mac", 3000, HARD) if "queued" in questions)
    assert re.fullmatch(r"It keeps one value, (.): a peer that can hold \1 loses it\.", lone.why)


def test_values_above_nine_are_numbers_and_their_keys_are_letters() -> None:
    puzzle = packs.find("16x16:2").puzzle
    question = next(questions["next-value"] for *_, questions in asked("backtrack", 5, puzzle))
    assert isinstance(question, Choice)
    assert question.options == (*map(str, range(1, 17)), "none")
    assert [question.write(question.read(typed)) for typed in ("a", "10", "G", "1")] == ["10", "10", "16", "1"]
    assert [question.key(character) for character in ("A", "G", "3", "H", ".", "h")] == [9, 15, 2, None, None, None]
    column = next(questions["next-column"] for *_, questions in asked("dlx", 5, packs.find("16x16:3").puzzle))
    assert isinstance(column, Choice)
    assert all(option.split()[-1] in {*map(str, range(1, 17)), "value"} for option in column.options)


def test_a_technique_with_a_hyphen_can_be_typed() -> None:
    question = next(questions["technique"] for *_, questions in asked("human", 60, HARD)
                    if "XY-wing" in getattr(questions.get("technique"), "options", ()))
    assert isinstance(question, Choice)
    assert question.read("xy-wing") == question.options.index("XY-wing")


@pytest.mark.parametrize("name", ["backtrack-mrv", "norvig", "dlx", "mac", "z3", "z3-inside"])
def test_on_diagonals_no_question_leaves_these_out(name: str) -> None:
    kinds: dict[str, str] = {}
    for *_, questions in asked(name, 30, packs.find("diagonal:3").puzzle):
        for question in questions.values():
            given = "; ".join(value for _name, value in question.given)
            for said in (question.text, question.hint, question.why, given):
                assert "column or box" not in said
                assert "column and box" not in said
            kinds[question.kind] = given + question.hint
    if name == "norvig":
        assert "row, column, box or diagonal" in kinds["deduction"]
        assert "row, column, box or diagonal" in kinds["dead-end"]
