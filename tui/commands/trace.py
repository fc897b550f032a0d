"""`sudoku-tui trace`: the events of a run as they happen, each with its sentence."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tui import output
from tui.commands import options
from tui.commands.sources import RECIPE_OPTIONS, refuse_beside, refuse_clashes, single, source_argument, told
from tui.i18n import _

if TYPE_CHECKING:
    from engine.events import Event
    from engine.puzzle import Puzzle
    from engine.run.cursor import Cursor
    from engine.run.recipe import Recipe
    from engine.solver import AnySolver
    from engine.view import Sentence

SKIP = 2**20
"""Steps that are skipped at once between two that are shown."""
PATIENCE = 0.05
"""Seconds after which what is written is handed over to the reader."""
COLUMNS = ("step", "event", "kind", "energy", "temperature", "delta", "p", "u", "accepted", "cells", "line", "sentence")


class Snapshot(NamedTuple):
    """The events of one step, and E after it."""

    step: int
    events: tuple[Event, ...]
    energy: int


class Window(NamedTuple):
    """Which steps are shown: first, first + 1, ... last, of these the multiples of `every`; always the end."""

    first: int = 1
    last: int = 2**62
    every: int = 1

    def after(self, step: int) -> int:
        """The first step to be shown after this one."""
        lowest = max(step + 1, self.first)
        return -(-lowest // self.every) * self.every


@click.command(
    name="trace", short_help=_("Every event of a run, with its sentence."),
    help=_("""Solve the puzzle SOURCE (or the run of a recipe) and write every event with its sentence, as it happens.

The last step of the run is always shown. Cells in jsonl are numbered row by row from 0."""),
    epilog=_("""\b
