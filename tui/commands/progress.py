"""`sudoku-tui progress`: right answers in hands on, by solver and kind of question."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from engine.errors import BadInput, ParameterError
from tui import output
from tui.commands import options
from tui.commands.listing import table
from tui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.teaching.progress import Progress, Score
    from tui.storage.progress import ProgressStore

ALL = ""
"""The value of --reset without a solver."""


@click.command(
    name="progress", short_help=_("Show your right answers in hands on."),
    help=_("""Show how many questions of hands on you were asked, by solver and kind of question, and how many you
answered right at the first try. A skipped question is not counted.

The score is the best series: the most right answers among ten questions in a row. It never falls."""),
    epilog=_("""\b
Examples:
  sudoku-tui progress
  sudoku-tui progress --format jsonl
  sudoku-tui progress --reset anneal
  sudoku-tui progress --reset --yes"""))
@click.option("--format", "layout", type=click.Choice(["text", "json", "jsonl"]), default="text", show_default=True,
              help=_("Text, one JSON array, or one JSON object per line."))
@click.option("--reset", metavar="[SOLVER]", is_flag=False, flag_value=ALL, shell_complete=options.complete_solver,
              help=_("Delete the progress in SOLVER, or all of it, after a question."))
@click.option("--yes", is_flag=True, help=_("Delete without a question."))
def command(layout: str, reset: str | None, yes: bool) -> int:
    from tui import messages
    from tui.storage.progress import ProgressStore, learner

    if yes and reset is None:
        raise ParameterError(_("--yes answers the question of --reset: expected both"))
    store = ProgressStore(learner(os.environ))
    saved = store.read()
    if reset is not None:
        return _reset(store, saved.progress, reset, yes)
    if saved.damaged:
        output.say(messages.one_sentence(messages.progress_damaged(saved.damaged, str(store.path))))
    WRITERS[layout](saved.progress)
    return 0


def _reset(store: ProgressStore, progress: Progress, solver: str, yes: bool) -> int:
    """Delete progress, if the user agrees; returns the exit code."""
    from engine.text import count

    solvers = list(dict.fromkeys(name for name, _kind in sorted(progress)))
    if solver != ALL and solver not in solvers:
        raise BadInput(_("--reset {solver}: there is no progress in it").format(solver=solver) + (
            _(", expected one of {solvers}").format(solvers=", ".join(solvers)) if solvers else ""))
    asked = sum(score.asked for (name, _kind), score in progress.items() if solver in (ALL, name))
    what = _("all progress") if solver == ALL else _("the progress in {solver}").format(solver=solver)
    if not yes:
        if not _is_terminal():
            template = _("--reset deletes {what}, 1 question: expected --yes") if asked == 1 else (
                _("--reset deletes {what}, {asked} questions: expected --yes"))
            raise BadInput(template.format(what=what, asked=count(asked)))
        template = _("Delete {what}, 1 question?") if asked == 1 else _("Delete {what}, {asked} questions?")
        question = template.format(what=what, asked=count(asked))
        if not click.confirm(question, err=True):
            return 1
    store.reset(solver)
    return 0


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ordered(progress: Progress) -> Iterator[tuple[str, str, Score]]:
    for (solver, kind), score in sorted(progress.items()):
        yield solver, kind, score


def write_text(progress: Progress) -> None:
    from engine.teaching.progress import SERIES
    from engine.text import count, share

    if not progress:
        output.write_line(_("no questions answered yet: begin with `sudoku-tui hands-on easy:1`, or with H in the "
                            "laboratory"))
        return
    numbers = [(solver, kind, count(score.asked), count(score.right), share(score.share), str(score.best),
                score.last.isoformat()) for solver, kind, score in _ordered(progress)]
    head = (_("solver"), _("question"), _("asked"), _("right"), _("share"), _("best"), _("last"))
    widths = [max(len(line[column]) for line in (head, *numbers)) for column in range(len(head))]
    table(head[:2] + tuple(text.rjust(width) for text, width in zip(head[2:], widths[2:], strict=True)), (
        line[:2] + tuple(text.rjust(width) for text, width in zip(line[2:], widths[2:], strict=True))
        for line in numbers))
    output.write_line()
    output.write_line(_("right: at the first try; best: most right of {series} in a row, never falls").format(
        series=SERIES))


def _fields(solver: str, kind: str, score: Score) -> dict[str, Any]:
    return {"solver": solver, "kind": kind, "asked": score.asked, "right": score.right,
            "share": round(score.share, 4), "best": score.best, "last": score.last.isoformat()}


def write_json(progress: Progress) -> None:
    output.write_json([_fields(*each) for each in _ordered(progress)])


def write_jsonl(progress: Progress) -> None:
    for each in _ordered(progress):
        output.write_json(_fields(*each))


WRITERS = {"text": write_text, "json": write_json, "jsonl": write_jsonl}
