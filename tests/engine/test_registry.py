"""Solvers by name: built in, installed by other packages, lent for a while."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint

import pytest

from engine import registry
from engine.errors import BadInput, UnknownName
from engine.puzzle import Puzzle
from engine.run.run import Run
from tests.engine.strangers import toy_population, toy_recorded

Install = Callable[..., None]
POPULATION = "tests.engine.strangers.toy_population:SOLVER"


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Make `name="module:object"` look like an entry point of an installed package."""
    def pretend(**points: str) -> None:
        found = [EntryPoint(name.replace("_", "-"), value, registry.GROUP) for name, value in points.items()]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found if group == registry.GROUP else [])
        registry.names.cache_clear()
        registry.solver.cache_clear()

    yield pretend
    monkeypatch.undo()
    registry.names.cache_clear()
    registry.solver.cache_clear()


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_a_built_in_solver_has_its_registry_name(name: str) -> None:
    assert registry.solver(name).name == name
    assert registry.solver(name) is registry.solver(name)
    assert name in registry.names()


def test_an_installed_solver_is_found_and_runs(install: Install) -> None:
    install(toy_population=POPULATION)
    assert registry.names() == (*registry.BUILT_IN, "toy-population")
    assert registry.solver("toy-population") is toy_population.SOLVER
    run = Run.start("toy-population", Puzzle.from_line("....34....2..1.3"))
    assert run.advance(10).steps == 10


def test_installed_names_are_sorted_after_the_built_in_ones(install: Install) -> None:
    install(zebra=POPULATION, ant=POPULATION, backtrack=POPULATION)
    assert registry.names() == (*registry.BUILT_IN, "ant", "zebra")
    assert type(registry.solver("backtrack")).__name__ == "Backtrack"


def test_an_unknown_name_is_answered_with_near_ones() -> None:
    with pytest.raises(UnknownName) as refused:
        registry.solver("backtrak")
    assert str(refused.value) == "no solver 'backtrak': did you mean backtrack or backtrack-mrv?"
    with pytest.raises(UnknownName, match="no solver 'mrv': did you mean backtrack-mrv"):
        registry.solver("mrv")
    with pytest.raises(UnknownName, match=r"no solver '\?': expected one of .*backtrack"):
        registry.solver("?")


@pytest.mark.parametrize(("target", "sentence"), [
    ("no_such_module_anywhere:SOLVER", "solver 'guest' is installed but cannot be loaded: No module named "
                                       "'no_such_module_anywhere'"),
    ("guest_module:NOTHING", "solver 'guest' is installed but cannot be loaded: module 'guest_module' has no attribute "
                             "'NOTHING'"),
    ("guest_module:TEXT", "the object registered as 'guest' is not a solver: expected a Solver instance"),
    (POPULATION, "the solver registered as 'guest' has the name 'toy-population': expected the same name"),
])
def test_a_solver_that_cannot_be_loaded_is_one_sentence(install: Install, monkeypatch: pytest.MonkeyPatch, target: str,
                                                     sentence: str) -> None:
    guest = types.ModuleType("guest_module")
    guest.TEXT = "no solver"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "guest_module", guest)
    install(guest=target)
    assert "guest" in registry.names()
    with pytest.raises(BadInput) as refused:
        registry.solver("guest")
    assert str(refused.value) == sentence


def test_a_solver_is_lent_for_the_length_of_a_block() -> None:
    before = registry.names()
    with registry.lent(toy_population.SOLVER):
        assert registry.solver("toy-population") is toy_population.SOLVER
        with registry.lent(toy_recorded.SOLVER):
            assert registry.names() == (*before, "toy-population", "toy-recorded")
        assert registry.names() == (*before, "toy-population")
    assert registry.names() == before
    with pytest.raises(UnknownName):
        registry.solver("toy-population")


def test_a_lent_solver_precedes_a_built_in_one() -> None:
    class Mine(toy_population.ToyPopulation):
        name = "backtrack"

    mine, own = Mine(), registry.solver("backtrack")
    with registry.lent(mine):
        assert registry.solver("backtrack") is mine
        assert registry.names().count("backtrack") == 1
    assert registry.solver("backtrack") is own
