"""The heat map: the share solved of every pair of values of two parameters, as a number on a ground. Pure."""

from __future__ import annotations

from engine.lab.tables import Cell, HeatMap
from engine.params import written
from engine.text import NONE
from tui.i18n import _
from tui.look.theme import HEATS, Role
from tui.widgets.rows import Row, Rows, Space, Span, columns, row, rows, spread

LABEL = 12
"""Columns of the values at the left, at most."""
CELL, LEAST = 7, 3
"""Columns of a cell, and where there is little room."""


def heat_of(share: float | None) -> Role:
    """The ground of a share."""
    return "muted" if share is None else HEATS[min(int(share * len(HEATS)), len(HEATS) - 1)]


def map_rows(found: HeatMap, space: Space, plain: bool = False) -> Rows:
    """Title, values of x, and a line for each value of y, with blank lines between where there is room. `plain`: there
    are no grounds, a bar beside the number tells it too."""
    glyphs = space.glyphs
    names = (glyphs.text(found.y), glyphs.text(found.x))
    left = min(max(len(written(each)) for each in found.ys), LABEL)
    left = max(left, min(columns(f"{names[0]} \\ {names[1]}"), LABEL))
    title = _("Solved %, {y} by {x}").format(y=names[0], x=names[1])
    drawn = [spread([(title, "strong")], [(glyphs.text(found.label), "muted")], space.width)]
    across = max((space.width - left - 1) // max(len(found.xs), 1), LEAST + 1)
    wide = min(across - 1, CELL)
    seen = min(len(found.xs), (space.width - left - 1) // (wide + 1))
    heads: list[Span] = [(_fit(f"{names[0]} \\ {names[1]}", left), "muted"), (" ", "blank")]
    heads += [(f"{_fit(written(each), wide):>{wide}} ", "muted") for each in found.xs[:seen]]
    drawn.append(row(heads, space.width))
    tall = 2 if space.height >= 2 + 2 * len(found.ys) - 1 else 1
    best = found.best
    for y, line in enumerate(found.cells):
        spans: list[Span] = [(f"{_fit(written(found.ys[y]), left):<{left}}", "muted"), (" ", "blank")]
        for x, cell in enumerate(line[:seen]):
            spans += [*_cell(cell, wide, (y, x) == best, plain, space), (" ", "blank")]
        drawn.append(row(spans, space.width))
        drawn += [row((), space.width)] * (tall - 1)
    hidden = len(found.xs) - seen, len(drawn) - tall + 1 - space.height
    if hidden[0] > 0 or hidden[1] > 0:
        drawn[space.height - 1:] = [_more(found, seen, space)]
    return rows(drawn, space)


def _more(found: HeatMap, seen: int, space: Space) -> Row:
    said = _("{ellipsis} {w} x {h} values: a larger window shows all").format(
        ellipsis=space.glyphs.ellipsis, w=len(found.xs), h=len(found.ys))
    return row(((space.glyphs.text(said), "muted"),), space.width)


def _fit(text: str, width: int) -> str:
    return text[:width]


def _cell(cell: Cell | None, width: int, best: bool, plain: bool, space: Space) -> list[Span]:
    """The percentage in the middle of its ground; the best in brackets on that of now."""
    share = None if cell is None else cell.rate.share
    number = NONE if share is None else f"{share * 100:.0f}"
    number = space.glyphs.text(number)
    if best:
        return [(f"{f'[{number}]' if width >= len(number) + 2 else number:^{width}}", "now")]
    if share is None:
        return [(f"{number:^{width}}", "muted")]
    if plain:
        heat = space.glyphs.heats[round(share * (len(space.glyphs.heats) - 1))]
        return [(f"{f'{number} {heat}' if width >= 5 else number:^{width}}", "text")]
    return [(f"{number:^{width}}", heat_of(share))]
