"""The base of all states: copied to rewind, digested to verify, packed to be saved.

A state is a dataclass whose fields are numpy arrays, lists of plain values, or immutable plain values (numbers,
strings, tuples, None). Sets and dicts are out: their order is not part of the recipe.
"""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np

from engine.errors import RunFileError
from engine.puzzle import Puzzle

S = TypeVar("S", bound="State")


@dataclasses.dataclass
class State(ABC):
    """All that a run needs to continue. `puzzle` and `seed` belong to the recipe and never change."""

    puzzle: Puzzle
    seed: int
    step: int
    """Steps made so far."""

    @property
    @abstractmethod
    def grid(self) -> tuple[int, ...]:
        """The n*n values on the board, 0 = empty."""

    @property
    @abstractmethod
    def energy(self) -> int:
        """The number that the solver minimises."""


def _own_fields(state: State) -> list[str]:
    return [field.name for field in dataclasses.fields(state) if field.name not in ("puzzle", "seed")]


def copy(state: S) -> S:
    """An independent copy: arrays and lists are copied, immutable values shared."""
    changed: dict[str, Any] = {}
    for name in _own_fields(state):
        value = getattr(state, name)
        if isinstance(value, np.ndarray | list):
            changed[name] = value.copy()
    return dataclasses.replace(state, **changed)


def nbytes(state: State) -> int:
    """Approximate memory of a copy of the state, in bytes."""
    total = 200
    for name in _own_fields(state):
        value = getattr(state, name)
        total += value.nbytes + 112 if isinstance(value, np.ndarray) else _weight(value)
    return total


def _weight(value: object) -> int:
    """Estimated bytes of a plain value; all items of a sequence count as the first."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence) or not value:
        return 56
    return 56 + len(value) * (8 + (_weight(value[0]) if isinstance(value[0], Sequence) else 24))


def pack(state: State) -> bytes:
    """The state (without puzzle and seed) as bytes that are the same on every machine."""
    return msgspec.msgpack.encode([_plain(getattr(state, name)) for name in _own_fields(state)])


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ["array", _little_endian(value.dtype), list(value.shape), np.ascontiguousarray(value).tobytes()]
    return ["plain", value]


def _little_endian(dtype: np.dtype[Any]) -> str:
    if dtype.newbyteorder("<") != dtype:
        raise TypeError(f"a state holds little-endian arrays only, not {dtype}")
    return dtype.str if dtype.names is None else str(dtype.descr)


def unpack(like: S, data: bytes) -> S:
    """The state packed in `data`, with types, puzzle and seed of `like`. Raises RunFileError if they do not match."""
    names = _own_fields(like)
    try:
        items = msgspec.msgpack.decode(data, type=list[list[Any]])
        values = [_restore(getattr(like, name), item) for name, item in zip(names, items, strict=True)]
    except (msgspec.DecodeError, ValueError, IndexError, TypeError, RecursionError):
        raise RunFileError(f"a recorded state is not one of {type(like).__name__}") from None
    return dataclasses.replace(like, **dict(zip(names, values, strict=True)))


def _restore(like: Any, item: list[Any]) -> Any:
    if isinstance(like, np.ndarray):
        kind, dtype, shape, data = item
        if kind != "array" or dtype != _little_endian(like.dtype) or len(shape) != like.ndim:
            raise ValueError
        return np.frombuffer(data, dtype=like.dtype).reshape(shape).copy()
    kind, value = item
    if kind != "plain":
        raise ValueError
    restored = _retype(like, value)
    if not _alike(like, restored):
        raise ValueError
    return restored


def _alike(like: Any, value: Any) -> bool:
    """True if a value has the type of a field that holds `like`; None matches any type."""
    if like is None or value is None or type(value) is type(like):
        return True
    return type(value) in (int, float) and type(like) in (int, float)


def _retype(like: Any, value: Any) -> Any:
    """Tuples are packed as lists. Inner sequences are restored as tuples, the outer one in the type of `like`."""
    if isinstance(value, list):
        inner = [_retype((), each) if isinstance(each, list) else each for each in value]
        return inner if isinstance(like, list) else tuple(inner)
    return value


def digest(state: State) -> str:
    """A fingerprint of the state: 32 hexadecimal digits, the same on every machine."""
    return hashlib.blake2b(pack(state), digest_size=16).hexdigest()
