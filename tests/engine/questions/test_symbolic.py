"""Questions about solvers of formulas and about beliefs: cores by an own search, words by sets, products recomputed."""

from __future__ import annotations

import pytest

from engine import registry, solutions
from engine.automata.transitions import is_accepting, read
from engine.events.search import Asked, Decided, Propagated
from engine.puzzle import Puzzle
from engine.questions import Choice, Moment, Several
from engine.questions.cores import pick_a_core
from engine.view import View
from tests.engine.questions.asking import EASY, HARD, asked, play_by_chance

GEOMETRY = EASY.geometry


def contradict(units: list[int], placed: dict[int, int]) -> bool:
    """True if no grid has these values and keeps the rules of these units: depth first, fewest values first."""
    cells = [set(GEOMETRY.units[unit].cells) for unit in units]
    open_cells = set().union(*cells) - placed.keys()

    def fits(cell: int, held: dict[int, int]) -> set[int]:
        return set(range(1, 10)) - {held[other] for unit in cells if cell in unit for other in unit
                                    if other != cell and other in held}

    def search(held: dict[int, int], left: set[int]) -> bool:
        for unit in cells:
            values = [held[cell] for cell in unit if cell in held]
            able = set(values).union(*(fits(cell, held) for cell in unit & left))
            if len(set(values)) < len(values) or len(able) < 9:
                return False
        if not left:
            return True
        cell = min(left, key=lambda each: (len(fits(each, held)), each))
        return any(search({**held, cell: value}, left - {cell}) for value in sorted(fits(cell, held)))

    return not search(dict(placed), open_cells)


def items(question: Several, grid: tuple[int, ...], places: frozenset[int]) -> tuple[list[int], dict[int, int]]:
    """The units and the values of some options, with the value asked about and those that are kept."""
    names = [unit.name for unit in GEOMETRY.units]
    words = [question.options[place] for place in sorted(places)] + [dict(question.given)["asked"]]
    pairs = [word.split(" = ") for word in words if " = " in word]
    kept = {cell: grid[cell] for cell in question.marked if grid[cell]}
    return ([names.index(word) for word in words if word in names],
            kept | {(int(cell[1]) - 1) * 9 + int(cell[3]) - 1: int(value) for cell, value in pairs})


@pytest.mark.sweep
def test_a_core_is_right_if_nothing_satisfies_it_and_minimal_if_nothing_can_go() -> None:
    minimal = spare = 0
    for before, _after, _events, questions in asked("z3", 60):
        if "core" not in questions:
            continue
        question = questions["core"]
        kept = [f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in question.marked if before.grid[cell]]
        assert dict(question.given).get("kept", "").split() == kept
        every = range(len(question.options))
        answers = {question.model, *(question.model - {place} for place in question.model),
                   *(question.model | {place} for place in every if place not in question.model)}
        for answer in answers - {frozenset()}:
            judged = question.judge(answer)
            assert judged.right == contradict(*items(question, before.grid, answer)), (question.options, answer)
            if judged.right:
                can_go = [place for place in answer if contradict(*items(question, before.grid, answer - {place}))]
                assert ("a minimal core" in judged.why) == (not can_go)
                assert not can_go or any(question.options[place] in judged.why for place in can_go)
                minimal, spare = minimal + (not can_go), spare + bool(can_go)
            else:
                assert "finds a grid" in judged.why
    assert minimal >= 5
    assert spare >= 5


def test_any_core_is_right_not_only_that_of_the_run() -> None:
    """Of three values in one row that repeat a value, any two contradict: the run names one pair."""
    grid = (5, 5, 5, *(0,) * 78)
    event = Asked(3, "solution", "a solution", "unsat", (), ("row 1", "r1c1 = 5", "r1c2 = 5"))
    puzzle = Puzzle(grid)
    moment = Moment(puzzle, View(grid, {}), None, (event,), lambda _place: View(grid, {}))  # type: ignore[arg-type]
    (question,) = pick_a_core(event, moment)
    other = frozenset(question.options.index(name) for name in ("row 1", "r1c2 = 5", "r1c3 = 5"))
    assert other != question.model
    judged = question.judge(other)
    assert judged.right
    assert "a minimal core" in judged.why


@pytest.mark.sweep
def test_the_core_is_not_told_before_it_is_asked() -> None:
    for *_, questions in asked("z3", 60):
        if "core" in questions:
            assert " = " not in questions["satisfiable"].why
            assert "row" not in questions["satisfiable"].why


