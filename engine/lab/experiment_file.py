"""Experiments written down in TOML, and what is wrong with them, by line.

    name = "cooling"
    about = "Does slower cooling solve more?"
    runs = 10                          # seeds 0 ... 9; the first is `seed`
    max_steps = 5e6                    # or max_evaluations, or time_limit (seconds): at most one of them

    [[puzzles]]
    group = "easy"                     # "" or left out: the name of the source
    sources = ["easy"]                 # packs, pack:number, names, files, grids
    first = 5                          # no more than so many of them

    [[puzzles]]
    group = "30 %"
    share = 0.30                       # of the cells of random full grids are given
    count = 20
    size = 9

    [[solvers]]
    solver = "anneal"
    preset = "easy"
    label = "slow"                     # "" or left out: made of the solver, the preset and what is swept
    params = { T_min = 1e-4, restarts = 3 }
    sweep = { alpha = [0.99, 0.999] }  # a contender for each; of two parameters for each pair
"""

from __future__ import annotations

import io
import itertools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from engine import params as parameters
from engine import registry, rng, text
from engine.drain import Limits
from engine.errors import BadInput
from engine.lab.experiment import Contender, Experiment, Problem
from engine.params import Value
from engine.puzzle import Puzzle, Variant
from engine.rng import MAX_SEED
from engine.sources import open_source

FOLDER: Final = Path(__file__).parent / "experiments"
"""The experiments that ship."""
SUFFIX: Final = ".toml"
SIZES: Final = {4: 2, 9: 3, 16: 4, 25: 5}
SHARE_STREAM: Final = 32
"""Stream of the cells that stay, for puzzles made of a share of a grid."""


class ExperimentError(BadInput):
    """An experiment that cannot be run; the sentence names file and line."""


class Puzzles(Struct, frozen=True, forbid_unknown_fields=True):
    """A [[puzzles]] table."""

    sources: tuple[str, ...] = ()
    group: str = ""
    first: Annotated[int, Meta(ge=1)] | None = None
    share: Annotated[float, Meta(ge=0, le=1)] | None = None
    count: Annotated[int, Meta(ge=1, le=100_000)] = 20
    size: int = 9
    variant: Variant = "classic"


class Solvers(Struct, frozen=True, forbid_unknown_fields=True):
    """A [[solvers]] table."""

    solver: str
    preset: str | None = None
    label: str = ""
    params: dict[str, Value] = {}
    sweep: dict[str, Annotated[tuple[Value, ...], Meta(min_length=1)]] = {}


