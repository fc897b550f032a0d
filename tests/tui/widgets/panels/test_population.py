"""The panel of a population: exact rows, and any population in any space."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from engine.view import MOST_SHOWN, ListPanel, PopulationPanel, Sections, TablePanel
from tui.look.glyphs import ASCII, UNICODE
from tui.widgets.panels.panel import divided, panel_rows
from tui.widgets.panels.population import (
    Selection,
    arrange,
    bin_width,
    binned,
    bounds,
    class_of,
    histogram_rows,
    individual_at,
    moved,
    population_rows,
)
from tui.widgets.rows import Space, length, plain

TWELVE = (0, 3, 4, 9, 10, 19, 20, 39, 40, 60, 7, 12)


def panel(energies, each=1, **said):
    counts = tuple((energy, number * each) for energy, number in sorted(Counter(energies).items()))
    return PopulationPanel("Population", tuple(energies), len(energies) * each, counts, each, **said)


ROOM, SORTED = Space(65, 18), Selection()


def drawn(shown, choice=SORTED, space=ROOM, heading=True):
    return [line.rstrip() for line in plain(population_rows(shown, choice, 9, space, heading))]


def test_every_individual_is_a_glyph_by_the_class_of_its_errors():
    shown = panel(TWELVE, current=2, parents=(0, 3), replaced=9)
    assert drawn(shown, Selection(by_energy=False, sort_key="s"), Space(65, 8)) == [
        "Population  12 individuals                      by index   s by E",
        "E   ◈ 0–3   ▫ 4–9   ▪ 10–19   ▨ 20–39   ▩ 40+",
        "  1 A ◈ []B ▪ ▪ ▨ ▨ ▩ † ▫ ▪",
        "#3   E = 4   A #1   B #4",
        "    individuals by E   peak 5",
        "    ████ ▂▂▂▂",
        "    ████ ████ ▄▄▄▄ ▄▄▄▄ ▄▄▄▄      ▄▄▄▄",
        "    0    10   20   30   40   50   60",
    ]


def test_sorted_by_errors_the_best_come_first_and_equals_keep_their_order():
    shown = panel((5, 0, 5, 50))
    assert drawn(shown)[3] == "  1 ◈ ▫ ▫ ▩"
    assert arrange(shown, True, Space(65, 18), True).order == (1, 0, 2, 3)


def test_the_marks_have_roles_and_survive_without_colours():
    shown = panel(TWELVE, current=2, parents=(0, 3))
    by_hand = Selection(by_energy=False, picked=5)
    line = population_rows(shown, by_hand, 9, Space(65, 18))[3]
    assert [(text, role) for text, role in line if role not in ("muted", "blank", "text")] == [
        ("A ", "strong"), ("◈", "data_strong"), ("[]", "now"), ("B ", "strong"), ("▪<", "selected")]
    opened = population_rows(shown, Selection(by_energy=False, picked=2, opened=True), 9, Space(65, 18))[3]
    assert ("[]", "selected") in opened
    assert not any(role == "now" for _text, role in opened), "it is not what this step is about"


def test_workers_explorers_and_ages_differ():
    shown = panel((0, 0, 50, 50), kinds="wewe", kind_names={"w": "worker", "e": "explorer"}, ages=(0, 500, 1000, 100),
                  patience=1000)
    lines = drawn(shown, space=Space(65, 18))
    assert lines[2] == "◈▩ worker  ◌◔◑◕◍ explorer  ▁–█ age"
    assert drawn(shown, space=Space(65, 18, ASCII))[2].endswith("1-8 age")
    assert lines[4] == "  1 ◈ ◌ ▩█◍", "only workers grow old"
    assert drawn(shown, space=Space(65, 18, ASCII))[4] == "  1 i j $8@"
    assert drawn(shown, Selection(picked=2))[5].rstrip().endswith("worker   age 1 000 of 1 000")
    assert drawn(shown, Selection(picked=2), Space(37, 18))[5].rstrip().endswith("worker   age 1 000")
    assert drawn(shown, Selection(picked=1))[5].rstrip().endswith("explorer")


def test_without_room_for_ages_the_legend_has_none():
    shown = panel((0, 50) * 200, kinds="we" * 200, kind_names={"w": "worker", "e": "explorer"}, ages=(500,) * 400,
                  patience=1000)
    for space, pitch in ((Space(65, 18), 1), (Space(120, 18), 2)):
        assert arrange(shown, True, space, True).pitch == pitch
        assert ("age" in drawn(shown, space=space)[2]) == (pitch == 2)


def test_in_few_lines_a_population_comes_before_other_sections():
    shown = panel(TWELVE)
    several = Sections("", (shown, TablePanel("Velocity", ("swap",), tuple((f"r1c{place}",) for place in range(20)))))
    low = Space(40, 7, scroll_key="pgdn")
    room, below = divided(shown, several, 9, low)
    assert (room.height, plain(below)) == (6, ["… Velocity   pgdn".ljust(40)])
    assert any("◈" in line for line in drawn(shown, space=room, heading=False))
    _room, below = divided(shown, several, 9, structs.replace(low, skip=1))
    assert "r1c" in "".join(plain(below))


@pytest.mark.parametrize(("n", "limits"), [(4, (1, 2, 5, 10)), (9, (4, 10, 20, 40)), (16, (13, 32, 65, 130))])
def test_classes_grow_with_the_board(n, limits):
    assert bounds(n) == limits
    assert [class_of(energy, limits) for energy in (0, limits[0], limits[3] - 1, limits[3])] == [0, 1, 3, 4]


@pytest.mark.parametrize(("size", "space", "pitch", "fold"), [
    (300, Space(65, 18), 2, 1), (400, Space(65, 18), 1, 1), (400, Space(56, 36), 2, 1), (1024, Space(34, 12), 1, 5)])
def test_cells_share_the_room_there_is(size, space, pitch, fold):
    found = arrange(panel((1,) * size), True, space, True)
    assert (found.pitch, found.fold) == (pitch, fold)


def test_four_hundred_share_cells_in_a_tab_with_a_note():
    shown, space = panel((1,) * 400, current=0), Space(34, 12)
    found = arrange(shown, True, space, False)
    assert (found.fold, found.across, found.lines, found.bars) == (2, 30, 7, 1)
    assert drawn(shown, space=space, heading=False)[8] == "#1   E = 1         by E, best of 2"


@pytest.mark.parametrize("space", [Space(65, 18), Space(34, 12)])
def test_the_arrangement_stays_while_a_generation_is_made(space):
    full = arrange(panel((1,) * 300, room=300), True, space, True)
    for made in (150, 151, 200, 299):
        shown = panel((1,) * made, current=0, room=300)
        found = arrange(shown, True, space, True)
        assert (found.pitch, found.fold, found.lines, found.bars) == (full.pitch, full.fold, full.lines, full.bars)
        below = [line for line in drawn(shown, space=space) if "individuals by E" in line]
        assert len(below) == (full.bars > 0)
        assert "301" not in "".join(drawn(shown, space=space)), "lines without individuals have no label"


def test_the_heading_has_the_individuals_of_a_cell():
    born = panel((1,) * 405, born=5)
    assert "400 + 5 individuals" in drawn(born)[0], "the parents and the children of this generation"
    assert drawn(panel((1,) * 1000, 98))[0].endswith("98 000 individuals, best of 196       cells by best E")
    assert "98 000 individuals, a cell is the best of" in "\n".join(drawn(panel((1,) * 1000, 98), heading=False))
    assert "E ≥ 1" in "\n".join(drawn(panel((1,) * 1000, 98), Selection(picked=98 * 5)))
    assert "E = 7" in "\n".join(drawn(panel((1,) * 1000, 98, current=98 * 5, current_energy=7)))


@pytest.mark.parametrize(("size", "each", "space", "second", "third"), [
    (500, 1, Space(65, 18), "61", "121"), (1000, 2, Space(65, 14), "121", "241"),
    (14_538, 25, Space(69, 18), "3 001", "6 001"), (100_000, 98, Space(69, 18), "11 761", "23 521")])
def test_the_number_of_a_line_is_that_of_its_first_individual(size, each, space, second, third):
    shown = panel((1,) * -(-size // each), each)
    shown = structs.replace(shown, size=size, room=2 * shown.size if each == 25 else 0)
    found = arrange(shown, True, space, True)
    lines = drawn(shown, Selection(by_energy=False), space)[found.top : found.top + found.lines]
    labels = [line[: found.label] for line in lines]
    assert [label.strip() for label in labels[:3]] == ["1", second, third]
    assert all(label[-1:] in ("", " ") for label in labels), "a blank is before the first cell"


def test_the_best_of_a_cell_is_the_one_that_is_picked():
    shown = structs.replace(panel((7, 5, 9), 10), best=(4, 13, 20))
    found = arrange(shown, True, Space(65, 18), True)
    assert [moved(shown, found, picked, 0, right) for picked, right in ((4, 0), (4, -1), (4, 1))] == [4, 13, 20]
    assert individual_at(shown, found, found.label, found.top) == 13
    assert "#14   E = 5" in "\n".join(drawn(shown, Selection(picked=13)))
    assert "#15   E ≥ 5 (its cell's best)" in "\n".join(drawn(shown, Selection(picked=14)))


def test_sorted_cells_of_several_individuals_are_no_ranks_of_individuals():
    shown = panel((7, 5, 9) * 40, 10)
    heading, *lines = drawn(shown)
    assert heading.endswith("cells by best E")
    assert all(line.strip().lstrip("▫ ") == "" for line in lines[2:4]), "no numbers of individuals"
    assert drawn(shown, Selection(by_energy=False))[3].lstrip().startswith("1 ")


def test_keys_go_over_the_individuals_and_stop_at_the_edges():
    shown = panel(range(40), current=7)
    found = arrange(shown, True, Space(65, 18), True)
    assert moved(shown, found, None, 0, 1) == 7, "it begins with the one on the board"
    assert moved(shown, found, 7, 0, 1) == 8
    assert moved(shown, found, 7, 1, 0) == 37
    assert moved(shown, found, 37, 1, 0) == 37
    assert moved(shown, found, 0, 0, -1) == 0


def test_the_histogram():
    assert [bin_width(most, 12) for most in (0, 11, 12, 23, 24, 48, 59, 60, 200)] == [1, 1, 2, 2, 4, 5, 5, 10, 20]
    assert binned(((0, 2), (13, 4)), 12) == (2, [2, 0, 0, 0, 0, 0, 4])
    assert plain(histogram_rows(((0, 2), (2, 4)), Space(34, 4))) == [
        "individuals by E   peak 4".ljust(34), f"{'          ████':<34}", f"{'████      ████':<34}",
        f"{'0    1    2':<34}"]


def test_sections_below_a_population_have_a_third_of_its_lines():
    shown = panel(TWELVE)
    room, below = divided(shown, Sections("", (shown, ListPanel("Moves", tuple("abcdefghijk")))), 9, Space(65, 18))
    assert room.height + len(below) == 18
    assert len(below) == 7
    assert plain(below)[1].startswith("Moves")
    assert divided(shown, shown, 9, Space(65, 18)) == (Space(65, 18), ())
    few, below = divided(shown, Sections("", (shown, ListPanel("Moves", ("a",)))), 9, Space(65, 18))
    assert (few, len(below)) == (room, 7), "no part moves where another one grows"


populations = st.builds(
    lambda energies, each, current, parents, replaced, aged, kinds: panel(
        energies, each, current=current % (len(energies) * each),
        parents=tuple(parent % (len(energies) * each) for parent in parents), replaced=replaced % len(energies),
        ages=tuple(50 for _ in energies) if aged else None, patience=100, kinds="we" * (len(energies) // 2) + "w" * (
            len(energies) % 2) if kinds else "", kind_names={"w": "worker", "e": "explorer"} if kinds else {}),
    st.lists(st.integers(0, 500), min_size=1, max_size=MOST_SHOWN), st.integers(1, 98), st.integers(0), st.lists(
        st.integers(0), max_size=2), st.integers(0), st.booleans(), st.booleans())


@settings(max_examples=60)
@given(populations, st.integers(1, 130), st.integers(1, 40), st.booleans(), st.booleans(), st.booleans(),
       st.integers(0))
def test_any_population_in_any_space(shown, width, height, heading, by_energy, in_ascii, picked):
    space = Space(width, height, ASCII if in_ascii else UNICODE)
    choice = Selection(by_energy, picked % shown.size, False, "s")
    lines = population_rows(shown, choice, 9, space, heading)
    assert len(lines) == height
    assert all(length(line) == width for line in lines)
    assert not in_ascii or "".join(plain(lines)).isascii()
    found = arrange(shown, by_energy, space, heading)
    assert sorted(found.order) == list(range(len(shown.energies)))
    if found.lines * found.across * found.fold >= len(found.order) and found.top + found.lines <= height:
        cell = found.order.index(shown.current // shown.each) // found.fold
        x = found.label + cell % found.across * found.pitch
        at = individual_at(shown, found, x, found.top + cell // found.across)
        assert at is not None
        assert found.order.index(at // shown.each) // found.fold == cell


@pytest.mark.sweep
def test_a_panel_of_a_population_draws_as_itself_among_others():
    assert any("◈" in line for line in plain(panel_rows(panel(TWELVE), 9, Space(40, 10))))


def test_the_line_below_the_individuals_names_the_one_on_the_board_too():
    shown = panel(TWELVE, current=2)
    assert drawn(shown, Selection(picked=5))[4] == "#6   E = 19   [] #3"
    assert drawn(shown, Selection(picked=2))[4] == "#3   E = 4"


def test_a_grid_of_no_individual_is_named_with_its_own_errors():
    shown = panel(TWELVE, current=2)
    assert drawn(shown, Selection(other_grid="gBest   E = 30"))[4] == "on the board: gBest   E = 30"


def test_the_legend_has_every_shape_of_every_kind():
    shown = panel((0, 5, 15, 30, 50), kinds="wweee", kind_names={"w": "worker", "e": "explorer"}, ages=(500,) * 5,
                  patience=1000)
    for glyphs in (UNICODE, ASCII):
        lines = drawn(shown, SORTED, Space(34, 12, glyphs))
        assert all(shape in lines[1] for shape in glyphs.classes)
        assert f" worker  {glyphs.other_classes} explorer" in lines[2]
        assert lines[2].endswith(" age")


def test_parents_come_before_the_age_where_there_is_no_room_for_both():
    shown = panel((29, 27, 32), kinds="www", kind_names={"w": "worker"}, ages=(0, 5, 7), patience=1000, current=0,
                  parents=(1, 2))
    for width, told in ((65, "worker   age 0 of 1 000   A #2   B #3"), (44, "worker   age 0   A #2   B #3"),
                        (37, "worker   A #2   B #3")):
        assert any(line.rstrip().endswith(told) for line in drawn(shown, space=Space(width, 18))), width


def test_no_number_of_a_population_is_cut():
    shown = panel((39,) * 700, each=25, current=17208, parents=(5768, 5769), born=4409)
    for width in range(30, 66):
        text = "\n".join(drawn(shown, space=Space(width, 18), heading=False))
        assert ("#5770" in text) is ("#5769" in text), width
        assert re.search(r"best of \d+$", text, re.MULTILINE), width


def test_the_peak_of_a_histogram_is_grouped():
    assert "peak 2 386" in plain(histogram_rows(((3, 2386), (40, 6)), Space(60, 5, UNICODE)))[0]


def test_a_number_of_a_narrow_population_is_not_cut() -> None:
    """A cell of 16 was called the best of 1; the last class in view seemed to be the last of all."""
    shown = panel(tuple(range(100)) * 16)
    for width in range(16, 40):
        text = "\n".join(plain(population_rows(shown, Selection(), 16, Space(width, 12))))
        each = re.search(r"best of (\d+)", text)
        assert each is None or int(each[1]) == arrange(shown, True, Space(width, 12), True).fold * shown.each, width
        classes = text.splitlines()[1].rstrip()
        assert "▩" in classes or classes.endswith("…"), (width, classes)
