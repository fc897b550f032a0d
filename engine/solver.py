"""The contract of all solvers.

A solver is `init(puzzle, params, seed) -> state` and a generator `steps(state, params)` that yields the events of one
step at a time. At each yield `state` is the state after the step, and nothing else is kept across it: the generator can
be dropped at any yield and a new one started from a copy of the state. Stopping, rewinding and replaying rely on this.
`engine.conformance` checks every registered solver.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from itertools import islice
from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct

from engine import params as parameters
from engine.breakpoints import NEVER, Stop
from engine.errors import MissingExtra, ParameterError, UnknownName
from engine.events import Done, Event, Status
from engine.events.because import because, reason
from engine.events.explain import explain
from engine.interrupt import Interrupted
from engine.params import Params, Value
from engine.puzzle import Puzzle
from engine.questions import Moment, Question, asked_about, may_ask
from engine.state import State
from engine.view import Channel, Line, Role, Sentence, View

S = TypeVar("S", bound=State)
P = TypeVar("P", bound=Params)

JUMPS = ("uphill", "best", "reheat", "restart", "doubled", "sweep", "minimum", "contradiction")
"""Kinds of events with keys on the screen that go to the next and the previous one."""

Reason = Literal["steps", "stop", "done"]


class Advanced(Struct, frozen=True):
    """The result of `advance`."""

    steps: int
    """Steps made, at most n. Fewer with reason `steps`: call again for the rest."""
    reason: Reason
    """`steps`: no halt; `stop`: the last step hit the stop; `done`: the run has ended."""
    rare: tuple[Event, ...]
    """The rare events of these steps, in order."""


class Outcome(Struct, frozen=True):
    """The end of a run and its result."""

    status: Status
    grid: tuple[int, ...]
    """The best grid over the whole run: n*n values, 0 = empty."""
    energy: int
    """The solver's own energy of that grid."""
    reason: str
    restarts: int = 0


class Knob(Struct, frozen=True):
    """A part of the state that the user may change during a run (the temperature)."""

    name: str
    symbol: str
    help: str
    minimum: float
    maximum: float
    ratio: float = 1.1
    """A key press multiplies or divides the value by this."""


class InnerRun(Struct, frozen=True):
    """A search that was made inside one step, as a run of its own: `Run.start(solver, puzzle, params, seed)`."""

    solver: Any
    """An AnySolver; it need not be in the registry."""
    params: Params
    seed: int
    individual: int
    """The place, after the step, of the individual that the best grid of the run became."""


