"""Browsing the individuals of a population: pick one, open it on the board, follow its parents, sort."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engine.view import PopulationPanel, Related, Sentence, View, population_in
from tui import messages
from tui.i18n import _
from tui.keys.keymap import KeyTable
from tui.playback import commands
from tui.playback.snapshot import Snapshot
from tui.screens.run.layout import POPULATION_TAB, Mode
from tui.screens.run.presenter import NO_RUN
from tui.widgets.panels.panel import PanelPane
from tui.widgets.panels.population import LETTERS, Selection, moved

Stop = tuple[int, bool]
"""A stop of the tab key: a tab, and whether the cell cursor keys move among the individuals."""

_CYCLES: dict[Mode, tuple[Stop, ...]] = {
    "tabs": ((1, False), (2, False), (3, False), (POPULATION_TAB, False), (POPULATION_TAB, True)),
    "panes": ((POPULATION_TAB, False), (POPULATION_TAB, True), (1, False)),
}


def next_stop(mode: Mode, stop: Stop, direction: int) -> Stop:
    """The stop of the tab key after this one, on a screen with a population."""
    stops = _CYCLES.get(mode, _CYCLES["panes"][:2])
    place = stops.index(stop) if stop in stops else stops.index((POPULATION_TAB, False)) - direction
    return stops[(place + direction) % len(stops)]


class PopulationBrowser:
    """The user's selection in a population, and the actions on it.

    While `focused`, the keys of the cell cursor move among the individuals. An individual can be opened: the board
    then shows it in place of the one that the step is about.
    """

    def __init__(self, panel: PanelPane, snapshot: Snapshot, send: Callable[[commands.Command], object],
                 announce: Callable[[Sentence], object], changed: Callable[[], object],
                 has_tabs: Callable[[], bool]) -> None:
        """`changed` is called when the panel and the footer must be redrawn; `has_tabs` is whether a tab shows the
        panel."""
        self.snapshot = snapshot
        self.wants_focus = False
        self._panel, self._send, self._announce, self._changed = panel, send, announce, changed
        self._has_tabs = has_tabs
        self._selection = Selection()
        self._related: tuple[int, int | None, int] | None = None
        """(step, individual, place in `View.related`) of the grid on the board."""
        self._family: tuple[int, ...] = ()
        """An individual and its parents, through which `next_parent` cycles."""
        self._family_of: tuple[int, bool] | None = None
        """The step of that family, and whether its first member had been opened by hand; None: no family is known."""

    @property
    def population(self) -> PopulationPanel | None:
        """The population on the screen, if the solver has one."""
        return population_in(self.snapshot.view.panel) if self.snapshot.individuals else None

    @property
    def focused(self) -> bool:
        """The keys of the cell cursor move among the individuals, which are visible."""
        return self.wants_focus and self.population is not None and self._panel.display

    @property
    def picked(self) -> int | None:
        return self._selection.picked

    @property
    def related(self) -> Related | None:
        """The grid that the board shows in place of that of the individual."""
        view = self.snapshot.view
        if self._related is None or self._related[:2] != (self.snapshot.playhead, self._on_board):
            return None
        return view.related[self._related[2]] if self._related[2] < len(view.related) else None

    @property
    def other_grid(self) -> str:
        """The name and the E of the grid on the board, if it is not that of an individual: of `related`, or of the
        best grid that a run returns at its end; else empty."""
        related, outcome = self.related, self.snapshot.outcome
        if related is not None:
            return f"{related.title.partition(',')[0]}   E = {related.energy}"
        if self.snapshot.returns and outcome is not None and self.population is not None and self._on_board is None:
            return _("best grid") + f"   E = {outcome.energy}"
        return ""

    @property
    def view(self) -> View:
        """The view on the board."""
        view, related = self.snapshot.view, self.related
        return view if related is None else replace(view, grid=related.grid, marks=related.marks)

    @property
    def _on_board(self) -> int | None:
        return None if self.population is None else self.population.current

    @property
    def _follows_parents(self) -> bool:
        return self._family_of is not None and self._family_of[0] == self.snapshot.playhead

    @property
    def parent_shown(self) -> tuple[str, int] | None:
        """(letter, child) if the board shows a parent that `next_parent` led to."""
        panel = self.population
        if panel is None or not self._follows_parents:
            return None
        place = self._family.index(panel.current) if panel.current in self._family else 0
        return (LETTERS[place - 1], self._family[0]) if place else None

    def selection(self, sort_key: str) -> Selection:
        """The selection that the panel marks; `sort_key` is the key that sorts, for its heading."""
        opened = self.snapshot.opened is not None
        picked = self.picked if self.focused or opened else None
        other_grid = "" if picked is not None and self.related is None else self.other_grid
        return replace(self._selection, picked=picked, opened=opened, sort_key=sort_key, other_grid=other_grid)

    def conditions(self) -> dict[str, bool]:
        """For the footer: the population is `visible`, or `hidden` behind another of the `tabs`; `individuals` while
        focused, `opened` if the selected one is; `related`: other grids belong to the individual; `parents` while
        following them."""
        has_one, visible, tabs = self.population is not None, bool(self._panel.display), self._has_tabs()
        opened = self.snapshot.opened is not None and self.snapshot.opened == self.picked
        return {"visible": has_one and visible, "hidden": has_one and not visible and tabs, "tabs": tabs,
                "individuals": self.focused, "opened": opened,
                "related": bool(self.snapshot.view.related),
                **({"parents": True} if self._follows_parents else {})}

    def help_now(self, table: KeyTable) -> list[str]:
        """Sentences for the help page."""
        if not self.focused:
            return []
        template = _("The cell cursor keys move among the {many}: {open} puts one on the board, {leave} takes it "
                     "off, {tab} moves on.")
        many = "individuals" if self.population is None else self.population.words
        return [template.format(many=_(many), open=table.shown("go-there"), leave=table.shown("leave"),
                                tab=table.shown("next-tab"))]

    # Actions

    def pick(self, down: int, right: int) -> None:
        """Move to another individual, or to the first one; if one is opened, open that instead."""
        panel = self.population
        if panel is None:
            self._announce_none()
            return
        if not self._panel.display:
            self._announce_hidden()
            return
        arrangement = self._panel.arrangement()
        if arrangement is None:
            return
        if not self.wants_focus:
            self.wants_focus, down, right = True, 0, 0
        picked = moved(panel, arrangement, self.picked, down, right)
        self._select(picked)
        if self.snapshot.opened is not None and self.snapshot.opened != picked:
            self.open(picked)

    def click(self, individual: int) -> None:
        """Pick and open an individual."""
        self.wants_focus = True
        self._select(individual)
        self.open(individual)

    def leave(self) -> None:
        """Give the keys back to the cell cursor."""
        self.wants_focus = False
        self._changed()

    def _select(self, individual: int) -> None:
        self._selection = replace(self._selection, picked=individual)
        self._changed()

    def open(self, individual: int | None) -> None:
        """Put an individual on the board; None: the one that the step is about."""
        if self.snapshot.busy:
            self._send(commands.Halt())
        self._send(commands.Open(individual))

    def toggle_open(self) -> None:
        """Open the picked individual or, if it is open, close it."""
        panel, picked = self.population, self.picked
        if panel is None:
            self._announce_none()
        elif picked is None or not self.focused:
            self.pick(0, 0)
        elif self.snapshot.opened == picked:
            self.open(None)
        elif picked < panel.size:
            self.open(picked)

    def close_related(self) -> None:
        """Show the individual's own grid again."""
        self._related = None

    def _next_related(self) -> None:
        """Go from the grid of the individual to the first of those that guide it, to the next, and back."""
        self._send(commands.Halt())  # any command takes a message or a hint away
        place = 0 if self.related is None or self._related is None else self._related[2] + 1
        shown = place < len(self.snapshot.view.related)
        self._related = (self.snapshot.playhead, self._on_board, place) if shown else None

    def next_parent(self) -> None:
        """Go from the individual on the board to its first parent, to the second, and back; or through the grids that
        guide it."""
        panel = self.population
        if self.snapshot.view.related:
            self._next_related()
            return
        if panel is None or panel.current is None:
            self._announce_none()
            return
        if not (self._follows_parents and panel.current in self._family):
            self._family = tuple(dict.fromkeys((panel.current, *panel.parents)))
            self._family_of = self.snapshot.playhead, self.snapshot.opened is not None
        if len(self._family) < 2:
            self._family_of = None
            self._announce(messages.no_parents())
            return
        place = self._family[(self._family.index(panel.current) + 1) % len(self._family)]
        self._selection = replace(self._selection, picked=place)
        by_hand = self._family_of is not None and self._family_of[1]
        self.open(place if by_hand or place != self._family[0] else None)

    def _announce_none(self) -> None:
        """Say that there is no population, or none yet."""
        self._announce(messages.no_population(self.snapshot.state not in NO_RUN))

    def _announce_hidden(self) -> None:
        """Say which key shows the population, or that the window has no room for it."""
        self._announce(messages.population_hidden() if self._has_tabs() else messages.no_tabs(0, room=False))

    def toggle_sort(self) -> None:
        """Sort by energy, or by index."""
        if self.population is None:
            self._announce_none()
            return
        if not self._panel.display:
            self._announce_hidden()
            return
        self._selection = replace(self._selection, by_energy=not self._selection.by_energy)
        self._changed()
