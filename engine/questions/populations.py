"""Questions about a population: who wins a tournament, and who is left out of the next generation; what a worker's swap
adds to E, which grid it keeps, and who is replaced by a merge. Those about a crossover are in `crossovers`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.events import Restarted
from engine.events.population import Bred, GenerationEnded, Merged, Outgrown, Turned, name_of
from engine.questions.crossovers import MATED, MATED_EVERY, about_a_crossover
from engine.questions.forms import Choice, Question
from engine.questions.moment import Moment, ask
from engine.questions.sampling import sample
from engine.questions.swaps import accepted, energy_change
from engine.view import population_in

OFFERED = 5
"""Organisms offered as the one that is replaced: an explorer among them, the one with the highest E."""
MATES, NEAR = 5, 6
"""Individuals offered as the other one of a pair: its neighbours, and others at most NEAR places before or behind."""
ALL_STAY = 3
"""One end of a generation in ALL_STAY offers only individuals that stay; that can be answered, too."""


@ask.register
def _about_birth(event: Bred, moment: Moment) -> Iterator[Question]:
    yield from _tournament(event, moment)
    if moment.crossing is not None and event.step % MATED_EVERY == MATED and moment.ranking:
        yield from _mate(event, moment)
        return
    yield from about_a_crossover(event, moment)


def _tournament(event: Bred, moment: Moment) -> Iterator[Choice]:
    rivals = dict(moment.drawn)
    least = min(rivals.values(), default=0)
    if all(energy == least for energy in rivals.values()):
        return
    options = tuple(f"{name_of(place)} E {energy}" for place, energy in rivals.items())
    winner, ties = name_of(event.parents[0]), sum(energy == least for energy in rivals.values()) - 1
    why = f"{winner} has the lowest E of those drawn, {least}."
    if ties:
        others = f"{ties} other{'s' * (ties > 1)}"
        why = f"The solver takes {winner}; {others} drawn would be right too: E {least} is the lowest."
    yield Choice(kind="parent", text="These individuals are drawn for a tournament. Who becomes parent A?",
                 options=options, n=moment.puzzle.n,
                 rights=frozenset(k for k, energy in enumerate(rivals.values()) if energy == least),
                 taken=list(rivals).index(event.parents[0]),
                 given=(("E", "the lower, the fitter"),),
                 hint="A tournament is won by the fittest, and the fittest has the lowest E.", why=why)


def _mate(event: Bred, moment: Moment) -> Iterator[Choice]:
    """The question of the second parent, where individuals are crossed in the order of their E."""
    (first, second), n = event.parents, moment.puzzle.n
    energies, size, low = moment.ranking, len(moment.ranking), min(event.parents)
    beside = {place for place in (first - 1, first + 1) if 0 <= place < size}
    others = [place for place in range(max(0, low - NEAR), min(size, low + 2 + NEAR)) if abs(place - first) > 1]
    offered = sorted({*beside, *sample(others, MATES - len(beside), event.step)})
    if len(offered) == 1:
        return
    yield Choice(kind="parent", text=f"{name_of(first)} becomes parent A. Which individual is parent B?", n=n,
                 options=tuple(f"{name_of(place)} E {energies[place]}" for place in offered),
                 rights=frozenset({offered.index(second)}),
                 given=(("rule", "by E, the 1st with the 2nd, the 3rd with the 4th"),
                        ("E", "the lower, the fitter: #1 is the 1st")),
                 mistakes={place: "A neighbour, but of another pair." for place, who in enumerate(offered)
                           if abs(who - first) == 1 and who != second},
                 hint="Each pair begins with an odd number.",
                 why=f"{name_of(low)} and {name_of(low + 1)} are a pair, by their E.")


@ask.register
def _about_generation(event: GenerationEnded, moment: Moment) -> Iterator[Question]:
    """The question of who is left out. Offered are the last one that stays, a parent that is left out or stays, and two
    children, of which one is the worst."""
    ending = moment.succession
    if ending is None or any(isinstance(other, Outgrown | Restarted) for other in moment.events):
        return
    size, kept, energies = ending.size, ending.kept, ending.energies
    children = range(size, len(energies))
    if kept >= size or not children:
        return
    last = [kept - 1] if kept else []
    before = sample(range(max(0, kept - 1 - NEAR), kept - 1), 1, event.step, 1)
    out = [] if sample(range(ALL_STAY), 1, event.step) == [0] else [kept + event.step % (size - kept)]
    worst = max(children, key=lambda place: (energies[place], -place))
    chosen = {*(out or before), *last, worst, children[event.step % len(children)]}
    offered = sample(sorted(chosen), len(chosen), event.step, 2)
    names = ["child " * (place >= size) + f"{name_of(place)} E {energies[place]}" for place in offered]
    stay = f"the best {kept}" if kept > 1 else "the best one" if kept else "none"
    only = (f"only the best {kept} parents stay" if kept > 1 else
            "only the best parent stays" if kept else "no parent stays")
    leave = f"{len(children)} children leave" if len(children) > 1 else "1 child leaves"
    left = f"{kept} places are left for parents" if kept > 1 else "1 place is left for a parent"
    mistakes = {place: "A child stays, whatever its E is." if who >= size else
                f"It is the last one that stays: {left}." if who == kept - 1 else
                f"It is among the best {kept}, which stay." for place, who in enumerate(offered) if who not in out}
    parents = [energies[place] for place in offered if place < size]
    ties = (("equal E", "the lower number goes first"),) if len(set(parents)) < len(parents) else ()
    yield Choice(kind="left-out", text="The generation ends. Who is not in the next one?",
                 options=(*names, "all of these are"), n=moment.puzzle.n,
                 rights=frozenset(offered.index(place) for place in out) or frozenset({len(offered)}),
                 given=(("places", str(size)), ("children", str(len(children))),
                        ("rule", "all children, then the best of the others"),
                        ("numbers", "by E: #1 is the best"), *ties),
                 mistakes=mistakes | {len(offered): f"{name_of(place)} is not: {only}." for place in out},
                 why=f"{leave} {kept} of {size} places to parents: {stay} of them.",
                 hint="Places less children are left to the parents, which are numbered by their E.")


@ask.register
def _about_turn(event: Turned, moment: Moment) -> Iterator[Question]:
    if not event.cells:
        return
    n = moment.puzzle.n
    if moment.counted:
        yield energy_change(moment.individual(event.organism).grid, event.cells, event.delta, moment.counted, n,
                            event.organism)
    draw = (event.p, event.u) if event.p is not None and event.u is not None else None
    verdict = accepted(event.delta, event.is_taken, draw, None, event.cells, n, event.organism)
    yield replace(verdict, given=(*verdict.given, ("accept if", "ΔE < 0, or u < p")))


@ask.register
def _about_merge(event: Merged, moment: Moment) -> Iterator[Question]:
    panel = population_in(moment.view.panel)
    if panel is None or panel.each != 1 or not panel.kinds or event.into >= panel.size:
        return
    energies, kind = panel.energies, panel.kinds[event.into]
    worst = max(energy for energy, letter in zip(energies, panel.kinds, strict=True) if letter == kind)
    others = [place for place in range(panel.size) if place != event.into and energies[place] != worst]
    spread = [others[k * len(others) // (OFFERED - 2)] for k in range(min(OFFERED - 2, len(others)))]
    spared = [place for place in range(panel.size) if panel.kinds[place] != kind]
    highest = sorted(spared, key=lambda place: (-energies[place], place))[:1]
    offered = sorted({event.into, *spread, *highest})
    names = panel.kind_names
    options = tuple(f"{name_of(place)} {names.get(panel.kinds[place], '')} E {energies[place]}" for place in offered)
    yield Choice(kind="replaced", text="The best worker and explorer are merged. Whom does the result replace?",
                 options=options, n=moment.puzzle.n,
                 rights=frozenset({offered.index(event.into)}),
                 given=(("rule", "it takes the place of the worst worker"), ("E", "the lower, the better")),
                 mistakes={offered.index(place): "An explorer never makes room for the result." for place in highest},
                 why=f"{name_of(event.into)} is the worst worker, E {energies[event.into]}.",
                 hint="A worker makes room, and explorers never do: look for the highest E.")
