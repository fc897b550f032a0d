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
    next_cells: frozenset[int] = frozenset()
    """The cells that the rule of a search allows as the next one; empty where it has no such rule."""
    next_rule: str = ""
    """That rule, as a clause: `the fewest candidates`."""
    drawn: tuple[tuple[int, int], ...] = ()
    """The individuals drawn for the tournament of the first parent: (place, E)."""
    law: tuple[tuple[str, str], ...] = ()
    """The rule by which T falls: (name, value)."""
    knob: str = ""
    """The knob of T; empty if there is none."""
    by_hand: str = ""
    """The intervention that makes a move by hand; empty if the solver has none."""


@singledispatch
def ask(event: Event, moment: Moment) -> Iterator[Question]:
    """The questions about one event of the step; none for a type of event that has no questions of its own.

    Register those of new event types with `@ask.register`.
    """
    yield from ()
