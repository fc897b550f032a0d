"""What an import loads, seen in a fresh process: the start stays quick, and imports point one way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCREEN = ("textual", "rich", "plotext", "click", "tui")
SLOW = ("numba", "z3", "scipy", "ortools")
NEEDS_Z3 = "engine.solvers.symbolic.z3_session"
"""The side of `z3_questions` that holds formulas; imported at the first question."""


def loaded_by(statement: str) -> set[str]:
    """The top-level names in sys.modules after a statement, in a process of its own."""
    script = f"import sys\n{statement}\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False,
                          cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


LIGHT = ["engine.puzzle", "engine.registry", "engine.run.run", "engine.run.run_file", "engine.puzzles.formats",
         "engine.puzzles.packs", "engine.puzzles.sources", "engine.conformance", "engine.solutions",
         "engine.solutions.batch", "engine.solutions.minimal", "engine.bench.statistics", "engine.bench.tables",
         "engine.bench.report"]


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize("module", LIGHT)
def test_the_engine_loads_no_screen_and_no_compiler(module: str) -> None:
    assert loaded_by(f"import {module}").isdisjoint(SCREEN + SLOW)


def test_every_module_of_the_engine_but_its_kernels_knows_no_screen() -> None:
    modules = sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                     for path in (ROOT / "engine").rglob("*.py"))
    assert len(modules) > 20
    assert loaded_by("\n".join(f"import {module}" for module in modules)).isdisjoint(SCREEN)


@pytest.mark.parametrize(
    "package", ["engine.solvers", "engine.solutions", "engine.techniques", "engine.puzzles"])
def test_a_module_with_kernels_loads_no_compiler(package: str) -> None:
    modules = sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                     for path in ROOT.joinpath(*package.split(".")).rglob("*.py"))
    assert len(modules) > 2
    loaded = loaded_by("\n".join(f"import {module}" for module in modules if module != NEEDS_Z3))
    assert loaded.isdisjoint(SCREEN + SLOW)


def test_asking_for_every_solver_compiles_nothing() -> None:
    loaded = loaded_by("from engine import registry\n"
                       "for name in registry.BUILT_IN: registry.solver(name).make_params()")
    assert loaded.isdisjoint(SCREEN + SLOW)


def test_the_command_line_loads_no_screen_until_one_is_wanted() -> None:
    assert loaded_by("import tui.cli").isdisjoint({"textual", "rich", "plotext", *SLOW})


def test_the_automata_load_z3_when_they_are_asked() -> None:
    assert "z3" not in loaded_by("import tui.screens.automata.screen, tui.commands.automata")


def test_numba_comes_through_its_door_only() -> None:
    """Whoever imports numba elsewhere does so before the cache directory is chosen."""
    importers = [path.relative_to(ROOT).as_posix() for folder in ("engine", "tui")
                 for path in sorted((ROOT / folder).rglob("*.py"))
                 if any(line.strip().startswith(("import numba", "from numba"))
                        for line in path.read_text(encoding="utf-8").splitlines())]
    assert importers == ["engine/compiled/kernel.py"]


def test_the_import_contracts_hold() -> None:
    code = ("import sys\nfrom importlinter.cli import lint_imports\n"
            "sys.exit(lint_imports(config_filename='pyproject.toml', no_cache=True))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr
