"""A plain pane for whatever a view brings along: the stack of a search, a population, a list."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from textual import events
from textual.message import Message

from engine.puzzle import SYMBOLS, cell_name
from engine.view import ListPanel, Pair, Panel, PopulationPanel, Sections, StackPanel, population_in
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets import panel_tables  # noqa: F401  (it registers the lines of its panels)
from tui.widgets.pane import HeadedPane
from tui.widgets.panel_base import Lines, grounded, nothing, panel_lines
from tui.widgets.panel_room import stacked
from tui.widgets.population import Arrangement, Choice, arrange, individual_at, population_rows
from tui.widgets.rows import Rows, Space, Span, columns, plain, row, rows
from tui.widgets.text import broken

OTHERS = 3
"""A population leaves one in so many lines to the sections below it."""
HANGING = 2
"""Columns by which the rest of a line that is too long stands further in."""
WIDE = 40
"""Columns from which on a choice of a search is told at length."""


@panel_lines.register
def _stack(panel: StackPanel, n: int, space: Space) -> Lines:
    """The deepest choice first: its depth, the cell, the value tried now between those tried and those left."""
    wide = space.width >= WIDE
    if not panel.frames:
        return nothing()
    lines: Lines = [[(f"{_('depth'):>7}  {_('cell'):<8}{_('value'):>5}  {_('choices')}", "muted")]] if wide else []
    for depth, (cell, value, tried, left) in reversed(list(enumerate(panel.frames, 1))):
        newest = depth == len(panel.frames)
        now, name = SYMBOLS[value] if value else space.glyphs.empty, cell_name(cell, n)
        head: Span = (f" {depth:>6}  {name:<8}{now:>3}    " if wide else f"{depth:>3}  {name:<7}", "text")
        choice: list[Span] = [*_choices(tried, "muted"), (f"[{now}]", "strong"), *_choices(left, "text", " ")]
        if wide and value and not tried and not left:
            choice.append(("   " + _("forced"), "muted"))
        spans = [head, *choice]
        if (cell, value) == space.picked:
            lines.append(grounded(space, spans, "selected"))
        else:
            lines.append(grounded(space, spans, "now") if newest else spans)
    return lines


def _choices(values: tuple[int, ...], role: Role, before: str = "") -> list[Span]:
    listed = " ".join(SYMBOLS[each] for each in values)
    return [(before + listed + ("" if before else " "), role)] if values else []


@panel_lines.register
def _population(panel: PopulationPanel, n: int, space: Space) -> Lines:
    """A population that stands among other panels."""
    return [list(line) for line in population_rows(panel, Choice(), n, space, heading=False)]


@panel_lines.register
def _list(panel: ListPanel, n: int, space: Space) -> Lines:
    """The newest first; what is too long goes on in the next line, a little further in."""
    lines: Lines = []
    for place, line in enumerate(panel.lines):
        first, *more = [line] if columns(line) <= space.width else broken(line, space.width - HANGING)
        lines += [[(" " * HANGING * bool(at) + text, "strong" if not place else "text")]
                  for at, text in enumerate([first, *more])]
    return lines or nothing()


def panel_rows(panel: Panel | None, n: int, space: Space, heading: bool = True) -> Rows:
    """The panel under its title, or the parts of one under theirs."""
    if panel is None:
        return rows((), space)
    several = isinstance(panel, Sections)
    parts = panel.parts if isinstance(panel, Sections) else (panel,)
    lines = stacked(parts, n, space, heading or several)
    return rows([row(_spelled(line, space.glyphs), space.width) for line in lines], space)


def above(population: PopulationPanel, panel: Panel | None, n: int, space: Space) -> tuple[Space, Rows]:
    """The room for a population, and the sections below it, which have a third of the lines at most."""
    others = tuple(part for part in panel.parts if part is not population) if isinstance(panel, Sections) else ()
    below = panel_rows(Sections("", others), n, replace(space, height=space.height // OTHERS)) if others else ()
    while below and not plain(below[-1:])[0].strip():
        below = below[:-1]
    if not below:
        return space, ()
    return replace(space, height=space.height - 1 - len(below)), (row((), space.width), *below)


def _spelled(line: Sequence[Span], glyphs: Glyphs) -> list[Span]:
    return [(glyphs.text(text), role) for text, role in line]


class PanelPane(HeadedPane):
    """Shows the panel of a view; of a population as the learner chose to see it."""

    class Picked(Message):
        """An individual was clicked."""

        def __init__(self, individual: int) -> None:
            super().__init__()
            self.individual = individual

    def __init__(self, n: int = 9, *, heading: bool = True, id: str | None = None) -> None:
        super().__init__(heading=heading, id=id)
        self._n = n
        self.panel: Panel | None = None
        self.picked: Pair | None = None
        """The choice that the learner has picked."""
        self.crowd = Choice()

    def show(self, panel: Panel | None, crowd: Choice | None = None) -> None:
        """Show this from now on, a population as it was chosen."""
        self.panel, self.crowd = panel, crowd or self.crowd
        self.repaint()

    def pick(self, choice: Pair | None) -> None:
        """Have this choice marked from now on."""
        if choice != self.picked:
            self.picked = choice
            self.repaint()

    def arrangement(self) -> Arrangement | None:
        """Where the individuals of a population stand."""
        population, space = population_in(self.panel), Space(*self.outer_size, self.glyphs)
        if population is None:
            return None
        room, _below = above(population, self.panel, self._n, space)
        return arrange(population, self.crowd.by_energy, room, self.heading)

    def draw(self, space: Space) -> Rows:
        population = population_in(self.panel)
        if population is None:
            return panel_rows(self.panel, self._n, replace(space, picked=self.picked), self.heading)
        room, below = above(population, self.panel, self._n, space)
        return (*population_rows(population, self.crowd, self._n, room, self.heading), *below)

    def on_click(self, event: events.Click) -> None:
        arrangement, population = self.arrangement(), population_in(self.panel)
        if arrangement is not None and population is not None:
            individual = individual_at(population, arrangement, event.x, event.y)
            if individual is not None:
                self.post_message(self.Picked(individual))
