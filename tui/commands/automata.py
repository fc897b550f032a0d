"""`sudoku-tui automata`: the screen of the symbolic automata of a board."""

from __future__ import annotations

from typing import Any

import click

from engine.errors import ParameterError
from tui.commands import options
from tui.commands.lab import refuse_without_terminal
from tui.commands.options import SIZES
from tui.commands.sources import first_puzzle, puzzle_name
from tui.i18n import _


@click.command(
    name="automata", short_help=_("The symbolic automata of a board: ask Z3 question by question."),
    help=_("""Open the automata of SOURCE: the words that a row, column, box or diagonal accepts, and Z3's answers about
the whole board. Without SOURCE, those of an empty board.

Contradictory givens are allowed."""),
    epilog=_("""\b
Examples:
  sudoku-tui automata hard:1
  sudoku-tui automata easy:3 --unit "row 3"
  sudoku-tui automata --size 16 --unit "box 2" """))
@click.argument("source", required=False, shell_complete=options.complete_source)
@click.option("--unit", metavar="UNIT", default="", help=_('The automaton to open: "row 3", "column 5", "box 2", '
                                                           '"diagonal 1".'))
@click.option("--size", type=click.Choice(list(SIZES)), help=_("Open an empty board of this size instead of SOURCE."))
@click.option("--ascii/--unicode", default=None,
              help=_("Draw with ASCII characters only, or with all that the terminal can show."))
def command(**given: Any) -> int:
    from engine.puzzles.formats import PuzzleRecord
    from tui.config import config_file
    from tui.requests import AppRequest, AutomataRequest
    from tui.screens.automata.question_parser import unit_index
    from tui.storage.puzzle_files import empty_puzzle

    if given["source"] is not None and given["size"] is not None:
        raise ParameterError(_("--size and SOURCE: a source has its own size, expected only one of them"))
    if given["source"] is None:
        record, name = PuzzleRecord(puzzle=empty_puzzle(SIZES[given["size"] or "9"])), _("empty board")
    else:
        record = first_puzzle(given["source"])
        name = puzzle_name(record, given["source"])
    if given["unit"]:
        unit_index(given["unit"], record.puzzle.geometry)
    refuse_without_terminal(_("`automata`"), _("try `sudoku-tui check` for an answer as text"))
    from tui.launch import run_app

    request = AutomataRequest(PuzzleRecord(puzzle=record.puzzle, name=name), unit=given["unit"])
    return run_app(AppRequest(request, ascii=given["ascii"], config=config_file.load()))
