"""`sudoku-tui check`: whether a puzzle is one, and which of its givens contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tui.commands import output
from tui.commands.sources import every, sources_argument
from tui.i18n import _
from tui.puzzlefacts import said_of

if TYPE_CHECKING:
    from engine.formats import PuzzleRecord


@click.command(
    name="check", short_help=_("Shape, givens, and which of them contradict each other."),
    help=_("""Say of every puzzle its shape, how many givens and free cells it has, and which givens contradict each
other.

Exit code: 0 no contradiction, 1 some givens contradict each other, 2 bad input."""),
    epilog=_("""\b
Examples:
  sudoku-tui check my.sdk
  sudoku-tui check 55..............2.."""))
@sources_argument
def command(sources: tuple[str, ...]) -> int:
    code = 0
    for given in every(sources):
        if given.item.record is None:
            output.flush()
            output.say(str(given.item.error))
            code = 2
        else:
            clashes = report(given.number, given.item.record)
            code = max(code, int(clashes > 0))
    return code


def report(number: int, record: PuzzleRecord) -> int:
    """Write what is to be said of a puzzle; returns how many contradictions there are."""
    puzzle = record.puzzle
    free = len(puzzle.free_cells)
    name = f" {record.name}" if record.name else ""
    shape = _("{n}x{n} {variant}, {givens} givens, {free} free cells").format(
        n=puzzle.n, variant=puzzle.variant, givens=puzzle.n**2 - free, free=free)
    clashes = puzzle.clashes()
    verdict = _("the givens contradict each other") if clashes else _("no givens contradict each other")
    if not free and not clashes:
        verdict = _("already solved")
    output.write_line(f"{number}{name}: {shape}; {verdict}")
    for clash in clashes:
        output.write_line("  " + said_of(puzzle, clash))
    for note in notes(record):
        output.write_line("  " + note)
    return len(clashes)


def notes(record: PuzzleRecord) -> list[str]:
    """What is no error but good to know: rows that leave a row swap nothing to do, what the file says."""
    puzzle = record.puzzle
    rows = [unit for unit in puzzle.geometry.rows if sum(not puzzle.givens[cell] for cell in unit.cells) == 1]
    found = [_("{row} has one free cell: nothing in it can be swapped").format(row=row.name) for row in rows]
    if record.solutions is not None:
        words = {0: _("no solution"), 1: _("one solution")}
        found.append(_("its source says: {what}").format(what=words.get(record.solutions, _("several solutions"))))
    return found
