"""The entry point: the command `sudoku-tui`, and `python -m tui`.

It imports everything else late, so that ctrl-C during the imports ends the process without a traceback.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from typing import NoReturn


def start() -> NoReturn:
    """Run the command line of this process.

    Until all modules are imported, SIGINT ends the process as it ends any other program; afterwards `main` reports it.
    After an interrupt the process exits without tearing down the interpreter, which would take a quarter of a second
    once code has been compiled.
    """
    os.environ["PYTHONSAFEPATH"] = "1"  # no worker process imports modules from the directory that it is started in
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tui import cli
    from tui.commands.batch import INTERRUPTED

    if handled:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = cli.main()
    if code == INTERRUPTED:
        atexit._run_exitfuncs()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    start()
