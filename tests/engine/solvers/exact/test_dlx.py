"""`dlx` against algorithm X on plain sets, which is written here to be obviously right."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import solutions
from engine.breakpoints import Stop
from engine.energy import is_solution
from engine.events import Contradiction, Done, Event
from engine.events.search import Covered, Uncovered
from engine.puzzle import Puzzle, Variant, geometry
from engine.puzzles import packs
from engine.run.run import Run
from engine.solvers.exact.dancing_links import CHOICES, DEAD_ENDS
from engine.solvers.exact.dlx import SOLVER, DlxState
from engine.solvers.exact.exact_cover import empty_board
from engine.view import CountsPanel, Sections, TablePanel

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..")
NONE = Puzzle.from_line("12....3.........")

Choice = tuple[int, int]
"""(cell, value)"""
Column = tuple[int, int]
"""(-1, cell), or (place of the unit, value)"""
Rule = str


@functools.cache
def rows(n: int, variant: Variant) -> dict[Choice, frozenset[Column]]:
    """For every choice its columns; `n` is the side of a box."""
    units = geometry(n, variant).units
    return {(cell, value): frozenset([(-1, cell), *((k, value) for k, unit in enumerate(units) if cell in unit.cells)])
            for cell in range(n**4) for value in range(1, n * n + 1)}


def columns_left(puzzle: Puzzle, taken: list[Choice]) -> list[Column]:
    n, row = puzzle.n, rows(puzzle.box, puzzle.variant)
    every = [(-1, cell) for cell in range(n * n)]
    every += [(place, value) for place in range(len(puzzle.geometry.units)) for value in range(1, n + 1)]
    covered = {column for choice in taken for column in row[choice]}
    return [column for column in every if column not in covered]


def choices_left(puzzle: Puzzle, taken: list[Choice], column: Column) -> list[Choice]:
    """Those of an open column that clash with nothing taken."""
    row = rows(puzzle.box, puzzle.variant)
    covered = {column for choice in taken for column in row[choice]}
    return [choice for choice, columns in row.items() if column in columns and columns.isdisjoint(covered)]


def recursion(puzzle: Puzzle, taken: list[Choice], rule: Rule) -> Iterator[tuple[str, int, int]]:
    """The choices that algorithm X makes and undoes, in order; `taken` holds the cover once it is found."""
    columns = columns_left(puzzle, taken)
    if not columns:
        return
    sizes = [len(choices_left(puzzle, taken, column)) for column in columns]
    column = columns[sizes.index(min(sizes))] if rule == "smallest" else columns[0]
    for choice in choices_left(puzzle, taken, column):
        taken.append(choice)
        yield "covered", *choice
        yield from recursion(puzzle, taken, rule)
        if not columns_left(puzzle, taken):
            return
        taken.pop()
        yield "uncovered", *choice


def reported(events: tuple[Event, ...]) -> list[tuple[str, int, int]]:
    return [(event.kinds[0], event.cell, event.value) for event in events if isinstance(event, Covered | Uncovered)]


@st.composite
def small_puzzles(draw: st.DrawFn) -> Puzzle:
    """4x4 puzzles of either variant whose givens do not contradict each other; many have no solution."""
    variants: list[Variant] = ["classic", "diagonal"]
    variant = draw(st.sampled_from(variants))
    givens = [0] * 16
    for cell in draw(st.permutations(range(16))):
        wanted = draw(st.integers(0, 4))
        tried = tuple(wanted if k == cell else value for k, value in enumerate(givens))
        if not Puzzle(tried, 2, variant).clashes() and draw(st.booleans()):
            givens[cell] = wanted
    return Puzzle(tuple(givens), 2, variant)


def givens_of(puzzle: Puzzle) -> list[Choice]:
    return [(cell, value) for cell, value in enumerate(puzzle.givens) if value]


@settings(max_examples=20, deadline=None)
@given(small_puzzles(), st.sampled_from(["smallest", "first"]))
def test_every_step_is_algorithm_x(puzzle: Puzzle, rule: Rule) -> None:
    params = SOLVER.make_params(None, {"column": rule})
    state = SOLVER.init(puzzle, params, 0)
    taken = givens_of(puzzle)
    expected = list(recursion(puzzle, taken, rule))
    made = [step for events in SOLVER.steps(state, params) for step in reported(events)]
    assert made == expected
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert outcome.status == solutions.solve(puzzle).outcome
    if outcome.status == "solved":
        assert is_solution(puzzle, outcome.grid)
        assert sorted(taken) == list(enumerate(outcome.grid)), "the covers differ"


@settings(max_examples=10, deadline=None)
@given(small_puzzles(), st.integers(0, 12))
def test_the_links_hold_the_remaining_choices(puzzle: Puzzle, steps: int) -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(puzzle, params, 0)
    SOLVER.advance(state, params, steps)
    taken = [(cell, value) for cell, value in enumerate(state.grid) if value]
    view = SOLVER.view(state, params, ())
    columns = columns_left(puzzle, taken)
    assert state.energy == len(columns)
    for cell in range(16):
        choices = choices_left(puzzle, taken, (-1, cell)) if (-1, cell) in columns else []
        assert view.candidates is not None
        assert view.candidates[cell] == sum(1 << value - 1 for _cell, value in choices)
    counts = [len(choices_left(puzzle, taken, (place, value))) if (place, value) in columns else -1
              for place in range(len(puzzle.geometry.units)) for value in range(1, 5)]
    assert shown_counts(state)[16:] == counts


def shown_counts(state: DlxState) -> list[int]:
    panel = SOLVER.view(state, SOLVER.make_params(), ()).panel
    assert isinstance(panel, Sections)
    counts = panel.parts[0]
    assert isinstance(counts, CountsPanel)
    return [count for block in counts.blocks for count in block.counts]


def test_uncovering_restores_the_links() -> None:
    params = SOLVER.make_params("first")
    state = SOLVER.init(EASY, params, 0)
    before, taken_back = [(state.heads.copy(), state.links.copy())], 0
    for events in SOLVER.steps(state, params):
        for event in events:
            if isinstance(event, Covered):
                before.append((state.heads.copy(), state.links.copy()))
            elif isinstance(event, Uncovered):
                before.pop()
                heads, links = before[-1]
                assert (state.heads == heads).all()
                assert (state.links == links).all()
                taken_back += 1
    assert taken_back > 50, "the search has to go back for this to mean anything"


@pytest.mark.parametrize(("box", "variant", "columns", "nodes"), [
    (2, "classic", 64, 256), (3, "classic", 324, 2916), (3, "diagonal", 342, 2916 + 18 * 9),
    (5, "classic", 2500, 62500),
])
def test_the_matrix_has_the_size_of_the_textbook(box: int, variant: Variant, columns: int, nodes: int) -> None:
    board = empty_board(box, variant)
    assert board.heads.shape == (3, columns + 1)
    assert board.links.shape == (2, columns + 1 + nodes)
    assert (board.heads[2, 1:] == box * box).all(), "every column can be covered in n ways"


@pytest.mark.parametrize("puzzle", [
    EASY, HARD, Puzzle((0,) * 81, 3, "diagonal"), Puzzle((0,) * 256, 4, "diagonal"), Puzzle((0,) * 625, 5),
], ids=["easy", "hard", "9x9 diagonal", "16x16 diagonal", "25x25"])
def test_sizes_and_variants_are_solved(puzzle: Puzzle) -> None:
    params = SOLVER.make_params(None, {"max_steps": 200_000})
    state = SOLVER.init(puzzle, params, 0)
    assert SOLVER.advance(state, params, 200_000).reason == "done"
    assert is_solution(puzzle, state.grid)


def test_a_dead_end_is_a_column_without_a_choice() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(NONE, params, 0)
    log = list(SOLVER.steps(state, params))
    assert isinstance(log[-1][-1], Done)
    assert log[-1][-1].status == "no_solution"
    first = log[0][0]
    assert isinstance(first, Contradiction | Covered)
    assert sum(isinstance(event, Contradiction) for events in log for event in events) == state.counts[DEAD_ENDS] > 0
    assert sum(isinstance(event, Covered) for events in log for event in events) == state.counts[CHOICES]


def test_a_dead_end_is_shown_before_the_choice_is_undone() -> None:
    run = Run.start("dlx", HARD)
    shown = 0
    while not run.at_end and shown < 5:
        run.advance(1)
        kinds = {kind for event in run.events for kind in event.kinds}
        if {"contradiction", "retracted"} <= kinds:
            shown += 1
            view = run.view()
            assert view.live["each"] == "none left"
            gauges = {gauge.label: gauge.text for gauge in view.gauges}
            columns, _best, depth = run.solver.sample(run.judged, run.params)
            assert (gauges["columns"], gauges["depth"]) == (f"{columns:.0f}", f"{depth:.0f}")
            assert isinstance(view.panel, Sections)
            counts = view.panel.parts[0]
            assert isinstance(counts, CountsPanel)
            [(block, place)] = counts.now
            assert counts.blocks[block].counts[place] == 0
            undone = next(event for event in run.events if isinstance(event, Uncovered))
            assert view.grid[undone.cell] == undone.value
    assert shown == 5


def test_beside_the_choices_of_a_column_is_the_place_of_this_one_or_how_many_are_left() -> None:
    run = Run.start("dlx", HARD)
    seen: set[str] = set()
    left = dict[tuple[int, int], int]()
    while not run.at_end and len(seen) < 5:
        run.advance(1)
        (event, *more), live = run.events, run.view().live
        if isinstance(event, Covered):
            said = live["each"].split(" of ")
            assert int(said[1]) == event.size
            left[event.cell, event.value] = event.size - int(said[0])
            seen.add(live["each"])
        if isinstance(event, Uncovered) and not more:
            number = left[event.cell, event.value]
            assert live["each"] == f"{number or 'none'} left"
            seen.add(live["each"])
    assert {"1 of 1", "1 of 2", "2 of 2", "none left", "1 left"} <= seen


def test_a_unit_without_a_place_is_named_with_its_empty_cells() -> None:
    puzzle = Puzzle.from_line("1........" "...1....." "........." ".....2..." ".......1." + "." * 36)
    givens = list(puzzle.givens)
    givens[18:27] = [0, 0, 0, 0, 0, 0, 4, 5, 6]  # in row 3 nothing but column 9, 8 or 7 could hold 1
    state = SOLVER.init(Puzzle(tuple(givens)), SOLVER.make_params(), 0)
    events = next(SOLVER.steps(state, SOLVER.make_params()))
    assert events[0] == Contradiction(1, "dead_end", (18, 19, 20, 21, 22, 23), "no place is left for 1 in row 3")
    assert isinstance(events[1], Done)


def test_contradictory_givens_are_known_at_step_0() -> None:
    state = SOLVER.init(Puzzle.from_line("1..1............"), SOLVER.make_params(), 0)
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.energy) == ("no_solution", 64 - 4)
    assert outcome.reason == "row 1 is given 1 more than once: r1c1 r1c4"
    assert state.grid[3] == 1, "the board shows what was given"


@pytest.mark.parametrize("stop", [
    Stop(energy=150), Stop(cell=40), Stop(kinds=frozenset({"guess"})), Stop(kinds=frozenset({"contradiction"})),
    Stop(kinds=frozenset({"uncovered"})),
], ids=str)
def test_the_kernel_halts_where_the_steps_do(stop: Stop) -> None:
    params = SOLVER.make_params("first")
    fast, slow = (SOLVER.init(HARD, params, 0) for _ in range(2))
    for _ in range(3):
        made = SOLVER.advance(fast, params, 5_000, stop)
        assert made == SOLVER.advance_steps(slow, SOLVER.steps(slow, params), 5_000, stop)
        assert (fast.links == slow.links).all()
    assert fast.step == slow.step > 0


def test_the_rule_can_change_while_it_runs() -> None:
    run = Run.start("dlx", HARD, SOLVER.make_params("first"))
    run.advance(300)
    run = run.intervene("column", "smallest")
    run.advance(100_000)
    assert run.outcome is not None
    assert is_solution(HARD, run.outcome.grid)


def test_the_budget_ends_a_run_with_its_best_grid() -> None:
    params = SOLVER.make_params("first", {"max_steps": 500})
    state = SOLVER.init(HARD, params, 0)
    least, grid = state.energy, state.grid
    for _ in SOLVER.steps(state, params):
        if state.energy < least:
            least, grid = state.energy, state.grid
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert (state.step, outcome.status, outcome.grid, outcome.energy) == (500, "gave_up", grid, least)


def test_the_stack_has_every_choice_that_the_depth_counts() -> None:
    run = Run.start(SOLVER.name, Puzzle((0,) * 81, 3), SOLVER.make_params(), seed=0)
    run.advance(75)
    view = run.view()
    assert isinstance(view.panel, Sections)
    depth = int(next(gauge.text for gauge in view.gauges if gauge.label == "depth"))
    assert depth > 60
    assert [len(part.rows) for part in view.panel.parts if isinstance(part, TablePanel)] == [depth]


def test_the_newest_choice_of_the_stack_is_of_this_step_only_if_the_step_is_about_it() -> None:
    run = Run.start("dlx", packs.find("hard:1").puzzle)
    seen = set()
    for _step in range(60):
        run.advance(1)
        panel = run.view().panel
        assert isinstance(panel, Sections)
        stack = panel.parts[1]
        assert isinstance(stack, TablePanel)
        about_it = any(isinstance(event, Covered | Contradiction) for event in run.events)
        assert (stack.now == 0) == (about_it and bool(stack.rows))
        seen.add(about_it)
    assert seen == {True, False}
