"""Reasons: true for the step, with its numbers, and short enough for the widest numbers that occur."""

from __future__ import annotations

import pytest

from engine import registry
from engine.breakpoints import Stop
from engine.conformance.views import check_reason
from engine.events import (
    Calibrated,
    Cooled,
    Done,
    Event,
    LocalMinimum,
    NotRaised,
    Reheated,
    Restarted,
    Scanned,
    SwapJudged,
    Swept,
    event_types,
)
from engine.events.because import because, how_often
from engine.events.explain import explain
from engine.events.population import Bred, Shifted, Turned
from engine.events.search import TECHNIQUES, Asked, Found, Passed
from engine.puzzle import Puzzle
from engine.run.recipe import Intervention, parse
from engine.run.run import Run
from engine.solvers.annealing.because import judged
from engine.solvers.annealing.parameters import STRICT, make_config
from engine.solvers.annealing.tabu import TabuMoved
from engine.techniques.order import TECHNIQUES as ALL_TECHNIQUES
from engine.view import Line
from tests.engine.solvers.annealing.boards import HARD

EASY = Puzzle.from_line("003020600900305001001806400008102900700000008006708200002609500800203009005010300")


def swap(delta: int, accepted: bool, T: float | None, p: float | None = None, u: float | None = None) -> SwapJudged:
    return SwapJudged(1, "accept", (3, 4), (1, 2), delta, 20, accepted, T, p, u)


def said(event: Event, n: int = 9) -> str:
    found = because(event, n)
    assert found is not None
    check_reason(found, type(event).__name__)
    return found.text


def test_an_uphill_move_says_how_often_its_kind_is_taken() -> None:
    assert said(swap(2, True, 0.545, 0.09, 0.01)) == (
        "u < p, so the move is kept: at this T a +2 is taken 1 time in 11.")
    assert said(swap(2, False, 0.545, 0.09, 0.5)) == (
        "u ≥ p, so the move is rejected: at this T a +2 is taken 1 time in 11.")
    assert len(said(swap(12, False, 0.87, 1.02e-6, 0.5))) <= 78, "a number of any length fits at 80 columns"
    assert said(swap(1, False, 1.0, 0.368, 0.5)).endswith("a +1 is taken 4 times in 10.")
    assert said(swap(12, False, 0.32, 1e-9, 0.5)).endswith("a +12 is hardly ever taken.")


@pytest.mark.parametrize(("share", "words"), [
    (1.0, "always taken"), (0.99, "nearly always taken"), (0.94, "taken 9 times in 10"),
    (0.35, "taken 4 times in 10"), (0.25, "taken 1 time in 4"), (0.001, "taken 1 time in 1 000"),
    (0.0001, "taken 1 time in 10 000"), (0.00009, "hardly ever taken"), (0.0, "hardly ever taken")])
def test_probabilities_in_words(share: float, words: str) -> None:
    assert how_often(share) == words


def test_moves_without_a_draw() -> None:
    assert said(swap(-3, True, 0.5)) == "E falls by 3, and a better grid is always kept."
    assert said(swap(0, True, 0.5)) == "E stays at 20, and a grid that is no worse is kept."
    assert said(swap(0, False, None)) == "E would stay at 20, and only a lower E is kept here."
    assert said(swap(2, False, None)) == "ΔE = +2 would make the grid worse, and no worse grid is kept here."
    assert said(swap(2, False, 0.0, 0.0, 0.2)) == "At T = 0 p is 0, so no worse grid is ever kept."
    assert said(swap(4, False, 0.15, 0.0, 0.653)) == (
        "u ≥ p, so the move is rejected: at this T a +4 is hardly ever taken.")  # p is 2.6e−12
    assert said(swap(0, True, 0.5, 1.0, 0.2)) == "ΔE = 0 makes p = 1, and u is always below 1."


