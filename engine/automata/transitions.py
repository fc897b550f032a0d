"""Reading a word with the automaton of a unit: its states and transitions, and the panel that shows a reading.

A state is the set of values that may still be read. Reading a value removes it from the set; a value that is not in the
set leads nowhere, and the word is rejected. The screen shows a state as the number of values read.

Z3 is not given these states. `engine.automata.unit` states the language of the automaton instead, through
`encodings`: for each value, exactly one cell of the unit holds it. A test holds both to the same answers. Nothing here
imports Z3.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.puzzle import SYMBOLS, Puzzle, Unit, cell_name
from engine.view import AutomatonPanel

State = tuple[int, ...]
"""The values that may still be read, ascending."""
NONE = "none"
"""Shown in place of a state after a rejection."""


def initial_state(n: int) -> State:
    """The state before the first letter: all values 1 to n."""
    return tuple(range(1, n + 1))


def transition(state: State, value: int) -> State | None:
    """The state after reading `value`, or None if `value` is not in the state."""
    return tuple(each for each in state if each != value) if value in state else None


def is_accepting(state: State | None) -> bool:
    """True if a word may end here: every value was read."""
    return state == ()


def read(n: int, word: Sequence[int], skip_open: bool = False) -> tuple[State | None, ...]:
    """The state before the word and after each of its letters; None from the first letter that leads nowhere.
    `skip_open`: a 0 is a letter not known yet, and leaves the state unchanged."""
    states: list[State | None] = [initial_state(n)]
    for value in word:
        state = states[-1]
        states.append(state if state is None or (skip_open and not value) else transition(state, value))
    return tuple(states)


def word_panel(puzzle: Puzzle, unit: int, word: Sequence[int], because: Sequence[str] = (),
               blame: Sequence[int] = ()) -> AutomatonPanel:
    """A word of n letters (0 = open) read by the automaton of a unit; a state is shown as the number of values read.

    `unit`: index into `geometry.units`; `blame`: positions of the letters to blame, the last of which leads nowhere
    whatever else the word holds; `because`: one reason per letter."""
    n, place = puzzle.n, puzzle.geometry.units[unit]
    states = read(n, word, skip_open=True)
    if blame:
        states = states[:blame[-1] + 1] + (None,) * (len(word) - blame[-1])
    known = all(word) or states[-1] is None
    letters = tuple(str(value) if value else SYMBOLS[0] for value in word)
    reads = tuple(cell_name(cell, n) for cell in place.cells)
    return AutomatonPanel(f"Every value in {place.name}", reads, letters, tuple(because) or ("",) * len(word),
                          tuple(NONE if state is None else f"({n - len(state)})" for state in states),
                          is_accepting(states[-1]) if known else None, blame[-1] if blame else None)


def value_panel(puzzle: Puzzle, unit: int, value: int, values: Sequence[int], known: Sequence[int] | None = None,
                core: Sequence[int] = (), only: bool = False) -> AutomatonPanel:
    """The automaton `one 2 in column 5`: state (0) until a cell holds the value, then (1), which accepts; a second one
    leads nowhere. `unit`: index into `geometry.units`; `values`: n*n, 0 = open; `known`: those before the logic that
    led to `values`, None without logic; `core`: indices of the units that a reason names before others; `only`: it
    names no other unit."""
    units, cells, seen = puzzle.geometry.units, puzzle.geometry.units[unit].cells, 0
    states, letters = ["(0)"], []
    for cell in cells:
        seen += values[cell] == value
        letters.append("yes" if values[cell] == value else "no")
        states.append(f"({seen})" if seen < 2 else NONE)
    reads = tuple(cell_name(cell, puzzle.n) for cell in cells)
    places = core if only else (*core, *(place for place in range(len(units)) if place not in core))
    holding = _holding(puzzle, value, values, places)
    because = tuple((f"= {values[cell]}" if values[cell] else _first_with(cell, holding)) +
                    (", logic" if known and values[cell] and not known[cell] else "") for cell in cells)
    after = ", after logic" if known and any(new and not old for new, old in zip(values, known, strict=True)) else ""
    return AutomatonPanel(f"One {value} in {units[unit].name}{after}", reads, tuple(letters), because, tuple(states),
                          seen == 1)


def _holding(puzzle: Puzzle, value: int, values: Sequence[int], places: Sequence[int]) -> list[Unit]:
    """The units at these places that hold the value, in their order."""
    units = (puzzle.geometry.units[place] for place in places)
    return [unit for unit in units if any(values[cell] == value for cell in unit.cells)]


def _first_with(cell: int, units: Sequence[Unit]) -> str:
    """The name of the first of these units that has the cell."""
    return next((unit.name for unit in units if cell in unit.cells), "struck")
