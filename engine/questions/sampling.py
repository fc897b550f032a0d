"""Deterministic samples: which of many options, decoys or cells a question offers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from engine.rng import shuffled

T = TypeVar("T")

OPTIONS = 16
"""The stream of random words for what a question offers. It has no part in any run."""


def sample(items: Iterable[T], most: int, step: int, salt: int = 0) -> list[T]:
    """At most `most` of the items, in random order; the same ones at every call for a step. `salt` tells samples of
    one step apart."""
    return shuffled(list(items), salt, OPTIONS, step)[:most]
