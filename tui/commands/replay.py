"""`sudoku-tui replay`: repeat the run of a run file and compare all digests."""

from __future__ import annotations

import click

from tui import output
from tui.commands import records
from tui.commands.batch import Progress, warm_up
from tui.i18n import _, steps_text


@click.command(
    name="replay", short_help=_("Repeat the run of a run file and verify it."),
    help=_("""Repeat the run of RUNFILE from its recipe and compare the states with the digests in the file.

Exit code: 0 the runs agree, 1 they differ (the step is named), 2 the file cannot be replayed."""),
    epilog=_("""\b
Example:
  sudoku-tui solve hard:1 --save my.run && sudoku-tui replay my.run"""))
@click.argument("runfile", type=click.Path())
def command(runfile: str) -> int:
    from engine.run import run_file as runfiles
    from engine.text import count

    file = runfiles.read(runfile)
    run = runfiles.begin(file)
    warm_up(run.solver, file.recipe.puzzle, run.params)
    progress = Progress()

    def watch(step: int) -> None:
        if progress.due:
            progress.draw(step / max(1, file.steps), _("step {step}").format(step=count(step)))

    mismatch = runfiles.replay(run, file, watch)
    progress.clear()
    if mismatch is not None:
        output.say(_("{file} does not match: at step {step}, {what}").format(
            file=runfile, step=count(mismatch.step), what=mismatch.what))
        return 1
    ending = records.ending(run.outcome.status, run.outcome.reason) if run.outcome else _("unfinished")
    output.write_line(_("{file} matches: {steps} of {solver}, seed {seed}, digests compared: {digests}; {ending}")
                      .format(file=runfile, steps=steps_text(file.steps), solver=file.recipe.solver,
                              seed=file.recipe.seed, digests=len(file.digests), ending=ending))
    return 0
