"""What every swarm of workers and explorers does alike: turns one by one, the kernel, the view.

A solver of the family adds its parameters, how they become a record of CONFIG, and its program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

import numpy as np

from engine.events import Event
from engine.params import Params
from engine.puzzle import Puzzle
from engine.solver import NEVER, Advanced, Outcome, Solver, Stop
from engine.solvers.population.refine import Refiner
from engine.solvers.population.swarm import state as codes
from engine.solvers.population.swarm import state as states
from engine.solvers.population.swarm import view as swarm_showing
from engine.solvers.population.swarm import view as swarm_telling
from engine.solvers.population.swarm.kernel import Swarm, derive, judge, lead, make_step, run
from engine.solvers.population.swarm.state import SwarmState
from engine.view import Channel, View

P = TypeVar("P", bound=Params)

ROOM = 64
"""Rare events that one call of the kernel may bring back."""
ENERGY_COUNTS = "the values missing in rows and columns (and diagonals); every box has each value once"
CHANNELS = (Channel("mean", "mean E", "energy"), Channel("best", "best", "best"), Channel("worst", "worst", "worst"),
            Channel("div", "diversity", "share"))
WORKERS = Channel("workers", "workers", "share")
KINDS = ("best", "generation", "merged", "restart", "improved", "luck", "fresh", "refused", "accepted", "turn",
         "worker", "explorer", "solved", "gave_up", "done")
KENNEDY = "J. Kennedy, R. Eberhart: Particle swarm optimization. Proc. IEEE Int. Conf. on Neural Networks, 1995"


class Swarming(Solver[SwarmState, P]):
    """The common part."""

    family = "population"
    energy_counts = ENERGY_COUNTS
    references: ClassVar[tuple[str, ...]] = (KENNEDY,)
    step_word = "turn"
    period_word = "epoch"
    period_kind = "generation"
    channels: ClassVar[tuple[Channel, ...]] = CHANNELS
    kinds: ClassVar[tuple[str, ...]] = KINDS
    kind_words: ClassVar[Mapping[str, str]] = {"generation": period_word}
    checkpoint_stride = 4096
    gives = frozenset({"panel"})

    def values(self, params: P) -> Mapping[str, float]:
        """The fields of CONFIG that these parameters give."""
        raise TypeError(f"{self.name} does not say what its parameters mean")

    def refinement(self, params: P) -> tuple[int, float]:
        """(proposals, temperature) of an organism's annealing, where there is one."""
        return 0, 1.0

    # The contract

    def init(self, puzzle: Puzzle, params: P, seed: int) -> SwarmState:
        c = codes.config(self.values(params))[0]
        return states.new_state(puzzle, seed, int(c["size"]), int(c["workers"]), int(c["elite"]))

    def jumps(self, params: P) -> frozenset[str]:
        return frozenset({"best", *(("restart",) if self.values(params)["attempts"] > 1 else ())})

    def steps(self, state: SwarmState, params: P) -> Iterator[tuple[Event, ...]]:
        config, happened, swarm = codes.config(self.values(params)), np.zeros(1, codes.HAPPENED), None
        while state.now["status"] == codes.RUNNING:
            if state.now["refining"]:
                swarm = None
                yield self._refine(state, config, params)
                continue
            if swarm is None:
                swarm = _swarm(state, config)
                derive(swarm)
            make_step(swarm, happened[0])
            state.sync()
            yield swarm_telling.told(happened[0], state, config[0], self.outcome(state))

    def _refine(self, state: SwarmState, config: Any, params: P) -> tuple[Event, ...]:
        """Anneal the next of the elite."""
        now, happened = state.now, np.zeros(1, codes.HAPPENED)
        h, who = happened[0], int(state.elite[len(state.elite) - int(now["refining"])])
        (proposals, temperature), before = self.refinement(params), int(state.energies[who])
        now["step"] += 1
        first = int(now["step"]) * codes.MOST_PROPOSALS
        refiner = Refiner(state.puzzle, state.seed, codes.REFINE)
        found = refiner.refine(state.genes[who], before, first, proposals, temperature)
        if found.energy < before:
            state.ages[who] = 0
        lead(now, state.energies, who, found.energy)
        now["refining"] -= 1
        now["proposals"] += found.proposals
        h["who"], h["before"], h["energy"] = who, before, found.energy
        judge((state.genes, state.best_grid), (now, config[0], h), codes.REFINED)
        state.sync()
        told = swarm_telling.refined(h, found.proposals, found.accepted, temperature)
        return told, *swarm_telling.rare(h, config[0], self.outcome(state))

    def advance(self, state: SwarmState, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        config, last, begun = codes.config(self.values(params)), state.step + n, state.step
        rare: list[Event] = []
        halted = False
        while state.step < last and state.now["status"] == codes.RUNNING and not halted:
            before = state.energy
            if state.now["refining"]:
                events = self._refine(state, config, params)
                rare += [event for event in events if event.RARE]
                halted = stop.hit(events, before, state.energy)
            else:
                found, halted = self._run(state, config, last - state.step, stop)
                rare += found
        outcome = self.outcome(state)
        return Advanced(state.step - begun, "done" if outcome else "stop" if halted else "steps", tuple(rare))

    def _run(self, state: SwarmState, config: Any, n: int, stop: Stop) -> tuple[list[Event], bool]:
        """Up to n steps by the kernel: (rare events, whether the stop was hit)."""
        happened = np.zeros(ROOM, codes.HAPPENED)
        written, halted = self.run_kernel(state, (config, happened), codes.watched(stop), n)
        state.sync()
        outcome = self.outcome(state)
        return [event for h in happened[:written] for event in swarm_telling.rare(h, config[0], outcome)], halted

    def run_kernel(self, state: SwarmState, records: tuple[Any, Any], stop: tuple[int, int, int],
                   n: int) -> tuple[int, bool]:
        """(rare records written, whether the stop was hit); records = (CONFIG[1], HAPPENED[m]), stop = (bits, E, cell)
        with -1 for no E and no cell."""
        arrays = (state.genes, state.energies, state.ages, state.best_grid, state.elite)
        written, halted = run(arrays, (state.scalars, *records), states.layout(state.puzzle),
                              states.keys(state.seed, len(state.genes)), stop, n)
        return int(written), bool(halted)

    def outcome(self, state: SwarmState) -> Outcome | None:
        return swarm_telling.outcome_of(state)

    def best(self, state: SwarmState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best_grid.tolist()), int(state.now["best"])

    def evaluations(self, state: SwarmState, params: P) -> int:
        """Steps, and what annealers proposed."""
        return state.step + int(state.now["proposals"])

    def most_evaluations(self, state: SwarmState, params: P) -> int:
        return 1 + self.refinement(params)[0]

    def individuals(self, state: SwarmState) -> int:
        return len(state.genes)

    def view(self, state: SwarmState, params: P, events: tuple[Event, ...]) -> View:
        return swarm_showing.view(state, codes.config(self.values(params))[0], events)

    def view_of(self, state: SwarmState, params: P, events: tuple[Event, ...], place: int) -> View:
        return swarm_showing.view(state, codes.config(self.values(params))[0], events, place)

    def sample(self, state: SwarmState, params: P) -> tuple[float, ...]:
        now, size = state.now, len(state.genes)
        known = (int(now["total"]) / size, float(now["best"]), float(state.energies.max()), float(now["diversity"]),
                 int(now["workers"]) / size)
        return known[: len(self.channels)]

    def warm_up(self, puzzle: Puzzle | None = None, params: P | None = None) -> None:
        chosen = self.make_params() if params is None else params
        state = self.init(Puzzle((0,) * 81), chosen, 0)  # the same for every shape
        next(iter(self.steps(state, chosen)), None)
        self.advance(state, chosen, 1)
        proposals, temperature = self.refinement(chosen)
        if proposals:
            board = state.puzzle if puzzle is None else Puzzle((0,) * puzzle.n**2, puzzle.box, puzzle.variant)
            cells = states.fresh(board, 0, 0)
            Refiner(board, 0, codes.REFINE).refine(cells, int(states.box_energies(board, cells[None])[0]), 0, proposals,
                                                   temperature)


def _swarm(state: SwarmState, config: Any) -> Any:
    """The Swarm of the state itself, for calls of the primitives one by one; what is derived is still to be filled."""
    moves, pairs, units, layout, box_of, length, side = states.layout(state.puzzle)
    fills, move_key, choice_key = states.keys(state.seed, len(state.genes))
    size, cells = state.genes.shape
    return Swarm(state.genes, state.energies, state.ages, state.best_grid, state.elite, state.now, config[0], moves,
                 pairs, units, layout, box_of, np.zeros((size, length), np.uint8), np.zeros(size, np.uint64),
                 np.zeros((cells, side + 1), np.uint64), fills, move_key, choice_key)
