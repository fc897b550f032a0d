"""Changes painted while no frame may be sent go into the next one; none is lost."""

from __future__ import annotations

import random
import re

import pyte

from tui.terminal.cells import ScreenCells
from tui.terminal.pacing import Frames, Pacer
from tui.terminal.sequences import PLAIN, Piece

COLUMNS, ROWS = 60, 4
POSITION = re.compile(r"\x1b\[(\d+);(\d+)R")


class FrameDriver:
    """Frames, the terminal that draws them, and its answers."""

    def __init__(self) -> None:
        self.now = 100.0
        self.terminal = pyte.Screen(COLUMNS, ROWS)
        self.asked: list[str] = []
        self.terminal.write_process_input = self.asked.append  # type: ignore[method-assign]
        self.sent: list[str] = []
        self.frames = Frames(Pacer(lambda: self.now), ScreenCells(), self._send)

    def _send(self, sequence: str) -> None:
        self.sent.append(sequence)
        pyte.Stream(self.terminal).feed(sequence)

    def answer(self, seconds: float = 0.1) -> bool:
        """The terminal answers the oldest question, so much later."""
        self.now += seconds
        found = POSITION.fullmatch(self.asked.pop(0))
        assert found
        return self.frames.answered(int(found.group(2)) - 1, int(found.group(1)) - 1, self.now)

    def known(self) -> FrameDriver:
        """Once the terminal has answered, two frames may be on their way."""
        self.frames.draw([piece(0, 0, "begun")])
        assert self.answer()
        self.now += 1
        return self


def piece(y: int, x: int, text: str, raw: str = "") -> Piece:
    return Piece(y, x, text, len(text), PLAIN, raw)


def test_what_comes_meanwhile_is_one_frame() -> None:
    driver = FrameDriver().known()
    for text in ("one", "two", "three", "four", "five"):
        wait = driver.frames.draw([piece(1, 0, f"{text:6}"), piece(2, 0, text[:3])])
    assert len(driver.sent) == 3  # the first, and two on their way
    assert wait is not None
    assert wait > 0
    assert driver.answer()
    assert driver.frames.send_pending() is None
    assert len(driver.sent) == 4
    assert "four" not in driver.sent[-1]
    assert [line.rstrip() for line in driver.terminal.display] == ["begun", "five", "five"[:3], ""]


def test_a_change_that_was_reverted_is_not_sent() -> None:
    driver = FrameDriver().known()
    for text in ("aa", "bb", "cc", "bb"):
        driver.frames.draw([piece(1, 0, text)])
    assert driver.answer()
    assert driver.frames.send_pending() is None
    assert len(driver.sent) == 3


def test_everything_drawn_is_on_the_terminal_in_the_end() -> None:
    driver, whole, chance = FrameDriver().known(), pyte.Screen(COLUMNS, ROWS), random.Random(5)
    pyte.Stream(whole).feed("begun")
    for _ in range(300):
        y, text = chance.randrange(ROWS), "".join(chance.choices("ab ", k=chance.randrange(1, 20)))
        x = chance.randrange(COLUMNS - len(text))
        pyte.Stream(whole).feed(f"\x1b[{y + 1};{x + 1}H{text}")
        driver.frames.draw([piece(y, x, text)])
        if driver.asked and chance.random() < 0.3:
            assert driver.answer(chance.random() / 3)
            driver.frames.send_pending()
    assert len(driver.sent) < 250
    while driver.asked:
        assert driver.answer()
    driver.now += 1
    assert driver.frames.send_pending() is None
    assert driver.terminal.display == whole.display


def test_what_cannot_be_cut_does_not_wait() -> None:
    driver = FrameDriver().known()
    for text in ("one", "two", "six"):
        driver.frames.draw([piece(1, 0, text)])
    assert driver.frames.draw([piece(1, 0, "raw", raw="\x1b[1mraw\x1b[0m")]) is None
    assert "six" in driver.sent[-2]
    assert driver.terminal.display[1].rstrip() == "raw"


def test_other_positions_are_not_taken_for_answers() -> None:
    driver = FrameDriver().known()
    driver.frames.draw([piece(1, 0, "one")])
    assert not driver.frames.answered(1, 0, driver.now)  # shift+f3
    assert not driver.frames.answered(50, 1, driver.now)
    assert driver.answer()
