"""Chance, gauges, program, log, parameters, header, footer, cell line: exact rows, and any value in any space."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import events, registry
from engine.conformance.declared import PROGRAM_WIDTH
from engine.events.population import Bred, GenerationEnded
from engine.events.search import Found
from engine.puzzle import Puzzle
from engine.view import Gauge, Line, View
from tests.tui.run_driver import open_run
from tui.look.glyphs import ASCII, MARKS, UNICODE, Glyphs
from tui.messages import value_text
from tui.widgets.board.cell_line import CellLine, candidates, cell_rows, mark_legend
from tui.widgets.chance import Chance, arrow, chance_rows
from tui.widgets.footer import KeyHint, keys_row
from tui.widgets.gauges import gauge_rows, short
from tui.widgets.header import Title, header_row
from tui.widgets.log import LogLine, line_of, lines_of, log_rows, short_step
from tui.widgets.parameters import Item, items, parameter_rows
from tui.widgets.program import Program, program_rows
from tui.widgets.rows import Space, bar, length, plain


def lines(drawn) -> list[str]:
    return [line.rstrip() for line in plain(drawn)]


# Chance


def test_the_block_is_p_in_eighths_of_a_column():
    assert bar(0.025, 28, UNICODE) == "▊"
    assert bar(1.0, 28, UNICODE) == "█" * 28
    assert bar(1e-9, 28, UNICODE) == "▏", "never less than an eighth"
    assert bar(0.0, 28, UNICODE) == ""
    assert [arrow(u, 28) for u in (0.0, 0.5, 0.999999)] == [0, 14, 27]


def test_chance_rows():
    assert lines(chance_rows(Chance(0.0255, 0.0102), Space(28, 4))) == [
        "Chance", "↓ u = 0.0102", "▊" + "─" * 27, "p = 0.0255" + " " * 17 + "1"]
    assert lines(chance_rows(Chance(6.22e-08, 0.5), Space(28, 4)))[3].startswith("p < 1e-06 "), "as in the headline"
    assert lines(chance_rows(Chance(0.5, 0.9), Space(28, 4)))[1] == " " * 15 + "u = 0.900 ↓"
    assert lines(chance_rows(Chance(0.0255, 0.0102), Space(28, 3, ASCII), heading=False)) == [
        "v u = 0.0102", "#" + "-" * 27, "p = 0.0255" + " " * 17 + "1"]


def test_u_is_written_right_of_its_arrow_as_far_as_there_is_room():
    assert lines(chance_rows(Chance(0.5, 17.5 / 28), Space(28, 4)))[1] == " " * 17 + "↓ u = 0.625"
    assert lines(chance_rows(Chance(0.5, 18.5 / 28), Space(28, 4)))[1] == " " * 8 + "u = 0.661 ↓"


def test_without_a_draw_there_is_no_arrow():
    assert lines(chance_rows(Chance(1.0), Space(28, 4))) == [
        "Chance", "  u = –", "━" * 28, "p = 1" + " " * 22 + "1"]
    assert lines(chance_rows(Chance(0.0), Space(28, 4)))[2] == "─" * 28
    marked = {role for line in chance_rows(Chance(1.0), Space(28, 4)) for _text, role in line}
    assert "ink" not in marked
    assert lines(chance_rows(None, Space(28, 4))) == ["Chance", "", "─" * 28, "0" + " " * 26 + "1"]


def words(chance, width=46, height=6):
    return lines(chance_rows(chance, Space(width, height)))[5:]


def test_with_room_the_chance_bar_has_the_result_in_words():
    assert words(Chance(0.0255, 0.0102, 2)) == ["u falls inside p, so the worse grid is kept"]
    assert words(Chance(0.0255, 0.5, 2)) == ["u falls outside p, so the grid stays"]
    assert words(Chance(0.9, 0.5, 0)) == ["u falls inside p, so it is kept"]
    assert words(Chance(1.0, None, -1)) == ["nothing drawn: not worse, so it is kept"]
    assert words(Chance(0.0, None, 1)) == ["at T = 0 nothing worse is kept"]
    assert words(None) == [""]
    assert words(Chance(0.0255, 0.0102, 2), 40) == ["the worse grid is kept"]
    assert words(Chance(0.0255, 0.0102, 2), 40, 7) == ["u falls inside p", "so the worse grid is kept"]


# Gauges


GAUGES = (Gauge("T", "0.545", 0.46, "knob"), Gauge("accept", "6.1 %", 0.061), Gauge("best", "4", 0.08, "best"),
          Gauge("steps", "12 345 678", None), Gauge("E", "0", 0.0))


def test_a_long_label_and_a_long_value_do_not_touch():
    full = (Gauge("plateau", "349 442"), Gauge("stuck", "349 442"))
    assert lines(gauge_rows(full, Space(28, 2), heading=False)) == ["plateau 349 442", "stuck  349 442"]


def test_a_small_number_keeps_its_last_digits():
    small = (Gauge("T", "0.000999", 0.0, "knob"), Gauge("T", "0.545", 0.46, "knob"))
    assert lines(gauge_rows(small, Space(20, 2), heading=False)) == ["T     0.000999  ◆───", "T        0.545  ─◆──"]


def test_an_attempt_of_many_is_not_cut_within_a_number():
    full = (Gauge("attempt", "101/101", 1.0), Gauge("attempt", "1 001/1 001", 1.0))
    assert lines(gauge_rows(full, Space(28, 2), heading=False)) == [
        "attempt 101/101 ━━━━━━━━━━━━", "attempt  1 001  ━━━━━━━━━━━━"]


def test_gauges_have_blank_rows_between_them_if_there_is_room():
    drawn = lines(gauge_rows(GAUGES, Space(46, 10)))
    assert [place for place, line in enumerate(drawn) if not line] == [2, 4, 6, 8]
    assert "" not in lines(gauge_rows(GAUGES, Space(46, 9)))[:6]


def test_gauges_on_one_line_are_the_same_ones_in_the_same_places_at_every_step():
    short, long = [[Gauge(label, text) for label in ("E", "best", "mean", "epoch", "workers", "div.")]
                   for text in ("4", "100.0 %")]
    (first,), (later,) = (lines(gauge_rows(gauges, Space(65, 1))) for gauges in (short, long))
    assert later == "E 100.0 % best 100.0 % mean 100.0 % epoch 100.0 % workers 100.0 %"
    for label in ("E", "best", "mean", "epoch", "workers"):
        assert first.index(label) == later.index(label)
    assert "div." not in first


def test_gauge_rows():
    drawn = gauge_rows(GAUGES, Space(28, 6))
    assert lines(drawn) == [
        "Gauges",
        "T        0.545  ─────◆──────",
        "accept   6.1 %  ━───────────",
        "best         4  ━───────────",
        "steps   12.3 M",
        "E            0  ────────────",
    ]
    assert ("◆", "ink") in drawn[1]
    assert ("━", "data") in drawn[3]
    assert ("━", "text") in drawn[2]


def test_numbers_too_long_for_a_gauge_are_shortened():
    assert [short(text) for text in ("410 496", "1 234 567", "999 999 999 999", "a long text")] == [
        "410 496", "1.23 M", "1000 G", "a long "]


def test_numbers_with_too_many_digits_for_a_gauge_are_rounded_never_cut():
    """5.03e−1 for 5.03e−13 is another number."""
    assert [short(text) for text in ("5.03e−13", "0.00000116", "0.000187", "0.0123", "1.20e+06")] == [
        "5.0e−13", "1.2e−06", "0.00019", "0.0123", "1.2e+06"]
    assert short("5.03e−13", 8) == "5.03e−13"


# Program

PROGRAM = tuple(Line(f"l{number}", "  " * (number % 3) + f"step {number}") for number in range(1, 13))


def test_program_rows():
    drawn = program_rows(PROGRAM, "l7", {"l7": "u 0.01", "l4": "+2", "l5": "far too long to fit beside its line"},
                         Space(34, 13))
    assert lines(drawn)[:6] == [
        "Program", "  1   step 1", "  2     step 2", "  3 step 3", "  4   step 4" + " " * 20 + "+2", "  5     step 5"]
    assert drawn[7] == (("▶ 7   step 7" + " " * 16 + "u 0.01", "now"),)
    assert lines(drawn)[12] == " 12 step 12"


def test_the_widest_lines_fit_beside_the_narrowest_numbers():
    wide = "repeat: swap two cells of a row"
    assert len(wide) == PROGRAM_WIDTH
    few = (Line("wide", wide), Line("short", "  else: undo it"))
    assert lines(program_rows(few, "wide", {}, Space(34, 3)))[1:] == [f"▶1 {wide}", " 2   else: undo it"]
    assert lines(program_rows(few, None, {}, Space(35, 3)))[1] == f"  1 {wide}"
    many = (Line("wide", wide[:-1]), *PROGRAM)
    assert lines(program_rows(many, None, {}, Space(34, 3)))[1] == f"  1 {wide[:-1]}"


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", registry.names())
def test_no_line_of_a_program_is_cut(name: str, glyphs: Glyphs) -> None:
    solver = registry.solver(name)
    for preset in solver.presets:
        program = solver.program_for(solver.make_params(preset))
        drawn = lines(program_rows(program, None, {}, Space(34, 40, glyphs), gauges=None))
        assert [line.text for line, row in zip(program, drawn, strict=False) if glyphs.text(line.text) not in row] == []


def test_another_program_keeps_the_marks_and_values_of_its_lines():
    pane = Program()
    pane.load((Line("a", "every L moves: cool"), Line("b", "else: reject")))
    pane.show("a", {"a": "3/100"})
    pane.load((Line("a", "after each move: cool"), Line("b", "else: reject")))
    assert lines(pane.draw(Space(40, 3)))[1].startswith("▶ 1 after each move: cool")
    assert lines(pane.draw(Space(40, 3)))[1].endswith("3/100")


def test_every_line_of_a_profile_has_a_bar_in_proportion_however_long_it_is():
    program = (Line("long", "  or if u < e^(−ΔE/T): accept"), Line("short", "  else: reject"),
               Line("end", "until E = 0"))
    pane = Program()
    pane.load(program)
    pane.show(None, {}, {"long": 0.37, "short": 0.01})
    assert lines(pane.draw(Space(34, 4)))[1:] == [
        "█▏    or if u < e^(−ΔE/T) …   37 %",
        "▏     else: reject             1 %",
        "    until E = 0"]
    assert lines(pane.draw(Space(34, 4, ASCII)))[1:3] == [
        "##    or if u < e^(-dE/T) ~   37 %",
        "#     else: reject             1 %"]
    pane.show(None, {}, {"short": 1.0})
    assert lines(pane.draw(Space(34, 4)))[2] == "███   else: reject           100 %"
    assert "accept" in lines(program_rows(program, None, {"long": "p = 0.1"}, Space(34, 3)))[1]


def test_a_scrolled_profile_stays_where_it_is_until_a_step_can_be_read():
    pane = Program()
    pane.load(PROGRAM)
    pane.show(None, {}, {"l1": 0.5})
    pane._first = 4
    pane.show(None, {}, {"l1": 0.6})
    assert "step 5" in lines(pane.draw(Space(34, 9)))[1]
    pane.show("l1", {})
    assert lines(pane.draw(Space(34, 9)))[1].startswith("▶ 1")


def test_no_line_is_marked_while_the_run_is_too_fast():
    drawn = program_rows(PROGRAM, None, {}, Space(34, 13))
    assert not [role for line in drawn for _text, role in line if role == "now"]


def test_a_short_pane_keeps_the_current_line_in_view():
    shown = lines(program_rows(PROGRAM, "l12", {}, Space(34, 4, ASCII)))
    assert shown == ["Program", " 10   step 10", " 11     step 11", ">12 step 12"]


def test_a_program_without_room_counts_the_lines_below_and_scrolls_to_them():
    head, *shown, more = lines(program_rows(PROGRAM, "l3", {}, Space(34, 9, scroll_key="pgdn")))
    assert (head, more) == ("Program", "    … 5 more   pgdn")
    assert [line.split()[-1] for line in shown] == [str(number) for number in range(1, 8)]
    for at in range(1, 13):
        shown = lines(program_rows(PROGRAM, f"l{at}", {}, Space(34, 8), gauges=None))
        assert [line for line in shown if line.startswith("▶")] == [f"▶{at:>2} {PROGRAM[at - 1].text}"]
        assert ("more" in shown[-1]) is ("12 step 12" not in shown[-1])
    assert "more" not in lines(program_rows(PROGRAM, "l3", {}, Space(34, 13)))[-1]


async def test_the_lines_of_a_program_are_all_reached_by_a_page_key_and_the_next_step_shows_its_own() -> None:
    async with open_run((100, 30), registry.solver("swarm")) as on:
        await on.press("2")
        program = on.run_screen.program
        last = program.program[-1].text
        await on.until(lambda: "more   pgdn" in on.shown(program))
        assert last not in on.shown(program)
        await on.press("pagedown")
        await on.until(lambda: last in on.shown(program))
        assert "more" not in on.shown(program)
        await on.press("pagedown")
        await on.until(lambda: "nothing more to scroll to" in on.said)
        await on.press("pageup")
        await on.until(lambda: program.program[0].text in on.shown(program))
        await on.press("pagedown", "right")
        await on.until(lambda: program.current is not None and program.program[0].text in on.shown(program))


async def test_earlier_lines_are_offered_beside_a_log_that_has_some() -> None:
    async with open_run((80, 24), registry.solver("backtrack")) as on:
        for tab, step, offered in (("3", 0, False), ("3", 5, True), ("1", 5, False)):
            await on.press(tab)
            await on.go(step)
            await on.press("pagedown")
            await on.until(lambda: "nothing more to scroll to" in on.said)
            assert ("earlier lines of the log" in on.said) is offered, (tab, step)
        await on.press("3")
        await on.until(lambda: "nothing more" not in on.said)


# Log


def judged(step, cells, delta, energy, accepted=True):
    return events.SwapJudged(step, "x", cells, (1, 2), delta, energy, accepted, 0.5)


def test_log_rows():
    happened = [judged(410_485, (64, 68), 4, 6, False), judged(410_489, (9, 17), 0, 6), judged(410_496, (52, 51), 2, 8)]
    drawn = log_rows(lines_of(happened)[::-1], Space(34, 4))
    assert lines(drawn) == [
        "Log",
        "410 496  ▲ r6c8↔r6c7  +2  E  8",
        "410 489  = r2c1↔r2c9   0  E  6",
        "410 485  × r8c2↔r8c6  +4  E  6",
    ]
    assert drawn[1][-2][1] == "strong"
    assert "strong" not in {role for line in drawn[2:] for _text, role in line}


def test_rotations_and_big_boards_keep_their_columns_in_line():
    drawn = log_rows([line_of(judged(12, (0, 1, 2), -3, 110), 9), line_of(judged(11, (0, 1), -1, 8), 9)], Space(34, 2),
                     heading=False)
    assert lines(drawn) == ["     12 ▼ r1c1→r1c2→r1c3 −3 E 110", "     11 ▼ r1c1↔r1c2      −1 E   8"]


def test_the_energy_of_a_child_of_a_large_population_has_room():
    born = Bred(2_000_000, "x", (12_345, 6_788), 12_711, (), (), 24, True, (20, 22), "uniform")
    drawn = log_rows([line_of(born, 9)], Space(34, 1), heading=False)
    assert lines(drawn) == ["2 000 000 ▲ #12346×#6789 +4 E 24"]
    assert "→ #12712" in lines(log_rows([line_of(born, 9)], Space(44, 1), heading=False))[0]


@pytest.mark.parametrize(("event", "expected"), [
    (events.Contradiction(3_859, "x", (76, 1), "no value is left for r9c5"), "  3 859  ┴ no value for r9c5"),
    (events.Contradiction(9, "x", (76, 1), "no value is left for r9c5"), "      9  ┴ no value for r9c5"),
    (events.Contradiction(700, "x", (), "conflict 3 of Z3   back to level 0"), "    700  ┴ conflict 3 of Z3"),
    (Found(37, "x", "Hidden single", (40,), (5,), (), ((40, 5),), "5 has one place in column 5", ()),
     "     37  + Hidden single: r5c5 ← 5"),
    (events.NewBest(1_207, "x", 34, 36), "  1 207  ◆ new best       E 34")])
def test_a_line_that_has_no_room_is_shorter_but_not_cut(event, expected):
    assert lines(log_rows([line_of(event, 9)], Space(34, 1), heading=False)) == [expected]


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (events.Reheated(7, "x", 0.1, 0.5, 0.5, 1, 50, 3), LogLine(7, "reheat", "T 0.100 → 0.500")),
        (events.NotRaised(7, "x", 0.6, 0.5, 2, 50), LogLine(7, "noted", "T 0.600, not raised")),
        (events.Swept(7, "x", 2, 6), LogLine(7, "reheat", "sweep 2 ended", "", "6")),
        (events.LocalMinimum(7, "x", 4, 0, 12, 90), LogLine(7, "noted", "local minimum", "", "4")),
        (events.Cooled(7, "x", 0.546, 0.545, 1, 2, 3), LogLine(7, "cooled", "T 0.546 → 0.545")),
        (events.Cooled(7, "x", 0.32, 0.32, 1, 2, 3), LogLine(7, "cooled", "T 0.320 held")),
        (events.Cooled(7, "x", 0.0, 0.0, 1, 2, 3), LogLine(7, "cooled", "T is 0")),
        (events.Restarted(7, "x", 3, 6, 40, 4), LogLine(7, "restart", "attempt 3", "", "40")),
        (events.NewBest(7, "x", 4, 5), LogLine(7, "best", "new best", "", "4")),
        (events.Assigned(7, "x", 3, 5, "guess", 1), LogLine(7, "placed", "r1c4 ← 5")),
        (events.Retracted(7, "x", 3, 5, 1), LogLine(7, "taken_back", "r1c4 ← ∅")),
        (events.Contradiction(7, "x", (3,), "no candidate"),
         LogLine(7, "dead_end", "no candidate", brief="no candidate")),
        (events.Done(7, "x", "gave_up", 3, "spent"), LogLine(7, "gave_up", "gave up", "", "3")),
        (GenerationEnded(7, "x", 1, 2, 3.0, 4, 0.5), LogLine(7, "generation", "generation 1", "", "2")),
    ],
)
def test_every_event_has_its_line(event, expected):
    assert line_of(event, 9) == expected
    assert expected is None or all(log_rows([expected], Space(34, 1, glyphs)) for glyphs in (UNICODE, ASCII))


def test_steps_take_seven_columns():
    assert [short_step(step) for step in (0, 999_999, 1_000_000, 12_345_678, 123_456_789, 2_000_000_000)] == [
        "0", "999 999", "1.000 M", "12.35 M", "123.5 M", "2.000 G"]
    for step in (9_999_499, 9_999_500, 99_994_999, 99_995_000, 999_949_999, 999_950_000, 11_056_000):
        written, unit = short_step(step).split()
        assert len(short_step(step)) == 7
        assert abs(float(written) * {"M": 1e6, "G": 1e9}[unit] - step) <= step * 5e-4, "rounded, not cut"


# Setup, header, keys, cell line


def test_in_a_wide_pane_every_parameter_has_a_line():
    listed = [Item("T₀", "1"), Item("neighbourhood", "box-swap", True), Item("α", "0.999")]
    assert lines(parameter_rows(listed, Space(46, 5))) == [
        "Setup" + " " * 35 + "p edit", "T₀                      1", "neighbourhood    box-swap",
        "α                   0.999", ""]
    assert lines(parameter_rows(listed, Space(46, 3)))[1].startswith("T₀ 1")


def test_only_parameters_with_an_effect_are_in_force():
    anneal = registry.solver("anneal")

    def names(**values: str) -> list[str]:
        return [item.symbol for item in items(anneal.make_params("strong", values))]

    assert "levels" not in names()
    assert "representation" not in names()
    assert "restarts" not in names(), "the preset holds T at the floor"
    assert {"α", "draw"} <= set(names())
    assert not {"α", "draw"} & set(names(schedule="linear", neighbourhood="conflict-swap"))
    assert {"levels", "representation"} <= set(names(schedule="linear", neighbourhood="conflict-swap"))


def test_parameter_rows():
    listed = (Item("T₀", "2.200"), Item("α", "0.99982"), Item("reheat", "0.950"), Item("after", "90 000"))
    assert lines(parameter_rows(listed, Space(28, 4))) == [
        "Setup                 p edit", "T₀ 2.200      α 0.99982", "reheat 0.950  after 90 000", ""]
    many = (Item("neighbourhood", "box-swap", True), Item("schedule", "exponential", True), Item("at_floor", "hold"),
            *listed)
    assert lines(parameter_rows(many, Space(28, 4))) == [
        "Setup …               p edit", "box-swap  exponential", "at_floor hold  T₀ 2.200", "α 0.99982  reheat 0.950"]
    assert lines(parameter_rows(many, Space(28, 5)))[0] == "Setup                 p edit"
    assert lines(parameter_rows(many, Space(28, 3), heading=False)) == [
        "box-swap  exponential", "at_floor hold  T₀ 2.200", "… 3 more   p"]
    assert lines(parameter_rows(many, Space(28, 4), heading=False))[-1] == "after 90 000"
    assert [value_text(value) for value in (True, 90_000, 0.99982, -1.5, 1e-06, "hold", None)] == [
        "yes", "90 000", "0.99982", "−1.5", "1e−06", "hold", "–"]


TITLE = Title("Laboratory", ("simulated annealing", "puzzle seventeen", "seed 7"), "‖ PAUSED", "Lab")


@pytest.mark.parametrize(
    ("width", "left"),
    [
        (120, " sudoku-tui  Laboratory   simulated annealing · puzzle seventeen · seed 7"),
        (80, " sudoku-tui  Lab   simulated annealing · puzzle seventeen · seed 7"),
        (64, " sudoku-tui  Lab   simulated annealing · puzzle …"),
        (58, " sudoku-tui  Laboratory   simulated annealing"),
        (45, " sudoku-tui  Lab   simulated …"),
        (34, " sudoku-tui  Lab"),
    ],
)
def test_the_header_drops_context_from_the_end(width, left):
    (text,) = plain([header_row(TITLE, Space(width))])
    assert text.startswith(left + "  ")
    assert text.endswith("  ‖ PAUSED ")
    assert len(text) == width


def test_a_change_of_the_state_changes_nothing_else_in_the_header():
    rows = {state: plain([header_row(replace(TITLE, state=state, longest=11), Space(78))])[0]
            for state in ("SOLVED", "‖ PAUSED", "NO SOLUTION")}
    assert all(text.endswith(f"  {state} ") and len(text) == 78 for state, text in rows.items())
    left = {text[:-12].rstrip() for text in rows.values()}
    assert left == {" sudoku-tui  Lab   simulated annealing · puzzle seventeen"}


HINTS = (KeyHint("space", "run"), KeyHint("←→", "step"), KeyHint("u", "uphill"), KeyHint("b", "best"),
         KeyHint("r", "reheat"),
         KeyHint("g", "go to"), KeyHint("[ ]", "heat"), KeyHint("+ −", "speed"), KeyHint("hjkl", "cell"))


def test_hints_drop_from_the_right_and_help_and_quit_stay():
    for width in range(20, 140):
        (text,) = plain([keys_row(HINTS, Space(width))])
        assert text.endswith("? help   q quit ")
        assert len(text) == width
    assert plain([keys_row(HINTS, Space(80))])[0].split("?")[0].rstrip() == (
        " space run  ←→ step  u uphill  b best  r reheat  g go to")


def test_the_line_about_a_cell():
    puzzle = Puzzle((5, 0, 0, 0) + (0,) * 77)
    view = View((5, 7) + (0,) * 79)

    def shown(view: View, cell: int, width: int, height: int = 1, puzzle: Puzzle = puzzle) -> list[str]:
        return lines(cell_rows(puzzle, view, cell, Space(width, height)))

    assert shown(view, 0, 40) == ["r1c1  given 5"]
    assert shown(view, 1, 46) == ["r1c2  holds 7  could be 1 2 3 4 6 7 8 9"]
    masks = (0,) * 2 + (0b101,) + (0,) * 78
    assert candidates(puzzle, View(view.grid, candidates=masks), 2) == (1, 3)
    assert shown(View(view.grid, candidates=masks), 3, 40) == ["r1c4  no value is possible"]
    assert shown(View(view.grid, candidates=masks), 1, 40) == ["r1c2  holds 7"]
    sixteen = Puzzle((12,) + (0,) * 255, 4)
    assert shown(View(sixteen.givens), 0, 40, puzzle=sixteen) == ["r1c1  given C = 12"], (
        "the board may show the letter or the number")


@pytest.mark.parametrize(("width", "height", "shown"), [
    (29, 1, ["r3c3  holds 2  could be 1 3 4"]),
    (22, 1, ["r3c3 2  could be 1 3 4"]),
    (22, 3, ["r3c3  holds 2", "could be 1 3 4", ""]),
    (16, 1, ["r3c3 2  could …"]),
])
def test_the_values_that_a_cell_could_have_are_shown_under_a_narrow_board(width: int, height: int, shown: list[str]):
    """Under a board of 4 x 4, which is some 20 columns wide, they were cut."""
    puzzle = Puzzle((0, 0, 2, 4) + (0,) * 12, 2)
    view = View((0,) * 10 + (2,) + (0,) * 5)
    assert lines(cell_rows(puzzle, view, 10, Space(width, height))) == shown


def test_the_legend_of_bans_has_the_bar_of_the_board():
    view = View((0,) * 81, {"tabu": (3,)}, heat=(0.5,) * 81)
    for glyphs in (UNICODE, ASCII):
        shown = CellLine()
        shown._legend = mark_legend(view, 9)
        (line,) = plain(shown.draw(Space(40, 1, glyphs)))
        bars = glyphs.heats[1:] if glyphs.ascii else glyphs.heats[5]
        assert line.rstrip() == f"{glyphs.mark('tabu')} ban  {bars} for how long"


# Any values, any space

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=24)
SHARES = st.none() | st.floats(-1, 2)
SPACES = st.builds(Space, st.integers(1, 130), st.integers(1, 20), st.sampled_from([UNICODE, ASCII]))


@pytest.mark.sweep
@given(SPACES, st.lists(st.builds(Gauge, TEXTS, TEXTS, SHARES, st.sampled_from(["plain", "knob", "best"])), max_size=9),
       st.tuples(st.lists(st.builds(Line, TEXTS, TEXTS), max_size=15), st.dictionaries(TEXTS, TEXTS)),
       st.lists(st.builds(LogLine, st.integers(0, 10**12), st.sampled_from(sorted(MARKS)), TEXTS, TEXTS, TEXTS),
                max_size=9),
       st.lists(st.builds(Item, TEXTS, TEXTS), max_size=9))
def test_any_values_fill_any_space_exactly(space, gauges, code, listed, items):
    program, live = code
    current = program[0].id if program else None
    drawings = [
        gauge_rows(gauges, space), program_rows(program, current, live, space), log_rows(listed, space),
        parameter_rows(items, space),
    ]
    for drawn in drawings:
        assert [length(line) for line in drawn] == [space.width] * space.height


@given(SPACES, st.none() | st.builds(Chance, st.floats(0, 1), st.none() | st.floats(0, 1, exclude_max=True)),
       st.builds(Title, TEXTS, st.lists(TEXTS, max_size=4).map(tuple), TEXTS, TEXTS),
       st.lists(st.builds(KeyHint, TEXTS, TEXTS), max_size=9))
def test_any_chance_title_and_hints_fill_any_space_exactly(space, chance, title, hints):
    assert [length(line) for line in chance_rows(chance, space)] == [space.width] * space.height
    assert length(header_row(title, space)) == space.width
    assert length(keys_row(hints, space)) == space.width
