"""`sudoku-tui solve`: runs of a solver on all puzzles of the sources, one record each."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from engine.errors import BadInput, ParameterError, RunFileError
from engine.files import access
from engine.rng import MAX_SEED
from tui import output
from tui.commands import options, records
from tui.commands.batch import INTERRUPTED, Interrupt, Progress, finished
from tui.commands.sources import (
    RECIPE_OPTIONS,
    RecipeRun,
    SourcePuzzle,
    recipe_run,
    refuse_beside_recipe,
    refuse_clashes,
    source_puzzles,
    sources_argument,
)
from tui.i18n import _, steps_text

if TYPE_CHECKING:
    from engine.puzzle import Puzzle
    from engine.puzzles.formats import PuzzleRecord
    from engine.run.cursor import Cursor
    from engine.run.recipe import Intervention
    from engine.run.run import Run
    from engine.run.solve import Finish, Limits, Pace, Walk
    from tui.commands.history import History

DEFAULT_LIMIT = "60"


class Trial(records.PuzzleResult, frozen=True):
    """The result of one puzzle with one seed, or the error in its place."""

    chosen: options.Chosen
    seed: int
    finish: Finish | None = None
    error: str = ""

    @property
    def status(self) -> str:
        return self.finish.status if self.finish is not None else "error"


Writer = Callable[[Trial], None]


@click.command(
    name="solve", short_help=_("Solve puzzles of packs, files, stdin or grids."),
    help=_("""Solve all puzzles of each SOURCE: a file, - (stdin), a grid written out, a pack, or pack:number.

