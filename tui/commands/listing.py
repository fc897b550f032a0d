"""`sudoku-tui list`: solvers, shipped puzzles, parameters of a solver."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from tui import output
from tui.commands import options
from tui.i18n import _

if TYPE_CHECKING:
    from engine.params import Parameter
    from engine.puzzle import Puzzle
    from engine.solver import AnySolver

WIDEST = 100
"""Columns of a description, at most."""
INDENT = "    "


@click.group(
    name="list", short_help=_("List solvers, puzzles, or a solver's parameters."), no_args_is_help=False,
    help=_("List the solvers, the shipped puzzles, or the parameters of a solver."))
def command() -> None:
    pass


@command.command(name="solvers", help=_("The solvers: name, family, presets, description."))
def solvers() -> None:
    from engine import registry

    across = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST) - len(INDENT)
    for name in registry.names():
        solver = registry.solver(name)
        output.write_line(f"{name:<24}  {solver.family:<12}  {solver.title}")
        presets = f"{_('presets')}: {', '.join(solver.presets)}"
        about = " ".join(filter(None, (solver.summary, solver.missing())))
        for line in (line for each in (presets, about) for line in output.broken(each, across)):
            output.write_line(f"{INDENT}{line}")


def _complete_pack(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    from engine.puzzles import packs

    return [name for name in packs.pack_names() if name.startswith(incomplete)]


@command.command(name="puzzles", help=_("The packs, or the puzzles of one PACK."))
@click.argument("pack", required=False, shell_complete=_complete_pack)
def puzzles(pack: str | None) -> None:
    from engine.puzzles import packs

    if pack is None:
        rows = []
        for name in packs.pack_names():
            records = packs.pack(name)
            levels = sorted({record.level for record in records if record.level})
            sizes = sorted({f"{record.puzzle.n}x{record.puzzle.n}" for record in records})
            rows.append((name, f"{packs.span(name)}", ", ".join(sizes), ", ".join(levels)))
        table((_("pack"), _("puzzles"), _("size"), _("levels")), rows)
        return
    table((_("puzzle"), _("name"), _("level"), _("rating"), _("source"), _("givens")), (
        (f"{pack}:{number}", record.name, record.level, "" if record.rating is None else f"{record.rating:g}",
         record.source, record.puzzle.line if record.puzzle.n <= 9 else _givens_text(record.puzzle))
        for number, record in enumerate(packs.pack(pack), 1)))


def _givens_text(puzzle: Puzzle) -> str:
    """The number of givens, for a grid that is too long for a line."""
    return _("{givens} of {cells} cells").format(givens=sum(map(bool, puzzle.givens)), cells=len(puzzle.givens))


@command.command(name="params", help=_("The parameters of SOLVER: defaults, bounds, presets, and knobs."))
@click.argument("solver", shell_complete=options.complete_solver)
def params(solver: str) -> None:
    from engine import registry
    from engine.params import condition, describe, written

    found = registry.solver(solver)
    declared = describe(found.Params)
    table((_("parameter"), _("default"), _("live"), _("unit"), _("meaning")), (
        (each.name, written(each.default), _("yes") if each.live else _("no"), each.unit,
         _about(each, condition(each, declared)))
        for each in declared))
    output.write_line()
    for name, values in found.presets.items():
        texts = [f"{key}={written(value)}" for key, value in values.items()]
        output.write_line(f"{_('preset')} {name}: {' '.join(texts) or _('the defaults')}")
    _knobs(found)


def _knobs(solver: AnySolver) -> None:
    for knob in solver.knobs:
        output.write_line(f"{_('knob')} {knob.name}: {_(knob.help)} ({knob.minimum:g} … {knob.maximum:g})")


def _about(parameter: Parameter, condition: str) -> str:
    symbol = f"{parameter.symbol}: " if parameter.symbol != parameter.name else ""
    where = _("; no effect unless {condition}").format(condition=condition) if condition else ""
    return f"{symbol}{_(parameter.help)} ({parameter.expected}{where})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table with columns as wide as their widest entry."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head) - 1)]
    for line in lines:
        cells = [text.ljust(width) for text, width in zip(line[:-1], widths, strict=True)]
        output.write_line("  ".join([*cells, line[-1]]).rstrip())
