"""The entries of Home: saved runs and drafts, opened files, and shipped puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec import Struct

from engine import params as parameters
from engine import registry
from engine.errors import BadInput
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord
from engine.solutions import Answer
from tui.config import paths
from tui.i18n import _, steps_text
from tui.messages import value_text
from tui.storage.run_files import SavedRun, recent
from tui.storage.sessions import ResumableSession

Kind = Literal["session", "run", "draft", "file", "pack"]

MOST_NAMED = 3
"""The most parameters of a run that are named beside its preset."""

COUNTED: dict[int | None, Answer] = {0: "none", 1: "one", 2: "several", None: "unknown"}


class Entry(Struct, frozen=True):
    """One row of the list: a puzzle, or a run to continue."""

    kind: Kind
    group: str
    """The heading above the entry."""
    record: PuzzleRecord
    number: int = 0
    """Its number in its pack or file, from 1."""
    run: SavedRun | None = None
    note: str = ""
    """Further details: the age of a session."""
    age: str = ""
    """The age of a session in a few columns: `5 min`."""

    @property
    def puzzle(self) -> Puzzle:
        return self.record.puzzle

    @property
    def name(self) -> str:
        """The name of the puzzle, else its group and number."""
        return self.record.name or f"{self.group} {self.number}".strip()

    @property
    def middle(self) -> str:
        """The second column: the level of a puzzle, the state of a run."""
        return state_text(self.run) if self.run is not None else _(self.record.level)

    @property
    def givens(self) -> int:
        return sum(map(bool, self.puzzle.givens))

    @property
    def size(self) -> str:
        n = self.puzzle.n
        return f"{n}×{n}"

    @property
    def argument(self) -> str:
        """The argument by which a command takes it: `hard:1`; empty unless it is of a pack."""
        return f"{self.group}:{self.number}" if self.kind == "pack" else ""

    @property
    def called(self) -> set[str]:
        """Its name, group, level and argument, in lower case."""
        return {each.lower() for each in (self.name, self.group, self.record.level, self.argument)}

    @property
    def words(self) -> str:
        """The text that a filter searches, in lower case."""
        n, run = self.puzzle.n, self.run
        parts = (self.group, self.name, self.argument, self.record.level, self.record.source, f"{n}x{n}", self.size,
                 self.puzzle.variant, *((run.solver, state_text(run)) if run else ()))
        return " ".join(parts).lower()


class OpenedFile(Struct, frozen=True):
    """The puzzles of a file that was opened."""

    name: str
    records: tuple[PuzzleRecord, ...]


@dataclass(slots=True)
class Library:
    """The files opened in this session."""

    files: list[OpenedFile] = field(default_factory=list)
    """The newest first."""

    def add(self, opened: OpenedFile) -> None:
        """Add a file to the list; a file that is opened again is read again."""
        self.files = [opened, *(each for each in self.files if each.name != opened.name)]


def pack_entries() -> tuple[Entry, ...]:
    """The puzzles of all packs."""
    return tuple(Entry("pack", name, record, number) for name in packs.pack_names()
                 for number, record in enumerate(packs.pack(name), 1))


def session_entries(left: Iterable[ResumableSession], now: float) -> tuple[Entry, ...]:
    """The sessions that were cut off, in the given order in each group, without those that the user quit. `now`:
    seconds since 1970. A run that had come to its end was closed, not interrupted."""
    cut = (each.run for each in left if each.saved.ended == "unexpected")
    return in_groups(
        Entry("session", _("interrupted") if run.outcome is None else _("closed"), _record(run), number, run,
              ago_text(now - run.modified), age_text(now - run.modified)) for number, run in enumerate(cut, 1))


def in_groups(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries group by group, the group of the first entry first; in a group they keep their order."""
    groups: dict[str, list[Entry]] = {}
    for each in entries:
        groups.setdefault(each.group, []).append(each)
    return tuple(each for group in groups.values() for each in group)


def age_text(seconds: float) -> str:
    """The age of something in at most seven columns: `5 min`, `3 h`, `12 days`."""
    minutes = int(seconds / 60)
    if minutes < 60:
        return _("{count} min").format(count=max(minutes, 0))
    hours = minutes // 60
    if hours < 24:
        return _("{count} h").format(count=hours)
    days = hours // 24
    return _("1 day") if days == 1 else _("{count} days").format(count=days)


