"""`sudoku-tui warmup`: compile every kernel once, so that no first run waits for it."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import click

from engine.compiled import cache
from engine.errors import BadInput
from engine.files import access
from tui import output
from tui.commands.batch import Progress
from tui.i18n import _

ENGINE = "exact engine"
"""What counts solutions, for checking and generating; no solver."""


@click.command(
    name="warmup", short_help=_("Compile every kernel, so that no first run waits."),
    help=_("""Compile the kernels of every solver, and of the engine that counts solutions, and keep them in a cache, so
that no first run waits for them.

Called by root, without --cache-dir, the cache lies beside the installation (PREFIX/share/sudoku-tui/kernels), where
everybody who uses it finds it by themselves. Called by anybody else it is their own (or $NUMBA_CACHE_DIR).

A cache is also found in /var/cache/sudoku-tui, and wherever $SUDOKU_TUI_KERNELS says. It is read only where nobody but
root and the one who reads it can write. Warm up again after every upgrade and on every kind of processor: what does
not fit is compiled anew by each user."""),
    epilog=_("""\b
Examples, for a machine that many share:
  sudo /opt/sudoku-tui/bin/sudoku-tui warmup
  sudo sudoku-tui warmup --cache-dir /var/cache/sudoku-tui"""))
@click.option("--cache-dir", type=click.Path(), metavar="DIR", help=_("Keep the compiled kernels in DIR, for all."))
def command(cache_dir: str | None) -> int:
    given = _for_all() if cache_dir is None else cache_dir
    if given is not None:
        os.umask(0o022)
        check_directory(given)
        os.environ.update({"NUMBA_CACHE_DIR": os.path.abspath(given), cache.WARMUP_VARIABLE: "1"})
    began = time.perf_counter()
    from engine.compiled import kernel

    where = kernel.cache_directories().own
    if given is not None and (where is None or not where.is_relative_to(os.path.abspath(given))):
        raise BadInput(_("--cache-dir {path}: {what} can be written by others than root and you, so nobody would read "
                         "what is compiled there").format(path=given, what=_whose(given)))
    _compile(began)
    if where is None:
        raise BadInput(_("no directory for compiled kernels can be written to, so every start compiles them anew: "
                         "expected a writable one, see --cache-dir"))
    from engine.compiled.numba_cache import write_errors

    if write_errors:
        raise BadInput(_("not everything could be kept in {where}: {why}").format(
            where=where, why=write_errors[0].strerror or write_errors[0]))
    output.write_line(_("compiled kernels are kept in {where}").format(where=where))
    if given is not None:
        _open_to_all(where)
    return 0


def _for_all() -> str | None:
    """Where root keeps what is compiled for everybody, if that can be written."""
    if os.geteuid() != 0 or os.environ.get("NUMBA_CACHE_DIR") or not os.access(sys.prefix, os.W_OK):
        return None
    return str(cache.installation_directory())


def _compile(began: float) -> None:
    from engine import registry, solutions

    names, progress = registry.names(), Progress()
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
    solutions.warm_up()
    progress.clear()
    output.write_line(f"{ENGINE:<24}  {output.seconds(time.perf_counter() - began)}")


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
        output.write_line(_("everybody who uses this installation finds them there"))
    else:
        output.write_line(_("whoever is to find them there needs {name}={path}").format(
            name=cache.SHARED_VARIABLE, path=where.parent))


def check_directory(path: str) -> None:
    """Make the directory if it is missing. Raises BadInput when nothing can be written there."""
    access.checked(path)
    try:
        os.makedirs(path, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput(_("--cache-dir {path} cannot be written to: {why}").format(path=path, why=why)) from None
