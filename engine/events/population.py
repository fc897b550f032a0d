"""Events of populations: offspring, turns of organisms, merges, generations; with their sentences and reasons.

An individual is identified by its place in the population, counted from 0; sentences count from 1 (`#17`).
"""

from __future__ import annotations

from typing import Literal

from engine import text
from engine.events import Event
from engine.events.because import because, first_fitting, how_often, many, reason
from engine.events.explain import cells as names_of
from engine.events.explain import explain
from engine.view import Sentence

Caste = Literal["worker", "explorer"]
Turn = Literal["improved", "luck", "refused", "fresh"]
"""Result of a turn: a better neighbour was accepted; another one was accepted by chance; the neighbour was refused; the
organism was refilled at random."""

FIRST, SECOND, NEITHER = 0, 1, 2
"""Origin of the value of a child's cell: the first parent, the second, or neither (mutated, repaired)."""


class Bred(Event, frozen=True, tag="child"):
    """An offspring was made of two parents and judged."""

    parents: tuple[int, int]
    """Their places in their generation; equal when there was no crossover, or when one individual won both
    tournaments."""
    child: int
    """The place of the offspring; -1 when it was dropped."""
    mask: tuple[int, ...]
    """For every cell FIRST, SECOND or NEITHER."""
    mutated: tuple[int, ...]
    """Cells changed by a mutation."""
    energy: int
    """E of the offspring."""
    kept: bool
    parent_energies: tuple[int, int]
    how: str
    """The crossover, in a few words: `uniform`, `cut after row 5`."""
    replaced: int = -1
    """The place of the individual that it replaced; -1 for none."""

    @property
    def kinds(self) -> tuple[str, ...]:
        better = ("better",) if self.energy < min(self.parent_energies) else ()
        return ("kept" if self.kept else "dropped", "child", *better)

    @property
    def touched(self) -> tuple[int, ...]:
        """The cells whose values come from neither parent."""
        return tuple(sorted({*self.mutated, *(cell for cell, whose in enumerate(self.mask) if whose == NEITHER)}))


class Refined(Event, frozen=True, tag="refined", omit_defaults=True):
    """An individual was improved by another search (annealing), and the result took its place."""

    individual: int
    before: int
    """E before and after."""
    after: int
    proposals: int
    accepted: int
    temperature: float
    """T at first."""
    final: float | None = None
    """T at its end; None if it was constant."""


class Turned(Event, frozen=True, tag="turn"):
    """A turn of an organism: a neighbour of its grid was judged, or it was refilled at random."""

    organism: int
    caste: Caste
    turn: Turn
    cells: tuple[int, ...]
    """The cells of the proposed swap; empty when it was refilled."""
    values: tuple[int, ...]
    """Their values before."""
    delta: int
    energy: int
    """E of the organism after its turn."""
    age: int
    """Refusals since it last improved, or got a new grid."""
    p: float | None = None
    """The probability of accepting a neighbour that is not better, and the u compared with it; None without a draw."""
    u: float | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        uphill = ("uphill",) if self.is_taken and self.delta > 0 else ()
        return (self.turn, *uphill, "turn", *(("accepted",) if self.is_taken else ()), self.caste)

    @property
    def is_taken(self) -> bool:
        """True if the neighbour was accepted."""
        return self.turn in ("improved", "luck")

    @property
    def touched(self) -> tuple[int, ...]:
        """The swapped cells; none when it was refilled, which touches them all."""
        return self.cells if self.is_taken else ()


class Flown(Event, frozen=True, tag="flight"):
    """A particle changed its velocity and moved by it."""

    particle: int
    velocity: tuple[tuple[int, int], ...]
    """The swaps (cell, cell) that it made, in order."""
    kept: int
    """Number of them from its old velocity."""
    own: int
    """Number of them towards its own best grid."""
    towards: int
    """Number of them towards the best grid of all."""
    before: int
    energy: int
    own_best: int

    @property
    def kinds(self) -> tuple[str, ...]:
        how = "improved" if self.energy < self.before else "equal" if self.energy == self.before else "uphill"
        return (how, "flight")

    @property
    def touched(self) -> tuple[int, ...]:
        return tuple(sorted({cell for swap in self.velocity for cell in swap}))


class Merged(Event, frozen=True, tag="merged"):
    """The best worker and the best explorer were merged into another organism."""

    parents: tuple[int, int]
    """Places of the worker and of the explorer."""
    into: int
    mask: tuple[int, ...]
    """For every cell FIRST (worker) or SECOND (explorer)."""
    parent_energies: tuple[int, int]
    before: int
    """E of the organism that was replaced."""
    energy: int


class Outgrown(Event, frozen=True, tag="doubled"):
    """The best stagnated: the population restarts with more individuals."""

    RARE = True
    before: int
    """Individuals."""
    after: int
    stagnation: int
    """Generations without a new best of this population."""


