"""The heading of the timeline: what the marks below it mean."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.text import count
from engine.view import Channel
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.playback.window import Window
from tui.widgets.lanes import MARKS, mark_of
from tui.widgets.pane import Pane
from tui.widgets.reading import Reading, spans
from tui.widgets.rows import Rows, Space, Span, rows, spread

BETWEEN = "  "


RIVAL = "rival"
"""Beside the kinds of events: another run is drawn too."""


def legend(channels: Sequence[Channel], kinds: Collection[str], glyphs: Glyphs,
           own: Mapping[str, str] = {}) -> tuple[Span, ...]:
    """The marks that this run can show; those of rare events once there was one, of `RIVAL` while there is one; `own`
    are the solver's own words for kinds."""
    roles = {channel.role: channel for channel in channels}
    entries: list[tuple[str, str, Role]] = []
    if "energy" in roles:
        entries.append(("*" if glyphs.ascii else "⣀", _(roles["energy"].label), "text"))
    if RIVAL in kinds:
        entries.append((glyphs.rival, _("the other branch"), "muted"))
    if "best" in roles:
        entries.append((glyphs.horizontal, _(roles["best"].label), "data"))
    if "worst" in roles:
        entries.append((glyphs.worst, _(roles["worst"].label), "muted"))
    if "temperature" in roles:
        scale = _("{name}, log, right") if roles["temperature"].scale == "log" else _("{name}, right")
        entries.append((glyphs.empty, scale.format(name=_(roles["temperature"].label)), "muted"))
    if "best" in kinds:
        entries.append((glyphs.diamond, _("new best"), "data"))
    words = {"hand": _("by hand"), "reheat": _("reheat"), "restart": _("restart"),
             "doubled": _("doubled"), "shifted": _("share shifted"), "sweep": _("sweep"),
             "cooled": _("cooled"), "generation": _("generation"), "contradiction": _("dead end"),
             "unsat": _("impossible"), "backjump": _("backjump"),
             "solved": _("solved"), "gave_up": _("gave up"), "no_solution": _("no solution"), "unknown": _("unknown")}
    entries += [(mark_of(kind, glyphs), _(own.get(kind) or word), MARKS[kind])
                for kind, word in words.items() if kind in kinds]
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

    def __init__(self, channels: Sequence[Channel] = (), words: Mapping[str, str] = {}, *,
                 id: str | None = None) -> None:
        """`words`: the solver's own for kinds of events."""
        super().__init__(id=id)
        self.channels, self._words = tuple(channels), words
        self._kinds: frozenset[str] = frozenset()
        self._window: Window | None = None
        self._reading: Reading | None = None

    def show(self, kinds: Collection[str], window: Window | None = None, reading: Reading | None = None) -> None:
        """These kinds of events are shown; the part of the run, where it is not all; what the mouse points at."""
        self._kinds, self._window, self._reading = frozenset(kinds), window, reading
        self.repaint()

    def draw(self, space: Space) -> Rows:
        right = legend(self.channels, self._kinds, space.glyphs, self._words)
        left: list[Span] = [(_("Timeline"), "strong"), *self._beside(space.glyphs)]
        return rows([spread(left, right, space.width)], space)

    def _beside(self, glyphs: Glyphs) -> tuple[Span, ...]:
        if self._reading is not None:
            return ((BETWEEN, "blank"), *spans(self._reading, glyphs))
        if self._window is None:
            return ()
        part = f"{BETWEEN}{count(self._window.low)} – {count(self._window.high)}"
        return ((glyphs.text(part), "muted"),)
