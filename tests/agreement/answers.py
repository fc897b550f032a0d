"""All that can tell of the solutions of a puzzle, each asked in its own way and within a limit of time."""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from engine import registry, solutions
from engine.errors import BadInput
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.solutions import Grid
from engine.solver import AnySolver
from engine.state import State

Says = Literal["none", "some", "one", "several", "not one", "undecided", "refused", "failed"]
"""`some`: there is a solution, and whether there is another was not asked. `not one`: there is none, or several."""

ENCODINGS = ("one-hot", "int-distinct", "finite-domain", "bit-vectors")
FAMILIES = ("exact", "symbolic", "human", "inference")
QUICKER = {"z3": {"minimise": False}}
"""Parameters that say no more of the solutions and take long: making cores small is most of what `z3` does."""
SLACK = 20.0
"""Times the limit that may pass on the clock."""
CHUNK, LONGEST = 1_000, 200_000
"""Steps between two looks at the clock: few at first."""


class Answer(Struct, frozen=True):
    """An answer about a puzzle."""

    says: Says
    grids: tuple[Grid, ...] = ()
    """Up to two solutions."""
    why: str = ""
    seconds: float = 0.0
    """Of the processor."""
    steps: int | None = None


Asked = Callable[[Puzzle, float], Answer]
"""Answers a puzzle within some seconds."""


class Late:
    """Whether the processor time is used up; a busy machine makes no answer late. Calls into foreign engines are
    interrupted then."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds
        self._patience = time.monotonic() + SLACK * seconds
        self._breaker = Breaker(grace=0.0)

    def __call__(self) -> bool:
        return self.left() <= 0.0

    def left(self) -> float:
        """Seconds at least until it is late."""
        return min(self._end - time.process_time(), self._patience - time.monotonic())

    @contextlib.contextmanager
    def breaking(self) -> Iterator[None]:
        """Interrupt this thread's work when the time is up."""
        over = threading.Event()
        watch = threading.Thread(target=self._watch, args=(over,), daemon=True)
        watch.start()
        try:
            with self._breaker.watching():
                yield
        finally:
            over.set()
            watch.join()

    def _watch(self, over: threading.Event) -> None:
        while not over.wait(max(0.0, self.left())):
            if self():
                self._breaker.break_off()
                return


def ask(name: str, puzzle: Puzzle, seconds: float) -> Answer:
    """Put a puzzle to one of `everybody`. Whatever goes wrong in there is an answer too."""
    begun = time.process_time()
    try:
        answer = asked(name)(puzzle, seconds)
    except Exception as error:
        answer = Answer("failed", why=f"{type(error).__name__}: {error}")
    return Answer(answer.says, answer.grids, answer.why, time.process_time() - begun, answer.steps)


@functools.cache
def asked(name: str) -> Asked:
    """The answerers by name: `exact: count`, `encoding: one-hot`, `dlx`, `mac, preset dom-deg`."""
    if name in OTHERS:
        return OTHERS[name]
    solver_name, _, preset = name.partition(", preset ")
    solver = registry.solver(solver_name)
    solver.require()
    params = solver.make_params(preset or None, {} if preset else QUICKER.get(solver_name, {}))
    return functools.partial(by_solver, solver, params)


def everybody(presets: bool = False) -> tuple[str, ...]:
    """The names of all: the exact engine, the checks, the encodings, and every solver that deduces or searches. With
    all presets each of a solver's is one of them, else its first."""
    solvers = [registry.solver(name) for name in registry.names()]
    taken = [solver for solver in solvers if solver.family in FAMILIES and not solver.missing()]
    names = [solver.name for solver in taken]
    if presets:
        names += [f"{solver.name}, preset {preset}" for solver in taken for preset in list(solver.presets)[1:]]
    return (*OTHERS, *names)


def by_solver(solver: AnySolver, params: object, puzzle: Puzzle, seconds: float) -> Answer:
    """A run to its end."""
    late = Late(seconds)
    try:
        state = solver.init(puzzle, params, 1)
    except BadInput as error:
        return Answer("refused", why=str(error))
    with late.breaking() if solver.interruptible else contextlib.nullcontext(), contextlib.suppress(Interrupted):
        for _ in _chunks(solver, state, params):
            if late():
                break
    outcome = solver.outcome(state)
    if outcome is None:
        return Answer("undecided", why=f"{seconds:g} s are over", steps=state.step)
    if outcome.status == "solved":
        return Answer("some", (outcome.grid,), outcome.reason, steps=state.step)
    says: Says = "none" if outcome.status == "no_solution" else "undecided"
    return Answer(says, why=f"{outcome.status}: {outcome.reason}", steps=state.step)


def _chunks(solver: AnySolver, state: State, params: object) -> Iterator[None]:
    """The run to its end, with moments to look at the clock: after every step of an engine that may take long over
    it, else after more and more steps of a kernel."""
    if solver.interruptible:
        with contextlib.closing(solver.steps(state, params)) as steps:  # type: ignore[type-var]
            for events in steps:
                if not events:  # it was asked to break off
                    return
                yield
        return
    chunk = CHUNK
    while solver.outcome(state) is None:
        solver.advance(state, params, chunk)
        chunk = min(2 * chunk, LONGEST)
        yield


