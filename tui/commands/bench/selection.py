"""The experiment named by the arguments of `sudoku-tui bench`."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.bench import experiment_file
from engine.bench.experiment import Experiment
from engine.bench.toml_schema import Puzzles, Solvers, Source, Written
from engine.errors import ParameterError
from tui.i18n import _

LIMITS = ("max_steps", "max_evaluations", "time_limit")
OWN_LIMIT = 10.0
"""Seconds per trial if there is no other limit."""
ANY = "backtrack"
"""Placeholder for the solvers where only the puzzles matter."""


def chosen(given: dict[str, Any]) -> tuple[Experiment, ...]:
    """The parts of the experiment. Raises BadInput."""
    limits = [f"--{name.replace('_', '-')}" for name in LIMITS if given[name] is not None]
    if len(limits) > 1:
        raise ParameterError(_("{limits}: expected at most one limit").format(limits=_(" and ").join(limits)))
    if given["experiment"] is None:
        return experiment_file.parts(_own(given), Source(_("the experiment")))
    for name in ("solvers", "packs"):
        if given[name] is not None:
            raise ParameterError(_("{experiment} and --{name}: an experiment has its own, expected only one of them")
                                 .format(experiment=given["experiment"], name=name))
    written, source = experiment_file.read(experiment_file.path_of(given["experiment"]))
    changes = _changes(given)
    if written.parts:
        return experiment_file.parts(replace(written, parts=tuple(replace(part, **changes) for part in written.parts)),
                                     source)
    return experiment_file.parts(replace(written, **changes), source)


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
