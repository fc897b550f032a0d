"""The voice of docstrings and messages: plain technical English, as CONTRIBUTING asks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "tui")
QUESTION = re.compile(r"(What|Where|How|Which|Who|Whoever|Whose|Why)\b")
"""A docstring is a noun phrase or an imperative, not an indirect question."""
IDIOM = re.compile(r"\b(whoever|nobody|somebody|anew|so many|is told|goes on with)\b", re.IGNORECASE)
COLOUR = re.compile(r"\b(yellow|vermillion|orange|blue|cyan|green|gr[ea]y)\b", re.IGNORECASE)
"""A palette may have another colour in its place, or none."""
PUBLIC_VALUES = frozenset({"anew"})
"""Values of parameters, which run files contain."""
Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def strings(node: ast.AST) -> Iterator[ast.Constant]:
    """The string constants of a module, docstrings and the literal parts of f-strings among them."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value not in PUBLIC_VALUES:
            yield each


def spoken(tree: ast.AST) -> list[ast.Constant]:
    """The string constants that are no docstrings."""
    silent = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    return [each for each in strings(tree) if id(each) not in silent]


def docstrings(node: ast.AST) -> Iterator[ast.Constant]:
    """Docstrings of a module, of public classes and functions, and of public names: a string after the assignment."""
    for each in ast.walk(node):
        if not isinstance(each, Definition):
            continue
        before: ast.stmt | None = None
        for statement in each.body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                owner = [getattr(each, "name", "")] if before is None else named(before)
                if isinstance(statement.value.value, str) and not all(name.startswith("_") for name in owner if name):
                    yield statement.value
            before = statement


def named(statement: ast.stmt) -> list[str]:
    """The names that an assignment binds."""
    if isinstance(statement, ast.Assign):
        return [name for target in statement.targets for name in names_in(target)]
    if isinstance(statement, ast.AnnAssign):
        return names_in(statement.target)
    return []


def names_in(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Tuple):
        return [name for each in target.elts for name in names_in(each)]
    if isinstance(target, ast.Attribute):
        return [target.attr]
    return [target.id] if isinstance(target, ast.Name) else []


def place(path: Path, constant: ast.Constant) -> str:
    return f"{path.relative_to(ROOT)}:{constant.lineno}: {' '.join(str(constant.value).split())[:100]}"


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules()}


@pytest.mark.sweep
def test_no_public_docstring_opens_with_a_question_word(trees: dict[Path, ast.Module]) -> None:
    found = [place(path, each) for path, tree in trees.items() for each in docstrings(tree)
             if QUESTION.match(str(each.value))]
    assert not found, "\n".join(found)


def test_no_docstring_or_message_uses_these_idioms(trees: dict[Path, ast.Module]) -> None:
    found = [place(path, each) for path, tree in trees.items() for each in strings(tree)
             if IDIOM.search(str(each.value))]
    assert not found, "\n".join(found)


def test_no_sentence_names_a_colour(trees: dict[Path, ast.Module]) -> None:
    found = [place(path, each) for path, tree in trees.items() if ROOT / "tui" / "look" not in path.parents
             for each in spoken(tree) if COLOUR.search(str(each.value))]
    assert not found, "\n".join(found)