# The exact engine: each question it takes


def by_solve(puzzle: Puzzle, seconds: float) -> Answer:
    found = solutions.solve(puzzle, 2**62, Late(seconds))
    if found.outcome == "unknown":
        return Answer("undecided", steps=found.guesses)
    return Answer("some" if found.grid else "none", (found.grid,) if found.grid else (), steps=found.guesses)


def by_count(puzzle: Puzzle, seconds: float) -> Answer:
    found = solutions.count(puzzle, 2, 2**62, Late(seconds))
    says: Says = "undecided" if found.answer == "unknown" else found.answer
    if says == "undecided" and found.found:
        says = "some"
    return Answer(says, found.examples, steps=found.guesses)


def by_unique(puzzle: Puzzle, seconds: float) -> Answer:
    said = solutions.unique(puzzle, 2**62, Late(seconds))
    return Answer("undecided" if said is None else "one" if said else "not one")


def by_batch(puzzle: Puzzle, seconds: float) -> Answer:
    if (puzzle.box, puzzle.variant) != (3, "classic"):
        return Answer("refused", why="for classic 9x9 only")
    import numpy as np

    from engine.solutions import batch

    grids, counts = batch.solve_all(np.array([puzzle.givens], np.uint8), 2)
    count = int(counts[0])
    if count < 0:
        return Answer("undecided")
    says: tuple[Says, ...] = ("none", "one", "several")
    return Answer(says[count], (tuple(grids[0].tolist()),) if count else ())


# Z3's automata


@functools.lru_cache(maxsize=12)
def automaton(encoding: str, box: int, variant: str) -> object:
    """One long-lived automaton of each board and encoding."""
    from engine.automata.sudoku import SudokuAutomaton

    return SudokuAutomaton(Puzzle((0,) * box**4, box, variant), encoding)  # type: ignore[arg-type]


def by_automaton(encoding: str, puzzle: Puzzle, seconds: float) -> Answer:
    """Two solutions, the second being asked for when the first is there."""
    from engine.automata.sudoku import SudokuAutomaton

    board = automaton(encoding, puzzle.box, puzzle.variant)
    assert isinstance(board, SudokuAutomaton)
    for cell, value in enumerate(puzzle.givens):
        board.set_cell(*divmod(cell, puzzle.n), value)
    try:
        with Late(seconds).breaking():
            found = board.solutions(2, SLACK * seconds)
    except Interrupted:
        return Answer("undecided", why=f"{seconds:g} s are over")
    if len(found.grids) == 2:
        return Answer("several", found.grids)
    if found.more == "unknown":
        return Answer("some" if found.grids else "undecided", found.grids, f"{seconds:g} s are over")
    return Answer("one" if found.grids else "none", found.grids)


# Checks


def by_validating(puzzle: Puzzle, seconds: float) -> Answer:
    """The givens with Z3's cores; each core must be a contradiction."""
    from engine.automata.givens import validate_givens

    verdict = validate_givens(puzzle, timeout=SLACK / 4 * seconds, network=_network(puzzle))
    says: dict[str, Says] = {"consistent": "some", "contradictory": "none", "unknown": "undecided"}
    for each in verdict.contradictions:
        kept = set(each.core.placed)
        if not kept <= set(enumerate(puzzle.givens)):
            return Answer("failed", why="a core with what is not given")
    return Answer(says[verdict.status], why=verdict.reason)


def _network(puzzle: Puzzle) -> object:
    from engine.automata.sudoku import SudokuAutomaton

    board = automaton("one-hot", puzzle.box, puzzle.variant)
    assert isinstance(board, SudokuAutomaton)
    return board.network


def by_checking(puzzle: Puzzle, seconds: float) -> Answer:
    """`sudoku-tui check`, from the puzzle as text to the line it writes."""
    import msgspec
    from click.testing import CliRunner

    from engine.puzzle import SYMBOLS
    from tui.commands.check import command

    variant = "# variant: diagonal\n" if puzzle.variant == "diagonal" else ""
    result = CliRunner().invoke(command, ["-", "--format", "jsonl"], input=f"{variant}{puzzle.line}\n",
                                standalone_mode=False)
    if not result.stdout:
        return Answer("failed", why=result.stderr or repr(result.exception))
    said = msgspec.json.decode(result.stdout)
    if said["puzzle"] != puzzle.line or said.get("variant", "classic") != puzzle.variant:
        return Answer("failed", why="another puzzle was checked")
    grids = tuple(tuple(SYMBOLS.index(symbol) for symbol in each) for each in said["examples"])
    says: Says = "undecided" if said["solutions"] == "unknown" else said["solutions"]
    return Answer(says, grids)


OTHERS: dict[str, Asked] = {
    "exact: solve": by_solve,
    "exact: count": by_count,
    "exact: unique": by_unique,
    "exact: batch": by_batch,
    "check": by_checking,
    "validate_givens": by_validating,
    **{f"encoding: {name}": functools.partial(by_automaton, name) for name in ENCODINGS},
}


def warm_up(name: str) -> None:
    """Compile or load what it takes, so that no puzzle waits for it."""
    for pack in ("easy", "diagonal", "4x4"):
        ask(name, packs.pack(pack)[0].puzzle, 60.0)
