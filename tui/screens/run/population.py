"""What the keys of the laboratory do to a population: pick an individual, open it, go to its parents, sort."""

from __future__ import annotations

from msgspec.structs import replace

from engine.view import PopulationPanel, population_in
from tui import messages
from tui.i18n import _
from tui.playback import commands
from tui.playback.snapshot import Snapshot
from tui.playback.thread import PlayerThread
from tui.screens.base import AppScreen
from tui.screens.run.layout import POPULATION_TAB, Mode, Plan
from tui.widgets.panels.panel import PanelPane
from tui.widgets.panels.population import LETTERS, Choice, moved

Stop = tuple[int, bool]
"""A tab, and whether the keys of the cell cursor go over the individuals of a population."""

_ROUND: dict[Mode, tuple[Stop, ...]] = {
    "tabs": ((1, False), (2, False), (3, False), (POPULATION_TAB, False), (POPULATION_TAB, True)),
    "panes": ((POPULATION_TAB, False), (POPULATION_TAB, True), (1, False)),
}


def next_stop(mode: Mode, stop: Stop, direction: int) -> Stop:
    """What `tab` goes to where there is a population."""
    stops = _ROUND.get(mode, _ROUND["panes"][:2])
    place = stops.index(stop) if stop in stops else stops.index((POPULATION_TAB, False)) - direction
    return stops[(place + direction) % len(stops)]


class CrowdActions(AppScreen):
    """The actions on a population; without one they say so."""

    worker: PlayerThread
    snapshot: Snapshot
    panel: PanelPane
    arranged: Plan
    crowd = Choice()
    at_panel = False
    """Whether the keys of the cell cursor go over the individuals."""
    _kin: tuple[int, ...] = ()
    """An individual and its parents, which one goes to in turn."""
    _kin_of: tuple[int, bool] | None = None
    """The step at which they were looked up, and whether the first of them was put on the board by hand."""

    @property
    def population(self) -> PopulationPanel | None:
        """The population, if there is one."""
        return population_in(self.snapshot.view.panel) if self.snapshot.individuals else None

    @property
    def in_crowd(self) -> bool:
        """Whether one goes over the individuals: they must be in sight."""
        return self.at_panel and self.population is not None and "panel" in self.arranged.regions

    @property
    def kin(self) -> tuple[str, int] | None:
        """Which parent of whom is on the board, if one went to it from its child."""
        panel = self.population
        if panel is None or self._kin_of is None or self._kin_of[0] != self.snapshot.playhead:
            return None
        place = self._kin.index(panel.current) if panel.current in self._kin else 0
        return (LETTERS[place - 1], self._kin[0]) if place else None

    def crowd_words(self) -> set[str]:
        """What is true of it, for the last row."""
        kin = self._kin_of is not None and self._kin_of[0] == self.snapshot.playhead
        return {word for word, holds in (("crowd", self.in_crowd), ("kin", kin)) if holds}

    def crowd_now(self) -> list[str]:
        """What the help says of it."""
        if not self.in_crowd:
            return []
        said = _("The keys of the cell cursor go over the individuals: {open} puts one on the board, {leave} takes it "
                 "off again, {tab} leads on.")
        return [said.format(open=self.table.shown("go-there"), leave=self.table.shown("leave"),
                            tab=self.table.shown("next-tab"))]

    def show_panel(self) -> None:
        """Draw the panel of the view, a population as it was chosen."""
        opened = self.snapshot.opened is not None
        picked = self.crowd.picked if self.in_crowd or opened else None
        shown = replace(self.crowd, picked=picked, opened=opened, sort_key=self.table.shown("sort"))
        self.panel.show(self.snapshot.view.panel, shown)

    def action_pick(self, down: int, right: int) -> None:
        """To another individual; what is on the board follows where one was put there."""
        if self.population is None or "panel" not in self.arranged.regions:
            self.announce(messages.no_population() if self.population is None else messages.population_hidden())
            return
        arrangement = self.panel.arrangement()
        if arrangement is None:
            return
        if not self.at_panel:
            self.at_panel, down, right = True, 0, 0
        picked = moved(self.population, arrangement, self.crowd.picked, down, right)
        self.crowd = replace(self.crowd, picked=picked)
        self._show_choice()
        if self.snapshot.opened is not None and self.snapshot.opened != picked:
            self.open_individual(picked)

    def _show_choice(self) -> None:
        self.show_panel()
        self.show_footer()

    def open_individual(self, place: int | None) -> None:
        """Put it on the board; None: whoever the step is about."""
        if self.snapshot.busy:
            self.worker.send(commands.Halt())
        self.worker.send(commands.Open(place))

    def action_open_individual(self) -> None:
        panel = self.population
        if panel is None:
            self.announce(messages.no_population())
        elif self.crowd.picked is None or not self.in_crowd:
            self.action_pick(0, 0)
        elif self.snapshot.opened == self.crowd.picked:
            self.open_individual(None)
        elif self.crowd.picked < panel.size:
            self.open_individual(self.crowd.picked)

    def action_parents(self) -> None:
        """From the individual on the board to its first parent, to the second, and back."""
        panel = self.population
        if panel is None or panel.current is None:
            self.announce(messages.no_population())
            return
        known = self._kin_of is not None and self._kin_of[0] == self.snapshot.playhead and panel.current in self._kin
        if not known:
            self._kin = tuple(dict.fromkeys((panel.current, *panel.parents)))
            self._kin_of = self.snapshot.playhead, self.snapshot.opened is not None
        if len(self._kin) < 2:
            self._kin_of = None
            self.announce(messages.no_parents())
            return
        place = self._kin[(self._kin.index(panel.current) + 1) % len(self._kin)]
        self.crowd = replace(self.crowd, picked=place)
        by_hand = self._kin_of is not None and self._kin_of[1]
        self.open_individual(place if by_hand or place != self._kin[0] else None)

    def action_sort(self) -> None:
        if self.population is None:
            self.announce(messages.no_population())
            return
        self.crowd = replace(self.crowd, by_energy=not self.crowd.by_energy)
        self._show_choice()
