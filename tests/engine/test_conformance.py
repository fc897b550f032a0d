"""Every registered solver, the strangers, and the solvers of engine/README.md obey the laws."""

from __future__ import annotations

import importlib
import os
import random
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import pytest

from engine import registry
from engine import solutions as exact
from engine import state as states
from engine.breakpoints import NEVER, Stop
from engine.conformance import CHECKS, Check, Nonconformance, check_solver, declared
from engine.conformance.cases import DECIDED
from engine.events import Done, Event
from engine.events.population import Bred
from engine.params import About, Meta
from engine.puzzle import Puzzle
from engine.solver import Advanced, AnySolver, InnerRun, Outcome
from engine.solvers.exact import norvig
from engine.solvers.population.genetic.ga_memetic import GaMemetic, MemeticParams
from engine.solvers.population.genetic.state import GeneticState
from engine.view import Gauge, Line, Sentence, View
from tests.engine.strangers import toy_population, toy_recorded
from tests.engine.strangers.toy_population import ToyParams, ToyState

Steps = Iterator[tuple[Event, ...]]

README = Path(__file__).parents[2] / "engine" / "README.md"
STRANGERS: dict[str, AnySolver] = {each.name: each for each in (toy_population.SOLVER, toy_recorded.SOLVER)}


@pytest.fixture
def solver(request: pytest.FixtureRequest) -> Iterator[AnySolver]:
    """The solver by its name, the strangers being registered for as long as the test lasts; what takes a package that
    is not installed is skipped."""
    with registry.lent(*STRANGERS.values()):
        found = registry.solver(request.param)
        if why := found.missing():
            pytest.skip(why)
        yield found


LEFT = ("human", "ac3", "anneal-reheat", "anneal-reheat-adaptive", "anneal-linear", "anneal-lewis", "anneal-propagate",
        "hill-climb", "tabu", "ga-rows", "ga-ordered", "ga-memetic", "swarm", "swarm-velocity", "swarm-adaptive",
        "swarm-anneal", "backtrack-mrv", "mac", "belief", "z3", "z3-inside", "toy-population", "toy-recorded")
"""Solvers whose runs are left to the sweep: they share the code of another one, or take long."""
PROCESSES = ("anneal", "dlx")
"""Solvers that a fresh process is started for in the usual run."""
RUNS = ("kinds_are_declared", "parameters_without_effect_have_none")
"""Laws of declarations that need runs."""


def laws() -> Iterator[object]:
    """Every solver with every law. Laws that need no run are tried for all."""
    for name in (*registry.names(), *STRANGERS):
        for check in CHECKS:
            runs = check.__module__ != declared.__name__ or check.__name__ in RUNS
            starts = check.__name__ == "fresh_process_agrees" and name not in PROCESSES
            swept = [pytest.mark.sweep] if (name in LEFT and runs) or starts else []
            yield pytest.param(name, check, id=f"{name}-{check.__name__}", marks=swept)


@pytest.mark.parametrize(("solver", "check"), laws(), indirect=["solver"])
def test_law(solver: AnySolver, check: Check) -> None:
    check(solver)


@pytest.mark.parametrize(("label", "puzzle", "solutions"), DECIDED, ids=[label for label, *_ in DECIDED])
def test_the_puzzles_to_decide_have_the_declared_solutions(label: str, puzzle: Puzzle, solutions: int) -> None:
    assert exact.count(puzzle).answer == ("none", "one", "several")[solutions]
    assert bool(puzzle.clashes()) == ("contradict" in label or "invalid" in label)


def test_they_decide_boards_of_every_kind_in_every_way() -> None:
    kinds = {(puzzle.n, puzzle.variant, solutions) for _, puzzle, solutions in DECIDED}
    boards = ((4, "classic"), (4, "diagonal"), (9, "classic"), (9, "diagonal"), (16, "classic"))
    assert kinds == {(*board, solutions) for board in boards for solutions in range(3)}