def ago_text(seconds: float) -> str:
    """The age of something, in its largest unit."""
    minutes = int(seconds / 60)
    if minutes < 1:
        return _("a moment ago")
    if minutes < 60:
        return _("1 minute ago") if minutes == 1 else _("{count} minutes ago").format(count=minutes)
    hours = minutes // 60
    if hours < 24:
        return _("1 hour ago") if hours == 1 else _("{count} hours ago").format(count=hours)
    days = hours // 24
    return _("1 day ago") if days == 1 else _("{count} days ago").format(count=days)


def _record(run: SavedRun) -> PuzzleRecord:
    return PuzzleRecord(puzzle=run.puzzle, name=run.puzzle_name or _("a puzzle"))


def run_entries(runs: Iterable[SavedRun]) -> tuple[Entry, ...]:
    """The runs, in the given order (the newest first)."""
    return tuple(Entry("run", _("your runs"), _record(run), number, run) for number, run in enumerate(runs, 1))


def draft_entries(records: Iterable[PuzzleRecord]) -> tuple[Entry, ...]:
    """The drafts, in the given order (the newest first)."""
    return tuple(Entry("draft", _("your drafts"), record) for record in records)


def file_entries(files: Iterable[OpenedFile]) -> tuple[Entry, ...]:
    return tuple(Entry("file", each.name, record, number) for each in files
                 for number, record in enumerate(each.records, 1))


def filtered(entries: Sequence[Entry], typed: str) -> tuple[Entry, ...]:
    """The entries in which every word that was typed occurs; first those with one of the words as their name, group,
    level or argument."""
    words = typed.lower().split()
    found = [each for each in entries if all(word in each.words for word in words)]
    return tuple(sorted(found, key=lambda each: each.called.isdisjoint(words)))


def count_text(entries: Sequence[Entry]) -> str:
    """The number of puzzles, or of runs if there are only runs."""
    runs = sum(each.run is not None for each in entries)
    puzzles = len(entries) - runs
    if runs and not puzzles:
        return _("1 run") if runs == 1 else _("{count} runs").format(count=runs)
    return _("1 puzzle") if puzzles == 1 else _("{count} puzzles").format(count=puzzles)


def last_run(runs: Sequence[SavedRun], puzzle: Puzzle) -> SavedRun | None:
    """The newest run on a puzzle."""
    return next((run for run in runs if run.puzzle == puzzle), None)


def state_text(run: SavedRun) -> str:
    """The end of a run in a word; `begun` if it has not ended."""
    texts = {"solved": _("solved"), "gave_up": _("gave up"), "no_solution": _("no sol."), "unknown": _("unknown")}
    return _("begun") if run.outcome is None else texts[run.outcome.status]


def run_text(run: SavedRun) -> str:
    """`anneal, solved, 12 345 steps`."""
    return ", ".join((run.solver, state_text(run), steps_text(run.steps)))


def setup_text(run: SavedRun) -> str:
    """The preset of a run and its other parameters: `preset easy, α = 0.9`; empty if this version cannot make them."""
    solver = registry.solver(run.solver)
    try:
        params = solver.make_params(None, run.recipe.params)
    except BadInput:
        return ""
    differing = {}
    for name in solver.presets:
        preset = solver.make_params(name)
        differing[name] = [each for each in parameters.describe(solver.Params)
                           if getattr(preset, each.name) != getattr(params, each.name)]
    nearest = min(differing, key=lambda name: len(differing[name]))
    words = [f"{_(each.symbol)} = {value_text(getattr(params, each.name))}" for each in differing[nearest]]
    if len(words) > MOST_NAMED:
        words[MOST_NAMED:] = [_("{count} more").format(count=len(words) - MOST_NAMED)]
    return ", ".join((_("preset {name}").format(name=nearest), *words))


def solver_title(run: SavedRun) -> str:
    return _(registry.solver(run.solver).title)


def all_runs() -> tuple[SavedRun, ...]:
    """Autosaved and saved runs, the newest first; of two with equal recipes and steps only the newer."""
    found: dict[tuple[bytes, int], SavedRun] = {}
    for run in sorted((*recent(), *recent(paths.saved_runs())), key=lambda run: -run.modified):
        found.setdefault((msgspec.json.encode(run.recipe), run.steps), run)
    return tuple(found.values())
