"""`sudoku-tui automata`: the symbolic automata of a board, on a screen or as text."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from engine.automata.formula import ENCODINGS
from engine.errors import ParameterError
from tui import output
from tui.commands import automata_questions, options
from tui.commands.lab import refuse_without_terminal
from tui.commands.options import SIZES
from tui.commands.sources import first_puzzle, puzzle_name
from tui.i18n import _


@click.command(
    name="automata", short_help=_("The symbolic automata of a board: ask Z3 question by question."),
    help=_("""Open the automata of SOURCE: the words that a row, column, box or diagonal accepts, and Z3's answers about
the whole board. Without SOURCE, those of an empty board.

--accepts, --word, --ask and --formula answer without a screen, as text or JSON. Contradictory givens are allowed.

Exit code: 0 the screen was left, or each answer is yes; 1 some answer is no or unknown, 2 bad input, 130
interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui automata hard:1
  sudoku-tui automata easy:3 --unit "row 3"
  sudoku-tui automata --size 16 --diagonal --unit "diagonal 1"
  sudoku-tui automata --unit "row 1" --accepts 123456789 --accepts 113456789
  sudoku-tui automata hard:1 --unit "row 3" --word
  sudoku-tui automata hard:1 --ask r1c3=2 --ask unique --ask "count 10" --format jsonl
  sudoku-tui automata --unit "box 5" --formula --encoding int-distinct"""))
@click.argument("source", required=False, shell_complete=options.complete_source)
@click.option("--unit", metavar="UNIT", default="", help=_('The automaton to open: "row 3", "column 5", "box 2", '
                                                           '"diagonal 1".'))
@click.option("--size", type=click.Choice(list(SIZES)), help=_("Take an empty board of this size instead of SOURCE."))
@click.option("--diagonal", is_flag=True, help=_("The empty board has two main diagonals as units."))
@click.option("--accepts", metavar="WORD", multiple=True,
              help=_("Does the automaton of UNIT accept WORD, n values without separators or with commas? Repeatable."))
@click.option("--word", is_flag=True, help=_("Print a word that the automaton of UNIT accepts."))
@click.option("--ask", metavar="QUESTION", multiple=True,
              help=_('Ask a question as on the screen: r3c4=5, solution, second, unique, "count 10" or, about a unit, '
                     '"row 3 = WORD". Repeatable.'))
@click.option("--formula", is_flag=True, help=_("Print the formula of UNIT in SMT-LIB, or that of the board in short."))
@click.option("--encoding", type=click.Choice(ENCODINGS), default=ENCODINGS[0], show_default=True,
              help=_("How the formula is written for Z3."))
@click.option("--format", "layout", type=click.Choice(["text", "jsonl"]), default="text", show_default=True,
              help=_("Answers as text, or one JSON object per line."))
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
    if given["source"] is not None and given["diagonal"]:
        raise ParameterError(_("--diagonal and SOURCE: a source has its own variant, expected only one of them"))
    if given["source"] is None:
        empty = empty_puzzle(SIZES[given["size"] or "9"], "diagonal" if given["diagonal"] else "classic")
        record, name = PuzzleRecord(puzzle=empty), _("empty board")
    else:
        record = first_puzzle(given["source"])
        name = puzzle_name(record, given["source"])
    if given["unit"]:
        unit_index(given["unit"], record.puzzle.geometry)
    if automata_questions.asks(given):
        output.use_ascii(bool(given["ascii"]))
        return automata_questions.answer(given, record)
    for option in ("layout", "encoding"):
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE:
            raise ParameterError(_("--{option}: expected --accepts, --word, --ask or --formula as well").format(
                option="format" if option == "layout" else option))
    refuse_without_terminal(_("`automata`"), _("try --ask or `sudoku-tui check` for an answer as text"))
    from tui.launch import run_app

    request = AutomataRequest(PuzzleRecord(puzzle=record.puzzle, name=name), unit=given["unit"])
    return run_app(AppRequest(request, ascii=given["ascii"], config=config_file.load()))