def recipes() -> tuple[list[str], list[str]]:
    """The solvers of engine/README.md (plain, variant, kernel), and the diffs of the variant's acceptance rule."""
    page = README.read_text(encoding="utf-8")
    diffs = [textwrap.dedent(each) for each in re.findall(r"^   ```diff\n(.*?)^   ```", page, re.DOTALL | re.MULTILINE)]
    return re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE), diffs


@pytest.mark.sweep
def test_the_plain_solver_of_the_page_conforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "solver_of_the_page.py").write_text(recipes()[0][0], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "solver_of_the_page", raising=False)
    check_solver(importlib.import_module("solver_of_the_page").SOLVER)


PAGE = {"descend": "descend", "threshold-accept": "threshold_accept", "descend-fast": "descend_fast"}
"""The modules of the solvers of engine/README.md, by name."""


@pytest.fixture
def engine_of_the_page(tmp_path: Path) -> Path:
    """The directory of a copy of the engine with the files, the lines of the registry and the diffs that the page
    shows; and with the settings of the linters."""
    shutil.copytree(README.parent, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(README.parents[1] / "pyproject.toml", tmp_path)
    annealing = tmp_path / "engine" / "solvers" / "annealing"
    solvers, diffs = recipes()
    for module, code in zip(PAGE.values(), solvers, strict=True):
        (annealing / f"{module}.py").write_text(code, encoding="utf-8")
    for diff in diffs:
        lines = diff.splitlines(keepends=True)
        before, after = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
        texts = {each: each.read_text(encoding="utf-8") for each in annealing.glob("*.py")}
        if any(after in each for each in texts.values()):
            continue  # this acceptance rule has been added since
        [path] = [each for each, code in texts.items() if code.count(before) == 1]
        path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    registered = "".join(f'    "{name}": "engine.solvers.annealing.{module}",\n' for name, module in PAGE.items())
    registry_file = tmp_path / "engine" / "registry.py"
    text = registry_file.read_text(encoding="utf-8")
    registry_file.write_text(text.replace('    "tabu"', registered + '    "tabu"', 1), encoding="utf-8")
    return tmp_path


def ran(directory: Path, *arguments: str) -> str:
    """The output of python with these arguments, which succeeds, in a directory with a copy of the engine."""
    # The copy's kernels are in no cache: without optimisation they compile in half the time.
    done = subprocess.run([sys.executable, *arguments], cwd=directory, capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(directory), "NUMBA_OPT": "0"})
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return done.stdout


@pytest.mark.sweep
def test_all_solvers_of_the_page_conform_in_their_files(engine_of_the_page: Path) -> None:
    ran(engine_of_the_page, "-c", "import sys\nfrom engine import registry\n"
        "from engine.conformance import check_solver\n"
        "for name in sys.argv[1:]:\n    check_solver(registry.solver(name))\n", *PAGE)


@pytest.mark.sweep
def test_the_variant_of_the_page_gives_true_reasons(engine_of_the_page: Path) -> None:
    said = ran(engine_of_the_page, "-c", """
from engine import registry
from engine.conformance.cases import NINE
from engine.state import copy
solver = registry.solver("threshold-accept")
assert not solver.has_chance
params = solver.make_params()
state = solver.init(NINE, params, 1)
before = copy(state)
for events, _ in zip(solver.steps(state, params), range(400)):
    [asked] = [each for each in solver.ask(before, params, events) if each.kind == "accept"] or [None]
    verdict = (asked.hint, asked.why, *asked.mistakes.values()) if asked else ()
    print(solver.explain(events[0]).text, *verdict, "|", solver.because(events[0], state, params).text)
    before = copy(state)
""").splitlines()
    assert len(said) == 400
    assert not [line for line in said if "p =" in line or "u =" in line]
    for change, verdict in (("+2", "holds, so the move is kept"), ("+3", "does not hold")):
        wanted = f"| ΔE = {change}, T = 3.00: “or if ΔE < T: accept” {verdict}."
        assert [line for line in said if line.endswith(wanted)], said[:20]
    assert any("No u is drawn, and by its rule +2 is accepted at this step." in line for line in said)
    false = ("no worse grid is kept", "the rule allows", "rule takes no worse grid", "ΔE alone decides: +")
    assert not [line for line in said if any(each in line for each in false)]


