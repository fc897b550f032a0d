"""`sudoku-tui replay`: run a run file again and compare every digest."""

from __future__ import annotations

import click

from tui import output
from tui.commands.batch import Progress
from tui.i18n import _


@click.command(
    name="replay", short_help=_("Run a run file again and verify it."),
    help=_("""Run RUNFILE again from its recipe and compare the state with every digest that the file holds.

Exit code: 0 the runs agree, 1 they do not (the step is named), 2 the file cannot be replayed."""),
    epilog=_("""\b
Example:
  sudoku-tui solve hard:1 --save my.run && sudoku-tui replay my.run"""))
@click.argument("runfile", type=click.Path())
def command(runfile: str) -> int:
    from engine.run import run_file as runfiles
    from engine.text import count

    file = runfiles.read(runfile)
    run = runfiles.begin(file)
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
    ending = f"{run.outcome.status} ({run.outcome.reason})" if run.outcome else _("the run goes on")
    output.write_line(_("{file} matches: {steps} steps of {solver}, seed {seed}, digests compared: {digests}; {ending}")
                      .format(file=runfile, steps=count(file.steps), solver=file.recipe.solver, seed=file.recipe.seed,
                              digests=len(file.digests), ending=ending))
    return 0
