"""`ac3` and `mac` against the papers' algorithms, which are written here with sets and copies to be obviously right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registry
from engine import state as states
from engine.breakpoints import Stop
from engine.energy import conflicts, errors
from engine.events import Assigned, Contradiction, Done, Eliminated, Event, Retracted
from engine.events.search import Revised
from engine.puzzle import Puzzle, Variant, cell_name
from engine.puzzles import packs
from engine.run.run import Run
from engine.solver import AnySolver
from engine.solvers.exact import arcs
from engine.view import ListPanel, Sections, StackPanel
from tests.engine.solvers.exact.trying import solutions

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
HARD = Puzzle.from_line("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..")
AC3, MAC = registry.solver("ac3"), registry.solver("mac")

Told = tuple[str | int, ...]
Domains = list[set[int]]


class Wiped(Exception):
    """A cell has no candidate left."""


def supported(value: int, other: set[int]) -> bool:
    """True if the constraint of two peers, that they differ, supports the value by one of the others."""
    return any(value != each for each in other)


def consistent(puzzle: Puzzle, domains: Domains, queue: list[tuple[int, int]], eager: bool) -> Iterator[Told]:
    """AC-3 as Mackworth has it: `domains` are made consistent in place. Raises Wiped."""
    peers = puzzle.geometry.peers
    while queue:
        x, y = queue.pop(0)
        gone = sorted(v for v in domains[x] if not supported(v, domains[y]))
        domains[x].difference_update(gone)
        if gone and domains[x] and (eager or len(domains[x]) == 1):
            queue += [(z, x) for z in peers[x] if z != y and (z, x) not in queue]
        yield ("revised", x, y, *gone)
        if not domains[x]:
            raise Wiped


def beginning(puzzle: Puzzle, eager: bool) -> tuple[Domains, list[tuple[int, int]]]:
    """Candidates, and the arcs to begin with."""
    domains = [{value} if value else set(range(1, puzzle.n + 1)) for value in puzzle.givens]
    arcs = [(x, y) for x, others in enumerate(puzzle.geometry.peers) for y in others]
    return domains, [(x, y) for x, y in arcs if eager or puzzle.givens[y]]


def chosen(puzzle: Puzzle, domains: Domains, choice: str, wiped: Counter[frozenset[int]]) -> int:
    """The open cell that a rule guesses next, the first among equals."""
    open_ = [cell for cell, values in enumerate(domains) if len(values) > 1]
    weighted = choice == "dom/wdeg"
    degree = {cell: sum(1 + weighted * wiped[frozenset({cell, peer})] for peer in puzzle.geometry.peers[cell]
                        if len(domains[peer]) > 1) for cell in open_}

    def ratio(cell: int) -> float:
        return len(domains[cell]) / degree[cell] if degree[cell] else float("inf")

    return {"rows": open_[0], "mrv": min(open_, key=lambda cell: len(domains[cell])),
            "dom/deg": min(open_, key=ratio), "dom/wdeg": min(open_, key=ratio)}[choice]


def maintaining(puzzle: Puzzle, domains: Domains, queue: list[tuple[int, int]], choice: str,
                eager: bool, wiped: Counter[frozenset[int]]) -> Iterator[Told]:
    """MAC, recursively: `domains` end as the solution, `wiped` counts what emptied a cell. Raises Wiped where there is
    no solution."""
    arc: Told = ()
    try:
        for arc in consistent(puzzle, domains, queue, eager):
            yield arc
    except Wiped:
        wiped[frozenset(map(int, arc[1:3]))] += 1
        raise
    if all(len(values) == 1 for values in domains):
        return
    cell = chosen(puzzle, domains, choice, wiped)
    value, around = min(domains[cell]), [(z, cell) for z in puzzle.geometry.peers[cell]]
    yield ("guess", cell, value)
    deeper = [set(values) for values in domains]
    deeper[cell] = {value}
    try:
        yield from maintaining(puzzle, deeper, list(around), choice, eager, wiped)
    except Wiped:
        yield ("retracted", cell, value)
        domains[cell].discard(value)
        again = around if eager or len(domains[cell]) == 1 else []
        yield from maintaining(puzzle, domains, again, choice, eager, wiped)
    else:
        domains[:] = deeper


def reported(events: tuple[Event, ...]) -> Told:
    """The first event of a step, in the form of the oracle."""
    match events[0]:
        case Revised(cell=cell, against=against, struck=struck):
            return ("revised", cell, against, *struck)
        case Assigned(cell=cell, value=value, guess=True):
            return ("guess", cell, value)
        case Retracted(cell=cell, value=value):
            return ("retracted", cell, value)
    raise AssertionError(events)


def written(oracle: Iterator[Told]) -> tuple[list[Told], bool]:
    """The steps of an oracle, and True if a cell was wiped out in the end."""
    out: list[Told] = []
    try:
        out.extend(oracle)
    except Wiped:
        return out, True
    return out, False


def masks(domains: Domains) -> list[int]:
    return [sum(1 << value - 1 for value in values) for values in domains]


@st.composite
def small_puzzles(draw: st.DrawFn) -> Puzzle:
    """4x4 puzzles of either variant; the givens of some contradict each other."""
    variants: list[Variant] = ["classic", "diagonal"]
    givens = draw(st.lists(st.sampled_from((0, 0, 0, 1, 2, 3, 4)), min_size=16, max_size=16))
    return Puzzle(tuple(givens), 2, draw(st.sampled_from(variants)))


@settings(max_examples=60, deadline=None)
@given(small_puzzles(), st.sampled_from(["all", "decided"]))
def test_every_step_of_ac3_is_mackworths(puzzle: Puzzle, queue: str) -> None:
    check_ac3(puzzle, queue)


@pytest.mark.parametrize("queue", ["all", "decided"])
def test_every_step_of_ac3_is_mackworths_on_9x9(queue: str) -> None:
    check_ac3(EASY, queue)
    check_ac3(HARD, queue)


def check_ac3(puzzle: Puzzle, queue: str) -> None:
    params = AC3.make_params(None, {"queue": queue})
    state = AC3.init(puzzle, params, 0)
    if AC3.outcome(state) is not None:
        return
    domains, arcs = beginning(puzzle, queue == "all")
    expected, wiped = written(consistent(puzzle, domains, arcs, queue == "all"))
    assert [reported(events) for events in AC3.steps(state, params)] == expected
    assert state.domains.tolist() == masks(domains)
    outcome = AC3.outcome(state)
    assert outcome is not None
    decided = all(len(values) == 1 for values in domains)
    assert outcome.status == ("no_solution" if wiped else "solved" if decided else "gave_up")
    assert (outcome.energy == 0) == (outcome.status == "solved")


@settings(max_examples=60, deadline=None)
@given(small_puzzles(), st.sampled_from(["mrv", "dom/deg", "dom/wdeg", "rows"]), st.sampled_from(["all", "decided"]))
def test_every_step_of_mac_is_the_recursions(puzzle: Puzzle, choice: str, queue: str) -> None:
    solved = check_mac(puzzle, choice, queue)
    assert solved == bool(solutions(puzzle, 1))


@pytest.mark.parametrize("choice", ["mrv", "dom/deg", "dom/wdeg", "rows"])
def test_every_step_of_mac_is_the_recursions_on_9x9(choice: str) -> None:
    assert check_mac(EASY, choice, "all")


def test_the_weights_decide_as_in_the_recursion() -> None:
    assert check_mac(HARD, "dom/wdeg", "decided")
    params = MAC.make_params("dom-wdeg")
    state = MAC.init(HARD, params, 0)
    MAC.advance(state, params, 10**6)
    assert int((state.weights - 1).sum()) == 2 * int(state.counts[arcs.DEAD_ENDS]) > 0


def check_mac(puzzle: Puzzle, choice: str, queue: str) -> bool:
    """True if the puzzle was solved, by the oracle as well as step by step."""
    params = MAC.make_params(None, {"choice": choice, "queue": queue})
    state = MAC.init(puzzle, params, 0)
    if MAC.outcome(state) is None:
        domains, arcs = beginning(puzzle, queue == "all")
        expected, wiped = written(maintaining(puzzle, domains, arcs, choice, queue == "all", Counter()))
        assert [reported(events) for events in MAC.steps(state, params)] == expected
        assert wiped or state.domains.tolist() == masks(domains)
    outcome = MAC.outcome(state)
    assert outcome is not None
    assert outcome.status in ("solved", "no_solution")
    if outcome.status == "solved":
        assert errors(puzzle, outcome.grid) == 0
        assert all(value in (0, got) for value, got in zip(puzzle.givens, outcome.grid, strict=True))
    return outcome.status == "solved"


@pytest.mark.sweep(keep=7)
@pytest.mark.parametrize("choice", ["mrv", "dom/deg", "dom/wdeg"])
@pytest.mark.parametrize("pack", ["easy", "medium", "hard", "4x4", "diagonal"])
def test_shipped_puzzles_are_solved(pack: str, choice: str) -> None:
    params = MAC.make_params(None, {"choice": choice})
    for record in packs.pack(pack)[:12]:
        state = MAC.init(record.puzzle, params, 0)
        assert MAC.advance(state, params, 10**6).reason == "done"
        assert errors(record.puzzle, state.grid) == 0


@pytest.mark.parametrize("solver", [AC3, MAC], ids=lambda each: each.name)
@pytest.mark.parametrize("queue", ["all", "decided"])
def test_the_largest_board_keeps_its_books(solver: AnySolver, queue: str) -> None:
    puzzle = Puzzle((1, *(0,) * 623, 2), 5, "diagonal")
    params = solver.make_params(None, {"queue": queue})
    state = solver.init(puzzle, params, 0)
    solver.advance(state, params, 200_000)
    assert not Puzzle(state.grid, 5, "diagonal").clashes()
    assert state.counts[arcs.OPEN] == sum(mask.bit_count() - 1 for mask in state.domains.tolist())
    assert state.counts[arcs.ELIMINATED] >= 25  # each of the two values from a row, a column, a box, a diagonal


def test_both_queues_of_ac3_end_alike() -> None:
    ends = []
    for preset in AC3.presets:
        state = AC3.init(HARD, AC3.make_params(preset), 0)
        AC3.advance(state, AC3.make_params(preset), 10**6)
        ends.append((state.domains.tolist(), AC3.outcome(state)))
    assert ends[0] == ends[1]
    assert ends[0][1] is not None
    assert (ends[0][1].status, ends[0][1].reason) == ("gave_up", "arc consistency alone leaves 58 cells open")


@settings(max_examples=40, deadline=None)
@given(small_puzzles(), st.integers(1, 150), st.sampled_from([AC3, MAC]))
def test_a_cause_is_a_decided_cell_with_that_value(puzzle: Puzzle, steps: int, solver: AnySolver) -> None:
    params = solver.make_params()
    state = solver.init(puzzle, params, 0)
    solver.advance(state, params, steps)
    full = 2**puzzle.n - 1
    for place, code in enumerate(state.causes.tolist()):
        cell, bit = place // puzzle.n, place % puzzle.n
        assert not (code and state.domains[cell] >> bit & 1)
        assert code or state.domains[cell] >> bit & 1 or puzzle.givens[cell]
        if code > 0:
            assert code - 1 in puzzle.geometry.peers[cell]
            assert state.domains[code - 1] in (1 << bit, 0)
    if not state.counts[arcs.DEPTH] and solver is AC3:
        assert state.counts[arcs.ELIMINATED] == (state.causes != 0).sum()
    assert all(mask <= full for mask in state.domains.tolist())


@pytest.mark.parametrize(("line", "of_ac3"), [("12....3.........", "no_solution"), ("4..........4.2..", "gave_up")],
                         ids=["two cells hold nothing but 4", "no place for 4 in box 3"])
def test_ac3_may_prove_but_overlooks_values_that_mac_refutes(line: str, of_ac3: str) -> None:
    for name, status in (("ac3", of_ac3), ("mac", "no_solution")):
        run = Run.start(name, Puzzle.from_line(line))
        run.advance(10_000)
        assert run.outcome is not None
        assert run.outcome.status == status


def test_givens_that_contradict_each_other_are_found_by_their_arc() -> None:
    run = Run.start("mac", Puzzle.from_line("1..1............"))
    run.advance(1000)
    assert run.outcome is not None
    assert (run.outcome.status, run.outcome.reason) == ("no_solution", "r1c1 has no value left")
    kinds = [type(event) for event in run.events]
    assert kinds == [Revised, Contradiction, Done]
    assert isinstance(run.events[1], Contradiction)
    assert run.events[1].cells == (0, 3)
    view = run.view()
    assert (view.marks["conflict"], view.marks["core"]) == ((0, 3), (0, 3))


def test_a_refuted_guess_is_marked_and_struck() -> None:
    run = Run.start("mac", HARD)
    step = run.find("retracted", +1, limit=100_000)
    assert step is not None
    run.advance(step)
    retracted, struck, *_ = run.events
    assert isinstance(retracted, Retracted)
    assert isinstance(struck, Eliminated)
    assert (struck.cell, struck.value) == (retracted.cell, retracted.value)
    view = run.view()
    assert view.causes is not None
    assert view.candidates is not None
    assert view.causes[struck.cell * 9 + struck.value - 1] == "refuted"
    assert not view.candidates[struck.cell] >> struck.value - 1 & 1
    assert view.pencils["struck"] == ((struck.cell, struck.value),)
    before = run.state
    run.seek(step - 1)
    contradiction = next(event for event in run.events if isinstance(event, Contradiction))
    assert run.state.domains[contradiction.cells[0]] == 0
    assert all(run.state.domains[cell].item().bit_count() == 1 for cell in contradiction.cells[1:])
    assert before.counts[arcs.DEPTH] == run.state.counts[arcs.DEPTH] - 1


def test_the_view_shows_the_stack_and_the_queue() -> None:
    run = Run.start("mac", HARD)
    step = run.find("contradiction", +1, limit=100_000)
    assert step is not None
    run.advance(step - 1)
    view = run.view()
    assert isinstance(view.panel, Sections)
    stack, queue = view.panel.parts
    assert isinstance(stack, StackPanel)
    assert isinstance(queue, ListPanel)
    assert len(stack.frames) == run.state.counts[arcs.DEPTH] > 0
    for cell, value, tried, left in stack.frames:
        assert view.grid[cell] == value
        assert value not in (*tried, *left)
        assert left
    run.advance(1)
    assert isinstance(run.events[0], Revised)
    arc = run.events[0]
    assert queue.lines[0] == f"r{arc.cell // 9 + 1}c{arc.cell % 9 + 1} against r{arc.against // 9 + 1}c" \
                             f"{arc.against % 9 + 1}"


@pytest.mark.parametrize(("name", "line"), [("ac3", "push"), ("mac", "strike"), ("mac", "refute")])
def test_the_program_says_when_only_decided_cells_queue_arcs(name: str, line: str) -> None:
    solver = registry.solver(name)
    texts = {queue: {each.id: each.text for each in solver.program_for(solver.make_params(None, {"queue": queue}))}
             for queue in ("all", "decided")}
    assert "decided" not in texts["all"][line]
    assert "decided" in texts["decided"][line]
    assert max(map(len, texts["decided"].values())) <= 30


@pytest.mark.parametrize("solver", ["ac3", "mac"])
def test_the_gauge_of_e_is_e_while_nothing_but_arcs_is_left(solver: str) -> None:
    run, checking = Run.start(solver, packs.find("4x4:1").puzzle), 0
    while not run.at_end:
        run.advance(1)
        gauges = {each.label: each.text for each in run.view().gauges}
        assert gauges["E"] == str(run.state.energy)
        checking += not run.state.counts[arcs.OPEN] and not run.at_end
    assert checking > 10


def test_sentences_of_an_elimination_and_a_guess() -> None:
    run = Run.start("mac", HARD)
    step = run.find("eliminated", +1, limit=1000)
    assert step is not None
    run.advance(step)
    assert run.sentences()[0].text == "r1c1 against r1c3   r1c1 ≠ 5, 8 candidates left   queue 459"
    guess = run.find("guess", +1, limit=10_000)
    assert guess is not None
    run.advance(guess - step)
    assert run.sentences()[0].text == "r6c2 ← 5   one of 2 candidates, arcs weigh 13   depth 1"


@pytest.mark.parametrize(("cells", "end"), [("1234341221434321", "solved"), ("1234341221434312", None)])
def test_a_full_grid_is_solved_at_step_0_only_if_it_is_right(cells: str, end: str | None) -> None:
    run = Run.start("ac3", Puzzle.from_line(cells))
    assert (run.outcome.status if run.outcome else None) == end
    assert run.state.energy == (0 if end else 1)
    run.advance(1000)
    assert run.outcome is not None
    assert run.outcome.status == (end or "no_solution")


def test_the_budget_ends_a_search() -> None:
    run = Run.start("mac", HARD, MAC.make_params(None, {"max_steps": 700}))
    run.advance(10_000)
    assert run.outcome is not None
    assert (run.recorded, run.outcome.status) == (700, "gave_up")
    assert run.outcome.reason == "the budget is spent at step 700"
    assert run.outcome.energy > 0


def test_the_rule_of_choice_may_change_under_way() -> None:
    run = Run.start("mac", HARD)
    run.advance(2000)
    run = run.intervene("choice", "dom/deg")
    run.advance(10**6)
    assert run.outcome is not None
    assert run.outcome.status == "solved"


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3000), st.sampled_from(["contradiction", "retracted", "eliminated", "assigned", "guess",
                                              "revised", "done", "solved", ""]),
       st.one_of(st.none(), st.integers(0, 500)), st.one_of(st.none(), st.integers(0, 80)))
def test_the_compiled_loop_stops_where_the_generator_would(n: int, kind: str, energy: int | None,
                                                           cell: int | None) -> None:
    params = MAC.make_params()
    stop = Stop(frozenset({kind} - {""}), energy, cell)
    fast = MAC.init(HARD, params, 0)
    slow = states.copy(fast)
    made = MAC.advance(fast, params, n, stop)
    drained = super(type(MAC).__mro__[1], MAC).advance(slow, params, n, stop)
    assert made == drained
    assert states.digest(fast) == states.digest(slow)


@pytest.mark.parametrize("name", ["ac3", "mac"])
def test_the_program_has_the_arc_of_its_step(name: str) -> None:
    run = Run.start(name, HARD)
    seen = 0
    for _ in range(700):
        run.advance(1)
        taken = [event for event in run.events if isinstance(event, Revised)]
        live = run.view().live
        assert live == ({"take": f"{cell_name(taken[0].cell, 9)} against {cell_name(taken[0].against, 9)}"} if taken
                        else {})
        seen += bool(taken)
    assert seen > 500


def test_equal_lone_candidates_that_wait_to_be_found_are_in_conflict() -> None:
    run = Run.start("mac", packs.find("hard:1").puzzle, seed=0)
    run.advance(1_800)
    seen = 0
    for _step in range(60):
        run.advance(1)
        view = run.view()
        assert view.marks.get("conflict", ()) == conflicts(run.puzzle, view.grid)
        seen += "conflict" in view.marks
    assert seen


@pytest.mark.parametrize(("name", "budget"), [("hard:1", 1_000), ("traps:3", 0)])
def test_the_best_grid_of_a_search_is_the_one_of_the_lowest_e(name: str, budget: int) -> None:
    puzzle = packs.find(name).puzzle
    params = MAC.make_params(None, {"max_steps": budget} if budget else {})
    one, other = MAC.init(puzzle, params, 0), MAC.init(puzzle, params, 0)
    lowest, grid = one.energy, one.grid
    for _ in MAC.steps(one, params):
        if one.energy < lowest:
            lowest, grid = one.energy, one.grid
    assert (grid, lowest) == MAC.best(one)
    while MAC.outcome(other) is None:
        MAC.advance(other, params, 512)
    ended = MAC.outcome(other)
    assert ended is not None
    assert (ended.grid, ended.energy) == (grid, lowest) != (other.grid, other.energy)
