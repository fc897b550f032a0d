"""Sentences: each event as a badge and a template with named fields."""

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
from engine.view import Sentence

BADGES = {"improved": "IMPROVED", "equal": "EQUAL", "uphill": "ACCEPTED UPHILL", "rejected": "REJECTED"}
UNDRAWN = "p = {p}   u = {u}"
"""The test of a move for which nothing was drawn."""
COUNTS = "better {better}, equal {equal}, worse {worse}"
ENDINGS = {"solved": "SOLVED", "no_solution": "NO SOLUTION", "gave_up": "GAVE UP", "unknown": "UNKNOWN"}


@singledispatch
def explain(event: Event, n: int = 9) -> Sentence:
    """The sentence of an event; `n` is the side of the grid, for the names of cells.

    Register the sentences of new event types with `@explain.register`.
    """
    return Sentence(str(event.__struct_config__.tag).upper()[:15], "step {step}", {"step": text.count(event.step)})


def cell(index: int, n: int) -> str:
    return f"r{index // n + 1}c{index % n + 1}"


def cells(indices: tuple[int, ...], n: int, between: str = " ") -> str:
    return between.join(cell(index, n) for index in indices)


def _move(event: SwapJudged | Scanned, n: int) -> tuple[str, dict[str, str]]:
    verb = "swap" if len(event.cells) == 2 else "rotate"
    arrow = " ↔ " if len(event.cells) == 2 else " → "
    return verb + " {cells}   ΔE = {delta}", {
        "cells": cells(event.cells, n, arrow),
        "delta": f"{text.signed(event.delta):>2}",
    }


@explain.register
def _swap(event: SwapJudged, n: int = 9) -> Sentence:
    template, fields = _move(event, n)
    if event.temperature is not None:
        template += "   T = {T}   " + _chance(event, fields)
    template += "   E {before} → {after}"
    fields |= {"before": str(event.energy_before), "after": str(event.energy)}
    return Sentence(BADGES[event.verdict], template, fields)


def _chance(event: SwapJudged, fields: dict[str, str]) -> str:
    """The acceptance test, adding its fields."""
    fields["T"] = text.significant(event.temperature)
    if event.p is None or event.u is None:
        fields |= {"p": "1" if event.accepted else "0", "u": text.NONE}
        return UNDRAWN
    fields["exponent"] = f"{text.MINUS}{event.delta}/{fields['T']}"
    against = "< p" if event.accepted else "≥ p"
    relation, fields["p"], fields["u"] = text.chance(event.p, event.u)
    return f"p = e^({{exponent}}) {relation} {{p}}   u = {{u}} {against}"


@explain.register
def _scan(event: Scanned, n: int = 9) -> Sentence:
    template, fields = _move(event, n)
    fields |= _neighbours(event) | {"before": str(event.energy - event.delta * event.accepted),
                                    "moves": str(event.better + event.equal + event.worse)}
    result = "   E {before} → {E}"
    return Sentence(BADGES[event.kinds[0]], template + "   neighbours of E {before}: " + COUNTS + result, fields,
                    template + "   better were {better} of {moves}" + result)


@explain.register
def _local_minimum(event: LocalMinimum, n: int = 9) -> Sentence:
    badge = "PATIENCE SPENT" if event.better else "LOCAL MINIMUM"
    return Sentence(badge, "neighbours " + COUNTS + "   E = {E}", _neighbours(event))


def _neighbours(event: Scanned | LocalMinimum) -> dict[str, str]:
    return {"better": str(event.better), "equal": str(event.equal), "worse": str(event.worse), "E": str(event.energy)}


@explain.register
def _assigned(event: Assigned, n: int = 9) -> Sentence:
    fields = {"cell": cell(event.cell, n), "value": str(event.value), "reason": event.reason, "depth": str(event.depth)}
    return Sentence("ASSIGNED", "{cell} ← {value}   {reason}" + ("   depth {depth}" if event.depth else ""), fields)


@explain.register
def _retracted(event: Retracted, n: int = 9) -> Sentence:
    fields = {"cell": cell(event.cell, n), "value": str(event.value), "depth": str(event.depth)}
    return Sentence("RETRACTED", "{cell} = {value} taken back   depth {depth}", fields)