class Solver(ABC, Generic[S, P]):
    """Base of all solvers. A solver object holds no run: all progress is in the state."""

    name: ClassVar[str]
    """The registry name: `anneal-reheat`."""
    title: ClassVar[str]
    """The name on the screen: `Annealing with reheats`."""
    family: ClassVar[str]
    """`annealing`, `population`, `exact`, `symbolic`, `human` or `inference`."""
    summary: ClassVar[str]
    """One or two sentences: what it does, and its limits."""
    energy_counts: ClassVar[str] = "the errors left in the grid"
    """The end of the sentence `E counts …`; E = 0 is solved."""
    references: ClassVar[tuple[str, ...]] = ()
    program: ClassVar[tuple[Line, ...]]
    Params: ClassVar[type[Params]]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"default": {}}
    """By name, values that replace the declared defaults; the first preset is the default."""
    knobs: ClassVar[tuple[Knob, ...]] = ()
    by_hand: ClassVar[tuple[str, ...]] = ()
    """Names of interventions that `intervene` takes beside knobs and parameters, with a text as their value: what a
    learner does by hand to the state, as a move."""
    channels: ClassVar[tuple[Channel, ...]]
    step_word: ClassVar[str] = "step"
    """The noun for a step: proposal, assignment, offspring…"""
    other_steps: ClassVar[str] = ""
    """Other kinds of steps, as the end of a sentence: `or the retraction of one`."""
    speed: ClassVar[float] = 1000.0
    """Default playing speed in steps per second: low if each step is worth watching."""
    period_word: ClassVar[str] = ""
    """The period that the keys < and > move by (plateau, generation); empty for none."""
    period_kind: ClassVar[str] = ""
    """The event kind that ends such a period."""
    kinds: ClassVar[tuple[str, ...]] = ()
    """All kinds of its events, in the order in which lists of breakpoints offer them; empty: undeclared."""
    question_kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds of questions of its own, beside those of `engine.questions.KINDS`."""
    kind_words: ClassVar[Mapping[str, str]] = {}
    """Its own nouns for kinds of events: `epoch` for `generation`."""
    glossary: ClassVar[Mapping[str, str]] = {}
    """The meanings of its gauges and channels, by label, where `engine.glossary` has another meaning or none; and of
    other words of its panel."""
    mark_words: ClassVar[Mapping[Role, str]] = {}
    """The meanings of marks on its boards, as whole sentences, where they differ from those of the screen's help."""
    checkpoint_stride: ClassVar[int] = 1
    """Initial steps between checkpoints: about as many as take a millisecond."""
    trajectory: ClassVar[int] = 1
    """Version of the trajectory. Raise it when the same recipe gives other events than before."""
    earlier: ClassVar[Mapping[int, Mapping[str, Value]]] = {}
    """Earlier versions of the trajectory whose runs can still be re-executed, with the values of parameters that their
    recipes lack: read with them, a recipe gives the same states as then. Runs of other versions are refused."""
    recorded: ClassVar[bool] = False
    """True for a solver whose run cannot be re-executed from its recipe; such runs are recorded."""
    interruptible: ClassVar[bool] = False
    """True if one step may block in a foreign engine. Callers then run steps one at a time, in a worker thread if they
    must stay responsive."""
    resumable: ClassVar[bool] = True
    """False for a recorded solver whose search is inside a foreign engine and cannot continue from a copy of the state:
    a recording from a file, or a branch, then ends with its last step."""
    loads: ClassVar[str] = ""
    """The engine that `warm_up` loads, as the screen names it: `Z3`. Empty for a solver that has kernels to compile."""
    extra: ClassVar[tuple[str, str] | None] = None
    """(module, extra of this distribution) for a solver that takes an optional package: ("ortools", "ortools")."""
    inner_kind: ClassVar[str] = ""
    """The kind of event whose step holds a search that `inner_run` returns; empty: no step does."""
    gives: ClassVar[frozenset[Literal["candidates", "panel"]]] = frozenset()
    """The optional parts of its views, so that a screen reserves room for them before there is a run."""
    touches_givens: ClassVar[bool] = False
    """True if its events may touch givens, because it reports what an engine derives about them."""
    complete: ClassVar[bool] = False
    """True if it proves unsolvable puzzles unsolvable."""

    # To be defined by every solver

    @abstractmethod
    def init(self, puzzle: Puzzle, params: P, seed: int) -> S:
        """The state before the first step. Raises BadInput for a puzzle that this solver cannot take."""

    @abstractmethod
    def steps(self, state: S, params: P) -> Iterator[tuple[Event, ...]]:
        """The events of one step per item, in order, at least one. Ends once `outcome(state)` is not None."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The outcome, or None while steps follow."""

    @abstractmethod
    def view(self, state: S, params: P, events: tuple[Event, ...]) -> View:
        """The view after a step with these events (none at step 0)."""

    @abstractmethod
    def sample(self, state: S, params: P) -> tuple[float, ...]:
        """One number per channel; nan where it has none at this step."""

    # Defaults to be overridden

    def channels_for(self, params: P) -> tuple[Channel, ...]:
        """`channels` with the scales that suit these parameters."""
        return self.channels

    def program_for(self, params: P) -> tuple[Line, ...]:
        """`program` with the texts that suit these parameters; the ids are the same."""
        return self.program

    def best(self, state: S) -> tuple[tuple[int, ...], int]:
        """The best grid so far (n*n values) and its energy: the result of a run that is cut short. The default is the
        current grid; a solver that may leave its best grid keeps a copy in the state."""
        return state.grid, state.energy

    def individuals(self, state: S) -> int:
        """The number of individuals; 0 without a population."""
        return 0

    def judged(self, state: S, before: Callable[[], S], params: P, events: tuple[Event, ...]) -> S | None:
        """The state that the sentence of a step is about, where the step went on to another one (a new attempt, the
        retraction after a dead end); None if it is `state`, the one after the step. The step is shown in this state,
        with its numbers. `before` gives the state before the step."""
        return None

    def view_of(self, state: S, params: P, events: tuple[Event, ...], place: int) -> View:
        """`view` of the individual at a place (0 <= place < individuals): its grid, conflicts, and the parents of its
        cells if known."""
        raise TypeError(f"{self.name} has no individuals")

    def inner_run(self, before: S, params: P, events: tuple[Event, ...]) -> InnerRun | None:
        """The search inside the step of these events, from the state and the parameters before it; None if there was
        nothing to search. Its last proposal leads to what the step made of it, bit for bit."""
        return None

    def evaluations(self, state: S, params: P) -> int:
        """The number of candidates evaluated so far, to compare searches whose steps differ in size. Never decreases.
        The default is one per step."""
        return state.step

    def most_evaluations(self, state: S, params: P) -> int:
        """An upper bound of what one step from here adds to `evaluations`."""
        return 1

    @property
    def has_individuals(self) -> bool:
        """True if its states may have individuals."""
        return type(self).individuals is not Solver.individuals

    @property
    def is_changeable(self) -> bool:
        """True if something can change its runs: a knob, a live parameter, or a change by hand."""
        return bool(self.knobs or self.by_hand) or any(each.live for each in parameters.describe(self.Params))

    @property
    def has_chance(self) -> bool:
        """True if its acceptance test compares a random draw with a probability; the screen then has a chance bar. The
        default is True for a solver with a temperature."""
        return any(channel.role == "temperature" for channel in self.channels)

    def jumps(self, params: P) -> frozenset[str]:
        """The kinds of JUMPS that can occur with these parameters; the screen offers keys for these. The default is
        those in `kinds`, or all if `kinds` is empty."""
        return frozenset(JUMPS).intersection(self.kinds or JUMPS)

    def advance(self, state: S, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        """Make up to n steps in place. The default iterates over `steps`; a kernel may override it with the same
        trajectory."""
        return self.advance_steps(state, self.steps(state, params), n, stop)

    def advance_steps(self, state: S, steps: Iterator[tuple[Event, ...]], n: int, stop: Stop) -> Advanced:
        """`advance` with a running generator of this state. A Run keeps it from call to call, so that a generator that
        is slow to start is not started again for every chunk."""
        done, rare = 0, []
        before = state.energy
        for events in _until_interrupted(islice(steps, n)):
            done += 1
            rare += [event for event in events if event.RARE]
            after = state.energy
            if stop and stop.hit(events, before, after):
                return Advanced(done, "done" if self.outcome(state) else "stop", tuple(rare))
            before = after
        return Advanced(done, "done" if self.outcome(state) else "steps", tuple(rare))

    def events(self, state: S, params: P, n: int) -> Iterator[tuple[Event, ...]]:
        """The events of up to n steps, advancing the state in place. The state is undefined between two items; after
        the last it is the one after that step. A kernel may decode many steps at once."""
        yield from islice(self.steps(state, params), n)

    def explain(self, event: Event, n: int = 9) -> Sentence:
        """The event as a whole sentence; `n` is the side of the grid, for the names of cells."""
        return explain(event, n)

    def because(self, event: Event, state: S, params: P) -> Sentence:
        """The reason of an event: one plain sentence of at most `MOST_BECAUSE` columns, without a badge. `state` is
        that after the event's step. For a type of event without a reason it names the program line."""
        if isinstance(event, Done) and not any("E" in channel.label.split() for channel in self.channels):
            if event.status == "solved":
                return reason("Every cell has a value and no unit repeats one, so the run ends.")
            if event.status == "gave_up":
                return reason("The run ends without a solution; its result is the best grid that it had.")
        found = because(event, state.puzzle.n)
        if found is not None:
            return found
        line = next((line.text for line in self.program if line.id == event.line), event.line)
        return reason("The program has come to the line “{line}”.", line=line.strip())

    def because_in(self, event: Event, events: tuple[Event, ...], before: Callable[[], S], state: S,
                   params: P) -> Sentence:
        """`because` of one of the events of a step, where the others or the state before the step, which `before`
        gives, tell more. The default is `because`."""
        return self.because(event, state, params)

    def energy_counted(self, state: S, params: P) -> str:
        """The quantity that E counts in this run, as the end of the sentence `E counts …`."""
        return self.energy_counts

    def moment(self, before: S, params: P, events: tuple[Event, ...]) -> Moment:
        """The state before a step and the events of that step, as questions need them. A solver adds what its events
        do not tell: the units that E counts, all moves with their ΔE, the cells that its rule allows next."""
        return Moment(before.puzzle, self.view(before, params, ()), params, events,
                      lambda place: self.view_of(before, params, (), place))

    def ask(self, before: S, params: P, events: tuple[Event, ...]) -> tuple[Question, ...]:
        """The questions about the step of these events, from the state before it. The default asks by type of event; a
        solver with events of its own may ask more."""
        return asked_about(self.moment(before, params, events)) if may_ask(events) else ()

    def reading(self, state: S, params: P, name: str) -> Value | None:
        """The current value of a knob or parameter. That of a knob is the sample of the channel of its name, else of
        the first temperature channel; None if there is none, and for what is done by hand."""
        if name in params.__struct_fields__:
            return getattr(params, name)  # type: ignore[no-any-return]
        if name in self.by_hand:
            return None
        values = list(zip(self.channels, self.sample(state, params), strict=True))
        named = [value for channel, value in values if channel.key == name]
        warm = [value for channel, value in values if channel.role == "temperature"]
        return next((value for value in (*named, *warm) if math.isfinite(value)), None)

    def intervene(self, state: S, params: P, name: str, value: object) -> P:
        """Change a knob or a parameter between two steps, in `state` if need be; returns the parameters in force from
        now on. Raises UnknownName or ParameterError with the state unchanged."""
        declared = {parameter.name: parameter for parameter in parameters.describe(type(params))}
        if name in declared and not declared[name].live:
            raise ParameterError(f"{name} cannot change while a run goes on: start a new run with it")
        if name not in declared:
            raise UnknownName(f"{self.name} has no knob or parameter {name!r}")
        return parameters.changed(params, name, value)

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        """Compile the kernels for a board of this puzzle's shape with these parameters; without a puzzle, for any run
        of this solver. Kernels left out are compiled at their first call."""

    # Derived from the declarations

    def oldest_version(self, values: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """The oldest version of the trajectory in which these parameters make the same run, and those of them that its
        recipes had."""
        for version, lacking in sorted(self.earlier.items()):
            if all(values.get(name) == value for name, value in lacking.items()):
                return version, {name: value for name, value in values.items() if name not in lacking}
        return self.trajectory, dict(values)

    def missing(self) -> str | None:
        """One sentence on the missing package and how to install it; None if the solver can run. Imports nothing."""
        if self.extra is None or find_spec(self.extra[0]) is not None:
            return None
        return (f"{self.name} takes the package {self.extra[0]}, which is not installed: "
                f"pip install 'sudoku-tui[{self.extra[1]}]'")

    def require(self) -> None:
        """Raise MissingExtra if the solver cannot run here."""
        why = self.missing()
        if why is not None:
            raise MissingExtra(why)

    def make_params(self, preset: str | None = None, values: Mapping[str, object] | None = None) -> P:
        """Parameters from a preset (the first one if None) and single values on top. Raises UnknownName for a preset
        or parameter that does not exist, ParameterError for a value out of bounds."""
        chosen = next(iter(self.presets)) if preset is None else preset
        if chosen not in self.presets:
            raise UnknownName(f"{self.name} has no preset {preset!r}: expected one of {', '.join(self.presets)}")
        built: Any = parameters.build(self.Params, {**self.presets[chosen], **(values or {})})
        return built  # type: ignore[no-any-return]


def _until_interrupted(steps: Iterator[tuple[Event, ...]]) -> Iterator[tuple[Event, ...]]:
    """The steps up to one that is broken off; it is Interrupted if that is the first."""
    made = 0
    try:
        for events in steps:
            yield events
            made += 1
    except Interrupted:
        if not made:
            raise


AnySolver = Solver[Any, Any]
