"""Views: plain values that any screen can draw without knowing the solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

Role = Literal["moved", "partner", "conflict", "core", "reach", "parent_a", "parent_b", "tabu"]
"""The meaning of a mark on a cell: moved at this step; affected by the move; in conflict; part of the core of a
contradiction; within reach of a move; from the first or second parent; tabu."""

PencilRole = Literal["struck", "support"]
"""The meaning of a mark on a candidate: removed at this step (it is still drawn); a reason of the step."""

Pair = tuple[int, int]
"""(cell, value)"""


class Line(Struct, frozen=True):
    """A line of pseudo-code. Events name it by its id; indentation is part of the text (two spaces a level)."""

    id: str
    text: str


class Channel(Struct, frozen=True):
    """A number that is charted against the step.

    `energy` is drawn as the main curve, `best` as its record, `worst` above it, `temperature` on a separate axis,
    `share` (0..1) and `depth` in the lane below the chart.
    """

    key: str
    label: str
    role: Literal["energy", "best", "worst", "temperature", "share", "depth"]
    scale: Literal["linear", "log"] = "linear"
    window: str = ""
    """Of what it is a share, as the end of a sentence, if not of the state: `of the last plateau`."""


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
    """The individuals of a population, in the order of their places, by their errors.

    Of a population larger than MOST_SHOWN one entry represents `each` neighbouring individuals and has the least
    errors among them; individual k is in the entry k // each.
    """

    title: str
    energies: tuple[int, ...]
    """One entry for each individual, or for each `each` of them."""
    size: int
    """Individuals."""
    counts: tuple[tuple[int, int], ...] = ()
    """(errors, number of individuals with them), fewest errors first."""
    each: int = 1
    current: int | None = None
    """The individual of this step, which is on the board."""
    parents: tuple[int, ...] = ()
    """The places of its parents, in their order."""
    replaced: int | None = None
    """The individual that was replaced."""
    kinds: str = ""
    """One letter for each entry, where there are several kinds of individuals; empty: they are all of one."""
    kind_names: Mapping[str, str] = field(default_factory=dict)
    """The meaning of each letter: {"w": "worker"}."""
    ages: tuple[int, ...] | None = None
    """For each entry its age: the refusals since it last improved. Individuals of the first kind have one."""
    patience: int = 0
    """The age up to which an individual is kept."""
    own: str = "mutated"
    """The origin of the cells that a child did not inherit, which are marked as moved."""
    current_energy: int | None = None
    """The errors of the individual of this step, which its entry may share with better ones."""
    room: int = 0
    """The most individuals that this population grows to before its next generation; 0: it does not grow."""
    word: str = "individual"
    """The noun for an individual of this population: `organism`, `particle`; its plural ends in s."""
    born: int = 0
    """Individuals at the last places that were born in this generation."""
    best: tuple[int, ...] = ()
    """The individual with the least errors of each entry, where an entry represents several; empty: not known."""

    @property
    def words(self) -> str:
        """The noun for several individuals."""
        return f"{self.word}s"

    def shown_in(self, entry: int) -> int:
        """The individual whose errors an entry has, or the first of those that it represents if that is not known."""
        return self.best[entry] if self.best else entry * self.each


MOST_SHOWN = 1024
"""Most entries of a population panel."""


class ListPanel(Struct, frozen=True):
    """Short lines of text (a queue, a log, findings)."""

    title: str
    lines: tuple[str, ...]
    about: str = ""
    """The meaning of the lines and their order, in one sentence or two."""


class TablePanel(Struct, frozen=True):
    """Rows of short texts under a head, the most important first (questions and answers, a formula, statistics)."""

    title: str
    head: tuple[str, ...]
    """One for each column; empty: there is no head."""
    rows: tuple[tuple[str, ...], ...]
    """As many texts each as there are columns."""
    now: int | None = None
    """The row of this step."""
    core: tuple[int, ...] = ()
    """Rows that are part of a contradiction."""
    core_means: str = "in the core"
    """The meaning of these rows, for the legend."""
    choices: tuple[Pair, ...] = ()
    """If the rows are open choices of a search: the cell and value of each row; -v: the choice excludes v."""
    about: str = ""
    """The meaning of the rows and of the columns that do not explain themselves, in one sentence or two."""
    whole: bool = False
    """True if its texts are useless when cut: those of the last column are broken into lines."""


class Block(Struct, frozen=True):
    """A named block of counts, `across` in a line."""

    label: str
    counts: tuple[int, ...]
    """-1: covered or settled."""
    across: int


class CountsPanel(Struct, frozen=True):
    """Many small counts, in blocks: the columns of an exact cover, by how many choices they have left."""

    title: str
    blocks: tuple[Block, ...]
    now: tuple[tuple[int, int], ...] = ()
    """(block, place) of the counts of this step."""


class AutomatonPanel(Struct, frozen=True):
    """A word read by an automaton: letters, reasons, and states."""

    title: str
    reads: tuple[str, ...]
    """`r1c5`, one for each letter of the word."""
    letters: tuple[str, ...]
    because: tuple[str, ...]
    states: tuple[str, ...]
    """One more than letters: the first is the state before the word."""
    accepted: bool | None
    """None while it is not known."""
    now: int | None = None
    """The letter of this step."""


Part = StackPanel | PopulationPanel | ListPanel | TablePanel | CountsPanel | AutomatonPanel


class Sections(Struct, frozen=True):
    """Several panels, one below the other; without room for all, long ones are cut, then the last ones dropped."""

    title: str
    parts: tuple[Part, ...]


Panel = Part | Sections


def population_in(panel: Panel | None) -> PopulationPanel | None:
    """The population that a panel shows, alone or in the first of its sections that is one; None if it shows none."""
    parts = panel.parts if isinstance(panel, Sections) else (panel,)
    return next((part for part in parts if isinstance(part, PopulationPanel)), None)


def with_population(panel: Panel | None, population: PopulationPanel) -> Panel | None:
    """The panel with this population in the place of the one that `population_in` finds."""
    found = population_in(panel)
    if found is None:
        return panel
    if isinstance(panel, Sections):
        return replace(panel, parts=tuple(population if part is found else part for part in panel.parts))
    return population if panel is found else panel


def stack_in(panel: Panel | None) -> StackPanel | None:
    """The stack that a panel shows, alone or in its sections; None if it shows none."""
    parts = panel.parts if isinstance(panel, Sections) else (panel,)
    return next((part for part in parts if isinstance(part, StackPanel)), None)


def choices_of(panel: Panel | None) -> tuple[Pair, ...]:
    """The open choices of a search that a panel lists, in its order. A value of 0: none is tried now;
    -v: v is excluded."""
    match panel:
        case Sections(parts=parts):
            return next((found for part in parts if (found := choices_of(part))), ())
        case StackPanel(frames=frames):
            return tuple((cell, value) for cell, value, _tried, _left in reversed(frames))
        case TablePanel(choices=choices):
            return choices
    return ()


class Related(Struct, frozen=True):
    """Another grid that this step used, to be put on the board in place of the view's own."""

    title: str
    """`its best (pBest)`"""
    grid: tuple[int, ...]
    energy: int
    marks: Mapping[Role, tuple[int, ...]] = field(default_factory=dict)


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
    heat: tuple[float, ...] | None = None
    """For every cell a number from 0 to 1, drawn as a bar beside it (certainty, for example); nan: none."""
    weights: tuple[float, ...] | None = None
    """For every candidate, at cell * n + value - 1, its strength, 0 to 1; None: all equal."""
    pencils: Mapping[PencilRole, tuple[Pair, ...]] = field(default_factory=dict)
    """Marks on single candidates."""
    units: tuple[int, ...] = ()
    """The units of this step, as indices into `puzzle.geometry.units`."""
    related: tuple[Related, ...] = ()
    """Other grids that belong to the individual on the board."""
    causes: tuple[str, ...] | None = None
    """For every candidate, at cell * n + value - 1, the reason for its removal in a word or two, or an empty text."""


class Sentence(Struct, frozen=True):
    """The sentence of an event: a template with named fields, so that the screen can translate it.

    `fields` are already formatted as text; all other words are in the template.
    """

    badge: str
    """At most 15 capitals: ACCEPTED UPHILL, REHEAT, DEAD END...; empty in a reason."""
    template: str
    fields: Mapping[str, str] = field(default_factory=dict)
    brief: str = ""
    """The template for a line that has no room for the whole: the numbers that decide, without what other panes and
    the reason show; empty: there is none."""

    @property
    def text(self) -> str:
        """The sentence in English, as plain text."""
        return self.template.format_map(self.fields)