def test_a_rule_of_ones_own_is_quoted_where_the_sign_of_the_change_does_not_decide() -> None:
    program = (Line("accept", "  if ΔE ≤ 0: accept"), Line("uphill", "  or if ΔE < T: accept"))
    own = make_config({"rule": 99})
    for event, wanted in (
            (swap(2, True, 3.0), "ΔE = +2, T = 3.00: “or if ΔE < T: accept” holds, so the move is kept."),
            (swap(3, False, 3.0), "ΔE = +3, T = 3.00: “or if ΔE < T: accept” does not hold."),
            (swap(1, False, None), "ΔE = +1: “or if ΔE < T: accept” does not hold.")):
        found = judged(event, own, program)
        assert found is not None
        assert found.text == wanted
    assert [judged(event, own, program) for event in (swap(-1, True, 3.0), swap(0, True, 3.0),
                                                      swap(2, True, 3.0, 0.4, 0.1))] == [None] * 3
    assert judged(swap(2, False, None), make_config({"rule": STRICT}), program) is None
    longest = judged(swap(16, True, 0.0000123), own, (Line("accept", "x" * 31),))
    assert longest is not None
    check_reason(longest, "the longest")


def test_a_local_minimum_counts_its_neighbours() -> None:
    assert said(LocalMinimum(1, "stuck", 11, 0, 12, 99)) == (
        "None of 111 moves makes the grid better; 12 leave E as it is.")
    assert said(LocalMinimum(1, "stuck", 11, 0, 0, 111)) == (
        "All 111 moves make the grid worse: no step down or sideways is left.")
    assert "although 2 of 111" in said(LocalMinimum(1, "stuck", 11, 2, 10, 99))
    assert said(Scanned(1, "reject", (3, 4), (1, 2), 1, 11, False, 0, 0, 111)) == (
        "All 111 moves would raise E, so there is no way down from here.")


@pytest.mark.parametrize(("event", "wanted"), [
    (Passed(1, "pass", 3, 0.1, 0.5, 1), "Every unit told its cells what it allows: 1 cell now favours one value."),
    (Passed(1, "pass", 3, 0.1, 0.5, 2), "Every unit told its cells what it allows: 2 cells now favour one value."),
    (LocalMinimum(1, "stuck", 11, 0, 1, 110), "None of 111 moves makes the grid better; 1 leaves E as it is."),
    (LocalMinimum(1, "stuck", 11, 0, 1, 0), "The only move leaves E as it is."),
    (LocalMinimum(1, "stuck", 11, 0, 0, 1),
     "The only move makes the grid worse: no step down or sideways is left."),
    (LocalMinimum(1, "stuck", 11, 1, 0, 110), "The patience is spent, although 1 of 111 neighbours is better."),
    (Scanned(1, "take", (3, 4), (1, 2), -2, 9, True, 1, 0, 5), "1 of 6 moves lowers E: by 2."),
    (Scanned(1, "take", (3, 4), (1, 2), 0, 9, True, 0, 1, 0), "The only move leaves E at 9, and is made."),
    (Scanned(1, "take", (3, 4), (1, 2), 1, 9, True, 0, 0, 1), "The only move raises E."),
    (TabuMoved(1, "move", (3, 4), (1, 2), -1, 9, True, 1, 0, 5, 5, 20, False, False),
     "Only this move is not tabu, and it lowers E."),
    (Asked(1, "core", "r1c6 = 2", "unsat", (5,), ("row 1",)),
     "The constraint of the core leaves no room for r1c6 = 2.")])
def test_one_thing_and_several_have_their_verbs(event: Event, wanted: str) -> None:
    assert said(event) == wanted


