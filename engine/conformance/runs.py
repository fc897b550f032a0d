"""Laws of a solver inside a Run: seek, find, halt, run files, interventions."""

from __future__ import annotations

import tempfile
from pathlib import Path

from engine import params as parameters
from engine import registry
from engine import state as states
from engine.breakpoints import Stop, merged
from engine.conformance import cases as trial
from engine.conformance.cases import require
from engine.errors import BadInput, ParameterError, UnknownName
from engine.run import run_file
from engine.run.recorder import Recorder
from engine.run.run import Run
from engine.solver import AnySolver
from engine.view import population_in

FURTHEST_INNER = 10_000
"""Steps in which a search inside a step is looked for."""


def run_seeks(solver: AnySolver) -> None:
    """Seeking restores any recorded step, with its state and its events."""
    for log in trial.logs(solver):
        run = log.run()
        run.advance(log.length)
        require(run.recorded == log.length, f"{log}: the run recorded {run.recorded} steps")
        for step in (0, log.length, log.length // 2, 1, log.length - 1):
            run.seek(step)
            require(run.playhead == step, f"{log}: seeking {step} led to {run.playhead}")
            require(states.digest(run.state) == log.digests[step],
                    f"{log}: after seeking, step {step} has another state")
            require(run.events == (log.events[step - 1] if step else ()),
                    f"{log}: after seeking, step {step} has other events")
            require(len(run.sentences()) == len(run.events), f"{log}: step {step} has events without a sentence")
        require((run.step_back() and run.playhead == log.length - 2) or log.length < 2, f"{log}: stepping back fails")


def run_finds(solver: AnySolver) -> None:
    """The next and the previous event of every kind are found at their steps."""
    for log in trial.logs(solver):
        run = log.run()
        run.advance(log.length)
        for kind in log.kinds():
            hits = log.hits(Stop(frozenset({kind})))
            run.seek(0)
            require(run.find(kind, +1) == hits[0], f"{log}: the first {kind} is not found at step {hits[0]}")
            run.seek(log.length)
            before = [step for step in hits if step < log.length]
            wanted = before[-1] if before else None
            require(run.find(kind, -1) == wanted, f"{log}: the last {kind} is not found at step {wanted}")


def run_halts(solver: AnySolver) -> None:
    """With several breakpoints a run halts at the first step that hits one, forwards in chunks of any size, and
    backwards."""
    for log in trial.logs(solver):
        stops = [stop for stop in log.stops() if len(log.hits(stop)) <= 50][:12]
        wanted = sorted({step for stop in stops for step in log.hits(stop)})
        for chunk in (log.length, 7):
            run = log.run()
            require(_halts(run, chunk, merged(stops), log.length) == wanted, f"{log}: in chunks of {chunk} steps a run "
                    f"does not halt at the steps {wanted}")
        run.seek(log.length)
        back: list[int] = []
        while (step := run.last_stop(0, *merged(stops))) is not None:
            run.seek(step)
            back.append(step)
        before = [step for step in wanted if step < log.length]
        require(back == before[::-1], f"{log}: backwards a run halts at the steps {back} and not at {before[::-1]}")


def _halts(run: Run, chunk: int, stops: tuple[Stop, ...], length: int) -> list[int]:
    """The steps at which a run halts on its way to step `length`."""
    halts = []
    while run.playhead < length:
        result = run.advance(min(chunk, length - run.playhead), *stops)
        if result.reason == "stop" or (result.reason == "done" and any(run.hits(stop, run.playhead) for stop in stops)):
            halts.append(run.playhead)
    return halts


def run_files_replay(solver: AnySolver) -> None:
    """A run that is saved, opened and replayed is the same, at the same playhead."""
    with registry.lent(solver), tempfile.TemporaryDirectory() as folder:
        for log in trial.logs(solver)[:2]:
            run = log.run()
            run.advance(log.length)
            run.seek(log.length // 2)
            path = Path(folder) / "run.json"
            run_file.save(run, path)
            twin, mismatch = run_file.load(path)
            require(mismatch is None, f"{log}: {mismatch.text if mismatch else ''}")
            require((twin.playhead, twin.recorded) == (run.playhead, run.recorded), f"{log}: opened at another step")
            require(states.digest(twin.state) == states.digest(run.state), f"{log}: opened with another state")
            require(twin.events == run.events, f"{log}: opened with other events")
            require(isinstance(twin.solver, Recorder) == solver.recorded,
                    f"{log}: opened, its recording does not match `recorded`")


def interventions_replay(solver: AnySolver) -> None:
    """Knobs and live parameters can change between two steps, and the run replays with the change."""
    case = trial.cases(solver)[0]
    for name, value in trial.turns(solver):
        run = Run.start(solver, case.puzzle, case.params, trial.SEED)
        first = states.digest(run.state)
        run.advance(5)
        before = states.digest(run.state)
        try:
            run = run.intervene(name, value)
        except BadInput:
            require(states.digest(run.state) == before, f"{name} = {value} is refused but changes the state")
            continue
        run.advance(60)
        after = states.digest(run.state)
        run.seek(0)
        require(states.digest(run.state) == first, f"{name} = {value} after step 5 changes step 0")
        run.seek(run.recorded)
        require(states.digest(run.state) == after, f"{name} = {value} after step 5 does not replay")
        if not solver.recorded:
            again = Run.start(solver, case.puzzle, case.params, trial.SEED, run.recipe.interventions)
            again.advance(run.recorded)
            require(states.digest(again.state) == after, f"{name} = {value}: the recipe gives another run")


def bad_interventions_change_nothing(solver: AnySolver) -> None:
    """Unknown names, fixed parameters and values out of bounds are refused and leave the state unchanged."""
    case = trial.cases(solver)[0]
    state = case.init(solver)
    before = states.digest(state)
    wrong: list[tuple[str, object, type[BadInput]]] = [("no such knob", 1, UnknownName)]
    for each in parameters.describe(solver.Params):
        if not each.live:
            wrong.append((each.name, getattr(case.params, each.name), ParameterError))
        wrong.append((each.name, "nan" if each.type is float else "no such value", ParameterError))
    wrong += [(knob.name, value, BadInput) for knob in solver.knobs for value in (float("nan"), "warm")]
    for name, value, kind in wrong:
        try:
            solver.intervene(state, case.params, name, value)
        except kind as error:
            require("\n" not in str(error), f"{name} = {value!r} is refused without a sentence")
        else:
            require(False, f"{name} = {value!r} is not refused")
        require(states.digest(state) == before, f"{name} = {value!r} is refused but changes the state")


def inner_runs_end_as_their_steps(solver: AnySolver) -> None:
    """The search inside a step, as a run of its own, ends with the individual that the step made, and with its E."""
    for case in trial.cases(solver) if solver.inner_kind else ():
        run = Run.start(solver, case.puzzle, case.params, trial.SEED)
        for _ in range(3):
            step = run.find(solver.inner_kind, +1, limit=FURTHEST_INNER)
            if step is None:
                break
            run.seek(step)
            before = states.digest(run.state)
            inner = run.inner_run()
            if inner is None:
                continue
            found = Run.start(inner.solver, case.puzzle, inner.params, inner.seed)
            while not found.at_end:
                found.advance(found.chunk)
            grid, energy = found.best()
            after = solver.view_of(run.state, run.params, run.events, inner.individual)
            panel = population_in(after.panel)
            require(grid == after.grid, f"{case}: the search inside step {step} ends with another grid than the step")
            require(panel is None or panel.each > 1 or panel.energies[inner.individual] == energy,
                    f"{case}: the search inside step {step} ends with another E than the step")
            require(states.digest(run.state) == before, f"{case}: the search inside step {step} changes the state")


CHECKS = (
    run_seeks, run_finds, run_halts, run_files_replay, interventions_replay, bad_interventions_change_nothing,
    inner_runs_end_as_their_steps,
)
