"""One write to the terminal shows one snapshot: no pane is ahead of another."""

from __future__ import annotations

import pytest

from tests.tui.app_driver import RUN, AppDriver, running_app
from tests.tui.small import END


async def pictures(on: AppDriver, key: str, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The texts of the panes at each write, from a key until the end of the run."""
    run_screen, seen = on.run_screen, []

    def paint_now() -> None:
        if run_screen._unpainted:
            timeline = run_screen.timeline
            panes = {"header": run_screen.header, "verdict": run_screen.verdict, "gauges": run_screen.gauges,
                     "log": run_screen.log_pane, "program": run_screen.program, "transport": timeline.transport,
                     "scrubber": timeline.scrubber}
            seen.append({name: on.shown(pane) for name, pane in panes.items()})
        type(run_screen).paint_now(run_screen)

    monkeypatch.setattr(run_screen, "paint_now", paint_now)
    await on.press(key)
    await on.until(lambda: run_screen.snapshot.state == "SOLVED")
    await on.pilot.pause()
    return seen


def words(picture: dict[str, str]) -> dict[str, str]:
    """All but the timeline: the effect of a key does not wait for that, and flat out a run may be over before a
    single snapshot of it was shown."""
    return {name: text for name, text in picture.items() if name != "scrubber"}


async def test_every_pane_shows_solved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_app(RUN, (120, 36)) as on:
        await on.until(lambda: on.run_screen.snapshot.recipe is not None)
        seen = await pictures(on, "exclamation_mark", monkeypatch)
        solved = [each for each in seen if "SOLVED" in each["header"]]
        assert solved
        assert all("SOLVED" in each["verdict"] for each in solved)
        for each in solved:
            assert words(each) == words(solved[-1])
        assert f"{END // 1000} 000 · recorded {END // 1000} 000" in solved[0]["transport"]
        assert "E " in solved[0]["gauges"]


async def test_a_step_is_in_all_text_panes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_app(RUN, (120, 36)) as on:
        await on.until(lambda: on.run_screen.snapshot.recipe is not None)
        await on.press("g", *str(END - 1), "enter")
        await on.until(lambda: on.run_screen.snapshot.playhead == END - 1)
        seen = await pictures(on, "right", monkeypatch)
        first = next(each for each in seen if "SOLVED" in each["header"])
        assert words(seen[-1]) == words(first)
