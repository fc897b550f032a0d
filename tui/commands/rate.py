"""`sudoku-tui rate`: difficulty of puzzles for human solvers, and the technique they need."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from tui.commands import records
from tui.commands.batch import Interrupt, Progress, for_each_puzzle
from tui.commands.sources import SourcePuzzle, sources_argument
from tui.i18n import _

if TYPE_CHECKING:
    from engine.puzzles.rating import Rating
    from engine.solutions import Solutions


class Rated(records.PuzzleResult, frozen=True):
    """The rating of one puzzle; None unless it has exactly one solution."""

    rating: Rating | None = None
    solutions: Solutions | None = None
    error: str = ""

    @property
    def status(self) -> str:
        if self.rating is not None:
            return "rated"
        return "error" if self.solutions is None else self.solutions.answer


Writer = Callable[[Rated], None]


@click.command(
    name="rate", short_help=_("Rate the difficulty of puzzles for human solvers."),
    help=_("""Rate the difficulty of each puzzle for human solvers: a number, a word, and the hardest technique needed.

The number follows the scale of Sukaku Explainer, from 1 to about 10. Easy is below 2.5, medium below 3.7, hard below 6,
extreme from 6 on. A puzzle that the techniques do not solve is rated 10. Puzzles without exactly one solution are not
rated.

Exit code: 0 all rated, 1 some not, 2 bad input, 130 interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui rate hard:1
  sudoku-tui rate easy medium hard extreme --format jsonl
  sudoku-tui generate --count 100 --format line | sudoku-tui rate -"""))
@sources_argument
@click.option("--format", "layout", type=click.Choice(["text", "jsonl"]), default="text", show_default=True,
              help=_("Text, or one JSON object per line."))
def command(sources: tuple[str, ...], layout: str) -> int:
    return for_each_puzzle(sources, _rate, WRITERS[layout], {"rated": 0, "error": 2})


def _rate(given: SourcePuzzle, asked: Interrupt, progress: Progress) -> Rated:
    from engine.puzzles.rating import rate
    from engine.solutions import Solutions, count

    record = given.item.record
    if record is None:
        return Rated(given.number, None, error=str(given.item.error))
    if progress.due:
        progress.draw(given.share, _("puzzle {index}").format(index=given.number))
    puzzle = record.puzzle
    found = Solutions(0, True, (), 0) if puzzle.clashes() else count(puzzle, stop=asked)
    rating = rate(puzzle) if found.answer == "one" and not asked() else None
    return Rated(given.number, record, rating, found)


def write_jsonl(rated: Rated) -> None:
    """The fields of the rating are null if there is none."""
    rating = rated.rating
    records.write_json(rated.subject, {
        "status": rated.status, "rating": rating.value if rating else None, "level": rating.word if rating else None,
        "hardest": rating.hardest if rating else None, "solved_by_logic": rating.solved_by_logic if rating else None},
        rated.error or None)


def write_text(rated: Rated) -> None:
    records.write_text(rated.subject, _rating_text(rated))


def _rating_text(rated: Rated) -> str:
    """`medium, 3.04, needs a naked pair`."""
    if rated.rating is None:
        return _not_rated(rated)
    rating = rated.rating
    head = f"{_(rating.word)}, {rating.value:.2f}"
    if rating.hardest is None:
        return head
    hardest = _(rating.hardest)
    if rating.solved_by_logic:
        return head + _("; hardest technique: {technique}").format(technique=hardest)
    return head + _("; the techniques do not solve it; hardest that helped: {technique}").format(technique=hardest)


def _not_rated(rated: Rated) -> str:
    words = {
        "error": _("error"), "none": _("not rated, it has no solution"),
        "several": _("not rated, it has several solutions"),
        "unknown": _("not rated, the number of solutions is unknown"),
    }
    return words[rated.status]


WRITERS: dict[str, Writer] = {"text": write_text, "jsonl": write_jsonl}
