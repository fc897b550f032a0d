"""The view of a genetic algorithm: one individual on the board, the origin of its cells, the panel of all."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import structs

from engine import text
from engine.energy import conflicts
from engine.events import Event, Restarted
from engine.events.population import FIRST, SECOND, Bred, Outgrown, Refined, name_of
from engine.solvers.population.genetic.breeding import Breeding
from engine.solvers.population.genetic.parameters import GeneticParams
from engine.solvers.population.genetic.state import GeneticState
from engine.solvers.population.panel import population_panel
from engine.view import Gauge, Line, PopulationPanel, Role, View

PROGRAM: Final = (
    Line("fill", "P ← random individuals"),
    Line("select", "repeat: pick two parents of P"),
    Line("cross", "  with p_c: cross them"),
    Line("mutate", "  with p_m: mutate each gene"),
    Line("judge", "  E(child)"),
    Line("best", "  if E < best: best ← E"),
    Line("solved", "  if E = 0: return the child"),
    Line("generation", "P ← children + best parents"),
    Line("double", "best idle: double and refill P"),
    Line("give_up", "all spent: return the best"),
)


def individual_view(state: GeneticState, params: GeneticParams, events: tuple[Event, ...], place: int,
                    breeding: Breeding, own: str) -> View:
    """The view after a step, with the individual at a place on the board.

    breeding: makes the child at that place again, to know the origin of its cells; own: the origin of the cells
    that it did not inherit.
    """
    grid = state.grid_at(place)
    child = place - state.size
    marks: dict[Role, tuple[int, ...]] = {}
    parents: tuple[int, ...] = ()
    if child >= 0:
        first, second = state.parents[child].tolist()
        parents = (first,) if first == second else (first, second)
        if child >= state.known_from:
            marks |= _origins(breeding, state, child, first != second)
    marks["conflict"] = conflicts(state.puzzle, grid)
    return View(grid, marks, None, _gauges(state, place), _live_values(state, params, events),
                structs.replace(panel(state, place, parents), own=own))


def panel(state: GeneticState, place: int, parents: tuple[int, ...]) -> PopulationPanel:
    """All individuals, then the children; scaled for the twice as many that a generation ends with."""
    energies = np.concatenate([state.energies, state.child_energies[: state.made]])
    return structs.replace(population_panel(energies, place, parents, room=2 * state.size), born=int(state.made))


def _origins(breeding: Breeding, state: GeneticState, child: int, crossed: bool) -> dict[Role, tuple[int, ...]]:
    """Marks of the free cells of a child: from the first parent, from the second, changed by mutation or refinement."""
    bred = breeding.rebred(state, child)
    mask, mutated = breeding.origins()
    changed = set(mutated) | set(np.flatnonzero(bred != state.children[child]).tolist())
    free = [cell for cell in state.puzzle.free_cells if cell not in changed]
    marks: dict[Role, tuple[int, ...]] = {"moved": tuple(sorted(changed))}
    if crossed:
        marks["parent_a"] = tuple(cell for cell in free if mask[cell] == FIRST)
        marks["parent_b"] = tuple(cell for cell in free if mask[cell] == SECOND)
    return marks


def _gauges(state: GeneticState, place: int) -> tuple[Gauge, ...]:
    at = int(state.energies[place] if place < state.size else state.child_energies[place - state.size])
    return (
        Gauge("E", str(at)),
        Gauge("best", str(state.best), role="best"),
        Gauge("mean", text.significant(float(state.energies.mean()))),
        Gauge("gen.", text.count(state.generation)),
        Gauge("size", text.count(state.size)),
        Gauge("births", text.count(state.made), state.made / state.size),
        Gauge("div.", text.share(state.diversity), float(state.diversity)),
    )


def _live_values(state: GeneticState, params: GeneticParams, events: tuple[Event, ...]) -> dict[str, str]:
    """Current values beside the lines of the program, by line id."""
    live = {"cross": f"p_c = {params.cross_rate:g}", "mutate": f"p_m = {params.mutation_rate:g}",
            "best": f"best = {state.best}"}
    idle = state.stagnation
    for event in events:
        if isinstance(event, Bred):
            first, second = event.parents
            live["select"] = name_of(first) if first == second else f"{name_of(first)} × {name_of(second)}"
            live["judge"] = f"E = {event.energy}"
        elif isinstance(event, Refined):  # of the same child, and before it is judged
            live["judge"] = f"E = {event.after}"
        elif isinstance(event, Outgrown | Restarted):  # which set the count to 0
            idle = event.stagnation if isinstance(event, Outgrown) else params.patience
    live["double"] = f"idle {idle} of {text.count(params.patience)}"
    return live