def test_a_reheat_that_does_not_raise_the_temperature_says_so() -> None:
    def reheat(before: float, after: float, number: int = 1, gained: int = 3) -> str:
        return said(Reheated(1, "reheat", before, after, 0.5, number, 50, gained))

    assert reheat(0.1, 0.5) == "E fell by up to 3 since the start, 50 plateaus without progress: T rises."
    assert reheat(0.1, 0.5, 9, 0) == "E was not lower since reheat 8, 50 plateaus without progress: T rises."
    assert reheat(0.1, 0.5, 1234567, 1234) == "50 plateaus without progress: T rises to 0.500·T₀, and the grid stays."
    assert reheat(0.6, 0.6) == "50 plateaus idle, but 0.500·T₀ is not above T: T stays; the reheat counts."
    assert said(NotRaised(1, "reheat", 0.6, 0.0000123, 12345, 1234567)).endswith("above T: T stays.")
    assert said(NotRaised(1, "reheat", 0.6, 0.5, 1, 50)) == reheat(0.6, 0.6)
    assert reheat(0.6, 0.5) == "E fell by up to 3 since the start, 50 plateaus without progress: T falls."


def test_every_technique_has_its_conclusion() -> None:
    assert set(TECHNIQUES) == {technique.name for technique in ALL_TECHNIQUES}
    for name in TECHNIQUES:
        said(Found(1, "found", name, (0,), (5,), ((1, 5),), (), "5 in row 1"))
    single = Found(1, "found", "Hidden single", (0,), (5,), (), ((0, 5),), "5 has one place in diagonal 1")
    assert said(single) == "No other open cell of diagonal 1 can take 5."
    naked = Found(1, "found", "Naked single", (0,), (5,), (), ((0, 5),), "only 5 is left in r1c1")
    assert said(naked) == "r1c1 has no other candidate: all other values are ruled out there."


def test_a_core_too_large_to_teach_is_not_counted() -> None:
    few, many = (Asked(1, "core", "r1c6 = 2", "unsat", (5,), ("row 1",) * size) for size in (3, 40))
    assert said(few) == "The 3 constraints of the core leave no room for r1c6 = 2."
    assert "40" not in said(many)


def test_every_event_of_the_program_has_a_reason() -> None:
    for name in registry.names():
        registry.solver(name)  # imports the types that a solver defines
    own = [kind for kind in event_types() if kind.__module__.startswith("engine.")]
    assert [kind.__name__ for kind in own if because.dispatch(kind) is because.dispatch(object)] == []


# With the parameters of the run


def test_the_schedule_is_named() -> None:
    solver = registry.solver("anneal")

    def cooled(preset: str, accepted: int = 30, after: float = 0.5, by_hand: float = 0.0, **values: object) -> str:
        params = solver.make_params(preset, values)
        event = Cooled(100, "cool", 0.6, after, 1, accepted, 100)
        state = solver.init(EASY, params, 0)
        if by_hand:
            solver.intervene(state, params, "T", by_hand)
        found = solver.because(event, state, params)
        check_reason(found, preset)
        return found.text

    assert cooled("easy") == "All 100 proposals of the plateau are made, so T is multiplied by 0.999."
    assert cooled("easy", after=0.599, schedule="linear").endswith("so T falls by 1/1 000 of T₀.")
    by_hand = cooled("easy", after=0.5985, schedule="linear", by_hand=1.5)
    assert by_hand.endswith("so T falls by 1/1 000 of 1.50, the T it counts from.")
    assert "over 80 %" in cooled("easy", 90, schedule="adaptive")
    assert "under 20 %" in cooled("easy", 10, schedule="adaptive")
    assert cooled("easy", 81, schedule="adaptive").startswith("81 of 100 proposals were accepted, over 80 %: T falls")
    assert cooled("easy", schedule="logarithmic").endswith("are made, and T falls after every proposal.")
    assert cooled("strong", after=0.32, schedule="logarithmic") == (
        "T fell after each proposal until it was down to its floor, 0.320.")
    for after, floor in ((0.7, 0.1), (0.7, 0.7), (0.7, 0.9), (0.5, 0.55)):
        assert cooled("easy", after=after, schedule="logarithmic", T_min=floor, at_floor="hold") == (
            "The plateau is complete, and T or its floor was set by hand in it.")
    held = {"after": 0.6, "at_floor": "hold"}
    assert cooled("easy", T_min=0.6, **held).startswith("T is down to its floor, 0.600")  # type: ignore[arg-type]
    assert cooled("easy", T_min=0.7, **held) == (  # type: ignore[arg-type]
        "T is below its floor, 0.700, and is held where it is; a new plateau begins.")
    more_levels = cooled("easy", after=0.65, schedule="linear", levels=20, T_min=0.7, at_floor="hold")
    assert more_levels == "All 100 proposals of the plateau are made, so T is T₀·(1 − 7/20)."
    for schedule in ("exponential", "linear", "adaptive"):
        assert cooled("easy", schedule=schedule, T_min=0.5, at_floor="hold") == (
            "The plateau is complete, and T comes down to its floor, 0.500.")