def test_the_code_of_the_page_is_in_good_style(engine_of_the_page: Path) -> None:
    pytest.importorskip("ruff")
    ran(engine_of_the_page, "-m", "ruff", "check", "--no-cache", "engine/solvers/annealing")


@pytest.mark.sweep
def test_the_code_of_the_page_has_correct_types(engine_of_the_page: Path) -> None:
    pytest.importorskip("mypy")
    modules = [word for module in PAGE.values() for word in ("-m", f"engine.solvers.annealing.{module}")]
    settings = (engine_of_the_page / "pyproject.toml").read_text(encoding="utf-8")
    alone = settings.replace('packages = ["engine", "tui"]\n\n[[tool.mypy', "\n[[tool.mypy")
    (engine_of_the_page / "pyproject.toml").write_text(alone, encoding="utf-8")
    ran(engine_of_the_page, "-m", "mypy", *modules)


def test_the_event_of_the_page_has_a_sentence_and_a_reason() -> None:
    page = README.read_text(encoding="utf-8")
    [code] = re.findall(r"^  ```python\n(.*?)^  ```", page, re.DOTALL | re.MULTILINE)
    asked = """
from engine.conformance.views import check_reason
event = LevelJudged(1, "accept", (3, 4), (1, 2), 2, 20, True, level=20.5)
check_reason(because(event), "the page")
print(explain(event).text)
print(because(event).text)
"""
    said = ran(README.parents[1], "-c", textwrap.dedent(code) + asked)  # by itself, as a type of event is for good
    assert said.splitlines() == ["swap r1c4 ↔ r1c5   ΔE = +2   level = 20.5   E = 20",
                                 "E = 20 is below the level of 20.5."]


def test_a_line_of_a_program_has_a_column_less_beside_numbers_of_two_digits() -> None:
    class Wide(Toy):
        """A program whose lines are as wide as nine may be."""

    Wide.program = tuple(Line(f"l{number}", "x" * 31) for number in range(9))
    declared.program_is_readable(Wide())
    Wide.program = tuple(Line(f"l{number}", "x" * 31) for number in range(10))
    with pytest.raises(Nonconformance, match="has 31 columns: expected 30 at most"):
        declared.program_is_readable(Wide())


def test_a_title_is_as_wide_as_the_list_of_solvers_at_most() -> None:
    class Long(Toy):
        """A solver with a title that no list shows whole."""

    Long.title = "x" * 32
    declared.names_and_texts(Long())
    Long.title = "x" * 33
    with pytest.raises(Nonconformance, match="the title has 33 columns: expected 32 at most"):
        declared.names_and_texts(Long())


class Toy(toy_population.ToyPopulation):
    """The base of the broken solvers below."""


class TooHot(Toy):
    """A view whose heat is no share."""

    def view(self, state: ToyState, params: ToyParams, events: tuple[Event, ...]) -> View:
        return msgspec.structs.replace(super().view(state, params, events), heat=(1.5,) * state.puzzle.n**2)


class Overconfident(Toy):
    """It claims to prove that there is no solution when it only fails to find one."""

    complete = True

    def outcome(self, state: ToyState) -> Outcome | None:
        ended = super().outcome(state)
        if ended is None or ended.status == "solved":
            return ended
        return msgspec.structs.replace(ended, status="no_solution")


class ShowsAnotherIndividual(Toy):
    """It shows the best individual, whichever is selected."""

    def view_of(self, state: ToyState, params: ToyParams, events: tuple[Event, ...], place: int) -> View:
        return super().view_of(state, params, events, 0)


class GaugesComeAndGo(Toy):
    """It has a gauge more at each other step."""

    def view(self, state: ToyState, params: ToyParams, events: tuple[Event, ...]) -> View:
        view = super().view(state, params, events)
        return msgspec.structs.replace(view, gauges=(*view.gauges, *[Gauge("odd", "")] * (state.step % 2)))


class BlindToDiagonals(norvig.Norvig):
    """It searches, and forgets two units."""

    complete = True

    def init(self, puzzle: Puzzle, params: norvig.NorvigParams, seed: int) -> norvig.NorvigState:
        return super().init(msgspec.structs.replace(puzzle, variant="classic"), params, seed)


