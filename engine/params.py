"""Parameters, declared once as the fields of a Params struct.

    class ClimbParams(Params, frozen=True):
        patience: Annotated[int, Meta(ge=1), About("swaps", "give up after this many without a better grid")] = 10_000

Validation, command-line options, the form on the screen and the tables of the documentation derive from `describe`.
Constructors do not validate: make parameters with `build` or `changed`.
"""

from __future__ import annotations

import functools
import math
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from engine import text
from engine.errors import ParameterError, UnknownName

__all__ = [
    "About", "Budget", "Meta", "Parameter", "Params", "Value", "build", "changed", "condition", "describe",
    "has_effect", "parse", "to_dict", "written",
]

P = TypeVar("P", bound="Params")

Value = float | int | str | bool
"""The type of a parameter or a knob."""
MAX_SHOWN = 60


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all parameters. A rule between fields goes into __post_init__ and raises ValueError."""


class About(Struct, frozen=True):
    """Unit and help of a parameter."""

    unit: str
    help: str
    symbol: str = ""
    """The symbol of the literature (T₀, α), shown in the setup pane; empty: the field's name."""
    live: bool = True
    """False if it cannot change during a run."""
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(name, values): it has an effect only where each of these parameters has one of the values. A solver that does
    not declare such a parameter meets the condition."""


class Parameter(Struct, frozen=True):
    """A declared parameter, for forms, options and tables."""

    name: str
    type: type
    """int, float, str or bool."""
    default: Any
    choices: tuple[str, ...]
    """The values allowed for a str, in order; empty otherwise."""
    minimum: float | None
    maximum: float | None
    exclusive_minimum: bool
    exclusive_maximum: bool
    unit: str
    help: str
    symbol: str
    live: bool
    where: tuple[tuple[str, tuple[str, ...]], ...]
    """About.where, without parameters that the solver does not have."""

    @property
    def expected(self) -> str:
        """The allowed values, as the end of a sentence: `a whole number from 1 to 1000`."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.type is bool:
            return "yes or no"
        if self.type is str:
            return "a text"
        noun = "a whole number" if self.type is int else "a number"
        lower = ""
        if self.minimum is not None:
            lower = f" {'above' if self.exclusive_minimum else 'from'} {_bound(self.minimum)}"
        if self.maximum is None:
            return noun + (f"{lower} up" if lower and not self.exclusive_minimum else lower)
        if not lower:
            return f"{noun} {'below' if self.exclusive_maximum else 'up to'} {_bound(self.maximum)}"
        return f"{noun}{lower} {'and below' if self.exclusive_maximum else 'to'} {_bound(self.maximum)}"


Budget = Annotated[int, Meta(ge=1, le=10**12), About("steps", "give up after this many steps in all")]
"""The step budget, a parameter of most solvers."""


def _bound(value: float) -> str:
    """A bound as text: whole numbers in groups of three, never as 1e+06."""
    whole = isinstance(value, int) or (value.is_integer() and abs(value) < 1e15)
    return text.count(int(value)) if whole else f"{value:g}"


@functools.cache
def describe(kind: type[Params]) -> tuple[Parameter, ...]:
    """The parameters that a Params struct declares, in order of declaration."""
    hints, fields = typing.get_type_hints(kind, include_extras=True), msgspec.structs.fields(kind)
    names = frozenset(field.name for field in fields)
    return tuple(_describe(field.name, hints[field.name], field.default, names) for field in fields)


def _describe(name: str, hint: Any, default: Any, names: frozenset[str]) -> Parameter:
    extras = getattr(hint, "__metadata__", ())
    bare = hint.__origin__ if extras else hint
    meta = next((extra for extra in extras if isinstance(extra, Meta)), Meta())
    about = next((extra for extra in extras if isinstance(extra, About)), About("", ""))
    choices: tuple[str, ...] = ()
    if typing.get_origin(bare) is Literal:
        choices, bare = tuple(str(choice) for choice in typing.get_args(bare)), str
    if isinstance(bare, types.UnionType) or bare not in (int, float, str, bool):
        raise TypeError(f"parameter {name}: a parameter is an int, float, bool, str or Literal of str, not {bare}")
    low = meta.ge if meta.ge is not None else meta.gt
    high = meta.le if meta.le is not None else meta.lt
    return Parameter(name, bare, default, choices, low, high, meta.gt is not None, meta.lt is not None,
                     about.unit, about.help, about.symbol or name, about.live,
                     tuple((other, values) for other, values in about.where if other in names))


