"""`sudoku-tui config`: path, template and check of the configuration file."""

from __future__ import annotations

from typing import Any

import click

from tui import output
from tui.i18n import _


@click.command(
    name="config", short_help=_("Print the path and a template of the settings."),
    help=_("""Print the path of the configuration file, and a template with all settings at their defaults.

The program reads the file and never writes it. Command-line options take precedence over it."""),
    epilog=_("""\b
Examples:
  sudoku-tui config
  mkdir -p "$(dirname "$(sudoku-tui config --path)")"
  sudoku-tui config --template > "$(sudoku-tui config --path)"
  sudoku-tui config --check"""))
@click.option("--check", is_flag=True, help=_("Check the file; exit code 2 if it is not valid."))
@click.option("--path", "only_path", is_flag=True, help=_("Print the path only."))
@click.option("--template", "only_template", is_flag=True, help=_("Print the template only."))
def command(**given: Any) -> int:
    from tui.config import config_file, paths

    path = paths.config_file()
    if given["check"]:
        config = config_file.read(path)
        if not path.exists():
            output.write_line(_("{path} does not exist: all settings have their defaults").format(path=path))
        else:
            settings, keys = len(config.given), len(config.keys)
            output.write_line(_("{path} is valid: {count} {settings}, {keys} {bindings}").format(
                path=path, count=settings, settings=_("setting") if settings == 1 else _("settings"), keys=keys,
                bindings=_("key") if keys == 1 else _("keys")))
        return 0
    if not given["only_template"]:
        output.write_line(str(path) if given["only_path"] else f"# {path}")
    if not given["only_path"]:
        output.write(config_file.template())
    return 0