class KeepsCounting(Toy):
    """Something outside the state decides."""

    calls = 0

    def steps(self, state: ToyState, params: ToyParams) -> Steps:
        for events in super().steps(state, params):
            KeepsCounting.calls += 1
            state.genes[-1, 0] = KeepsCounting.calls % 4 + 1
            yield events


class Forgets(Toy):
    """The generator keeps something across a yield that the state does not."""

    def steps(self, state: ToyState, params: ToyParams) -> Steps:
        for local, events in enumerate(super().steps(state, params)):
            state.genes[-1, 0] = local % 4 + 1
            yield events


class RedrawsGivens(Toy):
    """Its events touch givens, and it does not declare so."""

    def steps(self, state: ToyState, params: ToyParams) -> Steps:
        given = next(cell for cell, value in enumerate(state.puzzle.givens) if value)
        for events in super().steps(state, params):
            yield tuple(msgspec.structs.replace(event, mutated=(given,)) if isinstance(event, Bred) else event
                        for event in events)


class DrawsGlobally(Toy):
    def init(self, puzzle: Puzzle, params: ToyParams, seed: int) -> ToyState:
        random.random()
        return super().init(puzzle, params, seed)


class SkipsInChunks(Toy):
    def advance(self, state: ToyState, params: ToyParams, n: int, stop: Stop = NEVER) -> Advanced:
        result = super().advance(state, params, n, stop)
        if n > 5:
            state.genes[-1, 0] = 1 + state.step % 4
        return result


class SwallowsRareEvents(Toy):
    def advance(self, state: ToyState, params: ToyParams, n: int, stop: Stop = NEVER) -> Advanced:
        result = super().advance(state, params, n, stop)
        return Advanced(result.steps, result.reason, ())


class IgnoresStops(Toy):
    def advance(self, state: ToyState, params: ToyParams, n: int, stop: Stop = NEVER) -> Advanced:
        return super().advance(state, params, n, Stop(stop.kinds))


class LooksAndChanges(Toy):
    def view(self, state: ToyState, params: ToyParams, events: tuple[Event, ...]) -> View:
        state.best += 1
        return super().view(state, params, events)


class LateByOne(Toy):
    def steps(self, state: ToyState, params: ToyParams) -> Steps:
        for events in super().steps(state, params):
            yield tuple(msgspec.structs.replace(event, step=event.step - 1) for event in events)


class HoldsArrays(Toy):
    def steps(self, state: ToyState, params: ToyParams) -> Steps:
        for events in super().steps(state, params):
            yield tuple(msgspec.structs.replace(event, mask=state.genes[0]) if isinstance(event, Bred) else event
                        for event in events)


class Loud(Event, frozen=True, tag="toy-loud"):
    @property
    def kinds(self) -> tuple[str, ...]:
        return ("best",)


class CallsEveryStepTheBest(Toy):
    def steps(self, state: ToyState, params: ToyParams) -> Steps:
        for events in super().steps(state, params):
            yield (*events, Loud(state.step, events[0].line))


class CallsItSolved(Toy):
    def outcome(self, state: ToyState) -> Outcome | None:
        return Outcome("solved", state.grid, 0, "it looks well") if state.step >= 3 else None


class NothingWrong(ToyState):
    energy = 0  # type: ignore[assignment]


class SeesNothingWrong(Toy):
    """E is 0 from the beginning."""

    def init(self, puzzle: Puzzle, params: ToyParams, seed: int) -> ToyState:
        state = super().init(puzzle, params, seed)
        return NothingWrong(**vars(state))


class NeverSaysHowItEnded(Toy):
    def steps(self, state: ToyState, params: ToyParams) -> Steps:
        for events in super().steps(state, params):
            yield tuple(event for event in events if not isinstance(event, Done))


class ForgetsItsBest(Toy):
    def best(self, state: ToyState) -> tuple[tuple[int, ...], int]:
        return state.grid, state.energy + 1


