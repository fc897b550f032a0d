"""The TOML schema of an experiment before expansion; errors name their line. `experiment_file` documents the keys."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Final, get_args

import msgspec
from msgspec import Meta, Struct

from engine.bench.experiment import ReportKind, SheetFigure
from engine.errors import BadInput
from engine.files import access
from engine.files.toml_lines import Place, TomlPath, find_line
from engine.params import Value
from engine.puzzle import Variant
from engine.rng import MAX_SEED
from engine.text import count


def place_of(path: str) -> TomlPath:
    """msgspec's `$.solvers[1].sweep` as ("solvers", 1, "sweep"). It ends at a value of a table with arbitrary keys,
    for which msgspec writes `[...]`."""
    found = re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path)
    return tuple(key if key else int(index) for key, index in found)


SHIPPED: Final = Path(__file__).parent / "experiments"
"""The folder of the experiments that ship."""
MAX_BYTES: Final = 4 * 2**20
"""The largest file of an experiment."""


class ExperimentError(BadInput):
    """An experiment that cannot be run; the sentence names file and line."""


class Puzzles(Struct, frozen=True, forbid_unknown_fields=True):
    """A [[puzzles]] table."""

    sources: tuple[str, ...] = ()
    group: str = ""
    first: Annotated[int, Meta(ge=1)] | None = None
    share: Annotated[float, Meta(ge=0, le=1)] | None = None
    count: Annotated[int, Meta(ge=1, le=10_000)] = 20
    size: int = 9
    variant: Variant = "classic"


class Solvers(Struct, frozen=True, forbid_unknown_fields=True):
    """A [[solvers]] table."""

    solver: str
    preset: str | None = None
    label: str = ""
    params: dict[str, Value] = {}
    sweep: dict[str, Annotated[tuple[Value, ...], Meta(min_length=1)]] = {}
    optional: bool = False


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A [[parts]] table: a separate experiment."""

    solvers: tuple[Solvers, ...] = ()
    puzzles: tuple[Puzzles, ...] = ()
    name: str = ""
    about: str = ""
    runs: Annotated[int, Meta(ge=1, le=10**9)] = 1
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0
    max_steps: Annotated[float, Meta(ge=1, le=1e18)] | None = None
    max_evaluations: Annotated[float, Meta(ge=1, le=1e18)] | None = None
    time_limit: Annotated[float, Meta(gt=0, le=1e9)] | None = None
    report: ReportKind = "table"
    by_puzzle: bool = False
    sheet: tuple[SheetFigure, ...] = ()
    difference: str = ""


class Written(Part, frozen=True, forbid_unknown_fields=True):
    """A whole file: an experiment, or the parts of one."""

    parts: tuple[Part, ...] = ()


class Source(Struct, frozen=True):
    """The source of an experiment, so that errors can name their line."""

    name: str
    toml: str = ""
    """None if it does not come from TOML."""

    def error(self, sentence: object, *place: Place) -> ExperimentError:
        """The sentence with the line of that place: keys and places in lists, from the outermost."""
        line = (find_line(self.toml, place) or 1) if self.toml else None
        return ExperimentError(f"{self.name}: {sentence}" if line is None else f"{self.name}, line {line}: {sentence}")


def read(path: Path) -> tuple[Written, Source]:
    """Parse and validate the file. Raises ExperimentError with the line."""
    try:
        with path.open("rb") if path.parent == SHIPPED else access.open_file(path) as opened:
            content = opened.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ExperimentError(f"{path} is too large: expected an experiment of at most {MAX_BYTES // 2**20} MB")
        toml = content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ExperimentError(f"{path}: the experiment cannot be read ({why})") from None
    return parse(toml, str(path)), Source(str(path), toml)


def parse(toml: str, where: str) -> Written:
    """The text of a file. Raises ExperimentError with the line."""
    try:
        return msgspec.convert(tomllib.loads(toml), Written)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = found[1] if found else len(toml.splitlines())
        said = re.sub(r" \(at .*\)$", "", str(error))
        raise ExperimentError(f"{where}, line {line}: no TOML ({said}), expected key = value") from None
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at `")
        place = place_of(path.rstrip("`"))
        unknown = re.match(r"Object contains unknown field `(.*)`", said)
        raise Source(where, toml).error(_plainly(said, place), *place, *([unknown[1]] if unknown else [])) from None


_WORDS = {"int": "a whole number", "float": "a number", "str": "a text", "array": "a list", "object": "a table",
          "null": "nothing", "bool": "true or false"}


_BOUNDS = {">=": "of at least", "<=": "of at most", ">": "above", "<": "below"}
_CHOICES = {"report": get_args(ReportKind), "variant": get_args(Variant)}


def _bound(found: re.Match[str]) -> str:
    """`>= 1.0` as `of at least 1`, `of length >= 1` as `with at least 1 in it`."""
    value = count(int(float(found[3]))) if float(found[3]).is_integer() and "." in found[3] else found[3]
    return f"with at least {value} in it" if found[1] else f"{_BOUNDS[found[2]]} {value}"


def _plainly(said: str, place: TomlPath) -> str:
    """msgspec's sentence in ours: `runs: expected a whole number`."""
    keys = [key for key in place if isinstance(key, str)]
    kinds: dict[str, type[Struct]] = {"solvers": Solvers, "puzzles": Puzzles, "parts": Part, "sheet": SheetFigure}
    kind = kinds.get(keys[-1], Written) if keys else Written
    unknown = re.match(r"Object contains unknown field `(.*)`", said)
    if unknown:
        return f"unknown key {unknown[1]}: expected one of {', '.join(kind.__struct_fields__)}"
    lacking = re.match(r"Object missing required field `(.*)`", said)
    if lacking:
        return f"{lacking[1]} is missing"
    said = re.sub("`([^`]*)`", lambda found: _WORDS.get(found[1].removesuffix(" | null"), found[0]), said)
    said = re.sub("(of length )?(>=|<=|>|<) ([0-9.e+]+)", _bound, said)
    said = said.replace("a whole number, got a number", "a whole number, got a fraction")
    if keys and keys[-1] in _CHOICES:
        said = re.sub("^Invalid enum value (.*)", rf"no \1, expected one of {', '.join(_CHOICES[keys[-1]])}", said)
    return f"{'.'.join(keys) or 'the file'}: {said[:1].lower()}{said[1:]}"
