"""swarm-velocity: particle swarm optimisation as in the textbooks, on grids, with lists of swaps as velocities.

The update of a particle is in `velocity_update.update_velocity` and `fly`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import structs

from engine import rng, text
from engine.energy import conflicts
from engine.events import Event
from engine.events.explain import cells as names_of
from engine.events.population import Flown, name_of
from engine.params import About, Budget, Meta, Params
from engine.puzzle import Puzzle
from engine.questions import Moment
from engine.questions.moment import Pull
from engine.solvers.population.swarm.base import DIVERSITY, KENNEDY, SwarmSolver
from engine.solvers.population.swarm.state import (
    FLIGHT,
    LOG,
    ORGANISM,
    RUNNING,
    Log,
    Record,
    StopCodes,
    SwarmState,
    board,
    config_record,
    layout,
    new_state,
    stream_keys,
)
from engine.solvers.population.swarm.swarm import Attempts, Epochs
from engine.solvers.population.swarm.velocity_update import FIRST_SWAPS, SWAPS_AT, Workspace, make_step, run
from engine.solvers.population.swarm.view import population, rare_events, step_events, swarm_view
from engine.view import Gauge, Line, Related, Role, Sections, TablePanel, View


@dataclass
class VelocityState(SwarmState):
    """A swarm of particles: each has a position (its grid), a velocity and the best grid that it has met."""

    own: npt.NDArray[np.uint8]
    """uint8[size, n*n]: pBest of each."""
    own_energies: npt.NDArray[np.int32]
    """int32[size]: E of pBest."""
    velocities: npt.NDArray[np.uint16]
    """uint16[size, most, 2]: the velocity of each, as swaps (cell, cell)."""
    lengths: npt.NDArray[np.int32]
    """int32[size]: the number of swaps of each velocity; later entries are unused."""


class VelocityParams(Params, frozen=True):
    size: Annotated[int, Meta(ge=1, le=10_000), About("particles", "how many fly at once", live=False)] = 200
    inertia: Annotated[float, Meta(ge=0, le=1), About("share", "of its old velocity that a particle keeps", "w")] = 0.7
    own_pull: Annotated[float, Meta(ge=0, le=10), About(
        "", "with r₁ in [0, 1): share of the swaps towards its own best grid", "c₁")] = 1.5
    best_pull: Annotated[float, Meta(ge=0, le=10), About(
        "", "with r₂ in [0, 1): share of the swaps towards the best grid of all", "c₂")] = 1.5
    length: Annotated[int, Meta(ge=1, le=500), About("swaps", "in a velocity at most; the oldest are dropped",
                                                     live=False)] = 40
    epochs: Epochs = 500
    attempts: Attempts = 20
    max_steps: Budget = 10**9


class SwarmVelocity(SwarmSolver[VelocityParams]):
    name = "swarm-velocity"
    title = "Swarm with velocities"
    summary = ("Each grid flies by a list of swaps: part of its last flight, part of the way to its own best grid and "
               "to the best of all. It gathers around one grid and finds nothing new there: of four easy puzzles it "
               "solves one, and the others hardly ever.")
    references = (KENNEDY, "M. Clerc: Discrete particle swarm optimization, illustrated by the traveling salesman "
                           "problem. New Optimization Techniques in Engineering, 2004 (velocities as lists of swaps)")
    program = (
        Line("fill", "x ← random grids, v ← swaps"),
        Line("fly", "each particle:"),
        Line("keep", "  v ← w·v"),
        Line("own", "    ⊕ c₁·r₁·(its best ⊖ x)"),
        Line("towards", "    ⊕ c₂·r₂·(gBest ⊖ x)"),
        Line("move", "  x ← x ⊕ v"),
        Line("better", "  E < its best: its best ← x"),
        Line("best", "if E < best: best ← E"),
        Line("solved", "if E = 0: return it"),
        Line("epoch", "count the attempt's epochs"),
        Line("restart", "epochs spent: a fresh swarm"),
        Line("give_up", "all spent: return the best"),
    )
    step_word = "flight"
    other_steps = "or the end of an epoch"
    kinds = ("best", "generation", "restart", "improved", "equal", "uphill", "flight", "solved", "gave_up", "done")
    Params = VelocityParams
    presets: ClassVar = {"default": {}}
    trajectory = 2
    earlier: ClassVar = {1: {}}
    mark_words: ClassVar = {"reach": "The value differs from the one that the particle has there."}
    glossary: ClassVar = {
        "particle": "one grid of the swarm; its position is the grid, its velocity a list of swaps",
        "pBest": "the best grid that a particle has had itself in this attempt",
        "gBest": "the best grid that any particle has had in this attempt",
        **dict.fromkeys(("div.", "diversity"), DIVERSITY),
    }

    def values(self, params: VelocityParams) -> Mapping[str, float]:
        return {"size": params.size, "workers": params.size, "epochs": params.epochs, "attempts": params.attempts,
                "max_steps": params.max_steps, "inertia": params.inertia, "own_pull": params.own_pull,
                "best_pull": params.best_pull}

    def jumps(self, params: VelocityParams) -> frozenset[str]:
        return super().jumps(params) | {"uphill"}

    def init(self, puzzle: Puzzle, params: VelocityParams, seed: int) -> VelocityState:
        plain = new_state(puzzle, seed, params.size, params.size, 0)
        velocities = np.zeros((params.size, params.length, 2), np.uint16)
        moves, count = board(puzzle).moves[:, :2], min(FIRST_SWAPS, params.length)
        for k in range(params.size if len(moves) else 0):
            words = [rng.draw(seed, ORGANISM + k, 0, int(SWAPS_AT) + i) for i in range(count)]
            velocities[k, :count] = moves[[rng.below(word, len(moves)) for word in words]]
        plain.now["guide"] = plain.now["leader"]
        own = (plain.genes.copy(), plain.energies.copy(), velocities, np.full(params.size, count, np.int32))
        return VelocityState(puzzle, seed, 0, plain.genes, plain.energies, plain.ages, plain.best_grid, plain.elite,
                             plain.scalars, *own)

    def steps(self, state: SwarmState, params: VelocityParams) -> Iterator[tuple[Event, ...]]:
        assert isinstance(state, VelocityState)
        config, logs = config_record(self.values(params)), np.zeros(1, LOG)
        flight = _workspace(state, config)
        while state.now["status"] == RUNNING:
            make_step(flight, logs[0])
            state.sync()
            log, outcome = logs[0], self.outcome(state)
            if log["bits"] & FLIGHT:
                yield _flown(log, state), *rare_events(log, config[0], outcome)
            else:
                yield step_events(log, state, config[0], outcome)

    def moment(self, before: SwarmState, params: VelocityParams, events: tuple[Event, ...]) -> Moment:
        assert isinstance(before, VelocityState)
        found, flight = super().moment(before, params, events), events[0]
        if not isinstance(flight, Flown):
            return found
        r1, r2 = pulls(before, flight.step)
        own, best = (tuple(before.own[place].tolist()) for place in (flight.particle, int(before.now["guide"])))
        towards_own = Pull("pBest", "its best grid in this attempt", own, ("c₁", params.own_pull), r1)
        towards_best = Pull("gBest", "the best grid of all in this attempt", best, ("c₂", params.best_pull), r2)
        return structs.replace(found, pulls=(towards_own, towards_best))

    def run_kernel(self, state: SwarmState, records: tuple[Record, Record], stop: StopCodes,
                   n: int) -> tuple[int, bool]:
        assert isinstance(state, VelocityState)
        written, halted = run(_workspace(state, records[0]), records[1], stop, n)
        return int(written), bool(halted)

    def view(self, state: SwarmState, params: VelocityParams, events: tuple[Event, ...]) -> View:
        return self._shown(state, params, events, None)

    def view_of(self, state: SwarmState, params: VelocityParams, events: tuple[Event, ...], place: int) -> View:
        return self._shown(state, params, events, place)

    def _shown(self, state: SwarmState, params: VelocityParams, events: tuple[Event, ...], place: int | None) -> View:
        assert isinstance(state, VelocityState)
        plain = swarm_view(state, config_record(self.values(params))[0], events, place)
        panel = population(plain)
        who = panel.current
        assert who is not None
        flown = next((event for event in events if isinstance(event, Flown) and event.particle == who), None)
        bare = structs.replace(panel, word="particle", kinds="", kind_names={}, ages=None)
        gauges = (*plain.gauges[:2], Gauge("own", str(state.own_energies[who])), *plain.gauges[2:])
        live = {**plain.live}
        if flown is None:
            gauges += Gauge("r₁", text.NONE), Gauge("r₂", text.NONE)  # a gauge keeps its place
        else:
            live |= {"keep": str(flown.kept), "own": str(flown.own), "towards": str(flown.towards)}
            gauges += tuple(Gauge(name, text.significant(r), r) for name, r in pulls(state, flown.step))
        return structs.replace(plain, panel=Sections("Swarm", (bare, _velocity(state, who, flown))), gauges=gauges,
                               live=live, related=_bests(state, who))


def pulls(state: VelocityState, step: int) -> tuple[tuple[str, float], tuple[str, float]]:
    """r₁ and r₂ of a flight, which `velocity_update.update_velocity` draws first."""
    r1, r2 = (rng.uniform(rng.draw(state.seed, rng.MOVE, step, position)) for position in range(2))
    return ("r₁", r1), ("r₂", r2)


def _bests(state: VelocityState, who: int) -> tuple[Related, Related]:
    """pBest of a particle, and gBest; cells that differ from its position are marked."""
    guide = int(state.now["guide"])
    named = ((f"pBest, the best grid of {name_of(who)}", who),
             (f"gBest, the best of this attempt, by {name_of(guide)}", guide))
    found = []
    for title, place in named:
        best = state.own[place]
        grid = tuple(best.tolist())
        marks: dict[Role, tuple[int, ...]] = {"conflict": conflicts(state.puzzle, grid),
                                              "reach": tuple(np.flatnonzero(best != state.genes[who]).tolist())}
        found.append(Related(title, grid, int(state.own_energies[place]), marks))
    return found[0], found[1]


def _velocity(state: VelocityState, who: int, flown: Flown | None) -> TablePanel:
    """All swaps of a particle's last flight, and if the flight is known the origin of each, r₁ and r₂."""
    n, swaps = state.puzzle.n, state.velocities[who, : state.lengths[who]].tolist()
    origins, head = [""] * len(swaps), ""
    if flown is not None:
        head = "  ".join(f"{name} {r:.3f}" for name, r in pulls(state, flown.step))
        origins = ["as before"] * flown.kept + ["own best"] * flown.own + ["best of all"] * flown.towards
    rows = tuple((names_of(tuple(swap), n, " ↔ "), origin) for swap, origin in zip(swaps, origins, strict=True))
    return TablePanel("Velocity", ("swap", head), rows,
                      about="The swaps of the velocity in their order, random ones before the first flight. as before: "
                            "kept of the last velocity; own best and best of all: pulls towards pBest and gBest, with "
                            "the random factors r₁ and r₂.")


def _flown(log: Log, state: VelocityState) -> Flown:
    who = int(log["who"])
    swaps = tuple((a, b) for a, b in state.velocities[who, : state.lengths[who]].tolist())
    return Flown(int(log["step"]), "move", who, swaps, int(log["kept"]), int(log["own"]), int(log["towards"]),
                 int(log["before"]), int(log["energy"]), int(log["own_best"]))


def _workspace(state: VelocityState, config: Record) -> Workspace:
    """The Workspace of a state."""
    made, keys = board(state.puzzle), stream_keys(state.seed, len(state.genes))
    cells, most = state.genes.shape[1], state.velocities.shape[1]
    return Workspace(state.genes, state.energies, state.own, state.own_energies, state.velocities, state.lengths,
                     state.best_grid, state.now, config[0], made.moves, made.units, layout(made),
                     np.zeros(made.size, np.uint8), np.zeros((most + 2 * cells, 2), np.uint16),
                     np.zeros(cells, np.uint8), keys.fills, keys.move)


SOLVER = SwarmVelocity()
