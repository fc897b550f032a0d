"""A million stored trials: the seconds of the processor that storing and each report take, and the most memory.

The trials are those of `lab_report`, ten times as many, each report in a process of its own as from the command line.
No figure is promised for so many: the budgets are ten times its seconds, and memory that a small machine has.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.bench import lab_report
from tests.bench.result import Options, Result

RUNS, QUICK_RUNS = 1000, 20
SECONDS, MEBIBYTES = 10 * lab_report.SECONDS, 512.0


def measure(options: Options) -> Iterable[Result]:
    yield from lab_report.measured(QUICK_RUNS if options.quick else RUNS, SECONDS, MEBIBYTES)
