"""An experiment that is put together on the screen: a file that can be run, or a sentence and no file."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.bench.experiment_file import SUFFIX, load
from engine.errors import BadInput
from tui.config import paths
from tui.screens.bench.experiment_dialogs import Draft, free_name, kept

DRAFT = Draft("mine", runs="4", first="2", packs=("easy", "hard"), solvers=(("anneal", "easy"), ("dlx", "")))


def test_a_draft_becomes_the_experiment_that_it_says() -> None:
    (found,) = load(str(kept(DRAFT)))
    assert [each.solver for each in found.contenders] == ["anneal", "dlx"]
    assert (found.groups, len(found.problems), found.runs) == (("easy", "hard"), 4, 4)
    assert found.limit == ("evaluations", 1_000_000)
    assert kept(DRAFT).exists(), "the same again is no other experiment"


@pytest.mark.parametrize(("change", "said"), [
    ({"name": " "}, "it has no name"), ({"packs": ()}, "no pack is chosen"), ({"solvers": ()}, "no solver is chosen"),
    ({"runs": "0"}, "runs = 0: expected a whole number"), ({"most": "nan"}, "expected a number above 0"),
    ({"solvers": (("anneal", "none"),)}, "anneal has no preset 'none'"),
])
def test_what_it_lacks_is_said_and_nothing_is_written(change: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        kept(replace(DRAFT, **change))
    assert free_name() == "mine-1"
    assert not list(paths.experiments().glob("*"))


@pytest.mark.parametrize("there", [b"runs = 1\n", b"\xff"])
def test_another_file_of_that_name_stays_what_it_is(there: bytes) -> None:
    path = paths.experiments() / f"mine{SUFFIX}"
    path.parent.mkdir(parents=True)
    path.write_bytes(there)
    with pytest.raises(BadInput, match="there is an experiment mine already"):
        kept(DRAFT)
    assert path.read_bytes() == there


def test_a_file_that_can_no_longer_be_run_is_not_taken_away() -> None:
    unknown = replace(DRAFT, solvers=(("no-such-solver", ""),))
    path = paths.experiments() / f"mine{SUFFIX}"
    path.parent.mkdir(parents=True)
    path.write_text(unknown.toml, "utf-8")
    with pytest.raises(BadInput, match="no solver 'no-such-solver'"):
        kept(unknown)
    assert path.read_text("utf-8") == unknown.toml
