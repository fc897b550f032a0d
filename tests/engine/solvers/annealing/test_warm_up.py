"""After `warm_up` nothing is left to compile for the run named or, without one, for any usual run."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from engine import registry
from engine.compiled.kernel import Kernel
from engine.puzzle import Puzzle
from engine.run.run import Run

name, box, whole = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "whole"
solver, puzzle = registry.solver(name), Puzzle((0,) * box**4, box)
params = solver.make_params()

def compiled():
    modules = [module for key, module in sorted(sys.modules.items()) if key.startswith("engine.")]
    kernels = {each for module in modules for each in vars(module).values() if isinstance(each, Kernel)}
    return sum(len(each.signatures) for each in kernels)

assert compiled() == 0
solver.warm_up() if whole else solver.warm_up(puzzle, params)
warm = compiled()
assert warm > 0
run = Run.start(solver, puzzle, params, 1)
for n in (1, 500, 1):
    run.advance(n)
run.step_back()
if whole:
    run.find("best", 1, limit=500)
    run.find("rejected", -1)
    assert list(solver.events(solver.init(puzzle, params, 0), params, 500))
assert compiled() == warm, f"{compiled() - warm} kernels were still to compile"
"""


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["anneal", "anneal-lewis"])
@pytest.mark.parametrize(("box", "what"), [
    (3, "run"), (3, "whole"), (2, "run"), (2, "whole")])
def test_nothing_is_left_to_compile(name: str, box: int, what: str) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, name, str(box), what], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
