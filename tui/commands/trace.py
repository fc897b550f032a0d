"""`sudoku-tui trace`: the events of a run as they happen, each with its sentence."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from engine.errors import ParameterError
from tui import output
from tui.commands import options
from tui.commands.batch import warm_up
from tui.commands.sources import recipe_of, source_argument
from tui.i18n import _

if TYPE_CHECKING:
    from engine.events import Event
    from engine.puzzle import Puzzle
    from engine.run.cursor import Cursor
    from engine.run.recipe import Recipe
    from engine.solver import AnySolver
    from engine.view import Sentence

SKIP = 2**20
"""Steps that are skipped at once between two shown ones."""
FLUSH_INTERVAL = 0.05
"""Seconds."""
COLUMNS = ("step", "event", "kind", "energy", "temperature", "delta", "p", "u", "accepted", "cells", "line", "sentence")


class TracedStep(NamedTuple):
    """The events of one step, and E after it."""

    step: int
    events: tuple[Event, ...]
    energy: int


class Window(NamedTuple):
    """The steps to show: the multiples of `every` from first to last, and always the end of the run, which is `end` at
    the latest."""

    first: int = 1
    last: int = 2**62
    every: int = 1
    end: int = 2**62

    def after(self, step: int) -> int:
        """The next step to show; beyond `last` if there is none."""
        lowest = max(step + 1, self.first)
        return min(-(-lowest // self.every) * self.every, self.end) if step < self.end else self.last + 1


@click.command(
    name="trace", short_help=_("Print the events of a run, each with its sentence."),
    help=_("""Solve the puzzle SOURCE (or repeat the run of a recipe) and print each event with its sentence.

The last step of the run, or the one at which --max-steps stops it, is always shown, except with --only, which writes
events of one kind and nothing else; for rare kinds (best, reheat, restart, ...) it is as fast as `solve`. Text and CSV
begin with the recipe, on lines that start with #. In JSON, cells (row by row) and individuals are numbered from 0; in
sentences individuals are numbered from 1. In JSON and CSV, energy is E of the grid that the event is about; for other
events it is E after the step, of a population that of its best individual, which can rise when individuals are
replaced."""),
    epilog=_("""\b
