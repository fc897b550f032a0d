"""`sudoku-tui`: runs a command, and turns each error into one sentence and an exit code.

Exit codes: 0 success; 1 the answer is no (not solved, no match, contradictory givens); 2 bad input; 70 internal error;
130 interrupted; 141 broken pipe (SIGPIPE).
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Sequence

import click

from engine import __version__
from engine.compiled import memory
from engine.errors import BadInput, UnknownName
from tui import PROGRAM
from tui.commands import COMMANDS, COMPLETE, LAB
from tui.commands.batch import INTERRUPTED
from tui.i18n import _
from tui.kiosk import enter
from tui.output import DEBUG, OutputError, buffer_stdout, flush, say, use_ascii, write_line

BAD_INPUT, INTERNAL_ERROR, BROKEN_PIPE = 2, 70, 141

COMMAND_WORD = re.compile(r"[a-z][a-z-]{1,20}")
"""A word that could be meant as a command."""
OWN_OPTIONS = ("--help", "-h", "--version")


class Program(click.Group):
    """The command group. A command line that does not begin with a command opens the laboratory."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if name != LAB]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.list_commands(ctx) or args[0] in OWN_OPTIONS)
        completing_first = ctx.resilient_parsing and not args
        if args and not named and not ctx.resilient_parsing:
            _refuse_unknown_command(args)
        return super().parse_args(ctx, args if named or completing_first else [LAB, *args])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        found = super().shell_complete(ctx, incomplete)
        lab = self.get_command(ctx, LAB)
        if lab is not None:
            inner = lab.make_context(LAB, [], parent=ctx, resilient_parsing=True)
            found += lab.shell_complete(inner, incomplete)
            if not incomplete.startswith("-"):
                puzzle = next(param for param in lab.params if isinstance(param, click.Argument))
                found = [*puzzle.shell_complete(inner, incomplete), *found]  # the files first, for bash
        return found

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(PROGRAM, "[PUZZLE] [OPTIONS]")
        formatter.write_usage(PROGRAM, "COMMAND [ARGUMENTS]")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lab = self.get_command(ctx, LAB)
        params = [*(lab.params if lab else ()), *self.params]
        rows = [row for param in params
                if isinstance(param, click.Option) and (row := param.get_help_record(ctx)) is not None]
        with formatter.section(_("Options of the laboratory")):
            formatter.write_dl(rows)
        self.format_commands(ctx, formatter)


def _refuse_unknown_command(args: Sequence[str]) -> None:
    """Raise UnknownName if the first word is a command with a typing error: it is like one or followed by another word,
    and neither a file nor a pack nor a puzzle."""
    word = args[0].lower()
    if not COMMAND_WORD.fullmatch(word):
        return
    from engine.puzzles import packs
    from engine.puzzles.sources import exists

    if args[0] in COMMANDS or exists(args[0], separated=True) or word in packs.pack_names() or word in packs.by_name():
        return
    import difflib

    commands = [name for name in COMMANDS if name != LAB]
    near = difflib.get_close_matches(word, commands, n=1)
    if near:
        raise UnknownName(_("no command {name}: did you mean {near}?").format(name=repr(args[0]), near=near[0]))
    if len(args) > 1 and not args[1].startswith("-"):
        raise UnknownName(_("no command {name}: expected one of {commands}, or a puzzle").format(
            name=repr(args[0]), commands=", ".join(commands)))


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        write_line(f"{PROGRAM} {__version__}")
        ctx.exit()


