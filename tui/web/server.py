"""Serve the program to browsers, one process per tab, with all files that the page needs.

A page of another site could make its visitor's browser talk to a server on the same machine, and type there. Requests
must therefore come from our own page (Origin), and by a name of this machine (Host) if the server is not public.
Another account of the same machine can write any header, so the address has a token, as Jupyter's does. The first
request exchanges it for a cookie, so that it does not stay in the address bar. A kiosk is for everybody and has none.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import secrets
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import textual_serve
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from engine.errors import BadInput
from tui.i18n import _
from tui.web.tab import Tab

PAGES = Path(__file__).parent
STATIC = Path(textual_serve.__file__).parent / "static"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                               "connect-src 'self' ws: wss:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
HEARTBEAT = 15.0
"""Seconds between two looks whether a browser is still there."""
SIZES = range(1, 1001)
_QUIET = logging.getLogger("tui.web")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


class Server:
    """One program for many tabs. `serve` returns when a signal ends it, and its processes have ended."""

    def __init__(self, command: Sequence[str], host: str, port: int, also: Mapping[str, str], *, most_tabs: int,
                 token: str = "") -> None:
        """`command`: of a tab's process; `also`: more of its environment; `token`: required of every browser, if it is
        not empty."""
        self._command, self._host, self._port, self._also = command, host, port, also
        self._most_tabs, self._token = most_tabs, token
        self._tabs: set[Tab] = set()

    async def serve(self, ready: Callable[[int], None]) -> None:
        """Serve until a signal arrives. `ready` is called with the port once the server listens. Raises BadInput if it
        cannot listen."""
        application = web.Application(middlewares=[self._guard])
        application.add_routes([
            *(web.get(name, _sends(file)) for name, file in
              {"/": "page.html", "/page.js": "page.js", "/page.css": "page.css"}.items()),
            web.get("/ws", self._open_tab), web.static("/static", STATIC)])
        application.on_shutdown.append(self._close_tabs)
        runner = web.AppRunner(application, access_log=None, logger=_QUIET, shutdown_timeout=1.0)
        await runner.setup()
        ended = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        try:
            await self._listen(runner)
            ready(runner.addresses[0][1])
            await ended.wait()
        finally:
            await runner.cleanup()

    async def _listen(self, runner: web.AppRunner) -> None:
        try:
            await web.TCPSite(runner, self._host, self._port).start()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise BadInput(_("--port {port}: the port is in use, expected a free one")
                               .format(port=self._port)) from None
            raise BadInput(_("--host {host} --port {port}: {why}").format(
                host=self._host, port=self._port, why=error.strerror or error)) from None

    @web.middleware  # type: ignore[untyped-decorator, unused-ignore]
    async def _guard(self, request: web.Request,
                     handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> web.StreamResponse:
        if self._host in LOOPBACK and urlsplit(f"//{request.host}").hostname not in LOOPBACK:
            raise web.HTTPForbidden(text=_("this server is for this machine only"))
        if self._token and not request.path.startswith("/static/"):
            self._check_token(request)
        response = await handler(request)
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    def _check_token(self, request: web.Request) -> None:
        """Let a request with the cookie pass, and give the cookie to one with the token. Raises an HTTP error."""
        cookie = f"sudoku-tui-{request.url.port}"  # browsers share cookies between the ports of a machine
        if secrets.compare_digest(request.cookies.get(cookie, "").encode(), self._token.encode()):
            return
        if not secrets.compare_digest(request.query.get("token", "").encode(), self._token.encode()):
            raise web.HTTPForbidden(text=_("open the address that sudoku-tui serve has printed: it ends with a token"))
        exchanged = web.HTTPFound(request.rel_url.without_query_params("token"), headers=HEADERS)
        exchanged.set_cookie(cookie, self._token, httponly=True, samesite="Lax")
        raise exchanged

    async def _open_tab(self, request: web.Request) -> web.StreamResponse:
        if urlsplit(request.headers.get("Origin", "")).netloc != request.host:
            raise web.HTTPForbidden(text=_("only the page of this server may ask for this"))
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT)
        await socket.prepare(request)
        if len(self._tabs) >= self._most_tabs:
            said = _("1 tab is open, and no more are allowed: close it.") if self._most_tabs == 1 else _(
                "{most} tabs are open, and no more are allowed: close one.").format(most=self._most_tabs)
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=said.encode())
            return socket
        ended = asyncio.Event()

        async def end() -> None:
            ended.set()

        tab = Tab(self._command, socket.send_bytes, socket.send_str, end, self._also)
        self._tabs.add(tab)
        try:
            await tab.start(*(_size(request.query.get(name)) for name in ("width", "height")))
            waiting = asyncio.create_task(_listen(socket, tab)), asyncio.create_task(ended.wait())
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            # waits for the answer of the browser, as no other task reads the socket now
            await socket.close(message=tab.failure.encode())
        finally:
            await asyncio.shield(tab.stop())
            self._tabs.discard(tab)
        return socket

    async def _close_tabs(self, _application: web.Application) -> None:
        await asyncio.gather(*(tab.stop() for tab in self._tabs))


def _sends(file: str) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def send(_request: web.Request) -> web.StreamResponse:
        return web.FileResponse(PAGES / file, headers=HEADERS)

    return send


def _size(given: object) -> int:
    """A number of columns or rows; 80 if it is not a possible one."""
    try:
        size = int(str(given))
    except ValueError:
        return 80
    return size if size in SIZES else 80


async def _listen(socket: web.WebSocketResponse, tab: Tab) -> None:
    """Pass on what the page says until it hangs up."""
    async for message in socket:
        await _pass_on(message, tab, socket)


async def _pass_on(message: WSMessage, tab: Tab, socket: web.WebSocketResponse) -> None:
    """Validate a message of the page. Unknown messages are ignored."""
    try:
        match message.json() if message.type is WSMsgType.TEXT else None:
            case ["stdin", str(typed)]:
                await tab.send_bytes(typed.encode(errors="replace"))
            case ["resize", {"width": width, "height": height}]:
                await tab.set_terminal_size(_size(width), _size(height))
            case ["ping", str(mark)]:
                await socket.send_json(["pong", mark])
            case ["blur"]:
                await tab.blur()
            case ["focus"]:
                await tab.focus()
    except (ValueError, RecursionError):
        return
