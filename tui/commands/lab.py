"""The laboratory: the default command. With --plain, the same run as lines of text."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from engine.errors import BadInput, ParameterError
from engine.files import access
from engine.puzzles.sources import is_experiment_file, is_run_file
from tui.commands import COMMANDS, LAB, options
from tui.commands.sources import (
    RECIPE_OPTIONS,
    first_of,
    puzzle_name,
    recipe_run,
    refuse_beside_recipe,
    refuse_clashes,
)
from tui.i18n import _
from tui.look import THEMES
from tui.output import say, use_ascii

if TYPE_CHECKING:
    from tui.config.settings import Config
    from tui.requests import NewRun


class LabCommand(click.Command):
    """A command whose help is that of the whole program."""

    def get_help(self, ctx: click.Context) -> str:
        return ctx.parent.get_help() if ctx.parent is not None else super().get_help(ctx)


@click.command(name="lab", cls=LabCommand, hidden=True)
@click.argument("puzzle", required=False, shell_complete=options.complete_source)
@options.recipe_options
@click.option("--speed", metavar="N", help=_("Steps per second, or max (default: the solver's own; --plain: max)."))
@click.option("--fps", type=options.Whole(1, 60), metavar="N",
              help=_("Frames per second while running, 1 to 60 (default: as many as the line carries)."))
@click.option("--theme", type=click.Choice(THEMES),
              help=_("Colours for a dark or a light background; high-contrast: text at least 7 to 1 "
                     "(default: dark, or as chosen last)."))
@click.option("--ascii/--unicode", default=None,
              help=_("Draw with ASCII characters only, or with all that the terminal can show."))
@click.option("--replay", metavar="FILE", help=_("Open a run file."))
@click.option("-c", "--continue", "go_on", is_flag=True, help=_("Resume the session that was left or interrupted."))
@click.option("--play", is_flag=True, help=_("Start playing at once."))
@click.option("--plain", is_flag=True, help=_("No screen: print each event as a line of text, as it happens."))
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> int:
    choosing = given["puzzle"] is None and not (given["plain"] or given["play"] or given["replay"] or given["go_on"])
    given["puzzle"] = given["puzzle"] or options.DEFAULT_PUZZLE
    _refuse_command_name(given["puzzle"])
    config = _configured(ctx, given)
    if given["replay"] is not None:
        _refuse_beside(ctx, "--replay", _("a run file has its own recipe"), "puzzle")
    elif is_run_file(given["puzzle"]):
        given["replay"] = given["puzzle"]
    _refuse_experiment(given["puzzle"])
    if given["go_on"]:
        _refuse_beside(ctx, "--continue", _("a session has its own recipe"), "puzzle", "replay", "plain",
                       *RECIPE_OPTIONS)
    if given["replay"] is not None:
        _refuse_beside(ctx, "--replay", _("a run file has its own recipe"), *RECIPE_OPTIONS)
    if given["plain"]:
        use_ascii(bool(given["ascii"]))
        return plain(given)
    refuse_without_terminal(_("the laboratory"),
                            _("try `sudoku-tui --plain` for text output, or `sudoku-tui trace`"))
    return screen(given, config, choosing)


def _configured(ctx: click.Context, given: dict[str, Any]) -> Config:
    """Read the configuration, and put its values into `given` where the command line has none."""
    from tui.config import config_file

    config = config_file.load()
    if given["plain"] and config.mistake:
        say(config.mistake)

    def is_default(name: str) -> bool:
        return ctx.get_parameter_source(name) is ParameterSource.DEFAULT

    if is_default("solver"):
        given["solver"] = config.settings.solver
        if is_default("preset"):
            given["preset"] = config.settings.preset or None
    for name in () if given["plain"] else ("fps",) if given["go_on"] else ("speed", "fps"):
        if is_default(name) and name in config.given:
            given[name] = getattr(config.settings, name) or None
    return config


def _refuse_command_name(puzzle: str) -> None:
    """Raise ParameterError for `--seed 3 solve x`: options of the laboratory cannot precede a command."""
    if puzzle in COMMANDS and not os.path.exists(puzzle) and puzzle != LAB:
        raise ParameterError(_("{name} is a command: write it first, as `sudoku-tui {name} ...`; a file of that name "
                               "is ./{name}").format(name=puzzle))


def _refuse_experiment(puzzle: str) -> None:
    """Raise ParameterError for the file of an experiment, which `bench` runs."""
    if is_experiment_file(puzzle):
        raise ParameterError(_("{name} is an experiment: expected `sudoku-tui bench {name} --screen`").format(
            name=shlex.quote(puzzle)))


def _refuse_beside(ctx: click.Context, option: str, why: str, *names: str) -> None:
    """Raise ParameterError for another argument that names a run."""
    for name in names:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            what = "PUZZLE" if name == "puzzle" else f"--{name}"
            raise ParameterError(_("{option} and {what}: {why}, expected only one of them")
                                 .format(option=option, what=what, why=why))


def refuse_without_terminal(what: str, instead: str) -> None:
    """Raise BadInput if no screen can be shown. `what` would be on it; `instead`: a clause on the way to do without."""
    from tui.terminal.capabilities import refusal

    why = refusal(os.environ)
    if why is not None:
        raise BadInput(_("{what} needs a terminal: {why}; {instead}").format(what=what, why=why, instead=instead))


def screen(given: dict[str, Any], config: Config, choosing: bool = False) -> int:
    """Show the laboratory or, if `choosing`, Home."""
    from tui.config.speed import parse_speed
    from tui.requests import AppRequest, HomeRequest, ResumeSession

    if given["speed"] is not None:
        parse_speed(given["speed"])
    source: NewRun | Path | ResumeSession | HomeRequest
    if given["go_on"]:
        source = ResumeSession()
    elif choosing:
        chosen = options.chosen(given)
        source = HomeRequest(None, chosen.solver.name, chosen.params, chosen.seed)
    elif given["replay"] is not None:
        from engine.run.run_file import read

        source = access.checked(given["replay"])
        if not source.exists() or source.is_file():  # a pipe can be read only once
            read(source)
    else:
        source = _new_run(given)
    from tui.launch import run_app

    return run_app(AppRequest(source, given["speed"], given["fps"], given["theme"], given["ascii"], given["play"],
                              config))


def _new_run(given: dict[str, Any]) -> NewRun:
    """The run of PUZZLE (which may be a recipe) and the options. Raises BadInput."""
    from tui.requests import NewRun

    line = recipe_run(given["puzzle"])
    if line is not None:
        refuse_beside_recipe(RECIPE_OPTIONS)
        recipe = line.recipe
        return NewRun(recipe.puzzle, line.puzzle_name, recipe.solver, line.chosen.params, recipe.seed,
                      recipe.interventions, line.step)
    chosen = options.chosen(given)
    record, several = first_of(given["puzzle"])
    refuse_clashes(record.puzzle)
    return NewRun(record.puzzle, puzzle_name(record, given["puzzle"]), chosen.solver.name, chosen.params, chosen.seed,
                  first_of=given["puzzle"] if several else "")


def plain(given: dict[str, Any]) -> int:
    """Print the run, or the run file, as `trace` does."""
    from engine.run.cursor import Cursor
    from engine.run.recipe import Recipe
    from tui.commands.batch import warm_up
    from tui.commands.trace import Layout, Window, stream
    from tui.config.speed import FLAT_OUT, parse_speed

    speed = FLAT_OUT if given["speed"] is None else parse_speed(given["speed"])
    window = Window()
    if given["replay"] is not None:
        from engine.run.run_file import begin, read

        file = read(given["replay"])
        run = begin(file)
        solver, recipe, window = run.solver, run.recipe, Window(last=file.steps)
        warm_up(solver, recipe.puzzle, run.params)
        cursor = Cursor(solver, run.state_at(0), run.params, recipe.interventions)
    else:
        from engine import registry
        from engine.params import to_dict

        new = _new_run(given)
        if new.first_of:
            say(_("{source} holds several puzzles: this is the first").format(source=new.first_of))
        solver = registry.solver(new.solver)
        params = solver.make_params(None, new.params if isinstance(new.params, Mapping) else to_dict(new.params))
        recipe = Recipe(new.puzzle, new.solver, to_dict(params), new.seed, new.interventions)
        warm_up(solver, new.puzzle, params)
        cursor = Cursor(solver, solver.init(new.puzzle, params, new.seed), params, new.interventions)
        cursor.arrive()
    stream(cursor, recipe, window, Layout(solver, recipe.puzzle), None if speed == FLAT_OUT else speed)
    return 0
