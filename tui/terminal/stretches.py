"""Columns that differ, as stretches: near ones are one, since to move the cursor costs as much as to write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def stretches(columns: Iterable[int], joins: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """Ascending columns as (first, one behind the last). `joins(end, column)`: whether what lies between the end of a
    stretch and the next column belongs to it."""
    start = end = -1
    for column in columns:
        if start >= 0 and not joins(end, column):
            yield start, end
            start = column
        elif start < 0:
            start = column
        end = column + 1
    if start >= 0:
        yield start, end
