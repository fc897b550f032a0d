"""The recipe of a run (puzzle, solver, parameters, seed, interventions), and its form as one line of text.

    GRID?solver=anneal&seed=7&alpha=0.99&at=1200:T=0.5&step=410496

The line is the grid and a URL query: the solver, the seed, each parameter that differs from the first preset, each
intervention as `at=STEP:NAME=VALUE`, and the playhead as `step`. `variant=diagonal` is written unless it is classic,
`trajectory=N` unless it is 1: the oldest version in which the run is the same. A line of an earlier version is read as
the run that it was then, if the solver still can make it (`Solver.earlier`). `preset=NAME` is read but not written.
Other characters are escaped as in URLs; in single quotes a shell leaves the line unchanged.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, get_args
from urllib.parse import quote, unquote

import msgspec

from engine import params as parameters
from engine import registry
from engine.errors import BadInput, ParameterError, UnknownName
from engine.params import Value
from engine.puzzle import Puzzle, Variant
from engine.rng import MAX_SEED
from engine.solver import AnySolver


class Intervention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A knob or parameter changed between step `step` and the next."""

    step: Annotated[int, msgspec.Meta(ge=0)]
    name: str
    value: Value


class Change(NamedTuple):
    """The total effect of the interventions on one name after one step."""

    step: int
    name: str
    before: Value | None
    after: Value


