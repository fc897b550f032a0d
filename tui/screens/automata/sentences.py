"""Answers of the automata in words: badge and sentence of the verdict line, columns of the list of questions. Pure."""

from __future__ import annotations

from engine.automata.questions import Finding, worded
from engine.puzzle import Geometry, Puzzle
from engine.view import Sentence
from tui.i18n import GAP, _
from tui.messages import message
from tui.screens.automata.question_parser import word_text
from tui.screens.automata.state import AutomataState, QuestionRecord

BADGE = 9
"""Letters to which the badges of this screen are padded."""


def milliseconds(seconds: float) -> str:
    """Three significant digits: `1.84`, `41.7`, `5 012`."""
    ms = seconds * 1000
    return f"{ms:.2f}" if ms < 10 else f"{ms:.1f}" if ms < 100 else f"{ms:,.0f}".replace(",", " ")


def answer(found: Finding) -> str:
    """The answer in one word, for the list."""
    if found.result == "unknown":
        return _("unknown")
    yes = found.result == "sat"
    match found.query.topic:
        case "unique":
            return _("yes") if yes else _("no")
        case "count" if yes:
            return str(found.count) if found.exact else _("{count} or more").format(count=found.count)
        case "word":
            return _("accepted") if yes else _("rejected")
        case "model":
            return _("found") if yes else _("none")
    return "SAT" if yes else "UNSAT"


def result(found: Finding, puzzle: Puzzle) -> str:
    """The answer as a clause."""
    yes, topic = found.result == "sat", found.query.topic
    if found.result == "unknown" or (found.size and topic != "word"):
        return found.because
    if topic in ("word", "model"):
        return _of_word(found, puzzle.n)
    if topic == "count" and yes:
        return _counted(found)
    if topic in ("second", "unique"):
        return _several(found) if found.other else _("exactly one solution")
    return _placed(found) if topic == "value" and yes else _("a solution was found")


def _of_word(found: Finding, n: int) -> str:
    yes = found.result == "sat"
    if found.query.topic == "model":
        return word_text(found.word, n) if yes else found.because
    return f"{word_text(found.word, n)}: {_beyond(found) if yes else found.because}"


def _placed(found: Finding) -> str:
    there = found.query.cells[found.query.cell]
    if there and there != found.query.value:
        return _("with it in place of the {value}, the board can be completed").format(value=there)
    return _("the board can be completed")


def _several(found: Finding) -> str:
    return _("two solutions, {number} cells differ").format(number=len(found.differing))


def _counted(found: Finding) -> str:
    if found.exact:
        return _("exactly one solution") if found.count == 1 else _("exactly {count} solutions").format(
            count=found.count)
    return _("at least {count}").format(count=found.count)


def _beyond(found: Finding) -> str:
    match found.beyond:
        case "sat":
            return _("accepted, and the board can be completed with it")
        case "unsat":
            return _("accepted, but UNSAT on the whole board: {because}").format(because=found.because)
    return _("accepted; unknown for the whole board: {because}").format(because=found.because)


def verdict(asked: QuestionRecord, puzzle: Puzzle) -> Sentence:
    """The verdict line of an answer."""
    found = asked.finding
    fields = {"asked": worded(found.query, puzzle.geometry).removesuffix("?").rstrip(), "answer": result(found, puzzle),
              "ms": milliseconds(asked.seconds)}
    if found.query.topic == "word" and found.result != "unknown":
        fields["asked"] = _("{unit} reads").format(unit=puzzle.geometry.units[found.query.unit].name)
    template = _template(found)
    if found.size:
        fields |= {"size": str(found.size), "units": str(len(puzzle.geometry.units)),
                   "values": str(assumed_values(found, puzzle.geometry))}
        template += GAP + (_("core: {size} values of one cell") if not found.units and len(found.placed) == 2 else
                           _("core: {size} of {units} units and {values} values") if found.helps else
                           _("core of {size}, too large to help"))
        if found.before > found.size:
            fields["before"] = str(found.before)
            template += GAP + _("minimal, {before} before")
        elif found.before:
            template += GAP + _("minimal")
    return Sentence(badge(found), template + GAP + "{ms} ms", fields)


