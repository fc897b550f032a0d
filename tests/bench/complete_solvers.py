"""Every complete solver, and every encoding of the automata, on the shipped packs.

A seeded sample of each pack is put to each, with its default parameters and from nothing: a solver's run from its
first step, an automaton with its building. Times are of the processor, so that a busy machine tells the same. What the
limit cuts short is counted, and stands in a median as more than the limit.

Six in thirteen decide few or none of the 16x16 puzzles in seconds, so the limit makes the length: some 60 of 1 000
questions take all of it. With 10 puzzles a pack and 5 s that is 5 minutes of 7 of the processor; with 10 s it was 12.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import registry, rng
from engine.energy import is_solution
from engine.interrupt import Interrupted
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord
from tests.agreement import answers
from tests.agreement.answers import Answer, Late
from tests.bench.result import Options, Result, aligned, at_least

PUZZLES, QUICK_PUZZLES = 10, 1
"""Of each pack, where the options do not say."""
LIMIT, QUICK_LIMIT = 5.0, 1.0
"""Seconds of the processor for one puzzle."""
SEED: Final = 4
WARM: Final = ("easy", "diagonal", "4x4", "16x16")

Ask = Callable[[Puzzle, float], Answer]


@dataclass(frozen=True)
class Cell:
    """The results of one subject on the puzzles of one pack."""

    told: tuple[Answer, ...]
    wrong: int = 0
    """Answers that are no solution, or that deny a known one."""

    @property
    def decided(self) -> list[Answer]:
        return [answer for answer in self.told if answer.says in ("some", "none")]

    @property
    def undecided(self) -> int:
        return len(self.told) - len(self.decided)

    def counts(self) -> str:
        """`9 1 0`: solved, proved to have none, undecided."""
        solved = sum(1 for answer in self.told if answer.says == "some")
        return f"{solved} {len(self.decided) - solved} {self.undecided}{' WRONG' if self.wrong else ''}"

    def median(self, value: Callable[[Answer], float]) -> float:
        """The median of a number; infinite where it is one of the undecided."""
        return statistics.median_high([*map(value, self.decided), *[math.inf] * self.undecided])


Table = dict[str, dict[str, Cell]]
"""name -> pack -> what came of it"""


def measure(options: Options) -> Iterable[Result]:
    count = options.puzzles if options.puzzles is not None else QUICK_PUZZLES if options.quick else PUZZLES
    limit = options.limit or (QUICK_LIMIT if options.quick else LIMIT)
    samples = {pack: sample(pack, count) for pack in packs.pack_names()}
    found: Table = {}
    for name, ask in everybody().items():
        print(f"  {name}", file=sys.stderr, flush=True)
        for pack in WARM:
            ask(packs.pack(pack)[0].puzzle, QUICK_LIMIT)
        found[name] = {pack: cell_of(ask, records, limit) for pack, records in samples.items()}
    cells = [cell for row in found.values() for cell in row.values()]
    told, wrong = sum(len(cell.told) for cell in cells), sum(cell.wrong for cell in cells)
    result = at_least("complete solvers and encodings: right answers", 100 * (told - wrong) / told, 100, "%",
                      f"{told} asked, {sum(cell.undecided for cell in cells)} undecided after {limit:g} s each")
    yield replace(result, below=tables(found, samples, limit))


def sample(pack: str, count: int) -> list[PuzzleRecord]:
    """A seeded sample of a pack, in pack order; 0 for all puzzles."""
    records = packs.pack(pack)
    drawn = sorted(range(len(records)), key=lambda place: rng.draw(SEED, 0, place, len(records)))
    return [records[place] for place in sorted(drawn[: count or len(records)])]


def everybody() -> dict[str, Ask]:
    """The exact engine, to compare with, every complete solver that can run here, and the four encodings."""
    solvers = [registry.solver(name) for name in registry.names()]
    found: dict[str, Ask] = {"exact engine": answers.by_solve}
    for solver in solvers:
        if solver.complete and not solver.missing():
            found[solver.name] = lambda puzzle, limit, it=solver: answers.by_solver(it, it.make_params(), puzzle, limit)
    for encoding in answers.ENCODINGS:
        found[f"automata, {encoding}"] = lambda puzzle, limit, it=encoding: by_new_automaton(it, puzzle, limit)
    return found


def by_new_automaton(encoding: str, puzzle: Puzzle, limit: float) -> Answer:
    """One solution, the automaton being built for it. Z3's resource count stands in for steps."""
    from engine.automata.sudoku import SudokuAutomaton

    try:
        with Late(limit).breaking():
            board = SudokuAutomaton(puzzle, encoding)  # type: ignore[arg-type]
            found = board.solve(timeout=answers.SLACK * limit)
    except Interrupted:
        return Answer("undecided")
    if found.status == "solved":
        return Answer("some", (found.grid,) if found.grid else (), steps=board.network.work())
    return Answer("none" if found.status == "unsatisfiable" else "undecided", steps=board.network.work())


def cell_of(ask: Ask, records: Sequence[PuzzleRecord], limit: float) -> Cell:
    told, wrong = [], 0
    for record in records:
        begun = time.process_time()
        answer = ask(record.puzzle, limit)
        told.append(Answer(answer.says, answer.grids, answer.why, time.process_time() - begun, answer.steps))
        wrong += is_wrong(record, answer)
    return Cell(tuple(told), wrong)


def is_wrong(record: PuzzleRecord, answer: Answer) -> bool:
    """Whether the answer is wrong; no answer is not a wrong answer."""
    if answer.says == "some":
        return record.solutions == 0 or not all(is_solution(record.puzzle, grid) for grid in answer.grids)
    return answer.says == "none" and record.solutions != 0


# As text


def tables(found: Table, samples: Mapping[str, Sequence[PuzzleRecord]], limit: float) -> str:
    """Three tables: what was decided, how soon, in how many steps."""
    heads = ["", *(f"{pack} ({len(records)})" for pack, records in samples.items())]
    late = f"> {limit:g} s"
    kinds: tuple[tuple[str, Callable[[Cell], str]], ...] = (
        (f"Solved, proved to have no solution, undecided after {limit:g} s:", Cell.counts),
        ("Median time, undecided ones being later than any other:", lambda cell: seconds(
            cell.median(lambda answer: answer.seconds), late)),
        ("Median steps (automata: Z3's own count of its work; exact engine: guesses):", lambda cell: steps(
            cell.median(lambda answer: answer.steps or 0))),
    )
    return "\n\n".join(
        f"{title}\n\n" + aligned([heads, *([name, *map(text, row.values())] for name, row in found.items())])
        for title, text in kinds)


def seconds(value: float, late: str) -> str:
    """`0.43 ms`, `18 ms`, `1.2 s`."""
    if math.isinf(value):
        return late
    return f"{value:.2g} s" if value >= 1 else f"{1000 * value:.3g} ms" if value >= 0.01 else f"{1000 * value:.2f} ms"


def steps(value: float) -> str:
    return "-" if math.isinf(value) else f"{round(value):,}".replace(",", " ")
