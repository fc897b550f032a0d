"""`sudoku-tui guess`: which solver, or which rule for T, made a curve of E?"""

from __future__ import annotations

import secrets
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

from engine.errors import BadInput
from tui import output
from tui.commands import options
from tui.commands.sources import first_puzzle, refuse_clashes, source_argument
from tui.i18n import _

if TYPE_CHECKING:
    from engine.teaching.guess import Guess

WIDTH, HEIGHT = 66, 10
"""Of the curve, in characters."""


@click.command(
    name="guess", short_help=_("Guess from the curve of E which solver ran, or how T fell."),
    help=_("""Show the curve of E of a run on SOURCE, and ask which solver made it, or which rule for T.

The run is fixed before you answer: the SHA-256 of its recipe line is printed first, and the line after the answer.
Answers are read from standard input, one a line: an option, or the beginning or number of it. A line with ? gives a
hint, q ends."""),
    epilog=_("""\b
Examples:
  sudoku-tui guess easy:3
  sudoku-tui guess easy:3 --what temperature --count 5"""))
@source_argument
@click.option("--what", type=click.Choice(["solver", "temperature"]), default="solver", show_default=True,
              help=_("What is guessed: the solver, or how T changes."))
@click.option("--count", type=options.COUNT, default=3, show_default=True, metavar="N", help=_("Show N curves."))
@click.option("--seed", type=options.SEED, default=None, metavar="N",
              help=_("Make the curves of this seed. Without it they are different each time."))
def command(source: str, what: Any, count: int, seed: int | None) -> int:
    from engine.rng import MAX_SEED
    from engine.teaching.guess import make_guess

    puzzle = first_puzzle(source).puzzle
    refuse_clashes(puzzle)
    first = secrets.randbelow(MAX_SEED) if seed is None else seed
    right = asked = 0
    for number in range(count):
        guess = make_guess(puzzle, what, (first + number) % (MAX_SEED + 1))
        _show(guess, f"{number + 1}/{count}")
        answered = _answered(guess)
        if answered is None:
            break
        asked += 1
        right += answered
    output.write_line()
    output.write_line(_("{right} of {asked} right").format(right=right, asked=asked))
    return 0


def _show(guess: Guess, number: str) -> None:
    from tui import messages
    from tui.widgets.plot import curve_rows

    output.write_line()
    output.write_line(f"{number}  {guess.question.text}")
    output.write_line("      " + _("SHA-256 of the recipe: {commitment}").format(commitment=guess.commitment))
    for row in curve_rows(guess.curve, WIDTH, HEIGHT, _braille()):
        output.write_line(row)
    for line in textwrap.wrap(messages.curve_of(len(guess.curve)), WIDTH):
        output.write_line("      " + line)
    for place, option in enumerate(guess.question.options, 1):
        output.write_line(f"      {place} {option}")


def _braille() -> bool:
    """Whether standard output takes braille."""
    try:
        "⣿".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _answered(guess: Guess) -> bool | None:
    """Read answers until one is judged; None at the end of the input."""
    question = guess.question
    while True:
        output.flush()
        written = sys.stdin.readline()
        wanted = written.strip().lower()
        if not written or wanted == "q":
            return None
        if wanted == "?":
            output.write_line("      " + question.hint)
            continue
        try:
            judgement = question.judge(question.read(wanted))
        except BadInput as refused:
            output.write_line("      " + output.one_line(str(refused)))
            continue
        output.write_line("      " + (_("right. {why}") if judgement.right else _("wrong. {why}")).format(
            why=judgement.why))
        for said in filter(None, (guess.reason, guess.features)):
            output.write_line("      " + said)
        output.write_line("      " + guess.recipe)
        return judgement.right
