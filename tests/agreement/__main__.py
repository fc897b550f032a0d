"""Puts every shipped puzzle and 10 000 generated ones to all that can tell of solutions, and compares what they tell.

    python -m tests.agreement [--count N] [--seed S] [--only NAME]... [--limit SECONDS] [--budget SECONDS] [--keep FILE]

Asked are the exact engine in all its questions, `check`, `validate_givens`, Z3's automata in four encodings, and every
solver that searches or deduces. Some may give up; none may be wrong. What is undecided within the limit is counted and
named, never called agreement. With `--keep` a run that was stopped goes on where it was. Exit code 1: they disagree.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tests.agreement import answers
from tests.agreement.cases import Case, pool
from tests.agreement.judging import judge
from tests.agreement.running import Line, Wish, asking, read
from tests.agreement.summary import summary


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    cases = pool(options.seed, options.count)
    known = read(options.keep)
    wish = Wish(tuple(options.only or answers.everybody(options.presets)), cases, options.limit, options.budget,
                options.processes)
    lines = [*known, *_kept(asking(wish, known), options.keep)]
    wrong = compared(cases, lines)
    print(summary(cases, lines, options.limit))
    print("\n".join(wrong) if wrong else "no disagreement")
    return 1 if wrong else 0


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.agreement", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="puzzles that are generated (10000)")
    parser.add_argument("--seed", type=int, default=2024, help="what they are generated from (2024)")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this one; may be given again: "
                        + ", ".join(answers.everybody(presets=True)))
    parser.add_argument("--presets", action="store_true", help="also every other preset of the solvers")
    parser.add_argument("--limit", type=float, default=2.0, metavar="SECONDS", help="for one puzzle (2)")
    parser.add_argument("--budget", type=float, default=900.0, metavar="SECONDS", help="for each name in all (900)")
    parser.add_argument("--processes", type=int, default=2, help="(2)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the answers there, and ask no question twice")
    return parser.parse_args(argv)


def _kept(found: Iterable[list[Line]], path: Path | None) -> Iterable[Line]:
    """The answers as they come, written down at once."""
    for lines in found:
        if path is not None:
            with path.open("ab") as file:
                file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        print(f"{lines[0].who}: {len(lines)} up to {lines[-1].case}", file=sys.stderr, flush=True)
        yield from lines


def compared(cases: Sequence[Case], lines: Iterable[Line]) -> list[str]:
    """A sentence for every disagreement."""
    told: defaultdict[str, dict[str, answers.Answer]] = defaultdict(dict)
    for line in lines:
        told[line.case][line.who] = line.answer
    return [f"{case.name} ({case.kind}) {case.puzzle.line}: {sentence}"
            for case in cases for sentence in judge(case, told[case.name])]


if __name__ == "__main__":
    sys.exit(main())
