"""What a solver shows: plain values that any screen can draw without knowing the solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

Role = Literal["moved", "partner", "conflict", "core", "reach", "parent_a", "parent_b", "tabu"]
"""What a mark on a cell says: moved at this step; affected by the move; in conflict; part of a contradiction's core;
within reach of a move; from the first or second parent; tabu."""


class Line(Struct, frozen=True):
    """A line of pseudo-code. Events name it by its id; indentation is part of the text (two spaces a level)."""

    id: str
    text: str


class Channel(Struct, frozen=True):
    """A number that is charted against the step.

    `energy` is drawn as the main curve, `best` as its record, `temperature` on an axis of its own, `share` (0..1)
    and `depth` in the lane below the chart.
    """

    key: str
    label: str
    role: Literal["energy", "best", "temperature", "share", "depth"]
    scale: Literal["linear", "log"] = "linear"


class Gauge(Struct, frozen=True):
    """A named number with an optional bar: `share` is how much of the bar is filled, 0..1."""

    label: str
    text: str
    share: float | None = None
    role: Literal["plain", "knob", "best"] = "plain"


class StackPanel(Struct, frozen=True):
    """The open choices of a search, deepest last."""

    title: str
    frames: tuple[tuple[int, int, tuple[int, ...], tuple[int, ...]], ...]
    """(cell, value tried now or 0 between two, values tried before, values left)."""


class PopulationPanel(Struct, frozen=True):
    """The individuals of a population, in their order, by their errors."""

    title: str
    energies: tuple[int, ...]
    current: int | None = None
    parents: tuple[int, ...] = ()


class ListPanel(Struct, frozen=True):
    """Short lines of text, the newest first (a tabu list, transitions, findings)."""

    title: str
    lines: tuple[str, ...]


Panel = StackPanel | PopulationPanel | ListPanel


class View(Struct, frozen=True):
    """One moment of a run, ready to be drawn."""

    grid: tuple[int, ...]
    """n*n values, 0 = empty."""
    marks: Mapping[Role, tuple[int, ...]] = field(default_factory=dict)
    candidates: tuple[int, ...] | None = None
    """For every cell the candidates as a bit mask (bit v - 1 for value v); None where the solver keeps none."""
    gauges: tuple[Gauge, ...] = ()
    live: Mapping[str, str] = field(default_factory=dict)
    """Current values beside pseudo-code lines, by line id."""
    panel: Panel | None = None


class Sentence(Struct, frozen=True):
    """What an event says: a template with named fields, so that it can be translated where it is shown.

    `fields` are already written as text; the words around them stand in the template.
    """

    badge: str
    """At most 15 capitals: ACCEPTED UPHILL, REHEAT, DEAD END..."""
    template: str
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in English, as plain text."""
        return self.template.format_map(self.fields)
