"""The heading of the timeline: what the marks below it mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.view import Channel
from tui.glyphs import Glyphs
from tui.i18n import _
from tui.theme import Role
from tui.widgets.pane import Pane
from tui.widgets.rows import Rows, Space, Span, rows, spread

BETWEEN = "  "


def legend(channels: Sequence[Channel], kinds: Collection[str], glyphs: Glyphs) -> tuple[Span, ...]:
    """The marks that this run can show; those of rare events once there was one."""
    roles = {channel.role: channel for channel in channels}
    entries: list[tuple[str, str, Role]] = []
    if "energy" in roles:
        entries.append(("*" if glyphs.ascii else "⣀", _(roles["energy"].label), "text"))
    if "best" in roles:
        entries.append((glyphs.horizontal, _(roles["best"].label), "data"))
    if "temperature" in roles:
        scale = _("{name}, log, right") if roles["temperature"].scale == "log" else _("{name}, right")
        entries.append((glyphs.empty, scale.format(name=_(roles["temperature"].label)), "muted"))
    if "best" in kinds:
        entries.append((glyphs.diamond, _("new best"), "data"))
    for kind, word in (("reheat", _("reheat")), ("restart", _("restart")), ("sweep", _("sweep"))):
        if kind in kinds:
            entries.append((glyphs.reheat, word, "text"))
    if "temperature" in roles:
        entries.append((glyphs.uphill, _("uphill"), "muted"))
    return _spans(entries, glyphs)


def _spans(entries: Sequence[tuple[str, str, Role]], glyphs: Glyphs) -> tuple[Span, ...]:
    spans: list[Span] = []
    for mark, word, role in entries:
        spans += [(BETWEEN, "blank")] if spans else []
        spans += [(mark, role), (f" {glyphs.text(word)}", "muted")]
    return tuple(spans)


class Heading(Pane):
    """The heading over the chart."""

    DEFAULT_CSS = "Heading { height: 1; }"

    def __init__(self, channels: Sequence[Channel] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.channels = tuple(channels)
        self._kinds: frozenset[str] = frozenset()

    def show(self, kinds: Collection[str]) -> None:
        """These kinds of rare events have happened."""
        self._kinds = frozenset(kinds)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        right = legend(self.channels, self._kinds, space.glyphs)
        return rows([spread([(_("Timeline"), "strong")], right, space.width)], space)
