"""Peers against the solvers of this program: the same puzzles, in turn, in the same process, with the same limit.

Each pair gets a process, which is killed after the limit, since most libraries have none. Only correct solutions count,
and times that the limit cut off are never averaged.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from engine import energy, registry, solutions
from engine.bench.executors.processes import READY_MESSAGE, answer_requests
from engine.bench.experiment import Problem
from engine.bench.peers.libraries import EXACT, PEERS, Grid, Peer
from engine.bench.statistics import RunTimes, Sample, run_times
from engine.bench.trial import never
from engine.puzzle import Puzzle
from engine.run.cursor import Cursor
from engine.run.solve import Limits, Pace, solve

Ending = Literal["solved", "cut off", "gave up", "wrong", "failed"]
Solve = Callable[[Puzzle, int], Grid | None]
Side = Literal["theirs", "ours"]
Request = tuple[Side, Puzzle, int]
"""(side, puzzle, seed)"""

GRACE: Final = 0.25
"""Seconds beyond the limit after which the process is killed."""
READY: Final = 300.0
"""Seconds that a process may take to load and compile."""
POLL: Final = 0.1
"""Seconds between two checks for pause and cancel."""
_SPAWN: Final = multiprocessing.get_context("spawn")


class Attempt(Struct, frozen=True):
    """The result of a run, and its seconds; at most the limit."""

    ending: Ending
    seconds: float
    why: str = ""


class Heat(Struct, frozen=True):
    """One puzzle with one seed, tried by a peer and by one of ours."""

    peer: str
    ours: str
    problem: str
    seed: int
    theirs: Attempt
    here: Attempt


class Bounds(Struct, frozen=True):
    """The bounds of a median; equal if cut-off times do not affect it."""

    low: float
    high: float


class Standing(Struct, frozen=True):
    """A peer and one of ours over all heats."""

    peer: str
    ours: str
    n: int
    theirs: RunTimes
    here: RunTimes
    ratio: Bounds
    """Median of theirs / ours, puzzle by puzzle: above 1 ours is the faster."""
    wrong: int
    """Grids of the peer that are no solutions, and failures."""


def _ignore(sentence: str) -> None:
    """Leave out without a word."""


class _Unready(Exception):
    """A process that could not start; the text is a clause on the reason."""


def race(problems: Sequence[Problem], seeds: Sequence[int], seconds: float, peers: Sequence[Peer] = PEERS,
         stopped: Callable[[], bool] = never, leave_out: Callable[[str], None] = _ignore) -> Iterator[Heat]:
    """The heats, as they finish; peers and solvers that are not installed are left out. `leave_out` is called with a
    sentence on each pair whose process cannot start; its other heats are left out."""
    shapes = {(problem.puzzle.box, problem.variant): problem.puzzle for problem in problems}
    for peer, ours in pairs(peers):
        with contextlib.closing(_Pair(peer, ours, seconds, tuple(shapes.values()), stopped)) as pair:
            for seed, problem in itertools.product(seeds, problems):
                try:
                    heat = pair.heat(problem, seed)
                except _Unready as error:
                    if not stopped():
                        leave_out(f"the process of {peer.name} and {ours} cannot start: {error}")
                    break
                if stopped():
                    return
                yield heat


def pairs(peers: Sequence[Peer]) -> list[tuple[Peer, str]]:
    """Each peer with each of ours that it is compared with, as far as both are installed."""
    return [(peer, ours) for peer in peers if peer.missing() is None for ours in peer.ours
            if ours == EXACT or registry.solver(ours.partition("/")[0]).missing() is None]


class _Pair:
    """A peer and one of our solvers, in a process that is restarted after it had to be killed."""

    def __init__(self, peer: Peer, ours: str, seconds: float, shapes: tuple[Puzzle, ...],
                 stopped: Callable[[], bool]) -> None:
        self._peer, self._ours, self._seconds, self._shapes = peer, ours, seconds, shapes
        self._stopped = stopped
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def heat(self, problem: Problem, seed: int) -> Heat:
        """Theirs, then at once ours, so that the load of the machine is nearly the same. Raises _Unready."""
        theirs, here = self._attempt("theirs", problem, seed), self._attempt("ours", problem, seed)
        return Heat(self._peer.name, self._ours, problem.name, seed, theirs, here)

    def close(self) -> None:
        """Kill the process."""
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
        self._process = self._pipe = None

    def _attempt(self, side: Side, problem: Problem, seed: int) -> Attempt:
        pipe = self._pipe or self._begin()
        try:
            pipe.send((side, problem.puzzle, seed))
            if not self._answers(pipe, self._seconds + GRACE):
                self.close()
                return Attempt("cut off", self._seconds)
            found: Attempt = pipe.recv()
        except (EOFError, OSError):
            self.close()
            return Attempt("failed", 0.0, "its process ended")
        return Attempt("cut off", self._seconds) if found.seconds > self._seconds else found

    def _begin(self) -> Connection:
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, daemon=True,
                                       args=(theirs, self._peer, self._ours, self._seconds, self._shapes))
        self._process.start()
        theirs.close()
        try:
            said = self._pipe.recv() if self._answers(self._pipe, READY) else f"not ready after {READY:g} s"
        except (EOFError, OSError):
            said = "it ended"
        if said != READY_MESSAGE:
            self.close()
            raise _Unready(said)
        return self._pipe

    def _answers(self, pipe: Connection, seconds: float) -> bool:
        """True if something arrives within `seconds`; False at once when the race is stopped."""
        until = time.monotonic() + seconds
        while not self._stopped() and (left := until - time.monotonic()) > 0:
            if pipe.poll(min(POLL, left)):
                return True
        return False


# In the child process


def _serve(pipe: Connection, peer: Peer, ours: str, seconds: float, shapes: Sequence[Puzzle]) -> None:
    """The main function of the process: load and compile both, then solve puzzles."""

    def prepare() -> Callable[[Request], Attempt]:
        try:
            importlib.import_module(peer.module)
            solve: dict[Side, Solve] = {"theirs": peer.solve, "ours": _ours(ours, seconds, shapes)}
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}")
            raise SystemExit(1) from None
        return lambda request: attempt(solve[request[0]], *request[1:])

    answer_requests(pipe, prepare)


def attempt(solve: Solve, puzzle: Puzzle, seed: int) -> Attempt:
    """Solve a puzzle, and check the solution."""
    began = time.perf_counter()
    try:
        grid = solve(puzzle, seed)
    except Exception as error:
        return Attempt("failed", time.perf_counter() - began, f"{type(error).__name__}: {error}")
    took = time.perf_counter() - began
    if grid is None:
        return Attempt("gave up", took)
    right = len(grid) == puzzle.n**2 and energy.is_solution(puzzle, grid)
    return Attempt("solved" if right else "wrong", took)


def _ours(name: str, seconds: float, shapes: Sequence[Puzzle]) -> Solve:
    """One of ours, compiled for boards of these shapes."""
    if name == EXACT:
        for puzzle in shapes:
            solutions.solve(puzzle)
        return lambda puzzle, seed: solutions.solve(puzzle, budget=2**62).grid
    solver_name, _, preset = name.partition("/")
    solver = registry.solver(solver_name)
    params = solver.make_params(preset or None)
    for puzzle in shapes:
        solver.warm_up(puzzle, params)
    pace = Pace()

    def solution(puzzle: Puzzle, seed: int) -> Grid | None:
        walk = Cursor(solver, solver.init(puzzle, params, seed), params)
        finish = solve(walk, Limits(seconds=seconds + GRACE), pace, never, lambda walk, elapsed: None)
        return finish.grid if finish.status == "solved" else None

    return solution


# Results


def standings(heats: Iterable[Heat]) -> Iterator[Standing]:
    """Every pair of the heats, in their order."""
    by_pair: dict[tuple[str, str], list[Heat]] = {}
    for heat in heats:
        by_pair.setdefault((heat.peer, heat.ours), []).append(heat)
    for (peer, ours), found in by_pair.items():
        theirs, here = [heat.theirs for heat in found], [heat.here for heat in found]
        wrong = sum(each.ending in ("wrong", "failed") for each in theirs)
        yield Standing(peer, ours, len(found), _times(theirs), _times(here), ratio(found), wrong)


def _times(attempts: Sequence[Attempt]) -> RunTimes:
    return run_times(Sample(np.array([each.seconds for each in attempts]),
                            np.array([each.ending == "solved" for each in attempts]),
                            np.array([each.ending == "cut off" for each in attempts])))


def ratio(heats: Sequence[Heat]) -> Bounds:
    """Bounds of the median of theirs / ours. An unsolved puzzle takes longer than the time spent on it, so that the
    ratio of a heat may have one bound only, or none."""
    low = [heat.theirs.seconds / _most(heat.here) for heat in heats]
    high = [_most(heat.theirs) / heat.here.seconds if heat.here.seconds else float("inf") for heat in heats]
    return Bounds(_median(low), _median(high))


def _most(attempt: Attempt) -> float:
    return attempt.seconds if attempt.ending == "solved" else float("inf")


def _median(values: Sequence[float]) -> float:
    """The lower median: the mean of the middle two may be infinite."""
    return sorted(values)[(len(values) - 1) // 2]
