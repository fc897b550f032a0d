"""What whoever makes a run is given to be watched by: a place to say how far it is, and whether to give up."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from engine.run import Run
from engine.view import Sentence


class Watch(Struct, frozen=True):
    """Somebody waits."""

    say: Callable[[Callable[[], Sentence]], None] = lambda notice: None
    """Takes what makes the sentence to show; it is asked only when it is time to show one."""
    cancelled: Callable[[], bool] = lambda: False


Opener = Callable[[Watch], tuple[Run, Sentence | None]]
"""Makes the run, which may take seconds (compiling, replaying), and may have something to say about it.
Raises BadInput."""
