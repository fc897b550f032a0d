"""Experiments in TOML: reading them, with errors by line.

    name = "cooling"
    about = "Does slower cooling solve more?"
    runs = 10                          # seeds 0 ... 9; the first is `seed`
    max_steps = 5e6                    # or max_evaluations, or time_limit (seconds): at most one of them
    report = "table"                   # or "curve" (success against share), "heatmap" (of two swept parameters)

    [[puzzles]]
    group = "easy"                     # "" or left out: the name of the source
    sources = ["easy"]                 # packs, pack:number, names, files, grids
    first = 5                          # at most this many of them

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

    [[solvers]]
    solver = "cp-sat"
    optional = true                    # left out, with a sentence, where its package is missing

An experiment that answers an exercise sheet can show the sheet's figures beside its own:

    by_puzzle = true                   # the table also puzzle by puzzle
    difference = "The sheet ran each puzzle once."    # where the figures differ, and why

    [[sheet]]
    puzzles = "easy"                   # a group; "": all puzzles
    solver = "slow alpha=0.99"         # a label of the table; "" or left out: every solver
    figure = "3 / 5, mean 5.1 s"

An experiment of several tables has parts in the place of puzzles and solvers. Each is a separate experiment, with
all these keys; they are run one after the other into the same results:

    name = "course"

    [[parts]]
    name = "easy"
    runs = 10

    [[parts.puzzles]]
    sources = ["easy"]

    [[parts.solvers]]
    solver = "anneal"
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import structs

from engine import params as parameters
from engine import registry, rng, text
from engine.bench.experiment import Contender, Experiment, Problem
from engine.bench.toml_schema import (
    SHIPPED,
    ExperimentError,
    Part,
    Puzzles,
    Solvers,
    Source,
    Written,
    parse,
    read,
)
from engine.errors import BadInput, UnknownName
from engine.files import access
from engine.params import Value
from engine.puzzle import Puzzle, Variant
from engine.puzzles.sources import open_source
from engine.rng import MAX_SEED
from engine.run.solve import Limits
from engine.solutions.minimal import full_grid

# The puzzles of a [[puzzles]] table.


SIZES: Final = {4: 2, 9: 3, 16: 4, 25: 5}
OF_SHARES: Final = ("count", "size", "variant")
"""Keys that do not apply to puzzles from sources."""
SHARE_STREAM: Final = 32
"""Stream of the cells that stay, for puzzles made of a share of a grid."""


def problems(table: Puzzles, seed: int) -> Iterator[Problem]:
    """The puzzles, one at a time. Raises BadInput."""
    if table.share is not None:
        if table.sources:
            raise BadInput("sources and share: expected only one of them")
        if table.first is not None:
            raise BadInput("first and share: expected first for sources alone, and count for a share")
        yield from _shares(table, table.share, seed)
        return
    if not table.sources:
        raise BadInput("there are no puzzles: expected sources or share")
    idle = next((name for name in OF_SHARES if getattr(table, name) != getattr(Puzzles(), name)), None)
    if idle is not None:
        raise BadInput(f"{idle} and sources: expected {idle} with a share alone")
    found = (item for source in table.sources for item in _from_source(source, table))
    yield from itertools.islice(found, table.first)


def _from_source(source: str, table: Puzzles) -> Iterator[Problem]:
    for item in open_source(source, io.BytesIO()):
        if item.record is None:
            raise BadInput(str(item.error))
        puzzle, name = item.record.puzzle, item.record.name or f"{source} {item.index}"
        yield Problem(table.group or source, name, puzzle.line, puzzle.variant)


def _shares(table: Puzzles, share: float, seed: int) -> Iterator[Problem]:
    """Random full grids of which each cell stays with the same share of all (Lewis 2007): always with a solution, often
    with several."""
    if table.size not in SIZES:
        raise BadInput(f"size = {table.size}: expected one of {', '.join(map(str, SIZES))}")
    box, cells = SIZES[table.size], table.size**2
    kept = round(share * cells)
    for number in range(table.count):
        grid = full_grid(seed, number, box, table.variant)
        stays = set(rng.shuffled(list(range(cells)), seed, SHARE_STREAM, number)[:kept])
        givens = tuple(value if cell in stays else 0 for cell, value in enumerate(grid))
        puzzle = Puzzle(givens, box, table.variant)
        group = table.group or text.share(share)
        yield Problem(group, f"{group} {number + 1}", puzzle.line, puzzle.variant, share)


__all__ = ["ExperimentError", "Part", "Puzzles", "Solvers", "Written", "load", "parse", "parts", "read", "shipped",
           "work_out"]

SUFFIX: Final = ".toml"
MOST_SWEPT: Final = 10_000
"""Solvers of one table."""


def shipped() -> tuple[str, ...]:
    """The names of the experiments that ship."""
    return tuple(sorted(path.name.removesuffix(SUFFIX) for path in SHIPPED.glob(f"*{SUFFIX}")))


def path_of(name: str) -> Path:
    """The file of that name, or of the shipped experiment of that name. Raises ExperimentError, and Refused in a
    kiosk."""
    path = Path(name)
    if name not in shipped() or (access.allows(path) and path.is_file()):
        access.checked(path)
        if not path.exists():
            raise ExperimentError(f"there is no experiment {name}: expected a file, or one of {', '.join(shipped())}")
        return path
    return SHIPPED / f"{name}{SUFFIX}"


def load(name: str) -> tuple[Experiment, ...]:
    """The parts of a shipped experiment, or of one in a file; it is one if it has no parts. Raises ExperimentError."""
    return parts(*read(path_of(name)))


def parts(written: Written, source: Source) -> tuple[Experiment, ...]:
    """Each part expanded, under the name of the whole and its own: `course: easy`. Raises ExperimentError."""
    if not written.parts:
        return (work_out(written, source),)
    lost = next((key for key in Part.__struct_fields__ if key not in ("name", "about")
                 and getattr(written, key) != getattr(Part(), key)), None)
    if lost is not None:
        raise source.error(f"{lost} and parts: expected it in each of the parts", lost)
    name = written.name or Path(source.name).stem
    found: list[Experiment] = []
    for number, part in enumerate(written.parts):
        called = part.name or str(number + 1)
        if called in [each.name.removeprefix(f"{name}: ") for each in found]:
            raise source.error(f"two parts are called {called}: expected a name for each", "parts", number, "name")
        worked_out = _experiment(part, f"{name}: {called}", source, ("parts", number))
        found.append(structs.replace(worked_out, part_of=name))
    return tuple(found)


def work_out(written: Part, source: Source | str = "the experiment") -> Experiment:
    """An experiment without parts, with all its contenders and problems. Raises ExperimentError."""
    source = Source(source) if isinstance(source, str) else source
    return _experiment(written, written.name or Path(source.name).stem, source, ())


def _experiment(written: Part, name: str, source: Source, at: tuple[str | int, ...]) -> Experiment:
    for key, empty in (("solvers", not written.solvers), ("puzzles", not written.puzzles)):
        if empty:
            raise source.error(f"there are no {key}: expected a table [[{'parts.' if at else ''}{key}]]", *at, key)
    if written.seed + written.runs - 1 > MAX_SEED:
        raise source.error(f"{written.runs} runs from seed {written.seed} go beyond the last seed, {MAX_SEED}",
                           *at, "seed")
    contenders, left_out = _all_contenders(written, source, at)
    made = Experiment(name, written.about, contenders, _all_problems(written, source, at), written.runs,
                      written.seed, _limits(written, source, at), written.report, left_out, written.by_puzzle,
                      written.sheet, written.difference)
    _check_sheet(made, [label for table in written.solvers for label, _swept in _labels(table)], source, at)
    return made


def _check_sheet(made: Experiment, labels: Sequence[str], source: Source, at: tuple[str | int, ...]) -> None:
    """Raise ExperimentError for a figure that belongs to no row of the table; `labels`: those of all solvers, also of
    those that are left out."""
    for number, each in enumerate(made.sheet):
        for key, names in {"puzzles": made.groups, "solver": labels}.items():
            name = getattr(each, key)
            if name and name not in names:
                raise source.error(f"{key} = {name}: expected one of {', '.join(names)}", *at, "sheet", number, key)


def _limits(written: Part, source: Source, at: tuple[str | int, ...]) -> Limits:
    given = {"max_steps": written.max_steps, "max_evaluations": written.max_evaluations,
             "time_limit": written.time_limit}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise source.error(f"{' and '.join(named)}: expected at most one limit", *at, named[1])
    for name in ("max_steps", "max_evaluations"):
        if given[name] is not None and not float(given[name] or 0).is_integer():
            raise source.error(f"{name} = {given[name]}: expected a whole number", *at, name)
    whole = [None if value is None else int(value) for value in (written.max_steps, written.max_evaluations)]
    return Limits(whole[0], written.time_limit, whole[1])


def _all_contenders(written: Part, source: Source,
                    at: tuple[str | int, ...]) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """The contenders, and the reasons, as sentences, for the optional ones that cannot run here."""
    found, left_out = dict[str, Contender](), []
    for number, table in enumerate(written.solvers):
        place = (*at, "solvers", number)
        try:
            why = registry.solver(table.solver).missing()
            if why is not None and table.optional:
                left_out.append(why)
                continue
            for each in _contenders(table):
                if each.label in found:
                    raise BadInput(f"two solvers are called {each.label}: expected a label for each")
                found[each.label] = each
        except BadInput as error:
            raise source.error(error, *place, *_blamed(table, error)) from None
    if not found:
        raise source.error(f"no solver is left: {left_out[0]}", *at, "solvers", 0)
    return tuple(found.values()), tuple(left_out)


def _blamed(table: Solvers, error: BadInput) -> tuple[str, ...]:
    """The key that an error is about, if it can be determined."""
    said = str(error).partition(": ")[0].replace("'", " ").split()
    for key in ("sweep", "params"):
        for name in getattr(table, key):
            if name in said:
                return key, name
    if isinstance(error, UnknownName):
        return ("preset",) if table.preset in said else ("solver",)
    return ()


def _contenders(table: Solvers) -> Iterator[Contender]:
    """A contender for each combination of the swept values."""
    solver = registry.solver(table.solver)
    solver.require()
    for label, swept in _labels(table):
        chosen = solver.make_params(table.preset, {**table.params, **swept})
        yield Contender(label, table.solver, parameters.to_dict(chosen), swept)


def _labels(table: Solvers) -> Iterator[tuple[str, dict[str, Value]]]:
    """The label of each combination of the swept values, and these values. Raises BadInput for too many."""
    size = math.prod(map(len, table.sweep.values()))
    if size > MOST_SWEPT:
        raise BadInput(f"the sweep of {' and '.join(table.sweep)} makes {text.count(size)} solvers: expected at most "
                       f"{text.count(MOST_SWEPT)}")
    for values in itertools.product(*table.sweep.values()):
        swept = dict(zip(table.sweep, values, strict=True))
        yield " ".join([table.label or _plain_label(table),
                        *(f"{name}={parameters.written(value)}" for name, value in swept.items())]), swept


def _plain_label(table: Solvers) -> str:
    return f"{table.solver} {table.preset}" if table.preset else table.solver


def _all_problems(written: Part, source: Source, at: tuple[str | int, ...]) -> tuple[Problem, ...]:
    found = dict[tuple[str, str, Variant], Problem]()
    for number, table in enumerate(written.puzzles):
        try:
            for each in problems(table, written.seed):
                same = found.setdefault((each.group, each.line, each.variant), each)
                if same is not each:
                    names = dict.fromkeys((_called(same), _called(each)))
                    raise BadInput(f"{' and '.join(names)}: the same puzzle twice, and its trials would count twice, "
                                   "expected each puzzle once in a group")
        except BadInput as error:
            named = str(error).partition(" ")[0]
            key = named if named in Puzzles.__struct_fields__ else "sources" if table.share is None else "share"
            raise source.error(error, *at, "puzzles", number, key) from None
    return tuple(found.values())


def _called(problem: Problem) -> str:
    return problem.name if problem.name.startswith(problem.group) else f"{problem.group} {problem.name}"
