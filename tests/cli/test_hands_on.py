"""`hands-on`: questions on standard output, answers from standard input."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from engine import registry
from engine.puzzle import Puzzle
from engine.questions import Choice, Mark, Several
from engine.run.run import Run
from engine.teaching.hands_on import HandsOn
from engine.text import count
from engine.view import population_in
from tests.cli.conftest import EASY, Call
from tui import output
from tui.commands.hands_on import KindSearch

MRV = ["hands-on", EASY, "-s", "backtrack-mrv"]


def test_a_run_without_steps_says_why_it_asks_nothing(cli: Call) -> None:
    solved = cli("hands-on", "1234341221434321")
    assert (solved.code, solved.err) == (2, "sudoku-tui: the first grid is a solution: the run has no steps\n")
    refuted = cli("hands-on", "123.3..42.1.4...", "-s", "human")
    assert refuted.err == "sudoku-tui: a cell or a value is left without a place: the run has no steps\n"


def test_a_learner_who_follows_the_solver_is_always_right(cli: Call) -> None:
    run = Run.start("anneal", Puzzle.from_line(EASY), None, 5)
    answers = []
    while len(answers) < 40:
        questions = run.ask()
        answers += [question.write(question.model) for question in questions]
        run.advance(1)
    code, out, err = cli("hands-on", EASY, "--seed", "5", "--count", "40", stdin="\n".join(answers).encode())
    assert (code, err) == (0, "")
    assert "40 of 40 right at the first try" in out
    assert "wrong" not in out


def test_after_a_wrong_answer_come_the_right_one_and_the_reason(cli: Call) -> None:
    out = cli(*MRV, "--count", "4", stdin=b"yes\nr1c1\n2\nr9c9\n").out
    assert "wrong, the answer is no. Each of the 49 free cells can still take a value." in out
    assert "wrong, the answer is r5c7. The solver takes r5c7; r5c6 and r9c4 would be right too: 1 value left." in out
    assert "wrong, the answer is 1. r5c7 can hold 1 only." in out
    assert "2 does not fit: r6c7 holds it." in out
    assert "wrong, the answer is r5c2 r5c8 r6c8 r8c7." in out
    assert "0 of 4 right at the first try" in out


def test_a_terminal_gets_sentences_broken_between_words(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "terminal_width", lambda: 50)
    out = cli(*MRV, "--count", "2", stdin=b"yes\nr1c1\n").out
    assert "      wrong, the answer is no. Each of the 49 free\n      cells can still take a value.\n" in out


@pytest.mark.parametrize(("answer", "reason"), [
    ("r5c6 r6c6", "of box 5 stands in column 6"), ("r2c7 r2c9", "The solver finds this: 7 of box 3 stands in row 2"),
])
def test_the_reason_is_that_of_the_learners_own_pattern(cli: Call, answer: str, reason: str) -> None:
    out = cli("hands-on", "hard:1", "-s", "human", "--from", "4", "--count", "1", "--kind", "pattern",
              stdin=answer.encode() + b"\n").out
    assert reason in out[out.index("right. "):]


def test_a_question_of_z3_names_the_values_that_it_is_asked_beside(cli: Call) -> None:
    out = cli("hands-on", "blank", "-s", "z3", "--from", "15", "--kind", "satisfiable", "--count", "1",
              stdin=b"SAT\n").out
    assert "asked r2c4 = 1   beside: all values on the board" in out
    assert "wrong, the answer is UNSAT. No grid with this board holds it" in out


def test_a_tied_cell_is_right_too(cli: Call) -> None:
    out = cli(*MRV, "--count", "1", "--kind", "next-cell", stdin=b"r5c6\n").out
    assert "right. The solver takes r5c7" in out
    assert "1 of 1 right" in out


def test_hints_bad_answers_and_skipping_cost_nothing(cli: Call) -> None:
    out = cli(*MRV, "--count", "2", stdin=b"?\nperhaps\n\nno\ns\n").out
    assert "Look at cells whose peers hold many different values." in out
    assert "'perhaps' is none of the answers: expected yes, no" in out
    assert "skipped: r5c7." in out
    assert "1 of 1 right at the first try" in out


def test_it_ends_with_the_input_or_at_q(cli: Call) -> None:
    for stdin in (b"no\n", b"no\nq\nr5c6\n", b"no"):
        code, out, err = cli(*MRV, stdin=stdin)
        assert (code, err) == (0, "")
        assert "1 of 1 right at the first try" in out


def test_nothing_of_the_step_is_shown_before_it_is_answered(cli: Call) -> None:
    out = cli("hands-on", EASY, "--kind", "accept", "--count", "1", "--from", "40").out
    assert "after step 39" in out
    assert "ΔE" in out
    assert "Without a draw" not in out
    assert "p =" not in out


def test_the_first_step_and_the_board_are_those_of_the_run(cli: Call) -> None:
    out = cli("hands-on", EASY, "--seed", "2", "--from", "100", "--count", "1").out
    run = Run.start("anneal", Puzzle.from_line(EASY), None, 2)
    run.advance(99)
    assert f"after step 99, E = {run.state.energy}" in out
    row = " ".join(map(str, run.state.grid[:3]))
    assert f" {row} | " in out


def test_what_asks_nothing_is_refused_in_one_sentence(cli: Call) -> None:
    code, out, err = cli(*MRV, "--kind", "accept")
    assert (code, out) == (2, "")
    assert err.startswith("sudoku-tui: --kind accept: this run of backtrack-mrv asks no such question from step 1 on: "
                          "expected another, such as dead-end, next-cell, ")
    code, _out, err = cli("hands-on", EASY, "--kind", "reheat")
    assert code == 2
    assert "anneal asks no such question from step 1 on: expected another, such as accept, energy-change, " in err
    code, _out, err = cli(*MRV, "--from", "100000")
    assert code == 2
    assert "backtrack-mrv asks no questions" in err


def test_a_kind_that_no_question_has_is_refused_without_a_search(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def searches(self: KindSearch, step: int) -> bool:
        raise AssertionError("it is searched for")

    monkeypatch.setattr(KindSearch, "goes_on", searches)
    for kind, hint in (("acept", "did you mean accept?"), ("zzz", "expected one of unit-energy, energy-change, ")):
        code, out, err = cli("hands-on", EASY, "-s", "ga-cells", "--kind", kind)
        assert (code, out) == (2, "")
        assert err.startswith(f"sudoku-tui: --kind {kind}: there is no such kind of question: {hint}")


def test_the_step_that_is_taken_in_place_of_the_wanted_one_is_said(cli: Call) -> None:
    run = Run.start("swarm", Puzzle.from_line(EASY), registry.solver("swarm").make_params(None, {"size": 40}), 3)
    step = next(step for step, asked in enumerate(run.ask_ahead(), 1) for each in asked if each.kind == "replaced")
    args = ["hands-on", EASY, "-s", "swarm", "-p", "size=40", "--seed", "3", "--kind", "replaced", "--count", "1"]
    assert f"# the first question from step 1 on is about step {step}\n" in cli(*args).out
    assert f"# the first question from step 5 on is about step {step}\n" in cli(*args, "--from", "5").out
    assert "# the first question" not in cli(*args, "--from", str(step)).out


def test_a_list_of_individuals_has_no_other_numbers(cli: Call) -> None:
    args = ["hands-on", EASY, "-s", "swarm", "-p", "size=10", "--seed", "8", "--kind", "replaced", "--count", "1"]
    _question, _sign, form = cli(*args).out.partition("1/1  ")
    listed = [line.strip() for line in form.splitlines() if re.search(r"#\d+ \w+ E", line)]
    assert listed
    assert all(line.startswith("#") for line in listed)


def test_a_search_in_vain_says_how_far_it_went(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    goes_on = KindSearch.goes_on

    def some(self: KindSearch, step: int) -> bool:
        steps.append(step)
        return goes_on(self, step) and len(steps) < 5

    monkeypatch.setattr(KindSearch, "goes_on", some)
    code, _out, err = cli("hands-on", "hard:2", "-s", "ga-rows", "--kind", "broken")
    assert code == 2
    assert f"was found in {count(steps[-1])} steps from step 1 on; it asks " in err


def test_what_e_counts_is_told_of_this_run_only(cli: Call) -> None:
    assert "# E counts k − 1 for every value that occurs k > 1 times in a row or a column\n" in cli(
        "hands-on", EASY, "-s", "tabu", "--count", "1").out


def test_an_answer_without_cells_does_not_count_unless_none_is_an_answer(cli: Call) -> None:
    out = cli("hands-on", EASY, "--kind", "unit-energy", "--count", "1", stdin=b"none\n").out
    assert "cells such as r1c9\n" in out
    assert "mark at least one cell first" in out
    assert "0 of 0 right" in out
    out = cli("hands-on", EASY, "-s", "tabu", "--kind", "better-neighbour", "--count", "1", stdin=b"none\n").out
    assert "cells such as r1c9, or none if there is no such cell\n" in out
    assert "0 of 1 right" in out


def test_an_empty_line_is_told_what_can_be_typed(cli: Call) -> None:
    out = cli("hands-on", EASY, "--count", "1", stdin=b"\n").out
    assert out.count("type an answer; ? gives a hint, s skips the question, q ends\n") == 1
    assert "0 of 0 right" in out


def test_facts_and_options_are_no_wider_than_a_terminal(cli: Call) -> None:
    for args in (("-s", "tabu"), ("-s", "swarm", "--kind", "replaced"), ("-s", "swarm-velocity")):
        lines = cli("hands-on", EASY, *args, "--count", "3", stdin=b"s\ns\ns\n").out.splitlines()
        assert max(len(line) for line in lines if not line.startswith("#") and "skipped" not in line) <= 80


def test_facts_in_words_are_set_off_from_their_names(cli: Call) -> None:
    out = cli(*MRV, "--kind", "next-value", "--count", "1").out
    assert "      none: no value is left to try\n" in out
    out = cli("hands-on", EASY, "-s", "norvig", "--kind", "deduction", "--count", "1").out
    assert "guess: neither is there" in out
    out = cli("hands-on", EASY, "--seed", "5", "--count", "3", stdin=b"s\ns\n").out
    assert "      ΔE +1   T 1.00\n" in out
    assert "move r" in out


def test_whose_grid_is_shown_is_said_with_its_e(cli: Call) -> None:
    run = Run.start("swarm-velocity", Puzzle.from_line(EASY), None, 3)
    place = run.ask()[0].individual
    assert place is not None
    panel = population_in(run.solver.view_of(run.state, run.params, (), place).panel)
    assert panel is not None
    assert f"after step 0, particle #{place + 1}, E = {panel.energies[place]}\n" in cli(
        "hands-on", EASY, "-s", "swarm-velocity", "--seed", "3", "--count", "1").out


def test_several_answers_are_given_by_numbers_or_names(cli: Call) -> None:
    run = Run.start("dlx", Puzzle.from_line(EASY))
    first, second = (next(question for question in asked if question.kind == "covered")
                     for asked in islice(run.ask_ahead(), 2))
    assert isinstance(second, Several)
    names = ", ".join(second.options[place] for place in second.model)
    out = cli("hands-on", EASY, "-s", "dlx", "--kind", "covered", "--count", "2",
              stdin=f"1 99\n{first.write(first.model)}\n{names}\n".encode()).out
    assert f" 1  {first.options[0]}" in out  # type: ignore[attr-defined]
    assert "'99' is none of the answers: expected numbers from 1 to 7, or their names" in out
    assert "2 of 2 right at the first try" in out


def test_the_values_of_a_child_are_typed_in_order(cli: Call) -> None:
    solver = registry.solver("ga-ordered")
    run = Run.start(solver, Puzzle.from_line(EASY), solver.make_params(None, {"crossover": "order"}), 1)
    question = next(question for asked in run.ask_ahead() for question in asked if question.kind == "child-values")
    right = question.write(question.model)
    wrong = " ".join(reversed(right.split()))
    assert wrong != right
    args = ["hands-on", EASY, "-s", "ga-ordered", "-p", "crossover=order", "--seed", "1", "--kind", "child-values",
            "--count", "1"]
    out = cli(*args, stdin=f"1 2\nx\n{right.replace(' ', '')}\n".encode()).out
    assert f"{len(right.split())} values in order, such as 1 2 3" in out
    assert f"2 values: expected {len(right.split())}" in out
    assert "'X' is no value: expected 1 to 9" in out or "1 value: expected" in out
    assert "1 of 1 right at the first try" in out
    out = cli(*args, stdin=f"{wrong}\n".encode()).out
    assert f"wrong, the answer is {right}. From the end of [ ] on" in out


def test_any_fewest_cells_are_right_and_the_learners_own_are_named(cli: Call) -> None:
    run = Run.start("anneal", Puzzle.from_line(EASY), None, 5)
    question = run.ask()[0]
    assert isinstance(question, Mark)
    for cells in question.rights:
        out = cli("hands-on", EASY, "--seed", "5", "--count", "1", stdin=f"{question.write(cells)}\n".encode()).out
        assert "1 of 1 right at the first try" in out


def test_the_first_answer_counts_and_others_may_be_tried() -> None:
    solver = registry.solver("backtrack-mrv")
    game = HandsOn(Run.start(solver, Puzzle.from_line(EASY)), {"next-cell"})
    question = game.question
    assert question is not None
    assert not game.answer(frozenset({0})).right
    assert game.answer(question.model).right
    game.next()
    assert (game.right, game.asked, game.run.playhead) == (0, 1, 1)


def test_it_ends_where_the_run_ends() -> None:
    solver = registry.solver("backtrack-mrv")
    game = HandsOn(Run.start(solver, Puzzle.from_line("1000003000000200")), {"next-cell"})
    while game.question is not None:
        assert game.answer(game.question.model).right
        game.next()
    assert game.run.at_end
    assert game.right == game.asked == 13


def test_alone_lasts_ten_steps_unless_a_number_of_questions_is_given(cli: Call) -> None:
    out = cli(*MRV, "--kind", "next-cell", "--level", "alone", stdin=b"s\n" * 40).out
    assert "10 skipped" in out
    assert "\n10  Which cell is filled next?" in out
    assert "10/" not in out
    assert "1 skipped" in cli(*MRV, "--level", "alone", "--count", "1", stdin=b"s\n" * 40).out


def test_a_plateau_that_asks_nothing_does_not_end_the_search_for_others(cli: Call) -> None:
    out = cli("hands-on", EASY, "-s", "anneal-linear", "-p", "moves=1100", "--kind", "next-temperature",
              "--from", "22002", "--count", "2", stdin=b"s\ns\n").out
    assert "is about step 24 200" in out
    assert "2/2  The plateau ends" in out


def test_alone_what_is_skipped_is_not_told(cli: Call) -> None:
    assert "\n      skipped: no. " in cli(*MRV, "--count", "1", stdin=b"s\n").out
    assert "\n      skipped\n" in cli(*MRV, "--level", "alone", "--count", "1", stdin=b"s\n").out


def test_alone_the_wrong_answers_are_judged_at_the_end(cli: Call) -> None:
    kinds = ("--kind", "dead-end", "--kind", "next-cell", "--kind", "struck")
    out = cli(*MRV, *kinds, "--level", "alone", "--count", "3", stdin=b"?\nyes\nr5c7\nr9c9\n").out
    asked, summary = out.split("1 of 3 right at the first try")
    assert "no hints at this level" in asked
    assert "right" not in asked.replace("any is right", "")
    assert "wrong" not in asked
    assert ("step 1: Is there a free cell that no value fits?\n      your answer: yes\n"
            "      wrong, the answer is no.") in summary


def test_the_quiz_scores_forecasts(cli: Call) -> None:
    out = cli("hands-on", EASY, "--quiz", "--count", "20", stdin=b"0.5\n" * 20).out
    assert out.count("With which probability p is this move accepted?") == 20
    assert "  Brier score       0.250\n" in out
    assert re.search(r"^  said 0\.4 to 0\.6   \d+ / 20 accepted$", out, re.MULTILINE)


def test_the_quiz_takes_no_kinds(cli: Call) -> None:
    assert cli("hands-on", EASY, "--quiz", "--kind", "accept").err == (
        "sudoku-tui: --quiz and --kind: expected one of them\n")
    assert cli("hands-on", EASY, "-s", "hill-climb", "--quiz").err == (
        "sudoku-tui: hill-climb has no temperature: expected a solver that anneals\n")


def test_where_a_solver_asks_no_more_its_last_question_is_named(cli: Call) -> None:
    assert cli("hands-on", EASY, "-s", "belief", "--from", "5").err == (
        "sudoku-tui: belief asks no questions from step 5 on; the last one is about step 4\n")


def test_candidates_are_written_where_the_rules_leave_others(cli: Call) -> None:
    first = cli("hands-on", EASY, "-s", "ac3", "--count", "1").out
    assert "\ncandidates\n 1-9 1-9 3   | 1-9 2   1-9 |" in first
    assert "candidates\n" not in cli("hands-on", EASY, "-s", "norvig", "--count", "1").out


def test_long_options_are_numbered_and_answered_by_number(cli: Call) -> None:
    run = Run.start("dlx", Puzzle.from_line(EASY))
    question = next(question for asked in run.ask_ahead() for question in asked if question.kind == "next-column")
    assert isinstance(question, Choice)
    out = cli("hands-on", EASY, "-s", "dlx", "--kind", "next-column", "--count", "1",
              stdin=f"9\n{question.model + 1}\n".encode()).out
    assert f" 1  {question.options[0]}\n" in out
    assert f"expected a number from 1 to {len(question.options)}, or the answer itself" in out
    assert "1 of 1 right at the first try" in out