Examples:
  sudoku-tui trace hard:1 --to 50
  sudoku-tui trace easy:1 --preset easy --every 500 --format csv > energy.csv
  sudoku-tui trace easy:1 -s backtrack --format jsonl | grep contradiction"""))
@source_argument
@options.recipe_options
@click.option("--from", "first", type=options.COUNT, default=1, show_default=True, metavar="STEP",
              help=_("The first step to show."))
@click.option("--to", "last", type=options.COUNT, metavar="STEP", help=_("The last step to show."))
@click.option("--every", type=options.COUNT, default=1, show_default=True, metavar="K",
              help=_("Show every Kth step: K, 2K, 3K, ..."))
@click.option("--max-steps", type=options.COUNT, metavar="N", help=_("Stop after so many steps."))
@click.option("--format", "layout", type=click.Choice(["text", "jsonl", "csv"]), default="text", show_default=True,
              help=_("Text for people, one JSON object a line, or a table."))
def command(**given: Any) -> int:
    from engine.params import to_dict
    from engine.run.cursor import Cursor
    from engine.run.recipe import Recipe

    line = told(given["source"])
    if line is None:
        chosen = options.chosen(given)
        puzzle = single(given["source"]).puzzle
        refuse_clashes(puzzle)
        recipe = Recipe(puzzle, chosen.solver.name, to_dict(chosen.params), chosen.seed)
    else:
        refuse_beside(RECIPE_OPTIONS)
        recipe, chosen = line.recipe, line.chosen
    last = min(given["last"] or 2**62, given["max_steps"] or 2**62)
    state = chosen.solver.init(recipe.puzzle, chosen.params, chosen.seed)
    layout = LAYOUTS[given["layout"]](chosen.solver, recipe.puzzle)
    cursor = Cursor(chosen.solver, state, chosen.params, recipe.interventions)
    cursor.arrive()
    stream(cursor, recipe, Window(given["first"], last, given["every"]), layout)
    return 0


def stream(cursor: Cursor, recipe: Recipe, window: Window, layout: Layout, speed: float | None = None) -> None:
    """Write the header and the moments of a run; at most `speed` steps a second, if it is given."""
    layout.head(recipe)
    began = flushed = time.monotonic()
    output.flush()
    for number, snapshot in enumerate(snapshots(cursor, window)):
        if speed is not None:
            time.sleep(max(0.0, began + number / speed - time.monotonic()))
        layout.snapshot(snapshot)
        if speed is not None or time.monotonic() - flushed > PATIENCE:
            output.flush()
            flushed = time.monotonic()
    output.flush()


def snapshots(cursor: Cursor, window: Window) -> Iterator[Snapshot]:
    """The steps of the window and, if the run ends before the window does, its last step."""
    ended = cursor.solver.outcome(cursor.state) is not None
    while not ended and (target := window.after(cursor.step)) <= window.last:
        if target - cursor.step > 1:
            snapshot = _skip(cursor, target - 1)
            ended = snapshot is not None
        else:
            events = cursor.single()
            ended = cursor.solver.outcome(cursor.state) is not None
            snapshot = Snapshot(cursor.step, events, cursor.state.energy) if events else None
            ended = ended or events is None
        if snapshot is not None:
            yield snapshot


def _skip(cursor: Cursor, step: int) -> Snapshot | None:
    """Go on to a step without looking; the last moment of the run when that comes first."""
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
    return Snapshot(cursor.step, events, cursor.state.energy)


# The three layouts


class Layout:
    """How moments are written. This one is text: step, badge, sentence."""

    def __init__(self, solver: AnySolver, puzzle: Puzzle) -> None:
        self.solver = solver
        self.puzzle = puzzle

    def head(self, recipe: Recipe) -> None:
        for line in header(recipe):
            output.write_line(f"# {line}")

    def snapshot(self, snapshot: Snapshot) -> None:
        for event in snapshot.events:
            sentence = self.sentence(event)
            output.write_line(f"{event.step:>9}  {sentence.badge:<15}  {sentence.text}")

    def sentence(self, event: Event) -> Sentence:
        from tui.i18n import translated

        return translated(self.solver.explain(event, self.puzzle.n))


class JsonLayout(Layout):
    """A first object with the recipe, then one object an event with all its fields."""

    def head(self, recipe: Recipe) -> None:
        import msgspec

        from engine import __version__

        output.write_json(msgspec.json.encode({
            "event": "recipe", "program": __version__, "puzzle": recipe.puzzle.line, "variant": recipe.puzzle.variant,
            "solver": recipe.solver, "params": recipe.params, "seed": recipe.seed,
            "interventions": recipe.interventions}))

    def snapshot(self, snapshot: Snapshot) -> None:
        import msgspec

        for event in snapshot.events:
            sentence = self.sentence(event)
            fields = {"step": event.step, "event": "", "kind": event.kinds[0], "energy": _energy(event, snapshot)}
            fields |= msgspec.to_builtins(event)
            output.write_json(msgspec.json.encode(fields | {"badge": sentence.badge, "sentence": sentence.text}))


class CsvLayout(Layout):
    """The recipe as comments, a row of names, then a row an event; what an event does not have is left empty."""

    def head(self, recipe: Recipe) -> None:
        super().head(recipe)
        self._row(COLUMNS)

    def snapshot(self, snapshot: Snapshot) -> None:
        from engine.puzzle import cell_name

        for event in snapshot.events:
            cells = getattr(event, "cells", None) or event.touched
            accepted = getattr(event, "accepted", None)
            values = {
                "step": event.step, "event": event.__struct_config__.tag, "kind": event.kinds[0],
                "energy": _energy(event, snapshot), "line": event.line, "sentence": self.sentence(event).text,
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


def _energy(event: Event, snapshot: Snapshot) -> int:
    """E after the event where it says so, else after its step."""
    return snapshot.energy if event.energy_after is None else event.energy_after


def header(recipe: Recipe) -> list[str]:
    """The recipe in a few lines."""
    from engine import __version__

    puzzle = recipe.puzzle
    lines = [
        f"sudoku-tui {__version__}",
        f"puzzle {puzzle.line} ({puzzle.n}x{puzzle.n}, {puzzle.variant})",
        f"solver {recipe.solver}, seed {recipe.seed}",
        " ".join(["params", *(f"{name}={value}" for name, value in recipe.params.items())]),
    ]
    return lines + [f"after step {each.step}: {each.name} = {each.value}" for each in recipe.interventions]