class Shifted(Event, frozen=True, tag="shifted"):
    """The share of workers in a swarm was changed."""

    RARE = True
    before: float
    after: float
    stagnation: int
    """Epochs since the best E of this attempt fell or the share was changed; 0: it has just fallen."""


class GenerationEnded(Event, frozen=True, tag="generation"):
    """A generation of a population, or an epoch of a swarm, is complete."""

    number: int
    """Counted from 1 over the whole run."""
    best: int
    mean: float
    worst: int
    diversity: float
    """Share of different individuals, 0 to 1."""
    word: str = "generation"
    """`generation` or `epoch`."""


def name_of(place: int) -> str:
    """The number of an individual in sentences: `#17` for place 16."""
    return f"#{place + 1}"


@explain.register
def _bred(event: Bred, n: int = 9) -> Sentence:
    first, second = event.parents
    fields = {"A": name_of(first), "B": name_of(second), "a": str(event.parent_energies[0]),
              "b": str(event.parent_energies[1]), "E": str(event.energy), "how": event.how,
              "mutated": str(len(event.mutated)), "child": name_of(event.child), "replaced": name_of(event.replaced)}
    born = "{child} of " if event.kept else "of "
    if first != second:
        parents, energies, brief = "A {A} × B {B}   ", "E {a} and {b} → {E}   {how}", "E {a}, {b} → {E}"
    else:
        parents, energies, brief = "A {A} alone   ", "E {a} → {E}", "E {a} → {E}"
    goes = "   replaces {replaced}" if event.replaced >= 0 else ""
    return Sentence("CHILD KEPT" if event.kept else "CHILD DROPPED",
                    "child " + born + parents + energies + "   mutated cells {mutated}" + goes, fields,
                    born.removeprefix("of ") + parents + brief + "   mutated {mutated}" + goes)


@explain.register
def _refined(event: Refined, n: int = 9) -> Sentence:
    fields = {"who": name_of(event.individual), "before": str(event.before), "after": str(event.after),
              "proposals": text.count(event.proposals), "accepted": text.count(event.accepted),
              "T": text.significant(event.temperature)}
    if event.final is not None:
        fields["T"] += f" → {text.significant(event.final)}"
    return Sentence("REFINED", "{who} annealed   E {before} → {after}   proposals {proposals}   accepted {accepted}"
                               "   T = {T}", fields,
                    "{who}   E {before} → {after}   accepted {accepted} of {proposals}   T = {T}")


TURNS = {"improved": "IMPROVED", "luck": "TAKEN BY CHANCE", "refused": "REJECTED", "fresh": "FRESH START"}


@explain.register
def _turned(event: Turned, n: int = 9) -> Sentence:
    fields = {"who": name_of(event.organism), "caste": event.caste, "cells": names_of(event.cells, n, " ↔ "),
              "delta": f"{text.signed(event.delta):>2}", "E": str(event.energy), "age": str(event.age)}
    if event.turn == "fresh":
        return Sentence("FRESH START", "{caste} {who} is refilled at random   E = {E}", fields)
    drawn = ""
    if event.p is not None and event.u is not None:
        relation, fields["p"], fields["u"] = text.chance(event.p, event.u)
        drawn = f"   p {relation} {{p}}   u = {{u}} " + ("<" if event.u < event.p else "≥") + " p"
    move, result = "swap {cells}   ΔE = {delta}" + drawn, "   E = {E}"
    return Sentence(TURNS[event.turn], "{caste} {who}   " + move + result + "   refusals {age}", fields,
                    "{who} " + move.removeprefix("swap ") + result)


@explain.register
def _flown(event: Flown, n: int = 9) -> Sentence:
    fields = {"who": name_of(event.particle), "swaps": str(len(event.velocity)), "kept": str(event.kept),
              "own": str(event.own), "towards": str(event.towards), "before": str(event.before),
              "E": str(event.energy), "best": str(event.own_best)}
    if not event.velocity:
        return Sentence("UNMOVED", "{who}   E = {E}   swaps {swaps}: its velocity is empty   its best {best}", fields)
    return Sentence("MOVED", "{who}   E {before} → {E}   swaps {swaps}: {kept} as before, {own} to its best, "
                             "{towards} to gBest   its best {best}", fields,
                    "{who}   E {before} → {E}   swaps: {kept} old, {own} to pBest, {towards} to gBest")


@explain.register
def _merged(event: Merged, n: int = 9) -> Sentence:
    fields = {"A": name_of(event.parents[0]), "B": name_of(event.parents[1]), "into": name_of(event.into),
              "a": str(event.parent_energies[0]), "b": str(event.parent_energies[1]), "before": str(event.before),
              "E": str(event.energy)}
    return Sentence("MERGED", "worker A {A} × explorer B {B}   parents E {a} and {b}, child {E}   "
                              "replaces {into}, E {before}", fields,
                    "A {A} × B {B}   E {a} and {b} → {E}   replaces {into}, E {before}")


