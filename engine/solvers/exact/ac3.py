"""`ac3`: arc consistency and nothing else.

Each arc of a queue is revised; where a cell loses a candidate, the arcs of its peers against it are queued again,
until none is left (algorithm AC-3 of Mackworth, "Consistency in Networks of Relations", Artificial Intelligence 8,
1977). That eliminates only what no solution has, but it never guesses: most puzzles are left open.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from engine.events import Event
from engine.params import About, Params
from engine.solvers.exact import arcs_view
from engine.solvers.exact.arcs import NO_SEARCH, ArcSolver, ArcState, Queued
from engine.view import Channel, Line, View


class Ac3Params(Params, frozen=True):
    queue: Annotated[Queued, About("", "arcs queued: all that may have lost support (Mackworth), or only those against "
                                       "decided cells, the only ones that can lose any", live=False)] = "all"


class Ac3(ArcSolver[Ac3Params]):
    name = "ac3"
    title = "Arc consistency"
    summary = ("Strikes candidates that have no support in some other cell, arc by arc, until every arc is consistent. "
               "It never guesses, so that it solves only puzzles that single values decide; others it leaves open.")
    references = ("A. K. Mackworth: Consistency in Networks of Relations. Artificial Intelligence 8(1), 1977",)
    program = (
        Line("fill", "queue ← arcs (x, y) of peers"),
        Line("take", "while queue: take (x, y)"),
        Line("revise", "  v in x, no other value in y?"),
        Line("strike", "    strike v from x"),
        Line("empty", "    x empty: dead end"),
        Line("push", "    queue (z, x) for z ≠ y"),
        Line("solved", "one value in each: solved"),
        Line("none", "a cell empty: no solution"),
        Line("open", "else: give up, cells are open"),
    )
    queues_decided: ClassVar = {"fill": "queue ← (x, y), y is given", "push": "    x decided: queue (z, x)"}
    Params = Ac3Params
    presets: ClassVar = {"mackworth": {}, "decided": {"queue": "decided"}}
    kinds = ("contradiction", "eliminated", "assigned", "solved", "no_solution", "gave_up", "revised", "done")
    channels = (Channel("energy", "candidates beyond one", "energy"), Channel("queue", "queue", "depth"))
    period_word = "elimination"
    period_kind = "eliminated"

    def rules(self, params: Ac3Params) -> tuple[int, ...]:
        return NO_SEARCH, params.queue == "all"

    def view(self, state: ArcState, params: Ac3Params, events: tuple[Event, ...]) -> View:
        return View(state.grid, arcs_view.arc_marks(state, events), tuple(state.domains.tolist()),
                    arcs_view.gauges(state), arcs_view.live(events, state.puzzle.n), arcs_view.queue(state),
                    pencils=arcs_view.pencils(events), causes=arcs_view.causes(state))


SOLVER = Ac3()
