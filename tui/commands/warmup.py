"""`sudoku-tui warmup`: compile every kernel once, so that no first run waits for it."""

from __future__ import annotations

import os
import tempfile
import time

import click

from engine import door
from engine.errors import BadInput
from tui.commands import output
from tui.commands.progress import Progress
from tui.i18n import _

ENGINE = "exact engine"
"""What counts solutions, for checking and generating; no solver."""


@click.command(
    name="warmup", short_help=_("Compile every kernel, so that no first run waits."),
    help=_("""Compile the kernels of every solver, and of the engine that counts solutions, and keep them in a cache, so
that no first run waits for them.

Without --cache-dir the cache is the user's own (or $NUMBA_CACHE_DIR)."""),
    epilog=_("""\b
Example, for a machine that many share:
  sudoku-tui warmup --cache-dir /var/cache/sudoku-tui"""))
@click.option("--cache-dir", type=click.Path(), metavar="DIR", help=_("Keep the compiled kernels in DIR."))
def command(cache_dir: str | None) -> int:
    from engine import exact, registry

    if cache_dir is not None:
        check_directory(cache_dir)
        os.environ["NUMBA_CACHE_DIR"] = os.path.abspath(cache_dir)
    names, progress = registry.names(), Progress()
    began = time.perf_counter()
    for number, name in enumerate(names):
        progress.draw(number / len(names), name)
        solver = registry.solver(name)
        why = solver.missing()
        if why is None:
            solver.warm_up()
        progress.clear()
        if why is not None:
            output.write_line(why)
            continue
        output.write_line(f"{name:<24}  {output.seconds(time.perf_counter() - began)}")
        output.flush()
    progress.draw(1.0, ENGINE)
    exact.warm_up()
    progress.clear()
    output.write_line(f"{ENGINE:<24}  {output.seconds(time.perf_counter() - began)}")
    where = _cache()
    if where is None:
        raise BadInput(_("no directory for compiled kernels can be written to, so every start compiles them anew: "
                         "expected a writable one, see --cache-dir"))
    output.write_line(_("compiled kernels are kept in {where}").format(where=where))
    return 0


def _cache() -> str | None:
    from engine.jit import CACHE_DIRECTORY

    return None if CACHE_DIRECTORY is None else str(CACHE_DIRECTORY)


def check_directory(path: str) -> None:
    """Make the directory if it is missing. Raises BadInput when nothing can be written there."""
    door.checked(path)
    try:
        os.makedirs(path, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput(_("--cache-dir {path} cannot be written to: {why}").format(path=path, why=why)) from None
