"""A state with a board that never changes, for tests of what holds states."""

from __future__ import annotations

from dataclasses import dataclass

from engine.state import State


@dataclass
class MinimalState(State):
    @property
    def grid(self) -> tuple[int, ...]:
        return self.puzzle.givens

    @property
    def energy(self) -> int:
        return 0
