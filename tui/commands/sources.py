"""The puzzles and recipes that the arguments of a command line name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from engine.errors import FormatError, ParameterError
from engine.files import access
from engine.puzzle import Puzzle
from engine.puzzles.formats import PuzzleRecord
from engine.puzzles.formats.reading import file_name
from engine.puzzles.sources import SourceItem, exists, has_separator, open_source
from tui import puzzle_facts
from tui.commands.options import Chosen, chosen, complete_source
from tui.i18n import _
from tui.output import say

if TYPE_CHECKING:
    from engine.run.recipe import Recipe

SMALL = 2**27
"""Bytes of the largest file whose lines are counted for the progress bar."""

source_argument = click.argument("source", shell_complete=complete_source)
sources_argument = click.argument("sources", metavar="SOURCE...", nargs=-1, required=True,
                                  shell_complete=complete_source)


class SourcePuzzle(NamedTuple):
    """One puzzle of the sources, or the error in its place, and its share of the work."""

    number: int
    """Counted from 1 over all sources, errors included."""
    item: SourceItem
    share: float | None
    """Share of all sources that precedes it, 0 to 1; None if unknown."""
    weight: float = 0.0
    """Its own share of all sources."""
    source: str = ""
    """The source it comes from."""

    @property
    def place(self) -> str:
        """Its place, as the beginning of a sentence about it."""
        record = self.item.record
        return place_of(self.source, self.item.index, "" if record is None else record.name)


def place_of(source: str, index: int, name: str) -> str:
    """`list.txt, puzzle 3`: the file, and the name of the puzzle or its position in the source, from 1."""
    puzzle = name or _("puzzle {index}").format(index=index)
    return f"{file_name(source)}, {puzzle}" if exists(source, has_separator(source)) else puzzle


def source_puzzles(sources: Sequence[str]) -> Iterator[SourcePuzzle]:
    """The puzzles of all sources in order, read one at a time."""
    number = 0
    for place, source in enumerate(sources):
        _refuse_recipe(source)
        size = _size(source)
        for item in open_source(source, sys.stdin.buffer):
            number += 1
            at = (item.line if size.by_line else item.index) or 1
            share = (place + min(1.0, (at - 1) / size.units)) / len(sources) if size.units else None
            yield SourcePuzzle(number, item, share, 1 / size.units / len(sources) if size.units else 0.0,
                               source)


def _refuse_recipe(source: str) -> None:
    """Raise ParameterError for a recipe line among sources."""
    if "?" not in source:
        return
    from engine.run.recipe import looks_like_one  # imports numpy

    if looks_like_one(source) and access.allows(source) and not os.path.exists(source):
        short = source if len(source) <= 24 else f"{source[:24]}..."
        raise ParameterError(_("{source}: a recipe, expected puzzles; a recipe alone can be given to `solve`, `trace` "
                               "and the laboratory").format(source=short))


class _Size(NamedTuple):
    """The size of a source, in lines or in puzzles; 0 if unknown."""

    units: int
    by_line: bool


def _size(source: str) -> _Size:
    """Size for the progress bar; unknown for stdin, pipes and very large files."""
    if not sys.stderr.isatty() or source == "-":
        return _Size(0, False)
    try:
        if access.allows(source) and os.path.isfile(source):
            return _Size(_lines(source) if os.path.getsize(source) <= SMALL else 0, True)
        if access.allows(source) and os.path.exists(source):  # a pipe can be read only once
            return _Size(0, True)
        return _Size(sum(1 for _item in open_source(source, sys.stdin.buffer)), False)
    except (OSError, ValueError):
        return _Size(0, False)


def _lines(path: str) -> int:
    with access.open_file(path) as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b"")) + 1


def first_puzzle(source: str) -> PuzzleRecord:
    """The puzzle of a source; of several the first, with a message. Raises BadInput."""
    record, several = first_of(source)
    if several:
        say(_("{source} holds several puzzles: this is the first").format(source=source))
    return record


def first_of(source: str) -> tuple[PuzzleRecord, bool]:
    """The first puzzle of a source, and whether it holds others. Raises BadInput."""
    found = list(islice(open_source(source, sys.stdin.buffer), 1 if source == "-" else 2))
    first = found[0]
    if first.record is None:
        raise FormatError(str(first.error))
    return first.record, len(found) > 1


def refuse_clashes(puzzle: Puzzle) -> None:
    """Raise PuzzleError with the first clash if the givens contradict each other."""
    puzzle_facts.refuse_clashes(puzzle, _(" (and {count} more: see `sudoku-tui check`)"))


def puzzle_name(record: PuzzleRecord, source: str) -> str:
    """The name of the puzzle, else that of its source unless it is a grid or stdin."""
    if record.name:
        return record.name
    return "" if source == "-" or len(source) > 60 else os.path.basename(source)


RECIPE_OPTIONS = ("solver", "preset", "param", "seed")
"""Options that a recipe replaces."""


class RecipeRun(NamedTuple):
    """A parsed recipe line: a run, its playhead, and the name of its puzzle."""

    recipe: Recipe
    chosen: Chosen
    step: int
    puzzle_name: str


def recipe_run(source: str) -> RecipeRun | None:
    """The run of a SOURCE that is a recipe line; None for other sources. Raises BadInput."""
    from engine.run.recipe import looks_like_one

    if not looks_like_one(source) or not access.allows(source) or os.path.exists(source):
        return None
    from engine import registry
    from engine.run.recipe import parse

    found: list[PuzzleRecord] = []

    def puzzle_of(text: str) -> Puzzle:
        found.append(first_puzzle(text))
        return found[0].puzzle

    recipe, step = parse(source, puzzle_of)
    refuse_clashes(recipe.puzzle)
    solver = registry.solver(recipe.solver)
    chosen = Chosen(solver, _("recipe"), solver.make_params(None, recipe.params), recipe.seed)
    return RecipeRun(recipe, chosen, step, puzzle_name(found[0], source.partition("?")[0]))


def recipe_of(given: dict[str, Any]) -> tuple[Recipe, Chosen]:
    """The run of a command with one SOURCE and the options of a recipe: a puzzle, or a recipe line without them. Raises
    BadInput."""
    from engine.params import to_dict
    from engine.run.recipe import Recipe

    line = recipe_run(given["source"])
    if line is not None:
        refuse_beside_recipe(RECIPE_OPTIONS)
        return line.recipe, line.chosen
    made, puzzle = chosen(given), first_puzzle(given["source"]).puzzle
    refuse_clashes(puzzle)
    return Recipe(puzzle, made.solver.name, to_dict(made.params), made.seed), made


def refuse_beside_recipe(names: tuple[str, ...]) -> None:
    """Raise ParameterError for options of this call that contradict a recipe."""
    ctx = click.get_current_context()
    for name in names:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            both = _("a recipe and --{name}: the recipe sets it, expected only one of them")
            raise ParameterError(both.format(name=name))
