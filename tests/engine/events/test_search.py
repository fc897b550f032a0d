"""The events that searches, deductions and foreign engines share: their sentences, kinds and lines of the log."""

from __future__ import annotations

import pytest

from engine.conformance.views import check_sentence
from engine.events import Assigned, Event, event_types, rare_kinds, search
from engine.events.because import because
from engine.events.explain import explain
from engine.events.search import (
    Asked,
    Backjumped,
    Covered,
    Decided,
    Found,
    Passed,
    Propagated,
    Revised,
    Uncovered,
    answered,
)
from tui.widgets.log import line_of

PAIR = Found(1, "", "Naked pair", (18, 19), (1, 7), ((20, 1), (26, 7)), (), "1 and 7 in row 3")
SINGLE = Found(1, "", "Hidden single", (21,), (4,), (), ((21, 4),), "4 in row 3")
LONG = Asked(1, "", "a second solution", "unsat", core=("row 1",) * 16)

SAID: list[tuple[Event, str, str, str]] = [
    (PAIR, "FOUND", "Naked pair   1 and 7 in row 3   so r3c3≠1 r3c9≠7", "Naked pair: 1 and 7 in row 3"),
    (SINGLE, "FOUND", "Hidden single   4 in row 3   r3c4 ← 4", "Hidden single: 4 in row 3"),
    (Revised(1, "", 0, 9, (4,), 3, 120), "ELIMINATED", "r1c1 against r2c1   r1c1 ≠ 4, 3 candidates left   queue 120",
     "r1c1→r2c1 ≠ 4"),
    (Revised(1, "", 0, 9, (), 3, 1200), "CONSISTENT", "r1c1 against r2c1   every value has support   queue 1 200",
     "r1c1→r2c1"),
    (Covered(1, "", 21, 4, "row 3 needs 4", 2, 5), "COVERED", "r3c4 ← 4   row 3 needs 4   its choices 2   depth 5",
     "r3c4 ← 4"),
    (Uncovered(1, "", 21, 4, 5), "UNCOVERED", "r3c4 = 4 taken back   depth 5", "r3c4 ← ∅"),
    (Asked(1, "", "r1c6 = 2", "unsat", (5,), ("row 4", "r4c2 = 2"), "column 5 has no place left for 2", 1840), "UNSAT",
     "r1c6 = 2   column 5 has no place left for 2   core 2   work 1 840", "r1c6 = 2 unsat"),
    (Asked(1, "", "r1c6 = 9", "sat", (5,)), "SAT", "r1c6 = 9", "r1c6 = 9 sat"),
    (Asked(1, "", "r1c6 = 9", "unknown", (5,), (), "the limit of 5 s is reached"), "UNKNOWN",
     "r1c6 = 9   the limit of 5 s is reached", "r1c6 = 9 unknown"),
    (LONG, "UNSAT", "a second solution   core 16, too many to list",
     "a second solution unsat"),
    (Propagated(1, "", 21, 4, False, 2), "PROPAGATED", "r3c4 ≠ 4   level 2", "r3c4 ≠ 4"),
    (Decided(1, "", 21, 4, True, 3), "DECIDED", "r3c4 = 4   level 3", "r3c4 = 4"),
    (Backjumped(1, "", 2, 1), "BACKJUMP", "decisions given up 2   back to level 1", "back to level 1"),
    (Passed(1, "", 12, 0.25, 0.5, 30), "MESSAGES", "sweep 12   largest change 0.250   entropy 0.500   sure 30",
     "entropy 0.500"),
]


def test_an_answer_names_its_effort_by_the_word_of_the_solver() -> None:
    asked = Asked(1, "", "of the work {work}", "sat", work=1840)
    assert answered(asked, effort="branches").text == "of the work {work}   branches 1 840"
    assert explain(asked) == answered(asked)


@pytest.mark.parametrize(("event", "badge", "sentence", "line"), SAID, ids=lambda each: type(each).__name__)
def test_sentences(event: Event, badge: str, sentence: str, line: str) -> None:
    said = explain(event)
    assert (said.badge, said.text) == (badge, sentence)
    check_sentence(said, type(event).__name__)
    logged = line_of(event)
    assert logged is not None
    assert logged.what == line


def test_a_reason_begins_with_a_capital_letter_or_the_name_of_a_cell() -> None:
    assert because(Covered(1, "", 21, 4, "row 3 needs 4", 1, 5)).text == (
        "Row 3 needs 4, and this is the only choice left for it.")
    assert because(Covered(1, "", 21, 4, "r3c4 needs a value", 2, 5)).text == (
        "r3c4 needs a value, and 2 choices can cover it: this one is tried.")


def test_every_event_of_the_module_has_a_sentence() -> None:
    assert {type(event) for event, *_ in SAID} == {each for each in event_types()
                                                   if each.__module__ == search.__name__}


def test_kinds_of_different_solvers_meet_where_they_mean_the_same() -> None:
    assert PAIR.kinds == ("naked_pair", "found", "eliminated")
    assert SINGLE.kinds == ("hidden_single", "found", "assigned")
    assert Covered(1, "", 0, 1, "", 3, 1).kinds == ("covered", "assigned", "guess")
    assert Covered(1, "", 0, 1, "", 1, 1).kinds == ("covered", "assigned")
    assert Assigned(1, "", 0, 1, "two left", 1, True).kinds == ("assigned", "guess")
    assert Revised(1, "", 0, 9, (), 3, 1).kinds == ("revised",)


def test_an_event_touches_the_cells_that_changed() -> None:
    assert PAIR.touched == (20, 26)
    assert Revised(1, "", 0, 9, (), 3, 1).touched == ()
    assert Revised(1, "", 0, 9, (4,), 3, 1).touched == (0,)


def test_an_answer_that_is_none_is_no_end_of_a_run() -> None:
    """`unknown` is the kind of a rare event: a frequent one that answered to it would not be found."""
    kinds = {kind for event, *_ in SAID for kind in event.kinds}
    assert kinds.isdisjoint(rare_kinds())
