"""Records of puzzles on stdout, in one form for all commands: JSON lines, text, bare grids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from tui import output
from tui.i18n import _

if TYPE_CHECKING:
    from engine.events import Status
    from engine.params import Value
    from engine.puzzle import Puzzle
    from engine.puzzles.formats import PuzzleRecord


class Subject(Struct, frozen=True):
    """The puzzle that a record is about; None for input that is not a puzzle."""

    index: int
    """Counted from 1 over all sources."""
    puzzle: Puzzle | None
    name: str = ""

    @property
    def title(self) -> str:
        """`3 easy-17`."""
        return f"{self.index} {self.name}" if self.name else str(self.index)


class PuzzleResult(Struct, frozen=True):
    """Base of the results of commands for one puzzle."""

    index: int
    """Counted from 1 over all sources."""
    record: PuzzleRecord | None
    """None for input that is not a puzzle."""

    @property
    def subject(self) -> Subject:
        record = self.record
        return Subject(self.index, record.puzzle, record.name) if record else Subject(self.index, None)


def ending(status: Status, reason: str) -> str:
    """The end of a run: `gave up (10 000 steps in a row without a better grid)`."""
    words = {"solved": _("solved"), "no_solution": _("no solution"), "gave_up": _("gave up"), "unknown": _("unknown")}
    return f"{words[status]} ({reason})"


def write_json(subject: Subject, fields: dict[str, object], reason: str | None = None) -> None:
    """One object per line: `index`, `puzzle`, the fields in order; `reason`, `name` and `variant` where they apply."""
    puzzle = subject.puzzle
    line: dict[str, object] = {"index": subject.index, "puzzle": None if puzzle is None else puzzle.line, **fields}
    if reason is not None:
        line["reason"] = reason
    if subject.name:
        line["name"] = subject.name
    if puzzle is not None and puzzle.variant != "classic":
        line["variant"] = puzzle.variant
    output.write_json(line)


def write_text(subject: Subject, result: str, details: Iterable[str] = ()) -> None:
    """`3 easy-17: solved`, with indented details under it. Nothing for input that is not a puzzle, which has its own
    sentence on stderr."""
    if subject.puzzle is None:
        return
    output.write_line(f"{subject.title}: {result}")
    for line in details:
        output.write_line("  " + line)


def write_grid(subject: Subject, grid: tuple[int, ...] | None, result: str) -> None:
    """The solution on a line; a puzzle without one leaves a comment."""
    from engine.puzzle import line_of

    output.write_line(f"# {subject.index}: {result}" if grid is None else line_of(grid))


def solution_fields(status: str, grid: tuple[int, ...] | None, solver: str, params: dict[str, Value],
                    numbers: dict[str, int | float | None]) -> dict[str, object]:
    """The fields of a solution; `numbers` are those of the run: energy, steps, restarts, seconds, seed."""
    from engine.puzzle import line_of

    return {"solution": None if grid is None else line_of(grid), "status": status, **numbers, "solver": solver,
            "params": params}
