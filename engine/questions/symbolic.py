"""Questions about solvers of formulas: SAT or UNSAT, a core, a word that an automaton reads; and what Z3 derives or
decides while it searches."""

from __future__ import annotations

from collections.abc import Iterator

from engine.automata.transitions import read
from engine.events.explain import cell as name_of
from engine.events.search import Asked, Decided, Propagated
from engine.puzzle import SYMBOLS, Unit
from engine.questions.contradictions import SEVERAL
from engine.questions.cores import pick_a_core, placed_in, reason_of
from engine.questions.forms import Choice, Question, fitting, its_units
from engine.questions.moment import Moment, ask
from engine.questions.sampling import sample
from engine.questions.searches import Left, Searching, candidates_before, places

ANOTHER = "another solution"
SAT_UNSAT = ("SAT", "UNSAT")
FOLLOWS, DECIDES = 0, 1
HOLDS, EXCLUDED = 0, 1
SPACED = 9
"""Letters of the longest word that is written with blanks."""
WORDS = 2
"""Steps from one word to the next."""
ACCEPTED = 3
"""Words from one that is accepted, if there is such a word, to the next."""
SATISFIABLE = 3
"""A value that some solution has is asked about with a chance of 1 to this: most values that Z3 is asked about are."""
FOLLOWING = 40
"""It is asked whether something follows, where it does, with a chance of 1 to this: there are hundreds in a row."""
DERIVED = {True: 4, False: 24}
"""A derived literal is asked about with a chance of 1 to this, if it is true or false: most are false."""


@ask.register
def _about_query(event: Asked, moment: Moment) -> Iterator[Question]:
    if event.answer == "unknown":
        return
    n = moment.puzzle.n
    core = tuple(pick_a_core(event, moment)) if event.answer == "unsat" else ()
    about_a_cell = len(event.cells) == 1
    asked = event.question if about_a_cell or event.question == "a solution" else ANOTHER
    found = f"a solution with {asked}" if about_a_cell else asked
    if event.answer == "unsat" or not about_a_cell or sample(range(SATISFIABLE), 1, event.step, 3) == [0]:
        yield Choice(kind="satisfiable", text=f"Is there {found}? SAT: yes, UNSAT: no.", options=SAT_UNSAT,
                 why=_why_answered(event, asked, bool(core), moment), n=n,
                 given=(("asked", asked), *((("beside", "all values on the board"),) if about_a_cell else ())),
                 marked=event.cells if about_a_cell else (),
                 rights=frozenset({0 if event.answer == "sat" else 1}),
                 hint="Another solution differs from the first in at least one cell." if asked == ANOTHER else
                 "UNSAT needs a reason: a unit that would lack a value, or hold one twice.")
    yield from core
    if about_a_cell and event.step % WORDS == 0:
        yield from _read_a_word(event, moment)
    elif event.answer == "sat" and not about_a_cell:
        yield from _forced_value(event, moment)


def _why_answered(event: Asked, asked: str, is_core_next: bool, moment: Moment) -> str:
    """The reason of an answer; that of UNSAT is kept back where a core is asked for next."""
    about_a_cell = asked == event.question and len(event.cells) == 1
    if event.answer == "sat":
        beside = f", with {asked}" if about_a_cell else ""
        return f"There is {'another' if asked == ANOTHER else 'a'} grid that keeps all rules and all givens{beside}."
    if asked == ANOTHER:
        return "No grid that keeps all rules and all givens differs from the first."
    if not about_a_cell:
        return "No grid keeps all rules and all givens."
    if is_core_next:
        kind = reason_of(event, moment.puzzle).kind
        return fitting(f"No grid with this board holds it: {kind}.", f"No grid holds it: {kind}.")
    reason = reason_of(event, moment.puzzle)
    if reason is SEVERAL and event.core:
        return fitting(f"It contradicts {', '.join(event.core)}.",
                       f"It contradicts {len(event.core)} rules and values; {SEVERAL.kind}.")
    return fitting(f"No grid with this board holds it: {reason.clause}.", f"No grid holds it: {reason.clause}.") if (
        event.core) else "No grid that keeps all rules and this board holds it."


