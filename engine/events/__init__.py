"""Events: the small immutable records of a run, distinguished by type. This module has those of every family.

An event has the number of its step (1 is the first; 0 only while a state is made) and the id of the pseudo-code line
that produced it. `Run.find` and breakpoints select events by their `kinds`. Cells are numbered row by row from 0.
"""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

import msgspec

Status = Literal["solved", "no_solution", "gave_up", "unknown"]
Verdict = Literal["improved", "equal", "uphill", "rejected"]


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base of all events. Match subclasses by type."""

    step: int
    line: str

    RARE: ClassVar[bool] = False
    """A rare event is returned by `advance`, even from a kernel, and indexed by the run."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of this event, the most specific first."""
        return (str(self.__struct_config__.tag),)

    @property
    def energy_after(self) -> int | None:
        """The energy after this event; None for events that do not concern it."""
        return None

    @property
    def touched(self) -> tuple[int, ...]:
        """The cells whose value or candidates this event changed; breakpoints on cells use it."""
        return ()


class SwapJudged(Event, frozen=True, tag="swap"):
    """A proposed exchange (two cells) or rotation (three: the value of each moves to the next) was judged."""

    cells: tuple[int, ...]
    values: tuple[int, ...]
    """The values in `cells` before the proposal."""
    delta: int
    """ΔE of the move."""
    energy: int
    """E after the verdict."""
    accepted: bool
    temperature: float | None = None
    """None without a temperature."""
    p: float | None = None
    """The acceptance probability, compared with u; None without a draw."""
    u: float | None = None

    @property
    def verdict(self) -> Verdict:
        if not self.accepted:
            return "rejected"
        return "improved" if self.delta < 0 else "equal" if self.delta == 0 else "uphill"

    @property
    def energy_before(self) -> int:
        return self.energy - self.delta if self.accepted else self.energy

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.verdict, "accepted", "swap") if self.accepted else (self.verdict, "swap")

    @property
    def energy_after(self) -> int | None:
        return self.energy

    @property
    def touched(self) -> tuple[int, ...]:
        return self.cells if self.accepted else ()


class Cooled(Event, frozen=True, tag="cooled"):
    """A plateau ended and the schedule gave the next temperature (the same one when it is held at the floor)."""

    before: float
    after: float
    plateau: int
    """Number of the plateau that ended, counted from 1 over the whole run."""
    accepted: int
    moves: int
    """`accepted` of `moves` proposals of that plateau were accepted."""


class Swept(Event, frozen=True, tag="sweep"):
    """A whole cooling sweep ended; the next begins with the same grid."""

    RARE: ClassVar[bool] = True
    sweep: int
    energy: int


class Calibrated(Event, frozen=True, tag="calibrated"):
    """A random walk fixed the starting temperature (Lewis 2007)."""

    RARE: ClassVar[bool] = True
    temperature: float
    deviation_delta: float
    """Standard deviation of ΔE over the walk."""
    deviation_energy: float
    """Standard deviation of E over the walk."""
    samples: int


class Reheated(Event, frozen=True, tag="reheat"):
    """The temperature was raised with the state kept (or lowered, where the rule sets it)."""

    RARE: ClassVar[bool] = True
    before: float
    after: float
    factor: float
    """The share of T0 that the schedule returned to."""
    number: int
    """Reheats in this attempt, this one included."""
    stagnation: int
    """Plateaus without progress that led to it."""
    gained: int
    """The fall of E from the previous reheat (or the start of the attempt) to the lowest point since."""


class NotRaised(Event, frozen=True, tag="not_raised"):
    """A reheat was due, but T was as high already, and stays."""

    temperature: float
    factor: float
    """The share of T0 that a reheat would have raised T to."""
    number: int
    """Reheats in this attempt, this one included."""
    stagnation: int
    """Plateaus without progress that led to it."""


class Restarted(Event, frozen=True, tag="restart"):
    """The run continues from a new state."""

    RARE: ClassVar[bool] = True
    attempt: int
    """Number of the attempt that begins, counted from 1."""
    attempts: int
    """Attempts in all; 0 when there is no limit."""
    energy: int
    """E of the new state."""
    best: int
    """The lowest E before it."""

    @property
    def lowest(self) -> int:
        """The lowest E so far: that of the new state may be lower than all before."""
        return min(self.best, self.energy)


class NewBest(Event, frozen=True, tag="best"):
    """E is lower than ever before in this run."""

    RARE: ClassVar[bool] = True
    energy: int
    before: int

    @property
    def energy_after(self) -> int | None:
        return self.energy


class LocalMinimum(Event, frozen=True, tag="minimum"):
    """The search is stuck; the numbers of better, equal and worse neighbours."""

    RARE: ClassVar[bool] = True
    energy: int
    better: int
    equal: int
    worse: int


class Scanned(Event, frozen=True, tag="scan"):
    """The whole neighbourhood was evaluated and its best move judged (steepest descent)."""

    cells: tuple[int, ...]
    values: tuple[int, ...]
    delta: int
    energy: int
    accepted: bool
    better: int
    equal: int
    worse: int

    @property
    def kinds(self) -> tuple[str, ...]:
        if not self.accepted:
            return ("rejected", "scan")
        return ("improved" if self.delta < 0 else "equal" if self.delta == 0 else "uphill", "accepted", "scan")

    @property
    def energy_after(self) -> int | None:
        return self.energy

    @property
    def touched(self) -> tuple[int, ...]:
        return self.cells if self.accepted else ()


class Assigned(Event, frozen=True, tag="assigned"):
    """A value was written into a free cell."""

    cell: int
    value: int
    reason: str
    """A key of the solver's reasons, e.g. `naked single`, `hidden single in row 4`, `guess`, `next value`."""
    depth: int = 0
    """Open choices on the stack, this one included; 0 without a search."""
    guess: bool = False
    """True if several values were left, so that this one may have to be retracted."""

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("assigned", "guess") if self.guess else ("assigned",)

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,)


class Retracted(Event, frozen=True, tag="retracted"):
    """An assignment was undone."""

    cell: int
    value: int
    depth: int = 0
    """Open choices on the stack after the retraction."""

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,)


class Eliminated(Event, frozen=True, tag="eliminated"):
    """A candidate was removed from a cell."""

    cell: int
    value: int
    because: tuple[int, ...]
    """The cells that exclude it; empty when the reason is enough."""
    reason: str

    @property
    def touched(self) -> tuple[int, ...]:
        return (self.cell,)


class Contradiction(Event, frozen=True, tag="contradiction"):
    """The state cannot be completed."""

    cells: tuple[int, ...]
    """The core: cells that cannot all be correct; empty when it concerns none in particular."""
    reason: str
    """As a clause: `no value fits`, `no place left for 2 in column 5`."""


class Done(Event, frozen=True, tag="done"):
    """The run is over."""

    RARE: ClassVar[bool] = True
    status: Status
    energy: int
    """E of the grid that the run returns."""
    reason: str
    """The reason, as a clause: `E = 0`, `all 6 attempts are spent`, `no two free cells share a row`."""

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.status, "done")


def event_types() -> tuple[type[Event], ...]:
    """All event types, including those of other packages, ordered by tag."""
    found: list[type[Event]] = []
    waiting = list(Event.__subclasses__())
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting += kind.__subclasses__()
    return tuple(sorted(found, key=lambda kind: str(kind.__struct_config__.tag)))


def rare_kinds() -> frozenset[str]:
    """The kinds of rare events; a run has all their steps in its index."""
    tags = frozenset(str(kind.__struct_config__.tag) for kind in event_types() if kind.RARE)
    return tags | frozenset(get_args(Status))
