"""`sudoku-tui check`: contradictory givens, and the number of solutions of puzzles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tui.commands import options, records
from tui.commands.batch import Interrupt, Progress, finished, for_each_puzzle
from tui.commands.sources import SourcePuzzle, sources_argument
from tui.i18n import _
from tui.puzzle_facts import clash_text

if TYPE_CHECKING:
    from engine.puzzle import Clash, Puzzle
    from engine.puzzles.formats import PuzzleRecord
    from engine.solutions import Solutions

DEFAULT_GUESSES = 200_000
Z3_SECONDS = 60.0
"""Time limit of Z3 for one puzzle."""


class Checked(records.PuzzleResult, frozen=True):
    """The result for one puzzle, or the error in its place."""

    clashes: tuple[Clash, ...] = ()
    solutions: Solutions | None = None
    error: str = ""
    limit: int | None = None
    """The N of --count."""

    @property
    def status(self) -> str:
        return self.solutions.answer if self.solutions is not None else "error"


Writer = Callable[[Checked], None]
Counter = Callable[["Puzzle", int, Interrupt], "Solutions"]
"""(puzzle, limit, interrupt)"""


@click.command(
    name="check", short_help=_("Find contradictory givens; none, one or several solutions."),
    help=_("""For each puzzle print its size, the numbers of givens and free cells, contradictory givens, and whether it
has no, one or several solutions (two of them are shown). With --count, print how many there are, up to N: the number is
exact, or "at least" that.

