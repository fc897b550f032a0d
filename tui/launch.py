"""Opens the screen. Textual is imported here only once the environment says the truth about the terminal."""

from __future__ import annotations

import os
import sys

from tui import garbage
from tui.requests import AppRequest
from tui.terminal import capabilities

SWITCH = 0.0005
"""Seconds after which the player's thread lets go of the interpreter when the screen wants it: keys come first."""


def run_app(request: AppRequest) -> int:
    """Show the laboratory until it is left; returns the exit code.

    Raises BadInput, before the screen is touched, for a run that does not exist, cannot be read or is out of bounds.
    """
    garbage.hold()
    sys.setswitchinterval(SWITCH)
    able = capabilities.detect()
    capabilities.prepare(able)
    from tui.app import SudokuApp
    from tui.config import settings
    from tui.output import say
    from tui.storage.sessions import Session, client
    from tui.terminal.pacing import CEILING, pacer_for

    pacer = pacer_for(os.environ, request.config.settings.pacing, max(CEILING, request.fps or 0))
    session = Session(client=client(os.environ))
    app = SudokuApp(request, able, kept=settings.load(), keep=settings.keep, pacer=pacer, session=session)
    app.run(mouse=capabilities.mouse(os.environ))
    session.close(quit=not app.code and app.defect is None)
    for said in app.farewells:
        say(said)
    if app.defect is not None:
        raise app.defect
    code = app.code or app.return_code or 0
    if app.is_busy:  # it compiles, and leaving in an orderly way would have to wait for that
        sys.stdout.flush()
        os._exit(code)
    return code
