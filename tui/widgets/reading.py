"""What the charts say at one column, as text: for the mouse, which points at it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from engine import text
from engine.view import Channel
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.playback.snapshot import History
from tui.timeline import Axis
from tui.widgets.lanes import LABEL
from tui.widgets.rows import Span

BETWEEN = "  "


class Reading(Struct, frozen=True):
    """The values of a run after one of its steps."""

    step: int
    values: tuple[tuple[str, str], ...]
    """(label, text) by channel."""


def reading(history: History, channels: Sequence[Channel], axis: Axis, column: int) -> Reading | None:
    """What is drawn in a column: the last sample in it or, where there is none, the last one before it. None where
    nothing is recorded."""
    if not len(history.steps):
        return None
    places = axis.columns(history.steps)
    if column > places[-1]:
        return None
    sample = int(np.searchsorted(places, column, "right")) - 1
    if sample < 0:
        return None
    values = [(_(channel.label)[:LABEL] if channel.role == "share" else _(channel.label), _text(channel, value))
              for channel, value in zip(channels, history.values[sample].tolist(), strict=True)]
    return Reading(int(history.steps[sample]), tuple(values))


def _text(channel: Channel, value: float) -> str:
    if channel.role == "share":
        return text.share(value)
    if channel.role == "temperature":
        return text.significant(value)
    return f"{value:.0f}" if math.isfinite(value) else text.NONE


def spans(read: Reading, glyphs: Glyphs) -> tuple[Span, ...]:
    """`410 496  E 8  best 4  T 0.545  acc 6.1 %`."""
    found: list[Span] = [(text.count(read.step), "text")]
    for label, value in read.values:
        found += [(f"{BETWEEN}{glyphs.text(label)} ", "muted"), (glyphs.text(value), "text")]
    return tuple(found)