Exit code: 0 each puzzle has one solution, 1 some have none, several or an unknown number, 2 bad input, 130
interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui check my.sdk
  sudoku-tui check 33............2.
  sudoku-tui check traps --count 10
  sudoku-tui check traps:2 --count 10 --engine z3
  sudoku-tui check big.txt --format jsonl > checked.jsonl"""))
@sources_argument
@click.option("--format", "layout", type=click.Choice(["text", "jsonl"]), default="text", show_default=True,
              help=_("Text, or one JSON object per line."))
@click.option("--count", "limit", type=options.Whole(2, 10**9), metavar="N",
              help=_("Count solutions, up to N.  [default: 2]"))
@click.option("--engine", "engine", type=click.Choice(["fast", "z3"]), default="fast", show_default=True,
              help=_("Engine that counts. z3: each solution is excluded by a blocking clause before the next question; "
                     "{seconds:g} s a puzzle.").format(seconds=Z3_SECONDS))
@click.option("--max-guesses", type=options.COUNT, default=str(DEFAULT_GUESSES), show_default=True, metavar="N",
              help=_("Stop counting after N guesses: the number of solutions is then unknown."))
def command(**given: Any) -> int:
    limit = given["limit"]
    counter = partial(_count, given["max_guesses"], limit is not None) if given["engine"] == "fast" else _count_by_z3
    look = partial(_check, counter, limit)
    return for_each_puzzle(given["sources"], look, WRITERS[given["layout"]], {"one": 0, "error": 2})


def _check(counter: Counter, limit: int | None, given: SourcePuzzle, asked: Interrupt, progress: Progress) -> Checked:
    from engine.solutions import Solutions

    record = given.item.record
    if record is None:
        return Checked(given.number, None, error=str(given.item.error))
    if progress.due:
        progress.draw(given.share, _("puzzle {index}").format(index=given.number))
    clashes = record.puzzle.clashes()
    found = Solutions(0, True, (), 0) if clashes else counter(record.puzzle, limit or 2, asked)
    return Checked(given.number, record, clashes, found, limit=limit)


def _count(guesses: int, further: bool, puzzle: Puzzle, limit: int, asked: Interrupt) -> Solutions:
    """Count with the exact engine. `further`: look for one more solution, to know whether the limit is the exact
    number."""
    from msgspec.structs import replace

    from engine.solutions import count

    found = count(puzzle, limit + further, guesses, asked)
    return replace(found, found=limit, exact=False) if found.found > limit else found


def _count_by_z3(puzzle: Puzzle, limit: int, asked: Interrupt) -> Solutions:
    """Count with the automaton of the board, by blocking clauses."""
    from engine.automata.sudoku import SudokuAutomaton
    from engine.solutions import Solutions

    automaton, found = SudokuAutomaton(puzzle), Solutions(0, False, (), 0)

    def work() -> None:
        nonlocal found
        grids, more = automaton.solutions(limit, Z3_SECONDS)
        found = Solutions(len(grids), more == "unsat", grids[:2], 0)

    if not finished(work, asked):
        automaton.interrupt()
    return found


def notes(record: PuzzleRecord) -> list[str]:
    """Remarks: rows without a possible swap, the number of solutions according to the file."""
    from engine.energy import is_solution

    puzzle = record.puzzle
    rows = [unit for unit in puzzle.geometry.rows if sum(not puzzle.givens[cell] for cell in unit.cells) == 1]
    found = [_("{row} has one free cell, so no swap within it").format(row=row.name) for row in rows]
    if record.solutions is not None:
        words = {0: _("no solution"), 1: _("one solution")}
        what = words.get(record.solutions, _("several solutions"))
        found.append(_("according to its source: {what}").format(what=what))
    if record.solution is not None and not is_solution(puzzle, record.solution):
        found.append(_("the solution in its source is wrong"))
    return found


# Layouts


def write_jsonl(checked: Checked) -> None:
    from engine.puzzle import cell_name, line_of

    record, found = checked.record, checked.solutions
    puzzle = record.puzzle if record else None
    fields: dict[str, object] = {
        "solutions": checked.status,
        "count": found.found if found else 0,
        "exact": found.exact if found else False,
        "examples": [line_of(grid) for grid in found.examples] if found else [],
        "guesses": found.guesses if found else 0,
        "givens": puzzle.n**2 - len(puzzle.free_cells) if puzzle else 0,
        "free": len(puzzle.free_cells) if puzzle else 0,
        "clashes": [{"unit": clash.unit.name, "value": clash.value,
                     "cells": [cell_name(cell, puzzle.n) for cell in clash.cells]}
                    for clash in checked.clashes] if puzzle else [],
        "notes": notes(record) if record else [],
    }
    unclear = checked.error or checked.status == "unknown"
    records.write_json(checked.subject, fields, (checked.error or verdict(checked)) if unclear else None)


def write_text(checked: Checked) -> None:
    """The verdict on one line; under it the clashes, two of several solutions, and notes."""
    from engine.puzzle import line_of

    record, found = checked.record, checked.solutions
    if record is None or found is None:
        return
    puzzle, free = record.puzzle, len(record.puzzle.free_cells)
    given = puzzle.n**2 - free
    shape = ", ".join((
        f"{puzzle.n}x{puzzle.n} {puzzle.variant}",
        _("1 given") if given == 1 else _("{givens} givens").format(givens=given),
        _("1 free cell") if free == 1 else _("{free} free cells").format(free=free)))
    clashes = [clash_text(puzzle, clash) for clash in checked.clashes]
    examples = [line_of(grid) for grid in found.examples] if found.answer == "several" else []
    records.write_text(checked.subject, f"{shape}; {verdict(checked)}", (*clashes, *examples, *notes(record)))


def verdict(checked: Checked) -> str:
    """The number of solutions in words."""
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
        return what + _stopped(found)
    if found.answer == "several" and checked.limit is not None:
        number = _("{count} solutions") if found.exact else _("at least {count} solutions")
        cut = "" if found.exact or found.found >= checked.limit else _stopped(found)
        return number.format(count=count(found.found)) + cut
    return _("no solution") if found.answer == "none" else _("several solutions")


def _stopped(found: Solutions) -> str:
    """The end of a count before its limit, as the rest of a sentence; guesses of Z3 are not counted."""
    from engine.text import count

    if not found.guesses:
        return _(": no answer of Z3 within {seconds:g} s").format(seconds=Z3_SECONDS)
    template = _(": stopped after 1 guess") if found.guesses == 1 else _(": stopped after {guesses} guesses")
    return template.format(guesses=count(found.guesses))


WRITERS: dict[str, Writer] = {"text": write_text, "jsonl": write_jsonl}
