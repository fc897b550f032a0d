"""Reasons: one plain sentence for each event on why it came about, with the numbers of this step.

A screen shows the reason under the sentence of the event (`explain`). A solver that knows more than the event, such as
the schedule that lowered T, overrides `Solver.because`.
"""

from __future__ import annotations

from functools import singledispatch

from engine import text
from engine.events import (
    Assigned,
    Calibrated,
    Contradiction,
    Cooled,
    Done,
    Eliminated,
    Event,
    LocalMinimum,
    NewBest,
    NotRaised,
    Reheated,
    Restarted,
    Retracted,
    Scanned,
    SwapJudged,
    Swept,
)
from engine.events.explain import cell
from engine.view import Sentence

MOST_BECAUSE = 78
"""Columns of the longest reason: one line of a screen of 80 columns."""
HIDDEN_SINGLE = "hidden single in "
"""The beginning of the reason of such an assignment, before its unit."""
OFTEN, SELDOM, HARDLY = 0.95, 0.35, 1e-4
"""Shares from which a thing happens nearly always, and below which it is one time in many, or hardly ever."""


def reason(template: str, **fields: object) -> Sentence:
    """A reason: a sentence without a badge. A number among the fields is written as a count."""
    return Sentence("", template, {name: text.count(value) if isinstance(value, int) else str(value)
                                   for name, value in fields.items()})


def first_fitting(*reasons: Sentence) -> Sentence:
    """The first reason that fits one line, else the last: they are given from the most telling to the shortest."""
    return next((each for each in reasons if len(each.text) <= MOST_BECAUSE), reasons[-1])


def how_often(share: float) -> str:
    """A probability in words: `taken 1 time in 11`, `taken 6 times in 10`, `nearly always taken`, `hardly ever
    taken`."""
    if share >= 1:
        return "always taken"
    if share >= OFTEN:
        return "nearly always taken"
    if share >= SELDOM:
        return f"taken {round(10 * share)} times in 10"
    return "hardly ever taken" if share < HARDLY else f"taken 1 time in {text.count(round(1 / share))}"


def many(number: int, noun: str) -> str:
    """`1 epoch`, `2 epochs`."""
    return f"{text.count(number)} {noun}{'' if number == 1 else 's'}"


def by_number(number: int, one: str, more: str) -> str:
    """The sentence about one thing, or that about `number` of them."""
    return one if number == 1 else more


@singledispatch
def because(event: Event, n: int = 9) -> Sentence | None:
    """The reason of an event; `n` is the side of the grid. None for a type of event that has none of its own.

    Register the reasons of new event types with `@because.register`.
    """
    return None


@because.register
def _why_swap(event: SwapJudged, n: int = 9) -> Sentence:
    if event.p is not None and event.u is not None:
        return _drawn(event, event.p)
    change = text.signed(event.delta)
    if event.accepted and event.delta < 0:
        return reason("E falls by {fall}, and a better grid is always kept.", fall=-event.delta)
    if event.accepted and event.delta == 0:
        return reason("E stays at {E}, and a grid that is no worse is kept.", E=event.energy)
    if event.accepted:
        return reason("E rises by {rise}, which the rule allows at this step.", rise=event.delta)
    if event.delta == 0:
        return reason("E would stay at {E}, and only a lower E is kept here.", E=event.energy)
    return reason("ΔE = {change} would make the grid worse, and no worse grid is kept here.", change=change)


def _drawn(event: SwapJudged, p: float) -> Sentence:
    """The reason of a move that was left to chance."""
    if event.delta <= 0 and event.accepted:
        return reason("ΔE = {change} makes p = 1, and u is always below 1.", change=text.signed(event.delta))
    if p == 0 and not event.temperature:  # at a small T p is 0 only as it is computed
        return reason("At T = 0 p is 0, so no worse grid is ever kept.")
    draw = "u < p, so the move is kept"
    if not event.accepted:
        draw = "u ≥ p, so the move is rejected"
    return reason(draw + ": at this T a {change} is {often}.", change=text.signed(event.delta), often=how_often(p))


@because.register
def _why_scan(event: Scanned, n: int = 9) -> Sentence:
    moves = event.better + event.equal + event.worse
    if event.accepted and event.delta < 0:
        template = by_number(event.better, "{better} of {moves} moves lowers E: by {fall}.",
                             "{better} of {moves} moves lower E, and the best of them lowers it by {fall}.")
        return reason(template, better=event.better, moves=moves, fall=-event.delta)
    if event.accepted and event.delta == 0:
        template = by_number(moves, "The only move leaves E at {E}, and is made.",
                             "None of {moves} moves lowers E, so one that leaves it at {E} is made.")
        return reason(template, moves=moves, E=event.energy)
    if event.accepted:
        return reason(by_number(moves, "The only move raises E.",
                                "All {moves} moves raise E, and this one raises it least."), moves=moves)
    if event.delta == 0:
        return reason(by_number(moves, "The only move does not lower E, and only a lower E is kept here.",
                                "None of {moves} moves lowers E, and only a lower E is kept here."), moves=moves)
    return reason(by_number(moves, "The only move would raise E, so there is no way down from here.",
                            "All {moves} moves would raise E, so there is no way down from here."), moves=moves)