Examples:
  sudoku-tui trace hard:1 --to 50
  sudoku-tui trace easy:1 --preset easy --every 500 --format csv > energy.csv
  sudoku-tui trace easy:3 -s anneal-reheat --only reheat
  sudoku-tui trace easy:1 -s backtrack --only contradiction --format jsonl"""))
@source_argument
@options.recipe_options
@click.option("--from", "first", type=options.COUNT, default=1, show_default=True, metavar="STEP",
              help=_("First step to show."))
@click.option("--to", "last", type=options.COUNT, metavar="STEP", help=_("Last step to show."))
@click.option("--every", type=options.COUNT, default=1, show_default=True, metavar="K",
              help=_("Show every Kth step: K, 2K, 3K, ..."))
@click.option("--only", metavar="KIND", multiple=True,
              shell_complete=lambda ctx, param, begun: complete_kind(ctx, begun),
              help=_("Show only events of this kind; repeatable. Each solver has its own: reheat, restart, best, ..."))
@click.option("--max-steps", type=options.COUNT, metavar="N", help=_("Stop after N steps."))
@click.option("--format", "layout", type=click.Choice(["text", "jsonl", "csv"]), default="text", show_default=True,
              help=_("Text, one JSON object per line, or a table. In text and table, lines that start with # have the "
                     "recipe."))
def command(**given: Any) -> int:
    from engine.run.cursor import Cursor

    if given["last"] and given["first"] > given["last"]:
        raise ParameterError(_("--from {first} --to {last}: expected a first step that is not after the last").format(
            first=given["first"], last=given["last"]))
    recipe, chosen = recipe_of(given)
    kinds = _kinds(given, chosen.solver)
    warm_up(chosen.solver, recipe.puzzle, chosen.params)
    state = chosen.solver.init(recipe.puzzle, chosen.params, chosen.seed)
    layout = LAYOUTS[given["layout"]](chosen.solver, recipe.puzzle)
    cursor = Cursor(chosen.solver, state, chosen.params, recipe.interventions)
    cursor.arrive()
    end = given["max_steps"] or 2**62
    window = Window(given["first"], min(given["last"] or 2**62, end), given["every"], end)
    written = stream(cursor, recipe, window, layout, steps=steps_with(cursor, window, kinds) if kinds else None)
    if kinds and not written:
        output.say(_("no event of this kind in these steps: {kinds}").format(kinds=", ".join(given["only"])))
    return 0


def _kinds(given: dict[str, Any], solver: AnySolver) -> frozenset[str]:
    """The kinds of --only. Raises ParameterError for one that the solver does not have."""
    for kind in given["only"]:
        if solver.kinds and kind not in solver.kinds:
            raise ParameterError(_("--only {kind}: {solver} has no such events, expected one of {kinds}").format(
                kind=kind, solver=solver.name, kinds=", ".join(solver.kinds)))
    if given["only"] and given["every"] > 1:
        raise ParameterError(_("--only and --every: expected only one of them"))
    return frozenset(given["only"])


def complete_kind(ctx: click.Context, begun: str) -> list[CompletionItem]:
    """Complete the kinds of events of the solver."""
    from engine import registry
    from engine.errors import BadInput

    try:
        kinds = registry.solver(ctx.params.get("solver") or options.DEFAULT_SOLVER).kinds
    except (BadInput, ImportError):
        return []
    return [CompletionItem(kind) for kind in kinds if kind.startswith(begun)]


def stream(cursor: Cursor, recipe: Recipe, window: Window, layout: Layout, speed: float | None = None,
           steps: Iterator[TracedStep] | None = None) -> int:
    """Write the header and the steps of a run (those of the window unless given), at most `speed` steps per second if
    given; returns the number of steps written."""
    layout.head(recipe)
    began = flushed = time.monotonic()
    output.flush()
    number = -1
    for number, step in enumerate(traced_steps(cursor, window) if steps is None else steps):
        if speed is not None:
            time.sleep(max(0.0, began + number / speed - time.monotonic()))
        layout.write(step)
        if speed is not None or time.monotonic() - flushed > FLUSH_INTERVAL:
            output.flush()
            flushed = time.monotonic()
    output.flush()
    return number + 1


def traced_steps(cursor: Cursor, window: Window) -> Iterator[TracedStep]:
    """The steps of the window, and the last step of the run if that comes first. A run that is over before its first
    step has its end at step 0."""
    if (end := _end_without_steps(cursor)) is not None:
        yield end
        return
    ended = cursor.outcome is not None
    while not ended and (target := window.after(cursor.step)) <= window.last:
        if target - cursor.step > 1:
            step = _skip(cursor, target - 1)
            ended = step is not None
        else:
            events = cursor.single()
            ended = cursor.solver.outcome(cursor.state) is not None
            step = TracedStep(cursor.step, events, cursor.energy) if events else None
            ended = ended or events is None
        if step is not None:
            yield step


def _end_without_steps(cursor: Cursor) -> TracedStep | None:
    """The end of a run without steps, for which no solver gives an event; None for other runs."""
    outcome = cursor.outcome
    if outcome is None or cursor.step:
        return None
    from engine.events import Done
    from tui import messages

    why = messages.no_steps(outcome, cursor.solver.individuals(cursor.state)).text
    return TracedStep(0, (Done(0, "", outcome.status, outcome.energy, why),), outcome.energy)


def _skip(cursor: Cursor, step: int) -> TracedStep | None:
    """Advance to a step unseen; returns the last step of the run if that comes first."""
    before = None
    while cursor.step < step:
        before = cursor.copy()
        result = cursor.advance(min(SKIP, step - cursor.step))
        if result.reason == "done" or not result.steps:
            break
    else:
        return None
    events = tuple(event for event in result.rare if event.step == cursor.step)
    if not cursor.solver.recorded and result.steps:
        before.advance(result.steps - 1)
        events = before.single() or events
    return TracedStep(cursor.step, events, cursor.energy)


def steps_with(cursor: Cursor, window: Window, kinds: frozenset[str]) -> Iterator[TracedStep]:
    """The steps of the window with events of these kinds, and of each only those events.

    Rare events come from `advance`, which runs at full speed up to each of them; for others all events are decoded.
    """
    from engine.events import rare_kinds

    found = _rare_steps if kinds <= rare_kinds() and not cursor.solver.recorded else _decoded_steps
    end = _end_without_steps(cursor)
    for step in found(cursor, window, kinds) if end is None else [end]:
        events = tuple(event for event in step.events if not kinds.isdisjoint(event.kinds))
        if events:
            yield TracedStep(step.step, events, step.energy)


def _rare_steps(cursor: Cursor, window: Window, kinds: frozenset[str]) -> Iterator[TracedStep]:
    """Steps with rare events of these kinds."""
    from engine.breakpoints import Stop
    from engine.run.solve import Pace

    pace, stop = Pace(), Stop(kinds)
    while cursor.step < window.last and cursor.outcome is None:
        ahead, began = window.first - 1 - cursor.step, time.perf_counter()
        result = cursor.advance(min(pace.chunk, ahead if ahead > 0 else window.last - cursor.step), stop)
        pace.adapt(time.perf_counter() - began, result.steps)
        if not result.steps:
            return
        if cursor.step >= window.first:
            yield TracedStep(cursor.step, tuple(event for event in result.rare if event.step == cursor.step),
                             cursor.energy)


def _decoded_steps(cursor: Cursor, window: Window, kinds: frozenset[str]) -> Iterator[TracedStep]:
    """Every step of the window."""
    from engine.events import Restarted

    if _skip(cursor, window.first - 1) is not None:
        return
    energy = cursor.energy
    for events in cursor.events(window.last - cursor.step):
        for event in events:  # the state of a solver that decodes many steps at once is that of a later one
            energy = event.energy if isinstance(event, Restarted) else (
                energy if event.energy_after is None else event.energy_after)
        if kinds.isdisjoint(kind for event in events for kind in event.kinds):
            continue
        known = cursor.state.step == events[0].step
        yield TracedStep(events[0].step, events, cursor.energy if known else energy)


# Layouts


class Layout:
    """Writes traced steps as text: step, badge, sentence. Base class of the other layouts."""

    def __init__(self, solver: AnySolver, puzzle: Puzzle) -> None:
        self.solver = solver
        self.puzzle = puzzle

    def head(self, recipe: Recipe) -> None:
        for line in header(recipe):
            output.write_line(f"# {line}")

    def write(self, step: TracedStep) -> None:
        for event in step.events:
            sentence = self.sentence(event)
            output.write_line(f"{event.step:>9}  {sentence.badge:<15}  {sentence.text}")

    def sentence(self, event: Event) -> Sentence:
        from tui.i18n import translated

        return translated(self.solver.explain(event, self.puzzle.n))


class JsonLayout(Layout):
    """Writes an object with the recipe, then one object per event with all its fields."""

    def head(self, recipe: Recipe) -> None:
        from engine import __version__

        output.write_json({
            "event": "recipe", "program": __version__, "puzzle": recipe.puzzle.line, "variant": recipe.puzzle.variant,
            "solver": recipe.solver, "params": recipe.params, "seed": recipe.seed,
            "interventions": recipe.interventions})

    def write(self, step: TracedStep) -> None:
        import msgspec

        for event in step.events:
            sentence = self.sentence(event)
            fields = {"step": event.step, "event": "", "kind": event.kinds[0], "energy": _energy(event, step)}
            fields |= msgspec.to_builtins(event)
            output.write_json(fields | {"badge": sentence.badge, "sentence": sentence.text})


class CsvLayout(Layout):
    """Writes the recipe as comments, a heading, then a row per event; missing values are empty."""

    def head(self, recipe: Recipe) -> None:
        super().head(recipe)
        self._row(COLUMNS)

    def write(self, step: TracedStep) -> None:
        from engine.puzzle import cell_name

        for event in step.events:
            own = getattr(event, "cells", None)  # of a random fill their number
            cells = own if own and isinstance(own, tuple) else event.touched
            accepted = getattr(event, "accepted", None)
            values = {
                "step": event.step, "event": event.__struct_config__.tag, "kind": event.kinds[0],
                "energy": _energy(event, step), "line": event.line, "sentence": self.sentence(event).text,
                "accepted": int(accepted) if isinstance(accepted, bool) else "",
                "cells": " ".join(cell_name(cell, self.puzzle.n) for cell in cells),
                **{name: getattr(event, name, None) for name in ("temperature", "delta", "p", "u")},
            }
            self._row("" if values[name] is None else values[name] for name in COLUMNS)

    @staticmethod
    def _row(values: Any) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(values)
        output.write(text.getvalue())


LAYOUTS: dict[str, Callable[[AnySolver, Puzzle], Layout]] = {
    "text": Layout, "jsonl": JsonLayout, "csv": CsvLayout,
}


def _energy(event: Event, step: TracedStep) -> int:
    """E of the grid that the event is about; else E after its step, of a population that of its best individual."""
    from engine.events.population import Refined

    energy: int = event.after if isinstance(event, Refined) else getattr(event, "energy", step.energy)
    return energy


def header(recipe: Recipe) -> list[str]:
    """The recipe as lines of text."""
    from engine import __version__

    puzzle = recipe.puzzle
    lines = [
        f"sudoku-tui {__version__}",
        f"puzzle {puzzle.line} ({puzzle.n}x{puzzle.n}, {puzzle.variant})",
        f"solver {recipe.solver}, seed {recipe.seed}",
        " ".join(["params", *(f"{name}={value}" for name, value in recipe.params.items())]),
    ]
    return lines + [f"after step {each.step}: {each.name} = {each.value}" for each in recipe.interventions]