def plain_value(value: object) -> Value:
    """A value as a plain bool, int, float or str. Raises ParameterError for any other."""
    for kind in (bool, int, float, str):  # numpy's float64 is a float too, but msgspec does not encode it
        if isinstance(value, kind):
            return kind(value)
    raise ParameterError(f"{value!r}: expected a number, a text, or yes or no")


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that determines the events of a run. `params` holds every parameter, also those at their defaults."""

    puzzle: Puzzle
    solver: str
    params: dict[str, Any]
    seed: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEED)]
    interventions: tuple[Intervention, ...] = ()
    """By step; those after the same step in the order they were made."""

    def made_after(self, step: int) -> tuple[Intervention, ...]:
        """The interventions made after exactly this step."""
        first = bisect_left(self.interventions, step, key=lambda each: each.step)
        return self.interventions[first:bisect_right(self.interventions, step, key=lambda each: each.step)]

    def until(self, step: int) -> tuple[Intervention, ...]:
        """The interventions made after `step` or before."""
        return tuple(each for each in self.interventions if each.step <= step)


DEFAULT_SOLVER = "anneal"
LAST_STEP = 10**18
PARAMETER = "param."
"""Prefix of a parameter whose name has another meaning in the query."""
OWN = ("solver", "preset", "seed", "variant", "trajectory", "at", "step")
_SAFE = ":=,.+-_~/*"
_QUERY = re.compile(r"[A-Za-z][\w.%-]*=")
_SHOWN = 40


class RecipeLine(NamedTuple):
    """A recipe and the playhead."""

    recipe: Recipe
    step: int = 0


def _joined(text: str) -> str:
    """The text without line ends, as it has them when it was copied from a screen, and the blanks around them."""
    first, *others = text.split("\n")
    if not others:
        return text
    return "".join([first.rstrip(), *map(str.strip, others[:-1]), others[-1].lstrip()])


def looks_like_one(text: str) -> bool:
    """True if a text has the shape of a recipe line: something, a `?`, and `name=`."""
    source, sign, query = _joined(text).partition("?")
    return bool(source and sign and _QUERY.match(query))


# Writing


def line(recipe: Recipe, step: int = 0) -> str:
    """A recipe as a line. Raises UnknownName for an unknown solver, ParameterError for one whose runs are recorded."""
    solver = registry.solver(recipe.solver)
    if solver.recorded:
        raise ParameterError(f"a run of {solver.name} cannot be repeated from a recipe: save it as a file instead")
    entries = "&".join(f"{name}={quote(value, safe=_SAFE)}" for name, value in _entries(recipe, solver, step))
    return f"{recipe.puzzle.line}?{entries}"


def _entries(recipe: Recipe, solver: AnySolver, step: int) -> Iterator[tuple[str, str]]:
    if recipe.puzzle.variant != "classic":
        yield "variant", recipe.puzzle.variant
    yield "solver", recipe.solver
    version, params = solver.oldest_version(recipe.params)
    if version != 1:
        yield "trajectory", str(version)
    yield "seed", str(recipe.seed)
    usual = parameters.to_dict(solver.make_params())
    for name, value in params.items():
        if value != usual[name]:
            yield PARAMETER + name if name in OWN else name, parameters.written(value)
    for each in recipe.interventions:
        yield "at", f"{each.step}:{each.name}={parameters.written(each.value)}"
    if step:
        yield "step", str(step)


# Reading


@dataclass(slots=True)
class _Query:
    """The entries of the query."""

    own: dict[str, str] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)


def parse(text: str, puzzle_of: Callable[[str], Puzzle] = Puzzle.from_line) -> RecipeLine:
    """The recipe and playhead of a line. `puzzle_of` reads the part before the `?`. Raises BadInput."""
    source, sign, rest = _joined(text.strip()).partition("?")
    if not (source and sign):
        raise ParameterError(f"{_short(text)}: expected a recipe, as GRID?solver={DEFAULT_SOLVER}&seed=7")
    query = _query(rest)
    solver = registry.solver(query.own.get("solver", DEFAULT_SOLVER))
    puzzle = _puzzle(puzzle_of(source), query.own.get("variant"))
    lacking = _values_of_version(solver, query.own)
    params = solver.make_params(query.own.get("preset"), {**lacking, **query.params})
    made = sorted((_intervention(solver, each) for each in query.made), key=lambda each: each.step)
    recipe = Recipe(puzzle, solver.name, parameters.to_dict(params), _whole(query.own, "seed", MAX_SEED), tuple(made))
    return RecipeLine(recipe, _whole(query.own, "step", LAST_STEP))


def _query(text: str) -> _Query:
    query = _Query()
    for entry in filter(None, text.split("&")):
        name, sign, value = entry.partition("=")
        name, value = unquote(name), unquote(value)
        if not (name and sign and value):
            raise ParameterError(f"{_short(entry)} in the recipe: expected NAME=VALUE")
        if name == "at":
            query.made.append(value)
            continue
        place = query.own if name in OWN else query.params
        name = name.removeprefix(PARAMETER)
        if name in place:
            raise ParameterError(f"{_short(name)} in the recipe: expected it only once")
        place[name] = value
    return query


def _puzzle(puzzle: Puzzle, variant: str | None) -> Puzzle:
    if variant is None:
        return puzzle
    if variant not in get_args(Variant):
        raise ParameterError(f"variant={_short(variant)} in the recipe: expected {' or '.join(get_args(Variant))}")
    return Puzzle(puzzle.givens, puzzle.box, variant)  # type: ignore[arg-type]


def _values_of_version(solver: AnySolver, own: Mapping[str, str]) -> Mapping[str, Value]:
    """The values that a recipe of its version of the trajectory lacks. One with a preset was written by hand, and means
    the preset as it is now. Raises ParameterError if the recipe cannot be replayed."""
    version = own.get("trajectory") or (str(solver.trajectory) if "preset" in own else "1")
    known = {str(number): values for number, values in {**solver.earlier, solver.trajectory: {}}.items()}
    if version not in known:
        missing = "" if "trajectory" in own else f"; if you wrote it yourself, add trajectory={solver.trajectory}"
        raise ParameterError(f"the recipe was made with version {_short(version)} of {solver.name}'s trajectory "
                             f"and this program has version {solver.trajectory}: its steps would not be the same"
                             + missing)
    return known[version]


def _whole(own: dict[str, str], name: str, most: int) -> int:
    typed = own.get(name, "0")
    value = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 25 else -1
    if not 0 <= value <= most:
        raise ParameterError(f"{name}={_short(typed)} in the recipe: expected a whole number from 0 to {most}")
    return value


def _intervention(solver: AnySolver, text: str) -> Intervention:
    step, colon, change = text.partition(":")
    name, sign, value = change.partition("=")
    if not (colon and sign and name and value):
        raise ParameterError(f"at={_short(text)} in the recipe: expected STEP:NAME=VALUE, as at=1200:T=0.5")
    at = _whole({"at": step}, "at", LAST_STEP)
    knob = next((knob for knob in solver.knobs if name in (knob.name, knob.symbol)), None)
    if knob is None:
        return Intervention(at, name, _changed(solver, name, value))
    turned = _number(value)
    if not knob.minimum <= turned <= knob.maximum:
        raise ParameterError(f"at={_short(text)} in the recipe: expected {name} from {knob.minimum:g} to "
                             f"{knob.maximum:g}")
    return Intervention(at, knob.name, turned)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _changed(solver: AnySolver, name: str, value: str) -> Any:
    """The value of a live parameter, or the text of something done by hand."""
    if name in solver.by_hand:
        return value
    declared = {each.name: each for each in parameters.describe(solver.Params)}
    if name not in declared or not declared[name].live:
        known = [knob.name for knob in solver.knobs] + [each.name for each in declared.values() if each.live]
        known += solver.by_hand
        raise UnknownName(f"{_short(name)} in the recipe: expected what can change while {solver.name} runs, one of "
                          f"{', '.join(known) or 'nothing'}")
    parsed = parameters.parse(declared[name], value)
    try:
        parameters.build(solver.Params, {name: parsed})
    except BadInput as error:
        # refuse values out of bounds; rules between several parameters apply at that step, to the values then in force
        if f"{name} = " in str(error):
            raise
    return parsed


def _short(text: str) -> str:
    written = text if text.isprintable() else repr(text)
    return written if len(written) <= _SHOWN else written[: _SHOWN - 1] + "…"