def _forced_value(event: Asked, moment: Moment) -> Iterator[Choice]:
    """A value that every solution has in a cell, because the cell or a unit leaves no other."""
    n, left = moment.puzzle.n, candidates_before(moment)
    forced = {cells[0]: (value, f"{value} has no other place in {unit.name}.")
              for unit, value, cells in places(moment.puzzle, moment.view.grid, left) if len(cells) == 1}
    forced |= {cell: (min(values), f"Its peers hold all values but {min(values)}.")
               for cell, values in left.items() if len(values) == 1}
    for cell in sample(sorted(forced), 1, event.step):
        value, why = forced[cell]
        grid = moment.view.grid
        held = {grid[peer] - 1: f"{name_of(peer, n)} holds {grid[peer]}."
                for peer in moment.puzzle.geometry.peers[cell] if grid[peer]}
        yield Choice(kind="forced-value", text=f"Which value does {name_of(cell, n)} have in every solution?", why=why,
                     options=tuple(map(str, range(1, n + 1))), rights=frozenset({value - 1}), marked=(cell,), n=n,
                     mistakes=held,
                     hint=f"Which values are in {its_units(moment.puzzle.variant)}? Which has one place in a unit?")


# Words

def _read_a_word(event: Asked, moment: Moment) -> Iterator[Choice]:
    """The question of the letter at which a row's automaton refuses. The word is the row with the value asked about,
    and candidates in its open cells."""
    pair = placed_in(event.question, moment.puzzle.n)
    if pair is None:
        return
    n, row = moment.puzzle.n, moment.puzzle.geometry.rows[pair[0] // moment.puzzle.n]
    word = word_of(row, moment, pair, event.step)
    states = read(n, word)
    end = next((k for k in range(n) if states[k + 1] is None), n)
    mistakes = {n: "It does refuse: one of the letters is read twice."} if end < n else {}
    if end < n:
        first = word.index(word[end])
        mistakes[first] = f"The first {SYMBOLS[word[end]]} is still in the state; the second is not."
        mistakes |= dict.fromkeys(range(end + 1, n), "It has refused before that letter is read.")
        why = f"Letter {end + 1} is {SYMBOLS[word[end]]}, which letter {first + 1} took out of the state."
    else:
        why = "Each letter is in the state when it is read, and none is left: it accepts."
    letters = [SYMBOLS[value] for value in word]
    yield Choice(kind="word", text=f"The automaton of {row.name} reads this word. At which letter does it refuse?", n=n,
                 options=(*(str(k + 1) for k in range(n)), "end"), rights=frozenset({end}), mistakes=mistakes,
                 given=(("word", (" " if n <= SPACED else "").join(letters)), ("end", "no letter: it accepts")),
                 why=why, hint="A state is the set of values that may still be read; reading one takes it out.")


def word_of(row: Unit, moment: Moment, asked: tuple[int, int], step: int) -> tuple[int, ...]:
    """A row as a word: its values, the value asked about, and in each open cell one of its candidates; every few steps
    candidates that differ, if there are such."""
    left = candidates_before(moment)
    given = {cell: moment.view.grid[cell] for cell in row.cells if moment.view.grid[cell]} | dict([asked])
    n = moment.puzzle.n
    open_cells = [cell for cell in row.cells if cell not in given]
    options = {cell: sample(sorted(left.get(cell, ())) or [n], n, step, cell) for cell in open_cells}
    if step // WORDS % ACCEPTED == 0:
        chosen = _distinct(options, set(given.values()))
        return tuple(given.get(cell) or chosen.get(cell) or options[cell][0] for cell in row.cells)
    words = [tuple(given.get(cell) or options[cell][turn % len(options[cell])] for cell in row.cells)
             for turn in range(n)]
    return next((word for word in words if len(set(word)) < n), words[0])


def _distinct(options: dict[int, list[int]], taken: set[int]) -> dict[int, int]:
    """Different values for the cells, by augmenting paths; cells that get none are left out."""
    holder: dict[int, int] = {}

    def place(cell: int, seen: set[int]) -> bool:
        for value in options[cell]:
            if value not in taken and value not in seen:
                seen.add(value)
                if value not in holder or place(holder[value], seen):
                    holder[value] = cell
                    return True
        return False

    for cell in options:
        place(cell, set())
    return {cell: value for value, cell in holder.items()}


# Inside a search of Z3

class Trailing(Searching, frozen=True):
    """A search whose literals are fixed one by one."""

    lags: bool = True


@ask.register
def _about_decision(event: Decided, moment: Moment) -> Iterator[Question]:
    if isinstance(moment.facts, Trailing):
        yield from _what_comes(moment, DECIDES)


@ask.register
def _about_propagation(event: Propagated, moment: Moment) -> Iterator[Question]:
    if not isinstance(moment.facts, Trailing):
        return
    if sample(range(FOLLOWING), 1, event.step) == [0]:
        yield from _what_comes(moment, FOLLOWS)
    if sample(range(DERIVED[event.holds]), 1, event.step, 1) == [0]:
        yield from _derived(event, moment)


def _what_comes(moment: Moment, right: int) -> Iterator[Choice]:
    """The question whether anything follows or Z3 must decide, where the board shows it."""
    found = _follows(moment, candidates_before(moment))
    if bool(found) == (right == FOLLOWS):
        yield Choice(kind="decision", text="What comes next: a consequence of the board, or a decision by Z3?",
                     options=("a consequence", "a decision"), rights=frozenset({right}), n=moment.puzzle.n,
                     why=found or "No filled cell excludes a candidate; no cell or value has one choice left.",
                     mistakes={DECIDES: "It decides only where nothing follows."} if right == FOLLOWS else {},
                     hint="Is there a candidate that a peer of its cell holds, or a single one?")


def _follows(moment: Moment, left: Left) -> str:
    """Something that follows from the board, as a sentence; empty if nothing does."""
    puzzle, grid, n = moment.puzzle, moment.view.grid, moment.puzzle.n
    for cell, values in left.items():
        if len(values) == 1:
            return f"{name_of(cell, n)} has one candidate left, {min(values)}."
        for peer in puzzle.geometry.peers[cell]:
            if grid[peer] in values:
                return f"{name_of(cell, n)} has the candidate {grid[peer]}, which {name_of(peer, n)} holds."
    return next((f"{value} has one place left in {unit.name}: {name_of(cells[0], n)}."
                 for unit, value, cells in places(puzzle, grid, left) if len(cells) == 1), "")


def _derived(event: Propagated, moment: Moment) -> Iterator[Choice]:
    """The question whether a candidate holds or is excluded, where the board shows it."""
    why = _why_derived(event, moment)
    if why:
        n = moment.puzzle.n
        text = f"Z3 derives whether {name_of(event.cell, n)} = {event.value} is true. Is it?"
        yield Choice(kind="propagation", text=text, why=why, n=n, options=("true", "false"),
                     rights=frozenset({HOLDS if event.holds else EXCLUDED}), marked=(event.cell,),
                     hint=f"Look at its cell, {its_units(moment.puzzle.variant)}, and at other places of the value.")


def _why_derived(event: Propagated, moment: Moment) -> str:
    """The reason of a derived literal that the board shows, as a sentence; empty if it shows none."""
    puzzle, grid, n, cell, value = moment.puzzle, moment.view.grid, moment.puzzle.n, event.cell, event.value
    if grid[cell]:
        return ""  # its value is on the board
    if not event.holds:
        peer = next((peer for peer in puzzle.geometry.peers[cell] if grid[peer] == value), None)
        return "" if peer is None else f"{name_of(peer, n)} holds {value} already."
    kept = moment.view.candidates
    assert kept is not None
    if kept[cell] == 1 << value - 1:
        return f"{value} is the last candidate of {name_of(cell, n)}."
    for unit in puzzle.geometry.units_of[cell]:
        if not any(kept[other] >> value - 1 & 1 for other in unit.cells if other != cell):
            return f"{value} has no other place in {unit.name}."
    return ""
