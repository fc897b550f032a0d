"""Hold the garbage collector while the program loads, and exempt what was loaded from later collections."""

from __future__ import annotations

import gc


def hold() -> None:
    """Disable collections."""
    gc.disable()


def release() -> None:
    """Enable collections, of objects created from now on only."""
    gc.freeze()
    gc.enable()
