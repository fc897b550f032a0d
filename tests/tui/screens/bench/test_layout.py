"""The layout of the bench."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.screens.bench.screen import SMALLEST, plan


@given(st.integers(1, 260), st.integers(1, 90), st.integers(0, 60))
@settings(max_examples=60)
def test_no_two_panes_overlap_and_none_is_outside(width, height, lines):
    placed = plan(width, height, lines)
    assert (not placed) == (width < SMALLEST[0] or height < SMALLEST[1])
    regions = list(placed.values())
    for place, one in enumerate(regions):
        assert min(one.width, one.height) > 0
        assert min(one.x, one.y) >= 0
        assert (one.right <= width, one.bottom <= height) == (True, True)
        assert not any(one.overlaps(other) for other in regions[place + 1:])


def test_the_regions_of_the_specification():
    regions = plan(120, 36)
    assert [tuple(regions[name].offset) for name in ("table", "left", "right", "selected")] == [
        (2, 4), (2, 16), (72, 16), (2, 30)]
    assert regions["left"].width == 66
