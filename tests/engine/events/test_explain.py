"""Every kind of event as a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from engine import events as happened
from engine.conformance.views import check_sentence
from engine.events import (
    Assigned,
    Calibrated,
    Contradiction,
    Cooled,
    Done,
    Eliminated,
    Event,
    LocalMinimum,
    NewBest,
    NotRaised,
    Reheated,
    Restarted,
    Retracted,
    Scanned,
    SwapJudged,
    Swept,
    event_types,
)
from engine.events.explain import explain

SAID: list[tuple[Event, str, str]] = [
    (SwapJudged(1, "", (51, 52), (9, 5), 2, 8, True, 0.545, 0.0254, 0.0101), "ACCEPTED UPHILL",
     "swap r6c7 ↔ r6c8   ΔE = +2   T = 0.545   p = e^(−2/0.545) = 0.0254   u = 0.0101 < p   E 6 → 8"),
    (SwapJudged(1, "", (0, 1), (9, 5), 4, 6, False, 0.5, 0.00033, 0.9), "REJECTED",
     "swap r1c1 ↔ r1c2   ΔE = +4   T = 0.500   p = e^(−4/0.500) = 0.000330   u = 0.900 ≥ p   E 6 → 6"),
    (SwapJudged(1, "", (0, 1), (9, 5), -1, 5, True, 0.5), "IMPROVED",
     "swap r1c1 ↔ r1c2   ΔE = −1   T = 0.500   p = 1   u = –   E 6 → 5"),
    (SwapJudged(1, "", (0, 1), (9, 5), 0, 5, True, 0.5), "EQUAL",
     "swap r1c1 ↔ r1c2   ΔE =  0   T = 0.500   p = 1   u = –   E 5 → 5"),
    (SwapJudged(1, "", (0, 1), (9, 5), 1, 5, False, 0.0), "REJECTED",
     "swap r1c1 ↔ r1c2   ΔE = +1   T = 0   p = 0   u = –   E 5 → 5"),
    (SwapJudged(1, "", (0, 1), (9, 5), 1, 5, False), "REJECTED", "swap r1c1 ↔ r1c2   ΔE = +1   E 5 → 5"),
    (SwapJudged(1, "", (0, 1, 2), (9, 5, 1), -2, 5, True), "IMPROVED", "rotate r1c1 → r1c2 → r1c3   ΔE = −2   E 7 → 5"),
    (Cooled(1, "", 0.546, 0.5454, 606, 14, 1000), "COOLED", "T 0.546 → 0.545   plateau 606   accepted 14 of 1 000"),
    (Cooled(1, "", 0.216, 1.97, 2, 14, 100), "PLATEAU", "T 0.216 → 1.97   plateau 2   accepted 14 of 100"),
    (Cooled(1, "", 0.32, 0.32, 1606, 14, 100), "PLATEAU", "T held at 0.320   plateau 1 606   accepted 14 of 100"),
    (Cooled(1, "", 0.0, 0.0, 21, 0, 1000), "PLATEAU", "T is 0   plateau 21   accepted 0 of 1 000"),
    (Swept(1, "", 2, 7), "SWEEP", "sweep 2 ended at E = 7; T goes back to its start"),
    (Calibrated(1, "", 1.5, 1.5, 4.25, 200), "CALIBRATED",
     "T₀ = 1.50   deviation of ΔE = 1.50, of E = 4.25, over 200 moves"),
    (Reheated(1, "", 0.01, 0.5, 0.5, 1, 50, 3), "REHEAT",
     "T 0.0100 → 0.500 = 0.500·T₀   reheat 1"),
    (Reheated(1, "", 0.02501, 0.025, 0.025, 20, 50, 0), "REHEAT",
     "T 0.02501 → 0.02500 = 0.0250·T₀ (lowered)   reheat 20"),
    (NotRaised(1, "", 0.6, 0.5, 2, 50), "NOT RAISED",
     "T stays 0.600: 0.500·T₀ is not above it   reheat 2"),
    (Restarted(1, "", 3, 6, 50, 4), "RESTART", "attempt 3 of 6   fresh state E = 50   best so far 4"),
    (Restarted(1, "", 3, 0, 50, 4), "RESTART", "attempt 3   fresh state E = 50   best so far 4"),
    (NewBest(1, "", 3, 4), "NEW BEST", "E = 3, never lower before (was 4)"),
    (LocalMinimum(1, "", 4, 0, 12, 90), "LOCAL MINIMUM", "neighbours better 0, equal 12, worse 90   E = 4"),
    (Scanned(1, "", (0, 1), (9, 5), -3, 4, True, 3, 12, 90), "IMPROVED",
     "swap r1c1 ↔ r1c2   ΔE = −3   neighbours of E 7: better 3, equal 12, worse 90   E 7 → 4"),
    (Scanned(1, "", (0, 1), (9, 5), 1, 4, False, 0, 0, 90), "REJECTED",
     "swap r1c1 ↔ r1c2   ΔE = +1   neighbours of E 4: better 0, equal 0, worse 90   E 4 → 4"),
    (Assigned(1, "", 21, 4, "naked single"), "ASSIGNED", "r3c4 ← 4   naked single"),
    (Assigned(1, "", 21, 4, "guess", 3), "ASSIGNED", "r3c4 ← 4   guess   depth 3"),
    (Retracted(1, "", 21, 4, 2), "RETRACTED", "r3c4 = 4 taken back   depth 2"),
    (Eliminated(1, "", 21, 4, (0, 80), "pair"), "ELIMINATED", "4 struck from r3c4   pair   because of r1c1 r9c9"),
    (Eliminated(1, "", 21, 4, (), "clause learned"), "ELIMINATED", "4 struck from r3c4   clause learned"),
    (Contradiction(1, "", (7,), "no value fits"), "DEAD END", "no value fits   cell of the dead end r1c8"),
    (Contradiction(1, "", (7,), "no value fits into r1c8"), "DEAD END", "no value fits into r1c8"),
    (Contradiction(1, "", (7, 9), "r1c8 is empty"), "DEAD END", "r1c8 is empty   because of r2c1"),
    (Contradiction(1, "", (10, 19), "no place is left for 2 in column 2"), "DEAD END",
     "no place is left for 2 in column 2   cells of the dead end r2c2 r3c2"),
    (Contradiction(1, "", (), "row 3 has no place for 5"), "DEAD END", "row 3 has no place for 5"),
    (Done(1, "", "solved", 0, "E = 0"), "SOLVED", "E = 0"),
    (Done(1, "", "gave_up", 2, "the budget is spent"), "GAVE UP", "the budget is spent   best E = 2"),
    (Done(1, "", "no_solution", 2, "every choice leads to a dead end"), "NO SOLUTION",
     "every choice leads to a dead end   best E = 2"),
    (Done(1, "", "unknown", 2, "time is up"), "UNKNOWN", "time is up   best E = 2"),
]


@pytest.mark.parametrize(("event", "badge", "sentence"), SAID, ids=lambda each: type(each).__name__)
def test_sentences(event: Event, badge: str, sentence: str) -> None:
    said = explain(event)
    assert (said.badge, said.text) == (badge, sentence)
    check_sentence(said, type(event).__name__)


def test_every_event_of_the_engine_has_a_sentence() -> None:
    own = {kind for kind in event_types() if kind.__module__ == happened.__name__}
    assert {type(event) for event, _, _ in SAID} == own


@pytest.mark.parametrize("event", [event for event, _, _ in SAID], ids=lambda each: type(each).__name__)
def test_numbers_are_fields_so_that_the_words_can_be_translated(event: Event) -> None:
    said = explain(event)
    words = said.template.format_map(dict.fromkeys(said.fields, ""))
    assert not any(symbol.isdigit() for symbol in words.replace("T₀", "").replace("p = 1", "").replace("p = 0", ""))


def test_cells_are_named_by_the_side_of_the_grid() -> None:
    assert explain(Assigned(1, "", 21, 4, "guess"), 16).text == "r2c6 ← 4   guess"
    assert explain(Contradiction(1, "", (15,), "stuck"), 4).text == "stuck   cell of the dead end r4c4"


def test_an_event_of_an_unknown_kind_still_has_a_badge() -> None:
    class SomethingRatherUnheardOf(Event, frozen=True, tag="something_rather_unheard_of"):
        what: str

    said: Any = explain(SomethingRatherUnheardOf(1234, "", "?"))
    assert (said.badge, said.text) == ("SOMETHING_RATHE", "step 1 234")
