"""The collector of garbage looks at everything that is in memory, again and again while the program loads, and finds
nothing: it waits until all is loaded, and never looks at that again."""

from __future__ import annotations

import gc


def hold() -> None:
    """Collect nothing for now."""
    gc.disable()


def release() -> None:
    """Collect again, but look only at what is made from now on."""
    gc.freeze()
    gc.enable()
