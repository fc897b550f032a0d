"""Checkpoints: copies of the state along a run, from which every other step is re-executed."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine import state as states
from engine.params import Params
from engine.run.cursor import Cursor
from engine.state import State

MOST: Final = 1024
MAX_BYTES: Final = 64 * 2**20
FEWEST: Final = 4
"""Always keep at least this many, whatever their size."""

NEAR_BYTES: Final = 40 * 2**20
"""Byte budget for states near the playhead."""
NEAR_MOST: Final = 4
"""Most states near the playhead."""
NEAR_FEWEST: Final = 2
"""Fewest of them, whatever their size."""
NEAR_STRIDES: Final = (1, 16, 256)
"""Distances, in strides before a step, at which states are kept when the step is re-executed from far away."""


class Checkpoint(NamedTuple):
    """A state that is not changed any more, the parameters in force, and its approximate size in bytes."""

    state: State
    params: Params
    nbytes: int


class Checkpoints:
    """Copies of the state, with the parameters in force, at the steps 0, stride, 2 * stride, ...

    When they are too many or too large, every second one is dropped and the stride doubles. The size of a state may
    grow during a run (a population that doubles).
    """

    def __init__(self, stride: int, cursor: Cursor) -> None:
        self.stride = stride
        self.nbytes = 0
        """Approximate memory, in bytes."""
        self._kept: list[Checkpoint] = []
        self.keep(cursor)

    def keep(self, cursor: Cursor) -> None:
        """Keep the cursor's state if its step is a multiple of the stride, replacing an earlier one of that step."""
        place, off = divmod(cursor.step, self.stride)
        if off:
            return
        made = Checkpoint(states.copy(cursor.state), cursor.params, states.nbytes(cursor.state))
        self.nbytes += made.nbytes - sum(old.nbytes for old in self._kept[place : place + 1])
        self._kept[place : place + 1] = [made]
        while len(self._kept) > MOST or (self.nbytes > MAX_BYTES and len(self._kept) > FEWEST):
            self._hold(self._kept[::2], self.stride * 2)

    def plan_for(self, step: int) -> None:
        """Set the stride that a run of this many steps will have."""
        while step // self.stride >= MOST:
            self._hold(self._kept[::2], self.stride * 2)

    def _hold(self, kept: list[Checkpoint], stride: int) -> None:
        self._kept, self.stride = kept, stride
        self.nbytes = sum(each.nbytes for each in kept)

    def place_before(self, step: int) -> int:
        """The step of the nearest state kept at or before `step`."""
        return min(step // self.stride, len(self._kept) - 1) * self.stride

    def before(self, step: int) -> tuple[State, Params]:
        """A copy of the nearest state kept at or before `step`, with its parameters."""
        found = self._kept[min(step // self.stride, len(self._kept) - 1)]
        return states.copy(found.state), found.params

    def until(self, step: int) -> Checkpoints:
        """The checkpoints up to a step, for a branch. The states are shared, since they do not change."""
        twin = object.__new__(Checkpoints)
        twin._hold(self._kept[: step // self.stride + 1], self.stride)
        return twin


class Nearby:
    """A few states near the playhead, so that repeated steps back do not each begin at a far checkpoint.

    When a step is re-executed from far away, states are kept on the way: one a stride before the step, others farther
    back.
    """

    def __init__(self, stride: int) -> None:
        self.stride = stride
        """Steps that are re-executed in about a millisecond."""
        self._kept: dict[int, Checkpoint] = {}

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in self._kept.values())

    def marks(self, begin: int, step: int) -> list[int]:
        """The steps at which to keep states on the way from `begin` to `step`, ascending; none if it is not far."""
        strides = step // self.stride
        places = [(strides - back) * self.stride for back in reversed(NEAR_STRIDES)]
        return [place for place in places if begin < place < step and step - begin > 2 * self.stride]

    def keep(self, cursor: Cursor) -> None:
        """Keep the cursor's state. When there are too many or they are too large, the farthest one ahead is dropped,
        else the farthest behind."""
        self._kept[cursor.step] = Checkpoint(states.copy(cursor.state), cursor.params, states.nbytes(cursor.state))
        while len(self._kept) > NEAR_MOST or (self.nbytes > NEAR_BYTES and len(self._kept) > NEAR_FEWEST):
            farthest = max(self._kept)
            del self._kept[farthest if farthest > cursor.step else min(self._kept)]

    def forget(self, step: int) -> None:
        """Drop the states from a step on, which an intervention has changed."""
        self._kept = {place: each for place, each in self._kept.items() if place < step}

    def before(self, step: int, after: int) -> tuple[State, Params] | None:
        """A copy of the nearest state in (after, step], with its parameters; None if there is none."""
        places = [place for place in self._kept if after < place <= step]
        if not places:
            return None
        found = self._kept[max(places)]
        return states.copy(found.state), found.params
