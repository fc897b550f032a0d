"""Questions about an exact cover: the column that is branched on, what a choice covers, how many choices it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.events.explain import cell as name_of
from engine.events.search import Covered, Uncovered
from engine.questions.forms import Choice, Question, Several, fitting
from engine.questions.moment import Moment, ask
from engine.questions.sampling import sample
from engine.questions.searches import Searching, facts_of, taken_back

COLUMNS = 5
"""Columns offered as the next one."""
DECOYS = 3
"""Columns offered that a choice does not cover."""


class Covering(Searching, frozen=True):
    """Facts of an exact cover about its next choice. Columns are named in words: `row 3 needs 5`."""

    columns: Mapping[str, int] = {}
    """The choices left of each column that is not covered."""
    after: Mapping[str, int] = {}
    """The same after the choice."""
    covered: tuple[str, ...] = ()
    """The columns of the choice."""
    alike: tuple[str, ...] = ()
    """Columns of the same cell's units, or of the same value, that the choice does not have."""
    allowed: frozenset[str] = frozenset()
    """The columns that the rule allows next; empty where another choice of a column is tried."""
    is_fewest: bool = True
    """True if the rule is the fewest choices left, False if it is the first column."""


@ask.register
def _about_choice(event: Covered, moment: Moment) -> Iterator[Question]:
    facts = moment.facts
    if not isinstance(facts, Covering):
        return
    if event.column in facts.allowed:
        yield from _next_column(event, moment, facts)
    given = (("choice", f"{name_of(event.cell, moment.puzzle.n)} = {event.value}"),)
    yield from _covered(event, moment, facts, given)
    yield from _left(event, moment, facts, given)


def _next_column(event: Covered, moment: Moment, facts: Covering) -> Iterator[Choice]:
    """The question of the column that is branched on."""
    others = [column for column in facts.columns if column not in facts.allowed]
    if not others:
        return
    few = sample((column for column in others if facts.columns[column] <= event.size + 1), 2, event.step)
    offered = {event.column, *few}
    rest = (column for column in others if column not in offered)
    offered |= set(sample(rest, COLUMNS - len(offered), event.step, 1))
    among = (column for column in facts.columns if column in offered)
    options = tuple(sample(among, len(offered), event.step, 4))  # the solver takes the first of equal ones
    rights = frozenset(place for place, column in enumerate(options) if column in facts.allowed)
    ties = len(facts.allowed) - 1
    if not facts.is_fewest:
        why = f"{event.column}: it comes first, whatever it has left."
    elif ties:
        why = f"{event.column}: {event.size} left; {ties} more {'has' if ties == 1 else 'have'} as few."
    else:
        why = f"{event.column}: {event.size} left, and no other has as few."
    mistakes = {place: f"{column}: it has {facts.columns[column]} left." if facts.is_fewest else
                f"{event.column} comes before it."
                for place, column in enumerate(options) if place not in rights}
    yield Choice(kind="next-column", text=f"Which need (a column) is met next? The rule: {moment.next_rule}.", why=why,
                 options=options, rights=rights, n=moment.puzzle.n, mistakes=mistakes,
                 hint="The choices of a cell are its candidates, those of a value its places.")


def _covered(event: Covered, moment: Moment, facts: Covering, given: tuple[tuple[str, str], ...]) -> Iterator[Several]:
    """The question of the columns that the choice covers."""
    decoys = sample(facts.alike, DECOYS, event.step, 2)
    options = tuple(sample((*facts.covered, *decoys), len(facts.covered) + len(decoys), event.step, 3))
    right = frozenset(options.index(column) for column in facts.covered)
    if decoys:
        yield Several(kind="covered", text="Which needs (columns) does this choice meet (cover)?",
                      options=options,
                      given=given, most=len(options), taken=right, rights=frozenset({right}), n=moment.puzzle.n,
                      marked=(event.cell,),
                      why=_met(event, moment, len(right)),
                      faults={place: f"{column}: that is still open after this choice."
                              for place, column in enumerate(options) if place not in right},
                      hint="A column is one need: a cell needs a value, or a unit needs a value's place.")


def _met(event: Covered, moment: Moment, count: int) -> str:
    """The effect of a choice on the grid, as a sentence."""
    name, units = name_of(event.cell, moment.puzzle.n), moment.puzzle.geometry.units_of[event.cell]
    *others, last = [unit.name for unit in units]
    return fitting(f"{name} has a value then, and {', '.join(others)} and {last} have their {event.value}.",
                   f"{name} has a value then, and its {count - 1} units have their {event.value}.")


def _left(event: Covered, moment: Moment, facts: Covering, given: tuple[tuple[str, str], ...]) -> Iterator[Choice]:
    """The question of how many choices are left for another column afterwards."""
    changed = [column for column, count in facts.after.items() if count < facts.columns[column] and count < 9]
    several = [column for column in changed if facts.columns[column] - facts.after[column] > 1]
    found = sample(several if several and event.step % 2 else changed, 1, event.step, 4)
    if not found:
        return
    column, now = found[0], facts.columns[found[0]]
    gone = now - facts.after[column]
    yield Choice(kind="choices-left", text="How many choices does this need (a column) have left afterwards?",
                 n=moment.puzzle.n,
                 options=tuple(str(count) for count in range(now + 1)), rights=frozenset({facts.after[column]}),
                 given=(*given, ("asked", column), ("choices", f"{now} now")), marked=(event.cell,),
                 mistakes={now: "At least one of them cannot be chosen beside it."},
                 why=f"{gone} of {now} cannot be chosen beside {given[0][1]}, and {'goes' if gone == 1 else 'go'}.",
                 hint="A choice goes if it is in the same cell, or the same value among its peers.")


@ask.register
def _about_undoing(event: Uncovered, moment: Moment) -> Iterator[Question]:
    facts = facts_of(moment)
    if facts is not None and event.cell in facts.stack:
        yield taken_back(event, moment, facts)
