"""The bench itself: its table, its arithmetic, its rows, and that the C reference does what the kernel does."""

import importlib

import pytest

from engine.puzzles import packs
from engine.solutions import batch
from tests.bench import exact_engine, exact_reference, swap_kernel, swap_reference
from tests.bench.fixtures import CASES, Endless
from tests.bench.registry import ROWS
from tests.bench.result import Result, absent, at_least, at_most, number, table
from tests.bench.timing import interleaved, quantile, ratio


def test_verdicts():
    assert at_least("x", 1.0, 0.9).verdict == "PASS"
    assert at_least("x", 0.8, 0.9).verdict == "below"
    assert at_most("x", 20.0, 20.0).verdict == "PASS"
    assert at_most("x", 30.0, 20.0).ratio == pytest.approx(2 / 3)
    assert absent("x", "100 %", "no file").verdict == "not measured"
    assert Result("x", "5 %", "-", None).verdict == "no budget"


def test_numbers_have_three_digits():
    assert [number(214_300_000, "/s"), number(1.0832, "×"), number(1234.5, "ms"), number(100, "%")] == [
        "214 M/s", "1.08 ×", "1234 ms", "100 %"]


def test_table_is_markdown_with_notes_below():
    lines = table([at_least("speed", 2e6, 1e6, "/s", "on a good day"), absent("list", "100 %", "no file")]).splitlines()
    assert lines[0].split() == ["|", "what", "|", "measured", "|", "budget", "|", "ratio", "|", "|"]
    assert set(lines[1]) == {"|", "-"}
    assert len({len(line) for line in lines[:4]}) == 1
    assert lines[4:] == ["", "- speed: on a good day", "- list: no file"]


def test_candidates_take_turns():
    order = []
    rates = interleaved({name: lambda name=name: order.append(name) or 1 for name in "ab"}, 2)
    assert order == ["b", "a", "a", "b", "b", "a"]
    assert {name: len(found) for name, found in rates.items()} == {"a": 2, "b": 2}
    assert ratio({"a": [2.0, 9.0, 4.0], "b": [1.0, 3.0, 2.0]}, "a", "b") == 2.0


def test_quantile():
    assert quantile(list(range(1, 101)), 0.95) == 95
    assert quantile([3.0], 0.95) == quantile([3.0, 1.0], 0.95) == 3.0
    assert quantile([3.0, 1.0], 0.5) == 1.0


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_a_module_that_measures(name):
    assert callable(importlib.import_module(f"tests.bench.{name}").measure)


@pytest.mark.parametrize("case", CASES)
def test_the_c_reference_ends_where_the_kernel_ends(case):
    library, said = swap_reference.library()
    if library is None:
        pytest.skip(said)
    run = Endless(CASES[case], 150_000)
    reference = swap_kernel.reference_of(run)
    library.fill_thresholds(reference)
    assert library.advance(reference, run.steps) == run.work() == 150_000
    assert swap_kernel.alike(run, reference)
    assert library.advance(reference, 50) == 50
    assert not swap_kernel.alike(run, reference)


def test_the_c_reference_of_the_exact_engine_finds_the_same():
    library, said = exact_reference.library()
    if library is None:
        pytest.skip(said)
    rows = exact_engine.repeated([record.puzzle for name in ("extreme", "easy") for record in packs.pack(name)], 0)
    rows[0] = 0
    rows[1, :2] = 5
    ours, theirs = batch.solve_all(rows, 3), exact_reference.solve_all(library, rows, 3)
    assert exact_engine.alike(ours, theirs)
    assert ours[1][:3].tolist() == [3, 0, 1]
    ours[0][5, 80] += 1
    assert not exact_engine.alike(ours, theirs)
