"""Questions about belief propagation: which value the messages to a cell favour together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.events.explain import cell as name_of
from engine.events.search import Passed
from engine.questions.forms import Choice, Question, fitting
from engine.questions.moment import Moment, ask
from engine.questions.sampling import sample

VALUES = 3
"""Values whose messages are shown."""
CLEAR = 1.15
"""The least ratio of the strongest belief to the next one, also after rounding."""


class Believing(Struct, frozen=True):
    """The messages of a sweep."""

    messages: Mapping[int, tuple[tuple[str, tuple[float, ...]], ...]]
    """For each open cell, by name of the unit, its message about each value from 1."""


@ask.register
def _about_sweep(event: Passed, moment: Moment) -> Iterator[Question]:
    facts = moment.facts
    if not isinstance(facts, Believing):
        return
    asked = {cell: found for cell, messages in facts.messages.items() if (found := _clear(messages))}
    surprising = [cell for cell, values in asked.items() if _loudest(facts.messages[cell], values)]
    for cell in sample(surprising or asked, 1, event.step):
        yield _strongest(cell, facts.messages[cell], asked[cell], moment.puzzle.n)


def _shown(message: float) -> float:
    """A message as it is shown: what is not certain is not shown as 1."""
    return min(round(message, 2), 0.99) if message < 1 else 1.0


def _product(messages: tuple[tuple[str, tuple[float, ...]], ...], value: int) -> float:
    return math.prod(_shown(message[value - 1]) for _unit, message in messages)


def _factors(messages: tuple[tuple[str, tuple[float, ...]], ...], value: int) -> str:
    return " · ".join(f"{_shown(message[value - 1]):.2f}" for _unit, message in messages)


def _clear(messages: tuple[tuple[str, tuple[float, ...]], ...]) -> tuple[int, ...]:
    """The strongest values, ascending, if the first of them is clearly the strongest; else none."""
    n = len(messages[0][1])
    exact = {value: math.prod(message[value - 1] for _unit, message in messages) for value in range(1, n + 1)}
    first, *others = sorted((value for value in exact if exact[value] > 0), key=lambda v: -exact[v])[:VALUES] or [0]
    if not others or exact[first] < CLEAR * exact[others[0]]:
        return ()
    rounded = [_product(messages, value) for value in others]
    if not min(rounded) or _product(messages, first) < CLEAR * max(rounded):
        return ()
    return tuple(sorted((first, *others)))


def _loudest(messages: tuple[tuple[str, tuple[float, ...]], ...], values: tuple[int, ...]) -> int:
    """The value with the largest single message that is not the strongest; 0 if there is none."""
    loud = {value: max(_shown(message[value - 1]) for _unit, message in messages) for value in values}
    found = max(values, key=lambda value: loud[value])
    strongest = max(values, key=lambda value: _product(messages, value))
    return found if loud[found] > loud[strongest] else 0


def _strongest(cell: int, messages: tuple[tuple[str, tuple[float, ...]], ...], values: tuple[int, ...],
               n: int) -> Choice:
    """The question of the value that the messages favour together: that of the largest product."""
    products = {value: _product(messages, value) for value in values}
    best = max(values, key=lambda value: products[value])
    second = max((value for value in values if value != best), key=lambda value: products[value])
    loudest = _loudest(messages, values)
    factors = _factors(messages, best)
    given = (*((unit, "  ".join(f"{value}={_shown(message[value - 1]):.2f}" for value in values))
               for unit, message in messages), ("board", "what the sweep before believed"))
    shown, strongest = {value: str(value) for value in values}, str(best)
    mistakes = {place: (f"{shown[value]}: {_factors(messages, value)} = {products[value]:.2g}, "
                        f"less than for {strongest}.") for place, value in enumerate(values) if value != best}
    if loudest:
        mistakes[values.index(loudest)] = "The largest single message does not decide: they are multiplied."
    text = f"Its units send {name_of(cell, n)} these messages. Which value is believed most?"
    return Choice(kind="strongest", text=text,
                  options=tuple(shown.values()), rights=frozenset({values.index(best)}), n=n, marked=(cell,),
                  mistakes=mistakes,
                  why=fitting(f"{strongest}: {factors} = {products[best]:.2g}; "
                              f"{shown[second]}: {products[second]:.2g}.",
                              f"The product of its messages is the largest, {products[best]:.2g}."),
                  given=given, hint="The belief in a value is the product of its messages, scaled to a sum of 1.")
