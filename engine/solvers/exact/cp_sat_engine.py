"""CP-SAT in a thread: the model of a puzzle, the reader of its log, and the queue of what it reports.

The only file that uses `ortools`, which is imported when it is needed.
"""

from __future__ import annotations

import atexit
import queue
import re
import threading
from typing import Any, Literal

from msgspec import Struct

from engine.puzzle import Puzzle

Report = tuple[str, str]
"""(stage, text); the stages are `engine`, `model`, `presolve`, `symmetry`, `presolved` and `search`."""

_PASS = re.compile(r"^\s+\S+s\s+\S+d\s+\[(?P<name>\w+)\]\s*(?P<said>.*)$")
_RULE = re.compile(r"^\s+- rule '(?P<rule>.*)' was applied (?P<times>\S+ times?)\.$")
_TIME = re.compile(r",?\s*\(?\b(?:d?time|in|at):?\s+\S*\d\S*\b\)?|\b\d+\.\d+(?:e[-+]\d+)?s\b")
_SPACES = re.compile(r"\s+")
_COUNT = re.compile(r"^#(?P<what>Variables|k\w+): (?P<count>.*)$")
_DOMAIN = re.compile(r"^\s+- (?P<domain>.* in .*)$")


class LogReader:
    """Reads the log line by line, the only view of the search that CP-SAT gives.

    Times are dropped, since they differ in every run, and so are tables of internals.
    """

    def __init__(self) -> None:
        self._stage = "engine"
        self._over = False

    def read(self, message: str) -> list[Report]:
        """The reports in a message, which may have several lines or none that matters."""
        return [report for line in message.splitlines() for report in self._line(line.rstrip())]

    def _line(self, line: str) -> list[Report]:
        if line.startswith(("Task timing", "CpSolverResponse")):
            self._over = True
        if self._over or not line.strip():
            return []
        if line.startswith("Starting CP-SAT solver"):
            return [("engine", line.removeprefix("Starting ").strip())]
        if line.startswith("Initial satisfaction model"):
            self._stage = "model"
        elif line.startswith(("Starting presolve", "Presolve summary")):
            self._stage = "presolve"
        elif line.startswith("Presolved satisfaction model"):
            self._stage = "presolved"
        elif line.startswith("Starting search"):
            self._stage = "search"
            return [("search", "the search begins, with one worker")]
        return self._reports(line)

    def _reports(self, line: str) -> list[Report]:
        """The reports in a line that is no heading."""
        if found := _PASS.match(line):
            said = _plain(found["said"])
            return [("presolve", f"{found['name']} {said}")] if said else []
        if found := _RULE.match(line):
            return [("presolve", f"{found['rule'].rstrip('.')}: {found['times']}")]
        if line.startswith("[Symmetry]"):
            said = _plain(line.removeprefix("[Symmetry]"))
            return [("symmetry", said)] if re.search(r"orbit|generators", said) else []
        if self._stage in ("model", "presolved") and (found := _COUNT.match(line)):
            return [(self._stage, f"{found['what'].removeprefix('k')} {found['count']}")]
        if self._stage in ("model", "presolved") and (found := _DOMAIN.match(line)):
            return [(self._stage, f"of these {found['domain']}")]
        return []


def _plain(text: str) -> str:
    return _SPACES.sub(" ", _TIME.sub("", text)).strip()


Model = Literal["integers", "literals"]
Ended = Literal["complete", "stopped", "none", "limit", "failed"]

WAITING = 16
"""Length of the queue, so that the engine does not run far ahead of the screen."""
POLL = 0.01
"""Seconds between two checks for closing."""


class SearchSettings(Struct, frozen=True):
    """The parameters of a search."""

    model: Model
    presolve: bool
    solutions: int
    limit: float
    """In CP-SAT's deterministic time; 0: none."""
    seed: int


class Counts(Struct, frozen=True):
    """The statistics of the search so far."""

    booleans: int
    branches: int
    conflicts: int


class Solution(Struct, frozen=True):
    cells: tuple[int, ...]
    counts: Counts


class End(Struct, frozen=True):
    ended: Ended
    """`complete`: every solution is found; `stopped`: the number asked for is found; `none`: proved to have none."""
    counts: Counts
    why: str = ""


Item = Report | Solution | End


def load() -> None:
    """Import the package, which takes about half a second."""
    from ortools.sat.python import cp_model  # noqa: F401


