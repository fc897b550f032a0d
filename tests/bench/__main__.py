"""`python -m tests.bench`: every budget as measured / budget / ratio. Exits 1 when one is missed."""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from collections.abc import Sequence

from tests.bench.registry import ROWS
from tests.bench.result import Options, Result, missed, table


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repeats and seeds: a look, not a measurement")
    parser.add_argument("--list", action="append", metavar="PATH", default=[],
                        help="an outside puzzle list, one 81-character line each; may be given again "
                             "(else the paths in SUDOKU_BENCH_LISTS)")
    parser.add_argument("--only", action="append", choices=ROWS, metavar="NAME",
                        help=f"only this row; may be given again: {', '.join(ROWS)}")
    parser.add_argument("--puzzles", type=int, metavar="N",
                        help="so many puzzles of each pack for complete_solvers, 0: all (else 10, quick 1)")
    parser.add_argument("--limit", type=float, metavar="SECONDS",
                        help="for each puzzle of complete_solvers (else 10, quick 1)")
    arguments = parser.parse_args(argv)
    options = Options.of(arguments)
    results: list[Result] = []
    for name in arguments.only or ROWS:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        try:
            results += importlib.import_module(f"tests.bench.{name}").measure(options)
        except TimeoutError as error:  # the others are measured all the same
            results.append(missed(name, str(error)))
    print(f"{platform.machine()}, Python {platform.python_version()}{', quick' if options.quick else ''}\n")
    print(table(results))
    return 1 if any(result.verdict == "below" for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
