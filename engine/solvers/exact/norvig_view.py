"""Events, views and moments of `norvig`: reasons, the cells of a contradiction, causes, gauges, the stack of guesses;
the cells that may come next."""

from __future__ import annotations

import numpy as np

from engine import text
from engine.events import Assigned, Eliminated, Event
from engine.events.because import by_number, reason
from engine.puzzle import cell_name
from engine.questions import Moment
from engine.questions.searches import Searching, candidates_before, places
from engine.solvers.exact.board import cell_words, values_of
from engine.solvers.exact.norvig_state import (
    A_CELL,
    A_UNIT,
    ASSIGNED,
    ASSIGNED_BEFORE,
    CELL,
    DEAD_ENDS,
    DEPTH,
    EMPTY,
    FROM_STACK,
    GUESSES,
    HAS_GUESSED,
    MASK,
    TRIED,
    UNIT,
    VALUE,
    WHERE,
    NorvigState,
)
from engine.solvers.exact.search import marks
from engine.view import Gauge, PencilRole, Sentence, StackPanel, View


def view(state: NorvigState, events: tuple[Event, ...]) -> View:
    """A moment of a run; `events` are those of its step."""
    n, counts = state.puzzle.n, state.counts
    causes = state.causes - np.int16(1)
    gone = tuple((each.cell, each.value) for each in events
                 if isinstance(each, Eliminated) and not state.cells[each.cell])
    pencils: dict[PencilRole, tuple[tuple[int, int], ...]] = {"struck": gone} if gone else {}
    unit = int(counts[WHERE] if counts[EMPTY] == A_UNIT else counts[UNIT])
    return View(state.grid, marks(state.puzzle, events), tuple(state.masks.tolist()), _gauges(state),
                {"strike": f"{len(gone)} struck"} if gone else {}, StackPanel("Guesses", _stack(state)),
                pencils=pencils, units=(unit,) if events and unit >= 0 else (),
                causes=cell_words(causes.tolist(), n))


def assignment(state: NorvigState, flags: int) -> Assigned:
    """The event of the assignment that a step with these flags made."""
    cell = int(state.assigned[state.counts[ASSIGNED] - 1])
    value, depth, unit = int(state.cells[cell]), int(state.counts[DEPTH]), int(state.counts[UNIT])
    if flags & FROM_STACK:
        number = int(state.guesses[depth - 1, MASK]).bit_count()
        reason = f"a guess among {number}" if flags & HAS_GUESSED else f"the last of {number}"
        return Assigned(state.step, "guess", cell, value, reason, depth, bool(flags & HAS_GUESSED))
    if unit >= 0:
        where = state.puzzle.geometry.units[unit].name
        return Assigned(state.step, "hidden_place", cell, value, f"hidden single in {where}", depth)
    return Assigned(state.step, "naked", cell, value, "naked single", depth)


def guess_because(event: Assigned, state: NorvigState) -> Sentence:
    """The reason for guessing this cell and this value."""
    fields = {"cell": cell_name(event.cell, state.puzzle.n), "value": str(event.value)}
    if not event.guess:
        others = int(state.guesses[int(state.counts[DEPTH]) - 1, MASK]).bit_count() - 1
        return reason(by_number(others, "The other candidate of {cell} led to a contradiction: {value} is left.",
                                "The other candidates of {cell} led to contradictions: {value} is left."), **fields)
    if values_of(int(state.guesses[int(state.counts[DEPTH]) - 1, MASK]))[0] < event.value:
        return reason("A smaller value led to a contradiction; {value} is the next candidate of {cell}.", **fields)
    return reason("Nothing is forced: {value} is tried in {cell}, which has the fewest candidates.", **fields)


