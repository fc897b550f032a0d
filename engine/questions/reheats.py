"""Questions about a reheat that is due: does T rise, and to which value?"""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import NotRaised, Reheated
from engine.questions.forms import Choice, Number, Question
from engine.questions.moment import Moment, ask

RISES, FALLS, STAYS = range(3)
DIRECTIONS = ("rises", "falls", "stays")
TIGHT = 0.2
"""The largest error of the new T that is still right, as a share of its change."""


@ask.register
def _about_reheat(event: Reheated, moment: Moment) -> Iterator[Question]:
    yield from reheat(event.before, event.after, event.factor, moment)


@ask.register
def _about_reheat_without_effect(event: NotRaised, moment: Moment) -> Iterator[Question]:
    yield from reheat(event.temperature, event.temperature, event.factor, moment)


def reheat(before: float, after: float, factor: float, moment: Moment) -> Iterator[Question]:
    """Does T rise, fall or stay; and if it changes, to which value?"""
    if not moment.reheat:
        return
    wanted, n = factor * moment.start, moment.puzzle.n
    given = (("T", f"{before:.6g}"), *moment.reheat)
    named = f"f·T₀ = {wanted:.6g}"
    way = RISES if after > before else FALLS if after < before else STAYS
    why = (f"{named} is above T = {before:.6g}.",
           f"The rule sets T to {named}, which is below T = {before:.6g}.",
           f"{named} is not above T = {before:.6g}, so T stays as it is.")[way]
    mistakes = ({FALLS: "A reheat to a higher f·T₀ raises T.", STAYS: "T stays only where f·T₀ is not above it."},
                {RISES: "A rule that sets T also lowers it.", STAYS: "A rule that sets T also lowers it."},
                {RISES: "T rises only where f·T₀ is above it.", FALLS: "A rule that raises T never lowers it."})[way]
    yield Choice(kind="reheat", text="A reheat is due. Does T rise, fall or stay?", options=DIRECTIONS, n=n,
                 rights=frozenset({way}), given=given, why=why, mistakes=mistakes,
                 hint="Work out f·T₀, compare it with T, and apply the rule: ← means becomes.")
    if way != STAYS:
        yield Number(kind="reheat-value", text="To which value does the reheat set T?", value=after, low=0.0,
                     high=max(100.0, 2 * after), digits=6, given=given, n=n, why=f"{named}.",
                     tolerance=min(0.05, TIGHT * abs(after - before) / after),
                     mistakes=((factor * before, "The factor applies to T₀, not to T."),
                               (before + wanted, "The reheat replaces T; it adds nothing to it.")),
                     hint="It is a share of T₀, the temperature at the start.")