def has_effect(parameter: Parameter, params: Params) -> bool:
    """Whether a parameter has an effect beside the values of the others."""
    return all(written(getattr(params, name)) in values for name, values in parameter.where)


def condition(parameter: Parameter, declared: Iterable[Parameter] = ()) -> str:
    """The condition for an effect, as `schedule = exponential or adaptive`, or `schedule ≠ constant` where that is the
    only one of several `declared` choices that is left out; empty if there is none."""
    choices = {each.name: each.choices for each in declared}
    found = []
    for name, values in parameter.where:
        left_out = [choice for choice in choices.get(name, ()) if choice not in values]
        short = len(left_out) == 1 and len(values) > 1
        found.append(f"{name} ≠ {left_out[0]}" if short else f"{name} = {' or '.join(values)}")
    return ", ".join(found)


def parse(parameter: Parameter, value: object) -> Any:
    """Convert a value, or a text as typed, to the parameter's type. Raises ParameterError.

    Numbers may have spaces or underscores between groups, and whole numbers may be written as 1e6.
    """
    try:
        result = _convert(parameter, value)
    except (ValueError, OverflowError):
        raise refused(parameter, value) from None
    if isinstance(result, float) and not math.isfinite(result):
        raise refused(parameter, value)
    return result


def written(value: object) -> str:
    """A value as typed text, from which `parse` restores exactly this value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)


def refused(parameter: Parameter, value: object) -> ParameterError:
    """The error for a value that a parameter does not accept."""
    digits = " of at most 18 digits" if parameter.type is int and not _fits(value) else ""
    return ParameterError(f"{parameter.name} = {_shown(value)}: expected {parameter.expected}{digits}")


def _fits(value: object) -> bool:
    """True if a whole number has at most 64 bits with sign, as in a run file."""
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def _shown(value: object) -> str:
    """A value in a sentence: on one line, and shortened."""
    try:
        written = str(value)
    except ValueError:  # Python writes no whole number of more than some thousand digits
        return "a number of thousands of digits"
    if not written.isprintable():
        written = repr(written)
    return written if len(written) <= MAX_SHOWN else written[: MAX_SHOWN - 1] + "…"


def _convert(parameter: Parameter, value: object) -> Any:
    kind = parameter.type
    if isinstance(value, str) and kind is not str:
        return _read(kind, value.strip().replace(" ", "").replace("_", "").lower())
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ValueError
    return value


def _read(kind: type, typed: str) -> Any:
    if kind is bool:
        if typed not in _BOOLEANS:
            raise ValueError
        return _BOOLEANS[typed]
    if kind is float:
        return float(typed)
    if typed.lstrip("+-").isdigit():
        return int(typed)
    number = float(typed)
    if number != int(number):
        raise ValueError
    return int(number)


_BOOLEANS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def build(kind: type[P], values: Mapping[str, object]) -> P:
    """Parameters from names and values; texts are parsed, and other parameters have their defaults.

    Raises UnknownName for an undeclared name and ParameterError for a value that is not accepted.
    """
    known = {parameter.name: parameter for parameter in describe(kind)}
    for name in values:
        if name not in known:
            raise UnknownName(f"no parameter {name!r}: expected one of {', '.join(known) or 'none at all'}")
    parsed = {name: parse(known[name], value) for name, value in values.items()}
    for name, value in parsed.items():
        if not _allowed(known[name], value):
            raise refused(known[name], value if type(value) is int and not _fits(value) else values[name])
    try:
        return msgspec.convert(parsed, kind, strict=True)
    except msgspec.ValidationError as error:
        raise ParameterError(str(error)) from None


def _allowed(parameter: Parameter, value: Any) -> bool:
    if parameter.choices:
        return value in parameter.choices
    if parameter.type not in (int, float):
        return True
    if parameter.type is int and not _fits(value):
        return False
    low, high = parameter.minimum, parameter.maximum
    above = low is None or (value > low if parameter.exclusive_minimum else value >= low)
    below = high is None or (value < high if parameter.exclusive_maximum else value <= high)
    return above and below


def changed(params: P, name: str, value: object) -> P:
    """A copy of `params` with one parameter changed; raises as `build` does."""
    return build(type(params), {**to_dict(params), name: value})


def to_dict(params: Params) -> dict[str, Any]:
    return {name: getattr(params, name) for name in params.__struct_fields__}
