"""The packed kernel makes the steps of the general one and of the generator, at any chunk size and stop."""

import itertools
import random

import numpy as np
import pytest

from engine import registry
from engine import state as states
from engine.breakpoints import NEVER, Stop
from engine.energy import box_state_energy, row_state_energy
from engine.puzzle import Puzzle
from engine.solvers.annealing import kernel, packed_kernel, replay, view
from engine.solvers.annealing.parameters import CALIBRATE, RUNNING, make_log, make_watch
from engine.solvers.annealing.state import workspace_of

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
EMPTY = "." * 81
UNSOLVABLE = HARD[:-1] + "9"

RUNS = {
    "strong": ("anneal", {}),
    "easy": ("anneal", {"neighbourhood": "row-swap", "T_min": 0.7, "at_floor": "restart", "moves": 7, "alpha": 0.9}),
    "adaptive": ("anneal", {"schedule": "adaptive", "moves": 50}),
    "constant": ("anneal", {"schedule": "constant", "neighbourhood": "row-swap", "T0": 0.4}),
    "hot": ("anneal", {"schedule": "constant", "T0": 30.0}),
    "budget": ("anneal", {"max_steps": 777}),
    "sheet": ("anneal-linear", {}),
    "reheat": ("anneal-reheat", {"moves": 5, "stagnation": 4, "max_reheats": 3}),
    "adaptive-reheat": ("anneal-reheat-adaptive", {"moves": 4, "stagnation": 3}),
    "lewis": ("anneal-lewis", {}),
    "climb": ("hill-climb", {"patience": 60, "restarts": 8}),
    "sideways": ("hill-climb", {"accept": "sideways", "patience": 90, "restarts": 3}),
    "grouped boxes": ("anneal", {"draw": "group", "T0": 0.4}),
    "grouped rows": ("anneal-linear", {"draw": "group"}),
}


def general(config):
    """The loop over count tables that makes the steps of a packed one."""
    return kernel.compiled_loop(False, False, True, bool(config["grouped"]))


class Trial:
    """A state in its search, and what a kernel needs to move it on."""

    def __init__(self, run, line, seed):
        name, values = RUNS[run]
        self.solver = registry.solver(name)
        self.params = self.solver.make_params(None, values)
        self.state = self.solver.init(Puzzle.from_line(line), self.params, seed)
        self.config = self.solver.config(self.state, self.params)
        while self.state.now["phase"] == CALIBRATE:
            self.solver.advance(self.state, self.params, 1)

    def advance(self, packed, n, stop=NEVER, room=10_000):
        """(state, events, whether the stop was hit) of one call from a copy of the state."""
        state, log = states.copy(self.state), make_log(room)
        workspace = workspace_of(state, self.config, make_watch(stop), log)
        if packed:
            assert packed_kernel.suits(workspace)
            written, halted, _ = kernel.run(workspace, n)
        else:
            written, halted, _ = general(self.config)(workspace, None, kernel.NO_TRACE, n)
        state.sync()
        return state, events_in(log[:written], state), bool(halted)


def events_in(log, state):
    """The events of the records, without the fields that do not belong to them."""
    return [event for record in log for event in view.events_of(record, state, 0, view.outcome_of(state))]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("line", [HARD, EASY, EMPTY, UNSOLVABLE])
def test_same_steps_as_the_general_kernel(run, line):
    for seed in (0, 1, 2**63 - 1):
        trial = Trial(run, line, seed)
        fast, events, _ = trial.advance(True, 6000)
        general, expected, _ = trial.advance(False, 6000)
        assert fast.step == general.step > trial.state.step
        assert states.digest(fast) == states.digest(general)
        assert events == expected


@pytest.mark.parametrize("run", ["strong", "easy", "sheet", "adaptive-reheat", "climb"])
def test_chunks_of_any_size_make_the_same_run(run):
    trial, rng = Trial(run, HARD, 4), random.Random(4)
    whole, events, _ = trial.advance(True, 3000)
    found = []
    while trial.state.step < whole.step:
        trial.state, part, _ = trial.advance(True, min(rng.choice([1, 2, 3, 50, 100, 701]),
                                                           whole.step - trial.state.step))
        found += part
    assert states.digest(trial.state) == states.digest(whole)
    assert found == events


@pytest.mark.parametrize("run", ["strong", "constant", "easy", "climb", "hot"])
def test_energies_event_by_event_against_the_oracle(run):
    trial = Trial(run, HARD, 9)
    puzzle, state = trial.state.puzzle, trial.state
    oracle = box_state_energy if state.now["boxes"] else row_state_energy
    cells = list(state.grid)
    for events in replay.events(trial.solver, states.copy(state), trial.params, 400):
        swap = events[0]
        (a, b), before = swap.cells, oracle(puzzle, cells)
        assert swap.values == (cells[a], cells[b])
        cells[a], cells[b] = cells[b], cells[a]
        assert oracle(puzzle, cells) - before == swap.delta
        if not swap.accepted:
            cells[a], cells[b] = cells[b], cells[a]
        assert swap.energy == oracle(puzzle, cells)
        if any("restart" in event.kinds for event in events):
            break


