"""`sudoku-tui config`: where the settings are, which there are, and whether those of the learner are right."""

from __future__ import annotations

from typing import Any

import click

from tui import output
from tui.i18n import _


@click.command(
    name="config", short_help=_("Where the settings are kept, and which there are."),
    help=_("""Print where the configuration file is looked for, and a template with every setting at its default.

The program reads that file and never writes it. Options of the command line count for more than the file."""),
    epilog=_("""\b
Examples:
  sudoku-tui config
  sudoku-tui config --template > ~/.config/sudoku-tui/config.toml
  sudoku-tui config --check"""))
@click.option("--check", is_flag=True, help=_("Say whether the file is right; exit code 2 if it is not."))
@click.option("--path", "only_path", is_flag=True, help=_("Print the path alone."))
@click.option("--template", "only_template", is_flag=True, help=_("Print the template alone."))
def command(**given: Any) -> int:
    from tui.config import config_file, paths

    path = paths.config_file()
    if given["check"]:
        config = config_file.read(path)
        if not path.exists():
            output.write_line(_("{path} is not there: every setting is at its default").format(path=path))
        else:
            output.write_line(_("{path} is right: {count} settings, {keys} keys").format(
                path=path, count=len(config.given), keys=len(config.keys)))
        return 0
    if not given["only_template"]:
        output.write_line(str(path) if given["only_path"] else f"# {path}")
    if not given["only_path"]:
        output.write(config_file.template())
    return 0
