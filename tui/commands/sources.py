"""The puzzles that the words of a command line stand for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import click

from engine.errors import FormatError, PuzzleError
from engine.formats import PuzzleRecord
from engine.puzzle import Puzzle, cell_name
from engine.sources import SourceItem, open_source
from tui.commands.options import complete_source
from tui.commands.output import say
from tui.i18n import _

SMALL = 2**27
"""Bytes of the largest file whose lines are counted for the progress bar."""

source_argument = click.argument("source", shell_complete=complete_source)
sources_argument = click.argument("sources", metavar="SOURCE...", nargs=-1, required=True,
                                  shell_complete=complete_source)


class Given(NamedTuple):
    """One puzzle of several sources, or the sentence why there is none."""

    number: int
    """Counted from 1 over all sources, what is malformed included."""
    item: SourceItem
    share: float | None
    """How much of all sources lies before it, 0..1; None where that is not known."""


def every(sources: Sequence[str]) -> Iterator[Given]:
    """The puzzles of all sources in order, one at a time, in flat memory."""
    number = 0
    for place, source in enumerate(sources):
        lines = _lines(source)
        for item in open_source(source, sys.stdin.buffer):
            number += 1
            inside = min(1.0, (item.line - 1) / lines) if lines and item.line else None
            if inside is None and len(sources) > 1:
                inside = 0.0
            yield Given(number, item, None if inside is None else (place + inside) / len(sources))


def _lines(source: str) -> int:
    """How many lines the file has, for the progress bar; 0 where it is not a file of moderate size."""
    if not sys.stderr.isatty() or source == "-" or not os.path.isfile(source) or os.path.getsize(source) > SMALL:
        return 0
    try:
        with open(source, "rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b"")) + 1
    except OSError:
        return 0


def single(source: str) -> PuzzleRecord:
    """The one puzzle of a source; of several the first, which is said. Raises BadInput."""
    found = list(islice(open_source(source, sys.stdin.buffer), 1 if source == "-" else 2))
    first = found[0]
    if first.record is None:
        raise FormatError(str(first.error))
    if len(found) > 1:
        say(_("{source} holds several puzzles: this is the first").format(source=source))
    return first.record


def refuse_clashes(puzzle: Puzzle) -> None:
    """Raises PuzzleError, with the first unit and its cells, when the givens contradict each other."""
    clashes = puzzle.clashes()
    if clashes:
        more = _(" (and {count} more: see `sudoku-tui check`)").format(count=len(clashes) - 1) if clashes[1:] else ""
        raise PuzzleError(_("the givens contradict each other: {clash}").format(
            clash=clash_text(puzzle, clashes[0].unit.name, clashes[0].value, clashes[0].cells)) + more)


def clash_text(puzzle: Puzzle, unit: str, value: int, cells: tuple[int, ...]) -> str:
    """`5 stands 2 times in row 1: r1c1 r1c4`."""
    where = " ".join(cell_name(cell, puzzle.n) for cell in cells)
    return _("{value} stands {count} times in {unit}: {where}").format(value=value, count=len(cells), unit=unit,
                                                                       where=where)


def named(record: PuzzleRecord, source: str) -> str:
    """What the puzzle is called: its own name, else the source unless that is a grid or stdin."""
    if record.name:
        return record.name
    return "" if source == "-" or len(source) > 60 else os.path.basename(source)


