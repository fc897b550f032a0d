"""The number of answers per answerer, and the undecided ones: as a table and a list."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from tests.agreement.cases import Case
from tests.agreement.judging import decided
from tests.agreement.running import Line
from tests.bench.result import aligned

HEADINGS: Final = ("who", "asked", "solved", "of these one", "of these several", "none", "not one", "undecided",
                   "refused", "total s", "median ms", "most ms")
NAMED: Final = 6
"""Undecided puzzles of a kind that are named."""


def summary(cases: Sequence[Case], lines: Sequence[Line], limit: float) -> str:
    """A Markdown table, and below it what each left undecided, by kind."""
    by_name = {case.name: case for case in cases}
    of: dict[str, list[Line]] = {}
    for line in lines:
        if line.case in by_name:
            of.setdefault(line.who, []).append(line)
    rows = [HEADINGS, *(_row(who, each) for who, each in of.items())]
    left = [f"- {who}: {text}" for who, each in of.items() if (text := _undecided(each, by_name))]
    head = f"{len(cases)} puzzles, {limit:g} s of the processor for each and everybody"
    return "\n".join([head, "", aligned(rows), "", *(["undecided:", *left, ""] if left else [])])


def _row(who: str, lines: Sequence[Line]) -> tuple[str, ...]:
    said = Counter(line.answer.says for line in lines)
    taken = [line.answer.seconds for line in lines if decided(line.answer)]
    counts = (len(lines), said["some"] + said["one"] + said["several"], said["one"], said["several"], said["none"],
              said["not one"], said["undecided"], said["refused"])
    times = ((f"{sum(line.answer.seconds for line in lines):.0f}", f"{1000 * statistics.median(taken):.2f}",
              f"{1000 * max(taken):.0f}") if taken else ("-",) * 3)
    return (who, *map(str, counts), *times)


def _undecided(lines: Sequence[Line], cases: dict[str, Case]) -> str:
    """`9x9 12 of 4000 (easy:3, ...)`, a kind after the other."""
    asked = Counter(cases[line.case].kind for line in lines)
    left: defaultdict[str, list[str]] = defaultdict(list)
    for line in lines:
        if line.answer.says == "undecided":
            left[cases[line.case].kind].append(line.case)
    return "; ".join(f"{kind} {len(names)} of {asked[kind]} ({_named(names)})" for kind, names in sorted(left.items()))


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
