"""`sudoku-tui generate`: puzzles with one solution, determined by seed and number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from engine.errors import ParameterError
from tui import output
from tui.commands import options
from tui.commands.batch import INTERRUPTED, Interrupt, Progress
from tui.commands.options import SIZES
from tui.commands.show import WRITTEN, show
from tui.i18n import _

if TYPE_CHECKING:
    from engine.puzzles.formats import PuzzleRecord
    from engine.puzzles.generate import Made, Spec, Unique
    from engine.puzzles.rating import Rating

LAST = 2**46
"""The last number of a puzzle, far below the period of the random words of a seed."""
SYMMETRIES = ("none", "rotational-180", "rotational-90", "mirror-horizontal", "mirror-vertical", "mirror-diagonal",
              "mirror-antidiagonal")
DIFFICULTIES = ("easy", "medium", "hard", "extreme")


@click.command(
    name="generate", short_help=_("Generate puzzles with one solution from a seed."),
    help=_("""Generate COUNT puzzles, numbers FIRST, FIRST+1, ... of a seed. They are the same on every machine.

Each has exactly one solution and is minimal: no clue (with a symmetry: no clue and its images) can be removed. On
boards of 16x16 and 25x25 that may be too hard to prove for a clue, which then stays; a message reports it.

Exit code: 0 all found, 1 fewer puzzles of the difficulty found, 2 bad input, 130 interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui generate
  sudoku-tui generate --count 1000 --seed 7 --format line > list.txt
  sudoku-tui generate --difficulty hard --symmetry rotational-180 --format sdm
  sudoku-tui generate --size 16 --diagonal --format jsonl"""))
@click.option("-n", "--count", type=options.Whole(1, 10**12), default=1, show_default=True, metavar="N",
              help=_("Number of puzzles."))
@click.option("--seed", type=options.SEED, default=0, show_default=True, metavar="N",
              help=_("Seed of the random numbers: the same seed gives the same puzzles."))
@click.option("--first", type=options.Whole(0, LAST), default=0, show_default=True, metavar="K",
              help=_("Number of the first puzzle; those before it are not generated."))
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), help=_("Keep only puzzles of this difficulty."))
@click.option("--tries", type=options.Whole(1, 10**9), default=2000, show_default=True, metavar="N",
              help=_("With --difficulty: give up after N puzzles in a row of another difficulty."))
@click.option("--size", type=click.Choice(list(SIZES)), default="9", show_default=True,
              help=_("Cells in a row; 25 takes some seconds per puzzle."))
@click.option("--diagonal", is_flag=True, help=_("Both main diagonals hold each value once as well."))
@click.option("--symmetry", type=click.Choice(SYMMETRIES), default="none", show_default=True,
              help=_("Symmetry of the givens; a mirror is named after its axis."))
@click.option("--engine", "engine_name", type=click.Choice(["fast", "z3"]), default="fast", show_default=True,
              help=_("Engine that proves uniqueness; the puzzles are the same. z3: up to 9x9."))
@click.option("--format", "layout", type=click.Choice(["grid", *WRITTEN, "jsonl"]), default="grid", show_default=True,
              help=_("Boxed grids, a file format, or one JSON object per line."))
def command(**given: Any) -> int:
    if given["first"] + given["count"] > LAST:
        raise ParameterError(_("--first {first} --count {count}: expected numbers up to {last}").format(
            first=given["first"], count=given["count"], last=LAST))
    from engine.puzzles.generate import Spec
    from engine.text import count

    spec = Spec(given["seed"], SIZES[given["size"]], "diagonal" if given["diagonal"] else "classic", given["symmetry"])
    job = Job(spec, given["first"], given["count"], given["difficulty"], given["tries"], _uniqueness(spec, given))
    with job.asked:
        WRITERS.get(given["layout"], convert)(iter(job), given["layout"])
        job.line.clear()
        output.flush()
    if job.unproved and given["layout"] in WRITTEN:  # these cannot hold it
        output.say(_("not proved to be minimal: {unproved} of {found}").format(
            unproved=count(job.unproved), found=count(job.found)))
    return job.exit_code()


def _uniqueness(spec: Spec, given: dict[str, Any]) -> Unique | None:
    """The proof of uniqueness; None for the exact engine. Raises ParameterError for a board too large for Z3."""
    if given["engine_name"] == "fast":
        return None
    from engine.puzzles.generate import LARGEST_BOX, unique_by_z3

    if spec.box > LARGEST_BOX:
        raise ParameterError(_("--engine z3 --size {size}: expected 4 or 9, larger boards take too long").format(
            size=given["size"]))
    return unique_by_z3(spec)


@dataclass
class Job:
    """Iterable of the puzzles of one call."""

    spec: Spec
    first: int
    count: int
    difficulty: str | None
    tries: int
    unique: Unique | None = None
    asked: Interrupt = field(default_factory=Interrupt)
    line: Progress = field(default_factory=Progress)
    found: int = 0
    unproved: int = 0
    """Puzzles found that are not proved to be minimal."""
    tried: int = 0
    """Puzzles that were generated, those of another difficulty included."""

    def __iter__(self) -> Iterator[tuple[Made, Rating | None]]:
        missed = 0
        for made in self._generated():
            rating = self._rating(made)
            self.tried += 1
            if rating is not None and rating.word != self.difficulty:
                missed += 1
                if missed == self.tries:
                    return
                continue
            missed = 0
            self.found += 1
            self.unproved += not made.minimal
            self.line.clear()
            yield made, rating
            if self.found == self.count or self.asked():
                return

    def _generated(self) -> Iterator[Made]:
        from engine.puzzles.generate import puzzles

        if self.line.enabled:
            self.line.draw(None, _("compiling ..."))
        return puzzles(self.spec, self.first, self.unique, self.asked, progress=self._progress)

    def _rating(self, made: Made) -> Rating | None:
        if self.difficulty is None:
            return None
        from engine.puzzles.rating import rate

        self._progress(0.0)
        return rate(made.puzzle)

    def _progress(self, share: float) -> None:
        """Show progress; `share` is that of the puzzle under way."""
        if self.line.due:
            from engine.text import count

            text = _("puzzle {number}   {found} of {count}").format(
                number=count(self.first + self.tried), found=count(self.found), count=count(self.count))
            self.line.draw(min(1.0, (self.found + share) / self.count), text)

    def exit_code(self) -> int:
        """The exit code, after a message if puzzles are missing."""
        from engine.text import count

        if self.found == self.count:
            return 0
        if self.asked():
            output.say(_("interrupted after {found} of {count} puzzles").format(found=count(self.found),
                                                                                count=count(self.count)))
            return INTERRUPTED
        output.say(_("{found} of {count} puzzles: none is {difficulty} among the last {tries}, up to number {last}; "
                     "more --tries or another --seed may find some").format(
                         found=count(self.found), count=count(self.count), difficulty=self.difficulty,
                         tries=count(self.tries), last=self.first + self.tried - 1))
        return 1


Items = Iterator[tuple["Made", "Rating | None"]]


def convert(items: Items, layout: str) -> None:
    """Write in a file format, each puzzle at once. Raises FormatError for a puzzle that the format cannot hold."""
    from engine.puzzles.formats import write

    first = next(items, None)
    if first is None:
        return
    for line in write(_flushed(chain([first], items)), layout):
        output.write(line)


def _flushed(items: Items) -> Iterator[PuzzleRecord]:
    """The records, with stdout flushed before the next puzzle is generated."""
    for made, rating in items:
        output.flush()
        yield made.record(rating=rating)


def write_grids(items: Items, layout: str) -> None:
    for number, (made, rating) in enumerate(items):
        if number:
            output.write_line()
        if rating is not None:
            output.write_line(f"# {_('rating')} {rating.value:.2f}, {_(rating.hardest or '')}")
        if not made.minimal:
            output.write_line(f"# {_('not proved to be minimal')}")
        show(made.record(rating=rating))
        output.flush()


def write_jsonl(items: Items, layout: str) -> None:
    """`minimal`: whether that is proved. The last four fields only with --difficulty."""
    from engine.puzzle import line_of

    for made, rating in items:
        line: dict[str, Any] = {
            "puzzle": made.puzzle.line, "solution": line_of(made.solution), "seed": made.spec.seed,
            "number": made.number, "size": made.spec.n, "variant": made.spec.variant,
            "symmetry": made.spec.symmetry, "givens": sum(map(bool, made.puzzle.givens)), "minimal": made.minimal}
        if rating is not None:
            line |= {"rating": rating.value, "level": rating.word, "hardest": rating.hardest,
                     "solved_by_logic": rating.solved_by_logic}
        output.write_json(line)
        output.flush()


WRITERS: dict[str, Callable[[Items, str], None]] = {"grid": write_grids, "jsonl": write_jsonl}
