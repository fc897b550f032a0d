"""The questions of `sudoku-tui automata` that are answered as text or JSON, without a screen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.automata.questions import Finding, Query, Result, Topic, worded
from engine.errors import ParameterError
from engine.interrupt import Breaker
from engine.puzzle import Geometry, line_of
from engine.puzzles.formats import PuzzleRecord
from tui import output
from tui.commands import records
from tui.commands.batch import INTERRUPTED, Interrupt, finished
from tui.i18n import _
from tui.screens.automata.question_parser import parse_question, unit_index, word_text

if TYPE_CHECKING:
    from tui.screens.automata.state import AutomataState

TIMEOUT = 60.0
"""Seconds for a question."""
QUESTIONS = ("accepts", "word", "ask", "formula")
"""The options that ask."""


def asks(given: dict[str, Any]) -> bool:
    """True if the options ask a question, so that no screen is opened."""
    return any(given[name] for name in QUESTIONS)


def answer(given: dict[str, Any], record: PuzzleRecord) -> int:
    """Answer the questions in their order. Returns 0 if each answer is yes, else 1. Raises BadInput before the first
    answer."""
    from engine.automata.answers import Inquiry

    queries, inquiry = list(_queries(given, record)), Inquiry(record.puzzle, TIMEOUT)
    write = _write_json if given["layout"] == "jsonl" else _write_text
    code = 0
    with Interrupt() as asked:
        for number, query in enumerate(queries, 1):
            found, seconds = _found(inquiry, query, asked)
            if found is None:
                return INTERRUPTED
            write(records.Subject(number, record.puzzle, record.name), found, seconds)
            output.flush()
            code = max(code, int(found.result != "sat"))
    if given["formula"] and not given["unit"]:
        _write_formula(given, record)
    return code


def _queries(given: dict[str, Any], record: PuzzleRecord) -> Iterator[Query]:
    """The questions as options give them."""
    from tui.screens.automata.state import AutomataState

    state = AutomataState(record.puzzle)
    state.encoding = given["encoding"]
    geometry = record.puzzle.geometry
    if given["unit"]:
        state.select_unit(unit_index(given["unit"], geometry))
    elif given["accepts"] or given["word"]:
        option = "accepts" if given["accepts"] else "word"
        raise ParameterError(_("--{option}: expected --unit as well, for example --unit \"row 3\"").format(
            option=option))
    for typed in given["accepts"]:
        yield _word(state, typed, geometry)
    if given["word"]:
        yield state.query("model")
    for typed in given["ask"]:
        yield _asked(state, typed, geometry)
    if given["formula"] and given["unit"]:
        yield state.query("text")


def _word(state: AutomataState, typed: str, geometry: Geometry) -> Query:
    """A whole word for the selected unit."""
    parsed = parse_question(typed, geometry)
    if parsed.topic != "word" or parsed.unit is not None or len(parsed.word) != geometry.n:
        raise ParameterError(_("--accepts {typed}: expected a word of {n} values").format(typed=typed, n=geometry.n))
    return state.query("word", word=parsed.word)


def _asked(state: AutomataState, typed: str, geometry: Geometry) -> Query:
    """A question as it is typed on the screen."""
    from msgspec.structs import replace

    parsed = parse_question(typed, geometry)
    if parsed.topic == "unit" or (parsed.topic in ("word", "model") and parsed.unit is None and state.scope == "board"):
        raise ParameterError(_("--ask {typed}: expected r3c4=5, \"row 3 = WORD\", solution, second, unique or "
                               "\"count 10\"").format(typed=typed))
    query = state.query(parsed.topic, value=parsed.value, word=parsed.word, unit=parsed.unit)
    return replace(query, cell=parsed.cell, limit=parsed.limit)


def _found(inquiry: Any, query: Query, asked: Interrupt) -> tuple[Finding | None, float]:
    """The answer and its seconds; None at an interrupt, which ends the question."""
    breaker, answers = Breaker(), list[Finding]()

    def work() -> None:
        with breaker.watching():
            answers.append(inquiry.put(query))

    began = time.perf_counter()
    if not finished(work, asked):
        breaker.break_off()
        return None, 0.0
    return answers[0], time.perf_counter() - began


# Layouts


def _write_text(subject: records.Subject, found: Finding, seconds: float) -> None:
    """The sentence of the screen; under it the core, the solutions, the formula."""
    from tui.i18n import translated
    from tui.screens.automata.sentences import verdict
    from tui.screens.automata.state import QuestionRecord

    puzzle = subject.puzzle
    assert puzzle is not None
    if found.texts:
        for text in found.texts:
            output.write_line(text)
        return
    sentence = translated(verdict(QuestionRecord(subject.index, found, seconds), puzzle))
    output.write_line(f"{sentence.badge:<9} {sentence.text}")
    for line in ([", ".join(_core(found, puzzle.geometry))] if found.helps else []):
        output.write_line(_("  core: {items}").format(items=line))
    for grid in (found.grid, found.other):
        if grid:
            output.write_line(f"  {line_of(grid)}")


ANSWERS: dict[Topic, dict[Result, str]] = {
    "unique": {"sat": "yes", "unsat": "no"}, "word": {"sat": "accepted", "unsat": "rejected"},
}
"""The answers that have words of their own, as in the text: Z3 finds that a puzzle is unique by an UNSAT."""


def _write_json(subject: records.Subject, found: Finding, seconds: float) -> None:
    query, puzzle = found.query, subject.puzzle
    assert puzzle is not None
    geometry = puzzle.geometry
    fields: dict[str, object] = {
        "question": worded(query, geometry).removesuffix("?").rstrip(), "topic": query.topic,
        "encoding": query.encoding, "answer": ANSWERS.get(query.topic, {}).get(found.result, found.result),
        "core": _core(found, geometry),
    }
    if query.topic in ("word", "model", "text"):
        fields["unit"] = geometry.units[query.unit].name
    if found.word:
        fields["word"] = word_text(found.word, geometry.n)
    if query.topic == "word":
        fields["blame"] = [position + 1 for position in found.blame]
        fields["board"] = found.beyond
    if query.topic == "count":
        fields |= {"count": found.count, "exact": found.exact}
    if found.grid:
        fields["solutions"] = [line_of(grid) for grid in (found.grid, found.other) if grid]
    if found.texts:
        fields["formula"] = list(found.texts)
    records.write_json(subject, fields | {"seconds": seconds}, found.because or None)


def _core(found: Finding, geometry: Geometry) -> list[str]:
    """`row 3`, `r4c2 = 2`."""
    from engine.automata.unsat_core import Core

    return list(Core(found.units, found.placed).texts(geometry))


def _write_formula(given: dict[str, Any], record: PuzzleRecord) -> None:
    """The formula of the whole board: a line a constraint, or several of a kind with their number."""
    from engine.automata.formula import Instance, formula
    from engine.text import count

    puzzle = record.puzzle
    lines = formula(Instance(puzzle, puzzle.givens, given["encoding"]))
    if given["layout"] == "jsonl":
        said = [{"label": line.label, "text": line.text, "many": line.many} for line in lines]
        records.write_json(records.Subject(1, puzzle, record.name), {
            "question": "formula", "topic": "formula", "encoding": given["encoding"], "formula": said})
        return
    for line in lines:
        many = "" if line.many == 1 else f"   ×{count(line.many)}"
        output.write_line(f"{line.label:<10} {line.text}{many}")
