"""`mac`: maintaining arc consistency in a search.

All arcs are made consistent, then a cell with several candidates is guessed and its arcs are made consistent, and so
on; where a cell is wiped out, the last guess is taken back and struck, and the arcs of its cell are revised again
(Sabin & Freuder, "Contradicting Conventional Wisdom in Constraint Satisfaction", ECAI 1994). The trail of what was
struck under each guess takes it back; there is no recursion.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from engine.events import Event
from engine.params import About, Params
from engine.solvers.exact import arcs_codes as codes
from engine.solvers.exact import arcs_showing as showing
from engine.solvers.exact.arcs import ArcSolver, ArcState, Queued, Setup
from engine.view import Channel, Line, Sections, View

Choice = Literal["mrv", "dom/deg", "rows"]


class MacParams(Params, frozen=True):
    choice: Annotated[Choice, About("", "the cell to guess: fewest candidates (mrv), fewest for each open peer "
                                        "(dom/deg; Bessière & Régin 1996), or the first open one (rows)")] = "mrv"
    queue: Annotated[Queued, About("", "arcs queued: all that may have lost support, or only those against decided "
                                       "cells, the only ones that can lose any", live=False)] = "decided"
    max_steps: Annotated[int, Meta(ge=0), About("steps", "give up after so many; 0: never")] = 10**9


class Mac(ArcSolver[MacParams]):
    name = "mac"
    title = "Maintaining arc consistency"
    summary = ("Makes all arcs consistent, guesses a cell, makes its arcs consistent, and takes the guess back where "
               "a cell is left without values. It finds a solution or proves that there is none.")
    references = (
        "D. Sabin, E. C. Freuder: Contradicting Conventional Wisdom in Constraint Satisfaction. ECAI 1994",
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
    Params = MacParams
    presets = {  # noqa: RUF012  (a mapping nobody changes)
        "mrv": {},
        "dom-deg": {"choice": "dom/deg"},
        "textbook": {"choice": "dom/deg", "queue": "all"},
    }
    kinds = ("contradiction", "guess", "retracted", "eliminated", "assigned", "solved", "no_solution", "gave_up",
             "revised", "done")
    channels = (Channel("energy", "candidates beyond one", "energy"), Channel("depth", "depth", "depth"),
                Channel("queue", "queue", "depth"))
    period_word = "guess"
    period_kind = "guess"
    complete = True

    def setup(self, params: MacParams) -> Setup:
        return Setup(codes.CHOICES[params.choice], params.queue, params.max_steps)

    def why(self, state: ArcState, params: MacParams, cell: int, candidates: int) -> str:
        """Why a cell was guessed: how many candidates it had, and in `dom/deg` how many open peers."""
        reason = f"one of {candidates} candidates"
        if params.choice != "dom/deg":
            return reason
        domains = state.domains.tolist()
        peers = sum(domains[peer] & (domains[peer] - 1) != 0 for peer in state.puzzle.geometry.peers[cell])
        return f"{reason}, {peers} open {'peer' if peers == 1 else 'peers'}"

    def view(self, state: ArcState, params: MacParams, events: tuple[Event, ...]) -> View:
        panel = Sections("Search", (showing.stack(state), showing.queue(state)))
        return View(state.grid, showing.marks(state, events), tuple(state.domains.tolist()),
                    (*showing.search_gauges(state), *showing.gauges(state)), showing.live(state),
                    panel, pencils=showing.pencils(events), causes=showing.causes(state))

    def sample(self, state: ArcState, params: MacParams) -> tuple[float, ...]:
        energy, waiting = super().sample(state, params)
        return energy, float(state.counts[codes.DEPTH]), waiting


SOLVER = Mac()
