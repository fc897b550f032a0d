"""A value whose every change can be taken back and made again. Pure."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST = 1000
"""Changes that can be taken back."""

Value = TypeVar("Value")


class Past(Generic[Value]):
    """What stands, what stood before it, and what was taken back."""

    def __init__(self, now: Value) -> None:
        self.now = now
        self._past: list[Value] = []
        self._future: list[Value] = []

    @property
    def has_past(self) -> bool:
        return bool(self._past)

    @property
    def has_future(self) -> bool:
        return bool(self._future)

    def become(self, value: Value) -> bool:
        """Have this stand from now on. Whether that changes anything."""
        if value == self.now:
            return False
        self._past = [*self._past, self.now][-MOST:]
        self._future.clear()
        self.now = value
        return True

    def undo(self) -> bool:
        """Take the last change back. Whether there was one."""
        return self._go(self._past, self._future)

    def redo(self) -> bool:
        """Make the change again that was taken back last. Whether there was one."""
        return self._go(self._future, self._past)

    def _go(self, source: list[Value], goal: list[Value]) -> bool:
        if not source:
            return False
        goal.append(self.now)
        self.now = source.pop()
        return True
