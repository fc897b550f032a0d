"""`sudoku-tui completion`: the completion script of a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from engine.errors import UnknownName
from engine.files import access
from tui import PROGRAM, output
from tui.commands import COMPLETE
from tui.i18n import _

SHELLS = ("bash", "zsh", "fish")


@click.command(
    name="completion", short_help=_("The completion script for bash, zsh or fish."),
    help=_("""Print the script that completes commands, options, solvers, presets, parameters and packs in SHELL."""),
    epilog=_("""\b
Put one of these lines into the start-up file of your shell:
  eval "$(sudoku-tui completion bash)"          ~/.bashrc
  eval "$(sudoku-tui completion zsh)"           ~/.zshrc
  sudoku-tui completion fish | source           ~/.config/fish/config.fish"""))
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    if access.kiosk() is not None:
        raise UnknownName(_("completion: this is a kiosk, without a shell to complete lines in"))
    kind = get_completion_class(shell)
    if kind is None:
        raise UnknownName(_("no completion for {shell}: expected one of {shells}").format(
            shell=shell, shells=", ".join(SHELLS)))
    output.write_line(kind(click.Command(PROGRAM), {}, PROGRAM, COMPLETE).source())
