"""The lane of T, drawn from plain values."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from engine.view import Channel
from tui.look.glyphs import ASCII, UNICODE
from tui.playback.snapshot import History
from tui.screens.run.layout import CHART_WITH_LANE, Needs, plan
from tui.widgets.rows import Space, plain, roles
from tui.widgets.timeline.axis import LABELS
from tui.widgets.timeline.pane import TimePosition
from tui.widgets.timeline.temperature import LEVELS, UNKNOWN, levels, temperature_rows

LOG, LINEAR = (Channel("T", "T", "temperature", scale) for scale in ("log", "linear"))
WIDTH = 42


def history(*temperatures: float) -> History:
    return History(np.arange(len(temperatures), dtype=np.int64), np.array(temperatures).reshape(-1, 1))


def drawn(samples: History, playhead: int, channel: Channel = LOG, ascii: bool = False) -> list[str]:
    position = TimePosition(playhead, len(samples.steps) - 1)
    space = Space(WIDTH, 2, ASCII if ascii else UNICODE)
    lane = levels(samples, 0, channel.scale == "log", position.axis(WIDTH))
    return plain(temperature_rows(lane, channel, position, space, float(samples.values[playhead, 0])))


def test_geometric_cooling_is_a_slope_and_a_reheat_a_jump() -> None:
    cooling = [0.8**k for k in range(16)]
    samples = history(*cooling, *[0.5] * 16)
    found = levels(samples, 0, True, TimePosition(31, 31).axis(WIDTH)).filled
    columns = [level for level in found if level != UNKNOWN]
    falling = columns[: len(columns) // 2]
    assert falling == sorted(falling, reverse=True)
    assert (falling[0], falling[-1]) == (LEVELS, 1), "the lane spans the range of T"
    assert {a - b for a, b in pairwise(falling)} <= {0, 1, 2}
    assert columns[len(columns) // 2 + 1] - falling[-1] >= LEVELS // 2


def test_zero_is_marked_and_the_lowest_positive_temperature_is_seen() -> None:
    samples = history(1.0, 0.5, 0.05, 0.0, 0.0, 0.0, 0.0, 0.0)
    lane = levels(samples, 0, False, TimePosition(7, 7).axis(8 + 2 * LABELS)).filled
    assert lane[:4] == [LEVELS, 1 + round(0.5 * (LEVELS - 1)), 1 + round(0.05 * (LEVELS - 1)), 0]
    above, below = drawn(samples, 7, LINEAR)
    assert "_" in below
    assert "_" not in above


def test_the_lane_says_its_range_and_the_value_at_the_playhead() -> None:
    above, below = drawn(history(1.0, 0.5, 0.25, 0.125), 2)
    assert (above.split()[0], below.split()[0]) == ("T", ".250")
    assert (above.split()[-1], below.split()[-1]) == ("1.00", ".125")


def test_the_range_has_the_temperatures_between_those_that_are_drawn() -> None:
    above, below = drawn(history(*[0.99**k for k in range(256)]), 255)
    assert (above.split()[-1], below.split()[-1]) == ("1.00", ".077")


def test_two_ends_below_a_tenth_are_told_apart() -> None:
    above, below = drawn(history(*[0.034 * 0.99**k for k in range(16)]), 15)
    assert (above.split()[-1], below.split()[-1]) == (".034", ".029")
    above, below = drawn(history(*[0.0045 * 0.995**k for k in range(16)]), 15)
    assert (above.split()[-1], below.split()[0]) == ("4e-3", "4e-3")
    assert below.count("e-3") == 1, "the same label at both ends would deny the fall"


def test_the_range_has_the_temperature_at_the_playhead() -> None:
    samples = history(*[0.99**k for k in range(256)])
    axis = TimePosition(255, 255).axis(WIDTH)
    assert levels(samples, 0, True, axis, 0.01).range.low == 0.01
    assert levels(samples, 0, True, axis, 2.0).range.high == 2.0


def test_a_small_fall_is_seen() -> None:
    samples = history(*[0.50] * 8, *[0.49] * 8, *[0.48] * 8, *[0.47] * 8)
    found = levels(samples, 0, True, TimePosition(31, 31).axis(32 + 2 * LABELS)).filled
    assert len({level for level in found if level != UNKNOWN}) == 4
    above, below = drawn(samples, 31)
    assert (above.split()[-1], below.split()[-1]) == (".500", ".450")


def test_a_constant_temperature_has_a_range_that_can_be_told_apart() -> None:
    above, below = drawn(history(*[0.5] * 16), 15, LINEAR)
    assert (above.split()[-1], below.split()[-1]) == (".500", ".450")


def test_before_the_search_there_is_no_temperature() -> None:
    _above, below = drawn(history(np.nan, np.nan, 1.0, 0.5), 0)
    assert below.split()[0] == "–"
    assert below[LABELS : LABELS + 8].strip() == ""
    assert drawn(history(np.nan, np.nan), 0)[0].split() == ["T"], "no range either"


def test_the_part_ahead_recedes_and_is_hidden_without_colours() -> None:
    samples, position = history(*[1.0] * 16), TimePosition(3, 15)
    lane = levels(samples, 0, True, position.axis(WIDTH))
    space = Space(WIDTH, 2, UNICODE)
    ahead = position.axis(WIDTH).column(3) + 1 + LABELS
    cells = roles(temperature_rows(lane, LOG, position, space, 1.0)[1])[ahead:-LABELS]
    assert {role for character, role in cells if character != " "} == {"future"}
    hidden = roles(temperature_rows(lane, LOG, position, space, 1.0, mono=True)[1])[ahead:-LABELS]
    assert {character for character, _role in hidden} == {" "}


def test_ascii_draws_digits() -> None:
    above, below = drawn(history(1.0, 0.5, 0.25, 0.125), 3, ascii=True)
    assert set(below[LABELS:-LABELS]) <= set(" 12345678")
    assert set(above[LABELS:-LABELS]) <= set(" 12345678")


@pytest.mark.parametrize(("size", "has_lane"), [((80, 24), False), ((120, 36), True), ((200, 60), True)])
def test_the_lane_leaves_the_chart_enough_rows(size: tuple[int, int], has_lane: bool) -> None:
    regions = plan(*size, Needs(temperature=True)).regions
    assert ("temperature" in regions) is has_lane
    if has_lane:
        assert regions["temperature"].y == regions["chart"].bottom
        assert regions["temperature"].bottom == regions["lane"].y
        assert regions["chart"].height >= CHART_WITH_LANE
    assert "temperature" not in plan(*size, Needs()).regions
