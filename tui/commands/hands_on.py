"""`sudoku-tui hands-on`: the learner decides the steps of a run, question by question, on a terminal or a pipe."""

from __future__ import annotations

import os
import re
import sys
import time
from itertools import islice
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from engine import text
from engine.errors import BadInput, ParameterError
from tui import output
from tui.commands import options
from tui.commands.sources import recipe_of, source_argument
from tui.commands.trace import header
from tui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.puzzle import Puzzle
    from engine.questions import Judgement, Question
    from engine.run.run import Run
    from engine.solver import AnySolver
    from engine.teaching.hands_on import HandsOn, Turn
    from engine.view import View


WORD = re.compile(r"(?:a|[a-z][a-z']+)(?=[\s,]|$)")
"""The beginning of a fact in words, which would read on from its name; numbers, symbols and cells would not."""
SHORT = 14
"""Characters of the longest option beside others; longer ones are numbered, one a line."""

INDENT = " " * 6
"""Below a question, before its facts, its options and what is said of an answer."""
WIDEST = 72
"""Columns of a line of facts or options beside its indentation."""
LONGEST_SEARCH, SAY_EVERY = 60.0, 3.0
"""Seconds of the longest search for a question, and between two messages about it."""


@click.command(
    name="hands-on", short_help=_("Decide the steps of a run yourself, question by question."),
    help=_("""Play the algorithm on the puzzle SOURCE (or the run of a recipe): before each step it asks what the
solver is about to decide, judges the answer and gives the reason.

Answers are read from standard input, one a line: an option or the beginning of it, a number, cells such as r1c2
r1c5, values in order such as 4 1 3 2, or the numbers of several options such as 1 3 4. A line with ? gives a hint, s
skips a question, q ends. What is right at the first try counts: `sudoku-tui progress` shows it."""),
    epilog=_("""\b
Examples:
  sudoku-tui hands-on easy:1 --preset easy
  sudoku-tui hands-on easy:1 -s backtrack-mrv --kind next-cell --count 5
  sudoku-tui hands-on easy:3 --from 4000 --kind accept
  sudoku-tui hands-on easy:1 --quiz --count 25"""))
@source_argument
@options.recipe_options
@click.option("--from", "first", type=options.COUNT, default=1, show_default=True, metavar="STEP",
              help=_("First step that is asked about."))
@click.option("--count", type=options.COUNT, default=10, show_default=True, metavar="N", help=_("Ask N questions."))
@click.option("--kind", "kinds", metavar="KIND", multiple=True,
              shell_complete=lambda ctx, param, begun: complete_kind(begun),
              help=_("Ask only questions of this kind; repeatable. Each solver has its own: accept, energy-change, "
                     "next-cell, dead-end, ..."))
@click.option("--level", type=click.Choice(["all", "some", "alone"]), default="all", show_default=True,
              help=_("How much is asked: all questions; some, one a step; or alone, ten steps without hints, judged at "
                     "the end."))
@click.option("--quiz", is_flag=True,
              help=_("Ask only how likely it is that an uphill move is accepted, at temperatures that spread p evenly, "
                     "and score the answers."))
def command(**given: Any) -> int:
    from engine.run.run import Run
    from engine.teaching.hands_on import MOST_PASSED, HandsOn
    from engine.teaching.quiz import Quiz

    recipe, chosen = recipe_of(given)
    for kind in given["kinds"]:
        _check_kind(kind, chosen.solver)

    def begun() -> Run:
        run = Run.start(chosen.solver, recipe.puzzle, chosen.params, chosen.seed, interventions=recipe.interventions)
        run.advance(given["first"] - 1)
        return run

    if given["quiz"] and (given["kinds"] or given["level"] != "all"):
        raise ParameterError(_("--quiz and {other}: expected one of them").format(
            other="--kind" if given["kinds"] else "--level"))
    source = click.get_current_context().get_parameter_source("count")
    most = None if given["level"] == "alone" and source is ParameterSource.DEFAULT else given["count"]
    counted = _saved(chosen.solver.name)
    search = KindSearch(given["kinds"])
    game = Quiz(begun(), counted) if given["quiz"] else HandsOn(
        begun(), given["kinds"], given["level"], counted, goes_on=search.goes_on)
    if game.question is None:
        met = {question.kind for asked in islice(begun().ask_ahead(), MOST_PASSED) for question in asked}
        if met:
            searched = max(game.run.playhead, search.reached) + 1 - given["first"]
            refused = _("--kind {kinds}: this run of {solver} asks no such question from step {step} on: "
                        "expected another, such as {met}")
            if not game.run.at_end:
                refused = _("--kind {kinds}: no such question of {solver} was found in {count} steps from step {step} "
                            "on; it asks others, such as {met}")
            raise ParameterError(refused.format(
                kinds=", ".join(given["kinds"]), solver=chosen.solver.name, step=given["first"],
                met=", ".join(sorted(met)), count=text.count(searched)))
        raise ParameterError(_no_questions(begun(), given["first"]))
    for each in header(recipe):
        output.write_line("# " + each)
    output.write_line("# " + _("E counts {what}").format(
        what=chosen.solver.energy_counted(game.run.state, game.run.params)))
    if game.run.playhead + 1 > given["first"]:
        output.write_line("# " + _("the first question from step {first} on is about step {step}").format(
            first=text.count(given["first"]), step=text.count(game.run.playhead + 1)))
    skipped = _play(game, most)
    _summary(game, skipped)
    return 0


