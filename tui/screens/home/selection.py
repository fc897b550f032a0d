"""The selection on Home: puzzle, solver, parameters, seed and filter. Pure; the screen draws it."""

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
from tui.screens.home.puzzle_card import RunSetup
from tui.screens.home.puzzle_list import PuzzleListView
from tui.screens.home.solver_list import ListedSolver, by_family
from tui.storage.library import Entry, filtered


def listed_solvers() -> tuple[ListedSolver, ...]:
    """Every solver that can be loaded, grouped by family."""
    found = []
    for name in registry.names():
        try:
            solver = registry.solver(name)
        except UnknownName:  # a broken plugin: the command line reports it when it is named
            continue
        found.append(ListedSolver(name, solver.title, solver.family, solver.missing() or ""))
    return by_family(found)


class HomeSelection:
    """The selected entry of the list and the setup of a run on it."""

    def __init__(self, entries: Sequence[Entry], request: HomeRequest) -> None:
        """`request` is selected at first; without a puzzle in it, the first entry that is neither a run nor a draft."""
        self.entries = tuple(entries)
        """All entries, without the filter."""
        self.list = PuzzleListView(self.entries)
        self.solvers = listed_solvers()
        names = [each.name for each in self.solvers]
        self.solver_index = names.index(request.solver) if request.solver in names else 0
        self.seed = request.seed
        self._custom = request.params if request.solver in names else None
        """Parameters that are those of no preset."""
        self._preset: str | None = None
        self._match_preset()
        self._chosen: dict[int, tuple[str | None, Params | None]] = {}
        """Preset and custom parameters of the solvers that were left for another one, by index."""
        if request.record is not None:
            self.select_puzzle(request.record.puzzle)
        else:
            self.select(next((index for index, each in enumerate(self.entries) if each.kind in ("file", "pack")), 0))

    # The list

    @property
    def entry(self) -> Entry | None:
        """The selected entry; None if the filter leaves none."""
        shown = self.list
        return shown.entries[shown.selected] if shown.selected < len(shown.entries) else None

    def replace_entries(self, entries: Sequence[Entry]) -> None:
        """Replace the entries; the selected one stays selected if it is still among them, else the one that takes its
        place is, or the draft that was made of it."""
        before, place, known = self.entry, self.list.selected, self.entries
        self.entries = tuple(entries)
        self._refilter(self.list.filter, before)
        if before is not None and before not in self.list.entries:
            made = (each for each in self.list.entries if each.kind == before.kind == "draft" and each not in known)
            new = next(made, None)
            self.select(place if new is None else self.list.entries.index(new))

    def select(self, index: int) -> None:
        """Select an entry, the first or last one beyond the ends."""
        last = len(self.list.entries) - 1
        self.list = replace(self.list, selected=max(0, min(index, last)))

    def select_puzzle(self, puzzle: Puzzle) -> None:
        """Select the first entry with this puzzle that is no run."""
        index = next((index for index, each in enumerate(self.list.entries)
                      if each.run is None and each.puzzle == puzzle), None)
        if index is not None:
            self.select(index)

    def next_group(self, direction: int) -> None:
        """Select the first entry of the next group; backwards, of this group or the one before."""
        entries, at = self.list.entries, self.list.selected
        firsts = [index for index, each in enumerate(entries) if not index or entries[index - 1].group != each.group]
        ahead = [index for index in firsts if (index - at) * direction > 0]
        if ahead:
            self.select(min(ahead) if direction > 0 else max(ahead))

    def filter(self, typed: str, typing: bool) -> None:
        """Show the entries that contain every word typed, and select the first, which fits best, if the words are
        others; without words the selected entry stays."""
        keep = not typed or typed == self.list.filter
        self.list = replace(self.list, typing=typing)
        self._refilter(typed, self.entry if keep else None)

    def _refilter(self, typed: str, before: Entry | None) -> None:
        entries = filtered(self.entries, typed)
        selected = entries.index(before) if before in entries else 0
        self.list = replace(self.list, entries=entries, selected=selected, filter=typed)

    # The setup of a run

    @property
    def solver(self) -> AnySolver:
        return registry.solver(self.solvers[self.solver_index].name)

    @property
    def params(self) -> Params:
        """The parameters of the selected preset, or the custom ones."""
        if self._preset is None and self._custom is not None:
            return self._custom
        made: Params = self.solver.make_params(self._preset)
        return made

    @property
    def presets(self) -> tuple[str, ...]:
        """The names of the solver's presets, after an empty one for custom parameters if there are any."""
        return (*("",) * (self._custom is not None), *self.solver.presets)

    @property
    def setup(self) -> RunSetup:
        return RunSetup(self.solver, self._preset or "", self.params, self.seed)

    def select_solver(self, index: int) -> None:
        """Select a solver with the preset or parameters chosen for it before, else with its first preset; beyond the
        ends the first or last solver."""
        index = max(0, min(index, len(self.solvers) - 1))
        if index != self.solver_index:
            self._chosen[self.solver_index] = self._preset, self._custom
            self.solver_index = index
            self._preset, self._custom = self._chosen.get(index) or (next(iter(self.solver.presets)), None)

    def next_preset(self, direction: int) -> None:
        names = self.presets
        at = names.index(self._preset or "") + direction
        self._preset = names[at % len(names)] or None

    def set_seed(self, seed: int) -> None:
        self.seed = max(0, min(seed, MAX_SEED))

    def _match_preset(self) -> None:
        """Custom parameters that equal a preset's become that preset."""
        solver = self.solver
        same = (name for name in solver.presets if self._custom in (None, solver.make_params(name)))
        self._preset = next(same, None)
        if self._preset is not None:
            self._custom = None

    @property
    def request(self) -> HomeRequest:
        """The request that restores this selection."""
        record = None if self.entry is None else self.entry.record
        return HomeRequest(record, self.solvers[self.solver_index].name, self.params, self.seed)

    def new_run(self, entry: Entry) -> NewRun:
        return NewRun(entry.puzzle, entry.name, self.solvers[self.solver_index].name, self.params, self.seed)
