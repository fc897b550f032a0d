"""`sudoku-tui bench`: compare solvers on puzzles; results are saved trial by trial and can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engine.errors import ParameterError
from engine.files import access
from engine.rng import MAX_SEED
from tui import output
from tui.commands import options
from tui.config import paths
from tui.i18n import _

LARGE = 20_000
"""More trials than this need a confirmation."""
OF_EXPERIMENT = ("packs", "runs", "seed", "time_limit", "max_steps", "max_evaluations", "jobs", "executor", "out")
"""Options that change an experiment, which is not known yet where it is chosen on the screen."""


@click.command(
    name="bench", short_help=_("Compare solvers with confidence intervals."),
    help=_("""Make the trials of EXPERIMENT, a shipped one (see --list) or a TOML file; without it, compare --solvers on
--packs. Of an experiment of several parts, PART names those to run (see `bench EXPERIMENT --list`): the whole of
`course` takes about a quarter of an hour on two cores, most of its parts take seconds.

Each trial is saved when it finishes: after an interrupt or a power cut, the same command makes the rest. Results are in
DIR/results.sqlite; by default DIR is a folder of your data directory named after the experiment.

--packs, --runs, --seed and the limits replace those of EXPERIMENT; at most one of --time-limit, --max-steps and
--max-evaluations. As many puzzles are taken of each pack as EXPERIMENT has in its largest group. Only
time-limited trials depend on the machine.

Exit code: 0 all trials made, 1 some failed (internal error of a solver) or not
confirmed, 2 bad input, 130 interrupted."""),
    epilog=_("""\b
Examples:
  sudoku-tui bench quick
  sudoku-tui bench cooling --runs 50 --report cooling.html
  sudoku-tui bench --solvers anneal,anneal:easy,dlx --packs easy,hard --max-evaluations 1e6
  sudoku-tui bench course cooling z3 --runs 3
  sudoku-tui bench course cooling --packs medium --time-limit 5
  sudoku-tui bench course --scheduler tcp://192.168.0.10:8786
  sudoku-tui bench --peers --packs easy,hard --time-limit 5
  sudoku-tui bench mine.toml --out results --format csv > trials.csv"""))
@click.argument("experiment", required=False, shell_complete=lambda ctx, param, begun: complete(begun))
@click.argument("parts", nargs=-1, metavar="[PART]...", shell_complete=lambda ctx, param, begun: complete_part(
    ctx, begun))
@click.option("-s", "--solvers", metavar="A,B", help=_("Solvers to compare, each NAME or NAME:PRESET."))
@click.option("--packs", metavar="A,B", help=_("Packs, pack:number or files.  [default: easy, without EXPERIMENT]"))
@click.option("--runs", type=options.Whole(1, 10**9), metavar="N",
              help=_("Run each puzzle N times, with the seeds SEED, SEED+1, ...  [default: 1]"))
@click.option("--seed", type=options.Whole(0, MAX_SEED), metavar="N", help=_("The first seed.  [default: 0]"))
@click.option("--time-limit", type=options.Seconds(), metavar="S",
              help=_("End a trial after S seconds; 0: never.  [default: 10, without EXPERIMENT and another limit]"))
@click.option("--max-steps", type=options.COUNT, metavar="N", help=_("End a trial after N steps."))
@click.option("--max-evaluations", type=options.COUNT, metavar="N",
              help=_("End a trial after N evaluated candidates."))
@click.option("-j", "--jobs", type=options.Whole(1, 1024), metavar="N",
              help=_("Parallel trials.  [default: number of processors]"))
@click.option("--executor", type=click.Choice(["processes", "threads", "here"]),
              help=_("Make trials in processes, threads or one by one.  [default: processes]"))
@click.option("--scheduler", metavar="ADDRESS",
              help=_("Run trials on the workers of a Dask scheduler: tcp://HOST:PORT."))
@click.option("--peers", is_flag=True,
              help=_("Time other libraries instead, and compare puzzle by puzzle with this program."))
@click.option("--out", metavar="DIR", help=_("Folder of the results."))
@click.option("--format", "layout", type=click.Choice(["text", "csv", "jsonl", "markdown"]), default="text",
              show_default=True, help=_("A table, a row or JSON object per trial, or tables in Markdown."))
@click.option("--report", metavar="FILE", multiple=True,
              help=_("Write a report as well: .html, .md, .csv or .jsonl; one file for each part of the experiment. "
                     "Repeatable."))
@click.option("--screen", is_flag=True, help=_("Show the experiment on the screen; without EXPERIMENT and --solvers, "
                                               "choose one there."))
@click.option("--ascii/--unicode", default=None,
              help=_("With --screen: draw with ASCII characters only, or with all that the terminal can show."))
@click.option("-y", "--yes", is_flag=True,
              help=_("Do not ask before an experiment of more than 20 000 trials; --screen does not ask."))
@click.option("--list", "listing", is_flag=True, help=_("List the shipped experiments, or the parts of EXPERIMENT."))
def command(**given: Any) -> int:
    from tui.commands.bench.report import check_report
    from tui.commands.bench.selection import chosen

    _refuse_in_kiosk(given)
    if given["listing"]:
        _list(given["experiment"])
        return 0
    if given["screen"] and given["peers"]:
        raise ParameterError(_("--screen and --peers: expected only one of them"))
    if given["ascii"] is not None and not given["screen"]:
        raise ParameterError(_("--{name}: expected --screen beside it").format(
            name="ascii" if given["ascii"] else "unicode"))
    if given["screen"] and given["experiment"] is None and given["solvers"] is None:
        for option in OF_EXPERIMENT:
            if _typed(option):
                raise ParameterError(_("--screen and --{name}: expected an EXPERIMENT or --solvers beside them").format(
                    name=option.replace("_", "-")))
        return _screen(given, ())
    for path in given["report"]:
        check_report(path, given["out"])
    how = _how(given)
    parts = chosen(given)
    if given["peers"]:
        from tui.commands.bench.peers import compare

        return compare(given, parts)
    for sentence in dict.fromkeys(why for part in parts for why in part.left_out):
        output.say(_("left out: {why}").format(why=sentence))
    return _screen(given, parts) if given["screen"] else _run(given, parts, how)


def _refuse_in_kiosk(given: dict[str, Any]) -> None:
    """Raise ParameterError for options that start processes or connect to other machines."""
    if access.kiosk() is None:
        return
    for name, wanted in (("scheduler", given["scheduler"] is not None), ("peers", given["peers"]),
                         ("executor processes", given["executor"] == "processes")):
        if wanted:
            raise ParameterError(_("--{name}: this is a kiosk, which runs trials in threads only").format(
                name=name))


def _folder(given: dict[str, Any], whole: str) -> Path:
    """The folder of the results. Raises ParameterError."""
    folder = access.checked(paths.results(whole) if given["out"] is None else given["out"])
    if folder.exists() and not folder.is_dir():
        raise ParameterError(_("--out {folder}: expected a folder or an unused name").format(folder=folder))
    return folder


def _typed(name: str) -> bool:
    """Test for a parameter of the command that was given on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _screen(given: dict[str, Any], parts: Any) -> int:
    """Show the bench; without parts the user chooses an experiment there."""
    from tui.commands.lab import refuse_without_terminal
    from tui.config import config_file
    from tui.requests import AppRequest, BenchRequest

    for name, wanted in (("report", given["report"]), ("scheduler", given["scheduler"]), ("format", _typed("layout"))):
        if wanted:
            raise ParameterError(_("--screen and --{name}: expected only one of them").format(name=name))
    refuse_without_terminal(_("`bench --screen`"), _("leave out --screen for text output"))
    from tui.launch import run_app

    request = BenchRequest()
    if parts:
        folder = _folder(given, parts[0].whole)
        request = BenchRequest(parts[0].whole, parts, folder / paths.RESULTS, given["executor"], given["jobs"] or 0)
    return run_app(AppRequest(request, ascii=given["ascii"], config=config_file.load()))


