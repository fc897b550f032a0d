"""A new experiment: saved as a file that can be run, or refused with a sentence."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.bench.experiment_file import SUFFIX, load
from engine.errors import BadInput
from tui.config import paths
from tui.screens.bench.experiment_dialogs import ExperimentDraft, free_name, save_draft

DRAFT = ExperimentDraft("mine", runs="4", first="2", packs=("easy", "hard"), solvers=(("anneal", "easy"), ("dlx", "")))


def test_a_draft_becomes_its_experiment() -> None:
    (found,) = load(str(save_draft(DRAFT)))
    assert [each.solver for each in found.contenders] == ["anneal", "dlx"]
    assert (found.groups, len(found.problems), found.runs) == (("easy", "hard"), 4, 4)
    assert found.limit == ("evaluations", 1_000_000)
    assert save_draft(DRAFT).exists(), "the same again is no other experiment"


@pytest.mark.parametrize(("change", "error"), [
    ({"name": " "}, "the name is missing"), ({"packs": ()}, "no pack selected"),
    ({"solvers": ()}, "no solver selected"),
    ({"runs": "0"}, "runs = 0: expected a whole number"), ({"most": "nan"}, "expected a number above 0"),
    ({"solvers": (("anneal", "none"),)}, "anneal has no preset 'none'"),
])
def test_an_incomplete_draft_is_refused_and_not_saved(change: dict[str, object], error: str) -> None:
    with pytest.raises(BadInput, match=error):
        save_draft(replace(DRAFT, **change))
    assert free_name() == "mine-1"
    assert not list(paths.experiments().glob("*"))


@pytest.mark.parametrize("there", [b"runs = 1\n", b"\xff"])
def test_another_file_of_that_name_is_not_overwritten(there: bytes) -> None:
    path = paths.experiments() / f"mine{SUFFIX}"
    path.parent.mkdir(parents=True)
    path.write_bytes(there)
    with pytest.raises(BadInput, match="experiment mine exists"):
        save_draft(DRAFT)
    assert path.read_bytes() == there


def test_a_file_that_can_no_longer_be_run_is_kept() -> None:
    unknown = replace(DRAFT, solvers=(("no-such-solver", ""),))
    path = paths.experiments() / f"mine{SUFFIX}"
    path.parent.mkdir(parents=True)
    path.write_text(unknown.toml, "utf-8")
    with pytest.raises(BadInput, match="no solver 'no-such-solver'"):
        save_draft(unknown)
    assert path.read_text("utf-8") == unknown.toml
