"""Glyph sets and translation."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.events import Contradiction, Cooled, Done, LocalMinimum, NewBest, Reheated, Restarted, Status
from engine.events.population import GenerationEnded, Outgrown, Shifted
from engine.events.search import Asked, Backjumped
from engine.solvers.inference.checked import Checked
from engine.view import Sentence
from tui import i18n
from tui.i18n import _, translated
from tui.look.glyphs import ASCII, MARKS, UNICODE
from tui.widgets.log import lines_of
from tui.widgets.timeline.lanes import event_mark


def test_every_glyph_is_one_column_a_character_and_plain_in_ascii():
    for field in msgspec.structs.fields(UNICODE):
        one, other = getattr(UNICODE, field.name), getattr(ASCII, field.name)
        if isinstance(one, str):
            assert cell_len(one) == len(one), field.name
            assert other.isascii(), field.name
            assert other.isprintable(), field.name


def test_the_fallbacks_of_the_specification():
    shown = ASCII.text("─│┼ ━ · ● ◆ ◇ ↻ ▲ ▼ = × ▶ ‖ ├─●─┤ ∅ ↩ ↔ Δ T₀ α ≤ ← −2 ┴ □")
    assert shown == "-|+ = . O n o R ^ v = x > P |-O-| 0 < <> d T0 a <= := -2 D G"
    assert ASCII.text("▁▄█") == "148"
    assert ASCII.text("enter selects   ← → change") == "enter selects   <- -> change"
    assert ASCII.text("m ← Σ over all, Σ(k−1)") == "m := sum over all, sum (k-1)"
    assert UNICODE.text("ΔE ≤ 0") == "ΔE ≤ 0"


def test_in_ascii_an_arrow_key_is_not_written_as_another_key() -> None:
    """v is a key of its own."""
    assert (ASCII.key("↓"), ASCII.key("↑ ↓"), ASCII.key("← ↑ ↓ →")) == ("down", "up down", "<- up down ->")
    assert ASCII.text("the list; ↑ ↓ move") == "the list; up down move"
    assert UNICODE.key("↑ ↓") == "↑ ↓"


@pytest.mark.parametrize("written", [
    "859 µs", "57.0 ms ± 60.7 ms", "factor·0.6ⁿ", "α²·T", "every n² moves", "Bjørner, Régin, Björk"])
def test_units_powers_and_names_keep_their_sense_in_ascii(written: str) -> None:
    assert "?" not in ASCII.text(written)
    assert ASCII.text("α²·T, 0.6ⁿ, 859 µs") == "a^2*T, 0.6^n, 859 us"


def test_the_dot_of_a_product_is_not_that_of_an_empty_cell() -> None:
    assert ASCII.text("T rises to 0.500·T₀") == "T rises to 0.500*T0"
    assert ASCII.text("⊕ c₁·r₁·(best ⊖ x), (1−d)·m") == "+ c1*r1*(best - x), (1-d)*m"
    assert [ASCII.text(span) for span in ("0.500", "·T₀", "·", "·4")] == ["0.500", "*T0", ".", ".4"], "in spans"
    assert ASCII.text("step 3 · recorded 17   1··4") == "step 3 . recorded 17   1..4"


@pytest.mark.parametrize("which", [0, 1])
def test_no_two_meanings_share_a_mark(which: int) -> None:
    marks = [pair[which] for pair in MARKS.values()]
    assert len(set(marks)) == len(marks)
    assert [mark for mark in marks if cell_len(mark) != 1] == []
    scales = (UNICODE, ASCII)[which]
    individuals = [*scales.classes, *scales.other_classes]
    assert len(set(individuals)) == len(individuals) == 10
    assert set(individuals).isdisjoint(marks), "the class of an individual is no mark"
    assert set(scales.playhead + scales.current + scales.paused).isdisjoint({*marks, *individuals} - {"o"})


def test_the_marks_of_the_specification() -> None:
    assert MARKS["rejected"] == ("×", "x")
    assert (MARKS["dead_end"][0], MARKS["gave_up"][0]) == ("┴", "□")
    assert all(ASCII.text(one) == other for one, other in MARKS.values())


def test_log_and_event_lane_mark_an_event_alike() -> None:
    found = [Reheated(1, "a", 0.1, 0.5, 0.5, 1, 50, 3), Cooled(1, "a", 0.5, 0.4, 1, 2, 3), NewBest(1, "a", 4, 5),
             Restarted(1, "a", 2, 6, 40, 4), Outgrown(1, "a", 400, 800, 30), Shifted(1, "a", 0.9, 0.85, 50),
             Contradiction(1, "a", (3,), "no candidate"), Backjumped(1, "a", 2, 1), Asked(1, "a", "r1c1 = 2", "unsat"),
             GenerationEnded(1, "a", 1, 2, 3.0, 4, 0.5), *(Done(1, "a", status, 3, "") for status in get_args(Status))]
    for event in found:
        (line,) = lines_of((event,))
        assert UNICODE.mark(line.meaning) == event_mark((event,), UNICODE), type(event).__name__


@pytest.mark.parametrize(("status", "energy"), [("solved", "0"), ("gave_up", "7"), ("no_solution", "")])
def test_the_end_has_the_energy_of_the_grid_on_the_board(status: Status, energy: str) -> None:
    (line,) = lines_of((Done(9, "a", status, 7 * (status != "solved"), ""),))
    assert line.energy == energy


def test_the_log_names_events_in_words() -> None:
    minimum, comparison = LocalMinimum(158, "a", 17, 7, 12, 107), Checked(80, "a", "one", 0.9, 5, (3,))
    (patience,), (compared,) = lines_of((minimum,)), lines_of((comparison,))
    assert (patience.what, compared.what) == ("patience spent", "confidently wrong")


@given(st.text())
def test_any_text_becomes_ascii(text):
    assert ASCII.text(text).isascii()


class Catalogue:
    """Words as a translator would give them."""

    def __init__(self, words):
        self.words = words

    def gettext(self, text):
        return self.words.get(text, text)


@pytest.fixture
def speak(monkeypatch):
    return lambda words: monkeypatch.setattr(i18n, "_catalogue", lambda: Catalogue(words))


SENTENCE = Sentence("EQUAL", "swap {cells}   ΔE = {delta}", {"cells": "r1c1 ↔ r1c2", "delta": " 0"})


def test_without_a_catalogue_words_stay():
    assert _("Chance") == "Chance"
    assert _("") == "", "gettext would give its header"
    assert translated(SENTENCE) == SENTENCE


def test_a_sentence_is_translated_whole_or_piece_by_piece(speak):
    speak({"EQUAL": "ÉGAL", "swap {cells}": "échanger {cells}"})
    assert translated(SENTENCE).text == "échanger r1c1 ↔ r1c2   ΔE =  0"
    assert translated(SENTENCE).badge == "ÉGAL"
    speak({SENTENCE.template: "{delta} par {cells}"})
    assert translated(SENTENCE).text == " 0 par r1c1 ↔ r1c2"


@pytest.mark.parametrize("broken", ["échanger {celles}", "échanger {cells", "échanger {}"])
def test_a_translation_that_cannot_be_filled_in_is_not_used(speak, broken):
    speak({"swap {cells}": broken})
    assert translated(SENTENCE).template == SENTENCE.template
