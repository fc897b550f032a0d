"""The chance bar: the acceptance probability p as a block from 0 to 1, the random draw u as an arrow above it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine import text
from tui.i18n import _
from tui.widgets.pane import HeadedPane
from tui.widgets.rows import Row, Rows, Space, Span, bar, row, rows, spread


class Chance(Struct, frozen=True):
    """An acceptance test: u in [0, 1) against p in [0, 1]. u is None if nothing was drawn."""

    p: float
    u: float | None = None
    delta: int | None = None
    """ΔE of the move."""
    temperature: float | None = None
    """The T that p was computed with, where another one is in force since the same step."""


def arrow(u: float, width: int) -> int:
    """The column of the arrow of u."""
    return min(width - 1, int(max(0.0, u) * width))


def chance_lines(chance: Chance | None, space: Space) -> tuple[Row, Row, Row]:
    """The arrow with u, the bar, p."""
    width, glyphs = space.width, space.glyphs
    track: Span = (glyphs.horizontal * width, "rule")
    if chance is None:
        return row((), width), row((track,), width), spread((("0", "muted"),), (("1", "muted"),), width)
    if chance.u is None:
        return _undrawn(chance, space)
    relation, p, u = text.chance(chance.p, chance.u)
    below = spread(((glyphs.text(f"p {relation} {p}{_earlier(chance)}"), "ink"),), (("1", "muted"),), width)
    return _draw_row(chance.u, u, space), row(((bar(chance.p, width, glyphs), "ink"), track), width), below


def _earlier(chance: Chance) -> str:
    """The T of the test, if it is not the one in force."""
    return "" if chance.temperature is None else _(" at T = {T}").format(T=text.significant(chance.temperature))


def _undrawn(chance: Chance, space: Space) -> tuple[Row, Row, Row]:
    """The lines without a random draw: a full or an empty track, nothing highlighted."""
    width, glyphs = space.width, space.glyphs
    filled = round(chance.p * width)
    track: Row = ((glyphs.filled * filled, "text"), (glyphs.horizontal * (width - filled), "rule"))
    above = row(((glyphs.text(f"  u = {text.NONE}"), "muted"),), width)
    p: Span = (f"p = {chance.p:.3g}{_earlier(chance)}", "text")
    return above, row(track, width), spread((p,), (("1", "muted"),), width)


def _draw_row(u: float, shown: str, space: Space) -> Row:
    label = space.glyphs.text(f"u = {shown}")
    at = arrow(u, space.width)
    tip: Span = (space.glyphs.down, "strong")
    if at + 2 + len(label) <= space.width:
        return row(((" " * at, "blank"), tip, (f" {label}", "strong")), space.width)
    return row(((" " * (at - 1 - len(label)), "blank"), (f"{label} ", "strong"), tip), space.width)


def verdict_words(chance: Chance) -> str:
    """The result of the test as a sentence."""
    worse = chance.delta is None or chance.delta > 0
    if chance.u is None:
        if not chance.p:
            return _("at T = 0 nothing worse is kept") if worse else _("only improvements are kept")
        return _("nothing drawn: not worse, so it is kept") if not worse else _("nothing drawn: it is kept")
    if chance.u < chance.p:
        return _("u falls inside p, so the worse grid is kept") if worse else _("u falls inside p, so it is kept")
    return _("u falls outside p, so the grid stays")


def chance_rows(chance: Chance | None, space: Space, heading: bool = True) -> Rows:
    """The bar in 3 rows, with its heading 4, and if there is room a blank row and the result as a sentence."""
    head: list[Sequence[Span]] = [((_("Chance"), "strong"),)] if heading else []
    lines = [*head, *chance_lines(chance, space)]
    if chance is not None and len(lines) + 2 <= space.height:
        before, comma, after = verdict_words(chance).partition(", ")
        wide = len(before + comma + after) <= space.width
        said = (before + comma + after,) if wide else (before, after) if len(lines) + 3 <= space.height else (
            after.removeprefix("so "),)
        lines += [(), *(((space.glyphs.text(each), "muted"),) for each in said)]
    return rows(lines, space)


class ChanceBar(HeadedPane):
    """The acceptance test of a step."""

    DEFAULT_CSS = "ChanceBar { height: 4; }"
    chance: Chance | None = None

    def show(self, chance: Chance | None) -> None:
        """Show a test; None: the step has none."""
        self.chance = chance
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return chance_rows(self.chance, space, self.heading)
