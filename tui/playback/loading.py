"""Loading a run from a recipe, a run file or a session.

`pending_run` is quick: it checks the request and knows the first snapshot. Its loader compiles, replays and verifies,
which may take seconds, in the player's thread.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine import energy, registry
from engine.breakpoints import Stop
from engine.params import Params
from engine.puzzle import Puzzle
from engine.run import run_file
from engine.run.run import Run
from engine.run.run_file import RunFile
from engine.solver import AnySolver, InnerRun, Solver
from engine.view import Sentence, View
from tui import messages
from tui.config import speed as speeds
from tui.i18n import _
from tui.playback.snapshot import History, RunState, Snapshot
from tui.requests import AppRequest, AutomataRequest, BenchRequest, HomeRequest, NewRun, ResumeSession
from tui.storage import sessions

BEGINNING = 0.1
"""The first part of a run, in which `worst_step` does not look: every search begins with a high E."""


class Progress(Struct, frozen=True):
    """Progress callback and cancellation flag handed to a run loader."""

    report: Callable[[Callable[[], Sentence]], None] = lambda notice: None
    """Takes a function that builds the message; it is called only when it is time to show one."""
    cancelled: Callable[[], bool] = lambda: False


RunLoader = Callable[[Progress], tuple[Run, Sentence | None]]
"""Makes the run, and a message about it. Raises BadInput."""


class PendingRun(Struct, frozen=True):
    """A run that is about to be loaded."""

    puzzle: Puzzle
    puzzle_name: str
    solver: AnySolver
    params: Params
    seed: int
    snapshot: Snapshot
    """The first snapshot: the givens, and that the run is being loaded."""
    loader: RunLoader
    autosave: bool = True
    accelerates: bool = False
    """Whether playing begins slowly, because no speed was chosen."""
    outer: PendingRun | None = None
    """The run that this one is a step of."""
    in_file: bool = False
    """Whether it is opened from a run file."""


def pending_run(request: AppRequest) -> PendingRun:
    """The run that a request names. Raises BadInput if it does not exist, cannot be read or is out of bounds."""
    speed = None if request.speed is None else speeds.parse_speed(request.speed)
    source = request.run_source
    if isinstance(source, HomeRequest | AutomataRequest | BenchRequest):
        raise TypeError("the request names no run")
    if isinstance(source, ResumeSession):
        pending = _from_session(source, speed)
    else:
        pending = _from_file(source, speed) if isinstance(source, Path) else _from_recipe(source, speed)
    settings = request.config.settings
    fresh = isinstance(source, NewRun) and not source.step and not source.interventions and not source.worst
    return replace(pending, autosave=settings.autosave, accelerates=settings.accelerate and fresh and speed is None)


def _from_recipe(new: NewRun, chosen_speed: float | None) -> PendingRun:
    solver = registry.solver(new.solver)
    speed = solver.speed if chosen_speed is None else chosen_speed
    solver.require()
    params = new.params if isinstance(new.params, Params) else solver.make_params(None, new.params)

    def loader(progress: Progress) -> tuple[Run, Sentence | None]:
        solver.warm_up(new.puzzle, params)
        run = Run.start(solver, new.puzzle, params, new.seed, new.interventions)
        _warm_up_rest(run)
        if new.step or new.interventions or new.worst:
            return run, _go_to(run, new, progress)
        if run.outcome is not None:
            return run, messages.no_steps(run.outcome, solver.individuals(run.state))
        return run, messages.first_of(new.puzzle_name, new.first_of) if new.first_of else messages.ready()

    first = _first_snapshot(new.puzzle, params, speed, "PREPARING", messages.preparing(solver))
    return PendingRun(new.puzzle, new.puzzle_name, solver, params, new.seed, first, loader)


def inner_run(outer: PendingRun, inner: InnerRun, step: int) -> PendingRun:
    """The search inside a step of another run. It is not saved: its outer run is."""
    solver: AnySolver = inner.solver

    def loader(progress: Progress) -> tuple[Run, Sentence | None]:
        run = Run.start(solver, outer.puzzle, inner.params, inner.seed)
        _warm_up_rest(run)
        return run, messages.inside(step, outer.solver.title)

    first = _first_snapshot(outer.puzzle, inner.params, solver.speed, "PREPARING", messages.preparing(solver))
    return PendingRun(outer.puzzle, outer.puzzle_name, solver, inner.params, inner.seed, first, loader, False,
                      outer.accelerates, outer)


def _go_to(run: Run, new: NewRun, progress: Progress) -> Sentence:
    """Run past all interventions of the recipe, which are recorded, then set the playhead to its step."""
    furthest = max([new.step, *(each.step for each in new.interventions)])
    run.plan_for(furthest)
    while run.playhead < furthest and not run.at_end:
        if progress.cancelled():
            return messages.replay_cancelled(run.recorded, furthest, in_file=False)
        run.advance(min(run.chunk, furthest - run.playhead))
        progress.report(lambda: messages.replaying(new.puzzle_name, run.playhead, furthest))
    if new.worst:
        run.seek(worst_step(run))
        return messages.worst(run, energy_channel(run))
    run.seek(new.step)
    return messages.recipe_step(run, new.step)


def energy_channel(run: Run) -> int:
    """The place of E among the channels; every solver has one."""
    return next(at for at, channel in enumerate(run.solver.channels) if channel.role == "energy")


def worst_step(run: Run) -> int:
    """The step with the highest E after the first tenth of the recorded steps; the first of several.

    Only the samples that the run keeps for its chart are compared: every step of the first thousand, later fewer. E is
    what the chart draws: of a population the mean.
    """
    place = energy_channel(run)
    steps, values = run.series.arrays()
    energies = values[:, place]
    late = (steps >= BEGINNING * run.recorded) & np.isfinite(energies)
    if not late.any():
        return run.recorded
    return int(steps[late][np.argmax(energies[late])])


def _from_file(path: Path, chosen_speed: float | None) -> PendingRun:
    file = run_file.read(path)
    pending = _recorded(file, path.name, file.puzzle_name or path.stem, chosen_speed, lambda: file)
    return replace(pending, in_file=True)


def _from_session(source: ResumeSession, chosen_speed: float | None) -> PendingRun:
    """The run of a session with its speed, zoom and breakpoints."""
    if source.path is None:
        raise TypeError("no session has been claimed yet")
    path, saved = source.path, sessions.read(source.path)
    settings = saved.settings
    name, speed = saved.run.puzzle_name or "", settings.speed if chosen_speed is None else chosen_speed
    pending = _recorded(saved.run, name or _("a puzzle"), name, speed, lambda: sessions.with_recording(path, saved),
                        messages.resumed)
    return replace(pending, snapshot=replace(pending.snapshot, span=settings.span))


def _recorded(file: RunFile, title: str, name: str, chosen_speed: float | None, read_all: Callable[[], RunFile],
              done: Callable[[str, Run], Sentence] = messages.opened) -> PendingRun:
    """A run to be replayed from a file. `title` is its name in messages, `name` its puzzle's; `read_all` returns the
    file with its recording, which may take a while; `done` builds the last message."""
    solver = run_file.solver_of(file)
    speed = solver.speed if chosen_speed is None else chosen_speed
    params = solver.make_params(None, file.recipe.params)

    def loader(progress: Progress) -> tuple[Run, Sentence | None]:
        solver.warm_up(file.recipe.puzzle, params)
        run = run_file.begin(read_all())
        _warm_up_rest(run)
        mismatch = run_file.replay(run, file, lambda step: progress.report(
            lambda: messages.replaying(title, step, file.steps)), progress.cancelled)
        if mismatch is not None:
            return run, messages.differs(mismatch.text)
        if run.recorded < file.steps:
            return run, messages.replay_cancelled(run.recorded, file.steps, in_file=True)
        return run, done(title, run)

    first = _first_snapshot(file.recipe.puzzle, params, speed, "OPENING", messages.opening(title, file.steps))
    return PendingRun(file.recipe.puzzle, name, solver, params, file.recipe.seed, first, loader)


def _warm_up_rest(run: Run) -> None:
    """Compile the decoding of events and the search for them, while the screen shows PREPARING."""
    if type(run.solver).events is not Solver.events:
        next(run.cursor_at(0).events(1), None)
    if type(run.solver).advance is not Solver.advance:
        run.cursor_at(0).advance(1, Stop(frozenset({"uphill"})))


def _first_snapshot(puzzle: Puzzle, params: Params, speed: float, state: RunState, notice: Sentence) -> Snapshot:
    """The givens alone."""
    view = View(puzzle.givens, {"conflict": energy.conflicts(puzzle, puzzle.givens)})
    empty = History(np.zeros(0, dtype=np.int64), np.zeros((0, 0)))
    return Snapshot(0, 0, state, view, params, speed, empty, notice=notice)


def seed_text(seed: int) -> str:
    return _("seed {seed}").format(seed=seed)