def test_a_value_nine_times_in_a_column():
    """The fields of the row state hold the highest counts that there are."""
    trial = Trial("constant", EMPTY, 3)
    trial.state.cells[:] = list(range(1, 10)) * 9
    now = trial.state.now
    for name in ("energy", "best", "minimum", "lowest", "mark"):
        now[name] = row_state_energy(trial.state.puzzle, trial.state.grid)
    assert now["energy"] == 72 + 54
    for _ in range(300):
        trial.state, _, _ = trial.advance(True, 1)
        assert trial.state.energy == row_state_energy(trial.state.puzzle, trial.state.grid)


STOPS = [Stop(frozenset({kind})) for kind in ("uphill", "improved", "equal", "rejected", "accepted", "best", "cooled",
                                              "reheat", "restart", "sweep", "minimum")]
STOPS += [Stop(energy=25), Stop(energy=0), Stop(cell=0), Stop(cell=40), Stop(frozenset({"uphill"}), 20, 7)]


@pytest.mark.sweep(keep=5)
@pytest.mark.parametrize("stop", STOPS, ids=str)
@pytest.mark.parametrize("run", [
    "strong", "climb", *(pytest.param(run, marks=pytest.mark.sweep) for run in ("easy", "adaptive-reheat"))])
def test_stops_where_the_drained_generator_stops(run, stop):
    trial = Trial(run, HARD, 12)
    for _ in range(6):
        slow = states.copy(trial.state)
        before, hit = slow.energy, False
        for events in itertools.islice(trial.solver.steps(slow, trial.params), 400):
            hit, before = stop.hit(events, before, slow.energy), slow.energy
            if hit:
                break
        fast, _, halted = trial.advance(True, 400, stop)
        assert (fast.step, halted) == (slow.step, hit)
        assert states.digest(fast) == states.digest(slow)
        trial.state = fast
        if fast.now["status"] != RUNNING:
            break


def test_the_run_continues_where_the_buffer_was_full():
    trial = Trial("strong", HARD, 5)
    whole, events, _ = trial.advance(True, 2000)
    found = []
    while trial.state.step < whole.step:
        trial.state, part, _ = trial.advance(True, whole.step - trial.state.step, room=3)
        assert len(part) <= 3
        found += part
    assert states.digest(trial.state) == states.digest(whole)
    assert found == events
    assert len(events) > 10


@pytest.mark.parametrize("run", ["strong", "easy", "sheet", "adaptive-reheat", "climb",
                                 pytest.param("grouped boxes", marks=pytest.mark.sweep)])
def test_both_kernels_write_the_same_trace(run):
    trial, traces = Trial(run, HARD, 6), []
    for packed in (True, False):
        state, log, trace = states.copy(trial.state), make_log(2500), kernel.make_trace(2500)
        workspace = workspace_of(state, trial.config, log=log)
        words = packed_kernel.words_of(workspace.board, bool(state.now["boxes"])) if packed else None
        loop = kernel.compiled_loop(packed, True, False, bool(trial.config["grouped"]))
        written, _, noted = loop(workspace, words, trace, 2500)
        traces.append((states.digest(state), trace.proposals.tolist(), trace.temperatures[:noted].tolist(),
                       events_in(log[:written], state)))
    assert traces[0] == traces[1]
    assert len(set(traces[0][1])) > 100


def test_only_swaps_at_nine_in_the_classic_variant():
    def suits(puzzle, **values):
        solver = registry.solver("anneal")
        params = solver.make_params(None, values)
        state = solver.init(puzzle, params, 0)
        return packed_kernel.suits(workspace_of(state, solver.config(state, params)))

    hard = Puzzle.from_line(HARD)
    assert suits(hard)
    assert suits(hard, neighbourhood="row-swap")
    assert not suits(hard, neighbourhood="conflict-swap")
    assert not suits(hard, neighbourhood="extended")
    assert not suits(hard, schedule="logarithmic")
    assert not suits(Puzzle(hard.givens, 3, "diagonal"))
    assert not suits(Puzzle((0,) * 16, 2))


def test_popcount():
    rng = random.Random(1)
    for word in [0, 2**64 - 1, *(rng.getrandbits(64) & rng.getrandbits(64) for _ in range(500))]:
        assert packed_kernel.popcount(np.uint64(word)) == word.bit_count()
