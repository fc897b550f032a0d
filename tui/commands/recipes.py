"""A recipe written as one line, where a command takes a SOURCE."""

from __future__ import annotations

import os
from typing import NamedTuple

import click
from click.core import ParameterSource

from engine.errors import ParameterError
from engine.recipe import Recipe
from tui.commands.options import Chosen
from tui.commands.sources import named, refuse_clashes, single
from tui.i18n import _


class Told(NamedTuple):
    """What a line says: a run, where its playhead stands, and what its puzzle is called."""

    recipe: Recipe
    chosen: Chosen
    step: int
    puzzle_name: str


def told(source: str) -> Told | None:
    """The run that SOURCE tells as a recipe; None where it is something else. Raises BadInput."""
    from engine.recipeline import looks_like_one

    if not looks_like_one(source) or os.path.exists(source):
        return None
    from engine import registry
    from engine.formats import PuzzleRecord
    from engine.puzzle import Puzzle
    from engine.recipeline import parse

    found: list[PuzzleRecord] = []

    def puzzle_of(text: str) -> Puzzle:
        found.append(single(text))
        return found[0].puzzle

    recipe, step = parse(source, puzzle_of)
    refuse_clashes(recipe.puzzle)
    solver = registry.solver(recipe.solver)
    chosen = Chosen(solver, _("recipe"), solver.make_params(None, recipe.params), recipe.seed)
    return Told(recipe, chosen, step, named(found[0], source.partition("?")[0]))


def refuse_beside(names: tuple[str, ...]) -> None:
    """Raises ParameterError for an option of this call whose place a recipe takes."""
    ctx = click.get_current_context()
    for name in names:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            both = _("a recipe and --{name}: the recipe says it already, expected only one of them")
            raise ParameterError(both.format(name=name))


RECIPE_OPTIONS = ("solver", "preset", "param", "seed")