def build(puzzle: Puzzle, model: Model) -> tuple[Any, list[Any]]:
    """The CP-SAT model, and an expression for the value of each cell."""
    from ortools.sat.python import cp_model

    made, n = cp_model.CpModel(), puzzle.n
    if model == "integers":
        cells: list[Any] = [made.new_int_var(1, n, f"c{cell}") for cell in range(n * n)]
        for unit in puzzle.geometry.units:
            made.add_all_different([cells[cell] for cell in unit.cells])
    else:
        holds = [[made.new_bool_var(f"c{cell}v{v + 1}") for v in range(n)] for cell in range(n * n)]
        for each in holds:
            made.add_exactly_one(each)
        for unit in puzzle.geometry.units:
            for v in range(n):
                made.add_exactly_one([holds[cell][v] for cell in unit.cells])
        cells = [sum((v + 1) * literal for v, literal in enumerate(each)) for each in holds]
    for cell, given in enumerate(puzzle.givens):
        if given and model == "integers":
            made.add(cells[cell] == given)
        elif given:
            made.add(holds[cell][given - 1] == 1)
    return made, cells


class Engine:
    """One search by CP-SAT. `next` returns its reports in order; `close` ends it at any time."""

    def __init__(self, puzzle: Puzzle, settings: SearchSettings) -> None:
        from ortools.sat.python import cp_model

        self._settings = settings
        self._model, self._cells = build(puzzle, settings.model)
        self._solver = cp_model.CpSolver()
        self._items: queue.Queue[Item] = queue.Queue(WAITING)
        self._closed = threading.Event()
        self._log = LogReader()
        self._found = 0
        self._set_parameters()
        self._thread = threading.Thread(target=self._work, name="cp-sat", daemon=True)
        atexit.register(self.close)  # no thread may be in foreign code when the interpreter exits
        self._thread.start()

    def _set_parameters(self) -> None:
        parameters = self._solver.parameters
        parameters.num_workers = 1
        parameters.random_seed = self._settings.seed % 2**31
        parameters.cp_model_presolve = self._settings.presolve
        parameters.enumerate_all_solutions = self._settings.solutions > 1
        parameters.catch_sigint_signal = False  # ctrl-C is handled by the caller
        parameters.log_search_progress = True
        parameters.log_to_stdout = False
        if self._settings.limit:
            parameters.max_deterministic_time = self._settings.limit
        self._solver.log_callback = self._logged

    def next(self) -> Item | None:
        """The next item; None when there is none within POLL seconds."""
        try:
            return self._items.get(timeout=POLL)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Stop the search and wait for its end: some 50 ms."""
        if self._closed.is_set() and not self._thread.is_alive():
            return  # a generator may be closed again while the interpreter exits, without the modules it needs
        self._closed.set()
        while self._thread.is_alive():
            self._solver.stop_search()  # a call before the search begins has no effect
            self._thread.join(POLL)
        atexit.unregister(self.close)

    def _put(self, item: Item) -> None:
        while not self._closed.is_set():
            try:
                self._items.put(item, timeout=POLL)
            except queue.Full:
                continue
            return

    def _logged(self, message: str) -> None:
        for report in self._log.read(message):
            self._put(report)

    def _work(self) -> None:
        try:
            status = self._solver.solve(self._model, _callback(self))
            self._put(End(self._ended(self._solver.status_name(status)), self._counts()))
        except Exception as error:  # any error of a foreign engine is reported, and ends this run only
            self._put(End("failed", Counts(0, 0, 0), " ".join(str(error).split()) or type(error).__name__))

    def _ended(self, status: str) -> Ended:
        if status == "INFEASIBLE":
            return "none"
        if self._found >= self._settings.solutions:
            return "complete" if self._settings.solutions > 1 and status == "OPTIMAL" else "stopped"
        return "complete" if status == "OPTIMAL" else "limit"

    def _counts(self) -> Counts:
        done = self._solver.response_proto
        return Counts(done.num_booleans, done.num_branches, done.num_conflicts)

    def solved(self, callback: Any) -> None:
        """Called back by CP-SAT at each solution."""
        self._found += 1
        counts = Counts(callback.num_booleans, callback.num_branches, callback.num_conflicts)
        self._put(Solution(tuple(int(callback.value(cell)) for cell in self._cells), counts))
        if self._found >= self._settings.solutions or self._closed.is_set():
            callback.stop_search()


def _callback(engine: Engine) -> Any:
    """The callback of a search. The class is defined here since its base needs the package."""
    from ortools.sat.python import cp_model

    class Callback(cp_model.CpSolverSolutionCallback):  # type: ignore[misc,unused-ignore]
        def on_solution_callback(self) -> None:
            engine.solved(self)

    return Callback()
