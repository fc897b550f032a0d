"""Sets that are tight: k of them with k members between them. Subsets and fish are both this."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def tight(sets: Sequence[int], k: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every choice of k of some sets (numbers; bits are members) whose union has exactly k members, in order of their
    places: (places, union). Sets that are empty, have one member or more than k are left out."""
    usable = [(place, each) for place, each in enumerate(sets) if 2 <= each.bit_count() <= k]
    if len(usable) < k:
        return
    stack: list[tuple[int, tuple[int, ...], int]] = [(0, (), 0)]
    while stack:
        start, chosen, union = stack.pop()
        if len(chosen) == k:
            if union.bit_count() == k:
                yield chosen, union
            continue
        last = len(usable) - (k - len(chosen)) + 1
        for at in range(last - 1, start - 1, -1):
            place, each = usable[at]
            if (union | each).bit_count() <= k:
                stack.append((at + 1, (*chosen, place), union | each))
