"""The laboratory: what `sudoku-tui` does where no command is named. With --plain, the same run as lines of text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from engine.errors import BadInput, ParameterError
from tui.commands import options
from tui.commands.output import say
from tui.commands.sources import named, refuse_clashes, single
from tui.i18n import _

if TYPE_CHECKING:
    from tui.settings import Config


class LabCommand(click.Command):
    """Its help is that of the whole program."""

    def get_help(self, ctx: click.Context) -> str:
        return ctx.parent.get_help() if ctx.parent is not None else super().get_help(ctx)


@click.command(name="lab", cls=LabCommand, hidden=True)
@click.argument("puzzle", default=options.DEFAULT_PUZZLE, shell_complete=options.complete_source)
@options.recipe_options
@click.option("--speed", metavar="N", help=_("Steps a second, or max; without it 1000 (--plain: max)."))
@click.option("--fps", type=options.Whole(1, 60), metavar="N", help=_("Frames a second while running, 1 to 60."))
@click.option("--theme", type=click.Choice(["dark", "light", "high-contrast", "high-contrast-light"]),
              help=_("Colours for a dark or a light room."))
@click.option("--ascii/--unicode", default=None, help=_("Only ASCII characters, or all that the terminal can show."))
@click.option("--replay", metavar="FILE", help=_("Open a run file."))
@click.option("--play", is_flag=True, help=_("Begin to play at once."))
@click.option("--plain", is_flag=True, help=_("No screen: every event as a line of text, live."))
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> int:
    _refuse_command_name(given["puzzle"])
    config = _configured(ctx, given)
    if given["replay"] is not None:
        _refuse_beside_replay(ctx)
    if given["plain"]:
        return plain(given)
    refuse_without_terminal()
    return screen(given, config)


def _configured(ctx: click.Context, given: dict[str, Any]) -> Config:
    """The learner's configuration; what it says and the command line does not is put into `given`."""
    from tui import configfile

    config = configfile.load()
    if given["plain"] and config.mistake:
        say(config.mistake)

    def unasked(name: str) -> bool:
        return ctx.get_parameter_source(name) is ParameterSource.DEFAULT

    if unasked("solver"):
        given["solver"] = config.settings.solver
        if unasked("preset"):
            given["preset"] = config.settings.preset or None
    for name in () if given["plain"] else ("speed", "fps"):
        if unasked(name) and name in config.given:
            given[name] = getattr(config.settings, name) or None
    return config


def _refuse_command_name(puzzle: str) -> None:
    """`--seed 3 solve x` means the command; options of the laboratory do not come before it."""
    from tui.cli import COMMANDS

    if puzzle in COMMANDS and not os.path.exists(puzzle) and puzzle != "lab":
        raise ParameterError(_("{name} is a command: write it first, as `sudoku-tui {name} ...`; a file of that name "
                               "is ./{name}").format(name=puzzle))


def _refuse_beside_replay(ctx: click.Context) -> None:
    for name in ("puzzle", "solver", "preset", "param", "seed"):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            what = "PUZZLE" if name == "puzzle" else f"--{name}"
            raise ParameterError(_("--replay and {what}: a run file has its own recipe, expected only one of them")
                                 .format(what=what))


def refuse_without_terminal() -> None:
    """Raises BadInput where no screen can be shown."""
    from tui.terminal.capabilities import refusal

    why = refusal(os.environ)
    if why is not None:
        raise BadInput(_("the laboratory needs a terminal: {why}; try `sudoku-tui --plain` for the same as text, or "
                         "`sudoku-tui trace`").format(why=why))


def screen(given: dict[str, Any], config: Config) -> int:
    from tui.request import LabRequest, NewRun
    from tui.speed import parse_speed

    if given["speed"] is not None:
        parse_speed(given["speed"])
    source: NewRun | Path
    if given["replay"] is not None:
        from engine.runfile import read

        source = Path(given["replay"])
        if not source.exists() or source.is_file():  # what is a pipe can be read only once
            read(source)
    else:
        chosen = options.chosen(given)
        record = single(given["puzzle"])
        refuse_clashes(record.puzzle)
        source = NewRun(record.puzzle, named(record, given["puzzle"]), chosen.solver.name, chosen.params, chosen.seed)
    from tui.app import run_app

    return run_app(LabRequest(source, given["speed"], given["fps"], given["theme"], given["ascii"], given["play"],
                              config))


def plain(given: dict[str, Any]) -> int:
    """The run of the same recipe (or run file) as the text of `trace`."""
    from engine.cursor import Cursor
    from engine.recipe import Recipe
    from tui.commands.trace import Layout, Window, stream
    from tui.speed import FLAT_OUT, parse_speed

    speed = FLAT_OUT if given["speed"] is None else parse_speed(given["speed"])
    window = Window()
    if given["replay"] is not None:
        from engine.runfile import begin, read

        file = read(given["replay"])
        run = begin(file)
        solver, recipe, window = run.solver, run.recipe, Window(last=file.steps)
        cursor = Cursor(solver, run.state_at(0), run.params, recipe.interventions)
    else:
        from engine.params import to_dict

        chosen = options.chosen(given)
        puzzle = single(given["puzzle"]).puzzle
        refuse_clashes(puzzle)
        solver, recipe = chosen.solver, Recipe(puzzle, chosen.solver.name, to_dict(chosen.params), chosen.seed)
        cursor = Cursor(solver, solver.init(puzzle, chosen.params, chosen.seed), chosen.params)
    stream(cursor, recipe, window, Layout(solver, recipe.puzzle), None if speed == FLAT_OUT else speed)
    return 0