class Overflows(Toy):
    def view(self, state: ToyState, params: ToyParams, events: tuple[Event, ...]) -> View:
        return View(state.grid, gauges=(Gauge("too full", "", 1.5),))


class Speechless(Toy):
    def explain(self, event: Event, n: int = 9) -> Sentence:
        return Sentence("A BADGE THAT IS FAR TOO LONG", "{nothing}", {})


class TakesAnything(Toy):
    def intervene(self, state: ToyState, params: ToyParams, name: str, value: object) -> ToyParams:
        return params


class HidesThatItCannotBeRepeated(toy_recorded.ToyRecorded):
    recorded = False


class DrawsOtherWordsInside(GaMemetic):
    """The search inside a step, as a run, draws the words of the step after it."""

    def inner_run(self, before: GeneticState, params: MemeticParams, events: tuple[Event, ...]) -> InnerRun | None:
        later = states.copy(before)
        later.step += 1
        return super().inner_run(later, params, events)


class DeniedParams(toy_population.ToyParams, frozen=True):
    fresh: Annotated[bool, About("", "whether children mutate at all")] = False
    mutation: Annotated[float, Meta(ge=0, le=1), About("share", "chance that a row is redrawn",
                                                       where=(("fresh", ("yes",)),))] = 0.2


class DeniesAnEffect(Toy):
    Params = DeniedParams


BROKEN: tuple[tuple[AnySolver, str], ...] = (
    (HidesThatItCannotBeRepeated(), "init_is_deterministic"),
    (HidesThatItCannotBeRepeated(), "advance_equals_steps"),
    (HidesThatItCannotBeRepeated(), "run_seeks"),
    (TooHot(), "views_are_well_shaped"),
    (Overconfident(), "complete_solvers_decide"),
    (BlindToDiagonals(), "complete_solvers_decide"),
    (ShowsAnotherIndividual(), "individuals_can_be_picked"),
    (GaugesComeAndGo(), "views_are_well_shaped"),
    (GaugesComeAndGo(), "individuals_can_be_picked"),
    (KeepsCounting(), "advance_equals_steps"),
    (KeepsCounting(), "run_seeks"),
    (Forgets(), "generator_can_be_dropped"),
    (Forgets(), "states_can_be_packed"),
    (DrawsGlobally(), "random_state_is_untouched"),
    (SkipsInChunks(), "advance_equals_steps"),
    (SwallowsRareEvents(), "advance_equals_steps"),
    (IgnoresStops(), "stops_halt_at_the_first_step"),
    (LooksAndChanges(), "views_are_well_shaped"),
    (LateByOne(), "steps_have_events"),
    (HoldsArrays(), "events_are_small_and_plain"),
    (RedrawsGivens(), "givens_stay_untouched"),
    (CallsEveryStepTheBest(), "rare_events_are_marked"),
    (CallsItSolved(), "outcome_comes_with_the_last_step"),
    (CallsItSolved(), "energy_is_zero_where_it_is_solved"),
    (SeesNothingWrong(), "energy_is_zero_where_it_is_solved"),
    (ForgetsItsBest(), "best_is_the_lowest"),
    (NeverSaysHowItEnded(), "outcome_comes_with_the_last_step"),
    (Overflows(), "views_are_well_shaped"),
    (Speechless(), "events_are_explained"),
    (TakesAnything(), "bad_interventions_change_nothing"),
    (KeepsCounting(), "fresh_process_agrees"),
    (DeniesAnEffect(), "parameters_without_effect_have_none"),
    (DrawsOtherWordsInside(), "inner_runs_end_as_their_steps"),
)


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize(("broken", "law"), BROKEN, ids=lambda each: each if isinstance(each, str) else None)
def test_a_broken_law_is_noticed(broken: AnySolver, law: str) -> None:
    with pytest.raises(Nonconformance):
        next(check for check in CHECKS if check.__name__ == law)(broken)


def test_a_broken_law_is_named() -> None:
    class Mute(Toy):
        summary = "No sentence"

    with pytest.raises(Nonconformance, match="toy-population breaks the law names_and_texts: the summary"):
        check_solver(Mute())
