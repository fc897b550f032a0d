"""Questions about the flight of a particle: which swaps lead to the grid that draws it, and how likely it takes one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine import text
from engine.events.explain import cell as name_of
from engine.events.explain import cells as names_of
from engine.events.population import Flown
from engine.puzzle import Unit
from engine.questions.forms import Choice, Number, Question
from engine.questions.moment import Moment, Pull, ask

OFFERED = 4
"""Swaps offered, one of which leads to the grid."""
PULL_EVERY = 3
"""Every third flight asks how likely a swap is taken."""

Swap = tuple[int, int]


@ask.register
def _about_flight(event: Flown, moment: Moment) -> Iterator[Question]:
    """The pulls take turns; one whose grid is the particle's own asks nothing."""
    x = moment.individual(event.particle).grid if moment.pulls else ()
    pulls = [pull for pull in moment.pulls if pull.grid != x]
    if not pulls:
        return
    pull = pulls[event.step % len(pulls)]
    yield from _towards(event, moment, pull, x)
    if event.step % PULL_EVERY == 0 and pull.factor[1] > 0:
        yield _share(pull, event.particle, moment.puzzle.n)


def _towards(event: Flown, moment: Moment, pull: Pull, x: tuple[int, ...]) -> Iterator[Choice]:
    """The question of the swap in a box that puts a cell onto the value that it has in the grid of the pull."""
    givens, n = moment.puzzle.givens, moment.puzzle.n
    found: list[tuple[Unit, list[Swap], list[Swap]]] = []
    for box in moment.puzzle.geometry.boxes:
        leading: list[Swap] = []
        others: list[Swap] = []
        for swap in combinations([cell for cell in box.cells if not givens[cell]], 2):
            (leading if _settled(swap, x, pull.grid) else others).append(swap)
        if leading and others:
            found.append((box, leading, others))
    if not found:
        return
    box, leading, others = found[event.step % len(found)]
    right = leading[event.step % len(leading)]
    first = event.step % len(others)
    offered = sorted([right, *(others[first:] + others[:first])[:OFFERED - 1]])
    settled = _settled(right, x, pull.grid)
    puts = " and ".join(f"{pull.grid[cell]} into {name_of(cell, n)}" for cell in settled)
    yield Choice(kind="towards", text=f"Which of these swaps puts a value where {pull.name} has it?", n=n,
                 options=tuple(f"{chr(ord('a') + place)} {names_of(swap, n, ' ↔ ')}"
                               for place, swap in enumerate(offered)),
                 rights=frozenset({offered.index(right)}), marked=box.cells, individual=event.particle,
                 hides_conflicts=True,
                 given=(("in", f"{box.name}, row by row"), ("particle", _rows(x, box)),
                        (pull.name, _rows(pull.grid, box)), (f"{pull.name} is", pull.means)),
                 mistakes={place: f"It moves a value away from where {pull.name} has it."
                           if any(x[cell] == pull.grid[cell] for cell in swap) else
                           f"Neither cell gets the value that {pull.name} has there."
                           for place, swap in enumerate(offered) if swap != right},
                 why=f"It puts {puts}, as in {pull.name}.",
                 hint=f"One of its cells gets the value that {pull.name} has there from the other.")


def _settled(swap: Swap, x: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...]:
    """The cells of a swap that it gives their value in the target, which they do not have yet."""
    a, b = swap
    return tuple(cell for cell, comes in ((a, x[b]), (b, x[a])) if x[cell] != target[cell] == comes)


def _rows(grid: tuple[int, ...], box: Unit) -> str:
    """The values of a box, a group for each of its rows: `413 256 789`; above 9 `4 12 1 3, 16 2 ...`."""
    side, wide = round(len(box.cells) ** 0.5), len(box.cells) > 9
    values = [str(grid[cell]) for cell in box.cells]
    return (", " if wide else " ").join(
        (" " if wide else "").join(values[first:first + side]) for first in range(0, len(values), side))


def _share(pull: Pull, particle: int, n: int) -> Number:
    """The probability with which a swap towards the grid gets into the velocity."""
    (symbol, c), (drawn, r) = pull.factor, pull.drawn
    value, product = min(1.0, c * r), text.significant(c * r)
    return Number(kind="pull", text=f"With which probability is a swap towards {pull.name} taken?", n=n,
                  value=value, low=0.0, high=1.0, decades=0.01, mistakes=((r, f"It is multiplied by {symbol}."),),
                  individual=particle, hides_conflicts=True,
                  given=((pull.name, pull.means), (symbol, f"{c:g}, its strength"),
                         (drawn, f"{text.significant(r)}, drawn in [0, 1)")),
                  why=(f"min(1, {symbol}·{drawn}) = {product}." if c * r < 1 else
                       f"{symbol}·{drawn} = {product}, and a probability is at most 1."),
                  hint=f"{symbol}·{drawn} is the share of those swaps that is taken, at most 1.")