def test_the_first_reheat_after_a_random_walk_counts_from_its_end() -> None:
    def why(name: str, number: int, attempt: int = 1) -> str:
        solver = registry.solver(name)
        params = solver.make_params()
        event = Reheated(9, "reheat", 0.1, 0.5, 0.5, number, 50, 44)
        state = solver.init(EASY, params, 0)
        state.now["attempt"] = attempt
        found = solver.because(event, state, params)
        check_reason(found, name)
        return found.text

    assert why("anneal-lewis", 1) == "E fell by up to 44 since the walk, 50 plateaus without progress: T rises."
    assert why("anneal-lewis", 2) == "E fell by up to 44 since reheat 1, 50 plateaus without progress: T rises."
    assert why("anneal-reheat", 1) == "E fell by up to 44 since the start, 50 plateaus without progress: T rises."
    assert why("anneal-reheat", 1, attempt=2) == (
        "E fell by up to 44 since the restart, 50 plateaus without progress: T rises.")


def test_a_walk_on_which_nothing_changes_has_a_reason() -> None:
    def why(temperature: float) -> str:
        return because(Calibrated(3, "calibrate", temperature, 0.943, 0.0, 3)).text

    assert why(0.943) == "T₀ is the standard deviation of ΔE over the 3 moves of the walk."
    assert why(1.0) == "The standard deviation over the walk is 0, so T₀ is 1.00."


def linear(made: str, step: int) -> Run:
    """A run of `anneal-linear` with an intervention, at a step."""
    recipe = parse(f"{EASY.line}?solver=anneal-linear&seed=0&at={made}").recipe
    params = registry.solver("anneal-linear").make_params(None, recipe.params)
    run = Run.start(recipe.solver, recipe.puzzle, params, recipe.seed, recipe.interventions)
    run.advance(step)
    return run


@pytest.mark.parametrize(("made", "step", "change"), [
    ("3500:levels=40", 4_000, "T is T₀·(1 − 4/40)"), ("3500:levels=40", 5_000, "T falls by 1/40 of T₀"),
    ("1500:levels=10", 2_000, "T is T₀·(1 − 2/10)"), ("500:T=0.5&at=600:levels=10", 1_000, "T falls by 1/10 of 0.500"),
    ("500:T=0.5&at=1500:levels=10", 2_000, "T is 0.500·(1 − 2/10)"),
])
def test_a_change_of_levels_is_not_called_a_fall_by_one_level(made: str, step: int, change: str) -> None:
    run = linear(made, step)
    [event] = [each for each in run.events if isinstance(each, Cooled)]
    assert change in run.because(event).text


def test_a_plateau_before_a_restart_counts_from_the_t_of_its_attempt() -> None:
    """T was set by hand; the restart in the same step sets it to T₀."""
    solver = registry.solver("anneal")
    params = solver.make_params(None, {"schedule": "linear", "levels": 10, "at_floor": "restart"})
    run = Run.start(solver, EASY, params, 0, (Intervention(50, "T", 0.2),))
    run.advance(params.moves)
    cooled, restarted = (event for event in run.events if isinstance(event, Cooled | Restarted))
    assert restarted.kinds[0] == "restart"
    assert run.because(cooled).text.endswith("so T falls by 1/10 of 0.200, the T it counts from.")


def test_a_sweep_may_end_past_its_last_level() -> None:
    run = linear("5500:levels=3", 6_000)
    cooled, swept = run.events[-2:]
    assert (cooled.kinds[0], swept.kinds[0]) == ("cooled", "sweep")
    assert run.because(swept).text == "The last level is passed and E is not 0: T rises to search on."


