"""The cases of the checks: puzzles, presets, and a reference log of each run."""

from __future__ import annotations

import functools
import hashlib
import importlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from engine import params as parameters
from engine import registry
from engine import state as states
from engine.breakpoints import Stop
from engine.errors import BadInput
from engine.events import Event
from engine.params import Params
from engine.puzzle import Puzzle
from engine.run.recorder import Recorder
from engine.run.run import Run
from engine.solver import AnySolver
from engine.state import State

Steps = Iterator[tuple[Event, ...]]

SEED = 20
PATIENCE = 4000
"""Most steps of a run whose end is checked."""

FOUR = Puzzle.from_line("....34....2..1.3")
FOUR_DIAGONAL = Puzzle.from_line(".......234......", "diagonal")
NINE = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
UNSOLVABLE = Puzzle.from_line("12....3.........")
"""No two givens contradict each other, but no cell of the first row can hold 3."""

ODD_PUZZLES: tuple[tuple[str, Puzzle], ...] = (
    ("contradictory givens", Puzzle.from_line("11..............")),
    ("a contradictory full grid", Puzzle.from_line("1234341221434312")),
    ("a solved grid", Puzzle.from_line("1234341221434321")),
    ("no givens", Puzzle((0,) * 16, 2)),
    ("one free cell", Puzzle.from_line("123434122143432.")),
    ("16x16", Puzzle((0,) * 256, 4)),
    ("25x25 with diagonals", Puzzle((0,) * 625, 5, "diagonal")),
)


class Nonconformance(AssertionError):
    """A solver breaks a law of the contract; the text names the law and the place."""


def require(holds: bool, sentence: str) -> None:
    if not holds:
        raise Nonconformance(sentence)


@dataclass(frozen=True)
class Case:
    """A puzzle and the parameters of a preset."""

    puzzle: Puzzle
    preset: str
    params: Params
    steps: int
    """Most steps of the log."""

    def init(self, solver: AnySolver) -> State:
        state: State = solver.init(self.puzzle, self.params, SEED)
        return state

    def __str__(self) -> str:
        return f"preset {self.preset} on {self.puzzle.line[:16]}{'…' if self.puzzle.n > 4 else ''} with seed {SEED}"


def case_of(solver: AnySolver, puzzle: Puzzle, preset: str | None = None, steps: int = 0) -> Case | None:
    """The case, or None if the solver refuses the puzzle."""
    chosen = preset or next(iter(solver.presets))
    case = Case(puzzle, chosen, solver.make_params(chosen), steps)
    try:
        case.init(solver)
    except BadInput:
        return None
    return case


@functools.cache
def cases(solver: AnySolver) -> tuple[Case, ...]:
    """The cases of a solver: an easy 9x9 puzzle with every preset, two of 4x4 with the first."""
    first, *others = solver.presets
    wanted = [(NINE, first, 250), (FOUR, first, 250), (FOUR_DIAGONAL, first, 60)]
    wanted += [(NINE, preset, 60) for preset in others]
    taken = tuple(filter(None, (case_of(solver, *each) for each in wanted)))
    require(bool(taken), "the solver refuses all puzzles of the checks")
    return taken


