"""How a laboratory begins: what can be shown before anything is compiled, and how the run is then made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine import energy, registry
from engine.params import Params
from engine.puzzle import Puzzle
from engine.run import run_file
from engine.run.run import Run
from engine.run.run_file import RunFile
from engine.solver import AnySolver, Solver, Stop
from engine.view import Sentence, View
from tui import messages
from tui.config import speed as speeds
from tui.i18n import _
from tui.playback.snapshot import History, Progress, RunLoader, RunState, Snapshot
from tui.requests import AppRequest, AutomataRequest, BenchRequest, HomeRequest, NewRun, ResumeSession
from tui.storage import sessions

# The worst moment of a run: where its energy is highest once it has got going.


BEGINNING = 0.1
"""The share of a run that does not count: every search begins badly."""


def worst_step(run: Run) -> int:
    """The step with the highest E after the first tenth of what is recorded, among the samples that the run keeps for
    its chart (every step of the first thousand, later fewer); the first of several. A run without E: its last step."""
    place = next((at for at, channel in enumerate(run.solver.channels) if channel.role == "energy"), None)
    if place is None:
        return run.recorded
    steps, values = run.series.arrays()
    energy = values[:, place]
    late = (steps >= BEGINNING * run.recorded) & np.isfinite(energy)
    if not late.any():
        return run.recorded
    return int(steps[late][np.argmax(energy[late])])


class PendingRun(Struct, frozen=True):
    """A run that is about to be made."""

    puzzle: Puzzle
    puzzle_name: str
    solver: AnySolver
    params: Params
    seed: int
    snapshot: Snapshot
    """The first thing that is shown: the givens, and that it is still compiling."""
    loader: RunLoader
    autosave: bool = True
    """Whether the run is kept by itself."""


def pending_run(request: AppRequest) -> PendingRun:
    """What a request asks for. Raises BadInput for what does not exist, cannot be read or is out of bounds."""
    speed = None if request.speed is None else speeds.parse_speed(request.speed)
    source = request.run_source
    if isinstance(source, HomeRequest | AutomataRequest | BenchRequest):
        raise TypeError("nothing has been chosen yet")
    if isinstance(source, ResumeSession):
        begun = _from_session(source, speed)
    else:
        begun = _from_file(source, speed) if isinstance(source, Path) else _from_pieces(source, speed)
    return replace(begun, autosave=request.config.settings.autosave)


def _from_pieces(new: NewRun, wanted: float | None) -> PendingRun:
    solver = registry.solver(new.solver)
    speed = solver.speed if wanted is None else wanted
    solver.require()
    params = new.params if isinstance(new.params, Params) else solver.make_params(None, new.params)

    def loader(progress: Progress) -> tuple[Run, Sentence | None]:
        solver.warm_up(new.puzzle, params)
        run = Run.start(solver, new.puzzle, params, new.seed, new.interventions)
        _warm_up_rest(run)
        return run, _go_to(run, new, progress) if new.step or new.interventions or new.worst else messages.ready()

    first = _first(new.puzzle, params, speed, "COMPILING", messages.compiling())
    return PendingRun(new.puzzle, new.puzzle_name, solver, params, new.seed, first, loader)


def _go_to(run: Run, new: NewRun, progress: Progress) -> Sentence:
    """Set the playhead where a recipe has it, everything that it turns on the way being recorded."""
    furthest = max([new.step, *(each.step for each in new.interventions)])
    run.plan_for(furthest)
    while run.playhead < furthest and not run.at_end:
        if progress.cancelled():
            return messages.replay_cancelled(run.recorded, furthest)
        run.advance(min(run.chunk, furthest - run.playhead))
        progress.say(lambda: messages.replaying(new.puzzle_name, run.playhead, furthest))
    if new.worst:
        run.seek(worst_step(run))
        return messages.worst(run)
    run.seek(new.step)
    return messages.recipe_step(run, new.step)


def _from_file(path: Path, wanted: float | None) -> PendingRun:
    file = run_file.read(path)
    return _again(file, path.name, file.puzzle_name or path.stem, wanted, lambda: file)


def _from_session(source: ResumeSession, wanted: float | None) -> PendingRun:
    """Where a session stood: as fast, as close, and with the same breakpoints."""
    if source.path is None:
        raise TypeError("no session has been claimed yet")
    path, saved = source.path, sessions.read(source.path)
    settings = saved.settings
    name, speed = saved.run.puzzle_name or "", settings.speed if wanted is None else wanted
    begun = _again(saved.run, name or _("a puzzle"), name, speed, lambda: sessions.with_recording(path, saved),
                   messages.resumed)
    return replace(begun, snapshot=replace(begun.snapshot, span=settings.span))


def _again(file: RunFile, called: str, name: str, wanted: float | None, whole: Callable[[], RunFile],
           done: Callable[[str, Run], Sentence] = messages.opened) -> PendingRun:
    """A run that was recorded is made again. `whole` is the file with all that belongs to it, which may take a while;
    `done` says that it is there."""
    solver = run_file.solver_of(file)
    speed = solver.speed if wanted is None else wanted
    params = solver.make_params(None, file.recipe.params)

    def loader(progress: Progress) -> tuple[Run, Sentence | None]:
        solver.warm_up(file.recipe.puzzle, params)
        run = run_file.begin(whole())
        _warm_up_rest(run)
        mismatch = run_file.replay(run, file, lambda step: progress.say(
            lambda: messages.replaying(called, step, file.steps)), progress.cancelled)
        if mismatch is not None:
            return run, messages.differs(mismatch.text)
        if run.recorded < file.steps:
            return run, messages.replay_cancelled(run.recorded, file.steps)
        return run, done(called, run)

    first = _first(file.recipe.puzzle, params, speed, "OPENING", messages.opening(called, file.steps))
    return PendingRun(file.recipe.puzzle, name, solver, params, file.recipe.seed, first, loader)


def _warm_up_rest(run: Run) -> None:
    """Compile what decodes events in bulk and what searches for them, while the screen says that it is compiling."""
    if type(run.solver).events is not Solver.events:
        next(run.cursor_at(0).events(1), None)
    if type(run.solver).advance is not Solver.advance:
        run.cursor_at(0).advance(1, Stop(frozenset({"uphill"})))


def _first(puzzle: Puzzle, params: Params, speed: float, state: RunState, notice: Sentence) -> Snapshot:
    """The givens alone."""
    view = View(puzzle.givens, {"conflict": energy.conflicts(puzzle, puzzle.givens)})
    empty = History(np.zeros(0, dtype=np.int64), np.zeros((0, 0)))
    return Snapshot(0, 0, state, view, params, speed, empty, notice=notice)


def seed_text(seed: int) -> str:
    return _("seed {seed}").format(seed=seed)
