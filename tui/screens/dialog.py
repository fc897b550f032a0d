"""The base of what is asked over a screen."""

from __future__ import annotations

from textual.screen import ModalScreen, ScreenResultType

from tui.terminal.lean import Lean


class Dialog(Lean, ModalScreen[ScreenResultType]):
    """Something that is answered once: a second key may come before the screen is gone."""

    _told = False

    def leave(self, answer: ScreenResultType) -> None:
        """Go, with this answer."""
        if not self._told:
            self._told = True
            self.dismiss(answer)


class LastRow(Dialog[ScreenResultType]):
    """A question on the last row; the rest of the screen stays in view."""

    DEFAULT_CSS = """
    LastRow { background: transparent; align: left bottom; }
    LastRow Horizontal { height: 1; width: 100%; dock: bottom; background: $background; }
    LastRow Static { width: auto; padding: 0 1; text-style: bold; }
    """
