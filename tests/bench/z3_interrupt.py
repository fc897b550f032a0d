"""Latency of Z3 after a timeout, an interrupt, or a request to give way, building included. Other processes on the
machine count as well: the processor time used after the end gives Z3's share."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine import rng
from engine.automata import encodings
from engine.automata.encodings import EncodingName
from engine.automata.givens import validate_givens
from engine.automata.network import NoAnswer
from engine.automata.sudoku import SudokuAutomaton
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle
from tests.bench.result import Options, Result, at_most
from tests.bench.timing import quantile

BUDGET = 100.0
"""ms."""
SPAN = {3: 0.1, 4: 0.4, 5: 1.2}
"""Seconds within which a question is ended, by size of box: while the board is written, while it is first taken in,
and while Z3 searches."""
LONG = 60.0


def measure(options: Options) -> Iterable[Result]:
    samples = 4 if options.quick else 16
    for box in SPAN:
        for encoding in encodings.NAMES:
            yield _row(box, encoding, samples)


def _row(box: int, encoding: EncodingName, samples: int) -> Result:
    late, used, answered = [], [0.0], 0
    for k in range(samples):
        share = (k + rng.draw(box, 0, k, 0) / 2**64) / samples
        over = _late(box, encoding, k, share * SPAN[box], used)
        answered += over is None
        late += [] if over is None else [1000 * over]
    note = (f"p50 {quantile(late, 0.5):.1f}, p95 {quantile(late, 0.95):.1f} ms, worst of {len(late)}; {answered} "
            f"answered before; at most {1000 * max(used):.1f} ms of processor time after an interrupt")
    return at_most(f"late, {encoding} {box**2}x{box**2}", max(late), BUDGET, "ms", note)


def _late(box: int, encoding: EncodingName, number: int, seconds: float, used: list[float]) -> float | None:
    """Seconds by which a query returned too late; None if it was answered before. Adds its processor time to `used`."""
    automaton = SudokuAutomaton(sparse(box), encoding)
    question = list(questions(automaton))[number // 3 % 4]
    gc.collect()
    if number % 3 == 0:
        begun = time.perf_counter()
        return None if question(seconds) is not None else time.perf_counter() - begun - seconds
    breaker = Breaker(grace=0.0)
    end = automaton.interrupt if number % 3 == 1 else lambda: breaker.break_off(at_once=True)
    with breaker.watching():
        return _ended(end, question, seconds, used)


def sparse(box: int) -> Puzzle:
    """A board with too many solutions to count, with one value given twice in a box."""
    n = box**2
    return Puzzle((1, *(0,) * (n - 1), *(0,) * (n * (n - 1))), box)


def questions(automaton: SudokuAutomaton) -> Iterator[Callable[[float], Any]]:
    """Operations that take a timeout and return None if they have no answer."""
    n = automaton.n
    twice = Puzzle((1, 1, *(0,) * (n * n - 2)), automaton.network.geometry.box)
    yield lambda timeout: automaton.count_solutions(10**9, timeout).exact or None
    yield lambda timeout: {"unknown": None}.get(automaton.solve(timeout).status, True)
    yield lambda timeout: _placed(automaton, timeout)
    yield lambda timeout: {"unknown": None}.get(validate_givens(twice, timeout=timeout,
                                                                network=automaton.network).status, True)


def _placed(automaton: SudokuAutomaton, timeout: float) -> bool | None:
    end = time.monotonic() + timeout
    try:
        for cell in range(1, automaton.n**2):
            automaton.is_valid_placement(*divmod(cell, automaton.n), 1, max(0.0, end - time.monotonic()))
    except NoAnswer:
        return None
    return True


def _ended(end: Callable[[], None], question: Callable[[float], Any], seconds: float, used: list[float],
           ) -> float | None:
    ended = [0.0, 0.0]

    def act() -> None:
        ended[:] = time.perf_counter(), time.process_time()
        end()

    timer = threading.Timer(seconds, act)
    timer.start()
    try:
        said = question(LONG)
    except Interrupted:
        said = None
    back, spent = time.perf_counter(), time.process_time()
    timer.cancel()
    timer.join()
    if said is not None:
        return None
    used.append(spent - ended[1])
    return back - ended[0]
