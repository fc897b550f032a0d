"""`backtrack` against the textbook's recursion, which is written here to be obviously right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import state as states
from engine.breakpoints import Stop
from engine.energy import errors
from engine.events import Assigned, Contradiction, Done, Event, Retracted
from engine.puzzle import Puzzle, Variant
from engine.run.run import Run
from engine.solvers.exact.backtrack import DEEPEST, DEPTH, SOLVER
from engine.solvers.exact.board import cell_order
from engine.view import StackPanel

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..")
NONE = Puzzle.from_line("12....3.........")
DIAGONAL = Puzzle.from_line(".......234......", "diagonal")

Assignment = tuple[str, int, int]


def recursion(puzzle: Puzzle, cells: list[int], order: list[int], depth: int) -> Iterator[Assignment]:
    """Assignments and retractions in the order of the textbook's recursive search; `cells` is filled in place."""
    if depth == len(order):
        return
    cell = order[depth]
    for value in range(1, puzzle.n + 1):
        if all(cells[peer] != value for peer in puzzle.geometry.peers[cell]):
            cells[cell] = value
            yield ("assigned", cell, value)
            yield from recursion(puzzle, cells, order, depth + 1)
            if all(cells):
                return
            cells[cell] = 0
            yield ("retracted", cell, value)


def reported(events: tuple[Event, ...]) -> list[Assignment]:
    """The assignments and retractions among events."""
    out = []
    for event in events:
        match event:
            case Assigned(cell=cell, value=value):
                out.append(("assigned", cell, value))
            case Retracted(cell=cell, value=value):
                out.append(("retracted", cell, value))
    return out


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


@settings(max_examples=60, deadline=None)
@given(small_puzzles(), st.sampled_from(["rows", "columns", "boxes"]))
def test_every_step_is_the_recursions(puzzle: Puzzle, order: str) -> None:
    params = SOLVER.make_params(None, {"order": order})
    state = SOLVER.init(puzzle, params, 0)
    cells = list(puzzle.givens)
    expected = list(recursion(puzzle, cells, cell_order(puzzle, params.order).tolist(), 0))
    made = [step for events in SOLVER.steps(state, params) for step in reported(events)]
    assert made == expected
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert outcome.status == ("solved" if all(cells) else "no_solution")
    if all(cells):
        assert outcome.grid == tuple(cells)
        assert errors(puzzle, outcome.grid) == 0


@pytest.mark.parametrize(("order", "first"), [("rows", [0, 1, 3, 5]), ("columns", [0, 18, 27, 45]),
                                              ("boxes", [0, 1, 10, 11])])
def test_the_order_of_cells(order: str, first: list[int]) -> None:
    params = SOLVER.make_params(None, {"order": order})
    assert cell_order(EASY, params.order).tolist()[:4] == first
    state = SOLVER.init(EASY, params, 0)
    assert SOLVER.advance(state, params, 10**6).reason == "done"
    assert errors(EASY, state.grid) == 0


@pytest.mark.parametrize("puzzle", [EASY, HARD, DIAGONAL, Puzzle((0,) * 625, 5)], ids=["easy", "hard", "x", "25x25"])
def test_sizes_and_variants_are_solved(puzzle: Puzzle) -> None:
    params = SOLVER.make_params(None, {"order": "rows"})
    state = SOLVER.init(puzzle, params, 0)
    SOLVER.advance(state, params, 200_000)
    if puzzle.n == 25:  # far too large to be finished, but every value placed so far must fit
        assert not Puzzle(state.grid, 5).clashes()
        assert sum(map(bool, state.grid)) == state.counts[DEPTH]
        assert state.counts[DEEPEST] > 25  # the whole alphabet fits the first row
    else:
        assert errors(puzzle, state.grid) == 0


def test_a_dead_end_is_a_cell_entered_in_vain() -> None:
    params = SOLVER.make_params()
    state = SOLVER.init(NONE, params, 0)
    log = list(SOLVER.steps(state, params))
    assert log[0] == (Assigned(1, "place", 2, 4, "first value that fits", 1),)
    assert log[1] == (Contradiction(2, "dead_end", (3,), "no value fits into r1c4"), Retracted(2, "remove", 2, 4, 0))
    assert log[2] == (Done(3, "dead_end", "no_solution", 13 - 1, "every choice leads to a dead end"),)


