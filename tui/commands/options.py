"""Options shared by several commands: types of values, recipe options, shell completion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem
from msgspec import Struct

from engine.errors import BadInput, ParameterError
from engine.rng import MAX_SEED
from tui.config.settings import Settings
from tui.i18n import _

if TYPE_CHECKING:
    from engine.params import Params
    from engine.solver import AnySolver

    WholeType = click.ParamType[int]
    SecondsType = click.ParamType[float]
else:
    WholeType = SecondsType = click.ParamType  # no generic type in older releases

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_SOLVER: str = Settings().solver
DEFAULT_PUZZLE = "easy:1"
"""The puzzle of the laboratory by default: a minute at the default speed, where hard:1 takes hours."""


class Chosen(Struct, frozen=True):
    """A solver with parameters and a seed: a recipe without its puzzle."""

    solver: AnySolver
    preset: str
    """The preset, and the parameters that were set beside it, in words: `strong with T0=2`."""
    params: Params
    seed: int


def chosen(given: dict[str, Any]) -> Chosen:
    """The values of `recipe_options`. Raises BadInput for unknown names and values out of bounds."""
    from engine import registry

    solver = registry.solver(given["solver"])
    solver.require()
    preset, own = given["preset"] or next(iter(solver.presets)), assignments(given["param"])
    words = [preset] + [_("with")] * bool(own) + [f"{name}={value}" for name, value in own.items()]
    return Chosen(solver, " ".join(words), solver.make_params(preset, own), given["seed"])


def assignments(texts: tuple[str, ...]) -> dict[str, str]:
    """Parse each NAME=VALUE. Raises ParameterError for other texts and repeated names."""
    values: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise ParameterError(_("--param {text}: expected NAME=VALUE, for example T0=0.5").format(text=text))
        if name in values:
            raise ParameterError(_("--param {name} is given more than once").format(name=name))
        values[name] = value
    return values


class Whole(WholeType):
    """A whole number; spaces and underscores between digits are ignored."""

    name = "N"

    def __init__(self, minimum: int, maximum: int) -> None:
        self.minimum, self.maximum = minimum, maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        number = _whole(str(value).replace(" ", "").replace("_", ""))
        if number is None or not self.minimum <= number <= self.maximum:
            expected = _("{option} {value}: expected a whole number from {low} to {high}")
            raise ParameterError(expected.format(option=_option(param), value=value, low=self.minimum,
                                                 high=self.maximum))
        return number


def _whole(digits: str) -> int | None:
    """Parse `1000` or `1e3`; None for anything else."""
    body = digits.removeprefix("+").removeprefix("-")
    if body.isascii() and body.isdigit() and len(body) < 100:
        return int(digits)
    try:
        number = float(digits)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


class Seconds(SecondsType):
    """A time in seconds; 0 is no limit."""

    name = "S"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 <= number <= 1e9:
            expected = _("{option} {value}: expected seconds from 0 (no limit) to 1000000000")
            raise ParameterError(expected.format(option=_option(param), value=value))
        return number


def _option(param: click.Parameter | None) -> str:
    return param.opts[-1] if param is not None else ""


COUNT = Whole(1, 10**18)
SEED = Whole(0, MAX_SEED)
SIZES = {"4": 2, "9": 3, "16": 4, "25": 5}
"""Cells in a row, as typed, and the box size."""


def recipe_options(command: Decorated) -> Decorated:
    """`--solver --preset --param --seed`."""
    for decorate in (
        click.option("--seed", type=SEED, default=0, show_default=True, metavar="N",
                     help=_("Seed of the random numbers: the same seed gives the same run.")),
        click.option("-p", "--param", multiple=True, metavar="NAME=VALUE", shell_complete=complete_param,
                     help=_("Set a parameter; repeatable. See `sudoku-tui list params SOLVER`.")),
        click.option("--preset", metavar="NAME", shell_complete=complete_preset,
                     help=_("Preset to use (default: the solver's first).")),
        click.option("-s", "--solver", default=DEFAULT_SOLVER, show_default=True, metavar="NAME",
                     shell_complete=complete_solver, help=_("Solver to use. See `sudoku-tui list solvers`.")),
    ):
        command = decorate(command)
    return command


def nearest(word: str, known: Sequence[str]) -> str:
    """The end of a sentence about an unknown word: up to three known ones that resemble it, else all."""
    import difflib  # only a wrong word needs it

    near = difflib.get_close_matches(word, known, 3)
    if near:
        return _("did you mean {near}?").format(near=_(" or ").join(near))
    return _("expected one of {names}").format(names=", ".join(known))


def complete_solver(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from engine import registry

    return [CompletionItem(name) for name in registry.names() if name.startswith(incomplete)]


def _solver_so_far(ctx: click.Context) -> AnySolver | None:
    from engine import registry

    try:
        return registry.solver(ctx.params.get("solver") or DEFAULT_SOLVER)
    except (BadInput, ImportError):
        return None


def complete_preset(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    solver = _solver_so_far(ctx)
    return [CompletionItem(name) for name in (solver.presets if solver else ()) if name.startswith(incomplete)]


def complete_param(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from engine.params import describe

    solver = _solver_so_far(ctx)
    if solver is None:
        return []
    name, sign, begun = incomplete.partition("=")
    found = {each.name: each for each in describe(solver.Params)}
    if not sign:
        return [CompletionItem(f"{each}=", help=about.help) for each, about in found.items() if each.startswith(name)]
    choices = found[name].choices if name in found else ()
    return [CompletionItem(f"{name}={choice}") for choice in choices if choice.startswith(begun)]


def complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of packs, and files, which come first: bash drops what is before them."""
    from engine.puzzles import packs

    found = [CompletionItem(name) for name in packs.pack_names() if name.startswith(incomplete)]
    return [CompletionItem(incomplete, type="file"), *found]
