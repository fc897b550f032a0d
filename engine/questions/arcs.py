"""Questions about arc consistency: whether an arc has support, and which arcs a strike puts into the queue."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events.explain import cell as name_of
from engine.events.search import Revised
from engine.questions.forms import Choice, Question, Several, in_order
from engine.questions.moment import Moment, ask
from engine.questions.sampling import sample
from engine.questions.searches import NO, YES, YES_NO, Searching
from engine.techniques.board import values_of

PEERS = 3
"""Arcs offered that are queued."""
SUPPORTED = 4
"""An arc that has support is asked about with a chance of 1 to this: most of them have."""
STRUCK = 2
"""The same for one that lacks support against a given, where only arcs against such cells begin in the queue: most of
those do."""

Arc = tuple[int, int]
"""(the cell that is revised, the peer that must support its values)"""


class Revising(Searching, frozen=True):
    """Facts of a solver of arcs about its next step."""

    lags: bool = True
    queues_all: bool = True
    """True if a strike queues the arcs of all peers; False: only if one value is left."""


@ask.register
def _about_revision(event: Revised, moment: Moment) -> Iterator[Question]:
    n, left = moment.puzzle.n, moment.view.candidates
    assert left is not None
    cell, against = name_of(event.cell, n), name_of(event.against, n)
    facts, own, other = moment.facts, values_of(left[event.cell]), values_of(left[event.against])
    queues_all = not isinstance(facts, Revising) or facts.queues_all
    from_the_start = not queues_all and moment.puzzle.givens[event.against]
    usual, one_of = (bool(event.struck), STRUCK) if from_the_start else (not event.struck, SUPPORTED)
    if not usual or sample(range(one_of), 1, event.step, 2) == [0]:
        yield _support(event, (cell, own), (against, other), n)
    if event.struck and event.left and isinstance(facts, Revising) and (queues_all or event.left == 1):
        yield _queued(event, moment, queues_all)


def _support(event: Revised, revised: tuple[str, tuple[int, ...]], beside: tuple[str, tuple[int, ...]], n: int
             ) -> Choice:
    """The question of the support of an arc; of either cell the name and the candidates."""
    (cell, own), (against, other) = revised, beside
    struck = " and ".join(map(str, event.struck))
    why = (f"{against} can hold {struck} only, so {struck} of {cell} finds no other value there." if event.struck else
           f"{against} can hold several values: one of them always differs." if len(other) > 1 else
           f"{against} can hold {in_order(other)} only, which {cell} cannot.")
    return Choice(kind="support", text=f"Does each value of {cell} find a different one in {against} (its support)?",
                  options=YES_NO, rights=frozenset({NO if event.struck else YES}), marked=(event.cell, event.against),
                  given=(("arc", f"{cell} → {against}"), (cell, in_order(own)), (against, in_order(other))),
                  n=n, why=why,
                  hint="What if the second cell has several values left, and what if just one?")


def _queued(event: Revised, moment: Moment, queues_all: bool) -> Several:
    """The question of the arcs that may have lost support with the value that was struck."""
    lost = str(event.struck[0])
    n, peers, x, y = moment.puzzle.n, moment.puzzle.geometry.peers, event.cell, event.against
    assert moment.view.candidates is not None
    kept = in_order([v for v in values_of(moment.view.candidates[x]) if v not in event.struck])
    rule = "all that may have lost some" if queues_all else "against a cell that keeps one value"
    others = sample((peer for peer in peers[x] if peer != y), PEERS + 1, event.step)
    beyond = sample((cell for cell in peers[y] if cell != x and cell not in peers[x]), 1, event.step, 1)
    wanted = {(peer, x) for peer in others[:PEERS]}
    offered = sorted({*wanted, (x, y), (y, x), (x, others[-1]), *((cell, y) for cell in beyond)})
    said = {(x, y): f"{name_of(y, n)} has not changed: what is left in {name_of(x, n)} keeps its support there.",
            (y, x): f"The only value of {name_of(y, n)} differs from all that are left: it keeps its support.",
            (x, others[-1]): "The other way round: the peers lean on the cell that lost a value.",
            **{(cell, y): f"{name_of(y, n)} has lost nothing." for cell in beyond}}
    asked = f"{name_of(x, n)} loses {lost} to {name_of(y, n)}. Which arcs need a revision because of it?"
    return Several(kind="queued", text=asked,
                   given=(("a → b", "a's values need support in b"), ("queued", rule)),
                   options=tuple(_named(arc, n) for arc in offered), most=len(offered), marked=(x,), n=n,
                   taken=frozenset(offered.index(arc) for arc in wanted),
                   rights=frozenset({frozenset(offered.index(arc) for arc in wanted)}),
                   faults={offered.index(arc): words for arc, words in said.items()},
                   why=f"Its peers except {name_of(y, n)} may have had the {lost} as their support." if queues_all else
                   f"It keeps one value, {kept}: a peer that can hold {kept} loses it.",
                   hint="Those whose b lost the value, but not the one whose a has taken it from b.")


def _named(arc: Arc, n: int) -> str:
    return f"{name_of(arc[0], n)} → {name_of(arc[1], n)}"