def test_a_sweep_of_another_schedule_ends_at_its_lowest_t() -> None:
    solver = registry.solver("anneal-linear")
    run = Run.start(solver, EASY, solver.make_params(None, {"schedule": "exponential", "moves": 10}), 0)
    run.advance(100_000, Stop(frozenset({"sweep"})))
    assert run.because(run.events[-1]).text == (
        "T is down to T_min and E is not 0: T rises to search on from the same grid.")


def test_a_climb_is_stuck_by_its_own_rule() -> None:
    solver = registry.solver("hill-climb")

    def stuck(equal: int, **values: object) -> str:
        params = solver.make_params(None, values)
        event = LocalMinimum(9, "stuck", 11, 0, equal, 111 - equal)
        state = solver.init(EASY, params, 0)
        state.now["since_better"] = 2721
        found = solver.because(event, state, params)
        check_reason(found, "stuck")
        return found.text

    assert stuck(2, accept="strict") == "None of 111 moves makes the grid better, and no other is taken: stuck."
    assert stuck(2, accept="sideways", patience=500) == (
        "None of 111 moves is better, and 2 721 steps led to no better grid.")
    assert stuck(0, accept="sideways").startswith("All 111 moves make the grid worse")
    for equal in (0, 2):
        assert stuck(equal, restarts=3) == "None of 111 moves makes the grid better: stuck, so a new attempt begins."


def test_a_restart_says_why_the_attempt_is_over() -> None:
    def restarted(name: str, preset: str | None = None, **values: object) -> str:
        solver = registry.solver(name)
        params = solver.make_params(preset, values)
        return solver.because(Restarted(9, "restart", 2, 6, 30, 12), solver.init(EASY, params, 0), params).text

    assert restarted("anneal", "easy") == "T came down to its floor without a solution, so a new attempt begins at T₀."
    assert "its 10 reheats" in restarted("anneal-reheat")
    assert restarted("tabu") == "The attempt is stuck, so a new one begins from a random grid."
    run = Run.start("tabu", HARD, None, 1)
    run.advance(400)
    waited = int(run.state.now["since_better"])
    run = run.intervene("patience", 5)
    run.advance(1)
    event = next(event for event in run.events if isinstance(event, Restarted))
    assert run.because(event).text == (
        f"{waited + 1} steps without a better grid: stuck, so a new attempt begins.")


REHEATS = {"moves": 1, "stagnation": 3, "alpha": 0.9}


@pytest.mark.parametrize(("values", "why"), [
    ({"alpha": 0.5}, "T came down to its floor without a solution, so a new attempt begins at T₀."),
    ({"alpha": 0.99}, "No reheat is left of 10; T was above 0.500·T₀ after the last: a new attempt."),
    ({"max_reheats": 3}, "3 plateaus without progress and no reheat left of 3: a new attempt begins."),
    ({"max_reheats": 0, "alpha": 0.5}, "T came down to its floor without a solution, so a new attempt begins at T₀."),
])
def test_a_restart_of_reheats_says_which_of_its_causes_it_had(values: dict[str, float], why: str) -> None:
    solver = registry.solver("anneal-reheat")
    run = Run.start("anneal-reheat", HARD, solver.make_params(None, REHEATS | values), seed=1)
    while not any(isinstance(event, Restarted) for event in run.events):
        run.advance()
    restarts = [event for event in run.events if isinstance(event, Restarted)]
    assert [run.because(event).text for event in restarts] == [why]


@pytest.mark.parametrize(("name", "knob", "value"), [("anneal", "T", 1e-4), ("anneal", "T_min", 0.998),
                                                     ("anneal-reheat", "T", 1e-4)])