def _how(given: dict[str, Any]) -> Any:
    """The executor of the trials."""
    from engine.bench.executors.scheduling import default_executor

    if given["scheduler"] is None:
        return given["executor"] or default_executor()
    from engine.bench.executors import dask

    for name in ("executor", "jobs"):
        if _typed(name):
            raise ParameterError(_("--scheduler and --{name}: the scheduler has its own workers, expected only one "
                                   "of them").format(name=name))
    dask.require()
    return dask.Scheduler(given["scheduler"])


def _run(given: dict[str, Any], parts: Any, how: Any) -> int:
    """Make the trials, then write the results."""
    from engine.bench.store import Store
    from tui.commands.bench import report
    from tui.commands.bench.run import Bench

    folder = _folder(given, parts[0].whole)
    try:
        access.make_folder(folder)
    except OSError as error:
        raise ParameterError(_("--out {folder}: the folder cannot be made ({why}), expected a writable place").format(
            folder=folder, why=error.strerror or error)) from None
    with Store(folder / paths.RESULTS) as store:
        code = Bench(parts, store, given["jobs"] or 0, how).run(None if given["yes"] else LARGE)
        if code:
            return code
        failed = report.write(parts, store, given["layout"], given["report"])
        output.flush()
        output.say(_("results are in {file}").format(file=store.path))
    return 1 if failed else 0


def _list(experiment: str | None) -> None:
    """The shipped experiments, or the parts of one."""
    from engine.bench import experiment_file
    from engine.text import count

    def line(name: str, size: int, about: str) -> str:
        return f"{name:<{room}} {_('{count} trials').format(count=count(size)):>12}  {about}"

    if experiment is not None:
        parts = experiment_file.load(experiment)
        names = [part.name.removeprefix(f"{part.part_of}: ") for part in parts]
        room = max(map(len, names))
        for name, part in zip(names, parts, strict=True):
            output.write_line(line(name, part.size, part.about))
        return
    room = max(map(len, experiment_file.shipped()))
    for name in experiment_file.shipped():
        written, source = experiment_file.read(experiment_file.path_of(name))
        output.write_line(line(name, sum(part.size for part in experiment_file.parts(written, source)), written.about))


def complete_part(ctx: click.Context, begun: str) -> list[click.shell_completion.CompletionItem]:
    """Complete names of the parts of the experiment before it."""
    from engine.bench import experiment_file
    from engine.errors import BadInput

    try:
        written, _source = experiment_file.read(experiment_file.path_of(ctx.params.get("experiment") or ""))
    except BadInput:
        return []
    return [click.shell_completion.CompletionItem(part.name) for part in written.parts if part.name.startswith(begun)]


def complete(begun: str) -> list[click.shell_completion.CompletionItem]:
    """Complete names of shipped experiments, and files, which come first: bash drops what is before them."""
    from engine.bench.experiment_file import shipped

    found = [click.shell_completion.CompletionItem(name) for name in shipped() if name.startswith(begun)]
    return [click.shell_completion.CompletionItem(begun, type="file"), *found]
