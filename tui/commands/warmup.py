"""`sudoku-tui warmup`: compile all kernels in advance."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.compiled import cache
from engine.errors import BadInput
from engine.files import access
from tui import output
from tui.commands.batch import Progress, compiled
from tui.i18n import _

if TYPE_CHECKING:
    from engine.solver import AnySolver

ENGINE = "exact engine"
"""The engine that counts solutions, listed after the solvers."""


@click.command(
    name="warmup", short_help=_("Compile all kernels in advance."),
    help=_("""Compile the kernels of all solvers, and of the engine that counts solutions, into a cache, so that no
first run waits for them.

As root, without --cache-dir, the cache is beside the installation (PREFIX/share/sudoku-tui/kernels), where all users
find it. As another user it is your own cache (or $NUMBA_CACHE_DIR).

Caches are also read from /var/cache/sudoku-tui and from $SUDOKU_TUI_KERNELS. A cache is used only if none but root and
its reader can write to it. Repeat this after each upgrade, and for each type of processor; each user compiles what does
not match."""),
    epilog=_("""\b
Examples, for a shared machine:
  sudo /opt/sudoku-tui/bin/sudoku-tui warmup
  sudo sudoku-tui warmup --cache-dir /var/cache/sudoku-tui"""))
@click.option("--cache-dir", type=click.Path(), metavar="DIR", help=_("Directory of the cache, for all users."))
def command(cache_dir: str | None) -> int:
    given = _for_all() if cache_dir is None else cache_dir
    if given is not None:
        os.umask(0o022)
        check_directory(given)
        os.environ.update({"NUMBA_CACHE_DIR": os.path.abspath(given), cache.WARMUP_VARIABLE: "1"})
    from engine.compiled import kernel

    where = kernel.cache_directories().own
    if given is not None and (where is None or not where.is_relative_to(os.path.abspath(given))):
        raise BadInput(_("--cache-dir {path}: {what} can be written by others than root and you, so a cache there "
                         "would not be used").format(path=given, what=_whose(given)))
    _compile()
    if where is None:
        raise BadInput(_("no writable directory for compiled kernels, so each start compiles them again: see "
                         "--cache-dir"))
    from engine.compiled.numba_cache import write_errors

    if write_errors:
        raise BadInput(_("not all kernels could be saved in {where}: {why}").format(
            where=where, why=write_errors[0].strerror or write_errors[0]))
    output.write_line(_("compiled kernels are in {where}").format(where=where))
    if given is not None:
        _open_to_all(where)
    return 0


def _for_all() -> str | None:
    """The cache directory beside the installation, if root may write there."""
    if os.geteuid() != 0 or os.environ.get("NUMBA_CACHE_DIR") or not os.access(sys.prefix, os.W_OK):
        return None
    return str(cache.installation_directory())


def _compile() -> None:
    """Compile everything, with the time that each solver added: some share kernels."""
    from engine import registry, solutions

    names, progress = registry.names(), Progress()
    began = at = time.perf_counter()
    for number, name in enumerate(names):
        progress.draw(number / len(names), name)
        solver = registry.solver(name)
        why = solver.missing()
        if why is None:
            compiled(partial(_warm_up, solver))
        progress.clear()
        if why is not None:
            output.write_line(why)
            continue
        before, at = at, time.perf_counter()
        output.write_line(_row(name, at - before))
        output.flush()
    progress.draw(1.0, ENGINE)
    compiled(solutions.warm_up)
    progress.clear()
    now = time.perf_counter()
    output.write_line(_row(ENGINE, now - at))
    output.write_line(_row(_("in all"), now - began))


def _warm_up(solver: AnySolver) -> None:
    for preset in solver.presets:  # some draw by other kernels
        solver.warm_up(params=solver.make_params(preset))


def _row(name: str, seconds: float) -> str:
    return f"{name:<24}  {output.seconds(seconds):>8}"


def _whose(path: str) -> str:
    from engine.compiled.cache import untrusted_path

    try:
        return str(untrusted_path(Path(path)) or path)
    except OSError:
        return path


def _open_to_all(where: Path) -> None:
    cache.make_readable(where)
    found = (cache.installation_directory(), cache.SYSTEM_DIRECTORY)
    if where.parent in found:
        output.write_line(_("all users of this installation find them there"))
    else:
        output.write_line(_("to find them there, set {name}={path}").format(
            name=cache.SHARED_VARIABLE, path=where.parent))


def check_directory(path: str) -> None:
    """Create the directory if it is missing. Raises BadInput if it cannot be written to."""
    access.checked(path)
    try:
        os.makedirs(path, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput(_("--cache-dir {path} cannot be written to: {why}").format(path=path, why=why)) from None