@explain.register
def _eliminated(event: Eliminated, n: int = 9) -> Sentence:
    fields = {"cell": cell(event.cell, n), "value": str(event.value), "because": cells(event.because, n),
              "reason": event.reason}
    because = "   because of {because}" if event.because else ""
    return Sentence("ELIMINATED", "{value} struck from {cell}   {reason}" + because, fields)


@explain.register
def _contradiction(event: Contradiction, n: int = 9) -> Sentence:
    named, others = event.cells[:1], event.cells[1:]
    if not named or cell(named[0], n) not in event.reason.split():
        others = event.cells
    whose = "cell of the dead end" if len(others) == 1 else "cells of the dead end"
    template = "{reason}" if not others else "{reason}   " + whose + " {cells}"
    if 0 < len(others) < len(event.cells):
        template = "{reason}   because of {cells}"
    fields = {"reason": event.reason, "cells": cells(others, n)}
    return Sentence("DEAD END", template, fields if others else {"reason": event.reason})


@explain.register
def _cooled(event: Cooled, n: int = 9) -> Sentence:
    before, after = text.apart(event.before, event.after)
    fields = {"before": before, "after": after, "plateau": text.count(event.plateau),
              "accepted": text.count(event.accepted), "moves": text.count(event.moves)}
    held = event.before == event.after
    change = ("T held at {after}" if event.after else "T is {after}") if held else "T {before} → {after}"
    badge = "COOLED" if event.after < event.before else "PLATEAU"
    return Sentence(badge, change + "   plateau {plateau}   accepted {accepted} of {moves}", fields)


@explain.register
def _swept(event: Swept, n: int = 9) -> Sentence:
    fields = {"sweep": text.count(event.sweep), "E": str(event.energy)}
    return Sentence("SWEEP", "sweep {sweep} ended at E = {E}; T goes back to its start", fields)


@explain.register
def _calibrated(event: Calibrated, n: int = 9) -> Sentence:
    fields = {"T": text.significant(event.temperature), "delta": text.significant(event.deviation_delta),
              "energy": text.significant(event.deviation_energy), "samples": str(event.samples)}
    template = "T₀ = {T}   deviation of ΔE = {delta}, of E = {energy}, over {samples} moves"
    return Sentence("CALIBRATED", template, fields, "T₀ = {T}   deviation of ΔE {delta}, of E {energy}")


@explain.register
def _reheated(event: Reheated, n: int = 9) -> Sentence:
    before, after = text.apart(event.before, event.after)
    fields = {"before": before, "after": after, "factor": text.significant(event.factor),
              "number": text.count(event.number)}
    change = "= {factor}·T₀" + ("" if event.after > event.before else " (lowered)")
    template = f"T {{before}} → {{after}} {change}   reheat {{number}}"
    return Sentence("REHEAT", template, fields)


@explain.register
def _not_raised(event: NotRaised, n: int = 9) -> Sentence:
    fields = {"T": text.significant(event.temperature), "factor": text.significant(event.factor),
              "number": text.count(event.number)}
    return Sentence("NOT RAISED", "T stays {T}: {factor}·T₀ is not above it   reheat {number}", fields)


@explain.register
def _restarted(event: Restarted, n: int = 9) -> Sentence:
    fields = {"attempt": text.count(event.attempt), "attempts": text.count(event.attempts), "E": str(event.energy),
              "best": str(event.lowest)}
    of = " of {attempts}" if event.attempts else ""
    return Sentence("RESTART", "attempt {attempt}" + of + "   fresh state E = {E}   best so far {best}", fields)


@explain.register
def _new_best(event: NewBest, n: int = 9) -> Sentence:
    fields = {"E": str(event.energy), "before": str(event.before)}
    return Sentence("NEW BEST", "E = {E}, never lower before (was {before})", fields)


SHORT_REASON = 60
"""Letters of a reason that a small window has room for beside the badge, without E."""


@explain.register
def _done(event: Done, n: int = 9) -> Sentence:
    left = "" if event.status == "solved" else "   best E = {E}"
    fields = {"reason": event.reason, "E": str(event.energy)}
    clause = event.reason.rpartition(", ")[0] or event.reason
    if len(clause) > SHORT_REASON and ": " in clause:
        clause = clause.rpartition(": ")[0]
    if clause == event.reason:
        return Sentence(ENDINGS[event.status], "{reason}" + left, fields)
    brief = "{clause}" + (left if len(clause + left) <= SHORT_REASON else "")
    return Sentence(ENDINGS[event.status], "{reason}" + left, fields | {"clause": clause}, brief)
