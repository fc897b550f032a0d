"""The experiment named by the arguments of `sudoku-tui bench`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.bench import experiment_file
from engine.bench.experiment import Experiment
from engine.bench.toml_schema import Part, Puzzles, Solvers, Source, Written
from engine.errors import BadInput, ParameterError, UnknownName
from tui.commands import options
from tui.i18n import _

LIMITS = ("max_steps", "max_evaluations", "time_limit")
OWN_LIMIT = 10.0
"""Seconds per trial if there is no other limit."""
ANY = "backtrack"
"""Placeholder for the solvers where only the puzzles matter."""

AnyPart = TypeVar("AnyPart", bound=Part)


def chosen(given: dict[str, Any]) -> tuple[Experiment, ...]:
    """The parts of the experiment. Raises BadInput."""
    limits = [f"--{name.replace('_', '-')}" for name in LIMITS if given[name] is not None]
    if len(limits) > 1:
        raise ParameterError(_("{limits}: expected at most one limit").format(limits=_(" and ").join(limits)))
    if given["experiment"] is None:
        return experiment_file.parts(_own(given), Source(_("the experiment")))
    if given["solvers"] is not None:
        raise ParameterError(_("{experiment} and --solvers: an experiment has its own, expected only one of them")
                             .format(experiment=given["experiment"]))
    written, source = experiment_file.read(experiment_file.path_of(given["experiment"]))
    changes, packs = _changes(given), None if given["packs"] is None else _words(given, "packs")
    if not written.parts and given["parts"]:
        raise ParameterError(_("{experiment} has no parts: expected no name after it").format(
            experiment=given["experiment"]))
    if written.parts:
        kept = tuple(replace(_on(part, packs), **changes) for part in _named_parts(written, given["parts"]))
        return experiment_file.parts(replace(written, parts=kept), source)
    return experiment_file.parts(replace(_on(written, packs), **changes), source)


def _named_parts(written: Written, names: Sequence[str]) -> tuple[Part, ...]:
    """The parts of these names in the order of the file; all if there are no names."""
    known = [part.name or str(number) for number, part in enumerate(written.parts, 1)]
    for name in names:
        if name not in known:
            raise UnknownName(_("{experiment} has no part {name}: {hint}").format(
                experiment=written.name, name=repr(name), hint=options.nearest(name, known)))
    return tuple(part for part, name in zip(written.parts, known, strict=True) if not names or name in names)


def _on(part: AnyPart, packs: Sequence[str] | None) -> AnyPart:
    """The part on other packs: as many puzzles of each as are in one of its own groups, without the figures of a
    sheet, which are about those."""
    if packs is None:
        return part
    most = max(map(_size, part.puzzles), default=0) or None
    about = _("{about} (here on {packs})").format(about=part.about, packs=", ".join(packs)) if part.about else ""
    return replace(part, about=about, puzzles=tuple(Puzzles(sources=(pack,), first=most) for pack in packs),
                   sheet=(), difference="")


def _size(table: Puzzles) -> int:
    """The number of puzzles of a table; 0 if they cannot be read."""
    if table.first is not None:
        return table.first
    try:
        return sum(1 for _problem in experiment_file.problems(table, 0))
    except BadInput:
        return 0


def _own(given: dict[str, Any]) -> Written:
    """An experiment defined by options."""
    named = given | {"solvers": given["solvers"] or (ANY if given["peers"] else None)}
    if named["solvers"] is None:
        shipped = ", ".join(experiment_file.shipped())
        raise ParameterError(_("nothing to compare: expected --solvers, a TOML file, or one of {shipped}").format(
            shipped=shipped))
    solvers = tuple(_solver(word) for word in _words(named, "solvers"))
    packs = ("easy",) if given["packs"] is None else _words(given, "packs")
    changes = _changes(given)
    if not any(name in changes for name in LIMITS):
        changes["time_limit"] = OWN_LIMIT
    return Written(name="own", about=_("Solvers compared"), solvers=solvers,
                   puzzles=tuple(Puzzles(sources=(pack,)) for pack in packs), **changes)


def _changes(given: dict[str, Any]) -> dict[str, Any]:
    """Runs, seed and limit from the options; a limit replaces any other."""
    changes: dict[str, Any] = {name: given[name] for name in ("runs", "seed") if given[name] is not None}
    if any(given[name] is not None for name in LIMITS):
        changes |= {name: given[name] or None for name in LIMITS}
    return changes


def _words(given: dict[str, Any], name: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in given[name].split(","))
    if not all(words):
        raise ParameterError(_("--{name} {given}: expected names separated by commas").format(
            name=name, given=given[name] or '""'))
    return words


def _solver(word: str) -> Solvers:
    name, _colon, preset = word.partition(":")
    return Solvers(solver=name, preset=preset or None)
