"""What the answers of the automata say: badge and sentence of the verdict line, and the columns of the questions."""

from __future__ import annotations

from engine.automata.questions import Finding, worded
from engine.puzzle import SYMBOLS, Puzzle
from engine.view import Sentence
from tui.i18n import GAP, _
from tui.messages import told
from tui.screens.automata.question_parser import word_text
from tui.screens.automata.state import Book, Entry

LONGEST = 9
"""Letters of the longest badge of this screen."""


def milliseconds(seconds: float) -> str:
    """Three significant digits: `1.84`, `41.7`, `5 012`."""
    ms = seconds * 1000
    return f"{ms:.2f}" if ms < 10 else f"{ms:.1f}" if ms < 100 else f"{ms:,.0f}".replace(",", " ")


def answer(found: Finding) -> str:
    """One word for the table."""
    if found.result == "unknown":
        return _("unknown")
    yes = found.result == "sat"
    match found.query.topic:
        case "unique":
            return _("yes") if yes else _("no")
        case "word":
            return _("accepted") if yes else _("refused")
        case "model":
            return _("found") if yes else _("none")
    return "SAT" if yes else "UNSAT"


def result(found: Finding, puzzle: Puzzle) -> str:
    """What came of it, as a clause."""
    yes, topic = found.result == "sat", found.query.topic
    if found.result == "unknown" or (found.size and topic != "word"):
        return found.because
    if topic in ("word", "model"):
        return _of_word(found, puzzle.n)
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
        return _("in place of {value} that stands there, the board can be completed").format(value=SYMBOLS[there])
    return _("the board can be completed")


def _several(found: Finding) -> str:
    return _("two solutions, which differ in {number} cells").format(number=len(found.differing))


def _beyond(found: Finding) -> str:
    match found.beyond:
        case "sat":
            return _("accepted, and the whole board can be completed with it")
        case "unsat":
            return _("accepted, but not by the whole board: {because}").format(because=found.because)
    return _("accepted; whether by the whole board is unknown: {because}").format(because=found.because)


def verdict(entry: Entry, puzzle: Puzzle) -> Sentence:
    """The answer in view."""
    found = entry.finding
    fields = {"asked": worded(found.query, puzzle.geometry).removesuffix(" ?"), "said": result(found, puzzle),
              "ms": milliseconds(entry.seconds)}
    template = _template(found)
    if found.size:
        fields |= {"size": str(found.size), "items": str(items(found, puzzle))}
        template += GAP + (_("core {size} of {items}") if found.helps else _("core of {size}, too many to teach"))
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
        return _("ACCEPTED") if found.result == "sat" else _("REFUSED")
    if found.query.topic == "unique":
        return _("YES") if found.result == "sat" else _("NO")
    return "SAT" if found.result == "sat" else "UNSAT"


def _template(found: Finding) -> str:
    if found.result == "unknown":
        return _("{asked} is unknown: {said}")
    if found.query.topic == "value":
        return _("{asked} is possible: {said}") if found.result == "sat" else _("{asked} is impossible: {said}")
    if found.query.topic in ("word", "model"):
        return _("{asked}: {said}")
    return _("{asked} ? {said}")


def items(found: Finding, puzzle: Puzzle) -> int:
    """What a core is made of: the rules of all units and all that stands or is asked."""
    placed = sum(map(bool, found.query.cells))
    asked = found.query.topic == "value" and not found.query.cells[found.query.cell]
    return len(puzzle.geometry.units) + placed + asked


def explained(entry: Entry | None) -> Sentence:
    """What `x` says of the question in view."""
    if entry is None:
        return told(_("NOTHING"), _("nothing was asked that could be explained"))
    found = entry.finding
    if found.told is None:
        said = found.because or _("a completed board needs no explanation; enter shows it")
        return told(_("WHY"), "{why}", why=said)
    if not found.told.rounds:
        return told(_("WHY"), _("{why}; it can be seen on the board"), why=found.told.because)
    return told(_("WHY"), _("{why}; the board shows what was deduced"), why=found.told.because)


def ready(book: Book) -> Sentence:
    """What is said where nothing is asked."""
    givens = str(sum(map(bool, book.puzzle.givens)))
    if book.set_cells:
        said = _("{givens} givens, {set} set; {key_undo} takes back   {key_try_1} to {key_try_9} try a digit   "
                 "{key_ask} asks")
        return told(_("READY"), said, givens=givens, set=str(book.set_cells), key_undo="", key_try_1="", key_try_9="",
                    key_ask="")
    said = _("{givens} givens   {key_try_1} to {key_try_9} try a digit in the cell   {key_ask} asks   "
             "{key_unit} chooses an automaton")
    return told(_("READY"), said, givens=givens, key_try_1="", key_try_9="", key_ask="", key_unit="")


def chosen(book: Book) -> Sentence:
    """What is said where one automaton is chosen."""
    said = _("the automaton of {unit}   {key_ask} types a word of {n} values   {key_word} asks for one   "
             "{key_text} its formula")
    return told(_("UNIT"), said, unit=book.unit_of.name, n=str(book.puzzle.n), key_ask="", key_word="", key_text="")


def asking(question: str, seconds: float, waiting: int, loaded: bool) -> Sentence:
    """While a question is being answered."""
    if not loaded:
        return told(_("LOADING"), _("Z3 is being loaded and the formula written   {seconds} s"),
                    seconds=f"{seconds:.0f}")
    said = _("{question}   {seconds} s   {key_break_off} breaks it off")
    if waiting:
        said += GAP + _("{waiting} more wait")
    return told(_("ASKING"), said, question=question, seconds=f"{seconds:.0f}", key_break_off="", waiting=str(waiting))