def test_the_budget_ends_a_run_with_its_best_grid() -> None:
    params = SOLVER.make_params(None, {"max_steps": 100})
    state = SOLVER.init(HARD, params, 0)
    deepest, fullest = 0, HARD.givens
    for _ in SOLVER.steps(state, params):
        if sum(map(bool, state.grid)) > deepest:
            deepest, fullest = sum(map(bool, state.grid)), state.grid
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert (state.step, outcome.status, outcome.grid, outcome.energy) == (100, "gave_up", fullest, 81 - deepest)
    assert outcome.reason == "the budget is spent at step 100"


def test_a_budget_of_zero_never_ends() -> None:
    params = SOLVER.make_params(None, {"max_steps": 0})
    state = SOLVER.init(HARD, params, 0)
    assert SOLVER.advance(state, params, 10**6).reason == "done"
    assert errors(HARD, state.grid) == 0


def test_a_budget_lowered_below_the_step_ends_the_run_at_the_next() -> None:
    run = Run.start("backtrack", HARD)
    run.advance(50)
    run = run.intervene("max_steps", 10)
    assert (run.advance(100).steps, run.outcome and run.outcome.status) == (1, "gave_up")


def test_contradictory_givens_are_known_at_step_0() -> None:
    puzzle = Puzzle.from_line("1..1............")
    state = SOLVER.init(puzzle, SOLVER.make_params(), 0)
    outcome = SOLVER.outcome(state)
    assert outcome is not None
    assert (outcome.status, outcome.reason) == ("no_solution", "row 1 is given 1 more than once: r1c1 r1c4")
    assert outcome.energy == 14 + 1
    view = SOLVER.view(state, SOLVER.make_params(), ())
    assert view.marks["conflict"] == (0, 3)


def test_a_solved_grid_is_solved_at_step_0() -> None:
    run = Run.start("backtrack", Puzzle.from_line("1234341221434321"))
    assert run.at_end
    assert run.outcome is not None
    assert (run.outcome.status, run.outcome.energy, run.recorded) == ("solved", 0, 0)
    assert run.advance(5).steps == 0


def test_the_view_shows_the_choices_as_they_stood() -> None:
    run = Run.start("backtrack", EASY)
    first = run.find("contradiction", +1, limit=1000)
    assert first is not None
    run.advance(first)
    view = run.view()
    assert isinstance(view.panel, StackPanel)
    assert [view.grid[cell] for cell, *_ in view.panel.frames] == [value for _, value, _, _ in view.panel.frames]
    for cell, value, tried, left in view.panel.frames:
        assert all(v < value for v in tried) or not value
        assert set(tried).isdisjoint(left)
        assert EASY.givens[cell] == 0
    retracted = run.events[-1]
    assert isinstance(retracted, Retracted)
    assert view.panel.frames[-1][:2] == (retracted.cell, retracted.value)  # the dead end before the retraction
    assert view.marks["core"] == (run.events[0].cells if isinstance(run.events[0], Contradiction) else None)
    assert view.candidates is not None
    assert view.candidates[view.marks["core"][0]] == 0
    assert view.live["values"] == "none left"
    gauges = {gauge.label: gauge.text for gauge in view.gauges}
    empty, _fewest, depth = run.solver.sample(run.judged, run.params)
    assert (gauges["empty"], gauges["depth"]) == (f"{empty:.0f}", f"{depth:.0f}")


def test_sentences() -> None:
    run = Run.start("backtrack", NONE)
    run.advance(1)
    assert [s.text for s in run.sentences()] == ["r1c3 ← 4   first value that fits   depth 1"]
    run.advance(1)
    assert [(s.badge, s.text) for s in run.sentences()] == [
        ("DEAD END", "no value fits into r1c4"), ("RETRACTED", "r1c3 = 4 taken back   depth 0")]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30_000), st.sampled_from(["contradiction", "retracted", "assigned", "done", "solved", ""]),
       st.one_of(st.none(), st.integers(0, 60)), st.one_of(st.none(), st.integers(0, 80)))
def test_the_compiled_loop_stops_where_the_generator_would(n: int, kind: str, energy: int | None,
                                                           cell: int | None) -> None:
    params = SOLVER.make_params()
    stop = Stop(frozenset({kind} - {""}), energy, cell)
    fast = SOLVER.init(HARD, params, 0)
    slow = states.copy(fast)
    made = SOLVER.advance(fast, params, n, stop)
    drained = super(type(SOLVER), SOLVER).advance(slow, params, n, stop)
    assert made == drained
    assert states.digest(fast) == states.digest(slow)