def complete_kind(begun: str) -> list[CompletionItem]:
    from engine.questions import KINDS

    return [CompletionItem(kind) for kind in KINDS if kind.startswith(begun)]


def _check_kind(kind: str, solver: AnySolver) -> None:
    """Raise ParameterError for a kind that no question has: a search for it would take a minute."""
    from engine.questions import KINDS

    known = (*KINDS, *solver.question_kinds)
    if kind not in known:
        raise ParameterError(_("--kind {kind}: there is no such kind of question: {hint}").format(
            kind=kind, hint=options.nearest(kind, known)))


def _no_questions(run: Run, first: int) -> str:
    """The message that no step from this one on asks anything, with the last step that does, if it is near."""
    from engine.teaching.hands_on import MOST_PASSED
    from tui import messages

    if run.outcome is not None and not run.recorded:
        return messages.no_steps(run.outcome, run.solver.individuals(run.state)).text
    said = _("{solver} asks no questions from step {step} on").format(solver=run.solver.name, step=first)
    run.seek(max(0, min(first - 1, run.playhead) - MOST_PASSED))
    begin = run.playhead
    before = islice(run.ask_ahead(), max(0, first - 1 - begin))
    asking = [step for step, asked in enumerate(before, begin + 1) if asked]
    return said + (_("; the last one is about step {step}").format(step=asking[-1]) if asking else "")


class KindSearch:
    """A search for questions of some kinds: its step is printed every few seconds, and it ends after LONGEST_SEARCH."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.kinds = kinds
        self.reached = 0
        """The last step that was searched."""
        self._began = self._said = time.monotonic()

    def goes_on(self, step: int) -> bool:
        self.reached = step
        now = time.monotonic()
        if now - self._said > SAY_EVERY:
            self._said = now
            output.say(_("searching for {kinds}: step {step}").format(
                kinds=", ".join(self.kinds), step=text.count(step)))
        return now - self._began < LONGEST_SEARCH


def _saved(solver: str) -> Callable[[str, bool], None]:
    """A function that counts an answer to a question of this solver, and saves it: the line may be cut at any time."""
    from tui import messages
    from tui.config import config_file
    from tui.storage.progress import ProgressStore, learner

    store = ProgressStore(learner(os.environ), enabled=config_file.load().settings.autosave)
    count = store.counter(solver)

    def save(kind: str, right: bool) -> None:
        count(kind, right)
        notice = store.save()
        if notice is not None:
            output.say(messages.one_sentence(notice))

    return save


def _play(game: HandsOn, most: int | None) -> int:
    """Ask until `most` questions are answered or skipped, the round or the run ends, or the input does; how many were
    skipped. None: the number of questions is not known before."""
    shown: object = None
    number = 0
    while game.question is not None and number != most:
        question, turn = game.question, game.turn
        number += 1
        if shown != (turn.step, question.individual, question.grid):
            shown = turn.step, question.individual, question.grid
            _board(turn, question, game.run.puzzle)
        output.write_line()
        output.write_prose(f"{number}  {question.text}" if most is None else f"{number}/{most}  {question.text}")
        given = [f"{name}: {value}" if WORD.match(value) else f"{name} {value}" for name, value in question.given]
        for line in _packed(given, "   "):
            output.write_line(INDENT + line)
        for line in _form(question):
            output.write_line(INDENT + line)
        if not _answered(game, question):
            return number - 1 - game.asked
        if game.question is question:
            if number != most:
                game.next()
            else:
                game.leave()  # a search for the next one may take a while
    return number - game.asked


def _board(turn: Turn, question: Question, puzzle: Puzzle) -> None:
    output.write_line()
    said = _("after step {step}, {who}") if question.grid else _("after step {step}, {who}, E = {energy}") if (
        turn.who) else _("after step {step}, E = {energy}")
    output.write_line(said.format(step=turn.step, who=turn.who, energy=turn.energy))
    for row in output.boxed(turn.view.grid, puzzle.box):
        output.write_line(row)
    if not question.grid:
        for row in _candidates(turn.view, puzzle):
            output.write_line(row)


def _candidates(view: View, puzzle: Puzzle) -> Iterator[str]:
    """The candidates of the free cells, where they are fewer than those that the rules leave, or more."""
    from engine.puzzle import SYMBOLS

    if view.candidates is None:
        return
    held = [{view.grid[peer] for peer in peers} for peers in puzzle.geometry.peers]
    values = range(1, puzzle.n + 1)
    left = [[v for v in values if mask >> v - 1 & 1] for mask in view.candidates]
    if any(not value and left[cell] != [v for v in values if v not in held[cell]]
           for cell, value in enumerate(view.grid)):
        yield _("candidates")
        written = [f"1-{SYMBOLS[puzzle.n]}" if len(each) == puzzle.n else "".join(SYMBOLS[v] for v in each) or "-"
                   for each in left]
        yield from output.boxed_texts([SYMBOLS[value] if value else written[cell]
                                       for cell, value in enumerate(view.grid)], puzzle.box)


def _packed(parts: Sequence[str], gap: str) -> list[str]:
    """The parts in lines of at most WIDEST columns, a longer part on a line of its own."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1] + gap + part) <= WIDEST:
            lines[-1] += gap + part
        else:
            lines.append(part)
    return lines


