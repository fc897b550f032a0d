"""Results by column: the same from a store and from memory, and the keys of trials."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from pathlib import Path

import msgspec
import numpy as np
import pytest

from engine import registry
from engine.bench.columns import Columns, gather
from engine.bench.experiment import Experiment, Trial
from engine.bench.store import Store
from engine.bench.trial import Result
from engine.run.solve import Limits
from tests.engine.bench import made

WHOLE = made.experiment([made.contender(), made.contender("other", "backtrack")], runs=3)
RESULTS = made.results(WHOLE, made.solved(7), made.cut(), made.gave_up(), made.REFUSED, made.solved(9), made.cut(800),
                       made.solved(20))


def same(first: Columns, second: Columns) -> bool:
    return all(np.array_equal(getattr(first, each.name), getattr(second, each.name)) for each in fields(Columns))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results.sqlite")


def test_columns_of_a_store_are_those_of_its_results(store: Store) -> None:
    assert len(store.columns(WHOLE)) == 0
    store.keep(WHOLE, [RESULTS[place] for place in (5, 0, 6, 2)])
    store.keep(WHOLE, RESULTS)
    assert same(store.columns(WHOLE), gather(RESULTS))
    assert list(store.results(WHOLE, curves=True)) == RESULTS


def test_types_and_words_are_kept(store: Store) -> None:
    found = gather(RESULTS)
    assert found.solved.tolist() == [True, False, False, False, True, False, True]
    assert found.refused.tolist() == [False] * 3 + [True] + [False] * 3
    assert found.of("seconds").dtype == found.of("steps").dtype == np.float64
    assert same(found.only(~found.refused), gather([each for each in RESULTS if each[1].status != "refused"]))
    assert len(gather([])) == 0


def test_results_of_other_experiments_in_the_file_are_not_read(store: Store) -> None:
    other = made.experiment(WHOLE.contenders, runs=3, limits=Limits(steps=7))
    store.keep(other, made.results(other, made.solved(1)))
    assert len(store.columns(WHOLE)) == 0
    store.keep(WHOLE, RESULTS[2:4])
    assert same(store.columns(WHOLE), gather(RESULTS[2:4]))


def test_a_puzzle_that_is_in_two_groups_counts_in_both(store: Store) -> None:
    twice = Experiment("twice", "", WHOLE.contenders[:1], (WHOLE.problems[0],) * 2, 1, 0, WHOLE.limits)
    store.keep(twice, [(Trial(0, 0, 0), made.solved(5))])
    assert store.columns(twice).problem.tolist() == [0, 1]


def test_curves_are_read_alone(store: Store) -> None:
    store.keep(WHOLE, RESULTS[:2])
    assert list(store.curves(WHOLE)) == [(RESULTS[0][0], [[0, 1, 9], [1, 2, 8], [7, 14, 0]]),
                                         (RESULTS[1][0], [[0, 1, 9], [1, 2, 8], [1000, 2000, 4]])]


def test_the_keys_of_all_trials_are_those_of_each() -> None:
    keys = list(WHOLE.trial_keys())
    assert keys == [WHOLE.key(trial) for trial in WHOLE.trials()]
    assert len(set(keys)) == WHOLE.size


def test_a_key_covers_everything_that_a_result_depends_on() -> None:
    other = made.experiment(WHOLE.contenders, runs=3, limits=Limits(seconds=1000))
    assert set(WHOLE.trial_keys()).isdisjoint(other.trial_keys())
    slow, easy = WHOLE.contenders[0], WHOLE.problems[0]
    version, params = registry.solver("anneal").oldest_version(slow.params)
    said = ["anneal", version, sorted(params.items()), easy.line, "classic", 2, ["steps", 1000]]
    assert WHOLE.key(Trial(0, 0, 2)) == hashlib.blake2b(msgspec.json.encode(said), digest_size=16).hexdigest()


def test_missing_are_those_without_a_row(store: Store) -> None:
    store.keep(WHOLE, RESULTS[1:])
    assert list(store.missing(WHOLE)) == [RESULTS[0][0], *list(WHOLE.trials())[len(RESULTS):]]


def test_a_result_that_is_gone_wrong_is_not_taken_for_another() -> None:
    odd = Result("solvd", False, 0, 0, 0, 0, 0, 0.0, 0.0, "", "")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not in tuple"):
        gather([(Trial(0, 0, 0), odd)])
