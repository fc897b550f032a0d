"""Questions about a step of tabu search: does aspiration lift a ban, and which move is made?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nsmallest

from engine import rng, text
from engine.events import Scanned
from engine.events.explain import cells as names_of
from engine.questions.forms import Choice, Question, fitting
from engine.questions.moment import Moment
from engine.questions.swaps import better_neighbour, kinds_of
from engine.questions.unit_energy import unit_energy

YES, NO = 0, 1
OFFERED, BANNED = 4, 2
"""Moves offered as the one that is made, and how many of them at most are banned."""
TIED_EVERY, NEIGHBOUR_EVERY, DENIED_EVERY = 4, 8, 16
"""Steps from one to the next that offers a tie, that asks for a better neighbour, and that asks about aspiration where
it does not apply."""

Move = frozenset[int]


def about_a_tabu_move(event: Scanned, moment: Moment) -> Iterator[Question]:
    """The questions about a step that makes the best move that is not tabu, or that aspiration allows.

    The move is asked for at most steps, with one ΔE left out that the learner must work out. Half the time it
    is that of a right move, else of another one that is allowed: a learner who always takes the unknown one is right as
    often as one who takes the lowest that is shown. What a unit adds to E at
    some (`unit_energy`); every eighth step asks for a better neighbour in place of the move, since the facts of either
    question would answer the other. Aspiration is asked about where the best move of all is tabu. It hardly ever
    applies, so that a learner who always says no would be right: of the steps at which it does not, one in 16 is asked
    about, and only where the move misses the lowest E by one or two; so both answers are about as frequent. Nothing is
    asked about a step at which every move is tabu, which draws one.
    """
    if moment.bans is None or moment.changes is None:
        return
    yield from unit_energy(moment.view.grid, moment.counted, frozenset(moment.puzzle.free_cells), event.step,
                           moment.puzzle.n)
    if event.step % NEIGHBOUR_EVERY == NEIGHBOUR_EVERY // 2:
        yield from better_neighbour(moment)
        return
    changes, bans, energy = moment.changes(), moment.bans(), event.energy - event.delta
    aspiring = {move for move in bans if energy + changes[move] < moment.lowest}
    free = [change for move, change in changes.items() if move not in bans]
    allowed = {move for move in changes if move not in bans or move in aspiring}
    if not allowed:
        return
    best_banned = min(bans, key=lambda move: (changes[move], sorted(move)), default=None)
    if best_banned is not None and changes[best_banned] < min(free, default=0) and (best_banned in aspiring or (
            event.step % DENIED_EVERY == 0 and energy + changes[best_banned] <= moment.lowest + 1)):
        yield _aspiration(best_banned, changes[best_banned], energy, moment)
    least = min(changes[move] for move in allowed)

    made = frozenset(event.cells)
    ties = {move for move in allowed if changes[move] == least} - {made}
    worse = {move for move in allowed if changes[move] > least}
    offered = [made, *_best(int(event.step % TIED_EVERY == 0), ties, changes),
               *_best(BANNED, set(bans) - aspiring, changes)]
    offered = sorted([*offered, *_best(OFFERED - len(offered), worse, changes)], key=sorted)
    rights = frozenset(place for place, move in enumerate(offered) if move in allowed and changes[move] == least)
    if len(rights) == len(offered):
        return
    unknown = rng.shuffled([False, False, True, True], 0, rng.CHOICE, event.step // 4)[event.step % 4]
    among = [place for place, move in enumerate(offered) if move in worse and not unknown] or sorted(rights)
    asked = among[event.step % len(among)]
    facts = ["ΔE = ?" if place == asked else f"ΔE {text.signed(changes[move])}" for place, move in enumerate(offered)]
    facts = [f"{fact}, tabu {bans[move]}" if move in bans else fact
             for fact, move in zip(facts, offered, strict=True)]
    letters = [chr(ord("a") + place) for place in range(len(offered))]
    n, best_letters = moment.puzzle.n, " and ".join(letters[place] for place in sorted(rights))
    mistakes = {place: _mistake(changes[move], energy, moment.lowest, move in bans and move not in aspiring, least)
                for place, move in enumerate(offered) if place not in rights}
    have = "has" if len(rights) == 1 else "have"
    why = f"{best_letters} {have} the lowest ΔE of all moves that are allowed, {text.signed(least)}"
    if made in bans:
        letter = letters[offered.index(made)]
        why = f"{letter} is tabu, but E = {energy + least} is below the lowest of this attempt, {moment.lowest}"
    if asked not in rights:
        why = fitting(f"{why}; {letters[asked]} has {text.signed(changes[offered[asked]])}.", f"{why}.")
    else:
        why += "."
    yield Choice(kind="tabu-move", text="Which of these moves does tabu search make?", n=n, rights=rights, why=why,
                 taken=offered.index(made),
                 options=tuple(f"{letter} {names_of(tuple(sorted(move)), n, ' ↔ ')}"
                               for letter, move in zip(letters, offered, strict=True)),
                 given=(*zip(letters, facts, strict=True), ("E", f"{energy}, attempt's lowest {moment.lowest}"),
                        ("E counts", f"repeats in {kinds_of(moment.counted)}"),
                        ("tabu", "steps, unless below the lowest E")),
                 mistakes=mistakes, marked=tuple(sorted(offered[asked])),
                 hint="Work out the missing ΔE, then take the lowest allowed.")


def _best(most: int, moves: set[Move], changes: Mapping[Move, int]) -> list[Move]:
    """The moves with the lowest ΔE, `most` at most; of equal ones those with the first cells."""
    limit = max(nsmallest(most, map(changes.__getitem__, moves)), default=0)  # most have a higher ΔE: do not sort these
    near = (move for move in moves if changes[move] <= limit)
    return nsmallest(most, near, key=lambda move: (changes[move], sorted(move)))


def _mistake(change: int, energy: int, lowest: int, banned: bool, least: int) -> str:
    if banned:
        return f"It is tabu, and E = {energy + change} is not below the lowest E, {lowest}."
    return f"Its ΔE is {text.signed(change)}; an allowed move has {text.signed(least)}."


def _aspiration(move: Move, change: int, energy: int, moment: Moment) -> Choice:
    """The question of aspiration, about the best of the tabu moves."""
    n, lifted = moment.puzzle.n, energy + change < moment.lowest
    cells = tuple(sorted(move))
    mistakes = {NO: "Aspiration lifts the ban of a move that leads below the lowest E."} if lifted else {
        YES: "A fall of E is not enough: the move must lead below the lowest E." if change < 0 else
             "The best of all moves is not enough: it must lead below the lowest E."}
    return Choice(kind="aspiration", text="The best move is tabu. Does aspiration allow it all the same?", n=n,
                  options=("yes", "no"), rights=frozenset({YES if lifted else NO}), mistakes=mistakes, marked=cells,
                  given=(("move", names_of(cells, n, " ↔ ")), ("ΔE", text.signed(change)), ("E", str(energy)),
                         ("lowest E", f"{moment.lowest}, of this attempt"),
                         ("aspires", "a tabu move that leads below the lowest E")),
                  why=(f"It leads to E = {energy + change}, which is {'' if lifted else 'not '}below the lowest E of "
                       f"this attempt, {moment.lowest}."),
                  hint="Compare E + ΔE with the lowest E of this attempt.")
