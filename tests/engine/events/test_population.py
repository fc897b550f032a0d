"""The events of populations: their sentences, kinds and lines of the log."""

from __future__ import annotations

import pytest
from msgspec import structs

from engine.conformance.views import check_reason, check_sentence
from engine.events import Event, event_types, rare_kinds
from engine.events.because import because
from engine.events.explain import explain
from engine.events.population import (
    FIRST,
    NEITHER,
    Bred,
    Flown,
    GenerationEnded,
    Merged,
    Outgrown,
    Refined,
    Shifted,
    Turned,
)
from tui.widgets.log import line_of

CHILD = Bred(1, "", (2, 40), 16, (0,) * 45 + (1,) * 36, (7,), 8, True, (11, 14), "cut after row 5", 299)
DROPPED = Bred(1, "", (2, 2), -1, (0,) * 81, (7, 8), 12, False, (11, 11), "")
WORKER = Turned(1, "", 6, "worker", "luck", (3, 4), (1, 2), 2, 10, 12, 0.001, 0.0005)

SAID: list[tuple[Event, str, str]] = [
    (CHILD, "CHILD KEPT",
     "child #17 of A #3 × B #41   E 11 and 14 → 8   cut after row 5   mutated cells 1   replaces #300"),
    (DROPPED, "CHILD DROPPED", "child of A #3 alone   E 11 → 12   mutated cells 2"),
    (Refined(1, "", 4, 12, 3, 2000, 410, 0.32), "REFINED",
     "#5 annealed   E 12 → 3   proposals 2 000   accepted 410   T = 0.320"),
    (WORKER, "TAKEN BY CHANCE",
     "worker #7   swap r1c4 ↔ r1c5   ΔE = +2   p = 0.00100   u = 0.000500 < p   E = 10   refusals 12"),
    (Turned(1, "", 6, "worker", "improved", (3, 4), (1, 2), -2, 10, 0), "IMPROVED",
     "worker #7   swap r1c4 ↔ r1c5   ΔE = −2   E = 10   refusals 0"),
    (Turned(1, "", 190, "explorer", "fresh", (), (), 0, 31, 0), "FRESH START",
     "explorer #191 is refilled at random   E = 31"),
    (Flown(1, "", 3, ((0, 1), (9, 10), (2, 3)), 1, 1, 1, 12, 10, 9), "MOVED",
     "#4   E 12 → 10   swaps 3: 1 as before, 1 to its best, 1 to gBest   its best 9"),
    (Flown(1, "", 3, (), 0, 0, 0, 12, 12, 9), "UNMOVED", "#4   E = 12   swaps 0: its velocity is empty   its best 9"),
    (Merged(1, "", (0, 185), 199, (0,) * 81, (6, 22), 40, 17), "MERGED",
     "worker A #1 × explorer B #186   parents E 6 and 22, child 17   replaces #200, E 40"),
    (Outgrown(1, "", 400, 800, 30), "DOUBLED",
     "individuals 400 → 800, all new: another attempt   generations without a new best of this population 30"),
    (Outgrown(1, "", 400, 600, 30), "ENLARGED",
     "individuals 400 → 600, all new: another attempt   generations without a new best of this population 30"),
    (Shifted(1, "", 0.9, 0.8, 20), "SHARE SHIFTED",
     "workers 90.0 % → 80.0 %   epochs since the last new best or change 20"),
    (Shifted(1, "", 0.8, 0.9, 0), "SHARE SHIFTED", "workers 80.0 % → 90.0 %   a new best of this attempt"),
    (GenerationEnded(1, "", 3, 4, 7.25, 12, 0.5), "GENERATION",
     "generation 3   best now 4   mean 7.25   worst now 12   diversity 50.0 %"),
    (GenerationEnded(1, "", 3, 4, 4.0, 4, 0.01), "GENERATION",
     "generation 3   best now 4   mean 4.00   worst now 4   diversity 1.0 %: nearly all are copies of others, "
     "crossover gives little new"),
    (GenerationEnded(1, "", 3, 4, 4.0, 4, 0.01, "epoch"), "EPOCH",
     "epoch 3   best now 4   mean 4.00   worst now 4   diversity 1.0 %: nearly all are copies of others"),
]


@pytest.mark.parametrize(("event", "badge", "sentence"), SAID, ids=lambda each: type(each).__name__)
def test_sentences(event: Event, badge: str, sentence: str) -> None:
    said = explain(event)
    assert (said.badge, said.text) == (badge, sentence)
    check_sentence(said, type(event).__name__)
    assert line_of(event) is not None


def test_the_reason_of_an_annealing_names_both_temperatures_where_it_cools() -> None:
    def why(before: int, after: int, final: float | None, proposals: int = 20_000) -> str:
        said = because(Refined(1, "", 4, before, after, proposals, 410, 0.45, final))
        assert said is not None
        check_reason(said, "Refined")
        return said.text

    assert why(31, 2, None) == "20 000 proposals at T = 0.450 brought E from 31 to 2: that is kept."
    assert why(31, 2, 0.45) == "20 000 proposals at T = 0.450 brought E from 31 to 2: that is kept."
    assert why(31, 2, 0.273, 200) == "200 proposals as T fell from 0.450 to 0.273 brought E from 31 to 2."
    assert why(31, 2, 0.273) == "20 000 proposals as T fell from 0.450 to 0.273 brought E from 31 to 2."
    assert why(3, 3, None, 1) == "1 proposal at T = 0.450 met nothing better than E = 3."
    assert why(3, 3, 0.273) == "20 000 proposals as T fell from 0.450 to 0.273 met nothing better than E = 3."


def test_every_event_of_a_population_has_a_sentence() -> None:
    covered = {type(event) for event, _badge, _sentence in SAID}
    assert {kind for kind in event_types() if kind.__module__ == "engine.events.population"} == covered


def test_a_child_that_surpasses_both_parents_answers_to_better() -> None:
    assert CHILD.kinds == ("kept", "child", "better")
    assert DROPPED.kinds == ("dropped", "child")


def test_a_turn_answers_to_its_end_and_to_the_caste() -> None:
    assert WORKER.kinds == ("luck", "uphill", "turn", "accepted", "worker")


def test_rare_events_have_no_frequent_kind() -> None:
    frequent = {kind for event, *_said in SAID if not event.RARE for kind in event.kinds}
    assert not frequent & rare_kinds()


def test_cells_are_touched_that_a_step_gave_a_value_of_its_own() -> None:
    assert CHILD.touched == (7,)
    assert structs.replace(CHILD, mask=(NEITHER, FIRST, *CHILD.mask[2:])).touched == (0, 7)
    assert WORKER.touched == (3, 4)
    assert structs.replace(WORKER, turn="refused").touched == ()
    assert Flown(1, "", 3, ((9, 1), (9, 10)), 1, 1, 0, 12, 10, 9).touched == (1, 9, 10)


def test_the_short_sentence_of_a_flight_has_no_best_that_its_swaps_did_not_go_to() -> None:
    """E of the new pBest stood beside the swaps to the former one."""
    said = explain(Flown(1, "", 3, ((0, 1), (9, 10), (2, 3)), 1, 1, 1, 12, 10, 10))
    assert said.brief.format_map(said.fields) == "#4   E 12 → 10   swaps: 1 old, 1 to pBest, 1 to gBest"