def _misplaced(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None and not ctx.resilient_parsing:
        raise click.UsageError(_kiosk_first(), ctx)


def _kiosk_first() -> str:
    return _("{option} must come before all other arguments").format(option=enter.OPTION)


program = Program(
    name=PROGRAM,
    help=_("""A laboratory for watching search algorithms on Sudoku, step by step.

Without a command it opens PUZZLE (a file, a grid, or a pack and number such as hard:1) on the screen, with simulated
annealing ready to play, or the run of a run file; without PUZZLE, the list of all puzzles and solvers. A command takes
precedence over a file of the same name; ./solve is the file."""),
    epilog=_("""\b
Examples:
  sudoku-tui                                choose a puzzle and a solver
  sudoku-tui easy:1                         open an easy puzzle and watch
  sudoku-tui easy:3 --preset easy --play    classical annealing, playing at once
  sudoku-tui solve hard --format jsonl      solve a pack, one JSON object per line
  sudoku-tui solve grid.sdk --seed 7 --save my.run
  sudoku-tui trace easy:1 --every 500       E every 500 steps
  sudoku-tui replay my.run                  repeat a run and verify its digests
  sudoku-tui hands-on easy:1                decide the steps of a run yourself

\b
PUZZLE and SOURCE are a file, - (stdin), a grid written out, or pack:number."""),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=[click.Option(["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version,
                         help=_("Show the version and exit.")),
            click.Option([enter.OPTION], metavar="DIR", expose_value=False, callback=_misplaced,
                         help=_("Allow access to files in DIR only; must come first."))],
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code. Raises nothing but SystemExit."""
    _open_missing_streams()
    buffer_stdout()
    use_ascii(False)
    try:
        words = enter.enter(sys.argv[1:] if arguments is None else arguments)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's threads are of no use here
        if COMPLETE in os.environ:
            from click.shell_completion import shell_complete

            return shell_complete(program, {}, PROGRAM, COMPLETE, os.environ[COMPLETE])
        code = _run(words)
        flush()
        return code
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    except BaseException as error:
        code = _report(error)
        _flush_quietly()
        return code


def _open_missing_streams() -> None:
    """Open the null device for each standard stream that is closed, where Python has None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _run(arguments: list[str]) -> int:
    try:
        with program.make_context(PROGRAM, arguments) as ctx:
            code = program.invoke(ctx)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    return code if isinstance(code, int) else 0


def _report(error: BaseException) -> int:
    """Report an error in one sentence; returns its exit code."""
    match error:
        case KeyboardInterrupt() | click.Abort():
            say(_("interrupted"))
            return INTERRUPTED
        case SystemExit():
            raise error
        case click.UsageError():
            say(_usage(error))
        case BadInput():
            say(str(error))
        case click.ClickException():
            say(error.format_message())
        case UnicodeError():
            say(_("the input is not text in UTF-8: {why}").format(why=error))
        case _ if memory.ran_out(error):
            say(_("not enough memory"))
        case OSError():
            say(_file_error(error))
        case _:
            say(_("internal error: {kind}: {why} (set {name}=1 for a traceback)").format(
                kind=type(error).__name__, why=error, name=DEBUG))
            return INTERNAL_ERROR
    return BAD_INPUT


def _usage(error: click.UsageError) -> str:
    message = error.format_message().rstrip(".")
    if isinstance(error, click.NoSuchOption) and error.option_name == enter.OPTION:
        message = _kiosk_first()
    return _("{message} (see `{program} --help`)").format(message=message, program=_typed_name(error.ctx))


def _typed_name(ctx: click.Context | None) -> str:
    """A command as it is typed: `sudoku-tui list params`."""
    names: list[str] = []
    while ctx is not None and ctx.parent is not None:
        if ctx.command.name not in (LAB, None):
            names.insert(0, str(ctx.command.name))
        ctx = ctx.parent
    return " ".join([PROGRAM, *names])


def _file_error(error: OSError) -> str:
    why = error.strerror or str(error)
    if isinstance(error, OutputError):
        return _("cannot write to standard output: {why}").format(why=why)
    if error.filename:
        return _("cannot read or write {file}: {why}").format(file=error.filename, why=why)
    return _("reading or writing failed: {why}").format(why=why)


def _flush_quietly() -> None:
    try:
        flush()
    except (OSError, ValueError):
        _discard_output()


def _discard_output() -> None:
    """Redirect stdout to the null device, so that the interpreter does not report a broken pipe at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass

