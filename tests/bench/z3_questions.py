"""Z3: questions put to one long-lived network against a fresh integer solver each, and a 16x16 board from nothing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable

from engine import rng
from engine.automata.sudoku import SudokuAutomaton
from engine.energy import is_solution
from engine.puzzle import Puzzle
from engine.puzzles import packs
from tests.bench.result import Options, Result, at_least, at_most

KNOWN = tuple(Puzzle.from_line(line) for line in (
    "003020600900305001001806400008102900700000008006708200002609500800203009005010300",
    "200080300060070084030500209000105408000000000402706000301007040720040060004010003",
    "000000907000420180000705026100904000050000040000507009920108000034059000507000000",
    "902005403100063025508407060026309001057010290090670530240530600705200304080041950",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "52...6.........7.13...........4..8..6......5...........418.........3..2...87.....",
    "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
))
RATIO, LARGE, CLUES = 100.0, 0.5, 97
Query = tuple[int, int]


def measure(options: Options) -> Iterable[Result]:
    queries = 2 if options.quick else 8
    ratios, ours, right = [], [], True
    for number, puzzle in enumerate(KNOWN):
        automaton, asked = SudokuAutomaton(puzzle), drawn(puzzle, number, queries)
        automaton.is_valid_placement(0, 0, 1)
        mine = [timed(lambda a=automaton, q=query: a.is_valid_placement(*divmod(q[0], 9), q[1])) for query in asked]
        fresh = [timed(lambda p=puzzle, q=query: fresh_integers(p, *q)) for query in asked]
        right = right and [said for _, said in mine] == [said for _, said in fresh]
        ratios.append(statistics.median(taken for taken, _ in fresh) / statistics.median(taken for taken, _ in mine))
        ours += [taken for taken, _ in mine]
    note = (f"{len(KNOWN)} instances × {queries} queries, median {1000 * statistics.median(ours):.2f} ms, ratios "
            f"{min(ratios):.0f} to {max(ratios):.0f}; {'all agree' if right else 'NOT all agree'}")
    yield at_least("is_valid_placement, of a fresh integer solver", statistics.median(ratios) if right else 0.0, RATIO,
                   "×", note)
    yield _large(3 if options.quick else 9)


def _large(repeats: int) -> Result:
    puzzle = thinned(CLUES)
    taken = [timed(lambda: SudokuAutomaton(puzzle).solve(timeout=60)) for _ in range(repeats)]
    right = all(said.grid is not None and is_solution(puzzle, said.grid) for _, said in taken)
    return at_most(f"a 16x16 board with {CLUES} clues", statistics.median(t for t, _ in taken) if right else 1e9,
                   LARGE, "s", "building included")


def drawn(puzzle: Puzzle, number: int, many: int) -> list[Query]:
    """Random (cell, value) queries about the free cells of a puzzle, the same in every run."""
    free = puzzle.free_cells
    words = [rng.draw(number, 0, k, 0) for k in range(2 * many)]
    return [(free[words[2 * k] % len(free)], words[2 * k + 1] % 9 + 1) for k in range(many)]


def thinned(clues: int) -> Puzzle:
    """The first 16x16 puzzle of the pack with this many clues: values of its solution are added or givens removed."""
    puzzle = packs.pack("16x16")[0].puzzle
    solution = SudokuAutomaton(puzzle).solve(timeout=60).grid
    assert solution is not None
    order = sorted(range(256), key=lambda cell: (not puzzle.givens[cell], rng.draw(1, 0, cell, 0)))
    kept = set(order[:clues])
    return Puzzle(tuple(value if cell in kept else 0 for cell, value in enumerate(solution)), 4)


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Seconds, and what came of it."""
    begun = time.perf_counter()
    said = work()
    return time.perf_counter() - begun, said


def fresh_integers(puzzle: Puzzle, cell: int, value: int) -> bool:
    """The textbook query: 81 integers and 27 Distinct in a new solver."""
    import z3

    context = z3.Context()
    solver, cells = z3.Solver(ctx=context), [z3.Int(f"x{k}", context) for k in range(81)]
    solver.add([z3.And(each >= 1, each <= 9) for each in cells])
    solver.add([z3.Distinct([cells[k] for k in unit.cells]) for unit in puzzle.geometry.units])
    solver.add([cells[k] == given for k, given in enumerate(puzzle.givens) if given and k != cell])
    solver.add(cells[cell] == value)
    return bool(solver.check() == z3.sat)
