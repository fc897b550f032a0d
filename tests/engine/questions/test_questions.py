"""Questions about the next step: right answers against recounted grids, robots that answer, and what is typed."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from engine import energy, registry, solutions
from engine.errors import BadInput
from engine.events import SwapJudged
from engine.questions import Choice, Mark, Number, Question, Several
from engine.run.cursor import Cursor
from engine.run.run import Run
from tests.engine.questions.asking import EASY, HARD, asked, the


@pytest.mark.parametrize("values", [{}, {"neighbourhood": "row-swap"}, {"neighbourhood": "extended"}])
def test_the_change_of_e_is_that_of_a_recount(values: dict[str, object]) -> None:
    seen = set()
    for before, _after, events, questions in asked("anneal", 300, **values):
        event = the(SwapJudged, events[0])  # type: ignore[arg-type]
        question = the(Choice, questions["energy-change"])
        after = list(before.grid)
        for cell, target in zip(event.cells, (*event.cells[1:], event.cells[0]), strict=True):
            after[target] = before.grid[cell]
        box = {"row-swap": energy.row_state_energy, "extended": energy.full_energy}.get(
            str(values.get("neighbourhood")), energy.box_state_energy)
        change = box(EASY, after) - box(EASY, before.grid)
        right = question.read(f"{change:+d}" if change else "0")
        assert [place for place in range(len(question.options)) if question.judge(place).right] == [right]
        assert all(name in question.why for name in question.why.split(":")[0].split(", "))
        seen.add(change)
    assert {-1, 0, 1} <= seen


def test_the_sign_of_the_change_is_a_known_mistake() -> None:
    found = next(questions["energy-change"] for _b, _after, events, questions in asked("anneal", 99)
                 if isinstance(events[0], SwapJudged) and events[0].delta == 2)
    assert "minus E before" in found.judge(found.read("-2")).misconception
    assert not found.judge(found.read("+1")).misconception
    assert found.read("2") == found.read("+2"), "a sum gives 2"


def test_a_robot_that_reads_the_events_is_always_right_and_one_that_refuses_as_often_as_moves_are() -> None:
    told = refused = rejected = 0
    for _before, _after, events, questions in asked("anneal", 1000, T0=0.6):
        event = events[0]
        assert isinstance(event, SwapJudged)
        question = the(Choice, questions["accept"])
        told += question.judge(question.read("accepted" if event.accepted else "rejected")).right
        refused += question.judge(question.read("rejected")).right
        rejected += not event.accepted
    assert (told, refused) == (1000, rejected)
    assert 100 < rejected < 950


def test_what_is_given_decides_whether_a_move_is_accepted() -> None:
    drawn = 0
    for _before, _after, _events, questions in asked("anneal", 300):
        question = the(Choice, questions["accept"])
        given = dict(question.given)
        if "u" in given:
            p = questions["probability"].model
            u = float(given["u"].removesuffix(", drawn in [0, 1)"))
            assert question.judge(question.read("accepted" if u < p else "rejected")).right
            drawn += 1
        else:
            assert int(given["ΔE"].replace("−", "-")) <= 0
    assert drawn > 50


def test_the_hint_about_a_verdict_fits_the_rule_of_the_solver() -> None:
    seen = set()
    for name, values in (("anneal", {}), ("hill-climb", {"neighbourhood": "row-swap"}), ("swarm", {"size": 20})):
        for _before, _after, _events, questions in asked(name, 60, **values):
            if "accept" in questions:
                question = questions["accept"]
                drawn, warm = "u" in dict(question.given), "T" in dict(question.given)
                assert ("u < p" in question.hint) is drawn
                assert ("e^" in question.hint) is (drawn and warm)
                seen.add((drawn, warm))
    assert seen == {(True, True), (False, True), (True, False), (False, False)}


def test_known_mistakes_of_the_probability_are_named() -> None:
    question = next(the(Number, questions["probability"]) for _b, _a, events, questions in asked(
                    "anneal", 300, T0=0.5)
                    if isinstance(events[0], SwapJudged) and events[0].delta == 2 and "probability" in questions)
    assert question.value == pytest.approx(0.0183, rel=0.01)
    assert question.judge(0.018).right
    assert not question.judge(0.03).right
    assert "divided by T" in question.judge(0.368).misconception  # e^(−2 · 0.5)
    assert "rejected" in question.judge(0.982).misconception


def test_of_a_tiny_probability_the_power_of_ten_is_enough() -> None:
    question = Number(kind="p", text="?", why=".", value=3.4e-4, low=0, high=1, decades=0.01)
    assert question.judge(2e-4).right
    assert not question.judge(0.005).right
    assert not question.judge(0.0).right


@pytest.mark.parametrize("value", [3.9716441061577, 1.0049, 0.0123456749, 72.94999])
def test_a_number_is_right_as_it_is_written_however_tight_the_tolerance(value: float) -> None:
    for digits in (3, 6):
        question = Number(kind="T", text="?", why=".", value=value, low=0, high=100, tolerance=0.0, digits=digits)
        assert question.judge(question.read(question.write(value))).right
        assert not question.judge(value * (1 + 2 * 10**-digits * 10)).right


@pytest.mark.parametrize("value", [0.842, 0.5, 0.06, 0.004, 3.4e-4, 1.0])
def test_the_chance_of_a_number_is_the_share_of_right_numbers(value: float) -> None:
    question = Number(kind="p", text="?", why=".", value=value, low=0, high=1, decades=0.01)
    numbers = 20_000
    right = sum(question.is_right((k + 0.5) / numbers) for k in range(numbers))
    assert question.chance == pytest.approx(right / numbers, abs=2 / numbers)


def test_the_next_temperature_is_not_the_present_one() -> None:
    found = [the(Number, questions["next-temperature"]) for _b, _after, _e, questions in asked("anneal", 400)
             if "next-temperature" in questions]
    assert len(found) == 4
    for question in found:
        T = float(dict(question.given)["T"])
        assert question.judge(T * float(dict(question.given)["α"])).right
        assert not question.judge(T).right
        assert question.judge(T).misconception == "T falls at the end of the plateau."
        assert question.why.startswith("T ← α·T: T goes from ")


@pytest.mark.parametrize(("name", "values"), [
    ("anneal-linear", {"moves": 20, "levels": 4, "max_steps": 300}),
    ("anneal-linear", {"moves": 20, "schedule": "exponential", "T_min": 0.7, "max_steps": 300}),
    ("anneal-reheat", {"moves": 20, "stagnation": 1, "max_reheats": 1}),
    ("anneal", {"moves": 20, "at_floor": "restart", "T_min": 0.6})])
def test_the_next_temperature_is_that_of_the_next_step(name: str, values: dict[str, object]) -> None:
    found = [(the(Number, questions["next-temperature"]).value, float(after.now["temperature"]))
             for _b, after, _e, questions in asked(name, 300, HARD, **values) if "next-temperature" in questions]
    assert len(found) > 2
    assert [right for right, _after in found] == [after for _right, after in found]


def test_the_linear_rule_names_the_temperature_that_it_counts_from() -> None:
    run = Run.start("anneal", HARD, registry.solver("anneal").make_params(None, {"schedule": "linear"}), 7)
    run.advance(299)

    def given() -> dict[str, str]:
        moment = run.solver.moment(run.state, run.params, run.events)
        return dict(moment.law)

    assert (given()["rule"], given()["T₀"]) == ("T ← T₀·(1 − k/levels)", "1")
    assert given()["k"] == "3, plateaus since T was T₀"
    run.intervene("T", 0.5)
    run.advance(100)
    assert (given()["rule"], given()["T₁"]) == ("T ← T₁·(1 − k/levels)", "0.5, the T it counts from")
    assert given()["k"] == "2, plateaus since T was T₁"
    assert "T₀" not in given()


def test_at_t_0_it_is_t_that_decides_and_not_the_change_of_e_alone() -> None:
    whys = {questions["accept"].why for _b, _after, events, questions in asked(
        "anneal-linear", 200, HARD, levels=1, moves=20) if "accept" in questions
        if isinstance(events[0], SwapJudged) and events[0].temperature == 0 and not events[0].accepted}
    assert "At T = 0 p is 0 without a draw: +1 is rejected." in whys
    assert not any("alone" in why for why in whys)


def test_at_the_floor_the_reason_of_the_next_temperature_is_the_floor() -> None:
    whys = [questions["next-temperature"].why for _b, _after, _e, questions in asked("anneal", 400, HARD, alpha=0.5)
            if "next-temperature" in questions]
    assert whys == ["T ← α·T: T goes from 1 to 0.5.",
                    "By the rule T would fall below its floor, so it becomes 0.32.",
                    *["T is not above its floor, 0.32, so it stays."] * 2]


def test_any_better_neighbour_is_right_and_none_in_a_local_minimum() -> None:
    falls = minima = 0
    for before, _after, _events, questions in asked("hill-climb", 60, neighbourhood="row-swap", scan="steepest"):
        if "better-neighbour" not in questions:
            continue
        question = the(Mark, questions["better-neighbour"])
        grid, free = before.grid, [cell for cell in range(81) if not EASY.givens[cell]]
        better = set()
        for a, b in combinations(free, 2):
            if a // 9 == b // 9:
                after = list(grid)
                after[a], after[b] = grid[b], grid[a]
                if energy.row_state_energy(EASY, after) < before.energy:
                    better.add(frozenset({a, b}))
        assert question.rights == (better or {frozenset()})
        falls, minima = falls + bool(better), minima + (not better)
        assert question.judge(frozenset()).right is not bool(better)
    assert falls
    assert minima


def test_a_wrong_move_is_told_apart_from_cells_that_are_no_move() -> None:
    question = next(the(Mark, questions["better-neighbour"]) for _before, _after, _events, questions in asked(
        "hill-climb", 1, neighbourhood="row-swap", scan="steepest"))
    assert dict(question.given) == {"a move": "two free cells of a row change places",
                                    "E counts": "repeats in columns and boxes"}
    assert question.most == 2
    a, b, *_others = [cell for cell in range(9) if not EASY.givens[cell]]
    for cells in (frozenset({a}), frozenset({a, 9 + b})):
        with pytest.raises(BadInput, match=" is no move: expected a move, or none; in a move two free cells of a row"):
            question.read(question.write(cells))
    worse = next(frozenset({x, y}) for x, y in combinations([cell for cell in range(81) if not EASY.givens[cell]], 2)
                 if x // 9 == y // 9 and frozenset({x, y}) not in question.rights)
    assert "does not lower E: its ΔE is " in question.judge(worse).misconception


@pytest.mark.parametrize(("name", "values", "rule"), [
    ("anneal", {}, "ΔE ≤ 0, or u < e^(−ΔE/T)"), ("anneal-linear", {}, "ΔE < 0, or u < e^(−ΔE/T)"),
    ("hill-climb", {"neighbourhood": "row-swap"}, "ΔE < 0"),
    ("hill-climb", {"neighbourhood": "row-swap", "accept": "sideways"}, "ΔE ≤ 0"),
    ("swarm", {"size": 20}, "ΔE < 0, or u < p"),
])
def test_the_rule_of_a_verdict_is_among_the_facts_and_true(name: str, values: dict[str, object], rule: str) -> None:
    rejected = 0
    for _before, _after, _events, questions in asked(name, 60, **values):
        if "accept" not in questions:
            continue
        question = the(Choice, questions["accept"])
        facts = dict(question.given)
        assert facts["accept if"] == rule
        change = int(facts["ΔE"].replace("−", "-"))
        if "u" not in facts:
            assert question.judge(question.read("accepted")).right is (change < 0 or (change == 0 and "≤" in rule))
        if not question.judge(question.read("accepted")).right:
            assert question.judge(question.read("accepted")).misconception
            rejected += 1
    assert rejected


def test_what_e_counts_is_among_the_facts_of_a_change() -> None:
    for name, values, counted in (("anneal", {"neighbourhood": "box-swap"}, "rows and columns"),
                                  ("anneal", {"neighbourhood": "extended"}, "rows, columns and boxes"),
                                  ("swarm", {"size": 20}, "rows and columns")):
        questions = next(questions for _before, _after, _events, questions in asked(name, 5, **values)
                         if "energy-change" in questions)
        assert dict(questions["energy-change"].given)["E counts"] == f"repeats in {counted}"


def test_a_rotation_is_a_better_neighbour_if_it_is_in_either_direction() -> None:
    rotations = 0
    for before, _after, _events, questions in asked("hill-climb", 40, neighbourhood="extended", scan="steepest"):
        if "better-neighbour" not in questions:
            continue
        grid, better = before.grid, set()
        for first in range(0, 81, 9):
            row = [cell for cell in range(first, first + 9) if not EASY.givens[cell]]
            for a, b, c in combinations(row, 3):
                for target in ((b, c, a), (c, a, b)):
                    after = list(grid)
                    for source, cell in zip((a, b, c), target, strict=True):
                        after[cell] = grid[source]
                    if energy.full_energy(EASY, after) < before.energy:
                        better.add(frozenset({a, b, c}))
        question = the(Mark, questions["better-neighbour"])
        assert {cells for cells in question.rights if len(cells) == 3} == better
        rotations += len(better)
    assert rotations


def test_every_cell_with_the_fewest_values_is_the_next_one() -> None:
    tied = 0
    for before, _after, _events, questions in asked("backtrack-mrv", 40):
        if "next-cell" in questions:
            left = {cell: len(set(range(1, 10)) - {before.grid[peer] for peer in EASY.geometry.peers[cell]})
                    for cell in range(81) if not before.grid[cell]}
            fewest = {frozenset({cell}) for cell in left if left[cell] == min(left.values())}
            assert the(Mark, questions["next-cell"]).rights == fewest
            tied += len(fewest) > 1
    assert tied > 10


def test_a_dead_end_is_one_whether_the_search_has_met_it_or_not() -> None:
    answers = set()
    for before, _after, _events, questions in asked("backtrack", 400):
        if "dead-end" not in questions:
            continue
        dead = any(not value and len({before.grid[peer] for peer in EASY.geometry.peers[cell]} - {0}) == 9
                   for cell, value in enumerate(before.grid))
        assert questions["dead-end"].judge(questions["dead-end"].read("yes" if dead else "no")).right
        answers.add(dead)
    assert answers == {True, False}


def test_z3_is_answered_by_the_solution() -> None:
    solution = solutions.solve(EASY).grid
    assert solution is not None
    both = set()
    for before, _after, events, questions in asked("z3", 12):
        if "satisfiable" not in questions:
            continue
        cells = the(Choice, questions["satisfiable"]).marked
        if len(cells) == 1:
            value = int(str(dict(questions["satisfiable"].given)["asked"]).split("= ")[1])
            word = "SAT" if solution[cells[0]] == value else "UNSAT"
            assert questions["satisfiable"].judge(questions["satisfiable"].read(word)).right, (before.step, events)
            both.add(word)
    assert both == {"SAT", "UNSAT"}


def test_any_pattern_of_the_technique_is_right() -> None:
    for _before, _after, events, questions in asked("human", 20):
        if "pattern" in questions:
            question = the(Mark, questions["pattern"])
            assert frozenset(events[0].cells) in question.rights  # type: ignore[attr-defined]
            assert questions["technique"].judge(questions["technique"].model).correct == events[0].technique  # type: ignore[attr-defined]
            assert not question.judge(frozenset()).right


def test_the_winner_of_a_tournament_is_the_first_parent() -> None:
    asked_about = tied = 0
    for before, _after, events, questions in asked("ga-rows", 300, selection="tournament", rivals=4, size=60):
        if "parent" not in questions:
            continue
        question, first = the(Choice, questions["parent"]), events[0].parents[0]  # type: ignore[attr-defined]
        energy_of_first = int(before.energies[first])
        assert question.judge(question.options.index(f"#{first + 1} E {energy_of_first}")).right
        worse = [option for option in question.options if int(option.split("E ")[1]) > energy_of_first]
        assert worse
        assert not any(question.judge(question.read(option)).right for option in worse)
        judged, others = question.judge(question.read(worse[0])), len(question.rights) - 1
        assert judged.correct == f"#{first + 1} E {energy_of_first}"
        expected = f"The solver takes #{first + 1}; {others} other" if others else f"#{first + 1} has"
        assert judged.why.startswith(expected)
        tied += others > 0
        asked_about += 1
    assert asked_about > 100
    assert tied > 10


def test_the_form_of_a_number_tells_the_tolerance_unless_that_tells_the_value() -> None:
    usual = Number(kind="a", text="?", why=".", value=0.5, low=0, high=1)
    assert usual.form == "a number from 0 to 1, right within 5 % of it"
    assert usual.is_right(0.52)
    assert not usual.is_right(0.53)
    tight = replace(usual, tolerance=0.1 * abs(usual.value - 0.6))
    assert tight.form == "a number from 0 to 1"
    assert replace(tight, within="a fifth").form == "a number from 0 to 1, right within a fifth"
    small = replace(usual, decades=0.01)
    assert small.form.endswith("right within 5 % of it; below 0.01 within a factor of 3")
    assert (small.write(2.57e-6), small.write(0.368)) == ("0.00000257", "0.368")


def test_an_individual_is_chosen_by_its_number() -> None:
    options = ("#1 E 31", "#3 E 33", "#12 E 40")
    question = Choice(kind="a", text="?", why=".", options=options, rights=frozenset({0}), n=9)
    assert [question.key(key) for key in "132"] == [0, 1, None]


def test_certainty_is_not_taken_for_the_probability_of_being_rejected() -> None:
    small = Number(kind="a", text="?", why=".", value=0.0454, low=0, high=1, mistakes=((1 - 0.0454, "rejected"),))
    assert small.misconception(0.955) == small.misconception(0.95) == "rejected"
    assert small.misconception(1.0) == small.misconception(0.99) == ""


def test_a_number_is_an_individual_where_these_are_the_options_and_a_beginning_of_two_is_refused() -> None:
    individuals = Choice(kind="parent", text="?", why=".", options=("#2 E 5", "#5 E 9"), rights=frozenset({0}))
    assert individuals.read("5") == 1
    with pytest.raises(BadInput, match="expected #2 E 5, #5 E 9"):
        individuals.read("1")
    words = Choice(kind="technique", text="?", why=".", options=("Forcing chain", "Forcing net"), rights=frozenset({0}))
    assert words.read("2") == 1
    with pytest.raises(BadInput, match="'forc' is the beginning of Forcing chain and of Forcing net: expected more"):
        words.read("forc")


def test_an_explorer_is_offered_as_the_one_that_is_replaced_and_wrong() -> None:
    asked_about = above = 0
    for _before, _after, _events, questions in asked("swarm", 400, size=30, workers=0.7):
        if "replaced" not in questions:
            continue
        question = the(Choice, questions["replaced"])
        energies = [int(option.split("E ")[1]) for option in question.options]
        (right,) = question.rights
        assert "worker" in question.options[right]
        explorers = [place for place, option in enumerate(question.options) if "explorer" in option]
        assert explorers
        assert "worst worker" in dict(question.given)["rule"]
        assert any("explorer never" in question.judge(place).misconception for place in explorers)
        above += max(energies[place] for place in explorers) >= energies[right]
        asked_about += 1
    assert asked_about > 5
    assert above


@pytest.mark.parametrize(("question", "written", "expected"), [
    (Choice(kind="a", text="?", why=".", options=("−1", "0", "+1"), rights=frozenset({0})), "2", "expected −1, 0, +1"),
    (Choice(kind="a", text="?", why=".", options=("yes", "no"), rights=frozenset({0})), "maybe", "expected yes, no"),
    (Number(kind="a", text="?", why=".", value=0.5, low=0, high=1), "1.5", "a number from 0 to 1"),
    (Number(kind="a", text="?", why=".", value=0.5, low=0, high=1), "half", "a number from 0 to 1"),
    (Number(kind="a", text="?", why=".", value=0.5, low=0, high=1), "nan", "a number from 0 to 1"),
    (Mark(kind="a", text="?", why=".", rights=frozenset({frozenset({1})}), most=1, among=9), "r0c1", "r1c9$"),
    (Mark(kind="a", text="?", why=".", rights=frozenset({frozenset({1})}), most=1, among=9), "r1c1 r1c2", "1 at most"),
    (Mark(kind="a", text="?", why=".", rights=frozenset({frozenset({1})}), most=1, among=9), "A1", "a cell such as"),
    (Mark(kind="a", text="?", why=".", rights=frozenset({frozenset({1})}), most=2, among=9, least=0), "A1",
     "r1c9, or none if there is no such cell"),
    (Mark(kind="a", text="?", why=".", rights=frozenset({frozenset({1})}), most=1, among=9), "none",
     "mark a cell first"),
    (Mark(kind="a", text="?", why=".", rights=frozenset({frozenset({1})}), most=2, among=9), "none",
     "mark at least one cell first"),
    (Several(kind="a", text="?", why=".", options=("x", "y"), most=2, taken=frozenset({0})), "none",
     "mark at least one answer first"),
    (Number(kind="a", text="?", why=".", value=0.5, low=0, high=1), "", "type a number from 0 to 1 first"),
])
def test_an_answer_that_cannot_be_read_is_refused_in_one_sentence(question: Question, written: str,
                                                                   expected: str) -> None:
    with pytest.raises(BadInput, match=expected.replace("+", r"\+")):
        question.read(written)


def test_answers_are_read_as_learners_write_them() -> None:
    change = Choice(kind="a", text="?", why=".", options=("−1", "0", "+1"), rights=frozenset({0}))
    assert [change.read(written) for written in ("-1", "−1", " 0 ", "+1")] == [0, 0, 1, 2]
    worker = Choice(kind="a", text="?", why=".", options=("#1 worker E 38", "#10 worker E 31"), rights=frozenset({0}))
    assert [worker.read(written) for written in ("#1", "1", "#10", "10", "#1 W")] == [0, 0, 1, 1, 0]
    verdict = Choice(kind="a", text="?", why=".", options=("accepted", "rejected"), rights=frozenset({0}))
    assert [verdict.read(written) for written in ("a", "Rejected", "2")] == [0, 1, 1]
    cells = Mark(kind="a", text="?", why=".", rights=frozenset({frozenset({1})}), most=2, among=9, least=0)
    assert cells.read("R1C2, r2c1") == {1, 9}
    assert cells.read("none") == frozenset()


def test_a_run_asks_without_making_again_what_it_has_made(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.start("tabu", EASY, None, 3)
    run.advance(60)

    def advance(*_given: object) -> None:
        pytest.fail("steps before the playhead are made again")

    monkeypatch.setattr(Cursor, "advance", advance)
    assert run.ask()


def test_a_run_asks_about_the_step_after_the_playhead_and_stays_where_it_is() -> None:
    run = Run.start("anneal", EASY, None, 3)
    run.advance(20)
    run.seek(11)
    questions = run.ask()
    assert run.playhead == 11
    run.advance(1)
    event = the(SwapJudged, run.events[0])  # type: ignore[arg-type]
    assert [question.model for question in questions if question.kind == "accept"] == [int(not event.accepted)]
    assert run.recorded == 20


def test_a_probability_below_a_millionth_is_as_good_as_0() -> None:
    from engine.questions.swaps import probability

    question = probability(4, 0.1, 0.0, False, (0, 1), 9)
    assert question.value == pytest.approx(4.25e-18, rel=1e-3)
    assert question.why == "e^(−ΔE/T) = e^(−4/0.100) = 4.25e−18."
    assert all(question.judge(question.read(written)).right for written in ("0", "4e-18", "1e-9"))
    assert not question.judge(question.read("0.0001")).right
    assert not probability(1, 0.5, 0.135, True, (0, 1), 9).judge(0.0).right


def test_a_climb_asks_for_a_better_neighbour_where_there_is_one_too() -> None:
    rights = [the(Mark, questions["better-neighbour"]).rights
              for _before, _after, _events, questions in asked("hill-climb", 3000, patience=300)
              if "better-neighbour" in questions]
    none = sum(frozenset() in right for right in rights)
    assert none
    assert 0.3 < none / len(rights) < 0.7


def test_a_change_of_0_in_which_no_unit_takes_part_is_said_of_what_units_add() -> None:
    said = 0
    for before, after, events, questions in asked("anneal", 400):
        if "energy-change" in questions and "Each unit adds" in (why := questions["energy-change"].why):
            assert why == "Each unit adds to E what it added before: ΔE = 0."
            if events[0].accepted:  # type: ignore[attr-defined]
                geometry = before.puzzle.geometry
                assert all(energy.surplus(before.grid, (unit,)) == energy.surplus(after.grid, (unit,))
                           for unit in geometry.rows + geometry.columns)
            said += 1
    assert said
