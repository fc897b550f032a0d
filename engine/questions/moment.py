"""The moment before a step, as far as questions need it; and the questions by type of event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import singledispatch

from msgspec import Struct

from engine.events import Event
from engine.params import Params
from engine.puzzle import Puzzle, Unit
from engine.questions.forms import Question
from engine.view import View


class CopiedPart(Struct, frozen=True):
    """The part of a gene that a crossover copies from the first parent."""

    gene: Unit
    cells: tuple[int, ...]
    """The free cells of the gene, of which ..."""
    begin: int
    end: int
    """... begin <= i < end are copied."""


class Crossing(Struct, frozen=True):
    """A crossover, as far as a learner needs it to make the child by hand."""

    inside: str
    """The crossover inside each gene, `pmx` or `order`; empty for one that takes whole blocks from either parent."""
    segments: tuple[CopiedPart, ...]
    """Of a crossover inside genes: one for each gene."""
    crossed: tuple[Unit, ...]
    """The units that have cells of several blocks."""
    permuted: bool
    """True if genes are permutations."""
    child: tuple[int, ...]
    """As it was born: mutated, but not refined."""


class Succession(Struct, frozen=True):
    """The end of a generation: its best individuals and all children are the next one."""

    energies: tuple[int, ...]
    """E of the individuals by rank, then of the children."""
    size: int
    """The number of individuals without the children."""
    kept: int
    """The number of those that stay."""


class Pull(Struct, frozen=True):
    """A grid that a particle is drawn to."""

    name: str
    """`gBest`"""
    means: str
    """Its meaning: `the best grid of all in this attempt`."""
    grid: tuple[int, ...]
    factor: tuple[str, float]
    """(symbol, value) of the constant, ..."""
    drawn: tuple[str, float]
    """... and of the random number that it is multiplied by."""


class Moment(Struct, frozen=True):
    """A state, and the events of the step that follows it."""

    puzzle: Puzzle
    view: View
    """Of the state before the step."""
    params: Params
    events: tuple[Event, ...]
    """Of the step itself: the model answer."""
    individual: Callable[[int], View]
    """The view of the individual at a place before the step, for a population."""
    counted: tuple[Unit, ...] = ()
    """The units whose surplus E is; empty where E is something else."""
    changes: Callable[[], Mapping[frozenset[int], int]] | None = None
    """ΔE of every move, by its cells; None where moves cannot be listed."""
    move: str = ""
    """A move, described by a clause: `two free cells of a box change places`; empty where that is not told."""
    verdict: tuple[tuple[str, str], ...] = ()
    """The rule by which a move is accepted: (name, value)."""
    next_cells: frozenset[int] = frozenset()
    """The cells that the rule of a search allows as the next one; empty where it has no such rule."""
    next_rule: str = ""
    """That rule, as a clause: `the fewest candidates`."""
    drawn: tuple[tuple[int, int], ...] = ()
    """The individuals drawn for the tournament of the first parent: (place, E)."""
    ranking: tuple[int, ...] = ()
    """E of the individuals by rank, where parents are the 1st and the 2nd, the 3rd and the 4th, ...; else empty."""
    law: tuple[tuple[str, str], ...] = ()
    """The rule by which T falls: (name, value)."""
    floor: float = 0.0
    """The T below which it does not fall; 0 if there is none."""
    knob: str = ""
    """The knob of T; empty if there is none."""
    by_hand: str = ""
    """The intervention that makes a move by hand; empty if the solver has none."""
    reheat: tuple[tuple[str, str], ...] = ()
    """The rule of a reheat: (name, value); empty where T is never reheated."""
    reheat_sets: bool = False
    """True if a reheat may lower T too."""
    start: float = 0.0
    """T₀, of which a reheat takes a share."""
    bans: Callable[[], Mapping[frozenset[int], int]] | None = None
    """Of every tabu move the number of steps for which it stays tabu, by its cells; None without a tabu list."""
    lowest: int = 0
    """The E below which a tabu move must lead to be made all the same."""
    crossing: Crossing | None = None
    """The crossover of the child that is born; None if it has one parent."""
    succession: Succession | None = None
    """The end of the generation, if it ends at this step."""
    pulls: tuple[Pull, ...] = ()
    """The grids that the particle of this step is drawn to."""
    facts: Struct | None = None
    """Facts that only the family of the solver knows; the module that asks about its events has their type."""


@singledispatch
def ask(event: Event, moment: Moment) -> Iterator[Question]:
    """The questions about one event of the step; none for a type of event that has no questions of its own.

    Register those of new event types with `@ask.register`.
    """
    yield from ()
