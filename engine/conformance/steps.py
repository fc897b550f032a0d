"""Laws of steps: one trajectory by steps, advance and events, from copies and packed states, in another process."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from functools import partial

import msgspec

from engine import state as states
from engine.conformance import cases as trial
from engine.conformance.cases import require
from engine.conformance.views import check_reason, check_sentence, check_view
from engine.events import Event, Retracted, event_types, rare_kinds
from engine.events.search import Uncovered
from engine.params import Params, describe
from engine.run.recorder import Recorder
from engine.solver import JUMPS, AnySolver, Solver
from engine.state import State
from engine.view import View, population_in

HEAVY = ("numba", "z3", "textual", "rich", "plotext", "click", "scipy", "ortools", "tui")
"""Packages that importing a solver's module must not load; they are imported at the first call."""

DECLARED = tuple(name for name in (*Solver.__annotations__, *vars(Solver))
                 if name in Solver.__annotations__ or isinstance(vars(Solver)[name], property))
"""Every attribute of the contract that is not a method."""


def init_is_deterministic(solver: AnySolver) -> None:
    """The same puzzle, parameters and seed give the same state at step 0."""
    for case in trial.cases(solver):
        first = case.init(solver)
        solver.init(case.puzzle, case.params, trial.SEED + 1)
        require(first.step == 0, f"{case}: the first state is at step {first.step}")
        if not solver.recorded:
            same = states.digest(first) == states.digest(case.init(solver))
            require(same, f"{case}: two calls of init give different states")


def steps_have_events(solver: AnySolver) -> None:
    """Every step yields at least one event, with the step's number and a line of the program."""
    lines = {line.id for line in solver.program}
    for log in trial.logs(solver):
        for number, events in enumerate(log.events, 1):
            require(bool(events), f"{log}: step {number} has no event")
            for event in events:
                require(event.step == number, f"{log}: an event of step {number} has step {event.step}")
                require(event.line in lines,
                        f"{log}: step {number} names line {event.line!r}, which is not in the program")
        require(log.steps == list(range(1, len(log.events) + 1)), f"{log}: state.step does not count the steps")


def evaluations_are_counted(solver: AnySolver) -> None:
    """`evaluations` never decreases, and a step adds at most `most_evaluations`."""
    for log in trial.logs(solver):
        before, most = log.solver.evaluations(log.begin(), log.case.params), None
        require(before >= 0, f"{log}: {before} evaluations before the first step")
        state = log.begin()
        for number, _ in enumerate(trial.take(log.solver.steps(state, log.case.params), log.length), 1):
            now = log.solver.evaluations(state, log.case.params)
            within = now >= before and (most is None or now - before <= most)
            require(within, f"{log}: step {number} takes the evaluations from {before} to {now}")
            before, most = now, log.solver.most_evaluations(state, log.case.params)


def events_are_small_and_plain(solver: AnySolver) -> None:
    """Events hold numbers, texts, None and tuples of these: nothing mutable, nothing of numpy's. Tags are unique."""
    tags = [str(kind.__struct_config__.tag) for kind in event_types()]
    require(len(tags) == len(set(tags)), f"two event types share a tag: {sorted(tags)}")
    for log in trial.logs(solver):
        for event in log.all_events:
            for name in event.__struct_fields__:
                value = getattr(event, name)
                require(trial.is_plain(value), f"{log}: {type(event).__name__}.{name} holds {type(value).__name__}")
            require(len(msgspec.msgpack.encode(event)) <= 4096,
                    f"{log}: an event of step {event.step} has more than 4096 bytes")


def rare_events_are_marked(solver: AnySolver) -> None:
    """A kind of rare events is not a kind of any other event: runs search the index only."""
    for log in trial.logs(solver):
        for event in log.all_events:
            shared = () if event.RARE else sorted(rare_kinds().intersection(event.kinds))
            require(not shared, f"{log}: {type(event).__name__} is not RARE and has the kind {', '.join(shared)}")


def jumps_are_declared(solver: AnySolver) -> None:
    """Kinds that `jumps` leaves out do not occur: the screen offers no key for them."""
    for log in trial.logs(solver):
        happened = {kind for event in log.all_events for kind in event.kinds}.intersection(JUMPS)
        hidden = sorted(happened - solver.jumps(log.case.params))
        require(not hidden, f"{log}: events of the kind {', '.join(hidden)} occur, but `jumps` lacks it")


def givens_stay_untouched(solver: AnySolver) -> None:
    """No event touches a given, unless the solver declares `touches_givens`."""
    for log in trial.logs(solver):
        touched = {cell for event in log.all_events for cell in event.touched if log.case.puzzle.givens[cell]}
        require(solver.touches_givens or not touched,
                f"{log}: an event touches the given in cell {min(touched, default=0)}, but `touches_givens` is False")


