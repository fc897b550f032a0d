"""`sudoku-tui show`: puzzles as boxed grids, or in another format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from tui import output
from tui.commands.sources import source_puzzles, sources_argument
from tui.i18n import _

if TYPE_CHECKING:
    from engine.puzzles.formats import PuzzleRecord

WRITTEN = ("line", "sdm", "sdk", "ss", "csv")


@click.command(
    name="show", short_help=_("Show puzzles, or convert them to another format."),
    help=_("""Show each puzzle as a grid with boxes, or convert all of them to another format.

Exit code: 0, or 2 if some of the input is bad (the rest is still shown)."""),
    epilog=_("""\b
Examples:
  sudoku-tui show hard:1
  sudoku-tui show list.sdm --format csv > list.csv"""))
@sources_argument
@click.option("--format", "layout", type=click.Choice(["grid", *WRITTEN]), default="grid", show_default=True,
              help=_("Boxed grids, or a format to convert to."))
def command(sources: tuple[str, ...], layout: str) -> int:
    reader = Reader(sources)
    if layout == "grid":
        for number, record in enumerate(reader):
            if number:
                output.write_line()
            show(record)
    else:
        convert(reader, layout)
    return 2 if reader.errors else 0


class Reader:
    """The records of all sources. Errors are reported and counted."""

    def __init__(self, sources: tuple[str, ...]) -> None:
        self.sources = sources
        self.errors = 0

    def __iter__(self) -> Iterator[PuzzleRecord]:
        for given in source_puzzles(self.sources):
            if given.item.record is not None:
                yield given.item.record
            else:
                self.report(str(given.item.error))

    def report(self, error: str) -> None:
        self.errors += 1
        output.flush()
        output.say(error)


def show(record: PuzzleRecord) -> None:
    puzzle = record.puzzle
    about = [record.name, record.level, "" if puzzle.variant == "classic" else puzzle.variant, record.source]
    title = ", ".join(part for part in about if part)
    if title:
        output.write_line(f"# {title}")
    for line in output.boxed(puzzle.givens, puzzle.box):
        output.write_line(line)


def convert(records: Reader, layout: str) -> None:
    """Convert the records one by one."""
    from engine.puzzles.formats import write

    iterator = _expressible(records, layout)
    first = next(iterator, None)
    if first is None:
        return
    for line in write(chain([first], iterator), layout):
        output.write(line)


def _expressible(records: Reader, layout: str) -> Iterator[PuzzleRecord]:
    """The records that the format can hold. The others are errors of the reader."""
    from engine.errors import FormatError
    from engine.puzzles.formats import FORMATS

    check = FORMATS[layout].check
    for record in records:
        try:
            if check is not None:
                check(record)
        except FormatError as error:
            records.report(str(error))
        else:
            yield record