@because.register
def _why_local_minimum(event: LocalMinimum, n: int = 9) -> Sentence:
    moves = event.better + event.equal + event.worse
    if event.better:
        are = by_number(event.better, "is", "are")
        return reason("The patience is spent, although {better} of {moves} neighbours " + are + " better.",
                      better=event.better, moves=moves)
    if event.equal:
        leave = by_number(event.equal, "leaves", "leave")
        return reason(by_number(moves, "The only move leaves E as it is.",
                                "None of {moves} moves makes the grid better; {equal} " + leave + " E as it is."),
                      moves=moves, equal=event.equal)
    return reason(by_number(moves, "The only move makes the grid worse: no step down or sideways is left.",
                            "All {moves} moves make the grid worse: no step down or sideways is left."), moves=moves)


@because.register
def _why_cooled(event: Cooled, n: int = 9) -> Sentence:
    change = "is lowered" if event.after < event.before else "stays as it is"
    return reason(made(event.moves) + ", and T " + change + ".", moves=event.moves)


def made(moves: int) -> str:
    """The beginning of a sentence on the end of a plateau."""
    return by_number(moves, "The proposal of the plateau is made", "All {moves} proposals of the plateau are made")


@because.register
def _why_swept(event: Swept, n: int = 9) -> Sentence:
    return reason("T cannot fall further and E is not 0: T rises to search on from the same grid.")


@because.register
def _why_calibrated(event: Calibrated, n: int = 9) -> Sentence:
    if event.temperature not in (event.deviation_delta, event.deviation_energy):
        return reason("The standard deviation over the walk is 0, so T₀ is {T}.", T=text.significant(event.temperature))
    of = "ΔE" if event.temperature == event.deviation_delta else "E"
    return reason("T₀ is the standard deviation of {of} over the {samples} moves of the walk.", of=of,
                  samples=event.samples)


@because.register
def _why_reheated(event: Reheated, n: int = 9) -> Sentence:
    return reheated(event)


def reheated(event: Reheated, start: str = "the start") -> Sentence:
    """The reason of a reheat. `start`: the beginning of what came before the first one."""
    if event.after == event.before:
        return _not_raised(event)
    fields = {"waited": many(event.stagnation, "plateau"), "factor": text.significant(event.factor)}
    since = f"reheat {text.count(event.number - 1)}" if event.number > 1 else start
    gained = f"E {f'fell by up to {event.gained}' if event.gained else 'was not lower'} since {since},"
    if event.after > event.before:
        return first_fitting(reason("{gained} {waited} without progress: T rises.", gained=gained, **fields),
                             reason("{waited} without progress: T rises to {factor}·T₀, and the grid stays.", **fields))
    return first_fitting(reason("{gained} {waited} without progress: T falls.", gained=gained, **fields),
                         reason("{waited} without progress: T is set to {factor}·T₀, which is lower.", **fields))


@because.register
def _why_not_raised(event: NotRaised, n: int = 9) -> Sentence:
    return _not_raised(event)


def _not_raised(event: Reheated | NotRaised) -> Sentence:
    fields = {"waited": many(event.stagnation, "plateau"), "factor": text.significant(event.factor)}
    stays = "{waited} idle, but {factor}·T₀ is not above T: T stays"
    return first_fitting(reason(stays + "; the reheat counts.", **fields), reason(stays + ".", **fields))


@because.register
def _why_restarted(event: Restarted, n: int = 9) -> Sentence:
    return reason("The attempt before it found no solution; the best grid so far has E = {best}.",
                  best=event.lowest)


@because.register
def _why_new_best(event: NewBest, n: int = 9) -> Sentence:
    return reason("E = {E} is lower than ever before in this run; the best was {before}.", E=event.energy,
                  before=event.before)


@because.register
def _why_assigned(event: Assigned, n: int = 9) -> Sentence:
    fields = {"cell": cell(event.cell, n), "value": str(event.value), "reason": event.reason}
    if event.reason == "naked single":
        return reason("{cell} can hold nothing but {value}: its peers hold all other values.", **fields)
    if event.reason.startswith(HIDDEN_SINGLE):
        return reason("{value} has no other place in {unit}.", unit=event.reason.removeprefix(HIDDEN_SINGLE), **fields)
    return first_fitting(reason("{cell} takes {value}: {reason}.", **fields),
                         reason("{value} is the value chosen for {cell}.", **fields))


@because.register
def _why_retracted(event: Retracted, n: int = 9) -> Sentence:
    return reason("Nothing that followed from {cell} = {value} worked, so it is undone.", cell=cell(event.cell, n),
                  value=str(event.value))


@because.register
def _why_eliminated(event: Eliminated, n: int = 9) -> Sentence:
    fields = {"cell": cell(event.cell, n), "value": str(event.value), "reason": event.reason}
    return first_fitting(reason("{cell} cannot be {value}: {reason}.", **fields),
                         reason("{cell} cannot be {value}.", **fields))


@because.register
def _why_contradiction(event: Contradiction, n: int = 9) -> Sentence:
    return first_fitting(reason("Since {reason}, a value on the board must be wrong.", reason=event.reason),
                         reason("The grid as it is cannot be completed: a value on the board must be wrong."))


@because.register
def _why_done(event: Done, n: int = 9) -> Sentence:
    endings = {
        "solved": "E = 0: nothing is left that is wrong or open, so the run ends.",
        "no_solution": "This is a proof: no grid at all fits these givens.",
        "gave_up": "The run ends without a solution; its result is the best grid, with E = {E}.",
        "unknown": "Neither a solution nor a proof was found, so the question stays open.",
    }
    return reason(endings[event.status], E=event.energy)
