"""Hands on: questions about the next step on a screen that shows nothing of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual import events

from engine import registry
from engine.energy import full_energy
from engine.errors import BadInput
from engine.puzzle import SYMBOLS, Puzzle
from engine.puzzles import packs
from engine.questions import Choice, Mark, Number, Question, Several, Values
from engine.questions.swaps import Better
from engine.run.run import Run
from engine.teaching.hands_on import HandsOn
from tests.tui.run_driver import RunDriver, open_run
from tui.screens.dialogs.pager import Pager
from tui.screens.hands_on import HandsOnScreen, plan
from tui.storage.progress import ProgressStore
from tui.widgets.question import AnswerSoFar, QuestionPane
from tui.widgets.rows import Space

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


class Game:
    """Keys to press on the screen of a game, and its text."""

    def __init__(self, on: RunDriver) -> None:
        self.on = on

    @property
    def screen(self) -> HandsOnScreen:
        assert isinstance(self.on.app.screen, HandsOnScreen)
        return self.on.app.screen

    @property
    def question(self) -> Question:
        assert self.screen.open is not None
        return self.screen.open

    @property
    def text(self) -> str:
        return "\n".join(self.on.shown(pane) for pane in self.screen.panes.values())

    async def asked(self) -> None:
        await self.on.until(lambda: isinstance(self.on.app.screen, HandsOnScreen) and self.screen.open is not None)

    async def judged(self) -> None:
        await self.on.until(lambda: self.screen.turn is not None and self.screen.turn.judgement is not None)

    async def answer(self, right: bool = True) -> None:
        """Answer the open question by keys, and wait for the judgement."""
        await self.give(right)
        await self.judged()

    async def give(self, right: bool) -> None:
        """Answer the open question by keys."""
        question = self.question
        if isinstance(question, Choice):
            wanted = question.model if right else next(
                place for place in range(len(question.options)) if place not in question.rights)
            await self.on.press("right")
            assert self.screen.option is not None
            steps = wanted - self.screen.option
            await self.on.press(*["right" if steps > 0 else "left"] * abs(steps), "enter")
        elif isinstance(question, Number):
            await self.on.press(*[{".": "full_stop", "-": "minus"}.get(letter, letter) for letter in
                                  (question.write(question.model) if right else "0.9999")], "enter")
        elif isinstance(question, Values):
            values = question.values if right else tuple(value % question.n + 1 for value in question.values)
            await self.on.press(*map(str, values), "enter")
        elif isinstance(question, Several):
            for place in question.model if right else {min(set(range(len(question.options))) - question.model)}:
                self.screen.option = place
                await self.on.press("space")
            await self.on.press("enter")
        else:
            assert isinstance(question, Mark)
            for cell in question.model if right else {0}:
                self.screen.cursor = cell
                await self.on.press("space")
            await self.on.press("enter")

    async def reach(self, kind: str) -> None:
        """Skip the questions before the next one of a kind."""
        while self.question.kind != kind:
            await self.skip()

    async def skip(self) -> None:
        before = self.question
        await self.on.press("s")
        await self.on.until(lambda: self.screen.open is not None and self.screen.open is not before)

    async def go_on(self) -> None:
        before = self.question if self.screen.open else self.screen.turn.question  # type: ignore[union-attr]
        await self.on.press("enter")
        await self.on.until(lambda: self.screen.open is not None and self.screen.open is not before)


@asynccontextmanager
async def game(name: str, step: int = 0, size: tuple[int, int] = (80, 24),
               puzzle: Puzzle = EASY) -> AsyncIterator[Game]:
    async with open_run(size, registry.solver(name), puzzle) as on:
        if step:
            await on.go(step)
        await on.press("H")
        playing = Game(on)
        await playing.asked()
        yield playing


async def test_a_board_that_does_not_fit_can_be_looked_at_while_options_are_offered() -> None:
    large = Puzzle((*range(1, 15), 0, 0, *[0] * 240), 4)  # one of the last two cells of row 1 is filled first
    async with game("backtrack-mrv", puzzle=large) as at:
        while not isinstance(at.question, Choice):
            await at.skip()
        assert "\n16 " not in at.text
        await at.on.press(*["j"] * 15)
        await at.on.until(lambda: "\n16 " in at.text)
        assert at.screen.option is None


async def test_a_board_that_does_not_fit_shows_the_cell_that_is_asked_about() -> None:
    large = Puzzle((*[0] * 240, *range(1, 15), 0, 0), 4)  # one of the last two cells of row 16 is filled first
    async with game("backtrack-mrv", puzzle=large) as at:
        await at.reach("next-value")
        assert "\n16 " in at.text
        assert " of 16" in at.text, at.text


async def test_right_answers_lead_from_step_to_step_and_back_to_the_run() -> None:
    async with game("backtrack-mrv") as at:
        assert "Is there a free cell that no value fits?" in at.text
        assert "after step 0   E = 49" in at.text
        for _ in range(8):
            await at.answer()
            assert " RIGHT " in at.text
            await at.go_on()
        assert "8 of 8 right" in at.text
        assert "next-cell        3 / 3" in at.text
        assert "after step 2   E = 47" in at.text
        await at.on.press("escape")
        await at.on.until(lambda: at.on.app.screen is at.on.run_screen)
        await at.on.at(2)
        assert "ASSIGNED" in at.on.said


async def test_after_a_wrong_answer_come_the_right_one_and_the_reason_and_it_counts_once() -> None:
    async with game("backtrack-mrv") as at:
        await at.answer()
        await at.go_on()
        await at.answer(right=False)
        assert "NOT RIGHT" in at.text
        assert "the answer is r5c7" in at.text
        assert "The solver takes r5c7; r5c6 and r9c4 would be right too: 1 value left." in at.text
        assert "1 of 2 right" in at.text
        await at.go_on()
        assert "YOUR TURN" in at.text
        assert "1 of 2 right" in at.text


async def test_nothing_of_the_next_step_is_on_the_screen_while_it_is_asked() -> None:
    async with open_run((120, 36), registry.solver("anneal"), EASY) as on:
        await on.go(300)
        await on.go(100)
        await on.press("H")
        at = Game(on)
        await at.asked()
        seen: list[str] = []
        while at.question.kind != "accept":
            seen.append(at.text)
            await at.answer()
            await at.go_on()
        seen.append(at.text)
        for text in seen:
            assert not any(badge in text for badge in ("REJECTED", "ACCEPTED UPHILL", "IMPROVED", "EQUAL"))
            assert "recorded" not in text
            assert "p = " not in text
        assert "u  " in seen[-1] or int(dict(at.question.given)["ΔE"].replace("−", "-")) <= 0


async def test_a_number_is_typed_and_a_bad_one_refused() -> None:
    async with game("anneal", 20) as at:
        while at.question.kind != "probability":
            await at.answer()
            await at.go_on()
        await at.on.press("enter")
        await at.on.until(lambda: "NO ANSWER YET" in at.text)
        assert "type a number from 0 to 1 first" in at.text
        assert at.screen.open is not None
        await at.on.press("9", "backspace")
        at.on.app.post_message(events.Paste("0.25\n"))
        await at.on.until(lambda: at.screen.typed == "0.25")
        await at.on.press(*["backspace"] * 4)
        await at.answer()
        assert " RIGHT " in at.text


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_long_question_is_on_the_screen_as_a_whole(size: tuple[int, int]) -> None:
    async with game("backtrack-mrv", size=size) as at:
        await at.reach("next-cell")
        assert len(at.question.text) > 55
        assert at.question.text in at.text
        assert "after step 0   E = 49" in at.text


async def test_values_are_typed_one_after_another() -> None:
    async with game("ga-ordered") as at:
        await at.reach("child-values")
        question = at.question
        assert isinstance(question, Values)
        first, left = str(question.values[0]), len(question.values) - 1
        await at.on.press("9", "8", "backspace", "backspace", first)
        await at.on.until(lambda: f"  {first}{' _' * left}\n" in "\n".join(
            line.rstrip() for line in at.text.splitlines()))
        await at.on.press("enter")
        await at.on.until(lambda: f"1 value: expected {left + 1}" in at.text)
        await at.on.press("backspace")
        await at.answer(right=False)
        assert "NOT RIGHT" in at.text
        assert f"the answer is {question.write(question.values)}" in at.text
        await at.go_on()
        await at.reach("child-values")
        await at.answer()
        assert " RIGHT " in at.text


async def test_letters_are_typed_for_values_above_nine_and_shown_as_numbers() -> None:
    async with game("ga-ordered", puzzle=packs.find("16x16:2").puzzle) as at:
        await at.reach("child-values")
        question = at.question
        assert isinstance(question, Values)
        await at.on.press("A", "g", "7")
        await at.on.until(lambda: " ".join(["10", "16", "7", *"_" * (len(question.values) - 3)]) in at.text)
        await at.on.press(*["backspace"] * 3, *(SYMBOLS[value] for value in question.values), "enter")
        await at.judged()
        assert " RIGHT " in at.text


async def test_conflicts_are_not_marked_where_they_are_the_answer() -> None:
    async with game("anneal") as at:
        assert at.question.kind == "unit-energy"
        assert at.screen.board.position is not None
        assert not at.screen.board.position.marks.get("conflict")
        at.screen.cursor = next(cell for cell in range(81) if cell not in at.question.marked)
        await at.on.press("space")
        await at.on.until(lambda: "not one of those asked about" in at.text)
        assert not at.screen.marked
        await at.answer()
        assert " RIGHT " in at.text
        position, question = at.screen.board.position, at.screen.turn.question  # type: ignore[union-attr]
        values = Counter(position.grid[cell] for cell in question.marked)  # type: ignore[union-attr]
        repeated = {cell for cell in question.marked if values[position.grid[cell]] > 1}  # type: ignore[union-attr]
        assert any(EASY.givens[cell] for cell in repeated), "a given is one of the equal values"
        assert position.marks.get("conflict") == tuple(sorted(repeated))


@pytest.mark.parametrize("kind", ["inherited", "mutated"])
async def test_cells_that_are_no_conflict_are_not_marked_as_one_when_they_are_the_answer(kind: str) -> None:
    async with game("ga-cells") as at:
        await at.reach(kind)
        await at.answer()
        assert " RIGHT " in at.text
        assert at.screen.board.position is not None
        assert not at.screen.board.position.marks.get("conflict")


async def test_wrongly_marked_cells_are_told_apart_from_the_right_ones() -> None:
    async with game("ga-cells") as at:
        await at.reach("broken")
        question = at.question
        wrong = next(cell for cell in question.marked if cell not in question.model)  # type: ignore[operator]
        at.screen.cursor = wrong
        await at.on.press("space", "enter")
        await at.judged()
        assert at.screen.board.position is not None
        marks = at.screen.board.position.marks
        assert marks["tabu"] == (wrong,)
        assert wrong not in marks["conflict"]
        assert marks["moved"] == tuple(sorted(question.model))  # type: ignore[arg-type]


async def test_after_a_wrong_answer_the_board_marks_the_one_that_is_named_and_nothing_erases_it() -> None:
    async with game("tabu", 2) as at:
        await at.reach("better-neighbour")
        question = at.question
        assert isinstance(question, Better)
        halves = {cell for right in question.rights for cell in right}
        wrong = next(move for move, change in question.changes.items()
                     if change >= 0 and move.isdisjoint(question.model) and move & halves)
        for cell in wrong:
            at.screen.cursor = cell
            await at.on.press("space")
        await at.on.press("enter")
        await at.judged()
        assert f"the answer is {question.write(question.model)}" in at.text
        assert at.screen.board.position is not None
        marks = at.screen.board.position.marks
        assert frozenset(marks["reach"]) == question.model
        assert frozenset(marks["tabu"]) == wrong
        await at.on.press("backspace")
        assert at.screen.board.position.marks == marks


async def test_a_right_answer_is_not_replaced_by_another_right_one() -> None:
    async with game("anneal") as at:
        question = at.question
        assert isinstance(question, Mark)
        own = max(question.rights, key=sorted)
        assert own != question.model
        for cell in own:
            at.screen.cursor = cell
            await at.on.press("space")
        await at.on.press("enter")
        await at.judged()
        assert f"the answer is {question.write(own)}" in at.text
        assert at.screen.board.position is not None
        assert at.screen.board.position.marks.get("moved") == tuple(sorted(own))
        assert at.screen.board.position.marks.get("reach") == question.marked
        assert not at.screen.board.position.marks.get("tabu")


async def test_a_part_of_a_right_answer_is_not_called_wrong() -> None:
    async with game("tabu") as at:
        question = at.question
        assert isinstance(question, Mark)
        last = max(question.rights, key=sorted)
        for cell in sorted(last)[1:]:
            at.screen.cursor = cell
            await at.on.press("space")
        await at.on.press("enter")
        await at.judged()
        assert " NOT RIGHT " in at.text
        assert at.screen.board.position is not None
        assert not at.screen.board.position.marks.get("tabu")
        named = frozenset(at.screen.board.position.marks["moved"])
        assert named in question.rights
        assert frozenset(sorted(last)[1:]) < named
        assert f"the answer is {question.write(named)}, or others" in at.text


async def test_a_child_is_on_the_board_when_its_row_is_asked_about() -> None:
    async with game("ga-cells") as at:
        await at.reach("broken")
        assert at.screen.board.position is not None
        assert at.screen.board.position.grid == at.question.grid
        assert not at.screen.board.position.marks.get("conflict")
        await at.answer()
        assert " RIGHT " in at.text


async def test_cells_are_marked_by_keys_and_clicks() -> None:
    async with game("backtrack-mrv", size=(120, 36)) as at:
        await at.answer()
        await at.go_on()
        layout = at.screen.board.layout_for(*at.screen.board.size)
        assert layout is not None
        await at.on.pilot.click(at.screen.board, offset=(layout.column_x(3) + layout.middle[0], layout.row_y(4)))
        await at.on.until(lambda: "r5c4" in at.text)
        await at.on.press("right", "right", "space")
        await at.on.until(lambda: "r5c6" in at.text and "r5c4" not in at.text)  # one cell at most
        await at.on.press("enter")
        await at.judged()
        assert " RIGHT " in at.text  # tied with the cell that is taken


async def test_a_filled_cell_cannot_be_marked_as_the_next_one_and_candidates_of_a_free_one_are_shown() -> None:
    async with game("norvig") as at:
        while at.question.kind != "next-cell":
            await at.answer()
            await at.go_on()
        await at.on.press("enter")
        await at.on.until(lambda: "NO ANSWER" in at.text)
        assert "mark a cell first" in at.text
        assert "r1c1     4 5" in at.text
        await at.on.press("right", "right", "space")
        await at.on.until(lambda: "that cell is not free: mark a free one" in at.text)
        assert not at.screen.marked
        assert at.screen.open is not None


async def test_a_small_board_says_where_candidates_are_and_a_technique_what_it_means() -> None:
    async with game("human") as at:
        assert "cell: hjkl, or a click" in at.text
        await at.on.press("l")
        cell = at.screen.cursor
        assert at.screen.turn is not None
        masks = at.screen.turn.view.candidates
        assert masks is not None
        left = " ".join(str(value) for value in range(1, 10) if masks[cell] >> value - 1 & 1)
        assert left
        assert f"r{cell // 9 + 1}c{cell % 9 + 1}     {left}" in at.text
        row = next(y for y, line in enumerate(at.on.shown(at.screen.question).splitlines()) if "Naked single" in line)
        await at.on.pilot.click(at.screen.question, offset=(6, row))
        await at.on.until(lambda: "A cell with one candidate left" in at.text)
    async with game("human", size=(120, 36)) as at:
        assert "or a click" not in at.text


async def test_the_cells_that_a_reason_names_are_marked() -> None:
    async with game("backtrack-mrv") as at:
        while at.question.kind != "next-value":
            await at.answer()
            await at.go_on()
        await at.on.press("2")  # which r6c7 holds
        await at.on.until(lambda: "[2]" in at.text)
        await at.on.press("enter")
        await at.judged()
        assert at.screen.turn is not None
        assert at.screen.turn.judgement is not None
        assert at.screen.turn.judgement.misconception == "2 does not fit: r6c7 holds it."
        assert at.screen.board.position is not None
        assert at.screen.board.position.marks["reach"] == (51,)


async def test_a_message_makes_room_for_the_verdict_when_the_mouse_answers() -> None:
    async with game("backtrack-mrv") as at:
        at.screen.action_answer()  # as a click on the footer does
        assert "NO ANSWER YET" in at.text
        row = next(y for y, line in enumerate(at.on.shown(at.screen.question).splitlines()) if " yes " in line)
        await at.on.pilot.click(at.screen.question, offset=(4, row))
        assert at.screen.option == 0
        assert "NO ANSWER YET" not in at.text
        at.screen.action_answer()
        await at.judged()
        assert "RIGHT" in at.text


async def test_the_first_arrow_begins_at_an_end_and_a_symbol_selects_its_option() -> None:
    async with game("backtrack-mrv") as at:
        assert at.question.kind == "dead-end"
        for key, place in (("right", 1), ("left", 0)):  # yes and no lie beside each other
            at.screen.option = None
            await at.on.press(key)
            assert at.screen.option == place
        await at.reach("next-value")
        question = at.question
        assert isinstance(question, Choice)
        for key, place in (("right", 0), ("left", len(question.options) - 1)):
            at.screen.option = None
            await at.on.press(key)
            assert at.screen.option == place
        await at.on.press(question.options[1])
        assert at.screen.option == 1
    async with game("anneal") as at:
        await at.reach("energy-change")
        await at.on.press("left")
        assert at.screen.option == 4, "0, of −4 to +4"
    async with game("tabu") as at:
        await at.reach("tabu-move")
        await at.on.press("b")
        assert at.screen.option == 1


async def test_several_answers_are_marked_by_keys_and_clicks() -> None:
    async with game("dlx") as at:
        while not isinstance(at.question, Several):
            await at.answer()
            await at.go_on()
        question = at.question
        assert isinstance(question, Several)
        assert question.options[0] in at.text
        await at.on.press("enter")
        await at.on.until(lambda: "mark at least one answer first" in at.text)
        assert at.screen.open is question
        await at.on.press("escape")
    async with game("dlx", size=(120, 36)) as at:
        while not isinstance(at.question, Several):
            await at.answer()
            await at.go_on()
        row = next(y for y, line in enumerate(at.on.shown(at.screen.question).splitlines()) if "1 [ ]" in line)
        await at.on.press("down", "space", "down", "space")
        await at.on.until(lambda: at.screen.marked == {0, 1})
        await at.on.pilot.click(at.screen.question, offset=(6, row + 2))
        await at.on.until(lambda: at.screen.marked == {0, 1, 2})
        assert "3 [x]" in at.text
        await at.on.press("backspace")
        await at.on.until(lambda: not at.screen.marked)
        await at.answer()
        assert " RIGHT " in at.text


async def test_space_marks_the_first_answer_and_a_digit_goes_to_its_own() -> None:
    """Before the first arrow key space did nothing, and digits never did anything."""
    async with game("z3", step=3, puzzle=packs.find("hard:1").puzzle) as at:
        await at.reach("core")
        await at.on.press("space")
        await at.on.until(lambda: at.screen.marked == {0})
        await at.on.press("down", "space")
        await at.on.until(lambda: at.screen.marked == {0, 1})
        for key, place in (("4", 3), ("0", 9), ("2", 1)):
            await at.on.press(key)
            await at.on.until(lambda place=place: at.screen.option == place)
        assert at.screen.marked == {0, 1}
        assert "▶ " in at.text


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_answers_of_a_list_are_numbered_where_one_is_right_too(size: tuple[int, int]) -> None:
    async with game("human", size=size) as at:
        await at.reach("technique")
        question = at.question
        assert isinstance(question, Choice)
        for place, option in enumerate(question.options, 1):
            await at.on.until(lambda place=place, option=option: f" {place} {option}" in at.text)  # type: ignore[misc]
        await at.on.press("3")
        await at.on.until(lambda: f"▶ 3 {question.options[2]}" in at.text)
        await at.on.press("9")
        assert at.screen.option == 2
        at.screen.option = None
        await at.on.press(str(question.model + 1), "enter")
        await at.judged()
        assert " RIGHT " in at.text


async def test_an_option_is_chosen_by_a_click() -> None:
    async with game("backtrack-mrv") as at:
        row, line = next((y, line) for y, line in enumerate(at.on.shown(at.screen.question).splitlines())
                         if " yes " in line)
        await at.on.pilot.click(at.screen.question, offset=(line.index("no"), row))
        await at.on.until(lambda: "[no]" in at.text)
        await at.on.press("enter")
        await at.judged()
        assert " RIGHT " in at.text


async def test_a_hint_and_skipping_cost_nothing() -> None:
    async with game("backtrack-mrv") as at:
        await at.on.press("f2")
        await at.on.until(lambda: "Look at cells whose peers" in at.text)
        before = at.question
        await at.on.press("s")
        await at.on.until(lambda: at.screen.open is not None and at.screen.open is not before)
        assert "right" not in at.on.shown(at.screen.header)


async def test_a_hint_below_many_options_is_whole() -> None:
    """With ten options of a core its last word was cut at 80x24."""
    async with game("z3", step=3, puzzle=packs.find("hard:1").puzzle) as at:
        await at.reach("core")
        question = at.question
        assert isinstance(question, Several)
        assert len(question.options) == 10
        before = at.on.shown(at.screen.question).splitlines()
        await at.on.press("f2")
        await at.on.until(lambda: "Which cell" in at.text)
        shown = at.on.shown(at.screen.question)
        assert question.hint in " ".join(shown.split())
        assert shown.splitlines()[:len(before) - 4] == before[:len(before) - 4], "no option has moved"


def test_a_score_without_room_says_how_many_of_its_lines_are_hidden() -> None:
    """A hint pushed its last rows out, so that the rows had fewer questions than the heading."""
    run = Run.start("human", packs.find("hard:1").puzzle)
    run.seek(3)
    asked = replace(HandsOn(run).turn, tallies=(("technique", 0, 2), ("pattern", 1, 2), ("value", 0, 2)))
    assert asked.question is not None
    pane = QuestionPane("question")
    pane.show_turn(asked, AnswerSoFar(hinted=True))
    seen = set()
    for height in range(14, 30):
        lines = ["".join(text for text, _role in line).strip() for line in pane._lines(Space(34, height))]
        assert not any(lines[height:])
        assert asked.question.hint.split()[-1] in " ".join(lines)
        rows = sum(line.endswith(" / 2") for line in lines)
        assert rows in (0, 3) or lines[height - 1] == f"… {3 - rows} more lines"
        seen.add(rows)
    assert {0, 1, 3} <= seen


async def test_answers_are_kept_as_progress_and_skipped_questions_are_not() -> None:
    def kept() -> dict[str, tuple[int, int]]:
        return {kind: (score.asked, score.right)
                for (_solver, kind), score in ProgressStore().read().progress.items()}

    async with game("backtrack-mrv") as at:
        await at.answer()
        await at.on.until(lambda: kept() == {"dead-end": (1, 1)})
        await at.go_on()
        await at.answer(right=False)
        await at.on.until(lambda: kept() == {"dead-end": (1, 1), "next-cell": (1, 0)})
        await at.go_on()
        before = at.question
        await at.on.press("s")
        await at.on.until(lambda: at.screen.open is not None and at.screen.open is not before)
        await at.on.press("escape")
        await at.on.until(lambda: at.on.app.screen is at.on.run_screen)
        assert before.kind not in {"dead-end", "next-cell"}
        assert kept() == {"dead-end": (1, 1), "next-cell": (1, 0)}


async def test_where_nothing_can_be_written_it_is_said_once_after_the_judgement(
        tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    async with game("backtrack-mrv") as at:
        at.on.app.progress.folder = tmp_path / "file" / "progress"
        await at.answer()
        await at.on.until(lambda: at.screen._unsaid is not None)
        assert " RIGHT " in at.text
        await at.go_on()
        assert "NOT SAVED" in at.text
        assert "progress is not saved" in " ".join(at.text.split())
        for _ in range(2):
            await at.answer()
            assert "NOT SAVED" not in at.text
            assert " RIGHT " in at.text
            await at.go_on()
            assert "NOT SAVED" not in at.text
        assert at.on.app.farewells == []


async def test_in_a_window_that_is_too_small_to_see_the_question_nothing_is_judged() -> None:
    async with game("backtrack-mrv") as at:
        await at.on.press("right")
        await at.on.pilot.resize_terminal(60, 20)
        await at.on.until(lambda: at.screen.too_small.display)
        await at.on.press("enter")
        await at.on.pilot.resize_terminal(80, 24)
        await at.on.until(lambda: not at.screen.too_small.display)
        assert at.screen.turn is not None
        assert (at.screen.turn.judgement, at.screen.turn.asked) == (None, 0)
        await at.on.press("enter")
        await at.on.until(lambda: at.screen.turn is not None and at.screen.turn.asked == 1)


async def test_without_a_selected_answer_nothing_is_judged() -> None:
    async with game("backtrack-mrv") as at:
        await at.on.press("enter")
        await at.on.until(lambda: "NO ANSWER YET" in at.text)
        assert "choose an answer first" in at.text
        assert at.screen.turn is not None
        assert at.screen.turn.judgement is None


@pytest.mark.parametrize(("name", "kind", "said"), [
    ("anneal", "unit-energy", "mark at least one cell first"), ("backtrack-mrv", "next-cell", "mark a cell first"),
    ("ga-ordered", "child-values", "type the "),
])
async def test_without_anything_marked_or_typed_nothing_is_judged(name: str, kind: str, said: str) -> None:
    async with game(name) as at:
        await at.reach(kind)
        if kind != "child-values":
            assert "no cell is marked yet" in at.text
        await at.on.press("enter")
        await at.on.until(lambda: "NO ANSWER YET" in at.text)
        assert said in at.text
        assert at.question.kind == kind


async def test_where_none_may_be_right_nothing_marked_is_an_answer() -> None:
    async with game("tabu") as at:
        await at.reach("better-neighbour")
        assert "none: there is no such cell" in at.text
        await at.on.press("enter")
        await at.judged()


async def test_the_individual_of_the_question_is_on_the_board() -> None:
    async with game("swarm", 3) as at:
        run = Run.start("swarm", EASY, None, 7)
        run.advance(3)
        place = at.question.individual
        assert place is not None
        assert at.screen.board.position is not None
        shown = at.screen.board.position.grid
        assert shown == run.solver.view_of(run.state, run.params, (), place).grid
        assert [str(shown[cell]) for cell in at.question.marked] == dict(at.question.given)["values"].split()


async def test_whose_grid_is_on_the_board_is_said_with_its_e() -> None:
    async with game("swarm", 3) as at:
        place = at.question.individual
        assert at.screen.turn is not None
        assert place is not None
        assert f"after step 3   organism #{place + 1}   E = {at.screen.turn.energy}" in at.text
    async with game("ga-ordered", 1) as at:
        assert at.question.individual is None
        assert at.screen.turn is not None
        assert at.screen.board.position is not None
        grid = at.screen.board.position.grid
        assert at.screen.turn.energy == full_energy(at.screen.pending.puzzle, grid)
        assert f"after step 1   individual #1   E = {at.screen.turn.energy}" in at.text
    async with game("ga-cells") as at:
        await at.reach("broken")
        assert "after step 3   the child in the making" in at.text
        assert "E = " not in at.on.shown(at.screen.verdict)


async def test_a_long_fact_is_wrapped() -> None:
    async with game("swarm-velocity", 2) as at:
        await at.reach("pull")
        words = " ".join(at.on.shown(at.screen.question).split())
        assert "its strength" in words
        assert "drawn in [0, 1)" in words
        assert "a number from 0 to 1" in words


async def test_a_run_that_has_ended_asks_nothing() -> None:
    async with open_run((80, 24), registry.solver("backtrack-mrv"), EASY) as on:
        await on.go(49)
        assert "SOLVED" in on.said
        await on.press("H")
        await on.until(lambda: "SOLVED" not in on.said)
        assert on.app.screen is on.run_screen


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("size", [(64, 20), (80, 24), (120, 36), (200, 60)])
@pytest.mark.parametrize("name", ["anneal", "norvig", "z3"])
async def test_every_size_has_question_and_board(name: str, size: tuple[int, int]) -> None:
    async with game(name, size=size) as at:
        assert "YOUR TURN" in at.text
        assert "Your answer" in at.text
        assert at.screen.board.size.width > 20
        assert at.screen.question.region.bottom < size[1]


def test_panes_never_overlap() -> None:
    for width in range(64, 210, 7):
        for height in range(20, 62, 3):
            for box in (2, 3, 4):
                placed = list(plan(width, height, box, candidates=True).values())
                assert placed
                for place, region in enumerate(placed):
                    assert region.right <= width
                    assert region.bottom <= height
                    assert not any(region.overlaps(other) for other in placed[:place])


@pytest.mark.parametrize(("verdict", "mine"), [("accepted", "rejected"), ("rejected", "accepted")])
async def test_a_wrong_answer_runs_on_in_a_branch_beside_the_solvers(verdict: str, mine: str) -> None:
    async with game("anneal") as at:
        await at.reach("accept")
        while at.question.write(at.question.model) != verdict:
            await at.skip()
            await at.reach("accept")
        assert "run yours on" not in at.text
        await at.on.press("v")
        assert "a wrong answer can be run on" in at.text
        await at.answer(right=False)
        assert "v run yours on" in at.text
        await at.on.press("v")
        await at.on.until(lambda: at.on.app.screen is at.on.run_screen)
        await at.on.until(lambda: "YOUR CHOICE" in at.on.said)
        assert re.search(rf"move r\dc\d r\dc\d {mine} at step", at.on.said)
        assert "1 000 steps on: E = " in at.on.said
        first, other = at.on.run_screen.snapshot.branches
        assert (other.began, other.shown) == (at.on.run_screen.snapshot.playhead - 1000, True)
        assert first.recorded == other.recorded


async def test_an_answer_that_decides_nothing_is_not_run_on() -> None:
    async with game("backtrack-mrv") as at:
        await at.answer()
        await at.on.press("v")
        assert "this right answer is not run on" in at.text
        await at.go_on()
        await at.reach("dead-end")
        await at.answer(right=False)
        await at.on.press("v")
        assert "this answer cannot be run on" in at.text


async def test_tab_asks_less_and_then_puts_the_quiz() -> None:
    async with game("anneal") as at:
        assert "all questions" in at.on.shown(at.screen.header)
        await at.answer()
        for words in ("one question a step", "ten steps alone", "quiz on p", "all questions"):
            before = at.screen.turn
            await at.on.press("tab")
            await at.on.until(lambda before=before: at.screen.open is not None and at.screen.turn is not before)
            assert words in at.on.shown(at.screen.header)
            told = words != "ten steps alone"
            assert ("1 of 1 right" in at.on.shown(at.screen.header)) is told, "the score goes on"
            if words == "ten steps alone":
                await at.on.press("f2")
                assert "no hints at this level" in at.text


async def test_ten_steps_alone_end_with_the_wrong_answers() -> None:
    async with game("backtrack-mrv") as at:
        for _ in range(2):
            await at.on.press("tab")
            await at.on.until(lambda: at.screen.open is not None)
        await at.on.press("left", "enter")  # yes: a dead end
        while at.screen.turn is not None and at.screen.turn.question is not None:
            await at.on.until(lambda: at.screen.open is not None)
            before = at.screen.turn
            await at.on.press("s")
            await at.on.until(lambda before=before: at.screen.turn is not before)
            if at.screen.open is not None:
                assert "of 1 right" not in at.text, "the first answer is judged before the end"
                assert "f2 hint" not in at.text
        assert "ten steps are over" in at.text
        assert "0 of 1 right" in at.text
        assert "right: no" in at.text


@pytest.mark.parametrize("right", [False, True])
async def test_a_run_that_ends_before_ten_steps_alone_does_not_say_ten(right: bool) -> None:
    async with game("belief", step=3) as at:
        for way in ("one question a step", "ten steps alone"):  # a key is not taken while the way is changed
            await at.asked()
            await at.on.press("tab")
            await at.on.until(lambda way=way: way in at.text)  # type: ignore[misc]
        await at.asked()
        await at.give(right)
        await at.on.until(lambda: "THE END" in at.text)
        assert "ten steps are over" not in at.text
        wrong = "wrong answers are beside the board"
        assert (wrong in " ".join(at.text.split())) is not right



async def alone_and_wrong(at: Game) -> None:
    """Ten steps alone with wrong answers."""
    for _ in range(2):
        before = at.screen.turn
        await at.on.press("tab")
        await at.on.until(lambda before=before: at.screen.open is not None and at.screen.turn is not before)
    while at.screen.turn is not None and at.screen.turn.question is not None:
        before = at.screen.turn
        await at.give(right=False)
        await at.on.until(lambda before=before: at.screen.turn is not before)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_all_wrong_answers_of_ten_steps_alone_can_be_read_with_their_reasons(size: tuple[int, int]) -> None:
    async with game("swarm-velocity", size=size) as at:
        await alone_and_wrong(at)
        assert at.screen.turn is not None
        assert len(at.screen.turn.mistakes) > 8
        assert " more lines   ↓" in at.text
        top = at.on.shown(at.screen.question)
        lines = top.splitlines()[:-1]
        while " more lines   ↓" in at.text:
            await at.on.press("down")
            lines.append(at.on.shown(at.screen.question).splitlines()[-2])
        lines.append(at.on.shown(at.screen.question).splitlines()[-1])
        whole = " ".join(" ".join(lines).split())
        for mistake in at.screen.turn.mistakes:
            right, why = mistake.judgement.correct, mistake.judgement.why
            assert f"{mistake.step}: {mistake.text} {mistake.given} right: {right} {why}" in whole
        end = at.on.shown(at.screen.question)
        await at.on.press("down")
        assert at.on.shown(at.screen.question) == end
        await at.on.press(*["pageup"] * 9)
        assert at.on.shown(at.screen.question) == top
        await at.on.press("pagedown")
        paged = at.on.shown(at.screen.question)
        assert paged != top
        await at.on.press("up")
        assert at.on.shown(at.screen.question) != paged
        await at.on.press("pageup")
        await at.on.pilot._post_mouse_events([events.MouseScrollDown], at.screen.question, (2, 2))
        await at.on.until(lambda: at.on.shown(at.screen.question) != top)
        await at.on.pilot._post_mouse_events([events.MouseScrollUp], at.screen.question, (2, 2))
        await at.on.until(lambda: at.on.shown(at.screen.question) == top)


async def test_what_was_answered_before_is_not_counted_again() -> None:
    async with game("anneal") as at:
        await at.answer()
        assert "1 of 1 right" in at.text
        await at.on.press("escape")
        await at.on.until(lambda: not isinstance(at.on.app.screen, HandsOnScreen))
        await at.on.press("H")
        await at.on.until(lambda: "YOUR TURN" in at.text)
        await at.answer()
        assert " RIGHT " in at.text
        assert "of 1 right" not in at.text


async def test_a_solver_that_cannot_ask_is_reported_in_the_laboratory(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_given: object) -> None:
        raise BadInput("this step cannot be asked about")

    async with game("backtrack-mrv") as at:
        await at.on.press("s")
        await at.on.until(lambda: at.screen.open is not None)
        monkeypatch.setattr(registry.solver("backtrack-mrv").__class__, "ask", ask)
        while isinstance(at.on.app.screen, HandsOnScreen):
            before = at.screen.turn
            await at.on.press("s")
            await at.on.until(lambda before=before: not isinstance(at.on.app.screen, HandsOnScreen)
                              or at.screen.turn is not before)
        assert "this step cannot be asked about" in at.on.said


async def test_the_board_does_not_show_a_dead_end_that_is_asked_for() -> None:
    async with game("backtrack", 10) as at:
        assert "Is there a free cell that no value fits?" in at.text
        assert "∅" not in at.text
        await at.answer()
        assert "the answer is yes" in at.text
        assert "∅!" in at.text


async def test_the_help_explains_the_marks_of_answers() -> None:
    async with game("backtrack", size=(120, 36)) as at:
        await at.on.press("question_mark")
        await at.on.until(lambda: isinstance(at.on.app.screen, Pager) and at.on.app.screen.text._shown)
        text = at.on.shown(at.on.app.screen.text)
        assert "marked by you, and wrong" in text
        assert "E counts" in text
        assert "the question is about it" in text
        assert "ban, and for how long" not in text
        assert "swap partner" not in text
        assert "accepted although worse" not in text
