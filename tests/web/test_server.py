"""Access to the server, its errors, and what it passes to its tabs."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.patience import PATIENCE, eventually
from tests.terminal.session import ROOT
from tests.web.conftest import Served

pytest.importorskip("textual_serve", reason="the extra web is not installed")


def asked(served: Served, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    """The status and the headers of a response; a redirection is followed with the cookies."""
    import aiohttp

    async def ask() -> tuple[int, dict[str, str]]:
        async with aiohttp.ClientSession() as session, session.get(served.address + path, headers=headers) as answer:
            return answer.status, dict(answer.headers)

    return asyncio.run(ask())


UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}


def test_the_page_and_no_other_site_may_speak_to_it(serve: Callable[..., Served]) -> None:
    served = serve()
    status, headers = asked(served, served.token)
    assert status == 200
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert asked(served, served.token, Host="elsewhere.example")[0] == 403
    assert asked(served, "ws" + served.token, Origin="http://elsewhere.example", **UPGRADE)[0] == 403
    assert asked(served, "ws" + served.token, **UPGRADE)[0] == 403
    assert served.tabs() == []
    assert asked(served, "static/")[0] == 403
    assert asked(served, "static/../../server.py" + served.token)[0] == 404


def test_only_the_printed_address_opens_a_tab(serve: Callable[..., Served]) -> None:
    served = serve()
    origin = served.address.rstrip("/")
    for token in ("", "?token=", served.token + "x", "?token=\u00e9"):
        assert asked(served, token)[0] == 403
        assert asked(served, "ws" + token, Origin=origin, **UPGRADE)[0] == 403
    assert asked(served, "", Cookie=f"sudoku-tui-{urlsplit(origin).port}=guessed")[0] == 403
    assert served.tabs() == []


def test_a_kiosk_needs_no_token(serve: Callable[..., Served], tmp_path: Path) -> None:
    (tmp_path / "kiosk").mkdir(mode=0o755)
    served = serve("--kiosk", str(tmp_path / "kiosk"))
    assert served.token == ""
    assert asked(served, "")[0] == 200


def test_more_tabs_than_allowed_are_refused(serve: Callable[..., Served]) -> None:
    import aiohttp

    served = serve("--tabs", "1", "4x4:1")
    origin = served.address.rstrip("/")

    async def open_two() -> aiohttp.WSMessage:
        async with aiohttp.ClientSession() as session:
            await session.get(served.address + served.token)
            async with session.ws_connect(f"{origin}/ws", origin=origin), \
                    session.ws_connect(f"{origin}/ws", origin=origin) as second:
                return await second.receive(timeout=PATIENCE)

    message = asyncio.run(open_two())
    assert message.type is aiohttp.WSMsgType.CLOSE
    assert message.extra == "1 tab is open, and no more are allowed: close it."


def test_the_reason_why_a_program_does_not_begin_reaches_the_browser(serve: Callable[..., Served]) -> None:
    import aiohttp

    served = serve("easy:999")
    origin = served.address.rstrip("/")

    async def end() -> aiohttp.WSMessage:
        async with aiohttp.ClientSession() as session:
            await session.get(served.address + served.token)
            async with session.ws_connect(f"{origin}/ws", origin=origin) as line:
                return await line.receive(timeout=PATIENCE)

    assert asyncio.run(end()).extra == "sudoku-tui: no puzzle '999' in the pack easy: expected easy:1 to easy:114"


@pytest.mark.parametrize("ended", [False, True], ids=["it ends meanwhile", "it has ended before it is read"])
def test_a_long_reason_ends_with_a_whole_word(ended: bool) -> None:
    from tui.web.tab import Tab

    async def nothing(*_said: Any) -> None:
        return

    async def fail() -> str:
        tab = Tab((sys.executable, "-c", "import sys; sys.exit('first\\n' + 'é word ' * 30)"),
                  nothing, nothing, nothing, {})
        process = await tab._open_app_process()
        assert process.stdout is not None
        while ended and not process.stdout.at_eof():
            await asyncio.sleep(0)
        await tab.run()
        return tab.failure

    said = asyncio.run(fail())
    assert (said[:12], said[-6:]) == ("é word é wor", "ord é…")
    assert 110 < len(said.encode()) <= 120


def typed(served: Served, *messages: object, until: bytes) -> None:
    """Say these as the page would, once the program has begun, and listen until it draws that; then hang up."""
    import aiohttp

    async def speak() -> None:
        origin = served.address.rstrip("/")
        async with aiohttp.ClientSession() as session:
            await session.get(served.address + served.token)
            line = await session.ws_connect(f"{origin}/ws?width=100&height=30", origin=origin)
            drawn = b""
            while b"READY" not in drawn:
                drawn += (await line.receive_bytes(timeout=PATIENCE))
            for message in messages:
                await (line.send_str(message) if isinstance(message, str) else line.send_json(message))
            while until not in drawn:
                drawn += (await line.receive_bytes(timeout=PATIENCE))

    asyncio.run(speak())


def test_the_end_of_a_program_waits_for_the_answer_of_the_browser(serve: Callable[..., Served]) -> None:
    """A connection that is cut before it would look lost to a browser that is still busy."""
    import aiohttp

    served = serve("4x4:1")
    at, origin = urlsplit(served.address), served.address.rstrip("/")

    async def hear() -> bytes:
        async with aiohttp.ClientSession() as session, session.get(served.address + served.token):
            cookies = "; ".join(f"{each.key}={each.value}" for each in session.cookie_jar)
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        headers = {"Host": at.netloc, "Origin": origin, "Cookie": cookies, **UPGRADE}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"GET /ws?width=100&height=30 HTTP/1.1\r\n{lines}\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        asked_to_quit = False
        while True:
            kind, size = await reader.readexactly(2)
            if size == 126:
                size = int.from_bytes(await reader.readexactly(2), "big")
            elif size == 127:
                size = int.from_bytes(await reader.readexactly(8), "big")
            drawn = await reader.readexactly(size)
            if b"READY" in drawn and not asked_to_quit:
                asked_to_quit = True
                said = b'["stdin","q"]'
                writer.write(bytes((0x81, 0x80 | len(said), 0, 0, 0, 0)) + said)
            if kind == 0x88:  # close
                break
        with pytest.raises(asyncio.TimeoutError):  # nothing comes, not even the end
            await asyncio.wait_for(reader.read(1), 0.3)
        writer.write(bytes((0x88, 0x80, 0, 0, 0, 0)))
        rest = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        return rest

    assert asyncio.run(hear()) == b""


def test_unknown_messages_of_the_page_are_ignored(serve: Callable[..., Served]) -> None:
    served = serve("4x4:1")
    typed(served, "no JSON", "[" * 100_000, {}, ["resize", {"width": 10**9, "height": "x"}], ["stdin", 7],
          ["stdin", "\ud800"],
          ["focus"], ["resize", {"width": 120, "height": 36}], ["stdin", "?"], until=b"Marks on the board")
    eventually(lambda: served.tabs() == [], lambda: "its process does not end")


def test_a_process_that_does_not_end_is_ended(serve: Callable[..., Served], monkeypatch: pytest.MonkeyPatch) -> None:
    from tui.web.tab import Tab

    async def nothing(*_given: object) -> None:
        pass

    async def begin_and_stop() -> int | None:
        script = ("import signal, time; signal.signal(signal.SIGHUP, signal.SIG_IGN); print('begun', flush=True); "
                  "time.sleep(600)")
        tab = Tab([sys.executable, "-c", script], nothing, nothing, nothing, {})
        process = await tab._open_app_process()
        assert process.stdout is not None
        await process.stdout.readline()
        tab._task = asyncio.create_task(asyncio.sleep(0))
        await tab.stop()
        return process.returncode

    monkeypatch.setattr("tui.web.tab.GRACE", 0.2)
    assert asyncio.run(begin_and_stop()) == -signal.SIGKILL


def test_a_tab_whose_server_is_killed_ends(serve: Callable[..., Served]) -> None:
    served = serve("4x4:1")
    import aiohttp

    async def speak() -> int:
        origin = served.address.rstrip("/")
        async with aiohttp.ClientSession() as session:
            await session.get(served.address + served.token)
            line = await session.ws_connect(f"{origin}/ws", origin=origin)
            drawn = b""
            while b"READY" not in drawn:
                drawn += (await line.receive_bytes(timeout=PATIENCE))
            (tab,) = served.tabs()
            served.process.kill()
            return tab

    tab = asyncio.run(speak())
    eventually(lambda: not Path(f"/proc/{tab}").exists() or "\nState:\tZ" in Path(f"/proc/{tab}/status").read_text(),
               lambda: "it goes on without its server")


def test_the_environment_of_a_tab_is_that_of_a_browser() -> None:
    from tui.web.tab import environment

    told = environment({"TERM": "vt100", "NO_COLOR": "", "SSH_CONNECTION": "1 2 3 4", "TMUX": "x", "LC_ALL": "C",
                        "SUDOKU_TUI_KIOSK": "/srv/kiosk", "LINES": "24"}, 132, 43)
    assert told == {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_COLOR_SYSTEM": "truecolor",
                    "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver", "COLUMNS": "132", "ROWS": "43",
                    "LC_ALL": "C.UTF-8", "SUDOKU_TUI_KIOSK": "/srv/kiosk"}


def called(*arguments: str, **environment: str) -> Any:
    return subprocess.run([sys.executable, "-m", "tui", "serve", *arguments], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, timeout=PATIENCE, check=False)


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = called("--host", "127.0.0.1", "--port", str(port))
    assert done.returncode == 2
    assert done.stderr == f"sudoku-tui: --port {port}: the port is in use, expected a free one\n"


def test_another_host_is_a_warning_and_an_unknown_one_is_refused() -> None:
    done = called("--host", "192.0.2.1", "--port", "0")
    assert done.returncode == 2
    said = done.stderr.splitlines()
    assert "learns the token" in said[0]
    assert "--host 192.0.2.1" in said[1]
    assert len(said) == 2


def test_a_kiosk_is_for_the_tabs_and_not_for_the_server(tmp_path: Path) -> None:
    done = called("--port", "0", SUDOKU_TUI_KIOSK=str(tmp_path))
    assert done.returncode == 2
    assert f"serve --kiosk {tmp_path}" in done.stderr
    assert "expected an existing directory" in called("--kiosk", str(tmp_path / "none")).stderr
