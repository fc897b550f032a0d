"""The scrubber: what has been played, the playhead, what is recorded ahead of it, and what is not recorded yet."""

from __future__ import annotations

from tui.widgets.rows import Row, Rows, Space, rows
from tui.widgets.timepane import Cell, Frame, TimePane, labelled


def scrubber_row(frame: Frame, space: Space) -> Row:
    axis, glyphs = frame.axis(space.width), space.glyphs
    playhead, recorded = axis.column(frame.playhead), axis.column(frame.recorded)
    cells: list[Cell] = [
        (glyphs.filled, "text") if x < playhead else (glyphs.horizontal, "future") if x <= recorded
        else (glyphs.empty, "rule")
        for x in range(axis.width)
    ]
    cells[playhead] = glyphs.playhead, "ink"
    return labelled("", cells, "", space.width)


class Scrubber(TimePane):
    """Click or drag it to go to a step."""

    DEFAULT_CSS = "Scrubber { height: 1; }"

    def show(self, frame: Frame) -> None:
        """Show the playhead there."""
        self.frame = frame
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows([scrubber_row(self.frame, space)], space)