def _form(question: Question) -> list[str]:
    """The form of an answer, in lines."""
    from engine.questions import Choice, Mark, Number, Several, Values

    if isinstance(question, Choice) and question.meanings:
        return [f"{place:>2}  {option}: {question.meanings[place - 1]}" if place - 1 in question.meanings else
                f"{place:>2}  {option}" for place, option in enumerate(question.options, 1)]
    if isinstance(question, Choice) and not any("  " in option or len(option) > SHORT for option in question.options):
        return _packed(question.options, "  ")
    if isinstance(question, Choice | Several):
        numbered = isinstance(question, Several) or question.numbered
        return [f"{place:>2}  {option}" if numbered else option for place, option in enumerate(question.options, 1)]
    if isinstance(question, Number):
        return [question.form]
    if isinstance(question, Values):
        return [_("{count} values in order, such as {example}").format(
            count=len(question.values), example=question.write(tuple(range(1, len(question.values) + 1))))]
    assert isinstance(question, Mark)
    return [question.form]


def _answered(game: HandsOn, question: Question) -> bool:
    """Read answers until one is judged or the question is skipped; False at the end of the input."""
    while True:
        output.flush()
        written = sys.stdin.readline()
        if not written or written.strip().lower() == "q":
            return False
        match written.strip().lower():
            case "":
                output.write_prose(_("type an answer; ? gives a hint, s skips the question, q ends"), INDENT)
                continue
            case "?":
                output.write_prose(question.hint if game.turn.hints else _("no hints at this level"), INDENT)
                continue
            case "s":
                output.write_prose(_("skipped") if game.level == "alone" else _("skipped: {correct}. {why}").format(
                    correct=question.write(question.model), why=question.why), INDENT)
                return True
        try:
            judgement = game.answer(question.read(written))
        except BadInput as refused:
            output.write_prose(output.one_line(str(refused)), INDENT)
            continue
        if game.level != "alone":
            _judged(judgement)
        return True


def _judged(judgement: Judgement) -> None:
    if judgement.right:
        output.write_prose(_("right. {why}").format(why=judgement.why), INDENT)
        return
    output.write_prose(_("wrong, the answer is {correct}. {why}").format(
        correct=judgement.correct, why=judgement.why), INDENT)
    if judgement.misconception:
        output.write_prose(judgement.misconception, INDENT)


def _summary(game: HandsOn, skipped: int) -> None:
    output.write_line()
    said = _("{right} of {asked} right at the first try").format(right=game.right, asked=game.asked)
    output.write_line(said + (_(", {count} skipped").format(count=skipped) if skipped else ""))
    for kind, tally in game.tallies.items():
        output.write_line(f"  {kind:<18}{tally.right} / {tally.asked}")
    for name, value in game.scores():
        output.write_line(f"  {name:<18}{value}")
    for mistake in game.mistakes:
        output.write_line()
        output.write_prose(_("step {step}: {text}").format(step=mistake.step, text=mistake.text))
        output.write_prose(_("your answer: {given}").format(given=mistake.given), INDENT)
        _judged(mistake.judgement)