def test_a_restart_after_t_was_set_below_its_floor_does_not_say_that_it_cooled(name: str, knob: str,
                                                                               value: float) -> None:
    run = Run.start(name, HARD, registry.solver(name).make_params("easy" if name == "anneal" else None, {}), 1)
    run.advance(450)
    run = run.intervene(knob, value)
    while not any(isinstance(event, Restarted) for event in run.events):
        run.advance()
    said = [run.because(event).text for event in run.events if isinstance(event, Restarted)]
    assert said == ["T is below its floor without a solution, so a new attempt begins at T₀."]


def test_a_reheat_after_t_was_set_by_hand_does_not_say_that_the_last_one_left_it() -> None:
    run = Run.start("anneal-reheat", HARD, registry.solver("anneal-reheat").make_params(None, REHEATS), seed=1)
    while not (first := [event for event in run.events if isinstance(event, Reheated)]):
        run.advance()
    run = run.intervene("T", 1.1 * first[0].after)
    while run.advance() and not (second := [event for event in run.events if isinstance(event, Reheated | NotRaised)]):
        pass
    assert isinstance(second[0], Reheated)
    assert run.because(second[0]).text == (
        f"3 plateaus idle: T rises, reheat {second[0].number}; after reheat {first[0].number} it was above 0.500·T₀.")


def test_a_reheat_after_others_without_effect_says_so() -> None:
    params = registry.solver("anneal-reheat").make_params(None, REHEATS | {"alpha": 0.99, "max_reheats": 0})
    run = Run.start("anneal-reheat", HARD, params, seed=1)
    seen: list[tuple[int, str]] = []
    while len(seen) < 2:
        run.advance()
        seen += [(event.number, run.because(event).text) for event in run.events if isinstance(event, Reheated)]
    (first, counted), (_, usual) = seen
    assert first > 2
    assert counted == f"3 plateaus idle: T rises, reheat {first}; after reheat {first - 1} it was above 0.500·T₀."
    assert usual.endswith(f"since reheat {first}, 3 plateaus without progress: T rises.")


@pytest.mark.parametrize("shrink", ["divide", "multiply"])
def test_a_shrinking_reheat_after_others_without_effect_says_so(shrink: str) -> None:
    params = registry.solver("anneal-reheat-adaptive").make_params(
        None, REHEATS | {"shrink": shrink, "T0": 4.0, "alpha": 0.97, "at_floor": "hold", "T_min": 1e-9})
    run = Run.start("anneal-reheat-adaptive", HARD, params, seed=1)
    seen: list[tuple[int, str]] = []
    left: set[int] = set()
    while len(seen) < 3 and run.playhead < 3000:
        run.advance()
        left |= {event.number for event in run.events if isinstance(event, NotRaised)}
        seen += [(event.number, run.because(event).text) for event in run.events if isinstance(event, Reheated)]
    counts = [number for number, why in seen if f"after reheat {number - 1} it was above " in why]
    assert counts == [number for number, _why in seen if number - 1 in left]
    assert bool(counts) == (shrink == "divide"), "with 0.6ⁿ none raises T after one that left it"


def test_a_child_says_how_its_parents_were_chosen() -> None:
    solver = registry.solver("ga-memetic")
    params = solver.make_params()
    state = solver.init(EASY, params, 0)

    def born(parents: tuple[int, int], energy: int) -> str:
        child = Bred(1, "judge", parents, 50, (0,) * 81, (), energy, True, (28, 27), "box by box")
        found = solver.because(child, state, params)
        check_reason(found, "child")
        return found.text

    assert born((3, 4), 30) == "Each parent is the best of 3 drawn; the child joins the next generation."
    assert born((3, 4), 26) == "E 26 is below both parents, 28 and 27; the child joins the next generation."