def badge(found: Finding) -> str:
    if found.result == "unknown":
        return _("UNKNOWN")
    if found.query.topic == "word":
        return _("ACCEPTED") if found.result == "sat" else _("REJECTED")
    if found.query.topic == "unique":
        return _("YES") if found.result == "sat" else _("NO")
    return "SAT" if found.result == "sat" else "UNSAT"


def _template(found: Finding) -> str:
    if found.query.topic == "word" and found.result != "unknown":
        return "{asked} {answer}"
    if found.query.topic in ("value", "model"):
        return _("{asked}: {answer}")
    return _("{asked}? {answer}")


def assumed_values(found: Finding, geometry: Geometry) -> int:
    """The number of values that a question about the whole board assumes: those on the board, and the value or the
    letters asked. With the units they are the items that a core is part of."""
    query = found.query
    asked = {"value": (query.cell,), "word": geometry.units[query.unit].cells}.get(query.topic, ())
    return sum(map(bool, query.cells)) + sum(not query.cells[cell] for cell in asked)


def explained(current: QuestionRecord | None) -> Sentence:
    """The explanation of the current question."""
    if current is None:
        return message(_("NOT AVAILABLE"), _("no question to explain"))
    found = current.finding
    if found.explanation is None:
        return message(_("WHY"), "{why}", why=found.because) if found.because else (
            message(_("WHY"), _unrefused(found), key_answer=""))
    if not found.explanation.rounds:
        return message(_("WHY"), "{why}", why=found.explanation.because)
    return message(_("WHY"), _("{why}; deduced values in ( )"), why=found.explanation.because)


def _unrefused(found: Finding) -> str:
    """The explanation of an answer that no core rules out, as a template."""
    if found.query.topic == "model":
        return _("the automaton accepts any word of different values that keeps those that are set")
    if found.query.topic in ("second", "unique", "count"):
        return _("Z3 forbids each solution that it finds and asks for another; {key_answer} shows one")
    return _("a solution needs no explanation; {key_answer} shows it")


def ready(state: AutomataState) -> Sentence:
    """The verdict line without a question."""
    number = sum(map(bool, state.puzzle.givens))
    givens = _("1 given") if number == 1 else _("{number} givens").format(number=number)
    last = f"key_try_{min(9, state.puzzle.n)}"
    keys = {"key_try_1": "", last: "", "key_ask": ""}
    if state.set_cells:
        template = _("{givens}, {set} set; {key_undo} undoes   {key_try_1} to {key_try_9} try a digit   "
                     "{key_ask} asks")
        return message(_("READY"), template.replace("key_try_9", last), givens=givens, set=str(state.set_cells),
                       key_undo="", **keys)
    template = _("{givens}   {key_try_1} to {key_try_9} try a digit in the cell   {key_ask} asks   "
                 "{key_unit} chooses an automaton")
    return message(_("READY"), template.replace("key_try_9", last), givens=givens, key_unit="", **keys)


def unit_selected(state: AutomataState) -> Sentence:
    """The verdict line without a question where one automaton is selected."""
    template = _("the automaton of {unit}   {key_ask} types a word of {n} values   {key_word} asks for one   "
                 "{key_text} its formula")
    return message(_("UNIT"), template, unit=state.selected_unit.name, n=str(state.puzzle.n), key_ask="", key_word="",
                       key_text="")


def asking(question: str, seconds: float, waiting: int, loaded: bool) -> Sentence:
    """The verdict line while a question is being answered."""
    if not loaded:
        return message(_("LOADING"), _("loading Z3 and writing the formula   {seconds} s"), seconds=f"{seconds:.0f}")
    template = _("{question}   {seconds} s   {key_break_off} cancels")
    if waiting:
        template += GAP + _("{waiting} more in the queue")
    return message(_("ASKING"), template, question=question, seconds=f"{seconds:.0f}", key_break_off="",
                   waiting=str(waiting))