@dataclass(repr=False)
class Log:
    """The reference log of a run, made by `steps`; all else is compared with it."""

    case: Case
    solver: AnySolver
    """The solver, or its recorder if runs cannot be re-executed."""
    start: State
    events: list[tuple[Event, ...]] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    """state.step after each step."""
    digests: list[str] = field(default_factory=list)
    """Of the states after step 0, 1, 2..."""
    energies: list[int] = field(default_factory=list)
    """E after step 0, 1, 2..."""

    label: str = ""

    def __str__(self) -> str:
        return self.label

    @property
    def length(self) -> int:
        return len(self.events)

    @property
    def all_events(self) -> list[Event]:
        return list(itertools.chain.from_iterable(self.events))

    def begin(self) -> State:
        """A copy of the state at step 0."""
        return states.copy(self.start)

    def state_at(self, step: int) -> State:
        """A new state at a step, made by `steps`."""
        state = self.begin()
        for _ in take(self.solver.steps(state, self.case.params), step):
            pass
        return state

    def moments(self) -> Iterator[tuple[State, tuple[Event, ...]]]:
        """About twenty steps of the run: the state, to be read only, and its events."""
        state = self.begin()
        yield state, ()
        stride = max(1, self.length // 20)
        for events in take(self.solver.steps(state, self.case.params), self.length):
            if state.step < 10 or state.step % stride == 0 or state.step == self.length:
                yield state, events

    def kinds(self) -> list[str]:
        return sorted({kind for event in self.all_events for kind in event.kinds})

    def stops(self) -> list[Stop]:
        """Stops on every kind that occurs and one that does not, on two energies and on two cells."""
        energies = sorted(set(self.energies))
        cells = sorted({cell for event in self.all_events for cell in event.touched})
        return [*(Stop(frozenset({kind})) for kind in self.kinds()), Stop(frozenset({"no such kind"})),
                *(Stop(energy=energy) for energy in {energies[0], energies[len(energies) // 2]}),
                *(Stop(cell=cell) for cell in cells[:: max(1, len(cells) - 1)]),
                Stop(frozenset(self.kinds()[:1]), energies[0], cells[-1] if cells else None)]

    def hits(self, stop: Stop) -> list[int]:
        """The steps that hit a stop."""
        return [number for number, events in enumerate(self.events, 1)
                if stop.hit(events, self.energies[number - 1], self.energies[number])]

    def run(self) -> Run:
        """A Run of the case; for a recorded solver it plays the recording of the log."""
        return Run.start(self.solver, self.case.puzzle, self.case.params, SEED)


def take(steps: Steps, n: int) -> Steps:
    """At most n items, without drawing one too many."""
    return itertools.islice(steps, n)


@functools.cache
def logs(solver: AnySolver) -> tuple[Log, ...]:
    """One log a case."""
    return tuple(log_of(solver, case) for case in cases(solver))


def log_of(solver: AnySolver, case: Case) -> Log:
    """Run a case, and log what the laws compare."""
    subject = Recorder(solver, case.init(solver)) if solver.recorded else solver
    state = case.init(subject)
    log = Log(case, subject, states.copy(state), label=str(case))
    log.digests.append(states.digest(state))
    log.energies.append(state.energy)
    for events in take(subject.steps(state, case.params), case.steps):
        log.events.append(events)
        log.steps.append(state.step)
        log.digests.append(states.digest(state))
        log.energies.append(state.energy)
    require(log.length > 0, f"{case}: the run has no steps")
    return log


def fingerprints(solver: AnySolver) -> list[str]:
    """For each case a digest of its events and of its last state."""
    packed = ((msgspec.msgpack.encode(log.events), log.digests[-1].encode()) for log in logs(solver))
    return [hashlib.blake2b(events + end, digest_size=16).hexdigest() for events, end in packed]


def address(solver: AnySolver) -> tuple[str, str, str | None]:
    """The address of the solver for a new process: module, global, and key if the global is a dict."""
    named = registry.BUILT_IN.get(solver.name)
    for module in filter(None, (named, type(solver).__module__)):
        for name, value in vars(importlib.import_module(module)).items():
            if value is solver:
                return module, name, None
            if isinstance(value, dict) and value.get(solver.name) is solver:
                return module, name, solver.name
    raise Nonconformance(f"the solver object is not a global of {type(solver).__module__}: expected SOLVER = …")


def is_plain(value: Any) -> bool:
    """True if a value is a number, text, None or truth value of Python's own, or a tuple of such."""
    if type(value) is tuple:
        return all(is_plain(each) for each in value)
    return value is None or type(value) in (int, float, str, bool)


def numpy_state() -> str:
    """numpy's global random state, as a text to compare."""
    name, keys, *rest = np.random.get_state()
    return f"{name} {np.asarray(keys).tobytes().hex()} {rest}"


def turns(solver: AnySolver) -> Iterator[tuple[str, Any]]:
    """(name, other legal value) of every knob and live parameter."""
    for knob in solver.knobs:
        yield knob.name, (knob.minimum + knob.maximum) / 2
    params = cases(solver)[0].params
    for each in parameters.describe(type(params)):
        if each.live:
            yield from ((each.name, value) for value in _others(each, getattr(params, each.name)))


def _others(each: parameters.Parameter, now: Any) -> Iterator[Any]:
    """One or two legal values of a parameter other than the one it has."""
    if each.type is bool:
        yield not now
    elif each.choices:
        yield from [choice for choice in each.choices if choice != now][:2]
    elif each.type in (int, float):
        for value in (now * 2, now / 2 if each.type is float else now // 2, each.minimum):
            if value is not None and value != now and _legal(each, value):
                yield each.type(value)
                return


def _legal(each: parameters.Parameter, value: Any) -> bool:
    low, high = each.minimum, each.maximum
    return ((low is None or value > low or (value == low and not each.exclusive_minimum))
            and (high is None or value < high or (value == high and not each.exclusive_maximum)))


# Puzzles with no, one and many solutions, which a complete solver must distinguish: classic and with diagonals, in
# three sizes. Each takes little time; some need a search.

DECIDING = 100_000
"""Most steps that a complete solver may take for each."""

_LARGE = (
    "E594A216FBG.8.D7G26D87E3C1A.FB5938F1.GB9E5D7264AC7BAD5F4962.G3E1"
    "7D8B26351E9A.FGC2EA6497F8G.C31BD43.CEBG8D7F259A65.G91AD.B436E728"
    "8B376.2AG9C51DF.195F784GA3.DC26EAC.G9F51624E783B642E.3CD781FAG95"
    "B6.3G1AE5F.9D482DGE254{}..C{}{}9A1F9175FD{}2.A{}GBEC3F.483C9B2DE1657G"
)
"""A 16x16 board with five gaps: four in which 6 and 8 are interchangeable, one for a wrong value."""


_puzzle = Puzzle.from_line


DECIDED: tuple[tuple[str, Puzzle, int], ...] = (
    ("one solution", FOUR, 1),
    ("one solution on the diagonals", FOUR_DIAGONAL, 1),
    ("many solutions", _puzzle("1..............."), 2),
    ("every grid", Puzzle((0,) * 16, 2), 2),
    ("every grid on the diagonals", Puzzle((0,) * 16, 2, "diagonal"), 2),
    ("a valid full grid", _puzzle("1234341221434321"), 1),
    ("an invalid full grid", _puzzle("1234341221434312"), 0),
    ("a full grid that is invalid on a diagonal", _puzzle("1234341221434321", "diagonal"), 0),
    ("givens that contradict each other", _puzzle("11.............."), 0),
    ("givens that contradict each other on a diagonal", _puzzle("1....1..........", "diagonal"), 0),
    ("a cell without a value", _puzzle("123....4........"), 0),
    ("two values for one cell of a row", UNSOLVABLE, 0),
    ("one solution, 9x9", NINE, 1),
    ("many solutions, 9x9", _puzzle(
        "..3.2.6..9..3.5.....18.64....81.29..7.......8..67.82....26..5..8..2.3..9..5.1.3.."), 2),
    ("every grid, 9x9", Puzzle((0,) * 81), 2),
    ("a value too many, 9x9", _puzzle(
        "5.3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."), 0),
    ("no solution in either of two cases, 9x9", _puzzle(
        "...1..9...3.456...5....8.......2...32...7.64..6.58..2.9..2.....4......5.12....7.4"), 0),
    ("one solution on the diagonals, 9x9", _puzzle(
        ".5613.74.....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72..", "diagonal"), 1),
    ("many solutions on the diagonals, 9x9", _puzzle(
        ".396..54.....9..3...8...7...83.26..15.1..........5.3..72..38..43..4.......45.2.7.", "diagonal"), 2),
    ("a solution that only a diagonal forbids, 9x9", _puzzle(
        ".5613.742....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72..", "diagonal"), 0),
    ("the same without diagonals, 9x9", _puzzle(
        ".5613.742....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72.."), 1),
    ("one solution, 16x16", _puzzle(_LARGE.format("8", "6", ".", "6", "8")), 1),
    ("many solutions, 16x16", _puzzle(_LARGE.format(*".....")), 2),
    ("a value too many, 16x16", _puzzle(_LARGE.format("8", "6", "3", "6", "8")), 0),
)
"""(label, puzzle, solutions: 0, 1, or 2 for several)."""
SOLVABLE = frozenset(puzzle for _, puzzle, solutions in DECIDED if solutions)
