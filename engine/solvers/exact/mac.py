"""`mac`: maintaining arc consistency in a search.

All arcs are made consistent, then a cell with several candidates is guessed and its arcs are made consistent, and so
on. Where a cell is wiped out, the last guess is retracted and its value eliminated, and the arcs of its cell are
revised again (Sabin & Freuder, "Contradicting Conventional Wisdom in Constraint Satisfaction", ECAI 1994).

Where to guess is learnt from failure: an arc that wipes a cell out gains weight, and the cell with the fewest
candidates per weight of its arcs comes next (Boussemart, Hemery, Lecoutre & Sais, "Boosting Systematic Search by
Weighting Constraints", ECAI 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from engine import text
from engine.events import Event
from engine.params import About, Params
from engine.puzzle import Puzzle
from engine.questions import Moment
from engine.questions.arcs import Revising
from engine.solvers.exact import arcs_view
from engine.solvers.exact.arcs import (
    CHOICES,
    DEPTH,
    SOLVED,
    ArcSolver,
    ArcState,
    Queued,
    grid_of,
    open_arcs,
    open_candidates,
)
from engine.solvers.exact.search import MaxSteps
from engine.view import Channel, Line, Sections, View

Choice = Literal["mrv", "dom/deg", "dom/wdeg", "rows"]


@dataclass
class MacState(ArcState):
    """The network, and the best that it was."""

    best: NDArray[np.int32]
    """int32[c]: the domains when E was lowest."""


class MacParams(Params, frozen=True):
    choice: Annotated[Choice, About("", "the cell to guess: fewest candidates (mrv), fewest for each open peer "
                                        "(dom/deg; Bessière & Régin 1996), fewest for the weight of its arcs "
                                        "(dom/wdeg), or the first open one (rows)")] = "dom/wdeg"
    queue: Annotated[Queued, About("", "arcs queued: all that may have lost support, or only those against decided "
                                       "cells, the only ones that can lose any", live=False)] = "decided"
    max_steps: MaxSteps = 10**9


class Mac(ArcSolver[MacParams]):
    name = "mac"
    title = "Maintaining arc consistency"
    summary = ("Makes all arcs consistent, guesses a cell, makes its arcs consistent, and takes the guess back where "
               "a cell is left without values; arcs that did so guide the next guess. It finds a solution or proves "
               "that there is none. Hard 9x9 puzzles take some 5 000 arcs in the median, 16x16 ones can take many "
               "millions.")
    references = (
        "D. Sabin, E. C. Freuder: Contradicting Conventional Wisdom in Constraint Satisfaction. ECAI 1994",
        "F. Boussemart, F. Hemery, C. Lecoutre, L. Sais: Boosting Systematic Search by Weighting Constraints. ECAI "
        "2004",
        "C. Bessière, J.-C. Régin: MAC and Combined Heuristics. CP 1996",
    )
    program = (
        Line("take", "while queue: take (x, y)"),
        Line("revise", "  v in x, no other value in y?"),
        Line("strike", "    strike v, queue the (z, x)"),
        Line("empty", "    x empty: dead end"),
        Line("solved", "one value in each: solved"),
        Line("pick", "x ← open cell to guess"),
        Line("guess", "  x = v, queue the (z, x)"),
        Line("retract", "dead end: take x = v back"),
        Line("refute", "  strike v, queue the (z, x)"),
        Line("none", "  no guess left: no solution"),
        Line("budget", "budget spent: give up"),
    )
    queues_decided: ClassVar = {"strike": "    strike v, queue if decided", "refute": "  strike v, queue if decided"}
    Params = MacParams
    presets: ClassVar = {
        "dom-wdeg": {},
        "mrv": {"choice": "mrv"},
        "dom-deg": {"choice": "dom/deg"},
        "textbook": {"choice": "dom/deg", "queue": "all"},
    }
    kinds = ("contradiction", "guess", "retracted", "eliminated", "assigned", "solved", "no_solution", "gave_up",
             "revised", "done")
    channels = (Channel("energy", "candidates beyond one", "energy"), Channel("depth", "depth", "depth"),
                Channel("queue", "queue", "depth"))
    period_word = "guess"
    period_kind = "guess"
    other_steps = "a guess, or the retraction of one"
    complete = True
    trajectory = 3
    earlier: ClassVar = {2: {}}

    def init(self, puzzle: Puzzle, params: MacParams, seed: int) -> MacState:
        state = super().init(puzzle, params, seed)
        return MacState(**vars(state), best=state.domains.copy())

    def lowest_of(self, state: ArcState) -> NDArray[np.int32]:
        assert isinstance(state, MacState)
        return state.best

    def best(self, state: ArcState) -> tuple[tuple[int, ...], int]:
        lowest = self.lowest_of(state)
        left = int(open_candidates(lowest))
        return grid_of(lowest), left or int(self.status(state) != SOLVED)

    def rules(self, params: MacParams) -> tuple[int, ...]:
        return CHOICES[params.choice], params.queue == "all"

    def guess_reason(self, state: ArcState, params: MacParams, cell: int, candidates: int) -> str:
        reason = f"one of {candidates} candidates"
        if params.choice == "dom/deg":
            peers = int(np.count_nonzero(open_arcs(state, cell)))
            return f"{reason}, {peers} open {'peer' if peers == 1 else 'peers'}"
        if params.choice == "dom/wdeg":
            return f"{reason}, arcs weigh {text.count(int(open_arcs(state, cell).sum()))}"
        return reason

    def guessing(self, moment: Moment, facts: Revising, before: ArcState, params: MacParams) -> Moment:
        open_cells = {cell: mask.bit_count() for cell, mask in enumerate(before.domains.tolist()) if mask & (mask - 1)}
        facts = structs.replace(facts, tried=0)
        if params.choice == "rows":
            return structs.replace(moment, facts=facts, next_cells=frozenset({min(open_cells)}),
                                   next_rule="row by row")
        if params.choice == "mrv":
            fewest = min(open_cells.values())
            return structs.replace(moment, facts=structs.replace(facts, ties="the first"),
                                   next_rule="the fewest candidates",
                                   next_cells=frozenset(cell for cell in open_cells if open_cells[cell] == fewest))
        weighs = params.choice == "dom/wdeg"
        weighed = {cell: (size, int(open_arcs(before, cell).sum() if weighs
                                    else np.count_nonzero(open_arcs(before, cell))))
                   for cell, size in open_cells.items()}
        return structs.replace(moment, facts=structs.replace(facts, weighed=weighed),
                               next_rule=f"least candidates / {'arc weight' if weighs else 'open peers'}")

    def view(self, state: ArcState, params: MacParams, events: tuple[Event, ...]) -> View:
        panel = Sections("Search", (arcs_view.stack(state), arcs_view.queue(state)))
        return View(state.grid, arcs_view.arc_marks(state, events), tuple(state.domains.tolist()),
                    (*arcs_view.search_gauges(state), *arcs_view.gauges(state)), arcs_view.live(events, state.puzzle.n),
                    panel, pencils=arcs_view.pencils(events), causes=arcs_view.causes(state),
                    heat=arcs_view.trouble(state) if params.choice == "dom/wdeg" else None)

    def sample(self, state: ArcState, params: MacParams) -> tuple[float, ...]:
        energy, waiting = super().sample(state, params)
        return energy, float(state.counts[DEPTH]), waiting


SOLVER = Mac()