@pytest.mark.sweep
def test_a_step_that_fills_a_cell_is_not_told_from_one_that_does_not() -> None:
    """All that is shown before SAT or UNSAT is answered is the same for both."""
    answers: list[str] = []
    for *_, events, questions in asked("z3", 60):
        if isinstance(events[0], Asked) and "satisfiable" in questions:
            assert next(iter(questions)) == "satisfiable"
            answers.append(events[0].answer)
    assert 0.3 < answers.count("sat") / len(answers) < 0.7


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("preset", [None, "every-value"])
def test_a_word_is_refused_at_the_first_letter_that_was_read_before(preset: str | None) -> None:
    ends: dict[str, int] = {}
    for before, _after, _events, questions in asked("z3", 90, EASY, preset):
        if "word" not in questions:
            continue
        question = questions["word"]
        word = [int(letter) for letter in dict(question.given)["word"].split()]
        row = GEOMETRY.rows[next(int(part) for part in question.text.replace("?", " ").split() if part.isdigit()) - 1]
        assert all(before.grid[cell] in (0, letter) for cell, letter in zip(row.cells, word, strict=True)) or preset
        end = next((str(k + 1) for k in range(9) if word[k] in word[:k]), "end")
        assert question.judge(question.read(end)).right
        assert is_accepting(read(9, word)[-1]) == (end == "end")
        ends[end] = ends.get(end, 0) + 1
    assert ends["end"] >= 3
    assert len(ends) >= 4


@pytest.mark.parametrize("name", ["z3", "cp-sat"])
def test_a_forced_value_is_that_of_the_solution(name: str) -> None:
    if why := registry.solver(name).missing():
        pytest.skip(why)
    solution = solutions.solve(EASY).grid
    assert solution is not None
    found = [questions["forced-value"] for *_, questions in asked(name, 60) if "forced-value" in questions]
    assert found
    for question in found:
        assert question.judge(solution[question.marked[0]] - 1).right


def test_nothing_in_the_words_of_cp_sat_tells_sat_from_unsat() -> None:
    if why := registry.solver("cp-sat").missing():
        pytest.skip(why)
    for *_, questions in asked("cp-sat", 300, EASY, "unique"):
        if "satisfiable" in questions:
            assert questions["satisfiable"].given in ((("asked", "a solution"),), (("asked", "another solution"),))
            assert not questions["satisfiable"].marked


@pytest.mark.sweep
def test_what_z3_derives_and_where_it_decides_is_seen_on_the_board() -> None:
    seen: dict[str, int] = {}
    for before, _after, events, questions in asked("z3-inside", 3000, HARD):
        event = events[0]
        assert "struck" not in questions, "Z3 strikes one literal a step: filled cells keep candidates until then"
        if "decision" in questions:
            word = "a decision" if isinstance(event, Decided) else "a consequence"
            assert questions["decision"].judge(questions["decision"].read(word)).right
            seen[word] = seen.get(word, 0) + 1
        if "propagation" in questions:
            assert isinstance(event, Propagated)
            assert not before.grid[event.cell], "its value is on the board"
            word = "true" if event.holds else "false"
            assert questions["propagation"].judge(questions["propagation"].read(word)).right
            seen[word] = seen.get(word, 0) + 1
        assert "dead-end" not in questions
    assert set(seen) == {"a decision", "a consequence", "true", "false"}


def test_the_strongest_belief_is_that_of_the_sweep() -> None:
    surprising = 0
    for _before, after, _events, questions in asked("belief", 30, HARD):
        if "strongest" not in questions:
            continue
        question = questions["strongest"]
        assert isinstance(question, Choice)
        (cell,) = question.marked
        assert question.judge(question.read(str(int(after.beliefs[cell].argmax()) + 1))).right
        assert len(question.rights) == 1
        assert question.given[-1] == ("board", "what the sweep before believed")
        surprising += any("does not decide" in words for words in question.mistakes.values())
    assert surprising > 3


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("name", "steps", "puzzle", "kinds"), [
    ("z3", 200, EASY, {"satisfiable", "word", "core"}),
    ("z3-inside", 3000, HARD, {"decision", "propagation"}),
    ("belief", 40, HARD, {"strongest"}),
])
def test_a_robot_that_reads_is_always_right_and_one_that_guesses_as_often_as_chance(
        name: str, steps: int, puzzle: Puzzle, kinds: set[str]) -> None:
    play_by_chance(asked(name, steps, puzzle), kinds)


def test_a_letter_of_an_option_is_no_article_and_the_own_right_answer_is_named() -> None:
    question = Choice(kind="?", text="?", why=".", options=("a r1c2 ↔ r1c3", "b r1c4 ↔ r1c5"), rights=frozenset({0, 1}))
    for place, letter in enumerate("ab"):
        assert question.read(letter) == question.read(letter.upper()) == place
        assert question.judge(place).correct == question.options[place]


def test_an_option_can_be_typed_without_its_article() -> None:
    question = next(questions["decision"] for *_, questions in asked("z3-inside", 400) if "decision" in questions)
    assert question.read("decision") == question.read("a decision") == 1
    assert question.read("consequence") == 0
