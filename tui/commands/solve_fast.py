"""`sudoku-tui solve --fast`: long lists solved by the exact engine, without runs.

Classic 9x9 puzzles on lines of their own are solved in batches of thousands, all others one by one. Solutions are
checked independently of the engine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource
from msgspec import Struct

from engine.errors import BadInput, ParameterError
from engine.puzzles.sources import SourceItem
from tui import output
from tui.commands import records
from tui.commands.batch import INTERRUPTED, Interrupt, Progress
from tui.commands.sources import place_of, refuse_clashes
from tui.i18n import _

if TYPE_CHECKING:
    from engine.puzzle import Puzzle
    from engine.puzzles.formats import PuzzleRecord
    from engine.puzzles.formats.bulk import Batch
    from engine.solutions import Solved

NAME = "exact"
"""The name of the solver in records."""


class Answer(Struct, frozen=True):
    """The result of one puzzle, or the error in its place."""

    index: int
    status: str
    """solved, no_solution, unknown or error."""
    reason: str
    puzzle: Puzzle | None = None
    grid: tuple[int, ...] | None = None
    name: str = ""

    @property
    def subject(self) -> records.Subject:
        return records.Subject(self.index, self.puzzle, self.name)


class Piece(NamedTuple):
    """A batch of puzzles, or a single one of another kind."""

    first: int
    """The number of its first puzzle, counted from 1 over all sources."""
    what: Batch | SourceItem
    source: str
    before: int
    """The puzzles of the sources before its own."""

    def place(self, number: int, name: str = "") -> str:
        """The place of the puzzle of a number, as the beginning of a sentence about it."""
        return place_of(self.source, number - self.before, name)


def refuse_options(names: Sequence[str]) -> None:
    """Raise ParameterError for options of this call that are about runs."""
    ctx = click.get_current_context()
    for name in names:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise ParameterError(_("--fast takes no --{name}: it makes no run, expected only one of them").format(
                name=name.replace("_", "-")))


def pieces(sources: Sequence[str]) -> Iterator[Piece]:
    """The puzzles of all sources in order, read batch by batch."""
    from engine.puzzles.formats import Malformed
    from engine.puzzles.formats.bulk import Batch
    from engine.puzzles.sources import open_bulk

    number = 1
    for source in sources:
        before = number - 1
        for item in open_bulk(source, sys.stdin.buffer):
            if isinstance(item, Batch):
                yield Piece(number, item, source, before)
                number += len(item.lines)
                continue
            if isinstance(item, Malformed):
                one = SourceItem(index=number - before, error=item.sentence)
            else:
                one = SourceItem(index=number - before, record=item)
            yield Piece(number, one, source, before)
            number += 1


@dataclass
class FastBatch:
    """All puzzles of one call."""

    layout: str
    asked: Interrupt = field(default_factory=Interrupt)
    progress: Progress = field(default_factory=Progress)
    done: int = 0
    solved: int = 0
    errors: int = 0

    def solve(self, sources: Sequence[str]) -> int:
        """Solve all puzzles; returns the exit code."""
        from engine.text import count

        for piece in pieces(sources):
            if self.progress.due:
                self.progress.draw(None, _("puzzle {index}   {solved} solved").format(
                    index=count(piece.first), solved=count(self.solved)))
            with self.asked:
                self._solve_piece(piece)
            if self.asked():
                break
        self.progress.clear()
        if self.layout == "text" and self.done > 1:
            output.write_line(_("{solved} of {trials} solved").format(solved=self.solved, trials=self.done))
        if self.asked():
            output.say(_("interrupted after {count} puzzles").format(count=count(self.done)))
            return INTERRUPTED
        return 2 if self.errors else int(self.solved < self.done)

    def _solve_piece(self, piece: Piece) -> None:
        if isinstance(piece.what, SourceItem):
            self._report(self._one(piece, piece.what))
        else:
            self._solve_batch(piece, piece.what)
        output.flush()

    def _solve_batch(self, piece: Piece, lines: Batch) -> None:
        """Solve a batch. The kernel polls for an interrupt every few milliseconds; finished puzzles are written."""
        import numpy as np

        from engine.solutions import batch

        puzzles = np.frombuffer(lines.values, np.uint8).reshape(-1, 81)
        done = 0
        for grids, counts in batch.solve_chunks(puzzles, stop=self.asked):
            part = puzzles[done:done + len(counts)]
            solved = counts == 1
            _require(bool(batch.are_solutions(part, grids)[solved].all()))
            self._write_all(piece, piece.first + done, part, grids, counts)
            done += len(counts)

    def _write_all(self, piece: Piece, first: int, puzzles: Any, grids: Any, counts: Any) -> None:
        """Write the answers: in one go if all are solved and the layout allows it."""
        if self.layout in TOGETHER and bool((counts == 1).all()):
            self.progress.clear()
            output.flush()
            output.write_bytes(TOGETHER[self.layout](first, _texts(puzzles, "."), _texts(grids, ".")))
            self.done += len(counts)
            self.solved += len(counts)
            return
        for number, (puzzle, grid, count) in enumerate(zip(puzzles, grids, counts.tolist(), strict=True), first):
            self._report(_answer_of_row(piece, number, tuple(puzzle.tolist()), tuple(grid.tolist()), count))

    def _one(self, piece: Piece, item: SourceItem) -> Answer:
        """The answer to a single puzzle of any shape."""
        from engine import solutions
        from engine.energy import is_solution

        record, number = item.record, piece.first
        if record is None:
            return Answer(number, "error", str(item.error))
        refused = _refused(piece, number, record.puzzle, record)
        if refused is not None:
            return refused
        found: Solved = solutions.solve(record.puzzle, stop=self.asked)
        _require(found.grid is None or is_solution(record.puzzle, found.grid))
        spent = _("interrupted") if self.asked() else _spent()
        return Answer(number, found.outcome, _reason(found.outcome, spent), record.puzzle, found.grid, record.name)

    def _report(self, answer: Answer) -> None:
        self.done += answer.puzzle is not None
        self.solved += answer.status == "solved"
        self.errors += answer.status == "error"
        self.progress.clear()
        WRITERS[self.layout](answer)
        if answer.status == "error":
            output.flush()
            output.say(answer.reason)


def _require(right: bool) -> None:
    if not right:
        raise RuntimeError("the exact engine returned a grid that is not a solution")


def _answer_of_row(piece: Piece, number: int, givens: tuple[int, ...], grid: tuple[int, ...], count: int) -> Answer:
    from engine.puzzle import Puzzle

    puzzle = Puzzle(givens)
    status = "solved" if count == 1 else "no_solution" if count == 0 else "unknown"
    refused = _refused(piece, number, puzzle) if count == 0 else None
    return refused or Answer(number, status, _reason(status, _spent()), puzzle, grid if count == 1 else None)


def _refused(piece: Piece, number: int, puzzle: Puzzle, record: PuzzleRecord | None = None) -> Answer | None:
    """The answer to a puzzle with contradictory givens; None for others."""
    name = record.name if record is not None else ""
    try:
        refuse_clashes(puzzle)
    except BadInput as error:
        return Answer(number, "error", f"{piece.place(number, name)}: {error}", puzzle, None, name)
    return None


def _reason(status: str, otherwise: str) -> str:
    return {"solved": _("the first solution"), "no_solution": _("everything was tried")}.get(status, otherwise)


def _spent() -> str:
    from engine import solutions
    from engine.text import count

    return _("stopped after {guesses} guesses").format(guesses=count(solutions.BUDGET))


# Layouts


def write_jsonl(answer: Answer) -> None:
    """The keys of `solve`; those of a run are null."""
    fields = records.solution_fields(answer.status, answer.grid, NAME, {}, {
        "energy": 0 if answer.grid else None, "steps": None, "restarts": None, "seconds": None, "seed": None})
    records.write_json(answer.subject, fields, answer.reason)


def write_grid(answer: Answer) -> None:
    records.write_grid(answer.subject, answer.grid, _ending(answer))


def write_text(answer: Answer) -> None:
    """The status, and the grid in boxes."""
    grid = output.boxed(answer.grid, answer.puzzle.box) if answer.grid and answer.puzzle else ()
    records.write_text(answer.subject, _ending(answer), grid)


def _ending(answer: Answer) -> str:
    words = {"solved": _("solved"), "no_solution": _("no solution"), "unknown": _("unknown")}
    return f"{words[answer.status]} ({answer.reason})" if answer.status in words else _("error")


WRITERS: dict[str, Callable[[Answer], None]] = {"text": write_text, "jsonl": write_jsonl, "line": write_grid}


# Batches of solved puzzles


def _texts(values: Any, free: str) -> list[str]:
    """Rows of values as lines of symbols: uint8[k, 81] to k texts."""
    whole = (values + ord("0")).tobytes().decode("ascii").replace("0", free)
    return [whole[at:at + 81] for at in range(0, len(whole), 81)]


def _grids(first: int, puzzles: list[str], grids: list[str]) -> bytes:
    return ("\n".join(grids) + "\n").encode("ascii")


def _objects(first: int, puzzles: list[str], grids: list[str]) -> bytes:
    """The output of `write_jsonl`, without an object per puzzle."""
    rest = (f'","status":"solved","energy":0,"steps":null,"restarts":null,"seconds":null,"seed":null,"solver":"{NAME}",'
            f'"params":{{}},"reason":"{_reason("solved", "")}"}}\n')
    return "".join(f'{{"index":{index},"puzzle":"{puzzle}","solution":"{grid}{rest}'
                   for index, (puzzle, grid) in enumerate(zip(puzzles, grids, strict=True), first)).encode()


TOGETHER: dict[str, Callable[[int, list[str], list[str]], bytes]] = {"jsonl": _objects, "line": _grids}
