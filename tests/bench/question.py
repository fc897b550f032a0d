"""A question of hands on: from the key that answers to the judgement, from the next key to the next question, and their
bytes."""

from __future__ import annotations

from collections.abc import Iterable

from tests.bench.result import Options, Result, at_most
from tests.bench.screen import READY, Watched
from tests.bench.timing import quantile

ANSWERS, QUICK_ANSWERS = 100, 20
SOLVERS = {"anneal": 50.0, "backtrack-mrv": 50.0, "dlx": 50.0, "z3": 300.0}
"""Milliseconds within which 95 of 100 answers must be judged, and as many next questions asked."""
MOST_BYTES = 1500
OPEN, JUDGED = b"skip", b"next"
"""Words of the footer while a question is open, and once it is judged."""
SELECT = " \x1b[C "
"""Selects an option, or marks one or a cell, the first one too; in a number it types nothing. A filled cell may be no
answer."""
NO_ANSWER = b"NO ANSWER"
"""What is written over `YOUR TURN` where there is no answer to be judged."""


def measure(options: Options) -> Iterable[Result]:
    answers = QUICK_ANSWERS if options.quick else ANSWERS
    for solver, budget in SOLVERS.items():
        with Watched("easy:1", "--solver", solver, "--seed", "0", columns=80, rows=24) as program:
            program.until(lambda seen: READY in seen)
            program.take(1.0)
            program.press("H")
            program.until(lambda seen: OPEN in seen)
            program.take(0.5)
            judged, asked, before = [], [], program.sent
            for _ in range(answers):
                program.press(SELECT + "0.5")  # the digits are an answer where a number is asked
                program.take(0.1)
                took = _judged(program)
                if took is None:
                    program.press("s")
                    program.take(0.3)
                    continue
                judged.append(1000 * took)
                program.take(0.1)
                asked.append(1000 * program.effect("\r", OPEN))
                program.take(0.1)
        yield at_most(f"answer judged ({solver}): p95", quantile(judged, 0.95), budget, "ms",
                      f"{answers} answers, the half within {quantile(judged, 0.5):.0f} ms")
        yield at_most(f"next question ({solver}): p95", quantile(asked, 0.95), budget, "ms",
                      f"the half within {quantile(asked, 0.5):.0f} ms")
        yield at_most(f"a question and its answer ({solver})", (program.sent - before) / answers, MOST_BYTES, "B")


def _judged(program: Watched) -> float | None:
    """The seconds from the key to the judgement; None if there is no answer to be judged."""
    refused: list[bool] = []

    def ended(seen: bytes) -> bool:
        refused[:] = [NO_ANSWER in seen]
        return refused[0] or JUDGED in seen

    began = program.press("\r")
    took = program.until(ended) - began
    return None if refused[0] else took
