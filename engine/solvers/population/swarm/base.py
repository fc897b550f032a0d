"""The base of the swarms: turn by turn as a generator, many turns by a kernel, the view.

A solver of the family adds its parameters, their record of CONFIG, and its program.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

import numpy as np
from msgspec import structs

from engine.breakpoints import NEVER, Stop
from engine.events import Event
from engine.params import Params
from engine.puzzle import Puzzle
from engine.questions import Moment
from engine.solver import Advanced, Outcome, Solver
from engine.solvers.population.refine import Cooling, Refiner
from engine.solvers.population.swarm.state import (
    LOG,
    MOST_PROPOSALS,
    REFINE,
    REFINED,
    RUNNING,
    Record,
    StopCodes,
    SwarmState,
    board,
    box_energies,
    box_of,
    config_record,
    fresh,
    layout,
    new_state,
    next_refined,
    stop_codes,
    stream_keys,
)
from engine.solvers.population.swarm.view import outcome_of, rare_events, refined_event, step_events, swarm_view
from engine.solvers.population.swarm.workers import Workspace, close_step, derive_tables, make_step, run, set_energy
from engine.view import Channel, View

P = TypeVar("P", bound=Params)

ROOM = 64
"""Rare events that one call of the kernel can report."""
ENERGY_COUNTS = "the values missing in rows and columns (and diagonals); every box has each value once"
CHANNELS = (Channel("mean", "mean E", "energy"), Channel("best", "best so far", "best"),
            Channel("worst", "worst now", "worst"), Channel("div", "diversity", "share"))
WORKERS = Channel("workers", "workers", "share")
KINDS = ("best", "generation", "merged", "restart", "improved", "luck", "uphill", "fresh", "refused", "accepted",
         "turn", "worker", "explorer", "solved", "gave_up", "done")
DIVERSITY = ("the diversity: the share of individuals that differ from all others before them, at the end of the last "
             "epoch or at the beginning of the attempt")
"""The meaning of the gauge and the curve of this name."""
KENNEDY = "J. Kennedy, R. Eberhart: Particle swarm optimization. Proc. IEEE Int. Conf. on Neural Networks, 1995"


class SwarmSolver(Solver[SwarmState, P]):
    """The base of all swarms."""

    family = "population"
    energy_counts = ENERGY_COUNTS
    references: ClassVar[tuple[str, ...]] = (KENNEDY,)
    step_word = "turn"
    other_steps = "a merge, or the end of an epoch"
    period_word = "epoch"
    period_kind = "generation"
    channels: ClassVar[tuple[Channel, ...]] = CHANNELS
    kinds: ClassVar[tuple[str, ...]] = KINDS
    kind_words: ClassVar[Mapping[str, str]] = {"generation": period_word}
    glossary: ClassVar[Mapping[str, str]] = {
        "organism": "one grid of the swarm, either a worker or an explorer",
        "worker": "an organism that improves its grid by swaps; too many refusals, and it starts from a new grid",
        "age": "the refusals of a worker since it last improved or got a new grid",
        "explorer": "an organism that gets a new random grid in every epoch",
        "merge": "at the end of an epoch the best worker and the best explorer share their boxes in a new grid, which "
                 "replaces the worst worker",
        **dict.fromkeys(("div.", "diversity"), DIVERSITY),
    }
    checkpoint_stride = 4096
    gives = frozenset({"panel"})

    @abstractmethod
    def values(self, params: P) -> Mapping[str, float]:
        """The fields of CONFIG that these parameters give."""

    def refinement(self, params: P) -> tuple[int, float, Cooling | None]:
        """(proposals, temperature at first, cooling) of the annealing of an organism, if there is one."""
        return 0, 1.0, None

    def init(self, puzzle: Puzzle, params: P, seed: int) -> SwarmState:
        c = config_record(self.values(params))[0]
        return new_state(puzzle, seed, int(c["size"]), int(c["workers"]), int(c["elite"]))

    def moment(self, before: SwarmState, params: P, events: tuple[Event, ...]) -> Moment:
        g = before.puzzle.geometry
        return structs.replace(super().moment(before, params, events), counted=g.rows + g.columns + g.diagonals)

    def jumps(self, params: P) -> frozenset[str]:
        values = self.values(params)
        return frozenset({"best", *(("uphill",) if values.get("luck") else ()),
                          *(("restart",) if values["attempts"] > 1 else ())})

    def steps(self, state: SwarmState, params: P) -> Iterator[tuple[Event, ...]]:
        config, logs, swarm = config_record(self.values(params)), np.zeros(1, LOG), None
        while state.now["status"] == RUNNING:
            if state.now["refining"]:
                swarm = None
                yield self._refine(state, config, params)
                continue
            if swarm is None:
                swarm = workspace(state, config)
                derive_tables(swarm)
            make_step(swarm, logs[0])
            state.sync()
            yield step_events(logs[0], state, config[0], self.outcome(state))

    def _refine(self, state: SwarmState, config: Record, params: P) -> tuple[Event, ...]:
        """Anneal the next organism of the elite: one step. Its events."""
        now, logs = state.now, np.zeros(1, LOG)
        log, who = logs[0], next_refined(state)
        (proposals, temperature, cooling), before = self.refinement(params), int(state.energies[who])
        now["step"] += 1
        first = int(now["step"]) * MOST_PROPOSALS
        refiner = Refiner(state.puzzle, state.seed, REFINE, cooling)
        found = refiner.refine(state.genes[who], before, first, proposals, temperature)
        if found.energy < before:
            state.ages[who] = 0
        set_energy(now, state.energies, who, found.energy)
        now["refining"] -= 1
        now["proposals"] += found.proposals
        log["who"], log["before"], log["energy"] = who, before, found.energy
        close_step((state.genes, state.best_grid), (now, config[0], log), REFINED)
        state.sync()
        refined = refined_event(log, found, temperature, cooled=cooling is not None)
        return refined, *rare_events(log, config[0], self.outcome(state))

    def advance(self, state: SwarmState, params: P, n: int, stop: Stop = NEVER) -> Advanced:
        config, last, begun = config_record(self.values(params)), state.step + n, state.step
        rare: list[Event] = []
        halted = False
        while state.step < last and state.now["status"] == RUNNING and not halted:
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

    def _run(self, state: SwarmState, config: Record, n: int, stop: Stop) -> tuple[list[Event], bool]:
        """Up to n steps by the kernel: (rare events, whether the stop was hit)."""
        logs = np.zeros(ROOM, LOG)
        written, halted = self.run_kernel(state, (config, logs), stop_codes(stop), n)
        state.sync()
        outcome = self.outcome(state)
        return [event for log in logs[:written] for event in rare_events(log, config[0], outcome)], halted

    def run_kernel(self, state: SwarmState, records: tuple[Record, Record], stop: StopCodes,
                   n: int) -> tuple[int, bool]:
        """(rare records written, whether the stop was hit); records = (CONFIG[1], LOG[m]), stop: see `stop_codes`."""
        written, halted = run(workspace(state, records[0]), records[1], stop, n)
        return int(written), bool(halted)

    def outcome(self, state: SwarmState) -> Outcome | None:
        return outcome_of(state)

    def best(self, state: SwarmState) -> tuple[tuple[int, ...], int]:
        return tuple(state.best_grid.tolist()), int(state.now["best"])

    def evaluations(self, state: SwarmState, params: P) -> int:
        """Steps and annealing proposals."""
        return state.step + int(state.now["proposals"])

    def most_evaluations(self, state: SwarmState, params: P) -> int:
        return 1 + self.refinement(params)[0]

    def individuals(self, state: SwarmState) -> int:
        return len(state.genes)

    def view(self, state: SwarmState, params: P, events: tuple[Event, ...]) -> View:
        return swarm_view(state, config_record(self.values(params))[0], events)

    def view_of(self, state: SwarmState, params: P, events: tuple[Event, ...], place: int) -> View:
        return swarm_view(state, config_record(self.values(params))[0], events, place)

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
        proposals, temperature, cooling = self.refinement(chosen)
        if proposals:
            empty = state.puzzle if puzzle is None else Puzzle((0,) * puzzle.n**2, puzzle.box, puzzle.variant)
            cells = fresh(empty, 0, 0)
            energy = int(box_energies(empty, cells[None])[0])
            Refiner(empty, 0, REFINE, cooling).refine(cells, energy, 0, proposals, temperature)


def workspace(state: SwarmState, config: Record) -> Workspace:
    """The Workspace of a state, for calls of the primitives one by one; `derive_tables` must follow."""
    puzzle, made, keys = state.puzzle, board(state.puzzle), stream_keys(state.seed, len(state.genes))
    size, cells = state.genes.shape
    return Workspace(state.genes, state.energies, state.ages, state.best_grid, state.elite, state.now, config[0],
                     made.moves, made.pairs, made.units, made.group_starts, layout(made), box_of(puzzle.n, puzzle.box),
                     np.zeros((size, made.size), np.uint8), np.zeros(size, np.uint64),
                     np.zeros((cells, puzzle.n + 1), np.uint64), *keys)