@pytest.mark.parametrize(("rate", "least", "most"), [(0.0, 1.0, 1.0), (0.5, 0.6, 0.99), (1.0, 0.0, 0.0)])
def test_a_child_of_one_parent_says_whether_it_was_crossed(rate: float, least: float, most: float) -> None:
    """One individual may win both tournaments: of 10 individuals in some 17 of 100 crossovers."""
    solver = registry.solver("ga-cells")
    run = Run.start(solver, EASY, solver.make_params("tournament", {"cross_rate": rate, "size": 10}), 3)
    why = []
    for _ in range(300):
        run.advance(1)
        for event in run.events:
            if isinstance(event, Bred) and event.parents[0] == event.parents[1]:
                why.append(run.because(event).text)
                check_reason(run.because(event), "child")
    uncrossed = why.count("Without crossover it has one parent; the child joins the next generation.")
    twice = why.count("One individual won both tournaments; the child joins the next generation.")
    assert uncrossed + twice == len(why) > 0
    assert least <= uncrossed / len(why) <= most


def test_the_reason_of_a_shift_fits_one_line_both_ways() -> None:
    for stagnation, before, after, why in (
            (10_000, 0.9, 0.8, "10 000 epochs since the last new best or change: workers become explorers."),
            (0, 0.8, 0.9, "The best E of this attempt fell: the share of workers is the set one now."),
            (0, 0.9, 0.3, "The best E of this attempt fell: the share of workers is the set one now.")):
        found = because(Shifted(1, "share", before, after, stagnation))
        assert found is not None
        check_reason(found, "shift")
        assert found.text == why


def test_a_worker_takes_what_is_no_better_as_annealing_does() -> None:
    turn = Turned(1, "luck", 11, "worker", "luck", (1, 2), (3, 4), 1, 20, 999, 0.1, 0.05)
    assert said(turn) == "It is no better, but u < p: such swaps are taken 1 time in 10."


def test_a_worker_that_is_refused_counts_its_refusals() -> None:
    turn = Turned(1, "refuse", 11, "worker", "refused", (1, 2), (3, 4), 1, 20, 999, 0.001, 0.4)
    assert said(turn) == "It is no better, and u ≥ p: 999 refusals since it improved or was new."


@pytest.mark.parametrize("status", ["solved", "no_solution", "gave_up", "unknown"])
def test_every_ending_has_a_reason(status: str) -> None:
    found = said(Done(1, "end", status, 1234, "a reason"))  # type: ignore[arg-type]
    assert found.endswith(".")
    assert ("1 234" in found) == (status == "gave_up")
    assert "search" not in found, "propagation and Z3 prove it without one"


@pytest.mark.parametrize("name", registry.names())
def test_the_end_of_a_solver_without_a_gauge_of_energy_speaks_of_cells_and_units(name: str) -> None:
    solver = registry.solver(name)
    params = solver.make_params()
    state = solver.init(EASY, params, 0)
    labels = {gauge.label for gauge in solver.view(state, params, ()).gauges}
    for event in (Done(1, "", "solved", 0, ""), Done(1, "", "gave_up", 5, "")):
        why = solver.because(event, state, params)
        check_reason(why, name)
        assert ("E = " in why.text) <= ("E" in labels), why.text


def test_a_sweep_says_why_the_temperature_rises() -> None:
    event = Swept(1, "sweep", 1, 12)
    assert "sweep 1 ended at E = 12" in explain(event).text
    assert said(event) == "T cannot fall further and E is not 0: T rises to search on from the same grid."


def test_many_attempts_are_grouped() -> None:
    assert explain(Restarted(1, "", 1000, 1001, 50, 4)).text.startswith("attempt 1 000 of 1 001")


def test_a_restart_whose_new_state_is_the_best_of_all_says_so() -> None:
    event = Restarted(42, "restart", 2, 20, 30, 31)
    assert explain(event).text.endswith("fresh state E = 30   best so far 30")
    assert said(event).endswith("the best grid so far has E = 30.")
    assert "best so far 29" in explain(Restarted(42, "restart", 2, 20, 30, 29)).text


def test_where_neighbours_are_better_a_spent_patience_is_not_called_a_local_minimum() -> None:
    assert explain(LocalMinimum(158, "patience", 17, 7, 12, 107)).badge == "PATIENCE SPENT"
    assert explain(LocalMinimum(158, "patience", 17, 0, 12, 114)).badge == "LOCAL MINIMUM"
