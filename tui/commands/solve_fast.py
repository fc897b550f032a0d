"""`sudoku-tui solve --fast`: long lists through the exact engine, with no run and no solver.

Classic 9x9 puzzles on lines of their own go through it thousands at a time; all others one by one. Every solution is
checked by other means than those that found it.
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
from tui.commands.batch import INTERRUPTED, Interrupt, Progress
from tui.commands.sources import refuse_clashes
from tui.i18n import _

if TYPE_CHECKING:
    from engine.puzzle import Puzzle
    from engine.puzzles.formats import PuzzleRecord
    from engine.puzzles.formats.bulk import Handful
    from engine.solutions import Solved

NAME = "exact"
"""What stands for the solver in a record."""


class Answer(Struct, frozen=True):
    """One puzzle (or what stood in its place) and how it went."""

    index: int
    status: str
    """solved, no_solution, unknown or error."""
    reason: str
    puzzle: Puzzle | None = None
    grid: tuple[int, ...] | None = None
    name: str = ""


class Piece(NamedTuple):
    """A handful of puzzles, or one of another kind."""

    first: int
    """The number of its first puzzle, counted from 1 over all sources."""
    what: Handful | SourceItem


def refuse_options(names: Sequence[str]) -> None:
    """Raises ParameterError for an option of this call that says how a solver is to run."""
    ctx = click.get_current_context()
    for name in names:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise ParameterError(_("--fast takes no --{name}: it runs no solver, expected only one of them").format(
                name=name.replace("_", "-")))


def pieces(sources: Sequence[str]) -> Iterator[Piece]:
    """The puzzles of all sources in order, in flat memory."""
    from engine.puzzles.formats import Malformed
    from engine.puzzles.formats.bulk import Handful
    from engine.puzzles.sources import open_bulk

    number = 1
    for source in sources:
        for item in open_bulk(source, sys.stdin.buffer):
            if isinstance(item, Handful):
                yield Piece(number, item)
                number += len(item.lines)
                continue
            if isinstance(item, Malformed):
                yield Piece(number, SourceItem(index=number, error=item.sentence))
            else:
                yield Piece(number, SourceItem(index=number, record=item))
            number += 1


@dataclass
class FastBatch:
    """All the puzzles of one call."""

    layout: str
    asked: Interrupt = field(default_factory=Interrupt)
    progress: Progress = field(default_factory=Progress)
    done: int = 0
    solved: int = 0
    errors: int = 0

    def solve(self, sources: Sequence[str]) -> int:
        """Returns the exit code."""
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
            self._tell(self._one(piece.first, piece.what))
        else:
            self._solve_handful(piece.first, piece.what)
        output.flush()

    def _solve_handful(self, first: int, handful: Handful) -> None:
        """The kernel looks whether it is to stop every few milliseconds; what it has done by then is written."""
        import numpy as np

        from engine.solutions import batch

        puzzles = np.frombuffer(handful.values, np.uint8).reshape(-1, 81)
        done = 0
        for grids, counts in batch.solve_chunks(puzzles, stop=self.asked):
            part = puzzles[done:done + len(counts)]
            solved = counts == 1
            _require(bool(batch.are_solutions(part, grids)[solved].all()))
            self._write_all(first + done, part, grids, counts)
            done += len(counts)

    def _write_all(self, first: int, puzzles: Any, grids: Any, counts: Any) -> None:
        """The answers to rows of arrays: at once where a layout can and all are solved."""
        if self.layout in TOGETHER and bool((counts == 1).all()):
            self.progress.clear()
            sys.stdout.flush()
            sys.stdout.buffer.write(TOGETHER[self.layout](first, _texts(puzzles, "."), _texts(grids, ".")))
            self.done += len(counts)
            self.solved += len(counts)
            return
        for number, (puzzle, grid, count) in enumerate(zip(puzzles, grids, counts.tolist(), strict=True), first):
            self._tell(_answer_of_row(number, tuple(puzzle.tolist()), tuple(grid.tolist()), count))

    def _one(self, number: int, item: SourceItem) -> Answer:
        """The answer to a puzzle of whatever shape."""
        from engine import solutions
        from engine.energy import is_solution

        record = item.record
        if record is None:
            return Answer(number, "error", str(item.error))
        refused = _refused(number, record.puzzle, record)
        if refused is not None:
            return refused
        found: Solved = solutions.solve(record.puzzle, stop=self.asked)
        _require(found.grid is None or is_solution(record.puzzle, found.grid))
        spent = _interrupted() if self.asked() else _spent()
        return Answer(number, found.outcome, _reason(found.outcome, spent), record.puzzle, found.grid, record.name)

    def _tell(self, answer: Answer) -> None:
        self.done += 1
        self.solved += answer.status == "solved"
        self.errors += answer.status == "error"
        self.progress.clear()
        WRITERS[self.layout](answer)
        if answer.status == "error":
            output.flush()
            output.say(answer.reason)


def _require(right: bool) -> None:
    if not right:
        raise RuntimeError("the exact engine gave a grid that is no solution")


def _answer_of_row(number: int, givens: tuple[int, ...], grid: tuple[int, ...], count: int) -> Answer:
    from engine.puzzle import Puzzle

    puzzle = Puzzle(givens)
    status = "solved" if count == 1 else "no_solution" if count == 0 else "unknown"
    refused = _refused(number, puzzle) if count == 0 else None
    return refused or Answer(number, status, _reason(status, _spent()), puzzle, grid if count == 1 else None)


def _refused(number: int, puzzle: Puzzle, record: PuzzleRecord | None = None) -> Answer | None:
    """The answer to a puzzle whose givens contradict each other."""
    where = record.name if record is not None and record.name else _("puzzle {index}").format(index=number)
    try:
        refuse_clashes(puzzle)
    except BadInput as error:
        return Answer(number, "error", f"{where}: {error}", puzzle, None, record.name if record is not None else "")
    return None


def _reason(status: str, otherwise: str) -> str:
    return {"solved": _("the first solution"), "no_solution": _("everything was tried")}.get(status, otherwise)


def _spent() -> str:
    from engine import solutions
    from engine.text import count

    return _("{guesses} guesses are spent").format(guesses=count(solutions.BUDGET))


def _interrupted() -> str:
    return _("interrupted")


# The layouts of `solve`: an answer at a time


def write_jsonl(answer: Answer) -> None:
    """The keys of `solve`, in its order; what belongs to a run of a solver is null."""
    import msgspec

    from engine.puzzle import line_of

    puzzle = answer.puzzle
    line: dict[str, Any] = {
        "index": answer.index,
        "puzzle": puzzle.line if puzzle else None,
        "solution": line_of(answer.grid) if answer.grid else None,
        "status": answer.status,
        "energy": 0 if answer.grid else None,
        "steps": None, "restarts": None, "seconds": None, "seed": None,
        "solver": NAME,
        "params": {},
        "reason": answer.reason,
    }
    if answer.name:
        line["name"] = answer.name
    if puzzle is not None and puzzle.variant != "classic":
        line["variant"] = puzzle.variant
    output.write_json(msgspec.json.encode(line))


def write_grid(answer: Answer) -> None:
    """The solution alone; a puzzle without one leaves a comment in its place."""
    from engine.puzzle import line_of

    output.write_line(line_of(answer.grid) if answer.grid else f"# {answer.index}: {_ending(answer)}")


def write_text(answer: Answer) -> None:
    """What happened in one line, and the grid in boxes."""
    name = f" {answer.name}" if answer.name else ""
    output.write_line(f"{answer.index}{name}: {_ending(answer)}")
    if answer.grid is not None and answer.puzzle is not None:
        for line in output.boxed(answer.grid, answer.puzzle.box):
            output.write_line("  " + line)


def _ending(answer: Answer) -> str:
    words = {"solved": _("solved"), "no_solution": _("no solution"), "unknown": _("unknown")}
    return f"{words[answer.status]} ({answer.reason})" if answer.status in words else _("error")


WRITERS: dict[str, Callable[[Answer], None]] = {"text": write_text, "jsonl": write_jsonl, "line": write_grid}


# Many solved ones at once


def _texts(values: Any, free: str) -> list[str]:
    """Rows of values as lines of symbols: uint8[k, 81] to k texts."""
    whole = (values + ord("0")).tobytes().decode("ascii").replace("0", free)
    return [whole[at:at + 81] for at in range(0, len(whole), 81)]


def _grids(first: int, puzzles: list[str], grids: list[str]) -> bytes:
    return ("\n".join(grids) + "\n").encode("ascii")


def _objects(first: int, puzzles: list[str], grids: list[str]) -> bytes:
    """What `write_jsonl` would write, without making an object for each."""
    rest = (f'","status":"solved","energy":0,"steps":null,"restarts":null,"seconds":null,"seed":null,"solver":"{NAME}",'
            f'"params":{{}},"reason":"{_reason("solved", "")}"}}\n')
    return "".join(f'{{"index":{index},"puzzle":"{puzzle}","solution":"{grid}{rest}'
                   for index, (puzzle, grid) in enumerate(zip(puzzles, grids, strict=True), first)).encode()


TOGETHER: dict[str, Callable[[int, list[str], list[str]], bytes]] = {"jsonl": _objects, "line": _grids}
