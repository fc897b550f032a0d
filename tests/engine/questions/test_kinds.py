"""The kinds of questions in the documentation are those that the engine asks."""

from __future__ import annotations

import re
from pathlib import Path

import engine.questions

ROOT = Path(__file__).parents[3]


def test_the_documentation_lists_every_kind_of_question_once() -> None:
    modules = Path(engine.questions.__file__).parent.glob("*.py")
    asked = {kind for module in modules for kind in re.findall(r'kind="([a-z-]+)"', module.read_text())}
    assert sorted(engine.questions.KINDS) == sorted(asked)
    listed = re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs/hands-on.md").read_text(), re.M)
    assert sorted(listed) == sorted(asked)
