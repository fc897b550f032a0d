"""`sudoku-tui bench --peers`: other libraries timed on the same puzzles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import click
from click.core import ParameterSource

from engine import text
from engine.bench.experiment import Experiment, Problem
from engine.bench.peers.libraries import PEERS
from engine.bench.peers.race import Bounds, Heat, Standing, pairs, race, standings
from engine.bench.report import words
from engine.bench.report.markdown import Table, table
from engine.bench.statistics import success
from engine.errors import BadInput, MissingExtra, ParameterError
from tui import output
from tui.commands.batch import INTERRUPTED, Interrupt, Progress
from tui.commands.bench.report import plain
from tui.commands.bench.selection import OWN_LIMIT
from tui.i18n import _

REFUSED_OPTIONS: Final = ("solvers", "max_steps", "max_evaluations", "jobs", "executor", "scheduler", "out", "report")
"""Options without meaning here: other libraries have no steps, and parallel processes would distort the ratios."""
LAYOUTS: Final = ("text", "markdown")


def compare(given: dict[str, Any], parts: Sequence[Experiment]) -> int:
    """Time each installed peer on the puzzles of an experiment. Raises BadInput."""
    _refuse_beside(given)
    kind, most = parts[0].limit
    if given["time_limit"] == 0:
        raise ParameterError(_("--peers and --time-limit 0: expected a limit, because most libraries have none"))
    seconds = most if kind == "seconds" else OWN_LIMIT
    problems = tuple(dict.fromkeys(problem for part in parts for problem in part.problems))
    seeds = range(parts[0].seed, parts[0].seed + parts[0].runs)
    for why in (why for peer in PEERS if (why := peer.missing()) is not None):
        output.say(_("left out: {why}").format(why=why))
    if not pairs(PEERS):
        raise MissingExtra(_("--peers: none of them is installed: pip install 'sudoku-tui[peers]'"))
    asked, left_out = Interrupt(), list[str]()
    with asked:
        heats = _watched(problems, seeds, seconds, asked, left_out)
    if left_out and not heats:
        raise BadInput(_("--peers: no library can be timed: {why}").format(why=left_out[0]))
    found = list(standings(heats))
    if given["layout"] == "markdown":
        output.write_line(table(*_table(found)))
    else:
        _write_text(found, len(problems), len(seeds), seconds)
    for heat in heats:
        if heat.theirs.ending in ("wrong", "failed"):
            output.say(_("{peer}, {problem}: {ending} {why}").format(
                peer=heat.peer, problem=heat.problem, ending=heat.theirs.ending, why=heat.theirs.why).rstrip())
    for why in left_out:
        output.say(_("left out: {why}").format(why=why))
    output.flush()
    if asked():
        output.say(_("interrupted after {count} comparisons").format(count=text.count(len(heats))))
        return INTERRUPTED
    return 0


def _refuse_beside(given: dict[str, Any]) -> None:
    ctx = click.get_current_context()
    for name in REFUSED_OPTIONS:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise ParameterError(_("--peers takes no --{name}: libraries are timed one at a time, each with a time "
                                   "limit, expected only one of them").format(name=name.replace("_", "-")))
    if given["layout"] not in LAYOUTS:
        raise ParameterError(_("--peers and --format {layout}: expected one of {layouts}").format(
            layout=given["layout"], layouts=", ".join(LAYOUTS)))


def _watched(problems: Sequence[Problem], seeds: Sequence[int], seconds: float, asked: Interrupt,
             left_out: list[str]) -> list[Heat]:
    """Make the comparisons, with a progress line. `left_out` gets a sentence for each pair that cannot be timed."""
    line, heats = Progress(), list[Heat]()
    size = len(pairs(PEERS)) * len(problems) * len(seeds)
    for heat in race(problems, seeds, seconds, PEERS, asked, left_out.append):
        heats.append(heat)
        if line.due:
            line.draw(len(heats) / size, _("{done} of {size} comparisons   {peer} and {ours}").format(
                done=text.count(len(heats)), size=text.count(size), peer=heat.peer, ours=heat.ours))
    line.clear()
    return heats


def _write_text(found: Sequence[Standing], problems: int, seeds: int, seconds: float) -> None:
    runs = words.factors_of(((problems, "puzzle"), (seeds, "seed")))
    output.write_line(_("Libraries and solvers of this program: {runs}, {seconds:g} s each").format(
        runs=runs, seconds=seconds))
    output.write_line()
    for line in plain(_table(found), output.terminal_width()):
        output.write_line(line)
    output.write_line()
    output.write_line(_("time: median to a solution; ratio: median of library / ours over the puzzles; ≥ and ≤: cut "
                        "off by the time limit"))


def _table(found: Sequence[Standing]) -> Table:
    headings = (_("library"), _("solved"), _("time"), _("ours"), _("solved"), _("time"), _("ratio"))
    return headings, list(_rows(found))


def _rows(found: Sequence[Standing]) -> Iterator[tuple[str, ...]]:
    for each in found:
        theirs, here = ((words.solved_of(success(took.solved, took.n)),
                         words.quantile(took, took.median, "seconds", 0.5)) for took in (each.theirs, each.here))
        yield each.peer, *theirs, each.ours, *here, ratio_words(each.ratio)


def ratio_words(ratio: Bounds) -> str:
    """`12.3`, `≥ 500`, `≤ 0.2`, `1.2 … 3.4`, or `?` if unknown."""
    low, high = text.significant(ratio.low), text.significant(ratio.high)
    if ratio.low == ratio.high:
        return low
    if not ratio.low:
        return "?" if math.isinf(ratio.high) else f"≤ {high}"
    return f"≥ {low}" if math.isinf(ratio.high) else f"{low} … {high}"
