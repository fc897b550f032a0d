"""A real browser without a window, driven in its own protocol over two pipes: no package, no port."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE, eventually

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
         "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe")
BEGIN = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3])
os.dup2(reads, 3), os.dup2(writes, 4)
os.execv(sys.argv[3], sys.argv[3:])"""
"""The browser reads from its file 3 and writes to its file 4."""
CATCH = """
Object.defineProperty(Object.prototype, "fitAddon", {configurable: true, set(value) {
  globalThis.shown = this;
  Object.defineProperty(this, "fitAddon", {value, writable: true});
}});"""
"""Run before the page's own scripts, which keep their terminal to themselves: it becomes `shown`."""
ROWS = """(() => {
  const buffer = globalThis.shown?.terminal.buffer.active, rows = [];
  for (let y = 0; buffer && y < shown.terminal.rows; y++)
    rows.push(buffer.getLine(buffer.viewportY + y).translateToString(true));
  return rows.join("\\n");
})()"""
COLOURS = """(([x, y]) => {
  const cell = shown.terminal.buffer.active.getLine(y).getCell(x);
  return [cell.getChars(), cell.getFgColor(), cell.getBgColor()];
})"""
KEYS = {" ": ("Space", 32), "\r": ("Enter", 13), "\x1b": ("Escape", 27)}


def found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """A tab."""

    def __init__(self, browser: Browser, target: str) -> None:
        self._browser, self.target = browser, target
        self._session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for each in ("Page.enable", "Network.enable", "Runtime.enable"):
            self.ask(each)
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=CATCH)

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        return self._browser.ask(method, self._session, **given)

    def size(self, width: int, height: int) -> None:
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, address: str) -> None:
        self.ask("Page.navigate", url=address)

    def value(self, script: str) -> Any:
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    @property
    def text(self) -> str:
        """The text of the terminal, as rendered by the browser."""
        return str(self.value(ROWS) or "")

    def cell(self, x: int, y: int) -> tuple[str, int, int]:
        """The sign there, its colour and that of its ground, as 0xRRGGBB."""
        sign, front, ground = self.value(f"{COLOURS}([{x}, {y}])")
        return sign, front, ground

    def until(self, what: str | Callable[[str], object]) -> str:
        """Wait until a text is in the terminal, or a condition on it holds; fails after `PATIENCE` seconds."""
        right = (lambda text: what in text) if isinstance(what, str) else what
        eventually(lambda: right(self.text), lambda: f"{what!r} was never shown:\n{self.text}")
        return self.text

    def press(self, *keys: str) -> None:
        for key in keys:
            code, number = KEYS.get(key, (f"Key{key.upper()}", ord(key.upper())))
            about = {"key": code if key in "\r\x1b" else key, "code": code, "windowsVirtualKeyCode": number}
            self.ask("Input.dispatchKeyEvent", type="keyDown", **about, **({} if key == "\x1b" else {"text": key}))
            self.ask("Input.dispatchKeyEvent", type="keyUp", **about)

    def point(self, column: int, row: int) -> None:
        """Click on a cell."""
        where = self.value("""(() => {
          const place = document.querySelector(".xterm-screen").getBoundingClientRect();
          return [place.x, place.y, place.width / shown.terminal.cols, place.height / shown.terminal.rows];
        })()""")
        self.click(*(where[k] + (cell + 0.5) * where[k + 2] for k, cell in enumerate((column, row))))

    def click(self, x: float, y: float) -> None:
        """Click on a point of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self) -> bytes:
        """PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        self._browser.ask("Target.closeTarget", targetId=self.target)

    def asked_for(self) -> list[str]:
        """Every address that was asked for so far."""
        return [event["params"]["request"]["url"] for event in self._browser.events
                if event["method"] == "Network.requestWillBeSent" and event.get("sessionId") == self._session]


class Browser:
    """Chromium; `close` it."""

    def __init__(self, program: str, folder: Path) -> None:
        """`folder`: where it may keep what it likes."""
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(to_read), str(to_write), program, *QUIET, f"--user-data-dir={folder}"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self._number, self._taken = 0, b""
        self.events: list[dict[str, Any]] = []

    def page(self, width: int = 1200, height: int = 700) -> Page:
        made = Page(self, self.ask("Target.createTarget", url="about:blank")["targetId"])
        made.size(width, height)
        return made

    def ask(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        """Have something done, and wait for what comes of it."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": given} | ({"sessionId": session} if session else {})
        os.write(self._write, json.dumps(asked).encode() + b"\0")
        while True:
            told = self._told()
            if told.get("id") == self._number:
                assert "error" not in told, f"{method}: {told['error']}"
                result: dict[str, Any] = told["result"]
                return result
            if "method" in told:
                self.events.append(told)

    def _told(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._taken:
            assert select.select([self._read], [], [], max(0.0, end - time.monotonic()))[0], "the browser is silent"
            data = os.read(self._read, 1 << 20)
            assert data, "the browser has ended"
            self._taken += data
        message, _end, self._taken = self._taken.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told

    def close(self) -> None:
        with contextlib.suppress(AssertionError, OSError):
            self.ask("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