def events_are_explained(solver: AnySolver) -> None:
    """Every event has a sentence: a badge of at most 15 characters and a template with all its fields."""
    for log in trial.logs(solver):
        for event in log.all_events:
            check_sentence(solver.explain(event, log.case.puzzle.n), f"{log}: {type(event).__name__}")


def events_have_reasons(solver: AnySolver) -> None:
    """At every step `because` and `because_in` give a reason for every event; making it changes nothing."""
    for log in trial.logs(solver):
        state, params = log.begin(), log.case.params
        before = states.copy(state)
        for events in trial.take(log.solver.steps(state, params), log.length):
            where = f"{log}, step {state.step}"
            for event in events:
                what = f"{where}, {type(event).__name__}"
                check_reason(log.solver.because(event, state, params), what)
                check_reason(log.solver.because_in(event, events, partial(states.copy, before), state, params), what)
            require(states.digest(state) == log.digests[state.step], f"{where}: `because` changed the state")
            before = states.copy(state)


def views_are_well_shaped(solver: AnySolver) -> None:
    """A view is plain and matches the board; its gauges keep their labels except between phases of a run; making it
    changes nothing."""
    for log in trial.logs(solver):
        phases: list[tuple[str, ...]] = []
        for state, events in log.moments():
            before = states.digest(state)
            view = log.solver.view(state, log.case.params, events)
            labels = tuple(gauge.label for gauge in view.gauges)
            if labels not in phases[-1:]:
                require(labels not in phases, f"{log}, step {state.step}: the gauges are those of a phase before")
                phases.append(labels)
            check_view(view, solver, log.case.puzzle, f"{log}, step {state.step}")
            given = {name for name in ("candidates", "panel") if getattr(view, name) is not None}
            require(given <= solver.gives, f"{log}, step {state.step}: `gives` lacks {sorted(given - solver.gives)}")
            shown = _grid_to_be_shown(log, state, view)
            require(view.grid in (shown, _before_retraction(shown, events)),
                    f"{log}, step {state.step}: the view shows another grid than the state's")
            require(states.digest(state) == before, f"{log}, step {state.step}: `view` changed the state")


def _before_retraction(grid: tuple[int, ...], events: tuple[Event, ...]) -> tuple[int, ...]:
    """The grid of a dead end before its retraction, which a view may show in place of the one after it."""
    if not any("contradiction" in event.kinds for event in events):
        return grid
    undone = {event.cell: event.value for event in events if isinstance(event, Retracted | Uncovered)}
    return tuple(undone.get(cell, value) for cell, value in enumerate(grid))


def _grid_to_be_shown(log: trial.Log, state: State, view: View) -> tuple[int, ...]:
    """The state's grid; of a population the grid of the panel's current individual."""
    solver, params = log.solver, log.case.params
    panel = population_in(view.panel)
    if not solver.individuals(state) or panel is None or panel.current is None:
        return state.grid
    return solver.view_of(state, params, (), panel.current).grid


