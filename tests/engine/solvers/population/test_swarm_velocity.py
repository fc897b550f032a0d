"""Particles: a velocity is swaps from before, swaps towards the own best grid, and swaps towards the best of all."""

from __future__ import annotations

from itertools import islice

import pytest

from engine import registry
from engine.energy import box_state_energy
from engine.events.population import Flown
from engine.puzzle import Puzzle
from engine.solvers.population.swarm.velocity import pulls
from engine.view import Sections, TablePanel

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
SOLVER = registry.solver("swarm-velocity")


def flights(**values):
    """(grids and velocities before, state after, event) of the first flights."""
    params = SOLVER.make_params(None, {"size": 6, **values})
    state = SOLVER.init(EASY, params, 8)
    before = state.genes.copy(), [state.velocities[k, :state.lengths[k]].tolist() for k in range(6)], state.own.copy()
    for events in islice(SOLVER.steps(state, params), 120):
        if isinstance(events[0], Flown):
            yield before, state, events
        before = (state.genes.copy(), [state.velocities[k, :state.lengths[k]].tolist() for k in range(6)],
                  state.own.copy())


def test_a_particle_moves_by_its_velocity_and_keeps_its_best() -> None:
    for (genes, _, _), state, (event, *_rest) in flights():
        cells = genes[event.particle].tolist()
        assert event.before == box_state_energy(EASY, cells)
        for a, b in event.velocity:
            cells[a], cells[b] = cells[b], cells[a]
        assert cells == state.genes[event.particle].tolist()
        assert event.energy == box_state_energy(EASY, cells)
        assert event.own_best == box_state_energy(EASY, state.own[event.particle].tolist()) <= event.energy
        assert event.kept + event.own + event.towards == len(event.velocity) <= 40
        assert all(sorted(state.genes[event.particle, list(box.cells)]) == list(range(1, 10))
                   for box in EASY.geometry.boxes)


def test_with_inertia_alone_the_old_velocity_continues() -> None:
    for (_, velocities, _), _, (event, *_rest) in flights(inertia=1.0, own_pull=0.0, best_pull=0.0):
        assert [list(swap) for swap in event.velocity] == velocities[event.particle]
        assert (event.own, event.towards) == (0, 0)


def test_without_inertia_and_pulled_hard_a_particle_goes_back_to_its_best() -> None:
    """c₁ = 10 keeps every swap of (own best ⊖ x) unless r₁ < 0.1."""
    arrived = total = 0
    for (genes, _, own), state, (event, *_rest) in flights(inertia=0.0, own_pull=10.0, best_pull=0.0):
        if (genes[event.particle] != own[event.particle]).any():
            total += 1
            arrived += (state.genes[event.particle] == own[event.particle]).all()
    assert arrived >= 0.7 * total


def test_the_oldest_swaps_are_dropped_where_a_velocity_becomes_too_long() -> None:
    lengths = [(event.kept, len(event.velocity)) for _, _, (event, *_rest) in flights(length=7, inertia=1.0)]
    assert max(length for _, length in lengths) == 7
    assert any(kept == 0 and length == 7 for kept, length in lengths)


@pytest.mark.parametrize("place", [0, 5])
def test_the_panel_lists_the_swaps_of_who_is_on_the_board(place: int) -> None:
    params = SOLVER.make_params(None, {"size": 6})
    for _, state, events in islice(flights(), 12):
        panel = SOLVER.view_of(state, params, events, place).panel
        assert isinstance(panel, Sections)
        table = panel.parts[1]
        assert isinstance(table, TablePanel)
        assert len(table.rows) == state.lengths[place]
        if events[0].particle == place:
            assert [row[1] for row in table.rows].count("own best") == events[0].own


def test_a_view_shows_both_random_numbers_of_the_flight() -> None:
    """Those that decide how many swaps towards pBest and gBest are kept: none if r is 0, all if c·r is 1 or more."""
    params = SOLVER.make_params(None, {"size": 6})
    shares = {"own": [], "towards": []}
    for _, state, (event, *_rest) in flights():
        (one, r1), (two, r2) = pulls(state, event.step)
        view = SOLVER.view(state, params, (event,))
        gauges = {gauge.label: gauge.share for gauge in view.gauges}
        assert (one, two, gauges["r₁"], gauges["r₂"]) == ("r₁", "r₂", r1, r2)
        assert view.panel.parts[1].head[1] == f"r₁ {r1:.3f}  r₂ {r2:.3f}"
        shares["own"].append((r1, event.own))
        shares["towards"].append((r2, event.towards))
    for pairs in shares.values():
        high, low = ([swaps for r, swaps in pairs if (r > 0.5) is above] for above in (True, False))
        assert sum(high) / len(high) > 2 * sum(low) / len(low)


@pytest.mark.parametrize("place", [0, 5])
def test_both_best_grids_can_be_put_on_the_board(place: int) -> None:
    params = SOLVER.make_params(None, {"size": 6})
    for _, state, events in islice(flights(), 30, 60):
        own, best = SOLVER.view_of(state, params, events, place).related
        assert own.title == f"pBest, the best grid of #{place + 1}"
        assert best.title.startswith("gBest, the best of this attempt, by #")
        assert own.grid == tuple(state.own[place].tolist())
        assert best.energy == min(state.own_energies) <= own.energy
        for related in (own, best):
            assert related.energy == box_state_energy(EASY, related.grid)
            differing = [cell for cell in range(81) if related.grid[cell] != state.genes[place, cell]]
            assert list(related.marks["reach"]) == differing