def core(state: NorvigState) -> tuple[int, ...]:
    """The cells that leave a cell without a candidate, or a unit without a place for a value."""
    n, where, value = state.puzzle.n, int(state.counts[WHERE]), int(state.counts[VALUE])
    if state.counts[EMPTY] == A_CELL:
        cells: tuple[int, ...] = (where,)
        codes = [where * n + k for k in range(n)]
    else:
        cells = ()
        codes = [cell * n + value - 1 for cell in state.puzzle.geometry.units[where].cells]
    # The other candidates of a given have no cause: the given itself rules them out.
    holding = (int(state.causes[code]) - 1 if state.causes[code] else code // n for code in codes)
    return tuple(dict.fromkeys((*cells, *holding)))


def contradiction(state: NorvigState) -> str:
    """The contradiction as a clause."""
    if state.counts[EMPTY] == A_CELL:
        return f"{cell_name(int(state.counts[WHERE]), state.puzzle.n)} has no candidate left"
    unit = state.puzzle.geometry.units[int(state.counts[WHERE])]
    return f"{unit.name} has no place left for {int(state.counts[VALUE])}"


NAKED, HIDDEN, GUESS = "one candidate left", "a value's only place", "the fewest candidates"
"""The rules for the next cell, in their order."""
DEDUCED = {NAKED: "naked single", HIDDEN: "hidden single", GUESS: "guess"}


def next_cells(state: NorvigState, moment: Moment) -> tuple[frozenset[int], str]:
    """The cells that may be assigned next, and the rule; none after a contradiction or where a guess goes on."""
    left = candidates_before(moment)
    if state.counts[EMPTY] or state.counts[TRIED] or not all(left.values()):
        return frozenset(), ""
    naked = frozenset(cell for cell, values in left.items() if len(values) == 1)
    if naked:
        return naked, NAKED
    spots = list(places(state.puzzle, state.grid, left))
    if not all(cells for _unit, _value, cells in spots):
        return frozenset(), ""
    hidden = frozenset(cells[0] for _unit, _value, cells in spots if len(cells) == 1)
    if hidden:
        return hidden, HIDDEN
    fewest = min(map(len, left.values()))
    return frozenset(cell for cell, values in left.items() if len(values) == fewest), GUESS


def searching(state: NorvigState, rule: str) -> Searching:
    """The facts of the search about its next step, where `rule` chooses the cell."""
    depth, tried = int(state.counts[DEPTH]), int(state.counts[TRIED])
    guesses = state.guesses[:depth].tolist()
    since = guesses[-1][ASSIGNED_BEFORE] + 1 if guesses else 0
    followed = state.assigned[since:state.counts[ASSIGNED]].tolist() if guesses else ()
    return Searching(dead_end="place", strikes=True, stack=tuple(guess[CELL] for guess in guesses),
                     followed=tuple(followed), deduction=DEDUCED.get(rule, ""),
                     ties="the first" if rule == GUESS else "",
                     entered=int(state.guesses[depth, CELL]) if tried else -1,
                     tried=tried if tried or rule == GUESS else -1)


def _stack(state: NorvigState) -> tuple[tuple[int, int, tuple[int, ...], tuple[int, ...]], ...]:
    """The guesses in force, and the one just undone: (cell, value or 0, values refuted, values left)."""
    depth, tried = int(state.counts[DEPTH]), int(state.counts[TRIED])
    frames = []
    for place, (cell, value, mask, *_) in enumerate(state.guesses[:depth + bool(tried)].tolist()):
        values, undone = values_of(mask), place == depth
        here = values.index(value)
        frames.append((cell, 0 if undone else value, values[:here + undone], values[here + 1:]))
    return tuple(frames)


def _gauges(state: NorvigState) -> tuple[Gauge, ...]:
    open_cells = int(np.count_nonzero(state.cells == 0))
    left, free, depth = state.energy - state.surplus, max(1, state.assigned.size), int(state.counts[DEPTH])
    return (
        Gauge("open", str(open_cells), open_cells / free),
        Gauge("cands", text.count(left), min(1.0, left / max(1, open_cells * state.puzzle.n))),
        Gauge("depth", str(depth), depth / free),
        Gauge("guesses", text.count(int(state.counts[GUESSES]))),
        Gauge("dead", text.count(int(state.counts[DEAD_ENDS]))),
    )
