"""The parts of a panel: sharing rows, and the window on a part that is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.view import AutomatonPanel, Block, CountsPanel, ListPanel, Sections, StackPanel, TablePanel
from tui.widgets.panels.panel import panel_rows, shares
from tui.widgets.rows import Space, plain, roles


def test_parts_of_a_panel_share_its_rows_and_those_that_are_read_as_a_whole_come_first() -> None:
    assert shares([5, 5], [3, 3], [False, False], 11) == [5, 5]
    assert shares([60, 11], [4, 4], [False, True], 18) == [6, 11]
    assert shares([60, 60], [4, 4], [False, False], 18) == [9, 8]
    assert shares([60, 60, 60], [4, 4, 4], [False] * 3, 11) == [5, 5], "the third gives way"


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 9), st.booleans()), min_size=1, max_size=6),
       st.integers(1, 60))
def test_the_shares_never_take_more_rows_than_there_are(parts: list[tuple[int, int, bool]], room: int) -> None:
    full = [max(rows, least) for rows, least, _whole in parts]
    given_ = shares(full, [least for _rows, least, _whole in parts], [whole for _rows, _least, whole in parts], room)
    assert sum(given_) + len(given_) - 1 <= room
    assert all(rows <= most for rows, most in zip(given_, full, strict=False))


def test_a_long_table_shows_the_row_that_is_picked_and_how_many_are_above_and_below() -> None:
    long = TablePanel("Stack", (), tuple((f"row {k}",) for k in range(20)), choices=tuple((k, 1) for k in range(20)))
    lines = plain(panel_rows(long, 9, Space(20, 8, picked=(11, 1))))
    assert [line.strip() for line in lines] == ["Stack", "… 7 more", "row 7", "row 8", "row 9", "row 10", "▷ row 11",
                                                "… 8 more"]
    assert [line.strip() for line in plain(panel_rows(long, 9, Space(20, 4, picked=(19, 1))))][1:] == [
        "… 18 more", "row 18", "▷ row 19"]


def test_an_item_on_several_rows_counts_once() -> None:
    long = ListPanel("Findings", tuple(f"step {k} a finding that takes two rows" for k in range(20)))
    lines = [line.strip() for line in plain(panel_rows(long, 9, Space(24, 7)))]
    assert (lines[1], lines[-1]) == ("step 0 a finding that", "… 17 more")


def test_a_core_has_all_its_lines_before_other_tables_have_more_than_the_least() -> None:
    rows = tuple((f"row {k}", "each value once") for k in range(1, 6))
    before = TablePanel("Questions", (), tuple((f"r1c{k} = 1",) for k in range(1, 10)))

    def lines(core: tuple[int, ...]) -> str:
        parts = Sections("Z3", (before, TablePanel("Core", (), rows, core=core)))
        return "\n".join(plain(panel_rows(parts, 9, Space(44, 12))))

    assert all(f"row {k}" in lines((0, 1, 2, 3, 4)) for k in range(1, 6))
    assert "row 5" not in lines(())


def test_an_automaton_with_little_room_merges_equal_letters_and_keeps_the_result() -> None:
    reads = tuple(f"r{row}c5" for row in range(1, 10))
    because = ("box 2",) * 3 + ("row 4", "= 8", "= 1") + ("box 8",) * 3
    word = AutomatonPanel("One 2 in column 5", reads, ("no",) * 9, because, ("(0)",) * 10, False)
    assert len([line for line in plain(panel_rows(word, 9, Space(44, 14))) if line.strip()]) == 12
    text = [line.strip() for line in plain(panel_rows(word, 9, Space(44, 8)))]
    assert text[2:] == ["(0)    r1c5…r3c5  no      box 2", "(0)    r4c5       no      row 4",
                        "(0)    r5c5       no      = 8", "(0)    r6c5       no      = 1",
                        "(0)    r7c5…r9c5  no      box 8", "(0)  rejected"]
    assert plain(panel_rows(word, 9, Space(44, 6)))[-1].strip() == "(0)  rejected"


def test_an_automaton_keeps_its_head_at_the_cost_of_the_parts_after_it() -> None:
    because = ("given", "accepted", "given", "open", "open", "open", "given", "open", "given")
    states = ("(0)", "(1)", "(2)", "(3)", "(3)", "(3)", "(3)", "(4)", "(4)", "(5)")
    letters = ("4", "1", "7", ".", ".", ".", "8", ".", "5")
    reads = tuple(f"r1c{k}" for k in range(1, 10))
    word = AutomatonPanel("Every value in row 1", reads, letters, because, states, None)
    others = [TablePanel(name, (), (("a",), ("b",), ("c",))) for name in ("Questions", "Counted", "Formula")]
    parts = Sections("Z3", (others[0], word, *others[1:]))
    for height in range(14, 40):
        lines = [line.strip() for line in plain(panel_rows(parts, 9, Space(44, height)))]
        at = lines.index("Every value in row 1")
        assert lines[at + 1].split() == ["state", "reads", "letter", "because"], height


@pytest.mark.parametrize("alike", [False, True])
def test_a_word_without_room_says_how_many_of_its_letters_are_hidden(alike: bool) -> None:
    """At 120x36 the panel of Z3 had one question without a sign that there are more, the head of an automaton and its
    result without a letter, or blank rows in its place, and named the parts without room twice."""
    because = tuple("struck" if alike and k < 5 else f"= {k}" for k in range(1, 10))
    word = AutomatonPanel("One 6", tuple(f"r4c{k}" for k in range(1, 10)), ("no",) * 9, because, ("(0)",) * 10, False)
    core = TablePanel("Core", (), tuple(("seen", f"line {k}") for k in range(4)), whole=True)
    asked, *others = (TablePanel(name, head, (("a",), ("b",), ("c",)))
                      for name, head in (("Questions", ("question",)), ("Counted", ()), ("Formula", ())))
    parts = Sections("Z3", (asked, core, word, *others))
    for height in range(16, 45):
        lines = [line.strip() for line in plain(panel_rows(parts, 9, Space(44, height, scroll_key="pgdn")))]
        at, end = lines.index("One 6"), lines.index("(0)  rejected")
        letters = [line for line in lines[at + 1:end] if line.startswith("(0)")]
        assert letters, height
        assert len(letters) == 9 or (alike and len(letters) == 6) or "more" in lines[end - 1], height
        assert {"a", "b", "c"} <= set(lines[:at]) or any("more" in line for line in lines[:lines.index("Core")]), height
        assert sum("Formula" in line for line in lines) == 1, height
        blank = len(lines) - max(place for place, line in enumerate(lines) if line) - 1
        assert blank <= 1 or "Formula" in lines, "rows are left while parts have no room"


def test_an_empty_panel_shows_none() -> None:
    both = Sections("Z3", (TablePanel("Questions", ("question", "answer"), ()), StackPanel("Stack", ())))
    text = [line.split() for line in plain(panel_rows(both, 9, Space(44, 5)))]
    assert text[1:4] == [["none"], [], ["Stack", "tried", "[now]", "left"]]


def test_the_selected_choice_of_a_stack_differs_from_the_newest() -> None:
    stack = StackPanel("Stack", ((0, 3, (), (4,)), (9, 5, (), ())))
    drawn = panel_rows(stack, 9, Space(44, 6, picked=(0, 3)))
    assert [roles(line)[0][1] for line in drawn[2:4]] == ["now", "selected"]


def test_the_parts_without_room_are_named_in_whole_words() -> None:
    parts = tuple(TablePanel(name, (), (("row",), ("row",))) for name in ("Questions", "Formula", "Before", "Counted"))
    for width in range(14, 40):
        last = plain(panel_rows(Sections("Z3", parts), 9, Space(width, 5)))[-2].rstrip()
        words = set(last.replace(",", "").split())
        assert words <= {"…", "Formula", "Before", "Counted"}, last
        assert words == {"…", "Formula", "Before", "Counted"} or last.endswith("…")


def test_the_line_that_counts_hidden_lines_names_the_parts_below_it() -> None:
    """CP-SAT at 120x36: its statistics were below "20 more", which counted the lines of its log only."""
    log = ListPanel("Its log", tuple(f"line {k}" for k in range(9)))
    parts = Sections("CP-SAT", (log, TablePanel("Statistics", (), (("Booleans", "0"),) * 4)))

    def last(width: int) -> str:
        return plain(panel_rows(parts, 9, Space(width, 5, scroll_key="pgdn")))[-1].rstrip()

    assert last(40) == "      … 6 more, Statistics   pgdn"
    assert last(30) == "… 6 more, Statistics   pgdn"
    assert last(24) == "      … 6 more   pgdn"


@pytest.mark.parametrize("height", range(4, 30))
def test_parts_that_are_left_out_are_never_unmentioned(height: int) -> None:
    asked = TablePanel("Questions", ("question",), tuple((f"r1c{k} = 1",) for k in range(1, 5)))
    core = TablePanel("Core", (), tuple((f"row {k}",) for k in range(1, 5)), core=(0, 1))
    panel = Sections("Z3", (asked, core, ListPanel("Formula", ("a",) * 5), ListPanel("Before", ("b",) * 5)))
    drawn = [line.strip() for line in plain(panel_rows(panel, 9, Space(30, height, scroll_key="pgdn")))]
    if not {"Formula", "Before"} <= {*drawn}:
        assert drawn[-1].startswith("…"), drawn
        assert drawn[-1].endswith("pgdn"), drawn


def test_each_line_of_each_part_can_be_scrolled_to() -> None:
    parts = tuple(TablePanel(name, ("head",), tuple((f"{name}{at}",) for at in range(size)))
                  for name, size in (("Questions", 8), ("Counted", 3), ("Formula", 5), ("Before", 9)))
    panel = Sections("Z3", parts)
    for height in range(6, 40):
        drawn = [plain(panel_rows(panel, 9, Space(30, height, skip=skip))) for skip in range(0, 80, 2)]
        end = next(place for place, three in enumerate(zip(drawn, drawn[1:], drawn[2:], strict=False))
                   if three[0] == three[1] == three[2])  # no key goes further
        seen = set(" ".join(line for rows in drawn[: end + 1] for line in rows).split())
        assert {f"{part.title}{at}" for part in parts for at in range(len(part.rows))} <= seen, height


def test_counts_that_are_scrolled_keep_the_heading_of_their_block() -> None:
    blocks = tuple(Block(label, (3,) * 81, 9) for label in ("cell", "row", "column", "box"))
    heads = [plain(panel_rows(CountsPanel("Choices left", blocks), 9, Space(32, 8, skip=skip)))[1].split()
             for skip in range(14)]
    assert heads[0] == heads[1] == heads[5] == ["cell", "row", "column"]
    assert heads[-1] == ["box"]


def test_counts_that_lack_one_line_keep_their_headings() -> None:
    blocks = tuple(Block(label, (3,) * 16, 4) for label in ("cell", "row"))
    parts = Sections("Exact cover", (CountsPanel("Choices left", blocks), TablePanel("Stack", (), (("r2c3 = 3",),))))
    for height in range(4, 12):
        assert plain(panel_rows(parts, 4, Space(40, height)))[1].split() == ["cell", "row"], height


def test_a_table_that_is_read_whole_breaks_its_last_column() -> None:
    why = "after 24 rounds of logic up to hidden pair: row 4 has no place left for 6"
    table = TablePanel("Core", (), (("core", "42 items"), ("seen", why)), whole=True)
    for width in (20, 34, 46):
        lines = plain(panel_rows(Sections("Z3", (table,)), 9, Space(width, 12)))[1:]
        assert max(map(len, lines)) <= width
        assert " ".join(" ".join(lines).split()) == f"core 42 items seen {why}"


def test_a_core_in_a_narrow_panel_has_all_its_items_with_their_mark() -> None:
    rows = (("units", "row 1, column 8, box 2"), ("cells", "r1c1=4 r1c2=1 r1c3=2"), ("", "r1c7=8 r1c9=5 r3c4=7"))
    table = TablePanel("Core", (), rows, core=(0, 1, 2), whole=True)
    _title, *lines = plain(panel_rows(Sections("Z3", (table,)), 9, Space(28, 7)))
    assert " ".join(line[1:] for line in lines).split() == " ".join(" ".join(row) for row in rows).split()
    assert [line[0] for line in lines if line.strip()] == ["!"] * 6


def test_the_table_of_an_automaton_in_a_narrow_panel_keeps_its_reasons() -> None:
    panel = AutomatonPanel("Automaton", ("r7c1", "r7c2"), ("no", "4"), ("column 1", "accepted"), ("(0)", "(0)", "(1)"),
                           None)
    wide, narrow = (plain(panel_rows(panel, 9, Space(width, 8))) for width in (40, 29))
    assert [line.split()[3:] for line in wide[2:4]] == [["column", "1"], ["accepted"]]
    assert [line.split()[3:] for line in narrow[2:4]] == [["col", "1"], ["accepted"]]


@pytest.mark.parametrize("now", [0, 3, 5])
def test_a_table_with_two_rows_of_room_shows_the_row_of_the_step(now: int) -> None:
    table = TablePanel("Counters", (), tuple((f"counter {row}", str(row)) for row in range(6)), now)
    shown = [line.strip() for line in plain(panel_rows(table, 9, Space(34, 3, scroll_key="pgdn")))]
    assert shown[0] == "Counters"
    assert f"counter {now}" in shown[1]
    assert shown[2] == "… 5 more   pgdn"