@explain.register
def _outgrown(event: Outgrown, n: int = 9) -> Sentence:
    fields = {"before": text.count(event.before), "after": text.count(event.after), "stagnation": str(event.stagnation)}
    badge = "DOUBLED" if event.after == 2 * event.before else "ENLARGED"  # to the largest size, which may be less
    return Sentence(badge, "individuals {before} → {after}, all new: another attempt   "
                           "generations without a new best of this population {stagnation}", fields,
                    "individuals {before} → {after}, all new: another attempt")


@explain.register
def _shifted(event: Shifted, n: int = 9) -> Sentence:
    fields = {"before": text.share(event.before), "after": text.share(event.after), "stagnation": str(event.stagnation)}
    change = "workers {before} → {after}   "
    if not event.stagnation:
        return Sentence("SHARE SHIFTED", change + "a new best of this attempt", fields)
    return Sentence("SHARE SHIFTED", change + "epochs since the last new best or change {stagnation}", fields,
                    change + "stagnation {stagnation}")


COLLAPSED = 0.1
"""Diversity, a share of different grids, at which the sentence adds that nearly all individuals are copies."""


@explain.register
def _generation(event: GenerationEnded, n: int = 9) -> Sentence:
    fields = {"word": event.word, "number": text.count(event.number), "best": str(event.best),
              "mean": text.significant(event.mean), "worst": str(event.worst), "diversity": text.share(event.diversity)}
    template = "{word} {number}   best now {best}   mean {mean}   worst now {worst}   diversity {diversity}"
    if event.diversity <= COLLAPSED:
        template += ": nearly all are copies of others" + (
            "" if event.word == "epoch" else ", crossover gives little new")
    return Sentence("EPOCH" if event.word == "epoch" else "GENERATION", template, fields,
                    "{number}   E best {best}, mean {mean}, worst {worst}   diversity {diversity}")


# Reasons


@because.register
def _why_bred(event: Bred, n: int = 9) -> Sentence:
    if event.kept:
        return reason("A child with E = {E}; it joins the next generation.", E=event.energy)
    return reason("Its E of {E} is not low enough for a place in the next generation.", E=event.energy)


@because.register
def _why_refined(event: Refined, n: int = 9) -> Sentence:
    fields = {"made": many(event.proposals, "proposal"), "before": event.before, "after": event.after,
              "T": text.significant(event.temperature), "final": text.significant(event.final)}
    cools = event.final is not None and fields["final"] != fields["T"]
    made = "{made} " + ("as T fell from {T} to {final}" if cools else "at T = {T}")
    if not cools:
        del fields["final"]
    if event.after < event.before:
        brought = made + " brought E from {before} to {after}"
        return first_fitting(reason(brought + ": that is kept.", **fields), reason(brought + ".", **fields))
    return reason(made + " met nothing better than E = {before}.", **fields)


@because.register
def _why_turned(event: Turned, n: int = 9) -> Sentence:
    if event.turn == "improved":
        return reason("E falls by {fall}, and a worker always takes a better neighbour.", fall=-event.delta)
    if event.turn == "fresh" and event.caste == "explorer":
        return reason("An explorer is refilled in every epoch, to bring new grids into the swarm.")
    if event.turn == "fresh":
        return reason("Too many refusals without an improvement, so it starts from a new grid.")
    often = "" if event.p is None else how_often(event.p)
    if event.turn == "luck":
        return reason("It is no better, but u < p: such swaps are {often}.", often=often)
    return reason("It is no better, and u ≥ p: {refusals} since it improved or was new.",
                  refusals=many(event.age, "refusal"))


@because.register
def _why_flown(event: Flown, n: int = 9) -> Sentence:
    change = event.energy - event.before
    if not event.velocity:
        return reason("Its velocity has no swap, neither old nor new, so it stays where it is.")
    if change > 0:
        return reason("A particle follows its velocity even where E rises, here by {rise}.", rise=change)
    if change < 0:
        return reason("A particle follows its velocity; this time E falls by {fall}.", fall=-change)
    return reason("A particle follows its velocity; this time E stays at {E}.", E=event.energy)


@because.register
def _why_merged(event: Merged, n: int = 9) -> Sentence:
    return reason("{into}, the worst worker, gives way to a child of the best worker and explorer.",
                  into=name_of(event.into))


@because.register
def _why_outgrown(event: Outgrown, n: int = 9) -> Sentence:
    return reason("{waited} without a new best of this population: a larger one follows.",
                  waited=many(event.stagnation, "generation"))


@because.register
def _why_shifted(event: Shifted, n: int = 9) -> Sentence:
    if event.stagnation:
        return reason("{waited} since the last new best or change: workers become explorers.",
                      waited=many(event.stagnation, "epoch"))
    return reason("The best E of this attempt fell: the share of workers is the set one now.")


@because.register
def _why_generation(event: GenerationEnded, n: int = 9) -> Sentence:
    if event.word == "epoch":
        return reason("Every member of the swarm has had its turn, so epoch {number} is over.", number=event.number)
    return reason("Breeding ends: children take the places of as many parents, the worst first.")
