"""Every registered solver, the strangers, and the solver of engine/README.md are held to the laws."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from engine.conformance import CHECKS, Check, Nonconformance, check_solver
from engine.solver import AnySolver
from tests.engine.strangers import toy_population, toy_recorded

README = Path(__file__).parents[2] / "engine" / "README.md"
STRANGERS: dict[str, AnySolver] = {each.name: each for each in (toy_population.SOLVER, toy_recorded.SOLVER)}


@pytest.fixture
def solver(request: pytest.FixtureRequest) -> Iterator[AnySolver]:
    """The solver by its name, the strangers being registered for as long as the test lasts."""
    with registry.lent(*STRANGERS.values()):
        yield registry.solver(request.param)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("solver", [*registry.names(), *STRANGERS], indirect=True)
def test_law(solver: AnySolver, check: Check) -> None:
    check(solver)


def test_the_solver_on_the_page_that_explains_how_to_add_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert code, "engine/README.md shows no solver"
    (tmp_path / "solver_of_the_page.py").write_text(code[1], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "solver_of_the_page", raising=False)
    check_solver(importlib.import_module("solver_of_the_page").SOLVER)


def test_a_broken_law_is_named() -> None:
    class Mute(toy_population.ToyPopulation):
        summary = "No sentence"

    with pytest.raises(Nonconformance, match="toy-population breaks the law names_and_texts: the summary"):
        check_solver(Mute())
