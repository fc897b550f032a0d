"""Undo and redo of changes to an immutable value."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST = 1000
"""Changes that can be undone."""

Value = TypeVar("Value")


class UndoHistory(Generic[Value]):
    """A value with its earlier values, and those that were undone."""

    def __init__(self, now: Value) -> None:
        self.now = now
        self._past: list[Value] = []
        self._future: list[Value] = []

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def change(self, value: Value) -> bool:
        """Change the value. Returns whether it is another one."""
        if value == self.now:
            return False
        self._past = [*self._past, self.now][-MOST:]
        self._future.clear()
        self.now = value
        return True

    def undo(self) -> bool:
        """Undo the last change. Returns whether there was one."""
        return self._go(self._past, self._future)

    def redo(self) -> bool:
        """Redo the change that was undone last. Returns whether there was one."""
        return self._go(self._future, self._past)

    def _go(self, source: list[Value], goal: list[Value]) -> bool:
        if not source:
            return False
        goal.append(self.now)
        self.now = source.pop()
        return True
