"""The layout of the bench for every size of the terminal. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from textual.geometry import Region, Spacing

BenchPane = Literal["header", "verdict", "table", "legend", "left", "right", "selected", "footer"]
BenchMode = Literal["none", "table", "one", "two"]

SMALLEST = (44, 12)
SELECTED = 4
"""Rows of the pane with the facts of the selected row."""
MAP = 66
"""Columns of the left chart."""
HEAD = 3
"""Rows of the table beside its entries: headings, a blank one, legend."""


class BenchPlan(Struct, frozen=True):
    """The regions of the panes; with `two` charts side by side, `one`, or the `table` alone."""

    mode: BenchMode
    regions: Mapping[BenchPane, Region]


def plan(width: int, height: int, rows: int = 9) -> BenchPlan:
    """The layout for a table of `rows` rows: in large windows it grows with them, up to half of the spare height."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return BenchPlan("none", {})
    x = 1 if width < 120 else 2 if width < 200 else 3
    wide = width - 2 * x
    ends: dict[BenchPane, Region] = {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1)}
    if height >= 34 and width >= 110:
        top, tall = (6, 3) if height >= 54 and width >= 200 else (4, 1)
        verdict = Region(x, 2, wide, tall)
        spare = height - 36 - (top - 4)
        table = 11 + max(0, min(rows + HEAD - 11, spare // 2))
        charts = top + table + 1
        selected = height - 1 - SELECTED - (1 if height >= 36 else 0)
        left = max(MAP, (wide - 4) // 2) if width >= 140 else MAP
        regions: dict[BenchPane, Region] = {
            "verdict": verdict, **_table(Region(x, top, wide, table)),
            "left": Region(x, charts, left, selected - 1 - charts),
            "right": Region(x + left + 4, charts, wide - left - 4, selected - 1 - charts),
            "selected": Region(x, selected, wide, SELECTED),
        }
        return BenchPlan("two", ends | regions)
    if height >= 22 and width >= 70:
        selected = height - 1 - 3
        table = max(8, (selected - 4) // 2)
        charts = 3 + table + 1
        return BenchPlan("one", ends | {
            "verdict": Region(x, 1, wide, 2), **_table(Region(x, 3, wide, table)),
            "left": Region(x, charts, wide, selected - charts), "selected": Region(x, selected, wide, 3),
        })
    return BenchPlan("table", ends | {"verdict": Region(x, 1, wide, 2), **_table(Region(x, 3, wide, height - 4))})


def _table(room: Region) -> dict[BenchPane, Region]:
    """The table with a blank row and its legend below if it is high enough."""
    if room.height < HEAD + 3:
        return {"table": room}
    return {"table": room.shrink(Spacing(0, 0, 2, 0)), "legend": Region(room.x, room.bottom - 1, room.width, 1)}
