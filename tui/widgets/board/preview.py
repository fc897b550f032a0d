"""A dense preview of a puzzle whose board does not fit: cells of one or two columns, without labels."""

from __future__ import annotations

from engine.puzzle import SYMBOLS, Puzzle
from tui.i18n import _
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, row, rows

NOTE = 40
"""Columns of the line about hidden rows."""


def _cell(n: int, box: int, width: int) -> int:
    """Columns of a cell: two if they fit, else one."""
    return 2 if 2 * n - 1 + 2 * (box - 1) <= width else 1


def dense_size(box: int, width: int, height: int) -> tuple[int, int]:
    """Columns and rows of a preview in a space of this size."""
    n = box * box
    across = 2 * n - 1 + 2 * (box - 1) if _cell(n, box, width) == 2 else n + box - 1
    down = n + box - 1 if n + box - 1 <= height else n
    if down > height:
        across = max(across, NOTE)
    return min(across, width), min(down, height)


def dense_rows(puzzle: Puzzle, space: Space, key: str = "enter") -> Rows:
    """The preview, with rules between boxes if there is room. A last line counts hidden rows and names the key that
    opens the board."""
    n, box, glyphs = puzzle.n, puzzle.box, space.glyphs
    ruled = n + box - 1 <= space.height
    cell = _cell(n, box, space.width)
    lines: list[Row] = []
    for down in range(n):
        if ruled and down and down % box == 0:
            rule = glyphs.horizontal * (box * cell + (cell > 1))
            lines.append(row([((rule + glyphs.cross) * (box - 1) + rule[: box * cell], "rule")], space.width))
        lines.append(row(_line(puzzle, down, cell, space), space.width))
    if len(lines) > space.height:
        left = _("{ellipsis} {count} more rows: {key}, or taller window").format(
            ellipsis=glyphs.ellipsis, count=n - space.height + 1, key=key)
        lines = [*lines[: space.height - 1], row([(left, "muted")], space.width)]
    return rows(lines, space)


def _line(puzzle: Puzzle, down: int, cell: int, space: Space) -> list[Span]:
    n, box, glyphs = puzzle.n, puzzle.box, space.glyphs
    spans: list[Span] = []
    for across in range(n):
        if across and across % box == 0:
            spans.append((glyphs.vertical + " " * (cell - 1), "rule"))
        value = puzzle.givens[down * n + across]
        on_diagonal = puzzle.variant == "diagonal" and across in (down, n - 1 - down)
        mark = (glyphs.falling if across == down else glyphs.rising) if on_diagonal else glyphs.empty
        spans.append((SYMBOLS[value] if value else mark, "strong" if value else "muted" if on_diagonal else "rule"))
        spans.append((" " * (cell - 1), "blank"))
    return spans


class Preview(Pane):
    """The preview of a puzzle."""

    puzzle: Puzzle | None = None
    _key = ""

    def show(self, puzzle: Puzzle, key: str) -> None:
        """Show a puzzle; `key` opens it."""
        self.puzzle, self._key = puzzle, key
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows((), space) if self.puzzle is None else dense_rows(self.puzzle, space, self._key)
