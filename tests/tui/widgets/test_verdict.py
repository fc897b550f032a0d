"""The verdict line: the sentence of the specification, strong values, nothing that shifts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.events import (
    Calibrated,
    Contradiction,
    Cooled,
    Done,
    Event,
    NewBest,
    NotRaised,
    Reheated,
    Retracted,
    Scanned,
    SwapJudged,
)
from engine.events.explain import explain
from engine.events.population import FIRST, Flown, GenerationEnded, Merged, Turned
from engine.events.search import Found
from engine.solvers.annealing.tabu import TabuMoved
from engine.view import Sentence
from tui.look.glyphs import ASCII, UNICODE
from tui.messages import playing
from tui.playback.snapshot import headline
from tui.widgets.rows import Space, length, plain
from tui.widgets.verdict import VerdictLayout, verdict_rows, verdict_with_reason

UPHILL = Sentence(
    "ACCEPTED UPHILL",
    "swap {cells}   ΔE = {delta}   T = {T}   p = e^({exponent}) = {p}   u = {u} < p   E {before} → {after}",
    {"cells": "r6c8 ↔ r6c7", "delta": "+2", "T": "0.545", "exponent": "−2/0.545", "p": "0.025", "u": "0.010",
     "before": "6", "after": "8"},
)
FREE = Sentence(
    "IMPROVED", "swap {cells}   ΔE = {delta}   T = {T}   p = {p}   u = {u}   E {before} → {after}",
    {"cells": "r6c8 ↔ r6c7", "delta": "−2", "T": "0.545", "p": "1", "u": "–", "before": "10", "after": "8"},
)


def shown(sentence, width=116, height=1, glyphs=UNICODE, layout=None) -> list[str]:
    drawn = verdict_rows(sentence, Space(width, height, glyphs), layout or VerdictLayout())
    assert {length(line) for line in drawn} == {width}
    return [line.rstrip() for line in plain(drawn)]


DEAD_END = Sentence(
    "DEAD END", "no value fits into {cell}   because of {cells}   {choice} retracted   depth {depth}",
    {"cell": "r9c4", "cells": "r9c1 r8c4 r7c6 r9c3 r6c4 r7c4 r9c2 r9c8 r5c4", "choice": "r9c8 = 8", "depth": "24"})


def test_a_second_row_takes_what_the_first_has_no_room_for() -> None:
    assert shown(DEAD_END, height=2) == [
        " DEAD END          no value fits into r9c4   because of r9c1 r8c4 r7c6 r9c3 r6c4 r7c4 r9c2 r9c8 r5c4",
        " " * 19 + "r9c8 = 8 retracted   depth 24"]
    assert shown(UPHILL, height=2) == [*shown(UPHILL), ""], "a judged move keeps its place"


REFUSED = Turned(1, "judge", 164, "worker", "refused", (2, 19), (1, 2), 3, 50, 3, 0.001, 0.00521)
FLOWN = Flown(1, "fly", 183, ((0, 1),) * 39, 18, 11, 10, 33, 33, 32)
SCAN = {"cells": (35, 52), "values": (1, 2), "delta": -3, "energy": 34, "accepted": True, "better": 20, "equal": 12,
        "worse": 80}


@pytest.mark.parametrize(("event", "said"), [
    (REFUSED, " REJECTED          #165 r1c3 ↔ r3c2  E = 50  ΔE +3  p 0.00100  u 0.00521 ≥ p"),
    (replace(FLOWN, energy=30), " MOVED             #184   E 33 → 30   swaps: 18 old, 11 to pBest, 10 to gBest"),
    (Merged(1, "merge", (162, 186), 135, (FIRST,) * 81, (26, 32), 51, 28),
     " MERGED            A #163 × B #187   E 26 and 32 → 28   replaces #136, E 51"),
    (TabuMoved(1, "accept", **SCAN, forbidden=12, tenure=24, aspired=False, forced=False),
     " IMPROVED          r4c9 ↔ r6c8  E 37 → 34  ΔE −3  12 tabu  tenure 24"),
    (Scanned(1, "accept", **SCAN),
     " IMPROVED          r4c9 ↔ r6c8  E 37 → 34  ΔE −3  better were 20 of 112"),
    (GenerationEnded(1, "end", 1_234, 34, 43.4, 59, 1.0),
     " GENERATION        1 234   E best 34, mean 43.4, worst 59   diversity 100.0 %"),
])
def test_one_line_of_80_columns_has_the_numbers_that_decide(event: Event, said: str) -> None:
    assert shown(explain(event), 78) == [said]


def test_one_line_of_80_columns_has_what_a_dead_end_takes_back() -> None:
    dead = Contradiction(1, "fail", (4, 13, 22), "no place is left for 2 in column 5")
    events = (dead, Retracted(1, "back", 5, 2, 1))
    sentence = headline(events, [explain(event) for event in events])
    assert shown(sentence, 78) == [" DEAD END          no place is left for 2 in column 5  r1c6 = 2 undone …"]
    assert "r1c6 = 2 undone   cells of the dead end r1c5 r2c5 r3c5" in shown(sentence, 116)[0]
    assert "then r1c6 = 2 is taken back" in shown(sentence, 126)[0]


UP = SwapJudged(181, "accept", (50, 51), (1, 2), 2, 128, True, 0.0545, 0.0255, 0.0102)
DOWN = SwapJudged(181, "accept", (50, 51), (1, 2), -2, 126, True, 0.0545, 1.0)
LEVEL = SwapJudged(181, "accept", (50, 51), (1, 2), 0, 126, True, 0.0545, 1.0)


@pytest.mark.parametrize(("events", "move"), [
    ((UP,), "uphill E 126 → 128"), ((DOWN, NewBest(181, "best", 126, 127)), "best E 128 → 126")])
@pytest.mark.parametrize("moves", [20, 20_000])
def test_the_end_of_a_plateau_names_the_move_that_keys_lead_to(
        events: tuple[Event, ...], move: str, moves: int) -> None:
    events = (*events, Cooled(181, "cool", 0.0545, 0.0543, 7, moves // 2, moves))
    sentence = headline(events, [explain(event) for event in events])
    for width, height in ((78, 1), (78, 2), (116, 1), (194, 1)):
        [line, *more] = shown(sentence, width, height)
        assert line.startswith(" COOLED   ")
        said = " ".join(" ".join((line, *more)).split())
        assert "T 0.0545 → 0.0543" in said
        assert move in said
        assert "…" not in said
    level = (LEVEL, events[-1])
    assert headline(level, [explain(event) for event in level]) == explain(events[-1])


def test_the_summary_of_a_long_run_has_the_range_of_the_energy() -> None:
    figures = [("E", "12"), ("best", "2"), ("T", "0.850"), ("accepted", "35.3 %")]
    said = playing(123_456, figures, (123_456_001, 123_457_000), [("uphill", "19.9 %"), ("E", "121…145")],
                   {"accepted": "of the last plateau"})
    assert shown(said, 78, 2)[1].endswith("steps 123 456 001–123 457 000: uphill 19.9 %, E 121…145")
    assert "accepted 35.3 % of the last plateau" in shown(said, 194)[0]


def test_one_line_at_120_columns():
    assert shown(UPHILL) == [
        " ACCEPTED UPHILL   swap r6c8 ↔ r6c7   ΔE = +2   T = 0.545   p = e^(−2/0.545) = 0.025    u = 0.010 < p"
        "    E 6 → 8"]


def test_two_lines_at_80_columns_keep_move_and_energy_above():
    assert shown(UPHILL, 78, 2) == [
        " ACCEPTED UPHILL   swap r6c8 ↔ r6c7   ΔE = +2   E 6 → 8",
        "T = 0.545   p = e^(−2/0.545) = 0.025    u = 0.010 < p"]


def test_a_key_in_a_notice_is_no_assignment():
    (line,) = shown(Sentence("END OF RUN", "go back with {key_back}", {"key_back": "←"}), glyphs=ASCII)
    assert line.endswith("go back with <-")


def test_the_form_changes_at_64_and_at_100_columns():
    assert shown(UPHILL, 100, 2)[1] == ""
    assert shown(UPHILL, 99, 2) == [line.rstrip() for line in shown(UPHILL, 78, 2)]
    assert shown(UPHILL, 64, 2) == shown(UPHILL, 78, 2)
    assert shown(UPHILL, 63, 2) != shown(UPHILL, 78, 2)


def test_ascii():
    assert shown(UPHILL, 78, 2, ASCII) == [
        " ACCEPTED UPHILL   swap r6c8 <> r6c7   dE = +2   E 6 -> 8",
        "T = 0.545   p = e^(-2/0.545) = 0.025    u = 0.010 < p"]


@pytest.mark.parametrize(("width", "height"), [(116, 1), (78, 2)])
def test_no_piece_moves_from_step_to_step(width, height):
    layout = VerdictLayout()
    first, second = shown(UPHILL, width, height, layout=layout), shown(FREE, width, height, layout=layout)
    for word in ("swap", "ΔE", "T =", "p =", "u =", "E "):
        at = [[(y, line.index(word)) for y, line in enumerate(lines) if word in line] for lines in (first, second)]
        assert at[0] == at[1], word


def test_a_wider_number_moves_the_rest_once_and_for_good():
    layout = VerdictLayout()
    wide = Sentence(UPHILL.badge, UPHILL.template, {**UPHILL.fields, "T": "0.00545", "exponent": "−2/0.00545"})
    before = shown(UPHILL, layout=layout)[0].index("E 6")
    moved = shown(wide, layout=layout)[0].index("E 6")
    assert moved > before
    assert shown(UPHILL, layout=layout)[0].index("E 6") == moved


def test_values_are_strong_and_words_are_not():
    line = verdict_rows(UPHILL, Space(116), VerdictLayout())[0]
    strong = "".join(text for text, role in line if role == "strong")
    assert strong == "r6c8 ↔ r6c7+20.5450.0250.0108"
    assert line[0] == (" ACCEPTED UPHILL ", "now")


def test_a_second_badge_has_the_ground_of_the_bar():
    assert verdict_rows(UPHILL, Space(116), VerdictLayout(ground="bar_strong"))[0][0][1] == "bar_strong"


def test_other_sentences_flow():
    assert shown(explain(Cooled(3, "x", 0.546, 0.545, 606, 14, 100)), 78, 2) == [
        " COOLED            T 0.546 → 0.545   plateau 606   accepted 14 of 100", ""]
    above, below = shown(explain(Calibrated(3, "x", 1.5, 1.5, 4.25, 200)), 70, 2)
    assert above == " CALIBRATED        T₀ = 1.50"
    assert below == "deviation of ΔE = 1.50, of E = 4.25, over 200 moves"


@pytest.mark.parametrize("event", [Reheated(3, "x", 0.0123, 0.0456, 0.0833, 12, 50, 14),
                                   Reheated(3, "x", 0.0456, 0.0123, 0.0833, 12, 50, 14),
                                   NotRaised(3, "x", 0.0456, 0.0833, 12, 50)])
def test_a_reheat_is_not_cut_in_a_window_of_80_columns(event: Event):
    (line,) = shown(explain(event), 78)
    assert "…" not in line
    assert "reheat 12" in line


def test_a_piece_too_long_for_its_line_is_broken_between_words():
    said = "alpha = 7: expected a number above 0 and below 1, and this is not one of them"
    first, second = shown(Sentence("REFUSED", "{said}", {"said": said}), 80, 2)
    assert f"{first} {second}".split()[1:] == said.split()


def test_a_line_is_not_broken_within_a_number_in_groups():
    recorded = Sentence("NOT FOUND", "no best up to the end of the run at step {step}", {"step": "1 469 200"})
    for width in range(60, 80):
        lines = shown(recorded, width, 2)
        assert any("1 469 200" in line for line in lines), lines


def test_pieces_that_do_not_fit_move_together_are_shortened_and_then_cut():
    moves = SwapJudged(1, "x", (255, 254), (1, 2), 4, 123, True, 0.0000123, 0.000000456, 0.000000123)
    (line,) = shown(explain(moves, 16))
    assert line == " ACCEPTED UPHILL   r16c16 ↔ r16c15  E 119 → 123  ΔE +4  p < 1e-06  u 1.23e−07 < p"
    (narrow,) = shown(UPHILL, 60)
    assert 50 < len(narrow) <= 60
    assert narrow.endswith("…")


def test_two_rows_break_between_pieces_if_they_can() -> None:
    assert shown(explain(Cooled(3, "x", 0.546, 0.545, 606, 14, 100)), 42, 2) == [
        " COOLED           T 0.546 → 0.545", "plateau 606  accepted 14 of 100"]
    hint = Sentence("HINT", "{technique} in {cell}   {key_hint} shows what follows   {key_close} closes the hint   "
                    "from the givens alone: the grid has wrong values",
                    {"technique": "Hidden single", "cell": "r5c3", "key_hint": "f2", "key_close": "esc"})
    assert shown(hint, 78, 2) == [
        " HINT              Hidden single in r5c3   f2 shows what follows",
        "esc closes the hint   from the givens alone: the grid has wrong values"]


def test_a_sentence_too_long_for_line_digits_takes_two_of_three_rows() -> None:
    whole = replace(DEAD_END, brief="no value fits into {cell}")
    assert shown(whole, 100, 3) == ["", *shown(whole, 100, 2)]
    assert shown(whole, 100, 2)[1].endswith("r9c8 = 8 retracted   depth 24")


def test_no_piece_is_padded_in_a_sentence_that_flows() -> None:
    halted = Sentence("BREAKPOINT", "{breakpoint}   " + FREE.template, {**FREE.fields, "breakpoint": "E ≤ 5"})
    above, below = shown(halted, 78, 2)
    assert above == " BREAKPOINT        E ≤ 5   swap r6c8 ↔ r6c7   ΔE = −2   T = 0.545   p = 1"
    assert below == "u = –   E 10 → 8"


def test_no_label_is_left_without_its_value() -> None:
    refused = Sentence("REFUSED", "worker {who}   swap {cells}   ΔE = {delta}   p = {p}   u = {u} ≥ p   E = {E}",
                       {"who": "#1", "cells": "r1c8 ↔ r3c8", "delta": "+1", "p": "0.00100", "u": "0.940", "E": "38"})
    assert shown(refused, 78, 1) == [" REFUSED           worker #1  swap r1c8 ↔ r3c8  ΔE = +1  p = 0.00100 …"]


# Three rows


def test_numbers_are_written_with_line_digits_where_there_are_three_rows():
    top, middle, bottom = shown(UPHILL, 194, 3)
    assert middle.startswith("    ACCEPTED UPHILL        swap r6c8 ↔ r6c7    ΔE = ╺╋╸┏━┛    T = ")
    assert top[55:58] == "╺━┓"
    assert bottom[55:58] == "┗━╸"
    assert middle.index("< p") < middle.index("E 6 → ┣━┫")
    assert "0.545" in middle, "the exponent is not drawn in line digits"
    drawn = verdict_rows(UPHILL, Space(194, 3), VerdictLayout())
    assert [line[0] for line in drawn] == [
        (" " * 23, "now"), ("    ACCEPTED UPHILL    ", "now"), (" " * 23, "now")]


def test_no_piece_in_line_digits_moves_from_step_to_step():
    layout = VerdictLayout()
    first, second = shown(UPHILL, 194, 3, layout=layout), shown(FREE, 194, 3, layout=layout)
    for word in ("swap", "ΔE", "T =", "p =", "u =", "E "):
        assert first[1].index(word) == second[1].index(word), word


def test_numbers_too_long_for_line_digits_stay_in_their_line():
    many = Sentence("SEARCHING", "   ".join("a {a}" for _ in range(9)), {"a": "1 000 000 000"})
    top, middle, bottom = shown(many, 194, 3)
    assert not top
    assert not bottom
    assert "1 000 000 000" in middle
    assert shown(UPHILL, 194, 3, ASCII)[1].startswith(" ACCEPTED UPHILL   swap r6c8 <> r6c7   dE = +2")


# The smallest windows


def test_one_line_of_80_columns_has_a_shortened_move():
    assert shown(UPHILL, 78, 1) == [
        " ACCEPTED UPHILL   r6c8 ↔ r6c7  E 6 → 8  ΔE +2  p 0.025   u 0.010 < p"]
    assert shown(FREE, 78, 1) == [" IMPROVED          r6c8 ↔ r6c7  E 10 → 8  ΔE −2  p 1       u –"]
    large = replace(UPHILL, fields={**UPHILL.fields, "cells": "r10c15 ↔ r11c14", "before": "115", "after": "117"})
    assert shown(large, 78, 1) == [" ACCEPTED UPHILL   r10c15 ↔ r11c14  E 115 → 117  ΔE +2  p 0.025   u 0.010 < p"]
    climb = Sentence("IMPROVED", "swap {cells}   ΔE = {delta}   E {before} → {after}", FREE.fields)
    assert shown(climb, 78, 1) == [" IMPROVED          r6c8 ↔ r6c7  E 10 → 8  ΔE −2"]


@pytest.mark.parametrize("width", [42, 58])
def test_a_judged_move_is_complete_in_the_smallest_window(width):
    assert shown(UPHILL, width, 2) == [
        " ACCEPTED UPHILL  r6c8 ↔ r6c7  E 6 → 8", "ΔE +2  T 0.545   p 0.025   u 0.010 < p"]
    assert shown(FREE, width, 2) == [
        " IMPROVED         r6c8 ↔ r6c7  E 10 → 8", "ΔE −2  T 0.545   p 1       u –"]


def test_other_sentences_break_between_words_in_the_smallest_window():
    assert shown(explain(Cooled(3, "x", 0.546, 0.545, 606, 14, 100)), 42, 2) == [
        " COOLED           T 0.546 → 0.545", "plateau 606  accepted 14 of 100"]
    long = Sentence("SWEEP", "sweep 3 ended at E = 9   T goes back to its start   plateau 606   accepted 14 of 100")
    above, below = shown(long, 42, 2)
    assert above == " SWEEP            sweep 3 ended at E = 9"
    assert below.endswith("…")


def test_a_bound_on_p_is_kept_in_the_smallest_window():
    moves = SwapJudged(1, "x", (5, 4), (1, 2), 4, 12, False, 0.2, 1e-9, 0.5)
    assert shown(explain(moves), 42, 2)[1] == "ΔE +4  T 0.200   p < 1e-06  u 0.500 ≥ p"


def test_without_a_sentence_the_line_is_empty():
    assert shown(None, 40, 2) == ["", ""]


TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)


@given(TEXTS, st.dictionaries(st.sampled_from(["cells", "delta", "T", "p", "u", "after"]), TEXTS), st.integers(1, 130),
       st.integers(1, 3))
def test_any_sentence_fills_its_space_exactly(badge, fields, width, height):
    template = "   ".join(f"{name} = {{{name}}}" for name in fields) or "nothing"
    drawn = verdict_rows(Sentence(badge[:15], template, fields), Space(width, height), VerdictLayout())
    assert [length(line) for line in drawn] == [width] * height


def test_messages_of_the_program_have_no_line_digits():
    notice = Sentence("NOT FOUND", "no {what} in the next {steps} steps", {"what": "reheat", "steps": "1 000"})
    above, middle, below = shown(notice, 194, 3, layout=VerdictLayout(ground="bar_strong"))
    assert middle.endswith("no reheat in the next 1 000 steps")
    assert (above, below) == ("", "")


# The reason

REASON = Sentence("", "u < p, so the move is kept: at this T a {change} is taken {often}.",
                  {"change": "+2", "often": "1 time in 11"})
WHY = "u < p, so the move is kept: at this T a +2 is taken 1 time in 11."


def with_reason(width: int, height: int, because: Sentence, sentence: Sentence = UPHILL) -> list[str]:
    drawn = verdict_with_reason(sentence, because, Space(width, height), VerdictLayout())
    assert {length(line) for line in drawn} == {width}
    return [line.rstrip() for line in plain(drawn)]


def test_the_reason_is_the_second_line_at_80_columns() -> None:
    assert with_reason(78, 2, REASON) == [
        " ACCEPTED UPHILL   r6c8 ↔ r6c7  E 6 → 8  ΔE +2  p 0.025   u 0.010 < p", WHY]


def test_the_reason_begins_below_the_sentence_at_120_columns() -> None:
    above, below = with_reason(116, 2, REASON)
    assert above.index("swap") == below.index(WHY)


def test_the_reason_follows_line_digits() -> None:
    *_digits, last = with_reason(194, 4, REASON)
    assert len(_digits) == 3
    assert last.strip() == WHY


def test_without_room_for_it_there_is_no_reason() -> None:
    assert with_reason(78, 1, REASON) == shown(UPHILL, 78, 1)
    assert with_reason(60, 2, REASON) == shown(UPHILL, 60, 2)


def test_over_a_reason_a_long_sentence_ends_in_whole_words() -> None:
    above, _why = with_reason(78, 2, REASON, DEAD_END)
    assert above == " DEAD END          no value fits into r9c4  because of r9c1 r8c4 r7c6 r9c3 …"


def test_a_reason_that_passes_too_fast_to_be_read_is_muted() -> None:
    for passing, role in ((False, "text"), (True, "muted")):
        last = verdict_with_reason(UPHILL, REASON, Space(78, 2), VerdictLayout(), passing)[-1]
        assert {each for text, each in last if text.strip()} == {role}


def test_a_small_window_keeps_the_pattern_of_a_short_finding_and_cuts_the_eliminations() -> None:
    struck = ((20, 2), (21, 2), (22, 2))
    found = Found(7, "found", "Pointing", (24, 25), (2,), struck, (), "2 of box 3 stands in row 3")
    (line,) = plain(verdict_rows(explain(found), Space(78), VerdictLayout(15)))
    assert line.split(maxsplit=1)[1].rstrip() == "Pointing   2 of box 3 stands in row 3   so r3c3≠2 …"
    coloured = "2 stands in one or the other colour of 4 cells, both are seen"
    long = Found(7, "found", "Simple colouring", (24, 25), (2,), ((20, 2),), (), coloured)
    (line,) = plain(verdict_rows(explain(long), Space(78), VerdictLayout(15)))
    assert line.split(maxsplit=1)[1].rstrip() == "Simple colouring   so r3c3≠2"


def test_a_small_window_leaves_out_the_last_clause_of_the_reason_of_an_end() -> None:
    why = "Z3 proves it: by logic row 4 has no place left for 6, after 24 rounds up to hidden pair"
    for width, said in ((78, "Z3 proves it: by logic row 4 has no place left for 6"), (130, f"{why}   best E = 12")):
        (line,) = plain(verdict_rows(explain(Done(1, "end", "no_solution", 12, why)), Space(width), VerdictLayout(15)))
        assert line.split(maxsplit=2)[2].rstrip() == said


def test_the_end_of_a_run_of_beliefs_keeps_its_energy_in_a_small_window() -> None:
    why = "the messages have settled: 33 of the 55 beliefs above 0.9 are wrong, such as r1c1 r1c2 r1c3"
    (line,) = plain(verdict_rows(explain(Done(1, "check", "gave_up", 3, why)), Space(78), VerdictLayout(15)))
    assert line.split(maxsplit=2)[2].rstrip() == "the messages have settled   best E = 3"
