"""The laboratory in a real browser: content, looks, keys, mouse, sizes, and the end of a tab.

SUDOKU_TUI_NEW_PICTURE=1 retakes the picture; look at it then.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.patience import eventually
from tests.web.browser import Browser, Page
from tests.web.conftest import Served

WORST, MEAN = 60.0, 3.0
"""The tolerated difference of a screen from the picture, see COMPARE."""
DARK = 233
"""The ground of the dark theme among the 256 colours."""
GRID = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
PICTURE = Path(__file__).with_name("laboratory.png")
COMPARE = """(async ([one, other]) => {
  const drawn = [];
  for (const data of [one, other]) {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const all = context.getImageData(0, 0, image.width, image.height).data;
    drawn.push({all, width: image.width, height: image.height});
  }
  const [a, b] = drawn;
  if (a.width !== b.width || a.height !== b.height) return [255, 1];
  let worst = 0, sum = 0, count = 0;
  for (let y = 0; y < a.height; y += 20) for (let x = 0; x < a.width; x += 20) {
    const means = [0, 0, 0, 0, 0, 0];
    let n = 0;
    for (let v = y; v < Math.min(y + 20, a.height); v++) for (let u = x; u < Math.min(x + 20, a.width); u++, n++)
      for (let k = 0; k < 3; k++) {
        means[k] += a.all[4 * (v * a.width + u) + k];
        means[3 + k] += b.all[4 * (v * a.width + u) + k];
      }
    const far = Math.max(...[0, 1, 2].map(k => Math.abs(means[k] - means[3 + k]) / n));
    worst = Math.max(worst, far); sum += far; count++;
  }
  return [worst, sum / count];
})"""
"""The worst and the mean difference, 0 to 255, of two pictures looked at in tiles of 20×20 pixels: fonts are drawn a
little differently on every machine."""


def opened(browser: Browser, served: Served) -> Page:
    page = browser.page()
    page.open(served.address + served.token)
    page.until(lambda text: "READY" in text and "60 │" in text)  # with its chart
    return page


def best(text: str) -> int:
    """The lowest energy so far, as the gauges say."""
    told = re.search(r"best +(\d+)", text)
    assert told, text
    return int(told[1])


def difference(page: Page, one: bytes, other: bytes) -> tuple[float, float]:
    """The worst and the mean difference of two PNG pictures."""
    told = json.dumps([base64.b64encode(each).decode() for each in (one, other)])
    result = page.ask("Runtime.evaluate", expression=f"{COMPARE}({told})", returnByValue=True, awaitPromise=True)
    worst, mean = result["result"]["value"]
    return worst, mean


RUN = (GRID, "--preset", "strong", "--seed", "1")


@pytest.fixture(scope="module")
def shared(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, Served]]:
    """One page for the tests that do not end it."""
    served = Served(tmp_path_factory.mktemp("shared"), *RUN)
    yield opened(browser, served), served
    served.close()


def board(text: str) -> list[str]:
    """The digits of its rows."""
    rows = [re.sub(r"[^0-9]", "", line[:44]) for line in text.splitlines()]
    return [row[1:] for number in "123456789" for row in rows if len(row) == 10 and row[0] == number]


def test_the_board_in_the_browser_looks_as_in_the_picture(shared: tuple[Page, Served]) -> None:
    page, _served = shared
    digits = "".join(board(page.text))
    assert len(digits) == 81
    assert all(given in (".", digit) for given, digit in zip(GRID, digits, strict=True))
    taken = page.picture()
    if os.environ.get("SUDOKU_TUI_NEW_PICTURE"):
        PICTURE.write_bytes(taken)
    worst, mean = difference(page, taken, PICTURE.read_bytes())
    assert worst < WORST, "some part of it looks different"
    assert mean < MEAN


def test_another_picture_would_be_noticed(shared: tuple[Page, Served]) -> None:
    page, _served = shared
    page.press("L")
    page.until(lambda _text: page.cell(0, 20)[2] != DARK)
    worst, mean = difference(page, page.picture(), PICTURE.read_bytes())
    page.press("L")
    page.until(lambda _text: page.cell(0, 20)[2] == DARK)
    assert worst > WORST
    assert mean > MEAN


def test_the_mouse_presses_what_it_points_at(shared: tuple[Page, Served]) -> None:
    page, _served = shared
    rows = page.text.splitlines()
    y = next(number for number, row in enumerate(rows) if "◀◀" in row)
    page.point(rows[y].index("▶"), y)
    page.until(lambda text: re.search(r"recorded 1\b", text))


def test_keys_play_and_the_energy_falls(shared: tuple[Page, Served]) -> None:
    page, _served = shared
    before = best(page.text)
    page.press(" ")
    page.until("RUNNING")
    page.until(lambda text: best(text) < before)
    page.press(" ")
    page.until("PAUSED")


def test_another_size_of_the_window_is_another_layout(shared: tuple[Page, Served]) -> None:
    page, _served = shared
    assert "Program" not in page.text
    page.size(1800, 1000)
    page.until("Program")
    page.size(1200, 700)
    page.until(lambda text: "Program" not in text)


def test_nothing_is_asked_for_elsewhere(shared: tuple[Page, Served]) -> None:
    page, served = shared
    assert [address for address in page.asked_for() if not address.startswith((served.address, "data:"))] == []
    assert f"{served.address}static/fonts/RobotoMono-VariableFont_wght.ttf" in page.asked_for()


def test_a_tab_that_is_refused_says_why(browser: Browser, serve: Callable[..., Served]) -> None:
    served = serve("--tabs", "1", *RUN)
    one, refused = opened(browser, served), browser.page()
    refused.open(served.address + served.token)
    said = "document.querySelector('#ended').innerText"
    eventually(lambda: "1 tab is open, and no more are allowed: close it." in str(refused.value(said)),
               lambda: str(refused.value(said)))
    one.press("q")
    eventually(lambda: "sudoku-tui has ended." in str(one.value(said)), lambda: str(one.value(said)))
    refused.close()
    one.close()


@pytest.mark.parametrize("way", ["click", "enter"])
def test_a_program_that_has_ended_begins_again(browser: Browser, serve: Callable[..., Served], way: str) -> None:
    page = opened(browser, serve(*RUN))
    page.press("q")
    eventually(lambda: page.value("document.activeElement.tagName") == "BUTTON", lambda: "the button has no focus")
    assert page.value("document.querySelector('#ended span').textContent") == "sudoku-tui has ended."
    if way == "enter":
        page.press("\r")
    else:
        page.click(*page.value("""(() => {
          const place = document.querySelector("button").getBoundingClientRect();
          return [place.x + place.width / 2, place.y + place.height / 2];
        })()"""))
    page.until("READY")
    page.close()


def test_a_tab_is_a_process_that_ends_with_it_and_its_run_is_kept(
        browser: Browser, serve: Callable[..., Served], tmp_path: Path) -> None:
    served = serve(*RUN)
    one, other = opened(browser, served), opened(browser, served)
    assert len(served.tabs()) == 2
    before = best(one.text)
    one.press(" ")
    one.until(lambda text: best(text) < before)
    one.close()
    eventually(lambda: len(served.tabs()) == 1, lambda: "the tab's process does not end")
    assert list(tmp_path.rglob("autosave/*.run"))
    (process,) = served.tabs()
    assert served.end() == 0
    assert not Path(f"/proc/{process}").exists()
    eventually(lambda: other.value("document.body.classList.contains('-closed')"), lambda: "the page does not say so")
    other.close()
