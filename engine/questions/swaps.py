"""Questions about a proposed move: what a unit adds to E now (`unit_energy`), what the move adds to E, how likely it is
taken, whether it is taken; the next temperature; and whether a better neighbour exists."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine import text
from engine.energy import surplus
from engine.errors import BadInput
from engine.events import Cooled, Done, LocalMinimum, Reheated, Restarted, Scanned, SwapJudged, Swept
from engine.events.explain import cells as names_of
from engine.puzzle import Unit, cell_name
from engine.questions.forms import Answer, Branch, Choice, Mark, Number, Question, fitting
from engine.questions.moment import Moment, ask
from engine.questions.unit_energy import unit_energy

TAKEN, REJECTED = 0, 1
VERDICTS = ("accepted", "rejected")
NEVER = 1e-6
"""A probability up to this is as good as 0."""
BETTER_EVERY, BETTER_AT = 32, 16
"""Without a temperature, the steps asked for a better neighbour beside those of local minima, where there is none."""
_TIGHT = 0.2
"""The error of the next temperature that is still right, as a share of its change."""


def kinds_of(units: Sequence[Unit], last: str = "and") -> str:
    """The kinds of units in words: `rows, columns and boxes`, or `a row, a column or a box`."""
    kinds = list(dict.fromkeys(unit.kind for unit in units))
    names = [f"a {kind}" if last == "or" else f"{kind}es" if kind == "box" else f"{kind}s" for kind in kinds]
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def energy_change(grid: Sequence[int], moved: tuple[int, ...], delta: int, counted: tuple[Unit, ...],
                  n: int, individual: int | None = None) -> Choice:
    """The question of ΔE. The units that change are the reason."""
    after = list(grid)
    for source, target in zip(moved, (*moved[1:], moved[0]), strict=True):
        after[target] = grid[source]
    changes, bound = [], 0
    for unit in counted:
        inside = sum(cell in unit.cells for cell in moved)
        if 0 < inside < len(moved):
            bound += min(inside, len(moved) - inside)
            before, now = surplus(grid, (unit,)), surplus(after, (unit,))
            if before != now:
                changes.append((unit.name, now - before))
    options = tuple(text.signed(change) for change in range(-bound, bound + 1))
    mistakes = {bound - delta: "The sign: ΔE is E after the move minus E before it."} if delta else {}
    parts = [f"{name} {text.signed(change)}" for name, change in changes]
    return Choice(
        kind="energy-change", text="What does this move add to E?", options=options,
        rights=frozenset({delta + bound}), mistakes=mistakes, marked=moved, n=n, why=_sum(parts, delta),
        individual=individual,
        hint="Count repeated values in each unit that gains one value and loses another.",
        given=(("move", names_of(moved, n, " ↔ " if len(moved) == 2 else " → ")),
               ("values", " ".join(str(grid[cell]) for cell in moved)),
               ("E counts", f"repeats in {kinds_of(counted)}")))


def _sum(parts: list[str], delta: int) -> str:
    if not parts:
        return "Each unit adds to E what it added before: ΔE = 0."
    return fitting(f"{', '.join(parts)}: ΔE = {text.signed(delta)}.",
                   f"{len(parts)} units change, in sum by {text.signed(delta)}.")


def accepted(delta: int, taken: bool, draw: tuple[float, float] | None, temperature: float | None,
             marked: tuple[int, ...], n: int, individual: int | None = None) -> Choice:
    """The question of the verdict. `draw` is (p, u); p is given where there is no T to compute it from."""
    given = [("ΔE", text.signed(delta))]
    if temperature is not None:
        given.append(("T", text.significant(temperature)))
    mistakes: dict[int, str] = {}
    if draw is not None:
        p, u = draw
        relation, p_text, u_text = text.chance(p, u)
        given += [*([] if temperature is not None else [("p", p_text)]), ("u", f"{u_text}, drawn in [0, 1)")]
        why = f"p {relation} {p_text} and u = {u_text}: u {'<' if u < p else '≥'} p, so it is {VERDICTS[not taken]}."
        if delta > 0 and taken:
            mistakes[REJECTED] = "A worse grid is not always rejected: it is accepted where u < p."
        elif not taken:
            grid = "A worse grid" if delta > 0 else "A grid that is no better"
            mistakes[TAKEN] = f"{grid} is accepted only where u < p."
        hint = "It is accepted where u < p." if temperature is None else "p = e^(−ΔE/T); it is accepted where u < p."
    elif temperature == 0 and not taken:
        hint = "No u is drawn at T = 0: there p is 0."
        why = f"At T = 0 p is 0 without a draw: {text.signed(delta)} is {VERDICTS[REJECTED]}."
        mistakes[TAKEN] = "No worse grid is accepted at T = 0." if delta > 0 else "An equal grid is not better."
    else:
        hint = "No u is drawn, so ΔE alone decides."
        why = f"No u is drawn, since ΔE alone decides: {text.signed(delta)} is {VERDICTS[not taken]}."
        if not taken:
            mistakes[TAKEN] = "This rule takes no worse grid." if delta > 0 else "An equal grid is not better."
    if delta < 0 and taken:
        mistakes[REJECTED] = "A better grid is always accepted."
    return Choice(kind="accept", text="Is this move accepted?", options=VERDICTS, why=why, mistakes=mistakes,
                  rights=frozenset({TAKEN if taken else REJECTED}), given=tuple(given),
                  hint=hint, marked=marked, n=n, individual=individual)


def probability(delta: int, T: float, p: float, taken: bool, marked: tuple[int, ...], n: int) -> Number:
    """The question of p, for an uphill move."""
    exact = math.exp(-min(delta / T, 700))
    metropolis = math.isclose(p, exact, rel_tol=1e-4, abs_tol=1e-9)
    if metropolis and p < NEVER:
        p = exact  # the kernel has 0 for what no random number is below
    p_text = text.significant(p)
    why = (f"e^(−ΔE/T) = e^(−{delta}/{text.significant(T)}) = {p_text}." if metropolis else
           f"The rule of this solver gives p = {p_text} for ΔE = {text.signed(delta)}.")
    mistakes = ((math.exp(-min(delta * T, 700)), "That is e^(−ΔE·T): ΔE is divided by T."),
                (1 - p, "That is the probability of being rejected."))
    return Number(kind="probability", text="With which probability p is this move accepted?", why=why, value=p, low=0.0,
                  high=1.0, decades=0.01, floor=NEVER, happened=taken,
                  mistakes=mistakes if metropolis else mistakes[1:],
                  given=(("ΔE", text.signed(delta)), ("T", text.significant(T))),
                  hint="p = e^(−ΔE/T); below 0.01 a factor of 3 is near enough, below 1e−6 it is 0.",
                  marked=marked, n=n)


SWAPPED = 2
"""Cells of a swap; a rotation has more."""


class Better(Mark, frozen=True, kw_only=True):
    """The cells of a move that lowers E."""

    changes: Mapping[frozenset[int], int]
    """ΔE of every move, by its cells."""
    move: str
    """A move, described by a clause."""

    def checked(self, cells: frozenset[int]) -> frozenset[int]:
        found = super().checked(cells)
        if found and found not in self.changes:
            raise BadInput(f"{self.write(found)} is no move: expected a move, or none" + (
                f"; in a move {self.move}" if self.move else ""))
        return found

    def branch(self, answer: Answer) -> Branch | None:
        """A rotation is not run on: its cells do not tell its direction."""
        assert isinstance(answer, frozenset)
        return super().branch(answer) if len(answer) == SWAPPED else None

    def misconception(self, answer: Answer) -> str:
        assert isinstance(answer, frozenset)
        if not answer:
            return "There is one: look at the cells that are repeated."
        change = self.changes.get(answer)
        return "" if change is None else f"This move does not lower E: its ΔE is {text.signed(change)}."


def better_neighbour(moment: Moment) -> Iterator[Mark]:
    """Find a move with ΔE < 0, or claim that there is none."""
    if moment.changes is None:
        return
    changes = moment.changes()
    falls = frozenset(cells for cells, change in changes.items() if change < 0)
    n = moment.puzzle.n
    moves = "sets of cells" if max(map(len, changes), default=2) > SWAPPED else "moves"  # three are rotated two ways
    if falls:
        best = min(falls, key=lambda cells: (changes[cells], sorted(cells)))
        lower = "lowers" if len(falls) == 1 else "lower"
        why = (f"{text.count(len(falls))} of {text.count(len(changes))} {moves} {lower} E, such as "
               f"{names_of(tuple(sorted(best)), n, ' ↔ ')} by {-changes[best]}.")
    else:
        why = f"None of {text.count(len(changes))} {moves} lowers E: it is a local minimum."
    given = [("a move", moment.move)] if moment.move else []
    if moment.counted:
        given.append(("E counts", f"repeats in {kinds_of(moment.counted)}"))
    yield Better(kind="better-neighbour", changes=changes, move=moment.move,
                 text="Mark the cells of a move that lowers E, or none if there is none.", given=tuple(given),
                 rights=falls or frozenset({frozenset()}), taken=best if falls else None, least=0,
                 most=max(map(len, changes), default=2), among=len(moment.puzzle.free_cells), why=why, n=n,
                 by_hand=moment.by_hand, hint="A move that lowers E has a cell that is in conflict.")


@ask.register
def _about_swap(event: SwapJudged, moment: Moment) -> Iterator[Question]:
    if event.line == "calibrate":
        return
    n = moment.puzzle.n
    if moment.counted:
        yield from unit_energy(moment.view.grid, moment.counted, frozenset(moment.puzzle.free_cells), event.step, n)
        yield energy_change(moment.view.grid, event.cells, event.delta, moment.counted, n)
    climbs = event.temperature is None and not any(isinstance(each, LocalMinimum) for each in moment.events)
    if climbs and event.step % BETTER_EVERY == BETTER_AT:
        yield from better_neighbour(moment)
    draw = (event.p, event.u) if event.p is not None and event.u is not None else None
    if draw and event.delta > 0 and event.temperature:
        yield probability(event.delta, event.temperature, draw[0], event.accepted, event.cells, n)
    verdict = accepted(event.delta, event.accepted, draw, event.temperature, event.cells, n)
    verdict = replace(verdict, given=(*verdict.given, *moment.verdict))
    if draw is None and event.delta > 0 and (event.temperature or not moment.verdict):  # other numbers decide too
        verdict = replace(verdict, hint="No u is drawn: the rule alone decides.", mistakes={},
                          why=f"No u is drawn, and by its rule {text.signed(event.delta)} is "
                              f"{VERDICTS[not event.accepted]} at this step.")
    if moment.by_hand and not any(isinstance(each, Restarted | Done) for each in moment.events):
        names = [cell_name(cell, n) for cell in event.cells]  # after the step: the move itself, or the move back
        other = Branch(moment.by_hand, " ".join(names[::-1] if event.accepted else names), after=True,
                       words=f"{moment.by_hand} {' '.join(names)} {VERDICTS[event.accepted]}")
        verdict = replace(verdict, branches={REJECTED if event.accepted else TAKEN: other})
    yield verdict


@ask.register
def _about_scan(event: Scanned, moment: Moment) -> Iterator[Question]:
    yield from unit_energy(moment.view.grid, moment.counted, frozenset(moment.puzzle.free_cells), event.step,
                           moment.puzzle.n)
    yield from better_neighbour(moment)


@ask.register
def _about_minimum(event: LocalMinimum, moment: Moment) -> Iterator[Question]:
    if not any(isinstance(other, Scanned) for other in moment.events):
        yield from better_neighbour(moment)


@ask.register
def _about_cooling(event: Cooled, moment: Moment) -> Iterator[Question]:
    if not moment.law or any(isinstance(each, Swept | Reheated | Restarted | Done) for each in moment.events):
        return  # another T follows in the same step, or none
    share = event.accepted / max(1, event.moves)
    change = abs(event.after - event.before) / event.after if event.after else 0.0
    yield Number(kind="next-temperature", text="The plateau ends. What is the next temperature?", value=event.after,
                 low=0.0, high=max(100.0, 2 * event.before), tolerance=_TIGHT * change, digits=6, n=moment.puzzle.n,
                 within="a fifth of the change of T",
                 given=(("T", f"{event.before:.6g}"), ("accepted", f"{text.share(share)} of the moves"), *moment.law),
                 why=_why_cooled(event, moment),
                 mistakes=((event.before, "T falls at the end of the plateau."),) if event.after < event.before else (),
                 knob=moment.knob,
                 hint="Apply the rule of the schedule to T once.")


def _why_cooled(event: Cooled, moment: Moment) -> str:
    goes = f"T goes from {event.before:.6g} to {event.after:.6g}."
    if moment.floor and event.after == event.before:
        return f"T is not above its floor, {moment.floor:.6g}, so it stays."
    if moment.floor and event.after == moment.floor:
        return f"By the rule T would fall below its floor, so it becomes {event.after:.6g}."
    return fitting(f"{moment.law[0][1]}: {goes}", goes)
