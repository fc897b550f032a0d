"""Questions about a reheat that is due: does T rise, and to which value?"""

from __future__ import annotations

from collections.abc import Iterator

from engine import rng
from engine.events import NotRaised, Reheated
from engine.questions.forms import USUAL_TOLERANCE, Choice, Number, Question
from engine.questions.moment import Moment, ask

RISES, FALLS, STAYS = range(3)
DIRECTIONS = ("rises", "falls", "stays")
TIGHT = 0.2
"""The largest error of the new T that is still right, as a share of its change."""
FARTHEST = 100.0
"""The highest T that is supposed, in units of f·T₀."""


@ask.register
def _about_reheat(event: Reheated, moment: Moment) -> Iterator[Question]:
    yield from reheat(event.before, event.factor, event.number, moment)


@ask.register
def _about_reheat_without_effect(event: NotRaised, moment: Moment) -> Iterator[Question]:
    yield from reheat(event.temperature, event.factor, event.number, moment)


def reheat(before: float, factor: float, number: int, moment: Moment) -> Iterator[Question]:
    """Does T rise, fall or stay; or, for about half of the reheats that change it, to which value? (The reason of the
    first would be the answer of the second.)

    In most runs T is always on the same side of f·T₀ when a reheat is due. So the question is about a T that is
    supposed: that of the run, or as far from f·T₀ on the other side. Where the rule only raises T, two of three are
    below f·T₀: one for each question.
    """
    if not moment.reheat:
        return
    wanted, n = factor * moment.start, moment.puzzle.n
    below = rng.below(rng.draw(number, rng.CHOICE, int(1e6 * before)), 2 if moment.reheat_sets else 3) > 0
    other = wanted * min(wanted / before, FARTHEST) if before else wanted * FARTHEST
    T = float(f"{before if (before < wanted) is below else other:.3g}")
    goal = wanted if moment.reheat_sets else max(T, wanted)
    given = (("T", f"{T:g}, supposed"), *moment.reheat)
    named = f"f·T₀ = {wanted:.6g}"
    moved = rng.draw(number, rng.CHOICE, int(1e6 * before) + 1)
    way = RISES if goal > T else FALLS if goal < T else STAYS
    why = (f"{named} is above T = {T:g}.",
           f"The rule sets T to {named}, which is below T = {T:g}.",
           f"{named} is not above T = {T:g}, so T stays as it is.")[way]
    if way != STAYS and rng.below(moved, 2):
        yield Number(kind="reheat-value", text="To which value does this reheat set T?", value=wanted, low=0.0,
                     high=max(100.0, 2 * wanted), digits=6, given=given, n=n,
                     why=f"f·T₀ = {factor:.6g} · {moment.start:.6g} = {wanted:.6g}.",
                     tolerance=min(USUAL_TOLERANCE, TIGHT * abs(wanted - T) / wanted),
                     within="5 % of it and within a fifth of the change of T",
                     mistakes=((factor * T, "The factor applies to T₀, not to T."),
                               (T + wanted, "The reheat replaces T; it adds nothing to it.")),
                     hint="It is a share of T₀, the temperature at the start.")
        return
    stays = "equals it" if moment.reheat_sets else "is not above it"
    mistakes = ({FALLS: "A reheat to a higher f·T₀ raises T.", STAYS: f"T stays only where f·T₀ {stays}."},
                {RISES: "A rule that sets T also lowers it.", STAYS: "A rule that sets T also lowers it."},
                {RISES: "T rises only where f·T₀ is above it.", FALLS: "A rule that raises T never lowers it."})[way]
    yield Choice(kind="reheat", text="Suppose that a reheat is due at this T. Does T rise, fall or stay?",
                 options=DIRECTIONS, n=n, rights=frozenset({way}), given=given, why=why, mistakes=mistakes,
                 hint="Work out f·T₀, compare it with T, and apply the rule: ← means becomes.")