class Written(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole file."""

    solvers: Annotated[tuple[Solvers, ...], Meta(min_length=1)]
    puzzles: Annotated[tuple[Puzzles, ...], Meta(min_length=1)]
    name: str = ""
    about: str = ""
    runs: Annotated[int, Meta(ge=1, le=10**9)] = 1
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0
    max_steps: Annotated[float, Meta(ge=1)] | None = None
    max_evaluations: Annotated[float, Meta(ge=1)] | None = None
    time_limit: Annotated[float, Meta(gt=0)] | None = None
    report: str = "table"


def shipped() -> tuple[str, ...]:
    """The names of the experiments that ship."""
    return tuple(sorted(path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}")))


def read(path: Path) -> Written:
    """The file as it is written. Raises ExperimentError with the line."""
    try:
        return parse(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ExperimentError(f"{path}: the experiment cannot be read ({why})") from None


def parse(toml: str, where: str) -> Written:
    """The text of a file. Raises ExperimentError with the line."""
    try:
        return msgspec.convert(tomllib.loads(toml), Written)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        place = f", line {found[1]}" if found else ""
        said = re.sub(r" \(at .*\)$", "", str(error))
        raise ExperimentError(f"{where}{place}: no TOML ({said}), expected key = value") from None
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at `")
        line = line_of(toml, path.rstrip("`"), said)
        raise ExperimentError(f"{where}, line {line}: {_plainly(said, path.rstrip('`'))}") from None


def _plainly(said: str, path: str) -> str:
    """msgspec's sentence in ours: `runs: expected a whole number`."""
    unknown = re.match(r"Object contains unknown field `(.*)`", said)
    kind = Solvers if path.startswith("$.solvers") else Puzzles if path.startswith("$.puzzles") else Written
    if unknown:
        return f"unknown key {unknown[1]}: expected one of {', '.join(kind.__struct_fields__)}"
    lacking = re.match(r"Object missing required field `(.*)`", said)
    if lacking:
        return f"{lacking[1]} is missing"
    key = re.sub(r"\[\d+\]|\[\.\.\.\]", "", path.removeprefix("$.")) or "the file"
    words = {"`int`": "a whole number", "`float`": "a number", "`str`": "a text", "`array`": "a list",
             "`object`": "a table", "`null`": "nothing"}
    for ours, plain in words.items():
        said = said.replace(ours, plain)
    return f"{key}: {said[:1].lower()}{said[1:]}"


def line_of(toml: str, path: str, said: str = "") -> int:
    """The line, from 1, that a path like `$.solvers[1].runs` is about; an unknown or missing key of a table is named by
    what is said of it."""
    named = re.search(r"unknown field `(.*)`", said)
    keys = re.findall(r"\.([^.\[]+)|\[(\d+)\]", path.replace("[...]", ""))
    table = next((key for key, _ in keys if key), "")
    number = next((int(index) for _, index in keys if index), 0)
    wanted = named[1] if named else [key for key, _ in keys if key][-1:] and [key for key, _ in keys if key][-1]
    seen, here, first = -1, "", 1
    for line, written in enumerate(toml.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([\w.-]+)\s*\]+", written)
        if header:
            here = header[1].split(".")[0]
            seen += here == table and written.lstrip().startswith("[[")
            first = line if here == table and seen == number and header[1] == table else first
        inside = here == table and seen == number if table in ("solvers", "puzzles") else not here
        if inside and wanted and re.match(rf"\s*\"?{re.escape(wanted)}\"?\s*=", written):
            return line
    return first


def work_out(written: Written, where: str = "the experiment") -> Experiment:
    """The experiment with all its contenders and problems. Raises ExperimentError."""
    limits = _limits(written, where)
    contenders = [each for number, table in enumerate(written.solvers, 1)
                  for each in _contenders(table, f"{where}, solvers {number}")]
    problems = [each for number, table in enumerate(written.puzzles, 1)
                for each in _problems(table, written.seed, f"{where}, puzzles {number}")]
    labels = [each.label for each in contenders]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise ExperimentError(f"{where}: two solvers are called {twice}: expected a label for each")
    if written.seed + written.runs - 1 > MAX_SEED:
        raise ExperimentError(f"{where}: {written.runs} runs from seed {written.seed} go beyond the last seed, "
                              f"{MAX_SEED}")
    return Experiment(written.name or Path(where).stem, written.about, tuple(contenders), tuple(problems),
                      written.runs, written.seed, limits, written.report)


def _limits(written: Written, where: str) -> Limits:
    given = {"max_steps": written.max_steps, "max_evaluations": written.max_evaluations,
             "time_limit": written.time_limit}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ExperimentError(f"{where}: {' and '.join(named)}: expected at most one limit")
    whole = [None if value is None else int(value) for value in (written.max_steps, written.max_evaluations)]
    return Limits(whole[0], written.time_limit, whole[1])


def _contenders(table: Solvers, where: str) -> Iterator[Contender]:
    """One for each combination of the values that are swept."""
    try:
        solver = registry.solver(table.solver)
        solver.require()
        for values in itertools.product(*table.sweep.values()):
            swept = dict(zip(table.sweep, values, strict=True))
            chosen = solver.make_params(table.preset, {**table.params, **swept})
            label = " ".join([table.label or _plain_label(table), *(f"{k}={parameters.written(v)}"
                                                                    for k, v in swept.items())])
            yield Contender(label, table.solver, parameters.to_dict(chosen), swept)
    except BadInput as error:
        raise ExperimentError(f"{where}: {error}") from None


def _plain_label(table: Solvers) -> str:
    return f"{table.solver} {table.preset}" if table.preset else table.solver


def _problems(table: Puzzles, seed: int, where: str) -> Iterator[Problem]:
    if table.share is not None:
        if table.sources:
            raise ExperimentError(f"{where}: sources and share: expected only one of them")
        yield from _shares(table, table.share, seed, where)
        return
    if not table.sources:
        raise ExperimentError(f"{where}: there are no puzzles: expected sources or share")
    found = (item for source in table.sources for item in _from_source(source, table, where))
    yield from itertools.islice(found, table.first)


def _from_source(source: str, table: Puzzles, where: str) -> Iterator[Problem]:
    for item in open_source(source, io.BytesIO()):
        if item.record is None:
            raise ExperimentError(f"{where}: {item.error}")
        puzzle, name = item.record.puzzle, item.record.name or f"{source} {item.index}"
        yield Problem(table.group or source, name, puzzle.line, puzzle.variant)


def _shares(table: Puzzles, share: float, seed: int, where: str) -> Iterator[Problem]:
    """Random full grids of which each cell stays with the same share of all (Lewis 2007): always with a solution, often
    with several."""
    from engine.exact.minimal import full_grid

    if table.size not in SIZES:
        raise ExperimentError(f"{where}: size = {table.size}: expected one of {', '.join(map(str, SIZES))}")
    box, cells = SIZES[table.size], table.size**2
    kept = round(share * cells)
    for number in range(table.count):
        grid = full_grid(seed, number, box, table.variant)
        stays = set(rng.shuffled(list(range(cells)), seed, SHARE_STREAM, number)[:kept])
        givens = tuple(value if cell in stays else 0 for cell, value in enumerate(grid))
        puzzle = Puzzle(givens, box, table.variant)
        group = table.group or text.share(share)
        yield Problem(group, f"{group} {number + 1}", puzzle.line, puzzle.variant, share)