Exit code: 0 all solved, 1 some not, 2 bad input (the other puzzles are still solved), 130 interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui solve hard:1
  sudoku-tui solve big.txt --format jsonl > results.jsonl
  sudoku-tui solve easy -s anneal --preset easy --runs 20 --max-steps 2e6
  sudoku-tui solve huge.txt --fast --format line > solved.txt
  sudoku-tui solve easy:1 -s swarm --history epochs.csv
  cat list.sdm | sudoku-tui solve - --format line"""))
@sources_argument
@options.recipe_options
@click.option("--runs", type=options.Whole(1, 10**9), default=1, show_default=True, metavar="N",
              help=_("Solve each puzzle N times, with the seeds SEED, SEED+1, ..."))
@click.option("--time-limit", type=options.Seconds(), default=DEFAULT_LIMIT, show_default=True, metavar="S",
              help=_("Give up a run after S seconds; 0: never."))
@click.option("--max-steps", type=options.COUNT, metavar="N", help=_("Give up a run after N steps."))
@click.option("--format", "layout", type=click.Choice(["text", "jsonl", "line"]), default="text", show_default=True,
              help=_("Text, one JSON object per line, or grids only."))
@click.option("--save", metavar="FILE", help=_("Save the run as a run file; for one puzzle and one run."))
@click.option("--history", metavar="FILE.csv",
              help=_("Write the chart data at the end of each period (plateau, epoch, dead end) and at the end of the "
                     "run, within the next period, as CSV. A row is the state after a step: where the step that ends a "
                     "period begins another attempt, it is the first state of that. - is stdout, which then gets "
                     "nothing else; for one puzzle and one run."))
@click.option("--fast", is_flag=True, help=_("Solve long lists with the exact engine: no solver, no steps."))
def command(**given: Any) -> int:
    if given["fast"]:
        return _fast(given)
    line = recipe_run(given["sources"][0]) if len(given["sources"]) == 1 else None
    if line is not None:
        refuse_beside_recipe((*RECIPE_OPTIONS, "runs"))
    chosen = options.chosen(given) if line is None else line.chosen
    last = chosen.seed + given["runs"] - 1
    if last > MAX_SEED:
        raise ParameterError(_("--runs {runs} from --seed {seed} goes beyond the last seed, {last}").format(
            runs=given["runs"], seed=chosen.seed, last=MAX_SEED))
    puzzles = source_puzzles(given["sources"]) if line is None else iter((_given(line),))
    for option in ("save", "history"):
        if given[option] is not None:
            puzzles = _single(f"--{option}", given["runs"], puzzles)
    if given["save"] is not None:
        check_writable(given["save"])
    write = WRITERS[given["layout"]] if given["history"] != "-" else _say_ending
    batch = Batch(chosen, _limits(given), write, range(chosen.seed, last + 1), given["save"],
                  () if line is None else line.recipe.interventions)
    if given["history"] is None:
        return batch.solve(puzzles)
    from tui.commands.history import History

    with History(given["history"], chosen.solver) as batch.history:
        return batch.solve(puzzles)


def _fast(given: dict[str, Any]) -> int:
    """Solve with the exact engine, refusing options of runs."""
    from tui.commands.solve_fast import FastBatch, refuse_options

    refuse_options((*RECIPE_OPTIONS, "runs", "time_limit", "max_steps", "save", "history"))
    if len(given["sources"]) == 1 and recipe_run(given["sources"][0]) is not None:
        raise ParameterError(_("a recipe and --fast: the recipe names a solver, expected only one of them"))
    return FastBatch(given["layout"]).solve(given["sources"])


def _given(line: RecipeRun) -> SourcePuzzle:
    """The puzzle of a recipe."""
    from engine.puzzles.formats import PuzzleRecord
    from engine.puzzles.sources import SourceItem

    record = PuzzleRecord(puzzle=line.recipe.puzzle, name=line.puzzle_name)
    return SourcePuzzle(1, SourceItem(index=1, record=record), None)


def _limits(given: dict[str, Any]) -> Limits:
    from engine.run.solve import Limits

    return Limits(given["max_steps"], given["time_limit"] or None)


def _single(option: str, runs: int, puzzles: Iterator[SourcePuzzle]) -> Iterator[SourcePuzzle]:
    """The puzzles, of which there must be one, with one run. Raises ParameterError."""
    first = list(islice(puzzles, 2))
    if runs > 1 or len(first) > 1:
        raise ParameterError(_("{option} is for one run: expected a SOURCE with one puzzle, and no --runs").format(
            option=option))
    return iter(first)


def check_writable(path: str) -> None:
    """Raise RunFileError if no run file can be written there."""
    access.checked(path)
    folder = os.path.dirname(path) or "."
    why = "" if path else _("the name is empty")
    if os.path.isdir(path):
        why = _("it is a directory")
    elif not os.path.isdir(folder):
        why = _("there is no directory {folder}").format(folder=folder)
    else:
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            why = _("the directory {folder} cannot be written to ({error})").format(folder=folder,
                                                                                    error=error.strerror)
    if why:
        raise RunFileError(_("cannot save the run as {path}: {why}").format(path=path, why=why))


def _pace() -> Pace:
    from engine.run.solve import Pace

    return Pace()


def _unwatched(walk: Walk, elapsed: float) -> None:
    """No progress line off a terminal."""


@dataclass
class Batch:
    """All trials of one call."""

    chosen: options.Chosen
    limits: Limits
    write: Writer
    seeds: range
    save: str | None = None
    interventions: tuple[Intervention, ...] = ()
    history: History | None = None
    asked: Interrupt = field(default_factory=Interrupt)
    progress: Progress = field(default_factory=Progress)
    pace: Pace = field(default_factory=_pace)
    trials: int = 0
    solved: int = 0
    errors: int = 0
    _run: Run | None = None
    """The run to be saved."""
    _warm: set[tuple[int, str]] = field(default_factory=set)

    def solve(self, puzzles: Iterator[SourcePuzzle]) -> int:
        """Make all trials; returns the exit code."""
        for given in puzzles:
            with self.asked:
                self._solve_each(given)
            if self.asked():
                break
        self.progress.clear()
        if self.write is write_text and self.trials > 1:
            output.write_line(_("{solved} of {trials} solved").format(solved=self.solved, trials=self.trials))
        if self.asked():
            from engine.text import count

            template = _("interrupted after 1 run") if self.trials == 1 else _("interrupted after {count} runs")
            output.say(template.format(count=count(self.trials)))
            return INTERRUPTED
        return 2 if self.errors else int(self.solved < self.trials)

    def _warm_up(self, puzzle: Puzzle) -> bool:
        """Compile before the clock starts, once per shape of board. Returns False if interrupted."""
        shape, solver = (puzzle.box, puzzle.variant), self.chosen.solver
        if shape in self._warm:
            return True
        self._warm.add(shape)
        self.progress.draw(None, _("compiling {solver} ...").format(solver=solver.name))
        ready = finished(lambda: solver.warm_up(puzzle, self.chosen.params), self.asked)
        self.progress.clear()
        return ready

    def _solve_each(self, given: SourcePuzzle) -> None:
        """Solve one puzzle with each seed."""
        if given.item.record is None:
            self._report(Trial(given.number, None, self.chosen, self.chosen.seed, error=str(given.item.error)))
            return
        for seed in self.seeds:
            trial = self._trial(given, given.item.record, seed)
            if trial is None:
                return
            try:
                if self._run is not None:
                    self._save_run(self._run, given.item.record.name)
            finally:
                self._report(trial)
            if self.asked():
                return

    def _save_run(self, run: Run, puzzle_name: str) -> None:
        """Save the run, before its record is written: the reader of a pipe may end first."""
        from engine.run.run_file import save

        assert self.save is not None
        save(run, self.save, puzzle_name)

    def _report(self, trial: Trial) -> None:
        self.trials += trial.record is not None
        self.solved += trial.status == "solved"
        self.errors += trial.status == "error"
        self.progress.clear()
        self.write(trial)
        output.flush()
        if trial.error:
            output.say(trial.error)

    def _trial(self, given: SourcePuzzle, record: PuzzleRecord, seed: int) -> Trial | None:
        """None if interrupted before it began."""
        try:
            refuse_clashes(record.puzzle)
            if not self._warm_up(record.puzzle):
                return None
            finish = self._finish(given, record.puzzle, seed)
        except BadInput as error:
            return Trial(given.number, record, self.chosen, seed, error=f"{given.place}: {error}")
        return Trial(given.number, record, self.chosen, seed, finish)

    def _finish(self, given: SourcePuzzle, puzzle: Puzzle, seed: int) -> Finish:
        from engine.run.cursor import Cursor
        from engine.run.run import Run

        chosen, watch = self.chosen, self._watch(given) if self.progress.enabled else _unwatched
        if self.save is None:
            state = chosen.solver.init(puzzle, chosen.params, seed)
            walk = Cursor(chosen.solver, state, chosen.params, self.interventions)
            walk.arrive()
            return self._solved(walk, watch)
        self._run = Run.start(chosen.solver, puzzle, chosen.params, seed, self.interventions)
        return self._solved(self._run, watch)

    def _solved(self, walk: Cursor | Run, watch: Callable[[Walk, float], None]) -> Finish:
        from engine.run.solve import solve

        if self.history is None:
            return solve(walk, self.limits, self.pace, self.asked, watch)
        followed = self.history.follow(walk)
        finish = solve(followed, self.limits, self.pace, self.asked, watch)
        followed.finish()
        return finish

    def _watch(self, given: SourcePuzzle) -> Callable[[Walk, float], None]:
        from engine.text import count

        def watch(walk: Walk, elapsed: float) -> None:
            if self.progress.due:
                spent = self._spent(walk.state.step, elapsed)
                share = None if given.share is None else given.share + given.weight * spent
                self.progress.draw(share, _("puzzle {index}   {solved} solved   step {step}   E {energy}").format(
                    index=given.number, solved=self.solved, step=count(walk.state.step), energy=walk.state.energy))

        return watch

    def _spent(self, step: int, elapsed: float) -> float:
        """Share of the limits that is spent, 0..1."""
        steps, seconds = self.limits.steps, self.limits.seconds
        return max(step / steps if steps else 0.0, elapsed / seconds if seconds else 0.0)


# Layouts


def write_jsonl(trial: Trial) -> None:
    """`best` only if the puzzle is not solved and may have a solution."""
    from engine.params import to_dict
    from engine.puzzle import line_of

    finish, solved = trial.finish, trial.status == "solved"
    numbers: dict[str, int | float | None] = {
        "energy": finish.energy if finish else None, "steps": finish.steps if finish else 0,
        "restarts": finish.restarts if finish else 0, "seconds": round(finish.seconds, 6) if finish else 0.0,
        "seed": trial.seed}
    fields = records.solution_fields(trial.status, finish.grid if finish and solved else None,
                                     trial.chosen.solver.name, to_dict(trial.chosen.params), numbers)
    if finish is not None and not solved and finish.status != "no_solution":
        fields["best"] = line_of(finish.grid)
    records.write_json(trial.subject, fields, finish.reason if finish is not None else trial.error)


def write_grid(trial: Trial) -> None:
    solved = trial.finish is not None and trial.status == "solved"
    records.write_grid(trial.subject, trial.finish.grid if trial.finish and solved else None, _ending(trial))


def write_text(trial: Trial) -> None:
    """The status, facts of the run, and the grid in boxes."""
    from engine.text import count

    finish, details = trial.finish, list[str]()
    if finish is not None and trial.record is not None:
        restarts = _("1 restart") if finish.restarts == 1 else _("{restarts} restarts").format(
            restarts=count(finish.restarts))
        details.append(_("{solver} {preset}, seed {seed}: {steps}, {restarts}, {time}").format(
            solver=trial.chosen.solver.name, preset=trial.chosen.preset, seed=trial.seed,
            steps=steps_text(finish.steps), restarts=restarts, time=output.seconds(finish.seconds)))
        if trial.status != "no_solution":
            details += output.boxed(finish.grid, trial.record.puzzle.box)
    records.write_text(trial.subject, _ending(trial), details)


def _ending(trial: Trial) -> str:
    if trial.finish is None:
        return _("error")
    text = records.ending(trial.finish.status, trial.finish.reason)
    if trial.status in ("gave_up", "unknown"):
        text += _("; the best grid has E = {energy}").format(energy=trial.finish.energy)
    return text


def _say_ending(trial: Trial) -> None:
    """On stderr, because stdout has the history; errors are reported separately."""
    if trial.finish is not None:
        output.say(f"{trial.index}: {_ending(trial)}")


WRITERS: dict[str, Writer] = {"text": write_text, "jsonl": write_jsonl, "line": write_grid}
