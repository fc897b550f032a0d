"""Reasons of an annealer's events that take its configuration: a change of T, a local minimum, a new attempt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from engine import text
from engine.events import Cooled, Event, LocalMinimum, Reheated, Restarted, SwapJudged
from engine.events.because import by_number, first_fitting, made, many, reason
from engine.solvers.annealing import parameters as codes
from engine.solvers.annealing.laws import CONDITIONS, ends_attempt
from engine.solvers.annealing.parameters import Config
from engine.solvers.annealing.state import AnnealState
from engine.view import Line, Sentence

MANY, FEW = 0.8, 0.2
"""Shares of accepted proposals above and below which the adaptive schedule cools faster and more slowly."""


def judged(event: SwapJudged, config: Config, program: Iterable[Line]) -> Sentence | None:
    """The verdict on a move that does not lower E by a rule that is not built in and drew nothing: the program line
    `uphill`, or of a rule without it `accept`, is true or not. None where the sign of ΔE tells it all. A random walk
    has no rule."""
    if event.line == "calibrate":
        return reason("The walk takes every move: it only measures how much E changes.")
    known = int(config["rule"]) in CONDITIONS or event.u is not None
    if known or event.delta < 0 or (event.delta == 0 and event.accepted):
        return None
    lines = {line.id: line.text.strip() for line in program}
    fields = {"change": text.signed(event.delta), "T": text.significant(event.temperature),
              "line": lines.get("uphill", lines.get("accept", ""))}
    numbers = "ΔE = {change}: " if event.temperature is None else "ΔE = {change}, T = {T}: "
    whole = "“{line}” holds, so the move is kept." if event.accepted else "“{line}” does not hold."
    short = "the rule keeps the move." if event.accepted else "the rule rejects the move."
    return first_fitting(reason(numbers + whole, **fields), reason(numbers + short, **fields))


def cooled(event: Cooled, config: Config, base: float, started: float) -> Sentence:
    """The end of a plateau, and the change of T by the schedule. `base`: the T from which the schedule counts;
    `started`: T₀, which it differs from once T was set by hand or raised."""
    found = _not_by_rule(event, config) if config["schedule"] != codes.CONSTANT else None
    if found is not None:
        return found
    if config["schedule"] == codes.ADAPTIVE:
        return _adapted(event)
    changes = {
        codes.EXPONENTIAL: f"so T is multiplied by {float(config['alpha']):g}",
        codes.LINEAR: _lowered(event, int(config["levels"]), base, started),
        codes.LOGARITHMIC: "and T falls after every proposal",
        codes.CONSTANT: "and T is kept constant",
    }
    change = changes[int(config["schedule"])]
    return first_fitting(reason(made(event.moves) + ", {change}.", moves=event.moves, change=change),
                         reason("The plateau is complete, {change}.", change=change),
                         reason("{change}.", change=change.partition(" ")[2]))


def _not_by_rule(event: Cooled, config: Config) -> Sentence | None:
    """The reason of a T that is held, comes to its floor or was set by hand; None if it changes by the rule of the
    schedule."""
    floor = text.significant(float(config["t_min"]))
    held = config["at_floor"] == codes.AT_FLOOR_HOLD
    below = held and event.after < config["t_min"]
    changed = event.after != event.before
    if changed and config["schedule"] == codes.LOGARITHMIC and (event.after > event.before or below):
        return reason("The plateau is complete, and T or its floor was set by hand in it.")
    if not changed:
        if below:
            return reason("T is below its floor, {floor}, and is held where it is; a new plateau begins.", floor=floor)
        if not held:
            return reason("The plateau is complete, and the schedule has no lower T than {T}.", T=f"{event.after:g}")
        return reason("T is down to its floor, {floor}, and is held there; a new plateau begins.", floor=floor)
    if held and event.after == config["t_min"]:
        return reason("T fell after each proposal until it was down to its floor, {floor}."
                      if config["schedule"] == codes.LOGARITHMIC else
                      "The plateau is complete, and T comes down to its floor, {floor}.", floor=floor)
    return None


def _lowered(event: Cooled, levels: int, base: float, started: float) -> str:
    """The change of T by the linear schedule: one level, or another number of them once `levels` was changed."""
    if math.isclose(event.before - event.after, base / levels, rel_tol=1e-6):
        of = "T₀" if base == started else f"{text.significant(base)}, the T it counts from"
        return f"so T falls by 1/{text.count(levels)} of {of}"
    start = "T₀" if base == started else text.significant(base)
    return f"so T is {start}·(1 − {text.count(round(levels * (1 - event.after / base)))}/{text.count(levels)})"


def _adapted(event: Cooled) -> Sentence:
    share = event.accepted / max(1, event.moves)
    if share > MANY:
        limit, change = "over 80 %", "T falls faster, by α²"
    elif share < FEW:
        limit, change = "under 20 %", "T falls more slowly, by √α"
    else:
        limit, change = "20 to 80 %", "T is multiplied by α"
    fields = {"accepted": event.accepted, "moves": event.moves, "limit": limit, "change": change}
    return first_fitting(reason("{accepted} of {moves} proposals were accepted, {limit}: {change}.", **fields),
                         reason("{limit} of the moves were accepted: {change}.", limit=limit.capitalize(),
                                change=change))


def local_minimum(event: LocalMinimum, config: Config, goes_on: bool, waited: int) -> Sentence | None:
    """The end of a climb by a rule that does or does not take equal moves, `waited` steps after its last better grid;
    `goes_on`: a new attempt begins in the same step. None where the event tells it all."""
    moves = event.better + event.equal + event.worse
    if event.better or not (event.equal or goes_on):
        return None
    worse = by_number(moves, "The only move makes the grid no better", "None of {moves} moves makes the grid better")
    if goes_on:
        return reason(worse + ": stuck, so a new attempt begins.", moves=moves)
    if config["rule"] == codes.STRICT:
        return reason(worse + ", and no other is taken: stuck.", moves=moves)
    worse = by_number(moves, "The only move is no better", "None of {moves} moves is better")
    return first_fitting(reason(worse + ", and {steps} led to no better grid.", moves=moves,
                                steps=many(waited, "step")),
                         reason(worse + ", and the patience is spent.", moves=moves))


def restarted(event: Restarted, config: Config) -> Sentence:
    """The end of the attempt before."""
    reheats = int(config["max_reheats"]) if config["stagnation"] else 0
    if config["patience"]:
        return reason("The attempt is stuck, so a new one begins from a random grid.")
    if config["at_floor"] == codes.AT_FLOOR_RESTART and not reheats:
        return reason("T came down to its floor without a solution, so a new attempt begins at T₀.")
    if config["at_floor"] == codes.AT_FLOOR_RESTART:
        return reason("The attempt cooled down or used its {reheats}, so a new one begins at T₀.",
                      reheats=many(reheats, "reheat"))
    return reason(by_number(reheats, "The reheat of the attempt is used, so a new one begins at T₀.",
                            "All {reheats} reheats of the attempt are used, so a new one begins at T₀."),
                  reheats=reheats)


def restarted_in(events: Iterable[Event], before: Callable[[], AnnealState], config: Config) -> Sentence | None:
    """The end of the attempt before, by the other events of the step: at the floor, when no reheat is left, or when its
    patience is spent. None where there is one way only, or no plateau has ended."""
    waited = int(before().now["since_better"]) + 1 if config["patience"] else 0
    if waited and waited >= config["patience"]:
        return first_fitting(reason("{steps} without a better grid: stuck, so a new attempt begins.",
                                    steps=many(waited, "step")),
                             reason("The attempt is stuck, so a new one begins from a random grid."))
    cooled = next((event for event in events if isinstance(event, Cooled)), None)
    if cooled is None:
        return None
    if ends_attempt(cooled.after, config):
        return reason("T is below its floor without a solution, so a new attempt begins at T₀."
                      if cooled.before < config["t_min"] else
                      "T came down to its floor without a solution, so a new attempt begins at T₀.")
    if not (config["stagnation"] and config["max_reheats"]):
        return None
    state = before()
    idle = many(int(state.now["stagnation"]) + 1, "plateau")
    fields = {"waited": idle, "reheats": text.count(int(config["max_reheats"]))}
    if factor := _exceeded_factor(state, config):
        above = "; T was above {factor}·T₀ after the last: a new attempt."
        return first_fitting(reason("No reheat is left of {reheats}" + above, factor=factor, **fields),
                             reason("No reheat is left" + above, factor=factor))
    return first_fitting(
        reason("{waited} without progress and no reheat left of {reheats}: a new attempt begins.", **fields),
        reason("No reheat is left of {reheats}, so a new attempt begins at T₀.", **fields))


def reheated_in(event: Reheated, before: AnnealState, config: Config) -> Sentence | None:
    """The reason of a reheat that raises T after one that left it as it was, or after a T set by hand; None for other
    reheats."""
    factor = _exceeded_factor(before, config)
    if event.after <= event.before or not factor:
        return None
    fields = {"number": text.count(event.number), "last": text.count(event.number - 1), "factor": factor}
    rises = "T rises, reheat {number}; after reheat {last} it was above {factor}·T₀."
    return first_fitting(reason("{waited} idle: " + rises, waited=many(event.stagnation, "plateau"), **fields),
                         reason(rises, **fields))


def swept_in(events: Iterable[Event], config: Config) -> Sentence | None:
    """The reason of a sweep that ends at T_min, or past its last level after `levels` was lowered; None for others."""
    if config["schedule"] != codes.LINEAR:
        return reason("T is down to T_min and E is not 0: T rises to search on from the same grid.")
    if any(isinstance(event, Cooled) and event.before > event.after for event in events):
        return reason("The last level is passed and E is not 0: T rises to search on.")
    return None


def _exceeded_factor(before: AnnealState, config: Config) -> str:
    """The factor f of the last reheat of the attempt, if T was above f·T₀ after it: the reheat left T as it was, or T
    was set by hand since. Else an empty text."""
    started, past = float(config["t0"]) or float(before.now["calibrated"]), int(before.now["reheats"])
    if config["reheat_sets"] or not past:
        return ""
    factor = float(config["factor"])
    if config["factor_rule"] == codes.DIVIDED_FACTOR:
        factor /= past
    elif config["factor_rule"] == codes.SHRINKING_FACTOR:
        for _ in range(min(past - 1, 1500)):  # as `reheat.reheat` computes it: the last bit decides
            factor *= 0.6
    return text.significant(factor) if before.now["base"] > factor * started else ""