def individuals_can_be_picked(solver: AnySolver) -> None:
    """Every individual of a population has a view, with the events of the step and without, all with the same gauges;
    making it changes nothing."""
    for log in trial.logs(solver):
        for state, events in log.moments():
            before, size = states.digest(state), log.solver.individuals(state)
            labels = [gauge.label for gauge in log.solver.view(state, log.case.params, events).gauges]
            for place in {0, size // 2, size - 1} if size else ():
                for given in ((), events):
                    view = log.solver.view_of(state, log.case.params, given, place)
                    where = f"{log}, step {state.step}, individual {place}"
                    check_view(view, solver, log.case.puzzle, where)
                    require([gauge.label for gauge in view.gauges] == labels, f"{where}: it has other gauges")
                    panel = population_in(view.panel)
                    require(panel is not None and panel.current == place,
                            f"{where}: it is not the panel's current individual")
            require(states.digest(state) == before, f"{log}, step {state.step}: `view_of` changed the state")


def samples_fit_the_channels(solver: AnySolver) -> None:
    """One float per channel; the energy channel is the state's energy, or the mean of a population; shares are 0 to
    1."""
    for log in trial.logs(solver):
        for state, _ in log.moments():
            values = log.solver.sample(state, log.case.params)
            where = f"{log}, step {state.step}"
            require(len(values) == len(solver.channels), f"{where}: {len(values)} numbers for the channels")
            require(type(state.energy) is int and state.energy >= 0, f"{where}: the energy is not an int of at least 0")
            for channel, value in zip(solver.channels, values, strict=True):
                require(type(value) is float, f"{where}: channel {channel.key} is not a float")
                if channel.role == "energy" and log.solver.individuals(state):
                    require(value >= state.energy or math.isnan(value), f"{where}: a mean of {value} is below the best")
                elif channel.role == "energy":
                    require(value == state.energy or math.isnan(value), f"{where}: {value} is not E = {state.energy}")
                if channel.role == "share":
                    require(math.isnan(value) or 0 <= value <= 1, f"{where}: share {value} is not within 0 to 1")


def recordings_say_the_same(solver: AnySolver) -> None:
    """At every step the recorder of a solver gives the same answers as the solver."""
    for log in trial.logs(solver):
        recorder = log.solver if solver.recorded else Recorder(solver, log.begin())
        params = log.case.params
        state = recorder.init(log.case.puzzle, params, trial.SEED)
        _says_the_same(recorder, solver, state, params, (), f"{log}, step 0")
        for events in trial.take(recorder.steps(state, params), log.length):
            where = f"{log}, step {state.step}"
            require(states.digest(state) == log.digests[state.step], f"{where}: the recording has another state")
            require(events == log.events[state.step - 1], f"{where}: the recording has other events")
            if state.step < 10 or state.step % max(1, log.length // 20) == 0 or state.step == log.length:
                _says_the_same(recorder, solver, state, params, events, where)


def _says_the_same(recorder: AnySolver, solver: AnySolver, state: State, params: Params, events: tuple[Event, ...],
                   where: str) -> None:
    says, expected = (_said(each, state, params, events) for each in (recorder, solver))
    for topic, answer in expected.items():
        require(says[topic] == answer, f"{where}: the recorder gives {topic} = {says[topic]:.60}, not {answer:.60}")
    ended = solver.outcome(state)
    require(ended is None or recorder.outcome(state) == ended, f"{where}: the recorder has another outcome")


def _said(solver: AnySolver, state: State, params: Params, events: tuple[Event, ...]) -> dict[str, str]:
    """The answers of a solver at one step, by topic; as text, since nan is not equal to itself."""
    size = solver.individuals(state)
    turned = [knob.name for knob in solver.knobs] + [each.name for each in describe(type(params))]
    said = {name: getattr(solver, name) for name in DECLARED if name != "recorded"}
    said |= {
        "jumps": solver.jumps(params), "channels_for": solver.channels_for(params), "best": solver.best(state),
        "individuals": size, "evaluations": solver.evaluations(state, params),
        "most_evaluations": solver.most_evaluations(state, params), "missing": solver.missing(),
        "view": solver.view(state, params, events), "sample": solver.sample(state, params),
        "view_of": [solver.view_of(state, params, events, place) for place in sorted({0, size // 2, size - 1}) if size],
        "reading": [solver.reading(state, params, name) for name in turned],
        "explain": [solver.explain(event, state.puzzle.n) for event in events],
        "because": [solver.because(event, state, params) for event in events],
    }
    return {topic: repr(sorted(answer) if isinstance(answer, frozenset) else answer)
            for topic, answer in said.items()}


# One trajectory


def advance_equals_steps(solver: AnySolver) -> None:
    """In chunks of any size `advance` reaches the states of `steps` and returns the same rare events."""
    for log in trial.logs(solver):
        rare = tuple(event for event in log.all_events if event.RARE)
        for size in (1, 2, 7, 1000):
            state = log.begin()
            reported: list[Event] = []
            while state.step < log.length:
                before = state.step
                result = log.solver.advance(state, log.case.params, min(size, log.length - before))
                reported += result.rare
                require(0 < result.steps == state.step - before,
                        f"{log}: after step {before} advance reports {result.steps} steps, made {state.step - before}")
                require(result.steps <= size, f"{log}: advance made more than {size} steps after step {before}")
                same = states.digest(state) == log.digests[state.step]
                require(same, f"{log}: in chunks of {size} the state at step {state.step} differs")
                ended = log.solver.outcome(state) is not None
                require((result.reason == "done") == ended,
                        f"{log}: advance returns reason {result.reason} at step {state.step}")
            require(tuple(reported) == rare, f"{log}: in chunks of {size} advance returns other rare events")


def stops_halt_at_the_first_step(solver: AnySolver) -> None:
    """A stop on a kind, an energy or a cell halts at exactly the steps that hit it, with the same trajectory."""
    for log in trial.logs(solver):
        for stop in log.stops():
            expected = log.hits(stop)
            state, halted = log.begin(), []
            while state.step < log.length:
                result = log.solver.advance(state, log.case.params, log.length - state.step, stop)
                require(result.steps > 0, f"{log}: {stop} made no step after {state.step}")
                if result.reason == "stop" or (result.reason == "done" and state.step in expected):
                    halted.append(state.step)
            require(halted == expected, f"{log}: {stop} halts at {halted[:5]}…, expected {expected[:5]}…")
            require(states.digest(state) == log.digests[-1], f"{log}: {stop} changes the trajectory")


def generator_can_be_dropped(solver: AnySolver) -> None:
    """From any step, a new generator on a copy of the state continues exactly as the old one."""
    for log in trial.logs(solver):
        for start in sorted({1, 2, 3, log.length // 3, log.length // 2, log.length - 1} & set(range(log.length))):
            state = states.copy(log.state_at(start))
            for number, events in zip(range(start + 1, min(start + 40, log.length) + 1),
                                      log.solver.steps(state, log.case.params), strict=False):
                same = events == log.events[number - 1] and states.digest(state) == log.digests[number]
                require(same, f"{log}: with a new generator after step {start}, step {number} differs")


def events_equal_steps(solver: AnySolver) -> None:
    """`events` yields the same as `steps` and leaves the state after the last step."""
    for log in trial.logs(solver):
        state = log.begin()
        found = list(log.solver.events(state, log.case.params, log.length))
        for number, (one, other) in enumerate(zip(found, log.events, strict=False), 1):
            require(one == other, f"{log}: events() differs from steps() at step {number}")
        require(len(found) == log.length, f"{log}: events() gave {len(found)} of {log.length} steps")
        require(states.digest(state) == log.digests[-1], f"{log}: events() leaves another state than steps()")


def copies_are_independent(solver: AnySolver) -> None:
    """Advancing a copy does not change the original."""
    for log in trial.logs(solver):
        original = log.state_at(log.length // 2)
        twin = states.copy(original)
        before = states.digest(original)
        log.solver.advance(twin, log.case.params, 50)
        require(states.digest(original) == before, f"{log}: advancing a copy changed the original")
        require(original.step == log.length // 2, f"{log}: advancing a copy moved the original")


def states_can_be_packed(solver: AnySolver) -> None:
    """A packed and unpacked state is the same and continues in the same way."""
    for log in trial.logs(solver):
        half = log.length // 2
        state = log.state_at(half)
        twin = states.unpack(log.begin(), states.pack(state))
        require(states.digest(twin) == log.digests[half], f"{log}: step {half} differs after unpacking")
        require((twin.grid, twin.energy) == (state.grid, state.energy),
                f"{log}: unpacked, step {half} has another grid or energy")
        found = list(log.solver.events(twin, log.case.params, log.length - half))
        require(found == log.events[half:], f"{log}: unpacked at step {half}, the run continues differently")


def random_state_is_untouched(solver: AnySolver) -> None:
    """The global random generators of Python and numpy are not used."""
    case = trial.cases(solver)[0]
    plain, arrays = random.getstate(), trial.numpy_state()
    state = case.init(solver)
    for events in trial.take(solver.steps(state, case.params), 50):
        solver.view(state, case.params, events)
    if solver.outcome(state) is None:
        solver.advance(state, case.params, 50)
    require(random.getstate() == plain, "the global state of `random` changed")
    require(trial.numpy_state() == arrays, "the global random state of numpy changed")


def fresh_process_agrees(solver: AnySolver) -> None:
    """A new process with another hash seed makes the same trajectory; importing the module loads no heavy package."""
    module, name, key = trial.address(solver)
    script = (f"import importlib, json, sys\nsolver = importlib.import_module({module!r}).{name}\n"
              + (f"solver = solver[{key!r}]\n" if key is not None else "")
              + f"heavy = [name for name in {HEAVY!r} if name in sys.modules]\n"
              "from engine.conformance.cases import fingerprints\n"
              "print(json.dumps([heavy, [] if solver.recorded else fingerprints(solver)]))")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.getcwd(), *sys.path])),
                   "PYTHONHASHSEED": "1234"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    require(done.returncode == 0, f"a new process cannot run it: {done.stderr.strip()[-300:]}")
    heavy, prints = json.loads(done.stdout)
    require(not heavy, f"importing {module} loads {', '.join(heavy)}")
    require(solver.recorded or prints == trial.fingerprints(solver), "a new process gives another trajectory")


CHECKS = (
    init_is_deterministic, steps_have_events, evaluations_are_counted, events_are_small_and_plain,
    rare_events_are_marked, jumps_are_declared, givens_stay_untouched, events_are_explained, events_have_reasons,
    views_are_well_shaped,
    individuals_can_be_picked, samples_fit_the_channels, recordings_say_the_same, advance_equals_steps,
    stops_halt_at_the_first_step, generator_can_be_dropped, events_equal_steps, copies_are_independent,
    states_can_be_packed, random_state_is_untouched, fresh_process_agrees,
)
