"""Glyph sets and translation."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.view import Sentence
from tui import i18n
from tui.i18n import _, translated
from tui.look.glyphs import ASCII, UNICODE


def test_every_glyph_is_one_column_a_character_and_plain_in_ascii():
    for field in msgspec.structs.fields(UNICODE):
        one, other = getattr(UNICODE, field.name), getattr(ASCII, field.name)
        if isinstance(one, str):
            assert cell_len(one) == len(one), field.name
            assert other.isascii(), field.name
            assert other.isprintable(), field.name


def test_the_fallbacks_of_the_specification():
    shown = ASCII.text("─│┼ ━ · ● ◆ ◇ ↻ ▲ ▼ = × ▶ ‖ ├─●─┤ ∅ ↩ ↔ Δ T₀ α ≤ ← −2")
    assert shown == "-|+ = . O * o R ^ v = x > P |-O-| 0 < <> d T0 a <= := -2"
    assert ASCII.text("▁▄█") == "148"
    assert UNICODE.text("ΔE ≤ 0") == "ΔE ≤ 0"


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
