"""`sudoku-tui check`: whether a puzzle is one: which givens contradict each other, and how many solutions there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from tui import output
from tui.commands import options
from tui.commands.batch import Interrupt, Progress, one_by_one
from tui.commands.sources import Given, sources_argument
from tui.i18n import _
from tui.puzzle_facts import said_of

if TYPE_CHECKING:
    from engine.puzzle import Clash
    from engine.puzzles.formats import PuzzleRecord
    from engine.solutions import Solutions

DEFAULT_GUESSES = 200_000


class Checked(Struct, frozen=True):
    """One puzzle and what is known of it, or the sentence why there is none."""

    index: int
    record: PuzzleRecord | None
    clashes: tuple[Clash, ...] = ()
    solutions: Solutions | None = None
    error: str = ""

    @property
    def status(self) -> str:
        return self.solutions.answer if self.solutions is not None else "error"


Writer = Callable[[Checked], None]


@click.command(
    name="check", short_help=_("Givens that contradict each other; none, one or several solutions."),
    help=_("""Say of every puzzle its shape, how many givens and free cells it has, which givens contradict each other,
and whether it has no, one or several solutions (then two of them).

Exit code: 0 every puzzle has one solution, 1 some have none, several, or it is unknown, 2 bad input, 130
interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui check my.sdk
  sudoku-tui check 55..............2..
  sudoku-tui check big.txt --format jsonl > checked.jsonl"""))
@sources_argument
@click.option("--format", "layout", type=click.Choice(["text", "jsonl"]), default="text", show_default=True,
              help=_("Text for people, or one JSON object a line."))
@click.option("--max-guesses", type=options.COUNT, default=str(DEFAULT_GUESSES), show_default=True, metavar="N",
              help=_("Call a puzzle unknown after so many guesses of the search."))
def command(**given: Any) -> int:
    look = partial(_check, given["max_guesses"])
    return one_by_one(given["sources"], look, WRITERS[given["layout"]], {"one": 0, "error": 2})


def _check(guesses: int, given: Given, asked: Interrupt, progress: Progress) -> Checked:
    from engine.solutions import Solutions, count

    record = given.item.record
    if record is None:
        return Checked(given.number, None, error=str(given.item.error))
    if progress.due:
        progress.draw(given.share, _("puzzle {index}").format(index=given.number))
    clashes = record.puzzle.clashes()
    found = Solutions(0, True, (), 0) if clashes else count(record.puzzle, 2, guesses, asked)
    return Checked(given.number, record, clashes, found)


def notes(record: PuzzleRecord) -> list[str]:
    """What is no error but good to know: rows that leave a row swap nothing to do, what the file says."""
    from engine.energy import is_solution

    puzzle = record.puzzle
    rows = [unit for unit in puzzle.geometry.rows if sum(not puzzle.givens[cell] for cell in unit.cells) == 1]
    found = [_("{row} has one free cell: nothing in it can be swapped").format(row=row.name) for row in rows]
    if record.solutions is not None:
        words = {0: _("no solution"), 1: _("one solution")}
        found.append(_("its source says: {what}").format(what=words.get(record.solutions, _("several solutions"))))
    if record.solution is not None and not is_solution(puzzle, record.solution):
        found.append(_("the solution that its source gives is wrong"))
    return found


# The two layouts


def write_jsonl(checked: Checked) -> None:
    """The keys always come in this order; `reason`, `name` and `variant` only where they apply."""
    import msgspec

    from engine.puzzle import cell_name, line_of

    record, found = checked.record, checked.solutions
    puzzle = record.puzzle if record else None
    line: dict[str, Any] = {
        "index": checked.index,
        "puzzle": puzzle.line if puzzle else None,
        "solutions": checked.status,
        "examples": [line_of(grid) for grid in found.examples] if found else [],
        "guesses": found.guesses if found else 0,
        "givens": puzzle.n**2 - len(puzzle.free_cells) if puzzle else 0,
        "free": len(puzzle.free_cells) if puzzle else 0,
        "clashes": [{"unit": clash.unit.name, "value": clash.value,
                     "cells": [cell_name(cell, puzzle.n) for cell in clash.cells]}
                    for clash in checked.clashes] if puzzle else [],
        "notes": notes(record) if record else [],
    }
    if checked.error or checked.status == "unknown":
        line["reason"] = checked.error or verdict(checked)
    if record is not None and record.name:
        line["name"] = record.name
    if puzzle is not None and puzzle.variant != "classic":
        line["variant"] = puzzle.variant
    output.write_json(msgspec.json.encode(line))


def write_text(checked: Checked) -> None:
    """One line, and under it what contradicts what, two solutions where there are several, and notes."""
    from engine.puzzle import line_of

    record, found = checked.record, checked.solutions
    if record is None or found is None:
        return
    puzzle, free = record.puzzle, len(record.puzzle.free_cells)
    name = f" {record.name}" if record.name else ""
    shape = _("{n}x{n} {variant}, {givens} givens, {free} free cells").format(
        n=puzzle.n, variant=puzzle.variant, givens=puzzle.n**2 - free, free=free)
    output.write_line(f"{checked.index}{name}: {shape}; {verdict(checked)}")
    lines = [said_of(puzzle, clash) for clash in checked.clashes]
    if found.answer == "several":
        lines += [line_of(grid) for grid in found.examples]
    for line in (*lines, *notes(record)):
        output.write_line("  " + line)


def verdict(checked: Checked) -> str:
    """How many solutions there are, as a clause."""
    from engine.text import count

    found = checked.solutions
    assert found is not None
    assert checked.record is not None
    if checked.clashes:
        return _("no solution: the givens contradict each other")
    if found.answer == "one":
        return _("one solution") if checked.record.puzzle.free_cells else _("already solved")
    if found.answer == "unknown":
        what = _("one solution, and unknown whether there is another") if found.found else _(
            "unknown whether there is a solution")
        return what + _(": {guesses} guesses are spent").format(guesses=count(found.guesses))
    return _("no solution") if found.answer == "none" else _("several solutions")


WRITERS: dict[str, Writer] = {"text": write_text, "jsonl": write_jsonl}
