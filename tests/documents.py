"""The generated parts of the documentation. `python -m tests.documents` rewrites them.

README.md has a table of solvers and docs/settings.md one of the settings, each between two marks; docs/solvers.md is
generated as a whole. Tests compare them with the declarations in the code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine import registry
from engine.params import Parameter, condition, describe
from engine.solver import AnySolver
from tui.config.settings import Settings

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
RESULTS = ROOT / "docs" / "results.md"
SETTINGS = ROOT / "docs" / "settings.md"
SOLVERS = ROOT / "docs" / "solvers.md"

FAMILIES = {
    "annealing": "Local search: swaps cells to lower E. Annealing and tabu search escape local minima, hill climbing "
                 "does not. Swaps alone cannot prove that there is no solution.",
    "population": "Genetic algorithms and swarms. Most solve easy puzzles; combined with annealing, hard ones too. "
                  "No proofs.",
    "exact": "Backtracking, arc consistency, constraint propagation, exact cover, CP-SAT. They find a solution or "
             "prove that there is none; `ac3` only propagates and may leave a puzzle open. "
             "`cp-sat` takes an optional package: `pip install 'sudoku-tui[ortools]'`.",
    "inference": "Belief propagation: estimates the probability of each value by message passing, without guarantees.",
    "symbolic": "Z3, asked question by question or followed decision by decision. It finds a solution or proves that "
                "there is none.",
    "human": "Named techniques, from singles to forcing nets. Never guesses, and gives up when none applies.",
}
"""Summaries of the families for the README."""


def readme(text: str) -> str:
    """Return the text of README.md with an up-to-date table of solvers. Raises ValueError when a mark is missing."""
    rows = [(family, ", ".join(f"`{name}`" for name in names), FAMILIES[family])
            for family, names in families().items()]
    return _filled(text, "solvers", _table(("family", "solvers", "approach"), rows))


def settings(text: str) -> str:
    """Return the text of docs/settings.md with an up-to-date table. Raises ValueError when a mark is missing."""
    rows = [(f"`{each.name}`", f"`{json.dumps(each.default)}`",
             "true or false" if each.type is bool else each.expected, _cell(each.help)) for each in describe(Settings)]
    return _filled(text, "settings", _table(("setting", "default", "values", "meaning"), rows))


def _filled(text: str, name: str, content: str) -> str:
    begin, end = f"<!-- {name}: made by python -m tests.documents -->", f"<!-- end of {name} -->"
    head, rest = text.split(begin)
    _, tail = rest.split(end)
    return f"{head}{begin}\n\n{content}\n\n{end}{tail}"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, ["---"] * len(headings), *rows))


def families() -> dict[str, list[str]]:
    """The names of the built-in solvers by family, both in the order of the registry."""
    found: dict[str, list[str]] = {}
    for name in registry.BUILT_IN:
        found.setdefault(registry.solver(name).family, []).append(name)
    return found


def solvers() -> str:
    """Return docs/solvers.md: every built-in solver with its program, parameters, presets and sources."""
    head = """# Solvers

Generated from the declarations in the code by `python -m tests.documents`.

Choose a solver with `--solver NAME` and a preset with `--preset NAME`, and set a parameter with `-p NAME=VALUE`.
Without `--preset` the first preset applies. A parameter marked *live* can be changed during a run. `sudoku-tui list
params NAME` prints parameters and presets in the terminal.

"""
    index = "".join(f"- {family}: {', '.join(map(_link, names))}\n" for family, names in families().items())
    return head + index + "".join(_section(registry.solver(name)) for name in registry.BUILT_IN)


def anchor(heading: str) -> str:
    """The fragment by which GitHub links to a Markdown heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _heading(solver: AnySolver) -> str:
    return f"`{solver.name}`: {solver.title}"


def _link(name: str) -> str:
    return f"[`{name}`](#{anchor(_heading(registry.solver(name)))})"


def _section(solver: AnySolver) -> str:
    program = "\n".join(f"{number:>2}  {line.text}" for number, line in enumerate(
        solver.program_for(solver.make_params()), 1))
    declared = describe(solver.Params)
    parameters = "\n".join(
        f"| `{each.name}` | {_symbol(each.symbol, each.name)} | {_value(each.default)} | {each.unit} | "
        f"{'yes' if each.live else 'no'} | {_cell(_meaning(each, condition(each, declared)))} |" for each in declared)
    presets = "\n".join(f"- *{name}*: {_preset(values)}" for name, values in solver.presets.items())
    sources = "".join(f"- {source}\n" for source in solver.references)
    return (f"\n## {_heading(solver)}\n\n{solver.summary}\n\n"
            f"E counts {solver.energy_counts}. A step is one {solver.step_word}"
            f"{', ' if solver.other_steps else ''}{solver.other_steps}.\n\n"
            f"```text\n{program}\n```\n\n"
            f"| parameter | symbol | default | unit | live | meaning |\n| --- | --- | --- | --- | --- | --- |\n"
            f"{parameters}\n\nPresets:\n\n{presets}\n" + (f"\nSources:\n\n{sources}" if sources else ""))


def _meaning(parameter: Parameter, condition: str) -> str:
    where = f"; no effect unless {condition}" if condition else ""
    return f"{parameter.help}: {parameter.expected}{where}"


def _preset(values: object) -> str:
    assert isinstance(values, dict)
    return ", ".join(f"{name} {_value(value)}" for name, value in values.items()) or "the defaults"


def _symbol(symbol: str, name: str) -> str:
    return symbol if symbol != name else ""


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
    SETTINGS.write_text(settings(SETTINGS.read_text(encoding="utf-8")), encoding="utf-8")
    SOLVERS.write_text(solvers(), encoding="utf-8")


if __name__ == "__main__":
    main()
