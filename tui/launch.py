"""Run the app. Textual is imported here, after the environment has been prepared for this terminal."""

from __future__ import annotations

import gc
import os
import sys

from engine.compiled import memory
from tui.requests import AppRequest
from tui.terminal import capabilities

SWITCH_INTERVAL = 0.0005
"""Seconds after which the player's thread yields the interpreter to the screen, so that keys are handled first."""


def run_app(request: AppRequest) -> int:
    """Run the app until the user leaves it; returns the exit code.

    Raises BadInput, before the screen is touched, if the request is for something that does not exist, cannot be read
    or is out of bounds, and NotEnoughMemory if the address space is limited to less than a screen takes.
    """
    memory.require(memory.SCREEN, "the screen")
    gc.disable()  # the app enables it when everything is loaded: see `SudokuApp.enable_garbage_collection`
    sys.setswitchinterval(SWITCH_INTERVAL)
    able = capabilities.detect()
    capabilities.prepare(able)
    from tui.app import SudokuApp
    from tui.config import settings
    from tui.output import say
    from tui.storage.sessions import Session, client
    from tui.terminal.pacing import CEILING, pacer_for

    pacer = pacer_for(os.environ, request.config.settings.pacing, max(CEILING, request.fps or 0))
    session = Session(client=client(os.environ))
    app = SudokuApp(request, able, remembered=settings.load_appearance(), remember=settings.save_appearance,
                    pacer=pacer, session=session)
    app.run(mouse=capabilities.mouse(os.environ))
    session.close(quit=not app.code and app.defect is None)
    for message in app.farewells:
        say(message)
    if app.defect is not None:
        raise app.defect
    code = app.code or app.return_code or 0
    if app.is_busy:  # a thread compiles, and an orderly exit would wait for it
        sys.stdout.flush()
        os._exit(code)
    return code
