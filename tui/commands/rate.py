"""`sudoku-tui rate`: how hard puzzles are for people, and which technique they need."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from tui import output
from tui.commands.batch import Interrupt, Progress, one_by_one
from tui.commands.sources import Given, sources_argument
from tui.i18n import _

if TYPE_CHECKING:
    from engine.puzzles.formats import PuzzleRecord
    from engine.puzzles.rating import Rating
    from engine.solutions import Solutions


class Rated(Struct, frozen=True):
    """One puzzle and its rating; none where it has not exactly one solution, or could not be read."""

    index: int
    record: PuzzleRecord | None
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
    name="rate", short_help=_("How hard puzzles are for people, and what they need."),
    help=_("""Say of every puzzle how hard it is for people: a number, a word, and the hardest technique that it needs.

The number follows the scale of Sukaku Explainer, from 1 to about 10; easy is below 2.5, medium below 3.7, hard below 6,
and extreme is what the techniques do not solve. Puzzles that have not exactly one solution are not rated.

Exit code: 0 all rated, 1 some not, 2 bad input, 130 interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui rate hard:1
  sudoku-tui rate easy medium hard extreme --format jsonl
  sudoku-tui generate --count 100 --format line | sudoku-tui rate -"""))
@sources_argument
@click.option("--format", "layout", type=click.Choice(["text", "jsonl"]), default="text", show_default=True,
              help=_("Text for people, or one JSON object a line."))
def command(sources: tuple[str, ...], layout: str) -> int:
    return one_by_one(sources, _rate, WRITERS[layout], {"rated": 0, "error": 2})


def _rate(given: Given, asked: Interrupt, progress: Progress) -> Rated:
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
    """The keys always come in this order; those of the rating are null where there is none, `reason`, `name` and
    `variant` come only where they apply."""
    import msgspec

    record, rating = rated.record, rated.rating
    line: dict[str, Any] = {
        "index": rated.index, "puzzle": record.puzzle.line if record is not None else None, "status": rated.status,
        "rating": rating.value if rating else None, "level": rating.word if rating else None,
        "hardest": rating.hardest if rating else None, "solved_by_logic": rating.solved_by_logic if rating else None}
    if rated.error:
        line["reason"] = rated.error
    if record is not None and record.name:
        line["name"] = record.name
    if record is not None and record.puzzle.variant != "classic":
        line["variant"] = record.puzzle.variant
    output.write_json(msgspec.json.encode(line))


def write_text(rated: Rated) -> None:
    name = f" {rated.record.name}" if rated.record is not None and rated.record.name else ""
    output.write_line(f"{rated.index}{name}: {_said(rated)}")


def _said(rated: Rated) -> str:
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
        "unknown": _("not rated, it is not known how many solutions it has"),
    }
    return words[rated.status]


WRITERS: dict[str, Writer] = {"text": write_text, "jsonl": write_jsonl}
