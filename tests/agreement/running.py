"""Asking all of them about all puzzles, in several processes; what was answered is kept and need not be asked again."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.agreement import answers
from tests.agreement.answers import Answer
from tests.agreement.cases import Case

CHUNK = 50
"""Puzzles of one task."""


class Line(Struct, frozen=True):
    """An answer as stored."""

    who: str
    case: str
    answer: Answer


class Wish(Struct, frozen=True):
    """The answerers, and their time limits."""

    names: tuple[str, ...]
    cases: tuple[Case, ...]
    limit: float = 2.0
    """Seconds for each puzzle and name."""
    budget: float = 900.0
    """Seconds for each name in all, after which no more puzzles are put to it."""
    processes: int = 2


def read(path: Path | None) -> list[Line]:
    """The answers in a file of JSON lines; none if it does not exist. A truncated last line is ignored."""
    if path is None or not path.exists():
        return []
    decoder, found = msgspec.json.Decoder(Line), []
    for text in path.read_bytes().splitlines():
        try:
            found.append(decoder.decode(text))
        except msgspec.DecodeError:
            continue
    return found


def asking(wish: Wish, known: Sequence[Line] = ()) -> Iterator[list[Line]]:
    """The missing answers, some puzzles of one answerer at a time. The answerer with the least time so far comes first,
    so that slow ones do not delay the others."""
    spent = dict.fromkeys(wish.names, 0.0)
    done = {(line.who, line.case) for line in known}
    for line in known:
        if line.who in spent:
            spent[line.who] += line.answer.seconds
    left = {name: [case for case in wish.cases if (name, case.name) not in done] for name in wish.names}
    with ProcessPoolExecutor(wish.processes, multiprocessing.get_context("spawn")) as pool:
        under_way: dict[Future[list[Line]], str] = {}
        try:
            while True:
                while len(under_way) < wish.processes and (name := _next(left, spent, wish, set(under_way.values()))):
                    chunk, left[name] = left[name][:CHUNK], left[name][CHUNK:]
                    under_way[pool.submit(answered, name, chunk, wish.limit)] = name
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    name, lines = under_way.pop(future), future.result()
                    spent[name] += sum(line.answer.seconds for line in lines)
                    yield lines
        finally:  # an interrupt does not wait for running work
            for process in multiprocessing.active_children():
                process.terminate()


def _next(left: dict[str, list[Case]], spent: dict[str, float], wish: Wish, busy: set[str]) -> str | None:
    """The answerers in turn, one at a time each, so that a budget holds."""
    names = [name for name in wish.names if left[name] and spent[name] < wish.budget and name not in busy]
    return min(names, key=lambda name: spent[name], default=None)


def answered(name: str, cases: Sequence[Case], limit: float) -> list[Line]:
    """One name, some puzzles."""
    _warm(name)
    return [Line(name, case.name, answers.ask(name, case.puzzle, limit)) for case in cases]


_warmed: set[str] = set()


def _warm(name: str) -> None:
    if name not in _warmed:
        answers.warm_up(name)
        _warmed.add(name)
