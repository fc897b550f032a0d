"""`sudoku-tui serve`: the program in a browser."""

from __future__ import annotations

import os
import secrets
import sys
from typing import TYPE_CHECKING

import click

from engine.errors import BadInput, UnknownName
from engine.files import access
from tui import output
from tui.commands import options
from tui.i18n import _
from tui.kiosk import enter

if TYPE_CHECKING:
    from tui.web.server import Server

PORT = 8000
TABS = 10
TOKEN_BYTES = 24


@click.command(
    name="serve", short_help=_("Show the program in a browser."),
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    help=_("""Run the program in a browser. Each tab is a separate process, which ends when the tab is closed.
ARGUMENTS are those of the program, as in `serve hard:1 --play`.

The printed address has a token: anyone who knows it has access to your files. Without --host only this machine can
connect. A --kiosk has no token. Needs the extra web: pip install 'sudoku-tui[web]'.

ctrl-C ends it."""),
    epilog=_("""\b
Examples:
  sudoku-tui serve
  sudoku-tui serve --port 8080 hard:1 --solver z3
  sudoku-tui serve --host 0.0.0.0 --kiosk /srv/sudoku"""))
@click.option("--host", default="localhost", show_default=True, metavar="NAME",
              help=_("Address to listen at, for all who can reach it."))
@click.option("--port", type=options.Whole(0, 65535), default=PORT, show_default=True, metavar="N",
              help=_("Port to listen at; 0: any free one."))
@click.option("--kiosk", "directory", metavar="DIR", help=_("Run each tab as a kiosk with the files of DIR only."))
@click.option("--tabs", type=options.Whole(1, 1000), default=TABS, show_default=True, metavar="N",
              help=_("Tabs that can be open at the same time; each needs about 200 MB."))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(host: str, port: int, directory: str | None, tabs: int, arguments: tuple[str, ...]) -> int:
    if access.kiosk() is not None:
        raise UnknownName(_("serve: this is a kiosk, which starts no other program: expected `serve --kiosk "
                            "{directory}` outside of it").format(directory=access.kiosk()))
    if directory is not None and not os.path.isdir(directory):
        raise BadInput(_("--kiosk {directory}: expected an existing directory").format(directory=directory))
    token = secrets.token_urlsafe(TOKEN_BYTES) if directory is None else ""
    server = _server(host, port, directory, arguments, tabs, token)
    import asyncio

    def ready(at: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{at}/" + (f"?token={token}" if token else "")
        output.write_line(_("open {address} in a browser; ctrl-C ends it").format(address=address))
        output.flush()

    asyncio.run(server.serve(ready))
    return 0


def _server(host: str, port: int, directory: str | None, arguments: tuple[str, ...], tabs: int, token: str) -> Server:
    try:
        import textual_serve  # noqa: F401
    except ImportError:
        raise BadInput(_("serve needs the package textual-serve: pip install 'sudoku-tui[web]'")) from None
    from tui.web.server import LOOPBACK, Server

    if host not in LOOPBACK and directory is None:
        output.say(_("the connection to {host} is not encrypted: who reads it learns the token and has access to your "
                     "files").format(host=host))
    also = {} if directory is None else {enter.VARIABLE: os.path.abspath(directory)}
    return Server((sys.executable, "-P", "-m", "tui", *arguments), host, port, also, most_tabs=tabs,
                  token=token)
