"""What the documents say of the solvers, made from their declarations. `python -m tests.documents` writes it anew.

README.md has a table between two marks; docs/solvers.md is made as a whole. A test holds both to the registry.
"""

from __future__ import annotations

from pathlib import Path

from engine import registry
from engine.params import describe
from engine.solver import AnySolver

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SOLVERS = ROOT / "docs" / "solvers.md"
BEGIN, END = "<!-- solvers: made by python -m tests.documents -->", "<!-- end of solvers -->"


def readme(text: str) -> str:
    """The text of README.md with its table of solvers made anew. Raises ValueError when a mark is missing."""
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    rows = "\n".join(f"| `{name}` | {registry.solver(name).summary} |" for name in registry.BUILT_IN)
    return f"{head}{BEGIN}\n\n| name | what it does and what it cannot |\n| --- | --- |\n{rows}\n\n{END}{tail}"


def solvers() -> str:
    """docs/solvers.md: every built-in solver with its program, parameters, presets and sources."""
    head = """# The solvers

Made from the declarations in the code by `python -m tests.documents`. *live*: can be changed while a run goes on. A
preset is used with `--preset`, a parameter is set with `-p NAME=VALUE`; the first preset is the one used unasked.
"""
    return head + "".join(_section(registry.solver(name)) for name in registry.BUILT_IN)


def _section(solver: AnySolver) -> str:
    program = "\n".join(f"{number:>2}  {line.text}" for number, line in enumerate(solver.program, 1))
    parameters = "\n".join(
        f"| `{each.name}` | {_symbol(each.symbol, each.name)} | {_value(each.default)} | {each.unit} | "
        f"{'yes' if each.live else 'no'} | {_cell(each.help)}: {each.expected} |" for each in describe(solver.Params))
    presets = "\n".join(f"- *{name}*: {_preset(values)}" for name, values in solver.presets.items())
    sources = "".join(f"- {source}\n" for source in solver.references)
    return (f"\n## `{solver.name}`: {solver.title}\n\n{solver.summary}\n\n"
            f"E counts {solver.energy_counts}. A step is one {solver.step_word}.\n\n"
            f"```text\n{program}\n```\n\n"
            f"| parameter | symbol | default | unit | live | what it is |\n| --- | --- | --- | --- | --- | --- |\n"
            f"{parameters}\n\nPresets:\n\n{presets}\n" + (f"\nSources:\n\n{sources}" if sources else ""))


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
    SOLVERS.write_text(solvers(), encoding="utf-8")


if __name__ == "__main__":
    main()
