"""Opening an experiment, while the screen that asks for it goes on."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from engine.errors import BadInput
from engine.lab.experiment_file import load
from tui import messages
from tui.i18n import _
from tui.requests import BenchWish
from tui.screens.base import Keyed
from tui.screens.navigation import desk


def load_and_open(screen: Keyed, name: str) -> None:
    """Open an experiment once it is worked out, in a thread: some make hundreds of puzzles."""
    def work() -> None:
        try:
            parts = load(name)
        except BadInput as error:
            then(partial(screen.told, messages.refused(error)))
        else:
            wish = BenchWish(name, parts)
            then(lambda: screen.attempt(lambda: desk(screen).open_bench(wish)))

    def then(what: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the program has ended meanwhile
            screen.app.call_from_thread(what)

    screen.told(messages.told(_("OPENING"), _("the experiment {name} is worked out"), name=Path(name).stem))
    threading.Thread(target=work, name="experiment", daemon=True).start()
