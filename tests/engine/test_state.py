"""States: independent copies, digests that see every difference, bytes that come back as they went."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine import state as states
from engine.errors import RunFileError
from engine.puzzle import Puzzle
from engine.state import State
from tests.engine.minimal_state import MinimalState

PUZZLE = Puzzle((0,) * 16, 2)
RECORD = np.dtype([("step", "<i8"), ("t", "<f8")])


@dataclass
class Sample(MinimalState):
    cells: NDArray[Any] = field(default_factory=lambda: np.zeros((2, 8), dtype=np.int8))
    words: NDArray[Any] = field(default_factory=lambda: np.zeros(3, dtype=np.uint64))
    record: NDArray[Any] = field(default_factory=lambda: np.zeros(1, dtype=RECORD))
    stack: list[Any] = field(default_factory=list)
    pairs: tuple[Any, ...] = ()
    temperature: float = 1.0
    note: str | None = None


def sample(**changes: Any) -> Sample:
    everything: dict[str, Any] = {"puzzle": PUZZLE, "seed": 3, "step": 0} | changes
    return Sample(**everything)


plain = st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(max_size=5), st.booleans(),
                  st.none())
nested = st.recursive(plain, lambda inner: st.tuples(inner, inner), max_leaves=6)
some_states = st.builds(
    lambda cells, words, stack, pairs, t, note, step: sample(
        cells=np.array(cells, dtype=np.int8).reshape(2, -1), words=np.array(words, dtype=np.uint64), stack=stack,
        pairs=tuple(pairs), temperature=t, note=note, step=step),
    st.lists(st.integers(-128, 127), min_size=16, max_size=16), st.lists(st.integers(0, 2**64 - 1), max_size=4),
    st.lists(nested, max_size=4), st.lists(nested, max_size=4), st.floats(allow_nan=False),
    st.one_of(st.none(), st.text(max_size=5)), st.integers(0, 2**40),
)


def equal(one: Sample, other: Sample) -> bool:
    return all(type(a) is type(b) and (np.array_equal(a, b) and a.dtype == b.dtype if isinstance(a, np.ndarray)
                                       else a == b)
               for a, b in ((getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one)))


@given(some_states)
def test_packed_states_come_back(state: Sample) -> None:
    twin = states.unpack(sample(), states.pack(state))
    assert equal(state, twin)
    assert states.digest(state) == states.digest(twin)
    twin.cells[0, 0] ^= 1  # what came back can be written to
    assert states.digest(state) != states.digest(twin)


@given(some_states)
def test_copies_are_independent(state: Sample) -> None:
    before = states.digest(state)
    twin = states.copy(state)
    assert equal(state, twin)
    assert twin.puzzle is state.puzzle
    twin.cells[1, 3] ^= 1
    twin.stack.append(1)
    twin.record["step"] += 1
    twin.step += 1
    assert states.digest(state) == before != states.digest(twin)


def test_the_digest_sees_every_field() -> None:
    variants = [sample(), sample(step=1), sample(cells=np.ones((2, 8), dtype=np.int8)), sample(stack=[0]),
                sample(stack=[()]), sample(pairs=(0,)), sample(temperature=2.0), sample(note=""),
                sample(cells=np.zeros((4, 4), dtype=np.int8)), sample(cells=np.zeros((2, 8), dtype=np.int16)),
                sample(record=np.array([(1, 0.0)], dtype=RECORD)), sample(record=np.array([(0, 1.0)], dtype=RECORD))]
    assert len({states.digest(each) for each in variants}) == len(variants)


def test_the_digest_is_the_same_on_every_machine() -> None:
    state = sample(cells=np.arange(16, dtype=np.int8).reshape(2, 8), stack=[1, "a", (2, 3.5)], note="x", step=7)
    assert states.digest(state) == "2f6b437421d8c433c134cc890ede3774"


def test_the_order_of_an_array_in_memory_does_not_matter() -> None:
    c = np.arange(16, dtype=np.int8).reshape(2, 8)
    assert states.digest(sample(cells=c)) == states.digest(sample(cells=np.asfortranarray(c)))
    assert states.digest(sample(cells=c)) == states.digest(sample(cells=np.repeat(c, 2, axis=1)[:, ::2]))


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:-1], lambda data: data + b"\x00", lambda data: b"\xc1" + data,
    lambda data: states.pack(MinimalState(PUZZLE, 0, 5)), lambda data: data.replace(b"array", b"plain", 1),
    lambda data: data.replace(b"|i1", b"|u1", 1), lambda data: data.replace(b"plain", b"array", 1),
])
def test_bytes_that_are_no_state_are_refused(damage: Any) -> None:
    with pytest.raises(RunFileError, match="a recorded state is not one of Sample"):
        states.unpack(sample(), damage(states.pack(sample())))


@given(st.binary(max_size=60))
def test_any_bytes_are_a_state_or_refused(data: bytes) -> None:
    with pytest.raises(RunFileError):
        states.unpack(sample(), data)


@given(some_states, st.integers(0, 300), st.integers(0, 255))
def test_a_damaged_byte_is_a_state_of_the_same_types_or_refused(state: Sample, place: int, byte: int) -> None:
    data = bytearray(states.pack(state))
    data[place % len(data)] = byte
    try:
        twin = states.unpack(sample(note="" if state.note is not None else None), bytes(data))
    except RunFileError:
        return
    assert type(twin.step) in (int, float)
    assert type(twin.temperature) in (int, float)
    assert type(twin.stack) is list
    assert type(twin.pairs) is tuple
    assert twin.cells.dtype == np.int8
    assert twin.cells.ndim == 2


def test_big_endian_arrays_are_no_part_of_a_state() -> None:
    with pytest.raises(TypeError, match="little-endian"):
        states.pack(sample(words=np.zeros(1, dtype=">u8")))


def test_memory_is_counted() -> None:
    big = sample(cells=np.zeros((2, 100_000), dtype=np.int8), stack=[0] * 1000)
    assert states.nbytes(sample()) < 2000
    assert 200_000 + 8 * 1000 <= states.nbytes(big) < 300_000


def test_a_state_must_define_its_grid_and_its_energy() -> None:
    with pytest.raises(TypeError, match="energy, grid"):
        State(PUZZLE, 0, 0)  # type: ignore[abstract]
