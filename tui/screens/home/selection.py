"""What is chosen on Home: puzzle, solver, parameters, seed, filter. Pure; the screen draws it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine import registry
from engine.errors import UnknownName
from engine.params import Params
from engine.puzzle import Puzzle
from engine.rng import MAX_SEED
from engine.solver import AnySolver
from tui.requests import HomeRequest, NewRun
from tui.screens.home.puzzle_card import Choice
from tui.screens.home.puzzle_list import Choosing
from tui.screens.home.solver_list import ListedSolver, by_family
from tui.storage.library import Entry, filtered


def listed_solvers() -> tuple[ListedSolver, ...]:
    """Every solver that can be loaded, families together."""
    found = []
    for name in registry.names():
        try:
            solver = registry.solver(name)
        except UnknownName:  # installed by somebody else, and broken: the command line says so to whoever names it
            continue
        found.append(ListedSolver(name, solver.title, solver.family, solver.missing() or ""))
    return by_family(found)


class HomeChoice:
    """What is chosen, and how it changes."""

    def __init__(self, entries: Sequence[Entry], wish: HomeRequest) -> None:
        self.solvers = listed_solvers()
        self.entries = tuple(entries)
        self.list = Choosing(self.entries)
        names = [each.name for each in self.solvers]
        self.place = names.index(wish.solver) if wish.solver in names else 0
        """Which of the solvers is chosen."""
        self.seed = wish.seed
        self._wished = wish.params if wish.solver in names else None
        self._preset: str | None = None
        self._match_preset()
        if wish.record is not None:
            self.choose_puzzle(wish.record.puzzle)

    # The list

    @property
    def entry(self) -> Entry | None:
        """The chosen entry; None where the filter leaves none."""
        shown = self.list
        return shown.entries[shown.chosen] if shown.chosen < len(shown.entries) else None

    def replace_entries(self, entries: Sequence[Entry]) -> None:
        """Have another list; what was chosen stays chosen if it is still there."""
        before = self.entry
        self.entries = tuple(entries)
        self._refilter(self.list.filter, before)

    def choose(self, place: int) -> None:
        """Choose an entry by its place, the first or the last beyond the ends."""
        last = len(self.list.entries) - 1
        self.list = replace(self.list, chosen=max(0, min(place, last)))

    def choose_puzzle(self, puzzle: Puzzle) -> None:
        """Choose the first puzzle of the list (not a run) that is this one."""
        place = next((place for place, each in enumerate(self.list.entries)
                      if each.run is None and each.puzzle == puzzle), None)
        if place is not None:
            self.choose(place)

    def choose_group(self, direction: int) -> None:
        """To the first entry of the next group, or of this one or the one before."""
        entries, at = self.list.entries, self.list.chosen
        firsts = [place for place, each in enumerate(entries) if not place or entries[place - 1].group != each.group]
        ways = [place for place in firsts if (place - at) * direction > 0]
        if ways:
            self.choose(min(ways) if direction > 0 else max(ways))

    def filter(self, typed: str, typing: bool) -> None:
        """Leave those that match what was typed."""
        self.list = replace(self.list, typing=typing)
        self._refilter(typed, self.entry)

    def _refilter(self, typed: str, before: Entry | None) -> None:
        entries = filtered(self.entries, typed)
        chosen = entries.index(before) if before in entries else 0
        self.list = replace(self.list, entries=entries, chosen=chosen, filter=typed)

    # What it is opened with

    @property
    def solver(self) -> AnySolver:
        return registry.solver(self.solvers[self.place].name)

    @property
    def params(self) -> Params:
        """The parameters of the chosen preset, or those that were wished for and are no preset's."""
        if self._preset is None and self._wished is not None:
            return self._wished
        made: Params = self.solver.make_params(self._preset)
        return made

    @property
    def presets(self) -> tuple[str, ...]:
        """The names of the chosen solver's presets; first an empty one where there are parameters that are none's."""
        return (*("",) * (self._wished is not None), *self.solver.presets)

    @property
    def choice(self) -> Choice:
        """Solver, preset, parameters and seed."""
        return Choice(self.solver, self._preset or "", self.params, self.seed)

    def choose_solver(self, place: int) -> None:
        """Choose a solver by its place; there is no other one beyond the ends."""
        place = max(0, min(place, len(self.solvers) - 1))
        if place != self.place:
            self.place, self._wished = place, None
            self._preset = next(iter(self.solver.presets))

    def choose_preset(self, direction: int) -> None:
        """The next preset, or the one before; round and round."""
        names = self.presets
        at = names.index(self._preset or "") + direction
        self._preset = names[at % len(names)] or None

    def choose_seed(self, seed: int) -> None:
        self.seed = max(0, min(seed, MAX_SEED))

    def _match_preset(self) -> None:
        """Parameters that are a preset's are called by its name."""
        solver = self.solver
        same = (name for name in solver.presets if self._wished in (None, solver.make_params(name)))
        self._preset = next(same, None)
        if self._preset is not None:
            self._wished = None

    @property
    def wish(self) -> HomeRequest:
        """What would have to be wished for to get here again."""
        entry = self.entry
        return HomeRequest(None if entry is None else entry.record, self.solvers[self.place].name, self.params,
                           self.seed)

    def new_run(self, entry: Entry) -> NewRun:
        return NewRun(entry.puzzle, entry.name, self.solvers[self.place].name, self.params, self.seed)
