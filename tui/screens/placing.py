"""Panes go where the plan of their screen has them; where no plan fits the window, that is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from textual.geometry import Region, Size
from textual.widgets import Static

from tui.widgets.message import MessagePane
from tui.widgets.pane import Pane

Name = TypeVar("Name", bound=str)


def put_panes(panes: Mapping[Name, Pane], regions: Mapping[Name, Region], before: Mapping[Name, Region]) -> None:
    """Put every pane into its region, and show none that has no region. `before`: where they stand."""
    for name, pane in panes.items():
        region = regions.get(name)
        pane.display = region is not None
        if region is not None and before.get(name) != region:
            pane.styles.offset = region.offset
            pane.styles.width = region.width
            if not isinstance(pane, MessagePane):  # which is as high as what it says
                pane.styles.height = region.height


class TooSmall(Static):
    """Stands alone in a window that no plan fits."""

    def __init__(self, said: str, smallest: tuple[int, int]) -> None:
        """`said` speaks of {w} x {h}, the window, and {W} x {H}, the smallest that there is a plan for."""
        super().__init__("", id="too-small")
        self._said, self._smallest = said, smallest

    def tell(self, needed: bool, size: Size) -> None:
        """Show it in this window, if it is needed."""
        self.display = needed
        if needed:
            width, height = self._smallest
            self.update(self._said.format(w=size.width, h=size.height, W=width, H=height))
