"""A moment of a swarm as plain values: one organism on the board, the numbers, all organisms as a panel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import structs

from engine import text
from engine.events import Event
from engine.events.population import FIRST, SECOND, Flown, Merged, Refined, Turned, name_of
from engine.solvers.annealing.view import conflicts, partners
from engine.solvers.population.panel import population_panel, with_kinds
from engine.solvers.population.swarm_state import SwarmState, board
from engine.view import Gauge, PopulationPanel, Role, View


class About(NamedTuple):
    """The organism that a step was about, and who else."""

    who: int
    parents: tuple[int, ...] = ()
    replaced: int | None = None


def about(state: SwarmState, events: tuple[Event, ...]) -> About:
    """The best organism where a step was about all of them."""
    match events[0] if events else None:
        case Turned(organism=who) | Refined(individual=who) | Flown(particle=who) if len(events) == 1 or not any(
                event.kinds[0] == "restart" for event in events):
            return About(who)
        case Merged(into=who, parents=parents):
            return About(who, parents, who)
    return About(int(state.now["leader"]))


def view(state: SwarmState, c: Any, events: tuple[Event, ...], place: int | None = None) -> View:
    """The moment after the step of these events, with the organism at a place on the board, or the one that the step
    was about; c is the record of CONFIG in force."""
    found = about(state, events)
    shown = found if place is None or place == found.who else About(place)
    grid = tuple(state.genes[shown.who].tolist())
    told = events if shown is found else ()
    return View(grid, marks(state, grid, told), gauges=gauges(state, c, shown.who), live=live(state, c, events),
                panel=panel(state, c, shown))


def population(view: View) -> PopulationPanel:
    """The panel of a view of `view`."""
    assert isinstance(view.panel, PopulationPanel)
    return view.panel


def panel(state: SwarmState, c: Any, shown: About) -> PopulationPanel:
    """All organisms, with their kinds and ages."""
    plain = population_panel(state.energies, shown.who, shown.parents, shown.replaced)
    made = with_kinds(plain, np.arange(len(state.energies)) < int(state.now["workers"]))
    ages = np.minimum(1.0, state.ages[:: made.each] / (int(c["patience"]) + 1))
    return structs.replace(made, ages=tuple(ages.tolist()))


def marks(state: SwarmState, grid: tuple[int, ...], events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The marks of the board for the organism that these events are about."""
    puzzle = state.puzzle
    found: dict[Role, tuple[int, ...]] = {"conflict": conflicts(puzzle, grid)}
    match events[0] if events else None:
        case Turned(cells=cells) if cells:
            found |= {"moved": cells, "partner": partners(puzzle, grid, cells), "reach": reach(state, cells)}
        case Flown(velocity=velocity):
            found["moved"] = tuple(sorted({cell for swap in velocity for cell in swap}))
        case Merged(mask=mask):
            free = puzzle.free_cells
            found["parent_a"] = tuple(cell for cell in free if mask[cell] == FIRST)
            found["parent_b"] = tuple(cell for cell in free if mask[cell] == SECOND)
    return {role: cells for role, cells in found.items() if cells}


def reach(state: SwarmState, cells: tuple[int, ...]) -> tuple[int, ...]:
    """The other free cells of the box of a swap."""
    layout, puzzle = board(state.puzzle), state.puzzle
    free, starts = layout.free.tolist(), layout.starts.tolist()
    box = next(unit for unit in range(puzzle.n) if cells[0] in free[starts[unit]:starts[unit + 1]])
    return tuple(sorted(set(free[starts[box]:starts[box + 1]]) - set(cells)))


def gauges(state: SwarmState, c: Any, who: int) -> tuple[Gauge, ...]:
    now, size = state.now, int(c["size"])
    found = [Gauge("E", str(state.energies[who])), Gauge("best", str(now["best"]), role="best"),
             Gauge("mean", text.significant(int(now["total"]) / size))]
    if 0 < c["workers"] < size:
        found.append(Gauge("workers", str(now["workers"]), int(now["workers"]) / size))
    found += [Gauge("div.", text.share(float(now["diversity"])), float(now["diversity"])),
              Gauge("epoch", text.count(int(now["epoch"])), min(1.0, int(now["epoch"]) / int(c["epochs"])))]
    if c["attempts"] > 1:
        attempt, attempts = int(now["attempt"]), int(c["attempts"])
        found.append(Gauge("attempt", f"{attempt}/{attempts}", min(1.0, attempt / attempts)))
    return tuple(found)


def live(state: SwarmState, c: Any, events: tuple[Event, ...]) -> dict[str, str]:
    """Current values beside the lines of the program, by line id."""
    now = state.now
    shown = {"best": f"best = {now['best']}",
             "epoch": f"{text.count(int(now['epoch']))}/{text.count(int(c['epochs']))}"}
    if c["attempts"] > 1:
        shown["restart"] = f"{now['attempt']}/{c['attempts']}"
    if c["stagnation"]:
        shown["share"] = f"idle {now['stagnation']}/{c['stagnation']}"
    if c["every"]:
        shown["refine"] = f"{now['refining']} to go" if now["refining"] else ""
    for event in events:
        shown |= _judgement(event)
    return shown


def _judgement(event: Event) -> dict[str, str]:
    match event:
        case Turned(cells=cells, delta=delta, p=p, u=u, age=age) if cells:
            shown = {"swap": f"ΔE = {text.signed(delta)}", "fresh": text.count(age)}
            if p is not None and u is not None:
                p_text, u_text = text.apart(p, u)
                shown["luck"] = f"p = {p_text}, u = {u_text}"
            return shown
        case Merged(parents=parents):
            return {"merge": " × ".join(name_of(each) for each in parents)}
        case Refined(before=before, after=after):
            return {"refine": f"E {before} → {after}"}
    return {}
