"""Copies of the state along a run: any step is reached by re-executing from the nearest one before it."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine import state as states
from engine.params import Params
from engine.run.cursor import Cursor
from engine.state import State

MOST: Final = 1024
MAX_BYTES: Final = 64 * 2**20
FEWEST: Final = 4
"""So many are kept however large they are."""

NEAR_BYTES: Final = 40 * 2**20
"""What the states near the playhead may cost, ..."""
NEAR_MOST: Final = 4
NEAR_FEWEST: Final = 2
"""... how many of them there are at most, and at least."""
NEAR_STRIDES: Final = (1, 16, 256)
"""On the way back to a step, states are left so many strides before it."""


class Checkpoint(NamedTuple):
    """A state that nobody changes any more, the parameters in force, and what it costs in bytes."""

    state: State
    params: Params
    nbytes: int


class Checkpoints:
    """Copies of the state (with the parameters in force) at the steps 0, stride, 2 * stride, ...

    Where they become too many or too large, every second one is dropped and the stride doubles. A state may grow while
    the run goes on (a population that doubles): what counts is what is kept now.
    """

    def __init__(self, stride: int, cursor: Cursor) -> None:
        self.stride = stride
        self.nbytes = 0
        """Roughly what they cost in memory."""
        self._kept: list[Checkpoint] = []
        self.keep(cursor)

    def keep(self, cursor: Cursor) -> None:
        """Keep the cursor's state if its step is on the grid; a step that is already kept is replaced."""
        place, off = divmod(cursor.step, self.stride)
        if off:
            return
        made = Checkpoint(states.copy(cursor.state), cursor.params, states.nbytes(cursor.state))
        self.nbytes += made.nbytes - sum(old.nbytes for old in self._kept[place : place + 1])
        self._kept[place : place + 1] = [made]
        while len(self._kept) > MOST or (self.nbytes > MAX_BYTES and len(self._kept) > FEWEST):
            self._hold(self._kept[::2], self.stride * 2)

    def plan_for(self, step: int) -> None:
        """Space them as they will be once there are so many steps."""
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
        """The checkpoints up to a step, for a branch; the kept states are shared, since nobody changes them."""
        twin = object.__new__(Checkpoints)
        twin._hold(self._kept[: step // self.stride + 1], self.stride)
        return twin


class Nearby:
    """A few states near the playhead, so that several steps back in a row do not each begin at a far checkpoint.

    Where a step is reached by re-executing from far away, states are left on the way: one a stride before it, others
    farther back, for those who go on backwards.
    """

    def __init__(self, stride: int) -> None:
        self.stride = stride
        """Steps that are re-executed in no time."""
        self._kept: dict[int, Checkpoint] = {}

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in self._kept.values())

    def marks(self, begin: int, step: int) -> list[int]:
        """Where states are to be left on the way from a step to a later one, ascending; none if it is not far."""
        strides = step // self.stride
        places = [(strides - back) * self.stride for back in reversed(NEAR_STRIDES)]
        return [place for place in places if begin < place < step and step - begin > 2 * self.stride]

    def keep(self, cursor: Cursor) -> None:
        """Keep the cursor's state. Where they become too many or too large, the farthest ahead of it is dropped, or
        else the farthest behind."""
        self._kept[cursor.step] = Checkpoint(states.copy(cursor.state), cursor.params, states.nbytes(cursor.state))
        while len(self._kept) > NEAR_MOST or (self.nbytes > NEAR_BYTES and len(self._kept) > NEAR_FEWEST):
            farthest = max(self._kept)
            del self._kept[farthest if farthest > cursor.step else min(self._kept)]

    def forget(self, step: int) -> None:
        """Forget the states from a step on: the run goes on otherwise."""
        self._kept = {place: each for place, each in self._kept.items() if place < step}

    def before(self, step: int, after: int) -> tuple[State, Params] | None:
        """A copy of the nearest state at or before `step`, if there is one later than `after`."""
        places = [place for place in self._kept if after < place <= step]
        if not places:
            return None
        found = self._kept[max(places)]
        return states.copy(found.state), found.params
